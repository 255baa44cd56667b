//! `resume`: a run that was interrupted or killed, gone on with.

use std::path::Path;

use results::store::RunDir;

use super::{Manner, run};
use crate::plan;
use crate::problem::{Problem, Status};

/// Goes on where the run stopped; finished trials are kept, an unfinished one is executed again.
pub(super) async fn resume(path: &Path, manner: Manner) -> Result<Status, Problem> {
    let dir = RunDir::open(path)?;
    let run_json = dir.run()?;
    let name = path.join("plan.yaml").display().to_string();
    let plan = plan::parse(&name, dir.plan_yaml()?.as_bytes()).map_err(|errors| Problem::plan(&errors))?;
    run::measure_and_conclude(&plan, &run_json, &dir, manner).await
}
