//! `compare`: the verdict on one run, or on two made separately.

use std::path::Path;

use judge::compare::Question;
use judge::observed::Observed;
use judge::{Judgement, judge_question, judge_separate};
use results::store::RunDir;
use stats::verdict::PracticalThreshold;

use super::{Manner, conclude, documents};
use crate::cli::{CompareArgs, Format};
use crate::problem::{Problem, Status};

/// Prints the comparison; the exit status is the verdict's.
pub(super) fn compare(arguments: &CompareArgs, manner: Manner) -> Result<Status, Problem> {
    let baseline = read(&arguments.baseline)?;
    let mut question = Question::of_run(&baseline);
    if let Some(threshold) = arguments.threshold {
        question.threshold =
            PracticalThreshold::new(threshold).expect("the command line takes shares between 0 and 1 only");
    }
    let (observed, judgement) = match &arguments.candidate {
        None => {
            let judgement = judge_question(&baseline, question);
            (baseline, judgement)
        }
        Some(candidate) => judge_separate(baseline, read(candidate)?, question)?,
    };
    print(&observed, &judgement, if manner.json { Format::Json } else { arguments.format })?;
    Ok(judgement.answer().into())
}

fn read(path: &Path) -> Result<Observed, Problem> {
    Ok(Observed::read(&RunDir::open(path)?)?)
}

fn print(observed: &Observed, judgement: &Judgement, format: Format) -> Result<Status, Problem> {
    let data = || report::build(observed, judgement);
    match format {
        Format::Terminal => documents::print(conclude::for_terminal(judgement).as_bytes()),
        Format::Markdown => documents::print(report::markdown(judgement, &observed.run.name).as_bytes()),
        Format::Json => conclude::print_json(data()),
        Format::Html => documents::print(report::html(&data()).as_bytes()),
    }
}
