//! The lab of kinds: conditions that are drawn from seeds, by a grammar of situations and causes, before the rules of
//! the diagnosis are looked at. Each is made on two real servers, measured, and judged by what was drawn: whether the
//! first findings name the injected fact, whether something false stands first, and whether controls are silent. A
//! condition whose effect is not measured counts as a control.
//!
//! `make test-lab-of-kinds` runs the open half (`cargo test` does not). `--list` prints the drawn conditions, `--show
//! SEED` the statements of one, `--summary` what the results so far say. The list that was committed is `seeds.txt`.

// As in the program itself: `pub` says "for the other modules".
#![allow(unreachable_pub)]

mod arguments;
#[path = "../lab/child.rs"]
mod child;
mod generator;
mod judged;
mod leftovers;
mod measured;
#[path = "../lab/namespaces.rs"]
mod namespaces;
mod outside;
mod pieces;
mod proxy;
mod results;
mod route;
#[path = "../lab/run_directory.rs"]
mod run_directory;
mod scram;
mod sessions;
mod sides;
mod site;
mod summary;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use arguments::{Arguments, Asked};
use generator::draw_condition;
use results::Outcome;
use site::Site;

fn main() -> ExitCode {
    let arguments = match Arguments::from_words(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(wrong) => {
            eprintln!("{wrong}");
            return ExitCode::from(2);
        }
    };
    match arguments.asked {
        Asked::List => print_lines(&arguments),
        Asked::Show => print_statements(&arguments),
        Asked::Summary => println!("{}", summary::text(&results::read(&arguments.results), arguments.half)),
        Asked::Run | Asked::Check => return start(&arguments),
    }
    ExitCode::SUCCESS
}

fn print_lines(arguments: &Arguments) {
    for seed in &arguments.seeds {
        println!("{}", draw_condition(*seed).line());
    }
}

fn print_statements(arguments: &Arguments) {
    for seed in &arguments.seeds {
        let condition = draw_condition(*seed);
        println!("{}", condition.line());
        for side in pieces::Side::BOTH {
            println!("-- {}\n{}", side.name(), pieces::sql_of_side(&condition, side));
            println!("-- postgresql.conf:\n{}", pieces::settings_of_side(&condition, side));
            println!("-- outside: {:?}", pieces::outside_of_side(&condition, side));
        }
        println!("-- load:\n{}", condition.base.script);
    }
}

/// Enters the namespaces, as root, after what a killed lab left has been removed.
fn start(arguments: &Arguments) -> ExitCode {
    if let Some(kept) = &arguments.kept {
        return judge_kept(arguments, kept);
    }
    if namespaces::inside() {
        return if arguments.asked == Asked::Check { check(arguments) } else { run(arguments) };
    }
    if !namespaces::is_root() {
        eprintln!("the lab of kinds needs root: it makes control groups and namespaces");
        return ExitCode::FAILURE;
    }
    match leftovers::claim() {
        Ok(claim) => {
            claim.sweep();
            let status = namespaces::enter();
            claim.sweep();
            status
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Judges run directories that were kept, for rules that have changed.
fn judge_kept(arguments: &Arguments, kept: &Path) -> ExitCode {
    for seed in arguments.seeds_of_half() {
        let run = kept.join(seed.to_string());
        if run.is_dir() {
            let outcome = judged::judge(&draw_condition(seed), &site::read_report(&run, &arguments.program));
            println!("{}", outcome.words());
            results::append(&arguments.results, &outcome);
        }
    }
    println!("\n{}", summary::text(&results::read(&arguments.results), arguments.half));
    ExitCode::SUCCESS
}

/// Makes the conditions and executes their loads a few times. It measures nothing, so that the sealed half can be
/// checked, too.
fn check(arguments: &Arguments) -> ExitCode {
    let mut failed = 0;
    for seed in arguments.seeds_of_half() {
        let condition = draw_condition(seed);
        let checked = catch_unwind(AssertUnwindSafe(|| {
            let site = Site::new(arguments.on_disk || condition.needs_disk_and_trials());
            sides::set_up(&site, &condition).try_load(&site, &condition);
        }));
        if let Err(panic) = checked {
            failed += 1;
            println!("{seed} [{}]: {}", condition.kind(), words_of_panic(&*panic));
        }
    }
    println!("{failed} could not be made");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn words_of_panic(panic: &(dyn std::any::Any + Send)) -> &str {
    panic.downcast_ref::<String>().map_or("a panic without words", String::as_str)
}

/// Runs the conditions that have no result yet, and appends what came of each.
fn run(arguments: &Arguments) -> ExitCode {
    let done = results::read(&arguments.results);
    let mut failed = 0;
    for seed in arguments.seeds_of_half() {
        if !arguments.again && done.iter().any(|outcome| outcome.seed == seed) {
            continue;
        }
        if arguments.until.is_some_and(arguments::Until::has_come) {
            break;
        }
        let outcome = run_one(seed, arguments);
        println!("{}", outcome.words());
        failed += usize::from(outcome.failed.is_some());
        results::append(&arguments.results, &outcome);
    }
    println!("\n{}", summary::text(&results::read(&arguments.results), arguments.half));
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Makes, measures and judges one condition; what goes wrong is its result.
fn run_one(seed: u64, arguments: &Arguments) -> Outcome {
    let begun = Instant::now();
    let condition = draw_condition(seed);
    let done = catch_unwind(AssertUnwindSafe(|| {
        let site = Site::new(arguments.on_disk || condition.needs_disk_and_trials());
        let held = sides::set_up(&site, &condition);
        let set_up_s = begun.elapsed().as_secs_f64();
        let measured = site.measure(&held.plan, &arguments.program);
        drop(held);
        if let Some(keep) = &arguments.keep {
            site.keep_run(&keep.join(seed.to_string()));
        }
        (measured, set_up_s)
    }));
    let took_s = begun.elapsed().as_secs_f64();
    match done {
        Ok((measured, set_up_s)) => Outcome { set_up_s, took_s, ..judged::judge(&condition, &measured) },
        Err(panic) => Outcome { took_s, ..Outcome::failure(&condition, words_of_panic(&*panic)) },
    }
}
