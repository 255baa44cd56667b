//! fio's logs (`*_iops.log`, `*_bw.log`, `*_lat.log`) → a series. Reads them as streams, in memory that grows with the
//! length of the measurement and not with the number of requests.
//!
//! A log of averages (`log_avg_msec`) has a line for every job and span: `ms, value, direction, 0, offset`. A log
//! without has a line for every request, which carries its size:
//! then the log of latencies alone tells rates and bandwidths.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use results::disk::{DiskSecond, FlowRate};

/// What the values of a log are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FioLogKind {
    /// Requests per second.
    Iops,
    /// KiB per second.
    Bandwidth,
    /// Nanoseconds; of fio before 3, microseconds, which are not read.
    Latency,
}

/// What the name of a log says, as fio makes it: `RUN_KIND.log`, or `RUN_KIND.JOB.log` where each job has its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogName<'a> {
    /// What the names of a run's logs begin with.
    pub run: &'a str,
    /// What its values are.
    pub kind: FioLogKind,
    /// Whether its latencies are of `clat`, a part of those of `lat`:
    /// together they would count the same requests twice.
    pub is_part: bool,
    /// The number of its job, from 1; absent where all jobs share a log.
    pub job: Option<u32>,
}

impl<'a> LogName<'a> {
    /// Reads the name of a file; none when it is no log of a series.
    pub fn parse(name: &'a str) -> Option<Self> {
        let stem = name.strip_suffix(".log")?;
        let numbered = stem.rsplit_once('.').and_then(|(stem, job)| Some((stem, Some(job.parse().ok()?))));
        let (stem, job) = numbered.unwrap_or((stem, None));
        let (run, kind) = stem.rsplit_once('_')?;
        let (kind, is_part) = match kind {
            "iops" => (FioLogKind::Iops, false),
            "bw" => (FioLogKind::Bandwidth, false),
            "lat" => (FioLogKind::Latency, false),
            "clat" => (FioLogKind::Latency, true),
            _ => return None,
        };
        Some(Self { run, kind, is_part, job })
    }
}

/// Why a log could not be read.
#[derive(Debug, thiserror::Error)]
pub enum FioLogError {
    /// The system's.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line that is no entry.
    #[error("line {line}: {text:?} is not `ms, value, direction, size, offset`")]
    Malformed {
        /// Its number, from 1.
        line: u64,
        /// Its beginning.
        text: String,
    },
}

/// The length of a span when every request has a line of its own.
const REQUESTS_SPAN_MS: u64 = 1000;

/// From so many spans between two entries of a clone on, no request ended between them; less is fio's clock.
const PAUSE: f64 = 1.75;

/// More spans than these between two entries are a clock that was set, not a pause: a day of seconds.
const IDLE_AT_MOST: f64 = 86_400.0;

/// Sums of one direction in one span.
#[derive(Debug, Clone, Copy, Default)]
struct SpanSums {
    /// Entries and their sum, by [`FioLogKind`].
    entries: [(u64, f64); 3],
    /// Of single requests: how many, and their bytes.
    requests: u64,
    bytes: u64,
}

/// Averages by kind and direction. A log has the clones of a job one after the other: where the instants begin anew,
/// the next one begins.
type Averages = BTreeMap<(FioLogKind, usize), Vec<Vec<(u64, f64)>>>;

/// A series being read from one log or several.
#[derive(Debug)]
pub struct SeriesReader {
    /// The length of a span of averages, where it is known.
    span_ms: Option<u64>,
    /// Averages by kind and direction, for each clone of a job: instant and value.
    averages: Averages,
    /// Single requests by span.
    requests: BTreeMap<u64, [SpanSums; 2]>,
}

impl SeriesReader {
    /// A reader of logs whose averages are over spans of this length; absent: it is told from the entries.
    pub fn new(span_ms: Option<u64>) -> Self {
        Self { span_ms, averages: BTreeMap::new(), requests: BTreeMap::new() }
    }

    /// Reads one log; a torn last line is left out.
    ///
    /// # Errors
    /// [`FioLogError`], with the line.
    pub fn read_log(&mut self, kind: FioLogKind, mut log: impl BufRead) -> Result<(), FioLogError> {
        let mut line = Vec::new();
        let mut number = 0;
        loop {
            line.clear();
            if log.read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            number += 1;
            let whole = line.last() == Some(&b'\n');
            match parse_entry(&line) {
                Some(entry) => self.add_entry(kind, entry),
                None if line.iter().all(u8::is_ascii_whitespace) || !whole => {}
                None => {
                    let text = String::from_utf8_lossy(&line[..line.len().min(60)]).trim_end().to_owned();
                    return Err(FioLogError::Malformed { line: number, text });
                }
            }
        }
    }

    fn add_entry(&mut self, kind: FioLogKind, entry: FioLogEntry) {
        // Directions after reads and writes are trims and syncs, which no job here has.
        let direction = entry.direction as usize;
        if direction > 1 {
            return;
        }
        if entry.bytes == 0 {
            let clones = self.averages.entry((kind, direction)).or_default();
            let before = clones.last().and_then(|clone| clone.last());
            if before.is_none_or(|(before_ms, _)| *before_ms >= entry.ms) {
                clones.push(Vec::new());
            }
            let clone = clones.last_mut().expect("there is one now");
            clone.push((entry.ms, entry.value as f64));
        } else if kind == FioLogKind::Latency {
            let sums = &mut self.requests.entry(entry.ms / REQUESTS_SPAN_MS).or_default()[direction];
            sums.requests += 1;
            sums.bytes += entry.bytes;
            sums.entries[FioLogKind::Latency as usize].0 += 1;
            sums.entries[FioLogKind::Latency as usize].1 += entry.value as f64;
        }
    }

    /// The series, in order.
    #[must_use]
    pub fn finish(self) -> Vec<DiskSecond> {
        if self.averages.is_empty() {
            return of_requests(&self.requests);
        }
        let span_ms = self.span_ms.unwrap_or_else(|| told_span(&self.averages)).max(1);
        of_averages(&self.averages, span_ms)
    }
}

/// One line of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FioLogEntry {
    ms: u64,
    value: u64,
    direction: u64,
    bytes: u64,
}

fn parse_entry(line: &[u8]) -> Option<FioLogEntry> {
    let mut rest = line;
    let mut field = || {
        let spaces = rest.iter().take_while(|b| **b == b' ').count();
        let digits = rest[spaces..].iter().take_while(|b| b.is_ascii_digit()).count();
        let value = parse_digits(&rest[spaces..spaces + digits])?;
        let after = &rest[spaces + digits..];
        rest = after.strip_prefix(b",").unwrap_or(after);
        Some(value)
    };
    Some(FioLogEntry { ms: field()?, value: field()?, direction: field()?, bytes: field()? })
}

/// Digits alone, at least one, that fit.
fn parse_digits(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 19 {
        return None;
    }
    digits.iter().try_fold(0_u64, |sum, digit| sum.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
}

/// The commonest step from one entry of a clone to the next, to 50 ms from there on.
fn told_span(averages: &Averages) -> u64 {
    let mut steps: BTreeMap<u64, usize> = BTreeMap::new();
    for clone in averages.values().flatten() {
        for pair in clone.windows(2) {
            let step = pair[1].0 - pair[0].0;
            let step = if step < 50 { step } else { (step + 25) / 50 * 50 };
            *steps.entry(step).or_default() += 1;
        }
    }
    steps.into_iter().max_by_key(|(_, count)| *count).map_or(REQUESTS_SPAN_MS, |(step, _)| step)
}

/// The clones of a job are summed; a span in which one of them is missing, as the last one often is, is left out. Two
/// entries of one clone that fall into the same span, since fio's clock is not exact, are two estimates of one rate.
/// fio writes nothing of a span in which no request ended, and the rate after it is of the next span alone:
/// the rates between are zeros.
fn of_averages(averages: &Averages, span_ms: u64) -> Vec<DiskSecond> {
    let mut spans: BTreeMap<u64, [SpanSums; 2]> = BTreeMap::new();
    for ((kind, direction), clones) in averages {
        for clone in clones {
            for (span, (count, sum)) in spans_of(clone, *kind, span_ms) {
                let (clones, total) = &mut spans.entry(span).or_default()[*direction].entries[*kind as usize];
                *clones += 1;
                *total += sum / count as f64;
            }
        }
    }
    // The span counts by its rates; latencies are logged when the span's end has passed already. An entry of one log
    // that slipped into the neighbouring span leaves a span of half a direction,
    // which is left out like one that lacks a clone.
    let present = |sums: &SpanSums, direction: usize| {
        let mut counts = [FioLogKind::Iops, FioLogKind::Bandwidth].into_iter().filter_map(|kind| {
            let all = averages.get(&(kind, direction))?.len() as u64;
            Some((sums.entries[kind as usize].0, all))
        });
        let Some((here, all)) = counts.next() else { return Present::Unlogged };
        match here {
            0 if counts.all(|(here, _)| here == 0) => Present::Nothing,
            _ if here == all && counts.all(|(here, all)| here == all) => Present::Whole,
            _ => Present::Part,
        }
    };
    let mut previous = 0;
    let mut series = Vec::new();
    for (number, sums) in spans.iter().filter(|(number, _)| **number > 0) {
        let of = [present(&sums[0], 0), present(&sums[1], 1)];
        let whole = of.contains(&Present::Whole) || of == [Present::Unlogged; 2];
        if of.contains(&Present::Part) || !whole {
            continue;
        }
        // Where no request of a direction ended, its latency is one that was logged late.
        let [read, write] = [0, 1].map(|at| averaged_rate(&sums[at]).filter(|_| of[at] != Present::Nothing));
        let second = DiskSecond { end_ms: number * span_ms, duration_ms: (number - previous) * span_ms, read, write };
        previous = *number;
        series.push(second);
    }
    series
}

/// How many entries of one clone fall into each span, and their sum.
fn spans_of(clone: &[(u64, f64)], kind: FioLogKind, span_ms: u64) -> BTreeMap<u64, (u64, f64)> {
    let number = |ms: u64| (ms + span_ms / 2) / span_ms;
    let mut spans: BTreeMap<u64, (u64, f64)> = BTreeMap::new();
    for (ms, value) in clone {
        let (count, sum) = spans.entry(number(*ms)).or_default();
        *count += 1;
        *sum += value;
    }
    if kind != FioLogKind::Latency {
        for pair in clone.windows(2) {
            let [before, after] = [pair[0].0, pair[1].0];
            let passed = (after - before) as f64 / span_ms as f64;
            if (PAUSE..IDLE_AT_MOST).contains(&passed) {
                spans.extend((number(before) + 1..number(after)).map(|idle| (idle, (1, 0.0))));
            }
        }
    }
    spans
}

/// What the logs of rates have of one direction in one span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Present {
    Whole,
    Part,
    Nothing,
    Unlogged,
}

fn averaged_rate(sums: &SpanSums) -> Option<FlowRate> {
    let [iops, bandwidth, latency] = sums.entries;
    let rate = FlowRate {
        operations_per_s: known_sum(iops).map(|(_, sum)| sum),
        bytes_per_s: known_sum(bandwidth).map(|(_, kib)| kib * 1024.0),
        latency_ns_mean: known_sum(latency).map(|(count, sum)| sum / count as f64),
    };
    (rate != FlowRate::default()).then_some(rate)
}

fn known_sum((count, sum): (u64, f64)) -> Option<(u64, f64)> {
    (count > 0).then_some((count, sum))
}

fn of_requests(spans: &BTreeMap<u64, [SpanSums; 2]>) -> Vec<DiskSecond> {
    // The last span ends where the measurement does, which no line says.
    let mut series: Vec<DiskSecond> = spans
        .iter()
        .map(|(number, [read, write])| DiskSecond {
            end_ms: (number + 1) * REQUESTS_SPAN_MS,
            duration_ms: REQUESTS_SPAN_MS,
            read: rate_of_span(*read),
            write: rate_of_span(*write),
        })
        .collect();
    series.pop();
    series
}

fn rate_of_span(sums: SpanSums) -> Option<FlowRate> {
    let seconds = REQUESTS_SPAN_MS as f64 / 1e3;
    (sums.requests > 0).then(|| FlowRate {
        operations_per_s: Some(sums.requests as f64 / seconds),
        bytes_per_s: Some(sums.bytes as f64 / seconds),
        latency_ns_mean: Some(sums.entries[FioLogKind::Latency as usize].1 / sums.requests as f64),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(span_ms: Option<u64>, logs: &[(FioLogKind, &str)]) -> Vec<DiskSecond> {
        let mut reader = SeriesReader::new(span_ms);
        for (kind, log) in logs {
            reader.read_log(*kind, log.as_bytes()).unwrap();
        }
        reader.finish()
    }

    #[test]
    fn a_log_is_known_by_its_name() {
        let log = |run, kind, is_part, job| Some(LogName { run, kind, is_part, job });
        for (name, expected) in [
            ("series_iops.log", log("series", FioLogKind::Iops, false, None)),
            ("my_job_bw.3.log", log("my_job", FioLogKind::Bandwidth, false, Some(3))),
            ("x.5_lat.1.log", log("x.5", FioLogKind::Latency, false, Some(1))),
            ("x_clat.1.log", log("x", FioLogKind::Latency, true, Some(1))),
            ("x_slat.log", None),
            ("x_iops.one.log", None),
            ("iops.txt", None),
        ] {
            assert_eq!(LogName::parse(name), expected, "{name}");
        }
    }

    #[test]
    fn the_clones_of_a_job_are_summed_and_a_span_that_lacks_one_is_left_out() {
        let iops =
            "500, 3960, 1, 0, 0\n1001, 5394, 1, 0, 0\n1500, 5777, 1, 0, 0\n500, 3958, 1, 0, 0\n1000, 5370, 1, 0, 0\n";
        let bandwidth = "500, 100, 1, 0, 0\n1001, 200, 1, 0, 0\n500, 100, 1, 0, 0\n1000, 200, 1, 0, 0\n";
        let latency = "500, 90, 1, 0, 0\n1000, 80, 1, 0, 0\n500, 110, 1, 0, 0\n1000, 120, 1, 0, 0\n";
        let logs = [(FioLogKind::Iops, iops), (FioLogKind::Bandwidth, bandwidth), (FioLogKind::Latency, latency)];
        let found = series(None, &logs);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!((found[1].end_ms, found[1].duration_ms, found[1].read), (1000, 500, None));
        let write = found[1].write.unwrap();
        assert_eq!(write.operations_per_s, Some(10_764.0));
        assert_eq!((write.bytes_per_s, write.latency_ns_mean), (Some(400.0 * 1024.0), Some(100.0)));
    }

    #[test]
    fn two_entries_of_one_job_that_fall_into_the_same_span_are_not_summed() {
        let log = "100, 600, 0, 0\n151, 640, 0, 0\n249, 660, 0, 0\n300, 600, 0, 0\n";
        let found = series(Some(100), &[(FioLogKind::Iops, log)]);
        let rates: Vec<_> = found.iter().map(|second| (second.end_ms, second.read.unwrap().operations_per_s)).collect();
        assert_eq!(rates, [(100, Some(600.0)), (200, Some(650.0)), (300, Some(600.0))]);
    }

    #[test]
    fn a_span_into_which_only_one_of_two_logs_has_an_entry_is_left_out() {
        let iops = "100, 600, 0, 0\n200, 640, 0, 0\n349, 660, 0, 0\n400, 600, 0, 0\n";
        let bandwidth = "100, 60, 0, 0\n200, 64, 0, 0\n351, 66, 0, 0\n450, 60, 0, 0\n";
        let found = series(Some(100), &[(FioLogKind::Iops, iops), (FioLogKind::Bandwidth, bandwidth)]);
        let ends: Vec<_> = found.iter().map(|second| (second.end_ms, second.duration_ms)).collect();
        assert_eq!(ends, [(100, 100), (200, 100), (400, 200)]);
        assert!(found.iter().all(|second| second.read.unwrap().operations_per_s.is_some()), "{found:?}");
    }

    #[test]
    fn a_direction_of_which_nothing_but_a_late_latency_is_in_a_span_did_nothing_in_it() {
        let rates = "100, 60, 0, 0\n100, 60, 1, 0\n200, 64, 0, 0\n300, 66, 0, 0\n";
        let latency = "100, 9, 0, 0\n101, 9, 1, 0\n200, 9, 0, 0\n201, 9, 1, 0\n";
        let logs = [(FioLogKind::Iops, rates), (FioLogKind::Bandwidth, rates), (FioLogKind::Latency, latency)];
        let found = series(Some(100), &logs);
        assert_eq!(found.iter().map(|second| second.end_ms).collect::<Vec<_>>(), [100, 200, 300]);
        assert_eq!((found[1].write, found[1].read.unwrap().operations_per_s), (None, Some(64.0)));
    }

    #[test]
    fn spans_in_which_no_request_ended_are_zeros_and_a_late_entry_is_none() {
        // As fio 3.33 wrote it of one request every 350 ms.
        let log = "137, 7, 0, 0, 0\n438, 10, 0, 0, 0\n738, 10, 0, 0, 0\n1137, 10, 0, 0, 0\n1438, 10, 0, 0, 0\n1838, 10, 0, 0, 0\n";
        let rates = |log: &str| -> Vec<f64> {
            let found = series(Some(100), &[(FioLogKind::Iops, log)]);
            found.iter().map(|second| second.read.unwrap().operations_per_s.unwrap()).collect()
        };
        let found = rates(log);
        assert_eq!(found.len(), 18);
        assert!((found[1..].iter().sum::<f64>() / 17.0 - 1000.0 / 350.0).abs() < 0.2, "{found:?}");
        assert_eq!(rates("100, 50, 0, 0\n249, 50, 0, 0\n360, 50, 0, 0\n"), [50.0, 50.0, 50.0]);
    }

    #[test]
    fn averages_over_a_few_milliseconds_are_told_from_their_steps() {
        let log = "10, 700, 0, 0, 0\n20, 700, 0, 0, 0\n31, 700, 0, 0, 0\n40, 700, 0, 0, 0\n50, 700, 0, 0, 0\n";
        let found = series(None, &[(FioLogKind::Iops, log)]);
        assert_eq!(found.iter().map(|second| second.end_ms).collect::<Vec<_>>(), [10, 20, 30, 40, 50]);
        assert!(found.iter().all(|second| second.read.unwrap().operations_per_s == Some(700.0)), "{found:?}");
    }

    #[test]
    fn a_log_of_every_request_is_counted_by_the_second() {
        let log = "0, 100, 0, 8192, 0, 0\n10, 300, 0, 8192, 0, 0\n20, 50, 1, 4096, 0, 0\n1200, 10, 0, 8192, 0, 0\n";
        let found = series(None, &[(FioLogKind::Latency, log)]);
        let [second] = found[..] else { panic!("{found:?}") };
        let read = second.read.unwrap();
        assert_eq!(
            (read.operations_per_s, read.bytes_per_s, read.latency_ns_mean),
            (Some(2.0), Some(16_384.0), Some(200.0))
        );
        assert_eq!(second.write.unwrap().operations_per_s, Some(1.0));
    }

    #[test]
    fn a_line_that_is_no_entry_is_named_and_a_torn_last_one_is_left_out() {
        let mut reader = SeriesReader::new(None);
        let error = reader.read_log(FioLogKind::Iops, &b"1, 2, 0, 0\nnonsense\n"[..]).unwrap_err();
        assert_eq!(error.to_string(), "line 2: \"nonsense\" is not `ms, value, direction, size, offset`");
        reader.read_log(FioLogKind::Iops, &b"1000, 2, 0, 0, 0\r\n2000, 3"[..]).unwrap();
        assert!(reader.read_log(FioLogKind::Iops, &b"99999999999999999999, 2, 0, 0\n"[..]).is_err());
        assert!(reader.read_log(FioLogKind::Iops, &b"1000, -2, 0, 0\n"[..]).is_err());
    }
}
