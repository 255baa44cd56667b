//! What a database holds under the names of the pgbench tables, as read from its catalogs and counted. Reads only;
//! whether it is what is needed is decided in [`super::fit`].

use tokio_postgres::Row;

use super::DatasetError;
use super::ddl::qualified;
use super::session::Session;
use super::table::{ACCOUNTS_PER_BRANCH, Table};

/// Where a session is and what it may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) database: String,
    pub(super) role: String,
    pub(super) standby: bool,
    pub(super) read_only: bool,
    pub(super) search_path: String,
    /// Where new tables go.
    pub(super) creatable_schema: Option<String>,
}

/// What one of the names means to a statement that does not say a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Relation {
    pub(super) table: Table,
    pub(super) schema: String,
    /// `relkind`: `r` an ordinary table, `p` a partitioned one, `v` a view, ...
    pub(super) kind: String,
    /// `relpersistence`: `p` permanent, `u` unlogged, `t` temporary.
    pub(super) persistence: String,
    pub(super) comment: Option<String>,
    pub(super) options: Vec<String>,
    /// `name type [not null]`, in order.
    pub(super) columns: Vec<String>,
    /// The only column of a valid primary key.
    pub(super) key: Option<String>,
}

impl Relation {
    /// Schema and name, as SQL.
    pub(super) fn qualified(&self) -> String {
        qualified(&self.schema, self.table)
    }
}

/// What was counted in the filled tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowCounts {
    pub(super) branches: Keys,
    pub(super) tellers: Keys,
    /// Smallest and largest key of accounts.
    pub(super) accounts_ends: Option<(i64, i64)>,
    /// How many of the probed accounts are there and of the right branch.
    pub(super) probes_found: i64,
}

/// The keys of a table that was counted whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Keys {
    pub(super) count: i64,
    /// Smallest and largest.
    pub(super) ends: Option<(i64, i64)>,
}

/// How many accounts are looked up, evenly spaced from the first to the last.
///
/// Why not count them all: an exact count reads the whole key (2 GB at scale 1000) before every trial, which takes long
/// and leaves the cache in another state than the one before. pgbench workloads neither insert nor delete accounts, so
/// what has to be found is another hand. A gap of more than a thousandth of the accounts cannot be missed by the probes,
/// and a scattered loss of 1 % is missed with probability 0.99^1000 = 4e-5; what stays unseen leaves fewer than one
/// transaction in a hundred without its row.
pub(super) const PROBES: u32 = 1000;

impl Place {
    /// The query whose row [`Place::from_row`] takes.
    pub(super) const SQL: &'static str = include_str!("place.sql");

    pub(super) fn from_row(row: &Row) -> Self {
        Self {
            database: row.get("database"),
            role: row.get("role"),
            standby: row.get("standby"),
            read_only: row.get("read_only"),
            search_path: row.get("search_path"),
            creatable_schema: row.get("creatable_schema"),
        }
    }

    /// Refuses where `what` (from its verb on) has to write and cannot.
    pub(super) fn refuse_read_only(&self, what: &str) -> Result<(), DatasetError> {
        if !(self.standby || self.read_only) {
            return Ok(());
        }
        let (database, step) = (self.database.clone(), what.to_owned());
        Err(DatasetError::ReadOnly { database, step, standby: self.standby })
    }
}

/// Reads where the session is.
pub(super) async fn place(session: &Session<'_>) -> Result<Place, DatasetError> {
    let row = session.row("read the session's state", Place::SQL, &[]).await?;
    Ok(Place::from_row(&row))
}

/// Reads what the four names mean; one that means nothing is left out.
pub(super) async fn relations(session: &Session<'_>) -> Result<Vec<Relation>, DatasetError> {
    let names = Table::ALL.map(Table::name);
    let rows = session.rows("look for the pgbench tables", include_str!("relations.sql"), &[&&names[..]]).await?;
    Ok(Table::ALL.into_iter().zip(&rows).filter_map(|(table, row)| relation(table, row)).collect())
}

fn relation(table: Table, row: &Row) -> Option<Relation> {
    Some(Relation {
        table,
        schema: row.get::<_, Option<String>>("schema")?,
        kind: row.get("kind"),
        persistence: row.get("persistence"),
        comment: row.get("comment"),
        options: row.get("options"),
        columns: row.get("columns"),
        key: row.get("key"),
    })
}

/// Counts branches and tellers exactly and probes accounts ([`PROBES`]), of which `accounts` are expected. The primary
/// keys must be there.
pub(super) async fn row_counts(
    session: &Session<'_>,
    relations: &[Relation],
    accounts: u64,
) -> Result<RowCounts, DatasetError> {
    let named = |table| relations.iter().find(|r| r.table == table).map_or_else(String::new, Relation::qualified);
    let [branches, tellers, accounts_name] = Table::FILLED.map(named);
    let sql = format!(
        "SELECT b.count, b.first, b.last, t.count, t.first, t.last, a.first, a.last, p.count
           FROM (SELECT count(*) AS count, min(bid)::bigint AS first, max(bid)::bigint AS last FROM {branches}) AS b,
                (SELECT count(*) AS count, min(tid)::bigint AS first, max(tid)::bigint AS last FROM {tellers}) AS t,
                (SELECT min(aid)::bigint AS first, max(aid)::bigint AS last FROM {accounts_name}) AS a,
                (SELECT count(*) AS count
                   FROM generate_series(0, {PROBES} - 1) AS probe
                   JOIN {accounts_name} AS a ON a.aid = 1 + probe * ($1::bigint - 1) / ({PROBES} - 1)
                  WHERE a.bid = (a.aid - 1) / {ACCOUNTS_PER_BRANCH} + 1) AS p"
    );
    let accounts = i64::try_from(accounts).expect("a number of accounts within pgbench's limits");
    let row = session.row("count the rows of the pgbench tables", &sql, &[&accounts]).await?;
    let ends = |first: usize| row.get::<_, Option<i64>>(first).zip(row.get::<_, Option<i64>>(first + 1));
    Ok(RowCounts {
        branches: Keys { count: row.get(0), ends: ends(1) },
        tellers: Keys { count: row.get(3), ends: ends(4) },
        accounts_ends: ends(6),
        probes_found: row.get(8),
    })
}
