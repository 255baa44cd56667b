//! `diagnose`: the findings of a run, or the plan that would confirm one of them.

use std::path::{Path, PathBuf};

use judge::diagnose::Diagnosis;
use judge::judge_question;
use judge::observed::Observed;
use report::findings;
use results::store::RunDir;

use super::{Manner, documents, question, rule};
use crate::cli::{DiagnoseArgs, FindingsFormat};
use crate::problem::{Problem, Status};

/// Prints them; succeeds whatever they are.
pub(super) fn diagnose(arguments: &DiagnoseArgs, manner: Manner) -> Result<Status, Problem> {
    let observed = Observed::read(&RunDir::open(&arguments.run)?)?;
    let mut judgement = judge_question(&observed, question::of_run(&observed, arguments.baseline.as_deref())?);
    rule::leave_out(&mut judgement, &arguments.ignore)?;
    if let Some(number) = arguments.fragment {
        return documents::print(fragment(&judgement.diagnosis, number, &whole_path(&arguments.run)?)?.as_bytes());
    }
    let format = if manner.json { FindingsFormat::Json } else { arguments.format };
    let ignored = judgement.ignored_in_words().map_or(String::new(), |words| format!("{words}\n\n"));
    let text = match format {
        FindingsFormat::Terminal => format!("{ignored}{}", findings::terminal(&judgement.diagnosis)),
        FindingsFormat::Markdown => format!("{ignored}{}", findings::markdown(&judgement.diagnosis)),
        FindingsFormat::Json => documents::pretty_json(&findings::whole(&judgement.diagnosis)),
    };
    documents::print(text.as_bytes())
}

/// The path of a run from anywhere.
fn whole_path(run: &Path) -> Result<PathBuf, Problem> {
    run.canonicalize()
        .map_err(|error| Problem::usage(format!("could not find {}", run.display())).detail(error.to_string()))
}

fn fragment(diagnosis: &Diagnosis, number: usize, run: &Path) -> Result<String, Problem> {
    let count = diagnosis.findings.len();
    let found = number.checked_sub(1).and_then(|index| diagnosis.findings.get(index)).ok_or_else(|| {
        Problem::usage(format!("finding {number} does not exist"))
            .detail(match count {
                0 => "this run has no findings".to_owned(),
                1 => "this run has one finding".to_owned(),
                _ => format!("this run has findings 1 to {count}"),
            })
            .hint("`pgdyno diagnose RUN` lists them")
    })?;
    let yaml = found.found.confirm.yaml_elsewhere(run).ok_or_else(|| {
        Problem::usage(format!("finding {number} has no plan"))
            .detail("the run was imported, so the servers to connect to are not known")
            .hint(found.found.confirm.expect.clone())
    })?;
    Ok(format!("# {}\n{yaml}", found.found.confirm.expect))
}
