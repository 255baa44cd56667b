//! Workloads that read a standby which a target does not have.

use super::super::error::PlanFinding;
use super::super::language::PlanReadingFindings;
use super::super::target::Target;
use super::super::workload::Workload;
use super::Checked;

const KEY: &str = "reads_from";

pub(super) fn check_standby_reads(of: &Checked<'_>, found: &mut PlanReadingFindings) {
    for workload in of.plan.workloads.iter().filter(|workload| workload.reads_standby()) {
        found.extend(of.plan.targets.iter().filter_map(|target| without_standby(of, workload, target)));
    }
}

fn without_standby(of: &Checked<'_>, workload: &Workload, target: &Target) -> Option<PlanFinding> {
    // Whether one of the hosts of a URL is a standby, the servers say.
    if target.reach.is_url() || target.reach.local_standby().is_some() {
        return None;
    }
    let (why, hint) = if target.reach.as_kubernetes().is_some() {
        ("is in Kubernetes, where pgdyno finds the primary alone", "use the `url` of the service of the standbys")
    } else if target.reach.server_of().is_some() {
        ("shares the server of another target, without its standby", "use a `local` server with `standby`")
    } else {
        ("has no standby", "add `standby: streaming` to its `local`")
    };
    let name = &workload.name;
    let message =
        format!("workload \"{name}\": {KEY}: standby is not possible on target \"{}\", which {why}", target.name);
    Some(PlanFinding::new(of.workload_value(name, &[KEY]), message).hint(hint))
}
