//! When transactions begin, and how their statements reach the server.

use crate::words;
use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

words! {
    /// How statements reach the server; what pgbench calls `--protocol`.
    #[derive(Default)]
    QueryMode {
        Simple = "simple", "the simple query protocol, values in the text";
        Extended = "extended", "the extended protocol, each statement parsed every time";
        #[default] Prepared = "prepared", "the extended protocol, each statement prepared once per connection";
    }
}

words! {
    /// How arrivals are spread over time.
    #[derive(Default)]
    Arrivals {
        #[default] Poisson = "poisson", "independent of each other, as many users are and as pgbench does it";
        Even = "even", "at equal distances";
    }
}

words! {
    /// How long a connection is kept.
    #[derive(Default)]
    Connections {
        #[default] Kept = "kept", "from the start of a trial to its end";
        PerTransaction = "per-transaction", "for one transaction, as pgbench's `-C`; the time to connect is part of its latency";
    }
}

/// A client's pause between two transactions in a closed loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Think {
    /// Always the same.
    Fixed(Duration),
    /// Exponentially distributed with this mean.
    Exponential(Duration),
}

/// How often a transaction is tried when it fails because of other transactions (SQLSTATE 40001 or 40P01), each time
/// with the same random numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tries {
    /// At most so many times; 1 means that nothing is retried.
    AtMost(NonZeroU32),
    /// Until it succeeds or the latency limit or the run is over.
    Unlimited,
}

impl Default for Tries {
    fn default() -> Tries {
        Tries::AtMost(NonZeroU32::MIN)
    }
}

impl fmt::Display for Tries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tries::AtMost(tries) => write!(f, "{tries}"),
            Tries::Unlimited => f.write_str("unlimited"),
        }
    }
}
