//! A plan, measured, judged and reported: every file, and the counts beside the server's own.

use std::collections::BTreeSet;
use std::fs;

use results::facts::Platform;
use results::latest::is_latest_link;
use results::log::{LogAccess, LogFormat};
use results::trial::{LatencySummary, Role, TrialOutcome};

use crate::history::copy;
use crate::lab::{BRIEF, Lab};
use crate::run_view::RunView;
use testbed::{Postgres, newest_version};

#[test]
fn a_plan_of_two_local_servers_is_measured_judged_and_reported() {
    let lab = Lab::new();
    lab.write("plan.yaml", two_local_servers());
    let mut pgdyno = lab.start("run plan.yaml --details");
    pgdyno.await_saying("trial 2/");
    let servers = pgdyno.traces();
    assert_eq!(servers.servers(), 2);
    let ended = pgdyno.end();
    let told =
        ["workload", "95 % interval", "verdict", "read", "Latency by statement", "write, 2 clients: ", "report.html"];
    ended.measured().prints(&told);
    servers.assert_gone();
    lab.assert_no_temporary_data();

    let run = lab.run();
    the_run_directory_is_complete(&run);
    lab.pgdyno(&format!("plan check {}/plan.yaml", run.path().display())).exits(0);
    the_report_is_made_again_alike(&lab, &run);
    the_run_is_judged_again(&lab, &run, ended.status.code());
}

fn two_local_servers() -> String {
    let local = format!("{{ local: {{ bin: {} }} }}", newest_version().display());
    format!(
        "name: Two alike\ntargets:\n  one: {local}\n  two: {local}\nbaseline: one\nnoise_floor: true\n\
         workloads:\n  read: {{ think: 5ms, builtin: select-only, scale: 1 }}\n  write: {{ think: 5ms, builtin: simple-update, scale: 1 }}\n\
         clients: [2]\ntrial: {{ warm_up: 0s, measure: 1s }}\nblocks: {{ at_least: 3, at_most: 3 }}\n"
    )
}

fn the_run_directory_is_complete(run: &RunView) {
    assert_eq!(run.names(""), ["plan.yaml", "report.html", "run.json", "targets", "trials", "workloads"]);
    assert_eq!(run.names("targets"), ["one.json", "two.json"]);
    for (name, facts) in run.dir().target_facts().expect("facts") {
        assert_eq!(facts.platform, Platform::Local, "{name}");
        assert!(facts.server.version.starts_with("PostgreSQL "), "{name}: {}", facts.server.version);
        assert!(facts.settings.contains_key("shared_buffers"), "{name}: settings were read back");
        assert!(facts.host.is_some(), "{name}: the host is this one");
    }
    let (schedule, trials) = (run.run().schedule.trials, run.trials());
    assert_eq!(trials.len(), 3 * 2 * 3, "blocks, workloads, sides with the noise floor");
    for (scheduled, trial) in schedule.iter().zip(&trials) {
        assert_eq!((scheduled.number, &scheduled.cell, scheduled.role), (trial.number, &trial.cell, trial.role));
        assert_eq!(trial.outcome, TrialOutcome::Completed, "trial {}", trial.number);
        let series = ["activity.jsonl", "intervals.jsonl", "latency.hlog", "log.jsonl"];
        let sampled = ["off-cpu.json", "plans.json", "profile.json"];
        let counts = ["statement-latency.json", "statements.json", "tables.json", "trial.json"];
        let mut files = [&series[..], &sampled[..], &counts[..]].concat();
        assert_eq!(trial.turns.is_some(), trial.cell.workload == "read", "what only reads takes turns by itself");
        files.extend(trial.turns.is_some().then_some("turns.jsonl"));
        assert_eq!(run.names(&format!("trials/{}", trial.number)), files);
        the_seconds_add_up(run, trial);
        every_statement_is_timed(run, trial);
        the_log_of_a_local_server_is_read(run, trial.number);
    }
    let sides: BTreeSet<_> = trials.iter().map(|trial| (trial.cell.target.as_str(), trial.role)).collect();
    assert_eq!(sides, [("one", Role::Main), ("one", Role::NoiseFloor), ("two", Role::Main)].into());
}

fn the_log_of_a_local_server_is_read(run: &RunView, trial: u32) {
    let log = run.dir().server_log(trial).expect("a log").expect("of a trial that ended");
    assert_eq!(log.origin.gaps, Vec::<String>::new(), "trial {trial}");
    assert_eq!((log.origin.access, log.origin.format), (Some(LogAccess::File), Some(LogFormat::Stderr)));
}

/// The statements of a transaction take all of its time, and the last one ends with it.
fn every_statement_is_timed(run: &RunView, trial: &results::trial::Trial) {
    let sent = &run.dir().workload_statements().expect("statements")[&trial.cell.workload].statements;
    let timed = run.dir().statement_latency(trial.number).expect("figures").expect("they are timed").statements;
    let expected = if trial.cell.workload == "read" { 1 } else { 5 };
    assert_eq!((sent.len(), timed.len()), (expected, expected));
    assert!(sent.iter().all(|statement| !statement.text.is_empty()));
    let load = trial.load.as_ref().expect("a completed trial has figures");
    assert_eq!(timed[expected - 1].executions, load.transactions);
    let sum_ns = |latency: &LatencySummary, count: u64| latency.mean_ns * count as f64;
    let parts_ns: f64 = timed.iter().filter_map(|one| Some(sum_ns(one.latency.as_ref()?, one.executions))).sum();
    let whole = load.latency.as_ref().expect("something was completed");
    // What was under way at either end of the phase, of each of two clients.
    assert!((parts_ns - sum_ns(whole, load.transactions)).abs() <= 4.0 * whole.max_ns as f64 + parts_ns * 0.01);
}

/// Totals, seconds and histograms of a trial tell the same number of transactions.
fn the_seconds_add_up(run: &RunView, trial: &results::trial::Trial) {
    let load = trial.load.as_ref().expect("a completed trial has figures");
    assert!(load.transactions > 0, "trial {} did nothing", trial.number);
    let seconds = run.dir().trial_intervals(trial.number).expect("intervals");
    assert_eq!(seconds.iter().map(|second| second.transactions).sum::<u64>(), load.transactions);
    assert!(seconds.iter().all(|second| second.probes.contains_key("pg.database")));
    assert_eq!(logged_transactions(run, trial.number), load.transactions);
}

/// The transactions in a latency log, read as any HdrHistogram tool does: untagged intervals, one after the other.
fn logged_transactions(run: &RunView, trial: u32) -> u64 {
    use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
    let log = fs::read(run.path().join(format!("trials/{trial}/latency.hlog"))).expect("the log");
    let mut deserializer = hdrhistogram::serialization::Deserializer::new();
    let mut transactions = 0;
    for entry in IntervalLogIterator::new(&log) {
        if let LogEntry::Interval(interval) = entry.expect("a line of the standard format")
            && interval.tag().is_none()
        {
            let histogram = base64(interval.encoded_histogram());
            let histogram: hdrhistogram::Histogram<u64> =
                deserializer.deserialize(&mut histogram.as_slice()).expect("a V2 histogram");
            transactions += histogram.len();
        }
    }
    transactions
}

/// The bytes of a text in standard base64.
fn base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits: Vec<u32> =
        text.bytes().filter_map(|byte| ALPHABET.iter().position(|b| *b == byte)).map(|d| d as u32).collect();
    let mut bytes = Vec::new();
    for group in digits.chunks(4) {
        let bits = group.iter().enumerate().fold(0, |bits, (place, digit)| bits | digit << (18 - 6 * place));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    bytes
}

fn the_report_is_made_again_alike(lab: &Lab, run: &RunView) {
    let path = run.path().display();
    let report = || fs::read_to_string(run.path().join("report.html")).expect("the report");
    let first = report();
    assert!(first.contains("Two alike") && first.contains("simple-update"), "the report holds the data");
    lab.pgdyno(&format!("report {path}")).exits(0).prints(&["report.html"]);
    assert!(report() == first, "report.html differs from the one that the run wrote");
    for format in ["terminal", "markdown", "json"] {
        let again = || lab.pgdyno(&format!("report {path} --format {format}"));
        let (one, other) = (again(), again());
        one.exits(0).prints(&["read", "write"]);
        assert_eq!(one.stdout, other.stdout, "{format}");
    }
    lab.pgdyno(&format!("report {path} --format markdown --output report.md")).exits(0);
    lab.pgdyno(&format!("report {path} --format html --output -")).exits(0).prints(&["<!doctype html>", "Two alike"]);
    assert!(!lab.path().join("-").exists(), "standard output is no file");
    assert!(fs::read_to_string(lab.path().join("report.md")).expect("written").contains("| read"));
}

fn the_run_is_judged_again(lab: &Lab, run: &RunView, status: Option<i32>) {
    let path = run.path().display();
    let again = lab.pgdyno(&format!("compare {path}"));
    assert_eq!(again.status.code(), status, "the verdict is the run's: {again}");
    // No interval of a run that did anything is as wide as this on both sides; only a regression could be status 1.
    let lenient = lab.pgdyno(&format!("compare {path} --threshold 99%"));
    assert_ne!(lenient.status.code(), Some(1), "{lenient}");
    lenient.measured().prints(&["±99 %"]);
    lab.pgdyno(&format!("compare {path} {path}")).exits(2).says(&["with itself", "`pgdyno compare "]);
    let other = lab.path().join("another");
    copy(run.path(), &other);
    let identity = fs::read_to_string(other.join("run.json")).expect("its identity");
    fs::write(other.join("run.json"), identity.replace("\"id\": \"", "\"id\": \"another-")).expect("written");
    let separate = lab.pgdyno(&format!("compare {path} {}", other.display()));
    separate.measured().prints(&["unpaired"]);
    let json = lab.pgdyno(&format!("compare {path} --json")).json();
    assert_eq!(json["comparisons"].as_array().map(Vec::len), Some(2));
    assert_eq!(json["noise_floor"].as_array().map(Vec::len), Some(2));
    assert_eq!(json["run"]["trials"], 18);
}

#[test]
fn the_transactions_counted_are_the_server_s() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("plan.yaml", one_writer(&server));
    let commits = "SELECT pg_stat_force_next_flush(), xact_commit FROM pg_stat_database WHERE datname = 'postgres'";
    let commits = || server.query_postgres(commits).trim_start_matches('|').parse::<u64>().expect("a number");
    let before = commits();
    let ended = lab.pgdyno("run plan.yaml --json");
    ended.exits(0);
    let trials = lab.run().trials();
    let load = trials[0].load.as_ref().expect("figures");
    let rows = server.query_count("SELECT count(*) FROM pgbench_history");
    // Each of the three clients may have had one transaction under way when the time was over.
    let under_way = rows.checked_sub(load.transactions).expect("no transaction is counted that was not committed");
    assert!(under_way <= 3, "{rows} rows, {} transactions", load.transactions);
    assert!(commits() - before >= load.transactions);
    assert_eq!(ended.json()["run"]["trials"], 1);
}

fn one_writer(server: &Postgres) -> String {
    format!(
        "name: One writer\ntargets:\n  it: {{ url: \"{}\" }}\nbaseline: it\n\
         workloads: {{ write: {{ think: 5ms, builtin: tpcb-like, scale: 1 }} }}\nclients: [3]\n{BRIEF}",
        server.socket_conninfo()
    )
}

#[test]
fn the_same_plan_and_seed_give_the_same_schedule_and_the_same_operations() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let side = format!("{{ url: \"{}\" }}", server.tcp_url());
    lab.write(
        "plan.yaml",
        format!(
            "name: Seeds\ntargets:\n  one: {side}\n  two: {side}\nbaseline: one\n\
             workloads: {{ write: {{ think: 5ms, builtin: tpcb-like, scale: 1 }} }}\nclients: [1]\n{BRIEF}"
        ),
    );
    let run = |seed: u32| {
        lab.pgdyno(&format!("run plan.yaml --seed {seed} --runs runs-{seed}")).measured();
        // What the last trial did; a single client inserts in the order of its transactions.
        server.query_postgres("SELECT tid, bid, aid, delta FROM pgbench_history ORDER BY ctid")
    };
    let [first, again, other] = [7, 7, 8].map(run);
    let both = first.lines().zip(again.lines()).collect::<Vec<_>>();
    assert!(both.len() > 10, "too few to tell");
    assert!(both.iter().all(|(one, other)| one == other), "the same seed did other operations");
    assert!(first.lines().zip(other.lines()).any(|(one, other)| one != other), "another seed did the same operations");
    let mut runs: Vec<_> =
        fs::read_dir(lab.path().join("runs-7")).expect("listed").map(|run| run.expect("an entry").path()).collect();
    runs.retain(|path| !is_latest_link(path));
    let schedules: Vec<_> = runs.iter().map(|run| RunView::open(run).run().schedule).collect();
    assert_eq!(schedules.len(), 2);
    assert_eq!(schedules[0], schedules[1]);
    let seeds: BTreeSet<u64> = schedules[0].trials.iter().map(|trial| trial.seed).collect();
    assert_eq!(seeds.len(), 1, "both sides of a pair get the same operations");
}
