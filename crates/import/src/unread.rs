//! Outputs that people publish and that are not read: each is told by its tool's name, with what to do, in one line.

use super::server_log;
use super::source_file::SourceFile;
use outputs::formats::recognised_format;
use problem::Problem;

/// How files begin that hold no text, and what they are.
const NO_TEXT: [(&str, &str); 7] = [
    ("\u{fffd}PNG", "a PNG image"),
    ("%PDF-", "a PDF"),
    ("PK\u{3}\u{4}", "a ZIP archive or a spreadsheet"),
    ("\u{fffd}7zXZ\0", "packed with xz"),
    ("(\u{fffd}/\u{fffd}", "packed with zstd"),
    ("BZh", "packed with bzip2"),
    ("\u{fffd}\u{fffd}\u{fffd}", "an image"),
];

/// What a file is that is known and not read.
pub(crate) fn unsupported_file_problem(file: &SourceFile, head: &str) -> Option<Problem> {
    let text = head.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']);
    let is_json = || {
        text.starts_with(['{', '['])
            && !text.contains("\"fio version\"")
            && server_log::recognise_log_format(head).is_none()
            && recognised_format(head).is_none()
    };
    let no_text = NO_TEXT.iter().find(|(begin, _)| text.starts_with(begin)).map(|(_, what)| *what);
    let what = if let Some(what) = no_text {
        format!("is {what}: extract its text first")
    } else if is_json() {
        "is JSON of an unknown tool: write its figures into a table (CSV)".to_owned()
    } else {
        return None;
    };
    Some(Problem::usage_error(format!("{} {what}", file.display_name())))
}
