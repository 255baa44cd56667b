//! The kinds of files, recognised by what they hold, and who reads each.

use std::io::{BufRead, Read};

use results::log::LogFormat;

use super::found::{FileContent, ImportedDocument};
use super::grid::Grid;
use super::layout::{self, Meanings};
use super::page_text::PageText;
use super::plain_text::{self, TextEncoding};
use super::source_file::SourceFile;
use super::{
    arrangement, fio, grid, html_page, page, pgbench, pgbench_log, server_log, study, sysbench, table, unread,
    whole_output,
};
use outputs::fio_log::{FioLogKind, LogName};
use outputs::fio_text;
use outputs::formats::{formats_in_text, recognised_format};
use outputs::output_format::OutputFormat;
use outputs::unread_outputs::looks_like_table;
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
    /// fio's JSON, maybe with outputs of other tools.
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
    /// fio's JSON.
    FioJson,
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

/// Recognises a file by its begin, by what stands further down where that is prose, and fio's logs, which are numbers
/// only, by their names.
///
/// # Errors
/// When it is empty.
pub(crate) fn recognise_file_kind(file: &SourceFile, meanings: &Meanings) -> Result<RecognisedFile, Problem> {
    let mut reader = file.open()?;
    let head = reader.fill_buf().map_err(|error| file.unreadable_file_problem(&error))?;
    if head.iter().all(u8::is_ascii_whitespace) {
        return Err(Problem::usage_error(format!("{} is empty", file.display_name())));
    }
    let encoding = TextEncoding::of_head(head);
    let text = encoding.decode_lossily(head);
    let head_bytes = head.len();
    let end_of_head = head[head_bytes.saturating_sub(OVERLAP_BYTES)..].to_vec();
    let has_outputs = holds_prefixed_outputs(&text);
    let name = file.path.file_name().map_or(String::new(), |name| name.to_string_lossy().to_lowercase());
    let name = name.trim_end_matches(".gz");
    // What stands before the lines of an output may look like JSON: `[pod]`.
    if !has_outputs && let Some(problem) = unread::unsupported_file_problem(file, &text) {
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
        has_outputs.then_some(FileKind::Outputs),
        // Below the tables of a page outputs may stand; a table of values separated by commas is nothing else.
        holds_known_grid(file, &text, meanings).then_some(FileKind::Outputs),
        is_table(file, &text, meanings).then_some(FileKind::Table),
    ];
    if let Some(kind) = kinds.into_iter().flatten().next() {
        return Ok(RecognisedFile::OfKind(kind));
    }
    reader.consume(head_bytes);
    if holds_outputs_further_down(file, reader, end_of_head, encoding, meanings)? {
        return Ok(RecognisedFile::OfKind(FileKind::Outputs));
    }
    if let Some(problem) = unread::unread_outputs_problem(file, &text) {
        return Ok(RecognisedFile::WithoutFigures(problem));
    }
    let problem = match table::partly_known(&text) {
        Some(columns) => partly_known_problem(file, columns),
        None => {
            let grids = grid::page_grids(file, &text).unwrap_or_default();
            unread_tables_problem(file, &arrangement::arrange_grids(grids, meanings))
                .unwrap_or_else(|| unknown_kind_problem(file, &text))
        }
    };
    Ok(RecognisedFile::WithoutFigures(problem))
}

/// Whether a text is a table, and no output in the form of one.
fn is_table(file: &SourceFile, text: &str, meanings: &Meanings) -> bool {
    !looks_like_table(text) && table::looks_like_one(file, text, meanings)
}

/// Whether a text holds outputs, maybe behind prefixes such as those of logs of containers.
fn holds_prefixed_outputs(text: &str) -> bool {
    let page = PageText::from_lines(text, None);
    !kinds_of_outputs(&page.text).is_empty()
}

/// Whether a text holds a table of figures among other text.
fn holds_known_grid(file: &SourceFile, text: &str, meanings: &Meanings) -> bool {
    // A table that cannot be read is one, too: where it is read as a whole, that is said with its line.
    let Ok(grids) = grid::page_grids(file, text) else { return false };
    let first = text.lines().position(|line| !line.trim().is_empty()).map_or(0, |line| line + 1);
    grids.into_iter().any(|grid| {
        // A text that begins with columns between blanks is a table and nothing else.
        let is_whole = grid.line == first && !text.contains('|') && !text.contains('<');
        !is_whole && layout::is_table_of_figures(&arrangement::arrange_grid(grid, meanings), meanings)
    })
}

/// Why none of these tables is read, if one of them has figures.
pub(crate) fn unread_tables_problem(file: &SourceFile, grids: &[Grid]) -> Option<Problem> {
    let (grid, reason) = grids.iter().find_map(|grid| Some((grid, arrangement::reason_not_arranged(grid)?)))?;
    let columns: Vec<&str> = grid.header.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
    Some(
        Problem::usage_error(format!("{}, {reason}", file.display_name()))
            .detail(format!("its columns are {}", columns.join(", ")))
            .hint(file.propose_hint()),
    )
}

/// How much of a file is looked at at once behind its begin.
const PART_BYTES: u64 = 64 << 10;

/// What is looked at again with the part that comes next, so that a report on both sides of a border is found.
const OVERLAP_BYTES: usize = 8 << 10;

/// Whether outputs or tables stand in the rest of a file behind `part`, which is read once, a part at a time.
fn holds_outputs_further_down(
    file: &SourceFile,
    mut reader: Box<dyn BufRead + Send>,
    mut part: Vec<u8>,
    encoding: TextEncoding,
    meanings: &Meanings,
) -> Result<bool, Problem> {
    loop {
        let begin = part.len().saturating_sub(OVERLAP_BYTES) & !1;
        part.drain(..begin);
        let read = reader
            .by_ref()
            .take(PART_BYTES)
            .read_to_end(&mut part)
            .map_err(|error| file.unreadable_file_problem(&error))?;
        if read == 0 {
            return Ok(false);
        }
        let text = encoding.decode_lossily(&part);
        let is_found = !kinds_of_outputs(&text).is_empty()
            || holds_prefixed_outputs(&text)
            || holds_known_grid(file, &text, meanings);
        if is_found {
            return Ok(true);
        }
    }
}

/// The kinds of outputs that a text holds, among which other text may stand.
pub(crate) fn kinds_of_outputs(text: &str) -> Vec<OutputKind> {
    let mut kinds = Vec::new();
    kinds.extend(fio::looks_like_output(text).then_some(OutputKind::FioJson));
    kinds.extend(fio_text::looks_like_output(text).then_some(OutputKind::FioText));
    kinds.extend(formats_in_text(text).map(OutputKind::Format));
    kinds.extend(pgbench::looks_like_output(text).then_some(OutputKind::Pgbench));
    kinds.extend(sysbench::looks_like_output(text).then_some(OutputKind::Sysbench));
    kinds
}

/// The outputs of one kind in a text.
pub(crate) struct OutputsOfKind {
    pub document: ImportedDocument,
    /// Those that could not be read beside others, one line each with the reason.
    pub not_read: Vec<String>,
}

/// Reads the outputs of one kind in a text.
///
/// # Errors
/// When none is as its tool prints it, or when what is not may be of several runs at once.
pub(crate) fn read_output_text(file: &SourceFile, kind: OutputKind, text: &str) -> Result<OutputsOfKind, Problem> {
    let document = match kind {
        OutputKind::FioJson => return fio::read_fio_output(file, text),
        OutputKind::Pgbench => return pgbench::read_pgbench_output(file, text),
        OutputKind::FioText => fio::read_text(file, text)?,
        OutputKind::Format(format) => whole_output::read_output(file, format, text)?,
        OutputKind::Sysbench => sysbench::read_sysbench_output(file, text)?,
    };
    Ok(OutputsOfKind { document, not_read: Vec::new() })
}

/// A document of what is not read of a file, one line for each part.
pub(crate) fn document_of_unread_parts(file: &SourceFile, parts: Vec<String>) -> ImportedDocument {
    let content = FileContent::NotRead(parts);
    ImportedDocument { file: file.clone(), tool: "text", version: None, notes: Vec::new(), content }
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
        FileKind::Outputs | FileKind::Fio => {
            return page::read_text_page(file, &read_whole_text(file, reader)?, meanings);
        }
        FileKind::Html => return page::read_html_page(file, &read_whole_text(file, reader)?, meanings),
        FileKind::Study => {
            let content = FileContent::Study(study::read_study(file, &read_whole_text(file, reader)?)?);
            Ok(ImportedDocument { file: file.clone(), tool: "study", version: None, notes: Vec::new(), content })
        }
        FileKind::Table => return table::read_tables(file, read_whole_text(file, reader)?, meanings),
        FileKind::PgbenchLog(pgbench_log::PgbenchLogKind::Transactions(count)) => {
            pgbench_log::read_transactions(file, reader, pgbench_log::transaction_log_columns(count, retries))
        }
        FileKind::PgbenchLog(pgbench_log::PgbenchLogKind::Aggregates) => pgbench_log::read_aggregates(file, reader),
        FileKind::ServerLog(format) => server_log::read_server_log(file, &read_whole_text(file, reader)?, format),
        FileKind::FioLog(kind) => Ok(fio::fio_log_document(file, kind)),
    };
    Ok(vec![document?])
}

/// The whole of a file as text.
///
/// # Errors
/// When it cannot be read, is no text, or is larger than outputs and tables are.
pub(crate) fn read_text_of_file(file: &SourceFile) -> Result<String, Problem> {
    read_whole_text(file, file.open()?)
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
    plain_text::decode_file(file, bytes)
}

fn partly_known_problem(file: &SourceFile, (known, unknown): (String, Vec<String>)) -> Problem {
    Problem::usage_error(format!("{}: {known:?} is the only known column of its table", file.display_name()))
        .detail(format!("unknown columns: {}", unknown.join(", ")))
        .hint(format!(
            "declare their meaning and target in a study, as columns: {{ {:?}: {{ tells: tps, target: NAME }} }}; {}",
            unknown[0],
            file.propose_hint()
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
