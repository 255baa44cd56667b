//! `list`: the runs of a directory, each with how far it came and what it says.

use std::path::Path;

use serve::{ListedRun, RunAnswer};

use super::json_outputs::ListedRunOutput;
use super::{Manner, documents};
use problem::{CommandStatus, Problem};

/// Prints them, newest first; succeeds also where there is none.
pub(super) fn list_runs_of_directory(parent: &Path, manner: Manner) -> Result<CommandStatus, Problem> {
    if !parent.is_dir() {
        return Err(Problem::usage_error(format!("{} is not a directory", parent.display()))
            .hint("name a directory of run directories, such as runs"));
    }
    let mut entries = Vec::new();
    let mut text = String::new();
    for run in serve::list_runs(parent) {
        let answer = answer_of_listed_run(parent, &run);
        text.push_str(&lines_of_run(parent, &run, &answer));
        entries.push(ListedRunOutput {
            run: parent.join(&run.id).display().to_string(),
            name: run.name,
            started_at: run.started_at,
            trials: run.trials,
            state: answer.state.to_owned(),
            result: answer.headline,
        });
    }
    if manner.json {
        return documents::print_bytes(documents::pretty_json(&entries).as_bytes());
    }
    if entries.is_empty() {
        text = format!("{} has no runs\n", parent.display());
    }
    documents::print_bytes(text.as_bytes())
}

fn answer_of_listed_run(parent: &Path, run: &ListedRun) -> RunAnswer {
    match (&run.failed, run.running) {
        (_, true) => RunAnswer { state: "running", headline: String::new() },
        (Some(reason), false) => RunAnswer { state: "failed", headline: reason.clone() },
        (None, false) => serve::answer_of_run(&parent.join(&run.id))
            .unwrap_or_else(|error| RunAnswer { state: "unreadable", headline: error }),
    }
}

/// When it began, how far it came and where it is; below that, what it says.
fn lines_of_run(parent: &Path, run: &ListedRun, answer: &RunAnswer) -> String {
    let started = run.started_at.get(..16).unwrap_or(&run.started_at).replace('T', " ");
    let trials = if run.trials == 1 { "trial " } else { "trials" };
    let place = parent.join(&run.id);
    let mut text = format!("{started}  {:11}  {:>4} {trials}  {}\n", answer.state, run.trials, place.display());
    for line in answer.headline.lines() {
        text.push_str(&format!("    {line}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_a_line_and_what_it_says_below_it() {
        let run = ListedRun {
            id: "2026-11-20T09-12-33-a-test".to_owned(),
            name: "a test".to_owned(),
            started_at: "2026-11-20T09:12:33Z".to_owned(),
            trials: 3,
            running: false,
            failed: Some("the server is gone".to_owned()),
        };
        let answer = answer_of_listed_run(Path::new("runs"), &run);
        let expected =
            "2026-11-20 09:12  failed          3 trials  runs/2026-11-20T09-12-33-a-test\n    the server is gone\n";
        assert_eq!(lines_of_run(Path::new("runs"), &run, &answer), expected);
    }
}
