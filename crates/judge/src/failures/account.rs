//! What became of the transactions of one target at one place, over all of its trials.

use std::collections::BTreeMap;

use results::trial::{FirstError, LoadTotals, Outage, Trial, TrialOutcome};
use stats::failures::EndedTransactions;

use crate::compare::{ComparedSide, ComparisonPlace, Observations, RunQuestion, pod_lost};

/// From this share of failed transactions on, practically nothing is completed.
const PRACTICALLY_ALL: f64 = 0.99;

/// What became of the transactions of a target at a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TransactionAccount {
    /// Transactions that were completed.
    pub completed: u64,
    /// Transactions that failed with an error of the server.
    pub failed: u64,
    /// Transactions whose connection was lost, so that they failed for whoever sent them.
    pub lost: u64,
    /// Transactions, completed or failed, that were tried more than once.
    pub retried: u64,
    /// Failed transactions by SQLSTATE, as far as that is known.
    pub errors: BTreeMap<String, u64>,
    /// What the server said first of each SQLSTATE and statement, where the generator tells.
    pub first_errors: Vec<FirstError>,
    /// Why the first connection was lost, if any was.
    pub first_loss: Option<String>,
    /// The trials, in order.
    pub trials: Vec<u32>,
    /// How long they were measured together, in microseconds.
    pub measured_us: u64,
    /// Whether something was made to happen in one of them, which fails transactions.
    pub has_events: bool,
}

impl TransactionAccount {
    /// That of one trial; absent where it did not run to its end, or nothing tells how many failed.
    pub fn of_trial(trial: &Trial) -> Option<Self> {
        if trial.outcome != TrialOutcome::Completed || pod_lost(trial).is_some() {
            return None;
        }
        if let Some(load) = &trial.load {
            let (trials, has_events) = (vec![trial.number], !trial.events.is_empty());
            return Some(Self { trials, has_events, ..Self::of_load(load) });
        }
        let told = trial.told.as_ref()?;
        let measured_us = told.duration_s.map_or(0, |seconds| (seconds * 1e6) as u64);
        let (completed, failed) = (told.transactions?, told.failed?);
        Some(Self { completed, failed, measured_us, trials: vec![trial.number], ..Self::default() })
    }

    /// That of a load, whatever its trial is.
    pub fn of_load(load: &LoadTotals) -> Self {
        Self {
            completed: load.transactions,
            failed: load.failed,
            lost: load.unknown,
            retried: load.retried,
            errors: load.errors.clone(),
            first_errors: load.first_errors.clone(),
            first_loss: load.outages.first().map(|outage: &Outage| outage.cause.clone()),
            trials: Vec::new(),
            measured_us: load.measure_us,
            has_events: false,
        }
    }

    /// Those of several trials together.
    pub fn from_accounts(all: impl IntoIterator<Item = Self>) -> Self {
        let mut sum = Self::default();
        for account in all {
            sum.completed += account.completed;
            sum.failed += account.failed;
            sum.lost += account.lost;
            sum.retried += account.retried;
            sum.measured_us += account.measured_us;
            sum.has_events |= account.has_events;
            sum.trials.extend(account.trials);
            for (sqlstate, count) in account.errors {
                *sum.errors.entry(sqlstate).or_default() += count;
            }
            for error in account.first_errors {
                if !sum
                    .first_errors
                    .iter()
                    .any(|known| known.sqlstate == error.sqlstate && known.statement == error.statement)
                {
                    sum.first_errors.push(error);
                }
            }
            sum.first_loss = sum.first_loss.or(account.first_loss);
        }
        sum
    }

    /// Transactions that failed for whoever sent them, of all that ended.
    pub fn ended_transactions(&self) -> EndedTransactions {
        let failed = self.failed + self.lost;
        EndedTransactions { failed, all: self.completed + failed }
    }

    /// Whether transactions end, and practically none of them is completed, for no other reason than the load's own.
    pub fn fails_all(&self) -> bool {
        !self.has_events && self.ended_transactions().failed_share().is_some_and(|share| share >= PRACTICALLY_ALL)
    }

    /// Whether practically nothing is completed: what ends fails, or nothing ends.
    pub fn completes_nothing(&self) -> bool {
        self.completed == 0 || self.fails_all()
    }

    /// Share of the transactions that were tried more than once; absent where nothing ended.
    pub fn retried_share(&self) -> Option<f64> {
        EndedTransactions { failed: self.retried, all: self.ended_transactions().all }.failed_share()
    }

    /// The most frequent SQLSTATE and how many transactions failed with it.
    pub fn most_frequent(&self) -> Option<(&str, u64)> {
        let most = self.errors.iter().max_by_key(|(_, count)| **count);
        most.map(|(sqlstate, count)| (sqlstate.as_str(), *count))
    }

    /// What the server said first of the most frequent SQLSTATE, where that is known.
    pub fn first_of_most_frequent(&self) -> Option<&FirstError> {
        let (sqlstate, _) = self.most_frequent()?;
        self.first_errors.iter().find(|error| error.sqlstate == sqlstate)
    }
}

/// What became of the transactions of one cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellAccount {
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// The target.
    pub target: String,
    /// The account over all of its trials.
    pub account: TransactionAccount,
}

/// The account of every target at every place, the baseline first; of ordinary trials, not of its second execution.
pub fn accounts_of_cells(question: &RunQuestion, observations: &Observations<'_>) -> Vec<CellAccount> {
    let mut all = Vec::new();
    for place in observations.places_in_order() {
        for target in question.all_targets() {
            let account = account_of(observations, &place, target);
            if !account.trials.is_empty() {
                all.push(CellAccount { place: place.clone(), target: target.clone(), account });
            }
        }
    }
    all
}

/// What became of the transactions of a target at a place; of none where it has no trial that tells.
pub fn account_of(observations: &Observations<'_>, place: &ComparisonPlace, target: &str) -> TransactionAccount {
    TransactionAccount::from_accounts(accounts_by_block(observations, place, &ComparedSide::main(target)).into_values())
}

/// The account of one side at one place, block by block; the steps of a search together.
pub(super) fn accounts_by_block(
    observations: &Observations<'_>,
    place: &ComparisonPlace,
    side: &ComparedSide,
) -> BTreeMap<u32, TransactionAccount> {
    let mut by_block: BTreeMap<u32, Vec<TransactionAccount>> = BTreeMap::new();
    for trial in observations.executed_trials(place, side) {
        if let Some(account) = TransactionAccount::of_trial(trial) {
            by_block.entry(trial.block).or_default().push(account);
        }
    }
    by_block.into_iter().map(|(block, accounts)| (block, TransactionAccount::from_accounts(accounts))).collect()
}
