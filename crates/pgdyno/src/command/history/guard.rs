//! `history pin` and `history guard`: a candidate against the baseline that was accepted, both measured now. Figures of
//! another night would bring the machine's drift along; so what is kept of a baseline is what it was, not how fast.

use std::path::Path;

use judge::observed::Observed;
use plan::{Binaries, Plan, Reach, Target};
use results::store::RunDir;

use super::super::{Manner, conclude, documents, run};
use super::{add, of_run};
use crate::cli::{GuardArgs, PinArgs};
use problem::{CommandStatus, Problem};

/// The name of the pinned target in a plan that has none to put it in the place of.
const PINNED: &str = "pinned";

/// Writes a target of a run as a plan of its own.
pub(super) fn run_pin_command(arguments: &PinArgs) -> Result<CommandStatus, Problem> {
    let dir = RunDir::open(&arguments.run)?;
    let observed = Observed::read(&dir)?;
    of_run(&observed, &dir, "pin it")?;
    let pinned = plan_with_pinned_target(&observed, arguments.target.as_deref())?;
    let text = format!(
        "# Target {} of run {}, pinned. For `pgdyno history guard PLAN --baseline {}`, which reads the target only.\n{}",
        pinned.baseline,
        observed.run.id,
        arguments.to.display(),
        pinned.to_yaml()
    );
    documents::write_text_file(&arguments.to, &text)?;
    documents::print_bytes(format!("{}\n", arguments.to.display()).as_bytes())
}

/// The plan of a run with one of its targets, in the version that it had.
fn plan_with_pinned_target(observed: &Observed, name: Option<&str>) -> Result<Plan, Problem> {
    let plan = observed.plan.as_ref().expect("a run that fits into a history has a plan");
    let name = name.unwrap_or(&plan.baseline);
    let mut target = plan.target_by_name(name).cloned().ok_or_else(|| {
        let names: Vec<&str> = plan.targets.iter().map(|target| target.name.as_str()).collect();
        Problem::usage_error(format!("the run has no target {name:?}"))
            .hint(format!("its targets are {}", names.join(", ")))
    })?;
    if let Reach::Local(local) = &mut target.reach
        && let Binaries::Version(version) = &mut local.binaries
    {
        // 170011 is 17.11.
        version.minor = observed.facts.get(name).map(|facts| facts.server.version_num % 10_000);
    }
    let workloads = plan.workloads.iter().map(|workload| workload.clone().on_target_alone(name)).collect();
    let (compare, ladder) = (Vec::new(), Vec::new());
    Ok(Plan { baseline: target.name.clone(), targets: vec![target], compare, ladder, workloads, ..plan.clone() })
}

/// Measures the plan with the pinned target as its baseline, and adds the run to the history.
pub(super) async fn run_guard_command(arguments: &GuardArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let (plan, scripts) = run::read_plan(Some(&arguments.plan))?;
    let pinned = run::parse_plan(&arguments.baseline)?;
    let plan = plan_against_pinned(plan, pinned.baseline_target());
    check_guard_plan(&plan, &arguments.plan)?;
    let plan = scripts.plan_in_run(plan.complete_with_defaults(run::random_seed(), run::available_cpus()));
    run::tell_of_passwords(&plan, manner);
    let (identity, dir) = run::create_run_directory(&arguments.runs, &plan, &scripts, &[])?;
    let answer = run::measure_new(&plan, &scripts, &identity, &dir, &arguments.files.reports, manner).await?;
    add(&dir, arguments.to.as_deref())?;
    conclude::tell_status(answer, manner)
}

/// The plan with another server in the place of its baseline; beside its only target, where it has one.
fn plan_against_pinned(mut plan: Plan, pinned: &Target) -> Plan {
    if plan.candidate_targets().next().is_none() {
        PINNED.clone_into(&mut plan.baseline);
    } else {
        plan.targets.retain(|target| target.name != plan.baseline);
    }
    plan.targets.insert(0, Target { name: plan.baseline.clone(), ..pinned.clone() });
    plan
}

/// The whole is a plan that nobody has written: what stands in it against each other is told before it is measured.
fn check_guard_plan(plan: &Plan, path: &Path) -> Result<(), Problem> {
    let name = format!("{} with the pinned baseline", path.display());
    plan::parse_plan(&name, plan.to_yaml().as_bytes()).map(drop).map_err(|errors| Problem::from_plan_errors(&errors))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(targets: &str, baseline: &str) -> Plan {
        let text = format!(
            "name: x\ntargets:\n{targets}baseline: {baseline}\nworkloads: {{ w: {{ builtin: select-only, scale: 1 }} }}\n\
             clients: [2]\n"
        );
        plan::parse_plan("plan.yaml", text.as_bytes()).expect("a plan")
    }

    #[test]
    fn the_pinned_server_stands_in_the_place_of_the_baseline_or_beside_the_only_target() {
        let pinned = plan("  old: { local: { version: \"17.10\" }, settings: { work_mem: 8MB } }\n", "old");
        let two = "  a: { local: { version: 17 } }\n  b: { local: { version: 18 } }\n";
        let guarded = plan_against_pinned(plan(two, "a"), pinned.baseline_target());
        assert_eq!((guarded.targets.len(), guarded.baseline.as_str()), (2, "a"));
        assert_eq!(
            (&guarded.baseline_target().reach, &guarded.baseline_target().settings),
            (&pinned.baseline_target().reach, &pinned.baseline_target().settings)
        );
        let guarded = plan_against_pinned(plan("  b: { local: { version: 18 } }\n", "b"), pinned.baseline_target());
        assert_eq!(guarded.targets.iter().map(|target| target.name.as_str()).collect::<Vec<_>>(), ["pinned", "b"]);
        assert!(check_guard_plan(&guarded, Path::new("plan.yaml")).is_ok());
        assert!(guarded.to_yaml().contains("17.10"));
    }
}
