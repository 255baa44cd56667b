//! What else is done on the injured server or beside it.

use super::{ANY, Kind, READS, WRITES};
use crate::generator::condition::{Base, Injection, Matter, Names, Outside, Shape};
use crate::generator::random::Random;

/// The kinds of this family.
pub const KINDS: &[Kind] = &[
    Kind { name: "busy program", shapes: READS, draw: busy_program, weight: 2 },
    Kind { name: "reporting session", shapes: ANY, draw: report, weight: 3 },
    Kind {
        name: "row locks held",
        shapes: &[Shape::Update, Shape::Upsert, Shape::DeleteInsert],
        draw: row_locks,
        weight: 2,
    },
    Kind { name: "snapshot held", shapes: &[Shape::Update, Shape::Queue], draw: snapshot, weight: 2 },
    Kind { name: "prepared transaction", shapes: &[Shape::Queue, Shape::Update], draw: prepared, weight: 2 },
    Kind {
        name: "table locks",
        shapes: &[Shape::Point, Shape::ByReference, Shape::Update, Shape::Insert],
        draw: table_locks,
        weight: 2,
    },
    Kind { name: "definitions changed", shapes: READS, draw: definitions, weight: 2 },
    Kind { name: "vacuum", shapes: ANY, draw: vacuum, weight: 1 },
    Kind { name: "base backup", shapes: WRITES, draw: backup, weight: 1 },
    Kind { name: "logical decoding", shapes: WRITES, draw: decoding, weight: 2 },
    Kind { name: "synchronous receiver", shapes: WRITES, draw: receiver, weight: 1 },
    Kind { name: "index being created", shapes: WRITES, draw: index_creation, weight: 1 },
    Kind { name: "checkpoints", shapes: WRITES, draw: checkpoints, weight: 2 },
    Kind { name: "idle listeners", shapes: &[Shape::Notify], draw: listeners, weight: 1 },
];

fn busy_program(random: &mut Random, _: &Base) -> Injection {
    let (programs, nice) = (random.choose(&[1, 3]), random.choose(&[0, 5, 19]));
    Injection::new(
        "busy program",
        format!("{programs} busy programs of nice value {nice} on the CPU of the injured server"),
        &[&["neighbour"], &["other processes", "CPU"]],
        &[Matter::Cpu],
    )
    .with_sound_outside(Outside::OneCpu(0))
    .with_outside(Outside::OneCpu(1))
    .with_outside(Outside::Hogs { programs, cpu: Some(1), nice })
}

fn repeat(injection: Injection, sql: &str, pause_ms: u64) -> Injection {
    injection.with_outside(Outside::Repeat { sql: sql.to_owned(), pause_ms })
}

fn report(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, other, .. } = base.names.clone();
    let injection = Injection::new(
        "reporting session",
        format!("a session that joins {t} with itself again and again"),
        &[&["other session"], &["concurrent"], &["workload", "beside"], &["another session"], &["month_report"]],
        &[Matter::Cpu, Matter::Client, Matter::Execution],
    )
    .with_sound_outside(Outside::OneCpu(0))
    .with_outside(Outside::OneCpu(1));
    let sql = format!("/* month_report */ SELECT count(*) FROM {t} a, {other} b WHERE length(a::text) + b.id > 0");
    repeat(injection, &sql, random.choose(&[0, 50]))
}

const LOCK: &[Matter] = &[Matter::Lock, Matter::Client];

fn row_locks(random: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let rows = base.rows / random.choose(&[2, 20]);
    let injection = Injection::new(
        "row locks held",
        format!("a session that locks the first {rows} rows of {t} again and again"),
        &[&["lock", "session"], &["lock", t], &["blocked"]],
        LOCK,
    );
    let sql = format!(
        "WITH l AS MATERIALIZED (SELECT 1 FROM {t} WHERE id <= {rows} FOR UPDATE) SELECT count(*), pg_sleep(0.05) FROM l"
    );
    repeat(injection, &sql, random.choose(&[10, 100]))
}

fn snapshot(_: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    Injection::new(
        "snapshot held",
        format!("a session idle in a transaction with a snapshot, while {t} is updated"),
        &[&["idle in transaction"], &["snapshot"], &["xmin"], &["horizon"], &["oldest transaction"]],
        &[Matter::Vacuum],
    )
    .with_outside(Outside::Hold(format!("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM {t}")))
}

fn prepared(_: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    Injection::new(
        "prepared transaction",
        format!("a prepared transaction forgotten_{t}"),
        &[&["prepared transaction"], &["prepared", "xmin"], &[&format!("forgotten_{t}")]],
        &[Matter::Vacuum, Matter::Lock],
    )
    .with_setting_of_both("max_prepared_transactions = 5")
    .with_late_sql(&format!("CREATE TABLE forgotten (); BEGIN; SELECT pg_current_xact_id(); LOCK TABLE forgotten; PREPARE TRANSACTION 'forgotten_{t}'"))
}

fn table_locks(random: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let mode = random.choose(&["ACCESS EXCLUSIVE", "SHARE", "SHARE ROW EXCLUSIVE"]);
    let injection = Injection::new(
        "table locks",
        format!("a session that locks {t} in mode {mode} again and again"),
        &[&["lock", t], &["blocked"], &["lock", "session"]],
        LOCK,
    );
    let sql = format!("BEGIN; LOCK TABLE {t} IN {mode} MODE; SELECT pg_sleep(0.03); COMMIT");
    repeat(injection, &sql, random.choose(&[20, 200]))
}

fn definitions(random: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let injection = Injection::new(
        "definitions changed",
        format!("a session that alters {t} again and again"),
        &[&["ALTER TABLE"], &["invalidat"], &["lock", t], &["DDL"]],
        &[Matter::Lock, Matter::Plan, Matter::Client, Matter::Execution],
    );
    let sql = format!("ALTER TABLE {t} ALTER part SET (n_distinct = 10); COMMENT ON TABLE {t} IS 'changed'");
    repeat(injection, &sql, random.choose(&[5, 100]))
}

fn vacuum(random: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let sql = random.choose(&["VACUUM (FREEZE, DISABLE_PAGE_SKIPPING)", "ANALYZE", "VACUUM"]);
    let injection = Injection::new(
        "vacuum",
        format!("a session that executes {sql} {t} again and again"),
        &[&["vacuum"], &["analyze"], &["other session"], &["concurrent"]],
        &[Matter::Vacuum, Matter::Cpu, Matter::Disk, Matter::Wal, Matter::Client],
    );
    repeat(injection, &format!("{sql} {t}"), 10)
}

fn backup(_: &mut Random, _: &Base) -> Injection {
    let arguments = ["-D", "-", "-Ft", "-X", "none", "-c", "fast"].map(str::to_owned).to_vec();
    Injection::new(
        "base backup",
        "pg_basebackup again and again".to_owned(),
        &[&["backup"], &["full-page", "checkpoint"], &["walsender"]],
        &[Matter::Wal, Matter::Disk, Matter::Cpu, Matter::Replication],
    )
    .with_outside(Outside::Program { name: "pg_basebackup", arguments, again: true })
}

fn decoding(random: &mut Random, _: &Base) -> Injection {
    let arguments =
        ["-d", "app", "--slot", "decoder", "--create-slot", "--if-not-exists", "--start", "-f", "/dev/null"]
            .map(str::to_owned)
            .to_vec();
    let injection = Injection::new(
        "logical decoding",
        "a logical slot decoder, whose changes are decoded".to_owned(),
        &[&["decoder"], &["logical", "slot"], &["logical decoding"], &["walsender"], &["wal_level"]],
        &[Matter::Replication, Matter::Wal, Matter::Cpu],
    );
    let injection = if random.happens(50) {
        injection.with_setting_of_both("wal_level = logical")
    } else {
        injection.with_setting("wal_level = logical")
    };
    injection.with_outside(Outside::Program { name: "pg_recvlogical", arguments, again: false })
}

fn receiver(_: &mut Random, _: &Base) -> Injection {
    let arguments = ["-D", "RECEIVED", "--synchronous", "--no-loop"].map(str::to_owned).to_vec();
    Injection::new(
        "synchronous receiver",
        "commits wait for pg_receivewal (synchronous_standby_names)".to_owned(),
        &[&["synchronous_standby_names"], &["synchronous"], &["SyncRep"], &["standby"]],
        &[Matter::Replication, Matter::Wal],
    )
    .with_outside(Outside::Program { name: "pg_receivewal", arguments, again: true })
    .with_late_sql("ALTER SYSTEM SET synchronous_standby_names = 'pg_receivewal'; SELECT pg_reload_conf()")
}

fn index_creation(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, label, .. } = base.names.clone();
    let how = random.choose(&["", "CONCURRENTLY "]);
    let injection = Injection::new(
        "index being created",
        format!("a session that executes CREATE INDEX {how}on {t} again and again"),
        &[&["CREATE INDEX"], &["lock", t], &["other session"], &["blocked"]],
        &[Matter::Lock, Matter::Cpu, Matter::Client],
    );
    repeat(
        injection,
        &format!("DROP INDEX IF EXISTS {t}_again; CREATE INDEX {how}{t}_again ON {t} ({label}, part)"),
        50,
    )
}

fn checkpoints(random: &mut Random, _: &Base) -> Injection {
    let injection = Injection::new(
        "checkpoints",
        "a session that executes CHECKPOINT again and again".to_owned(),
        &[&["checkpoint"]],
        &[Matter::Wal, Matter::Disk],
    );
    repeat(injection, "CHECKPOINT", random.choose(&[100, 1000]))
}

fn listeners(random: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let number = random.choose(&[5, 40]);
    let mut injection = Injection::new(
        "idle listeners",
        format!("{number} sessions that LISTEN to {t}_changed"),
        &[&["LISTEN"], &["notif"]],
        &[Matter::Lock, Matter::Cpu, Matter::Client],
    );
    for _ in 0..number {
        injection = injection.with_outside(Outside::Repeat { sql: format!("LISTEN {t}_changed"), pause_ms: 500 });
    }
    injection
}
