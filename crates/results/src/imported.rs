//! What a run consists of that another tool measured: the files, what they were understood as,
//! and what nobody can know.
//!
//! Nothing of an imported run was read back from a server. What its author says of a target is stated, not a fact, and
//! has a type of its own; what a tool printed is in [`crate::told`].

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::told::ToldStorage;
use crate::trial::Cell;

/// Where the figures of an imported run come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Imported {
    /// The files, in the order of the command line.
    pub sources: Vec<ImportedFile>,
    /// The target that the others are compared with.
    pub baseline: String,
    /// Whether the author states that the repetitions of one number were measured in one block, each target after the
    /// other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paired: bool,
    /// What the author says may differ between the targets: aspects, as in a plan, and names of settings or conditions;
    /// absent where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub may_differ: Option<Vec<String>>,
    /// What is stated of each target, in the order in which the sources name them.
    pub targets: Vec<StatedTarget>,
    /// Every condition that the author states, by its keys joined with dots, as in `generator.duration_s`; the items of
    /// a list are joined with commas.
    #[serde(rename = "declared", alias = "stated")]
    pub stated: BTreeMap<String, String>,
    /// What tables tell of the targets' storage; outputs of fio itself are stages of disks instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub storage: Vec<ToldStorage>,
    /// What a page tells of a cell both in its tables and in its outputs, of which one is left out of the trials.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told_twice: Vec<ToldTwice>,
    /// What tables compute from their own figures.
    #[serde(default, skip_serializing_if = "ComputedFigures::is_empty")]
    pub computed: ComputedFigures,
    /// Threads of the generator, as all outputs print that stand beside tables and are none of the trials; absent where
    /// these print several, or as many as clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads_beside_tables: Option<u32>,
    /// What a run of pgdyno tells and this one does not, for a person.
    pub missing: Vec<String>,
}

/// The figures of one cell in the tables of a page and in the outputs beside them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToldTwice {
    /// The cell.
    pub cell: Cell,
    /// What they are of.
    pub figure: FigureToldTwice,
    /// As the tables have them: one, or one of each repetition.
    pub in_tables: Vec<f64>,
    /// As the outputs have them.
    pub in_outputs: Vec<f64>,
    /// Other rates per second that the outputs print, by what they are of, such as new orders of a TPROC-C: a table may
    /// have these instead.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub other_rates: BTreeMap<String, Vec<f64>>,
    /// Whether the tables have a latency of the cell as well.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_latency_in_table: bool,
}

/// A figure that tables and outputs have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FigureToldTwice {
    /// Transactions per second.
    Throughput,
    /// Mean latency in milliseconds.
    MeanLatency,
}

/// What tables compute from their own figures.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ComputedFigures {
    /// Changes in percent, each with the two figures of its row that it is of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<StatedChange>,
    /// Averages of columns that are over unlike rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub averages: Vec<StatedAverage>,
    /// The rates of outputs that are in tables, of tables that have several kinds of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rates: Vec<RatesOfTable>,
}

/// The figures of a table that are rates of outputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RatesOfTable {
    /// File and line.
    pub source: String,
    /// Its figures of which the outputs tell what they are.
    pub rates: Vec<RateInTable>,
}

/// A figure of a table that is a rate of an output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RateInTable {
    /// As the table has it.
    pub figure: f64,
    /// What it is of, such as `new orders`.
    pub of: String,
    /// The cell of the output.
    pub cell: Cell,
    /// The throughput of the output, which tells it from others of the cell.
    pub throughput_per_s: f64,
}

impl ComputedFigures {
    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.averages.is_empty() && self.rates.is_empty()
    }

    /// Adds what other tables compute.
    pub fn add_figures(&mut self, other: Self) {
        self.changes.extend(other.changes);
        self.averages.extend(other.averages);
        self.rates.extend(other.rates);
    }
}

/// A change in percent of a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StatedChange {
    /// File and line, such as `page.md:12`.
    pub source: String,
    /// What it is called.
    pub name: String,
    /// The change as stated.
    pub percent: f64,
    /// What it is from.
    pub from: ChangedField,
    /// What it is to.
    pub to: ChangedField,
    /// How far the ratio of the two may be from that of what was rounded, as a share.
    pub rounding: f64,
}

/// A figure of a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangedField {
    /// The name of its column.
    pub column: String,
    /// The figure.
    pub figure: f64,
}

/// A row of averages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StatedAverage {
    /// File and line.
    pub source: String,
    /// The columns whose figures have this mean.
    pub columns: Vec<AveragedColumn>,
}

/// An average of a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AveragedColumn {
    /// The name of the column.
    pub column: String,
    /// The average as stated.
    pub average: f64,
    /// The first fields of the rows that it is of.
    pub over: Vec<String>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedFile {
    /// Its name as given.
    pub file: String,
    /// What wrote it: `pgbench`, `sysbench`, `fio`, `PostgreSQL`, or `table` and `study` for what a person wrote.
    pub tool: String,
    /// The tool's version, as far as the file tells.
    pub version: Option<String>,
    /// The title of a page: its first heading of the highest level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it holds, as understood, such as `3 reports` or `a log of 97084 transactions`.
    pub content: String,
    /// What had to be interpreted, such as a decimal comma.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Outputs and tables in it that were not read, one line each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_read: Vec<String>,
    /// The trials that have figures of it, by number.
    pub trials: Vec<u32>,
}

/// A target as its author describes it: nothing of this was read back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedTarget {
    /// Its name.
    pub name: String,
    /// PostgreSQL's version, such as `14` or `14.5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// PostgreSQL's version as all outputs of its trials print it, such as `16.3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed_version: Option<String>,
    /// The version of the tool that sent the load, as its outputs print it, such as `17.2`; absent where they print
    /// several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generator_version: Option<String>,
    /// PostgreSQL's settings, as written.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// Everything else, by its keys joined with dots, such as `platform` or `storage`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub conditions: BTreeMap<String, String>,
}

impl Imported {
    /// What is stated of a target.
    #[must_use]
    pub fn target_named(&self, name: &str) -> Option<&StatedTarget> {
        self.targets.iter().find(|target| target.name == name)
    }
}
