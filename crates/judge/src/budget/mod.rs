//! The time budget: the mean latency split into the parts in which it was spent. The parts sum to the whole, and what
//! could not be attributed is a part of its own; and what a transaction takes besides time. `docs/method.md` has the
//! rules.
//!
//! Judges from observations only: no files, no clock.

mod of_pairs;
mod of_trial;
mod part;
mod per_transaction;
mod waterfall;

pub use of_pairs::{PairBudget, TrialWithout, budget_of_trial, of_pairs};
pub use of_trial::Budget;
pub(crate) use of_trial::{in_part, is_by_kernel};
pub use part::{BudgetPart, ConnectingStep};
pub use per_transaction::{Taken, TransactionResource};
pub use waterfall::{BudgetRow, OnCpuByBlock, Waterfall, WaterfallStep};
