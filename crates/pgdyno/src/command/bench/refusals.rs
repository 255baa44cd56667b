//! Options of pgbench that cannot be meant together, and those that make no sense here, each with the reason and with
//! what to do instead.

use crate::cli::{BenchArgs, GeneratorName, IoBackendArg};
use problem::Problem;

/// Finds the first thing that is wrong.
pub(super) fn check_options(arguments: &BenchArgs) -> Result<(), Problem> {
    find_unsupported_option(arguments)?;
    let initialization = first_given_option(&initialization_options(arguments));
    let benchmark = first_given_option(&benchmark_options(arguments));
    match (arguments.initialize, initialization, benchmark) {
        (true, _, Some(option)) => {
            let primary = format!("{option} cannot be used in initialization (-i) mode");
            return Err(
                Problem::usage_error(primary).hint("create the data first, then run the workload in a second command")
            );
        }
        (false, Some(option), _) => {
            let primary = format!("{option} can only be used in initialization mode");
            return Err(Problem::usage_error(primary).hint("add -i to create the data"));
        }
        _ => {}
    }
    if arguments.initialize { initialization_steps(arguments) } else { find_conflicting_options(arguments) }
}

fn first_given_option(options: &[(bool, &'static str)]) -> Option<&'static str> {
    options.iter().find(|(given, _)| *given).map(|(_, name)| *name)
}

fn initialization_options(arguments: &BenchArgs) -> [(bool, &'static str); 2] {
    [(arguments.init_steps.is_some(), "-I/--init-steps"), (arguments.fillfactor.is_some(), "-F/--fillfactor")]
}

fn benchmark_options(arguments: &BenchArgs) -> [(bool, &'static str); 22] {
    [
        (!arguments.scripts.0.is_empty(), "a script (-b, -f, -S, -N)"),
        (arguments.client.get() > 1, "-c/--client"),
        (arguments.jobs.get() > 1, "-j/--jobs"),
        (arguments.connect, "-C/--connect"),
        (!arguments.define.is_empty(), "-D/--define"),
        (arguments.log, "-l/--log"),
        (arguments.latency_limit.is_some(), "-L/--latency-limit"),
        (arguments.progress.is_some(), "-P/--progress"),
        (arguments.report_per_command, "-r/--report-per-command"),
        (arguments.rate.is_some(), "-R/--rate"),
        (arguments.transactions.is_some(), "-t/--transactions"),
        (arguments.time.is_some(), "-T/--time"),
        (arguments.vacuum_all, "-v/--vacuum-all"),
        (arguments.aggregate_interval.is_some(), "--aggregate-interval"),
        (arguments.sampling_rate.is_some(), "--sampling-rate"),
        (arguments.failures_detailed, "--failures-detailed"),
        (arguments.max_tries != 1, "--max-tries"),
        (arguments.progress_timestamp, "--progress-timestamp"),
        (arguments.random_seed.is_some(), "--random-seed"),
        (arguments.exit_on_abort, "--exit-on-abort"),
        (arguments.warm_up > 0, "--warm-up"),
        (arguments.backend != IoBackendArg::Auto, "--backend"),
    ]
}

/// Options that pgbench has and pgdyno does not.
fn find_unsupported_option(arguments: &BenchArgs) -> Result<(), Problem> {
    let set_up = "create the tables with `pgbench -i`; `pgdyno bench` runs on them";
    let refused = [
        (arguments.foreign_keys, "--foreign-keys", "pgdyno creates the tables without foreign keys", set_up),
        (
            arguments.partitions.is_some_and(|n| n > 0),
            "--partitions",
            "pgdyno creates tables without partitions",
            set_up,
        ),
        (
            arguments.partition_method.is_some(),
            "--partition-method",
            "pgdyno creates tables without partitions",
            set_up,
        ),
        (
            arguments.tablespace.is_some() || arguments.index_tablespace.is_some(),
            "--tablespace",
            "pgdyno creates the tables in the database's default tablespace",
            set_up,
        ),
        (
            arguments.unlogged_tables,
            "--unlogged-tables",
            "pgdyno creates logged tables: unlogged tables write no WAL and do not represent production",
            set_up,
        ),
        (arguments.debug, "--debug", "pgdyno prints no debugging output", "omit it: errors are reported by SQLSTATE"),
    ];
    match refused.into_iter().find(|(given, ..)| *given) {
        Some((_, option, reason, instead)) => {
            Err(Problem::usage_error(format!("{option} is not supported")).detail(reason).hint(instead))
        }
        None => Ok(()),
    }
}

fn initialization_steps(arguments: &BenchArgs) -> Result<(), Problem> {
    if let Some(steps) = arguments.init_steps.as_deref().filter(|steps| !matches!(*steps, "dtgvp" | "dtGvp")) {
        return Err(Problem::usage_error(format!("initialization steps {steps:?} are not supported"))
            .detail("pgdyno creates all tables, or reuses intact ones")
            .hint("omit -I, or create the tables with `pgbench -i -I`"));
    }
    if arguments.no_vacuum {
        return Err(Problem::usage_error("-n/--no-vacuum is not supported in initialization mode")
            .detail("without VACUUM the tables have no statistics for the planner")
            .hint("omit it, or create the tables with `pgbench -i -n`"));
    }
    if arguments.generator != GeneratorName::Pgdyno {
        return Err(Problem::usage_error("--generator cannot be used in initialization (-i) mode")
            .hint("create the data without it"));
    }
    one_database(arguments)
}

/// What pgbench says of options that do not go together.
fn find_conflicting_options(arguments: &BenchArgs) -> Result<(), Problem> {
    let time = arguments.time.map(std::num::NonZeroU32::get);
    let interval = arguments.aggregate_interval.map(std::num::NonZeroU32::get);
    let wrong = if time.is_some() && arguments.transactions.is_some() {
        "specify either a number of transactions (-t) or a duration (-T), not both"
    } else if interval.is_some() && !arguments.log {
        "--aggregate-interval is allowed only when logging (-l)"
    } else if arguments.log_prefix.is_some() && !arguments.log {
        "--log-prefix is allowed only when logging (-l)"
    } else if arguments.sampling_rate.is_some() && !arguments.log {
        "log sampling (--sampling-rate) is allowed only when logging (-l)"
    } else if arguments.sampling_rate.is_some() && interval.is_some() {
        "log sampling (--sampling-rate) and aggregation (--aggregate-interval) cannot be used at the same time"
    } else if interval.zip(time).is_some_and(|(interval, time)| interval > time || time % interval != 0) {
        "the duration (-T) must be a multiple of --aggregate-interval"
    } else if arguments.progress_timestamp && arguments.progress.is_none() {
        "--progress-timestamp is allowed only under --progress"
    } else if arguments.max_tries == 0 && arguments.latency_limit.is_none() && time.is_none() {
        "an unlimited number of tries (--max-tries=0) can only be used with --latency-limit or a duration (-T)"
    } else if arguments.generator == GeneratorName::Pgbench
        && (arguments.log || arguments.exit_on_abort || arguments.report_per_command)
    {
        "--log, --exit-on-abort and --report-per-command require pgdyno's own generator"
    } else {
        return one_database(arguments);
    };
    Err(Problem::usage_error(wrong))
}

fn one_database(arguments: &BenchArgs) -> Result<(), Problem> {
    match (&arguments.dbname, &arguments.database) {
        (Some(_), Some(other)) => {
            Err(Problem::usage_error(format!("too many command-line arguments (first is {other:?})"))
                .hint("name the database once: with -d, or as the last argument"))
        }
        _ => Ok(()),
    }
}
