//! What an audit found, as data and as lines of text.

use schemars::JsonSchema;
use serde::Serialize;

use judge::Judgement;
use judge::audit::{BenchmarkAudit, Check, CheckResult, CheckRuling, VerdictFigure};

use super::document::{self, ReportSection, Screen, SectionBlock, Showing};

/// An audit.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AuditData {
    /// The numbers of rules that hold, are broken, and cannot be decided, in words.
    pub summary: String,
    /// Rules that hold.
    pub holds: usize,
    /// Rules that are broken.
    pub broken: usize,
    /// Rules that the data do not decide.
    pub cannot_tell: usize,
    /// What is to be known before the rules: sides without a common cell, and sides that were measured at the same time
    /// on hosts that are not declared. One sentence each.
    pub remarks: Vec<String>,
    /// Each check: broken rules first, the most severe at the top, then undecided rules, then rules that hold.
    pub checks: Vec<CheckData>,
}

/// One check.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CheckData {
    /// Its name.
    pub id: &'static str,
    /// Its result.
    pub verdict: CheckVerdict,
    /// What a broken rule undermines.
    pub undermines: Option<&'static str>,
    /// The rule.
    pub rule: &'static str,
    /// The figures, those that break the rule first.
    pub figures: Vec<AuditFigureData>,
    /// The consequence of a broken rule.
    pub follows: Option<String>,
    /// The data that would decide it.
    pub needs: Option<String>,
}

/// The result of an audit for one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum CheckVerdict {
    /// A figure breaks it.
    Broken,
    /// The data do not decide it.
    #[serde(rename = "cannot tell")]
    CannotTell,
    /// No figure breaks it.
    Holds,
}

/// One figure.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AuditFigureData {
    /// The object that it describes.
    pub of: String,
    /// The figure with its unit.
    pub text: String,
    /// Whether it breaks the rule.
    pub breaks: bool,
}

/// The audit as data.
pub fn audit_data(audit: &BenchmarkAudit) -> AuditData {
    let [holds, broken, cannot_tell] = audit.counts_by_ruling();
    AuditData {
        summary: audit_summary(audit),
        holds,
        broken,
        cannot_tell,
        remarks: audit.remarks.clone(),
        checks: audit.findings.iter().map(|(check, outcome)| check_data(check, outcome)).collect(),
    }
}

fn check_data(check: &Check, outcome: &CheckResult) -> CheckData {
    let (verdict, undermines, needs) = match &outcome.verdict {
        CheckRuling::Broken(weight) => (CheckVerdict::Broken, Some(weight.in_words()), None),
        CheckRuling::CannotTell { needs } => (CheckVerdict::CannotTell, None, Some(needs.clone())),
        CheckRuling::Holds => (CheckVerdict::Holds, None, None),
    };
    CheckData {
        id: check.code.name,
        verdict,
        undermines,
        rule: check.rule,
        figures: outcome
            .figures
            .iter()
            .map(|figure| AuditFigureData { of: figure.of.clone(), text: figure.text.clone(), breaks: figure.breaks })
            .collect(),
        follows: Some(outcome.consequence.clone()).filter(|text| !text.is_empty()),
        needs,
    }
}

/// How many rules hold, are broken, and cannot be told.
pub fn audit_summary(audit: &BenchmarkAudit) -> String {
    let [holds, broken, cannot_tell] = audit.counts_by_ruling();
    format!("{} checks: {holds} hold, {broken} broken, {cannot_tell} cannot tell", holds + broken + cannot_tell)
}

/// So many figures of a check on a terminal at most; data have all.
const FIGURES_AT_MOST: usize = 9;
const EXPLANATION: &str = "Each rule of the method is checked against the figures of the run.";

/// How many rules hold, and the checks, which only a page has; none where no method was audited.
pub(crate) fn audit_section(judgement: &Judgement) -> Option<ReportSection> {
    let audit = judgement.audit.as_ref()?;
    let mut blocks = vec![SectionBlock::Explanation(EXPLANATION), SectionBlock::Note(audit_summary(audit))];
    blocks.extend(notes_of_remarks(audit));
    blocks.extend(lists_of_broken(audit, usize::MAX, Showing::Page));
    let undecided: Vec<String> =
        undecided_checks(audit).map(|(check, outcome)| undecided_item(check, outcome)).collect();
    if !undecided.is_empty() {
        let title = format!("? {} cannot be decided from these data", count_of_rules(undecided.len()));
        blocks.push(SectionBlock::List { title, items: undecided, showing: Showing::Folded });
    }
    let mut items = Vec::new();
    for (check, outcome) in holding_checks(audit) {
        let figures: Vec<String> =
            outcome.figures.iter().map(|figure| format!("{}: {}", figure.of, figure.text)).collect();
        items.push(format!("{}: {} ({})", check.code.name, check.rule, figures.join("; ")));
    }
    if !items.is_empty() {
        let title = format!("✓ {} hold", count_of_rules(items.len()));
        blocks.push(SectionBlock::List { title, items, showing: Showing::Folded });
    }
    Some(ReportSection { id: "audit", title: "Audit".to_owned(), blocks })
}

fn count_of_rules(count: usize) -> String {
    if count == 1 { "1 rule".to_owned() } else { format!("{count} rules") }
}

/// The rule, what is known of it, and what it needs.
fn undecided_item(check: &Check, outcome: &CheckResult) -> String {
    let mut parts = vec![format!("{}: {}", check.code.name, check.rule)];
    for figure in &outcome.figures {
        parts.push(format!("{}: {}", figure.of, figure.text));
    }
    if let CheckRuling::CannotTell { needs } = &outcome.verdict {
        parts.push(format!("needed: {needs}"));
    }
    parts.join("; ")
}

/// The whole audit for a terminal of `width` columns.
pub fn audit_lines(audit: &BenchmarkAudit, width: usize) -> Vec<String> {
    let screen = Screen { width: Some(width), colour: false, fits_tables: true };
    document::terminal_of_blocks(&blocks_of_audit(audit, FIGURES_AT_MOST), screen)
}

/// The whole audit in Markdown.
pub fn audit_markdown(audit: &BenchmarkAudit) -> String {
    document::markdown_of_blocks(&blocks_of_audit(audit, usize::MAX))
}

/// Every broken rule, with so many figures at most, and in one line each the names of those that cannot be decided
/// and of those that hold.
fn blocks_of_audit(audit: &BenchmarkAudit, figures_at_most: usize) -> Vec<SectionBlock> {
    let mut blocks = notes_of_remarks(audit);
    blocks.extend(lists_of_broken(audit, figures_at_most, Showing::Everywhere));
    let undecided: Vec<&str> = undecided_checks(audit).map(|(check, _)| check.code.name).collect();
    if !undecided.is_empty() {
        let names = undecided.join(", ");
        blocks.push(SectionBlock::Note(format!("? cannot tell: {names} (--json has what each of them needs)")));
    }
    let names: Vec<&str> = holding_checks(audit).map(|(check, _)| check.code.name).collect();
    if !names.is_empty() {
        blocks.push(SectionBlock::Note(format!("✓ hold: {}", names.join(", "))));
    }
    blocks
}

fn notes_of_remarks(audit: &BenchmarkAudit) -> Vec<SectionBlock> {
    audit.remarks.iter().map(|sentence| SectionBlock::Note(format!("! {sentence}"))).collect()
}

fn holding_checks(audit: &BenchmarkAudit) -> impl Iterator<Item = &(&'static Check, CheckResult)> {
    audit.findings.iter().filter(|(_, outcome)| matches!(outcome.verdict, CheckRuling::Holds))
}

fn undecided_checks(audit: &BenchmarkAudit) -> impl Iterator<Item = &(&'static Check, CheckResult)> {
    audit.findings.iter().filter(|(_, outcome)| matches!(outcome.verdict, CheckRuling::CannotTell { .. }))
}

/// Every broken rule with its figures and the consequence.
fn lists_of_broken(audit: &BenchmarkAudit, figures_at_most: usize, showing: Showing) -> Vec<SectionBlock> {
    let mut blocks = Vec::new();
    for (check, outcome) in &audit.findings {
        let CheckRuling::Broken(weight) = &outcome.verdict else { continue };
        let title = format!("✗ {}: broken, undermines {}", check.code.name, weight.in_words());
        let mut items = vec![format!("rule: {}", check.rule)];
        items.extend(outcome.figures.iter().take(figures_at_most).map(figure_line));
        if outcome.figures.len() > figures_at_most {
            items.push(format!("and {} more (--json has all)", outcome.figures.len() - figures_at_most));
        }
        items.push(format!("follows: {}", outcome.consequence));
        blocks.push(SectionBlock::List { title, items, showing });
    }
    blocks
}

fn figure_line(figure: &VerdictFigure) -> String {
    format!("{} {}: {}", if figure.breaks { "✗" } else { "·" }, figure.of, figure.text)
}
