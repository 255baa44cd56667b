//! `rehearse`: an upgrade, as a comparison of the captured load on two versions.

use super::measure_two_sides;
use super::plan_text::PlanMaker;
use crate::cli::RehearseArgs;
use crate::command::Manner;
use problem::{CommandStatus, Problem};

/// Makes the plan of the rehearsal and measures it; with `--plan-only` prints it.
pub(in crate::command) async fn run_rehearse_command(
    arguments: &RehearseArgs,
    manner: Manner,
) -> Result<CommandStatus, Problem> {
    let [from, to] = [("--from", &arguments.from), ("--to", &arguments.to)].map(|(option, text)| {
        major_of_version(text).ok_or_else(|| {
            Problem::usage_error(format!("{option} {text} is not a version of PostgreSQL that pgdyno measures"))
                .hint(format!("the versions are {} to {}", catalog::OLDEST_MAJOR, catalog::NEWEST_MAJOR))
        })
    });
    refuse_unless_newer(from?, to?)?;
    Box::pin(measure_two_sides(&arguments.to_comparison(), PlanMaker::Rehearsal, manner)).await
}

/// The major version of `14` or `14.20`, if it is one that is measured.
fn major_of_version(text: &str) -> Option<u32> {
    let major = text.split('.').next()?.parse().ok()?;
    (catalog::OLDEST_MAJOR..=catalog::NEWEST_MAJOR).contains(&major).then_some(major)
}

fn refuse_unless_newer(from: u32, to: u32) -> Result<(), Problem> {
    if to > from {
        return Ok(());
    }
    let problem = Problem::usage_error(format!("an upgrade from PostgreSQL {from} to {to} cannot be rehearsed"));
    Err(if to == from {
        problem
            .detail("both are of the same major version")
            .hint("compare two releases or settings with `pgdyno ab --version`")
    } else {
        problem.detail("--to is older than --from").hint("--from is the version of today, --to the one to upgrade to")
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::super::plan_text::{PlanFor, plan_text};
    use super::super::sides::sides_of_arguments;
    use super::*;
    use crate::cli::{Cli, CliCommand};

    #[test]
    fn only_a_newer_major_version_is_an_upgrade() {
        for (text, expected) in
            [("14", Some(14)), ("18.1", Some(18)), ("13", None), ("9.6", None), ("99", None), ("", None), ("x", None)]
        {
            assert_eq!(major_of_version(text), expected, "{text}");
        }
        assert!(refuse_unless_newer(14, 18).is_ok());
        let said = refuse_unless_newer(17, 17).expect_err("no upgrade").to_string();
        assert!(said.contains("from PostgreSQL 17 to 17") && said.contains("same major version"), "{said}");
        let said = refuse_unless_newer(18, 14).expect_err("no upgrade").to_string();
        assert!(said.contains("--to is older than --from"), "{said}");
    }

    #[test]
    fn a_rehearsal_is_a_plan_that_can_be_run_again() {
        let line = ["pgdyno", "rehearse", "--capture", "peak", "--data", "prod.dump", "--from", "14", "--to", "18"];
        let CliCommand::Rehearse(arguments) = Cli::parse_from(line).command else { panic!("rehearse") };
        let comparison = arguments.to_comparison();
        let sides = sides_of_arguments(&comparison).expect("two versions");
        let text = plan_text(&comparison, &sides, PlanMaker::Rehearsal, PlanFor::Reader);
        let expected = "\
# Made by `pgdyno rehearse`. `pgdyno run FILE` measures it again.
name: \"Upgrade from pg14 to pg18 with peak\"
targets:
  pg14: { local: { version: 14, initdb: { data_checksums: true }, settings: { shared_buffers: 256MB } }, data: { restore: prod.dump } }
  pg18: { local: { version: 18, initdb: { data_checksums: true }, settings: { shared_buffers: 256MB } }, data: { restore: prod.dump } }
baseline: pg14
may_differ: [version]
rehearse_upgrade: true
workloads:
  peak: { captured: peak }
clients: 8
trial: { warm_up: 0s, measure: 10s }
blocks: { at_least: 5, until: verdict, at_most_time: 300s, restart: true }
practical_threshold: 3%
";
        assert_eq!(text, expected);
        plan::parse_plan("rehearse.yaml", text.as_bytes()).expect("it can be run");
    }
}
