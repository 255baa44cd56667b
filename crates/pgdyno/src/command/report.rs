//! `report`: the report of a run, made again.

use std::path::Path;

use judge::Judgement;
use judge::compare::RunState;
use judge::judge_question;
use judge::observed::Observed;
use report::ReportData;
use report::formats::{self, BenchmarkDirection, TABLES};
use results::store::RunDir;

use super::redact::{RedactedRun, not_a_run_any_more};
use super::{Manner, conclude, documents, latest, question, rule};
use crate::cli::{ReportArgs, ReportFormat, TableChoice};
use problem::{CommandStatus, Problem};

/// What stands for standard output where a file is asked for.
pub(super) const STANDARD_OUTPUT: &str = "-";

/// Makes it; succeeds whatever the verdict is.
pub(super) fn run_report_command(arguments: &ReportArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let format = match arguments.format {
        _ if manner.json => ReportFormat::Json,
        Some(format) => format,
        None if manner.details => ReportFormat::Terminal,
        None => ReportFormat::Html,
    };
    // Whoever names no format sees the first screen, too.
    let prints_first_screen = arguments.format.is_none() && !manner.quiet;
    if arguments.table.is_some() && format != ReportFormat::Csv {
        return Err(Problem::usage_error("--table requires the format csv").hint("add `--format csv`"));
    }
    let run = latest::named_or_latest_run(arguments.run.as_deref(), manner)?;
    let dir = RunDir::open(&run)?;
    // Asked first: a run that ends meanwhile is read whole.
    let is_writing = serve::is_writing(&run);
    let observed = if arguments.redact { read_redacted(&run)? } else { Observed::read(&dir)? };
    let mut judgement = judge_question(&observed, question::of_run(&observed, arguments.baseline.as_deref())?);
    judgement.comparison.state = state_now(judgement.comparison.state, is_writing);
    rule::leave_out(&mut judgement, &arguments.ignore)?;
    let output = arguments.output.as_deref().filter(|path| *path != Path::new(STANDARD_OUTPUT));
    let is_standard_output = arguments.output.is_some() && output.is_none();
    let text = match format {
        ReportFormat::Html if !is_standard_output => {
            let path = output.map_or_else(|| dir.path().join(file_name(arguments)), Path::to_owned);
            conclude::write_html(&path, &report::build_report(&observed, &judgement))?;
            if !prints_first_screen {
                return documents::print_bytes(format!("{}\n", path.display()).as_bytes());
            }
            let screen = conclude::for_terminal(&judgement, manner, &command_again(arguments, &run));
            return documents::print_bytes(format!("{screen}Report: {}\n", path.display()).as_bytes());
        }
        ReportFormat::Terminal if output.is_some() => report::terminal_text(&judgement, false, None),
        ReportFormat::Csv => {
            let data = report::build_report(&observed, &judgement);
            match arguments.table.unwrap_or(TableChoice::One(&TABLES[0])) {
                TableChoice::One(table) => table.csv_text(&data),
                TableChoice::All => return write_tables(&data, output),
            }
        }
        other => in_words(other, &observed, &judgement, manner, &command_again(arguments, &run)),
    };
    match output {
        None => documents::print_bytes(text.as_bytes()),
        Some(path) => documents::write_text_file(path, &text),
    }
}

/// A run without what says whose it is.
fn read_redacted(run: &Path) -> Result<Observed, Problem> {
    let redacted = RedactedRun::copy_of(run)?;
    Observed::read(&redacted.open_copy()?).map_err(|error| not_a_run_any_more(&Problem::from(error).in_one_line()))
}

/// How far a run came: one that is not at its end may be on its way to it, when its directory is being written into.
pub(super) fn state_now(read: RunState, is_writing: bool) -> RunState {
    match read {
        RunState::Interrupted | RunState::Unfinished if is_writing => RunState::Running,
        RunState::Complete | RunState::Running | RunState::Interrupted | RunState::Unfinished => read,
    }
}

/// The command that makes this report again.
fn command_again(arguments: &ReportArgs, run: &Path) -> String {
    let baseline = arguments.baseline.as_ref().map_or(String::new(), |name| format!(" --baseline {name}"));
    // The name of a run directory is made of the words of its question or its files.
    let (run, redact) =
        if arguments.redact { ("RUN".to_owned(), " --redact") } else { (run.display().to_string(), "") };
    format!("pgdyno report {run}{baseline}{redact}{}", rule::ignore_again(&arguments.ignore))
}

/// The report of the run; one with another baseline does not take its place.
fn file_name(arguments: &ReportArgs) -> String {
    let redacted = if arguments.redact { "-redacted" } else { "" };
    match &arguments.baseline {
        None => format!("report{redacted}.html"),
        Some(name) => format!("report-{}{redacted}.html", name.replace('/', "-")),
    }
}

/// A judgement in one of its forms, for standard output; `again` is the command that prints it.
pub(super) fn in_words(
    format: ReportFormat,
    observed: &Observed,
    judgement: &Judgement,
    manner: Manner,
    again: &str,
) -> String {
    let data = || report::build_report(observed, judgement);
    match format {
        ReportFormat::Terminal => conclude::for_terminal(judgement, manner, again),
        ReportFormat::Markdown => report::judgement_markdown(judgement, &observed.run.name),
        ReportFormat::Summary => formats::markdown_summary(judgement, &observed.run.name),
        ReportFormat::Json => format!("{}\n", serde_json::to_string(&data()).expect("plain data always serialises")),
        ReportFormat::Html => report::report_html(&data()),
        ReportFormat::Csv => TABLES[0].csv_text(&data()),
        ReportFormat::Junit => formats::junit_xml(judgement, &data()),
        ReportFormat::Bencher => formats::bencher_json(&data()),
        ReportFormat::BenchmarkActionBigger => formats::benchmark_action(&data(), BenchmarkDirection::BiggerIsBetter),
        ReportFormat::BenchmarkActionSmaller => formats::benchmark_action(&data(), BenchmarkDirection::SmallerIsBetter),
        ReportFormat::Openmetrics => formats::openmetrics_text(&data()),
    }
}

/// A judgement as the text of a file; on a terminal it would have colours, and only its first screen.
pub(super) fn text_of_format(format: ReportFormat, observed: &Observed, judgement: &Judgement) -> String {
    match format {
        ReportFormat::Terminal => report::terminal_text(judgement, false, None),
        other => in_words(other, observed, judgement, Manner { json: false, quiet: true, details: true }, ""),
    }
}

/// Writes every table into a directory, which is made if need be; those without rows, too, so that a script finds them.
fn write_tables(data: &ReportData, output: Option<&Path>) -> Result<CommandStatus, Problem> {
    let Some(directory) = output else {
        return Err(Problem::usage_error("--table all writes several files")
            .hint("name a directory for them: `--output DIRECTORY`, or one table: `--table maxima`"));
    };
    let failed = |path: &Path, error: std::io::Error| {
        Problem::could_not_measure(format!("could not write {}", path.display())).detail(error.to_string())
    };
    std::fs::create_dir_all(directory).map_err(|error| failed(directory, error))?;
    for table in TABLES.iter() {
        let path = directory.join(table.name).with_extension("csv");
        std::fs::write(&path, table.csv_text(data)).map_err(|error| failed(&path, error))?;
        documents::print_bytes(format!("{}\n", path.display()).as_bytes())?;
    }
    Ok(CommandStatus::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_is_written_into_is_running_unless_it_is_at_its_end() {
        let read = [RunState::Complete, RunState::Interrupted, RunState::Running, RunState::Unfinished];
        assert_eq!(read.map(|state| state_now(state, false)), read);
        let running = [RunState::Complete, RunState::Running, RunState::Running, RunState::Running];
        assert_eq!(read.map(|state| state_now(state, true)), running);
    }
}
