//! Issues: everything that is concluded about a run, in one list, each fact once and with its effect.
//!
//! Rules, checks, caveats of trials and undeclared differences are where issues come from. Where two of them conclude
//! the same about the same cells, they are one issue with the strongest effect and the evidence of both.

mod from_families;

use results::trial::Cell;

pub(crate) use from_families::{of_audit, of_caveats, of_confounders, of_findings};

use crate::codes::Code;
pub use crate::codes::IssueEffect;
use crate::diagnose::{EvidenceFigure, FindingCost};

/// Something that is concluded about a run.
#[derive(Debug, Clone)]
pub struct Issue {
    /// Its code.
    pub code: &'static Code,
    /// What it does to the figures.
    pub effect: IssueEffect,
    /// What was found, in words.
    pub text: String,
    /// The cells that it concerns; none: the whole run.
    pub cells: Vec<Cell>,
    /// The trials in which it was seen; none: it is not of single trials.
    pub trials: Vec<u32>,
    /// What it costs; absent where it is no matter of time or throughput.
    pub cost: Option<FindingCost>,
    /// What it rests on.
    pub evidence: Vec<Evidence>,
    /// What to do about it.
    pub fix: String,
    /// What the fix gives up; absent where nothing is known to be lost.
    pub risk: Option<String>,
    /// How to confirm it.
    pub confirm: String,
    /// Its place in the list of findings, from 0, where a rule found it.
    pub finding: Option<usize>,
}

/// What an issue rests on.
#[derive(Debug, Clone, PartialEq)]
pub enum Evidence {
    /// A measured figure.
    Measured(EvidenceFigure),
    /// Something that was noted or computed, in words.
    Noted {
        /// What it is of: a side, a cell, a job; empty where the text says it.
        of: String,
        /// It, with its unit.
        text: String,
    },
}

impl Evidence {
    /// Whether it says this text.
    fn says_text(&self, said: &str) -> bool {
        match self {
            Self::Measured(_) => false,
            Self::Noted { of, text } if of.is_empty() => text == said,
            Self::Noted { of, text } => format!("{of}: {text}") == said,
        }
    }
}

impl Issue {
    /// An issue about the whole run with the texts of its code.
    pub(crate) fn of_run(code: &'static Code, text: String, fix: String) -> Self {
        Self {
            code,
            effect: IssueEffect::Weakens,
            text,
            cells: Vec::new(),
            trials: Vec::new(),
            cost: None,
            evidence: Vec::new(),
            fix,
            risk: None,
            confirm: code.confirm.to_owned(),
            finding: None,
        }
    }

    /// Whether it stands at the figures: it invalidates or weakens them.
    pub fn is_against_figures(&self) -> bool {
        self.effect <= IssueEffect::Weakens
    }

    /// Whether its effect is one of those that its code lists, as each must be: the page of the code says them.
    pub(crate) fn has_listed_effect(&self) -> bool {
        self.code.effects.contains(&self.effect)
    }

    /// The trials that it concerns, for the end of a line.
    pub fn trials_in_words(&self) -> String {
        match self.trials.as_slice() {
            [] => String::new(),
            [one] => format!(" (trial {one})"),
            many if many.len() <= 6 => {
                format!(" (trials {})", many.iter().map(u32::to_string).collect::<Vec<_>>().join(", "))
            }
            many => format!(" ({} trials, the first is {})", many.len(), many[0]),
        }
    }

    /// Whether another one says the same about the same cells.
    fn is_same_fact(&self, other: &Self) -> bool {
        let is_of_run = self.cells.is_empty() || other.cells.is_empty();
        self.code == other.code && (is_of_run || self.cells.iter().any(|cell| other.cells.contains(cell)))
    }

    /// Takes in another one that is the same fact: what it found is evidence. What to do is in the words of the
    /// stronger of the two.
    fn take_in(&mut self, other: Self) {
        if other.effect < self.effect {
            self.effect = other.effect;
            self.fix = other.fix;
        }
        // What a code says of itself says nothing more beside a figure.
        let is_said = other.text == other.code.what_is_detected()
            || self.text == other.text
            || self.evidence.iter().any(|one| one.says_text(&other.text));
        if !is_said {
            self.evidence.insert(0, Evidence::Noted { of: String::new(), text: other.text });
        }
        if self.cells.is_empty() || other.cells.is_empty() {
            self.cells.clear();
        } else {
            let new: Vec<Cell> = other.cells.into_iter().filter(|cell| !self.cells.contains(cell)).collect();
            self.cells.extend(new);
        }
        self.trials.extend(other.trials);
        self.trials.sort_unstable();
        self.trials.dedup();
        for one in other.evidence {
            if !self.evidence.contains(&one) && !one.says_text(&self.text) {
                self.evidence.push(one);
            }
        }
        self.cost = self.cost.take().or(other.cost);
        self.risk = self.risk.take().or(other.risk);
        self.finding = self.finding.or(other.finding);
    }
}

/// Each fact once, the strongest effect first; among equals the order stays.
pub fn merge_issues(issues: Vec<Issue>) -> Vec<Issue> {
    let mut merged: Vec<Issue> = Vec::new();
    for mut issue in issues {
        // A wider one may join several that had nothing in common.
        let mut at = None;
        let mut index = 0;
        while index < merged.len() {
            if merged[index].is_same_fact(&issue) {
                let mut known = merged.remove(index);
                known.take_in(issue);
                issue = known;
                at.get_or_insert(index);
            } else {
                index += 1;
            }
        }
        merged.insert(at.unwrap_or(merged.len()), issue);
    }
    merged.sort_by_key(|issue| issue.effect);
    merged
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::codes::OF_RUNS;

    fn issue(code: usize, effect: IssueEffect, targets: &[u8]) -> Issue {
        let cells = targets.iter().map(|target| Cell {
            target: target.to_string(),
            workload: "read".to_owned(),
            clients: 8.into(),
        });
        Issue {
            effect,
            cells: cells.collect(),
            ..Issue::of_run(OF_RUNS[code], format!("{targets:?}"), "repair it".to_owned())
        }
    }

    fn any_issue() -> impl Strategy<Value = Issue> {
        let effect = prop_oneof![
            Just(IssueEffect::Invalidates),
            Just(IssueEffect::Weakens),
            Just(IssueEffect::Explains),
            Just(IssueEffect::Informs)
        ];
        (0..4_usize, effect, proptest::collection::vec(0..5_u8, 0..3))
            .prop_map(|(code, effect, targets)| issue(code, effect, &targets))
    }

    proptest! {
        #[test]
        fn no_fact_is_said_twice_and_none_is_lost(issues in proptest::collection::vec(any_issue(), 0..12)) {
            let merged = merge_issues(issues.clone());
            for (index, one) in merged.iter().enumerate() {
                prop_assert!(merged[index + 1..].iter().all(|other| !one.is_same_fact(other)), "{merged:#?}");
            }
            for one in &issues {
                prop_assert!(merged.iter().any(|other| other.is_same_fact(one) && other.effect <= one.effect));
            }
            prop_assert!(merged.is_sorted_by_key(|issue| issue.effect));
        }
    }

    #[test]
    fn same_fact_of_two_families_is_one_issue_with_the_strongest_effect() {
        let merged = merge_issues(vec![
            issue(1, IssueEffect::Explains, &[1]),
            issue(1, IssueEffect::Informs, &[2]),
            issue(2, IssueEffect::Informs, &[1]),
            issue(1, IssueEffect::Weakens, &[]),
        ]);
        let said: Vec<(&str, IssueEffect, usize)> =
            merged.iter().map(|issue| (issue.code.name, issue.effect, issue.cells.len())).collect();
        assert_eq!(said, [(OF_RUNS[1].name, IssueEffect::Weakens, 0), (OF_RUNS[2].name, IssueEffect::Informs, 1)]);
    }
}
