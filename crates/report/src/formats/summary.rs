//! Markdown for the comment on a pull request: what a person has to know before clicking, in fewer than 60 lines
//! whatever the run.

use judge::Judgement;
use judge::compare::{PairStanding, standings_of_pairs};

use crate::document::{DocumentRow, FoldedRows, SectionBlock, markdown_of_blocks};
use crate::markdown::of_headline;
use crate::markup::escape_markup;
use crate::{audit, findings, issues, table};

/// Rows of the table at most: losses first, then what is undecided, gains, and what is equivalent.
const ROWS_MAX: usize = 15;
const LEFT_OUT_MAX: usize = 5;
const FINDINGS_MAX: usize = 3;
const ISSUES_MAX: usize = 8;
const HEADLINE_MAX: usize = 12;

/// The judgement of the run of this name.
pub fn markdown_summary(judgement: &Judgement, name: &str) -> String {
    let mut lines = vec![format!("### {}", escape_markup(name)), String::new()];
    lines.extend(at_most(of_headline(judgement), HEADLINE_MAX, "more lines"));
    lines.push(worst_verdicts(judgement));
    let left_out = table::left_out(judgement).iter().map(|line| format!("- {}", escape_markup(line))).collect();
    lines.extend(at_most(left_out, LEFT_OUT_MAX, "more comparisons with trials that do not count"));
    let issues = issues::beside_findings(judgement);
    let issues =
        issues.map(|issue| format!("- `{}`: {}", issue.code.name, escape_markup(&issues::issue_sentence(issue))));
    lines.extend(at_most(issues.collect(), ISSUES_MAX, "more issues"));
    let found = judgement.diagnosis.findings.iter().enumerate();
    let found = found.filter(|(index, _)| !issues::is_against_figures(judgement, *index));
    let found: Vec<String> =
        found.map(|(_, finding)| format!("- {}", escape_markup(&findings::finding_sentence(finding)))).collect();
    lines.extend(at_most(found, FINDINGS_MAX, "more findings"));
    if let Some(audited) = &judgement.audit {
        lines.push(format!("- audit: {}", audit::audit_summary(audited)));
    }
    lines.join("\n") + "\n"
}

/// So many of the lines, and how many more there are.
fn at_most(mut lines: Vec<String>, most: usize, of_what: &str) -> Vec<String> {
    if lines.len() > most {
        let more = lines.split_off(most).len();
        lines.push(format!("- and {more} {of_what}"));
    }
    lines
}

/// The verdicts in Markdown, the worst first.
fn worst_verdicts(judgement: &Judgement) -> String {
    let pairs = &judgement.comparison.pairs;
    if pairs.is_empty() {
        return String::new();
    }
    let mut table = table::verdict_table(judgement);
    let mut rows: Vec<(DocumentRow, PairStanding)> = table.rows.into_iter().zip(standings_of_pairs(pairs)).collect();
    rows.sort_by_key(|(_, standing)| match standing {
        PairStanding::Loss | PairStanding::DoesNotWork => 0,
        PairStanding::Undecided => 1,
        PairStanding::Gain => 2,
        PairStanding::NoLoss => 3,
        PairStanding::Equivalent => 4,
    });
    table.rows = rows.into_iter().map(|(row, _)| row).collect();
    if let Some(more) = table.rows.len().checked_sub(ROWS_MAX).filter(|more| *more > 0) {
        table.folded = Some(FoldedRows { from: ROWS_MAX, summary: format!("and {more} more comparisons") });
    }
    markdown_of_blocks(&[SectionBlock::Table(table)])
}
