//! `generators.jsonl`: one line for each second and generator, in a trial whose load several generators sent as one.
//! The trial's own seconds are their sums, with percentiles of the merged histograms. Absent in other trials.

use serde::{Deserialize, Serialize};

use crate::interval::{EngineInterval, IntervalLatency, OpenInterval, TrialInterval};
use crate::path::PathFigures;
use crate::trial::TrialPhase;

/// What one of several generators saw in a second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GeneratorSecond {
    /// Its name: that of the plan, and its number from 1, such as `farm/2`.
    pub generator: String,
    /// The phase that the second belongs to.
    pub phase: TrialPhase,
    /// Its number within the phase, from 0.
    pub index: u32,
    /// Transactions completed.
    pub transactions: u64,
    /// Transactions failed.
    pub failed: u64,
    /// Clients without a connection at its end.
    pub clients_out: u32,
    /// Latency of the completed ones; absent when there was none.
    pub latency: Option<IntervalLatency>,
    /// What became of its arrivals, in an open loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<OpenInterval>,
    /// Its load engine's own cost.
    pub engine: Option<EngineInterval>,
    /// What lay between its clients and the server.
    pub path: Option<PathFigures>,
}

impl GeneratorSecond {
    /// What a generator saw of a load, as a second of it would be written that was its own alone.
    #[must_use]
    pub fn from_interval(generator: &str, interval: TrialInterval) -> Self {
        let TrialInterval { phase, index, transactions, failed, clients_out, latency, open, engine, path, .. } =
            interval;
        let generator = generator.to_owned();
        Self { generator, phase, index, transactions, failed, clients_out, latency, open, engine, path }
    }
}
