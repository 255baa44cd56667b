//! What a million transactions cost on each target whose price the plan states: at the most that it gets done, within
//! the limits of the plan where there are some.

use plan::{Cost, Plan};
use stats::Estimate;

use crate::compare::{Comparison, ComparisonPlace};
use crate::required::{Compliance, Requirement};

/// The price of a million transactions of one workload on one target.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkloadPrice {
    /// The target.
    pub target: String,
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// Of which throughput it is.
    pub basis: Basis,
    /// That throughput, in transactions per second.
    pub throughput_per_s: Estimate,
    /// The price, in the currency of the target; its interval is that of the throughput. Absent where that leaves open
    /// that nothing gets done.
    pub per_million: Option<Estimate>,
    /// What the plan states.
    pub cost: Cost,
}

/// Of which throughput a price is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// The highest that was measured.
    Highest,
    /// The highest that was measured of those that keep all that the plan requires.
    KeepsLimits,
    /// The capacity that a search has found.
    Capacity,
}

/// The prices of all targets that state what they cost, workload by workload. None for a workload of which every number
/// of clients breaks a limit, or leaves it open, and for one whose rate the plan gives.
pub fn of_run(plan: Option<&Plan>, comparison: &Comparison, required: &[Requirement]) -> Vec<WorkloadPrice> {
    let Some(plan) = plan else { return Vec::new() };
    let mut prices = Vec::new();
    for workload in &plan.workloads {
        for target in &plan.targets {
            if let Some(cost) = &target.cost
                && let Some((place, throughput_per_s, basis)) =
                    throughput_for_price(comparison, required, &workload.name, &target.name)
            {
                let per_million = per_million(cost, &throughput_per_s);
                let (target, cost) = (target.name.clone(), cost.clone());
                prices.push(WorkloadPrice { target, place, basis, throughput_per_s, per_million, cost });
            }
        }
    }
    prices
}

/// The throughput that a price is of, and where it was measured.
fn throughput_for_price(
    comparison: &Comparison,
    required: &[Requirement],
    workload: &str,
    target: &str,
) -> Option<(ComparisonPlace, Estimate, Basis)> {
    let capacities =
        comparison.curves.iter().filter(|curve| curve.target == target && curve.place.workload == workload);
    let capacities = capacities.filter_map(|curve| Some((curve.place.clone(), curve.capacity_per_s?, Basis::Capacity)));
    let ladders = comparison.ladders.iter().filter(|ladder| ladder.target == target && ladder.workload == workload);
    let rungs = ladders.flat_map(|ladder| &ladder.rungs).filter_map(|rung| {
        let place = ComparisonPlace { workload: workload.to_owned(), clients: rung.clients.into() };
        let limits: Vec<&Requirement> =
            required.iter().filter(|one| one.target == target && one.place == place).collect();
        let basis = if limits.is_empty() { Basis::Highest } else { Basis::KeepsLimits };
        let keeps = limits.iter().all(|limit| limit.ruling == Compliance::Kept);
        keeps.then_some((place, rung.throughput_per_s?, basis))
    });
    capacities.chain(rungs).max_by(|(_, one, _), (_, other, _)| one.point.total_cmp(&other.point))
}

fn per_million(cost: &Cost, throughput_per_s: &Estimate) -> Option<Estimate> {
    let stats::ClosedInterval { low, high } = throughput_per_s.interval;
    let [point, dearest, cheapest] =
        [throughput_per_s.point, low, high].map(|per_s| cost.per_hour.amount() / (per_s * 3600.0) * 1e6);
    let interval = stats::ClosedInterval { low: cheapest, high: dearest };
    (low > 0.0).then_some(Estimate { point, interval, n: throughput_per_s.n })
}
