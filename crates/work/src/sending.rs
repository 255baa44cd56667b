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
        #[default] Poisson = "poisson", "independent of each other, as of many users, and as in pgbench";
        Even = "even", "at equal distances";
    }
}

words! {
    /// Lifetime of a connection.
    #[derive(Default)]
    Connections {
        #[default] Kept = "kept", "the whole trial";
        PerTransaction = "per-transaction", "one transaction, as `-C` of pgbench; the time to connect is part of the latency";
    }
}

/// Think time: pause of a client between two transactions of a closed loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Think {
    /// Always the same.
    Fixed(Duration),
    /// Mean of an exponential distribution.
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
