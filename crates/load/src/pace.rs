//! When transactions begin: as soon as a client is free (closed loop), or at instants that do not depend on the server
//! (open loop). Plain data.

use crate::extent::Extent;
use work::{Arrivals, Think};

/// The highest rate, in transactions per second: counting the arrivals of a moment must
/// not take longer than the moment.
pub const HIGHEST_RATE_PER_S: f64 = 1e7;

/// When transactions begin.
#[derive(Debug, Clone, PartialEq)]
pub enum Pace {
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
        rate: Rate,
    },
}

impl Default for Pace {
    /// A closed loop without pauses.
    fn default() -> Pace {
        Pace::Closed { think: None }
    }
}

impl Pace {
    /// Whether a job can be paced like this that is measured so long.
    ///
    /// # Errors
    /// What is wrong.
    pub(crate) fn check(&self, measure: Extent) -> Result<(), &'static str> {
        let Pace::Open { rate, .. } = self else { return Ok(()) };
        let figures = match rate {
            Rate::Constant(rate) => vec![*rate],
            Rate::Ramp { from, to } => vec![*from, *to],
            Rate::Steps(rates) => rates.clone(),
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
            (Rate::Ramp { .. } | Rate::Steps(_), Extent::Transactions(_)) => {
                Err("a changing rate requires a duration of measurement, not a number of transactions")
            }
            (Rate::Constant(_), _) | (_, Extent::Time(_)) => Ok(()),
        }
    }
}

/// Transactions per second that are offered, over all clients; 10 million at most.
#[derive(Debug, Clone, PartialEq)]
pub enum Rate {
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
