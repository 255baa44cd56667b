//! `resume`: a run that was interrupted or killed, gone on with.

use results::store::RunDir;

use super::page::Port;
use super::{Manner, conclude, run};
use crate::cli::ResumeArgs;
use measure::scripts::OwnScripts;
use problem::{CommandStatus, Problem};

/// Goes on where the run stopped; finished trials are kept, an unfinished one is executed again.
pub(super) async fn run_resume_command(arguments: &ResumeArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let path = &arguments.run;
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
    // A trial that cannot be read is told before any server is asked.
    dir.finished_trials()?;
    if let Some(port) = arguments.serve {
        Port::bind_port(port)?.serve_run_page(&dir)?;
    }
    let ended = run::measure_and_conclude(&plan, &scripts, &run_json, &dir, manner).await;
    conclude::tell_status(ended.map_err(|ended| ended.with_way_on(&plan, &dir))?, manner)
}
