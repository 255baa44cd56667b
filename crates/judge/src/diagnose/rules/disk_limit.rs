//! `disk-limit`: requests queue at the data directory's disk, which does no more of them,
//! or no more bytes, however many wait.

use results::probe_fields::host_disk;
use stats::centre::arithmetic_mean;

use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::accounted::moved_by_others;
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingCost, FindingKind, figure,
};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::rules::cache_misses::{is_reading, waits_for_a_read};
use crate::diagnose::seconds::{ChartedSeries, Moment};
use crate::diagnose::spent::{is_wait, waits_for_class};
use crate::diagnose::wal::waits_for_work;
use crate::off_cpu::KernelPlace;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "disk-limit",
        group: CodeGroup::Disk,
        detects: "Sessions wait for I/O while requests queue at the data directory's disk, which is at its limit of IOPS or bandwidth.",
        reported_if: "Sessions wait for I/O while requests queue at the disk and take long, for much of the time. In addition, \
                IOPS or bandwidth are nearly constant, or the disk is busy while requests queue. Or sessions wait long \
                for reads, as many sessions as a queue has requests, and the reads per second are nearly constant, \
                although the device answers at once. That is a limit before the device, as of a control group. Not \
                reported if the sides alternate in slices.",
        thresholds: &[
            RuleThreshold::at_least("waits for I/O as a share of the sessions' time", WAITING, ThresholdUnit::Share),
            RuleThreshold::at_least("requests in flight", QUEUED, ThresholdUnit::Count),
            RuleThreshold::at_least("mean time of a request", AWAIT_MS, ThresholdUnit::Milliseconds),
            RuleThreshold::at_least("seconds in which that many requests are in flight", OFTEN, ThresholdUnit::Share),
            RuleThreshold::less_than(
                "standard deviation of IOPS or bandwidth as a share of their mean",
                FLAT,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_least("disk utilization in these seconds, alternatively", BUSY, ThresholdUnit::Share),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "At the limit of a disk, each request waits for those before it. A disk class with a higher limit, or fewer reads and \
              writes per transaction, help; more clients do not.",
        evidence: "Sessions that wait for I/O, queue and latency of the disk, and IOPS and bandwidth by second.",
        fix: "Use a disk with a higher limit, or read and write less per transaction. If the server's counters account for less than half of \
              the bytes, move the other users of the disk away.",
        confirm: "Measure the disk with `pgdyno disk`: the limit shows at the same IOPS or bandwidth.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_disk_limit,
};

/// From this share of the sessions' time on, waiting for I/O is what a transaction mostly does or soon will.
pub(super) const WAITING: f64 = 0.2;

/// From this mean number of requests on, each finds another one before it.
pub(super) const QUEUED: f64 = 1.5;

/// In this share of the seconds on: a checkpoint makes requests queue for a second or two,
/// a limit that binds all the time.
const OFTEN: f64 = 0.5;

/// An SSD answers a small request in less than a millisecond, a network disk in one or two: what takes longer has
/// waited in a queue. (A rotating disk that moves its heads for each takes longer too, and is at its limit then.)
pub(super) const AWAIT_MS: f64 = 3.0;

/// A disk that idles for more of the time than this leaves, and that nobody caps, is not at its limit: its queue is of
/// what was handed to it at once.
const BUSY: f64 = 0.8;

/// Seconds differ less than this (standard deviation over mean) where something holds the disk to a figure. The
/// throttles of Linux and of cloud disks keep theirs within a percent; what is limited by the load's own
/// waits scatters by ten and more.
pub(super) const FLAT: f64 = 0.05;

/// Requests of this size on are limited by bandwidth rather than by their number, where both are flat.
const LARGE_BYTES: f64 = 64.0 * 1024.0;

fn requests_queue(second: &Moment<'_>) -> bool {
    second.rate_of_second(host_disk::QUEUE_TIME_US).is_some_and(|us| us / 1e6 >= QUEUED)
}

fn look_for_disk_limit(case: &DiagnosisCase<'_>) -> Looked {
    let waiting = case.share_of_sessions(|seen| waits_for_class(seen, "IO"))?;
    if waiting < WAITING {
        return Ok(None);
    }
    case.has_its_host_to_itself("host.disk of this side alone")?;
    let disk = DiskUsage::from_counters(case)?;
    if let Some(before) = QueueBeforeDevice::from_case(case, &disk)? {
        return Ok(Some(before.into_finding(case, &disk, waiting)));
    }
    let often = case.all_seconds().filter(requests_queue).count() as f64 / case.all_seconds().count() as f64;
    if disk.queue < QUEUED || disk.await_ms < AWAIT_MS || often < OFTEN {
        return Ok(None);
    }
    let cap = find_disk_cap(case, &disk);
    let queued = case.all_seconds().filter(requests_queue);
    let busy: Vec<f64> = queued.filter_map(|second| second.rate_of_second(host_disk::BUSY_US)).collect();
    if cap.is_none() && arithmetic_mean(&busy).is_some_and(|busy_us| busy_us / 1e6 < BUSY) {
        return Ok(None);
    }
    let windows = case.windows_where(requests_queue);
    let by_others = moved_by_others(case, disk.bytes_per_s);
    let of_kernel = case.figures_of_sleeps_beside_least(KernelPlace::is_of_server_file);
    Ok(Some(CaseFinding {
        title: title_of_limit(&disk, cap.as_ref(), by_others.is_some()),
        kind: FindingKind::Problem,
        confidence: if cap.is_some() { Confidence::High } else { Confidence::Medium },
        cost: cost_of_disk_waits(case),
        figures: disk.figures_of_disk(waiting).into_iter().chain(by_others).chain(of_kernel).collect(),
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::series_of_field(host_disk::READS, "reads"),
                ChartedSeries::series_of_field(host_disk::WRITES, "writes"),
                ChartedSeries::with_unit(host_disk::QUEUE_TIME_US, "requests in flight", "requests", 1e-6),
            ],
        ),
        windows,
        would_disprove:
            "more requests per second on the same disk when more of them are in flight, as `pgdyno disk` measures it"
                .to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            "put the data directory on a faster disk or raise its limit, run this plan, and compare: throughput rises with the limit",
        ),
        mend: None,
    }))
}

/// What the disk is at, and whether by the work of others.
fn title_of_limit(disk: &DiskUsage, cap: Option<&FlatDiskFigure>, is_by_others: bool) -> String {
    let limit = match cap {
        Some(FlatDiskFigure::Requests) => {
            format!("the data directory's disk is capped at about {:.0} requests per second", disk.iops)
        }
        Some(FlatDiskFigure::Bytes) => {
            format!("the data directory's disk is capped at about {:.0} MB/s", disk.bytes_per_s / 1e6)
        }
        None => "requests queue at the data directory's disk".to_owned(),
    };
    if is_by_others { format!("{limit}, most of which is not the server's work") } else { limit }
}

/// The waits for I/O, and where the WAL is on this disk those for who is at work on it.
fn cost_of_disk_waits(case: &DiagnosisCase<'_>) -> FindingCost {
    let has_wal = has_wal(case);
    case.cost_in(|part| {
        is_wait(part, "IO") || has_wal && matches!(part, BudgetPart::Waiting(wait) if waits_for_work(wait))
    })
}

/// Whether the WAL is known to be on the data directory's disk.
fn has_wal(case: &DiagnosisCase<'_>) -> bool {
    let disks = case.server_host().ok().and_then(|host| Some([host.data_disk.as_ref()?, host.wal_disk.as_ref()?]));
    disks.is_some_and(|[data, wal]| data.device == wal.device)
}

/// What is flat.
enum FlatDiskFigure {
    Requests,
    Bytes,
}

/// Reads that wait before they reach the device: its statistics show neither their queue nor their time. Sessions that
/// wait for a read ÷ reads per second is the time of a read, whatever the device says.
struct QueueBeforeDevice {
    /// Sessions that wait for a read, on average.
    sessions: f64,
    /// How long they do.
    wait_ms: f64,
}

impl QueueBeforeDevice {
    fn from_case(case: &DiagnosisCase<'_>, disk: &DiskUsage) -> Result<Option<Self>, MissingObservation> {
        let is_queue_of_device = disk.queue >= QUEUED && disk.await_ms >= AWAIT_MS;
        let share = case.share_of_sessions(is_reading)?;
        if is_queue_of_device || share < WAITING || disk.reads_per_s <= 0.0 {
            return Ok(None);
        }
        let sessions = share * case.clients_as_float();
        let wait_ms = sessions / disk.reads_per_s * 1e3;
        let is_flat = is_flat(case, |second| second.rate_of_second(host_disk::READS));
        let is_queue = sessions >= QUEUED && wait_ms >= AWAIT_MS && is_flat;
        Ok(is_queue.then_some(Self { sessions, wait_ms }))
    }

    fn into_finding(self, case: &DiagnosisCase<'_>, disk: &DiskUsage, waiting: f64) -> CaseFinding {
        let windows =
            case.windows_where(|second| second.share_of_sessions(is_reading).is_some_and(|share| share >= WAITING));
        let mut figures = disk.figures_of_disk(waiting);
        figures.insert(0, figure("reads per second", FigureAmount::PerS(disk.reads_per_s)));
        figures.insert(1, figure("sessions waiting for a read", FigureAmount::Count(self.sessions)));
        figures.insert(2, figure("wait for a read, by these two", FigureAmount::Ms(self.wait_ms)));
        CaseFinding {
            title: format!(
                "the data directory's disk is capped at about {:.0} reads per second, before its device",
                disk.reads_per_s
            ),
            kind: FindingKind::Problem,
            confidence: Confidence::High,
            cost: case.cost_in(waits_for_a_read),
            figures,
            chart: case.chart_of_windows(
                &windows,
                &[
                    ChartedSeries::series_of_field(host_disk::READS, "reads"),
                    ChartedSeries::series_of_sessions("sessions waiting for a read", &is_reading),
                ],
            ),
            windows: if windows.is_empty() { case.all_the_time() } else { windows },
            would_disprove: "more reads per second with twice as many clients".to_owned(),
            confirm: Confirm::repeat_unchanged(
                case,
                "raise the limit (`io.max` or `blkio.throttle` of the server's control group, or the disk class), run this plan, \
                 and compare: reads per second rise with the limit",
            ),
            mend: None,
        }
    }
}

/// What the disk did, over all trials.
struct DiskUsage {
    reads_per_s: f64,
    iops: f64,
    bytes_per_s: f64,
    /// Mean number of requests under way.
    queue: f64,
    /// Mean time of a request.
    await_ms: f64,
    busy: f64,
}

impl DiskUsage {
    fn from_counters(case: &DiagnosisCase<'_>) -> Result<Self, MissingObservation> {
        let reads_per_s = case.counter_rate_per_s(host_disk::READS)?;
        let iops = reads_per_s + case.counter_rate_per_s(host_disk::WRITES)?;
        let waited_us =
            case.counter_rate_per_s(host_disk::READ_TIME_US)? + case.counter_rate_per_s(host_disk::WRITE_TIME_US)?;
        let (read, written) = (host_disk::READ_BYTES, host_disk::WRITTEN_BYTES);
        Ok(Self {
            reads_per_s,
            iops,
            bytes_per_s: case.counter_rate_per_s(read)? + case.counter_rate_per_s(written)?,
            queue: case.counter_rate_per_s(host_disk::QUEUE_TIME_US)? / 1e6,
            await_ms: if iops > 0.0 { waited_us / iops / 1e3 } else { 0.0 },
            busy: case.counter_rate_per_s(host_disk::BUSY_US)? / 1e6,
        })
    }

    fn figures_of_disk(&self, waiting: f64) -> Vec<EvidenceFigure> {
        vec![
            figure("requests per second", FigureAmount::PerS(self.iops)),
            figure("bytes per second", FigureAmount::BytesPerS(self.bytes_per_s)),
            figure("mean time of a request", FigureAmount::Ms(self.await_ms)),
            figure("requests in flight", FigureAmount::Count(self.queue)),
            figure("disk utilization", FigureAmount::Share(self.busy.min(1.0))),
            figure("sessions waiting for I/O", FigureAmount::Share(waiting)),
        ]
    }
}

/// Which figure stays the same from second to second while requests queue.
fn find_disk_cap(case: &DiagnosisCase<'_>, disk: &DiskUsage) -> Option<FlatDiskFigure> {
    let [requests_flat, bytes_flat] =
        [(host_disk::READS, host_disk::WRITES), (host_disk::READ_BYTES, host_disk::WRITTEN_BYTES)].map(
            |(read, written)| {
                is_flat(case, |second| Some(second.rate_of_second(read)? + second.rate_of_second(written)?))
            },
        );
    let large = disk.bytes_per_s >= LARGE_BYTES * disk.iops;
    match (requests_flat, bytes_flat) {
        (true, true) if large => Some(FlatDiskFigure::Bytes),
        (true, _) => Some(FlatDiskFigure::Requests),
        (false, true) => Some(FlatDiskFigure::Bytes),
        (false, false) => None,
    }
}

/// Whether a figure is the same in every second, the first of each trial left out, in which the load fills the queue.
pub(super) fn is_flat(case: &DiagnosisCase<'_>, of: impl Fn(&Moment<'_>) -> Option<f64>) -> bool {
    let figures: Vec<f64> =
        case.all_seconds().filter(|second| second.index() > 0).filter_map(|second| of(&second)).collect();
    let n = figures.len() as f64;
    let mean = figures.iter().sum::<f64>() / n;
    let variance = figures.iter().map(|figure| (figure - mean).powi(2)).sum::<f64>() / (n - 1.0);
    figures.len() > 2 && variance.sqrt() < FLAT * mean
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    const DISK: &str = host_disk::PROBE.as_str();

    /// Eight sessions on a disk that does 500 requests of 8 kB a second.
    fn capped(cell: Measurement) -> Measurement {
        cell.sees("active", Some("IO:DataFileRead"), 400).probe(
            DISK,
            &[
                ("reads", 500.0),
                ("writes", 0.0),
                ("read_bytes", 4_096_000.0),
                ("written_bytes", 0.0),
                ("read_time_us", 7_500_000.0),
                ("write_time_us", 0.0),
                ("queue_time_us", 7_500_000.0),
                ("busy_us", 990_000.0),
            ],
        )
    }

    #[test]
    fn a_cap_on_requests_is_found_and_named() {
        let found = Built::healthy().with(capped).finds(&RULE);
        assert_eq!(found.title, "the data directory's disk is capped at about 500 requests per second");
        assert_eq!(found.confidence, Confidence::High);
        assert_eq!(found.figures[2].amount, FigureAmount::Ms(15.0));
    }

    #[test]
    fn who_waits_for_the_wal_waits_for_the_disk_that_it_is_on() {
        let disk = |device: &str| {
            json!({ "device": device, "model": null, "rotational": false, "filesystem": "xfs", "mount_options": "rw",
                    "size_bytes": 9, "free_bytes": 8 })
        };
        let share = |wal: &str| {
            let waiting = |cell: Measurement| capped(cell).sees("active", Some("LWLock:WALWrite"), 400);
            let built = Built::healthy().fact("/host/data_disk", disk("vda")).fact("/host/wal_disk", disk(wal));
            built.with(waiting).finds(&RULE).cost.attributed_share().expect("the budget tells")
        };
        assert!(share("vda") > 1.8 * share("vdb"), "{} and {}", share("vda"), share("vdb"));
    }

    #[test]
    fn a_cap_on_bytes_is_told_from_one_on_requests_by_their_size() {
        let large = |cell| capped(cell).probe(DISK, &[("read_bytes", 128.0e6)]);
        let found = Built::healthy().with(large).finds(&RULE);
        assert_eq!(found.title, "the data directory's disk is capped at about 128 MB/s");
    }

    /// Sessions on a disk whose device answers at once what a control group lets through: 40 reads a second.
    fn throttled(cell: Measurement) -> Measurement {
        let quick = [
            ("reads", 40.0),
            ("read_bytes", 327_680.0),
            ("read_time_us", 8_000.0),
            ("queue_time_us", 8_000.0),
            ("busy_us", 8_000.0),
        ];
        capped(cell).probe(DISK, &quick)
    }

    #[test]
    fn a_cap_before_the_device_is_found_by_the_sessions_that_wait_for_it() {
        let found = Built::healthy().with(throttled).finds(&RULE);
        assert_eq!(found.title, "the data directory's disk is capped at about 40 reads per second, before its device");
        let [reads, sessions, wait_ms] = [0, 1, 2].map(|at: usize| match found.figures[at].amount {
            FigureAmount::PerS(figure) | FigureAmount::Count(figure) | FigureAmount::Ms(figure) => figure,
            ref other => panic!("{other:?}"),
        });
        assert!((sessions / wait_ms * 1e3 - reads).abs() < 0.01 * reads, "{sessions} / {wait_ms} ms is {reads}/s");
    }

    #[test]
    fn sessions_that_wait_for_reads_of_an_uneven_number_are_no_cap_before_the_device() {
        let uneven = |cell: Measurement| {
            let busier = throttled(cell.clone()).probe(DISK, &[("reads", 70.0)]);
            let line = json!({ "probes": { DISK: busier.reading(DISK) } });
            (0..6).fold(throttled(cell), |cell, second| cell.second(second * 2, line.clone()))
        };
        Built::healthy().with(uneven).is_fine_for(&RULE);
    }

    /// The same disk, of which the server's counters account for so many blocks a second.
    fn with_counters(cell: Measurement, blocks_per_s: f64) -> Measurement {
        let cell = capped(cell).probe("pg.database", &[("blocks_read", blocks_per_s), ("temp_bytes", 0.0)]);
        cell.probe("pg.bgwriter", &[("buffers_alloc", blocks_per_s), ("buffers_clean", 0.0)])
    }

    #[test]
    fn a_disk_that_others_use_most_is_not_taken_for_the_server_s_work() {
        let capped = "the data directory's disk is capped at about 500 requests per second";
        assert_eq!(Built::healthy().with(|cell| with_counters(cell, 450.0)).finds(&RULE).title, capped);
        let found = Built::healthy().with(|cell| with_counters(cell, 20.0)).finds(&RULE);
        assert_eq!(found.title, format!("{capped}, most of which is not the server's work"));
        assert_eq!(found.figures.last().expect("figures").amount, FigureAmount::BytesPerS(2.0 * 20.0 * 8192.0 + 1e6));
    }

    #[test]
    fn a_disk_of_sides_that_take_turns_is_not_told_from_the_other_side_s() {
        let built = Built::healthy().with(|cell| capped(cell).takes_turns(0.5));
        let why = "the sides alternate in slices, and readings of the host cover all sides";
        assert_eq!(built.lacks(&RULE), format!("host.disk of this side alone: {why}"));
    }

    #[test]
    fn a_queue_without_a_flat_figure_is_no_cap() {
        let uneven = |cell| {
            let busier = capped(Measurement::clone(&cell)).probe(DISK, &[("reads", 900.0), ("read_bytes", 9.0e6)]);
            let line = json!({ "probes": { DISK: busier.reading(DISK) } });
            (0..6).fold(capped(cell), |cell, second| cell.second(second * 2, line.clone()))
        };
        let found = Built::healthy().with(uneven).finds(&RULE);
        assert_eq!(found.title, "requests queue at the data directory's disk");
        assert_eq!(found.confidence, Confidence::Medium);
    }

    #[test]
    fn a_queue_of_what_was_handed_over_at_once_before_a_disk_that_idles_is_no_limit() {
        let uneven = |cell: Measurement| {
            let capped = |cell| capped(cell).probe(DISK, &[("busy_us", 670_000.0)]);
            let busier = capped(cell.clone()).probe(DISK, &[("reads", 900.0), ("read_bytes", 9.0e6)]);
            let line = json!({ "probes": { DISK: busier.reading(DISK) } });
            (0..6).fold(capped(cell), |cell, second| cell.second(second * 2, line.clone()))
        };
        Built::healthy().with(uneven).is_fine_for(&RULE);
    }

    #[test]
    fn a_checkpoint_that_floods_the_disk_for_a_second_is_no_limit() {
        let flooded = |cell: Measurement| {
            let line = json!({ "probes": { DISK: capped(cell.clone()).reading(DISK) } });
            let calm = [("read_time_us", 100_000.0), ("queue_time_us", 100_000.0), ("reads", 100.0)];
            (0..5).fold(capped(cell).probe(DISK, &calm), |cell, second| cell.second(second, line.clone()))
        };
        Built::healthy().with(flooded).is_fine_for(&RULE);
    }

    #[test]
    fn a_fast_disk_is_no_limit_however_many_wait_for_it() {
        let fast = |cell| capped(cell).probe(DISK, &[("reads", 30_000.0), ("read_time_us", 7_500_000.0)]);
        Built::healthy().with(fast).is_fine_for(&RULE);
        Built::healthy().is_fine_for(&RULE);
    }

    #[test]
    fn without_the_disk_it_stays_open() {
        let built = Built::healthy().with(|cell| capped(cell).gap(DISK, "the directory is on tmpfs"));
        assert_eq!(built.lacks(&RULE), "host.disk reads: the directory is on tmpfs");
    }
}
