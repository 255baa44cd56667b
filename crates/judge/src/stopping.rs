//! The door for whoever measures: which trials of the schedule are still to be executed, and at which rate. The
//! stopping rule and the search for a capacity are the only conclusions that a measurement waits for, and a run that
//! is resumed asks the same functions.

pub use crate::compare::Question;
pub use crate::compare::search::Searches;
pub use crate::compare::stopping::remaining;
pub use crate::compare::time_taken;
