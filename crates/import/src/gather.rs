//! From files to trials: what belongs together, how the cells are called, which block each trial is,
//! and what is missing.

use std::collections::{BTreeMap, BTreeSet};

use probe::KeptLog;
use results::disk::StatedCaps;
use results::imported::{ComputedFigures, Imported, ImportedFile, StatedTarget};
use results::shared::{LatestValues, Shared};
use results::told::ToldStorage;
use results::trial::{Cell, ClientCount};

use super::ImportRequest;
use super::alike;
use super::between;
use super::columns::{self, ServerColumn};
use super::figure::{Marks, TableFigure, parse_figure};
use super::file_sides;
use super::fio::{self, FoundStage};
use super::found::{
    FileContent, FioLogFile, FoundTrial, ImportedDocument, NO_TARGET, Placed, PlacedFioOutput, Study, TrialPart,
    TrialSharing, give_up_values,
};
use super::generators;
use super::join::{self, PgbenchRunLogs};
use super::repetition_words;
use super::server_log;
use super::source_file::SourceFile;
use super::table_rates;
use super::told_twice;
use super::twice;
use super::unit::UnitKind;
use outputs::fio_json::FioOutput;
use outputs::fio_log::FioLogKind;
use problem::Problem;

/// A whole import.
#[derive(Debug)]
pub(crate) struct Gathered {
    /// Name of the run.
    pub name: String,
    /// Its mark.
    pub imported: Imported,
    /// Its trials, in the order of their numbers, from 1.
    pub trials: Vec<Placed>,
    /// Stages of disks.
    pub stages: Vec<FoundStage>,
    /// The study's text.
    pub study: Option<String>,
}

/// The contents of all files by kind.
#[derive(Default)]
struct Sorted {
    sources: Vec<ImportedFile>,
    study: Study,
    found: Vec<FoundTrial>,
    logs: PgbenchRunLogs,
    storage: Vec<ToldStorage>,
    of_servers: Vec<(String, ServerColumn, String)>,
    fio: Vec<(SourceFile, FioOutput, Option<String>)>,
    fio_logs: Vec<(SourceFile, FioLogFile)>,
    server_logs: Vec<(usize, SourceFile, KeptLog)>,
}

impl Sorted {
    fn from_documents(documents: Vec<ImportedDocument>) -> Result<Self, Problem> {
        let mut sorted = Self::default();
        for (index, document) in documents.into_iter().enumerate() {
            sorted.sources.push(imported_file(&document));
            let ImportedDocument { file, content, .. } = document;
            let file_name = repetition_words::parts_before_repetition(&file.file_stem());
            let generator = generators::generator_of_file(&file.file_stem());
            let (file_name, generator) =
                generator.map_or((file_name, None), |(before, generator)| (before, Some(generator)));
            let mut sharing = TrialSharing::default();
            let own = |mut trial: FoundTrial| {
                trial.sources = vec![index];
                if trial.surroundings.generator.is_none() && generator.is_some() {
                    trial.surroundings.generator.clone_from(&generator);
                }
                trial.target = trial.target.take().or_else(|| file.target.clone());
                if trial.target.is_none() && !file_name.is_empty() {
                    trial.surroundings.file_name.clone_from(&file_name);
                }
                sharing.share_values(&mut trial);
                trial
            };
            match content {
                FileContent::Study(read) => sorted.study = read,
                FileContent::Table(rows) => {
                    sorted.storage.extend(rows.storage);
                    sorted.of_servers.extend(rows.of_servers);
                    sorted.found.reserve_exact(rows.trials.len());
                    sorted.found.extend(give_up_values(rows.trials).map(own));
                }
                FileContent::Runs(runs) => sorted.found.extend(runs.into_iter().map(own)),
                FileContent::Transactions(log) => {
                    if !sorted.logs.add(index, log) {
                        let what =
                            format!("{} covers another time than the other logs of its run", file.display_name());
                        return Err(Problem::usage_error(what));
                    }
                }
                FileContent::Aggregates(log) => sorted.logs.add_aggregates(index, &log),
                FileContent::Fio(all) => {
                    for PlacedFioOutput { output, json, target } in all {
                        let target = file.target.clone().or(target);
                        sorted.fio.push((SourceFile { target, ..file.clone() }, output, json));
                    }
                }
                FileContent::FioLog(log) => sorted.fio_logs.push((file, log)),
                FileContent::ServerLog(log) => sorted.server_logs.push((index, file, log)),
                FileContent::Nothing(_)
                | FileContent::LeftOut(_)
                | FileContent::NotRead(_)
                | FileContent::TableFields(_)
                | FileContent::Title(_)
                | FileContent::Computed(_) => {}
            }
        }
        Ok(sorted)
    }
}

/// Documents by what becomes of them.
#[derive(Default)]
struct DocumentsByKind {
    left_out: Vec<ImportedDocument>,
    unread: Vec<ImportedDocument>,
    computed: Vec<ImportedDocument>,
    fields: Vec<ImportedDocument>,
    titles: Vec<ImportedDocument>,
    /// Those whose figures are read.
    read: Vec<ImportedDocument>,
}

impl DocumentsByKind {
    fn from_documents(documents: Vec<ImportedDocument>) -> Self {
        let mut by_kind = Self::default();
        for document in documents {
            let of_kind = match document.content {
                FileContent::LeftOut(_) => &mut by_kind.left_out,
                FileContent::NotRead(_) => &mut by_kind.unread,
                FileContent::Computed(_) => &mut by_kind.computed,
                FileContent::TableFields(_) => &mut by_kind.fields,
                FileContent::Title(_) => &mut by_kind.titles,
                _ => &mut by_kind.read,
            };
            of_kind.push(document);
        }
        by_kind
    }
}

/// Puts the documents of one study together.
///
/// # Errors
/// When a trial is of no client, or when the baseline is no target.
pub(crate) fn gather_documents(documents: Vec<ImportedDocument>, request: &ImportRequest) -> Result<Gathered, Problem> {
    let DocumentsByKind { left_out, unread, computed, fields, titles, read: documents } =
        DocumentsByKind::from_documents(documents);
    let mut computed = computed_of_documents(computed);
    let first = documents.iter().find(|document| !matches!(document.content, FileContent::Nothing(_)));
    let first = first.map(|document| document.file.file_stem()).unwrap_or_default();
    let mut sorted = Sorted::from_documents(documents)?;
    enter_unread_parts(unread, &mut sorted.sources);
    enter_titles(titles, &mut sorted.sources);
    let (study, mut storage) = (sorted.study, sorted.storage);
    let names: Vec<String> = sorted.sources.iter().map(|source| source.file.clone()).collect();
    if request.target.is_none() {
        file_sides::name_sides_of_outputs(&mut sorted.found, &mut sorted.sources);
    }
    let found = count_once(sorted.found, &mut sorted.sources, request);
    let found = join::join_logs_with_outputs(found, sorted.logs, |source| names[source].clone())?;
    // Logs of transactions without an output of theirs are trials, too.
    let found = count_once(found, &mut sorted.sources, request);
    let found = if study.adds_generators { generators::add_generators(found)? } else { found };
    let mut trials = place_trials(found, &mut sorted.sources, request, &study)?;
    place_server_logs(&sorted.server_logs, &mut trials, &mut sorted.sources, request);
    let mut outputs = twice::outputs_once(sorted.fio, &mut sorted.sources);
    if request.target.is_none() {
        file_sides::name_sides_of_disks(&mut outputs, &mut sorted.sources);
    }
    let mut stages = fio::disk_stages(outputs, &sorted.fio_logs, request.target.as_ref())?;
    name_disks_as_trials(&mut stages, &trials);
    say_one_target(&stages, &mut sorted.sources);
    state_disks(&mut stages, &mut storage, &study)?;
    let measured = measured_targets(&trials, &storage, &stages);
    let (baseline, mut targets) = baseline_and_stated_targets(&study, &measured, &trials, request)?;
    for (name, of, value) in sorted.of_servers {
        targets.iter_mut().filter(|target| target.name == name).for_each(|target| of_server(target, of, value.clone()));
    }
    say_targets_without_figures(&study, &measured, &mut sorted.sources)?;
    let missing = missing_measurements(&trials);
    let left_out = told_twice::named_trials(left_out, request);
    let threads_beside_tables = told_twice::threads_beside_tables(&left_out);
    let told_twice = told_twice::figures_told_twice(&trials, &left_out);
    computed.rates = table_rates::rates_of_tables(fields, &trials, &left_out);
    let name = request.name.clone().or_else(|| study.name.clone());
    Ok(Gathered {
        name: name.unwrap_or(first),
        imported: Imported {
            sources: sorted.sources,
            baseline,
            paired: study.paired,
            may_differ: study.may_differ,
            targets,
            stated: study.stated,
            storage,
            told_twice,
            threads_beside_tables,
            computed,
            missing,
        },
        trials,
        stages,
        study: Some(study.text).filter(|text| !text.is_empty()),
    })
}

/// Enters what a study says of disks: the limits of their class, and what their jobs were.
fn state_disks(stages: &mut [FoundStage], storage: &mut [ToldStorage], study: &Study) -> Result<(), Problem> {
    for found in stages {
        found.stage.stated = stated_caps(study, &found.stage.target)?;
    }
    for told in storage {
        state_storage(told, study);
        if let Some(of_target) = stated_caps(study, &told.target)? {
            let of_row = told.stated.get_or_insert(of_target);
            of_row.iops = of_row.iops.or(of_target.iops);
            of_row.bytes_per_s = of_row.bytes_per_s.or(of_target.bytes_per_s);
        }
    }
    Ok(())
}

fn words_of_name(name: &str) -> BTreeSet<String> {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Disks whose names have all words of one target of trials, and maybe more, are its: `Hard disk (WD Red 4 TB)` is that
/// of `hard disk`.
fn name_disks_as_trials(stages: &mut [FoundStage], trials: &[Placed]) {
    let targets: BTreeSet<&str> = trials.iter().map(|placed| placed.cell.target.as_str()).collect();
    for stage in stages.iter_mut().map(|found| &mut found.stage) {
        if targets.contains(stage.target.as_str()) {
            continue;
        }
        let own = words_of_name(&stage.target);
        let mut fitting =
            targets.iter().filter(|target| **target != NO_TARGET && words_of_name(target).is_subset(&own));
        if let (Some(only), None) = (fitting.next(), fitting.next()) {
            stage.target = (*only).to_owned();
        }
    }
}

fn computed_of_documents(documents: Vec<ImportedDocument>) -> ComputedFigures {
    let mut all = ComputedFigures::default();
    for document in documents {
        if let FileContent::Computed(computed) = document.content {
            all.add_figures(computed);
        }
    }
    all
}

/// Enters what is not read of a file beside what is.
fn enter_unread_parts(unread: Vec<ImportedDocument>, sources: &mut [ImportedFile]) {
    for document in unread {
        let FileContent::NotRead(parts) = document.content else { continue };
        let name = document.file.display_name();
        if let Some(source) = sources.iter_mut().find(|source| source.file == name) {
            source.not_read.extend(parts);
        }
    }
}

/// Enters the titles of pages.
fn enter_titles(titles: Vec<ImportedDocument>, sources: &mut [ImportedFile]) {
    for document in titles {
        let FileContent::Title(title) = document.content else { continue };
        let name = document.file.display_name();
        if let Some(source) = sources.iter_mut().find(|source| source.file == name) {
            source.title = Some(title);
        }
    }
}

/// Notes of fio's outputs that nothing tells apart that they are taken for those of one server.
fn say_one_target(stages: &[FoundStage], sources: &mut [ImportedFile]) {
    let outputs = sources.iter_mut().filter(|source| source.tool == "fio" && !source.content.starts_with("a log"));
    let mut outputs: Vec<&mut ImportedFile> = outputs.collect();
    if outputs.len() > 1 && stages.iter().all(|found| found.stage.target == NO_TARGET) {
        let note =
            "read as a job of the same server as the other files; use TARGET=FILE if they are from different servers";
        outputs.iter_mut().for_each(|source| source.notes.push(note.to_owned()));
    }
}

fn imported_file(document: &ImportedDocument) -> ImportedFile {
    let content = match &document.content {
        FileContent::Study(study) => format!("{} declared conditions", study.stated.len()),
        FileContent::Table(rows) => match (rows.trials.len(), rows.storage.len()) {
            (trials, 0) => format!("{trials} rows of database benchmarks"),
            (_, storage) => format!("{storage} rows of storage benchmarks"),
        },
        FileContent::Runs(runs) => runs_in_words(runs),
        FileContent::Transactions(file) => match file.log.sampling_rate() {
            None => format!("a log of {} transactions", file.log.transaction_count()),
            Some(share) => {
                let percent = share * 100.0;
                format!("a log of {} transactions, a sample of {percent:.1} %", file.log.transaction_count())
            }
        },
        FileContent::Aggregates(file) => format!("a log of {} intervals", file.rows.len()),
        FileContent::Fio(all) => {
            let groups: usize = all.iter().map(|one| one.output.groups.len()).sum();
            let executions = if all.len() > 1 { format!(" of {} executions", all.len()) } else { String::new() };
            format!("{groups} groups of jobs{executions}")
        }
        FileContent::ServerLog(log) => format!("{} messages", log.message_count()),
        FileContent::Computed(computed) => format!("{} changes of its figures", computed.changes.len()),
        FileContent::Title(title) => title.clone(),
        FileContent::TableFields(tables) => format!("the figures of {} tables", tables.len()),
        FileContent::LeftOut(trials) => format!("{} trials that were left out", trials.len()),
        FileContent::NotRead(parts) => format!("{} parts that were not read", parts.len()),
        FileContent::Nothing(problem) => format!("no output, log or table: {}", reason_in_words(document, problem)),
        FileContent::FioLog(log) => match log.kind {
            FioLogKind::Iops => "a log of requests per second".to_owned(),
            FioLogKind::Bandwidth => "a log of bandwidths".to_owned(),
            FioLogKind::Latency => "a log of latencies".to_owned(),
        },
    };
    ImportedFile {
        file: document.file.display_name(),
        tool: document.tool.to_owned(),
        version: document.version.clone(),
        title: None,
        content,
        notes: document.notes.clone(),
        not_read: Vec::new(),
        trials: Vec::new(),
    }
}

/// Why nothing of a file is read, without its name.
fn reason_in_words(document: &ImportedDocument, problem: &Problem) -> String {
    let (name, said) = (document.file.display_name(), problem.primary_message());
    said.strip_prefix(name.as_str()).unwrap_or(said).trim_start_matches([':', ' ']).to_owned()
}

fn runs_in_words(runs: &[FoundTrial]) -> String {
    let count = |part: TrialPart| runs.iter().filter(|run| run.part == part).count();
    let seconds: usize = runs.iter().map(|run| run.seconds.len()).sum();
    let words = [
        (count(TrialPart::Whole), "reports"),
        (count(TrialPart::Progress), "runs without a report"),
        (seconds, "intervals"),
    ];
    let words = words.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    words.collect::<Vec<_>>().join(", ")
}

/// Gives every trial its cell, block and number.
fn place_trials(
    found: Vec<FoundTrial>,
    sources: &mut [ImportedFile],
    request: &ImportRequest,
    study: &Study,
) -> Result<Vec<Placed>, Problem> {
    let of_targets = labels_of_targets(&found, request);
    let mut named: Vec<(Shared<Cell>, FoundTrial)> = Vec::with_capacity(found.len());
    let (mut sharing, mut cells) = (TrialSharing::default(), LatestValues::default());
    let clients_of_all = ["generator.clients", "clients_per_cell", "generator.clients_per_cell"]
        .iter()
        .find_map(|key| study.stated.get(*key)?.parse::<u32>().ok());
    let is_told = found.iter().any(|trial| trial.clients.is_some());
    let are_numbered = found.iter().any(|trial| trial.repetition.is_some());
    for mut trial in give_up_values(found) {
        // One number that is stated is that of all rows where none of them tells any.
        if clients_of_all.is_some() && !is_told {
            trial.clients = clients_of_all;
        }
        if trial.clients == Some(0) {
            let file = &sources[trial.sources[0]].file;
            return Err(Problem::usage_error(format!("{file}, line {}: the number of clients is 0", trial.line))
                .hint("leave the field empty if the number is not known"));
        }
        let mut cell = Shared::from(cell_of_trial(&trial, request, &of_targets));
        cells.share_value(&mut cell);
        fill_stated_values(&mut trial, study);
        sharing.share_values(&mut trial);
        named.push((cell, trial));
    }
    alike::tell_apart(&mut named);
    let mut lines_of_cells: BTreeMap<Shared<Cell>, (u32, BTreeMap<u32, usize>)> = BTreeMap::new();
    let mut trials: Vec<Placed> = Vec::with_capacity(named.len());
    for (mut cell, found) in give_up_values(named) {
        cells.share_value(&mut cell);
        let (last, lines) = lines_of_cells.entry(cell.clone()).or_default();
        *last = found.repetition.unwrap_or(*last + 1);
        let block = *last;
        if are_numbered && let Some(line) = lines.insert(block, found.line) {
            let what = format!("{}, repetition {block} is already at line {line}", *cell);
            return Err(Problem::usage_error(format!(
                "{}, line {}: {what}",
                sources[found.sources[0]].file, found.line
            )));
        }
        for source in &found.sources {
            sources[*source].trials.push(trials.len() as u32 + 1);
        }
        trials.push(Placed { cell, block, found, log: None });
    }
    if request.target.is_none() {
        alike::say_repetitions(&trials, sources);
    }
    alike::say_generators(&trials, sources);
    Ok(trials)
}

/// Enters the servers' logs into the trials of their target that tell when they were; a log without a target is that of
/// the only one.
fn place_server_logs(
    logs: &[(usize, SourceFile, KeptLog)],
    trials: &mut [Placed],
    sources: &mut [ImportedFile],
    request: &ImportRequest,
) {
    let targets: BTreeSet<String> = trials.iter().map(|trial| trial.cell.target.clone()).collect();
    let only = || targets.first().filter(|_| targets.len() == 1);
    for (source, file, log) in logs {
        let target = file.target.as_ref().or(request.target.as_ref()).or_else(only);
        for (index, trial) in trials.iter_mut().enumerate().filter(|(_, trial)| Some(&trial.cell.target) == target) {
            if let Some(log) = server_log::of_trial(log, &trial.found) {
                trial.log = Some(Box::new(log));
                sources[*source].trials.push(index as u32 + 1);
            }
        }
        if sources[*source].trials.is_empty() {
            let note = "no trial has a time, so no message belongs to a trial; import pgbench's log (-l) as well";
            sources[*source].notes.push(note.to_owned());
        }
    }
}

/// Leaves one of each measurement that stands in two places.
fn count_once(found: Vec<FoundTrial>, sources: &mut [ImportedFile], request: &ImportRequest) -> Vec<FoundTrial> {
    let of_targets = labels_of_targets(&found, request);
    twice::count_once(found, sources, |trial| cell_of_trial(trial, request, &of_targets))
}

/// The labels that every target has one value of, and not all the same: they tell of the target, such as the kind of
/// its machine, and not of what it was asked to do.
pub(crate) fn labels_of_targets(found: &[FoundTrial], request: &ImportRequest) -> BTreeSet<String> {
    let mut values: BTreeMap<&str, BTreeMap<Option<&String>, BTreeSet<&str>>> = BTreeMap::new();
    for trial in found {
        let target = trial.target.as_ref().or(request.target.as_ref());
        for (label, value) in &trial.told.labels {
            values.entry(label).or_default().entry(target).or_default().insert(value);
        }
    }
    let is_of_target = |targets: &BTreeMap<Option<&String>, BTreeSet<&str>>| {
        let unlike: BTreeSet<&BTreeSet<&str>> = targets.values().collect();
        targets.values().all(|values| values.len() == 1) && unlike.len() > 1
    };
    values.into_iter().filter(|(_, targets)| is_of_target(targets)).map(|(label, _)| label.to_owned()).collect()
}

/// What is called by a name of which nobody says what it did.
pub(crate) const NO_WORKLOAD: &str = "workload";

pub(crate) fn cell_of_trial(trial: &FoundTrial, request: &ImportRequest, of_targets: &BTreeSet<String>) -> Cell {
    let clients = trial.clients.or(request.clients).map_or(ClientCount::UNKNOWN, ClientCount::from);
    let target = trial.target.clone().or_else(|| request.target.clone());
    let workload = request.workload.clone().or_else(|| trial.workload.clone());
    let labels = trial.told.labels.iter().filter(|(label, _)| !of_targets.contains(*label));
    // When a trial was made, and the how manieth it was, says what it was asked for nowhere.
    let labels = labels
        .map(|(_, value)| value.as_str())
        .filter(|value| !is_instant(value) && !repetition_words::is_repetition(value));
    let workload = std::iter::once(workload.as_deref().unwrap_or(NO_WORKLOAD)).chain(labels).collect::<Vec<_>>();
    Cell { target: target.unwrap_or_else(|| NO_TARGET.to_owned()), workload: workload.join(" "), clients }
}

/// Whether a field is a time of day or a date with one: `09:12`, `2024-01-20 09:12`, `2024-01-20T09:12:00Z`.
fn is_instant(value: &str) -> bool {
    let time = value.trim().trim_end_matches('Z').rsplit([' ', 'T']).next().unwrap_or_default();
    let parts: Vec<&str> = time.split(':').collect();
    (2..=3).contains(&parts.len())
        && parts.iter().all(|part| !part.is_empty() && part.len() <= 2 && part.chars().all(|c| c.is_ascii_digit()))
}

/// Fills in what the author states of every trial alike, where the figures themselves do not say it.
fn fill_stated_values(trial: &mut FoundTrial, study: &Study) {
    let stated = |key: &str| study.stated.get(key);
    let told = &mut trial.told;
    if told.duration_s_stated.is_none() {
        told.duration_s_stated = stated("generator.duration_s").and_then(|text| text.parse().ok());
    }
    // A tool that counts and tells no throughput has its reason.
    if told.tool.is_none()
        && told.throughput_per_s.is_none()
        && let (Some(transactions), Some(seconds)) = (told.transactions, told.duration_s.or(told.duration_s_stated))
    {
        told.throughput_per_s = (seconds > 0.0).then(|| transactions as f64 / seconds);
    }
    if told.tool.is_none()
        && let Some(tool) = stated("generator.tool")
    {
        told.tool = Some(tool.clone());
    }
    if told.query_mode.is_none()
        && let Some(mode) = stated("generator.query_mode")
    {
        told.query_mode = Some(mode.clone());
    }
    if told.scale.is_none() {
        let names = told.labels.values().chain(&trial.common.workload);
        let of_data = names.into_iter().find_map(|name| stated(&format!("data_set.{name}.scale")));
        let scale = of_data.or_else(|| stated("data_set.scale"));
        if let Some(scale) = scale.and_then(|text| text.parse().ok()) {
            told.scale = Some(scale);
        }
    }
}

/// The same for storage: in-flight requests are stated, not measured.
fn state_storage(told: &mut ToldStorage, study: &Study) {
    let number = |key: &str| {
        let of_job = study.stated.get(&format!("fio.{key}.{}", told.job));
        of_job.or_else(|| study.stated.get(&format!("fio.{key}"))).and_then(|text| text.parse().ok())
    };
    let (jobs, depth) = (number("numjobs"), number("iodepth"));
    told.jobs = told.jobs.or(jobs);
    told.depth = told.depth.or(depth);
}

/// What the provider of a target's disk promises, as its author says it: `disk.declared.iops` and
/// `disk.declared.bandwidth`, the keys of a plan.
fn stated_caps(study: &Study, target: &str) -> Result<Option<StatedCaps>, Problem> {
    let number = |key: &str, unit_of: fn(Option<UnitKind>) -> bool| {
        let stated = study.targets.iter().find(|stated| stated.name == target);
        let Some(text) = stated.and_then(|stated| stated.conditions.get(key)) else { return Ok(None) };
        match parse_figure(text, Marks::Unknown).map_err(|why| stated_value_problem(&why, key, target))? {
            TableFigure::Missing => Ok(None),
            TableFigure::Number(number, unit) if unit_of(unit.map(|unit| unit.kind)) => {
                Ok(Some((number * unit.map_or(1.0, |unit| unit.factor)).round() as u64))
            }
            TableFigure::Number(..) => Err(stated_value_problem(&format!("{text:?} has the wrong unit"), key, target)
                .hint("for example iops: 3000, bandwidth: 125MB/s")),
        }
    };
    let iops =
        number("disk.declared.iops", |kind| matches!(kind, None | Some(UnitKind::PerSecond | UnitKind::Prefix)))?;
    let bytes_per_s = number("disk.declared.bandwidth", |kind| kind == Some(UnitKind::SizePerSecond))?;
    Ok((iops.is_some() || bytes_per_s.is_some()).then_some(StatedCaps { iops, bytes_per_s }))
}

fn stated_value_problem(why: &str, key: &str, target: &str) -> Problem {
    Problem::usage_error(format!("the study declares {key} of {target:?}: {why}"))
}

/// The baseline, and what is stated of each target in the order in which the sources name them.
fn baseline_and_stated_targets(
    study: &Study,
    measured: &[&str],
    trials: &[Placed],
    request: &ImportRequest,
) -> Result<(String, Vec<StatedTarget>), Problem> {
    let mut targets = study.targets.clone();
    for name in measured {
        if !targets.iter().any(|target| target.name == *name) {
            let version = study.stated.get("postgresql.version").cloned();
            let settings = study.stated.iter().filter_map(|(key, value)| {
                let setting = key.strip_prefix("postgresql.").filter(|setting| *setting != "version")?;
                Some((setting.to_owned(), value.clone()))
            });
            let settings = settings.collect();
            targets.push(StatedTarget { name: (*name).to_owned(), version, settings, ..StatedTarget::default() });
        }
    }
    targets.iter_mut().for_each(|target| of_trials(target, trials));
    let asked = request.baseline.as_ref().or(study.baseline.as_ref());
    let baseline = match asked {
        Some(name) if !measured.contains(&name.as_str()) => {
            let hint = work::nearest_candidate(name, measured.iter().copied()).map_or_else(
                || format!("targets are {}", measured.join(", ")),
                |meant| format!("did you mean {meant:?}?"),
            );
            return Err(Problem::usage_error(format!("the baseline {name:?} has no figures")).hint(hint));
        }
        Some(name) => name.clone(),
        None => measured.first().map_or(String::new(), |name| (*name).to_owned()),
    };
    Ok((baseline, targets))
}

/// The targets of which there are figures, in the order of the sources.
fn measured_targets<'a>(trials: &'a [Placed], storage: &'a [ToldStorage], stages: &'a [FoundStage]) -> Vec<&'a str> {
    let names = trials
        .iter()
        .map(|trial| &trial.cell.target)
        .chain(storage.iter().map(|told| &told.target))
        .chain(stages.iter().map(|found| &found.stage.target));
    let (mut seen, mut measured) = (BTreeSet::new(), Vec::new());
    for name in names {
        if seen.insert(name.as_str()) {
            measured.push(name.as_str());
        }
    }
    measured
}

/// Adds to what is stated of a target what its trials tell: the versions that all of them print, and columns of a
/// version or a setting which have one value in all its rows.
fn of_trials(target: &mut StatedTarget, trials: &[Placed]) {
    let found: Vec<&FoundTrial> =
        trials.iter().filter(|trial| trial.cell.target == target.name).map(|trial| &trial.found).collect();
    let printed: BTreeSet<Option<String>> = found.iter().map(|trial| alike::printed_version(trial)).collect();
    let mut printed = printed.into_iter();
    target.printed_version = printed.next().flatten().filter(|_| printed.next().is_none());
    let mut generators: BTreeSet<&str> = BTreeSet::new();
    generators.extend(found.iter().filter_map(|trial| alike::printed_generator_version(trial)));
    target.generator_version = generators.pop_first().filter(|_| generators.is_empty()).map(str::to_owned);
    for setting in settings_of_all(&found) {
        if let Some((name, value)) = setting.split_once('=') {
            target.settings.entry(name.to_owned()).or_insert_with(|| value.to_owned());
        }
    }
    if let Some(route) = route_of_all(&found) {
        target.conditions.entry("route".to_owned()).or_insert_with(|| route.to_owned());
    }
    let labels: BTreeSet<(&String, &String)> = found.iter().flat_map(|trial| &trial.told.labels).collect();
    let mut values_of_labels: BTreeMap<&String, usize> = BTreeMap::new();
    for (name, _) in &labels {
        *values_of_labels.entry(name).or_default() += 1;
    }
    for (name, value) in &labels {
        let is_of_all = values_of_labels[name] == 1 && found.iter().all(|trial| trial.told.labels.contains_key(*name));
        // A number stands behind its name.
        let value = value.strip_prefix(name.as_str()).unwrap_or(value).trim().to_owned();
        if let Some(of) = columns::of_server(name).filter(|_| is_of_all) {
            of_server(target, of, value);
        }
    }
}

/// The route of all trials, as the commands above their outputs have it.
fn route_of_all(found: &[&FoundTrial]) -> Option<&'static str> {
    let mut routes = found.iter().map(|trial| between::route_of_command(&trial.surroundings.command));
    let first = routes.next()??;
    routes.all(|other| other == Some(first)).then_some(first)
}

/// The settings that stand above each of the outputs of a target.
fn settings_of_all(found: &[&FoundTrial]) -> BTreeSet<String> {
    let mut settings = found.iter().map(|trial| trial.surroundings.settings.iter().cloned().collect::<BTreeSet<_>>());
    let Some(mut common) = settings.next() else { return BTreeSet::new() };
    for other in settings {
        common.retain(|setting| other.contains(setting));
    }
    common
}

/// Adds what a table tells of a target's server, unless it is stated.
fn of_server(target: &mut StatedTarget, of: ServerColumn, value: String) {
    match of {
        ServerColumn::Version => {
            target.version.get_or_insert(value);
        }
        ServerColumn::Setting(name) => {
            target.settings.entry(name.to_owned()).or_insert(value);
        }
    }
}

/// Says of the study which of its targets have no figures.
///
/// # Errors
/// When one of them is probably another name of one that has.
fn say_targets_without_figures(study: &Study, measured: &[&str], sources: &mut [ImportedFile]) -> Result<(), Problem> {
    let stated = || study.targets.iter().map(|target| target.name.as_str());
    let without: Vec<&str> = stated().filter(|name| !measured.contains(name)).collect();
    for name in &without {
        if let Some(meant) = work::nearest_candidate(
            name,
            measured.iter().copied().filter(|name| !stated().any(|stated| stated == *name)),
        ) {
            let what = format!("the study declares conditions of the target {name:?}, which has no figures");
            return Err(Problem::usage_error(what).hint(format!("did you mean {meant:?}?")));
        }
    }
    if let Some(study) = sources.iter_mut().find(|source| source.tool == "study").filter(|_| !without.is_empty()) {
        study.notes.push(format!("no figures of its targets {}", without.join(", ")));
    }
    Ok(())
}

/// What a run of pgdyno tells and these trials do not.
fn missing_measurements(trials: &[Placed]) -> Vec<String> {
    let mut missing = vec!["facts read back from the servers", "activity of the servers (probes)"];
    if trials.is_empty() {
        return missing.into_iter().map(str::to_owned).collect();
    }
    let none = |tells: fn(&FoundTrial) -> bool| !trials.iter().any(|trial| tells(&trial.found));
    if trials.iter().all(|trial| trial.block == 1) {
        missing.push("repetition");
    }
    if trials.iter().any(|trial| trial.cell.clients.is_unknown()) {
        missing.push("the number of clients");
    }
    if none(|trial| trial.told.throughput_per_s.is_some()) {
        missing.push("throughput");
    }
    if none(|trial| !trial.seconds.is_empty()) {
        missing.push("figures of each second, so neither steadiness nor an interval within a trial");
    }
    if none(|trial| !trial.told.latency.percentiles_ns.is_empty()) {
        missing.push("percentiles of latency");
    }
    if none(|trial| trial.told.failed.is_some()) {
        missing.push("failed transactions");
    }
    missing.push("outages");
    missing.push("whether the generator was the bottleneck");
    missing.into_iter().map(str::to_owned).collect()
}
