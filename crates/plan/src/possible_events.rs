//! Which events can be made to happen: to which targets, and under which workloads.

use super::event::{Deed, Happening};
use super::kubernetes::{ClusterVia, InKubernetes, Kubernetes};
use super::made::Made;
use super::model::Plan;
use super::target::{Reach, Target};
use super::units::format_duration;
use super::workload::{Generator, Workload};

impl Happening {
    /// Why it cannot be made to happen to such a target, and what to do instead; none if it can.
    pub(crate) fn refused_by(&self, plan: &Plan, target: &Target) -> Option<(&'static str, &'static str)> {
        let needs = match self {
            Self::Do(Deed::Promote | Deed::DetachStandby) => Needs::Standby,
            Self::Do(Deed::KillPostmaster) => match &target.reach {
                Reach::Kubernetes(_) => Needs::Cluster(PrimaryFate::Changes { instances: 1 }),
                Reach::Url(_) | Reach::Local(_) | Reach::Shared(_) => Needs::Process,
            },
            Self::Do(Deed::Restart | Deed::KillBackend) | Self::Freeze(_) => Needs::Process,
            Self::AgentCommand(_) => Needs::Agent,
            Self::FreezeDisk(_) => Needs::Filesystem,
            Self::Do(Deed::Switchover | Deed::DrainNode) | Self::StopNode(_) => {
                Needs::Cluster(PrimaryFate::Changes { instances: 2 })
            }
            Self::Do(Deed::RollingRestart | Deed::DeletePrimary | Deed::DeletePrimaryForcibly) => {
                Needs::Cluster(PrimaryFate::Changes { instances: 1 })
            }
            Self::RollingUpdate(_) => Needs::Update,
            Self::Do(Deed::RestartInPlace) => Needs::Cluster(PrimaryFate::Stays),
            Self::Do(Deed::Checkpoint) | Self::Command(_) => Needs::Nothing,
        };
        needs.refused_by(plan, target).or_else(|| without_leave(plan, target))
    }
}

/// What an event takes.
enum Needs {
    Nothing,
    /// A standby that was made.
    Standby,
    /// Processes on this machine that pgdyno started, or of a host with an agent.
    Process,
    /// An agent on the host of a server that was found.
    Agent,
    /// The same, and a file system that nobody else uses.
    Filesystem,
    /// A cluster of CloudNativePG.
    Cluster(PrimaryFate),
    /// The same, whose `Cluster` nobody else changes.
    Update,
}

/// What becomes of the primary of a cluster.
#[derive(PartialEq, Eq)]
enum PrimaryFate {
    Stays,
    /// Another pod may be the primary, if there are so many instances.
    Changes {
        instances: u32,
    },
}

impl Needs {
    fn refused_by(&self, plan: &Plan, target: &Target) -> Option<(&'static str, &'static str)> {
        match (self, &target.reach) {
            (Self::Nothing, _) | (Self::Process, Reach::Local(_)) => None,
            (Self::Standby, reach) => reach.local_standby().is_none().then_some((
                "it has no standby that pgdyno created",
                "write `standby: streaming` or `standby: synchronous` under `local`",
            )),
            (Self::Filesystem, Reach::Local(_)) if target.machine.filesystem.is_some() => None,
            (Self::Filesystem, _) => Some((
                "other processes may use the file system of its data",
                "use a `local` target with its own `filesystem`, such as ext4",
            )),
            (Self::Process | Self::Agent, Reach::Url(_)) => target.agent.is_none().then_some((
                "this requires an `agent` on its host",
                "add `agent: { ssh: HOST }`, or use a `command: \"…\"` of yours",
            )),
            (Self::Process, Reach::Kubernetes(_)) => Some((
                "pgdyno does not stop or kill processes of such a server",
                "use a `command: \"…\"` of yours, or a `local` target",
            )),
            (Self::Agent, Reach::Local(_) | Reach::Shared(_) | Reach::Kubernetes(_)) => {
                Some(("it has no agent on its host", "use `command: \"…\"`, which runs in a shell on this machine"))
            }
            (Self::Process, Reach::Shared(_)) => {
                Some(("it would affect the target that owns the server", "use a separate `local` target"))
            }
            (Self::Cluster(primary), Reach::Kubernetes(kubernetes)) => primary.refused_by(plan, target, kubernetes),
            (Self::Update, Reach::Kubernetes(kubernetes)) => {
                let is_changed =
                    plan.owner_of_server(target).reach.as_kubernetes().is_some_and(|owner| owner.may_change);
                let changed = (
                    "the `settings` of this target change the same `Cluster` object, which conflicts with an update",
                    "remove `may_change` under `kubernetes`",
                );
                is_changed
                    .then_some(changed)
                    .or_else(|| PrimaryFate::Changes { instances: 1 }.refused_by(plan, target, kubernetes))
            }
            (Self::Cluster(_) | Self::Update, Reach::Url(_) | Reach::Local(_) | Reach::Shared(_)) => Some(NO_CLUSTER),
        }
    }
}

/// Why nothing can be done to a cluster.
const NO_CLUSTER: (&str, &str) =
    ("it is not a CloudNativePG cluster", "use a target with `kubernetes: { cluster: … }` or `create: { cnpg: … }`");

impl PrimaryFate {
    fn refused_by(&self, plan: &Plan, target: &Target, reached: &Kubernetes) -> Option<(&'static str, &'static str)> {
        let owner = plan.owner_of_server(target).reach.as_kubernetes()?;
        let instances = match &owner.server {
            InKubernetes::Cluster(_) => None,
            InKubernetes::Create(made) => match &**made {
                Made::Cnpg(cluster) => Some(cluster.instances),
                Made::Pod(_) | Made::StatefulSet(_) => return Some(NO_CLUSTER),
            },
            InKubernetes::Pods(_) | InKubernetes::ServerOf(_) => return Some(NO_CLUSTER),
        };
        let Self::Changes { instances: at_least } = self else { return None };
        if instances.is_some_and(|instances| instances < *at_least) {
            return Some(("its cluster has one instance, and no replica to promote", "write `instances: 2` or more"));
        }
        match reached.via {
            ClusterVia::HostNetwork | ClusterVia::Socket => Some((
                "this route leads to one node, and the next primary may be on another",
                "use `via: service`, `pod` or `pooler`",
            )),
            ClusterVia::Pod | ClusterVia::Service(_) | ClusterVia::NodePort(_) | ClusterVia::Pooler(_) => None,
        }
    }
}

/// Why nothing may be done to a server that pgdyno did not make.
fn without_leave(plan: &Plan, target: &Target) -> Option<(&'static str, &'static str)> {
    let owner = plan.owner_of_server(target);
    let is_ours = match &target.reach {
        Reach::Url(_) | Reach::Kubernetes(_) => owner.reach.is_made() || owner.may_disturb || target.may_disturb,
        Reach::Local(_) | Reach::Shared(_) => true,
    };
    (!is_ours).then_some((
        "pgdyno did not create this server, and needs permission for events on it",
        "write `may_disturb: true` under the target, if no other user depends on it",
    ))
}

/// Why there can be no events in the trials of a workload.
pub(crate) fn refused_by_workload(workload: &Workload) -> Option<(&'static str, &'static str)> {
    match workload.generator {
        Generator::Pgdyno if workload.capacity_search().is_some() => {
            Some(("a capacity search would mistake the effects for the limit", "write a constant `rate`"))
        }
        Generator::Pgdyno => None,
        Generator::Pgbench | Generator::Sysbench => Some((
            "its generator exits when a connection is lost, or does not report it",
            "write `generator: pgdyno`, or remove `generator`",
        )),
    }
}

impl Plan {
    /// When events are made to happen, for a person; empty without events.
    pub(crate) fn events_in_words(&self) -> Vec<String> {
        self.events
            .iter()
            .map(|event| format!("{} at {}: {}", event.name, format_duration(event.at), event.what.action_in_words()))
            .collect()
    }

    /// Whether a ledger of the acknowledged commits of this workload can be kept.
    pub(crate) fn can_keep_ledger(workload: &Workload) -> bool {
        workload.builtin_script().is_some() && workload.can_write() && workload.generator == Generator::Pgdyno
    }
}
