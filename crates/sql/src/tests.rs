//! Literals, kinds, reach and secrets of texts, worked out by hand; and that no text is too much.

use proptest::prelude::*;

use super::*;

fn normalised(text: &str) -> String {
    split_literals(text).unwrap().normalised
}

#[test]
fn literals_are_cut_out_after_the_parameters() {
    let cases = [
        ("SELECT * FROM t WHERE a = $1 AND b = 'x''y'", "SELECT * FROM t WHERE a = $1 AND b = $2"),
        ("SELECT 'a' 'b'", "SELECT $1 $2"),
        ("select -5, 1.5e3, x'ff', B'01', E'\\'', $q$it's$q$", "select -$1, $2, $3, $4, $5, $6"),
        ("SELECT'a'AS x", "SELECT $1 AS x"),
        ("SELECT 1 /* secret 2 */ + 3 -- four\n;", "SELECT $1   + $2"),
        ("/*+ SeqScan(t) */ SELECT 1;", "/*+ SeqScan(t) */ SELECT $1"),
        ("SELECT \"$1\", a$1 FROM t LIMIT 10", "SELECT \"$1\", a$1 FROM t LIMIT $1"),
        ("SELECT date'2020-01-01'", "SELECT date $1"),
        ("", ""),
    ];
    for (text, expected) in cases {
        assert_eq!(normalised(text), expected, "{text}");
    }
    let split = split_literals("SELECT $2, 'ä', 7").unwrap();
    let literals: Vec<&str> =
        split.literals.iter().map(|literal| &"SELECT $2, 'ä', 7"[literal.range.clone()]).collect();
    assert_eq!((split.parameters, literals), (2, vec!["'ä'", "7"]));
}

#[test]
fn a_text_that_is_no_sql_is_an_error() {
    let cases = [
        ("SELECT 'a", "unterminated quoted string at or near \"'a\""),
        ("SELECT /* a", "unterminated /* comment at or near \"/* a\""),
        ("SELECT \0", "the text has a NUL byte"),
        ("SELECT $99999999999", "a parameter's number is too high"),
    ];
    for (text, expected) in cases {
        assert_eq!(split_literals(text).unwrap_err().to_string(), expected);
    }
}

#[test]
fn kinds_and_writes_are_those_of_postgresql() {
    let cases = [
        ("SELECT 1", "SELECT", false),
        ("VALUES (1)", "SELECT", false),
        ("WITH x AS (INSERT INTO t VALUES (1) RETURNING a) SELECT * FROM x", "SELECT", true),
        ("WITH x AS (SELECT 1) UPDATE t SET a = 1", "UPDATE", true),
        ("SELECT * FROM t FOR UPDATE", "SELECT", true),
        ("SELECT 1 INTO t", "SELECT", true),
        ("INSERT INTO t VALUES (1)", "INSERT", true),
        ("DELETE FROM t", "DELETE", true),
        ("MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN DELETE", "MERGE", true),
        ("START TRANSACTION", "BEGIN", false),
        ("END", "COMMIT", false),
        ("ABORT", "ROLLBACK", false),
        ("ROLLBACK TO a", "ROLLBACK TO", false),
        ("COPY t FROM STDIN", "COPY FROM STDIN", true),
        ("COPY t TO STDOUT", "COPY TO STDOUT", false),
        ("CREATE UNIQUE INDEX CONCURRENTLY i ON t (a)", "CREATE INDEX", true),
        ("CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'", "CREATE FUNCTION", true),
        ("SET statement_timeout = 5", "SET", false),
        ("EXPLAIN DELETE FROM t", "EXPLAIN", false),
        ("EXPLAIN ANALYZE DELETE FROM t", "EXPLAIN", true),
        ("SELECT 1; SELECT 2", "MULTIPLE", false),
        ("-- nothing", "EMPTY", false),
        ("SELEC 1", "SELEC", true),
    ];
    for (text, kind, writes) in cases {
        let facts = read_statement(text).unwrap();
        assert_eq!((facts.kind.as_str(), facts.writes), (kind, writes), "{text}");
    }
}

#[test]
fn steps_of_transactions_are_in_their_order() {
    use TransactionStep::{Begin, End};
    let cases = [
        ("BEGIN; SELECT 1; COMMIT", vec![Begin, End]),
        ("SAVEPOINT a", vec![]),
        ("ROLLBACK TO a", vec![]),
        ("PREPARE TRANSACTION 'x'", vec![End]),
        ("COMMIT PREPARED 'x'", vec![]),
    ];
    for (text, steps) in cases {
        assert_eq!(read_statement(text).unwrap().steps, steps, "{text}");
    }
}

#[test]
fn fingerprints_group_lists_and_values() {
    let fingerprint = |text: &str| read_statement(text).unwrap().fingerprint;
    let two = fingerprint("SELECT * FROM t WHERE a IN ($1, $2)");
    assert_eq!(two, fingerprint("select * from t where a in ($1,$2,$3)"));
    assert_ne!(two, fingerprint("SELECT * FROM t WHERE b IN ($1, $2)"));
}

#[test]
fn what_reaches_beyond_the_database_is_named() {
    let cases = [
        ("COPY t TO PROGRAM 'gzip'", Some("COPY with a program")),
        ("COPY (SELECT a FROM t) TO '/tmp/x'", Some("COPY with a file")),
        ("COPY t FROM STDIN", None),
        ("SELECT * FROM dblink('dbname=x', 'SELECT 1') AS t(a int)", Some("dblink")),
        ("ALTER SYSTEM SET work_mem = '1GB'", Some("ALTER SYSTEM")),
        ("SELECT pg_catalog.pg_read_file('/etc/passwd')", Some("file functions")),
        ("SELECT 1; NOTIFY a", Some("NOTIFY")),
        ("SELECT pg_notify('a', 'b')", Some("NOTIFY")),
        ("SELECT net.http_post(url := 'http://x')", Some("http extension")),
        ("DO $$ BEGIN PERFORM pg_notify('a', 'b'); END $$", Some("NOTIFY")),
        ("DO $$ BEGIN IF true THEN COPY t TO PROGRAM 'x'; END IF; END $$", Some("COPY with a program")),
        ("DO LANGUAGE plpython3u $$ import os $$", Some("untrusted language")),
        ("CREATE USER MAPPING FOR a SERVER s", Some("role")),
        ("LISTEN a", None),
        ("SELECT notify FROM copy", None),
        ("SELECT 'pg_notify('", None),
    ];
    for (text, beyond) in cases {
        assert_eq!(read_statement(text).unwrap().beyond, beyond, "{text}");
    }
}

#[test]
fn texts_that_hold_passwords_are_known() {
    let secret = [
        "ALTER ROLE a PASSWORD 'x'",
        "alter user a with encrypted password 'x'",
        "CREATE USER a PASSWORD 'x'",
        "CREATE USER MAPPING FOR a SERVER s OPTIONS (password 'x')",
        "CREATE SUBSCRIPTION s CONNECTION 'host=x password=y' PUBLICATION p",
        "SELECT dblink_connect('host=x password=y')",
        "SELECT 1; ALTER ROLE a PASSWORD 'x'",
        "ALTR ROLE a PASSWORD 'x'",
        "DO $$ BEGIN ALTER ROLE a PASSWORD 'x'; END $$",
        "DO $$ BEGIN IF true THEN CREATE ROLE a PASSWORD 'x'; END IF; END $$",
        "DO $$ BEGIN EXECUTE 'unterminated $$",
    ];
    for text in secret {
        assert!(split_literals(text).unwrap().holds_secret, "{text}");
    }
    for text in ["SELECT * FROM users WHERE password = 'x'", "UPDATE t SET role = 'x'", "DO $$ BEGIN NULL; END $$"] {
        assert!(!split_literals(text).unwrap().holds_secret, "{text}");
    }
}

#[test]
fn literals_have_their_roles() {
    use LiteralRole::{Code, Data, Structure};
    let cases = [
        ("SELECT * FROM t WHERE a = 'x'", vec![Data]),
        ("SELECT date_trunc('day', a), to_char(b, 'YYYY'), f('x', 'y') FROM t", vec![Structure, Structure, Data, Data]),
        ("SELECT a->>'key' FROM t WHERE b @> '{}'", vec![Structure, Data]),
        ("SELECT now() AT TIME ZONE 'UTC' - interval '1 day'", vec![Structure, Structure]),
        ("SELECT 't'::regclass, 'x'::text", vec![Structure, Data]),
        ("SET search_path = 'a'", vec![Structure]),
        ("SET app.user = 'bob'", vec![Data]),
        ("DO $$ BEGIN END $$", vec![Code]),
        ("SELECT to_tsvector('english', 'a'), to_tsquery('b')", vec![Structure, Data, Data]),
    ];
    for (text, expected) in cases {
        let roles: Vec<LiteralRole> =
            split_literals(text).unwrap().literals.iter().map(|literal| literal.role).collect();
        assert_eq!(roles, expected, "{text}");
    }
}

#[test]
fn no_depth_and_no_length_is_too_much() {
    let texts = [
        format!("SELECT {}1", "1+".repeat(200_000)),
        format!("SELECT {}1{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("SELECT {}true", "NOT ".repeat(100_000)),
        format!("SELECT 1{}", " UNION SELECT 1".repeat(50_000)),
        format!("SELECT {}1{}", "f(".repeat(50_000), ")".repeat(50_000)),
        format!("SELECT '{}'", "x".repeat(1_000_000)),
        format!("{}1", "EXPLAIN ANALYZE ".repeat(10_000)),
    ];
    for text in texts {
        read_statement(&text).unwrap();
        split_literals(&text).unwrap();
    }
}

#[test]
fn threads_end_without_what_the_parser_kept() {
    for _ in 0..50 {
        let thread = std::thread::spawn(|| read_statement("SELECT 1").unwrap().kind);
        assert_eq!(thread.join().unwrap(), "SELECT");
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in any::<String>()) {
        split_literals(&text).ok();
        read_statement(&text).ok();
    }

    #[test]
    fn sql_like_texts_are_cut_at_literals(text in "(SELECT|'a'|\\$1|\\$\\$x\\$\\$|E'\\\\'|1\\.5|\"q\"|-- c\n|/\\*|\\*/| |a1|é|::|;){0,12}") {
        if let Ok(split) = split_literals(&text) {
            let mut end = 0;
            for literal in &split.literals {
                prop_assert!(literal.range.start >= end);
                end = literal.range.end;
            }
            prop_assert!(!split.normalised.contains("'a'"));
            // What was cut stays cut: the text without literals has none.
            if let Ok(again) = split_literals(&split.normalised) {
                prop_assert_eq!(again.literals.len(), 0);
            }
        }
    }
}
