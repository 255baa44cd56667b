//! What each fact of the catalogs can change, and when two values of it are different.

use results::catalog::CatalogPart;

use super::{DEFINITION, EXISTENCE};

/// A kind of cost that a fact can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BearsOn {
    /// Which plan a statement has.
    Plans,
    /// How long it takes to make a plan: relations, indexes and statistics that the planner looks at.
    Planning,
    /// How much is read, and what reading a row costs.
    Reads,
    /// What writing a row costs.
    Writes,
    /// How much WAL a change is.
    Wal,
    /// What a new session costs.
    Connections,
    /// What a statement costs that creates, alters or drops an object.
    Definitions,
}

/// From this ratio on, figures of a sample differ: those of two samples of the same rows are closer.
pub const FIGURE_TIMES: f64 = 3.0;

/// From this difference on between the shares of all-visible pages, an index-only scan costs another number of reads of
/// the table. Writes and a vacuum move the share by a few percent.
pub const ALL_VISIBLE_APART: f64 = 0.2;

/// From this difference on, the share of NULLs and the correlation of two samples are of other rows.
const SHARE_APART: f64 = 0.2;

/// When two values are different.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum FactComparison {
    /// They are no difference by themselves: a position, an age, what another fact says better.
    Never,
    /// Both are known, and not the same: what a role may not read is missing.
    WhereRead,
    /// They are not the same.
    Exact,
    /// They are not the same expression.
    Expression,
    /// They are not the same, and both servers are of one version, which alone writes them alike.
    OfOneVersion,
    /// They are [`FIGURE_TIMES`] apart, and the larger one is at least so much.
    Times {
        /// So much.
        of_at_least: f64,
    },
    /// They are so far apart.
    Apart(f64),
}

/// What a fact means.
#[derive(Debug, Clone, Copy)]
pub(super) struct FactMeaning {
    pub(super) bears_on: &'static [BearsOn],
    pub(super) comparison: FactComparison,
    /// As [`super::UnlikeTableFact::rank`].
    pub(super) rank: u8,
}

const NO_COST: &[BearsOn] = &[];
const PLANS: &[BearsOn] = &[BearsOn::Plans];
const PLANS_PLANNING: &[BearsOn] = &[BearsOn::Plans, BearsOn::Planning];
const PLANS_READS: &[BearsOn] = &[BearsOn::Plans, BearsOn::Reads];
const PLANS_READS_WRITES: &[BearsOn] = &[BearsOn::Plans, BearsOn::Reads, BearsOn::Writes];
const PLANS_PLANNING_READS: &[BearsOn] = &[BearsOn::Plans, BearsOn::Planning, BearsOn::Reads];
const STATEMENTS: &[BearsOn] = &[BearsOn::Plans, BearsOn::Planning, BearsOn::Reads, BearsOn::Writes];
const STATEMENTS_WAL: &[BearsOn] = &[BearsOn::Plans, BearsOn::Planning, BearsOn::Reads, BearsOn::Writes, BearsOn::Wal];
const READS: &[BearsOn] = &[BearsOn::Reads];
const READS_WRITES: &[BearsOn] = &[BearsOn::Reads, BearsOn::Writes];
const READS_WRITES_WAL: &[BearsOn] = &[BearsOn::Reads, BearsOn::Writes, BearsOn::Wal];
const WRITES: &[BearsOn] = &[BearsOn::Writes];
const WRITES_WAL: &[BearsOn] = &[BearsOn::Writes, BearsOn::Wal];

fn exact_fact(bears_on: &'static [BearsOn], rank: u8) -> FactMeaning {
    FactMeaning { bears_on, comparison: FactComparison::Exact, rank }
}

fn ratio_fact(bears_on: &'static [BearsOn], rank: u8, of_at_least: f64) -> FactMeaning {
    FactMeaning { bears_on, comparison: FactComparison::Times { of_at_least }, rank }
}

const fn no_difference() -> FactMeaning {
    FactMeaning { bears_on: NO_COST, comparison: FactComparison::Never, rank: 2 }
}

/// What a fact of a part means; none of one that is not known.
pub(super) fn meaning_of(part: CatalogPart, fact: &str) -> Option<FactMeaning> {
    let meaning = match part {
        CatalogPart::Tables => of_table(fact)?,
        CatalogPart::Columns => of_column(fact)?,
        CatalogPart::Indexes => of_index(fact)?,
        CatalogPart::ExtendedStatistics => match fact {
            EXISTENCE | DEFINITION => exact_fact(PLANS_PLANNING, 0),
            "built" | "statistics target" => exact_fact(PLANS, 0),
            "columns" => no_difference(),
            _ => return None,
        },
        CatalogPart::Policies => match fact {
            EXISTENCE | DEFINITION => exact_fact(STATEMENTS, 0),
            _ => return None,
        },
        CatalogPart::Triggers => match fact {
            EXISTENCE | DEFINITION | "enabled" | "function" => exact_fact(WRITES_WAL, 0),
            "deferrable" | "deferred" => exact_fact(WRITES, 1),
            _ => return None,
        },
        CatalogPart::Constraints => match fact {
            EXISTENCE | DEFINITION => exact_fact(STATEMENTS, 1),
            "not valid" | "deferrable" => exact_fact(PLANS_READS_WRITES, 1),
            "deferred" | "not enforced" | "triggers disabled" => exact_fact(WRITES, 0),
            "without index" => exact_fact(WRITES, 0),
            "columns" => no_difference(),
            _ => return None,
        },
        CatalogPart::Views => match fact {
            EXISTENCE => exact_fact(PLANS_PLANNING_READS, 2),
            "definition" => {
                FactMeaning { bears_on: PLANS_PLANNING_READS, comparison: FactComparison::OfOneVersion, rank: 0 }
            }
            _ if fact.starts_with("option ") => exact_fact(PLANS_PLANNING_READS, 0),
            _ => return None,
        },
        CatalogPart::Functions => match fact {
            EXISTENCE => exact_fact(NO_COST, 2),
            "language" | "source" | "strict" | "security definer" => exact_fact(READS_WRITES, 0),
            "volatility" => exact_fact(PLANS_READS_WRITES, 0),
            "parallel" | "leakproof" => exact_fact(PLANS_READS, 0),
            "cost" | "rows" => exact_fact(PLANS, 1),
            _ if fact.starts_with("setting ") => exact_fact(PLANS_READS_WRITES, 0),
            _ => return None,
        },
        CatalogPart::ForeignServers => match fact {
            EXISTENCE => exact_fact(NO_COST, 2),
            "wrapper" | "type" | "version" => exact_fact(PLANS_READS_WRITES, 0),
            _ if fact.starts_with("option ") => exact_fact(PLANS_READS_WRITES, foreign_option_rank(fact)),
            _ => return None,
        },
        CatalogPart::Settings => match fact {
            // Which cost, says the name of the setting.
            EXISTENCE | "value" => exact_fact(STATEMENTS_WAL, 0),
            "statement" | "overridden" => no_difference(),
            _ => return None,
        },
        CatalogPart::EventTriggers => match fact {
            EXISTENCE | DEFINITION | "enabled" => exact_fact(&[BearsOn::Connections, BearsOn::Definitions], 1),
            _ => return None,
        },
    };
    Some(meaning)
}

fn of_table(fact: &str) -> Option<FactMeaning> {
    Some(match fact {
        "kind" | "access method" => exact_fact(STATEMENTS, 0),
        "partition key" => FactMeaning { bears_on: STATEMENTS, comparison: FactComparison::Expression, rank: 0 },
        "persistence" => exact_fact(WRITES_WAL, 0),
        "tablespace" => exact_fact(READS_WRITES, 1),
        "row security active" => exact_fact(STATEMENTS, 0),
        // Without effect on a role that it is not active for.
        "row security" => no_difference(),
        "replica identity" => exact_fact(WRITES_WAL, 0),
        "publications" => exact_fact(WRITES_WAL, 1),
        "partition of" | "children" => exact_fact(PLANS_PLANNING_READS, 1),
        "partitions" => ratio_fact(STATEMENTS, 0, 2.0),
        "foreign server" => exact_fact(PLANS_READS_WRITES, 0),
        // Compared as shares and ratios of the table's size, in `figures`.
        "pages" | "rows" | "all-visible pages" | "frozen age" => no_difference(),
        "option fillfactor" => exact_fact(READS_WRITES_WAL, 0),
        "option parallel_workers" => exact_fact(PLANS, 0),
        "option toast_tuple_target" => exact_fact(READS_WRITES, 0),
        "option autovacuum_enabled" => exact_fact(PLANS_READS, 1),
        EXISTENCE => exact_fact(NO_COST, 2),
        _ if fact.starts_with("foreign option ") => exact_fact(PLANS_READS_WRITES, foreign_option_rank(fact)),
        _ if fact.starts_with("option ") || fact.starts_with("toast option ") => exact_fact(READS_WRITES, 2),
        _ => return None,
    })
}

/// Where a foreign server is differs between sides that each have their own.
fn foreign_option_rank(fact: &str) -> u8 {
    let option = fact.rsplit(' ').next().unwrap_or_default();
    if matches!(option, "host" | "hostaddr" | "port" | "dbname" | "service" | "schema_name" | "table_name") {
        1
    } else {
        0
    }
}

fn of_column(fact: &str) -> Option<FactMeaning> {
    Some(match fact {
        EXISTENCE => exact_fact(READS_WRITES, 1),
        "type" | "collation" => exact_fact(PLANS_READS_WRITES, 0),
        "storage" | "compression" => exact_fact(READS_WRITES, 0),
        "not null" => exact_fact(PLANS, 1),
        "generated" => exact_fact(READS_WRITES, 0),
        "identity" => exact_fact(WRITES, 2),
        "statistics target" => exact_fact(PLANS_PLANNING, 0),
        "statistics" => FactMeaning { bears_on: PLANS, comparison: FactComparison::WhereRead, rank: 0 },
        "position" => no_difference(),
        // A sample of no more than so many values is one of few rows.
        "most common values" | "histogram bounds" => ratio_fact(PLANS_PLANNING, 1, 20.0),
        "distinct values" => no_difference(),
        "null share" | "correlation" => {
            FactMeaning { bears_on: PLANS, comparison: FactComparison::Apart(SHARE_APART), rank: 1 }
        }
        "average width" => ratio_fact(PLANS_READS, 1, 8.0),
        _ if fact.starts_with("option ") => exact_fact(PLANS, 0),
        _ if fact.starts_with("foreign option ") => exact_fact(PLANS_READS, 1),
        _ => return None,
    })
}

fn of_index(fact: &str) -> Option<FactMeaning> {
    Some(match fact {
        EXISTENCE | DEFINITION => exact_fact(STATEMENTS_WAL, 0),
        "invalid" | "not ready" => exact_fact(PLANS_READS, 0),
        "pages" => ratio_fact(READS, 2, 50.0),
        "columns" | "clustered" | "rows" => no_difference(),
        _ => return None,
    })
}
