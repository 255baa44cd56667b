//! What a person needs first of a diagnosis: how much of each change is explained, and at most three findings with
//! their fix, a line or two each. All the rest is in `findings`.

use judge::diagnose::{Diagnosis, ExplainedChange, RankedFinding};
use judge::units;

use super::findings::{self, describe_mend, describe_place, finding_sentence};
use super::folded::fold_into_lines;

/// Findings that are shown, and changes.
const SHOWN_MAX: usize = 3;
/// Lines of a finding, and of its fix, where the width is known.
const LINES_MAX: usize = 2;

/// The text; `width` is the terminal's, in columns.
pub fn diagnosis_first_screen(diagnosis: &Diagnosis, width: Option<u16>) -> String {
    let width = width.map(usize::from);
    let mut lines = fold_into_lines(&opening_sentence(diagnosis), "", width, usize::MAX);
    for explained in diagnosis.explained.iter().take(SHOWN_MAX) {
        lines.extend(fold_into_lines(&explained_in_short(explained), "", width, LINES_MAX));
    }
    for (index, finding) in diagnosis.findings.iter().enumerate().take(SHOWN_MAX) {
        lines.push(String::new());
        lines.extend(lines_of_finding(index + 1, finding, width));
    }
    let mut remarks: Vec<String> = findings::missing_rights(diagnosis).into_iter().collect();
    remarks.extend(findings::rules_without_data(diagnosis));
    if !remarks.is_empty() {
        lines.push(String::new());
    }
    for remark in remarks {
        lines.extend(fold_into_lines(&remark, "", width, LINES_MAX));
    }
    lines.join("\n") + "\n"
}

fn opening_sentence(diagnosis: &Diagnosis) -> String {
    let count = diagnosis.findings.len();
    match (&diagnosis.lacked, count) {
        (Some(lacked), _) => format!("No rule was evaluated: {lacked}."),
        (None, 0) => "No findings.".to_owned(),
        (None, 1) => "1 finding.".to_owned(),
        (None, 2..=SHOWN_MAX) => format!("{count} findings, the most important first."),
        (None, _) => format!("{count} findings; the {SHOWN_MAX} most important:"),
    }
}

/// `new is 1.20 ms slower (read, 4 clients); findings explain 96.9 %`.
fn explained_in_short(explained: &ExplainedChange) -> String {
    format!(
        "{} is {} slower ({}); findings explain {}",
        explained.slower,
        units::format_milliseconds(explained.change_ms.point),
        describe_place(explained),
        units::format_percent(explained.share.point)
    )
}

fn lines_of_finding(number: usize, finding: &RankedFinding, width: Option<usize>) -> Vec<String> {
    let code = format!(" [{}]", finding.rule.code.name);
    let mut lines = fold_into_lines(&format!("{number} {}", finding_sentence(finding)), &code, width, LINES_MAX);
    if let Some(fix) = &finding.found.mend {
        let width = width.map(|width| width.saturating_sub(2));
        let fix = fold_into_lines(&format!("fix: {}", describe_mend(fix)), "", width, LINES_MAX);
        lines.extend(fix.iter().map(|line| format!("  {line}")));
    }
    lines
}
