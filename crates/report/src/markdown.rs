//! The report as Markdown, for a pull request or a wiki.

use std::fmt::Write as _;

use judge::Judgement;
use judge::audit::Audit;

use super::audit::CheckVerdict;
use super::issues::is_against_figures;
use super::markup::escape;
use super::{audit, document, findings, issues, sections, table};

/// The whole text.
pub fn markdown(judgement: &Judgement, name: &str) -> String {
    let mut text = String::new();
    write_all(&mut text, judgement, name).expect("writing into a String cannot fail");
    text
}

fn write_all(out: &mut String, judgement: &Judgement, name: &str) -> std::fmt::Result {
    writeln!(out, "## {}\n", escape(name))?;
    of_headline(judgement).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    if judgement.headline.contains('\n') {
        writeln!(out)?;
    }
    if findings::has_something_to_say(&judgement.diagnosis) {
        writeln!(out, "{}", findings::markdown(&judgement.diagnosis, |index| !is_against_figures(judgement, index)))?;
    }
    if !judgement.comparison.pairs.is_empty() {
        let titles = table::titles(judgement).map(|title| escape(&title));
        writeln!(out, "| {} |", titles.join(" | "))?;
        writeln!(out, "|---|--:|--:|--:|--:|--:|---|")?;
        for row in table::rows(judgement) {
            writeln!(out, "| {} |", row.map(|cell| escape(&cell)).join(" | "))?;
        }
        writeln!(out)?;
    }
    for remark in table::remarks(judgement) {
        writeln!(out, "- {}", escape(&remark))?;
    }
    let issues = issues::issue_items(judgement);
    if !issues.is_empty() {
        writeln!(out, "\n### Issues\n")?;
        issues.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out)?;
    }
    for section in &sections::document_of(judgement).sections {
        write!(out, "{}", document::markdown_of_section(section))?;
    }
    Ok(())
}

/// What a person reads first, a list where there are several lines.
pub(super) fn of_headline(judgement: &Judgement) -> Vec<String> {
    let (lead, lines) = judgement.headline.split_once('\n').unwrap_or((&judgement.headline, ""));
    let extent =
        if table::is_of_disks_alone(judgement) { String::new() } else { format!(" {}.", table::extent(judgement)) };
    let mut text = vec![format!("**{}**{extent}", escape(lead)), String::new()];
    text.extend(judgement.unread.iter().flat_map(|sentence| [escape(&format!("{sentence}.")), String::new()]));
    text.extend(lines.lines().map(|line| format!("- **{}**", escape(line.trim()))));
    text
}

/// A whole audit, check by check.
pub fn of_audit(audited: &Audit) -> String {
    let mut text = String::new();
    write_audit(&mut text, &audit::data(audited)).expect("writing into a String cannot fail");
    text
}

fn write_audit(out: &mut String, data: &audit::AuditData) -> std::fmt::Result {
    let mut holding = Vec::new();
    for check in &data.checks {
        let verdict = match check.verdict {
            CheckVerdict::Broken => "broken",
            CheckVerdict::CannotTell => "cannot tell",
            CheckVerdict::Holds => {
                holding.push(check.id);
                continue;
            }
        };
        let undermines = check.undermines.map_or(String::new(), |what| format!(", undermines {what}"));
        writeln!(out, "### {}: {}{undermines}\n\n{}.\n", check.id, verdict, escape(check.rule))?;
        for figure in &check.figures {
            let text = format!("{}: {}", escape(&figure.of), escape(&figure.text));
            writeln!(out, "- {}", if figure.breaks { format!("**{text}**") } else { text })?;
        }
        for (word, text) in [("Follows", &check.follows), ("Needed", &check.needs)] {
            if let Some(text) = text {
                writeln!(out, "\n{word}: {}.\n", escape(text))?;
            }
        }
    }
    if holding.is_empty() { Ok(()) } else { writeln!(out, "Hold: {}.", holding.join(", ")) }
}
