//! What a plan requires of its workloads, held against what was measured on every server.

use plan::{Percent, Plan, Workload, WorkloadLimits};
use stats::failures::exact_interval;
use stats::{ConfidenceLevel, Estimate};

use crate::compare::{ComparedSide, ComparisonPlace, Metric, Observations, RunQuestion};
use crate::failures::{self, TransactionAccount};

/// One limit of a workload on one server, with one number of clients.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    /// The server's target.
    pub target: String,
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// What is limited.
    pub limited: Limited,
    /// The limit, in the unit of what is limited: what it must exceed where more is better, and stay below where less
    /// is.
    pub limit: f64,
    /// What was measured; absent where nothing usable was.
    pub measured: Option<Estimate>,
    /// What the figure is of, where the words of the limit do not say it.
    pub of: Option<String>,
    /// Why nothing usable was measured, where it is since practically nothing was completed.
    pub completes_nothing: Option<String>,
    /// Whether it is kept.
    pub ruling: Compliance,
}

/// What a limit is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limited {
    /// A figure of the completed transactions, in its unit.
    Metric(Metric),
    /// The share of failed transactions, 0 to 1.
    Failures,
    /// The change of the database time of a captured load, as a share.
    DatabaseTime,
    /// The change of the mean time of each statement of a captured load, as a share; the figure is that of the one that
    /// decides.
    Statements,
}

/// Whether a requirement is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compliance {
    /// The whole interval is within the limit.
    Kept,
    /// None of the interval is within the limit, or what was to end has not.
    Broken,
    /// The limit is within the interval, or nothing tells.
    NotEnoughData,
}

impl Compliance {
    /// Of a figure that must stay below its limit.
    pub fn with_upper_limit(measured: &Estimate, limit: f64) -> Self {
        match measured.interval {
            interval if interval.high < limit => Self::Kept,
            interval if interval.low >= limit => Self::Broken,
            _ => Self::NotEnoughData,
        }
    }

    /// Of a figure that must exceed its limit.
    fn with_lower_limit(measured: &Estimate, limit: f64) -> Self {
        match measured.interval {
            interval if interval.low > limit => Self::Kept,
            interval if interval.high <= limit => Self::Broken,
            _ => Self::NotEnoughData,
        }
    }
}

/// Every limit of every workload of a plan, in its order, on every server.
pub fn of_run(plan: Option<&Plan>, question: &RunQuestion, observations: &Observations<'_>) -> Vec<Requirement> {
    let mut all = Vec::new();
    for workload in plan.iter().flat_map(|plan| &plan.workloads) {
        let places = observations.places_in_order().into_iter().filter(|place| place.workload == workload.name);
        for place in places {
            for target in question.all_targets() {
                let account = failures::account_of(observations, &place, target);
                for (metric, limit) in limits_of_workload(workload) {
                    all.push(rule_on_metric(observations, (target, &place), &account, metric, limit));
                }
                let share = workload.require.failures.map(Percent::as_fraction);
                all.extend(share.map(|limit| rule_on_failures((target, &place), &account, limit)));
            }
        }
    }
    all
}

/// The limits that are given, each in the unit of its metric.
fn limits_of_workload(workload: &Workload) -> Vec<(Metric, f64)> {
    let WorkloadLimits { throughput, mean, p50, p95, p99, p999, .. } = workload.require;
    let rate = if workload.capacity_search().is_some() { Metric::Capacity } else { Metric::Throughput };
    let latencies = [
        (Metric::LatencyMean, mean),
        (Metric::LatencyP50, p50),
        (Metric::LatencyP95, p95),
        (Metric::LatencyP99, p99),
        (Metric::LatencyP999, p999),
    ];
    let latencies = latencies.into_iter().filter_map(|(metric, limit)| Some((metric, limit?.as_secs_f64() * 1e3)));
    throughput.map(|limit| (rate, limit.per_s())).into_iter().chain(latencies).collect()
}

fn rule_on_metric(
    observations: &Observations<'_>,
    (target, place): (&str, &ComparisonPlace),
    account: &TransactionAccount,
    metric: Metric,
    limit: f64,
) -> Requirement {
    let measured = observations.estimate_at_place(place, &ComparedSide::main(target), metric);
    let completes_nothing = !account.trials.is_empty() && account.completes_nothing();
    // The interval of a single trial is of that trial, and says nothing of how much another would differ.
    let judged = measured.as_ref().filter(|estimate| estimate.n > 1);
    let ruling = match (judged, metric) {
        (None, _) if completes_nothing => Compliance::Broken,
        (None, _) => Compliance::NotEnoughData,
        (Some(estimate), Metric::Capacity | Metric::Throughput) => Compliance::with_lower_limit(estimate, limit),
        (Some(estimate), _) => Compliance::with_upper_limit(estimate, limit),
    };
    Requirement {
        target: target.to_owned(),
        place: place.clone(),
        limited: Limited::Metric(metric),
        limit,
        measured,
        of: None,
        completes_nothing: completes_nothing.then(|| failures::describe_failing_side(target, account)),
        ruling,
    }
}

/// The share of failed transactions over all trials, whose interval is exact however few failed.
fn rule_on_failures(
    (target, place): (&str, &ComparisonPlace),
    account: &TransactionAccount,
    limit: f64,
) -> Requirement {
    let ended = account.ended_transactions();
    let interval = exact_interval(ended, ConfidenceLevel::NINETY_FIVE);
    let measured = ended.failed_share().zip(interval);
    let measured = measured.map(|(point, interval)| Estimate { point, interval, n: account.trials.len() });
    Requirement {
        target: target.to_owned(),
        place: place.clone(),
        limited: Limited::Failures,
        limit,
        measured,
        of: None,
        completes_nothing: None,
        ruling: measured.map_or(Compliance::NotEnoughData, |estimate| Compliance::with_upper_limit(&estimate, limit)),
    }
}

#[cfg(test)]
mod tests {
    use stats::ClosedInterval;

    use super::*;

    #[test]
    fn a_limit_is_kept_or_broken_by_the_whole_interval_and_otherwise_open() {
        let estimate =
            |low, high| Estimate { point: f64::midpoint(low, high), interval: ClosedInterval { low, high }, n: 3 };
        let of = |low, high| {
            (
                Compliance::with_upper_limit(&estimate(low, high), 20.0),
                Compliance::with_lower_limit(&estimate(low, high), 20.0),
            )
        };
        assert_eq!(of(10.0, 19.0), (Compliance::Kept, Compliance::Broken));
        assert_eq!(of(21.0, 30.0), (Compliance::Broken, Compliance::Kept));
        assert_eq!(of(19.0, 21.0), (Compliance::NotEnoughData, Compliance::NotEnoughData));
        assert_eq!(
            of(10.0, 20.0),
            (Compliance::NotEnoughData, Compliance::Broken),
            "the limit itself is not within it"
        );
    }
}
