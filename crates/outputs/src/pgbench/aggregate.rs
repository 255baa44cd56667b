//! A line of pgbench's aggregated log (`--aggregate-interval`). Pure;
//! printing a line gives the one that it was read from.

use std::fmt;

/// What ended in one interval. Times are microseconds; sums of nothing, and minima and maxima of what an option has
/// switched off, are zero, as pgbench prints them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Aggregate {
    /// When the interval began, in seconds since 1970.
    pub start_s: u64,
    /// Successful transactions.
    pub transactions: u64,
    /// Their latency.
    pub latency: Moments,
    /// Their schedule lag; absent in a line of version 14 or older without a rate.
    pub lag: Option<Moments>,
    /// Transactions that were due and not begun; absent in a line of version 14 or older without a latency limit.
    pub skipped: Option<u64>,
    /// Retries and failures; absent before version 15.
    pub troubles: Option<Troubles>,
}

/// Sum, sum of squares, minimum and maximum of times in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moments {
    pub sum: u128,
    pub sum_squares: u128,
    /// The minimum.
    pub min: u64,
    /// The maximum.
    pub max: u64,
}

/// What went wrong in one interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Troubles {
    /// Retried transactions.
    pub retried: u64,
    pub retries: u64,
    /// Transactions that failed with a serialization failure.
    pub serialization: u64,
    /// Transactions that failed with a deadlock.
    pub deadlock: u64,
    /// Transactions that failed otherwise; from version 19 on.
    pub other: Option<u64>,
}

impl Aggregate {
    /// Reads a line; none if it is not one of pgbench 14 or newer.
    pub fn parse(line: &str) -> Option<Aggregate> {
        let fields: Vec<u128> = line.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        if !matches!(fields.len(), 6 | 10 | 11 | 15 | 16) {
            return None;
        }
        let at = |index: usize| fields.get(index).and_then(|field| u64::try_from(*field).ok());
        let moments = |first: usize| {
            let (sum, sum_squares) = (*fields.get(first)?, *fields.get(first + 1)?);
            Some(Moments { sum, sum_squares, min: at(first + 2)?, max: at(first + 3)? })
        };
        let troubles = || {
            let [retried, retries, serialization, deadlock] = [at(11)?, at(12)?, at(13)?, at(14)?];
            Some(Troubles { retried, retries, serialization, deadlock, other: at(15) })
        };
        Some(Aggregate {
            start_s: at(0)?,
            transactions: at(1)?,
            latency: moments(2)?,
            lag: moments(6),
            skipped: at(10),
            troubles: troubles(),
        })
    }
}

impl fmt::Display for Aggregate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.start_s, self.transactions, self.latency)?;
        if let Some(lag) = self.lag {
            write!(f, " {lag}")?;
        }
        if let Some(skipped) = self.skipped {
            write!(f, " {skipped}")?;
        }
        if let Some(Troubles { retried, retries, serialization, deadlock, other }) = self.troubles {
            write!(f, " {retried} {retries} {serialization} {deadlock}")?;
            if let Some(other) = other {
                write!(f, " {other}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Moments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.sum, self.sum_squares, self.min, self.max)
    }
}
