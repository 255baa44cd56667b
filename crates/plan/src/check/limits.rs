//! Limits of local servers that cannot be, or that another key contradicts.

use super::super::error::PlanFinding;
use super::super::server_limits::ServerLimits;
use super::super::target::{Target, Via};
use super::Checked;

pub(super) fn check_limits(of: &Checked<'_>, target: &Target, found: &mut Vec<PlanFinding>) {
    let Some(limits) = &target.machine.limits else { return };
    // Of any other server `limits` is refused as a whole.
    if !target.reach.can_restart() {
        return;
    }
    found.extend(without_namespace(of, target, limits));
    found.extend(without_own_device(of, target, limits));
    found.extend(limited_twice(of, target));
    found.extend(smaller_than_buffers(of, target, limits));
}

/// The network of a load that passes none.
fn without_namespace(of: &Checked<'_>, target: &Target, limits: &ServerLimits) -> Option<PlanFinding> {
    let key = limits.network_key()?;
    let way = target.reach.way_to_server()?;
    if matches!(way.via, Via::Veth | Via::Service) {
        return None;
    }
    let message = format!("target \"{}\": limits.{key} requires a route through a network namespace", target.name);
    let span = of.target_key_span(&target.name, &["limits", key]);
    Some(PlanFinding::new(span, message).hint("add `via: veth` under `local`"))
}

/// A property of a device that others use, too.
fn without_own_device(of: &Checked<'_>, target: &Target, limits: &ServerLimits) -> Option<PlanFinding> {
    let key = limits.device_key().filter(|_| target.machine.filesystem.is_none())?;
    let message = format!("target \"{}\": limits.{key} requires a device of its own", target.name);
    let finding = PlanFinding::new(of.target_key_span(&target.name, &["limits", key]), message);
    Some(finding.hint("add `filesystem: { type: ext4 }`: its loop device is the server's own"))
}

/// A limit of CPUs for a route beside limits of the whole server: a process is in one control group.
fn limited_twice(of: &Checked<'_>, target: &Target) -> Option<PlanFinding> {
    let other = of.plan.targets.iter().find(|other| {
        let reaches_it = other.name == target.name || other.reach.server_of() == Some(&target.name);
        reaches_it && other.reach.way_to_server().is_some_and(|way| way.cpus.is_some())
    })?;
    let message =
        format!("target \"{}\": limits exclude `cpus` of a route, as of target \"{}\"", target.name, other.name);
    let finding = PlanFinding::new(of.target_key_span(&target.name, &["limits"]), message);
    Some(finding.hint("write `limits: { cpus: … }` for the server, and remove `cpus` of the route"))
}

/// Memory in which the server could not even start.
fn smaller_than_buffers(of: &Checked<'_>, target: &Target, limits: &ServerLimits) -> Option<PlanFinding> {
    let (memory, buffers) = (limits.memory?, target.shared_buffers_bytes()?);
    if memory.size_bytes() > buffers {
        return None;
    }
    let message = format!(
        "target \"{}\": limits.memory ({memory}) does not hold its shared_buffers ({} MB)",
        target.name,
        buffers >> 20
    );
    let finding = PlanFinding::new(of.target_value_span(&target.name, &["limits", "memory"]), message);
    Some(finding.detail("the kernel would kill the server").hint("raise the limit, or lower shared_buffers"))
}
