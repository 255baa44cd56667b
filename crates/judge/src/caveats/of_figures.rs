//! What the totals of a trial's load say against it.

use plan::{Deed, WordChoice as _, Workload};
use results::facts::TargetFacts;
use results::trial::{ExternalGenerator, LedgerTotals, LoadTotals, Trial};

use super::Caveat;
use crate::compare::lost_by_itself;
use crate::failures::TransactionAccount;
use crate::thresholds::{ACHIEVED_AT_LEAST, FEW_MISSING, LATE_SENDS, generator_is_limit};

/// The caveats of a trial whose load came to something.
pub(super) fn of_figures(trial: &Trial, facts: Option<&TargetFacts>, workload: Option<&Workload>) -> Vec<Caveat> {
    let Some(load) = &trial.load else { return Vec::new() };
    let of_load = [
        client_bound(load),
        // A search goes beyond what the server holds on purpose.
        below_offered(load).filter(|_| trial.step.is_none() && trial.events.is_empty()),
        late_sends(load),
        external_generator(load),
        ledger_caveat(trial, load),
        outages_caveat(trial),
        // What failed after an event is told with it.
        failures_caveat(load).filter(|_| trial.events.is_empty()),
    ];
    let shared_host = facts.is_some_and(|facts| facts.path.same_host).then_some(Caveat::SharedHost);
    let contention = workload
        .zip(trial.cell.clients.known_count())
        .and_then(|(workload, clients)| branch_contention(workload, clients));
    of_load.into_iter().chain([shared_host, contention]).flatten().collect()
}

fn client_bound(load: &LoadTotals) -> Option<Caveat> {
    let (busiest_thread, demand) = (load.engine.busiest_thread, load.engine.busiest_demand);
    let is_limit =
        |busiest: f64, demand: Option<f64>| generator_is_limit(Some(busiest), demand.unwrap_or(busiest), false);
    if load.generator.is_some() || !is_limit(busiest_thread, demand) {
        return None;
    }
    let bound = load.generators.iter().filter(|of| is_limit(of.engine.busiest_thread, of.engine.busiest_demand));
    let names: Vec<&str> = bound.map(|of| of.generator.as_str()).collect();
    let generators = (!names.is_empty()).then(|| names.join(", "));
    Some(Caveat::ClientBound { generators, busiest_thread, demand })
}

fn below_offered(load: &LoadTotals) -> Option<Caveat> {
    let open = load.open.as_ref()?;
    // What was under way or waiting for a moment at the end is no shortfall in a short trial either.
    let missing = open.offered.saturating_sub(load.transactions);
    let is_short = (load.transactions as f64) < ACHIEVED_AT_LEAST * open.offered as f64 && missing > FEW_MISSING;
    let [offered_per_s, achieved_per_s] =
        [open.offered, load.transactions].map(|count| count as f64 * 1e6 / load.measure_us.max(1) as f64);
    is_short.then_some(Caveat::BelowOffered { offered_per_s, achieved_per_s, skipped: open.skipped })
}

fn late_sends(load: &LoadTotals) -> Option<Caveat> {
    let (late, of) = (load.engine.late_sends, load.transactions + load.failed);
    (late as f64 > LATE_SENDS * of as f64).then_some(Caveat::LateSends { late, of })
}

fn external_generator(load: &LoadTotals) -> Option<Caveat> {
    let ExternalGenerator { program, version, .. } = load.generator.as_ref()?;
    Some(Caveat::ExternalGenerator { program: program.clone(), version: version.clone() })
}

fn ledger_caveat(trial: &Trial, load: &LoadTotals) -> Option<Caveat> {
    let LedgerTotals { lost, unexpected, acknowledged, .. } = *load.ledger.as_ref()?;
    // What the loss of a primary costs is told with it; of a server that comes back nothing may be lost.
    let is_lost_with_primary = trial.events.iter().any(|event| event.what == Deed::Promote.as_word());
    let not_told = if is_lost_with_primary { 0 } else { lost };
    (not_told + unexpected > 0).then_some(Caveat::Ledger { lost, unexpected, of: acknowledged })
}

fn outages_caveat(trial: &Trial) -> Option<Caveat> {
    let outages = lost_by_itself(trial);
    let first = outages.first()?;
    Some(Caveat::Outages { count: outages.len(), cause: first.cause.clone() })
}

fn failures_caveat(load: &LoadTotals) -> Option<Caveat> {
    (load.failed > 0).then(|| Caveat::Failures(Box::new(TransactionAccount::of_load(load))))
}

fn branch_contention(workload: &Workload, clients: u32) -> Option<Caveat> {
    let scale = workload.branch_count()?;
    (scale < clients).then_some(Caveat::BranchContention { scale, clients })
}
