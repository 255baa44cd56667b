//! `tuning.json`: the rounds of a tuning, in the directory of the run that ended it. What was tried when, why, what
//! came of it there, and whether it was kept; each round has a run directory of its own.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The newest format of `tuning.json`.
pub const FORMAT: u32 = 1;

/// A tuning from its first look to its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// The target that was tuned.
    pub target: String,
    /// Identifier of the run that looked at it as it was.
    pub first_look: String,
    /// What was tried, in the order of time.
    pub rounds: Vec<Round>,
    /// What was found and not tried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<UntriedChange>,
    /// Why it ended.
    pub ended: TuningEnd,
    /// What was kept.
    pub kept: SettingsChange,
}

/// Settings that are given beside those that are there.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SettingsChange {
    /// Of PostgreSQL, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// Of the kernel of the server's host, as sysctl(8) names them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sysctl: BTreeMap<String, String>,
}

impl SettingsChange {
    /// Whether nothing is given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.settings.is_empty() && self.sysctl.is_empty()
    }

    /// Whether another one sets the same, be it to other values.
    #[must_use]
    pub fn sets_what(&self, other: &SettingsChange) -> bool {
        self.settings.keys().eq(other.settings.keys()) && self.sysctl.keys().eq(other.sysctl.keys())
    }

    /// Another one over this one.
    pub fn add(&mut self, other: &SettingsChange) {
        self.settings.extend(other.settings.clone());
        self.sysctl.extend(other.sysctl.clone());
    }

    /// `max_wal_size = 8GB, vm.dirty_bytes = 4294967296`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let all = self.settings.iter().chain(&self.sysctl);
        all.map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
    }
}

/// One change, tried against the best of before in blocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Identifier of its run.
    pub run: String,
    /// What was tried, and why.
    #[serde(flatten)]
    pub attempt: TuningAttempt,
    /// What came of it, at every place.
    pub cells: Vec<TuningCell>,
    /// Whether it was kept.
    pub kept: bool,
}

/// A change, and why it is tried.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TuningAttempt {
    /// The rule that found what it is to mend; several with commas where what they found is mended together.
    pub rule: String,
    /// What was found.
    pub found: String,
    /// What is expected of the change.
    pub expected: String,
    /// The change.
    pub change: SettingsChange,
    /// What it gives up; absent where nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gives_up: Option<String>,
}

/// What came of a change at one place. Shares: the changed server / the best of before − 1, of the deciding metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TuningCell {
    /// Workload name.
    pub workload: String,
    /// Number of clients.
    pub clients: u32,
    /// The change; absent where there was no interval to be had.
    pub change: Option<Gain>,
    /// The verdict, in a word.
    pub verdict: String,
}

/// A change with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Gain {
    /// The most plausible value.
    pub point: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Blocks that it rests on.
    pub n: usize,
}

/// A change that was not tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UntriedChange {
    /// The rule that found what it would mend.
    pub rule: String,
    /// What was found.
    pub found: String,
    /// What would mend it; empty where no setting does.
    pub change: SettingsChange,
    /// Why it was not tried.
    pub why: String,
}

/// Why a tuning ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TuningEnd {
    /// No finding is left that a setting would mend and that was not tried.
    NothingLeft,
    /// No further comparison would have fitted into its time.
    TimeSpent,
    /// A person stopped it.
    Interrupted,
}
