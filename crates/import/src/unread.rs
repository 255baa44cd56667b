//! Outputs that people publish and that are not read: each is told by its tool's name, with what to do, in one line.

use super::server_log;
use super::source_file::SourceFile;
use outputs::formats::recognised_format;
use outputs::unread_outputs::{UnreadOutputs, find_unread_outputs};
use problem::Problem;
use serde_json::{Deserializer, Value};

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
    let no_text = NO_TEXT.iter().find(|(begin, _)| text.starts_with(begin)).map(|(_, what)| *what);
    let what = if let Some(what) = no_text {
        format!("is {what}: extract its text first")
    } else if is_unknown_json(head, text) {
        "is JSON of an unknown tool: write its figures into a table (CSV)".to_owned()
    } else if is_job_file_of_fio(text) {
        "is a job file of fio, which says what to measure: give what fio printed (--output-format=json)".to_owned()
    } else {
        return None;
    };
    Some(Problem::usage_error(format!("{} {what}", file.display_name())))
}

/// Whether a file that begins like this is JSON of no tool that is known. What begins with `[` may be a log.
fn is_unknown_json(head: &str, text: &str) -> bool {
    if !text.starts_with(['{', '[']) || text.contains("\"fio version\"") {
        return false;
    }
    if server_log::recognise_log_format(head).is_some() || recognised_format(head).is_some() {
        return false;
    }
    match Deserializer::from_str(text).into_iter::<Value>().next() {
        Some(Ok(_)) => true,
        // The begin of a file ends somewhere in its document.
        Some(Err(error)) => error.is_eof(),
        None => false,
    }
}

/// Whether a text is a job file of fio: sections with options, of which one says what to read or write.
fn is_job_file_of_fio(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(['#', ';']));
    let begins_section = first.is_some_and(|line| line.starts_with('[') && line.ends_with(']'));
    begins_section
        && text.lines().any(|line| {
            let option = line.split_once('=').map(|(name, _)| name.trim());
            matches!(option, Some("rw" | "readwrite" | "ioengine"))
        })
}

/// That all outputs of a file are of kinds that are not read, with what its author may do.
pub(crate) fn unread_outputs_problem(file: &SourceFile, text: &str) -> Option<Problem> {
    let found = find_unread_outputs(text);
    let first = found.first()?;
    let words: Vec<String> = found.iter().map(UnreadOutputs::in_words).collect();
    Some(Problem::usage_error(format!("{} holds {}", file.display_name(), words.join("; "))).hint(first.advice))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn json_is_said_of_json_alone() {
        let file = SourceFile::from_path(PathBuf::from("x"));
        for (text, expected) in [
            ("{\"a\": 1}", Some("JSON of an unknown tool")),
            ("[1, 2, {\"a\": ", Some("JSON of an unknown tool")),
            ("[2026-11-20 12:00:00] begin\n", None),
            ("[pod-1] words\n", None),
            ("{{ template }}", None),
            ("[global]\nioengine=libaio\n[wal]\nrw=write\n", Some("a job file of fio")),
            ("[section]\nkey=value\n", None),
        ] {
            let found = unsupported_file_problem(&file, text).map(|problem| problem.primary_message().to_owned());
            assert_eq!(found.is_some(), expected.is_some(), "{text}: {found:?}");
            assert!(found.unwrap_or_default().contains(expected.unwrap_or_default()), "{text}");
        }
    }

    #[test]
    fn a_file_of_outputs_that_are_not_read_says_which_and_what_to_do() {
        let file = SourceFile::from_path(PathBuf::from("x"));
        let terse = format!("3;fio-3.33;wal{}\n", ";0".repeat(120));
        let problem = unread_outputs_problem(&file, &terse).expect("a line of fio");
        let said =
            "x holds 1 output of fio in its terse format (at line 1): not read, because its fields have no names";
        assert!(problem.primary_message().starts_with(said), "{problem}");
        assert!(unread_outputs_problem(&file, "words\n").is_none());
    }
}
