//! The figures of one query at an instant, and the difference of two such snapshots.
//! A restart, a reset or a counter that went backwards is an error: what happened in between is not known.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use tokio_postgres::types::{FromSql, Type};
use tokio_postgres::{Column, Row};

use crate::counter::{Backwards, ReadingValues};

/// What a query returned, by name. What the server does not measure is not in here.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct QuerySnapshot {
    /// When the server was started, in microseconds since 1970, by its own clock.
    server_started_us: i64,
    /// When the counters were last set to zero; None when never.
    stats_reset_us: Option<i64>,
    /// Counters in whole numbers.
    counts: BTreeMap<String, i64>,
    /// Counters of time in microseconds, which PostgreSQL keeps as fractions.
    times_us: BTreeMap<String, f64>,
    /// Gauges.
    levels: BTreeMap<String, f64>,
}

/// Why two snapshots have no difference.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(crate) enum Discontinuity {
    /// The server was restarted, or the connection leads to another one.
    #[error("the server was restarted, which reset its counters")]
    Restarted,
    /// `pg_stat_reset` and its like, or a crash.
    #[error("the server's statistics were reset")]
    Reset,
    /// A counter is smaller than it was.
    #[error("{0}")]
    Backwards(#[from] Backwards),
}

/// A result that is not what `queries` promises.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(crate) enum Unexpected {
    /// A view that has always a row has none.
    #[error("the query returned no row")]
    NoRow,
    /// The role sees too little for figures.
    #[error("the role is not permitted to see the necessary columns")]
    Hidden,
    /// A column is of a type that is no figure, or holds what it must not.
    #[error("the column {column} of type {column_type} cannot be read as a number")]
    Column { column: String, column_type: String },
}

/// The increases of the counters, and the gauges of `after`. A counter that either snapshot lacks has no increase.
pub(crate) fn snapshot_difference(
    before: &QuerySnapshot,
    after: &QuerySnapshot,
) -> Result<ReadingValues, Discontinuity> {
    if before.server_started_us != after.server_started_us {
        return Err(Discontinuity::Restarted);
    }
    if before.stats_reset_us != after.stats_reset_us {
        return Err(Discontinuity::Reset);
    }
    let mut values = after.levels.clone();
    values.extend(counter_increases(&before.counts, &after.counts, |before, after| (after - before) as f64)?);
    // PostgreSQL counts whole microseconds and hands them out as fractions of milliseconds.
    values.extend(counter_increases(&before.times_us, &after.times_us, |before, after| (after - before).round())?);
    Ok(values)
}

fn counter_increases<T: Copy + PartialOrd + Display>(
    before: &BTreeMap<String, T>,
    after: &BTreeMap<String, T>,
    increase: impl Fn(T, T) -> f64,
) -> Result<ReadingValues, Backwards> {
    let in_both = after.iter().filter_map(|(name, after)| Some((name, *before.get(name)?, *after)));
    in_both
        .map(|(name, before, after)| match after < before {
            true => Err(Backwards::new(name, before, after)),
            false => Ok((name.clone(), increase(before, after))),
        })
        .collect()
}

fn has_column(row: &Row, name: &str) -> bool {
    row.columns().iter().any(|column| column.name() == name)
}

/// The snapshot that `rows` hold, in the form which `queries` describes.
pub(crate) fn from_rows(rows: &[Row], gauges: &BTreeSet<&str>) -> Result<QuerySnapshot, Unexpected> {
    let first = rows.first().ok_or(Unexpected::NoRow)?;
    let mut snapshot = QuerySnapshot {
        server_started_us: value_in_column(first, "server_started_us")?,
        stats_reset_us: value_in_column(first, "stats_reset_us")?,
        ..QuerySnapshot::default()
    };
    if has_column(first, "hidden") && value_in_column(first, "hidden")? {
        return Err(Unexpected::Hidden);
    }
    for row in rows {
        let has_series = has_column(row, "series");
        let prefix = if has_series { format!("{}_", value_in_column::<&str>(row, "series")?) } else { String::new() };
        for column in row.columns() {
            if !matches!(column.name(), "server_started_us" | "stats_reset_us" | "series" | "hidden") {
                let name = format!("{prefix}{}", column.name());
                snapshot.take_column(row, column, name, gauges.contains(column.name()))?;
            }
        }
    }
    Ok(snapshot)
}

impl QuerySnapshot {
    fn take_column(&mut self, row: &Row, column: &Column, name: String, is_gauge: bool) -> Result<(), Unexpected> {
        match (column.type_(), is_gauge) {
            (&Type::INT8, false) => {
                let count: Option<i64> = value_in_column(row, column.name())?;
                self.counts.extend(count.map(|count| (name, count)));
            }
            (&Type::FLOAT8, false) => {
                let time_us: Option<f64> = value_in_column(row, column.name())?;
                self.times_us.extend(time_us.map(|time_us| (name, time_us)));
            }
            (&Type::INT8, true) => {
                let level: Option<i64> = value_in_column(row, column.name())?;
                self.levels.extend(level.map(|level| (name, level as f64)));
            }
            (other, _) => return Err(Unexpected::Column { column: name, column_type: other.to_string() }),
        }
        Ok(())
    }
}

fn value_in_column<'a, T: FromSql<'a>>(row: &'a Row, column: &str) -> Result<T, Unexpected> {
    row.try_get(column).map_err(|_| Unexpected::Column {
        column: column.to_owned(),
        column_type: row
            .columns()
            .iter()
            .find(|found| found.name() == column)
            .map_or_else(|| "none".to_owned(), |found| found.type_().to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named<T: Copy>(figures: &[(&str, T)]) -> BTreeMap<String, T> {
        figures.iter().map(|(name, figure)| ((*name).to_owned(), *figure)).collect()
    }

    fn counts(figures: &[(&str, i64)]) -> QuerySnapshot {
        QuerySnapshot { server_started_us: 1_000, counts: named(figures), ..QuerySnapshot::default() }
    }

    fn times(figures: &[(&str, f64)]) -> QuerySnapshot {
        QuerySnapshot { times_us: named(figures), ..counts(&[]) }
    }

    fn check(before: &QuerySnapshot, after: &QuerySnapshot, expected: Result<&[(&str, f64)], &str>) {
        let found = snapshot_difference(before, after).map_err(|error| error.to_string());
        assert_eq!(found, expected.map(named).map_err(str::to_owned));
    }

    #[test]
    fn counters_increase_and_gauges_are_those_of_the_end() {
        let at = |commits, time, backends| QuerySnapshot {
            times_us: named(&[("write_time_us", time)]),
            levels: named(&[("backends", backends)]),
            ..counts(&[("commits", commits)])
        };
        let expected = [("commits", 7.0), ("write_time_us", 2.0), ("backends", 3.0)];
        check(&at(10, 0.9999999, 9.0), &at(17, 3.0, 3.0), Ok(&expected));
    }

    #[test]
    fn an_increase_is_exact_where_an_f64_could_not_tell_the_counters_apart() {
        let large = (1 << 60) + 1;
        check(&counts(&[("bytes", large)]), &counts(&[("bytes", large + 3)]), Ok(&[("bytes", 3.0)]));
    }

    #[test]
    fn a_figure_that_was_not_measured_before_or_is_not_now_is_absent() {
        check(&counts(&[]), &times(&[("read_time_us", 4.0)]), Ok(&[]));
        check(&times(&[("read_time_us", 4.0)]), &counts(&[]), Ok(&[]));
    }

    #[test]
    fn a_restart_a_reset_and_a_step_back_are_gaps_with_their_reason() {
        let before = counts(&[("commits", 10)]);
        let restarted = QuerySnapshot { server_started_us: 2_000, ..before.clone() };
        let reset = QuerySnapshot { stats_reset_us: Some(1_500), ..before.clone() };
        check(&before, &restarted, Err("the server was restarted, which reset its counters"));
        check(&before, &reset, Err("the server's statistics were reset"));
        let stepped_back = "the counter commits decreased from 10 to 4";
        check(&before, &counts(&[("commits", 4)]), Err(stepped_back));
        let stepped_back = "the counter write_time_us decreased from 2.5 to 1.5";
        check(&times(&[("write_time_us", 2.5)]), &times(&[("write_time_us", 1.5)]), Err(stepped_back));
    }
}
