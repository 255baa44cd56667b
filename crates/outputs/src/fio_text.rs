//! fio's normal output, which is made for people and which most people keep → what each group did. Pure; reads fio 2
//! and 3.
//!
//! Figures are as fio rounds them; requests are counted where it tells how many were issued. What the text does not
//! tell (whether the page cache was passed by, how often a job syncs) stays absent.

use std::collections::BTreeMap;

use plan::quantity::{self, Kilo};
use results::disk::{DeviceUse, DiskFlow, DiskGroup, DiskLatency, SyncCalls};

use crate::fio_json::{FioOutput, parse_size_bytes};

/// What stands before the number of a group in the line that begins what is told of it.
const GROUP: &str = ": (groupid=";
/// The same in the line that tells what a job is.
const JOB: &str = ": (g=";

/// Whether a text is of fio's normal output.
pub fn looks_like_output(text: &str) -> bool {
    text.lines().any(|line| line.contains(GROUP) && line.contains(", jobs="))
}

/// Reads the outputs of one execution, or of several one after the other.
///
/// # Errors
/// The first line that is not as fio prints it, from 1, and what was expected.
pub fn parse_all_executions(text: &str) -> Result<Vec<FioOutput>, (usize, &'static str)> {
    Ok(parse_executions_with_lines(text)?.into_iter().map(|(output, _)| output).collect())
}

/// The same, each with the number of its first line, from 1.
///
/// # Errors
/// As for [`parse_all_executions`].
pub fn parse_executions_with_lines(text: &str) -> Result<Vec<(FioOutput, usize)>, (usize, &'static str)> {
    let mut reader = FioTextReader::default();
    for (index, line) in text.lines().enumerate() {
        reader.line = index + 1;
        reader.read_line(line.trim()).map_err(|expected| (index + 1, expected))?;
    }
    reader.end_execution();
    Ok(reader.executions)
}

/// What a job is, as the first lines tell.
#[derive(Debug, Clone, Default)]
struct Definition {
    pattern: Option<String>,
    block_bytes: Option<u64>,
    engine: Option<String>,
    depth: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FioTextDirection {
    Read,
    Write,
}

/// Of what the percentiles are that follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Percentiles {
    Flow,
    Sync,
    /// Of a part of the latency where those of another part have been read, or of something that is not kept.
    Other,
}

#[derive(Default)]
struct FioTextReader {
    version: Option<String>,
    definitions: BTreeMap<String, Definition>,
    groups: Vec<DiskGroup>,
    devices: Vec<DeviceUse>,
    group: Option<DiskGroup>,
    direction: Option<FioTextDirection>,
    is_sync: bool,
    percentiles: Option<(Percentiles, f64)>,
    in_devices: bool,
    /// Whether what all groups did together has been told: then the next group is of another execution.
    has_ended: bool,
    /// The process of the first group.
    process: Option<String>,
    /// The number of the line that is read.
    line: usize,
    /// The first line of the execution that is read.
    first_line: Option<usize>,
    executions: Vec<(FioOutput, usize)>,
}

impl FioTextReader {
    fn read_line(&mut self, line: &str) -> Result<(), &'static str> {
        if let Some((name, rest)) = line.split_once(GROUP) {
            return self.begin_group(name, rest);
        }
        if let Some((name, rest)) = line.split_once(JOB) {
            if self.has_ended {
                self.end_execution();
            }
            self.first_line.get_or_insert(self.line);
            self.definitions.insert(name.to_owned(), parse_job_definition(rest));
        } else if line.starts_with("fio-") && !line.contains(' ') {
            self.version = Some(line.to_owned());
        } else if line.starts_with("Disk stats") {
            self.end_group();
            self.in_devices = true;
        } else if line.starts_with("Run status group") {
            self.end_group();
            self.has_ended = true;
        } else if self.in_devices {
            self.read_device_use(line);
        } else if self.group.is_some() {
            return self.of_group(line);
        }
        Ok(())
    }

    /// Keeps what was read since the last one.
    fn end_execution(&mut self) {
        self.end_group();
        self.has_ended = false;
        let groups = std::mem::take(&mut self.groups);
        let first_line = self.first_line.take().unwrap_or(self.line);
        if !groups.is_empty() {
            let output = FioOutput {
                version: self.version.clone().unwrap_or_else(|| "fio".to_owned()),
                written_at: None,
                groups,
                devices: std::mem::take(&mut self.devices),
                messages: Vec::new(),
            };
            self.executions.push((output, first_line));
        }
    }

    fn begin_group(&mut self, name: &str, rest: &str) -> Result<(), &'static str> {
        self.end_group();
        let process = value_after_name(rest, "pid=").and_then(|rest| rest.split(':').next()).map(str::to_owned);
        if self.has_ended && process.is_some() && process == self.process {
            // With --status-interval fio tells again what the same process has done, up to now.
            self.groups.clear();
            self.devices.clear();
            self.has_ended = false;
        } else if self.has_ended {
            self.end_execution();
        }
        if self.groups.is_empty() {
            self.process = process;
        }
        self.first_line.get_or_insert(self.line);
        self.in_devices = false;
        let jobs = value_after_name(rest, "jobs=").and_then(|text| text.parse().ok()).ok_or("the number of jobs")?;
        let error = rest.split_once("err=").and_then(|(_, rest)| first_number(rest)).ok_or("the error number")?;
        let told = self.definitions.get(name).cloned().unwrap_or_default();
        self.group = Some(DiskGroup {
            name: name.to_owned(),
            pattern: told.pattern,
            block_bytes: told.block_bytes,
            engine: told.engine,
            direct: None,
            depth: told.depth.unwrap_or(1),
            jobs,
            sync_every: None,
            error: error as i32,
            read: None,
            write: None,
            sync: None,
            // It does not print its options.
            paced: false,
            cpu_share: None,
        });
        Ok(())
    }

    fn of_group(&mut self, line: &str) -> Result<(), &'static str> {
        let is_fio_2 = self.version.as_deref().is_some_and(|version| version.starts_with("fio-2."));
        let (key, rest) = line.split_once(':').map_or((line, ""), |(key, rest)| (key.trim(), rest.trim()));
        match key {
            "read" | "write" => {
                let direction = if key == "read" { FioTextDirection::Read } else { FioTextDirection::Write };
                let flow = if is_fio_2 || rest.contains("runt=") { flow_of_2(rest) } else { flow_of_3(rest) };
                *self.flow_of_direction(direction) = Some(flow.ok_or("IOPS, bandwidth, size and time of a direction")?);
                (self.direction, self.is_sync, self.percentiles) = (Some(direction), false, None);
            }
            "fsync/fdatasync/sync_file_range" => (self.direction, self.is_sync) = (None, true),
            "cpu" => self.read_cpu_use(rest),
            _ if key.starts_with("issued") => self.read_issued_requests(rest),
            _ if line.starts_with('|') => self.read_percentiles(line),
            _ => self.read_latency(key, rest)?,
        }
        Ok(())
    }

    fn flow_of_direction(&mut self, direction: FioTextDirection) -> &mut Option<DiskFlow> {
        let group = self.group.as_mut().expect("a group is under way");
        match direction {
            FioTextDirection::Read => &mut group.read,
            FioTextDirection::Write => &mut group.write,
        }
    }

    /// `lat (usec): min=68, max=5869, avg=291.45, stdev=58.71`, and what begins percentiles.
    fn read_latency(&mut self, key: &str, rest: &str) -> Result<(), &'static str> {
        let Some((what, unit)) = key.split_once(" (").and_then(|(what, unit)| Some((what, unit.strip_suffix(')')?)))
        else {
            return Ok(());
        };
        let Some(ns) = quantity::ns_of(unit) else { return Ok(()) };
        if let Some(of) = what.strip_suffix(" percentiles") {
            let of = match (of, self.is_sync) {
                ("sync", true) => Percentiles::Sync,
                ("clat", false) => Percentiles::Flow,
                _ => Percentiles::Other,
            };
            self.percentiles = Some((of, ns));
            return Ok(());
        }
        // The histogram of latencies has the same key and no mean.
        if !rest.contains("avg=") || !matches!(what, "lat" | "clat" | "sync") {
            return Ok(());
        }
        let part = |name: &str| value_after_name(rest, name).and_then(parse_shortened_number).map(|figure| figure * ns);
        let mean_ns = part("avg=").ok_or("a mean latency")?;
        let max_ns = part("max=").ok_or("a maximum latency")? as u64;
        let told = DiskLatency { mean_ns, max_ns, percentiles: Vec::new() };
        match (what, self.direction) {
            ("sync", _) if self.is_sync => {
                let group = self.group.as_mut().expect("a group is under way");
                group.sync = Some(SyncCalls { operations: None, latency: Some(told) });
            }
            ("lat" | "clat", Some(direction)) => {
                // The whole comes after its parts.
                if let Some(flow) = self.flow_of_direction(direction) {
                    let percentiles = flow.latency.take().map_or_else(Vec::new, |latency| latency.percentiles);
                    flow.latency = Some(DiskLatency { percentiles, ..told });
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// `|  1.00th=[  221],  5.00th=[  249],`
    fn read_percentiles(&mut self, line: &str) {
        let Some((of, ns)) = self.percentiles else { return };
        let pairs = line.split("],").filter_map(|pair| {
            let (percent, value) = pair.trim_start_matches(['|', ' ']).split_once("th=[")?;
            let value = value.trim_matches([' ', ']', '>', '=']);
            Some((percent.trim().parse::<f64>().ok()?, (value.parse::<f64>().ok()? * ns) as u64))
        });
        let pairs: Vec<(f64, u64)> = pairs.collect();
        let direction = self.direction;
        let group = self.group.as_mut().expect("a group is under way");
        let latency = match (of, direction) {
            (Percentiles::Sync, _) => group.sync.as_mut().and_then(|sync| sync.latency.as_mut()),
            (Percentiles::Flow, Some(FioTextDirection::Read)) => {
                group.read.as_mut().and_then(|flow| flow.latency.as_mut())
            }
            (Percentiles::Flow, Some(FioTextDirection::Write)) => {
                group.write.as_mut().and_then(|flow| flow.latency.as_mut())
            }
            (Percentiles::Flow, None) | (Percentiles::Other, _) => None,
        };
        if let Some(latency) = latency {
            latency.percentiles.extend(pairs);
        }
    }

    fn read_cpu_use(&mut self, rest: &str) {
        let share = |name: &str| value_after_name(rest, name)?.strip_suffix('%')?.parse::<f64>().ok();
        let group = self.group.as_mut().expect("a group is under way");
        group.cpu_share = share("usr=").zip(share("sys=")).map(|(user, system)| (user + system) / 100.0);
    }

    /// `total=6550034,0,0, short=…`, with a fourth number for syncs since 3.13; `total=r=0/w=10616/d=0, …` of fio 2.
    fn read_issued_requests(&mut self, rest: &str) {
        let Some((_, total)) = rest.split_once("total=") else { return };
        let total = total.split(['s', ' ']).next().unwrap_or_default();
        let numbers: Vec<u64> = total
            .split([',', '/'])
            .map_while(|text| text.trim_start_matches(['r', 'w', 'd', '=']).parse::<u64>().ok())
            .collect();
        let group = self.group.as_mut().expect("a group is under way");
        for (flow, operations) in [&mut group.read, &mut group.write].into_iter().zip(&numbers) {
            if let Some(flow) = flow.as_mut().filter(|flow| flow.runtime_ms > 0 && *operations > 0) {
                let per_s = *operations as f64 * 1e3 / flow.runtime_ms as f64;
                // Beside what fio says it can only be a rounding.
                if (per_s / flow.operations_per_s - 1.0).abs() < 0.01 {
                    flow.operations_per_s = per_s;
                }
                flow.operations = *operations;
            }
        }
        if let (Some(sync), Some(operations)) = (group.sync.as_mut(), numbers.get(3)) {
            // fio prints 0 for those that a job's own writes ask for.
            sync.operations = Some(*operations).filter(|operations| *operations > 0);
        }
    }

    /// `nvme0n1: ios=6538596/8058, …, util=100.00%`
    fn read_device_use(&mut self, line: &str) {
        let Some((name, rest)) = line.split_once(": ios=") else { return };
        let utilisation = value_after_name(rest, "util=").and_then(|text| text.strip_suffix('%')?.parse::<f64>().ok());
        let utilisation = utilisation.map(|percent| percent / 100.0);
        let merged = value_after_name(rest, "merge=").and_then(count_before_slash).unwrap_or(0);
        let reads = count_before_slash(rest).map(|reads| reads + merged);
        self.devices.push(DeviceUse { name: name.to_owned(), utilisation, reads });
    }

    fn end_group(&mut self) {
        self.groups.extend(self.group.take());
        (self.direction, self.is_sync, self.percentiles) = (None, false, None);
    }
}

/// `rw=randread, bs=(R) 4096B-4096B, (W) …, ioengine=libaio, iodepth=32`, or `bs=1M-1M/1M-1M/1M-1M` of fio 2.
fn parse_job_definition(rest: &str) -> Definition {
    let text = |name: &str| value_after_name(rest, name).map(str::to_owned);
    let blocks = rest.split_once("bs=").map_or("", |(_, blocks)| blocks.split(", ioengine").next().unwrap_or(blocks));
    let sizes = blocks
        .split([',', '/', '-'])
        .map(|part| part.trim().trim_start_matches(['(', 'R', 'W', 'T', ')', ' ']).trim_end_matches('B'));
    let sizes: Vec<Option<u64>> = sizes.filter(|part| !part.is_empty()).map(parse_size_bytes).collect();
    let first = sizes.first().copied().flatten();
    Definition {
        pattern: text("rw="),
        block_bytes: first.filter(|_| sizes.iter().all(|size| *size == first)),
        engine: text("ioengine="),
        depth: value_after_name(rest, "iodepth=").and_then(|text| text.parse().ok()),
    }
}

/// `IOPS=109k, BW=426MiB/s (447MB/s)(24.0GiB/60001msec)`
fn flow_of_3(rest: &str) -> Option<DiskFlow> {
    let moved = rest.rsplit_once(")(")?.1.split_once(')')?.0;
    let (size, time) = moved.split_once('/')?;
    flow_from_rates(
        parse_shortened_number(value_after_name(rest, "IOPS=")?)?,
        parse_size_or_bandwidth(value_after_name(rest, "BW=")?.split(' ').next()?, Kilo::Is1000)?,
        parse_size_or_bandwidth(size, Kilo::Is1000)?,
        time,
    )
}

/// `io=10616MB, bw=180557KB/s, iops=176, runt= 60207msec`
fn flow_of_2(rest: &str) -> Option<DiskFlow> {
    let time = rest.split_once("runt=")?.1;
    let (bandwidth, bytes) = (
        parse_size_or_bandwidth(value_after_name(rest, "bw=")?, Kilo::Is1024)?,
        parse_size_or_bandwidth(value_after_name(rest, "io=")?, Kilo::Is1024)?,
    );
    flow_from_rates(parse_shortened_number(value_after_name(rest, "iops=")?)?, bandwidth, bytes, time)
}

fn flow_from_rates(operations_per_s: f64, bytes_per_s: f64, bytes: f64, time: &str) -> Option<DiskFlow> {
    let runtime_ms: u64 = time.trim().strip_suffix("msec")?.parse().ok()?;
    let operations = (operations_per_s * runtime_ms as f64 / 1e3).round() as u64;
    Some(DiskFlow { operations, bytes: bytes as u64, runtime_ms, operations_per_s, bytes_per_s, latency: None })
}

/// What stands behind a name, up to the next comma.
fn value_after_name<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let starts = text.match_indices(name).map(|(at, _)| at);
    // `clat=` ends with `lat=`.
    let at = starts.into_iter().find(|at| !text[..*at].ends_with(|c: char| c.is_ascii_alphanumeric()))?;
    Some(text[at + name.len()..].split([',', ')']).next().unwrap_or_default().trim())
}

/// The first of `25/286`: the count of reads.
fn count_before_slash(text: &str) -> Option<u64> {
    text.split('/').next()?.trim().parse().ok()
}

fn first_number(text: &str) -> Option<u32> {
    let text = text.trim_start();
    text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())].parse().ok()
}

/// A figure as fio shortens it: `109k` are 109 000.
fn parse_shortened_number(text: &str) -> Option<f64> {
    let digits = text.trim_end_matches(['k', 'K', 'M', 'G']);
    let factor = match &text[digits.len()..] {
        "" => 1.0,
        "k" | "K" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        _ => return None,
    };
    Some(digits.parse::<f64>().ok()? * factor)
}

/// A size, or a size per second.
fn parse_size_or_bandwidth(text: &str, kilo: Kilo) -> Option<f64> {
    let text = text.trim_end_matches("/s");
    text.parse().ok().or_else(|| quantity::parse_size_bytes(text, kilo))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fio_json;

    /// One execution of fio with `--output-format=normal,json`.
    const TEXT: &str = include_str!("../tests/fixtures/two-jobs-3.33.txt");
    const JSON: &str = include_str!("../tests/fixtures/two-jobs-3.33.json");

    /// As fio rounds: three digits of rates, four and more of latencies.
    fn assert_rounded(text: f64, json: f64, what: &str) {
        assert!((text / json - 1.0).abs() < 0.006, "{what}: {text} for {json}");
    }

    fn assert_flow(text: Option<&DiskFlow>, json: Option<&DiskFlow>, what: &str) {
        let (Some(text), Some(json)) = (text, json) else { return assert_eq!(text, json, "{what}") };
        assert_eq!((text.operations, text.runtime_ms), (json.operations, json.runtime_ms), "{what}");
        assert_rounded(text.operations_per_s, json.operations_per_s, what);
        assert_rounded(text.bytes_per_s, json.bytes_per_s, what);
        assert_rounded(text.bytes as f64, json.bytes as f64, what);
        assert_latency(text.latency.as_ref(), json.latency.as_ref(), what);
    }

    fn assert_latency(text: Option<&DiskLatency>, json: Option<&DiskLatency>, what: &str) {
        let (Some(text), Some(json)) = (text, json) else { return assert_eq!(text, json, "{what}") };
        assert_rounded(text.mean_ns, json.mean_ns, what);
        assert_rounded(text.max_ns as f64, json.max_ns as f64, what);
        assert_eq!(text.percentiles.len(), json.percentiles.len(), "{what}");
        for (text, json) in text.percentiles.iter().zip(&json.percentiles) {
            assert!((text.0 - json.0).abs() < 1e-6);
            // Whole units of the column.
            assert!((text.1 as f64 - json.1 as f64).abs() <= 1000.0, "{what}: {text:?} {json:?}");
        }
    }

    fn parse(text: &str) -> Result<FioOutput, (usize, &'static str)> {
        parse_all_executions(text).map(|mut all| all.remove(0))
    }

    #[test]
    fn the_text_of_an_execution_says_what_its_json_says() {
        let (text, json) = (parse(TEXT).expect("fio's"), fio_json::parse_single_execution(JSON).expect("fio's"));
        assert_eq!(text.version, json.version);
        assert_eq!(text.groups.len(), json.groups.len());
        for (text, json) in text.groups.iter().zip(&json.groups) {
            let what = json.name.as_str();
            assert_eq!((&text.name, &text.pattern, text.block_bytes), (&json.name, &json.pattern, json.block_bytes));
            assert_eq!((text.depth, text.jobs, text.error), (json.depth, json.jobs, json.error), "{what}");
            assert_flow(text.read.as_ref(), json.read.as_ref(), what);
            assert_flow(text.write.as_ref(), json.write.as_ref(), what);
            assert_eq!(text.sync.is_some(), json.sync.is_some(), "{what}");
            if let (Some(text), Some(json)) = (&text.sync, &json.sync) {
                assert_latency(text.latency.as_ref(), json.latency.as_ref(), what);
            }
            assert_rounded(text.cpu_share.expect("told"), json.cpu_share.expect("told"), what);
        }
        assert_eq!(text.devices.len(), json.devices.len());
    }

    #[test]
    fn what_fio_2_printed_is_read_with_its_units() {
        let text = "disk: (g=0): rw=write, bs=1M-1M/1M-1M/1M-1M, ioengine=libaio, iodepth=32\nfio-2.2.10\n\
                    disk: (groupid=0, jobs=1): err= 0: pid=1: Fri Jun 19 01:23:03 2020\n  \
                    write: io=10616MB, bw=180557KB/s, iops=176, runt= 60207msec\n    \
                    slat (usec): min=28, max=5640, avg=118.20, stdev=160.97\n    \
                    clat (msec): min=12, max=1179, avg=181.30, stdev=140.61\n     \
                    lat (msec): min=12, max=1179, avg=181.42, stdev=140.59\n    \
                    lat (msec) : 20=0.17%, 50=9.45%\n     \
                    issued    : total=r=0/w=10616/d=0, short=r=0/w=0/d=0, drop=r=0/w=0/d=0\n";
        let output = parse(text).expect("fio's");
        let [group] = &output.groups[..] else { panic!("{output:?}") };
        assert_eq!((group.pattern.as_deref(), group.block_bytes, group.depth), (Some("write"), Some(1 << 20), 32));
        let write = group.write.as_ref().expect("written");
        assert_eq!((write.operations, write.bytes, write.runtime_ms), (10_616, 10_616 << 20, 60_207));
        assert!((write.bytes_per_s - 180_557.0 * 1024.0).abs() < 1.0);
        assert!((write.latency.as_ref().expect("told").mean_ns - 181.42e6).abs() < 1.0);
    }

    #[test]
    fn a_line_that_is_cut_is_told_with_its_number() {
        let cut = TEXT.replace("msec); 0 zone resets", "");
        assert!(matches!(parse(&cut), Err((_, "IOPS, bandwidth, size and time of a direction"))), "{:?}", parse(&cut));
    }

    #[test]
    fn executions_one_after_the_other_are_told_apart_and_what_is_told_again_is_of_the_same() {
        let groups = |text: &str| {
            let all = parse_all_executions(text).expect("fio's");
            all.iter().map(|one| one.groups.len()).collect::<Vec<_>>()
        };
        let body = &TEXT[TEXT.find("wal: (groupid").expect("a group")..];
        assert_eq!(groups(TEXT), [2]);
        assert_eq!(groups(&format!("{TEXT}{TEXT}")), [2, 2]);
        assert_eq!(groups(&format!("{TEXT}{}", body.replace("pid=3", "pid=4"))), [2, 2], "without its first lines");
        assert_eq!(groups(&format!("{TEXT}{body}")), [2], "--status-interval");
    }
}
