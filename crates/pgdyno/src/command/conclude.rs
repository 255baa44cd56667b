//! The end of a run: judge what is in its directory, write the report, print the verdict.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use ::report::{self, ReportData};
use judge::observed::Observed;
use judge::{Judgement, RegressionAnswer, judge_run};
use results::store::RunDir;

use super::{Manner, documents, report as report_command};
use crate::cli::ReportFile;
use problem::{CommandStatus, Problem};

/// The report in a run directory.
const REPORT: &str = "report.html";

/// Judges a run, writes its `report.html` and the other reports that are asked for, and prints the verdict. Whoever
/// ends the process says with which status.
pub(super) fn judge_and_report(
    dir: &RunDir,
    reports: &[ReportFile],
    manner: Manner,
) -> Result<RegressionAnswer, Problem> {
    let observed = Observed::read(dir)?;
    let judgement = judge_run(&observed);
    let (path, data) = write_report(dir, &observed, &judgement)?;
    write_report_files(&observed, &judgement, reports)?;
    if manner.json {
        print_json(data)?;
    } else {
        let again = format!("pgdyno report {}", dir.path().display());
        documents::print_bytes(for_terminal(&judgement, manner, &again).as_bytes())?;
        documents::print_bytes(format!("Report: {}\n", path.display()).as_bytes())?;
    }
    Ok(judgement.answer())
}

/// Says the status of an answer, and why, where it is not 0.
pub(super) fn tell_status(answer: RegressionAnswer, manner: Manner) -> Result<CommandStatus, Problem> {
    let status = answer.into();
    match in_words(answer) {
        Some(why) if !manner.json => print_status(status, why)?,
        Some(_) | None => {}
    }
    Ok(status)
}

/// The same of a measurement that a person stopped, whatever is known of it so far.
pub(super) fn tell_interrupted(manner: Manner) -> Result<(), Problem> {
    if !manner.json {
        print_status(Problem::interrupted_by_user().exit_status(), "interrupted")?;
    }
    Ok(())
}

fn print_status(status: CommandStatus, why: &str) -> Result<(), Problem> {
    documents::print_bytes(format!("Exit status {} ({why})\n", status as u8).as_bytes())?;
    Ok(())
}

/// Writes a run's `report.html`, and hands out what is in it.
pub(super) fn write_report(
    dir: &RunDir,
    observed: &Observed,
    judgement: &Judgement,
) -> Result<(PathBuf, ReportData), Problem> {
    let data = report::build_report(observed, judgement);
    let path = dir.path().join(REPORT);
    write_html(&path, &data)?;
    Ok((path, data))
}

/// Writes a judgement in each of these forms.
///
/// # Errors
/// A file cannot be written.
pub(super) fn write_report_files(
    observed: &Observed,
    judgement: &Judgement,
    reports: &[ReportFile],
) -> Result<(), Problem> {
    for ReportFile { format, path } in reports {
        let text = report_command::text_of_format(*format, observed, judgement);
        documents::write_text_file(path, &text)?;
    }
    Ok(())
}

/// The line that says where the report of a run is; empty where it has not been written.
pub(super) fn line_of_report(dir: &RunDir) -> String {
    let path = dir.path().join(REPORT);
    if path.is_file() { format!("Report: {}\n", path.display()) } else { String::new() }
}

/// The judgement as text for this terminal: all of it, or its first screen and the command that prints all of it.
pub(super) fn for_terminal(judgement: &Judgement, manner: Manner, again: &str) -> String {
    let to_terminal = std::io::stdout().is_terminal();
    let colour = to_terminal && std::env::var_os("NO_COLOR").is_none();
    if manner.details {
        format!("{}\n", report::terminal_text(judgement, colour, terminal_width()))
    } else {
        format!("{}\nMore:   {again} --details\n", report::first_screen(judgement, colour, terminal_width()))
    }
}

/// Columns of the terminal; absent where the output goes elsewhere.
pub(super) fn terminal_width() -> Option<u16> {
    console::Term::stdout().size_checked().map(|(_, columns)| columns).filter(|_| std::io::stdout().is_terminal())
}

/// The judgement as JSON; the seconds of the trials are left to `report --format json`.
pub(super) fn print_json(mut data: ReportData) -> Result<CommandStatus, Problem> {
    data.trials.clear();
    documents::print_bytes(documents::pretty_json(&data).as_bytes())
}

/// Writes the HTML report so that an older one is replaced whole or not at all.
pub(super) fn write_html(path: &Path, data: &ReportData) -> Result<(), Problem> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".tmp");
    let temporary = PathBuf::from(temporary);
    std::fs::write(&temporary, report::report_html(data)).and_then(|()| std::fs::rename(&temporary, path)).map_err(
        |error| {
            Problem::could_not_measure(format!("could not write the report {}", path.display()))
                .detail(error.to_string())
                .hint("the measurements are kept; write the report elsewhere with `pgdyno report RUN --output FILE`")
        },
    )
}

/// Why the exit status is not 0.
fn in_words(answer: RegressionAnswer) -> Option<&'static str> {
    match answer {
        RegressionAnswer::NoRegression => None,
        RegressionAnswer::Regression => {
            Some("a candidate is worse than the baseline beyond a threshold: see the verdicts and costs")
        }
        RegressionAnswer::DoesNotWork => {
            Some("a workload does not work: practically none of its transactions complete")
        }
        RegressionAnswer::Broken => Some("a requirement of the plan is violated"),
        RegressionAnswer::NotEnoughData => Some("not enough data for every verdict"),
    }
}
