//! Turns that a plan asks for and that cannot be.

use super::super::document::Span;
use super::super::error::PlanFinding;
use super::super::interleave::Interleave;
use super::super::interleaving::NoTurns;
use super::super::language::PlanReadingFindings;
use super::super::workload::Workload;
use super::Checked;

pub(super) fn check_turns(of: &Checked<'_>, found: &mut PlanReadingFindings) {
    let plan = of.plan;
    let of_plan = || plan.interleave.and(of.root.get("interleave")).map(|entry| entry.node.span);
    for workload in &plan.workloads {
        let own = || workload.interleave.map(|_| of.workload_value(&workload.name, &["interleave"]));
        let why = match workload.interleave.or(plan.interleave) {
            Some(Interleave::Slices) => plan.no_turns(workload),
            Some(Interleave::FrozenSlices) => plan.no_frozen_turns(workload),
            Some(Interleave::Trials) | None => None,
        };
        if let (Some(span), Some(why)) = (own().or_else(of_plan), why) {
            found.push(impossible_turns(workload, span, &why));
        }
    }
}

fn impossible_turns(workload: &Workload, span: Span, why: &NoTurns) -> PlanFinding {
    let message = format!("workload \"{}\": its sides cannot alternate within trials: {why}", workload.name);
    let trials = "write `interleave: trials`, or remove the key";
    let hint = match why {
        NoTurns::OneSide => "add a target or `noise_floor: true`, or remove `interleave`".to_owned(),
        NoTurns::Generator(_) => format!("{trials}, or use `generator: pgdyno`"),
        NoTurns::CrossCheck(_) => format!("{trials}, or remove `cross_check`"),
        NoTurns::Cold(_) => format!("{trials}, or use `cache: warm`"),
        NoTurns::Capacity => format!("{trials}, or use a constant `rate`"),
        NoTurns::ChangingRate => format!("{trials}, or use a constant rate"),
        NoTurns::ObserverCost => format!("{trials}, or remove `observer_cost`"),
        NoTurns::SeveralGenerators(_) => format!("{trials}, or use one generator"),
        NoTurns::Events => format!("{trials}, or remove `events`"),
        NoTurns::Beside => format!("{trials}, or remove `beside`"),
        NoTurns::Sysctl(_) => trials.to_owned(),
        NoTurns::Settings(_) => format!("{trials}, or use separate clusters"),
        NoTurns::Cpus(_) => format!("{trials}, or use targets with their own `local` servers"),
        NoTurns::Freezing { .. } | NoTurns::FreezingFromElsewhere => {
            "write `interleave: trials`, or `interleave: slices` for a workload that only reads".to_owned()
        }
    };
    PlanFinding::new(span, message).hint(hint)
}
