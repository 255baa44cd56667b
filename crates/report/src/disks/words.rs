//! What is concluded of the disks, in tables and sentences.

use judge::disks::{
    Bottleneck, Burst, Cache, Cap, Ceiling, DiskJudged, DisksJudged, LadderEnd, Meaning, ShownBy, StageFigures, Unit,
    in_words,
};
use judge::units;

use crate::columns::{Alignment, aligned};

/// Rates within this share of what is stated are what is stated.
const AS_STATED: f64 = 0.05;

/// A heading and the lines under it.
pub(crate) struct Section {
    /// The heading.
    pub heading: &'static str,
    /// The lines; the columns of tables are aligned.
    pub lines: Vec<String>,
}

/// What a short report says of the disks; empty where none was measured.
pub(crate) fn sections(disks: &DisksJudged) -> Vec<Section> {
    if disks.disks.is_empty() {
        return Vec::new();
    }
    let mut sections = vec![Section { heading: "Disks (fio, steady state)", lines: figures(&disks.disks) }];
    let unlike = disks.unlike.iter().map(|what| format!("! not comparable: {what}"));
    let several = disks.disks.len() > 1;
    let said = disks.disks.iter().flat_map(|disk| {
        let label = if several { format!("{}: ", disk.target) } else { String::new() };
        remarks(disk).into_iter().map(move |remark| format!("{label}{remark}"))
    });
    let lines: Vec<String> = unlike.chain(said).collect();
    if !lines.is_empty() {
        sections.push(Section { heading: "Disk characteristics", lines });
    }
    if !disks.meanings.is_empty() {
        sections.push(Section { heading: "Throughput ceilings set by the disks", lines: meanings(&disks.meanings) });
    }
    sections
}

/// One row for each disk.
fn figures(disks: &[DiskJudged]) -> Vec<String> {
    const TITLES: [&str; 8] = ["", "oltp", "95 %", "p99", "seq-read", "seq-write", "wal", "wal-group"];
    let dash = || "–".to_owned();
    let row = |disk: &DiskJudged| {
        let oltp = disk.stage("oltp");
        let bandwidth =
            |name: &str| disk.stage(name).map_or_else(dash, |stage| units::bytes_per_s(stage.base_bytes_per_s()));
        let commits = |name: &str| {
            disk.stage(name).map_or_else(dash, |stage| format!("{} commits/s", units::count(stage.base_iops().round())))
        };
        [
            disk.target.clone(),
            oltp.map_or_else(dash, |stage| units::iops(stage.base_iops())),
            oltp.and_then(|stage| stage.steady_iops)
                .map_or_else(dash, |e| units::range(e.interval.low, e.interval.high)),
            oltp.and_then(|stage| percentile_ms(stage, 99.0)).map_or_else(dash, units::milliseconds),
            bandwidth("seq-read"),
            bandwidth("seq-write"),
            commits("wal"),
            commits("wal-group"),
        ]
    };
    let rows: Vec<_> = std::iter::once(TITLES.map(str::to_owned)).chain(disks.iter().map(row)).collect();
    use Alignment::{Left, Right};
    aligned(&rows, [Left, Right, Right, Right, Right, Right, Right, Right])
}

/// A percentile of a stage's latency, in milliseconds.
fn percentile_ms(stage: &StageFigures, percent: f64) -> Option<f64> {
    let percentiles = &stage.latency.as_ref()?.percentiles;
    percentiles.iter().find(|(p, _)| (p - percent).abs() < 1e-6).map(|(_, ns)| *ns as f64 / 1e6)
}

/// What there is to say of one disk, what matters most first.
pub(super) fn remarks(disk: &DiskJudged) -> Vec<String> {
    let failed = disk.stages.iter().filter_map(|stage| {
        Some(format!("! {} does not count: {}", stage.name, stage.failed.as_ref()?.lines().next().unwrap_or_default()))
    });
    let caps = disk.caps.iter().map(cap);
    let open = disk.ladders.iter().filter_map(|ladder| match ladder.end {
        LadderEnd::Open { gain } => Some(format!(
            "no cap up to {} requests in flight: the last step gained {}",
            ladder.rungs.last().map_or(0, |rung| rung.in_flight),
            units::change(gain)
        )),
        LadderEnd::Flat { .. } => None,
    });
    let busy = disk.ladders.iter().filter_map(|ladder| {
        let last = ladder.rungs.last()?;
        Some(format!(
            "with {} requests in flight the device utilization was {}",
            last.in_flight,
            units::percent(last.utilisation?)
        ))
    });
    let bursts = disk.bursts.iter().map(burst);
    let caches = disk.caches.iter().map(cache);
    failed.chain(caps).chain(bursts).chain(caches).chain(open).chain(busy).collect()
}

fn rate(unit: Unit, per_s: f64) -> String {
    match unit {
        Unit::Iops => units::iops(per_s),
        Unit::Bandwidth => units::bytes_per_s(per_s),
    }
}

fn cap(cap: &Cap) -> String {
    let interval = cap.level.interval;
    let ends = format!("[{}, {}]", rate(cap.unit, interval.low), rate(cap.unit, interval.high));
    let shown = match cap.shown_by {
        ShownBy::Ladder { from, to } => format!("flat from {from} to {to} requests in flight"),
        ShownBy::Sequential => "sequential reads and writes reach the same bandwidth".to_owned(),
    };
    let what = match cap.unit {
        Unit::Iops => "capped in requests",
        Unit::Bandwidth => "capped in bandwidth",
    };
    let stated = match cap.stated {
        None => String::new(),
        Some(stated) => {
            let ratio = cap.level.point / stated;
            let relation = if (ratio - 1.0).abs() <= AS_STATED {
                "as declared".to_owned()
            } else {
                format!("{} of the declared rate", units::percent(ratio))
            };
            format!("; {relation} ({})", rate(cap.unit, stated))
        }
    };
    format!("{what} at {} {ends}: {shown}{stated}", rate(cap.unit, cap.level.point))
}

fn burst(burst: &Burst) -> String {
    let base = burst.base.map_or_else(String::new, |base| {
        format!(" [{}, {}]", rate(burst.unit, base.interval.low), rate(burst.unit, base.interval.high))
    });
    let credit = match burst.unit {
        Unit::Iops => format!("{} requests", units::count(burst.credit.round())),
        Unit::Bandwidth => units::bytes(burst.credit),
    };
    format!(
        "{} fell after {:.1} s from {} to {}{base}: a burst allowance of {credit} was exhausted",
        burst.stage,
        burst.at_s,
        rate(burst.unit, burst.burst),
        rate(burst.unit, burst.base_rate),
    )
}

fn cache(cache: &Cache) -> String {
    match cache {
        Cache::AboveStated { stage, unit, rate: found, stated } => format!(
            "! {stage} reached {}, more than the declared {}: a burst allowance or a cache, not the disk",
            rate(*unit, *found),
            rate(*unit, *stated)
        ),
        Cache::AboveSequential { stage, bytes_per_s, sequential_bytes_per_s } => format!(
            "! {stage}: random reads reached {}, sequential reads only {}: a cache served the random reads",
            units::bytes_per_s(*bytes_per_s),
            units::bytes_per_s(*sequential_bytes_per_s)
        ),
        Cache::FasterBuffered { cached_iops, direct_iops } => format!(
            "reads through the page cache reached {}, direct ones {}",
            units::iops(*cached_iops),
            units::iops(*direct_iops)
        ),
        Cache::Elsewhere { filesystem } => {
            format!("the directory is on {filesystem}: the figures include the layers between it and a disk")
        }
        Cache::SmallFile { file_bytes, memory_bytes, reason } => {
            let sizes = format!(
                "the file had {}, less than twice the memory ({})",
                units::bytes(*file_bytes as f64),
                units::bytes(*memory_bytes as f64)
            );
            match reason {
                Some(reason) => format!("{sizes}: {reason}"),
                None => format!("! {sizes}: a cache of the host, the controller or the provider may hold it"),
            }
        }
    }
}

/// One row for each target and workload: the place at which it came nearest to its ceiling.
fn meanings(meanings: &[Meaning]) -> Vec<String> {
    const TITLES: [&str; 9] =
        ["", "workload", "clients", "reached", "ceiling", "95 %", "resource", "iowait", "is the disk the bottleneck?"];
    let mut rows = vec![TITLES.map(str::to_owned)];
    let mut machines = Vec::new();
    for meaning in meanings {
        let label = [meaning.target.clone(), meaning.workload.clone()];
        let dash = || "–".to_owned();
        let verdict = bottleneck(&meaning.bottleneck);
        let [target, workload] = label.clone();
        rows.push(match nearest(meaning) {
            None => [target, workload, dash(), dash(), dash(), dash(), dash(), dash(), verdict],
            Some(ceiling) => [
                target,
                workload,
                ceiling.clients.to_string(),
                units::tps(ceiling.reached),
                units::tps(ceiling.limit.point),
                units::range(ceiling.limit.interval.low, ceiling.limit.interval.high),
                in_words(ceiling.resource).to_owned(),
                ceiling.iowait.map_or_else(dash, units::percent),
                verdict,
            ],
        });
        machines.extend(machine(meaning).map(|text| format!("{}, {}: {text}", label[0], label[1])));
    }
    use Alignment::{Left, Right};
    let mut lines = aligned(&rows, [Left, Left, Right, Right, Right, Right, Left, Right, Left]);
    lines.extend(machines);
    lines
}

/// The number of clients at which a workload came nearest to its ceiling.
pub(super) fn nearest(meaning: &Meaning) -> Option<&Ceiling> {
    let share = |ceiling: &&Ceiling| ceiling.reached / ceiling.limit.point;
    meaning.ceilings.iter().max_by(|a, b| share(a).total_cmp(&share(b)))
}

/// The verdict in words.
pub(super) fn bottleneck(bottleneck: &Bottleneck) -> String {
    match bottleneck {
        Bottleneck::From(clients) => format!("yes, from {} on", units::clients(*clients)),
        Bottleneck::No => "no".to_owned(),
        Bottleneck::CannotTell(why) => format!("unknown: {why}"),
    }
}

/// The smallest machine beyond which the disk is the limit. How many reads a byte of memory saves is told by servers of
/// several sizes only: a run has one of each, and the size of a database is not what of it is in use.
pub(super) fn machine(meaning: &Meaning) -> Option<String> {
    const UNTOLD: &str = " (the memory that this takes is unknown, because the run measured one size)";
    let ceiling = nearest(meaning)?;
    let cores = ceiling.cores?;
    let memory = match ceiling.without_reads {
        Some(limit) if limit > 1.01 * ceiling.limit.point => {
            format!("; with all data in memory the ceiling would be {}{UNTOLD}", units::tps(limit))
        }
        Some(_) => "; more memory does not raise the ceiling, because writes set it".to_owned(),
        None => format!("; with all data in memory the disk would set no ceiling{UNTOLD}"),
    };
    let cores = cores.ceil().max(1.0);
    let noun = if cores > 1.0 { "cores" } else { "core" };
    Some(format!("beyond {cores:.0} {noun} of this kind the disk is the bottleneck{memory}"))
}
