//! The statements of a database against real servers.

use crate::postgres_server::{Server, installed_versions};
use probe::CountsReader;

#[tokio::test]
async fn what_statements_did_between_two_instants_is_told_for_the_loads_database_only() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        let reason = || async {
            let mut reader = CountsReader::new(&server.config());
            reader.begin_measurement().await;
            reader.finish_counting().await.0.gap.unwrap()
        };
        assert_eq!(reason().await, "the database has no extension pg_stat_statements");
        let admin = server.client().await;
        if admin.batch_execute("CREATE EXTENSION pg_stat_statements").await.is_err() {
            // The embedded binaries come without it.
            continue;
        }
        assert!(reason().await.contains("shared_preload_libraries"), "{}", server.major_version());
        admin.batch_execute("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'").await.unwrap();
        server.crash_server();
        server.start_again();

        let client = server.client().await;
        client.batch_execute("CREATE TABLE t (a int, b text)").await.unwrap();
        let insert = "INSERT INTO t SELECT g, 'secret' FROM generate_series(1, 100) AS g";
        client.batch_execute(insert).await.unwrap();
        let mut reader = CountsReader::new(&server.config());
        reader.begin_measurement().await;
        for _ in 0..3 {
            client.batch_execute(insert).await.unwrap();
        }
        client.batch_execute("CREATE ROLE r PASSWORD 'secret'").await.unwrap();
        let (statements, _) = reader.finish_counting().await;
        assert_eq!(statements.gap, None);
        let inserts =
            statements.statements.iter().find(|found| found.text.as_ref().is_some_and(|t| t.starts_with("INSERT")));
        let inserts = inserts.unwrap_or_else(|| panic!("{statements:?}"));
        assert_eq!((inserts.calls, inserts.rows, inserts.by_pgdyno), (3, 300, false));
        // The first of the two questions is counted itself.
        let of_probes: Vec<_> = statements.statements.iter().filter(|found| found.by_pgdyno).collect();
        assert!(!of_probes.is_empty(), "{statements:?}");
        // Longer texts are cut before what they read, so that only the begins are known.
        let is_of_load = |text: &String| text.starts_with("INSERT") || text.starts_with("CREATE");
        assert!(!of_probes.iter().any(|found| found.text.as_ref().is_none_or(is_of_load)), "{of_probes:?}");
        assert!(inserts.total_us > 0.0 && inserts.wal_bytes > 3000 && inserts.blocks_hit > 0, "{inserts:?}");
        // 1.10 of the extension is of version 15.
        assert_eq!(statements.jit_us.is_some(), server.major_version() >= 15, "{statements:?}");
        // 1.13 is of version 19; a statement without a prepared plan is executed by neither kind.
        assert_eq!(inserts.generic_plan_calls.is_some(), server.major_version() >= 19, "{inserts:?}");
        assert!(statements.calls >= 4 && statements.total_us >= inserts.total_us && statements.over_us > 0);
        assert!(!format!("{statements:?}").contains("secret"), "{statements:?}");

        let mut reader = CountsReader::new(&server.config());
        reader.begin_measurement().await;
        client.batch_execute("SELECT pg_stat_statements_reset()").await.unwrap();
        client.batch_execute(insert).await.unwrap();
        let (reset, _) = reader.finish_counting().await;
        assert_eq!(reset.gap.as_deref(), Some("the statistics of pg_stat_statements were reset"));
    }
}
