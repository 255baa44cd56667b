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
pub enum Table {
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
pub(super) struct Column {
    pub(super) name: &'static str,
    /// As `format_type` spells it.
    pub(super) sql_type: &'static str,
    pub(super) not_null: bool,
}

impl Table {
    /// In the order in which pgbench vacuums them.
    pub const ALL: [Table; 4] = [Table::Branches, Table::Tellers, Table::Accounts, Table::History];

    /// Those with rows and a primary key, smallest first.
    pub(super) const FILLED: [Table; 3] = [Table::Branches, Table::Tellers, Table::Accounts];

    /// The table's name without its schema.
    pub const fn name(self) -> &'static str {
        match self {
            Table::Branches => "pgbench_branches",
            Table::Tellers => "pgbench_tellers",
            Table::Accounts => "pgbench_accounts",
            Table::History => "pgbench_history",
        }
    }

    /// The primary key's only column.
    pub(super) const fn key(self) -> Option<&'static str> {
        match self {
            Table::Branches => Some("bid"),
            Table::Tellers => Some("tid"),
            Table::Accounts => Some("aid"),
            Table::History => None,
        }
    }

    /// The columns that differ between rows: what is sent to fill the table.
    pub(super) const fn sent_columns(self) -> &'static [&'static str] {
        match self {
            Table::Branches => &["bid"],
            Table::Tellers => &["tid", "bid"],
            Table::Accounts => &["aid", "bid"],
            Table::History => &[],
        }
    }

    /// Rows after set-up.
    pub(super) fn rows(self, data: &PgbenchData) -> u64 {
        self.rows_per_branch() * u64::from(data.scale().get())
    }

    /// Rows after set-up at scale 1; the row with key `k` belongs to branch `(k − 1) / rows_per_branch + 1`.
    pub(super) const fn rows_per_branch(self) -> u64 {
        match self {
            Table::Branches => 1,
            Table::Tellers => TELLERS_PER_BRANCH,
            Table::Accounts => ACCOUNTS_PER_BRANCH,
            Table::History => 0,
        }
    }

    /// The columns in order.
    pub(super) fn columns(self, data: &PgbenchData) -> Vec<Column> {
        let aid_type = if data.wide_aid() { "bigint" } else { "integer" };
        let key = |name, sql_type| Column { name, sql_type, not_null: true };
        let column = |name, sql_type| Column { name, sql_type, not_null: false };
        match self {
            Table::Branches => {
                vec![key("bid", "integer"), column("bbalance", "integer"), column("filler", "character(88)")]
            }
            Table::Tellers => vec![
                key("tid", "integer"),
                column("bid", "integer"),
                column("tbalance", "integer"),
                column("filler", "character(84)"),
            ],
            Table::Accounts => vec![
                key("aid", aid_type),
                column("bid", "integer"),
                column("abalance", "integer"),
                column("filler", "character(84)"),
            ],
            Table::History => vec![
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
