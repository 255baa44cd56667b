//! `compare`: the verdict on one run, or on two made separately.

use std::path::Path;

use judge::observed::Observed;
use judge::{judge_question, judge_separate};
use results::run::Run;
use results::store::RunDir;
use stats::verdict::PracticalThreshold;

use super::{Manner, conclude, documents, latest, question, report, rule};
use crate::cli::{CompareArgs, ReportFormat};
use problem::{CommandStatus, Problem};

/// Prints the comparison; the exit status is the verdict's.
pub(super) fn run_compare_command(arguments: &CompareArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let first = latest::named_or_latest_run(arguments.baseline.as_deref(), manner)?;
    let is_writing = serve::is_writing(&first);
    let baseline = read_observed_run(&first)?;
    let mut question = question::of_run(&baseline, arguments.baseline_target.as_deref())?;
    if let Some(threshold) = arguments.threshold {
        question.threshold =
            PracticalThreshold::new(threshold).expect("the command line takes shares between 0 and 1 only");
    }
    let (observed, mut judgement) = match &arguments.candidate {
        None => {
            let mut judgement = judge_question(&baseline, question);
            judgement.comparison.state = report::state_now(judgement.comparison.state, is_writing);
            (baseline, judgement)
        }
        Some(path) => {
            let candidate = read_observed_run(path)?;
            check_distinct(&baseline.run, &candidate.run, &first)?;
            judge_separate(baseline, candidate, question)?
        }
    };
    rule::leave_out(&mut judgement, &arguments.ignore)?;
    let format = if manner.json { ReportFormat::Json } else { arguments.format };
    match format {
        ReportFormat::Json => conclude::print_json(::report::build_report(&observed, &judgement)),
        other => documents::print_bytes(
            report::in_words(other, &observed, &judgement, manner, &command_again(arguments, &first)).as_bytes(),
        ),
    }?;
    if format == ReportFormat::Terminal && arguments.candidate.is_none() {
        documents::print_bytes(conclude::line_of_report(&RunDir::open(&first)?).as_bytes())?;
    }
    let answer = judgement.answer();
    // What programs read ends with the format.
    if format == ReportFormat::Terminal { conclude::tell_status(answer, manner) } else { Ok(answer.into()) }
}

/// Refuses a run against itself, or against a copy of it: nothing was measured twice.
fn check_distinct(baseline: &Run, candidate: &Run, path: &Path) -> Result<(), Problem> {
    if baseline != candidate {
        return Ok(());
    }
    let path = path.display();
    Err(Problem::usage_error(format!("both are run {}, which cannot be compared with itself", baseline.id))
        .hint(format!("compare its targets with `pgdyno compare {path}`")))
}

/// The command that makes this comparison again.
fn command_again(arguments: &CompareArgs, first: &Path) -> String {
    let candidate = arguments.candidate.as_ref().map_or(String::new(), |run| format!(" {}", run.display()));
    let baseline = arguments.baseline_target.as_ref().map_or(String::new(), |name| format!(" --baseline {name}"));
    let threshold = arguments.threshold.map_or(String::new(), |share| format!(" --threshold {}", share * 100.0));
    let ignored = rule::ignore_again(&arguments.ignore);
    format!("pgdyno compare {}{candidate}{baseline}{threshold}{ignored}", first.display())
}

fn read_observed_run(path: &Path) -> Result<Observed, Problem> {
    Ok(Observed::read(&RunDir::open(path)?)?)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::super::run;
    use super::*;
    use crate::cli::{Cli, CliCommand};

    #[test]
    fn a_run_and_its_copy_are_one_run() {
        let mut other = run::identity_without_plan("one");
        let one = other.clone();
        let told = check_distinct(&one, &other, Path::new("runs/one")).expect_err("the same").to_string();
        assert!(told.contains(&one.id) && told.contains("`pgdyno compare runs/one`"), "{told}");
        other.schedule.seed += 1;
        assert!(check_distinct(&one, &other, Path::new("runs/one")).is_ok());
    }

    #[test]
    fn the_command_for_the_details_asks_what_was_asked() {
        for line in [
            "pgdyno compare a b --threshold 10 --ignore shared-host --ignore plan-changed",
            "pgdyno compare a --baseline old --ignore shared-host",
        ] {
            let CliCommand::Compare(arguments) = Cli::parse_from(line.split(' ')).command else {
                panic!("a comparison");
            };
            assert_eq!(command_again(&arguments, Path::new("a")), line);
        }
    }
}
