//! The report as Markdown, for a pull request or a wiki.

use std::fmt::Write as _;

use judge::Judgement;

use super::markup::escape_markup;
use super::{document, sections, table};

/// The whole text.
pub fn judgement_markdown(judgement: &Judgement, name: &str) -> String {
    let mut text = String::new();
    write_all(&mut text, judgement, name).expect("writing into a String cannot fail");
    text
}

fn write_all(out: &mut String, judgement: &Judgement, name: &str) -> std::fmt::Result {
    writeln!(out, "## {}\n", escape_markup(name))?;
    of_headline(judgement).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    if judgement.headline.contains('\n') {
        writeln!(out)?;
    }
    for section in sections::document_of(judgement).all_sections() {
        write!(out, "{}", document::markdown_of_section(section))?;
    }
    Ok(())
}

/// What a person reads first, a list where there are several lines.
pub(super) fn of_headline(judgement: &Judgement) -> Vec<String> {
    let (lead, lines) = judgement.headline.split_once('\n').unwrap_or((&judgement.headline, ""));
    let extent = if table::is_of_disks_alone(judgement) {
        String::new()
    } else {
        format!(" {}.", table::measurement_extent(judgement))
    };
    let mut text = vec![format!("**{}**{extent}", escape_markup(lead)), String::new()];
    text.extend(judgement.unread.iter().flat_map(|sentence| [escape_markup(&format!("{sentence}.")), String::new()]));
    text.extend(lines.lines().map(|line| format!("- **{}**", escape_markup(line.trim()))));
    text
}
