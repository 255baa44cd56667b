//! Storage jobs of tables against what is stated of their disks.

use std::collections::BTreeMap;

use results::told::{ToldFlow, ToldStorage};

use super::material::{Beyond, CACHED, FASTER};
use super::of_disks::format_rate;
use crate::disks::DiskUnit;

/// A job's figure above what is stated of its disk.
struct StatedFigureExcess<'t> {
    job: &'t str,
    rate: f64,
    stated: f64,
}

/// What is beyond what is stated of the disks: of each, for reads and for writes, the job that is furthest beyond.
pub(super) fn jobs_beyond_stated(storage: &[ToldStorage]) -> Vec<Beyond> {
    let mut above: BTreeMap<(&str, bool, DiskUnit), Vec<StatedFigureExcess<'_>>> = BTreeMap::new();
    for told in storage {
        let Some(caps) = told.stated else { continue };
        for (is_read, flow) in [(true, &told.read), (false, &told.write)] {
            let iops =
                caps.iops.zip(told_operations_per_s(told, flow)).map(|(stated, rate)| (DiskUnit::Iops, stated, rate));
            let bytes = caps
                .bytes_per_s
                .zip(told_bytes_per_s(told, flow))
                .map(|(stated, rate)| (DiskUnit::Bandwidth, stated, rate));
            for (unit, stated, rate) in iops.into_iter().chain(bytes) {
                let found = StatedFigureExcess { job: &told.job, rate, stated: stated as f64 };
                if found.rate > FASTER * found.stated {
                    above.entry((&told.target, is_read, unit)).or_default().push(found);
                }
            }
        }
    }
    above.into_iter().filter_map(|((side, is_read, unit), jobs)| in_words(side, is_read, unit, &jobs)).collect()
}

/// Requests per second: as told, else from the bandwidth.
fn told_operations_per_s(told: &ToldStorage, flow: &ToldFlow) -> Option<f64> {
    flow.operations_per_s.or_else(|| Some(flow.bytes_per_s? / told.block_bytes? as f64))
}

fn told_bytes_per_s(told: &ToldStorage, flow: &ToldFlow) -> Option<f64> {
    flow.bytes_per_s.or_else(|| Some(flow.operations_per_s? * told.block_bytes? as f64))
}

fn in_words(side: &str, is_read: bool, unit: DiskUnit, jobs: &[StatedFigureExcess<'_>]) -> Option<Beyond> {
    let most = jobs.iter().max_by(|a, b| times_of_excess(a).total_cmp(&times_of_excess(b)))?;
    let is_cached = is_read && times_of_excess(most) > CACHED;
    let [found, stated] = [most.rate, most.stated].map(|per_s| format_rate(unit, per_s));
    let what = match (is_read, is_cached) {
        (true, true) => {
            format!("{:.0} times the declared {stated}: served by a cache, not by the disk", times_of_excess(most))
        }
        (true, false) => format!("above the declared {stated}: a burst or a cache"),
        (false, _) => format!("above the declared {stated}: a burst or a write cache"),
    };
    let others = if jobs.len() > 1 { format!("; further jobs above it: {}", jobs.len() - 1) } else { String::new() };
    let direction = if is_read { "reads" } else { "writes" };
    Some(Beyond {
        side: side.to_owned(),
        text: format!("{}: {direction} {found}, {what}{others}", most.job),
        is_cached,
    })
}

fn times_of_excess(above: &StatedFigureExcess<'_>) -> f64 {
    above.rate / above.stated
}

#[cfg(test)]
mod tests {
    use results::disk::StatedCaps;

    use super::*;

    fn job(name: &str, block_bytes: u64, read: Option<f64>, write: Option<f64>) -> ToldStorage {
        let flow = |operations_per_s| ToldFlow { operations_per_s, ..ToldFlow::default() };
        ToldStorage {
            target: "vm".to_owned(),
            job: name.to_owned(),
            block_bytes: Some(block_bytes),
            read: flow(read),
            write: flow(write),
            stated: Some(StatedCaps { iops: Some(500), bytes_per_s: Some(100_000_000) }),
            ..ToldStorage::default()
        }
    }

    #[test]
    fn what_is_above_what_is_stated_is_said_once_for_each_direction_with_its_likely_cause() {
        let storage = [
            job("r4k", 4096, Some(52_000.0), None),
            job("r8k", 8192, Some(30_000.0), None),
            job("w4k", 4096, None, Some(1700.0)),
            job("seq", 1 << 20, Some(90.0), Some(95.0)),
            job("sound", 4096, Some(510.0), Some(540.0)),
        ];
        let found = jobs_beyond_stated(&storage);
        let texts: Vec<(&str, bool)> = found.iter().map(|found| (found.text.as_str(), found.is_cached)).collect();
        let expected = [
            ("w4k: writes 1700 IOPS, above the declared 500 IOPS: a burst or a write cache", false),
            (
                "r4k: reads 52.0k IOPS, 104 times the declared 500 IOPS: served by a cache, not by the disk; further \
                 jobs above it: 1",
                true,
            ),
        ];
        assert_eq!(texts[..1], expected[..1]);
        assert_eq!(texts[1], expected[1]);
        assert!(texts[2].0.starts_with("r8k: reads "), "bandwidth: {texts:?}");
        assert_eq!(texts.len(), 3);
        let sound = [job("seq", 1 << 20, Some(90.0), Some(95.0)), job("sound", 4096, Some(510.0), Some(540.0))];
        assert_eq!(jobs_beyond_stated(&sound), []);
        assert_eq!(jobs_beyond_stated(&[ToldStorage { stated: None, ..storage[0].clone() }]), [], "nothing is stated");
    }
}
