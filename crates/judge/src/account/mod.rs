//! The account of differences: everything that was counted on two sides, per transaction, beside each other. Whatever
//! the reason of a change is, what it did is here, whether a rule knows it or not: each counter of each probe, of every
//! table, index and statement, and of the load. What is time of the mean transaction is in [`crate::budget`].
//!
//! Pure: from observations only. It names no cause; [`crate::diagnose`] does, and says what of the account no rule
//! explains.

mod counted;
mod difference;
mod ratio;

pub use counted::{CountedBy, CountedQuantity, CountedUnit, CountsOfTrial, WatchedTrial};
pub use difference::{CountedDifference, PairAccount};
pub(crate) use ratio::{is_as_good_as_none, log_ratio, log_ratios};
