//! The run that a command is about where none is named: the newest in `runs`.

use std::path::{Path, PathBuf};

use results::latest::find_latest_run;

use super::Manner;
use measure::progress::print_to_stderr;
use problem::Problem;

/// Where `run` makes its runs, unless it is told otherwise.
const RUNS: &str = "runs";

/// The run that is named, or else the latest, which is said on standard error.
///
/// # Errors
/// There is none.
pub(super) fn named_or_latest_run(named: Option<&Path>, manner: Manner) -> Result<PathBuf, Problem> {
    if let Some(named) = named {
        return Ok(named.to_owned());
    }
    let latest = find_latest_run(Path::new(RUNS))?.ok_or_else(|| {
        Problem::usage_error(format!("the directory {RUNS} has no run"))
            .hint("name a run directory, or measure with `pgdyno run` or `pgdyno ab`")
    })?;
    if !manner.quiet {
        print_to_stderr(&format!("latest run: {}", latest.display()));
    }
    Ok(latest)
}
