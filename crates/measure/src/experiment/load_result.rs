//! What came of a load: what it measured, by side, or why it gave no figures.

use std::fmt;

use load::external::ExternalError;
use load::{Connections, LoadError, Summary};
use plan::Workload;
use results::trial::{ExternalGenerator, GeneratorTotals, Incident, LoadTotals, SentFrom};
use results::workload::SentStatement;

use super::observe;

/// A load that ran, to its end or until it was interrupted.
#[derive(Debug)]
pub(super) struct FinishedLoad {
    /// What was measured, and what the clients were told of their writes.
    pub(super) summary: Summary,
    /// The times that were measured, from one instant to another in nanoseconds since the job's start: the phase as a
    /// whole, or the turns of a side.
    pub(super) measured: Vec<(u64, u64)>,
    /// How long a slice was to be, of sides that alternate in them.
    pub(super) slice_ns: Option<u64>,
    /// Whether its clients connected by themselves, not together with those of other sides.
    pub(super) is_alone: bool,
    /// The program, when it was another one.
    pub(super) generator: Option<ExternalGenerator>,
    /// The generator on another machine.
    pub(super) sent_from: Option<SentFrom>,
    /// Each of several generators that sent it as one.
    pub(super) generators: Vec<GeneratorTotals>,
    /// Those of them that were lost while the others went on.
    pub(super) lost: Vec<Incident>,
}

impl FinishedLoad {
    pub(super) fn single_side(summary: Summary, generator: Option<ExternalGenerator>) -> Self {
        let measured = vec![(summary.measure_start_ns, summary.measure_start_ns + summary.measure_ns)];
        let (generators, lost) = (Vec::new(), Vec::new());
        Self { summary, measured, slice_ns: None, is_alone: true, generator, sent_from: None, generators, lost }
    }

    /// The same, sent by a generator on another machine.
    pub(super) fn from(self, sent_from: SentFrom) -> Self {
        Self { sent_from: Some(sent_from), ..self }
    }

    /// The measurement phase as a whole; absent when the load was stopped before it began. `statements`: those that the
    /// load sends, by number.
    pub(super) fn measured_totals(&self, workload: &Workload, statements: &[SentStatement]) -> Option<LoadTotals> {
        let totals = observe::load_totals(&self.summary, &self.measured, workload)?;
        let is_kept = self.is_alone && workload.connections == Connections::Kept;
        // Another program that does not tell it has 0.
        let connected_us = Some(self.summary.connection_ns / 1_000).filter(|us| is_kept && *us > 0);
        let queries = workload.sysbench_tables().map(|_| observe::query_totals(&self.summary));
        let first_errors =
            self.summary.first_errors.iter().map(|error| observe::first_error(error, statements)).collect();
        let sent_from = self.sent_from.clone();
        let (generator, generators) = (self.generator.clone(), self.generators.clone());
        Some(LoadTotals { generator, sent_from, generators, connected_us, queries, first_errors, ..totals })
    }

    /// What the server still worked on long after the end.
    pub(super) fn cancelled_incident(&self) -> Option<Incident> {
        let transactions = self.summary.cancelled;
        (transactions > 0).then_some(Incident::Cancelled { transactions })
    }
}

/// Why a load gave no figures.
#[derive(Debug)]
pub(super) enum NoFigures {
    /// It was stopped before there was anything.
    Stopped,
    /// It could not be finished, as these words say.
    Failed(String),
}

impl fmt::Display for NoFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("stopped"),
            Self::Failed(why) => f.write_str(why),
        }
    }
}

impl From<LoadError> for NoFigures {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Stopped => Self::Stopped,
            error => Self::Failed(in_full(&error, error.detail())),
        }
    }
}

impl From<ExternalError> for NoFigures {
    fn from(error: ExternalError) -> Self {
        match error {
            ExternalError::Stopped => Self::Stopped,
            error => Self::Failed(in_full(&error, error.detail())),
        }
    }
}

/// An error with what the system said.
pub(super) fn in_full(error: &impl fmt::Display, detail: Option<String>) -> String {
    detail.map_or_else(|| error.to_string(), |detail| format!("{error}: {detail}"))
}
