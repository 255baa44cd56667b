//! In steady state a transaction allocates nothing.

mod counting_allocator;

use conninfo::{ConnInfo, ServerHost};
use counting_allocator::CountingAllocator;
use load::ledger::LedgerKept;
use load::workload::sysbench::Sysbench;
use load::{
    Arrivals, AtListEnd, EngineEvent, EngineJob, IoBackend, LoadPhase, OfferedRate, ParsedScript, QueryMode,
    StopRequest, Think, TimedSessions, TimedTransaction, TransactionOrder, TransactionPace, TurnTakingJobs, TurnsEvent,
    ValueRows,
};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use testbed::Postgres;
use work::{SysbenchOptions, SysbenchScript, WordChoice as _};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// Allocations that a second may cost whatever happens in it: its report passes through channels, which allocate now
/// and then.
const PER_SECOND: usize = 40;

/// How many seconds with so many transactions that an allocation in each could not be overlooked end a run.
const TELLING_SECONDS: usize = 3;

/// When a run ends without them: a busy machine can stand still for a while.
const LONGEST: Duration = Duration::from_secs(60);

/// All allocations of the process are counted together: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// A script that uses what the built-in ones do not.
fn language() -> ParsedScript {
    let text = r"\set a random_zipfian(1, 1000, 1.2)
\set b case when :a > 10 and :a is not null then sqrt(:a) else hash(:a) % 100 / 7.0 end
SELECT CAST(:a AS int) AS x, repeat('y', CAST(:a AS int) % 50) AS y, 'unused' AS z \gset p_
\if :p_x > 5
\startpipeline
SELECT CAST(:p_y AS text);
SELECT CAST(:b AS float8);
\endpipeline
\else
\sleep 10 us
SELECT CAST(:b AS float8);
\endif
";
    ParsedScript::parse("language", text).expect("it parses")
}

/// The script of one of sysbench's workloads.
fn sysbench(script: SysbenchScript) -> ParsedScript {
    Sysbench::new(script, SysbenchOptions::default(), 1).expect("the options fit").transaction_script()
}

/// What that works on, as `sysbench prepare` makes it.
const SYSBENCH_TABLE: &str = "\
CREATE TABLE sbtest1 (id serial PRIMARY KEY, k int NOT NULL, c char(120) NOT NULL, pad char(60) NOT NULL);
INSERT INTO sbtest1 (k, c, pad) SELECT n, repeat('1', 119), repeat('2', 59) FROM generate_series(1, 10000) AS n;
CREATE INDEX k_1 ON sbtest1 (k)";

#[test]
fn allocations_do_not_grow_with_transactions() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let postgres = Postgres::start_default();
    let database = postgres.pgbench_database();
    postgres.query_database(&database, SYSBENCH_TABLE);
    assert!(ALLOCATOR.allocations() > 0, "nothing is counted");
    let open = TransactionPace::Open { arrivals: Arrivals::Poisson, rate: OfferedRate::Constant(200.0) };
    // As often as an allocation in each could not be overlooked, which leaves the CPUs to others.
    let pausing = || TransactionPace::Closed { think: Some(Think::Fixed(Duration::from_millis(5))) };
    for (backend, mode, script, pace) in [
        (IoBackend::Epoll, QueryMode::Prepared, "select-only", TransactionPace::default()),
        (IoBackend::Epoll, QueryMode::Extended, "select-only", pausing()),
        (IoBackend::Epoll, QueryMode::Simple, "simple-update", pausing()),
        (available(IoBackend::IoUring, &postgres), QueryMode::Prepared, "select-only", TransactionPace::default()),
        (IoBackend::Epoll, QueryMode::Prepared, "select-only", open),
        (IoBackend::Epoll, QueryMode::Prepared, "language", pausing()),
        (IoBackend::Epoll, QueryMode::Extended, "language", pausing()),
        (available(IoBackend::IoUring, &postgres), QueryMode::Prepared, "oltp_point_select", pausing()),
        (IoBackend::Epoll, QueryMode::Prepared, "oltp_write_only", pausing()),
    ] {
        // Keeping a ledger allocates nothing either.
        let with_ledger = load::ledger::ledger_script(script);
        let ledger = if with_ledger.is_some() { LedgerKept::Yes } else { LedgerKept::No };
        let named = || ParsedScript::builtin(script).or_else(|| SysbenchScript::from_word(script).map(sysbench));
        let program = with_ledger.or_else(named).unwrap_or_else(language);
        let job = EngineJob {
            backend,
            ledger,
            mode,
            pace,
            clients: NonZeroU32::new(4).expect("not zero"),
            threads: NonZeroU32::new(2).expect("not zero"),
            warm_up: Duration::from_secs(2),
            measure: LONGEST.into(),
            seed: 1,
            ..EngineJob::new(server(&postgres, &database), program)
        };
        // Noting the results of listed transactions allocates nothing either.
        let listed = TransactionOrder::from_scripts([0; 5000], AtListEnd::Repeat).map(Arc::new);
        let job = if mode == QueryMode::Extended { EngineJob { order: listed, ..job }.noting_results() } else { job };
        let (stop, steady) = steady_seconds(&job);
        assert!(stop.is_requested(), "too few transactions to tell: {script} {mode:?} {backend:?}: {steady:?}");
        for (_, allocations) in &steady {
            assert!(*allocations <= PER_SECOND, "{script} {mode:?} {backend:?}: {steady:?}");
        }
    }
}

#[test]
fn neither_do_they_grow_with_transactions_or_turns_where_sides_take_turns() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let postgres = Postgres::start_default();
    let database = postgres.pgbench_database();
    for backend in [IoBackend::Epoll, available(IoBackend::IoUring, &postgres)] {
        let job = EngineJob {
            backend,
            clients: NonZeroU32::new(4).expect("not zero"),
            threads: NonZeroU32::new(2).expect("not zero"),
            warm_up: Duration::from_secs(1),
            measure: LONGEST.into(),
            ..EngineJob::new(server(&postgres, &database), ParsedScript::builtin("select-only").expect("a built-in"))
        };
        let turns = TurnTakingJobs {
            sides: vec![job.clone(), job],
            length: Duration::from_millis(50),
            transactions_at_least: 0,
            seed: 1,
            between: None,
        };
        let mut steady: Vec<(u64, usize)> = Vec::with_capacity(256);
        let mut before = None;
        let stop = StopRequest::new();
        let run = load::run_turns(&turns, &stop, &mut |event| {
            let TurnsEvent::Second { second, .. } = event else { return };
            let allocations = ALLOCATOR.allocations();
            // The phases are not cut before they are known, and the seconds of the two sides come one right after the
            // other.
            if let (Some(before), LoadPhase::Measure) = (before.replace(allocations), second.phase) {
                steady.push((second.scripts[0].latency.count(), allocations - before));
            }
            let telling = steady.iter().filter(|(transactions, _)| *transactions > 2 * PER_SECOND as u64).count();
            if telling == 2 * TELLING_SECONDS {
                stop.request_stop();
            }
        });
        run.expect("it runs");
        assert!(stop.is_requested(), "too few transactions to tell: {backend:?}: {steady:?}");
        for (_, allocations) in &steady[2..] {
            assert!(*allocations <= PER_SECOND, "{backend:?}: {steady:?}");
        }
    }
}

#[test]
fn neither_do_they_grow_with_transactions_where_sessions_are_timed() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let postgres = Postgres::start_default();
    let database = postgres.pgbench_database();
    let text =
        "\\values rows.csv listed\nBEGIN \\gsimple\n\\sleep :p2 us\nSELECT CAST(:v1 AS text);\nCOMMIT \\gsimple\n";
    let rows = ValueRows::from_csv(b"v1,p2\n\"one\",\"200\"\n\"another\",\"0\"\n").expect("rows");
    let script = ParsedScript::parse("timed", text).expect("it parses");
    let script = script.with_values("rows.csv", &Arc::new(rows)).prepared_when_executed();
    // 50 a second of each client, until long after the run has ended.
    let client = |client: u64| -> Vec<TimedTransaction> {
        let due_ns = |number: u64| number * 20_000_000 + client * 5_000_000;
        let at =
            |number| TimedTransaction { due_ns: due_ns(number), script: 0, row: number as u32 % 2, connect_ns: None };
        (0..3_000).map(at).collect()
    };
    let window_ends_ns = vec![LONGEST.as_nanos() as u64 + 1_000_000_000];
    let sessions = TimedSessions::from_clients((0..4).map(client).collect(), window_ends_ns).expect("in order");
    let job = EngineJob {
        pace: TransactionPace::Timed(Arc::new(sessions)),
        clients: NonZeroU32::new(4).expect("not zero"),
        threads: NonZeroU32::new(2).expect("not zero"),
        warm_up: Duration::from_secs(2),
        measure: LONGEST.into(),
        ..EngineJob::new(server(&postgres, &database), script)
    };
    let (stop, steady) = steady_seconds(&job);
    assert!(stop.is_requested(), "too few transactions to tell: {steady:?}");
    assert!(steady.iter().all(|(_, allocations)| *allocations <= PER_SECOND), "{steady:?}");
}

/// Executes a job until enough seconds tell something. Of the steady state: the transactions and allocations of every
/// second after the first, against the one before it. The run was not stopped where too few tell.
fn steady_seconds(job: &EngineJob) -> (StopRequest, Vec<(u64, usize)>) {
    let mut steady: Vec<(u64, usize)> = Vec::with_capacity(64);
    let mut before = None;
    let stop = StopRequest::new();
    let run = load::run_job(job, &stop, &mut |event| {
        let EngineEvent::Second(second) = event else { return };
        let allocations = ALLOCATOR.allocations();
        if let Some(before) = before.replace(allocations) {
            steady.push((second.scripts[0].latency.count(), allocations - before));
        }
        let telling = steady.iter().filter(|(transactions, _)| *transactions > 2 * PER_SECOND as u64).count();
        if telling == TELLING_SECONDS {
            stop.request_stop();
        }
    });
    run.expect("it runs");
    (stop, steady)
}

/// How the engine reaches a database.
fn server(postgres: &Postgres, database: &str) -> ConnInfo {
    ConnInfo::new((ServerHost::Unix(postgres.server_directory().to_owned()), postgres.tcp_port()), "postgres", database)
}

/// `io_uring` where it can be had, so that a machine without it tests the rest.
fn available(wanted: IoBackend, postgres: &Postgres) -> IoBackend {
    let attempt = EngineJob {
        backend: wanted,
        measure: Duration::from_millis(1).into(),
        ..EngineJob::new(server(postgres, "postgres"), ParsedScript::builtin("select-only").expect("a built-in"))
    };
    match load::run_job(&attempt, &StopRequest::new(), &mut |_| ()) {
        Err(load::LoadError::System { action: "use io_uring", .. }) => IoBackend::Epoll,
        _ => wanted,
    }
}
