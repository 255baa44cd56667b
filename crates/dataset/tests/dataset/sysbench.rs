//! sysbench's data and workloads against a real PostgreSQL and beside the real sysbench: each works on the other's
//! tables, both send the same statements equally often, and both draw the same keys.

use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroU64};

use conninfo::ConnInfo;
use control::Config;
use dataset::{Data, DatasetError, Ensured, Ownership, SysbenchData, drop_owned, ensure_dataset, prepare_trial};
use load::workload::sysbench::Sysbench;
use load::{EngineJob, JobExtent, QueryMode, StatementCounts, StopRequest, Summary};
use work::{Distribution, Shape, SysbenchOptions, SysbenchScript, SysbenchTables, TableAccess, WordChoice as _};

use crate::server::{Server, connect, execute, shared, text};

/// Small enough for a test; every kind of statement finds rows.
fn small() -> SysbenchOptions {
    on(SysbenchTables { table_size: 1_000, tables: 2, ..SysbenchTables::default() })
}

/// The same in one table.
fn one_table() -> SysbenchOptions {
    on(SysbenchTables { tables: 1, ..small().tables })
}

fn on(tables: SysbenchTables) -> SysbenchOptions {
    SysbenchOptions { tables, ..SysbenchOptions::default() }
}

/// What the real sysbench is told of these options.
fn arguments(sysbench: &Sysbench) -> Vec<String> {
    let on = |on: bool| if on { "on" } else { "off" };
    let options = sysbench.options();
    vec![
        format!("--table_size={}", options.tables.table_size),
        format!("--tables={}", options.tables.tables),
        format!("--threads={}", sysbench.clients()),
        format!("--auto_inc={}", on(options.tables.auto_inc)),
        format!("--skip_trx={}", on(options.skip_trx)),
        format!("--range_selects={}", on(options.range_selects)),
        format!("--rand-type={}", options.distribution.shape().as_word()),
        "--rand-seed=1".to_owned(),
    ]
}

/// The scripts of sysbench, with options that they take.
fn scripts() -> impl Iterator<Item = (SysbenchScript, Sysbench)> {
    let all = SysbenchScript::ALL.iter().copied();
    all.map(|script| (script, sysbench(script, if script.divides_one_table() { one_table() } else { small() })))
}

fn sysbench(script: SysbenchScript, options: SysbenchOptions) -> Sysbench {
    Sysbench::new(script, options, 1).expect("the options fit")
}

async fn managed(config: &Config, sysbench: &Sysbench) -> Ensured {
    set_up(config, sysbench, Ownership::Managed).await.unwrap_or_else(|e| panic!("{e}: {:?}", e.detail()))
}

fn data_of(sysbench: &Sysbench) -> Data {
    Data::from(SysbenchData::new(sysbench.transaction(), sysbench.options(), sysbench.clients()))
}

async fn set_up(config: &Config, sysbench: &Sysbench, ownership: Ownership) -> Result<Ensured, DatasetError> {
    ensure_dataset(config, &data_of(sysbench), ownership, &StopRequest::new(), &mut |_| {}).await
}

fn real(server: &Server, config: &Config, sysbench: &Sysbench, more: &[&str]) -> String {
    let arguments = arguments(sysbench);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).chain(more.iter().copied()).collect();
    server.sysbench(config, sysbench.transaction().sysbench_name(), &arguments)
}

async fn ours(server: &Server, config: &Config, sysbench: &Sysbench, mode: QueryMode, transactions: u64) -> Summary {
    let clients = NonZeroU32::new(sysbench.clients()).expect("not zero");
    // Where clients meet, the server is not to wait a second before it looks for a deadlock.
    let engine = ConnInfo { options: Some("-c deadlock_timeout=5ms".to_owned()), ..server.engine(config) };
    let job = EngineJob {
        mode,
        clients,
        measure: JobExtent::Transactions(NonZeroU64::new(transactions).expect("not zero")),
        seed: 7,
        ..EngineJob::new(engine, sysbench.transaction_script())
    };
    let run = move || load::run_job(&job, &StopRequest::new(), &mut |_| ());
    let summary = tokio::task::spawn_blocking(run).await.expect("no panic").expect("it runs");
    assert_eq!(
        (summary.failed, summary.unknown),
        (0, 0),
        "{}: {:?}",
        sysbench.transaction().sysbench_name(),
        summary.errors
    );
    summary
}

async fn fingerprint(config: &Config) -> Vec<String> {
    let mut facts = Vec::new();
    for sql in [
        "SELECT string_agg(concat_ws(' ', c.relname, a.attname, format_type(atttypid, atttypmod), attnotnull, attstorage,
                                     pg_get_expr(adbin, adrelid)), ', ' ORDER BY c.relname, attnum)
           FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid LEFT JOIN pg_attrdef ON adrelid = c.oid AND adnum = attnum
          WHERE c.relname LIKE 'sbtest_' AND attnum > 0",
        "SELECT string_agg(indexdef, ', ' ORDER BY indexname) FROM pg_indexes WHERE tablename LIKE 'sbtest%'",
        "SELECT string_agg(conname || ' ' || pg_get_constraintdef(oid), ', ' ORDER BY conname)
           FROM pg_constraint WHERE conrelid = 'sbtest1'::regclass",
        "SELECT last_value || ' ' || is_called FROM sbtest1_id_seq",
        "SELECT pg_get_serial_sequence('sbtest2', 'id')",
        "SELECT concat_ws(' ', count(*), count(DISTINCT id), min(id), max(id), min(k) >= 1, max(k) <= 1000) FROM sbtest1",
        "SELECT pg_relation_size('sbtest2')",
        "SELECT bool_and(c ~ '^([0-9]{11}-){9}[0-9]{11} $' AND pad ~ '^([0-9]{11}-){4}[0-9]{11} $') FROM sbtest2",
    ] {
        facts.push(text(config, sql).await);
    }
    facts
}

#[tokio::test(flavor = "multi_thread")]
async fn our_tables_are_those_that_sysbench_prepares() {
    let server = shared();
    for auto_inc in [true, false] {
        let sysbench = sysbench(SysbenchScript::ReadWrite, on(SysbenchTables { auto_inc, ..small().tables }));
        let (theirs, made) = (server.database(), server.database());
        real(&server, &theirs, &sysbench, &["prepare"]);
        managed(&made, &sysbench).await;
        if !auto_inc {
            // There is no sequence to be asked.
            for config in [&theirs, &made] {
                execute(config, "CREATE VIEW sbtest1_id_seq AS SELECT 1 AS last_value, true AS is_called").await;
            }
        }
        assert_eq!(fingerprint(&made).await, fingerprint(&theirs).await, "auto_inc={auto_inc}");
        assert_eq!(managed(&made, &sysbench).await, Ensured::Reused);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_real_sysbench_runs_on_our_tables_and_we_on_its() {
    let server = shared();
    for (script, sysbench) in scripts() {
        let name = script.as_word();
        let (theirs, made) = (server.database(), server.database());
        managed(&made, &sysbench).await;
        let printed = real(&server, &made, &sysbench, &["--events=30", "--time=0", "run"]);
        assert!(printed.contains("total number of events:              30"), "{name}: {printed}");
        real(&server, &theirs, &sysbench, &["prepare"]);
        let outcome = set_up(&theirs, &sysbench, Ownership::Existing).await;
        assert!(matches!(outcome, Ok(Ensured::Reused)), "{name}: {outcome:?}");
        for mode in [QueryMode::Prepared, QueryMode::Simple, QueryMode::Extended] {
            if script == SysbenchScript::BulkInsert {
                execute(&theirs, "TRUNCATE sbtest1").await;
            }
            assert_eq!(
                ours(&server, &theirs, &sysbench, mode, 5).await.successful_transactions(),
                5,
                "{name} {mode:?}"
            );
        }
        let refused = set_up(&theirs, &sysbench, Ownership::Managed).await;
        assert!(matches!(refused, Err(DatasetError::NotOurs { .. })), "{name}: {refused:?}");
    }
}

/// How often each statement was executed in this database since the last reset, without what the test itself asks.
async fn calls(config: &Config) -> BTreeMap<String, i64> {
    let client = connect(config).await;
    let rows = client
        .query(
            "SELECT query, calls FROM pg_stat_statements(true)
              WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND query ~ 'sbtest|^(BEGIN|COMMIT|ROLLBACK)'",
            &[],
        )
        .await
        .expect("statements");
    let words = |query: String| query.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(");
    let mut calls = BTreeMap::new();
    for row in rows {
        *calls.entry(words(row.get(0))).or_default() += row.get::<_, i64>(1);
    }
    calls
}

async fn forget_calls(config: &Config) {
    let database = "(SELECT oid FROM pg_database WHERE datname = current_database())";
    execute(config, &format!("SELECT pg_stat_statements_reset(0, {database}, 0)")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_has_the_statements_of_sysbench() {
    let server = shared();
    // In which table a statement comes is drawn; with one table the numbers are exact.
    let scripts = SysbenchScript::ALL.iter().copied().filter(|script| *script != SysbenchScript::BulkInsert);
    let bare = SysbenchOptions { skip_trx: true, range_selects: false, ..one_table() };
    let not_serial = on(SysbenchTables { auto_inc: false, ..one_table().tables });
    let others = [(SysbenchScript::ReadWrite, bare), (SysbenchScript::Insert, not_serial)];
    for (script, options) in scripts.map(|script| (script, one_table())).chain(others) {
        let sysbench = sysbench(script, options);
        let config = server.database();
        execute(&config, "CREATE EXTENSION pg_stat_statements").await;
        managed(&config, &sysbench).await;
        forget_calls(&config).await;
        real(&server, &config, &sysbench, &["--events=20", "--time=0", "run"]);
        let theirs = calls(&config).await;
        assert!(!theirs.is_empty());
        forget_calls(&config).await;
        ours(&server, &config, &sysbench, QueryMode::Prepared, 20).await;
        assert_eq!(calls(&config).await, theirs, "{}", script.as_word());
    }
}

/// The number that sysbench prints after this word.
fn printed(output: &str, what: &str) -> u64 {
    let line = output.lines().find_map(|line| line.trim().strip_prefix(what)).unwrap_or_else(|| panic!("{output}"));
    line.trim().parse().expect("a number")
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_writes_and_other_statements_are_counted_as_sysbench_counts_them() {
    let server = shared();
    for (script, sysbench) in scripts() {
        // In bulk_insert sysbench counts rows, and deletes of ids that are gone depend on what was drawn.
        if matches!(script, SysbenchScript::BulkInsert | SysbenchScript::Delete) {
            continue;
        }
        let config = server.database();
        managed(&config, &sysbench).await;
        let output = real(&server, &config, &sysbench, &["--events=25", "--time=0", "run"]);
        let summary = ours(&server, &config, &sysbench, QueryMode::Prepared, 25).await;
        let expected = StatementCounts {
            reads: printed(&output, "read:"),
            writes: printed(&output, "write:"),
            others: printed(&output, "other:"),
        };
        let statements = summary.scripts[0].statements;
        assert_eq!(statements, expected, "{}", sysbench.transaction().sysbench_name());
        let each = (statements.reads / 25, statements.writes / 25, statements.others / 25);
        match script {
            SysbenchScript::ReadOnly => assert_eq!(each, (14, 0, 2)),
            SysbenchScript::ReadWrite => assert_eq!(each, (14, 4, 2)),
            SysbenchScript::WriteOnly => assert_eq!(each, (0, 4, 2)),
            _ => {}
        }
    }
}

/// How often each of the first `size` ids was updated: what `k` has become from 0.
async fn drawn(config: &Config) -> Vec<f64> {
    let rows = connect(config).await.query("SELECT k::float8 FROM sbtest1 ORDER BY id", &[]).await.expect("rows");
    rows.iter().map(|row| row.get(0)).collect()
}

/// The χ² of two samples of equal size, over cells of at least 40 draws together, and its degrees of freedom.
fn chi_squared(a: &[f64], b: &[f64]) -> (f64, f64) {
    let (mut sum, mut cells, mut cell) = (0.0, 0.0, (0.0, 0.0));
    for (a, b) in a.iter().zip(b) {
        cell = (cell.0 + a, cell.1 + b);
        if cell.0 + cell.1 >= 40.0 {
            sum += (cell.0 - cell.1) * (cell.0 - cell.1) / (cell.0 + cell.1);
            cells += 1.0;
            cell = (0.0, 0.0);
        }
    }
    (sum, cells - 1.0)
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_distributed_as_the_real_sysbench_draws_them() {
    const DRAWS: u64 = 4_000;
    let server = shared();
    // sysbench 1.0 has no zipfian.
    for shape in Shape::ALL.iter().filter(|shape| **shape != Shape::Zipfian) {
        let (name, distribution) = (shape.as_word(), Distribution::from_shape(*shape));
        let tables = SysbenchTables { create_secondary: false, ..one_table().tables };
        let sysbench = sysbench(SysbenchScript::UpdateIndex, SysbenchOptions { distribution, ..on(tables) });
        let config = server.database();
        managed(&config, &sysbench).await;
        execute(&config, "UPDATE sbtest1 SET k = 0").await;
        real(&server, &config, &sysbench, &[&format!("--events={DRAWS}"), "--time=0", "run"]);
        let theirs = drawn(&config).await;
        execute(&config, "UPDATE sbtest1 SET k = 0").await;
        ours(&server, &config, &sysbench, QueryMode::Prepared, DRAWS).await;
        let (sum, freedom) = chi_squared(&drawn(&config).await, &theirs);
        // Both seeds are fixed, so this holds always or never; by chance it fails once in some ten thousand seeds.
        assert!(freedom > 5.0 && sum < freedom + 4.0 * (2.0 * freedom).sqrt(), "{name}: {sum} of {freedom}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trial_starts_with_the_rows_of_the_set_up_whatever_the_one_before_did() {
    let server = shared();
    let config = server.database();
    let delete = sysbench(SysbenchScript::Delete, small());
    let data = data_of(&delete);
    managed(&config, &delete).await;
    ours(&server, &config, &delete, QueryMode::Prepared, 50).await;
    ours(&server, &config, &sysbench(SysbenchScript::Insert, small()), QueryMode::Prepared, 5).await;
    let client = connect(&config).await;
    let readied =
        prepare_trial(&client, &data, Ownership::Existing, TableAccess::Writes).await.expect("a superuser may");
    assert_eq!(readied.executed, ["VACUUM sbtest1", "VACUUM sbtest2", "CHECKPOINT"], "rows of others are not touched");
    let state = "SELECT concat_ws(' ', (SELECT concat_ws(' ', count(*), min(id), max(id)) FROM sbtest1),
                                       (SELECT concat_ws(' ', count(*), min(id), max(id)) FROM sbtest2),
                                       (SELECT last_value FROM sbtest1_id_seq), (SELECT last_value FROM sbtest2_id_seq))";
    let whole = "1000 1 1000 1000 1 1000 1000 1000";
    assert_ne!(text(&config, state).await, whole);
    // Before a trial that reads, too: it would read other rows.
    let readied = prepare_trial(&client, &data, Ownership::Managed, TableAccess::Reads).await.expect("a superuser may");
    assert!(readied.executed.iter().any(|sql| sql.starts_with("INSERT INTO sbtest")), "{readied:?}");
    assert_eq!(text(&config, state).await, whole);
    let readied = prepare_trial(&client, &data, Ownership::Managed, TableAccess::Reads).await.expect("a superuser may");
    assert!(readied.executed.is_empty(), "{readied:?}");
    assert_eq!(managed(&config, &delete).await, Ensured::Reused);
}

#[tokio::test(flavor = "multi_thread")]
async fn damage_to_sysbench_tables_of_ours_is_found_and_repaired() {
    let server = shared();
    let config = server.database();
    let sysbench = sysbench(SysbenchScript::ReadWrite, small());
    managed(&config, &sysbench).await;
    for (damage, found) in [
        ("DELETE FROM sbtest2 WHERE id = 500", "sbtest2 lacks 1 of 1000 rows that were looked up"),
        ("DELETE FROM sbtest1 WHERE id = 1000", "sbtest1 has ids from 1 to 999 instead of ids from 1 to 1000"),
        ("DROP INDEX k_2", "sbtest2 has no index k_2"),
        (
            "ALTER TABLE sbtest1 ALTER id DROP DEFAULT, ALTER k TYPE bigint",
            "sbtest1 has columns id integer not null, k bigint",
        ),
        ("DROP SEQUENCE sbtest1_id_seq CASCADE", "sbtest1 does not generate its ids"),
        ("DROP TABLE sbtest2", "sbtest2 does not exist"),
    ] {
        execute(&config, damage).await;
        let Ensured::Recreated { defects, .. } = managed(&config, &sysbench).await else {
            panic!("{damage}: not made anew");
        };
        assert!(defects.iter().any(|defect| defect.to_string().starts_with(found)), "{damage}: {defects:?}");
    }
    assert_eq!(drop_owned(&config, &StopRequest::new()).await.expect("ours are dropped"), ["sbtest1", "sbtest2"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conflict_between_clients_restarts_the_transaction_as_in_sysbench() {
    let server = shared();
    let config = server.database();
    let tables = SysbenchTables { table_size: 3, ..one_table().tables };
    let options = SysbenchOptions { distribution: Distribution::Uniform, ..on(tables) };
    let sysbench = Sysbench::new(SysbenchScript::WriteOnly, options, 8).expect("the options fit");
    managed(&config, &sysbench).await;
    // Three rows and eight writers: they delete and insert the same ids.
    let summary = ours(&server, &config, &sysbench, QueryMode::Prepared, 60).await;
    assert_eq!(summary.successful_transactions(), 480);
    assert!(summary.retries > 0, "no two clients met");
}
