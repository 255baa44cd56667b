//! What makes a trial less trustworthy, found as soon as it has ended.

use results::facts::TargetFacts;
use results::trial::{Caveat, LoadTotals};

use crate::plan::{Builtin, Workload};

/// From this share of the measurement phase on, a load thread's CPU may have been the limit.
const BUSY_THREAD: f64 = 0.9;

/// The caveats of one trial.
pub(super) fn of_trial(load: &LoadTotals, workload: &Workload, clients: u32, facts: &TargetFacts) -> Vec<Caveat> {
    let mut caveats = Vec::new();
    let busiest_thread = load.engine.busiest_thread;
    if busiest_thread >= BUSY_THREAD {
        caveats.push(Caveat::ClientBound { busiest_thread });
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
    if workload.builtin == Builtin::TpcbLike && workload.scale < clients {
        caveats.push(Caveat::BranchContention { scale: workload.scale, clients });
    }
    caveats
}
