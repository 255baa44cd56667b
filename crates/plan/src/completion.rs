//! What a plan leaves open, filled in: by the machine that measures, and by what the servers say of scripts.

use std::collections::BTreeMap;

use super::interleave::Interleave;
use super::interleaving::{Because, Interleaving};
use super::model::Plan;

/// The most load threads when the plan names none.
const THREADS_BY_DEFAULT: u32 = 8;

impl Plan {
    /// Fills in what the file left open: the seed from `entropy`, the load threads from the `cpus` that are online
    /// here, how the sides of each workload alternate, and that ledgers are kept where there are events. How those of
    /// own scripts alternate stays open where the servers have to be asked first ([`Plan::with_access`]).
    #[must_use]
    pub fn complete_with_defaults(mut self, entropy: u64, cpus: u32) -> Self {
        self.seed.get_or_insert(entropy);
        let own = self.load_pod().and_then(|pod| pod.cpus).map(|cpus| cpus.min(THREADS_BY_DEFAULT));
        self.threads.get_or_insert_with(|| own.unwrap_or_else(|| default_threads(cpus)));
        let decided: Vec<Interleaving> =
            self.workloads.iter().map(|workload| self.interleaving_of_workload(workload)).collect();
        for (workload, Interleaving { how, because }) in self.workloads.iter_mut().zip(decided) {
            if because != Because::ToBeAsked {
                workload.interleave = Some(how);
            }
        }
        if !self.events.is_empty() {
            // What an event may cost is told: acknowledged commits among it.
            self.workloads.iter_mut().for_each(|workload| workload.ledger |= Self::can_keep_ledger(workload));
        }
        self
    }

    /// The plan with what the servers say of workloads whose access only they know, by name: whether they only read.
    /// How their sides alternate follows from it.
    #[must_use]
    pub fn with_access(mut self, reads: &BTreeMap<String, bool>) -> Self {
        for (workload, scripts) in self.own_scripts_mut() {
            scripts.reads = scripts.reads.or(reads.get(&workload).copied());
        }
        let decided: Vec<Interleave> =
            self.workloads.iter().map(|workload| self.interleaving_of_workload(workload).how).collect();
        for (workload, how) in self.workloads.iter_mut().zip(decided) {
            workload.interleave.get_or_insert(how);
        }
        self
    }
}

/// The load threads when the plan names none: half of the CPUs, since a local server needs the others, at least 1 and
/// at most 8, which one machine's network does not outrun.
#[must_use]
pub(crate) fn default_threads(cpus: u32) -> u32 {
    (cpus / 2).clamp(1, THREADS_BY_DEFAULT)
}
