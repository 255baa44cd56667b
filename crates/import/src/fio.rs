//! fio's JSON, text and logs as stages of disks: the parsers are those of the stages that pgdyno runs itself.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use results::disk::{self, DiskGroup, DiskSecond, DiskStage, StageOutcome};

use super::file_kind::OutputsOfKind;
use super::fio_sides;
use super::found::{FileContent, FioLogFile, ImportedDocument, PlacedFioOutput};
use super::source_file::SourceFile;
use outputs::fio_json::{self, FioOutput};
use outputs::fio_log::{FioLogKind, LogName, SeriesReader};
use outputs::fio_text;
use problem::Problem;

/// A stage with what belongs to it.
#[derive(Debug)]
pub(crate) struct FoundStage {
    /// Its figures.
    pub stage: DiskStage,
    /// fio's own output as JSON, with the first of its jobs; absent where it is text, or only logs were given.
    pub json: Option<String>,
    /// Its series.
    pub seconds: Vec<DiskSecond>,
}

/// Lines beside fio's JSON that are shown.
const MESSAGES: usize = 5;

/// Whether a text is fio's JSON.
pub(crate) fn looks_like_output(head: &str) -> bool {
    head.contains("\"fio version\"")
}

/// Reads fio's JSON. A document that is cut is said of beside others.
///
/// # Errors
/// When it is none, with the line.
pub(crate) fn read_fio_output(file: &SourceFile, text: &str) -> Result<OutputsOfKind, Problem> {
    let all = fio_json::parse_all_executions(text)
        .map_err(|error| Problem::usage_error(format!("{}: {error}", file.display_name())))?;
    if all.iter().any(|(output, _)| output.groups.is_empty()) {
        return Err(Problem::usage_error(format!("{}: the JSON of fio has no job", file.display_name())));
    }
    let version = all.first().map(|(output, _)| output.version.clone());
    let mut messages: Vec<String> = all.iter().flat_map(|(output, _)| output.messages.clone()).collect();
    let mut not_read = Vec::new();
    if let Some(at) = messages.iter().position(|line| line.starts_with('{')) {
        messages.truncate(at);
        not_read.push("1 output of fio: not read, because its JSON is incomplete".to_owned());
    }
    let mut notes: Vec<String> = messages.iter().take(MESSAGES).cloned().collect();
    if messages.len() > MESSAGES {
        notes.push(format!("and {} more lines beside the JSON", messages.len() - MESSAGES));
    }
    let first_lines: Vec<usize> = all.iter().map(|(_, range)| text[..range.start].matches('\n').count() + 1).collect();
    let executions = all.into_iter().map(|(one, range)| (one, Some(text[range].to_owned()))).collect();
    let content = FileContent::Fio(with_targets(text, executions, &first_lines));
    let document = ImportedDocument { file: file.clone(), tool: "fio", version, notes, content };
    Ok(OutputsOfKind { document, not_read })
}

/// A text without the documents of fio's JSON in it: each is an empty line, so that the lines after it keep their
/// numbers. None where there is nothing else but signs.
///
/// # Errors
/// When it has none.
pub(crate) fn text_beside_json(text: &str) -> Result<Option<String>, fio_json::FioJsonError> {
    let mut beside = String::new();
    let mut end = 0;
    for range in fio_json::places_of_documents(text)? {
        beside.push_str(&text[end..range.start]);
        beside.extend(text[range.clone()].chars().filter(|c| *c == '\n'));
        end = range.end;
    }
    beside.push_str(&text[end..]);
    Ok(Some(beside).filter(|beside| beside.contains(char::is_alphanumeric)))
}

/// Reads fio's normal output.
///
/// # Errors
/// At the first line that is not as fio prints it.
pub(crate) fn read_text(file: &SourceFile, text: &str) -> Result<ImportedDocument, Problem> {
    let all = fio_text::parse_executions_with_lines(text).map_err(|(line, expected)| {
        let found = text.lines().nth(line - 1).unwrap_or_default().trim();
        file.problem_at_line(line, format!("expected {expected}, found {found:?}"))
    })?;
    let version = all.first().map(|(output, _)| output.version.clone()).filter(|version| version != "fio");
    let notes =
        vec!["fio's normal output rounds its figures, and does not show whether the page cache was used".to_owned()];
    let first_lines: Vec<usize> = all.iter().map(|(_, line)| *line).collect();
    let executions = all.into_iter().map(|(one, _)| (one, None)).collect();
    let content = FileContent::Fio(with_targets(text, executions, &first_lines));
    Ok(ImportedDocument { file: file.clone(), tool: "fio", version, notes, content })
}

/// Executions with the targets that the lines above them name.
fn with_targets(
    text: &str,
    executions: Vec<(FioOutput, Option<String>)>,
    first_lines: &[usize],
) -> Vec<PlacedFioOutput> {
    let outputs: Vec<&FioOutput> = executions.iter().map(|(output, _)| output).collect();
    let targets = fio_sides::targets_of_outputs(text, &outputs, first_lines);
    let mut placed = Vec::new();
    for ((output, json), target) in executions.into_iter().zip(targets) {
        placed.push(PlacedFioOutput { output, json, target });
    }
    placed
}

/// A log, which is read when it is known what belongs to it.
pub(crate) fn fio_log_document(file: &SourceFile, kind: FioLogKind) -> ImportedDocument {
    let name = file.path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let plain = name.trim_end_matches(".gz");
    let LogName { run, job, is_part, .. } =
        LogName::parse(plain).unwrap_or(LogName { run: &name, kind, is_part: false, job: None });
    let content = FileContent::FioLog(FioLogFile { run: run.to_owned(), job, kind, is_part });
    ImportedDocument { file: file.clone(), tool: "fio", version: None, notes: Vec::new(), content }
}

/// fio's outputs and logs as stages, one for each job of an output: logs belong to the output whose name begins theirs,
/// to the only one, or to none; in an output of several jobs, to the job of their number.
///
/// # Errors
/// When a log cannot be read.
pub(crate) fn disk_stages(
    outputs: Vec<(SourceFile, FioOutput, Option<String>)>,
    logs: &[(SourceFile, FioLogFile)],
    target: Option<&String>,
) -> Result<Vec<FoundStage>, Problem> {
    let mut by_run: BTreeMap<&str, Vec<&(SourceFile, FioLogFile)>> = BTreeMap::new();
    for log in logs {
        by_run.entry(&log.1.run).or_default().push(log);
    }
    let only = outputs.len() == 1 && by_run.len() == 1;
    let mut stages = Vec::new();
    for (file, mut output, mut json) in outputs {
        let own =
            if only { by_run.pop_first().map(|(_, logs)| logs) } else { by_run.remove(file.file_stem().as_str()) };
        let own = own.unwrap_or_default();
        let jobs = jobs_of_output(&output);
        output.groups.clear();
        let is_single = jobs.len() == 1;
        for job in jobs {
            let logs: Vec<_> = own
                .iter()
                .filter(|log| is_single || log.1.job.is_some_and(|number| job.threads.contains(&number)))
                .copied()
                .collect();
            let gap = match (logs.is_empty(), own.is_empty()) {
                (false, _) => None,
                (true, true) => Some("no fio log was imported for this output"),
                (true, false) => Some("the logs of this job cannot be identified"),
            };
            let output = FioOutput { groups: job.groups, ..output.clone() };
            let stage = build_disk_stage(&file, target, &job.name, Some(output), gap);
            stages.push(FoundStage { stage, json: json.take(), seconds: read_log_series(&logs)? });
        }
    }
    for logs in by_run.into_values() {
        let seconds = read_log_series(&logs)?;
        let file = &logs[0].0;
        stages.push(FoundStage {
            stage: build_disk_stage(file, target, &file.file_stem(), None, None),
            json: None,
            seconds,
        });
    }
    tell_apart(&mut stages);
    name_common_jobs(&mut stages);
    number_stages(&mut stages);
    Ok(stages)
}

/// A job of an output.
struct FioOutputJob {
    name: String,
    /// Its groups: several where its clones are reported one by one.
    groups: Vec<DiskGroup>,
    /// The numbers of its clones, from 1, as fio numbers logs.
    threads: Range<u32>,
}

/// The jobs of an output, in fio's order: neighbours of one name are clones.
fn jobs_of_output(output: &FioOutput) -> Vec<FioOutputJob> {
    let mut jobs: Vec<FioOutputJob> = Vec::new();
    let mut next: u32 = 1;
    for group in &output.groups {
        let threads = next..next.saturating_add(group.jobs.max(1));
        next = threads.end;
        match jobs.last_mut().filter(|job| job.groups[0].is_clone_of(group)) {
            Some(job) => {
                job.groups.push(group.clone());
                job.threads.end = next;
            }
            None => jobs.push(FioOutputJob { name: group.name.clone(), groups: vec![group.clone()], threads }),
        }
    }
    jobs
}

fn read_log_series(logs: &[&(SourceFile, FioLogFile)]) -> Result<Vec<DiskSecond>, Problem> {
    let has_whole = logs.iter().any(|(_, log)| log.kind == FioLogKind::Latency && !log.is_part);
    let mut reader = SeriesReader::new(None);
    for (file, log) in logs.iter().filter(|(_, log)| !(log.is_part && has_whole)) {
        let stream = file.open()?;
        reader
            .read_log(log.kind, stream)
            .map_err(|error| Problem::usage_error(format!("{}: {error}", file.display_name())))?;
    }
    Ok(reader.finish())
}

fn build_disk_stage(
    file: &SourceFile,
    target: Option<&String>,
    job: &str,
    output: Option<FioOutput>,
    gap: Option<&str>,
) -> DiskStage {
    let name: String =
        job.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' }).collect();
    let failed = output.iter().flat_map(|output| &output.groups).find(|group| group.error != 0);
    let error = failed.map(|group| {
        let error = std::io::Error::from_raw_os_error(group.error);
        format!("job {:?} ended with an error: {error}", group.name)
    });
    let output = output.unwrap_or_else(|| FioOutput {
        version: "unknown".to_owned(),
        written_at: None,
        groups: Vec::new(),
        devices: Vec::new(),
        messages: Vec::new(),
    });
    DiskStage {
        format: disk::FORMAT,
        target: file.target.clone().or_else(|| target.cloned()).unwrap_or_else(|| "imported".to_owned()),
        name: if name.is_empty() { "job".to_owned() } else { name },
        order: 0,
        place: None,
        fio_version: output.version,
        definition: None,
        stated: None,
        started_at: None,
        outcome: error.map_or(StageOutcome::Completed, |error| StageOutcome::Failed { error }),
        job: None,
        groups: output.groups,
        devices: output.devices,
        series_gap: gap.map(str::to_owned),
    }
}

/// What two executions of one job have in common: target, name, and what was asked of each group.
type ExecutionKey = (String, String, Vec<String>);

fn execution_key(stage: &DiskStage) -> ExecutionKey {
    let mut asked = Vec::new();
    for group in &stage.groups {
        asked.push(format!(
            "{:?} {:?} {:?} {} {} {:?} {}",
            group.pattern, group.block_bytes, group.direct, group.depth, group.jobs, group.sync_every, group.paced
        ));
    }
    (stage.target.clone(), stage.name.clone(), asked)
}

/// Enters the name that the executions of one job have in common: where a target has several of one name and of the
/// same parameters, they are repetitions, whatever they are called to tell them apart.
fn name_common_jobs(stages: &mut [FoundStage]) {
    let mut counts: BTreeMap<ExecutionKey, usize> = BTreeMap::new();
    for found in stages.iter().filter(|found| !found.stage.groups.is_empty()) {
        *counts.entry(execution_key(&found.stage)).or_default() += 1;
    }
    for FoundStage { stage, .. } in stages {
        if counts.get(&execution_key(stage)).is_some_and(|count| *count > 1) {
            stage.job = Some(stage.name.clone());
        }
    }
}

/// Adds to the name of each job that stands for unlike ones of a target what they do, and where that is alike, how
/// many at once. On two targets one name is one job: what is unlike there is what cannot be compared.
fn tell_apart(stages: &mut [FoundStage]) {
    let what = |group: &DiskGroup| {
        let pattern = group.pattern.as_deref().map(|pattern| effective_pattern(pattern, group).to_owned());
        let block = group.block_bytes.map(|bytes| match bytes {
            0..1024 => format!("{bytes}b"),
            1024..1_048_576 => format!("{}k", bytes >> 10),
            _ => format!("{}m", bytes >> 20),
        });
        [pattern, block].into_iter().flatten().collect::<Vec<_>>().join("-")
    };
    for part in [&what as &dyn Fn(&DiskGroup) -> String, &|group| format!("{}x{}", group.jobs, group.depth)] {
        let mut told: BTreeMap<(&str, &str), BTreeSet<String>> = BTreeMap::new();
        for FoundStage { stage, .. } in &*stages {
            let parts = told.entry((&stage.name, &stage.target)).or_default();
            parts.extend(stage.groups.first().map(part));
        }
        let several = told.into_iter().filter(|(_, parts)| parts.len() > 1);
        let several: BTreeSet<String> = several.map(|((name, _), _)| name.to_owned()).collect();
        for FoundStage { stage, .. } in stages.iter_mut() {
            let Some(part) = stage.groups.first().map(part).filter(|part| !part.is_empty()) else { continue };
            if several.contains(&stage.name) {
                stage.name = format!("{}-{part}", stage.name);
            }
        }
    }
}

/// A mixture of reads and writes of which one is all is no mixture.
fn effective_pattern<'a>(pattern: &'a str, group: &DiskGroup) -> &'a str {
    match (pattern, &group.read, &group.write) {
        ("randrw", Some(_), None) => "randread",
        ("randrw", None, Some(_)) => "randwrite",
        ("rw" | "readwrite", Some(_), None) => "read",
        ("rw" | "readwrite", None, Some(_)) => "write",
        _ => pattern,
    }
}

/// Numbers the stages of each target, and tells those of one name apart.
fn number_stages(stages: &mut [FoundStage]) {
    let mut orders: BTreeMap<String, u32> = BTreeMap::new();
    let mut names: BTreeMap<(String, String), u32> = BTreeMap::new();
    for FoundStage { stage, .. } in stages {
        let order = orders.entry(stage.target.clone()).or_default();
        *order += 1;
        stage.order = *order;
        let again = names.entry((stage.target.clone(), stage.name.clone())).or_default();
        *again += 1;
        if *again > 1 {
            stage.name = format!("{}-{again}", stage.name);
        }
    }
}
