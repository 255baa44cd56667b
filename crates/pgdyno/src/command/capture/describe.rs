//! `capture describe`: what is in a capture, as a page for the terminal.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use capture::describe::{CaptureDescription, DescribedStatement, describe_capture, sample_values};
use capture::parts_in_words;

use super::{directory_problem, documents, open_capture};
use crate::command::Manner;
use problem::{CommandStatus, Problem};

/// Statements and classes that the page has.
const ROWS: usize = 20;
/// Values that `--redaction` prints.
const SAMPLES: usize = 10;
/// Characters of a text on the page.
const TEXT_WIDTH: usize = 90;

/// Prints the description, or samples of the values.
pub(super) fn describe_directory(directory: &Path, redaction: bool, manner: Manner) -> Result<CommandStatus, Problem> {
    let reader = open_capture(directory)?;
    if redaction {
        let samples = sample_values(&reader, SAMPLES).map_err(|error| directory_problem(&error))?;
        if manner.json {
            return documents::print_bytes(documents::pretty_json(&samples).as_bytes());
        }
        let mut text = String::new();
        for (statement, value) in samples {
            let of = reader.statement_by_id(statement).map(|statement| statement.text.as_str()).unwrap_or_default();
            writeln!(text, "{}  in  {}", shorten_text(&value), shorten_text(of)).expect("a string grows");
        }
        return documents::print_bytes(text.as_bytes());
    }
    let description = describe_capture(&reader).map_err(|error| directory_problem(&error))?;
    if manner.json {
        return documents::print_bytes(documents::pretty_json(&description).as_bytes());
    }
    documents::print_bytes(description_page(&description).as_bytes())
}

fn description_page(description: &CaptureDescription) -> String {
    let summary = &description.summary;
    let mut page = String::new();
    for source in &summary.sources {
        if source.files.is_empty() {
            page.push_str(&format!("source        {}\n", source.kind));
            continue;
        }
        let bytes: u64 = source.files.iter().map(|file| file.bytes).sum();
        page.push_str(&format!("source        {}, {} files, {bytes} bytes\n", source.kind, source.files.len()));
    }
    if let (Some(begin), Some(end)) = (summary.begin, summary.end) {
        page.push_str(&format!("period        {begin} to {end}\n"));
    }
    if let Some(version) = &summary.server_version {
        page.push_str(&format!("server        PostgreSQL {version}\n"));
    }
    if !summary.complete {
        page.push_str("not complete  the capture did not come to its end\n");
    }
    if let Some(torn) = &description.torn {
        page.push_str(&format!("broken off    {torn}\n"));
    }
    page.push_str(&format!(
        "sessions      {}\ntransactions  {}\nevents        {}\nstatements    {}\n",
        summary.sessions,
        summary.transactions,
        description.events,
        description.statements.len()
    ));
    for (title, counts) in [("database", &summary.databases), ("user", &summary.users)] {
        for (name, count) in counts {
            page.push_str(&format!("{title:<14}{name}: {count} statements executed\n"));
        }
    }
    page.push_str("\nStatements by time\n     calls        time ms  failed  writes  statement\n");
    for statement in description.statements.iter().take(ROWS) {
        page.push_str(&statement_row(statement));
    }
    page.push_str("\nTransactions by class (×n: a loop)\n     count  statements\n");
    let kinds: BTreeMap<u64, &str> =
        description.statements.iter().map(|statement| (statement.id, statement.kind.as_str())).collect();
    for class in description.classes.iter().take(ROWS) {
        let words =
            parts_in_words(&class.statements, &|id| format!("{id} {}", kinds.get(&id).copied().unwrap_or_default()));
        page.push_str(&format!("{:>10}  {words}\n", class.transactions));
    }
    write_gaps(description, &mut page);
    page
}

fn write_gaps(description: &CaptureDescription, page: &mut String) {
    if !description.not_replayed.is_empty() {
        page.push_str("\nNot replayed\n");
        for (reason, count) in &description.not_replayed {
            page.push_str(&format!("{count:>10}  {reason}\n"));
        }
    }
    if !description.summary.losses.is_empty() {
        page.push_str("\nMissing\n");
        for loss in &description.summary.losses {
            page.push_str(&format!("{:>10}  {}, first at {}\n", loss.count, loss.reason, loss.first));
        }
    }
}

fn statement_row(statement: &DescribedStatement) -> String {
    let time = if statement.timed > 0 {
        format!("{}.{:03}", statement.time_us / 1000, statement.time_us % 1000)
    } else {
        "-".to_owned()
    };
    let writes = if statement.writes { "yes" } else { "no" };
    format!(
        "{:>10}  {time:>13}  {:>6}  {writes:>6}  {} {}\n",
        statement.calls,
        statement.failures,
        statement.id,
        shorten_text(&statement.text)
    )
}

/// One line of so many characters at most.
fn shorten_text(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    if line.chars().count() <= TEXT_WIDTH {
        return line;
    }
    let mut short: String = line.chars().take(TEXT_WIDTH - 1).collect();
    short.push('…');
    short
}
