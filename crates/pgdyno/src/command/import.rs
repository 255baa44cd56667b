//! `import`: what other tools measured becomes a run directory.

use jiff::Timestamp;
use results::store::RunDir;

use super::{Manner, documents};
use crate::cli::ImportArgs;
use crate::import::{self, Request};
use crate::problem::{Problem, Status};
use crate::progress::say;

/// Imports the files, says how they were understood, and prints where the run is.
pub(super) fn import(arguments: &ImportArgs, manner: Manner) -> Result<Status, Problem> {
    let request = Request {
        files: arguments.files.clone(),
        name: arguments.name.clone(),
        target: arguments.target.clone(),
        workload: arguments.workload.clone(),
        clients: arguments.clients,
        baseline: arguments.baseline.clone(),
    };
    let dir = import::import(&request, &arguments.out, Timestamp::now())?;
    if !manner.quiet {
        understood(&dir)?;
    }
    if manner.json {
        let text = serde_json::json!({ "run": dir.path() });
        return documents::print(format!("{text}\n").as_bytes());
    }
    documents::print(format!("{}\n", dir.path().display()).as_bytes())
}

/// Tells how each file was understood, and what is missing.
fn understood(dir: &RunDir) -> Result<(), Problem> {
    let run = dir.run()?;
    let Some(imported) = &run.imported else { return Ok(()) };
    for source in &imported.sources {
        let version = source.version.as_ref().map_or(String::new(), |version| format!(" {version}"));
        say(&format!("{}: {}{version}, {}", source.file, source.tool, source.content));
        source.notes.iter().for_each(|note| say(&format!("  {note}")));
    }
    let trials = dir.trials()?;
    say(&format!("{} trials, baseline {}; missing: {}", trials.len(), imported.baseline, imported.missing.join(", ")));
    Ok(())
}
