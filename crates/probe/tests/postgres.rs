//! The PostgreSQL probes against real servers: every version that `PGDYNO_TEST_PG_BINS` names, or Debian's.

mod far;
mod plans;
mod pooler;
mod postgres_server;
mod processes;
mod server_log;
mod statements;
mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use postgres_server::{Server, installed_versions};
use probe::{ActivitySampling, HostScope, LoadProcesses, Probes};
use results::activity::WaitEvent;
use results::interval::Reading;

/// The longest that something which must happen may take; reached only when it does not happen.
const AT_MOST: Duration = Duration::from_secs(30);

type Readings = BTreeMap<String, Reading>;

async fn attached(server: &Server) -> Probes {
    let mut probes = Probes::attach_probes(Some(&server.config()), None).await;
    probes.take_first_snapshot().await;
    probes
}

fn values<'a>(readings: &'a Readings, probe: &str) -> &'a BTreeMap<String, f64> {
    match &readings[probe] {
        Reading::Values { values, .. } => values,
        Reading::Gap { gap, .. } => panic!("{probe}: {gap}"),
    }
}

fn gap<'a>(readings: &'a Readings, probe: &str) -> &'a str {
    match &readings[probe] {
        Reading::Gap { gap, .. } => gap,
        Reading::Values { values, .. } => panic!("{probe} has values: {values:?}"),
    }
}

/// Reads until `is_enough` says so, as it must within [`AT_MOST`].
async fn read_until(probes: &mut Probes, mut is_enough: impl FnMut(&Readings) -> bool) -> Readings {
    let begun = Instant::now();
    loop {
        let readings = probes.read_all().await;
        if is_enough(&readings) {
            return readings;
        }
        assert!(begun.elapsed() < AT_MOST, "still not so: {readings:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Reads until these probes have values at once: a reading on a machine that is busy may time out.
async fn read_values(probes: &mut Probes, wanted: &[&str]) -> Readings {
    read_until(probes, |readings| wanted.iter().all(|probe| matches!(readings[*probe], Reading::Values { .. }))).await
}

/// Reads until `probe` is a gap with this reason.
async fn read_gap(probes: &mut Probes, probe: &str, reason: &str) {
    read_until(probes, |readings| matches!(&readings[probe], Reading::Gap { gap, .. } if gap == reason)).await;
}

fn names(names: &str) -> BTreeSet<String> {
    names.split_whitespace().map(str::to_owned).collect()
}

/// The names that each probe has on a version, without those that depend on a setting which is off.
fn expected_names(major: u32) -> Vec<(&'static str, BTreeSet<String>)> {
    let mut database = names(
        "backends commits rollbacks blocks_read blocks_hit tuples_returned tuples_fetched tuples_inserted tuples_updated \
         tuples_deleted conflicts temp_files temp_bytes deadlocks session_time_us active_time_us \
         idle_in_transaction_time_us sessions sessions_abandoned sessions_fatal sessions_killed",
    );
    let mut bgwriter = names("buffers_clean maxwritten_clean buffers_alloc");
    let mut checkpointer = names("timed requested write_time_us sync_time_us buffers_written");
    let mut wal = names("records full_page_images bytes buffers_full writes syncs");
    if major < 17 {
        bgwriter.extend(names("buffers_backend buffers_backend_fsync"));
    } else {
        checkpointer.extend(names("restartpoints_timed restartpoints_requested restartpoints_done"));
    }
    if major >= 18 {
        // From this version on initdb turns data checksums on.
        database.extend(names("parallel_workers_to_launch parallel_workers_launched checksum_failures"));
        checkpointer.extend(names("done slru_buffers_written"));
        wal.extend(names("init_writes init_bytes"));
    }
    let mut locks =
        names("waiting waiting_for_rows waiting_for_relations waiting_for_extension blockers blockers_idle");
    if major >= 19 {
        wal.extend(names("full_page_image_bytes"));
        locks.extend(names("long_waits long_wait_us fast_path_exceeded"));
    }
    vec![
        ("pg.database", database),
        ("pg.bgwriter", bgwriter),
        ("pg.checkpointer", checkpointer),
        ("pg.wal", wal),
        ("pg.locks", locks),
        ("pg.replication", names("standbys streaming_standbys synchronous_standbys")),
        ("pg.archiver", names("archived failed")),
    ]
}

#[tokio::test]
async fn every_version_has_every_value_under_the_same_name_and_times_once_it_measures_them() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        let mut probes = attached(&server).await;
        let mut wanted: Vec<_> = expected_names(server.major_version()).into_iter().map(|(probe, _)| probe).collect();
        if server.major_version() >= 16 {
            wanted.push("pg.io");
        }
        let readings = read_values(&mut probes, &wanted).await;
        for (probe, expected) in expected_names(server.major_version()) {
            let found: BTreeSet<String> = values(&readings, probe).keys().cloned().collect();
            assert_eq!(found, expected, "{probe} on {}", server.major_version());
            let Reading::Values { took_us, over_us, .. } = readings[probe] else { unreachable!("it has values") };
            assert!(took_us > 0 && over_us > 0, "{probe} took {took_us} over {over_us}");
        }
        check_io(&readings, server.major_version());

        let admin = server.client().await;
        for setting in ["track_io_timing", "track_wal_io_timing"] {
            admin.batch_execute(&format!("ALTER SYSTEM SET {setting} = on")).await.unwrap();
        }
        admin.batch_execute("SELECT pg_reload_conf()").await.unwrap();
        let mut times =
            vec![("pg.database", "block_read_time_us"), ("pg.wal", "write_time_us"), ("pg.wal", "sync_time_us")];
        if server.major_version() >= 16 {
            times.push(("pg.io", "client_read_time_us"));
        }
        let is_measured = |readings: &Readings, (probe, name): &(&str, &str)| matches!(&readings[*probe], Reading::Values { values, .. } if values.contains_key(*name));
        read_until(&mut probes, |readings| times.iter().all(|time| is_measured(readings, time))).await;
    }
}

fn check_io(readings: &Readings, major: u32) {
    if major < 16 {
        assert_eq!(gap(readings, "pg.io"), format!("pg.io needs PostgreSQL 16 or later; the server is {major}"));
        return;
    }
    let io = values(readings, "pg.io");
    let series = ["client", "vacuum", "bulk", "temp", "checkpointer", "bgwriter", "other"];
    assert!(io.keys().all(|name| series.iter().any(|series| name.starts_with(&format!("{series}_")))), "{io:?}");
    for name in
        ["client_reads", "client_read_bytes", "checkpointer_writes", "checkpointer_written_bytes", "bulk_reuses"]
    {
        assert!(io.contains_key(name), "{name} on {major}");
    }
    assert!(!io.contains_key("checkpointer_reads"), "the checkpointer reads nothing, which is not zero");
}

#[tokio::test]
async fn a_load_appears_in_every_view_exactly_once() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        let mut probes = attached(&server).await;
        // Version 14 starts counting a database, and says so by its time of reset,
        // with the first work reported from it.
        read_until(
            &mut probes,
            |readings| matches!(&readings["pg.database"], Reading::Values { values, .. } if values["commits"] > 0.0),
        )
        .await;
        let load = server.client().await;
        let statements = "CREATE TABLE numbers (number bigint);
            INSERT INTO numbers SELECT generate_series(1, 50000);
            CHECKPOINT";
        for statement in statements.split(';') {
            load.batch_execute(statement).await.unwrap();
        }
        // A backend reports the rest when it ends.
        drop(load);
        let mut sums: BTreeMap<String, f64> = BTreeMap::new();
        let mut wanted = vec![
            ("pg.database/tuples_inserted", 50_000.0),
            ("pg.database/sessions", 1.0),
            ("pg.bgwriter/buffers_alloc", 200.0),
            ("pg.checkpointer/requested", 1.0),
            ("pg.checkpointer/buffers_written", 200.0),
            ("pg.wal/records", 50_000.0),
            ("pg.wal/bytes", 3_000_000.0),
            ("pg.wal/writes", 1.0),
        ];
        if server.major_version() >= 16 {
            wanted.extend([("pg.io/client_extended_bytes", 200.0 * 8192.0), ("pg.io/checkpointer_writes", 200.0)]);
        }
        if server.major_version() >= 18 {
            wanted.push(("pg.checkpointer/done", 1.0));
        }
        read_until(&mut probes, |readings| {
            for (probe, reading) in readings {
                if let Reading::Values { values, .. } = reading {
                    for (name, value) in values {
                        assert!(*value >= 0.0, "{probe} {name} is {value}");
                        *sums.entry(format!("{probe}/{name}")).or_default() += value;
                    }
                }
            }
            wanted.iter().all(|(name, least)| sums.get(*name).is_some_and(|sum| sum >= least))
        })
        .await;
        assert!(sums["pg.database/tuples_inserted"] < 60_000.0, "counted more than once: {sums:?}");
        assert_eq!(sums["pg.checkpointer/requested"], 1.0);
    }
}

#[tokio::test]
async fn a_reset_of_the_statistics_is_a_gap_and_then_the_series_goes_on() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        let admin = server.client().await;
        let mut probes = attached(&server).await;
        let mut resets = vec![
            ("pg.database", "SELECT pg_stat_reset()"),
            ("pg.bgwriter", "SELECT pg_stat_reset_shared('bgwriter')"),
            ("pg.wal", "SELECT pg_stat_reset_shared('wal')"),
        ];
        if server.major_version() >= 16 {
            resets.push(("pg.io", "SELECT pg_stat_reset_shared('io')"));
        }
        if server.major_version() >= 17 {
            resets.push(("pg.checkpointer", "SELECT pg_stat_reset_shared('checkpointer')"));
        }
        for (probe, reset) in resets {
            read_values(&mut probes, &[probe]).await;
            admin.batch_execute(reset).await.unwrap();
            // Version 14 hears of it through the statistics collector, a little later.
            read_gap(&mut probes, probe, "the server's statistics were reset").await;
            read_values(&mut probes, &[probe]).await;
        }
    }
}

#[tokio::test]
async fn a_view_that_the_role_may_not_read_is_a_gap_that_says_what_to_grant() {
    let server = Server::start(&installed_versions()[0]);
    let admin = server.client().await;
    admin.batch_execute("CREATE ROLE \"ben\"\"ch\" LOGIN; REVOKE SELECT ON pg_stat_wal FROM PUBLIC").await.unwrap();
    let mut config = server.config();
    config.user("ben\"ch");
    let mut probes = Probes::attach_probes(Some(&config), None).await;
    let readings = read_values(&mut probes, &["pg.bgwriter"]).await;
    assert_eq!(
        gap(&readings, "pg.wal"),
        "pg.wal is not permitted: permission denied for view pg_stat_wal (SQLSTATE 42501); hint: GRANT pg_monitor TO \
         \"ben\"\"ch\", and SELECT on the view if it was revoked from PUBLIC"
    );
}

#[tokio::test]
async fn who_waits_for_a_lock_and_an_old_transaction_that_holds_vacuum_back_are_seen() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        let mut probes = attached(&server).await;
        let (holder, waiter, other) = (server.client().await, server.client().await, server.client().await);
        other.batch_execute("CREATE TABLE t (a int); INSERT INTO t VALUES (1)").await.unwrap();
        holder.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT * FROM t FOR UPDATE").await.unwrap();
        let waiting = tokio::spawn(async move { waiter.batch_execute("UPDATE t SET a = 2").await });
        other.batch_execute("INSERT INTO t VALUES (3)").await.unwrap();
        let level = |readings: &Readings, probe: &str, name: &str| match &readings[probe] {
            Reading::Values { values, .. } => values.get(name).copied().unwrap_or(-1.0),
            Reading::Gap { .. } => -1.0,
        };
        let readings = read_until(&mut probes, |readings| {
            level(readings, "pg.locks", "waiting_for_rows") == 1.0
                && level(readings, "pg.horizon", "held_by_sessions") >= 2.0
        })
        .await;
        assert_eq!(level(&readings, "pg.locks", "blockers"), 1.0, "{readings:?}");
        assert_eq!(level(&readings, "pg.locks", "blockers_idle"), 1.0, "{readings:?}");
        assert!(level(&readings, "pg.locks", "longest_wait_us") > 0.0, "{readings:?}");
        assert!(level(&readings, "pg.horizon", "oldest_transaction_us") > 0.0, "{readings:?}");
        holder.batch_execute("ROLLBACK").await.unwrap();
        waiting.await.unwrap().unwrap();
        read_until(&mut probes, |readings| level(readings, "pg.locks", "waiting") == 0.0).await;
    }
}

#[tokio::test]
async fn wal_files_that_wait_for_the_archiver_are_counted() {
    let server = Server::start(&installed_versions()[0]);
    let admin = server.client().await;
    for setting in ["archive_mode = on", "archive_command = 'true'"] {
        admin.batch_execute(&format!("ALTER SYSTEM SET {setting}")).await.unwrap();
    }
    server.crash_server();
    server.start_again();
    let admin = server.client().await;
    let mut probes = attached(&server).await;
    let next_file = "SELECT pg_logical_emit_message(true, 'test', 'x'); SELECT pg_switch_wal()";
    admin.batch_execute(next_file).await.unwrap();
    let pending = |readings: &Readings| match &readings["pg.archiver"] {
        Reading::Values { values, .. } => values.get("pending").copied(),
        Reading::Gap { .. } => None,
    };
    read_until(&mut probes, |readings| pending(readings) == Some(0.0)).await;
    admin.batch_execute("ALTER SYSTEM SET archive_command = 'false'").await.unwrap();
    admin.batch_execute("SELECT pg_reload_conf()").await.unwrap();
    for _ in 0..3 {
        admin.batch_execute(next_file).await.unwrap();
    }
    // One that was under way under the old command may still have been archived.
    let readings = read_until(&mut probes, |readings| pending(readings).is_some_and(|pending| pending >= 2.0)).await;
    assert!(pending(&readings).is_some_and(|pending| pending <= 3.0), "{readings:?}");
}

#[tokio::test]
async fn a_killed_server_is_a_gap_and_the_probes_come_back_with_it() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        let mut probes = attached(&server).await;
        read_values(&mut probes, &["pg.database", "pg.wal"]).await;
        server.crash_server();
        let readings = probes.read_all().await;
        for probe in ["pg.database", "pg.bgwriter", "pg.checkpointer", "pg.wal", "pg.io"] {
            let reason = gap(&readings, probe);
            assert!(
                reason.starts_with("not connected: ") || reason.starts_with("the connection was lost: "),
                "{reason}"
            );
        }
        let readings = probes.read_all().await;
        assert!(gap(&readings, "pg.wal").starts_with("not connected: error connecting to server: "), "{readings:?}");

        server.start_again();
        read_gap(&mut probes, "pg.wal", "the server was restarted, which reset its counters").await;
        read_values(&mut probes, &["pg.wal"]).await;
    }
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_a_gap_that_does_not_hold_up_the_next_second() {
    let server = Server::start(&installed_versions()[0]);
    let mut probes = attached(&server).await;
    read_values(&mut probes, &["pg.database", "pg.wal"]).await;
    let held = server.freeze_processes();
    let frozen = tokio::time::timeout(AT_MOST, async { [probes.read_all().await, probes.read_all().await] }).await;
    drop(held);
    let [first, second] = frozen.expect("a reading waited for a server that does not answer");
    assert_eq!(gap(&first, "pg.database"), "timed out: no answer in time for this second's reading");
    assert_eq!(gap(&second, "pg.wal"), "not connected: still connecting");
    let readings = read_values(&mut probes, &["pg.wal"]).await;
    let Reading::Values { over_us, .. } = readings["pg.wal"] else { panic!("{readings:?}") };
    assert!(over_us >= 1_600_000, "two readings of 0.8 s were lost, and this one says that it covers {over_us} µs");
}

#[tokio::test]
async fn a_server_that_is_held_up_at_the_first_snapshot_is_asked_for_it_again() {
    let server = Server::start(&installed_versions()[0]);
    let mut probes = attached(&server).await;
    let begun = Instant::now();
    // Again while the machine itself holds up the second attempt.
    loop {
        let frozen = server.freeze_processes();
        // Longer than the first snapshot waits.
        let thaw = async {
            tokio::time::sleep(Duration::from_millis(900)).await;
            drop(frozen);
        };
        tokio::join!(probes.take_first_snapshot(), thaw);
        let readings = probes.read_all().await;
        if matches!(readings["pg.wal"], Reading::Values { .. }) {
            return;
        }
        assert!(begun.elapsed() < AT_MOST, "still not so: {readings:?}");
    }
}

#[tokio::test]
async fn without_a_server_every_probe_of_it_is_a_gap_with_the_reason() {
    let empty = tempfile::tempdir().unwrap();
    let mut config = control::Config::new();
    config.host_path(empty.path()).user("postgres").password("not-to-be-shown");
    let mut probes = Probes::attach_probes(Some(&config), None).await;
    let readings = probes.read_all().await;
    assert_eq!(readings.len(), 11);
    let reason = gap(&readings, "pg.io");
    assert!(reason.starts_with("not connected: error connecting to server: No such file"), "{reason}");
}

/// This machine, and nothing on it.
fn local_host() -> HostScope {
    HostScope {
        root: "/".into(),
        data_directory: None,
        device: None,
        wal_device: None,
        postmaster: None,
        load: LoadProcesses::default(),
        alternating: Vec::new(),
        of_this_process: Some("/".into()),
    }
}

#[tokio::test]
async fn a_target_on_this_machine_has_host_and_server_in_one_reading() {
    let server = Server::start(&installed_versions()[0]);
    let host = HostScope { data_directory: Some(server.data_directory()), ..local_host() };
    let mut probes = Probes::attach_probes(Some(&server.config()), Some(host)).await;
    let every = ["host.cpu", "host.memory", "host.network", "host.tcp", "pg.database", "pg.wal"];
    let readings = read_values(&mut probes, &every).await;
    assert!(readings.contains_key("host.disk"));
}

#[tokio::test]
async fn sessions_that_end_between_two_readings_are_in_the_server_s_cpu_time() {
    let server = Server::start(&testbed::newest_version());
    let postmaster: u32 =
        server.query_postgres("SELECT pg_read_file('postmaster.pid')").lines().next().unwrap().parse().unwrap();
    // User and system time of children that have ended, by the kernel's own account.
    let of_ended_ticks = || -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{postmaster}/stat")).expect("the postmaster's account");
        let (_, fields) = stat.rsplit_once(") ").expect("fields behind the name");
        fields.split_whitespace().skip(13).take(2).map(|field| field.parse::<u64>().expect("a number")).sum()
    };
    let host = HostScope { postmaster: Some(postmaster), ..local_host() };
    let mut probes = Probes::attach_probes(None, Some(host)).await;
    // One that lives when the first reading is taken, and ends before the second.
    let lasting = server.hold_transaction("SELECT 1");
    probes.take_first_snapshot().await;
    let before = of_ended_ticks();
    drop(lasting);
    for _ in 0..8 {
        server.query_postgres("SELECT count(*) FROM generate_series(1, 300000)");
    }
    // An ended session is in the account once the postmaster has waited for it.
    server.await_that("SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'client backend'");
    let readings = probes.read_all().await;
    let ended_us = values(&readings, "host.server")["ended_cpu_us"];
    let tick_us = 1e6 / rustix::param::clock_ticks_per_second() as f64;
    let account_us = (of_ended_ticks() - before) as f64 * tick_us;
    assert!(account_us >= 4.0 * tick_us, "the sessions used the CPU: {account_us}");
    // Two sums of whole ticks, read twice, and the session that ends last.
    assert!((ended_us - account_us).abs() <= 4.0 * tick_us, "{ended_us} of {account_us}");
}

#[tokio::test]
async fn sessions_are_seen_in_their_states_and_waits_and_only_those_of_the_load() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        let mut config = server.config();
        config.application_name("load");
        let (locker, waiter) = (server.client_of(&config).await, server.client_of(&config).await);
        locker.batch_execute("CREATE TABLE t ()").await.unwrap();
        locker.batch_execute("BEGIN; LOCK TABLE t").await.unwrap();
        let waiting = tokio::spawn(async move { waiter.batch_execute("BEGIN; LOCK TABLE t").await });
        let activity = ActivitySampling::attach_sampler(&server.config(), "load", LoadProcesses::default());
        let lock = WaitEvent { class: "Lock".to_owned(), event: "relation".to_owned() };
        let begun = Instant::now();
        let window = loop {
            tokio::time::sleep(Duration::from_millis(50)).await;
            let window = activity.take_window();
            if window.seen.iter().any(|seen| seen.wait.as_ref() == Some(&lock)) && !window.locks.is_empty() {
                break window;
            }
            assert!(begun.elapsed() < AT_MOST, "{window:?}");
        };
        let [waited_for] = window.locks.as_slice() else { panic!("{window:?}") };
        assert_eq!((waited_for.kind.as_str(), waited_for.relation.as_deref()), ("relation", Some("public.t")));
        assert_eq!(waited_for.holder.mode.as_deref(), Some("AccessExclusiveLock"));
        assert_eq!(waited_for.holder.state.as_deref(), Some("idle in transaction"));
        assert!(waited_for.sessions >= 1 && waited_for.holder.pid > 0, "{waited_for:?}");
        assert!(window.samples >= 1 && window.period_us >= 100_000, "{window:?}");
        assert!(window.seen.iter().any(|seen| seen.state == "idle in transaction"), "{window:?}");
        assert!(window.seen.iter().all(|seen| seen.sessions <= 2 * u64::from(window.samples)), "{window:?}");
        drop(locker);
        let _gone = waiting.await;
    }
}

#[tokio::test]
async fn a_session_of_the_load_behind_another_that_waits_is_behind_whoever_that_one_waits_for() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        let mut config = server.config();
        config.application_name("load");
        let (stranger, first, second) =
            (server.client().await, server.client_of(&config).await, server.client_of(&config).await);
        stranger.batch_execute("CREATE TABLE t (a int); INSERT INTO t VALUES (1)").await.unwrap();
        stranger.batch_execute("BEGIN; SELECT FROM t FOR UPDATE").await.unwrap();
        let waiting = [first, second]
            .map(|session| tokio::spawn(async move { session.batch_execute("UPDATE t SET a = 2").await }));
        let activity = ActivitySampling::attach_sampler(&server.config(), "load", LoadProcesses::default());
        let begun = Instant::now();
        // The first one waits for the transaction and holds the row's place in the queue, for which the second waits.
        let tuple = loop {
            tokio::time::sleep(Duration::from_millis(50)).await;
            let window = activity.take_window();
            if let Some(tuple) = window.locks.iter().find(|lock| lock.kind == "tuple") {
                break tuple.clone();
            }
            assert!(begun.elapsed() < AT_MOST, "{window:?}");
        };
        assert_eq!(tuple.holder.state.as_deref(), Some("idle in transaction"), "{tuple:?}");
        assert!(tuple.holder.application.as_deref() != Some("load"), "{tuple:?}");
        drop(stranger);
        for session in waiting {
            let _gone = session.await;
        }
    }
}

#[tokio::test]
async fn who_else_is_at_work_is_named_and_who_may_not_be_seen_is_a_gap() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        let mut config = server.config();
        config.application_name("report");
        let report = server.client_of(&config).await;
        report.batch_execute("CREATE ROLE nobody LOGIN").await.unwrap();
        config.application_name("listener");
        let listener = server.client_of(&config).await;
        listener.batch_execute("LISTEN changed").await.unwrap();
        let working = tokio::spawn(async move { report.batch_execute("SELECT pg_sleep(60)").await });
        let seen_by = async |config: &control::Config| {
            let activity = ActivitySampling::attach_sampler(config, "load", LoadProcesses::default());
            let begun = Instant::now();
            loop {
                tokio::time::sleep(Duration::from_millis(50)).await;
                let window = activity.take_window();
                if !window.others.is_empty() || window.others_gap.is_some() {
                    return window;
                }
                assert!(begun.elapsed() < AT_MOST, "{window:?}");
            }
        };
        let window = seen_by(&server.config()).await;
        let [other] = window.others.as_slice() else { panic!("{window:?}") };
        assert_eq!((other.application.as_str(), other.statement.as_str()), ("report", "SELECT pg_sleep(60)"));
        assert_eq!((other.sessions, other.running, other.waiting_for_io, window.others_samples), (1, 0, 0, 1));
        let [idle] = window.idle.as_slice() else { panic!("{window:?}") };
        assert_eq!(
            (idle.application.as_str(), idle.statement.as_str(), idle.sessions),
            ("listener", "LISTEN changed", 1)
        );
        let mut nobody = server.config();
        nobody.user("nobody");
        let window = seen_by(&nobody).await;
        assert!(window.others.is_empty() && window.others_gap.unwrap().contains("pg_monitor"), "of another role");
        working.abort();
    }
}

#[tokio::test]
async fn without_a_server_the_activity_is_a_gap_with_the_reason() {
    let empty = tempfile::tempdir().unwrap();
    let mut config = control::Config::new();
    config.host_path(empty.path()).user("postgres");
    let activity = ActivitySampling::attach_sampler(&config, "load", LoadProcesses::default());
    let begun = Instant::now();
    loop {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let window = activity.take_window();
        assert_eq!(window.samples, 0);
        if let Some(gap) = window.gap {
            assert!(gap.starts_with("not connected: "), "{gap}");
            break;
        }
        assert!(begun.elapsed() < AT_MOST);
    }
}
