//! `resume`: a run that was interrupted or killed, gone on with.

use results::store::RunDir;

use super::page::Port;
use super::{Manner, conclude, run};
use crate::cli::ResumeArgs;
use measure::scripts::OwnScripts;
use problem::{CommandStatus, Problem};

/// Goes on where the run stopped; finished trials are kept, an unfinished one is executed again.
pub(super) async fn resume(arguments: &ResumeArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let path = &arguments.run;
    let dir = RunDir::open(path)?;
    let run_json = dir.run()?;
    if run_json.imported.is_some() {
        return Err(Problem::usage(format!("run {} was imported and cannot be resumed", run_json.id))
            .hint("analyze it with `pgdyno compare` or `pgdyno report`"));
    }
    if !dir.has_plan() {
        return Err(Problem::usage(format!("run {} has no plan and cannot be resumed", run_json.id))
            .hint("measure disks again with `pgdyno disk`"));
    }
    let name = path.join("plan.yaml").display().to_string();
    let plan = plan::parse_of_run(&name, dir.plan_yaml()?.as_bytes()).map_err(|errors| Problem::plan(&errors))?;
    let scripts = OwnScripts::read(&plan, path)?;
    let _lock = dir.lock()?;
    // A trial that cannot be read is told before any server is asked.
    dir.trials()?;
    if let Some(port) = arguments.serve {
        Port::take(port)?.open(&dir)?;
    }
    let ended = run::measure_and_conclude(&plan, &scripts, &run_json, &dir, manner).await;
    conclude::tell_status(ended.map_err(|ended| ended.with_way_on(&plan, &dir))?, manner)
}
