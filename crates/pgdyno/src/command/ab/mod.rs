//! `ab` and `rehearse`: two settings, versions or servers, compared without a plan file. They make the plan, print it,
//! keep it in the run directory, and go the way of `run` from there.

mod plan_text;
mod rehearse;
mod sides;

use std::path::{Path, PathBuf};

use plan::Plan;

use super::{Manner, documents, run};
use crate::cli::AbArgs;
use measure::progress::print_to_stderr;
use measure::scripts::OwnScripts;
use plan_text::{PlanFor, PlanMaker, plan_text};
use problem::{CommandStatus, Problem};
pub(super) use rehearse::run_rehearse_command;
use sides::sides_of_arguments;

/// Makes the plan and measures it; with `--plan-only` prints it.
pub(super) async fn run_ab_command(arguments: &AbArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    Box::pin(measure_two_sides(arguments, PlanMaker::Comparison, manner)).await
}

/// The same for each command that names two sides.
async fn measure_two_sides(arguments: &AbArgs, maker: PlanMaker, manner: Manner) -> Result<CommandStatus, Problem> {
    let (plan, scripts) = plan_of_arguments(arguments, maker)?;
    let sides = sides_of_arguments(arguments)?;
    let shown = plan_text(arguments, &sides, maker, PlanFor::Reader);
    if arguments.extent.plan_only {
        return documents::print_bytes(shown.as_bytes());
    }
    if !manner.quiet {
        print_to_stderr(&shown);
    }
    let kept = plan_text(arguments, &sides, maker, PlanFor::RunDirectory);
    let files = [(PathBuf::from(maker.plan_name()), kept.as_str())];
    Box::pin(run::measure_plan(plan, &scripts, &arguments.measuring, &files, manner)).await
}

/// The plan with its scripts, whose paths start at the working directory.
fn plan_of_arguments(arguments: &AbArgs, maker: PlanMaker) -> Result<(Plan, OwnScripts), Problem> {
    let text = plan_text(arguments, &sides_of_arguments(arguments)?, maker, PlanFor::Measurement);
    let plan =
        plan::parse_plan(maker.plan_name(), text.as_bytes()).map_err(|errors| Problem::from_plan_errors(&errors))?;
    let scripts = OwnScripts::read_from_plan(&plan, Path::new(""))?;
    Ok((plan, scripts))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::{Cli, CliCommand};

    fn arguments_of(line: &[&str]) -> AbArgs {
        let CliCommand::Ab(arguments) = Cli::parse_from(["pgdyno", "ab"].iter().chain(line)).command else {
            panic!("ab")
        };
        *arguments
    }

    fn text_for(line: &[&str], reader: PlanFor) -> String {
        let arguments = arguments_of(line);
        plan_text(&arguments, &sides_of_arguments(&arguments).expect("two sides"), PlanMaker::Comparison, reader)
    }

    #[test]
    fn a_short_time_has_short_trials_unless_they_are_asked_for() {
        let line = ["--version", "17", "--builtin", "select-only", "--against", "jit=off"];
        for (more, expected) in [
            (&[][..], "trial: { warm_up: 2s, measure: 10s }"),
            (&["--time", "60s"], "trial: { warm_up: 0.66s, measure: 3.3s }"),
            (&["--time", "1s"], "trial: { warm_up: 0.2s, measure: 1s }"),
            (&["--time", "60s", "--measure", "20s"], "trial: { warm_up: 4s, measure: 20s }"),
        ] {
            let text = text_for(&[&line[..], more].concat(), PlanFor::Reader);
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn a_setting_of_a_server_is_a_plan_of_two_targets_with_one_url() {
        let line = ["--url", "postgresql://me:secret@h/d", "--builtin", "select-only"];
        let line = [&line[..], &["--set", "work_mem=4MB", "--against", "work_mem=256MB"]].concat();
        let expected = "\
# Made by `pgdyno ab`. `pgdyno run FILE` measures it again.
name: \"select-only: work_mem=256MB against work_mem=4MB\"
targets:
  work_mem-4MB: { url: \"postgresql://me@h/d\", settings: { work_mem: 4MB } }
  work_mem-256MB: { url: \"postgresql://me@h/d\", settings: { work_mem: 256MB } }
baseline: work_mem-4MB
workloads:
  select-only: { builtin: select-only, scale: 10 }
clients: 8
trial: { warm_up: 2s, measure: 10s }
blocks: { at_least: 5, until: verdict, at_most_time: 300s }
practical_threshold: 3%
";
        assert_eq!(text_for(&line, PlanFor::Reader), expected);
        assert_eq!(text_for(&line, PlanFor::Measurement), expected.replace("me@h", "me:secret@h"));
        let (plan, _) = plan_of_arguments(&arguments_of(&line), PlanMaker::Comparison).expect("a plan");
        assert_eq!((plan.targets.len(), plan.clients.as_slice()), (2, &[8][..]));
    }

    #[test]
    fn two_versions_are_temporary_servers_that_differ_in_nothing_else() {
        let line = ["--version", "17", "--against", "18", "--builtin", "simple-update", "--set", "jit=off"];
        let line =
            [&line[..], &["--clients", "4,16", "--time", "90s", "--measure", "1s", "--threshold", "5%"]].concat();
        let text = text_for(&line, PlanFor::Reader);
        for expected in [
            "  pg17: { local: { version: 17, initdb: { data_checksums: true }, settings: { shared_buffers: 256MB } }, settings: { jit: \"off\" } }\n",
            "  pg18: { local: { version: 18, initdb: { data_checksums: true }, settings: { shared_buffers: 256MB } }, settings: { jit: \"off\" } }\n",
            "baseline: pg17\nmay_differ: [version]\n",
            "  simple-update: { builtin: simple-update, scale: 10, cache: warm }\n",
            "clients: [4, 16]\ntrial: { warm_up: 0.2s, measure: 1s }\n",
            "at_most_time: 90s, restart: true }\npractical_threshold: 5%\n",
        ] {
            assert!(text.contains(expected), "{expected}{text}");
        }
        assert!(plan_of_arguments(&arguments_of(&line), PlanMaker::Comparison).is_ok());
    }

    #[test]
    fn a_captured_load_runs_on_temporary_servers_with_the_data_of_a_dump() {
        let line = ["--version", "17", "--against", "18", "--captured", "captures/peak", "--restore", "shop dump.sql"];
        let text = text_for(&line, PlanFor::Reader);
        for expected in [
            "name: \"peak: pg18 against pg17\"\n",
            "settings: { shared_buffers: 256MB } }, data: { restore: \"shop dump.sql\" } }\n",
            "  peak: { captured: captures/peak }\n",
        ] {
            assert!(text.contains(expected), "{expected}{text}");
        }
        let kept = text_for(&line, PlanFor::RunDirectory);
        assert!(kept.contains("  peak: { captured: scripts/peak }\n") && kept.contains("/shop dump.sql\""), "{kept}");
        let url =
            ["pgdyno", "ab", "--url", "host=a", "--restore", "x.sql", "--builtin", "select-only", "--against", "a=1"];
        assert!(Cli::try_parse_from(url).is_err(), "an existing server has its data");
    }

    #[test]
    fn what_is_not_two_sides_is_refused() {
        let of = |line: &[&str]| sides_of_arguments(&arguments_of(line)).expect_err("refused").to_string();
        let builtin = ["--builtin", "select-only", "--against"];
        assert!(of(&[&["--url", "host=a"][..], &builtin, &["18"]].concat()).contains("--version"));
        assert!(of(&[&["--version", "17"][..], &builtin, &["postgresql://h/d"]].concat()).contains("--url"));
        assert!(of(&[&["--version", "17"][..], &builtin, &["17"]].concat()).contains("equal"));
        let same = ["jit=off", "--set", "jit=off"];
        assert!(of(&[&["--url", "host=a"][..], &builtin, &same].concat()).contains("equal"));
    }

    #[test]
    fn a_script_is_named_by_its_file_and_found_in_the_run_directory() {
        let line = ["--url", "host=a", "--file", "sql/top orders.sql", "--against", "postgresql://b/d"];
        let text = text_for(&line, PlanFor::RunDirectory);
        assert!(text.contains("  top-orders: { script: \"scripts/top-orders/top orders.sql\" }\n"), "{text}");
        assert!(
            text.contains("  baseline: { url: \"host=a\" }\n  candidate: { url: \"postgresql://b/d\" }\n"),
            "{text}"
        );
        let two = [&line[..], &["--file", "other.sql", "--scale", "3"]].concat();
        let expected = "  scripts: { script: [\"sql/top orders.sql\", other.sql], scale: 3 }\n";
        assert!(text_for(&two, PlanFor::Reader).contains(expected), "{}", text_for(&two, PlanFor::Reader));
    }
}
