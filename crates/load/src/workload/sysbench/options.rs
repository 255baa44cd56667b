//! What sysbench can be asked for: its options, their defaults, and which of them make sense. Source: `oltp_common.lua`
//! of sysbench 1.0.20.

use super::{Distribution, OptionError, Workload};

/// More would only be a slip of the pen.
const TABLES_AT_MOST: u32 = 100_000;

/// Statements of one group in a transaction.
const STATEMENTS_AT_MOST: u32 = 10_000;

/// Points or ranges of one statement: a range has two parameters, and a statement at most 255.
const RANGES_AT_MOST: u32 = 127;

/// The options, named as sysbench names them, with its defaults. Those that a workload does not use are ignored, as in
/// sysbench.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Rows per table.
    pub table_size: u32,
    /// Number of tables.
    pub tables: u32,
    /// Rows that a range statement reads.
    pub range_size: u32,
    /// `SELECT c FROM sbtestN WHERE id=?` per transaction.
    pub point_selects: u32,
    /// `SELECT c ... BETWEEN` per transaction.
    pub simple_ranges: u32,
    /// `SELECT SUM(k) ... BETWEEN` per transaction.
    pub sum_ranges: u32,
    /// `SELECT c ... BETWEEN ... ORDER BY c` per transaction.
    pub order_ranges: u32,
    /// `SELECT DISTINCT c ... BETWEEN ... ORDER BY c` per transaction.
    pub distinct_ranges: u32,
    /// `UPDATE ... SET k=k+1` per transaction.
    pub index_updates: u32,
    /// `UPDATE ... SET c=?` per transaction.
    pub non_index_updates: u32,
    /// Pairs of `DELETE` and `INSERT` per transaction.
    pub delete_inserts: u32,
    /// Whether there are range statements at all.
    pub range_selects: bool,
    /// Whether the tables number their rows themselves (SERIAL).
    pub auto_inc: bool,
    /// Whether every statement is a transaction of its own.
    pub skip_trx: bool,
    /// Whether `id` has an ordinary index in the place of the primary key: refused, see [`Sysbench`](super::Sysbench).
    pub secondary: bool,
    /// Whether `k` is indexed.
    pub create_secondary: bool,
    /// Points of a statement of `select_random_points`.
    pub random_points: u32,
    /// Ranges of a statement of `select_random_ranges`.
    pub number_of_ranges: u32,
    /// Last value of such a range less the first one.
    pub delta: u32,
    /// How keys are drawn (`--rand-type`).
    pub distribution: Distribution,
    /// How many statements of 100 read; for `oltp-read-write-pct`, which sysbench does not have.
    pub read_percent: u32,
    /// How many clients there are (`--threads`): what some workloads divide among them.
    pub threads: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            table_size: 10_000,
            tables: 1,
            range_size: 100,
            point_selects: 10,
            simple_ranges: 1,
            sum_ranges: 1,
            order_ranges: 1,
            distinct_ranges: 1,
            index_updates: 1,
            non_index_updates: 1,
            delete_inserts: 1,
            range_selects: true,
            auto_inc: true,
            skip_trx: false,
            secondary: false,
            create_secondary: true,
            random_points: 10,
            number_of_ranges: 10,
            delta: 5,
            distribution: Distribution::default(),
            read_percent: 80,
            threads: 1,
        }
    }
}

impl Options {
    pub(super) fn check(&self, workload: Workload) -> Result<(), OptionError> {
        if self.secondary {
            let reason = "sysbench itself fails with it: `KEY xid (id)` is MySQL's syntax";
            return Err(OptionError::new("secondary", "on", reason));
        }
        self.check_sizes()?;
        self.check_counts()?;
        if workload.has_one_table() && self.tables != 1 {
            let reason = format!("{} reads one table only", workload.name());
            return Err(OptionError::new("tables", self.tables, reason));
        }
        if !workload.partitions_keys() {
            return Ok(());
        }
        if self.threads > self.table_size {
            let reason = format!("every client has a part of the {} rows of its own", self.table_size);
            return Err(OptionError::new("threads", self.threads, reason));
        }
        Ok(())
    }

    fn check_sizes(&self) -> Result<(), OptionError> {
        let ids = i32::MAX.unsigned_abs();
        for (option, value, at_most) in [
            ("table_size", self.table_size, ids / 2),
            ("range_size", self.range_size, ids / 2),
            ("delta", self.delta, ids / 2),
            ("tables", self.tables, TABLES_AT_MOST),
            ("threads", self.threads, TABLES_AT_MOST),
            ("random_points", self.random_points, RANGES_AT_MOST),
            ("number_of_ranges", self.number_of_ranges, RANGES_AT_MOST),
        ] {
            let at_least = u32::from(option != "delta");
            if !(at_least..=at_most).contains(&value) {
                return Err(OptionError::new(option, value, format!("it has to be {at_least} to {at_most}")));
            }
        }
        Ok(())
    }

    fn check_counts(&self) -> Result<(), OptionError> {
        for (option, value) in [
            ("point_selects", self.point_selects),
            ("simple_ranges", self.simple_ranges),
            ("sum_ranges", self.sum_ranges),
            ("order_ranges", self.order_ranges),
            ("distinct_ranges", self.distinct_ranges),
            ("index_updates", self.index_updates),
            ("non_index_updates", self.non_index_updates),
            ("delete_inserts", self.delete_inserts),
        ] {
            if value > STATEMENTS_AT_MOST {
                return Err(OptionError::new(option, value, format!("it has to be {STATEMENTS_AT_MOST} at most")));
            }
        }
        if self.read_percent > 100 {
            return Err(OptionError::new("read_percent", self.read_percent, "it is a percentage, at most 100"));
        }
        Ok(())
    }
}
