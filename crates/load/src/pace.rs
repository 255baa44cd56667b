//! When transactions begin: as soon as a client is free (closed loop), or at instants that do not depend on the server
//! (open loop). Plain data.

use crate::extent::JobExtent;
use crate::timed::TimedSessions;
use std::sync::Arc;
use work::{Arrivals, Think};

/// The highest rate, in transactions per second: counting the arrivals of a moment must
/// not take longer than the moment.
pub const HIGHEST_RATE_PER_S: f64 = 1e7;

/// When transactions begin.
#[derive(Debug, Clone, PartialEq)]
pub enum TransactionPace {
    /// Each client begins a transaction when its last one has ended and it has thought about it.
    Closed {
        /// The pause between two transactions of a client, if there is one.
        think: Option<Think>,
    },
    /// Transactions arrive at a rate that is offered whether or not the server keeps up. An arrival waits until a
    /// client is free; its latency begins at the instant at which it was due.
    Open {
        /// How the arrivals are spread.
        arrivals: Arrivals,
        /// How many there are.
        rate: OfferedRate,
    },
    /// Each client has sessions with transactions that begin at given instants. The latency of one begins when it was
    /// due, also where the one before it in its session had not ended.
    Timed(Arc<TimedSessions>),
}

impl Default for TransactionPace {
    /// A closed loop without pauses.
    fn default() -> TransactionPace {
        TransactionPace::Closed { think: None }
    }
}

impl TransactionPace {
    /// Whether transactions are due at instants that do not depend on the server.
    pub fn is_open(&self) -> bool {
        match self {
            TransactionPace::Closed { .. } => false,
            TransactionPace::Open { .. } | TransactionPace::Timed(_) => true,
        }
    }

    /// The sessions, if their transactions begin at given instants.
    pub(crate) fn timed_sessions(&self) -> Option<&Arc<TimedSessions>> {
        match self {
            TransactionPace::Timed(sessions) => Some(sessions),
            TransactionPace::Closed { .. } | TransactionPace::Open { .. } => None,
        }
    }

    /// Whether a job can be paced like this that is measured so long.
    ///
    /// # Errors
    /// What is wrong.
    pub(crate) fn check_extent(&self, measure: JobExtent) -> Result<(), &'static str> {
        let rate = match self {
            TransactionPace::Closed { .. } => return Ok(()),
            TransactionPace::Timed(_) => {
                return match measure {
                    JobExtent::Time(_) => Ok(()),
                    JobExtent::Transactions(_) => Err("timed sessions require a duration of measurement"),
                };
            }
            TransactionPace::Open { rate, .. } => rate,
        };
        let figures = match rate {
            OfferedRate::Constant(rate) => vec![*rate],
            OfferedRate::Ramp { from, to } => vec![*from, *to],
            OfferedRate::Steps(rates) => rates.clone(),
        };
        if figures.iter().any(|figure| !figure.is_finite() || *figure < 0.0) {
            return Err("the rate is not a positive number");
        }
        if figures.iter().any(|figure| *figure > HIGHEST_RATE_PER_S) {
            return Err("the rate is above 10000000 per second");
        }
        if figures.iter().all(|figure| *figure == 0.0) {
            return Err("the rate offers no transactions");
        }
        match (rate, measure) {
            (OfferedRate::Ramp { .. } | OfferedRate::Steps(_), JobExtent::Transactions(_)) => {
                Err("a changing rate requires a duration of measurement, not a number of transactions")
            }
            (OfferedRate::Constant(_), _) | (_, JobExtent::Time(_)) => Ok(()),
        }
    }
}

/// Transactions per second that are offered, over all clients; 10 million at most.
#[derive(Debug, Clone, PartialEq)]
pub enum OfferedRate {
    /// Always the same.
    Constant(f64),
    /// From the first figure at the begin of the warm-up to the second at the end of the measurement, evenly growing.
    Ramp {
        /// At the begin.
        from: f64,
        /// At the end.
        to: f64,
    },
    /// One figure after the other, each for an equal part of the measurement; the warm-up has the first.
    Steps(Vec<f64>),
}
