//! Caps: a rate that more requests in flight no longer raise,
//! told by which limit it is and beside what the provider states.

use results::disk::StatedCaps;
use stats::Estimate;
use stats::centre::median_of_figures;
use stats::plateau::find_plateau;

use super::DiskUnit;
use super::figures::StageFigures;
use crate::thresholds::SAME_RATE;

/// Rates this near are of the same limit, although measured with requests of different sizes.
const SAME_LIMIT: f64 = 0.10;

/// Latency and rate against the requests in flight, of one kind of request.
#[derive(Debug, Clone)]
pub struct DepthLadder {
    /// fio's `rw`.
    pub pattern: String,
    /// Size of a request.
    pub block_bytes: u64,
    /// By requests in flight, ascending.
    pub rungs: Vec<DepthRung>,
    /// What its upper end says.
    pub end: LadderEnd,
}

/// One depth.
#[derive(Debug, Clone)]
pub struct DepthRung {
    /// Requests in flight: depth × jobs.
    pub in_flight: u32,
    /// Requests per second in the long run.
    pub iops: f64,
    /// Mean latency in milliseconds; absent when untold.
    pub mean_ms: Option<f64>,
    /// Percentiles as `[percent, ms]`.
    pub percentiles_ms: Vec<(f64, f64)>,
    /// Share of the time that the device was busy.
    pub utilisation: Option<f64>,
}

/// The upper end of a ladder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LadderEnd {
    /// Flat from this many in flight on, at this rate.
    Flat {
        /// The fewest requests in flight that reach it.
        from: u32,
        /// Requests per second.
        iops: Estimate,
    },
    /// Not flat: what the last step gained, as a share.
    Open {
        /// Rate at the last rung / rate at the one before − 1.
        gain: f64,
    },
}

/// A limit that was reached.
#[derive(Debug, Clone, PartialEq)]
pub struct ReachedDiskCap {
    /// Which limit.
    pub unit: DiskUnit,
    /// Its figure.
    pub level: Estimate,
    /// What shows it.
    pub shown_by: ShownBy,
    /// What the provider states of this limit.
    pub stated: Option<f64>,
}

/// What shows a cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShownBy {
    /// A ladder is flat between these numbers of requests in flight.
    Ladder {
        /// The fewest that reach it.
        from: u32,
        /// The most that were tried.
        to: u32,
    },
    /// Sequential reads and writes move the same.
    Sequential,
}

/// The ladders of a disk: stages that differ in nothing but their depth. Several of one depth are one rung.
pub(super) fn ladders_of_disk(stages: &[StageFigures]) -> Vec<DepthLadder> {
    let mut ladders: Vec<DepthLadder> = Vec::new();
    for stage in stages.iter().filter(|stage| stage.failed.is_none() && stage.direct != Some(false) && stage.iops > 0.0)
    {
        let (Some(pattern), Some(block_bytes)) = (&stage.pattern, stage.block_bytes) else { continue };
        let rung = rung_of_stage(stage);
        match ladders.iter_mut().find(|ladder| ladder.pattern == *pattern && ladder.block_bytes == block_bytes) {
            Some(ladder) => ladder.rungs.push(rung),
            None => ladders.push(DepthLadder {
                pattern: pattern.clone(),
                block_bytes,
                rungs: vec![rung],
                end: LadderEnd::Open { gain: 0.0 },
            }),
        }
    }
    for ladder in &mut ladders {
        ladder.rungs.sort_by_key(|rung| rung.in_flight);
        ladder.rungs = median_rungs(std::mem::take(&mut ladder.rungs));
        ladder.end = ladder_end(&ladder.rungs);
    }
    ladders.retain(|ladder| ladder.rungs.len() >= stats::plateau::FEWEST);
    ladders
}

/// One rung of each depth: of several executions the one in the middle, with the median of their rates.
fn median_rungs(rungs: Vec<DepthRung>) -> Vec<DepthRung> {
    let mut by_depth: Vec<Vec<DepthRung>> = Vec::new();
    for rung in rungs {
        match by_depth.last_mut().filter(|alike| alike[0].in_flight == rung.in_flight) {
            Some(alike) => alike.push(rung),
            None => by_depth.push(vec![rung]),
        }
    }
    let mut medians = Vec::new();
    for mut alike in by_depth {
        alike.sort_by(|one, other| one.iops.total_cmp(&other.iops));
        let rates: Vec<f64> = alike.iter().map(|rung| rung.iops).collect();
        let middle = alike.swap_remove(rates.len() / 2);
        medians.push(DepthRung { iops: median_of_figures(&rates).unwrap_or(middle.iops), ..middle });
    }
    medians
}

fn rung_of_stage(stage: &StageFigures) -> DepthRung {
    let percentiles = stage.latency.iter().flat_map(|latency| &latency.percentiles);
    DepthRung {
        in_flight: stage.depth * stage.jobs,
        iops: stage.base_iops(),
        mean_ms: stage.latency.as_ref().map(|latency| latency.mean_ns / 1e6),
        percentiles_ms: percentiles.map(|(percent, ns)| (*percent, *ns as f64 / 1e6)).collect(),
        utilisation: stage.utilisation,
    }
}

fn ladder_end(rungs: &[DepthRung]) -> LadderEnd {
    let rates: Vec<f64> = rungs.iter().map(|rung| rung.iops).collect();
    match find_plateau(&rates, SAME_RATE) {
        Some(flat) => LadderEnd::Flat { from: rungs[flat.from].in_flight, iops: flat.level },
        None => {
            let gain = rates.windows(2).last().map_or(0.0, |pair| pair[1] / pair[0] - 1.0);
            LadderEnd::Open { gain }
        }
    }
}

/// The limits that were reached, the one of requests first.
pub(super) fn reached_caps(
    stages: &[StageFigures],
    ladders: &[DepthLadder],
    stated: Option<StatedCaps>,
) -> Vec<ReachedDiskCap> {
    let stated_of = |unit| match unit {
        DiskUnit::Iops => stated.and_then(|caps| caps.iops),
        DiskUnit::Bandwidth => stated.and_then(|caps| caps.bytes_per_s),
    };
    let [read, write] = ["read", "write"].map(|pattern| {
        let sequential = stages
            .iter()
            .filter(|stage| stage.limiting_unit() == DiskUnit::Bandwidth && stage.failed.is_none())
            .filter(|stage| stage.pattern.as_deref() == Some(pattern));
        sequential
            .filter(|stage| stage.name != results::disk::PRECONDITION)
            .max_by(|a, b| a.base_bytes_per_s().total_cmp(&b.base_bytes_per_s()))
    });
    let fastest = [read, write].into_iter().flatten().map(StageFigures::base_bytes_per_s).reduce(f64::max);
    let mut caps: Vec<ReachedDiskCap> = Vec::new();
    for ladder in ladders {
        let LadderEnd::Flat { from, iops } = ladder.end else { continue };
        let bytes_per_s = iops.point * ladder.block_bytes as f64;
        let of_bandwidth = fastest.is_some_and(|fastest| is_near_rate(bytes_per_s, fastest, SAME_LIMIT));
        let (unit, scale) =
            if of_bandwidth { (DiskUnit::Bandwidth, ladder.block_bytes as f64) } else { (DiskUnit::Iops, 1.0) };
        let to = ladder.rungs.last().map_or(from, |rung| rung.in_flight);
        let level = scale_estimate(iops, scale);
        caps.push(ReachedDiskCap {
            unit,
            level,
            shown_by: ShownBy::Ladder { from, to },
            stated: stated_of(unit).map(|n| n as f64),
        });
    }
    let both = read.zip(write).and_then(|(read, write)| read.steady_bytes_per_s.zip(write.steady_bytes_per_s));
    if let Some((read, write)) = both
        && is_near_rate(read.point, write.point, SAME_RATE)
        && !caps.iter().any(|cap| cap.unit == DiskUnit::Bandwidth)
    {
        let stated = stated_of(DiskUnit::Bandwidth).map(|n| n as f64);
        // The wider of the two tells how sure the figure is.
        let level = if read.interval.half_width() > write.interval.half_width() { read } else { write };
        caps.push(ReachedDiskCap { unit: DiskUnit::Bandwidth, level, shown_by: ShownBy::Sequential, stated });
    }
    caps.sort_by_key(|cap| cap.unit);
    caps
}

/// Whether two rates differ by this share at most.
pub(super) fn is_near_rate(one: f64, other: f64, share: f64) -> bool {
    (one - other).abs() <= share * one.max(other)
}

fn scale_estimate(estimate: Estimate, by: f64) -> Estimate {
    let stats::ClosedInterval { low, high } = estimate.interval;
    Estimate {
        point: estimate.point * by,
        interval: stats::ClosedInterval { low: low * by, high: high * by },
        n: estimate.n,
    }
}
