//! Command lines as people publish them, and what each must be understood as: `tests/pgbench-command-lines.txt`.

use clap::Parser as _;
use load::{Connections, JobExtent, StatementTimes, TransactionPace, Tries};
use work::WordChoice as _;

use super::request::{BenchRequest, LoggedLines, PreRunVacuum, ProgressClock, Workload, parse_bench_arguments};
use crate::cli::{BenchArgs, Cli, CliCommand};

const COMMAND_LINES: &str = include_str!("../../../tests/pgbench-command-lines.txt");

/// The words of a command line; quotes hold spaces together.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quote, mut word) = (Vec::new(), None, None::<String>);
    for c in line.chars() {
        match (quote, c) {
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), c) if c == open => quote = None,
            (None, ' ') => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// What a command line is understood as, in one line.
fn understood(line: &str) -> String {
    let typed = words(line).into_iter().skip(1);
    let all = ["pgdyno".to_owned(), "bench".to_owned()].into_iter().chain(typed);
    let arguments = match Cli::try_parse_from(all) {
        Ok(Cli { command: CliCommand::Bench(arguments), .. }) => arguments,
        Ok(_) => unreachable!("`bench` was given"),
        Err(error) => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            return first.trim_end().to_owned();
        }
    };
    match parse_bench_arguments(&arguments, None) {
        Err(problem) => format!("error: {}", problem.primary_message()),
        Ok(BenchRequest::Show(text)) => format!("show: {}", text.lines().next().unwrap_or_default()),
        Ok(BenchRequest::Initialize { scale, fillfactor }) => {
            let fill = fillfactor.map_or(String::new(), |percent| format!(", filled to {percent} %"));
            format!("initialize: scale {scale}{fill}{}", server(&arguments))
        }
        Ok(BenchRequest::Run(workload)) => format!("run: {}{}", run(&workload), server(&arguments)),
    }
}

fn run(workload: &Workload) -> String {
    let scripts: Vec<String> =
        workload.scripts.iter().map(|script| format!("{}@{}", script.script.name(), script.weight)).collect();
    let mut parts = vec![
        scripts.join(" "),
        format!("{} clients on {} threads", workload.clients, workload.threads),
        match workload.measure {
            JobExtent::Time(time) => format!("{} s", time.as_secs()),
            JobExtent::Transactions(each) => format!("{each} transactions each"),
        },
        workload.mode.as_word().to_owned(),
    ];
    let mut add = |given: bool, text: String| parts.extend(given.then_some(text));
    add(workload.connections == Connections::PerTransaction, "reconnecting".to_owned());
    if let TransactionPace::Open { rate, .. } = &workload.pace {
        add(true, format!("{rate:?}"));
    }
    add(workload.latency_limit.is_some(), format!("limit {:?}", workload.latency_limit.unwrap_or_default()));
    add(workload.tries != Tries::default(), format!("{:?}", workload.tries));
    for (name, value) in &workload.definitions {
        add(true, format!("{name}={value}"));
    }
    add(workload.scale.is_some(), format!("scale {}", workload.scale.map_or(0, std::num::NonZeroU32::get)));
    add(workload.seed.is_some(), format!("seed {}", workload.seed.unwrap_or_default()));
    match workload.vacuum {
        PreRunVacuum::No => add(true, "no vacuum".to_owned()),
        PreRunVacuum::Small => {}
        PreRunVacuum::All => add(true, "vacuum all".to_owned()),
    }
    if let Some((seconds, clock)) = workload.progress {
        let clock = if clock == ProgressClock::Unix { " as Unix time" } else { "" };
        add(true, format!("progress every {seconds} s{clock}"));
    }
    add(workload.failures_detailed, "failures by kind".to_owned());
    add(workload.statements == StatementTimes::Taken, "each command".to_owned());
    if let Some(log) = &workload.log {
        let of = match log.lines {
            LoggedLines::Interval(interval_s) => format!("every {interval_s} s"),
            LoggedLines::Transactions(share) => format!("of {:.0} % of the transactions", share * 100.0),
        };
        add(true, format!("log {} {of}", log.prefix));
    }
    add(workload.exit_on_abort, "ends with the first outage".to_owned());
    add(workload.warm_up.as_secs() > 0, format!("{} s warm-up", workload.warm_up.as_secs()));
    parts.join(", ")
}

fn server(arguments: &BenchArgs) -> String {
    let database = arguments.dbname.as_ref().or(arguments.database.as_ref());
    let port = arguments.port.map(|port| port.to_string());
    let parts = [("host", &arguments.host), ("port", &port), ("user", &arguments.username), ("db", &database.cloned())];
    parts.iter().filter_map(|(name, value)| Some(format!("; {name} {}", value.as_ref()?))).collect()
}

#[test]
fn command_lines_as_people_type_them_mean_what_they_mean_to_pgbench() {
    let mut lines = COMMAND_LINES.lines().peekable();
    let (mut checked, mut found, mut as_it_should_be) = (0, String::new(), String::new());
    while let Some(line) = lines.next() {
        as_it_should_be.push_str(&format!("{line}\n"));
        found.push_str(&format!("{line}\n"));
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(expected) = lines.next_if(|line| line.starts_with("    ")) {
            as_it_should_be.push_str(&format!("{expected}\n"));
        }
        found.push_str(&format!("    {}\n", understood(line)));
        checked += 1;
    }
    if let Some(path) = std::env::var_os("PGDYNO_REWRITE_COMMAND_LINES") {
        std::fs::write(path, &found).expect("written");
    }
    assert!(checked >= 60, "{checked}");
    assert_eq!(found, as_it_should_be);
}
