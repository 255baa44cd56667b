//! Codes: the stable name of each thing that pgdyno concludes about a run, with the texts that explain it.
//!
//! A code never changes its meaning. One that is renamed keeps its old spelling in [`Code::formerly`], by which old run
//! directories and histories are still read.

mod of_captured;
mod of_providers;
mod of_runs;
mod threshold;

pub use of_captured::*;
pub use of_providers::*;
pub use of_runs::*;
pub use threshold::{RuleThreshold, ThresholdKind, ThresholdUnit};

/// What a conclusion is called, and what there is to know about it whatever the run.
#[derive(Debug, PartialEq)]
pub struct Code {
    /// The code: lower case, words joined by hyphens.
    pub name: &'static str,
    /// What it is about.
    pub group: CodeGroup,
    /// What it detects, a sentence.
    pub detects: &'static str,
    /// When exactly it is reported: which conditions, in which combination.
    pub reported_if: &'static str,
    /// The numbers of these conditions; none where no condition has one.
    pub thresholds: &'static [RuleThreshold],
    /// What its issues can do to the figures, the strongest effect first; none where it is never reported as an issue.
    pub effects: &'static [IssueEffect],
    /// Why it matters, a sentence or two.
    pub why: &'static str,
    /// What it rests on.
    pub evidence: &'static str,
    /// What removes the cause.
    pub fix: &'static str,
    /// How to confirm it.
    pub confirm: &'static str,
    /// Spellings of earlier versions.
    pub formerly: &'static [&'static str],
}

impl Code {
    /// What it detects, to go on in a sentence: without its period, and in lower case unless it begins with a name.
    pub fn what_is_detected(&self) -> String {
        let text = self.detects.trim_end_matches('.');
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (Some(first), Some(second)) if !second.is_uppercase() => {
                first.to_lowercase().chain([second]).chain(letters).collect()
            }
            _ => text.to_owned(),
        }
    }

    /// What its issues do to the figures, a sentence or two.
    pub fn effects_in_words(&self) -> String {
        match self.effects {
            [] => "None: it is never an issue of a run.".to_owned(),
            [only] => only.in_words().to_owned(),
            [IssueEffect::Explains, IssueEffect::Informs] => EFFECT_OF_FINDING.to_owned(),
            [IssueEffect::Weakens, IssueEffect::Explains, IssueEffect::Informs] => {
                let of_audit = IssueEffect::Weakens.in_words();
                format!("{of_audit} If only the diagnosis reports it: {EFFECT_OF_FINDING}")
            }
            several => {
                let mut text = "It depends on what is found.".to_owned();
                for effect in several {
                    text.push(' ');
                    text.push_str(effect.in_words());
                }
                text
            }
        }
    }
}

/// What an issue of the diagnosis does to the figures.
const EFFECT_OF_FINDING: &str = "Explains the result or a difference between the sides; only for information if it affects all \
                                 sides equally, or the faster side more.";

/// What an issue does to the figures. The order is from the strongest to the weakest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum IssueEffect {
    /// A figure is not one of what it is named for, or does not count.
    Invalidates,
    /// A figure or a conclusion is less certain than it looks.
    Weakens,
    /// It is a cause of what was measured.
    Explains,
    /// It is worth knowing and changes nothing.
    Informs,
}

impl IssueEffect {
    /// The effects of a finding of the diagnosis: on one side it is a cause, on all sides it changes nothing.
    pub(crate) const OF_FINDINGS: &'static [Self] = &[Self::Explains, Self::Informs];

    /// The effects of a finding that the audit reports as well, which says more of the comparison.
    pub(crate) const OF_AUDITED_FINDINGS: &'static [Self] = &[Self::Weakens, Self::Explains, Self::Informs];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Invalidates => "invalidates",
            Self::Weakens => "weakens",
            Self::Explains => "explains",
            Self::Informs => "informs",
        }
    }

    /// It as a sentence.
    fn in_words(self) -> &'static str {
        match self {
            Self::Invalidates => "Invalidates the figures that it concerns: they do not count.",
            Self::Weakens => {
                "Weakens the figures or conclusions that it concerns: they are less certain than they look."
            }
            Self::Explains => "Explains the result or a difference between the sides.",
            Self::Informs => "Informs: it changes no figure.",
        }
    }
}

/// What a code is about. The order is that of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CodeGroup {
    /// How the benchmark was made.
    Method,
    /// The load and its generator.
    Load,
    /// CPUs.
    Cpu,
    /// Memory and caches.
    Memory,
    /// Disks.
    Disk,
    /// The write-ahead log, checkpoints and replication.
    Wal,
    /// Locks.
    Locks,
    /// Plans of statements.
    Plans,
    /// Tables, indexes, functions, and their upkeep.
    Schema,
    /// The way between clients and server.
    Network,
    /// Settings and environment of the sides.
    Config,
}

impl CodeGroup {
    /// Every group, in order.
    pub const ALL: [Self; 11] = [
        Self::Method,
        Self::Load,
        Self::Cpu,
        Self::Memory,
        Self::Disk,
        Self::Wal,
        Self::Locks,
        Self::Plans,
        Self::Schema,
        Self::Network,
        Self::Config,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Method => "method",
            Self::Load => "load",
            Self::Cpu => "cpu",
            Self::Memory => "memory",
            Self::Disk => "disk",
            Self::Wal => "wal",
            Self::Locks => "locks",
            Self::Plans => "plans",
            Self::Schema => "schema",
            Self::Network => "network",
            Self::Config => "config",
        }
    }

    /// What its codes are about, in a few words.
    pub fn subject_in_words(self) -> &'static str {
        match self {
            Self::Method => "benchmark methodology",
            Self::Load => "load and load generator",
            Self::Cpu => "CPUs",
            Self::Memory => "memory and caches",
            Self::Disk => "disks and file systems",
            Self::Wal => "write-ahead log, checkpoints and replication",
            Self::Locks => "locks and the sessions that hold them",
            Self::Plans => "query plans",
            Self::Schema => "tables, indexes, functions, and their maintenance",
            Self::Network => "the route between clients and server",
            Self::Config => "settings and environment of the sides",
        }
    }
}
