//! What sysbench can be asked for: its scripts and their options with its defaults. Source: `oltp_common.lua` of
//! sysbench 1.0.20.

use crate::{TableAccess, words};
use std::fmt;

words! {
    /// sysbench's scripts.
    #[derive(Hash)]
    SysbenchScript {
        PointSelect = "oltp_point_select", "one SELECT by primary key";
        ReadOnly = "oltp_read_only", "point selects and ranges";
        ReadWrite = "oltp_read_write", "point selects, ranges, updates, a delete and an insert";
        WriteOnly = "oltp_write_only", "updates, a delete and an insert";
        UpdateIndex = "oltp_update_index", "one update of an indexed column";
        UpdateNonIndex = "oltp_update_non_index", "one update of a column without an index";
        Insert = "oltp_insert", "one insert";
        Delete = "oltp_delete", "one delete";
        BulkInsert = "bulk_insert", "one insert of 21 845 rows, each client into an empty table of its own";
        RandomPoints = "select_random_points", "one select by several values of an indexed column";
        RandomRanges = "select_random_ranges", "one count over several ranges of an indexed column";
    }
}

impl SysbenchScript {
    /// Whether it works on one table only, of which each client has a part of the keys.
    #[must_use]
    pub fn divides_one_table(self) -> bool {
        matches!(self, SysbenchScript::RandomPoints | SysbenchScript::RandomRanges)
    }

    /// What it does to its tables.
    #[must_use]
    pub fn table_access(self) -> TableAccess {
        match self {
            SysbenchScript::PointSelect
            | SysbenchScript::ReadOnly
            | SysbenchScript::RandomPoints
            | SysbenchScript::RandomRanges => TableAccess::Reads,
            SysbenchScript::ReadWrite
            | SysbenchScript::WriteOnly
            | SysbenchScript::UpdateIndex
            | SysbenchScript::UpdateNonIndex
            | SysbenchScript::Insert
            | SysbenchScript::Delete
            | SysbenchScript::BulkInsert => TableAccess::Writes,
        }
    }
}

/// What a transaction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SysbenchTransaction {
    /// What a script of sysbench does.
    Script(SysbenchScript),
    /// 100 statements, so many of which read.
    ReadIntensive {
        /// At most 100.
        read_percent: u32,
    },
}

impl From<SysbenchScript> for SysbenchTransaction {
    fn from(script: SysbenchScript) -> SysbenchTransaction {
        SysbenchTransaction::Script(script)
    }
}

impl SysbenchTransaction {
    /// What sysbench calls it, or would.
    #[must_use]
    pub fn sysbench_name(self) -> &'static str {
        match self {
            SysbenchTransaction::Script(script) => crate::WordChoice::as_word(script),
            SysbenchTransaction::ReadIntensive { .. } => "oltp-read-write-pct",
        }
    }

    /// Whether it works on one table only, of which each client has a part of the keys.
    #[must_use]
    pub fn divides_one_table(self) -> bool {
        matches!(self, SysbenchTransaction::Script(script) if script.divides_one_table())
    }
}

/// sysbench's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SysbenchTables {
    /// Number of tables: `sbtest1`, `sbtest2`, ...
    pub tables: u32,
    /// Rows of each.
    pub table_size: u32,
    /// Whether the tables number their rows themselves (SERIAL).
    pub auto_inc: bool,
    /// Whether `k` is indexed.
    pub create_secondary: bool,
}

impl Default for SysbenchTables {
    fn default() -> SysbenchTables {
        SysbenchTables { tables: 1, table_size: 10_000, auto_inc: true, create_secondary: true }
    }
}

/// The options, named as sysbench names them. Those that a script does not use are ignored, as in sysbench.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SysbenchOptions {
    /// The data.
    pub tables: SysbenchTables,
    /// How keys are drawn (`--rand-type`).
    pub distribution: Distribution,
    /// Rows that a range statement reads.
    pub range_size: u32,
    /// `SELECT c FROM sbtestN WHERE id=?` per transaction.
    pub point_selects: u32,
    /// Whether there are range statements at all.
    pub range_selects: bool,
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
    /// Points of a statement of `select_random_points`.
    pub random_points: u32,
    /// Ranges of a statement of `select_random_ranges`.
    pub number_of_ranges: u32,
    /// Last value of such a range less the first one.
    pub delta: u32,
    /// Whether every statement is a transaction of its own.
    pub skip_trx: bool,
}

impl Default for SysbenchOptions {
    fn default() -> SysbenchOptions {
        SysbenchOptions {
            tables: SysbenchTables::default(),
            distribution: Distribution::default(),
            range_size: 100,
            point_selects: 10,
            range_selects: true,
            simple_ranges: 1,
            sum_ranges: 1,
            order_ranges: 1,
            distinct_ranges: 1,
            index_updates: 1,
            non_index_updates: 1,
            delete_inserts: 1,
            random_points: 10,
            number_of_ranges: 10,
            delta: 5,
            skip_trx: false,
        }
    }
}

words! {
    /// The shapes of the distributions by which sysbench chooses rows.
    Shape {
        Special = "special", "three quarters of the draws fall into the middle hundredth of the table: the default of sysbench 1.0";
        Uniform = "uniform", "all rows are equally likely: the default of later versions";
        Gaussian = "gaussian", "bell-shaped over the whole table";
        Pareto = "pareto", "80 % of the draws fall into 20 % of the rows";
        Zipfian = "zipfian", "the k-th row has a frequency proportional to k to the power of −0.8";
    }
}

/// How sysbench chooses rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Distribution {
    /// `res` percent of the draws fall into the middle `pct` percent of the range (`--rand-spec-res`,
    /// `--rand-spec-pct`), the others are the mean of `iter` uniform numbers (`--rand-spec-iter`).
    Special {
        /// From 1.
        iter: u32,
        /// At most 100.
        pct: u32,
        /// At most 99.
        res: u32,
    },
    /// Each row alike.
    Uniform,
    /// The mean of `iter` uniform numbers (`--rand-spec-iter`).
    Gaussian {
        /// From 1.
        iter: u32,
    },
    /// A share of 1 − `h` of the draws falls into the lowest `h` of the range, and so on in it (`--rand-pareto-h`).
    Pareto {
        /// Between 0 and 1, without them.
        h: f64,
    },
    /// The key of rank r is as likely as r to the power of −`exponent` (`--rand-zipfian-exp`).
    Zipfian {
        /// From 0, finite.
        exponent: f64,
    },
}

/// Parameters are finite numbers, never not-a-number.
impl Eq for Distribution {}

impl Default for Distribution {
    fn default() -> Distribution {
        Distribution::from_shape(Shape::Special)
    }
}

impl Distribution {
    /// That of a shape, with sysbench's default parameters.
    #[must_use]
    pub fn from_shape(shape: Shape) -> Distribution {
        match shape {
            Shape::Special => Distribution::Special { iter: 12, pct: 1, res: 75 },
            Shape::Uniform => Distribution::Uniform,
            Shape::Gaussian => Distribution::Gaussian { iter: 12 },
            Shape::Pareto => Distribution::Pareto { h: 0.2 },
            Shape::Zipfian => Distribution::Zipfian { exponent: 0.8 },
        }
    }

    /// Its shape, without the parameters.
    #[must_use]
    pub fn shape(&self) -> Shape {
        match self {
            Distribution::Special { .. } => Shape::Special,
            Distribution::Uniform => Shape::Uniform,
            Distribution::Gaussian { .. } => Shape::Gaussian,
            Distribution::Pareto { .. } => Shape::Pareto,
            Distribution::Zipfian { .. } => Shape::Zipfian,
        }
    }
}

/// Shape and parameters, such as `special(12,1,75)`.
impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(crate::WordChoice::as_word(self.shape()))?;
        match self {
            Distribution::Uniform => Ok(()),
            Distribution::Gaussian { iter } => write!(f, "({iter})"),
            Distribution::Special { iter, pct, res } => write!(f, "({iter},{pct},{res})"),
            Distribution::Pareto { h } => write!(f, "({h})"),
            Distribution::Zipfian { exponent } => write!(f, "({exponent})"),
        }
    }
}
