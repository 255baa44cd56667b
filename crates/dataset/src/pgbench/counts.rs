//! What the filled tables hold, as counted. Reads only; whether it is what is needed is decided in [`super::fit`].

use super::table::{ACCOUNTS_PER_BRANCH, PgbenchTable};
use crate::DatasetError;
use crate::relation::ResolvedRelation;
use crate::session::FillSession;

/// What was counted in the filled tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowCounts {
    pub(super) branches: CountedKeys,
    pub(super) tellers: CountedKeys,
    /// Smallest and largest key of accounts.
    pub(super) accounts_ends: Option<(i64, i64)>,
    /// How many of the probed accounts are there and of the right branch.
    pub(super) probes_found: i64,
}

/// The keys of a table that was counted whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CountedKeys {
    pub(super) count: i64,
    /// Smallest and largest.
    pub(super) ends: Option<(i64, i64)>,
}

/// How many accounts are looked up, evenly spaced from the first to the last.
///
/// Why not count them all: an exact count reads the whole key (2 GB at scale 1000) before every trial, which takes long
/// and leaves the cache in another state than the one before. pgbench workloads neither insert nor delete accounts, so
/// what has to be found is another hand. A gap of more than a thousandth of the accounts cannot be missed by the
/// probes, and a scattered loss of 1 % is missed with probability 0.99^1000 = 4e-5; what stays unseen leaves fewer than
/// one transaction in a hundred without its row.
pub(super) const PROBES: u32 = 1000;

/// Counts branches and tellers exactly and probes accounts ([`PROBES`]), of which `accounts` are expected. The primary
/// keys must be there.
pub(super) async fn row_counts(
    session: &FillSession<'_>,
    relations: &[ResolvedRelation],
    accounts: u64,
) -> Result<RowCounts, DatasetError> {
    let named = |table: PgbenchTable| {
        relations
            .iter()
            .find(|r| r.name == table.table_name())
            .map_or_else(String::new, ResolvedRelation::qualified_name)
    };
    let [branches, tellers, accounts_name] = PgbenchTable::FILLED.map(named);
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
    let row = session.query_row("count the rows of the pgbench tables", &sql, &[&accounts]).await?;
    let ends = |first: usize| row.get::<_, Option<i64>>(first).zip(row.get::<_, Option<i64>>(first + 1));
    Ok(RowCounts {
        branches: CountedKeys { count: row.get(0), ends: ends(1) },
        tellers: CountedKeys { count: row.get(3), ends: ends(4) },
        accounts_ends: ends(6),
        probes_found: row.get(8),
    })
}
