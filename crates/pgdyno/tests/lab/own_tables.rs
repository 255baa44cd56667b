//! Faults that no rule was written for, on tables and statements that are not pgbench's. Where a rule should know one
//! it must be found; where none can, nothing else may be accused: a false cause is worse than none.

use crate::case::{Case, Expected, Prepared};
use crate::injury::ticker::Ticker;
use crate::plan::{pair, script};
use crate::server::Server;
use crate::site::Site;

/// Every one.
pub fn all() -> Vec<Case> {
    let case = |name, rules, prepare| Case { name, expected: Expected::Finding(rules), needs_root: false, prepare };
    let no_rule = |name, rules, prepare| Case { name, expected: Expected::AtMost(rules), needs_root: false, prepare };
    let sound = |name, prepare| Case { name, expected: Expected::Nothing, needs_root: false, prepare };
    vec![
        case("own tables: a partial index that is missing", &["excess-rows-read"], partial_index),
        case("own tables: a function around the column that is indexed", &["excess-rows-read"], function),
        case("own tables: a collation whose order finds no prefix", &["excess-rows-read"], collation),
        case("own tables: a column of another type than what is compared with it", &["excess-rows-read"], cast),
        case("own tables: the second column of a composite key alone", WHOLE_INDEX, composite),
        case("own tables: a foreign key without an index", &["excess-rows-read"], foreign_key),
        case("own tables: an index that was left invalid", WHOLE_INDEX, invalid_index),
        case("own tables: DDL that queues behind a long query", &["blocked-by-session"], ddl),
        case("own tables: a session that is idle in its transaction", &["blocked-by-session"], idle_in_transaction),
        case("own tables: checkpoints by a small max_wal_size on one side", WAL, small_max_wal_size),
        case("own tables: a trigger that takes its time", &["write-overhead"], trigger),
        case("own tables: a function that does more", &["function-changed"], larger_function),
        case("own tables: a function behind a view that does more", &["function-changed"], function_behind_a_view),
        case("own tables: unused indexes", &["write-overhead"], indexes),
        case("own tables: a sequence without a cache", &["sequence-cache"], sequence),
        case("own tables: rows that are stored compressed", &["table-definition-differs"], compressed),
        no_rule("own tables: pages filled to the brim", &["bloat", "table-definition-differs"], full_pages),
        no_rule("own tables: VACUUM FREEZE in between", &["autovacuum-interference", "throughput-collapse"], freeze),
        sound("control: own tables, lookups by a composite key", lookups),
        sound("control: own tables, joins and updates", joins),
    ]
}

/// What it is called by where the planner scans another index from end to end: that reads one row.
const WHOLE_INDEX: &[&str] = &["excess-rows-read", "plan-changed"];

/// What checkpoints that come too often are called by.
const WAL: &[&str] = &["checkpoints-forced", "full-page-writes"];

/// Orders of tenants with their lines.
const TABLES: &str = "
CREATE TABLE orders (tenant int, id int, status text NOT NULL, email text NOT NULL, code text NOT NULL,
                     note text, total numeric NOT NULL, PRIMARY KEY (tenant, id));
INSERT INTO orders SELECT n % 20, n, CASE WHEN n % 400 = 0 THEN 'open' ELSE 'done' END,
       'Person' || n || '@Example.org', 'C' || n, repeat('x', 60), n FROM generate_series(1, 80000) AS n;
CREATE TABLE lines (tenant int, order_id int, line int, product int, quantity int NOT NULL,
                    PRIMARY KEY (tenant, order_id, line));
INSERT INTO lines SELECT n % 20, n, line, (n * 7 + line) % 1000, 1 FROM generate_series(1, 80000) AS n, generate_series(1, 2) AS line;
CREATE TABLE products (id int PRIMARY KEY, name text NOT NULL);
INSERT INTO products SELECT n, 'product ' || n FROM generate_series(0, 999) AS n;
CREATE TABLE journal (id bigserial PRIMARY KEY, payload text NOT NULL, at timestamptz NOT NULL DEFAULT now());
";

/// Two servers with these tables, to the second of which something is done.
fn servers(site: &Site, settings: [&str; 2], sql: [&str; 2]) -> [Server; 2] {
    let server = |settings: &str, sql: &str| {
        let server = Server::start(site, settings);
        server.query_postgres(&format!("{TABLES}{sql}"));
        server.query_postgres("VACUUM ANALYZE");
        server.query_postgres("CHECKPOINT");
        server
    };
    [server(settings[0], sql[0]), server(settings[1], sql[1])]
}

fn beside([sound, injured]: [Server; 2], site: &Site, sql: &str) -> Prepared {
    let plan = pair([("sound", &sound.local()), ("injured", &injured.local())], &script(site, sql), 2);
    Prepared { plan, held: vec![Box::new(sound), Box::new(injured)] }
}

fn meanwhile(servers: [Server; 2], site: &Site, sql: &str, injury: impl std::any::Any) -> Prepared {
    let mut prepared = beside(servers, site, sql);
    prepared.held.insert(0, Box::new(injury));
    prepared
}

fn partial_index(site: &Site) -> Prepared {
    let index = "CREATE INDEX ON orders (tenant) WHERE status = 'open';";
    let sql = "\\set tenant random(0, 19)\nSELECT count(*) FROM orders WHERE tenant = :tenant AND status = 'open';\n";
    beside(servers(site, [""; 2], [index, ""]), site, sql)
}

fn function(site: &Site) -> Prepared {
    let indexes = ["CREATE INDEX ON orders (lower(email));", "CREATE INDEX ON orders (email);"];
    let sql =
        "\\set id random(1, 80000)\nSELECT total FROM orders WHERE lower(email) = 'person' || :id || '@example.org';\n";
    beside(servers(site, [""; 2], indexes), site, sql)
}

fn collation(site: &Site) -> Prepared {
    let indexes = [
        "CREATE INDEX ON orders (code);",
        "ALTER TABLE orders ALTER code TYPE text COLLATE \"en-x-icu\"; CREATE INDEX ON orders (code);",
    ];
    let sql = "\\set id random(10000, 79999)\nSELECT count(*) FROM orders WHERE code LIKE 'C' || :id || '%';\n";
    // A pattern that is put together is no constant: the planner has to see it.
    let sql = sql.replace("'C' || :id || '%'", "'C4567%'").replace("\\set id random(10000, 79999)\n", "");
    beside(servers(site, [""; 2], indexes), site, &sql)
}

fn cast(site: &Site) -> Prepared {
    let columns = ["ALTER TABLE orders ADD reference bigint;", "ALTER TABLE orders ADD reference text;"];
    let [sound, injured] =
        columns.map(|column| format!("{column} UPDATE orders SET reference = id; CREATE INDEX ON orders (reference);"));
    let sql = "\\set id random(1, 80000)\nSELECT total FROM orders WHERE reference::bigint = :id;\n";
    beside(servers(site, [""; 2], [&sound, &injured]), site, sql)
}

fn composite(site: &Site) -> Prepared {
    let sql = "\\set id random(1, 80000)\nSELECT total FROM orders WHERE id = :id;\n";
    beside(servers(site, [""; 2], ["CREATE INDEX ON orders (id);", ""]), site, sql)
}

fn foreign_key(site: &Site) -> Prepared {
    let key = "ALTER TABLE lines ADD FOREIGN KEY (product) REFERENCES products;";
    let sql = "\\set id random(100000, 900000000)\nINSERT INTO products VALUES (:id, 'new') ON CONFLICT DO NOTHING;\n\
               DELETE FROM products WHERE id = :id;\n";
    beside(servers(site, [""; 2], [&format!("{key} CREATE INDEX ON lines (product);"), key]), site, sql)
}

fn invalid_index(site: &Site) -> Prepared {
    let index = "CREATE INDEX by_id ON orders (id);";
    let spoilt = format!("{index} UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'by_id'::regclass;");
    let sql = "\\set id random(1, 80000)\nSELECT total FROM orders WHERE id = :id;\n";
    beside(servers(site, [""; 2], [index, &spoilt]), site, sql)
}

fn ddl(site: &Site) -> Prepared {
    let servers = servers(site, [""; 2], [""; 2]);
    let long = "SET application_name = 'long_query'; BEGIN; SELECT count(*) FROM orders; SELECT pg_sleep(0.7); COMMIT";
    let change = "SET application_name = 'migration'; ALTER TABLE orders ALTER note DROP DEFAULT";
    let tickers = [Ticker::start(&servers[1], 0.1, long), Ticker::start(&servers[1], 0.3, change)];
    meanwhile(servers, site, LOOKUP, tickers)
}

fn idle_in_transaction(site: &Site) -> Prepared {
    let servers = servers(site, [""; 2], [""; 2]);
    let forgetful = "SET application_name = 'admin'; BEGIN; UPDATE products SET name = name WHERE id < 500;\n\
                     \\! sleep 0.6\nCOMMIT";
    let ticker = Ticker::start(&servers[1], 0.4, forgetful);
    let sql = "\\set id random(0, 999)\nUPDATE products SET name = 'renamed' WHERE id = :id;\n";
    meanwhile(servers, site, sql, ticker)
}

fn small_max_wal_size(site: &Site) -> Prepared {
    let settings = ["max_wal_size = 4GB\n", "max_wal_size = 32MB\nmin_wal_size = 32MB\n"];
    let sql = "\\set id random(1, 80000)\nUPDATE orders SET total = total + 1 WHERE tenant = :id % 20 AND id = :id;\n";
    let mut prepared = beside(servers(site, settings, [""; 2]), site, sql);
    prepared.plan = prepared.plan.replace("measure: 3s", "measure: 8s");
    prepared
}

fn larger_function(site: &Site) -> Prepared {
    let function = |work: &str| {
        format!(
            "CREATE FUNCTION total_of(t int, i int) RETURNS numeric LANGUAGE plpgsql STABLE AS $$ DECLARE x int := 0; BEGIN {work} \
             RETURN (SELECT total FROM orders WHERE tenant = t AND id = i); END $$;"
        )
    };
    beside(
        servers(site, [""; 2], [&function(""), &function("FOR n IN 1..20000 LOOP x := x + n; END LOOP;")]),
        site,
        "\\set id random(1, 80000)\nSELECT total_of(:id % 20, :id);\n",
    )
}

/// Calls that no statement shows: a view's, and that of a function which it calls.
fn function_behind_a_view(site: &Site) -> Prepared {
    let view = |work: &str| {
        format!(
            "CREATE FUNCTION taxed(total numeric) RETURNS numeric LANGUAGE plpgsql STABLE AS $$ DECLARE x int := 0; BEGIN {work} \
             RETURN total * 1.2; END $$; \
             CREATE FUNCTION rounded(total numeric) RETURNS numeric LANGUAGE plpgsql STABLE AS $$ BEGIN \
             RETURN round(taxed(total), 2); END $$; \
             CREATE VIEW priced AS SELECT tenant, id, rounded(total) AS price FROM orders;"
        )
    };
    beside(
        servers(site, [""; 2], [&view(""), &view("FOR n IN 1..20000 LOOP x := x + n; END LOOP;")]),
        site,
        "\\set id random(1, 80000)\nSELECT price FROM priced WHERE tenant = :id % 20 AND id = :id;\n",
    )
}

fn trigger(site: &Site) -> Prepared {
    let function = |body: &str| {
        format!(
            "CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$ {body} RETURN NEW; END $$; \
             CREATE TRIGGER audit BEFORE INSERT ON journal FOR EACH ROW EXECUTE FUNCTION audit();"
        )
    };
    let (light, heavy) =
        (function("BEGIN"), function("DECLARE x int := 0; BEGIN FOR i IN 1..20000 LOOP x := x + i; END LOOP;"));
    beside(
        servers(site, ["synchronous_commit = off\n"; 2], [&light, &heavy]),
        site,
        "INSERT INTO journal (payload) VALUES ('x');\n",
    )
}

fn indexes(site: &Site) -> Prepared {
    let columns =
        ["payload", "at", "payload, at", "at, payload", "md5(payload)", "lower(payload)", "length(payload), at"];
    let indexes: String = columns.map(|columns| format!("CREATE INDEX ON journal ({columns});")).concat();
    let sql =
        "INSERT INTO journal (payload) SELECT md5((:client_id * 1000 + n)::text) FROM generate_series(1, 100) AS n;\n";
    beside(servers(site, ["synchronous_commit = off\n"; 2], ["", &indexes]), site, sql)
}

fn sequence(site: &Site) -> Prepared {
    let sql = ["ALTER SEQUENCE journal_id_seq CACHE 1000;", ""];
    beside(
        servers(site, ["synchronous_commit = off\n"; 2], sql),
        site,
        "SELECT count(nextval('journal_id_seq')) FROM generate_series(1, 200);\n",
    )
}

fn compressed(site: &Site) -> Prepared {
    let fill = "INSERT INTO journal (payload, body) SELECT '', repeat(md5(n::text), 4000)::bytea FROM generate_series(1, 50) AS n;";
    let body = |how: &str| {
        format!("ALTER TABLE journal ADD body bytea; ALTER TABLE journal ALTER body SET STORAGE {how}; {fill}")
    };
    let [plain, packed] = ["EXTERNAL", "EXTENDED"].map(body);
    // Of bytes that are not compressed one piece is fetched, of the others all of it is unpacked.
    let sql = "\\set id random(1, 50)\nSELECT substr(body, 120000, 8) FROM journal WHERE id = :id;\n";
    // Else the plans would differ, too: plain payloads are not in the table itself, which has one page then.
    beside(servers(site, ["enable_seqscan = off\n"; 2], [&plain, &packed]), site, sql)
}

fn full_pages(site: &Site) -> Prepared {
    let roomy = "ALTER TABLE orders SET (fillfactor = 50); VACUUM FULL orders;";
    let sql = "\\set id random(1, 80000)\nUPDATE orders SET total = total + 1 WHERE tenant = :id % 20 AND id = :id;\n";
    // `VACUUM` is none of a transaction of several statements.
    let roomy = roomy.replace(
        " VACUUM FULL orders;",
        " CREATE TABLE copied AS TABLE orders; TRUNCATE orders; INSERT INTO orders TABLE copied;",
    );
    beside(servers(site, ["synchronous_commit = off\n"; 2], [&roomy, ""]), site, sql)
}

fn freeze(site: &Site) -> Prepared {
    let servers = servers(site, [""; 2], [""; 2]);
    let ticker = Ticker::start(&servers[1], 0.5, "VACUUM FREEZE lines");
    meanwhile(servers, site, LOOKUP, ticker)
}

/// Orders by their whole key.
const LOOKUP: &str = "\\set id random(1, 80000)\nSELECT total FROM orders WHERE tenant = :id % 20 AND id = :id;\n";

fn lookups(site: &Site) -> Prepared {
    beside(servers(site, [""; 2], [""; 2]), site, LOOKUP)
}

fn joins(site: &Site) -> Prepared {
    let sql = "\\set id random(1, 80000)\nBEGIN;\nSELECT o.total, p.name FROM orders o JOIN lines l ON l.tenant = o.tenant AND l.order_id = o.id \
               JOIN products p ON p.id = l.product WHERE o.tenant = :id % 20 AND o.id = :id;\n\
               UPDATE lines SET quantity = quantity + 1 WHERE tenant = :id % 20 AND order_id = :id AND line = 1;\n\
               INSERT INTO journal (payload) VALUES ('order ' || :id);\nEND;\n";
    beside(servers(site, [""; 2], [""; 2]), site, sql)
}
