//! The issues of a run in words, and as data: one list, in which each fact stands once.

use judge::Judgement;
use judge::diagnose::FindingCost;
use judge::issue::{Evidence, Issue};
use schemars::JsonSchema;
use serde::Serialize;

use super::document::{ReportSection, SectionBlock, Showing};
use super::findings;

/// Evidence that a short report prints of an issue.
const FOREMOST: usize = 2;

/// A conclusion about the run.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct IssueData {
    /// Its code: `pgdyno rule CODE` explains it.
    pub code: &'static str,
    /// The group of the code.
    pub group: &'static str,
    /// `invalidates`, `weakens`, `explains` or `informs`.
    pub effect: &'static str,
    /// The observation.
    pub text: String,
    /// The cells that it concerns, in words; empty for the whole run.
    pub cells: Vec<String>,
    /// The trials in which it was observed; empty if it does not concern single trials.
    pub trials: Vec<u32>,
    /// Its share of the mean latency or of the throughput; absent if there is none or it cannot be attributed.
    pub cost_share: Option<f64>,
    /// Its evidence, with units.
    pub evidence: Vec<String>,
    /// The fix.
    pub fix: String,
    /// The risk of the fix.
    pub risk: Option<String>,
    /// The experiment that confirms it.
    pub confirm: String,
    /// Its number in the list of findings, from 1, if a rule found it.
    pub finding: Option<usize>,
}

/// All of them.
pub fn issue_data(judgement: &Judgement) -> Vec<IssueData> {
    let mut issues = Vec::new();
    for issue in &judgement.issues {
        issues.push(IssueData {
            code: issue.code.name,
            group: issue.code.group.name(),
            effect: issue.effect.name(),
            text: issue.text.clone(),
            cells: issue.cells.iter().map(ToString::to_string).collect(),
            trials: issue.trials.clone(),
            cost_share: issue.cost.as_ref().and_then(FindingCost::attributed_share),
            evidence: issue.evidence.iter().map(evidence_text).collect(),
            fix: issue.fix.clone(),
            risk: issue.risk.clone(),
            confirm: issue.confirm.clone(),
            finding: issue.finding.map(|index| index + 1),
        });
    }
    issues
}

fn evidence_text(one: &Evidence) -> String {
    match one {
        Evidence::Measured(figure) => findings::describe_figure(figure),
        Evidence::Noted { of, text } if of.is_empty() => text.clone(),
        Evidence::Noted { of, text } => format!("{of}: {text}"),
    }
}

/// Those that do not stand among the findings: what is against the figures, and what no rule found.
pub(crate) fn beside_findings(judgement: &Judgement) -> impl Iterator<Item = &Issue> {
    judgement.issues.iter().filter(|issue| issue.is_against_figures() || issue.finding.is_none())
}

/// Whether a finding stands among the issues, and so not among the findings.
pub(crate) fn is_against_figures(judgement: &Judgement, finding: usize) -> bool {
    judgement.issues.iter().any(|issue| issue.finding == Some(finding) && issue.is_against_figures())
}

/// What was found, with the first of what it rests on.
pub(crate) fn issue_sentence(issue: &Issue) -> String {
    let first: Vec<String> = issue.evidence.iter().take(FOREMOST).map(evidence_text).collect();
    let rests_on = if first.is_empty() { String::new() } else { format!(": {}", first.join("; ")) };
    let more = issue.evidence.len().saturating_sub(FOREMOST);
    let more = if more == 0 { String::new() } else { format!(" (and {more} more)") };
    let number = issue.finding.map_or(String::new(), |index| format!(" (finding {})", index + 1));
    format!("{}{rests_on}{more}{}{number}", issue.text, issue.trials_in_words())
}

/// What each of them says and what to do about it; none where there is no issue.
pub(crate) fn issues_section(judgement: &Judgement) -> Option<ReportSection> {
    let mut blocks = Vec::new();
    for issue in beside_findings(judgement) {
        let title = format!("{} ({})", issue.code.name, issue.effect.name());
        let mut items = vec![issue_sentence(issue), issue.fix.clone()];
        items.retain(|item| !item.is_empty());
        blocks.push(SectionBlock::List { title, items, showing: Showing::Everywhere });
    }
    let all_stand_here = beside_findings(judgement).count() == judgement.issues.len();
    let heading = if all_stand_here { "Issues" } else { "Other issues" };
    let title = format!("{heading} (pgdyno rule CODE explains one)");
    if blocks.is_empty() { None } else { Some(ReportSection { id: "issues", title, blocks }) }
}
