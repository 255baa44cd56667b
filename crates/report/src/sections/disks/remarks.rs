//! What is concluded of one disk, in sentences.

use judge::disks::{Burst, DiskJudged, DiskUnit, InterposedCache, LadderEnd, ReachedDiskCap, ShownBy};
use judge::units;

/// Rates within this share of what is stated are what is stated.
const AS_STATED: f64 = 0.05;

/// What there is to say of one disk, what matters most first.
pub(super) fn remarks_on_disk(disk: &DiskJudged) -> Vec<String> {
    let failed = disk.stages.iter().filter_map(|stage| {
        Some(format!("! {} does not count: {}", stage.name, stage.failed.as_ref()?.lines().next().unwrap_or_default()))
    });
    let caps = disk.caps.iter().map(describe_cap);
    let open = disk.ladders.iter().filter_map(|ladder| match ladder.end {
        LadderEnd::Open { gain } => Some(format!(
            "no cap up to {} requests in flight: the last step gained {}",
            ladder.rungs.last().map_or(0, |rung| rung.in_flight),
            units::format_change(gain)
        )),
        LadderEnd::Flat { .. } => None,
    });
    let busy = disk.ladders.iter().filter_map(|ladder| {
        let last = ladder.rungs.last()?;
        Some(format!(
            "with {} requests in flight the device utilization was {}",
            last.in_flight,
            units::format_percent(last.utilisation?)
        ))
    });
    let bursts = disk.bursts.iter().map(describe_burst);
    let caches = disk.caches.iter().map(describe_cache);
    failed.chain(caps).chain(bursts).chain(caches).chain(open).chain(busy).collect()
}

fn format_rate(unit: DiskUnit, per_s: f64) -> String {
    match unit {
        DiskUnit::Iops => units::format_iops(per_s),
        DiskUnit::Bandwidth => units::bytes_per_s(per_s),
    }
}

fn describe_cap(cap: &ReachedDiskCap) -> String {
    let interval = cap.level.interval;
    let ends = units::format_interval(&format_rate(cap.unit, interval.low), &format_rate(cap.unit, interval.high));
    let shown = match cap.shown_by {
        ShownBy::Ladder { from, to } => format!("flat from {from} to {to} requests in flight"),
        ShownBy::Sequential => "sequential reads and writes reach the same bandwidth".to_owned(),
    };
    let what = match cap.unit {
        DiskUnit::Iops => "capped in requests",
        DiskUnit::Bandwidth => "capped in bandwidth",
    };
    let stated = match cap.stated {
        None => String::new(),
        Some(stated) => {
            let ratio = cap.level.point / stated;
            let relation = if (ratio - 1.0).abs() <= AS_STATED {
                "as declared".to_owned()
            } else {
                format!("{} of the declared rate", units::format_percent(ratio))
            };
            format!("; {relation} ({})", format_rate(cap.unit, stated))
        }
    };
    format!("{what} at {} {ends}: {shown}{stated}", format_rate(cap.unit, cap.level.point))
}

fn describe_burst(burst: &Burst) -> String {
    let base = burst.base.map_or_else(String::new, |base| {
        format!(
            " {}",
            units::format_interval(
                &format_rate(burst.unit, base.interval.low),
                &format_rate(burst.unit, base.interval.high)
            )
        )
    });
    let credit = match burst.unit {
        DiskUnit::Iops => format!("{} requests", units::format_count(burst.credit.round())),
        DiskUnit::Bandwidth => units::format_bytes(burst.credit),
    };
    format!(
        "{} fell after {:.1} s from {} to {}{base}: a burst allowance of {credit} was exhausted",
        burst.stage,
        burst.at_s,
        format_rate(burst.unit, burst.burst),
        format_rate(burst.unit, burst.base_rate),
    )
}

fn describe_cache(cache: &InterposedCache) -> String {
    match cache {
        InterposedCache::AboveStated { stage, unit, rate: found, stated } => format!(
            "! {stage} reached {}, more than the declared {}: a burst allowance or a cache, not the disk",
            format_rate(*unit, *found),
            format_rate(*unit, *stated)
        ),
        InterposedCache::AboveSequential { stage, bytes_per_s, sequential_bytes_per_s } => format!(
            "! {stage}: random reads reached {}, sequential reads only {}: a cache served the random reads",
            units::bytes_per_s(*bytes_per_s),
            units::bytes_per_s(*sequential_bytes_per_s)
        ),
        InterposedCache::FasterBuffered { cached_iops, direct_iops } => format!(
            "reads through the page cache reached {}, direct ones {}",
            units::format_iops(*cached_iops),
            units::format_iops(*direct_iops)
        ),
        InterposedCache::Elsewhere { filesystem } => {
            format!("the directory is on {filesystem}: the figures include the layers between it and a disk")
        }
        InterposedCache::SmallFile { file_bytes, memory_bytes, reason } => {
            let sizes = format!(
                "the file had {}, less than twice the memory ({})",
                units::format_bytes(*file_bytes as f64),
                units::format_bytes(*memory_bytes as f64)
            );
            match reason {
                Some(reason) => format!("{sizes}: {reason}"),
                None => format!("! {sizes}: a cache of the host, the controller or the provider may hold it"),
            }
        }
    }
}
