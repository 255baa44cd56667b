//! What must hold for targets that differ in the way to one server.

use super::super::cache::Cache;
use super::super::error::{PlanFinding, value_for_message};
use super::super::kubernetes::{ClusterVia, Kubernetes};
use super::super::language::PlanReadingFindings;
use super::super::made::Made;
use super::super::target::{Local, Reach, Shared, Target, Via};
use super::super::workload::Generator;
use super::{Checked, entry_at_path};
use work::WordChoice as _;

pub(super) fn check_ways(of: &Checked<'_>, found: &mut PlanReadingFindings) {
    for target in &of.plan.targets {
        match &target.reach {
            Reach::Shared(shared) => {
                found.extend(check_shared_owner(of, target, shared));
                own_server(of, &target.name, found);
            }
            Reach::Kubernetes(kubernetes) => {
                found.extend(owner_in_kubernetes(of, target, kubernetes));
                found.extend(changed_for_another(of, target, kubernetes));
                found.extend(settings_through_pooler(of, target, kubernetes));
                found.extend(way_that_was_not_made(of, target, kubernetes));
            }
            Reach::Local(local) => found.extend(pooling_of_nobody(of, target, local)),
            Reach::Url(_) => {}
        }
        check_way(of, target, found);
    }
    found.extend(check_restarts(of));
}

/// A shared server is the one of a local target, which is no variant.
fn check_shared_owner(of: &Checked<'_>, target: &Target, shared: &Shared) -> Option<PlanFinding> {
    let Shared { server_of, .. } = shared;
    let key = format!("targets.{}.shared.server_of", target.name);
    let span = of.target_value_span(&target.name, &["shared", "server_of"]);
    let names: Vec<&str> = of.target_entries().iter().map(|target| target.key.as_str()).collect();
    if !names.contains(&server_of.as_str()) {
        return Some(of.unknown_target(&key, span, server_of, &names));
    }
    let can_be_shared = of.plan.target_by_name(server_of).is_none_or(|owner| owner.reach.can_be_shared());
    (!can_be_shared).then(|| {
        PlanFinding::new(
            span,
            format!("{key}: target {} is not a `local` target without a standby", value_for_message(server_of)),
        )
        .hint("use a target with `local` and without a standby: only such a server can be shared")
    })
}

/// A server in Kubernetes is shared by targets in Kubernetes, each with another way to it.
fn owner_in_kubernetes(of: &Checked<'_>, target: &Target, kubernetes: &Kubernetes) -> Option<PlanFinding> {
    let server_of = kubernetes.server_of()?;
    let key = format!("targets.{}.kubernetes.server_of", target.name);
    let span = of.target_value_span(&target.name, &["kubernetes", "server_of"]);
    let names: Vec<&str> = of.target_entries().iter().map(|target| target.key.as_str()).collect();
    if !names.contains(&server_of) {
        return Some(of.unknown_target(&key, span, server_of, &names));
    }
    let is_owner = of.plan.target_by_name(server_of).is_none_or(|owner| match &owner.reach {
        Reach::Kubernetes(owner) => owner.server_of().is_none(),
        Reach::Url(_) | Reach::Local(_) | Reach::Shared(_) => false,
    });
    (!is_owner).then(|| {
        PlanFinding::new(span, format!("{key}: target {} has no server in Kubernetes", value_for_message(server_of)))
            .hint("use a target with `kubernetes: { cluster: … }` or `kubernetes: { pods: … }`")
    })
}

/// A server whose settings are changed for another target is given back its own only where that may be done for this
/// one, too; another way to it would have the one's or the other's.
fn changed_for_another(of: &Checked<'_>, target: &Target, kubernetes: &Kubernetes) -> Option<PlanFinding> {
    let other = of.plan.changes_server_of(target).filter(|_| !kubernetes.may_change)?;
    let message =
        format!("target \"{}\": the settings of its server are changed for target \"{}\"", target.name, other.name);
    let finding = PlanFinding::new(of.target_key_span(&target.name, &["kubernetes"]), message);
    Some(finding.hint("use `cluster` with `may_change: true` for both, without `server_of`"))
}

/// Settings are settings of the load's sessions, which a pooler makes.
fn settings_through_pooler(of: &Checked<'_>, target: &Target, kubernetes: &Kubernetes) -> Option<PlanFinding> {
    let of_sessions = !target.settings.is_empty() && !kubernetes.may_change;
    let through_pooler = matches!(kubernetes.via, ClusterVia::Pooler(_)) && of_sessions;
    through_pooler.then(|| {
        let message = format!("target \"{}\": settings do not pass through a Pooler", target.name);
        let hint = "remove them, or use another route";
        PlanFinding::new(of.target_key_span(&target.name, &["settings"]), message).hint(hint)
    })
}

/// A Pooler without a name is the one that is made with the server; a pod that is made shares its node's network or
/// not.
fn way_that_was_not_made(of: &Checked<'_>, target: &Target, kubernetes: &Kubernetes) -> Option<PlanFinding> {
    let owner = kubernetes.server_of().and_then(|owner| of.plan.target_by_name(owner)).map(|owner| &owner.reach);
    let owner = match owner {
        Some(Reach::Kubernetes(owner)) => owner,
        Some(Reach::Url(_) | Reach::Local(_) | Reach::Shared(_)) | None => kubernetes,
    };
    let (why, hint) = match (&kubernetes.via, owner.server_to_make()) {
        (ClusterVia::Pooler(None), Some(Made::Cnpg(cluster))) if cluster.pooler.is_none() => {
            ("no Pooler is created with the server", "add `pooler: {}` under `cnpg`")
        }
        (ClusterVia::Pooler(_), Some(Made::Pod(_) | Made::StatefulSet(_))) => {
            ("a pod has no Pooler", "use `cnpg`, or another route")
        }
        (ClusterVia::Pooler(None), None) => ("the Pooler needs a name", "write { pooler: NAME }"),
        (ClusterVia::HostNetwork, Some(Made::Pod(pod) | Made::StatefulSet(pod))) if !pod.host_network => {
            ("the pod has its own network", "add `host_network: true` to the pod, or use `via: pod`")
        }
        (ClusterVia::HostNetwork, Some(Made::Cnpg(_))) => {
            ("pods of CloudNativePG have their own networks", "use `pod` with `host_network: true`, or `via: pod`")
        }
        _ => return None,
    };
    let message = format!("targets.{}.kubernetes.via: {why}", target.name);
    Some(PlanFinding::new(of.target_value_span(&target.name, &["kubernetes", "via"]), message).hint(hint))
}

/// What is made with a server is given to the target whose server it is.
fn own_server(of: &Checked<'_>, name: &str, found: &mut PlanReadingFindings) {
    for key in ["filesystem", "huge_pages", "limits"] {
        if let Some(entry) = of.first_target_entry(name, &[&[key]]) {
            let message = format!("target \"{name}\": {key} requires a separate server");
            let hint = "move it to the target that owns the server, or use `local`";
            found.push(PlanFinding::new(entry.key_span, message).hint(hint));
        }
    }
}

/// A restart would pull the server from under the targets that share it; and there must be one that can be restarted.
fn check_restarts(of: &Checked<'_>) -> Option<PlanFinding> {
    let targets = &of.plan.targets;
    let of_blocks =
        || entry_at_path(of.root, &["blocks", "restart"]).filter(|_| of.plan.blocks.restart).map(|key| key.node.span);
    let Some(sharing) = targets.iter().find(|target| target.reach.server_of().is_some()) else {
        let none = !targets.iter().any(|target| target.reach.can_restart());
        let message = "blocks.restart: no target is `local`, and pgdyno restarts only `local` servers";
        return of_blocks().filter(|_| none).map(|span| PlanFinding::new(span, message).hint("remove it"));
    };
    let owners: Vec<&str> = targets.iter().filter_map(|target| target.reach.server_of()).collect();
    let shares = |target: &&Target| target.reach.server_of().is_some() || owners.contains(&target.name.as_str());
    let is_cold = |target: &&Target| target.cache == Some(Cache::Cold);
    let of_target =
        targets.iter().filter(shares).find(is_cold).map(|target| of.target_value_span(&target.name, &["cache"]));
    let of_workload = || {
        let workload = of.plan.workloads.iter().find(|workload| workload.cache == Cache::Cold)?;
        Some(of.workload_value(&workload.name, &["cache"]))
    };
    let cold = of_target.or_else(of_workload).map(|span| (span, "cache: cold", "or use `cache: warm`"));
    let (span, key, or) = cold.or_else(|| of_blocks().map(|span| (span, "blocks.restart", "or remove it")))?;
    let message = format!("{key} restarts the server, and target \"{}\" shares one", sharing.name);
    Some(PlanFinding::new(span, message).hint(format!("give each target its own `local` server, {or}")))
}

/// How a pooler lends, where no way leads through one.
fn pooling_of_nobody(of: &Checked<'_>, target: &Target, local: &Local) -> Option<PlanFinding> {
    local.pooling?;
    let reaches_it = |other: &&Target| other.name == target.name || other.reach.server_of() == Some(&target.name);
    let mut ways = of.plan.targets.iter().filter(reaches_it).filter_map(|other| other.reach.way_to_server());
    let is_pooled = ways.any(|way| way.pgbouncer);
    (!is_pooled).then(|| {
        let message = format!("target \"{}\": pooling requires a route through PgBouncer", target.name);
        let hint = "add `pgbouncer: true` to this target, or to one that shares its server; or remove `pooling`";
        PlanFinding::new(of.target_key_span(&target.name, &["local", "pooling"]), message).hint(hint)
    })
}

/// What a way cannot be: encrypted or pooled through a Unix-domain socket, pooled with settings, in a namespace for
/// others' programs.
fn check_way(of: &Checked<'_>, target: &Target, found: &mut PlanReadingFindings) {
    let name = &target.name;
    let (server, way) = match &target.reach {
        Reach::Url(_) | Reach::Kubernetes(_) => return,
        Reach::Local(local) => ("local", local.way),
        Reach::Shared(shared) => ("shared", shared.way),
    };
    for (key, is_on) in [("tls", way.tls), ("pgbouncer", way.pgbouncer)] {
        if is_on && way.via == Via::Unix {
            let message = format!("target \"{name}\": {key} requires a route through TCP");
            let hint = "add `via: tcp`, `via: veth` or `via: service`";
            found.push(PlanFinding::new(of.target_key_span(name, &[server, key]), message).hint(hint));
        }
    }
    if way.pgbouncer && server == "shared" && !target.settings.is_empty() {
        let message = format!("target \"{name}\": settings of a shared server do not pass through PgBouncer");
        let hint = "move them to the `settings` of the target that owns the server";
        found.push(PlanFinding::new(of.target_key_span(name, &["settings"]), message).hint(hint));
    }
    let foreign = of.plan.workloads.iter().find(|workload| workload.generator != Generator::Pgdyno);
    if let (Some(workload), Via::Veth | Via::Service) = (foreign, way.via) {
        let message = format!(
            "target \"{name}\": via {} puts the load into a network namespace, which supports only the load engine of \
             pgdyno",
            way.via.as_word()
        );
        let hint = format!("remove `generator` from workload \"{}\", or use `via: tcp`", workload.name);
        found.push(PlanFinding::new(of.target_value_span(name, &[server, "via"]), message).hint(hint));
    }
}
