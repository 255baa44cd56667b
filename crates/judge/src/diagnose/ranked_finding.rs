//! What the rules conclude together: a finding with the cells that it concerns and what it says about the comparison.

use results::trial::Cell;

use super::finding::CaseFinding;
use super::quantity::QuantityComparison;
use super::rule::Rule;

/// A rule's conclusion about some cells, after all rules have looked at all cells.
#[derive(Debug, Clone)]
pub struct RankedFinding {
    /// The rule.
    pub rule: &'static Rule,
    /// Which cells it concerns; the first is the one that the rest speaks of, where it costs most.
    pub cells: Vec<Cell>,
    /// What it says about the comparison.
    pub bearing: Bearing,
    /// How much of its cause the first cell has beside another side; absent where it has no measure, or nothing to be
    /// compared with.
    pub beside: Option<QuantityComparison>,
    /// The share of the change of its first cell that it explains if nothing else is asked, 0 to 1; only of a
    /// [`Bearing::Difference`] that explains some.
    pub share_of_change: Option<f64>,
    /// The findings before it in the list, about the same place, that count some of the same time.
    pub overlaps: Vec<Overlap>,
    /// What was found there.
    pub found: CaseFinding,
}

/// Time that another finding is about, too.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlap {
    /// The rule of the other finding.
    pub rule: &'static str,
    /// The share of this finding's time that is in the other's parts of the budget as well, 0 to 1.
    pub share: f64,
}

/// What a finding says about the comparison. The order is that of a report: what explains the difference comes first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bearing {
    /// One side surely has it and another has not, or has more of its cause, and is not the faster of them: it may
    /// explain a difference.
    Difference {
        /// The target that has it, or more of it.
        target: String,
    },
    /// It was found, and whether another side has it is not known: the rule could not tell there,
    /// or nothing was measured.
    OtherSideUnknown {
        /// The other targets of which it is not known.
        of: Vec<String>,
    },
    /// Every side has about as much of it: it affects them all equally.
    EverySide,
    /// The side that has it, or more of it, is surely the faster: it explains no loss of the other.
    MoreOnFaster {
        /// The target that has it, or more of it.
        target: String,
    },
    /// There is nothing to compare.
    NoComparison,
}
