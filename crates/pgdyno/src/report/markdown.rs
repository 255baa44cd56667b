//! The report as Markdown, for a pull request or a wiki.

use std::fmt::Write as _;

use super::table;
use crate::compare::Judgement;

/// The whole text.
pub fn markdown(judgement: &Judgement, name: &str) -> String {
    let mut text = String::new();
    write_all(&mut text, judgement, name).expect("writing into a String cannot fail");
    text
}

fn write_all(out: &mut String, judgement: &Judgement, name: &str) -> std::fmt::Result {
    writeln!(out, "## {}\n", escape(name))?;
    if !judgement.confounders.is_empty() {
        writeln!(out, "> **The sides differ in more than the plan allows:**\n>")?;
        for found in &judgement.confounders {
            let values = format!("{} / {}", escape(&found.baseline), escape(&found.value));
            writeln!(out, "> - {}: {} ({values}); {}", escape(&found.candidate), escape(&found.what), found.hint)?;
        }
        writeln!(out)?;
    }
    writeln!(out, "**{}** {}.\n", escape(&judgement.headline), table::extent(judgement))?;
    if !judgement.pairs.is_empty() {
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
    for line in table::noise_floor(judgement) {
        writeln!(out, "- noise floor, {}", escape(&line))?;
    }
    for peak in &judgement.peaks {
        writeln!(out, "- {}, {}: {}", escape(&peak.workload), escape(&peak.candidate), escape(&peak.text))?;
    }
    if !judgement.doubts.is_empty() {
        writeln!(out, "\n### Caveats\n")?;
        for doubt in &judgement.doubts {
            writeln!(out, "- {}{}: {}", escape(&doubt.text), doubt.trials_in_words(), escape(&doubt.hint))?;
        }
    }
    Ok(())
}

/// Text from a plan or a server must not become markup.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '*' | '_' | '`' | '<' | '[' | ']' | '#' | '\\' => escaped.extend(['\\', c]),
            '\n' | '\r' => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn what_comes_from_outside_stays_text() {
        assert_eq!(escape("a|b <i>\nx_y"), "a\\|b \\<i> x\\_y");
    }
}
