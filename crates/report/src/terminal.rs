//! The whole report on a terminal: the headline and the sections. Its begin is `first_screen`.

use std::fmt::Write as _;

use judge::Judgement;
use judge::compare::RunState;

use super::document::{Screen, terminal_of_section};
use super::folded::fold_text;
use super::{sections, table};

/// The whole text; `colour` only adds colour, every verdict is also a word. `width` is the terminal's, in columns.
pub fn terminal_text(judgement: &Judgement, colour: bool, width: Option<u16>) -> String {
    let mut text = String::new();
    write_all(&mut text, judgement, colour, width).expect("writing into a String cannot fail");
    text
}

fn write_all(out: &mut String, judgement: &Judgement, colour: bool, width: Option<u16>) -> std::fmt::Result {
    let mut prose: Vec<String> = judgement.headline.lines().map(str::to_owned).collect();
    if !table::is_of_disks_alone(judgement) {
        prose.push(format!("{}{}", table::measurement_extent(judgement), state_in_words(judgement.comparison.state)));
    }
    prose.extend(judgement.unread.iter().map(|sentence| format!("! {sentence}")));
    for sentence in &prose {
        fold_text(sentence, 0, width.map(usize::from)).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    let document = sections::document_of(judgement);
    // The answer is fitted to the terminal beside the space before each line; a table of the others may be wider.
    let width = width.map(|width| usize::from(width).saturating_sub(1));
    let (fitted, wide) = (Screen { width, colour, fits_tables: true }, Screen { width, colour, fits_tables: false });
    for (sections, screen) in [(&document.answer, fitted), (&document.sections, wide)] {
        for (heading, lines) in sections.iter().filter_map(|section| terminal_of_section(section, screen)) {
            writeln!(out, "\n{heading}")?;
            lines.iter().try_for_each(|line| writeln!(out, " {}", line.trim_end()))?;
        }
    }
    Ok(())
}

pub(super) fn state_in_words(state: RunState) -> &'static str {
    match state {
        RunState::Complete => "",
        RunState::Interrupted => " (interrupted; `pgdyno resume` continues it)",
        RunState::Running => " (so far; the run is being measured)",
        RunState::Unfinished => " (unfinished; `pgdyno resume` continues it)",
    }
}
