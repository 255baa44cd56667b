//! The whole report on a terminal: headline, findings, verdict table, remarks, issues. Its begin is `first_screen`.

use std::fmt::Write as _;

use comfy_table::{Cell, CellAlignment, Color, ContentArrangement, Table, presets};
use judge::Judgement;
use judge::compare::State;

use super::{document, findings, sections, table};

/// The whole text; `colour` only adds colour, every verdict is also a word. `width` is the terminal's, in columns.
pub fn terminal(judgement: &Judgement, colour: bool, width: Option<u16>) -> String {
    let mut text = String::new();
    write_all(&mut text, judgement, colour, width).expect("writing into a String cannot fail");
    text
}

fn write_all(out: &mut String, judgement: &Judgement, colour: bool, width: Option<u16>) -> std::fmt::Result {
    writeln!(out, "{}", judgement.headline)?;
    if !table::is_of_disks_alone(judgement) {
        writeln!(out, "{}{}", table::extent(judgement), state_in_words(judgement.comparison.state))?;
    }
    for sentence in &judgement.unread {
        writeln!(out, "! {sentence}")?;
    }
    if findings::has_something_to_say(&judgement.diagnosis) {
        writeln!(out, "\nFindings")?;
        findings::short(judgement).iter().try_for_each(|line| writeln!(out, " {line}"))?;
    }
    if !judgement.comparison.pairs.is_empty() {
        writeln!(out, "\n{}", verdict_table(judgement, colour, width))?;
    }
    for remark in table::remarks(judgement) {
        writeln!(out, " {remark}")?;
    }
    let document = sections::document_of(judgement);
    for (heading, lines) in document.all_sections().filter_map(document::terminal_of_section) {
        writeln!(out, "\n{heading}")?;
        lines.iter().try_for_each(|line| writeln!(out, " {}", line.trim_end()))?;
    }
    Ok(())
}

pub(super) fn state_in_words(state: State) -> &'static str {
    match state {
        State::Complete => "",
        State::Interrupted => " (interrupted; `pgdyno resume` continues it)",
        State::Running => " (so far; the run is being measured)",
        State::Unfinished => " (unfinished; `pgdyno resume` continues it)",
    }
}

pub(super) fn verdict_table(judgement: &Judgement, colour: bool, width: Option<u16>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    if let Some(width) = width {
        table.set_width(width.max(60));
    }
    table.set_header(table::titles(judgement));
    for row in table::rows(judgement) {
        let verdict = row[6].clone();
        let mut cells: Vec<Cell> = row.into_iter().map(Cell::new).collect();
        for cell in &mut cells[1..6] {
            *cell = cell.clone().set_alignment(CellAlignment::Right);
        }
        if colour {
            let colour = match verdict.as_str() {
                "improved" => Some(Color::Green),
                "regressed" | "broken" | "does not work" => Some(Color::Red),
                "equivalent" => None,
                _ => Some(Color::Yellow),
            };
            if let Some(colour) = colour {
                cells[6] = cells[6].clone().fg(colour);
            }
        }
        table.add_row(cells);
    }
    table
}
