//! Failures as an outcome: what became of the transactions of a cell, and which side fails more of them.
//!
//! Every trial that ran to its end counts, also one whose figures do not, since too much of it failed. Retried
//! transactions belong to the same account. Where events are made to happen, failures are what the trial is about:
//! there only a side that completes nothing at all is held against it.

mod account;
mod difference;
mod hopeless;
mod words;

pub use account::{CellAccount, TransactionAccount, account_of, accounts_of_cells};
pub use difference::{FailureComparison, FailureVerdict, PRACTICAL_DIFFERENCE};
pub(crate) use difference::{compare_failures, firm_verdicts};
pub use hopeless::{DoesNotWork, does_not_work, given_up};
pub(crate) use hopeless::{failed_in_every_block, gave_up_after};
pub use words::{
    describe_failing_side, failed_of, failures_clause, first_error_in_words, format_failed_share,
    format_percentage_points, format_small_percent, in_words, reason_for_failures, reason_in_brackets,
};
