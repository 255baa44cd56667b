//! What a rule finds in one cell, and what that rests on.

use std::collections::{BTreeMap, BTreeSet};

use stats::Estimate;

use super::confirm::Confirm;
use super::mend::Mend;
use crate::budget::BudgetPart;

/// What a rule found in one cell.
#[derive(Debug, Clone)]
pub struct CaseFinding {
    /// What, in words that a person understands who does not know the rule; no target's name in it.
    pub title: String,
    /// Whether something is to be mended.
    pub kind: FindingKind,
    /// How directly the cause was observed.
    pub confidence: Confidence,
    /// What it costs.
    pub cost: FindingCost,
    /// The figures that it rests on, the most telling first.
    pub figures: Vec<EvidenceFigure>,
    /// When: the windows of the trials in which it was so.
    pub windows: Vec<TrialWindow>,
    /// The series to draw; absent where no series tells (a setting).
    pub chart: Option<Chart>,
    /// What would show that it is not so.
    pub would_disprove: String,
    /// The experiment that would confirm it.
    pub confirm: Confirm,
    /// What would take it away and may stay; absent where no setting does.
    pub mend: Option<Mend>,
}

/// Whether a finding is a fault or a fact of life. The order is that of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// Something takes time or throughput that another set-up would have.
    Problem,
    /// The figure is that of this resource: every load that does not wait has one.
    Limit,
}

/// How directly the cause was observed. The order is from the least to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// One observation fits, and others could explain it.
    Low,
    /// Several observations fit, and the cause itself was not counted.
    Medium,
    /// The cause itself was counted.
    High,
}

/// What a finding costs.
#[derive(Debug, Clone, PartialEq)]
pub enum FindingCost {
    /// Time of the mean transaction, from the time budget.
    Latency(SpentTime),
    /// Throughput that was lost, as a share of what there was otherwise.
    Throughput {
        /// The share, 0 to 1.
        share: f64,
    },
    /// The observations do not tell what it costs.
    NotAttributable,
}

impl FindingCost {
    /// Its share of the latency or the throughput, 0 to 1.
    pub fn attributed_share(&self) -> Option<f64> {
        match self {
            Self::Latency(spent) => Some(spent.share),
            Self::Throughput { share } => Some(*share),
            Self::NotAttributable => None,
        }
    }

    /// The parts of the time budget that it is in; none of what is no time of the budget.
    pub fn parts_of_budget(&self) -> Option<&BTreeSet<BudgetPart>> {
        match self {
            Self::Latency(spent) => match &spent.of {
                SpentOn::Parts(parts) | SpentOn::Within { parts, .. } => Some(parts),
            },
            Self::Throughput { .. } | Self::NotAttributable => None,
        }
    }
}

/// Time of the mean transaction that went into some parts of the time budget.
#[derive(Debug, Clone, PartialEq)]
pub struct SpentTime {
    /// Milliseconds: over trials, or over the seconds of a single one (n is 1 then: within this run only).
    pub ms: Estimate,
    /// Share of the mean latency, 0 to 1.
    pub share: f64,
    /// Milliseconds more than the other side that spends the least on it in the same place, by block; absent where
    /// there is none, and with fewer than two blocks.
    pub change_ms: Option<Estimate>,
    /// Which time it is, so that several findings count it once.
    pub of: SpentOn,
}

impl SpentTime {
    /// What is spent more than on the other side; none where that is not known, or nothing.
    pub fn more_ms(&self) -> Option<Estimate> {
        self.change_ms.filter(|more| more.point > 0.0 && self.ms.point > 0.0)
    }
}

/// Which time of a budget a finding is about, on every side of its place.
#[derive(Debug, Clone, PartialEq)]
pub enum SpentOn {
    /// All that was spent in these parts.
    Parts(BTreeSet<BudgetPart>),
    /// Some of what was spent in these parts, which was counted otherwise.
    Within {
        /// The parts.
        parts: BTreeSet<BudgetPart>,
        /// Milliseconds of the mean transaction, by the trial's number.
        ms: BTreeMap<u32, f64>,
    },
}

/// One figure of the evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceFigure {
    /// What was measured.
    pub name: String,
    /// How much.
    pub amount: FigureAmount,
}

/// A figure with its unit.
#[derive(Debug, Clone, PartialEq)]
pub enum FigureAmount {
    /// A share, 0 to 1.
    Share(f64),
    /// Milliseconds.
    Ms(f64),
    /// Seconds.
    S(f64),
    /// A number of things.
    Count(f64),
    /// Things per second.
    PerS(f64),
    /// Transactions per second.
    Tps(f64),
    /// Bytes.
    Bytes(f64),
    /// Bytes per second.
    BytesPerS(f64),
    /// Something that is no number.
    Text(String),
    /// How two sides execute the same statement.
    Plans(PlansBeside),
}

/// Two plans of one statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlansBeside {
    /// That of the side with the finding.
    pub here: PlanText,
    /// That of the other side.
    pub there: PlanText,
    /// The first line, from 0, in which they do unlike things.
    pub differs_at: usize,
}

/// A plan, a node to a line, indented by how deep it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanText {
    /// The target whose plan it is.
    pub target: String,
    /// Its lines.
    pub lines: Vec<String>,
}

/// What the share of a difference between sides is called that a finding explains.
pub(super) const SHARE_OF_CHANGE: &str = "share of the change in latency";

/// A figure of the evidence.
pub(super) fn figure(name: impl Into<String>, amount: FigureAmount) -> EvidenceFigure {
    EvidenceFigure { name: name.into(), amount }
}

/// A stretch of one trial's measurement phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrialWindow {
    /// The trial's number.
    pub trial: u32,
    /// Its start, in seconds since the load's start.
    pub from_s: f64,
    /// Its end, in seconds since the load's start.
    pub to_s: f64,
}

impl TrialWindow {
    /// How long it lasts, in seconds.
    pub fn span_s(&self) -> f64 {
        self.to_s - self.from_s
    }
}

/// Series of one trial beside each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// The trial's number.
    pub trial: u32,
    /// The end of every second, in seconds since the load's start.
    pub end_s: Vec<f64>,
    /// Throughput first, then what the rule looked at.
    pub lines: Vec<ChartLine>,
}

/// One series.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartLine {
    /// What it shows.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Beside the chart's seconds; absent where there is a gap.
    pub values: Vec<Option<f64>>,
}
