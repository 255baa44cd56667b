//! The curves of the disks that a page draws: plain values, units in the names.

use judge::disks::{DepthLadder, DiskJudged, DiskUnit, DisksJudged, StageFigures};
use judge::observed::ObservedStage;
use schemars::JsonSchema;
use serde::Serialize;

use super::requests_in_words;

/// One disk.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DiskData {
    /// The target.
    pub target: String,
    /// Its stages, in order.
    pub stages: Vec<StageData>,
    /// Latency and rate against requests in flight.
    pub ladders: Vec<DiskLadderData>,
}

/// One stage.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StageData {
    /// Its name.
    pub name: String,
    /// Its requests, in words.
    pub what: String,
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

/// The curves of all disks.
pub(crate) fn disk_data(disks: &DisksJudged, observed: &[ObservedStage]) -> Vec<DiskData> {
    disks.disks.iter().map(|judged| data_of_disk(judged, observed)).collect()
}

fn data_of_disk(judged: &DiskJudged, observed: &[ObservedStage]) -> DiskData {
    DiskData {
        target: judged.target.clone(),
        stages: judged
            .stages
            .iter()
            .map(|stage| {
                let seen = observed.iter().find(|o| o.stage.target == judged.target && o.stage.name == stage.name);
                let fell = judged.bursts.iter().find(|burst| burst.stage == stage.name).map(|burst| burst.at_s);
                stage_data(stage, seen, fell)
            })
            .collect(),
        ladders: judged.ladders.iter().map(disk_ladder_data).collect(),
    }
}

fn stage_data(stage: &StageFigures, seen: Option<&ObservedStage>, fell_at_s: Option<f64>) -> StageData {
    let seconds = seen.map_or(&[][..], |observed| observed.seconds.as_slice());
    StageData {
        name: stage.name.clone(),
        what: requests_in_words(stage),
        series_unit: match stage.limiting_unit() {
            DiskUnit::Iops => SeriesUnit::Iops,
            DiskUnit::Bandwidth => SeriesUnit::BytesPerS,
        },
        t_s: seconds.iter().map(|second| second.end_ms as f64 / 1e3).collect(),
        rate: seconds
            .iter()
            .map(|second| {
                let rates = [second.read, second.write];
                rates
                    .iter()
                    .flatten()
                    .map(|rate| match stage.limiting_unit() {
                        DiskUnit::Iops => rate.operations_per_s,
                        DiskUnit::Bandwidth => rate.bytes_per_s,
                    })
                    .sum::<Option<f64>>()
            })
            .collect(),
        fell_at_s,
    }
}

fn disk_ladder_data(ladder: &DepthLadder) -> DiskLadderData {
    DiskLadderData {
        what: format!("{} {}", ladder.pattern, judge::units::format_bytes(ladder.block_bytes as f64)),
        in_flight: ladder.rungs.iter().map(|rung| rung.in_flight).collect(),
        iops: ladder.rungs.iter().map(|rung| rung.iops).collect(),
        mean_ms: ladder.rungs.iter().map(|rung| rung.mean_ms).collect(),
        p99_ms: ladder.rungs.iter().map(|rung| p99_of_percentiles(&rung.percentiles_ms)).collect(),
    }
}

fn p99_of_percentiles(percentiles: &[(f64, f64)]) -> Option<f64> {
    percentiles.iter().find(|(p, _)| (p - 99.0).abs() < 1e-6).map(|(_, ms)| *ms)
}
