//! The workloads of a plan with mixes, one by one.

use super::mix::name_of_member;
use super::model::Plan;
use super::workload::{PlanScripts, TransactionWork, Workload};

impl Plan {
    /// The single workloads of all workloads, in the order of the plan.
    #[must_use]
    pub fn single_workloads(&self) -> Vec<Workload> {
        self.workloads.iter().flat_map(Workload::single_workloads).collect()
    }

    /// The own scripts of the single workloads that have some, by the names of these.
    pub fn own_scripts_mut(&mut self) -> Vec<(String, &mut PlanScripts)> {
        let mut all = Vec::new();
        for workload in &mut self.workloads {
            match &mut workload.work {
                TransactionWork::Scripts(scripts) => all.push((workload.name.clone(), scripts)),
                TransactionWork::Mix(members) => {
                    for member in members {
                        let name = name_of_member(&workload.name, &member.name);
                        if let TransactionWork::Scripts(scripts) = &mut member.work {
                            all.push((name, scripts));
                        }
                    }
                }
                TransactionWork::Builtin { .. }
                | TransactionWork::Sysbench(_)
                | TransactionWork::ReadIntensive(_)
                | TransactionWork::Erp(_) => {}
            }
        }
        all
    }
}
