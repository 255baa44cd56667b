//! `plan check|new|explain`.

use plan::schedule::schedule;
use plan::{Plan, ServerPlace, TEMPLATE, explain};
use results::run::Schedule;
use results::trial::Role;

use super::{Manner, documents, pilot, run};
use crate::cli::PlanCommand;
use crate::problem::{Problem, Status};

/// Carries out one of them.
pub(super) fn plan(command: &PlanCommand, manner: Manner) -> Result<Status, Problem> {
    match command {
        PlanCommand::New => documents::print(TEMPLATE.as_bytes()),
        PlanCommand::Check { plan } => {
            let notes = run::read_plan(Some(plan))?.0.notes();
            let notes: String = notes.iter().map(|note| format!("note: {note}\n")).collect();
            documents::print(format!("{notes}{}: ok\n", plan.display()).as_bytes())
        }
        PlanCommand::Explain { plan, manifests: true, .. } => {
            documents::print(manifests(&run::read_plan(plan.as_deref())?.0).as_bytes())
        }
        PlanCommand::Explain { plan, pilot, manifests: false } => {
            let (plan, scripts) = run::read_plan(plan.as_deref())?;
            let plan = plan.complete(0, run::cpus());
            let schedule = schedule(&plan, plan.seed.expect("a complete plan has a seed"));
            documents::print(explain(&plan).to_string().as_bytes())?;
            documents::print(order_of_first_block(&schedule).as_bytes())?;
            if *pilot { super::in_runtime(pilot::pilot(&plan, &scripts, manner)) } else { Ok(Status::Done) }
        }
    }
}

/// What would be made in Kubernetes: JSON, which is YAML, in documents.
fn manifests(plan: &Plan) -> String {
    let names = match plan.seed {
        Some(seed) => format!("# as with the seed {seed} of the plan\n"),
        None => "# the ends of names are drawn for every run, as long as the plan gives no seed\n".to_owned(),
    };
    let servers = plan.targets.iter().filter_map(|target| plan.objects(target));
    let measured = plan.targets.iter().filter(|_| plan.disk.is_some());
    let volumes = measured.filter_map(|target| plan.volume_objects(target, &ServerPlace::to_be_found()));
    let objects = servers.chain(volumes).flat_map(|objects| objects.manifests);
    objects.fold(names, |text, manifest| format!("{text}---\n{:#}\n", manifest.object))
}

/// The first block, to show how the sides are interleaved; every block has an order of its own.
fn order_of_first_block(schedule: &Schedule) -> String {
    let mut text = "\nOrder of the first block (every block has its own, drawn from the seed)\n".to_owned();
    for trial in schedule.trials.iter().filter(|trial| trial.block == 1) {
        let again = if trial.role == Role::NoiseFloor { " (again, for the noise floor)" } else { "" };
        text.push_str(&format!("  {:>3}  {}{again}\n", trial.number, trial.cell));
    }
    text
}
