//! The data set against a real PostgreSQL: the same state as `pgbench -i`, reuse and repair, nobody else's tables
//! touched, and no half-made state after an interruption.

mod erp;
mod erp_writes;
mod server;
mod sysbench;

use std::num::NonZeroU32;
use std::time::Duration;

use control::Config;
use dataset::{
    Data, DatasetError, DatasetProgress, Ensured, Ownership, PgbenchData, PgbenchTable, drop_owned, ensure_dataset,
    finish_trial, prepare_trial, require_writable,
};
use load::StopRequest;
use server::{connect, execute, shared, text};
use tokio_postgres::error::SqlState;
use work::TableAccess;

fn data(scale: u32) -> Data {
    pgbench(scale).into()
}

fn pgbench(scale: u32) -> PgbenchData {
    PgbenchData::new(NonZeroU32::new(scale).expect("not zero")).expect("a valid scale")
}

async fn set_up(config: &Config, scale: u32, ownership: Ownership) -> Result<Ensured, DatasetError> {
    ensure_dataset(config, &data(scale), ownership, &StopRequest::new(), &mut |_| {}).await
}

async fn managed(config: &Config, scale: u32) -> Ensured {
    set_up(config, scale, Ownership::Managed).await.unwrap_or_else(|e| panic!("{e}: {:?}", e.detail()))
}

async fn pgbench_tables(config: &Config) -> String {
    text(config, "SELECT count(*) FROM pg_class WHERE relname LIKE 'pgbench_%' AND relkind <> 'i'").await
}

/// Everything by which a table could differ from that of another database, as text.
async fn fingerprint(config: &Config, table: PgbenchTable, key: &str) -> Vec<String> {
    let name = table.table_name();
    let mut facts = Vec::new();
    for sql in [
        format!("SELECT md5(string_agg(t::text, E'\\n' ORDER BY {key})) || ' ' || count(*) FROM {name} AS t"),
        format!(
            "SELECT string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, atthasdef,
                                         attstorage, attidentity, attgenerated, attstattarget, attacl),
                              ', ' ORDER BY attnum)
               FROM pg_attribute WHERE attrelid = '{name}'::regclass AND attnum > 0"
        ),
        format!(
            "SELECT string_agg(conname || ' ' || pg_get_constraintdef(oid), ', ' ORDER BY conname)
               FROM pg_constraint WHERE conrelid = '{name}'::regclass"
        ),
        format!(
            "SELECT string_agg(concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid, relpages, reltuples), ', ')
               FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = '{name}'::regclass"
        ),
        format!(
            "SELECT concat_ws(' ', relkind, relpersistence, reloptions, relam, relhasindex, relchecks, reltoastrelid,
                              reltablespace, relpages, reltuples, relallvisible)
               FROM pg_class WHERE oid = '{name}'::regclass"
        ),
        format!(
            "SELECT string_agg(concat_ws(' ', attname, null_frac, avg_width, n_distinct), ', ' ORDER BY attname)
               FROM pg_stats WHERE tablename = '{name}'"
        ),
    ] {
        facts.push(text(config, &sql).await);
    }
    facts
}

#[tokio::test(flavor = "multi_thread")]
async fn our_tables_are_those_of_pgbench_in_rows_catalogs_visibility_and_statistics() {
    let server = shared();
    let (theirs, ours) = (server.database(), server.database());
    server.pgbench(&theirs, &["--initialize", "--scale=2", "--quiet"]);
    managed(&ours, 2).await;
    for (table, key) in PgbenchTable::ALL.into_iter().zip(["bid", "tid", "aid", "tid"]) {
        assert_eq!(fingerprint(&ours, table, key).await, fingerprint(&theirs, table, key).await, "{table:?}");
        let unseen = "SELECT relpages - relallvisible FROM pg_class WHERE oid";
        assert_eq!(text(&ours, &format!("{unseen} = '{}'::regclass", table.table_name())).await, "0", "{table:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_a_table_that_takes_several_copies_fill_pages_as_one_copy_does() {
    let server = shared();
    let (theirs, ours) = (server.database(), server.database());
    server.pgbench(&theirs, &["--initialize", "--scale=12", "--quiet"]);
    managed(&ours, 12).await;
    let sql = "SELECT concat_ws(' ', relpages, relallvisible, pg_relation_size(oid)) FROM pg_class
                WHERE oid = 'pgbench_accounts'::regclass";
    assert_eq!(text(&ours, sql).await, text(&theirs, sql).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_real_pgbench_runs_on_our_tables() {
    let server = shared();
    let ours = server.database();
    managed(&ours, 1).await;
    let printed = server.pgbench(&ours, &["--client=2", "--transactions=20"]);
    assert!(printed.contains("number of transactions actually processed: 40/40"), "{printed}");
    assert!(printed.contains("number of failed transactions: 0 "), "{printed}");
    assert_eq!(managed(&ours, 1).await, Ensured::Reused, "what a workload changes is no defect");
}

#[tokio::test(flavor = "multi_thread")]
async fn intact_tables_are_reused_and_those_of_another_scale_or_fillfactor_are_made_anew() {
    let server = shared();
    let config = server.database();
    let file = "SELECT pg_relation_filepath('pgbench_accounts')";
    assert!(matches!(managed(&config, 1).await, Ensured::Created { .. }));
    let first = text(&config, file).await;
    assert_eq!(managed(&config, 1).await, Ensured::Reused);
    assert_eq!(text(&config, file).await, first);
    assert!(matches!(managed(&config, 2).await, Ensured::Recreated { .. }));
    assert_eq!(text(&config, "SELECT count(*) FROM pgbench_accounts").await, "200000");
    let half_full = Data::from(pgbench(2).with_fillfactor(50).expect("a valid fillfactor"));
    let outcome = ensure_dataset(&config, &half_full, Ownership::Managed, &StopRequest::new(), &mut |_| {}).await;
    assert!(matches!(outcome, Ok(Ensured::Recreated { .. })), "{outcome:?}");
    assert_eq!(managed_defects(&config, 2).await[0], MARK_DIFFERS);
}

const MARK_DIFFERS: &str = "pgbench_branches has the comment pgdyno: format=1 schema=pgbench scale=2 fillfactor=50 \
                            state=ready instead of pgdyno: format=1 schema=pgbench scale=2 fillfactor=100 state=ready";

async fn managed_defects(config: &Config, scale: u32) -> Vec<String> {
    match managed(config, scale).await {
        Ensured::Recreated { defects, .. } => defects.iter().map(ToString::to_string).collect(),
        other => panic!("not made anew: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_damage_to_our_tables_is_found_and_repaired() {
    let server = shared();
    let config = server.database();
    managed(&config, 1).await;
    for (damage, found) in [
        ("DELETE FROM pgbench_tellers WHERE tid = 3", "pgbench_tellers has 9 rows instead of 10"),
        ("UPDATE pgbench_tellers SET tid = 11 WHERE tid = 3", "pgbench_tellers has keys other than 1 to 10"),
        ("DELETE FROM pgbench_accounts WHERE aid = 1", "has keys from 2 to 100000 instead of 1 to 100000"),
        ("DELETE FROM pgbench_accounts WHERE aid BETWEEN 50000 AND 50100", "pgbench_accounts lacks 1 of 1000 accounts"),
        ("UPDATE pgbench_accounts SET bid = 2 WHERE aid > 90000", "or they belong to another branch"),
        ("TRUNCATE pgbench_accounts", "pgbench_accounts is empty"),
        (
            "ALTER TABLE pgbench_accounts DROP CONSTRAINT pgbench_accounts_pkey",
            "has the primary key (none) instead of aid",
        ),
        ("ALTER TABLE pgbench_accounts ALTER abalance TYPE bigint", "abalance bigint, filler character(84) instead of"),
        (
            "ALTER TABLE pgbench_tellers SET (fillfactor = 50)",
            "has storage options fillfactor=50 instead of fillfactor=100",
        ),
        ("ALTER TABLE pgbench_branches SET UNLOGGED", "has kind and persistence ru instead of rp"),
        ("DROP TABLE pgbench_history", "pgbench_history does not exist"),
        (
            "COMMENT ON TABLE pgbench_accounts IS 'pgdyno: format=1 schema=pgbench scale=1 fillfactor=100 state=filled'",
            "state=filled instead of pgdyno: format=1",
        ),
    ] {
        execute(&config, damage).await;
        let defects = managed_defects(&config, 1).await;
        assert!(defects.iter().any(|defect| defect.contains(found)), "{damage}: {defects:?}");
        assert_eq!(managed(&config, 1).await, Ensured::Reused, "{damage}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_that_are_not_ours_are_neither_dropped_nor_emptied() {
    let server = shared();
    let config = server.database();
    server.pgbench(&config, &["--initialize", "--scale=1", "--quiet"]);
    execute(&config, "INSERT INTO pgbench_history VALUES (1, 1, 1, 1, now(), '')").await;
    let error = set_up(&config, 1, Ownership::Managed).await.unwrap_err();
    let database = config.get_dbname().expect("a database");
    assert_eq!(
        error.to_string(),
        format!(
            "database \"{database}\" contains tables that pgdyno did not create: \"public\".pgbench_branches, \
             \"public\".pgbench_tellers, \"public\".pgbench_accounts, \"public\".pgbench_history"
        )
    );
    assert!(error.hint().expect("a hint").contains("`data: existing`"));
    let client = connect(&config).await;
    let error = prepare_trial(&client, &data(1), Ownership::Managed, TableAccess::Writes).await.unwrap_err();
    assert!(matches!(error, DatasetError::NotOurs { .. }), "{error}");
    assert_eq!(drop_owned(&config, &StopRequest::new()).await.expect("nothing to drop"), Vec::<String>::new());
    assert_eq!(text(&config, "SELECT count(*) FROM pgbench_history").await, "1");
    assert_eq!(text(&config, "SELECT count(*) FROM pgbench_accounts").await, "100000");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_table_or_view_of_others_protects_all_four_names() {
    let server = shared();
    for theirs in ["CREATE TABLE pgbench_history (note text)", "CREATE VIEW pgbench_tellers AS SELECT 1 AS tid"] {
        let config = server.database();
        managed(&config, 1).await;
        let name = if theirs.contains("TABLE") { "pgbench_history" } else { "pgbench_tellers" };
        execute(&config, &format!("DROP TABLE {name}; {theirs}")).await;
        let error = set_up(&config, 1, Ownership::Managed).await.unwrap_err();
        assert!(matches!(&error, DatasetError::NotOurs { tables, .. } if tables.len() == 1), "{error}");
        assert_eq!(pgbench_tables(&config).await, "4");
        assert_eq!(drop_owned(&config, &StopRequest::new()).await.expect("ours are dropped").len(), 3);
        assert_eq!(pgbench_tables(&config).await, "1");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn existing_tables_of_pgbench_are_used_as_they_are_when_they_fit() {
    let server = shared();
    for options in [&["--fillfactor=90"][..], &["--partitions=3"], &["--unlogged-tables"], &["-I", "dtGvpf"]] {
        let config = server.database();
        server.pgbench(&config, &[&["--initialize", "--scale=2", "--quiet"], options].concat());
        let outcome = set_up(&config, 2, Ownership::Existing).await;
        assert!(matches!(outcome, Ok(Ensured::Reused)), "{options:?}: {outcome:?}");
        assert_eq!(text(&config, "SELECT obj_description('pgbench_accounts'::regclass)").await, "(null)");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn existing_tables_that_do_not_fit_are_refused_with_what_is_wrong() {
    let server = shared();
    let config = server.database();
    let refused = async |what: &str| {
        let error = set_up(&config, 2, Ownership::Existing).await.unwrap_err();
        assert!(matches!(error, DatasetError::Unfit { .. }), "{error}");
        let detail = error.detail().expect("a detail");
        assert!(detail.contains(what), "{detail}");
    };
    refused("pgbench_accounts does not exist").await;
    server.pgbench(&config, &["--initialize", "--scale=1", "--quiet"]);
    refused("pgbench_branches has 1 rows instead of 2").await;
    execute(&config, "ALTER TABLE pgbench_accounts DROP CONSTRAINT pgbench_accounts_pkey").await;
    refused("pgbench_accounts has no primary key (aid)").await;
    execute(&config, "DROP TABLE pgbench_tellers; CREATE VIEW pgbench_tellers AS SELECT 1 AS tid").await;
    refused("pgbench_tellers is not a table").await;
    execute(&config, "ALTER TABLE pgbench_history ALTER delta TYPE text").await;
    refused("pgbench_history has no column delta of the type pgbench gives it").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_up_whose_connection_is_killed_leaves_nothing_and_the_next_one_succeeds() {
    let server = shared();
    let config = server.database();
    let database = config.get_dbname().expect("a database").to_owned();
    let (handle, postgres) = (tokio::runtime::Handle::current(), server.config("postgres"));
    let mut killed = false;
    let outcome = ensure_dataset(&config, &data(5), Ownership::Managed, &StopRequest::new(), &mut |progress| {
        let filling =
            matches!(&progress, DatasetProgress::Copying { table, rows_done: 1.., .. } if table == "pgbench_accounts");
        if filling && !killed {
            killed = true;
            let kill = format!(
                "SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity WHERE datname = '{database}'"
            );
            // The set-up waits here until its backend is gone.
            tokio::task::block_in_place(|| handle.block_on(execute(&postgres, &kill)));
        }
    })
    .await;
    assert!(killed);
    assert!(matches!(outcome, Err(DatasetError::Server { .. })), "{outcome:?}");
    assert_eq!(pgbench_tables(&config).await, "0");
    assert!(matches!(managed(&config, 1).await, Ensured::Created { .. }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_in_any_phase_interrupts_and_the_next_set_up_succeeds() {
    let server = shared();
    let phases: [fn(DatasetProgress) -> bool; 5] = [
        |p| p == DatasetProgress::Checking,
        |p| p == DatasetProgress::Creating,
        |p| matches!(p, DatasetProgress::Copying { table, rows_done: 1.., .. } if table == "pgbench_accounts"),
        |p| matches!(p, DatasetProgress::Indexing { table } if table == "pgbench_accounts"),
        |p| matches!(p, DatasetProgress::Analyzing { table } if table == "pgbench_accounts"),
    ];
    for (number, phase) in phases.into_iter().enumerate() {
        let config = server.database();
        let stop = StopRequest::new();
        let outcome = ensure_dataset(&config, &data(2), Ownership::Managed, &stop, &mut |progress| {
            if phase(progress) {
                stop.request_stop();
            }
        })
        .await;
        assert!(matches!(outcome, Err(DatasetError::Interrupted)), "phase {number}: {outcome:?}");
        managed(&config, 1).await;
        assert_eq!(managed(&config, 1).await, Ensured::Reused, "phase {number}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_cancels_the_statement_that_the_server_is_executing() {
    let server = shared();
    let config = server.database();
    managed(&config, 1).await;
    // Dropping the tables has to wait for this transaction.
    let other = connect(&config).await;
    other.batch_execute("BEGIN; SELECT FROM pgbench_history").await.expect("a lock on the table");
    let stop = StopRequest::new();
    let waiting = "SELECT count(*) FROM pg_stat_activity
                    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'DROP TABLE%'";
    let (other_scale, mut unheard) = (data(2), |_| {});
    let interrupted = ensure_dataset(&config, &other_scale, Ownership::Managed, &stop, &mut unheard);
    let (outcome, ()) = tokio::join!(interrupted, async {
        until(&config, waiting, "1").await;
        stop.request_stop();
    });
    assert!(matches!(outcome, Err(DatasetError::Interrupted)), "{outcome:?}");
    until(&config, waiting, "0").await;
    other.batch_execute("COMMIT").await.expect("the lock is released");
    assert_eq!(managed(&config, 1).await, Ensured::Reused, "nothing was dropped");
}

/// Waits for what another session does.
async fn until(config: &Config, sql: &str, expected: &str) {
    let met = async {
        while text(config, sql).await != expected {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), met).await.expect(sql);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_may_only_read_uses_intact_data_and_is_refused_what_has_to_write() {
    let server = shared();
    let writer = server.database();
    let mut reader = writer.clone();
    reader.options("-c default_transaction_read_only=on");
    let error = set_up(&reader, 1, Ownership::Managed).await.unwrap_err();
    let database = writer.get_dbname().expect("a database");
    assert_eq!(error.to_string(), format!("database \"{database}\" is read-only: could not create the pgbench tables"));
    managed(&writer, 1).await;
    assert_eq!(managed(&reader, 1).await, Ensured::Reused);
    let client = connect(&reader).await;
    let error = require_writable(&client).await.unwrap_err();
    assert_eq!(error.detail().as_deref(), Some("default_transaction_read_only is on"));
    let error = prepare_trial(&client, &data(1), Ownership::Managed, TableAccess::Writes).await.unwrap_err();
    assert!(matches!(error, DatasetError::ReadOnly { standby: false, .. }), "{error}");
    let readied =
        prepare_trial(&client, &data(1), Ownership::Managed, TableAccess::Reads).await.expect("reading is allowed");
    assert!(readied.executed.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standby_serves_reads_of_intact_data_and_refuses_the_rest() {
    let server = shared();
    let config = server.database();
    managed(&config, 1).await;
    let standby = server.standby();
    let config = standby.config(config.get_dbname().expect("a database"));
    assert_eq!(managed(&config, 1).await, Ensured::Reused);
    let error = set_up(&config, 2, Ownership::Managed).await.unwrap_err();
    assert_eq!(error.detail().as_deref(), Some("the server is a standby"));
    let client = connect(&config).await;
    let error = prepare_trial(&client, &data(1), Ownership::Managed, TableAccess::Writes).await.unwrap_err();
    assert!(matches!(error, DatasetError::ReadOnly { standby: true, .. }), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn before_a_writing_trial_history_is_emptied_small_tables_are_vacuumed_and_a_checkpoint_is_made() {
    let server = shared();
    let config = server.database();
    managed(&config, 1).await;
    execute(&config, "INSERT INTO pgbench_history VALUES (1, 1, 1, 1, now(), '')").await;
    let client = connect(&config).await;
    let readied =
        prepare_trial(&client, &data(1), Ownership::Managed, TableAccess::Writes).await.expect("a superuser may");
    let expected = ["TRUNCATE pgbench_history", "VACUUM pgbench_tellers", "VACUUM pgbench_branches", "CHECKPOINT"];
    assert_eq!(readied.executed, expected);
    assert!(readied.omitted.is_empty());
    assert_eq!(text(&config, "SELECT count(*) FROM pgbench_history").await, "0");
    assert_eq!(finish_trial(&client, TableAccess::Writes).await.expect("a superuser may").executed, ["CHECKPOINT"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn before_a_writing_trial_on_existing_tables_the_history_keeps_its_rows_and_that_is_told() {
    let server = shared();
    let config = server.database();
    server.pgbench(&config, &["--initialize", "--scale=1", "--quiet"]);
    execute(&config, "INSERT INTO pgbench_history VALUES (1, 1, 1, 1, now(), '')").await;
    let client = connect(&config).await;
    let readied =
        prepare_trial(&client, &data(1), Ownership::Existing, TableAccess::Writes).await.expect("a superuser may");
    assert_eq!(readied.executed, ["VACUUM pgbench_tellers", "VACUUM pgbench_branches", "CHECKPOINT"]);
    let omitted: Vec<_> = readied.omitted.iter().map(|left| (left.statement.as_str(), left.why.as_str())).collect();
    assert_eq!(
        omitted,
        [(
            "TRUNCATE pgbench_history",
            "pgdyno did not create table pgbench_history and does not empty \
                                                       it"
        )]
    );
    assert_eq!(text(&config, "SELECT count(*) FROM pgbench_history").await, "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_without_privileges_is_told_which_and_with_a_schema_of_its_own_it_suffices() {
    let server = shared();
    let admin = server.database();
    let database = admin.get_dbname().expect("a database").to_owned();
    let role = format!("role_{database}");
    execute(&admin, &format!("CREATE ROLE {role} LOGIN; REVOKE CREATE ON SCHEMA public FROM public")).await;
    let mut config = admin.clone();
    config.user(&role);
    let error = set_up(&config, 1, Ownership::Managed).await.unwrap_err();
    assert_eq!(error.to_string(), format!("role \"{role}\" may not create tables in database \"{database}\" (42501)"));
    assert_eq!(error.detail().as_deref(), Some("search_path is \"$user\", public"));
    execute(&admin, &format!("CREATE SCHEMA AUTHORIZATION {role}")).await;
    managed(&config, 1).await;
    assert_eq!(
        text(&config, "SELECT 'pgbench_accounts'::regclass::oid = to_regclass(current_user || '.pgbench_accounts')")
            .await,
        "true"
    );
    let client = connect(&config).await;
    let readied =
        prepare_trial(&client, &data(1), Ownership::Managed, TableAccess::Writes).await.expect("the owner may");
    let omitted: Vec<&str> = readied.omitted.iter().map(|omission| omission.why.as_str()).collect();
    assert_eq!(omitted, [format!("role \"{role}\" may not execute CHECKPOINT")]);
    assert_eq!(readied.executed.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schema_that_comes_first_on_the_search_path_takes_the_tables_and_a_later_one_is_not_overlooked() {
    let server = shared();
    let mut config = server.database();
    execute(&config, "CREATE SCHEMA \"we \"\"bench\"").await;
    config.options("-c search_path=\"we\\ \"\"bench\",public");
    managed(&config, 1).await;
    assert_eq!(text(&config, "SELECT 'pgbench_tellers'::regclass").await, "pgbench_tellers");
    assert_eq!(
        text(&config, "SELECT relnamespace::regnamespace FROM pg_class WHERE relname = 'pgbench_tellers'").await,
        "\"we \"\"bench\""
    );
    drop_owned(&config, &StopRequest::new()).await.expect("ours are dropped");
    execute(&config, "CREATE TABLE public.pgbench_branches (bid int)").await;
    let error = set_up(&config, 1, Ownership::Managed).await.unwrap_err();
    assert!(
        matches!(&error, DatasetError::NotOurs { tables, .. } if tables == &["\"public\".pgbench_branches"]),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_reported_with_its_code_and_what_the_scale_needs() {
    let server = shared();
    let config = server.database();
    // What a full disk does to CREATE TABLE, without filling one.
    execute(
        &config,
        "CREATE FUNCTION no_space() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
             RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
         CREATE EVENT TRIGGER no_space ON ddl_command_end EXECUTE FUNCTION no_space()",
    )
    .await;
    let error = set_up(&config, 100, Ownership::Managed).await.unwrap_err();
    assert_eq!(error.sqlstate_of_error(), Some(&SqlState::DISK_FULL));
    let database = config.get_dbname().expect("a database");
    assert_eq!(
        error.to_string(),
        format!("could not create table pgbench_branches in database \"{database}\" (53100)")
    );
    assert_eq!(error.detail().as_deref(), Some("could not extend file: No space left on device"));
    assert!(error.hint().expect("a hint").contains("needs about 1500 MiB"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cannot_be_reached_is_named_without_the_password() {
    let config: tokio_postgres::Config =
        "host=/nowhere port=5999 user=u password=hunter2 dbname=b".parse().expect("valid");
    let config = Config::from(config);
    let error = set_up(&config, 1, Ownership::Managed).await.unwrap_err();
    assert_eq!(error.to_string(), "could not connect to database \"b\" on server \"/nowhere\" port 5999");
    let told = format!("{error}{:?}{:?}", error.detail(), error.hint());
    assert!(told.contains("No such file") && !told.contains("hunter2"), "{told}");
}
