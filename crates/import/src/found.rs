//! What single files hold, before it is known what belongs together.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

use load::external::pgbench::PgbenchTransactionLog;
use outputs::pgbench::Aggregate;
use probe::KeptLog;
use problem::Problem;
use results::imported::{ComputedFigures, StatedTarget};
use results::log::ServerLog;
use results::shared::{LatestValues, Shared};
use results::told::{StatedCommon, StatedDetail, StatedFigures, ToldLatency, ToldStorage};
use results::trial::Cell;

use outputs::fio_json::FioOutput;
use outputs::fio_log::FioLogKind;

use super::between::KeptSurroundings;
use super::columns::ServerColumn;
use super::figure::Marks;
use super::source_file::SourceFile;

/// The target of figures of which nobody says what they are of.
pub(crate) const NO_TARGET: &str = "imported";

/// One file as it was understood.
#[derive(Debug)]
pub(crate) struct ImportedDocument {
    pub file: SourceFile,
    /// What wrote it.
    pub tool: &'static str,
    /// The tool's version, as far as the file tells.
    pub version: Option<String>,
    /// What had to be interpreted.
    pub notes: Vec<String>,
    /// What it holds.
    pub content: FileContent,
}

impl ImportedDocument {
    /// Whether it holds outputs, logs or tables: figures of trials or of disks.
    pub(crate) fn has_figures(&self) -> bool {
        !matches!(
            self.content,
            FileContent::Nothing(_)
                | FileContent::Study(_)
                | FileContent::ServerLog(_)
                | FileContent::NotRead(_)
                | FileContent::TableFields(_)
                | FileContent::Computed(_)
                | FileContent::Title(_)
        )
    }
}

/// What a file holds.
#[derive(Debug)]
pub(crate) enum FileContent {
    /// The conditions of a study.
    Study(Study),
    Table(ImportedRows),
    /// Runs of a tool, as its output tells them.
    Runs(Vec<FoundTrial>),
    /// A log of pgbench's transactions.
    Transactions(LogFile),
    /// A log of pgbench's intervals.
    Aggregates(AggregateFile),
    /// Executions of fio.
    Fio(Vec<PlacedFioOutput>),
    FioLog(FioLogFile),
    ServerLog(KeptLog),
    /// Trials of a page's tables beside its outputs, or of its outputs beside its tables: only to be compared.
    LeftOut(Vec<FoundTrial>),
    /// What tables compute from their own figures: only to be checked.
    Computed(ComputedFigures),
    /// The figures of tables, read or not: only to be compared with the rates of outputs.
    TableFields(Vec<TableFields>),
    /// The title of a page.
    Title(String),
    /// Outputs and tables that are not read beside others, one line each with the reason.
    NotRead(Vec<String>),
    /// Nothing that is read; the problem says why.
    Nothing(Problem),
}

/// An execution of fio.
#[derive(Debug)]
pub(crate) struct PlacedFioOutput {
    pub output: FioOutput,
    /// Its text if that is JSON.
    pub json: Option<String>,
    /// The target that lines above it name.
    pub target: Option<String>,
}

/// A log of pgbench's transactions; several files may be of one run.
#[derive(Debug)]
pub(crate) struct LogFile {
    /// What the files of one run have in common.
    pub run: String,
    /// What was read.
    pub log: Box<PgbenchTransactionLog>,
    /// Whether the seventh column is known to be the lag.
    pub lag_is_known: bool,
}

/// A log of pgbench's intervals; several files may be of one run.
#[derive(Debug)]
pub(crate) struct AggregateFile {
    /// What the files of one run have in common.
    pub run: String,
    /// Its intervals, in order.
    pub rows: Vec<Aggregate>,
}

/// A log of fio.
#[derive(Debug)]
pub(crate) struct FioLogFile {
    /// The prefix of its name, which the logs of one run have in common.
    pub run: String,
    /// The number of its job, from 1; missing where all jobs of the run share a log.
    pub job: Option<u32>,
    /// Which series it is.
    pub kind: FioLogKind,
    /// Whether its latencies are a part of those of another kind of log, `lat`.
    pub is_part: bool,
}

/// Which part of a trial a file holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum TrialPart {
    /// Its totals, maybe with more.
    #[default]
    Whole,
    /// Progress lines without a report.
    Progress,
    /// What a log tells.
    Log,
}

/// The rows of a table.
#[derive(Debug, Default)]
pub(crate) struct ImportedRows {
    /// Those of database benchmarks.
    pub trials: Vec<FoundTrial>,
    /// Those of storage benchmarks.
    pub storage: Vec<ToldStorage>,
    /// What a table of them tells of the targets' servers: the target, what of it, and the value.
    pub of_servers: Vec<(String, ServerColumn, String)>,
    /// Whether some figures of these are neither of reads nor of writes, and are nobody's.
    pub of_neither: bool,
}

/// The conditions that an author states.
#[derive(Debug, Clone, Default)]
pub(crate) struct Study {
    pub name: Option<String>,
    /// The target that the others are compared with.
    pub baseline: Option<String>,
    /// Whether the repetitions of one number were measured in one block.
    pub paired: bool,
    /// Whether the outputs of several load generators are parts of one trial.
    pub adds_generators: bool,
    /// What may differ between the targets, where it says so.
    pub may_differ: Option<Vec<String>>,
    /// Its files, as it names them, each with its target if the study gives it one.
    pub files: Vec<(Option<String>, String)>,
    /// What columns of its tables tell whose names do not say it.
    pub columns: BTreeMap<String, ColumnMeaning>,
    /// What marks decimals in its tables, where it says so.
    pub decimal_mark: Option<Marks>,
    /// Every condition by its path of keys.
    pub stated: BTreeMap<String, String>,
    /// What is stated of each target.
    pub targets: Vec<StatedTarget>,
    pub text: String,
}

/// What an author says of a column of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ColumnMeaning {
    /// The name of a known column that tells the same, such as `tps`.
    pub tells: String,
    /// The time over which it counts, where it is a count.
    pub over: Option<String>,
    /// What its figures are of, such as `target` = `vm`.
    pub of: BTreeMap<String, String>,
}

/// One execution of one cell, as one file tells it.
#[derive(Debug, Clone, Default)]
pub(crate) struct FoundTrial {
    /// The line at which it stands, from 1.
    pub line: usize,
    /// Which repetition it is, from 1, where the file says it.
    pub repetition: Option<u32>,
    /// What rows of a table mostly have in common.
    pub common: Shared<FoundCommon>,
    /// Its figures.
    pub told: StatedFigures,
}

impl Deref for FoundTrial {
    type Target = FoundCommon;

    fn deref(&self) -> &FoundCommon {
        &self.common
    }
}

impl DerefMut for FoundTrial {
    fn deref_mut(&mut self) -> &mut FoundCommon {
        &mut self.common
    }
}

/// What a file says of a trial beside its figures.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct FoundCommon {
    /// Target, where the file says it.
    pub target: Option<String>,
    /// Workload, where the file says it.
    pub workload: Option<String>,
    /// Clients, where the file says it.
    pub clients: Option<u32>,
    /// Which part of a trial it is.
    pub part: TrialPart,
    /// The files that it is from, by their place on the command line, from 0.
    pub sources: Vec<usize>,
    /// The tool's version, where it stands with the figures.
    pub version: Option<String>,
    /// The version of the tool that sent the load, where that is none of the server's programs.
    pub generator_version: Option<String>,
    /// What lines above it in its file say.
    pub surroundings: KeptSurroundings,
    /// Whether the number of its transactions is estimated from a sample.
    pub is_estimate: bool,
    /// Length of the interval at the end of the run that the file leaves out, in seconds.
    pub left_out_s: Option<f64>,
    /// Whether transactions could be tried again: then a log has a column for it.
    pub has_retries: bool,
    /// Its seconds, or longer intervals; empty where only the whole is told.
    pub seconds: Vec<FoundInterval>,
    /// When it began, in seconds since 1970.
    pub started_s: Option<f64>,
    /// Why it did not end as it should.
    pub aborted: Option<String>,
}

/// The figure of a report whose transactions connect, and that has a throughput with and one without that time.
pub(crate) const TPS_WITHOUT_CONNECTING: &str = "tps without connecting";

/// The figures of a table that have enough digits to be recognised, each with half a unit of its last one.
#[derive(Debug)]
pub(crate) struct TableFields {
    /// File and line.
    pub source: String,
    /// The figures.
    pub figures: Vec<(f64, f64)>,
}

/// Finds what the trials of a table have in common.
#[derive(Debug, Default)]
pub(crate) struct TrialSharing {
    found: LatestValues<FoundCommon>,
    told: LatestValues<StatedCommon>,
    detail: LatestValues<StatedDetail>,
}

impl TrialSharing {
    /// Takes what a trial has in common with one of the latest.
    pub(crate) fn share_values(&mut self, trial: &mut FoundTrial) {
        self.found.share_value(&mut trial.common);
        self.told.share_value(&mut trial.told.common);
        self.detail.share_value(&mut trial.told.detail);
    }
}

/// A trial with its place.
#[derive(Debug)]
pub(crate) struct Placed {
    pub cell: Shared<Cell>,
    /// Its block, from 1: the how manieth of its cell.
    pub block: u32,
    /// Its figures.
    pub found: FoundTrial,
    /// What the server's log says of it.
    pub log: Option<Box<ServerLog>>,
}

/// A part of a trial's time.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct FoundInterval {
    /// Start, in microseconds since the trial's.
    pub start_us: u64,
    /// Length in microseconds.
    pub duration_us: u64,
    /// Transactions completed.
    pub transactions: u64,
    /// Transactions that failed.
    pub failed: u64,
    /// Transactions over the latency limit.
    pub late: u64,
    /// Transactions tried more than once.
    pub retried: u64,
    /// Latency, as far as it is told.
    pub latency: ToldLatency,
}

/// So many values are given up at a time.
const PART: usize = 1 << 14;

/// The values of a list, of which those that were taken leave no room behind.
pub(crate) fn give_up_values<T>(mut values: Vec<T>) -> impl Iterator<Item = T> {
    let mut parts = Vec::with_capacity(values.len() / PART + 1);
    while values.len() > PART {
        parts.push(values.split_off(values.len() - PART));
        values.shrink_to_fit();
    }
    parts.push(values);
    parts.into_iter().rev().flatten()
}
