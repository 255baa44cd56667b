//! The experiment that would confirm a finding: a whole plan, derived from the run's own, and what to expect of it.

use plan::{InKubernetes, Kubernetes, Local, OfTarget, Plan, Reach, Target, Workload};

use super::case::Case;

/// A plan to run, with the words that go with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirm {
    /// What to change by hand, if anything, and what the plan will show if the finding is right.
    pub expect: String,
    /// The plan; passwords are never in it. Absent for figures of another tool,
    /// which say nothing of what to connect to.
    pub plan: Option<Plan>,
}

/// The suffix of a target that was changed.
const CHANGED: &str = "-changed";

impl Confirm {
    /// The cell once more as it is: for a cause that no plan can remove, to be run when somebody has removed it.
    pub fn again(case: &Case<'_>, expect: &str) -> Self {
        Self { expect: expect.to_owned(), plan: of_cell(case) }
    }

    /// The cell beside itself with these settings changed. On a server that pgdyno did not start they are knobs of the
    /// session; what is more than that is refused when the plan is run, by name.
    pub fn with_settings(case: &Case<'_>, settings: &[(&str, &str)], expect: &str) -> Self {
        let change = |target: &mut Target| {
            let given = match &mut target.reach {
                Reach::Local(local) => &mut local.settings,
                Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_) => &mut target.knobs,
            };
            for (name, value) in settings {
                given.insert((*name).to_owned(), (*value).to_owned());
            }
        };
        Self::with_target(case, change, expect)
    }

    /// The cell beside itself with the target changed.
    pub fn with_target(case: &Case<'_>, change: impl FnOnce(&mut Target), expect: &str) -> Self {
        let mut plan = of_cell(case);
        if let Some(plan) = &mut plan
            && let Some(mut target) = plan.targets.first().cloned()
        {
            target.name.push_str(CHANGED);
            change(&mut target);
            plan.targets.push(target);
        }
        Self { expect: expect.to_owned(), plan }
    }

    /// The cell at other numbers of clients, each once and none of them 0.
    pub fn with_clients(case: &Case<'_>, clients: &[u32], expect: &str) -> Self {
        let mut clients = clients.to_vec();
        clients.sort_unstable();
        clients.dedup();
        Self { expect: expect.to_owned(), plan: of_cell(case).map(|plan| Plan { clients, ..plan }) }
    }

    /// The cell with a second workload beside its own.
    pub fn with_workload(case: &Case<'_>, change: impl FnOnce(&mut Workload), expect: &str) -> Self {
        let mut plan = of_cell(case);
        if let Some(plan) = &mut plan
            && let Some(mut workload) = plan.workloads.first().cloned()
        {
            workload.name.push_str(CHANGED);
            change(&mut workload);
            plan.workloads.push(workload);
        }
        Self { expect: expect.to_owned(), plan }
    }

    /// The cell with another workload in place of its own, to be compared with this run.
    pub fn instead(case: &Case<'_>, change: impl FnOnce(&mut Workload), expect: &str) -> Self {
        let mut plan = of_cell(case);
        if let Some(workload) = plan.as_mut().and_then(|plan| plan.workloads.first_mut()) {
            change(workload);
        }
        Self { expect: expect.to_owned(), plan }
    }

    /// The plan as a file.
    pub fn yaml(&self) -> Option<String> {
        self.plan.as_ref().map(Plan::to_yaml)
    }
}

/// A target of the plan that needs no other: on a shared server, one with a server of its own of the same kind.
fn by_itself(plan: &Plan, target: &Target) -> Target {
    let reach = match &target.reach {
        Reach::Shared(shared) => match plan.target(&shared.server_of).map(|owner| &owner.reach) {
            Some(Reach::Local(owner)) => Reach::Local(Local { way: shared.way, ..owner.clone() }),
            Some(Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_)) | None => target.reach.clone(),
        },
        Reach::Kubernetes(Kubernetes { server: InKubernetes::ServerOf(OfTarget(owner)), via, tls, .. }) => {
            match plan.target(owner).map(|owner| &owner.reach) {
                Some(Reach::Kubernetes(owner)) => {
                    Reach::Kubernetes(Kubernetes { via: via.clone(), tls: *tls, ..owner.clone() })
                }
                Some(Reach::Url(_) | Reach::Local(_) | Reach::Shared(_)) | None => target.reach.clone(),
            }
        }
        Reach::Url(_) | Reach::Kubernetes(_) | Reach::Local(_) => target.reach.clone(),
    };
    Target { reach, ..target.clone() }
}

/// The run's plan with nothing in it but the cell.
fn of_cell(case: &Case<'_>) -> Option<Plan> {
    let (plan, cell) = (case.plan()?, case.cell());
    Some(Plan {
        name: format!("Confirm: {}", plan.name),
        targets: plan.target(&cell.target).map(|target| by_itself(plan, target)).into_iter().collect(),
        ladder: Vec::new(),
        baseline: cell.target.clone(),
        workloads: plan.workloads.iter().filter(|workload| workload.name == cell.workload).cloned().collect(),
        clients: vec![case.client_count()],
        noise_floor: false,
        probes: true,
        disk: None,
        seed: None,
        ..plan.clone()
    })
}
