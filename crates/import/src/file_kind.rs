//! The kinds of files, recognised by what they hold, and who reads each.

use std::io::{BufRead, Read};

use results::log::LogFormat;

use super::found::{FileContent, ImportedDocument};
use super::layout::Meanings;
use super::source_file::SourceFile;
use super::{fio, html_page, page, pgbench, pgbench_log, server_log, study, sysbench, table, unread, whole_output};
use outputs::fio_log::{FioLogKind, LogName};
use outputs::fio_text;
use outputs::formats::recognised_format;
use outputs::output_format::OutputFormat;
use problem::Problem;

/// What is read at once at most: outputs and tables are far smaller; logs are not read at once.
const BYTES_MAX: u64 = 256 << 20;

/// What kind of file it is.
#[derive(Clone, Copy)]
pub(crate) enum FileKind {
    /// Conditions.
    Study,
    Table,
    /// Outputs of tools, maybe of several, among which other text may stand.
    Outputs,
    /// One of pgbench's logs.
    PgbenchLog(pgbench_log::PgbenchLogKind),
    /// fio's JSON.
    Fio,
    /// One of fio's logs.
    FioLog(FioLogKind),
    ServerLog(LogFormat),
    /// A page of HTML.
    Html,
}

/// Whose output a text holds.
#[derive(Clone, Copy)]
pub(crate) enum OutputKind {
    /// fio's normal output.
    FioText,
    /// An output in one of the formats of crate `outputs`.
    Format(&'static dyn OutputFormat),
    Pgbench,
    Sysbench,
}

/// What a file is found to be.
pub(crate) enum RecognisedFile {
    /// A file of a known kind.
    OfKind(FileKind),
    /// A file in which nothing is read; the problem says why.
    WithoutFigures(Problem),
}

/// Recognises a file by its begin, and fio's logs, which are numbers only, by their names.
///
/// # Errors
/// When it is empty, or a table of which one column only is known.
pub(crate) fn recognise_file_kind(file: &SourceFile, meanings: &Meanings) -> Result<RecognisedFile, Problem> {
    let mut reader = file.open()?;
    let head = reader.fill_buf().map_err(|error| file.unreadable_file_problem(&error))?;
    if head.iter().all(u8::is_ascii_whitespace) {
        return Err(Problem::usage_error(format!("{} is empty", file.display_name())));
    }
    let text = String::from_utf8_lossy(head);
    let name = file.path.file_name().map_or(String::new(), |name| name.to_string_lossy().to_lowercase());
    let name = name.trim_end_matches(".gz");
    if let Some(problem) = unread::unsupported_file_problem(file, &text) {
        return Ok(RecognisedFile::WithoutFigures(problem));
    }
    if html_page::looks_like_html(&text) {
        return Ok(RecognisedFile::OfKind(FileKind::Html));
    }
    let kinds = [
        LogName::parse(name).map(|name| FileKind::FioLog(name.kind)),
        fio::looks_like_output(&text).then_some(FileKind::Fio),
        fio_text::looks_like_output(&text).then_some(FileKind::Outputs),
        recognised_format(&text).map(|_| FileKind::Outputs),
        server_log::recognise_log_format(&text).map(FileKind::ServerLog),
        pgbench_log::recognise_log_kind(&text).map(FileKind::PgbenchLog),
        pgbench::looks_like_output(&text).then_some(FileKind::Outputs),
        sysbench::looks_like_output(&text).then_some(FileKind::Outputs),
        table::looks_like_one(&text, meanings).then_some(FileKind::Table),
    ];
    if let Some(kind) = kinds.into_iter().flatten().next() {
        return Ok(RecognisedFile::OfKind(kind));
    }
    match table::partly_known(&text) {
        Some(columns) => Err(partly_known_problem(file, columns)),
        None => Ok(RecognisedFile::WithoutFigures(unknown_kind_problem(file, &text))),
    }
}

/// The kinds of outputs that a text holds, among which other text may stand.
pub(crate) fn kinds_of_outputs(text: &str) -> Vec<OutputKind> {
    let kinds = [
        fio_text::looks_like_output(text).then_some(OutputKind::FioText),
        recognised_format(text).map(OutputKind::Format),
        pgbench::looks_like_output(text).then_some(OutputKind::Pgbench),
        sysbench::looks_like_output(text).then_some(OutputKind::Sysbench),
    ];
    kinds.into_iter().flatten().collect()
}

/// Reads the outputs of one kind in a text.
///
/// # Errors
/// When one is not as its tool prints it.
pub(crate) fn read_output_text(file: &SourceFile, kind: OutputKind, text: &str) -> Result<ImportedDocument, Problem> {
    match kind {
        OutputKind::FioText => fio::read_text(file, text),
        OutputKind::Format(format) => whole_output::read_output(file, format, text),
        OutputKind::Pgbench => pgbench::read_pgbench_output(file, text),
        OutputKind::Sysbench => sysbench::read_sysbench_output(file, text),
    }
}

/// A document of a file in which nothing is read, of which `problem` says why.
pub(crate) fn document_without_figures(file: &SourceFile, problem: Problem) -> ImportedDocument {
    let content = FileContent::Nothing(problem);
    ImportedDocument { file: file.clone(), tool: "text", version: None, notes: Vec::new(), content }
}

/// Reads a file of a known kind, and of a page all that stands on it; `meanings` is what a study says of columns,
/// `retries` whether transactions of logs could be tried again, where that is known.
///
/// # Errors
/// When it is not as its kind is.
pub(crate) fn read_documents(
    file: &SourceFile,
    kind: FileKind,
    retries: Option<bool>,
    meanings: &Meanings,
) -> Result<Vec<ImportedDocument>, Problem> {
    let reader = file.open()?;
    let document = match kind {
        FileKind::Outputs => return page::read_text_page(file, &read_whole_text(file, reader)?, meanings),
        FileKind::Html => return page::read_html_page(file, &read_whole_text(file, reader)?, meanings),
        FileKind::Study => {
            let content = FileContent::Study(study::read_study(file, &read_whole_text(file, reader)?)?);
            Ok(ImportedDocument { file: file.clone(), tool: "study", version: None, notes: Vec::new(), content })
        }
        FileKind::Table => table::read_tables(file, &read_whole_text(file, reader)?, meanings),
        FileKind::PgbenchLog(pgbench_log::PgbenchLogKind::Transactions(count)) => {
            pgbench_log::read_transactions(file, reader, pgbench_log::transaction_log_columns(count, retries))
        }
        FileKind::PgbenchLog(pgbench_log::PgbenchLogKind::Aggregates) => pgbench_log::read_aggregates(file, reader),
        FileKind::Fio => fio::read_fio_output(file, &read_whole_text(file, reader)?),
        FileKind::ServerLog(format) => server_log::read_server_log(file, &read_whole_text(file, reader)?, format),
        FileKind::FioLog(kind) => Ok(fio::fio_log_document(file, kind)),
    };
    Ok(vec![document?])
}

/// The whole of a file as text.
fn read_whole_text(file: &SourceFile, reader: Box<dyn BufRead + Send>) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    reader.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|error| file.unreadable_file_problem(&error))?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(Problem::usage_error(format!("{} has more than {} MiB", file.display_name(), BYTES_MAX >> 20))
            .detail("only logs of transactions and of fio may be larger")
            .hint("check that it is an output or a table"));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => {
            let line = bytes[..error.valid_up_to()].iter().filter(|&&b| b == b'\n').count() + 1;
            let byte = bytes[error.valid_up_to()];
            Err(file
                .problem_at_line(line, format!("byte {byte:#04x} is not UTF-8"))
                .hint("convert the file with iconv"))
        }
    }
}

fn partly_known_problem(file: &SourceFile, (known, unknown): (String, Vec<String>)) -> Problem {
    Problem::usage_error(format!("{}: {known:?} is the only known column of its table", file.display_name()))
        .detail(format!("unknown columns: {}", unknown.join(", ")))
        .hint(format!(
            "declare their meaning and target in a study, as columns: {{ {:?}: {{ tells: tps, target: NAME }} }}",
            unknown[0]
        ))
}

fn unknown_kind_problem(file: &SourceFile, head: &str) -> Problem {
    let first = head.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let shown: String = first.trim().chars().take(60).collect();
    Problem::usage_error(format!(
        "{}: unknown kind of file: it begins with {shown:?}, and contains no known output, log or table",
        file.display_name()
    ))
}
