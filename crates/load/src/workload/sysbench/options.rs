//! Which of sysbench's options make sense. Source: `oltp_common.lua` of sysbench 1.0.20.

use super::OptionError;
use std::fmt::Display;
use work::{Distribution, SysbenchOptions, SysbenchTransaction};

/// More would only be a slip of the pen.
const TABLES_AT_MOST: u32 = 100_000;

/// Statements of one group in a transaction.
const STATEMENTS_AT_MOST: u32 = 10_000;

/// Points or ranges of one statement: a range has two parameters, and a statement at most 255.
const RANGES_AT_MOST: u32 = 127;

/// Checks all of them.
///
/// # Errors
/// The first option that cannot be, or not with this transaction.
pub(super) fn check_options(
    transaction: SysbenchTransaction,
    options: &SysbenchOptions,
    clients: u32,
) -> Result<(), OptionError> {
    let ids = i32::MAX.unsigned_abs();
    let tables = options.tables;
    for (option, value, at_least, at_most) in [
        ("table_size", tables.table_size, 1, ids / 2),
        ("range_size", options.range_size, 1, ids / 2),
        ("delta", options.delta, 0, ids / 2),
        ("tables", tables.tables, 1, TABLES_AT_MOST),
        ("threads", clients, 1, TABLES_AT_MOST),
        ("random_points", options.random_points, 1, RANGES_AT_MOST),
        ("number_of_ranges", options.number_of_ranges, 1, RANGES_AT_MOST),
        ("point_selects", options.point_selects, 0, STATEMENTS_AT_MOST),
        ("simple_ranges", options.simple_ranges, 0, STATEMENTS_AT_MOST),
        ("sum_ranges", options.sum_ranges, 0, STATEMENTS_AT_MOST),
        ("order_ranges", options.order_ranges, 0, STATEMENTS_AT_MOST),
        ("distinct_ranges", options.distinct_ranges, 0, STATEMENTS_AT_MOST),
        ("index_updates", options.index_updates, 0, STATEMENTS_AT_MOST),
        ("non_index_updates", options.non_index_updates, 0, STATEMENTS_AT_MOST),
        ("delete_inserts", options.delete_inserts, 0, STATEMENTS_AT_MOST),
    ] {
        if !(at_least..=at_most).contains(&value) {
            return Err(OptionError::new(option, value, format!("it must be {at_least} to {at_most}")));
        }
    }
    check_distribution(options.distribution)?;
    match transaction {
        SysbenchTransaction::ReadIntensive { read_percent } if read_percent > 100 => {
            Err(OptionError::new("read_percent", read_percent, "it is a percentage, at most 100"))
        }
        _ if transaction.divides_one_table() => check_parts(transaction, options, clients),
        SysbenchTransaction::Script(_) | SysbenchTransaction::ReadIntensive { .. } => Ok(()),
    }
}

/// Of a workload whose clients share the rows of one table out among them.
fn check_parts(transaction: SysbenchTransaction, options: &SysbenchOptions, clients: u32) -> Result<(), OptionError> {
    let tables = options.tables;
    if tables.tables != 1 {
        return Err(OptionError::new(
            "tables",
            tables.tables,
            format!("{} reads one table only", transaction.sysbench_name()),
        ));
    }
    if clients > tables.table_size {
        let reason = format!("each client has its own part of the {} rows", tables.table_size);
        return Err(OptionError::new("threads", clients, reason));
    }
    Ok(())
}

fn check_distribution(distribution: Distribution) -> Result<(), OptionError> {
    let unless = |possible: bool, option, value: &dyn Display, reason: &str| {
        if possible { Ok(()) } else { Err(OptionError::new(option, value, reason)) }
    };
    let iterations = |iter: u32| unless(iter > 0, "rand-spec-iter", &iter, "it must be at least 1");
    match distribution {
        Distribution::Special { iter, pct, res } => {
            iterations(iter)?;
            unless(pct <= 100, "rand-spec-pct", &pct, "it is a percentage of the range, at most 100")?;
            unless(res < 100, "rand-spec-res", &res, "it is a percentage of the draws, at most 99")
        }
        Distribution::Uniform => Ok(()),
        Distribution::Gaussian { iter } => iterations(iter),
        Distribution::Pareto { h } => unless(h > 0.0 && h < 1.0, "rand-pareto-h", &h, "it must be between 0 and 1"),
        Distribution::Zipfian { exponent } => {
            let possible = exponent >= 0.0 && exponent.is_finite();
            unless(possible, "rand-zipfian-exp", &exponent, "it must be 0 or more")
        }
    }
}
