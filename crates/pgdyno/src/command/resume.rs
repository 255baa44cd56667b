//! `resume`: a run that was interrupted or killed, gone on with.

use results::store::RunDir;

use super::page::Port;
use super::{Manner, conclude, latest, run};
use crate::cli::ResumeArgs;
use measure::scripts::OwnScripts;
use problem::{CommandStatus, Problem};

/// Goes on where the run stopped; finished trials are kept, an unfinished one is executed again.
pub(super) async fn run_resume_command(arguments: &ResumeArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let path = &latest::named_or_latest_run(arguments.run.as_deref(), manner)?;
    let dir = RunDir::open(path)?;
    let run_json = dir.read_run()?;
    if run_json.imported.is_some() {
        return Err(Problem::usage_error(format!("run {} was imported and cannot be resumed", run_json.id))
            .hint("analyze it with `pgdyno compare` or `pgdyno report`"));
    }
    if !dir.has_plan() {
        return Err(Problem::usage_error(format!("run {} has no plan and cannot be resumed", run_json.id))
            .hint("measure disks again with `pgdyno disk`"));
    }
    let name = path.join("plan.yaml").display().to_string();
    let plan =
        plan::parse_of_run(&name, dir.plan_yaml()?.as_bytes()).map_err(|errors| Problem::from_plan_errors(&errors))?;
    let scripts = OwnScripts::read_from_plan(&plan, path)?;
    let _lock = dir.lock_directory()?;
    dir.clear_failure()?;
    let _space = dir.hold_space_for_failure().ok();
    // A trial that cannot be read is told before any server is asked.
    dir.finished_trials()?;
    if let Some(port) = arguments.serve {
        Port::bind_port(port)?.serve_run_page(&dir)?;
    }
    let reports = &arguments.files.reports;
    let ended = run::measure_and_conclude(&plan, &scripts, &run_json, &dir, reports, manner).await;
    conclude::tell_status(ended.map_err(|ended| ended.keep_and_explain(&plan, &dir, reports))?, manner)
}
