//! Sessions whose transactions begin at given instants, on the real server.

use crate::server::shared;
use crate::{job, script};
use load::{
    EngineJob, ParsedScript, StopRequest, Summary, TimedSessions, TimedTransaction, TransactionPace, TurnTakingJobs,
    Weighted,
};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

const MS: u64 = 1_000_000;

fn due(due_ms: u64, script: u32) -> TimedTransaction {
    TimedTransaction { due_ns: due_ms * MS, script, row: 0, connect_ns: None }
}

/// Runs these sessions; each client is one of them at a time.
fn replay(server: conninfo::ConnInfo, scripts: Vec<ParsedScript>, clients: Vec<Vec<TimedTransaction>>) -> Summary {
    let count = NonZeroU32::new(clients.len() as u32).expect("not zero");
    let sessions = TimedSessions::from_clients(clients, vec![10_000 * MS]).expect("they are in order");
    let first = scripts[0].clone();
    let timed = EngineJob {
        scripts: scripts.into_iter().map(Weighted::with_weight_one).collect(),
        clients: count,
        threads: count.min(NonZeroU32::MIN.saturating_add(1)),
        pace: TransactionPace::Timed(Arc::new(sessions)),
        measure: Duration::from_secs(30).into(),
        ..job(server, first)
    };
    crate::run(&timed).expect("it runs")
}

#[test]
fn each_session_has_a_connection_and_the_state_of_its_own() {
    let postgres = shared();
    let database = postgres.empty_database();
    postgres.query_database(&database, "CREATE TABLE seen (n serial, pid int, memory text)");
    let scripts = vec![
        script("SET work_mem = '7MB' \\gsimple"),
        script("INSERT INTO seen (pid, memory) SELECT pg_backend_pid(), current_setting('work_mem');")
            .prepared_when_executed(),
        script("DISCARD ALL \\gsimple"),
    ];
    let next_session = TimedTransaction { connect_ns: Some(200 * MS), ..due(250, 1) };
    let clients = vec![
        vec![due(0, 0), due(50, 1), due(100, 2), due(150, 1), next_session, due(300, 0), due(350, 1)],
        vec![due(20, 1)],
    ];
    let summary = replay(postgres.unix(&database), scripts, clients);
    postgres.wait_until_left(&database);
    assert_eq!((summary.successful_transactions(), summary.failed, summary.unfinished), (8, 0, 0));
    assert!(!summary.interrupted, "the last transaction ends the load");
    let open = summary.open.as_ref().expect("instants do not depend on the server");
    assert_eq!((open.offered, open.skipped, open.waiting), (8, 0, 0));
    let of = |sql: &str| postgres.query_database(&database, sql);
    assert_eq!(of("SELECT string_agg(memory, ' ' ORDER BY n) FROM seen").trim(), "4MB 7MB 4MB 4MB 7MB");
    assert_eq!(of("SELECT count(DISTINCT pid) FROM seen").trim(), "3");
}

#[test]
fn the_latency_of_a_transaction_begins_when_it_was_due() {
    let postgres = shared();
    let database = postgres.empty_database();
    let scripts = vec![script("SELECT pg_sleep(0.3);"), script("SELECT 1;")];
    let summary = replay(postgres.unix(&database), scripts, vec![vec![due(0, 0), due(100, 1)]]);
    // It waits for the one before it in its session for 200 ms, and takes next to no time itself.
    let waited = &summary.scripts[1].latency;
    assert_eq!(waited.count(), 1);
    assert!(waited.histogram().min() >= 190 * MS, "{} ns", waited.histogram().min());
    let open = summary.open.as_ref().expect("instants do not depend on the server");
    assert!(open.lag_queued.histogram().max() >= 190 * MS);
}

#[test]
fn sessions_of_another_number_of_clients_are_refused() {
    let sessions = TimedSessions::from_clients(vec![vec![due(0, 0)]], vec![MS]).expect("in order");
    let postgres = shared();
    let database = postgres.empty_database();
    let pace = TransactionPace::Timed(Arc::new(sessions));
    let measure = Duration::from_secs(1).into();
    let two = EngineJob { pace, measure, ..job(postgres.unix(&database), script("SELECT 1;")) };
    let refused = load::check_job(&two).expect_err("it has two clients");
    assert!(refused.to_string().contains("not those of as many clients"), "{refused}");
}

#[test]
fn sides_that_take_turns_have_each_window_once_and_end_with_the_last() {
    let postgres = shared();
    let database = postgres.empty_database();
    postgres.query_database(&database, "CREATE TABLE done (side text)");
    let side = |name: &str| {
        let clients = vec![(0..20).map(|number| due(number * 20, 0)).collect()];
        let sessions = TimedSessions::from_clients(clients, vec![100 * MS, 250 * MS, 400 * MS]).expect("in order");
        EngineJob {
            clients: NonZeroU32::MIN,
            threads: NonZeroU32::MIN,
            pace: TransactionPace::Timed(Arc::new(sessions)),
            measure: Duration::from_secs(30).into(),
            ..job(postgres.unix(&database), script(&format!("INSERT INTO done VALUES ('{name}');")))
        }
    };
    let length = Duration::from_millis(50);
    let sides = vec![side("one"), side("other")];
    let turns = TurnTakingJobs { sides, length, transactions_at_least: 0, seed: 1, between: None };
    let done = load::run_turns(&turns, &StopRequest::new(), &mut |_| ()).expect("it runs");
    let rounds: Vec<Vec<usize>> =
        done.whole_rounds().map(|round| round.iter().map(|turn| turn.side).collect()).collect();
    assert_eq!(rounds.len(), 3, "a round for each window");
    for (summary, name) in done.sides.iter().zip(["one", "other"]) {
        assert_eq!((summary.successful_transactions(), summary.failed, summary.interrupted), (20, 0, false), "{name}");
        assert_eq!(postgres.query_number(&database, &format!("SELECT count(*) FROM done WHERE side = '{name}'")), 20);
    }
    let lengths: Vec<u64> = done.measured_turns().map(|turn| (turn.duration_ns() - turn.overrun_ns) / MS).collect();
    assert_eq!(lengths, [100, 100, 150, 150, 150, 150]);
}

#[test]
fn a_window_ends_when_its_late_transactions_have_ended() {
    let postgres = shared();
    let database = postgres.empty_database();
    let side = || {
        // In both windows the second transaction of a session has to wait for the first one beyond the window's end; in
        // the second window it also has a connection of its own.
        let next_session = TimedTransaction { connect_ns: Some(160 * MS), ..due(170, 1) };
        let clients = vec![vec![due(10, 0), due(20, 1), due(150, 0), next_session], vec![due(0, 1), due(190, 1)]];
        let sessions = TimedSessions::from_clients(clients, vec![100 * MS, 200 * MS]).expect("in order");
        EngineJob {
            scripts: [script("SELECT pg_sleep(0.4);"), script("SELECT 1;")].map(Weighted::with_weight_one).into(),
            clients: NonZeroU32::MIN.saturating_add(1),
            threads: NonZeroU32::MIN.saturating_add(1),
            pace: TransactionPace::Timed(Arc::new(sessions)),
            measure: Duration::from_secs(30).into(),
            ..job(postgres.unix(&database), script("SELECT 1;"))
        }
    };
    let length = Duration::from_millis(50);
    let turns =
        TurnTakingJobs { sides: vec![side(), side()], length, transactions_at_least: 0, seed: 1, between: None };
    let done = load::run_turns(&turns, &StopRequest::new(), &mut |_| ()).expect("it runs");
    for summary in &done.sides {
        assert_eq!((summary.successful_transactions(), summary.failed, summary.unfinished), (6, 0, 0));
    }
    let of_turns: Vec<u64> = done.measured_turns().map(|turn| turn.transactions).collect();
    assert_eq!(of_turns, [3, 3, 3, 3], "each is executed in its own window");
}
