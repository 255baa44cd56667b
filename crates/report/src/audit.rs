//! What an audit found, as data and as lines of text.

use schemars::JsonSchema;
use serde::Serialize;

use judge::Judgement;
use judge::audit::{Audit, Check, CheckResult, Figure, Ruling};

use super::columns::folded;
use super::document::{Block, Section, Showing};

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
pub fn data(audit: &Audit) -> AuditData {
    let [holds, broken, cannot_tell] = audit.counts();
    AuditData {
        summary: summary(audit),
        holds,
        broken,
        cannot_tell,
        checks: audit.findings.iter().map(|(check, outcome)| check_data(check, outcome)).collect(),
    }
}

fn check_data(check: &Check, outcome: &CheckResult) -> CheckData {
    let figure =
        |figure: &Figure| AuditFigureData { of: figure.of.clone(), text: figure.text.clone(), breaks: figure.breaks };
    let (verdict, undermines, needs) = match &outcome.verdict {
        Ruling::Broken(weight) => (CheckVerdict::Broken, Some(weight.in_words()), None),
        Ruling::CannotTell { needs } => (CheckVerdict::CannotTell, None, Some(needs.clone())),
        Ruling::Holds => (CheckVerdict::Holds, None, None),
    };
    CheckData {
        id: check.code.name,
        verdict,
        undermines,
        rule: check.rule,
        figures: outcome.figures.iter().map(figure).collect(),
        follows: Some(outcome.consequence.clone()).filter(|text| !text.is_empty()),
        needs,
    }
}

/// How many rules hold, are broken, and cannot be told.
pub fn summary(audit: &Audit) -> String {
    let [holds, broken, cannot_tell] = audit.counts();
    format!("{holds} hold, {broken} broken, {cannot_tell} cannot tell")
}

const EXPLANATION: &str = "Each rule of the method is checked against the figures of the run.";

/// How many rules hold, and the checks of the others, which only a page has; none where no method was audited.
pub(crate) fn audit_section(judgement: &Judgement) -> Option<Section> {
    let audit = judgement.audit.as_ref()?;
    let mut blocks = vec![Block::Explanation(EXPLANATION), Block::Note(summary(audit))];
    let mut holding = Vec::new();
    for (check, outcome) in &audit.findings {
        let figures: Vec<String> =
            outcome.figures.iter().map(|figure| format!("{}: {}", figure.of, figure.text)).collect();
        let (showing, last) = match &outcome.verdict {
            Ruling::Broken(_) => (Showing::Page, format!("follows: {}", outcome.consequence)),
            Ruling::CannotTell { needs } => (Showing::Folded, format!("needed: {needs}")),
            Ruling::Holds => {
                holding.push(format!("{}: {} ({})", check.code.name, check.rule, figures.join("; ")));
                continue;
            }
        };
        let mut items = vec![format!("rule: {}", check.rule)];
        items.extend(outcome.figures.iter().map(figure_line));
        items.push(last);
        blocks.push(Block::List { title: heading_of_check(check, outcome), items, showing });
    }
    if !holding.is_empty() {
        let title = format!("✓ {} rules hold", holding.len());
        blocks.push(Block::List { title, items: holding, showing: Showing::Folded });
    }
    Some(Section { id: "audit", title: "Audit".to_owned(), blocks })
}

fn heading_of_check(check: &Check, outcome: &CheckResult) -> String {
    let name = check.code.name;
    match &outcome.verdict {
        Ruling::Broken(weight) => format!("✗ {name}: broken, undermines {}", weight.in_words()),
        Ruling::CannotTell { .. } => format!("? {name}: cannot tell"),
        Ruling::Holds => format!("✓ {name}: holds"),
    }
}

fn figure_line(figure: &Figure) -> String {
    format!("{} {}: {}", if figure.breaks { "✗" } else { "·" }, figure.of, figure.text)
}

/// So many figures of a check on a terminal at most; data have all.
const FIGURES_AT_MOST: usize = 9;

/// The whole audit for a terminal of `width` columns.
pub fn lines(audit: &Audit, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut add = |indent: usize, text: &str| lines.extend(folded(text, indent, width));
    let mut holding = Vec::new();
    for (check, outcome) in &audit.findings {
        match &outcome.verdict {
            Ruling::Broken(_) => {}
            Ruling::CannotTell { needs } => {
                let alike = lacking(audit, needs);
                if alike.len() > 1 && alike.contains(&check.code.name) {
                    if alike[0] == check.code.name {
                        add(0, &format!("? {}: cannot tell", alike.join(", ")));
                        add(2, &format!("needed: {needs}"));
                    }
                    continue;
                }
            }
            Ruling::Holds => {
                holding.push(check.code.name);
                continue;
            }
        }
        add(0, &heading_of_check(check, outcome));
        add(2, &format!("rule: {}", check.rule));
        for figure in outcome.figures.iter().take(FIGURES_AT_MOST) {
            add(4, &figure_line(figure));
        }
        if outcome.figures.len() > FIGURES_AT_MOST {
            add(4, &format!("and {} more (--json has all)", outcome.figures.len() - FIGURES_AT_MOST));
        }
        match &outcome.verdict {
            Ruling::CannotTell { needs } => add(2, &format!("needed: {needs}")),
            Ruling::Broken(_) | Ruling::Holds => add(2, &format!("follows: {}", outcome.consequence)),
        }
    }
    if !holding.is_empty() {
        add(0, &format!("✓ hold: {}", holding.join(", ")));
    }
    lines
}

/// The rules of which nothing is told but that they lack the same.
fn lacking<'a>(audit: &'a Audit, wanted: &str) -> Vec<&'a str> {
    let lacks = |outcome: &CheckResult| match &outcome.verdict {
        Ruling::CannotTell { needs } => needs == wanted && outcome.figures.is_empty(),
        Ruling::Broken(_) | Ruling::Holds => false,
    };
    audit.findings.iter().filter(|(_, outcome)| lacks(outcome)).map(|(check, _)| check.code.name).collect()
}
