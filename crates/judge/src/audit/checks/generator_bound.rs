//! The load generator was not the limit.
//!
//! A thread that runs all the time is the limit, whatever else there is. One that waits for a CPU may be: its CPUs may
//! be its neighbours', or its limit's. But where the server's own processes have the CPUs that it waits for, more for
//! it would be less for them, and its wait is the server's limit seen from the other end of the queue.
//!
//! Where nobody looked at its CPU time, its threads still have one CPU each: a throughput that more clients do not
//! raise, and that leaves a thread next to no time for a transaction, is the thread's own. A table seldom tells the
//! threads; the outputs beside it do.

use super::shared_host::{self, Contended};
use super::{Check, RuleSubject};
use crate::audit::ladder::ladders_of_closed_loops;
use crate::audit::material::{Material, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes;
use crate::thresholds::{GENERATOR_AT_LIMIT, generator_is_limit};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &codes::GENERATOR_BOUND,
    about: RuleSubject::Transactions,
    rule: "the busiest thread of the load generator needs less than 90 % of a CPU, unless it waits for CPUs that the \
           server's processes use",
    judge: check_generator_bound,
};

fn check_generator_bound(material: &Material) -> CheckResult {
    let told: Vec<GeneratorDemand<'_>> =
        material.trials.iter().filter_map(|trial| GeneratorDemand::from_trial(material, trial)).collect();
    let bound: Vec<&GeneratorDemand<'_>> = told.iter().filter(|demand| demand.is_bound()).collect();
    let busiest = told.iter().max_by(|a, b| a.share.total_cmp(&b.share));
    match busiest {
        Some(_) if !bound.is_empty() => {
            let figures = bound.into_iter().map(GeneratorDemand::demand_figure).collect();
            let consequence = "the generator is the bottleneck in these cells and hides a difference between the \
                               sides: give it more threads, or a machine of its own";
            CheckResult::rule_broken(Weight::Comparison, figures, consequence)
        }
        Some(_) | None if !threads_at_limit(material).is_empty() => {
            let consequence = "the generator is the bottleneck in these cells and hides a difference between the \
                               sides: give it as many threads as it has CPUs (pgbench -j)";
            CheckResult::rule_broken(Weight::Comparison, threads_at_limit(material), consequence)
        }
        Some(busiest) if told.len() == material.trials.len() => CheckResult::rule_holds(vec![busiest.demand_figure()]),
        Some(_) | None => {
            let tool = material.design.generator.as_deref().unwrap_or("the generator");
            CheckResult::cannot_tell(format!("the CPU time of {tool}, and its number of threads"), vec![])
        }
    }
}

/// A client's transaction of one statement takes a thread of a generator two calls of the kernel and its own account,
/// which are 10 µs at least; from two such times on it has time to wait.
const THREAD_US: f64 = 30.0;

/// In less than the former no thread does a transaction: there were more threads than are told.
const LEAST_US: f64 = 8.0;

/// More clients that raise throughput by less leave it flat.
const FLAT: f64 = 1.05;

/// Ladders that are flat from one rung to one of twice the clients or more, where each thread of the generator has next
/// to no time for a transaction.
fn threads_at_limit(material: &Material) -> Vec<VerdictFigure> {
    let mut figures = Vec::new();
    for ladder in ladders_of_closed_loops(material) {
        let told = ladder.any.threads.or(material.threads_beside_tables);
        let Some(threads) = told.filter(|threads| *threads > 0) else { continue };
        let Some(last) = ladder.rungs.last() else { continue };
        let flat_from = ladder.rungs.iter().find(|rung| {
            rung.clients > threads
                && 2 * rung.clients <= last.clients
                && last.throughput_per_s <= FLAT * rung.throughput_per_s
        });
        let thread_us = 1e6 * f64::from(threads) / last.throughput_per_s;
        if let Some(rung) = flat_from
            && (LEAST_US..THREAD_US).contains(&thread_us)
        {
            let text = format!(
                "{} at {}, {} at {}: {thread_us:.0} µs of each of {threads} threads for a transaction",
                units::format_tps(rung.throughput_per_s),
                units::format_clients(rung.clients),
                units::format_tps(last.throughput_per_s),
                units::format_clients(last.clients),
            );
            figures.push(VerdictFigure::against_rule(ladder.place_in_words(), text));
        }
    }
    figures
}

/// What the busiest thread of the generator needed in one trial.
struct GeneratorDemand<'a> {
    trial: &'a TrialAccount,
    /// Of a CPU, to run or waiting to.
    share: f64,
    /// How the CPUs that it waited for were in use, if that was by the server.
    by_server: Option<Contended>,
}

impl<'a> GeneratorDemand<'a> {
    fn from_trial(material: &Material, trial: &'a TrialAccount) -> Option<Self> {
        let side = material.side_by_name(&trial.side)?;
        Some(Self { trial, share: trial.generator_demand?, by_server: shared_host::had_by_server(side, trial) })
    }

    fn is_bound(&self) -> bool {
        generator_is_limit(self.trial.generator_busy, self.share, self.by_server.is_some())
    }

    fn demand_figure(&self) -> VerdictFigure {
        let text = match (self.trial.generator_busy, &self.by_server) {
            (Some(ran), Some(contended)) if self.share >= GENERATOR_AT_LIMIT && !self.is_bound() => format!(
                "the busiest thread ran for {} of the time and waited for {} of it while the server's processes used \
                 the CPUs ({} busy, {} of it by the generator)",
                units::format_percent(ran),
                units::format_percent(self.share - ran),
                units::format_percent(contended.busy),
                units::format_percent(contended.by_generator),
            ),
            (Some(_) | None, Some(_) | None) => {
                format!("the busiest thread needed {} of a CPU", units::format_percent(self.share))
            }
        };
        VerdictFigure { of: self.trial.place_in_words(), text, breaks: self.is_bound() }
    }
}
