//! A workload that is cross-checked → a second one, which is the same by another generator.
//!
//! `cross_check: pgbench` of a workload `read` is written out into `read/pgbench` when the plan is read, so that
//! schedule, data and drivers know workloads only. A resolved plan has both, and is read as it stands.

use work::WordChoice as _;

use super::interleave::Interleave;
use super::limits::WorkloadLimits;
use super::workload::Workload;

impl Workload {
    /// The name of the workload that it is cross-checked with.
    #[must_use]
    pub fn cross_check_name(&self) -> Option<String> {
        self.cross_check.map(|generator| format!("{}/{}", self.name, generator.as_word()))
    }

    /// The same by the other generator, in whole trials as it is itself; the limits of the plan are its own.
    fn by_the_other(&self) -> Option<Self> {
        Some(Self {
            name: self.cross_check_name()?,
            generator: self.cross_check?,
            cross_check: None,
            interleave: Some(Interleave::Trials),
            require: WorkloadLimits::default(),
            ..self.clone()
        })
    }
}

/// The workloads with those that they are cross-checked with.
pub(super) fn written_out(workloads: &[Workload]) -> Vec<Workload> {
    let with_other = |workload: &Workload| {
        let other = workload.by_the_other().filter(|other| !workloads.contains(other));
        std::iter::once(workload.clone()).chain(other)
    };
    workloads.iter().flat_map(with_other).collect()
}
