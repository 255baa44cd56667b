//! A warm cache: every table and index is read, by pg_prewarm where the server has it, else by scans, again until a
//! pass finds as much in the server's cache, as fast, as the one before.
//!
//! What takes too long to read is left, and the cache is not called steady. Only reads. A server that pgdyno made gets
//! the extension; one that was found is left as it is.

use std::time::{Duration, Instant};

use results::trial::{CachePass, WarmCache, WarmedBy};
use serde_json::Value;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, SimpleQueryMessage};

use super::super::member::Member;
use problem::Problem;

const PASSES_AT_MOST: u32 = 6;

/// No pass begins after this, and no statement goes on for longer.
const AT_MOST: Duration = Duration::from_secs(120);

/// Two passes are alike when their hit ratios differ by no more than this, ...
const HIT_RATIO_ALIKE: f64 = 0.01;

/// ... and their speeds by no more than this share, ...
const SPEED_ALIKE: f64 = 0.1;

/// ... or when they are too short for their speed to say anything.
const TOO_SHORT_TO_TELL: Duration = Duration::from_millis(100);

/// A table or index.
struct WarmedRelation {
    oid: i64,
    name: String,
    is_table: bool,
    bytes: u64,
    /// The columns of a table's primary key.
    ordered_by: Option<String>,
}

/// Whether another pass would find what this one did after the one before.
fn are_alike(pass: &CachePass, before: &CachePass) -> bool {
    let took = |pass: &CachePass| Duration::from_micros(pass.took_us);
    let hit_ratio = |pass: &CachePass| pass.blocks_hit as f64 / (pass.blocks_hit + pass.blocks_read).max(1) as f64;
    let blocks_per_s =
        |pass: &CachePass| (pass.blocks_hit + pass.blocks_read) as f64 / took(pass).as_secs_f64().max(1e-9);
    let complete = pass.complete && before.complete;
    let short = took(pass) < TOO_SHORT_TO_TELL && took(before) < TOO_SHORT_TO_TELL;
    let speed = blocks_per_s(pass) / blocks_per_s(before).max(1e-9);
    complete
        && (hit_ratio(pass) - hit_ratio(before)).abs() <= HIT_RATIO_ALIKE
        && (short || (speed - 1.0).abs() <= SPEED_ALIKE)
}

/// Warms the caches of a server; returns how.
pub(super) async fn warm_caches(member: &Member) -> Result<WarmCache, Problem> {
    let client = member.connect_control().await?;
    let problem = |error: tokio_postgres::Error| {
        let said = error.as_db_error().map_or_else(|| error.to_string(), ToString::to_string);
        Problem::could_not_measure(format!("target {:?}: could not warm its caches", member.name)).detail(said)
    };
    let by = choose_warming_method(&client, member.target.is_made_by_pgdyno()).await.map_err(problem)?;
    let relations = read_relations(&client).await.map_err(problem)?;
    let settings = format!(
        "SET statement_timeout = '{}s'; SET max_parallel_workers_per_gather = 0; SET enable_seqscan = off; \
         SET enable_sort = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off",
        AT_MOST.as_secs()
    );
    client.batch_execute(&settings).await.map_err(problem)?;
    let began = Instant::now();
    let mut passes: Vec<CachePass> = Vec::new();
    let mut steady = false;
    while !steady && passes.len() < PASSES_AT_MOST as usize && began.elapsed() < AT_MOST {
        let pass = run_cache_pass(&client, by, &relations).await.map_err(problem)?;
        steady = passes.last().is_some_and(|before| are_alike(&pass, before));
        passes.push(pass);
    }
    Ok(WarmCache {
        by,
        relations: relations.len(),
        bytes: relations.iter().map(|relation| relation.bytes).sum(),
        passes,
        steady,
        took_us: elapsed_us(began),
    })
}

async fn choose_warming_method(client: &Client, ours: bool) -> Result<WarmedBy, tokio_postgres::Error> {
    const AVAILABLE: &str = "SELECT installed_version IS NOT NULL, true FROM pg_available_extensions \
                             WHERE name = 'pg_prewarm'";
    let installed: Option<bool> = client.query_opt(AVAILABLE, &[]).await?.map(|row| row.get(0));
    match installed {
        Some(true) => Ok(WarmedBy::PgPrewarm),
        Some(false) if ours => {
            client.batch_execute("CREATE EXTENSION IF NOT EXISTS pg_prewarm").await.map(|()| WarmedBy::PgPrewarm)
        }
        Some(false) | None => Ok(WarmedBy::Scans),
    }
}

async fn read_relations(client: &Client) -> Result<Vec<WarmedRelation>, tokio_postgres::Error> {
    let rows = client.query(include_str!("relations.sql"), &[]).await?;
    let relation = |row: &tokio_postgres::Row| WarmedRelation {
        oid: row.get("oid"),
        name: row.get("name"),
        is_table: row.get("is_table"),
        bytes: u64::try_from(row.get::<_, i64>("bytes")).unwrap_or(0),
        ordered_by: row.get("ordered_by"),
    };
    Ok(rows.iter().map(relation).collect())
}

async fn run_cache_pass(
    client: &Client,
    by: WarmedBy,
    relations: &[WarmedRelation],
) -> Result<CachePass, tokio_postgres::Error> {
    let began = Instant::now();
    let mut pass = CachePass { blocks_hit: 0, blocks_read: 0, took_us: 0, complete: true };
    for statement in relations.iter().flat_map(|relation| relation.warming_statements(by)) {
        let explain = format!("EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) {statement}");
        let (hit, read) = match client.simple_query(&explain).await {
            Ok(explained) => blocks_hit_and_read(&explained),
            Err(error) if error.code() == Some(&SqlState::QUERY_CANCELED) => {
                pass.complete = false;
                break;
            }
            Err(error) => return Err(error),
        };
        pass.blocks_hit += hit;
        pass.blocks_read += read;
    }
    Ok(CachePass { took_us: elapsed_us(began), ..pass })
}

fn elapsed_us(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX)
}

impl WarmedRelation {
    /// The statements that read it. A scan in the order of the primary key reads index and table through the whole of
    /// the server's cache, where a sequential scan of a large table goes round in a corner of it.
    fn warming_statements(&self, by: WarmedBy) -> Vec<String> {
        let Self { oid, name, is_table, ordered_by, .. } = self;
        match (by, is_table, ordered_by) {
            (WarmedBy::PgPrewarm, ..) => vec![format!("SELECT pg_prewarm({oid}::oid::regclass)")],
            (WarmedBy::Scans, true, Some(columns)) => {
                vec![format!("SELECT count(*) FROM (SELECT 1 FROM {name} ORDER BY {columns} OFFSET 0) AS rows")]
            }
            (WarmedBy::Scans, true, None) => vec![format!("SELECT count(*) FROM {name}")],
            (WarmedBy::Scans, false, _) => Vec::new(),
        }
    }
}

/// Blocks found in the server's cache and blocks read into it, of a plan in JSON.
fn blocks_hit_and_read(explained: &[SimpleQueryMessage]) -> (u64, u64) {
    let rows = explained.iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    });
    let text: Vec<&str> = rows.collect();
    let plan: Option<Value> = serde_json::from_str(&text.join("\n")).ok();
    let count = |name: &str| plan.as_ref().and_then(|plan| plan.pointer("/0/Plan")?.get(name)?.as_u64());
    (count("Shared Hit Blocks").unwrap_or(0), count("Shared Read Blocks").unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    /// A message of a server: its type, its length, its content.
    fn message(kind: u8, content: &[u8]) -> Vec<u8> {
        let length = i32::try_from(content.len() + 4).unwrap().to_be_bytes();
        [&[kind][..], &length, content].concat()
    }

    fn ready() -> Vec<u8> {
        message(b'Z', b"I")
    }

    /// The plan of a statement that read so many blocks.
    fn explained(blocks_read: u32) -> Vec<u8> {
        let plan = format!("[{{\"Plan\": {{\"Shared Hit Blocks\": 0, \"Shared Read Blocks\": {blocks_read}}}}}]");
        let column = [&1_i16.to_be_bytes()[..], b"QUERY PLAN\0", &[0; 18]].concat();
        let length = i32::try_from(plan.len()).unwrap().to_be_bytes();
        let row = [&1_i16.to_be_bytes()[..], &length, plan.as_bytes()].concat();
        [message(b'T', &column), message(b'D', &row), message(b'C', b"EXPLAIN\0"), ready()].concat()
    }

    fn refused(sqlstate: &str) -> Vec<u8> {
        let fields = format!("SERROR\0C{sqlstate}\0Mrefused\0\0");
        [message(b'E', fields.as_bytes()), ready()].concat()
    }

    /// A session on a server that gives these answers, one to each statement.
    async fn session(answers: Vec<Vec<u8>>) -> Client {
        let (ours, mut theirs) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move {
            let startup = theirs.read_i32().await.unwrap();
            theirs.read_exact(&mut vec![0; startup as usize - 4]).await.unwrap();
            theirs.write_all(&[message(b'R', &[0; 4]), ready()].concat()).await.unwrap();
            for answer in answers {
                theirs.read_u8().await.unwrap();
                let length = theirs.read_i32().await.unwrap();
                theirs.read_exact(&mut vec![0; length as usize - 4]).await.unwrap();
                theirs.write_all(&answer).await.unwrap();
            }
        });
        let mut config = tokio_postgres::Config::new();
        config.user("somebody").ssl_mode(tokio_postgres::config::SslMode::Disable);
        let (client, connection) = config.connect_raw(ours, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        client
    }

    fn relation(oid: i64) -> WarmedRelation {
        WarmedRelation { oid, name: format!("t{oid}"), is_table: true, bytes: 8192, ordered_by: None }
    }

    #[tokio::test]
    async fn a_relation_that_takes_too_long_ends_its_pass_and_another_error_the_run() {
        let relations = [relation(1), relation(2), relation(3)];
        let cancelled = session(vec![explained(7), refused("57014")]).await;
        let cut_short = run_cache_pass(&cancelled, WarmedBy::PgPrewarm, &relations).await.unwrap();
        assert_eq!((cut_short.blocks_read, cut_short.complete), (7, false));
        assert!(!are_alike(&cut_short, &cut_short), "a pass that was not finished settles nothing");

        let whole = session(vec![explained(7), explained(5), explained(3)]).await;
        let whole = run_cache_pass(&whole, WarmedBy::PgPrewarm, &relations).await.unwrap();
        assert_eq!((whole.blocks_read, whole.complete), (15, true));

        let forbidden = session(vec![refused("42501")]).await;
        let error = run_cache_pass(&forbidden, WarmedBy::PgPrewarm, &relations).await.unwrap_err();
        assert_eq!(error.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE));
    }

    #[test]
    fn a_pass_is_like_the_one_before_when_it_finds_as_much_as_fast() {
        let pass = |blocks_hit, blocks_read, ms: u64| CachePass {
            blocks_hit,
            blocks_read,
            took_us: ms * 1000,
            complete: true,
        };
        assert!(!are_alike(&pass(90, 10, 500), &pass(0, 100, 500)), "more is found");
        assert!(are_alike(&pass(100, 0, 500), &pass(100, 0, 520)));
        assert!(!are_alike(&pass(0, 100, 200), &pass(0, 100, 500)), "faster: the kernel had more of it");
        assert!(are_alike(&pass(100, 0, 5), &pass(100, 0, 50)), "too short to tell");
        assert!(!are_alike(&pass(100, 0, 5), &pass(10, 90, 50)));
    }

    #[test]
    fn a_table_with_a_key_is_scanned_in_its_order_and_an_index_with_its_table() {
        let relation = |is_table, key: Option<&str>| WarmedRelation {
            oid: 7,
            name: "\"T\"".to_owned(),
            is_table,
            bytes: 8192,
            ordered_by: key.map(ToOwned::to_owned),
        };
        let keyed = relation(true, Some("a, b"));
        assert_eq!(keyed.warming_statements(WarmedBy::PgPrewarm), ["SELECT pg_prewarm(7::oid::regclass)"]);
        let scan = "SELECT count(*) FROM (SELECT 1 FROM \"T\" ORDER BY a, b OFFSET 0) AS rows";
        assert_eq!(keyed.warming_statements(WarmedBy::Scans), [scan]);
        assert_eq!(relation(true, None).warming_statements(WarmedBy::Scans), ["SELECT count(*) FROM \"T\""]);
        assert!(relation(false, None).warming_statements(WarmedBy::Scans).is_empty());
    }
}
