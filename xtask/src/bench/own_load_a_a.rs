//! A captured load of eight statements on one server beside itself, many times over: how often a run accuses a
//! statement that is the same on both sides. Prints Markdown.

use std::path::Path;
use std::process::{Command, Stdio};

use super::Bench;
use super::contender::DATABASE;
use super::own_load::CapturingProxy;
use super::tool::{self, Way, pgbench_like};

/// Transactions of each client while the load is captured.
const CAPTURED: u32 = 1_000;
const CLIENTS: u32 = 4;

/// The statements, from one row to a sum over a thousand.
const STATEMENTS: [&str; 8] = [
    "SELECT abalance FROM pgbench_accounts WHERE aid = :aid;",
    "SELECT bbalance FROM pgbench_branches WHERE bid = 1;",
    "SELECT tbalance FROM pgbench_tellers WHERE tid = :tid;",
    "SELECT count(*) FROM pgbench_tellers WHERE bid = 1;",
    "SELECT sum(abalance) FROM pgbench_accounts WHERE aid BETWEEN :aid AND :aid + 1000;",
    "SELECT aid, abalance FROM pgbench_accounts WHERE aid > :aid ORDER BY aid LIMIT 10;",
    "SELECT a.abalance, b.bbalance FROM pgbench_accounts a JOIN pgbench_branches b USING (bid) WHERE a.aid = :aid;",
    "SELECT max(aid) FROM pgbench_accounts WHERE aid < :aid;",
];

/// What one run says of the statements.
struct RunVerdicts {
    statements: usize,
    /// Slower or faster, at a false discovery rate of 5 %.
    accused: usize,
    /// Of these, beyond the threshold.
    beyond: usize,
}

/// Captures the load once and replays it so many times.
pub(super) fn print_false_accusations(bench: &Bench<'_>, runs: u32) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let captured = directory.path().join("capture");
    capture_statements(bench, directory.path(), &captured);
    println!("\n## {} captured statements, a server against itself, {runs} replays\n", STATEMENTS.len());
    println!("| replay | statements | slower or faster | beyond 20 % |\n|--:|--:|--:|--:|");
    let (mut accusing, mut beyond, mut judged) = (0, 0, 0);
    for number in 1..=runs {
        let verdicts = replay_once(bench, &captured, directory.path(), number);
        println!("| {number} | {} | {} | {} |", verdicts.statements, verdicts.accused, verdicts.beyond);
        judged += verdicts.statements;
        accusing += u32::from(verdicts.accused > 0);
        beyond += u32::from(verdicts.beyond > 0);
    }
    println!(
        "\n{runs} replays, {judged} statements judged: {accusing} replays call a statement slower or faster, {beyond} of them \
         beyond the threshold"
    );
}

fn capture_statements(bench: &Bench<'_>, directory: &Path, out: &Path) {
    let proxy = CapturingProxy::start_capture(bench, out);
    let (clients, transactions) = (CLIENTS.to_string(), CAPTURED.to_string());
    let mut files = Vec::new();
    for (number, statement) in STATEMENTS.iter().enumerate() {
        let file = directory.join(format!("{number}.sql"));
        let text = format!("\\set aid random(1, 90000)\n\\set tid random(1, 10)\n{statement}\n");
        std::fs::write(&file, text).expect("a script");
        files.push(file.display().to_string());
    }
    let mut options = vec!["-n", "-M", "prepared", "-j", "1", "-c", &clients, "-t", &transactions];
    for file in &files {
        options.extend(["-f", file]);
    }
    options.push(DATABASE);
    let pgbench = bench.server.tool("pgbench");
    tool::run(&mut pgbench_like(&pgbench, bench.server, Way::Tcp(proxy.port()), &options), bench.server);
    proxy.stop_capture();
}

/// One run of five blocks, whose sides alternate.
fn replay_once(bench: &Bench<'_>, captured: &Path, directory: &Path, seed: u32) -> RunVerdicts {
    let socket = bench.server.socket_directory().display();
    let target = format!("host={socket} port={} user={} dbname={DATABASE}", bench.server.port(), bench.server.user());
    let text = format!(
        "name: A/A\ntargets:\n  a: {{ url: \"{target}\" }}\n  b: {{ url: \"{target}\" }}\nbaseline: a\nworkloads:\n  \
         w: {{ captured: \"{}\", reads: true }}\nclients: {CLIENTS}\nthreads: 1\nseed: {seed}\n\
         trial: {{ warm_up: 0.5s, measure: 2s }}\nblocks: {{ at_least: 5, at_most: 5 }}\nstatements: {{ threshold: 20% }}\n",
        captured.display()
    );
    let plan = directory.join("plan.yaml");
    std::fs::write(&plan, text).expect("a plan");
    let runs = directory.join(format!("runs{seed}"));
    let mut command = Command::new(bench.pgdyno);
    command.args(["run", "--quiet", "--runs"]).arg(&runs).arg(&plan).env("PGPASSWORD", bench.server.password());
    let output = command.stdout(Stdio::null()).output().expect("pgdyno starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1 | 4)), "{command:?}: {said}");
    let mut command = Command::new(bench.pgdyno);
    command.args(["report", "--quiet", "--format", "csv", "--table", "own-load"]).arg(runs.join("latest"));
    let output = command.output().expect("pgdyno starts");
    let table = String::from_utf8_lossy(&output.stdout);
    let mut verdicts = RunVerdicts { statements: 0, accused: 0, beyond: 0 };
    for row in table.lines().skip(1) {
        // The statement has commas; the last columns are the verdict and whether it is beyond the threshold.
        let mut columns = row.rsplit(',');
        let (is_beyond, verdict) = (columns.next() == Some("true"), columns.next().unwrap_or_default());
        verdicts.statements += 1;
        verdicts.accused += usize::from(verdict == "improved" || verdict == "regressed");
        verdicts.beyond += usize::from(is_beyond);
    }
    assert!(verdicts.statements > 0, "no statements in {table}{}", String::from_utf8_lossy(&output.stderr));
    std::fs::remove_dir_all(&runs).expect("it is ours");
    verdicts
}
