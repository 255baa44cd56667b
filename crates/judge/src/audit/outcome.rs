//! What a check says: its verdict, the figures that it rests on, and what follows.

use std::collections::BTreeSet;

use super::groups::in_groups;

/// The verdict of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckRuling {
    /// The rule is broken.
    Broken(Weight),
    /// The account does not tell.
    CannotTell {
        /// What would be needed.
        needs: String,
    },
    /// The rule holds.
    Holds,
}

/// What a broken rule undermines, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Something else than what is named was measured: no figure is one of it.
    Measurement,
    /// The sides were not measured alike, or something other than them was:
    /// the comparison does not answer the question.
    Comparison,
    /// A conclusion is not borne out by the figures, which may be right.
    Conclusion,
    /// Single figures are wrong.
    Figures,
    /// The description is wrong; the figures may be right.
    Description,
}

impl Weight {
    /// What is undermined, in words.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Measurement => "the measurement",
            Self::Comparison => "the comparison",
            Self::Conclusion => "the conclusion",
            Self::Figures => "single figures",
            Self::Description => "the description",
        }
    }
}

/// One figure that a verdict rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerdictFigure {
    /// What it is of: a side, a cell, a job.
    pub of: String,
    /// It, with its unit and what it should be.
    pub text: String,
    /// Whether it speaks against the rule.
    pub breaks: bool,
}

impl VerdictFigure {
    /// A figure that breaks the rule.
    pub fn against_rule(of: impl Into<String>, text: impl Into<String>) -> Self {
        Self { of: of.into(), text: text.into(), breaks: true }
    }

    /// A figure that does not.
    pub fn within_rule(of: impl Into<String>, text: impl Into<String>) -> Self {
        Self { of: of.into(), text: text.into(), breaks: false }
    }
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckResult {
    /// The verdict.
    pub verdict: CheckRuling,
    /// What it rests on, the figures that break the rule first.
    pub figures: Vec<VerdictFigure>,
    /// What follows for the conclusion; empty when the rule holds.
    pub consequence: String,
}

impl CheckResult {
    /// The rule holds.
    pub fn rule_holds(figures: Vec<VerdictFigure>) -> Self {
        Self { verdict: CheckRuling::Holds, figures: merge_equal_figures(figures), consequence: String::new() }
    }

    /// The account does not tell.
    pub fn cannot_tell(needs: impl Into<String>, figures: Vec<VerdictFigure>) -> Self {
        let verdict = CheckRuling::CannotTell { needs: needs.into() };
        Self { verdict, figures: merge_equal_figures(figures), consequence: String::new() }
    }

    /// The rule is broken.
    pub fn rule_broken(weight: Weight, mut figures: Vec<VerdictFigure>, consequence: impl Into<String>) -> Self {
        figures.sort_by_key(|figure| !figure.breaks);
        Self {
            verdict: CheckRuling::Broken(weight),
            figures: merge_equal_figures(figures),
            consequence: consequence.into(),
        }
    }
}

/// What is the same at several places is said once, where it comes first.
fn merge_equal_figures(figures: Vec<VerdictFigure>) -> Vec<VerdictFigure> {
    let mut merged = Vec::new();
    for alike in in_groups(figures, |figure| (figure.text.clone(), figure.breaks)) {
        let mut seen = BTreeSet::new();
        let mut places: Vec<&str> = alike.iter().map(|figure| figure.of.as_str()).collect();
        places.retain(|place| seen.insert(*place));
        merged.push(VerdictFigure { of: join_places(&places), ..alike[0].clone() });
    }
    merged
}

/// Places that have commas themselves are told apart by semicolons.
fn join_places(places: &[&str]) -> String {
    places.join(if places.iter().any(|place| place.contains(',')) { "; " } else { ", " })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_that_is_the_same_at_several_places_is_printed_once() {
        let at = |places: &[&str], text: &str, breaks| -> Vec<VerdictFigure> {
            places.iter().map(|of| VerdictFigure { of: (*of).to_owned(), text: text.to_owned(), breaks }).collect()
        };
        let none_known = at(&["a", "b", "c"], "nothing is known", false);
        let broken = at(&["vm, read", "pod, read"], "cut off", true);
        let other = at(&["vm, read"], "nothing is known", true);
        let again = at(&["vm, read"], "cut off", true);
        let all = [none_known, broken, other, again].concat();
        let printed: Vec<String> =
            merge_equal_figures(all).into_iter().map(|figure| format!("{}: {}", figure.of, figure.text)).collect();
        let expected = ["a, b, c: nothing is known", "vm, read; pod, read: cut off", "vm, read: nothing is known"];
        assert_eq!(printed, expected);
    }
}
