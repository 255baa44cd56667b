//! Turns that a plan asks for and that cannot be.

use super::super::document::Span;
use super::super::error::Finding;
use super::super::interleaving::{Interleave, NoTurns};
use super::super::language::Findings;
use super::super::workload::Workload;
use super::Checked;

pub(super) fn check(of: &Checked<'_>, found: &mut Findings) {
    let plan = of.plan;
    let of_plan = || plan.interleave.and(of.root.get("interleave")).map(|entry| entry.node.span);
    for workload in &plan.workloads {
        let own = || workload.interleave.map(|_| of.workload_value(&workload.name, &["interleave"]));
        let asked = workload.interleave.or(plan.interleave) == Some(Interleave::Turns);
        if let (true, Some(span), Some(why)) = (asked, own().or_else(of_plan), plan.no_turns(workload)) {
            found.push(impossible(workload, span, &why));
        }
    }
}

fn impossible(workload: &Workload, span: Span, why: &NoTurns) -> Finding {
    let message = format!("workload \"{}\": its sides cannot take turns: {why}", workload.name);
    let trials = "write `interleave: trials`, or remove it";
    let hint = match why {
        NoTurns::OneSide => "add a target or `noise_floor: true`, or remove `interleave`".to_owned(),
        NoTurns::Generator(_) => format!("{trials}; pgdyno's own generator can"),
        NoTurns::CrossCheck(_) => format!("{trials}, or leave out `cross_check`"),
        NoTurns::Cold(_) => format!("{trials}; `cache: warm` can"),
        NoTurns::Capacity => format!("{trials}; a constant `rate` can"),
        NoTurns::ChangingRate => format!("{trials}; a constant rate can"),
        NoTurns::ObserverCost => format!("{trials}, or leave out `observer_cost`"),
        NoTurns::Events => format!("{trials}; a plan without `events` can"),
        NoTurns::Sysctl(_) => trials.to_owned(),
        NoTurns::Settings(_) => format!("{trials}; clusters of their own can"),
        NoTurns::Cpus(_) => format!("{trials}; targets with `local` servers of their own can"),
    };
    Finding::new(span, message).hint(hint)
}
