//! What makes a trial less trustworthy: what went otherwise than asked around it, as it was noted then, and what
//! follows from its figures, the facts of its target and the plan. Concluded anew with every report, so that better
//! thresholds say better things of runs made long ago.

mod cache;
mod in_words;
mod of_figures;
mod of_generators;
mod of_turns;
mod of_viewers;
#[cfg(test)]
mod tests;
mod together;

use std::collections::BTreeMap;

use plan::Cache;
use results::trial::{Cell, Incident, Trial};

pub use in_words::in_words;
pub use of_generators::GeneratorDifference;
pub use together::of_all;
pub(crate) use together::{by_kind, is_summed};

use cache::DiskReads;

use crate::beside_trouble::BesideTrouble;
use crate::codes::{self, Code, IssueEffect};
use crate::failures::TransactionAccount;
use crate::observed::{FirstReads, Observed};
use crate::provider_trouble::ProviderTrouble;
use crate::thresholds::FAILED_AT_MOST;

/// A reason to trust a trial less.
#[derive(Debug, Clone, PartialEq)]
pub enum Caveat {
    /// What was noted with the trial.
    Noted(Incident),
    /// The load engine's busiest thread had little CPU left: the generator may have been the limit.
    ClientBound {
        /// Which of several generators they are, by name; none where there is one.
        generators: Option<String>,
        /// Its share of the measurement phase on a CPU, 0 to 1.
        busiest_thread: f64,
        /// Its share of the measurement phase on a CPU or waiting for one.
        demand: Option<f64>,
    },
    /// One of several generators sees other figures than the others, or is another machine.
    GeneratorDiffers {
        /// Its name.
        generator: String,
        /// In what.
        of: GeneratorDifference,
    },
    /// Less was completed than an open loop offered.
    BelowOffered {
        /// Transactions per second that were due.
        offered_per_s: f64,
        /// Transactions per second that were completed.
        achieved_per_s: f64,
        /// Arrivals that were given up.
        skipped: u64,
    },
    /// The load engine began transactions late although their clients were free.
    LateSends {
        /// How many.
        late: u64,
        /// Out of how many.
        of: u64,
    },
    /// Another program sent the load, which tells less.
    ExternalGenerator {
        /// Its name.
        program: String,
        /// Its version.
        version: String,
    },
    /// Acknowledged commits are missing on the server, or refused ones are there.
    Ledger {
        /// Acknowledged commits that are not there.
        lost: u64,
        /// Transactions that are there although the server had refused them.
        unexpected: u64,
        /// Acknowledged commits in all.
        of: u64,
    },
    /// Connections were lost while measuring.
    Outages {
        /// How many outages.
        count: usize,
        /// The first cause.
        cause: String,
    },
    /// Transactions failed with an error of the server.
    Failures(Box<TransactionAccount>),
    /// The caches did not hold what they were to hold when the trial began, or it could not be told.
    Cache {
        /// What they were to be.
        wanted: Cache,
        /// What was found.
        found: CacheFound,
    },
    /// The load generator ran on the server's host and took CPU time from it.
    SharedHost,
    /// tpcb-like with fewer branches than clients measures the contention for branch rows.
    BranchContention {
        /// The scale.
        scale: u32,
        /// The clients.
        clients: u32,
    },
    /// A load beside did not do what was asked for.
    Beside(BesideTrouble),
    /// What the provider of a managed server says against it.
    Provider(ProviderTrouble),
    /// What the turns of its side say.
    OfTurns(OfTurns),
    /// The page of the run was open while it was measured.
    Viewed {
        /// In how many windows at one time, at most.
        pages: u32,
        /// For which share of the measurement phase in at least one.
        share: f64,
        /// Whether any of them is on the machine of the load, as far as its connection tells.
        here: bool,
    },
}

/// What the turns of a trial's side say against it.
#[derive(Debug, Clone, PartialEq)]
pub enum OfTurns {
    /// It lost turns because no client had a connection.
    Lost {
        /// How many.
        lost: usize,
        /// Out of how many.
        of: usize,
    },
    /// Much of the side's turns went by until the last transaction had ended.
    Overrun {
        /// Share of their time.
        share: f64,
        /// How long they were to be, in microseconds.
        length_us: u64,
    },
    /// Transactions take another time when a turn begins than later in it.
    Edge {
        /// How much longer, as a share.
        longer: f64,
        /// How long a turn was to be, in microseconds.
        length_us: u64,
    },
    /// Much time went by in which no side had its turn.
    Gaps {
        /// Share of the time.
        share: f64,
    },
    /// A workload that writes took turns.
    Diluted,
}

/// What the first seconds of a trial say of its caches.
#[derive(Debug, Clone, PartialEq)]
pub enum CacheFound {
    /// There were none.
    NoSecond,
    /// What would tell was not read, for this reason.
    Gap(String),
    /// Other reads than such a cache leaves.
    Reads {
        /// How many seconds are meant.
        seconds: usize,
        /// What the server did not have in its cache.
        missed_bytes: f64,
        /// What it was asked for.
        asked_bytes: f64,
        /// What the disk read.
        disk_bytes: f64,
    },
}

impl Caveat {
    /// Its code.
    pub fn code(&self) -> &'static Code {
        match self {
            Self::Noted(Incident::Cancelled { .. }) => &codes::TRANSACTIONS_CANCELLED,
            Self::Noted(Incident::StepOmitted { .. }) => &codes::STEP_OMITTED,
            Self::Noted(Incident::LedgerUnchecked { .. }) => &codes::LEDGER_UNCHECKED,
            Self::Noted(Incident::NotRestored { .. }) => &codes::STATE_NOT_RESTORED,
            Self::Noted(Incident::PodLost { .. }) => &codes::POD_LOST,
            Self::Noted(Incident::PodUnseen { .. }) => &codes::POD_UNOBSERVED,
            Self::Noted(Incident::GeneratorLost { .. }) => &codes::GENERATOR_LOST,
            Self::Noted(Incident::ConcurrentRun { .. }) => &codes::CONCURRENT_RUN,
            Self::ClientBound { .. } => &codes::GENERATOR_BOUND,
            Self::GeneratorDiffers { .. } => &codes::GENERATOR_DIFFERS,
            Self::SharedHost => &codes::SHARED_HOST,
            Self::BranchContention { .. } => &codes::BRANCH_CONTENTION,
            Self::BelowOffered { .. } => &codes::OFFERED_RATE_MISSED,
            Self::LateSends { .. } => &codes::LATE_SENDS,
            Self::ExternalGenerator { .. } => &codes::EXTERNAL_GENERATOR,
            Self::Ledger { .. } => &codes::LEDGER_MISMATCH,
            Self::Outages { .. } => &codes::CONNECTION_OUTAGE,
            Self::Failures(_) => &codes::FAILED_TRANSACTIONS,
            Self::Cache { .. } => &codes::CACHE_STATE_MISMATCH,
            Self::OfTurns(OfTurns::Lost { .. }) => &codes::SLICE_LOST,
            Self::OfTurns(OfTurns::Overrun { .. }) => &codes::SLICE_OVERRUN,
            Self::OfTurns(OfTurns::Edge { .. }) => &codes::SLICE_EDGE,
            Self::OfTurns(OfTurns::Gaps { .. }) => &codes::SLICE_GAPS,
            Self::OfTurns(OfTurns::Diluted) => &codes::SLICE_DILUTION,
            Self::Beside(_) => &codes::BESIDE_LOAD_FAILED,
            Self::Provider(trouble) => trouble.issue_code(),
            Self::Viewed { .. } => &codes::REPORT_PAGE_OPEN,
        }
    }

    /// What it does to the figures of its trial.
    pub fn effect(&self) -> IssueEffect {
        match self {
            // The trial is not compared.
            Self::Outages { .. } | Self::OfTurns(OfTurns::Lost { .. }) | Self::Noted(Incident::PodLost { .. }) => {
                IssueEffect::Invalidates
            }
            Self::Failures(account)
                if account.ended_transactions().failed_share().is_some_and(|share| share > FAILED_AT_MOST) =>
            {
                IssueEffect::Invalidates
            }
            Self::Beside(trouble) if trouble.is_invalidating() => IssueEffect::Invalidates,
            Self::Provider(ProviderTrouble::Exhausted { .. }) => IssueEffect::Invalidates,
            Self::Noted(Incident::StepOmitted { .. }) | Self::ExternalGenerator { .. } => IssueEffect::Informs,
            Self::Noted(_)
            | Self::ClientBound { .. }
            | Self::GeneratorDiffers { .. }
            | Self::BelowOffered { .. }
            | Self::LateSends { .. }
            | Self::Ledger { .. }
            | Self::Failures(_)
            | Self::Cache { .. }
            | Self::SharedHost
            | Self::BranchContention { .. }
            | Self::Beside(_)
            | Self::Provider(_)
            | Self::OfTurns(_)
            | Self::Viewed { .. } => IssueEffect::Weakens,
        }
    }
}

/// The caveats of the trials that have any, by trial number.
pub type CaveatsOfTrials = BTreeMap<u32, Vec<Caveat>>;

/// The caveats of all trials.
pub fn of_run(observed: &Observed) -> CaveatsOfTrials {
    let mut of_generators = of_generators::of_generators(&observed.trials, observed.load_place.as_ref());
    let mut caveats = CaveatsOfTrials::new();
    for trial in &observed.trials {
        let mut of_trial = of_trial(observed, trial);
        of_trial.extend(of_generators.remove(&trial.number).unwrap_or_default());
        if !of_trial.is_empty() {
            caveats.insert(trial.number, of_trial);
        }
    }
    caveats
}

fn of_trial(observed: &Observed, trial: &Trial) -> Vec<Caveat> {
    let Cell { target, workload, .. } = &trial.cell;
    let plan = observed.plan.as_ref();
    let workload = plan.and_then(|plan| plan.workload_by_name(workload));
    let cache = plan
        .zip(workload)
        .and_then(|(plan, workload)| Some(plan.cache_of_trial(plan.target_by_name(target)?, workload)));
    let nothing = FirstReads::default();
    let first_reads = observed.watched.get(&trial.number).map_or(&nothing, |watched| &watched.first_reads);
    let mut caveats: Vec<Caveat> = trial.incidents.iter().cloned().map(Caveat::Noted).collect();
    let of_disk = if trial.turns.is_some() { DiskReads::OfAllSides } else { DiskReads::Own };
    caveats.extend(cache.and_then(|cache| cache::cache_contradiction(cache, first_reads, of_disk)));
    caveats.extend(of_figures::of_figures(trial, observed.facts.get(target), workload));
    let turns = observed.turns.get(&trial.number).map_or(&[][..], Vec::as_slice);
    caveats.extend(of_turns::of_turns(trial, turns, workload).into_iter().map(Caveat::OfTurns));
    caveats.extend(trial.beside.iter().filter_map(BesideTrouble::of_load).map(Caveat::Beside));
    caveats.extend(ProviderTrouble::of_trial(trial).into_iter().map(Caveat::Provider));
    caveats.extend(of_viewers::of_viewers(trial, &observed.viewers));
    caveats
}
