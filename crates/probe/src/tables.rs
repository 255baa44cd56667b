//! What was done to the tables of the load's database between two instants, and by which of their indexes. Never fails:
//! what cannot be had is a gap.

use std::collections::BTreeMap;
use std::time::Instant as Clock;

use jiff::Timestamp;
use results::tables::{
    Attached, DatabaseFunction, FORMAT, IndexUsage, SequenceUsage, TableProperty, TableUsage, TrialTables,
};
use tokio::time::Instant;
use tokio_postgres::{Error, Row};

use crate::catalog;
use crate::compression::{SampledTables, StoredCompression, sample_tables};
use crate::postgres::ServerLink;
use crate::time_limit::{AT_MOST, in_time};

/// What is asked.
const VIEWS: &str = "the statistics of the tables";

/// Tables that are listed: those of which the most rows were read.
const LISTED: usize = 50;

/// Indexes of a table that are listed: those that were used most.
const INDEXES: usize = 20;

/// Triggers, checks, foreign keys, ... of a table that are listed.
const ATTACHMENTS: usize = 50;

/// Columns of a table that are listed.
const COLUMNS: usize = 100;

const COUNTS: &str = include_str!("../sql/relations.14.sql");
const NAMES: &str = include_str!("../sql/relation_names.14.sql");
const SIZES: &str = include_str!("../sql/relation_sizes.14.sql");
const ATTACHED: &str = include_str!("../sql/relation_attached.14.sql");
const MADE: &str = include_str!("../sql/relation_made.14.sql");
const FUNCTIONS: &str = include_str!("../sql/functions.14.sql");
const SEQUENCES: &str = include_str!("../sql/sequences.14.sql");
const DATABASE: &str = include_str!("../sql/database_work.14.sql");

/// What was counted at an instant.
pub(crate) struct TableSnapshot {
    at: Clock,
    /// When the counters were set to zero.
    reset_us: Option<i64>,
    /// By the number of the table or index.
    relations: BTreeMap<u32, RelationCounts>,
    /// By their numbers, with what was counted since their statistics began.
    sequences: BTreeMap<u32, SequenceUsage>,
    /// Of the whole database; absent where its role may not read it.
    database: Option<DatabaseWork>,
}

/// What was counted of the whole database.
#[derive(Debug, Clone, Copy, PartialEq)]
struct DatabaseWork {
    pages: i64,
    temporary_bytes: i64,
}

/// What was counted of a table or an index.
#[derive(Debug, Clone, Copy, PartialEq)]
struct RelationCounts {
    /// The table that it is an index of.
    table: Option<u32>,
    scans: i64,
    rows_read: i64,
    rows_changed: i64,
    live_rows: i64,
    dead_rows: i64,
    pages_read: i64,
    changed_since_analyze: i64,
    analyzed_us: Option<i64>,
}

/// Of what had not been touched.
const NONE: RelationCounts = RelationCounts {
    table: None,
    scans: 0,
    rows_read: 0,
    rows_changed: 0,
    live_rows: 0,
    dead_rows: 0,
    pages_read: 0,
    changed_since_analyze: 0,
    analyzed_us: None,
};

/// What was done to the tables and the indexes that were touched, by their numbers.
type Touched = BTreeMap<u32, (TableUsage, BTreeMap<u32, IndexUsage>)>;

/// What has been counted so far.
pub(crate) async fn take_table_snapshot(link: &mut ServerLink) -> Result<TableSnapshot, String> {
    in_time(link, VIEWS, query_table_snapshot).await
}

/// What has been counted since.
pub(crate) async fn tables_since(before: Result<TableSnapshot, String>, link: &mut ServerLink) -> TrialTables {
    try_tables_since(before, link).await.unwrap_or_else(|gap| TrialTables {
        format: FORMAT,
        gap: Some(gap),
        ..TrialTables::default()
    })
}

async fn try_tables_since(before: Result<TableSnapshot, String>, link: &mut ServerLink) -> Result<TrialTables, String> {
    let before = before?;
    let after = take_table_snapshot(link).await?;
    if before.reset_us != after.reset_us {
        return Err("the server's statistics were reset".to_owned());
    }
    let over_us = u64::try_from(after.at.duration_since(before.at).as_micros()).unwrap_or(u64::MAX);
    let mut touched = most_read(touched_relations(&before.relations, &after.relations)?);
    let numbers: Vec<u32> = touched.keys().copied().collect();
    let sizes = in_time(link, "the sizes of the tables", async |link| query_relation_sizes(link, &numbers).await).await;
    let sizes_gap = match sizes {
        Ok(sizes) => {
            enter_relation_sizes(&mut touched, &sizes);
            None
        }
        Err(gap) => Some(gap),
    };
    let sampled = sample_tables(link, &numbers).await;
    let defined = in_time(link, "what is attached to the tables", async |link| {
        enter_definitions(link, &mut touched, &numbers, &sampled).await
    })
    .await;
    let attached_gap = defined.err();
    let mut tables = in_time(link, VIEWS, async |link| name_touched_tables(link, touched, &numbers).await).await?;
    tables.sort_by(|one, other| other.rows_read().cmp(&one.rows_read()).then(one.name.cmp(&other.name)));
    let sequences = Some(looked_at(&before.sequences, after.sequences));
    let functions = in_time(link, "the functions", query_trigger_functions).await.ok();
    let catalog = Some(catalog::read_catalog(link, &numbers, &sampled).await);
    let [pages_accessed, temporary_bytes] = done_in_database(before.database, after.database);
    Ok(TrialTables {
        format: FORMAT,
        over_us,
        pages_accessed,
        temporary_bytes,
        sizes_gap,
        attached_gap,
        tables,
        sequences,
        functions,
        catalog,
        ..TrialTables::default()
    })
}

/// Pages that were accessed in the database between two instants, and bytes of temporary files.
fn done_in_database(before: Option<DatabaseWork>, after: Option<DatabaseWork>) -> [Option<u64>; 2] {
    let (Some(before), Some(after)) = (before, after) else { return [None, None] };
    let pages = u64::try_from(after.pages - before.pages).ok();
    [pages, u64::try_from(after.temporary_bytes - before.temporary_bytes).ok()]
}

/// What has been done since `before`; a relation that was not there had not been touched.
fn touched_relations(
    before: &BTreeMap<u32, RelationCounts>,
    after: &BTreeMap<u32, RelationCounts>,
) -> Result<Touched, String> {
    let mut touched = Touched::new();
    for (number, now) in after {
        let then = before.get(number).copied().unwrap_or(NONE);
        let since =
            |then: i64, now: i64| u64::try_from(now - then).map_err(|_| "the counters of a table decreased".to_owned());
        let (scans, rows) = (since(then.scans, now.scans)?, since(then.rows_read, now.rows_read)?);
        let rows_changed = since(then.rows_changed, now.rows_changed)?;
        if scans + rows + rows_changed == 0 {
            continue;
        }
        let pages_read = u64::try_from(now.pages_read - then.pages_read).ok();
        let (table, indexes) = touched.entry(now.table.unwrap_or(*number)).or_default();
        match now.table {
            Some(_) => {
                table.index_rows += rows;
                indexes.insert(*number, IndexUsage { scans, entries: rows, pages_read, ..IndexUsage::default() });
            }
            None => {
                table.sequential_scans = scans;
                table.sequential_rows = rows;
                table.rows_changed = rows_changed;
            }
        }
    }
    for (number, (table, _)) in &mut touched {
        if let Some(now) = after.get(number) {
            enter_final_levels(table, now);
            // Also where its rows were found by its indexes alone.
            let then = before.get(number).map_or(0, |then| then.pages_read);
            table.pages_read = u64::try_from(now.pages_read - then).ok();
        }
    }
    Ok(touched)
}

/// What is so of a table at the end.
fn enter_final_levels(table: &mut TableUsage, now: &RelationCounts) {
    table.live_rows = u64::try_from(now.live_rows).unwrap_or(0);
    table.dead_rows = Some(u64::try_from(now.dead_rows).unwrap_or(0));
    table.changed_since_analyze = Some(u64::try_from(now.changed_since_analyze).unwrap_or(0));
    table.analyzed_at = now.analyzed_us.and_then(|us| Timestamp::from_microsecond(us).ok());
}

/// The sequences whose pages have been looked at since `before`, those that were most first.
fn looked_at(before: &BTreeMap<u32, SequenceUsage>, after: BTreeMap<u32, SequenceUsage>) -> Vec<SequenceUsage> {
    let mut all: Vec<SequenceUsage> = after
        .into_iter()
        .map(|(number, now)| {
            let then = before.get(&number).map_or(0, |then| then.pages_read);
            SequenceUsage { pages_read: now.pages_read.saturating_sub(then), ..now }
        })
        .filter(|sequence| sequence.pages_read > 0)
        .collect();
    all.sort_by_key(|sequence| std::cmp::Reverse(sequence.pages_read));
    all.truncate(LISTED);
    all
}

/// Enters how large tables and indexes are.
fn enter_relation_sizes(touched: &mut Touched, sizes: &BTreeMap<u32, u64>) {
    for (number, (table, indexes)) in touched {
        table.bytes = sizes.get(number).copied();
        for (number, index) in indexes {
            index.bytes = sizes.get(number).copied();
        }
    }
}

/// Those of which the most rows were read.
fn most_read(touched: Touched) -> Touched {
    let mut all: Vec<_> = touched.into_iter().collect();
    all.sort_by_key(|(_, (table, _))| std::cmp::Reverse(table.rows_read() + table.rows_changed));
    all.into_iter().take(LISTED).collect()
}

async fn query_table_snapshot(link: &mut ServerLink) -> Result<TableSnapshot, String> {
    let session = link.session_until_deadline(Instant::now() + AT_MOST).await.map_err(|silence| silence.to_string())?;
    let rows = session.query_rows(COUNTS, &[]).await?;
    let reset_us = rows.first().map_or(Ok(None), |row| row.try_get("stats_reset_us"));
    let relations = rows.iter().map(counts_from_row).collect::<Result<_, _>>();
    let (reset_us, relations) = reset_us.and_then(|reset| Ok((reset, relations?))).map_err(|e| e.to_string())?;
    let database = session.query_rows(DATABASE, &[]).await?.first().and_then(|row| database_work(row).ok());
    let at = Clock::now();
    let sequences = session.query_rows(SEQUENCES, &[]).await?.iter().map(sequence_from_row).collect::<Result<_, _>>();
    Ok(TableSnapshot { at, reset_us, relations, sequences: sequences.map_err(|error| error.to_string())?, database })
}

fn database_work(row: &Row) -> Result<DatabaseWork, Error> {
    Ok(DatabaseWork { pages: row.try_get("pages")?, temporary_bytes: row.try_get("temp_bytes")? })
}

fn sequence_from_row(row: &Row) -> Result<(u32, SequenceUsage), Error> {
    let [cache, pages_read] = ["cache", "pages_read"].map(|name| row.try_get(name).map(i64::unsigned_abs));
    Ok((row.try_get("oid")?, SequenceUsage { name: row.try_get("name")?, cache: cache?, pages_read: pages_read? }))
}

fn counts_from_row(row: &Row) -> Result<(u32, RelationCounts), Error> {
    let counts = RelationCounts {
        table: row.try_get("table_oid")?,
        scans: row.try_get("scans")?,
        rows_read: row.try_get("rows_read")?,
        rows_changed: row.try_get("rows_changed")?,
        live_rows: row.try_get("live_rows")?,
        dead_rows: row.try_get("dead_rows")?,
        pages_read: row.try_get("pages_read")?,
        changed_since_analyze: row.try_get("changed_since_analyze")?,
        analyzed_us: row.try_get("analyzed_us")?,
    };
    Ok((row.try_get("oid")?, counts))
}

/// The sizes of the relations with these numbers and of their indexes, in bytes, without those that have been dropped.
async fn query_relation_sizes(link: &mut ServerLink, numbers: &[u32]) -> Result<BTreeMap<u32, u64>, String> {
    let session = link.session_until_deadline(Instant::now() + AT_MOST).await.map_err(|silence| silence.to_string())?;
    let mut sizes = BTreeMap::new();
    for row in session.query_rows(SIZES, &[&numbers]).await? {
        let size = |row: &Row| Ok((row.try_get("oid")?, row.try_get::<_, Option<i64>>("bytes")?));
        let (number, bytes) = size(&row).map_err(|error: Error| error.to_string())?;
        sizes.extend(bytes.map(|bytes| (number, bytes.unsigned_abs())));
    }
    Ok(sizes)
}

/// Enters what is done besides when rows of the tables with these numbers are written, and how these are made.
async fn enter_definitions(
    link: &mut ServerLink,
    touched: &mut Touched,
    numbers: &[u32],
    sampled: &SampledTables,
) -> Result<(), String> {
    let mut attached = by_table(link, ATTACHED, numbers, |row| {
        let (name, definition) = (row.try_get("name")?, row.try_get("definition")?);
        Ok(Attached { name, definition, function: row.try_get("function")? })
    })
    .await?;
    let mut made = by_table(link, MADE, numbers, |row| {
        let number: u32 = row.try_get("oid")?;
        let (column, mut definition): (Option<String>, String) =
            (row.try_get("column_name")?, row.try_get("definition")?);
        let seen = column.as_deref().and_then(|column| sampled.compression_in_table(number, column));
        let method = match seen {
            Some(StoredCompression::Nothing) => None,
            Some(StoredCompression::Methods(methods)) => Some(methods.clone()),
            None => row.try_get("compression")?,
        };
        if let Some(method) = method {
            definition.push_str(" COMPRESSION ");
            definition.push_str(&method);
        }
        Ok(TableProperty { column, definition })
    })
    .await?;
    for (number, (table, _)) in touched {
        // That there is none is an answer: all tables were asked for.
        table.attached = Some(attached.remove(number).into_iter().flatten().take(ATTACHMENTS).collect());
        table.made = Some(made.remove(number).into_iter().flatten().take(COLUMNS).collect());
    }
    Ok(())
}

async fn query_trigger_functions(link: &mut ServerLink) -> Result<Vec<DatabaseFunction>, String> {
    let session = link.session_until_deadline(Instant::now() + AT_MOST).await.map_err(|silence| silence.to_string())?;
    let functions = session
        .query_rows(FUNCTIONS, &[])
        .await?
        .iter()
        .map(|row| {
            let [name, called, source] = ["name", "called", "source"].map(|column| row.try_get::<_, String>(column));
            Ok(DatabaseFunction {
                name: name?,
                called: called?,
                source: source?,
                body: row.try_get("body")?,
                by_trigger: row.try_get("by_trigger")?,
                calls: row.try_get("calls")?,
                behind: row.try_get("behind")?,
            })
        })
        .collect::<Result<_, Error>>();
    functions.map_err(|error| error.to_string())
}

/// Rows of a query over the tables with these numbers, by the table.
async fn by_table<T>(
    link: &mut ServerLink,
    query: &'static str,
    numbers: &[u32],
    one: impl Fn(&Row) -> Result<T, Error>,
) -> Result<BTreeMap<u32, Vec<T>>, String> {
    let session = link.session_until_deadline(Instant::now() + AT_MOST).await.map_err(|silence| silence.to_string())?;
    let mut all = BTreeMap::<u32, Vec<T>>::new();
    for row in session.query_rows(query, &[&numbers]).await? {
        let of = |row: &Row| Ok((row.try_get("oid")?, one(row)?));
        let (number, one) = of(&row).map_err(|error: Error| error.to_string())?;
        all.entry(number).or_default().push(one);
    }
    Ok(all)
}

/// The touched tables with their names and those of all their indexes, used or not. One that has been dropped since is
/// left out.
async fn name_touched_tables(
    link: &mut ServerLink,
    mut touched: Touched,
    numbers: &[u32],
) -> Result<Vec<TableUsage>, String> {
    let session = link.session_until_deadline(Instant::now() + AT_MOST).await.map_err(|silence| silence.to_string())?;
    for row in session.query_rows(NAMES, &[&numbers]).await? {
        let number: u32 = row.try_get("oid").map_err(|error| error.to_string())?;
        let Some((table, indexes)) = touched.get_mut(&number) else { continue };
        describe_table_from_row(&row, table, indexes).map_err(|error| error.to_string())?;
    }
    let tables = touched.into_values().filter(|(table, _)| !table.name.is_empty());
    Ok(tables.map(|(table, indexes)| TableUsage { indexes: most_used(indexes), ..table }).collect())
}

fn describe_table_from_row(
    row: &Row,
    table: &mut TableUsage,
    indexes: &mut BTreeMap<u32, IndexUsage>,
) -> Result<(), Error> {
    table.name = row.try_get("name")?;
    // One that somebody is dropping at this moment has a number and no definition.
    if let (Some(number), Some(definition)) = (row.try_get("index_oid")?, row.try_get("definition")?) {
        let index = indexes.entry(number).or_default();
        (index.name, index.definition, index.valid) = (row.try_get("index_name")?, definition, row.try_get("valid")?);
    }
    Ok(())
}

fn most_used(indexes: BTreeMap<u32, IndexUsage>) -> Vec<IndexUsage> {
    let mut indexes: Vec<IndexUsage> = indexes.into_values().filter(|index| !index.name.is_empty()).collect();
    indexes.sort_by(|one, other| other.scans.cmp(&one.scans).then(one.name.cmp(&other.name)));
    indexes.truncate(INDEXES);
    indexes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(scans: i64, rows_read: i64) -> RelationCounts {
        RelationCounts { scans, rows_read, live_rows: 9, ..NONE }
    }

    #[test]
    fn what_was_done_since_is_told_by_table_and_by_index() {
        let index = |scans, rows_read| RelationCounts { table: Some(1), scans, rows_read, ..NONE };
        let before = BTreeMap::from([(1, table(5, 50)), (2, index(7, 8)), (3, table(1, 1))]);
        let after = BTreeMap::from([(1, table(6, 59)), (2, index(10, 20)), (3, table(1, 1)), (4, index(1, 2))]);
        let touched = touched_relations(&before, &after).unwrap();
        assert_eq!(touched.keys().collect::<Vec<_>>(), [&1], "nothing was done to the table 3");
        let (table, indexes) = &touched[&1];
        assert_eq!((table.sequential_scans, table.sequential_rows, table.index_rows, table.live_rows), (1, 9, 14, 9));
        let entries: Vec<_> = indexes.values().map(|index| (index.scans, index.entries)).collect();
        assert_eq!(entries, [(3, 12), (1, 2)]);
    }

    #[test]
    fn a_counter_that_went_backwards_is_no_negative_number() {
        let backwards = touched_relations(&BTreeMap::from([(1, table(5, 50))]), &BTreeMap::from([(1, table(6, 10))]));
        assert_eq!(backwards.unwrap_err(), "the counters of a table decreased");
    }
}
