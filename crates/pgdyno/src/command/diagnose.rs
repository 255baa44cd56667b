//! `diagnose`: the findings of a run, or the plan that would confirm one of them.

use std::path::{Path, PathBuf};

use judge::diagnose::Diagnosis;
use judge::judge_question;
use judge::observed::Observed;
use report::findings;
use results::store::RunDir;

use super::{Manner, conclude, documents, latest, question, rule};
use crate::cli::{DiagnoseArgs, FindingsFormat};
use problem::{CommandStatus, Problem};

/// Prints them; succeeds whatever they are.
pub(super) fn run_diagnose_command(arguments: &DiagnoseArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let run = latest::named_or_latest_run(arguments.run.as_deref(), manner)?;
    let dir = RunDir::open(&run)?;
    let observed = Observed::read(&dir)?;
    let mut judgement = judge_question(&observed, question::of_run(&observed, arguments.baseline.as_deref())?);
    rule::leave_out(&mut judgement, &arguments.ignore)?;
    if let Some(wanted) = &arguments.fragment {
        return documents::print_bytes(
            confirmation_plan_yaml(&judgement.diagnosis, wanted, &whole_path(&run)?)?.as_bytes(),
        );
    }
    let format = if manner.json { FindingsFormat::Json } else { arguments.format };
    let ignored = judgement.ignored_in_words().map_or(String::new(), |words| format!("{words}\n\n"));
    let text = match format {
        FindingsFormat::Terminal => {
            format!("{ignored}{}", text_for_terminal(&judgement.diagnosis, &dir, arguments, manner))
        }
        FindingsFormat::Markdown => format!("{ignored}{}", findings::diagnosis_markdown(&judgement.diagnosis)),
        FindingsFormat::Json => documents::pretty_json(&findings::diagnosis_data(&judgement.diagnosis)),
    };
    documents::print_bytes(text.as_bytes())
}

/// The whole diagnosis, or its first screen with the command that prints the rest and where the report is.
fn text_for_terminal(diagnosis: &Diagnosis, dir: &RunDir, arguments: &DiagnoseArgs, manner: Manner) -> String {
    let width = conclude::terminal_width();
    if manner.details {
        return findings::diagnosis_for_terminal(diagnosis, width);
    }
    let baseline = arguments.baseline.as_ref().map_or(String::new(), |name| format!(" --baseline {name}"));
    let ignored = rule::ignore_again(&arguments.ignore);
    let again = format!("pgdyno diagnose {}{baseline}{ignored} --details", dir.path().display());
    let screen = report::diagnosis_first_screen(diagnosis, width);
    format!("{screen}\nMore:   {again}\n{}", conclude::line_of_report(dir))
}

/// The path of a run from anywhere.
fn whole_path(run: &Path) -> Result<PathBuf, Problem> {
    run.canonicalize()
        .map_err(|error| Problem::usage_error(format!("could not find {}", run.display())).detail(error.to_string()))
}

/// The plan that would confirm a finding; `wanted` is the code of its rule or its number, from 1.
fn confirmation_plan_yaml(diagnosis: &Diagnosis, wanted: &str, run: &Path) -> Result<String, Problem> {
    let findings = &diagnosis.findings;
    let index = match wanted.parse::<usize>() {
        Ok(number) => number.checked_sub(1).filter(|index| *index < findings.len()),
        Err(_) => findings.iter().position(|finding| finding.rule.code.name == wanted),
    };
    let Some(index) = index else {
        let listed: Vec<String> =
            findings.iter().zip(1..).map(|(one, number)| format!("{number} {}", one.rule.code.name)).collect();
        let detail = if listed.is_empty() {
            "this run has no findings".to_owned()
        } else {
            format!("the findings of this run: {}", listed.join(", "))
        };
        return Err(Problem::usage_error(format!("finding {wanted} does not exist"))
            .detail(detail)
            .hint("`pgdyno diagnose RUN` prints them"));
    };
    let confirm = &findings[index].found.confirm;
    let yaml = confirm.yaml_elsewhere(run).ok_or_else(|| {
        Problem::usage_error(format!("finding {wanted} has no plan"))
            .detail("the run was imported, so the servers to connect to are not known")
            .hint(confirm.expect.clone())
    })?;
    Ok(format!("# {}\n{yaml}", confirm.expect))
}
