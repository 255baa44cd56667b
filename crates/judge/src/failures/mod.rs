//! Failures as an outcome: what became of the transactions of a cell, and which side fails more of them.
//!
//! Every trial that ran to its end counts, also one whose figures do not, since too much of it failed. Retried
//! transactions belong to the same account. Where events are made to happen, failures are what the trial is about:
//! there only a side that completes nothing at all is held against it.

mod account;
mod difference;
mod hopeless;
mod words;

pub use account::{CellAccount, TransactionAccount, account_of, accounts};
pub use difference::{FailureComparison, FailureVerdict, PRACTICAL_DIFFERENCE};
pub(crate) use difference::{compare_failures, firm};
pub use hopeless::{DoesNotWork, does_not_work, given_up};
pub(crate) use hopeless::{failed_in_every_block, gave_up_after};
pub use words::{because, clause, failed_of, fails, in_words, percent, points, reason, said, share};
