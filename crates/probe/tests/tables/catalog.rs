//! The catalogs of a database against real servers.

use std::time::{Duration, Instant};

use crate::AT_MOST;
use crate::postgres_server::{Server, installed_versions};
use probe::CountsReader;
use results::catalog::{Catalog, CatalogAnswer, CatalogObject, CatalogPart, FACTS};
use results::tables::TrialTables;

/// A value of a row, and what stands for a password: neither may be stored.
const VALUE: &str = "tellnobody";
const PASSWORD: &str = "hunter2";

const SET_UP: &str = "CREATE TABLE doc (id int PRIMARY KEY, tenant int NOT NULL, body text, packed text COMPRESSION pglz, CHECK (tenant < 99)) WITH (fillfactor = 70);
    INSERT INTO doc SELECT g, g % 10, 'tellnobody' || g % 3, repeat('tellnobody', 500) FROM generate_series(1, 2000) AS g;
    CREATE INDEX by_tenant ON doc (tenant) WHERE tenant > 1;
    CREATE INDEX broken ON doc (body);
    UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'broken'::regclass;
    ALTER TABLE doc ALTER body SET STATISTICS 7, ALTER tenant SET (n_distinct = 12), ENABLE ROW LEVEL SECURITY, REPLICA IDENTITY FULL;
    CREATE POLICY own ON doc FOR SELECT USING (tenant >= 0);
    CREATE STATISTICS both_columns (dependencies) ON id, tenant FROM doc;
    CREATE TABLE child (id int, doc int);
    ALTER TABLE child ADD FOREIGN KEY (doc) REFERENCES doc DEFERRABLE INITIALLY DEFERRED NOT VALID;
    CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER kept AFTER INSERT ON doc DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION keep();
    CREATE FUNCTION want(n int) RETURNS int LANGUAGE sql STABLE COST 7 SET work_mem = '1MB' AS 'SELECT n';
    CREATE TABLE parted (a int) PARTITION BY RANGE (a); CREATE TABLE part_1 PARTITION OF parted FOR VALUES FROM (1) TO (10);
    CREATE FOREIGN DATA WRAPPER nothing;
    CREATE SERVER far FOREIGN DATA WRAPPER nothing OPTIONS (host 'far.example', fetch_size '7', password 'hunter2', secret_key 'hunter2');
    CREATE USER MAPPING FOR CURRENT_USER SERVER far OPTIONS (password 'hunter2');
    CREATE FOREIGN TABLE outside (a int) SERVER far OPTIONS (table_name 'inside', api_token 'hunter2');
    CREATE VIEW seen WITH (security_barrier) AS SELECT id FROM doc;
    CREATE PUBLICATION all_of_it FOR TABLE doc;
    CREATE UNLOGGED TABLE lost (a int);
    ALTER ROLE CURRENT_USER SET enable_indexscan = off;
    ALTER ROLE CURRENT_USER SET app.password = 'hunter2'";

const LOAD: &str = "SELECT count(*) FROM doc; INSERT INTO child VALUES (1, 1); INSERT INTO parted VALUES (1); INSERT INTO lost VALUES (1)";

/// The tables of the load, as soon as the server has counted what was done to all of them.
async fn tables_of(server: &Server, config: &control::Config) -> TrialTables {
    let begun = Instant::now();
    loop {
        let mut reader = CountsReader::new(config);
        reader.begin_load().await;
        server.client().await.batch_execute(LOAD).await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        let tables = reader.finish_counting().await.1;
        let is_counted = |name: &&str| tables.tables.iter().any(|table| table.name == **name);
        if ["public.doc", "public.child", "public.part_1", "public.lost"].iter().all(is_counted) {
            return tables;
        }
        assert!(begun.elapsed() < AT_MOST, "{} still has {tables:?}", server.major_version());
    }
}

fn found<'a>(catalog: &'a Catalog, part: CatalogPart, name: &str) -> &'a CatalogObject {
    let objects = catalog.objects_of(part).unwrap_or_else(|gap| panic!("{part:?}: {gap}"));
    objects.iter().find(|object| object.name == name).unwrap_or_else(|| panic!("{name} in {objects:#?}"))
}

#[tokio::test]
async fn facts_of_catalogs_are_read_without_values_and_secrets() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        let client = server.client().await;
        client.batch_execute(SET_UP).await.unwrap();
        client.batch_execute("VACUUM ANALYZE doc").await.unwrap();
        let tables = tables_of(&server, &server.config()).await;
        let catalog = tables.catalog.as_ref().unwrap_or_else(|| panic!("{tables:?}"));
        let text = serde_json::to_string(&tables).unwrap();
        assert!(!text.contains(VALUE) && !text.contains(PASSWORD), "{text}");
        assert_facts_are_known(catalog);

        let doc = found(catalog, CatalogPart::Tables, "public.doc");
        assert_eq!(doc.text_fact("option fillfactor"), Some("70"));
        assert_eq!((doc.text_fact("row security"), doc.text_fact("replica identity")), (Some("enabled"), Some("full")));
        assert!(!doc.has_flag("row security active"), "its owner passes by: {doc:?}");
        assert_eq!((doc.number_fact("rows"), doc.number_fact("publications")), (Some(2000.0), Some(1.0)));
        assert!(doc.number_fact("all-visible pages") > Some(0.0), "{doc:?}");
        let lost = found(catalog, CatalogPart::Tables, "public.lost");
        assert_eq!(lost.text_fact("persistence"), Some("unlogged"));
        let parted = found(catalog, CatalogPart::Tables, "public.parted");
        assert_eq!(
            (parted.text_fact("partition key"), parted.number_fact("partitions")),
            (Some("RANGE (a)"), Some(1.0))
        );

        let body = found(catalog, CatalogPart::Columns, "body");
        // None of its values is long enough to be compressed.
        assert_eq!((body.number_fact("statistics target"), body.text_fact("compression")), (Some(7.0), None));
        assert_eq!(found(catalog, CatalogPart::Columns, "packed").text_fact("compression"), Some("pglz"));
        assert_eq!(
            (body.number_fact("most common values"), body.number_fact("distinct values")),
            (Some(3.0), Some(3.0))
        );
        assert_eq!(found(catalog, CatalogPart::Columns, "tenant").text_fact("option n_distinct"), Some("12"));

        let partial = found(catalog, CatalogPart::Indexes, "by_tenant");
        assert_eq!(partial.definition.as_deref(), Some("btree (tenant) WHERE (tenant > 1)"));
        assert!(found(catalog, CatalogPart::Indexes, "broken").has_flag("invalid"));
        let statistics = found(catalog, CatalogPart::ExtendedStatistics, "both_columns");
        assert_eq!(statistics.definition.as_deref(), Some("dependencies ON id, tenant"));
        assert!(statistics.has_flag("built"), "{statistics:?}");
        let policy = found(catalog, CatalogPart::Policies, "own");
        assert_eq!(policy.definition.as_deref(), Some("FOR SELECT TO PUBLIC USING ((tenant >= 0))"));
        assert!(found(catalog, CatalogPart::Triggers, "kept").has_flag("deferred"));
        let key = found(catalog, CatalogPart::Constraints, "child_doc_fkey");
        assert!(key.has_flag("deferred") && key.has_flag("not valid"), "{key:?}");
        let want = found(catalog, CatalogPart::Functions, "public.want(integer)");
        assert_eq!((want.text_fact("volatility"), want.number_fact("cost")), (Some("stable"), Some(7.0)));
        assert_eq!(want.text_fact("setting work_mem"), Some("1MB"));
        let far = found(catalog, CatalogPart::ForeignServers, "far");
        assert_eq!(
            (far.text_fact("option fetch_size"), far.text_fact("option host")),
            (Some("7"), Some("far.example"))
        );
        assert_eq!(found(catalog, CatalogPart::Tables, "public.outside").text_fact("foreign server"), Some("far"));
        let setting = found(catalog, CatalogPart::Settings, "enable_indexscan");
        assert_eq!((setting.definition.as_deref(), setting.text_fact("value")), (Some("role"), Some("off")));
        assert_eq!(
            found(catalog, CatalogPart::Views, "public.seen").text_fact("option security_barrier"),
            Some("true")
        );
    }
}

/// Whatever is written has a name that the judge knows.
fn assert_facts_are_known(catalog: &Catalog) {
    for (part, known) in FACTS {
        for object in catalog.objects_of(*part).unwrap_or_else(|gap| panic!("{part:?}: {gap}")) {
            for name in object.facts.keys() {
                let is_known = known.iter().any(|fact| name == fact || (fact.ends_with(' ') && name.starts_with(fact)));
                assert!(is_known, "{part:?} {name}");
            }
        }
    }
}

#[tokio::test]
async fn role_without_rights_has_answers_or_gaps_and_no_error() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        let client = server.client().await;
        client.batch_execute(SET_UP).await.unwrap();
        client.batch_execute("CREATE ROLE nobody LOGIN").await.unwrap();
        let mut config = server.config();
        config.user("nobody");
        let tables = tables_of(&server, &config).await;
        let catalog = tables.catalog.as_ref().unwrap_or_else(|| panic!("{tables:?}"));
        for (part, answer) in &catalog.parts {
            assert!(matches!(answer, CatalogAnswer::Objects(_)), "{part:?} {answer:?}");
        }
        // What the role may not read is left out.
        let body = found(catalog, CatalogPart::Columns, "body");
        assert_eq!((body.number_fact("distinct values"), body.text_fact("type")), (None, Some("text")));
        assert!(found(catalog, CatalogPart::Tables, "public.doc").has_flag("row security active"));
    }
}
