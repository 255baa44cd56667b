//! Figures that other tools measured, made into a run directory, so that the same judgement and report apply to them.
//!
//! Promises: nothing is guessed. What a file does not tell stays absent and is listed as missing; what cannot be read
//! is an error that names the file, the line, and what was understood. Logs of any size are read in constant memory.
//! Left out: any judgement.

mod aligned_text;
mod alike;
#[cfg(test)]
mod arbitrary_files;
mod arrangement;
#[cfg(test)]
mod audited;
mod between;
mod columns;
mod computed_figures;
mod figure;
mod file_kind;
mod file_sides;
mod fio;
mod fio_sides;
mod found;
mod gather;
mod generators;
mod grid;
mod grid_rows;
mod html_page;
mod join;
mod label_words;
mod labels;
mod layout;
mod line_prefix;
mod markdown_table;
mod other_output;
mod page;
#[cfg(test)]
mod page_tests;
mod page_text;
mod pgbench;
mod pgbench_log;
mod plain_text;
mod propose;
#[cfg(test)]
mod published_tables;
mod repetition_words;
mod selection;
mod server_log;
mod source_file;
mod study;
mod sysbench;
mod table;
mod table_rates;
#[cfg(test)]
mod tests;
mod text;
mod told_twice;
mod twice;
mod unit;
mod unread;
mod whole_output;
mod write;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use judge::audit::BenchmarkAudit;
use judge::judge_run;
use judge::observed::Observed;
use results::run::Run;
use results::store::RunDir;
use tempfile::TempDir;

use file_kind::{FileKind, RecognisedFile};
use found::{FileContent, ImportedDocument, TrialPart};
use layout::Meanings;
use problem::Problem;
use source_file::SourceFile;

pub use propose::propose_study;

/// What the command line says about files that do not say it themselves.
#[derive(Debug, Clone, Default)]
pub struct ImportRequest {
    /// The files, each maybe with a target before an equals sign; see [`import_study`].
    pub files: Vec<PathBuf>,
    /// Name of the run; absent: the study's, else the first file's.
    pub name: Option<String>,
    /// Target of files that name none.
    pub target: Option<String>,
    /// Workload of files that name none.
    pub workload: Option<String>,
    /// Clients of files that name none.
    pub clients: Option<u32>,
    /// The target that the others are compared with; absent: the study's, else the first.
    pub baseline: Option<String>,
}

/// Reads all files as one study and writes them as a run directory below `parent`. A file may be given as
/// `TARGET=FILE`; a `NAME.study.yaml` brings the tables beside it whose names begin with `NAME`,
/// unless it names its `files`.
///
/// # Errors
/// When a file cannot be read or understood, or when what belongs together cannot be told.
pub fn import_study(request: &ImportRequest, parent: &Path, now: Timestamp) -> Result<RunDir, Problem> {
    let gathered = gather_files(request)?;
    write::write_run(gathered, parent, now)
}

/// Reads all files as one study to be judged at once, of which nothing stays on the disk. Seconds, logs and disks go
/// through a run directory that is removed again.
///
/// # Errors
/// As [`import_study`], and when there is no room for temporary files.
pub fn observe_study(request: &ImportRequest, now: Timestamp) -> Result<Observed, Problem> {
    let mut gathered = gather_files(request)?;
    if let Some(observed) = write::observe_figures(&mut gathered, now) {
        return Ok(observed);
    }
    let directory = temporary_directory()?;
    let dir = write::write_temporary_run(gathered, directory.path(), now)?;
    Ok(Observed::read(&dir)?)
}

/// Reads all files as one study and audits it, of which nothing stays on the disk. What is not audited of it, such as
/// verdicts on its sides, is not concluded.
///
/// # Errors
/// As [`observe_study`].
pub fn audit_study(request: &ImportRequest, now: Timestamp) -> Result<AuditedStudy, Problem> {
    let mut gathered = gather_files(request)?;
    let trials = gathered.trials.len();
    let storage_jobs = gathered.stages.len() + gathered.imported.storage.len();
    if let Some((run, audit)) = write::audit_figures(&mut gathered, now) {
        return Ok(AuditedStudy { run, audit, trials, storage_jobs });
    }
    let directory = temporary_directory()?;
    let dir = write::write_temporary_run(gathered, directory.path(), now)?;
    let observed = Observed::read(&dir)?;
    let audit = judge_run(&observed).audit.expect("a run that is judged by itself is audited");
    Ok(AuditedStudy { run: observed.run, audit, trials, storage_jobs })
}

/// Files that were audited as one study.
#[derive(Debug)]
pub struct AuditedStudy {
    /// How they were understood.
    pub run: Run,
    /// What the audit says.
    pub audit: BenchmarkAudit,
    /// How many trials they have.
    pub trials: usize,
    /// How many storage jobs they have.
    pub storage_jobs: usize,
}

fn temporary_directory() -> Result<TempDir, Problem> {
    tempfile::tempdir()
        .map_err(|error| Problem::could_not_measure("could not create a temporary directory").detail(error.to_string()))
}

/// Reads all files and puts together what is of one study.
fn gather_files(request: &ImportRequest) -> Result<gather::Gathered, Problem> {
    let mut files: Vec<SourceFile> = request.files.iter().map(|file| SourceFile::from_argument(file)).collect();
    let mut documents: Vec<Vec<ImportedDocument>> = Vec::new();
    let meanings = bring_files(&mut files, &mut documents)?;
    let mut logs = Vec::new();
    for index in 0..files.len() {
        if !documents[index].is_empty() {
            continue;
        }
        let file = &files[index];
        match file_kind::recognise_file_kind(file, &meanings)? {
            RecognisedFile::OfKind(kind @ FileKind::PgbenchLog(_)) => logs.push((index, kind)),
            RecognisedFile::OfKind(kind) => {
                let read = file_kind::read_documents(file, kind, None, &meanings)?;
                documents[index] = selection::select_output(file, read)?;
            }
            RecognisedFile::WithoutFigures(problem) => {
                documents[index] = vec![file_kind::document_without_figures(file, problem)];
            }
        }
    }
    // What the columns of logs are the outputs tell, so logs come last; they are large, so they are read in parallel.
    let retries = has_retries_column(documents.iter().flatten());
    for (index, of_log) in
        in_parallel(&logs, |kind, index| file_kind::read_documents(&files[index], kind, retries, &meanings))?
    {
        documents[index] = of_log;
    }
    refuse_files_without_figures(&documents, request)?;
    refuse_files_read_in_part(&documents, request)?;
    gather::gather_documents(documents.into_iter().flatten().collect(), request)
}

/// Reads the studies, adds their files to the others, and tells what they say of columns. The documents are as many as
/// the files afterwards, those of studies only.
fn bring_files(files: &mut Vec<SourceFile>, documents: &mut Vec<Vec<ImportedDocument>>) -> Result<Meanings, Problem> {
    let mut meanings = Meanings::default();
    let mut next = 0;
    while next < files.len() {
        let file = files[next].clone();
        documents.push(if file.is_study() {
            file_kind::read_documents(&file, FileKind::Study, None, &meanings)?
        } else {
            Vec::new()
        });
        if let [ImportedDocument { content: FileContent::Study(study), .. }] = documents[next].as_slice() {
            meanings.add_study(study);
            for brought in study::files_of(&file, study)? {
                match files.iter_mut().find(|file| file.path == brought.path && file.output == brought.output) {
                    Some(given) => given.target = given.target.take().or(brought.target),
                    None => files.push(brought),
                }
            }
        }
        next += 1;
    }
    Ok(meanings)
}

/// A file without figures beside others, such as a page of prose, is left out with a line of the report. It is refused
/// where somebody says that it has figures: alone, of a target, or among the files of a study.
fn refuse_files_without_figures(documents: &[Vec<ImportedDocument>], request: &ImportRequest) -> Result<(), Problem> {
    let any_figures = documents.iter().flatten().any(ImportedDocument::has_figures);
    for (index, of_file) in documents.iter().enumerate() {
        for document in of_file {
            let is_said_to_have = index >= request.files.len() || document.file.target.is_some();
            if let FileContent::Nothing(problem) = &document.content
                && (is_said_to_have || !any_figures)
            {
                return Err(problem.clone());
            }
        }
    }
    Ok(())
}

/// A study says that the files that it names are its figures: one of which outputs or tables are not read is refused,
/// with the reason. An output that is named by its number stands for itself.
fn refuse_files_read_in_part(documents: &[Vec<ImportedDocument>], request: &ImportRequest) -> Result<(), Problem> {
    for of_file in documents.iter().skip(request.files.len()) {
        for document in of_file.iter().filter(|document| document.file.output.is_none()) {
            if let FileContent::NotRead(parts) = &document.content {
                let name = document.file.display_name();
                let what = format!("{name}, which the study names, is read in part only: {}", parts.join("; "));
                return Err(Problem::usage_error(what).hint(
                    "name its outputs by their numbers, as FILE#1, or write what is not read into a table (CSV)",
                ));
            }
        }
    }
    Ok(())
}

/// Whether logs have a column of retries: none where no output tells, or where outputs differ.
fn has_retries_column<'d>(documents: impl Iterator<Item = &'d ImportedDocument>) -> Option<bool> {
    let mut told = documents.filter_map(|document| match &document.content {
        FileContent::Runs(runs) => {
            Some(runs.iter().filter(|run| run.part == TrialPart::Whole).map(|run| run.has_retries))
        }
        _ => None,
    });
    let mut all = told.by_ref().flatten();
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// What a file holds, with its place among the files.
type PlacedDocuments = (usize, Vec<ImportedDocument>);

/// Reads several files, as many at a time as there are CPUs.
fn in_parallel(
    logs: &[(usize, FileKind)],
    read: impl Fn(FileKind, usize) -> Result<Vec<ImportedDocument>, Problem> + Sync,
) -> Result<Vec<PlacedDocuments>, Problem> {
    let workers = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let share = logs.len().div_ceil(workers).max(1);
    let parts: Vec<Result<Vec<PlacedDocuments>, Problem>> = std::thread::scope(|scope| {
        let read = &read;
        let part = |part: &[(usize, FileKind)]| part.iter().map(|(at, kind)| Ok((*at, read(*kind, *at)?))).collect();
        let started: Vec<_> = logs.chunks(share).map(|logs| scope.spawn(move || part(logs))).collect();
        started.into_iter().map(|worker| worker.join().expect("reading does not panic")).collect()
    });
    let mut documents = Vec::new();
    for part in parts {
        documents.extend(part?);
    }
    Ok(documents)
}
