//! The four pgbench tables: names, columns, keys and numbers of rows, as `pgbench -i` makes them.
//!
//! Plain data that the DDL, the COPY streams and the checks all read, so that they cannot disagree. Source: pgbench's
//! documentation and `initCreateTables` of PostgreSQL 15 to 18.

use super::PgbenchData;

/// Accounts of a branch.
pub(super) const ACCOUNTS_PER_BRANCH: u64 = 100_000;

/// Tellers of a branch.
pub(super) const TELLERS_PER_BRANCH: u64 = 10;

/// One of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PgbenchTable {
    /// One row per unit of scale.
    Branches,
    /// Ten rows per branch.
    Tellers,
    /// 100 000 rows per branch.
    Accounts,
    /// Empty at first; writing workloads append to it.
    History,
}

/// A column and what it must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ExpectedColumn {
    pub(super) name: &'static str,
    /// As `format_type` spells it.
    pub(super) sql_type: &'static str,
    pub(super) not_null: bool,
}

impl PgbenchTable {
    /// In the order in which pgbench vacuums them.
    pub const ALL: [PgbenchTable; 4] =
        [PgbenchTable::Branches, PgbenchTable::Tellers, PgbenchTable::Accounts, PgbenchTable::History];

    /// Those with rows and a primary key, smallest first.
    pub(super) const FILLED: [PgbenchTable; 3] =
        [PgbenchTable::Branches, PgbenchTable::Tellers, PgbenchTable::Accounts];

    /// The table's name without its schema.
    pub const fn table_name(self) -> &'static str {
        match self {
            PgbenchTable::Branches => "pgbench_branches",
            PgbenchTable::Tellers => "pgbench_tellers",
            PgbenchTable::Accounts => "pgbench_accounts",
            PgbenchTable::History => "pgbench_history",
        }
    }

    /// The primary key's only column.
    pub(super) const fn key_column(self) -> Option<&'static str> {
        match self {
            PgbenchTable::Branches => Some("bid"),
            PgbenchTable::Tellers => Some("tid"),
            PgbenchTable::Accounts => Some("aid"),
            PgbenchTable::History => None,
        }
    }

    /// The columns that differ between rows: what is sent to fill the table.
    pub(super) const fn sent_columns(self) -> &'static [&'static str] {
        match self {
            PgbenchTable::Branches => &["bid"],
            PgbenchTable::Tellers => &["tid", "bid"],
            PgbenchTable::Accounts => &["aid", "bid"],
            PgbenchTable::History => &[],
        }
    }

    /// Rows after set-up.
    pub(super) fn row_count(self, data: &PgbenchData) -> u64 {
        self.rows_per_branch() * u64::from(data.scale_factor().get())
    }

    /// Rows after set-up at scale 1; the row with key `k` belongs to branch `(k − 1) / rows_per_branch + 1`.
    pub(super) const fn rows_per_branch(self) -> u64 {
        match self {
            PgbenchTable::Branches => 1,
            PgbenchTable::Tellers => TELLERS_PER_BRANCH,
            PgbenchTable::Accounts => ACCOUNTS_PER_BRANCH,
            PgbenchTable::History => 0,
        }
    }

    /// The columns in order.
    pub(super) fn table_columns(self, data: &PgbenchData) -> Vec<ExpectedColumn> {
        let aid_type = if data.wide_aid() { "bigint" } else { "integer" };
        let key = |name, sql_type| ExpectedColumn { name, sql_type, not_null: true };
        let column = |name, sql_type| ExpectedColumn { name, sql_type, not_null: false };
        match self {
            PgbenchTable::Branches => {
                vec![key("bid", "integer"), column("bbalance", "integer"), column("filler", "character(88)")]
            }
            PgbenchTable::Tellers => vec![
                key("tid", "integer"),
                column("bid", "integer"),
                column("tbalance", "integer"),
                column("filler", "character(84)"),
            ],
            PgbenchTable::Accounts => vec![
                key("aid", aid_type),
                column("bid", "integer"),
                column("abalance", "integer"),
                column("filler", "character(84)"),
            ],
            PgbenchTable::History => vec![
                column("tid", "integer"),
                column("bid", "integer"),
                column("aid", aid_type),
                column("delta", "integer"),
                column("mtime", "timestamp without time zone"),
                column("filler", "character(22)"),
            ],
        }
    }
}
