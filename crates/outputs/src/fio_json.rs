//! fio's JSON → what each group did. Pure; reads the output of fio 3, whole or of a job that failed.
//!
//! fio may write messages before and after the JSON, and with `--status-interval` several documents, of which the last
//! one holds the whole time. Each figure is taken as fio says it.

use std::collections::BTreeMap;
use std::ops::Range;

use jiff::Timestamp;
use plan::quantity::{self, Kilo};
use results::disk::{DeviceUse, DiskFlow, DiskGroup, DiskLatency, SyncCalls};
use serde::Deserialize;
use serde::de::IgnoredAny;

/// What one execution of fio says.
#[derive(Debug, Clone, PartialEq)]
pub struct FioOutput {
    /// `fio-3.33`.
    pub version: String,
    /// When it was written; absent when untold.
    pub written_at: Option<Timestamp>,
    /// The groups, in fio's order.
    pub groups: Vec<DiskGroup>,
    /// The devices below the files; empty when fio could not tell.
    pub devices: Vec<DeviceUse>,
    /// What fio wrote beside the JSON: its errors and warnings.
    pub messages: Vec<String>,
}

/// Why a text is not fio's JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FioJsonError {
    /// No object begins in it.
    #[error("no JSON found{}", describe_error_messages(.0))]
    NoJson(Vec<String>),
    /// The JSON ends early or is none.
    #[error("line {line}: {what}")]
    Malformed {
        /// The line of the text.
        line: usize,
        /// What is wrong there.
        what: String,
    },
    /// It is JSON, of something else.
    #[error("line {line}: the JSON is not output of fio: {what}")]
    NotFio {
        /// The line of the text at which the document begins.
        line: usize,
        /// What it lacks.
        what: String,
    },
}

fn describe_error_messages(messages: &[String]) -> String {
    if messages.is_empty() { String::new() } else { format!(", only: {}", messages.join("; ")) }
}

/// Reads the output of one execution.
///
/// # Errors
/// [`FioJsonError`], with the line.
pub fn parse_single_execution(text: &str) -> Result<FioOutput, FioJsonError> {
    let (found, messages) = split_into_documents(text)?;
    let last = found.into_iter().next_back().ok_or_else(|| FioJsonError::NoJson(messages.clone()))?;
    Ok(parse_document(text, &last)?.into_output(messages))
}

/// Reads the outputs of all executions in a text, each with the place of its JSON.
///
/// # Errors
/// [`FioJsonError`], with the line.
pub fn parse_all_executions(text: &str) -> Result<Vec<(FioOutput, Range<usize>)>, FioJsonError> {
    let (found, messages) = split_into_documents(text)?;
    let mut all: Vec<(FioJsonDocument, Range<usize>)> = Vec::new();
    for range in found {
        let next = parse_document(text, &range)?;
        match all.last_mut() {
            Some(last) if next.is_continuation_of(&last.0) => *last = (next, range),
            Some(_) | None => all.push((next, range)),
        }
    }
    // Which of several is meant by a line beside them, nobody knows: it is said once.
    let mut messages = Some(messages);
    Ok(all.into_iter().map(|(one, range)| (one.into_output(messages.take().unwrap_or_default()), range)).collect())
}

/// Where the documents of a text are.
///
/// # Errors
/// [`FioJsonError`], with the line.
pub fn places_of_documents(text: &str) -> Result<Vec<Range<usize>>, FioJsonError> {
    Ok(split_into_documents(text)?.0)
}

fn parse_document(text: &str, range: &Range<usize>) -> Result<FioJsonDocument, FioJsonError> {
    let document = &text[range.clone()];
    if let Ok(read) = serde_json::from_str(document) {
        return Ok(read);
    }
    // Some releases write a key twice, of which the last one counts.
    let value = serde_json::from_str::<serde_json::Value>(document).and_then(serde_json::from_value);
    value.map_err(|error| {
        let line = text[..range.start].matches('\n').count() + 1;
        FioJsonError::NotFio { line, what: error.to_string() }
    })
}

/// The places of documents, and the lines beside them.
type Documents = (Vec<Range<usize>>, Vec<String>);

/// The documents of a text, and the lines beside them. A document that is torn belongs to the lines
/// if others are whole.
fn split_into_documents(text: &str) -> Result<Documents, FioJsonError> {
    let (mut found, mut messages) = (Vec::new(), Vec::new());
    let mut rest = 0;
    while let Some(start) = next_object(text, rest, &mut messages) {
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => {
                rest = start + values.byte_offset();
                found.push(start..rest);
            }
            Some(Err(error)) if found.is_empty() => {
                let line = text[..start].matches('\n').count() + error.line();
                return Err(FioJsonError::Malformed { line, what: error.to_string() });
            }
            Some(Err(_)) | None => {
                messages.extend(said_lines(&text[start..]));
                break;
            }
        }
    }
    if found.is_empty() { Err(FioJsonError::NoJson(messages)) } else { Ok((found, messages)) }
}

/// Where the next object begins; lines before it are messages.
fn next_object(text: &str, from: usize, messages: &mut Vec<String>) -> Option<usize> {
    let mut start = from;
    for line in text[from..].split_inclusive('\n') {
        // Copied from a terminal it may stand behind a sign of it, and in a list behind that of the list.
        let sign = line.len() - line.trim_start_matches(['>', '$', '#', ' ', '\t', '\u{feff}', '[', ',']).len();
        if line[sign..].starts_with('{') {
            return Some(start + sign);
        }
        messages.extend(said_lines(line));
        start += line.len();
    }
    None
}

fn said_lines(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(str::trim).filter(|line| !is_only_of_list(line)).map(str::to_owned)
}

/// Whether a line has nothing but signs of a list of documents.
fn is_only_of_list(line: &str) -> bool {
    line.chars().all(|c| matches!(c, '[' | ']' | ','))
}

/// Some releases write the time in whole seconds.
const SECOND_MS: f64 = 1000.0;

#[derive(Deserialize)]
struct FioJsonDocument {
    #[serde(rename = "fio version")]
    version: String,
    timestamp_ms: Option<i64>,
    timestamp: Option<i64>,
    #[serde(default, rename = "global options")]
    global: BTreeMap<String, String>,
    jobs: Vec<FioJsonJob>,
    #[serde(default)]
    disk_util: Vec<FioJsonDevice>,
}

#[derive(Deserialize)]
struct FioJsonJob {
    jobname: String,
    #[serde(default)]
    groupid: i64,
    #[serde(default)]
    error: i32,
    #[serde(default, rename = "job options")]
    options: BTreeMap<String, String>,
    read: Option<FioJsonDirection>,
    write: Option<FioJsonDirection>,
    sync: Option<Sync>,
    usr_cpu: Option<f64>,
    sys_cpu: Option<f64>,
}

#[derive(Deserialize)]
struct FioJsonDirection {
    io_bytes: u64,
    /// In bytes per second; older outputs have only `bw`, in KiB per second.
    bw_bytes: Option<f64>,
    bw: Option<f64>,
    iops: f64,
    runtime: u64,
    total_ios: u64,
    clat_ns: Option<FioJsonLatency>,
    lat_ns: Option<FioJsonLatency>,
}

#[derive(Deserialize)]
struct Sync {
    total_ios: Option<u64>,
    lat_ns: Option<FioJsonLatency>,
}

#[derive(Deserialize)]
struct FioJsonLatency {
    max: u64,
    mean: f64,
    #[serde(rename = "N")]
    n: Option<u64>,
    #[serde(default)]
    percentile: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
struct FioJsonDevice {
    name: String,
    util: Option<f64>,
    read_ios: Option<u64>,
    #[serde(default)]
    read_merges: u64,
}

impl FioJsonDocument {
    /// Whether it tells more of the execution that another one was written of: with `--status-interval` fio writes
    /// what it has done so far. Then not more time has passed between them than what was added to the run, while
    /// another execution takes its whole time after the other was written.
    fn is_continuation_of(&self, before: &Self) -> bool {
        let [ran, ran_before] = [self.ran_ms(), before.ran_ms()];
        let added = ran - ran_before;
        self.jobs.iter().map(|job| &job.jobname).eq(before.jobs.iter().map(|job| &job.jobname))
            && match self.written_ms().zip(before.written_ms()) {
                Some((now, then)) => {
                    let passed = (now - then) as f64;
                    let is_copy = passed == 0.0 && added == 0.0;
                    !is_copy && passed <= ran - ran_before / 2.0 && added >= passed / 2.0 - SECOND_MS
                }
                None => added > 0.0,
            }
    }

    fn written_ms(&self) -> Option<i64> {
        self.timestamp_ms.or(self.timestamp.map(|seconds| seconds.saturating_mul(1000)))
    }

    /// How long its groups ran, one after the other, in milliseconds.
    fn ran_ms(&self) -> f64 {
        let mut groups: BTreeMap<i64, u64> = BTreeMap::new();
        for job in &self.jobs {
            let longest = job.read.iter().chain(&job.write).map(|direction| direction.runtime).max().unwrap_or(0);
            let group = groups.entry(job.groupid).or_default();
            *group = longest.max(*group);
        }
        groups.values().sum::<u64>() as f64
    }

    fn into_output(self, messages: Vec<String>) -> FioOutput {
        let written = self.written_ms();
        // Without group_reporting, every one of a job's clones has an entry of its own.
        let mut clones: BTreeMap<(&str, i64), u32> = BTreeMap::new();
        for job in &self.jobs {
            *clones.entry((&job.jobname, job.groupid)).or_default() += 1;
        }
        let mut groups = Vec::with_capacity(self.jobs.len());
        for job in &self.jobs {
            groups.push(job.disk_group(&self.global, clones[&(job.jobname.as_str(), job.groupid)] == 1));
        }
        FioOutput {
            version: self.version,
            written_at: written.and_then(|ms| Timestamp::from_millisecond(ms).ok()),
            groups,
            devices: self
                .disk_util
                .iter()
                .map(|device| DeviceUse {
                    name: device.name.clone(),
                    utilisation: device.util.map(|percent| percent / 100.0),
                    reads: device.read_ios.map(|reads| reads + device.read_merges),
                })
                .collect(),
            messages,
        }
    }
}

/// Options by which a job waits on purpose.
const PACING: [&str; 6] = ["rate", "rate_iops", "rate_process", "thinktime", "thinkcycles", "flow"];

impl FioJsonJob {
    fn disk_group(&self, global: &BTreeMap<String, String>, alone: bool) -> DiskGroup {
        let option = |names: &[&str]| {
            names.iter().find_map(|name| self.options.get(*name).or_else(|| global.get(*name))).map(String::as_str)
        };
        let flag = |names: &[&str]| option(names).map(|text| !matches!(text, "0" | "false"));
        let count = |names: &[&str]| option(names).and_then(|text| text.parse::<u32>().ok());
        let buffered = flag(&["buffered"]).map(|buffered| !buffered);
        DiskGroup {
            name: self.jobname.clone(),
            pattern: option(&["rw", "readwrite"]).map(str::to_owned),
            block_bytes: option(&["bs", "blocksize"]).map_or(Some(4096), parse_size_bytes),
            engine: option(&["ioengine"]).map(str::to_owned),
            // fio goes through the page cache unless it is told not to.
            direct: flag(&["direct"]).or(buffered).or(Some(false)).filter(|_| !self.options.is_empty()),
            depth: count(&["iodepth"]).unwrap_or(1),
            jobs: if alone { count(&["numjobs"]).unwrap_or(1) } else { 1 },
            sync_every: count(&["fdatasync"]).or_else(|| count(&["fsync"])).filter(|every| *every > 0),
            paced: PACING.iter().any(|name| option(&[name]).is_some_and(|text| text.trim() != "0")),
            error: self.error,
            read: self.read.as_ref().and_then(FioJsonDirection::flow_of_direction),
            write: self.write.as_ref().and_then(FioJsonDirection::flow_of_direction),
            sync: self.sync.as_ref().and_then(Sync::sync_calls),
            cpu_share: self.usr_cpu.zip(self.sys_cpu).map(|(user, system)| (user + system) / 100.0),
        }
    }
}

impl FioJsonDirection {
    fn flow_of_direction(&self) -> Option<DiskFlow> {
        let latency = || {
            let whole = self.lat_ns.as_ref().or(self.clat_ns.as_ref()).filter(|latency| latency.n != Some(0))?;
            let percentiles =
                [&self.clat_ns, &self.lat_ns].into_iter().flatten().map(FioJsonLatency::latency_percentiles);
            Some(DiskLatency {
                mean_ns: whole.mean,
                max_ns: whole.max,
                percentiles: percentiles.into_iter().find(|found| !found.is_empty()).unwrap_or_else(Vec::new),
            })
        };
        (self.total_ios > 0).then(|| DiskFlow {
            operations: self.total_ios,
            bytes: self.io_bytes,
            runtime_ms: self.runtime,
            operations_per_s: self.iops,
            bytes_per_s: self
                .bw_bytes
                .or(self.bw.map(|kib| kib * 1024.0))
                .unwrap_or(self.io_bytes as f64 * 1000.0 / self.runtime.max(1) as f64),
            latency: latency(),
        })
    }
}

impl Sync {
    /// fio counts them in `N` of their latencies; `total_ios` stays 0 for those that a job's own writes ask for.
    fn sync_calls(&self) -> Option<SyncCalls> {
        let latency = self.lat_ns.as_ref();
        let counted = latency.and_then(|latency| latency.n).filter(|n| *n > 0).or(self.total_ios.filter(|n| *n > 0))?;
        let latency = latency.filter(|latency| latency.n != Some(0));
        let latency =
            latency.map(|l| DiskLatency { mean_ns: l.mean, max_ns: l.max, percentiles: l.latency_percentiles() });
        Some(SyncCalls { operations: Some(counted), latency })
    }
}

impl FioJsonLatency {
    fn latency_percentiles(&self) -> Vec<(f64, u64)> {
        let mut found: Vec<(f64, u64)> =
            self.percentile.iter().filter_map(|(percent, ns)| Some((percent.parse().ok()?, *ns))).collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found
    }
}

/// A size as fio writes it (`8k`, `1m`, `4096`); none for a range or one for each direction.
pub(super) fn parse_size_bytes(text: &str) -> Option<u64> {
    text.trim().parse().ok().or_else(|| quantity::parse_size_bytes(text, Kilo::Is1024).map(|bytes| bytes as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAL: &str = include_str!("../tests/fixtures/wal-3.33.json");

    #[test]
    fn a_commit_s_figures_are_those_that_fio_says() {
        let output = parse_single_execution(WAL).unwrap();
        assert_eq!(output.version, "fio-3.33");
        let [group] = &output.groups[..] else { panic!("{output:?}") };
        assert_eq!((group.depth, group.jobs, group.sync_every), (1, 2, Some(1)));
        assert_eq!(
            (group.pattern.as_deref(), group.block_bytes, group.direct),
            (Some("write"), Some(8192), Some(true))
        );
        assert_eq!(group.read, None, "nothing was read");
        let write = group.write.as_ref().unwrap();
        assert_eq!((write.operations, write.bytes, write.runtime_ms), (19_959, 163_504_128, 2001));
        // Every figure is a line of the original.
        for figure in
            [format!("{:.6}", write.operations_per_s), format!("{:.6}", write.latency.as_ref().unwrap().mean_ns)]
        {
            assert!(WAL.contains(&figure), "{figure}");
        }
        let sync = group.sync.as_ref().unwrap();
        assert_eq!((sync.operations, sync.latency.as_ref().unwrap().percentiles[0]), (Some(19_958), (50.0, 177_152)));
        assert_eq!(output.devices, [DeviceUse { name: "vda".into(), utilisation: Some(0.661_985_96), reads: Some(0) }]);
    }

    #[test]
    fn messages_around_the_json_are_kept_and_the_last_document_counts() {
        let early = WAL.replace("\"total_ios\" : 19959", "\"total_ios\" : 7");
        let text = format!("fio: a warning\n{early}\n{WAL}\nfio: pid=1, err=28/file:io_u.c\n");
        let output = parse_single_execution(&text).unwrap();
        assert_eq!(output.messages, ["fio: a warning", "fio: pid=1, err=28/file:io_u.c"]);
        assert_eq!(output.groups[0].write.as_ref().unwrap().operations, 19_959);
    }

    #[test]
    fn documents_of_a_list_are_executions() {
        let later = WAL.replace("\"timestamp_ms\" : ", "\"timestamp_ms\" : 9");
        let all = parse_all_executions(&format!("[{WAL},\n{later}]\n")).unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].0.messages, Vec::<String>::new());
    }

    #[test]
    fn clones_that_are_reported_one_by_one_are_one_job_each() {
        let mut value: serde_json::Value = serde_json::from_str(WAL).unwrap();
        let job = value["jobs"][0].clone();
        value["jobs"].as_array_mut().unwrap().push(job);
        let output = parse_single_execution(&value.to_string()).unwrap();
        assert_eq!(output.groups.iter().map(|group| group.jobs).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn what_is_not_fio_s_is_refused_with_its_line() {
        let check =
            |text: &str, expected: &str| assert_eq!(parse_single_execution(text).unwrap_err().to_string(), expected);
        check("", "no JSON found");
        check("fio: no such job\n", "no JSON found, only: fio: no such job");
        check("x\n{\"jobs\": []}", "line 2: the JSON is not output of fio: missing field `fio version`");
        let torn = &WAL[..WAL.len() / 2];
        assert!(
            parse_single_execution(torn).unwrap_err().to_string().starts_with("line "),
            "{:?}",
            parse_single_execution(torn)
        );
    }

    #[test]
    fn a_size_is_read_as_fio_writes_it() {
        for (text, expected) in [("8k", Some(8192)), ("1M", Some(1 << 20)), ("512", Some(512)), ("4KiB", Some(4096))] {
            assert_eq!(parse_size_bytes(text), expected, "{text}");
        }
        for text in ["4k-64k", "8k,16k", "", "x"] {
            assert_eq!(parse_size_bytes(text), None, "{text}");
        }
    }
}
