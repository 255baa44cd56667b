//! Whether a server that pgdyno makes admits the clients of the plan, its own sessions and those that are reserved.

use super::super::error::PlanFinding;
use super::super::kubernetes::ClusterVia;
use super::super::made::Made;
use super::super::model::Plan;
use super::super::target::{Reach, Target};
use super::Checked;

/// What initdb writes, and CloudNativePG gives, where the plan says nothing.
const MAX_CONNECTIONS: u32 = 100;

/// The same of `superuser_reserved_connections`.
const RESERVED_FOR_SUPERUSERS: u32 = 3;

pub(super) fn check_connections(of: &Checked<'_>) -> Vec<PlanFinding> {
    let mut findings = Vec::new();
    for target in &of.plan.targets {
        if target.reach.server_of().is_some() {
            continue;
        }
        let Some(reserved_by_default) = reserved_by_default(target) else { continue };
        let given = target.given_settings();
        let number = |name: &str, otherwise: u32| match given.get(name) {
            None => Some(otherwise),
            Some(text) => text.trim().parse::<u32>().ok(),
        };
        // What is no number is an error of its own.
        let Some(limit) = number("max_connections", MAX_CONNECTIONS) else { continue };
        let Some(for_superusers) = number("superuser_reserved_connections", RESERVED_FOR_SUPERUSERS) else { continue };
        let Some(for_others) = number("reserved_connections", 0) else { continue };
        // A superuser has what is reserved.
        let reserved = if reserved_by_default { for_superusers + for_others } else { 0 };
        let sessions = of.plan.sessions_at_once(&target.name);
        if sessions + reserved <= limit {
            continue;
        }
        let name = &target.name;
        let clients = of.plan.most_clients();
        let message = format!(
            "target \"{name}\": {clients} clients and the sessions of pgdyno need {sessions} connections, but its \
             server permits {}",
            limit.saturating_sub(reserved)
        );
        let detail = match reserved {
            0 => format!("max_connections is {limit}"),
            _ => format!("max_connections is {limit}, of which {reserved} are reserved"),
        };
        let span = of.root.get("clients").map_or(of.root.span, |entry| entry.node.span);
        let key = settings_key(target);
        let hint = format!(
            "add `max_connections: {}` to {key} of each such target, or lower `clients`",
            round_up_connections(sessions + reserved)
        );
        findings.push(PlanFinding::new(span, message).detail(detail).hint(hint));
    }
    findings
}

/// Whether connections are reserved from the role of the load, on a server that pgdyno makes: a local one is used by
/// its superuser.
fn reserved_by_default(target: &Target) -> Option<bool> {
    match &target.reach {
        Reach::Local(_) => Some(false),
        Reach::Kubernetes(kubernetes) => kubernetes.server_to_make().map(|_| true),
        Reach::Url(_) | Reach::Shared(_) => None,
    }
}

fn settings_key(target: &Target) -> &'static str {
    match &target.reach {
        Reach::Kubernetes(kubernetes) => match kubernetes.server_to_make() {
            Some(Made::Cnpg(_) | Made::Pod(_) | Made::StatefulSet(_)) => "`parameters`",
            None => "settings",
        },
        Reach::Local(_) => "`local.settings`",
        Reach::Url(_) | Reach::Shared(_) => "`settings`",
    }
}

/// A number that a person would choose: the next multiple of 50.
fn round_up_connections(connections: u32) -> u32 {
    connections.div_ceil(50) * 50
}

impl Plan {
    /// The plan with servers, of those that it makes, that admit all its clients.
    #[must_use]
    pub fn with_room_for_clients(mut self) -> Self {
        for place in 0..self.targets.len() {
            let target = &self.targets[place];
            let Some(from_the_load) = reserved_by_default(target) else { continue };
            let needed = self.sessions_at_once(&target.name) + if from_the_load { RESERVED_FOR_SUPERUSERS } else { 0 };
            let given = target.given_settings().get("max_connections").cloned();
            let limit = given.as_ref().map_or(Some(MAX_CONNECTIONS), |text| text.trim().parse().ok());
            if limit.is_none_or(|limit| limit >= needed) {
                continue;
            }
            let target = &mut self.targets[place];
            let settings = match &mut target.reach {
                _ if target.settings.contains_key("max_connections") => &mut target.settings,
                Reach::Local(local) => &mut local.settings,
                Reach::Kubernetes(_) | Reach::Url(_) | Reach::Shared(_) => &mut target.settings,
            };
            settings.insert("max_connections".to_owned(), round_up_connections(needed).to_string());
        }
        self
    }

    /// The most sessions that the server of a target has of this plan at once: those of the clients of all sides that
    /// have them open together, and pgdyno's own.
    #[must_use]
    pub fn sessions_at_once(&self, server: &str) -> u32 {
        /// Sessions that pgdyno needs besides the clients: two for control, one for probes.
        const OWN: u32 = 3;
        let clients = self.most_clients();
        let on_it = |target: &&Target| target.reach.server_of().unwrap_or(&target.name) == server;
        let mut of_sides: Vec<u32> =
            self.targets.iter().filter(on_it).map(|target| self.sessions_of(target, clients)).collect();
        if self.noise_floor {
            of_sides.extend(Some(self.baseline_target()).filter(on_it).map(|target| self.sessions_of(target, clients)));
        }
        // Sides that take turns stay connected; their own sessions do, too.
        match self.workloads.iter().any(|workload| self.may_take_turns(workload)) {
            true => of_sides.iter().map(|sessions| sessions + OWN).sum(),
            false => of_sides.into_iter().max().unwrap_or(0) + OWN,
        }
    }

    /// The sessions of a target with so many clients: a PgBouncer of its own may have fewer.
    fn sessions_of(&self, target: &Target, clients: u32) -> u32 {
        let pool = match &target.reach {
            Reach::Local(local) if local.way.pgbouncer => local.pooling.and_then(|pooling| pooling.size),
            Reach::Kubernetes(kubernetes) if matches!(kubernetes.via, ClusterVia::Pooler(None)) => {
                match kubernetes.server_to_make() {
                    Some(Made::Cnpg(made)) => made.pooler.as_ref().map(|pooler| pooler.pool_size * pooler.instances),
                    Some(Made::Pod(_) | Made::StatefulSet(_)) | None => None,
                }
            }
            Reach::Local(_) | Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_) => None,
        };
        pool.map_or(clients, |size| size.min(clients))
    }
}
