//! The tables of a database against real servers.

mod catalog;

use std::time::{Duration, Instant};

use crate::AT_MOST;
use crate::postgres_server::{Server, installed_versions};
use probe::CountsReader;
use results::tables::TrialTables;

const SET_UP: &str =
    "CREATE TABLE \"T\" (a int PRIMARY KEY, b int) WITH (fillfactor = 50); CREATE TABLE untouched (a int);
    INSERT INTO \"T\" SELECT g, g % 10 FROM generate_series(1, 5000) AS g; VACUUM ANALYZE";

/// Two rows by the key, and some through the whole of the table. Not by a range: to plan one, the server looks up the
/// ends of the index.
const LOAD: &str =
    "SELECT count(*) FROM \"T\" WHERE b = 3; SELECT b FROM \"T\" WHERE a = 1; UPDATE \"T\" SET b = 1 WHERE a = 7";

async fn load(server: &Server) -> TrialTables {
    let mut reader = CountsReader::new(&server.config());
    reader.begin_load().await;
    server.client().await.batch_execute(LOAD).await.unwrap();
    tokio::time::sleep(Duration::from_millis(20)).await;
    reader.finish_counting().await.1
}

#[tokio::test]
async fn rows_read_are_told_by_table_and_index_with_what_would_make_the_index() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        // One statement at a time: VACUUM wants no transaction.
        for statement in SET_UP.split(';') {
            server.client().await.batch_execute(statement).await.unwrap();
        }
        let begun = Instant::now();
        let tables = loop {
            let tables = load(&server).await;
            let counted = tables.tables.iter().find(|table| table.name == "public.\"T\"");
            // What a session did may be told after it has ended; then the next time has it.
            if counted.is_some_and(|table| table.sequential_scans == 1 && table.index_rows == 2) {
                break tables;
            }
            assert!(begun.elapsed() < AT_MOST, "{} still has {tables:?}", server.major_version());
        };
        assert_eq!((tables.gap, tables.tables.len()), (None, 1));
        let table = &tables.tables[0];
        assert_eq!((table.sequential_rows, table.rows_changed), (5000, 1), "{table:?}");
        // What the session that filled it did may be told after ANALYZE has counted the rows; the server then adds it.
        assert!(table.live_rows >= 5000, "{table:?}");
        // The load was repeated until all of it was counted.
        assert!(table.dead_rows >= Some(1) && table.changed_since_analyze >= Some(1), "{table:?}");
        assert!(table.analyzed_at.is_some() && tables.sizes_gap.is_none(), "{table:?}");
        let pages = table.bytes.unwrap() / 8192;
        assert!(pages > 40 && (pages..pages + 20).contains(&table.pages_read.unwrap()), "{table:?}");
        let [index] = table.indexes.as_slice() else { panic!("{table:?}") };
        assert_eq!((index.name.as_str(), index.scans, index.entries, index.valid), ("\"T_pkey\"", 2, 2, true));
        assert!(index.bytes.unwrap() >= 8192 && index.pages_read >= Some(4), "two levels, twice: {index:?}");
        assert_eq!(index.definition, "CREATE UNIQUE INDEX \"T_pkey\" ON public.\"T\" USING btree (a)");
        // Nothing of what the questions themselves read of the catalogs.
        let accessed = table.pages_read.unwrap() + index.pages_read.unwrap();
        assert_eq!(
            (tables.pages_accessed, tables.temporary_bytes),
            (Some(accessed), Some(0)),
            "{}",
            server.major_version()
        );
    }
}

const ATTACHED: &str = "CREATE TABLE parents (id int PRIMARY KEY);
    CREATE TABLE children (id serial PRIMARY KEY, parent int CONSTRAINT of_parent REFERENCES parents,
                           twice int GENERATED ALWAYS AS (parent * 2) STORED, CONSTRAINT small CHECK (parent < 9));
    CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
    CREATE TRIGGER audit AFTER INSERT ON children FOR EACH ROW EXECUTE FUNCTION nothing();
    CREATE TRIGGER disabled AFTER INSERT ON children FOR EACH ROW EXECUTE FUNCTION nothing();
    ALTER TABLE children DISABLE TRIGGER disabled;
    CREATE RULE never AS ON DELETE TO children DO INSTEAD NOTHING";

#[tokio::test]
async fn what_is_done_for_each_row_is_told_by_table_with_how_it_was_made() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        server.client().await.batch_execute(ATTACHED).await.unwrap();
        let mut reader = CountsReader::new(&server.config());
        reader.begin_load().await;
        let rows = "INSERT INTO parents VALUES (1); INSERT INTO children (parent) VALUES (1)";
        server.client().await.batch_execute(rows).await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        let tables = reader.finish_counting().await.1;
        assert!(tables.gap.is_none() && tables.attached_gap.is_none(), "{tables:?}");
        let of = |name: &str| {
            let table = tables.tables.iter().find(|table| table.name == name).unwrap();
            let attached = table.attached.iter().flatten();
            attached.map(|one| (one.name.as_str(), one.definition.as_str(), one.function.is_some())).collect::<Vec<_>>()
        };
        assert_eq!(
            of("public.parents"),
            [("of_parent", "FOREIGN KEY (parent) REFERENCES public.parents(id) of public.children", false)]
        );
        let [audit, id, never, of_parent, small, twice] = of("public.children")[..] else { panic!("{tables:?}") };
        assert!(audit.1.starts_with("CREATE TRIGGER audit AFTER INSERT ON public.children") && audit.2, "{audit:?}");
        assert_eq!(id, ("id", "DEFAULT nextval('public.children_id_seq'::regclass)", false));
        assert!(never.1.starts_with("CREATE RULE never AS"), "{never:?}");
        assert_eq!(of_parent.1, "FOREIGN KEY (parent) REFERENCES public.parents(id)");
        assert_eq!(small, ("small", "CHECK ((parent < 9))", false));
        assert_eq!(twice, ("twice", "GENERATED ALWAYS AS (parent * 2)", false));
    }
}

const MADE: &str =
    "CREATE UNLOGGED TABLE kept (a bigint, b varchar(9) COLLATE \"C\", c text, d text, e int) WITH (fillfactor = 50);
    ALTER TABLE kept ALTER c SET STORAGE EXTERNAL, DROP e;
    CREATE SEQUENCE numbers CACHE 7; CREATE SEQUENCE untouched;
    CREATE FUNCTION total(a int) RETURNS int LANGUAGE sql AS 'SELECT a';
    CREATE PROCEDURE \"Parsed\"(a int) LANGUAGE sql BEGIN ATOMIC SELECT a; END;
    CREATE FUNCTION on_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM Total (1); RETURN NEW; END';
    CREATE VIEW sums AS SELECT total(1);
    ALTER TABLE kept REPLICA IDENTITY FULL, ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON kept USING (a > 0)";

#[tokio::test]
async fn how_tables_are_made_and_how_often_sequences_were_asked_is_told() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        server.client().await.batch_execute(MADE).await.unwrap();
        let mut reader = CountsReader::new(&server.config());
        reader.begin_load().await;
        let load = "INSERT INTO kept VALUES (1, 'short', 'short', repeat('x', 9000)); \
            SELECT count(nextval('numbers')) FROM generate_series(1, 21)";
        server.client().await.batch_execute(load).await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        let tables = reader.finish_counting().await.1;
        assert!(tables.gap.is_none() && tables.attached_gap.is_none(), "{tables:?}");
        // Of the values of "b" none is long enough to be compressed.
        let compressed =
            format!("text STORAGE EXTENDED COMPRESSION {}", server.query_postgres("SHOW default_toast_compression"));
        let made: Vec<(Option<&str>, &str)> = tables.tables[0]
            .made
            .iter()
            .flatten()
            .map(|made| (made.column.as_deref(), made.definition.as_str()))
            .collect();
        assert_eq!(
            made,
            [
                (Some("a"), "bigint"),
                (Some("b"), "character varying(9) COLLATE \"C\" STORAGE EXTENDED"),
                (Some("c"), "text STORAGE EXTERNAL"),
                (Some("d"), compressed.as_str()),
                (
                    None,
                    "UNLOGGED USING heap WITH (fillfactor=50) REPLICA IDENTITY FULL ENABLE ROW LEVEL SECURITY \
                     POLICY own USING ((a > 0))"
                ),
            ],
            "{}",
            server.major_version()
        );
        let [numbers] = tables.sequences.as_deref().unwrap() else { panic!("{tables:?}") };
        assert_eq!((numbers.name.as_str(), numbers.cache, numbers.pages_read), ("public.numbers", 7, 3));
        let [parsed, on_change, total] = tables.functions.as_deref().unwrap() else { panic!("{tables:?}") };
        assert_eq!((parsed.name.as_str(), parsed.called.as_str()), ("public.\"Parsed\"(integer)", "\"Parsed\""));
        assert_eq!((total.name.as_str(), total.called.as_str()), ("public.total(integer)", "total"));
        assert!(parsed.body.is_some() && total.body.is_none() && total.source != parsed.source, "{tables:?}");
        assert_eq!([on_change.by_trigger, total.by_trigger], [true, false]);
        assert_eq!([&on_change.calls, &total.behind], [&["total".to_owned()], &["sums".to_owned()]]);
        assert!(on_change.behind.is_empty() && total.calls.is_empty() && parsed.calls.is_empty(), "{tables:?}");
    }
}

#[tokio::test]
async fn function_of_which_only_comments_and_spaces_differ_is_the_same() {
    let server = Server::start(&installed_versions()[0]);
    let source_of = async |body: &str| {
        let made = format!("CREATE OR REPLACE FUNCTION f(a int) RETURNS int LANGUAGE sql AS $f${body}$f$");
        server.client().await.batch_execute(&made).await.unwrap();
        load_of_functions(&server).await
    };
    let plain = source_of("SELECT a + 1").await;
    assert_eq!(plain, source_of("-- v2: as before\n  SELECT a /* the ** argument */\n + 1 -- more\n").await);
    assert_ne!(plain, source_of("SELECT a + 2").await);
    assert_ne!(plain, source_of("SELECT a /* begins */ + 2 /* ends */").await);
}

async fn load_of_functions(server: &Server) -> String {
    let mut reader = CountsReader::new(&server.config());
    reader.begin_load().await;
    let functions = reader.finish_counting().await.1.functions.unwrap();
    functions[0].source.clone()
}

#[tokio::test]
async fn a_lock_on_a_table_keeps_its_size_and_little_more_of_it() {
    let server = Server::start(&installed_versions()[0]);
    server.client().await.batch_execute("CREATE TABLE t AS SELECT 1 AS a").await.unwrap();
    let mut reader = CountsReader::new(&server.config());
    reader.begin_load().await;
    // A session that has ended has told what it did.
    server.client().await.batch_execute("INSERT INTO t VALUES (1)").await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    let client = server.client().await;
    client.batch_execute("BEGIN; LOCK TABLE t").await.unwrap();
    let tables = reader.finish_counting().await.1;
    assert!(tables.sizes_gap.unwrap().contains("lock timeout"), "{:?}", tables.tables);
    assert_eq!((tables.gap, tables.tables[0].rows_changed, tables.tables[0].bytes), (None, 1, None));
}

#[tokio::test]
async fn a_reset_between_the_two_instants_is_a_gap() {
    let server = Server::start(&installed_versions()[0]);
    server.client().await.batch_execute("CREATE TABLE t AS SELECT 1 AS a").await.unwrap();
    let mut reader = CountsReader::new(&server.config());
    reader.begin_load().await;
    let client = server.client().await;
    client.batch_execute("SELECT pg_stat_reset()").await.unwrap();
    client.batch_execute("INSERT INTO t VALUES (1)").await.unwrap();
    drop(client);
    tokio::time::sleep(Duration::from_millis(100)).await;
    let gap = reader.finish_counting().await.1.gap;
    assert_eq!(gap.as_deref(), Some("the server's statistics were reset"));
}
