//! `plan check|new|explain`. Without `check --connect` and `explain --pilot` no server is asked.

use std::path::Path;

use super::json_outputs::{PlanCheckOutput, PlanExplainOutput, PlannedTrialOutput, TouchOutput};
use super::{Manner, documents, new_plan, pilot, run};
use crate::cli::PlanCommand;
use measure::experiment::{connected, lacking_room};
use measure::interrupt;
use measure::progress::print_to_stderr;
use plan::schedule::schedule_trials;
use plan::{Binaries, Explanation, Plan, Reach, ServerPlace, explain_with};
use problem::{CommandStatus, Problem};
use results::run::Schedule;
use results::trial::Role;

/// Carries out one of them.
pub(super) fn run_plan_command(command: &PlanCommand, manner: Manner) -> Result<CommandStatus, Problem> {
    match command {
        PlanCommand::New(arguments) => new_plan::run_new_plan(arguments),
        PlanCommand::Check { plan, connect } => check_plan(plan, *connect, manner),
        PlanCommand::Explain { plan, manifests: true, .. } => {
            documents::print_bytes(kubernetes_manifests(&run::read_plan(plan.as_deref())?.0).as_bytes())
        }
        PlanCommand::Explain { plan, pilot, manifests: false } => {
            let (plan, scripts) = run::read_plan(plan.as_deref())?;
            let plan = plan.complete_with_defaults(0, run::available_cpus());
            let schedule = schedule_trials(&plan, plan.seed.expect("a complete plan has a seed"));
            let explanation = explain_with(&plan, &scripts.changed_tables(&plan));
            if manner.json {
                documents::print_bytes(explanation_as_json(&explanation, &schedule).as_bytes())?;
            } else {
                documents::print_bytes(explanation.to_string().as_bytes())?;
                documents::print_bytes(data_size_lines(&plan).as_bytes())?;
                documents::print_bytes(order_of_first_block(&schedule).as_bytes())?;
            }
            if *pilot { super::in_runtime(pilot::run_pilot(&plan, &scripts, manner)) } else { Ok(CommandStatus::Done) }
        }
    }
}

/// Says what of a plan cannot be run, and what is probably not meant.
fn check_plan(path: &Path, connect: bool, manner: Manner) -> Result<CommandStatus, Problem> {
    let checked = find_problems(path, connect);
    if manner.json {
        documents::print_bytes(as_json(&checked).as_bytes())?;
        return Ok(checked.problems.first().map_or(CommandStatus::Done, Problem::exit_status));
    }
    let notes: String = checked.notes.iter().map(|note| format!("note: {note}\n")).collect();
    let lines: String = checked.connected.iter().map(|line| format!("{line}\n")).collect();
    documents::print_bytes((notes + &lines).as_bytes())?;
    let mut problems = checked.problems.into_iter();
    let Some(first) = problems.next() else {
        return documents::print_bytes(format!("{}: ok\n", path.display()).as_bytes());
    };
    for problem in problems {
        print_to_stderr(&format!("{problem}\n"));
    }
    Err(first)
}

/// What was found of a plan.
#[derive(Debug, Default)]
struct PlanFindings {
    /// What is allowed but probably not meant.
    notes: Vec<String>,
    /// What is so on the servers, as far as they were asked.
    connected: Vec<String>,
    /// Why it cannot be run.
    problems: Vec<Problem>,
}

fn find_problems(path: &Path, connect: bool) -> PlanFindings {
    let mut findings = PlanFindings::default();
    let read = run::read_plan(Some(path)).and_then(|read| binaries_are_there(&read.0).map(|()| read));
    let (plan, scripts) = match read {
        Ok(read) => read,
        Err(problem) => {
            findings.problems.push(problem);
            return findings;
        }
    };
    findings.notes = plan.plan_notes();
    findings.notes.extend(scripts.notes_on(&plan));
    // The plan may be meant for another machine.
    findings.notes.extend(lacking_room(&plan, run::own_executable()).map(|problem| problem.in_one_line()));
    if connect {
        let asking = async {
            let stop = interrupt::install_signal_handlers()?;
            let said = Box::pin(connected::ask_servers(&plan, &scripts, &run::own_executable(), &stop)).await;
            (findings.connected, findings.problems) = (said.lines, said.problems);
            Ok(CommandStatus::Done)
        };
        let failed = super::in_runtime(asking).err();
        findings.problems.extend(failed);
    }
    findings
}

fn as_json(PlanFindings { notes, connected, problems }: &PlanFindings) -> String {
    documents::pretty_json(&PlanCheckOutput {
        ok: problems.is_empty(),
        notes: notes.clone(),
        connected: connected.clone(),
        errors: problems.iter().flat_map(Problem::error_entries).collect(),
    })
}

/// Whether the directories of installed binaries have a server.
fn binaries_are_there(plan: &Plan) -> Result<(), Problem> {
    for target in &plan.targets {
        let Reach::Local(local) = &target.reach else { continue };
        let Binaries::Bin(bin) = &local.binaries else { continue };
        if bin.join("postgres").is_file() {
            continue;
        }
        let found =
            if bin.is_dir() { "the directory has no program `postgres`" } else { "the directory does not exist" };
        return Err(Problem::usage_error(format!("target {:?}: bin {} has no PostgreSQL", target.name, bin.display()))
            .detail(found)
            .hint("install it, or write `version: 17` to download binaries; a relative path is relative to the working directory"));
    }
    Ok(())
}

/// What would be made in Kubernetes: JSON, which is YAML, in documents.
fn kubernetes_manifests(plan: &Plan) -> String {
    let names = match plan.seed {
        Some(seed) => format!("# names for the seed {seed} of the plan\n"),
        None => "# the suffixes of names are random in every run, because the plan sets no seed\n".to_owned(),
    };
    let servers = plan.targets.iter().filter_map(|target| plan.objects_of_target(target));
    let measured = plan.targets.iter().filter(|_| plan.disk.is_some());
    let volumes = measured.filter_map(|target| plan.volume_objects(target, &ServerPlace::to_be_found()));
    let load = plan.load_objects(&plan.passwords_to_be_found());
    let objects = servers.chain(load).chain(volumes).flat_map(|objects| objects.manifests);
    objects.fold(names, |text, manifest| format!("{text}---\n{:#}\n", manifest.object))
}

/// The sizes of the data beside the memory that they have.
fn data_size_lines(plan: &Plan) -> String {
    let machine = rustix::system::sysinfo();
    let memory_bytes = machine.totalram * u64::from(machine.mem_unit);
    let mut sizes = plan.sizes_in_memory(memory_bytes);
    let cpus = std::thread::available_parallelism().map_or(1, |cpus| u32::try_from(cpus.get()).unwrap_or(u32::MAX));
    sizes.extend(plan.limits_in_machine(cpus, memory_bytes));
    let head = if sizes.is_empty() { "" } else { "\nSizes:\n" };
    sizes.iter().fold(head.to_owned(), |text, size| format!("{text}  {size}\n"))
}

/// The first block, to show how the sides are interleaved; every block has an order of its own.
fn explanation_as_json(explanation: &Explanation, schedule: &Schedule) -> String {
    let (least, most) = explanation.estimated_duration();
    let mut output = PlanExplainOutput {
        name: explanation.name.clone(),
        blocks_at_least: explanation.blocks_min,
        blocks_at_most: explanation.blocks_max,
        trials_per_block: explanation.trials_per_block,
        comparisons_per_block: explanation.comparisons_per_block,
        duration_at_least_s: least.as_secs_f64(),
        duration_at_most_s: most.as_secs_f64(),
        measured: explanation.measured.clone(),
        interleaving: explanation.interleaving.clone(),
        assumptions: explanation.assumptions.clone(),
        touches: Vec::new(),
        notes: explanation.notes.clone(),
        first_block: Vec::new(),
    };
    for touch in &explanation.touches {
        output.touches.push(TouchOutput { target: touch.target.clone(), what: touch.what.clone() });
    }
    for trial in schedule.trials.iter().filter(|trial| trial.block == 1) {
        output.first_block.push(PlannedTrialOutput::from(trial));
    }
    documents::pretty_json(&output)
}

fn order_of_first_block(schedule: &Schedule) -> String {
    let mut text = "\nOrder of the first block (every block has its own, drawn from the seed)\n".to_owned();
    for trial in schedule.trials.iter().filter(|trial| trial.block == 1) {
        let again = if trial.role == Role::NoiseFloor { " (again, for the noise floor)" } else { "" };
        text.push_str(&format!("  {:>3}  {}{again}\n", trial.number, trial.cell));
    }
    text
}
