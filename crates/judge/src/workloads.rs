//! What the workloads of a run are, in words: a name such as `read` does not say what is read.

use crate::observed::Observed;

/// A workload of the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkloadInWords {
    /// Its name.
    pub name: String,
    /// What a transaction does.
    pub transaction: String,
    /// The data that it runs on.
    pub data: String,
}

/// Those of the plan, in its order; none for a run that was imported.
pub fn of_run(observed: &Observed) -> Vec<WorkloadInWords> {
    let mut workloads = Vec::new();
    let Some(plan) = &observed.plan else { return workloads };
    for workload in &plan.workloads {
        workloads.push(WorkloadInWords {
            name: workload.name.clone(),
            transaction: workload.transaction_in_words(),
            data: plan.data_in_words(workload),
        });
    }
    workloads
}
