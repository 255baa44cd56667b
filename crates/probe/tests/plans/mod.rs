//! EXPLAIN against real servers.

use crate::postgres_server::{Server, installed_versions};
use probe::{Unexplained, explain_statements};
use results::plans::{ExplainOutcome, Plan, PlanNode, StatementPlans};
use results::workload::StatementNumber;

const SET_UP: &str = "CREATE TABLE t (a int PRIMARY KEY, b text);
    INSERT INTO t SELECT g, 'x' FROM generate_series(1, 5000) AS g; ANALYZE t;
    CREATE SEQUENCE s; CREATE ROLE stranger LOGIN";

fn asked(number: u32, text: &str, values: &[Option<&str>]) -> Unexplained {
    let values = values.iter().map(|value| value.map(str::to_owned)).collect();
    Unexplained {
        statement: StatementNumber(number),
        text: text.to_owned(),
        values,
        prepared: true,
        may_be_executed: true,
    }
}

fn plan(explained: &ExplainOutcome) -> &Plan {
    match explained {
        ExplainOutcome::Plan(plan) => plan,
        ExplainOutcome::Gap { gap } => panic!("{gap}"),
    }
}

fn gap(plans: &StatementPlans) -> &str {
    match &plans.custom {
        ExplainOutcome::Gap { gap } => gap,
        ExplainOutcome::Plan(plan) => panic!("{plan:?}"),
    }
}

#[tokio::test]
async fn statements_have_their_plans_and_what_has_none_says_why_and_nothing_is_written() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        server.client().await.batch_execute(SET_UP).await.unwrap();
        let long = format!("SELECT '{}'", "x".repeat(1_000_000));
        let statements = [
            asked(0, "BEGIN", &[]),
            asked(1, "SELECT b FROM t WHERE a = $1", &[Some("7")]),
            asked(2, "UPDATE t SET b = $1 WHERE a = $2", &[Some("it's"), None]),
            asked(3, "SELECT count(*) FROM t WHERE b = 'y'", &[]),
            asked(4, "SELECT 1; DELETE FROM t", &[]),
            asked(5, "SELECT * FROM nowhere WHERE a = $1", &[Some("1")]),
            asked(6, &long, &[]),
            asked(7, "SELECT count(*) FROM t, pg_sleep(9)", &[]),
            asked(8, "SELECT nextval('s')", &[]),
            asked(9, "SELECT a FROM t WHERE a = 7 FOR UPDATE", &[]),
        ];
        let plans = explain_statements(&server.config(), &statements).await;
        assert_eq!((plans.gap, plans.statements.len()), (None, 10));
        let [begin, select, update, count, several, nowhere, long, slow, next, locks] = plans.statements.as_slice()
        else {
            panic!()
        };
        assert_eq!(gap(begin), "a utility statement has no plan");
        let (custom, generic) = (plan(&select.custom), plan(select.generic.as_ref().unwrap()));
        assert_eq!((custom.root.node.as_str(), custom.root.index.as_deref()), ("Index Scan", Some("t_pkey")));
        assert_eq!((custom.root.condition.as_deref(), &custom.shape), (Some("(a = 7)"), &generic.shape));
        assert_eq!(generic.root.condition.as_deref(), Some("(a = $1)"));
        assert_eq!(gap(update), "the value of $2 is a result of another statement");
        assert_eq!(plan(update.generic.as_ref().unwrap()).root.node, "Update");
        assert_eq!(plan(&count.custom).root.children[0].filter.as_deref(), Some("(b = 'y'::text)"));
        let came = |plan: &Plan| plan.root.children.first().unwrap_or(&plan.root).actual_rows;
        assert_eq!([came(custom), came(generic), came(plan(&count.custom))], [Some(1.0), Some(1.0), Some(0.0)]);
        assert_eq!(came(plan(update.generic.as_ref().unwrap())), None, "a write is not executed");
        assert!(gap(several).contains("multiple commands"), "{several:?}");
        assert!(gap(nowhere).contains("relation \"nowhere\" does not exist"), "{nowhere:?}");
        assert_eq!(gap(long), "its text has 1000009 bytes; the limit is 100000");
        for unexecuted in [slow, next, locks] {
            assert_eq!(plan(&unexecuted.custom).root.actual_rows, None, "{unexecuted:?}");
        }
        let rows = server.client().await.query_one("SELECT count(*) FROM t WHERE b = 'x'", &[]).await.unwrap();
        assert_eq!(rows.get::<_, i64>(0), 5000, "nothing was changed");

        let mut stranger = server.config();
        stranger.user("stranger");
        let refused = explain_statements(&stranger, &[asked(0, "SELECT * FROM t", &[])]).await;
        assert!(gap(&refused.statements[0]).contains("permission denied for table t"), "{refused:?}");
    }
}

/// All nodes of a plan, its root first.
fn nodes(node: &PlanNode) -> Vec<&PlanNode> {
    std::iter::once(node).chain(node.children.iter().flat_map(nodes)).collect()
}

#[tokio::test]
async fn planning_and_the_nodes_of_what_only_reads_have_their_time_and_their_counts() {
    const TABLES: &str =
        "CREATE TABLE sale (id int PRIMARY KEY, shop int, note text) WITH (autovacuum_enabled = false);
        INSERT INTO sale SELECT g, g % 50, repeat('s', 80) FROM generate_series(1, 20000) AS g;
        CREATE INDEX by_shop ON sale (shop, id); ANALYZE sale";
    for bin in installed_versions() {
        let server = Server::start(&bin);
        server.client().await.batch_execute(TABLES).await.unwrap();
        let mut config = server.config();
        config.options("-c work_mem=64kB -c enable_bitmapscan=off -c enable_seqscan=off -c jit=off");
        let simple = |number: u32, text: &str| Unexplained { prepared: false, ..asked(number, text, &[]) };
        let statements = [
            simple(0, "SELECT sum(id) FROM sale WHERE shop = 7"),
            simple(1, "SELECT * FROM sale WHERE note LIKE 's%' ORDER BY note, id"),
            simple(2, "UPDATE sale SET note = 'x' WHERE id = 1"),
        ];
        let plans = explain_statements(&config, &statements).await;
        let [alone, sorted, update] = [0, 1, 2].map(|number| plan(&plans.statements[number].custom));
        for plan in [alone, sorted, update] {
            let planning = plan.planning.expect("each is planned");
            assert!(planning.us > 0.0 && planning.asked > 3, "{planning:?}");
            assert!(planning.first_blocks.looked_at() > 0, "{planning:?}");
            assert_eq!(plan.settings["enable_bitmapscan"], "off", "{:?}", plan.settings);
        }
        assert!(update.execution.is_none(), "a write is not executed");
        let execution = alone.execution.as_ref().expect("it only reads");
        assert!(execution.us > 0.0 && execution.executed >= 3, "{execution:?}");
        let of = |plan: &Plan, kind: &str| {
            let node = nodes(&plan.root).into_iter().find(|node| node.node.starts_with(kind)).unwrap().clone();
            *node.execution.expect("it was executed")
        };
        let scan = of(alone, "Index Only Scan");
        // The table was never vacuumed; from 19 on whoever reads a page marks it as visible to all.
        let fetches = scan.heap_fetches.expect("it reads an index alone");
        assert!(if server.major_version() < 19 { fetches == 400 } else { fetches <= 400 }, "{scan:?}");
        assert!((scan.loops - 1.0).abs() < f64::EPSILON, "{scan:?}");
        assert!(scan.own_us > 0.0 && scan.blocks.looked_at() >= (fetches / 2).max(1), "{scan:?}");
        let sort = of(sorted, "Sort");
        assert_eq!(sort.sort_method.as_deref(), Some("external merge"));
        assert!(sort.blocks.temp_written > 0 && sort.disk_bytes > 0, "{sort:?}");
        let own_us: f64 = nodes(&sorted.root).into_iter().map(|node| node.execution.as_ref().unwrap().own_us).sum();
        assert!(own_us <= sorted.execution.as_ref().unwrap().us, "no time counts twice");
    }
}

#[tokio::test]
async fn a_program_that_writes_a_thousand_statements_has_the_plans_of_some() {
    let server = Server::start(&installed_versions()[0]);
    let statements: Vec<Unexplained> = (0..1000).map(|number| asked(number, "SELECT 1", &[])).collect();
    let plans = explain_statements(&server.config(), &statements).await;
    assert!(plans.gap.as_ref().is_some_and(|gap| gap.contains("of 1000 statements were explained")), "{:?}", plans.gap);
    assert!(!plans.statements.is_empty() && plans.statements.len() <= 200);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_a_gap() {
    let mut nowhere = control::Config::new();
    nowhere.host_path("/nowhere").user("nobody").dbname("nothing");
    let plans = explain_statements(&nowhere, &[asked(0, "SELECT 1", &[])]).await;
    assert!(plans.gap.is_some() && plans.statements.is_empty(), "{plans:?}");
}
