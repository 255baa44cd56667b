//! Every reader against what nobody has written: arbitrary bytes, and published files that were cut and changed.

use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use proptest::prelude::*;
use results::log::LogFormat;

use crate::file_kind;
use crate::found::{FileContent, ImportedDocument};
use crate::html_page;
use crate::layout::Meanings;
use crate::line_prefix;
use crate::page;
use crate::pgbench_log;
use crate::plain_text;
use crate::server_log;
use crate::source_file::SourceFile;
use crate::study;
use crate::table;
use crate::{ImportRequest, audit_study, propose_study};
use problem::Problem;

/// Reads bytes with every reader that takes a text.
fn read_with_every_reader(bytes: &[u8]) {
    let file = SourceFile::from_path(PathBuf::from("x.md"));
    let Ok(text) = plain_text::decode_file(&file, bytes.to_vec()) else { return };
    file_kind::kinds_of_outputs(&text);
    line_prefix::without_prefixes(&text);
    let html = html_page::read_page(&text);
    assert_eq!(html.text.lines().count(), html.lines.len(), "each line of a page is from one of its file");
    let mut meanings = Meanings::default();
    if let Ok(study) = study::read_study(&file, &text) {
        meanings.add_study(&study);
    }
    check_answer(&page::read_text_page(&file, &text, &meanings));
    check_answer(&page::read_html_page(&file, &text, &meanings));
    check_answer(&table::read_tables(&file, text.clone(), &meanings));
    read_as_logs(&file, &text);
}

/// Reads a text as each log that a benchmark leaves, whatever it looks like. What they make of it does not matter here.
fn read_as_logs(file: &SourceFile, text: &str) {
    for count in 6..=8 {
        for retries in [None, Some(false), Some(true)] {
            let columns = pgbench_log::transaction_log_columns(count, retries);
            pgbench_log::read_transactions(file, text.as_bytes(), columns).ok();
        }
    }
    pgbench_log::read_aggregates(file, text.as_bytes()).ok();
    for format in [LogFormat::Stderr, LogFormat::Csvlog, LogFormat::Jsonlog] {
        server_log::read_server_log(file, text, format).ok();
    }
}

/// Audits a file of this name from its bytes to the last check, and proposes a study for it.
fn audit_as_file(name: &str, bytes: &[u8]) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(name);
    fs::write(&path, bytes).expect("written");
    let request = ImportRequest { files: vec![path], ..ImportRequest::default() };
    if let Err(problem) = audit_study(&request, Timestamp::UNIX_EPOCH) {
        assert!(!problem.primary_message().trim().is_empty());
    }
    if let Err(problem) = propose_study(&request, None) {
        assert!(!problem.primary_message().trim().is_empty());
    }
}

/// Names by which a file may be of another kind than by its content.
const NAMES: [&str; 6] = ["x.txt", "x.md", "x.csv", "x.html", "x.study.yaml", "stage_lat.1.log"];

/// Where there is nothing to be read, a reader says why.
fn check_answer(answer: &Result<Vec<ImportedDocument>, Problem>) {
    match answer {
        Err(problem) => assert!(!problem.primary_message().trim().is_empty()),
        Ok(documents) => {
            let is_answer = documents
                .iter()
                .any(|document| document.has_figures() || matches!(document.content, FileContent::Nothing(_)));
            assert!(is_answer, "neither figures nor a reason: {documents:?}");
        }
    }
}

fn add_examples(folder: &Path, examples: &mut Vec<Vec<u8>>) {
    let entries = fs::read_dir(folder).expect("the studies");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            add_examples(&path, examples);
        } else if !path.ends_with("TRUTH.txt") {
            let bytes = fs::read(&path).expect("a file of a study");
            examples.push(bytes[..bytes.len().min(LENGTH_MAX)].to_vec());
        }
    }
}

/// So much of a file has all of its forms.
const LENGTH_MAX: usize = 4000;

fn published_files() -> Vec<Vec<u8>> {
    let mut examples = Vec::new();
    add_examples(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/published"), &mut examples);
    examples
}

/// What is put into a file: what parts fields, cells, pages and numbers.
const PIECES: [&str; 40] = [
    "|",
    "\n",
    "\t",
    ",",
    ";",
    "  ",
    "\r",
    "```\n",
    "# ",
    "## Run 2\n",
    "|---|---|\n",
    "+---+\n",
    "<td>",
    "</table>",
    "<table><tr>",
    "<td rowspan=99999999>",
    "<td colspan=0>",
    "<pre>",
    "&#0;",
    "0",
    "-1",
    "1e999",
    "NaN",
    "1,234.5",
    "12.345,6",
    " ms",
    " kTPS",
    " %",
    "→",
    "±",
    "TPS",
    "clients",
    "latency average = ",
    "tps = ",
    "{",
    "\"jobs\": [",
    "columns:\n",
    "é",
    "\u{0}",
    "\u{feff}",
];

/// A place in a file as a share of its length, how many bytes are taken out there, and the piece that is put there.
type Change = (f64, usize, usize);

fn changed_file(mut bytes: Vec<u8>, length: f64, changes: &[Change]) -> Vec<u8> {
    bytes.truncate((bytes.len() as f64 * length) as usize);
    for (place, taken, piece) in changes {
        let at = (bytes.len() as f64 * place) as usize;
        let end = (at + taken).min(bytes.len());
        bytes.splice(at..end, PIECES[*piece].bytes());
    }
    bytes
}

proptest! {
    #[test]
    fn no_reader_panics_at_arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_with_every_reader(&bytes);
    }

    #[test]
    fn no_reader_panics_at_pieces_of_tables_and_pages(
        pieces in prop::collection::vec(0..PIECES.len(), 0..60),
    ) {
        let text: String = pieces.into_iter().map(|piece| PIECES[piece]).collect();
        read_with_every_reader(text.as_bytes());
    }

    #[test]
    fn no_reader_panics_at_published_files_that_were_cut_and_changed(
        bytes in prop::sample::select(published_files()),
        length in 0.0..=1.0,
        changes in prop::collection::vec((0.0..1.0, 0_usize..40, 0..PIECES.len()), 0..8),
    ) {
        read_with_every_reader(&changed_file(bytes, length, &changes));
    }

    #[test]
    fn no_audit_panics_at_published_files_that_were_cut_and_changed(
        bytes in prop::sample::select(published_files()),
        name in prop::sample::select(NAMES.to_vec()),
        length in 0.0..=1.0,
        changes in prop::collection::vec((0.0..1.0, 0_usize..40, 0..PIECES.len()), 0..8),
    ) {
        audit_as_file(name, &changed_file(bytes, length, &changes));
    }
}
