//! What cannot be measured when the load comes from another machine: what only this one reaches, and what only a load
//! on this one can do.

use super::super::error::PlanFinding;
use super::super::kubernetes::ClusterVia;
use super::super::language::PlanReadingFindings;
use super::super::load_place::LoadPlace;
use super::super::target::{Reach, Target};
use super::super::workload::Generator;
use super::{Checked, entry_at_path};

pub(super) fn check_load_place(of: &Checked<'_>, found: &mut PlanReadingFindings) {
    let [first, others @ ..] = of.plan.generators.as_slice() else { return };
    for other in others {
        let span = entry_at_path(of.root, &["generators", &other.name]).map_or(of.root.span, |entry| entry.key_span);
        let message = format!("generators: found a second one, \"{}\"", other.name);
        let hint = "keep one: all sides of a comparison share their generator";
        found.push(PlanFinding::new(span, message).hint(hint));
    }
    if first.generator_count() > 1 {
        found.extend(check_division(of, first));
    }
    found.extend(of.plan.targets.iter().filter_map(|target| not_reached(of, target, &first.name)));
    found.extend(check_local_programs(of, &first.name));
    if let Some(entry) = of.root.get("observer_cost").filter(|_| of.plan.observer_cost) {
        let message = "observer_cost: a remote generator does not report its throughput within a second";
        found.push(PlanFinding::new(entry.node.span, message).hint("remove `observer_cost` or `generators`"));
    }
}

/// Loads that several generators cannot divide.
fn check_division(of: &Checked<'_>, place: &LoadPlace) -> Vec<PlanFinding> {
    let (count, name) = (place.generator_count(), &place.name);
    let mut found = Vec::new();
    for workload in &of.plan.workloads {
        let fewest = of.plan.clients_of_workload(workload).iter().copied().min().unwrap_or(count);
        if fewest < count {
            let span = match workload.clients {
                Some(_) => of.workload_value(&workload.name, &["clients"]),
                None => of.root.get("clients").map_or(of.root.span, |entry| entry.node.span),
            };
            let message = format!(
                "workload \"{}\": its {fewest} clients cannot be divided among the {count} generators of \"{name}\"",
                workload.name
            );
            let hint = format!("use at least {count} clients, or fewer generators");
            found.push(PlanFinding::new(span, message).hint(hint));
        }
    }
    for workload in of.plan.single_workloads() {
        if workload.own_scripts().is_some_and(|own| own.captured.is_some()) {
            let message = format!(
                "workload \"{}\": the {count} generators of \"{name}\" cannot share a capture, whose transactions \
                 have an order",
                workload.name
            );
            let hint = "use one generator with more `cpus`, or a workload that is not captured";
            found.push(PlanFinding::new(of.workload_value(&workload.name, &["captured"]), message).hint(hint));
        }
    }
    found
}

/// A server that only this machine reaches.
fn not_reached(of: &Checked<'_>, target: &Target, generator: &str) -> Option<PlanFinding> {
    let (path, why, hint): (&[&str], _, _) = match &target.reach {
        Reach::Local(_) => (&["local"], "is reachable only from this machine", "use `url` or `kubernetes`"),
        Reach::Shared(_) => (&["shared"], "is reachable only from this machine", "use `url` or `kubernetes`"),
        Reach::Kubernetes(kubernetes) if kubernetes.via == ClusterVia::Socket => {
            (&["kubernetes", "via"], "is reachable only by its socket, within its pod", "use `via: pod`")
        }
        Reach::Kubernetes(_) | Reach::Url(_) => return None,
    };
    let message = format!("target \"{}\" {why}, not from generator \"{generator}\"", target.name);
    let hint = format!("{hint}, or remove `generators`");
    Some(PlanFinding::new(of.target_key_span(&target.name, path), message).hint(hint))
}

/// Work that is done by programs of this machine.
fn check_local_programs(of: &Checked<'_>, generator: &str) -> Vec<PlanFinding> {
    let mut found = Vec::new();
    for workload in &of.plan.workloads {
        if workload.generator != Generator::Pgdyno {
            let message = format!(
                "workload \"{}\": generator \"{generator}\" supports only the load engine of pgdyno",
                workload.name
            );
            let hint = "use `generator: pgdyno` without `cross_check`, or remove `generators`";
            found.push(PlanFinding::new(of.workload_value(&workload.name, &["generator"]), message).hint(hint));
        }
    }
    for workload in of.plan.single_workloads() {
        if workload.own_scripts().is_some_and(|own| own.allow_shell) {
            let message = format!(
                "workload \"{}\": its scripts may run commands, which generator \"{generator}\" does not support",
                workload.name
            );
            let hint = "remove `allow_shell` or `generators`";
            found.push(PlanFinding::new(of.workload_value(&workload.name, &["allow_shell"]), message).hint(hint));
        }
    }
    found
}
