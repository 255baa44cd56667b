//! How far the latencies of each target lie apart, and how long its clients took to connect: as lines for a person, as
//! data.

use judge::Judgement;
use judge::compare::{OverTrials, TargetSpread};
use schemars::JsonSchema;
use serde::Serialize;
use stats::Estimate;

use super::data::EstimateData;
use super::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};

const EXPLANATION: &str = "The standard deviation is over the transactions of a trial. The time to connect ends when all clients \
                           of a trial are connected. Both are means over the trials. Neither has a verdict.";

/// A target at a place a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "spread",
    about: "Standard deviation of each target's latency over transactions, and the time in which its clients connected",
    columns: &[
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::new("target", "target", Holds::Words),
        DocumentColumn::new("mean latency", "latency_mean", Holds::Figure(ColumnUnit::Milliseconds)),
        DocumentColumn::new("standard deviation", "latency_stddev", Holds::Estimate(ColumnUnit::Milliseconds)),
        DocumentColumn::new("connected after", "connected_after", Holds::Estimate(ColumnUnit::Milliseconds)),
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
pub(crate) fn spread_data(judgement: &Judgement) -> Vec<SpreadData> {
    judgement
        .comparison
        .spreads
        .iter()
        .map(|spread| SpreadData {
            workload: spread.place.workload.clone(),
            target: spread.target.clone(),
            clients: spread.place.clients.known_count(),
            latency_mean_ms: spread.latency_mean_ms.as_ref().map(over_trials_data),
            latency_stddev_ms: spread.latency_stddev_ms.as_ref().map(over_trials_data),
            connected_ms: spread.connected_ms.as_ref().map(over_trials_data),
        })
        .collect()
}

fn over_trials_data(of: &OverTrials) -> OverTrialsData {
    OverTrialsData { mean: of.mean, estimate: of.estimate.map(Into::into), trials: of.trials }
}

/// A row for each target at each place; none where nothing is told.
pub(crate) fn spread_section(judgement: &Judgement) -> Option<ReportSection> {
    let spreads = &judgement.comparison.spreads;
    if spreads.is_empty() {
        return None;
    }
    let rows = spreads.iter().map(row_of_spread).collect();
    let blocks =
        vec![SectionBlock::Explanation(EXPLANATION), SectionBlock::Table(DocumentTable::from_rows(&TABLE, rows))];
    Some(ReportSection { id: "spread", title: "Spread of latency, and the time to connect".to_owned(), blocks })
}

fn row_of_spread(spread: &TargetSpread) -> DocumentRow {
    DocumentRow::from_cells(vec![
        TableCell::from_words(&spread.place.workload),
        TableCell::optional_count(spread.place.clients.known_count()),
        TableCell::from_words(&spread.target),
        over_trials(spread.latency_mean_ms),
        over_trials(spread.latency_stddev_ms),
        over_trials(spread.connected_ms),
    ])
}

/// A single trial has a figure and no interval.
fn over_trials(of: Option<OverTrials>) -> TableCell {
    match of {
        None => TableCell::Missing,
        Some(OverTrials { mean, estimate: None, .. }) => TableCell::Figure(mean),
        Some(OverTrials { mean, estimate: Some(estimate), .. }) => {
            TableCell::Estimate(Estimate { point: mean, ..estimate })
        }
    }
}

#[cfg(test)]
mod tests {
    use judge::compare::ComparisonPlace;
    use stats::ClosedInterval;

    use super::*;
    use crate::document::TableRoom;

    #[test]
    fn a_figure_of_one_trial_has_no_interval_and_what_is_not_told_is_no_zero() {
        let estimate = Estimate { point: 2.0, interval: ClosedInterval { low: 1.0, high: 4.0 }, n: 3 };
        let spread = TargetSpread {
            target: "old".to_owned(),
            place: ComparisonPlace { workload: "read".to_owned(), clients: 8.into() },
            latency_mean_ms: Some(OverTrials { mean: 8.0, estimate: None, trials: 1 }),
            latency_stddev_ms: Some(OverTrials { mean: 2.0, estimate: Some(estimate), trials: 3 }),
            connected_ms: None,
        };
        let texts = &DocumentTable::from_rows(&TABLE, vec![row_of_spread(&spread)]).people_texts(TableRoom::Page)[0];
        assert_eq!(texts[..], ["read", "8", "old", "8.00 ms", "2.00 ms", "[1.00, 4.00] ms", "–", "–"]);
    }
}
