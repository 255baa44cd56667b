//! What was around the workloads of a run: loads beside, standbys that are read, and credits of providers. No figure of
//! a workload.

use crate::compare::{Observations, RunQuestion};
use crate::loads_beside::{LoadBesideFigures, loads_beside_of_run};
use crate::observed::Observed;
use crate::provider_balances::{BalanceOfTarget, balances_of_run};
use crate::standby_lag::{StandbyLag, standby_lag_of_run};

/// What was around the workloads.
#[derive(Debug)]
pub struct RunSurroundings {
    /// What the loads beside did, workload by workload.
    pub loads_beside: Vec<LoadBesideFigures>,
    /// How far the standbys that workloads read were behind.
    pub standby_lag: Vec<StandbyLag>,
    /// The balances of credits of managed servers.
    pub provider_balances: Vec<BalanceOfTarget>,
}

impl RunSurroundings {
    /// Of all trials; of loads beside, those beside trials that are compared.
    pub(crate) fn of_run(observed: &Observed, question: &RunQuestion, observations: &Observations<'_>) -> Self {
        Self {
            loads_beside: loads_beside_of_run(question, observations),
            standby_lag: standby_lag_of_run(observed),
            provider_balances: balances_of_run(observed),
        }
    }
}
