//! How far the latencies of each target lie apart, and how long its clients took to connect: as lines for a person, as
//! data.

use judge::Judgement;
use judge::compare::{OverTrials, Spread};
use schemars::JsonSchema;
use serde::Serialize;
use stats::Estimate;

use super::data::EstimateData;
use super::document::{Block, Cell, Column, Holds, Row, Section, Table, TableKind, Unit};

const EXPLANATION: &str = "The standard deviation is over the transactions of a trial. The time to connect ends when all clients \
                           of a trial are connected. Both are means over the trials. Neither has a verdict.";

/// A target at a place a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "spread",
    about: "Standard deviation of each target's latency over transactions, and the time in which its clients connected",
    columns: &[
        Column::new("workload", "workload", Holds::Words),
        Column::new("clients", "clients", Holds::Count),
        Column::new("target", "target", Holds::Words),
        Column::new("mean latency", "latency_mean", Holds::Figure(Unit::Milliseconds)),
        Column::new("standard deviation", "latency_stddev", Holds::Estimate(Unit::Milliseconds)),
        Column::new("connected after", "connected_after", Holds::Estimate(Unit::Milliseconds)),
    ],
};

/// One target in one workload at one number of clients.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SpreadData {
    /// The workload.
    pub workload: String,
    /// The target.
    pub target: String,
    /// Number of clients; absent if unknown.
    pub clients: Option<u32>,
    /// Mean latency.
    pub latency_mean_ms: Option<OverTrialsData>,
    /// Standard deviation of the latency over the transactions of a trial.
    pub latency_stddev_ms: Option<OverTrialsData>,
    /// The time to connect all clients before a trial's load. It is absent if each transaction has its own connection,
    /// if sides alternate, and if it is unknown.
    pub connected_ms: Option<OverTrialsData>,
}

/// A figure over the trials of a target.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OverTrialsData {
    /// Its level: the geometric mean, or the arithmetic mean if a trial has 0.
    pub mean: f64,
    /// The level with its interval; absent for a single trial.
    pub estimate: Option<EstimateData>,
    /// Trials that have the figure.
    pub trials: usize,
}

/// Every target at every place.
pub(crate) fn data(judgement: &Judgement) -> Vec<SpreadData> {
    let over =
        |of: &OverTrials| OverTrialsData { mean: of.mean, estimate: of.estimate.map(Into::into), trials: of.trials };
    let one = |spread: &Spread| SpreadData {
        workload: spread.place.workload.clone(),
        target: spread.target.clone(),
        clients: spread.place.clients.known(),
        latency_mean_ms: spread.latency_mean_ms.as_ref().map(over),
        latency_stddev_ms: spread.latency_stddev_ms.as_ref().map(over),
        connected_ms: spread.connected_ms.as_ref().map(over),
    };
    judgement.comparison.spreads.iter().map(one).collect()
}

/// A row for each target at each place; none where nothing is told.
pub(crate) fn spread_section(judgement: &Judgement) -> Option<Section> {
    let spreads = &judgement.comparison.spreads;
    if spreads.is_empty() {
        return None;
    }
    let rows = spreads.iter().map(row).collect();
    let blocks = vec![Block::Explanation(EXPLANATION), Block::Table(Table::of(&TABLE, rows))];
    Some(Section { id: "spread", title: "Spread of latency, and the time to connect".to_owned(), blocks })
}

fn row(spread: &Spread) -> Row {
    Row::of(vec![
        Cell::words(&spread.place.workload),
        Cell::count(spread.place.clients.known()),
        Cell::words(&spread.target),
        over_trials(spread.latency_mean_ms),
        over_trials(spread.latency_stddev_ms),
        over_trials(spread.connected_ms),
    ])
}

/// A single trial has a figure and no interval.
fn over_trials(of: Option<OverTrials>) -> Cell {
    match of {
        None => Cell::Missing,
        Some(OverTrials { mean, estimate: None, .. }) => Cell::Figure(mean),
        Some(OverTrials { mean, estimate: Some(estimate), .. }) => Cell::Estimate(Estimate { point: mean, ..estimate }),
    }
}

#[cfg(test)]
mod tests {
    use judge::compare::Place;
    use stats::Interval;

    use super::*;
    use crate::document::TableRoom;

    #[test]
    fn a_figure_of_one_trial_has_no_interval_and_what_is_not_told_is_no_zero() {
        let estimate = Estimate { point: 2.0, interval: Interval { low: 1.0, high: 4.0 }, n: 3 };
        let spread = Spread {
            target: "old".to_owned(),
            place: Place { workload: "read".to_owned(), clients: 8.into() },
            latency_mean_ms: Some(OverTrials { mean: 8.0, estimate: None, trials: 1 }),
            latency_stddev_ms: Some(OverTrials { mean: 2.0, estimate: Some(estimate), trials: 3 }),
            connected_ms: None,
        };
        let texts = &Table::of(&TABLE, vec![row(&spread)]).people_texts(TableRoom::Page)[0];
        assert_eq!(texts[..], ["read", "8", "old", "8.00 ms", "2.00 ms", "[1.00, 4.00] ms", "–", "–"]);
    }
}
