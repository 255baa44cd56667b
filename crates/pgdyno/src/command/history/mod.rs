//! `history`: what runs measured over time, kept in one file, and where it changed.

mod guard;

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use judge::history::{HistoryJudgement, MeasuredRun, Unfit, points_of_run};
use judge::observed::Observed;
use report::history::HistoryData;
use results::history::{Accepted, FORMAT, History, HistoryLine};
use results::store::RunDir;
use results::trial::Cell;

use super::report::STANDARD_OUTPUT;
use super::{Manner, documents};
use crate::cli::{AcceptArgs, HistoryCommand, HistoryFormat, ShowArgs};
use measure::progress::print_to_stderr;
use problem::{CommandStatus, Problem};

/// The file's name beside the run directories.
const FILE: &str = "history.jsonl";

/// Does what is asked with a history.
pub(super) async fn run_history_command(command: &HistoryCommand, manner: Manner) -> Result<CommandStatus, Problem> {
    match command {
        HistoryCommand::Add(arguments) => add(&RunDir::open(&arguments.run)?, arguments.to.as_deref()),
        HistoryCommand::Pin(arguments) => guard::run_pin_command(arguments),
        HistoryCommand::Guard(arguments) => Box::pin(guard::run_guard_command(arguments, manner)).await,
        HistoryCommand::Accept(arguments) => accept_level(arguments),
        HistoryCommand::Show(arguments) => show_history(arguments, manner),
        HistoryCommand::Check(arguments) => {
            let history = read_history_file(&arguments.file)?;
            let judgement = HistoryJudgement::of_history(&history);
            let file = &arguments.file;
            let text = match manner.json {
                true => history_json(&judgement, file),
                false => report::history::history_check_text(&judgement, &file.display().to_string()),
            };
            documents::print_bytes(text.as_bytes())?;
            Ok(judgement.answer().into())
        }
    }
}

fn show_history(arguments: &ShowArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let file = &arguments.file;
    let history = read_history_file(file)?;
    let judgement = HistoryJudgement::of_history(&history);
    let format = if manner.json { HistoryFormat::Json } else { arguments.format };
    let (text, default) = match format {
        HistoryFormat::Terminal => (report::history::history_text(&judgement), None),
        HistoryFormat::Json => (history_json(&judgement, file), None),
        HistoryFormat::Html => {
            (report::history_html(&history_data(&judgement, file)), Some(file.with_extension("html")))
        }
    };
    match arguments.output.as_deref().or(default.as_deref()) {
        Some(path) if path != Path::new(STANDARD_OUTPUT) => {
            documents::write_text_file(path, &text)?;
            documents::print_bytes(format!("{}\n", path.display()).as_bytes())
        }
        _ => documents::print_bytes(text.as_bytes()),
    }
}

fn history_json(judgement: &HistoryJudgement<'_>, file: &Path) -> String {
    documents::pretty_json(&history_data(judgement, file))
}

fn history_data(judgement: &HistoryJudgement<'_>, file: &Path) -> HistoryData {
    report::history::history_data(judgement, &file.display().to_string())
}

/// Adds a run to the history at `to`, or beside it.
fn add(dir: &RunDir, to: Option<&Path>) -> Result<CommandStatus, Problem> {
    let observed = Observed::read(dir)?;
    let run = &observed.run.id;
    let MeasuredRun { points, broken, left_out } = of_run(&observed, dir, "add it")?;
    for left_out in left_out {
        print_to_stderr(&format!("{} has no figure in this run: {}", left_out.cell, left_out.why));
    }
    for broken in &broken {
        print_to_stderr(&format!("{} is broken in this run: {}", broken.cell, broken.reason));
    }
    if points.is_empty() && broken.is_empty() {
        return Err(Problem::usage_error(format!("run {run} has no figures to add")));
    }
    let path = to.map_or_else(|| default_history_path(dir), |path| Ok(path.to_owned()))?;
    let mut count = 0;
    History::add(&path, |there| {
        tell_of_torn(there, &path);
        // Whoever was killed while adding has left only some of the run's cells.
        let is_there = |new: &Cell| there.measured_cells().any(|(known, _, cell)| known == run && cell == new);
        let points = points.into_iter().filter(|new| !is_there(&new.cell)).map(HistoryLine::Point);
        let broken = broken.into_iter().filter(|new| !is_there(&new.cell)).map(HistoryLine::Broken);
        let lines: Vec<HistoryLine> = points.chain(broken).collect();
        if lines.is_empty() {
            return Err(Problem::usage_error(format!("run {run} is already in {}", path.display())));
        }
        count = lines.len();
        let later = there.measured_cells().filter(|(_, at, _)| *at > observed.run.started_at).map(|(run, _, _)| run);
        let later = later.collect::<std::collections::BTreeSet<_>>().len();
        if later > 0 {
            print_to_stderr(&format!(
                "run {run} began before {later} of the runs in the history, and is inserted in order of time"
            ));
        }
        Ok(lines)
    })?;
    let cells = if count == 1 { "1 cell".to_owned() } else { format!("{count} cells") };
    documents::print_bytes(format!("Added {cells} of {run} to {}\n", path.display()).as_bytes())
}

/// `history.jsonl` in the directory in which the run lies.
fn default_history_path(dir: &RunDir) -> Result<PathBuf, Problem> {
    let whole = std::fs::canonicalize(dir.path()).map_err(|error| {
        Problem::could_not_measure(format!("could not find {}", dir.path().display())).detail(error.to_string())
    })?;
    Ok(whole.parent().unwrap_or(Path::new("/")).join(FILE))
}

/// What a run gives to a history; `next` is what was asked with it.
fn of_run(observed: &Observed, dir: &RunDir, next: &str) -> Result<MeasuredRun, Problem> {
    points_of_run(observed).map_err(|unfit| unfit_in_words(unfit, dir.path(), next))
}

fn unfit_in_words(unfit: Unfit, run: &Path, next: &str) -> Problem {
    let to_its_end = match serve::is_writing(run) {
        true => format!("it is being measured: wait for its end, then {next}"),
        false => format!("finish it with `pgdyno resume {}`, then {next}", run.display()),
    };
    let run = run.display();
    match unfit {
        Unfit::Imported => Problem::usage_error(format!("run {run} was imported"))
            .detail("an imported run has no facts of its targets, so later runs cannot be checked for differences"),
        Unfit::Unplanned => Problem::usage_error(format!("run {run} has no plan, so no cell was measured")),
        Unfit::Interrupted => Problem::usage_error(format!("run {run} was interrupted")).hint(to_its_end),
        Unfit::Unfinished(missing) => {
            let trials = if missing == 1 { "1 trial is".to_owned() } else { format!("{missing} trials are") };
            Problem::usage_error(format!("run {run} is not finished: {trials} still to be executed")).hint(to_its_end)
        }
    }
}

fn accept_level(arguments: &AcceptArgs) -> Result<CommandStatus, Problem> {
    let AcceptArgs { run, because, file } = arguments;
    if because.trim().is_empty() {
        return Err(Problem::usage_error("the reason is empty").hint("--because \"the new disks\""));
    }
    read_history_file(file)?;
    History::add(file, |there| {
        if !there.measured_cells().any(|(known, _, _)| known == run) {
            return Err(
                Problem::usage_error(format!("{} has no run {run:?}", file.display())).hint(newest_run_hint(there))
            );
        }
        let accepted = Accepted { format: FORMAT, run: run.clone(), at: Timestamp::now(), because: because.clone() };
        Ok(vec![HistoryLine::Accepted(accepted)])
    })?;
    documents::print_bytes(format!("The levels since {run} are accepted\n").as_bytes())
}

fn newest_run_hint(history: &History) -> String {
    let newest = history.measured_cells().max_by_key(|(_, at, _)| *at);
    newest.map_or(String::new(), |(run, _, _)| format!("the newest run is {run}"))
}

fn read_history_file(path: &Path) -> Result<History, Problem> {
    let history = History::read_file(path).map_err(|error| {
        if error.is_not_found() {
            Problem::usage_error(format!("history {} does not exist", path.display()))
                .hint("`pgdyno history add RUN` creates it")
        } else {
            error.into()
        }
    })?;
    tell_of_torn(&history, path);
    Ok(history)
}

/// What cannot be read is told in full: it is gone after the next line.
fn tell_of_torn(history: &History, path: &Path) {
    if let Some(torn) = &history.torn {
        print_to_stderr(&format!("the last line of {} is truncated and ignored: {torn}", path.display()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_lacks_is_told_with_what_was_asked() {
        for (unfit, next) in [(Unfit::Interrupted, "add it"), (Unfit::Unfinished(2), "pin it")] {
            let told = unfit_in_words(unfit, Path::new("runs/a"), next).to_string();
            assert!(told.ends_with(&format!("hint: finish it with `pgdyno resume runs/a`, then {next}")), "{told}");
        }
    }
}
