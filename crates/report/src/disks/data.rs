//! The disks in the contract of the report viewer: plain values, units in the names.

use judge::disks::{DiskJudged, DisksJudged, Ladder, Meaning, StageFigures, Unit, in_words};
use judge::observed::ObservedStage;
use schemars::JsonSchema;
use serde::Serialize;

use super::words;
use crate::data::EstimateData;

/// All disks.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DisksData {
    /// Each disk.
    pub disks: Vec<DiskData>,
    /// The reasons why stages cannot be compared between disks.
    pub differences: Vec<String>,
    /// The ceilings that the disks set for the workloads.
    pub meanings: Vec<MeaningData>,
}

/// One disk.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DiskData {
    /// The target.
    pub target: String,
    /// The measured directory, in words.
    pub place: Option<String>,
    /// Its stages, in order.
    pub stages: Vec<StageData>,
    /// Latency and rate against requests in flight.
    pub ladders: Vec<DiskLadderData>,
    /// Remarks on the disk.
    pub remarks: Vec<String>,
}

/// One stage.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StageData {
    /// Its name.
    pub name: String,
    /// Its requests, in words.
    pub what: String,
    /// The reason why it does not count.
    pub failed: Option<String>,
    /// Requests per second over the whole stage.
    pub iops: f64,
    /// The same in the steady state.
    pub steady_iops: Option<EstimateData>,
    /// Bytes per second over the whole stage.
    pub bytes_per_s: f64,
    /// The same in the steady state.
    pub steady_bytes_per_s: Option<EstimateData>,
    /// Mean latency.
    pub mean_ms: Option<f64>,
    /// Percentiles of latency as `[percent, ms]`.
    pub percentiles_ms: Vec<(f64, f64)>,
    /// Mean latency of the sync calls.
    pub sync_ms: Option<f64>,
    /// Utilization of the device: the share of the time that it was busy.
    pub utilisation: Option<f64>,
    /// The unit of the series.
    pub series_unit: SeriesUnit,
    /// End of each entry, in seconds since the stage's start.
    pub t_s: Vec<f64>,
    /// Rate of reads and writes together.
    pub rate: Vec<Option<f64>>,
    /// The instant at which the rate fell and did not recover.
    pub fell_at_s: Option<f64>,
}

/// The unit of the series of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SeriesUnit {
    /// Requests per second.
    Iops,
    /// Bytes per second.
    BytesPerS,
}

/// One kind of request at several queue depths.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DiskLadderData {
    /// The kind of request, in words.
    pub what: String,
    /// Requests in flight.
    pub in_flight: Vec<u32>,
    /// Requests per second in the steady state.
    pub iops: Vec<f64>,
    /// Mean latency.
    pub mean_ms: Vec<Option<f64>>,
    /// 99th percentile of latency.
    pub p99_ms: Vec<Option<f64>>,
}

/// The ceiling that a disk sets for one workload.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MeaningData {
    /// The target.
    pub target: String,
    /// The workload.
    pub workload: String,
    /// Whether the disk is the bottleneck, in words.
    pub bottleneck: String,
    /// The size of a machine from which the disk is the bottleneck, in words.
    pub machine: Option<String>,
    /// The ceilings by number of clients.
    pub ceilings: Vec<CeilingData>,
}

/// The ceiling at one number of clients.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CeilingData {
    /// Clients.
    pub clients: u32,
    /// The measured throughput.
    pub reached_per_s: f64,
    /// Transactions per second at which the disk is saturated.
    pub limit_per_s: EstimateData,
    /// The resource of the disk that sets the ceiling.
    pub resource: &'static str,
    /// The amount of it that a transaction uses.
    pub per_transaction: f64,
    /// Share of the CPU time that was idle while a request was in flight.
    pub iowait: Option<f64>,
}

/// The data of all disks; none where none was measured.
pub(crate) fn data(disks: &DisksJudged, observed: &[ObservedStage]) -> Option<DisksData> {
    (!disks.disks.is_empty()).then(|| DisksData {
        disks: disks.disks.iter().map(|judged| disk(judged, observed)).collect(),
        differences: disks.unlike.clone(),
        meanings: disks.meanings.iter().map(meaning).collect(),
    })
}

fn disk(judged: &DiskJudged, observed: &[ObservedStage]) -> DiskData {
    let own = |stage: &StageFigures| {
        let seen = observed.iter().find(|o| o.stage.target == judged.target && o.stage.name == stage.name);
        let fell = judged.bursts.iter().find(|burst| burst.stage == stage.name).map(|burst| burst.at_s);
        stage_data(stage, seen, fell)
    };
    DiskData {
        target: judged.target.clone(),
        place: judged.place.as_ref().map(place),
        stages: judged.stages.iter().map(own).collect(),
        ladders: judged.ladders.iter().map(ladder).collect(),
        remarks: words::remarks(judged),
    }
}

fn place(place: &results::disk::Place) -> String {
    let disk = place.disk.as_ref().map_or_else(String::new, |disk| {
        let device = disk.device.as_ref().map_or_else(String::new, |device| format!(" on {device}"));
        format!(" ({}{device}, {})", disk.filesystem, disk.mount_options)
    });
    format!("{}{disk}", place.directory.display())
}

fn stage_data(stage: &StageFigures, seen: Option<&ObservedStage>, fell_at_s: Option<f64>) -> StageData {
    let seconds = seen.map_or(&[][..], |observed| observed.seconds.as_slice());
    let total = |second: &results::disk::DiskSecond| {
        let rates = [second.read, second.write];
        let of = |rate: &results::disk::FlowRate| match stage.unit() {
            Unit::Iops => rate.operations_per_s,
            Unit::Bandwidth => rate.bytes_per_s,
        };
        rates.iter().flatten().map(of).sum::<Option<f64>>()
    };
    let latency = stage.latency.as_ref();
    StageData {
        name: stage.name.clone(),
        what: what(stage),
        failed: stage.failed.clone(),
        iops: stage.iops,
        steady_iops: stage.steady_iops.map(Into::into),
        bytes_per_s: stage.bytes_per_s,
        steady_bytes_per_s: stage.steady_bytes_per_s.map(Into::into),
        mean_ms: latency.map(|latency| latency.mean_ns / 1e6),
        percentiles_ms: latency.map_or_else(Vec::new, |latency| {
            latency.percentiles.iter().map(|(p, ns)| (*p, *ns as f64 / 1e6)).collect()
        }),
        sync_ms: stage.sync_latency.as_ref().map(|latency| latency.mean_ns / 1e6),
        utilisation: stage.utilisation,
        series_unit: match stage.unit() {
            Unit::Iops => SeriesUnit::Iops,
            Unit::Bandwidth => SeriesUnit::BytesPerS,
        },
        t_s: seconds.iter().map(|second| second.end_ms as f64 / 1e3).collect(),
        rate: seconds.iter().map(total).collect(),
        fell_at_s,
    }
}

/// What a stage did, in words: `randread 8 KiB, 32 in flight, direct`.
fn what(stage: &StageFigures) -> String {
    let pattern = stage.pattern.as_deref().unwrap_or("several jobs");
    let block = stage.block_bytes.map_or_else(String::new, |bytes| format!(" {}", judge::units::bytes(bytes as f64)));
    let jobs = if stage.jobs > 1 { format!(" by each of {} jobs", stage.jobs) } else { String::new() };
    let direct = match stage.direct {
        Some(true) => ", direct",
        Some(false) => ", through the page cache",
        None => "",
    };
    let synced = if stage.synced { ", each synced" } else { "" };
    format!("{pattern}{block}, {} in flight{jobs}{direct}{synced}", stage.depth)
}

fn ladder(ladder: &Ladder) -> DiskLadderData {
    let p99 = |percentiles: &[(f64, f64)]| percentiles.iter().find(|(p, _)| (p - 99.0).abs() < 1e-6).map(|(_, ms)| *ms);
    DiskLadderData {
        what: format!("{} {}", ladder.pattern, judge::units::bytes(ladder.block_bytes as f64)),
        in_flight: ladder.rungs.iter().map(|rung| rung.in_flight).collect(),
        iops: ladder.rungs.iter().map(|rung| rung.iops).collect(),
        mean_ms: ladder.rungs.iter().map(|rung| rung.mean_ms).collect(),
        p99_ms: ladder.rungs.iter().map(|rung| p99(&rung.percentiles_ms)).collect(),
    }
}

fn meaning(meaning: &Meaning) -> MeaningData {
    let ceiling = |ceiling: &judge::disks::Ceiling| CeilingData {
        clients: ceiling.clients,
        reached_per_s: ceiling.reached,
        limit_per_s: ceiling.limit.into(),
        resource: in_words(ceiling.resource),
        per_transaction: ceiling.per_transaction,
        iowait: ceiling.iowait,
    };
    MeaningData {
        target: meaning.target.clone(),
        workload: meaning.workload.clone(),
        bottleneck: words::bottleneck(&meaning.bottleneck),
        machine: words::machine(meaning),
        ceilings: meaning.ceilings.iter().map(ceiling).collect(),
    }
}
