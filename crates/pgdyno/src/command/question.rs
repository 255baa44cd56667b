//! The question that a finished run is asked: its plan's, or the same with another target for the baseline.

use judge::compare::RunQuestion;
use judge::observed::Observed;

use problem::Problem;

/// Fails where the run has no target of that name.
pub(super) fn of_run(observed: &Observed, baseline: Option<&str>) -> Result<RunQuestion, Problem> {
    let question = RunQuestion::of_run(observed);
    let Some(name) = baseline else { return Ok(question) };
    question.with_baseline(name).ok_or_else(|| {
        let targets: Vec<&str> =
            std::iter::once(&question.baseline).chain(&question.candidates).map(String::as_str).collect();
        Problem::usage_error(format!("--baseline {name}: the run has no such target"))
            .detail(format!("its targets are {}", targets.join(", ")))
            .hint("name one of them")
    })
}
