//! Outputs whose formats crate `outputs` knows, as documents.

use outputs::output_format::{OutputFigures, OutputFormat, RunFigures, StorageJob};
use problem::Problem;
use results::told::ToldStorage;

use super::between::OutputSurroundings;
use super::found::{FileContent, FoundCommon, FoundTrial, ImportedDocument, ImportedRows};
use super::source_file::SourceFile;

/// Reads an output in one of the formats that are known.
///
/// # Errors
/// At the first line that is not as the program writes it.
pub(crate) fn read_output(
    file: &SourceFile,
    format: &dyn OutputFormat,
    text: &str,
) -> Result<ImportedDocument, Problem> {
    let figures = format.read_figures(text).map_err(|error| file.problem_at_line(error.line, error.problem))?;
    let OutputFigures { program_version, notes, runs, storage_jobs } = figures;
    let trials: Vec<FoundTrial> = runs.into_iter().map(|run| found_trial(file, run)).collect();
    let content = if storage_jobs.is_empty() && !trials.is_empty() {
        FileContent::Runs(trials)
    } else {
        let storage = storage_jobs.into_iter().map(|job| storage_row(file, job)).collect();
        FileContent::Table(ImportedRows { trials, storage, ..ImportedRows::default() })
    };
    Ok(ImportedDocument { file: file.clone(), tool: format.program_name(), version: program_version, notes, content })
}

/// A run of a target that is given, or that the file names.
fn found_trial(file: &SourceFile, run: RunFigures) -> FoundTrial {
    let common = FoundCommon {
        target: file.target.clone().or(run.target),
        workload: run.workload,
        clients: run.clients,
        surroundings: OutputSurroundings { version: run.server_version, ..OutputSurroundings::default() }.into(),
        started_s: run.started_s,
        aborted: run.aborted,
        ..FoundCommon::default()
    };
    FoundTrial { line: run.line, common: common.into(), told: run.told, ..FoundTrial::default() }
}

/// A job of a target that is given, or named by the heading above it, or by the file.
fn storage_row(file: &SourceFile, job: StorageJob) -> ToldStorage {
    ToldStorage {
        target: file.target.clone().or(job.heading).unwrap_or_else(|| file.file_stem()),
        source: format!("{}:{}", file.display_name(), file.line_in_file(job.line)),
        ..job.told
    }
}
