//! How far the latencies of each target lie apart, and how long its clients took to connect: as lines for a person, as
//! data.

use judge::Judgement;
use judge::compare::{OverTrials, Spread};
use judge::units;
use schemars::JsonSchema;
use serde::Serialize;

use super::columns::{Alignment, aligned};
use super::data::EstimateData;
use super::words;

/// What stands over the table.
const HEADING: &str = "Spread of latency, and the time to connect";
const TITLES: [&str; 8] = [
    "workload",
    "clients",
    "target",
    "mean latency",
    "standard deviation",
    "95 % interval",
    "connected after",
    "95 % interval",
];

/// One target at one place.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SpreadData {
    /// The workload.
    pub workload: String,
    /// The target.
    pub target: String,
    /// Clients; absent where nobody says.
    pub clients: Option<u32>,
    /// Mean latency.
    pub latency_mean_ms: Option<OverTrialsData>,
    /// Standard deviation of the latency over the transactions of a trial.
    pub latency_stddev_ms: Option<OverTrialsData>,
    /// The time in which all clients were connected before a trial's load; absent where connections are made for each
    /// transaction, where sides take turns, and where it was not told.
    pub connected_ms: Option<OverTrialsData>,
}

/// A figure over the trials of a target.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OverTrialsData {
    /// Its level: the geometric mean, or the arithmetic one where a trial has zero.
    pub mean: f64,
    /// The same with its interval; absent of a single trial.
    pub estimate: Option<EstimateData>,
    /// Trials that tell it.
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

/// A line for each target at each place; none where nothing is told.
pub(crate) fn lines(judgement: &Judgement) -> Option<(String, Vec<String>)> {
    let spreads = &judgement.comparison.spreads;
    let rows: Vec<[String; 8]> = std::iter::once(TITLES.map(str::to_owned)).chain(spreads.iter().map(row)).collect();
    let [left, right] = [Alignment::Left, Alignment::Right];
    let lines = aligned(&rows, [left, right, left, right, right, right, right, right]);
    (!spreads.is_empty()).then(|| (HEADING.to_owned(), lines))
}

fn row(spread: &Spread) -> [String; 8] {
    let none = || "–".to_owned();
    let mean = |of: Option<OverTrials>| of.map_or_else(none, |of| units::milliseconds(of.mean));
    let interval = |of: Option<OverTrials>| {
        of.and_then(|of| of.estimate).map_or_else(none, |estimate| {
            words::figure_interval(&estimate, |ends| {
                format!("{} … {}", units::milliseconds(ends.low), units::milliseconds(ends.high))
            })
        })
    };
    [
        spread.place.workload.clone(),
        spread.place.clients.known().map_or_else(none, |clients| clients.to_string()),
        spread.target.clone(),
        mean(spread.latency_mean_ms),
        mean(spread.latency_stddev_ms),
        interval(spread.latency_stddev_ms),
        mean(spread.connected_ms),
        interval(spread.connected_ms),
    ]
}

#[cfg(test)]
mod tests {
    use judge::compare::Place;
    use stats::Interval;

    use super::*;

    #[test]
    fn a_figure_of_one_trial_has_no_interval_and_what_is_not_told_is_no_zero() {
        let estimate = stats::Estimate { point: 2.0, interval: Interval { low: 1.0, high: 4.0 }, n: 3 };
        let spread = Spread {
            target: "old".to_owned(),
            place: Place { workload: "read".to_owned(), clients: 8.into() },
            latency_mean_ms: Some(OverTrials { mean: 8.0, estimate: None, trials: 1 }),
            latency_stddev_ms: Some(OverTrials { mean: 2.0, estimate: Some(estimate), trials: 3 }),
            connected_ms: None,
        };
        assert_eq!(row(&spread), ["read", "8", "old", "8.00 ms", "2.00 ms", "1.00 ms … 4.00 ms", "–", "–"]);
    }
}
