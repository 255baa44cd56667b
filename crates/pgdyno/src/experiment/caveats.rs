//! What makes a trial less trustworthy, found as soon as it has ended.

use results::facts::TargetFacts;
use results::trial::{Caveat, ExternalGenerator, LedgerTotals, LoadTotals};

use plan::{Builtin, PgbenchTables, Work, Workload};

/// From this share of the measurement phase on that a load thread was on a CPU or wanted to be, the load engine may
/// have been the limit.
const BUSY_THREAD: f64 = 0.9;

/// An open loop that completes less than this share of what was due has not offered what it says.
const ACHIEVED_AT_LEAST: f64 = 0.98;

/// From this share of late beginnings on, the latencies of an open loop are in part the engine's own.
const LATE_SENDS: f64 = 0.01;

/// The caveats of one trial.
pub(super) fn of_trial(load: &LoadTotals, workload: &Workload, clients: u32, facts: &TargetFacts) -> Vec<Caveat> {
    let mut caveats = Vec::new();
    let (busiest_thread, demand) = (load.engine.busiest_thread, load.engine.busiest_demand);
    if load.generator.is_none() && demand.unwrap_or(busiest_thread) >= BUSY_THREAD {
        caveats.push(Caveat::ClientBound { busiest_thread, demand });
    }
    // A search goes beyond what the server holds on purpose.
    if workload.capacity().is_none() {
        caveats.extend(below_offered(load));
    }
    let begun = load.transactions + load.failed;
    if load.engine.late_sends as f64 > LATE_SENDS * begun as f64 {
        caveats.push(Caveat::LateSends { late: load.engine.late_sends, of: begun });
    }
    if let Some(ExternalGenerator { program, version, .. }) = &load.generator {
        caveats.push(Caveat::ExternalGenerator { program: program.clone(), version: version.clone() });
    }
    if let Some(LedgerTotals { lost, unexpected, acknowledged, .. }) = load.ledger
        && lost + unexpected > 0
    {
        caveats.push(Caveat::Ledger { lost, unexpected, of: acknowledged });
    }
    if let Some(first) = load.outages.first() {
        let count = u32::try_from(load.outages.len()).unwrap_or(u32::MAX);
        caveats.push(Caveat::Outages { count, cause: first.cause.clone() });
    }
    if load.failed > 0 {
        let most = load.errors.iter().max_by_key(|(_, count)| **count);
        let sqlstate = most.map_or("unknown".to_owned(), |(state, _)| state.clone());
        caveats.push(Caveat::Failures { failed: load.failed, of: load.failed + load.transactions, sqlstate });
    }
    if facts.path.same_host {
        caveats.push(Caveat::SharedHost);
    }
    if let Work::Builtin { script: Builtin::TpcbLike, tables: PgbenchTables { scale, .. } } = workload.work
        && scale < clients
    {
        caveats.push(Caveat::BranchContention { scale, clients });
    }
    caveats
}

fn below_offered(load: &LoadTotals) -> Option<Caveat> {
    let open = load.open.as_ref()?;
    let per_s = |count: u64| count as f64 * 1e6 / load.measure_us.max(1) as f64;
    // What was under way or waiting for a moment at the end is no shortfall in a short trial either.
    let missing = open.offered.saturating_sub(load.transactions);
    let is_short = (load.transactions as f64) < ACHIEVED_AT_LEAST * open.offered as f64 && missing > u64::from(FEW);
    is_short.then(|| Caveat::BelowOffered {
        offered_per_s: per_s(open.offered),
        achieved_per_s: per_s(load.transactions),
        skipped: open.skipped,
    })
}

/// So many missing transactions are the last ones of a trial.
const FEW: u32 = 20;
