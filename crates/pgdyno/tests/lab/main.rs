//! The lab: real servers under really injected conditions, measured and diagnosed by the real program, and healthy ones
//! beside them. A condition must be the first or the second finding; a healthy control must have none; a delay of a
//! known place must be found there by the time budget. Of two sides the same must be said whichever is the baseline,
//! from the same run directory. Prints which was found how often as a matrix.
//!
//! `make test-lab` runs it (`cargo test` does not): it takes minutes, wants a machine with nothing else to do, and root
//! for most conditions. `cargo test -p pgdyno --test lab -- WORDS` runs the cases whose names contain all the words;
//! `--write` puts the matrix into docs/lab.md; `--keep DIR` copies the run directories there, and `--kept DIR`
//! diagnoses them again, for rules that have changed; `--list` names the cases.

// As in the program itself: `pub` says "for the other modules".
#![allow(unreachable_pub)]

mod arguments;
mod case;
mod child;
mod conditions;
mod controls;
mod injury;
mod leftovers;
mod located;
mod matrix;
mod namespaces;
mod own_tables;
mod pairs;
mod plan;
mod run_directory;
mod said;
mod server;
mod site;
mod stolen;

use std::process::ExitCode;
use std::time::Instant;

use arguments::Arguments;
use case::{Case, Expected, Outcome};
use said::Said;

fn main() -> ExitCode {
    let arguments = match Arguments::of(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(wrong) => {
            eprintln!("{wrong}");
            return ExitCode::from(2);
        }
    };
    let all = [conditions::all(), pairs::all(), own_tables::all(), controls::all(), located::all()];
    let cases: Vec<Case> = all.into_iter().flatten().filter(|case| arguments.names(case.name)).collect();
    if arguments.list {
        cases.iter().for_each(|case| println!("{}", case.name));
        return ExitCode::SUCCESS;
    }
    if namespaces::inside() || arguments.kept.is_some() {
        return run(&cases, &arguments);
    }
    if !namespaces::is_root() {
        let (skipped, rest): (Vec<Case>, Vec<Case>) = cases.into_iter().partition(|case| case.needs_root);
        let names: Vec<&str> = skipped.iter().map(|case| case.name).collect();
        eprintln!("not root; skipped: {}", names.join(", "));
        return run(&rest, &arguments);
    }
    match leftovers::claim() {
        Ok(claim) => {
            claim.sweep();
            if cases.iter().any(|case| case.name == pairs::NO_WORKERS) {
                site::fetch(pairs::COUNTS_WORKERS);
            }
            let status = namespaces::enter();
            claim.release();
            status
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// How often a case is run at most.
const ATTEMPTS: usize = 3;

/// Runs a case, and again where a delay of a known size was not found to be of that size while CPU time was stolen:
/// then more was injected than the case says. What was said of such runs is added to `spoilt`. A condition that is not
/// found, or a healthy server with a finding, is wrong whatever was stolen.
fn run_unspoilt(case: &Case, arguments: &Arguments, spoilt: &mut Vec<String>) -> Outcome {
    let mut outcome = case.run(arguments.keep.as_deref());
    for _ in 1..ATTEMPTS {
        let Outcome::Said(Said { stolen: Some(share), .. }) = &outcome else { break };
        if case.is_right(&outcome) || !matches!(case.expected, Expected::Budget(_)) {
            break;
        }
        let words = format!("{}, {:.0} % stolen: {}", case.name, share * 100.0, matrix::in_words(case, &outcome));
        println!("again: {words}");
        spoilt.push(words);
        outcome = case.run(arguments.keep.as_deref());
    }
    outcome
}

/// Runs the cases one after the other and prints what came of them.
fn run(cases: &[Case], arguments: &Arguments) -> ExitCode {
    let (mut outcomes, mut spoilt) = (Vec::new(), Vec::new());
    for (number, case) in cases.iter().enumerate() {
        let begun = Instant::now();
        let outcome = match &arguments.kept {
            Some(kept) => case.judge_kept(kept),
            None => run_unspoilt(case, arguments, &mut spoilt),
        };
        let took_s = begun.elapsed().as_secs_f64();
        println!("{}/{} {}: {} ({took_s:.0} s)", number + 1, cases.len(), case.name, matrix::in_words(case, &outcome));
        outcomes.push(outcome);
    }
    if cases.is_empty() {
        return ExitCode::SUCCESS;
    }
    let outcomes: Vec<(&Case, Outcome)> = cases.iter().zip(outcomes).collect();
    let text = matrix::text(&outcomes, &spoilt);
    println!("\n{text}");
    if arguments.write {
        matrix::write(&text);
    }
    let wrong = outcomes.iter().filter(|(case, outcome)| !case.is_right(outcome)).count();
    println!("{} of {} as expected", outcomes.len() - wrong, outcomes.len());
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
