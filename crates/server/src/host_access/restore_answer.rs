//! What an agent answers of a change that it has undone, or not.

use super::messages::{Undone, UndoneAs};
use crate::journal::{Reversal, Settled};

impl Undone {
    /// As it is told to who asked for it.
    #[must_use]
    pub fn from_settled(settled: &Settled) -> Self {
        let (outcome, why) = match &settled.outcome {
            Ok(Reversal::Restored) => (UndoneAs::Restored, String::new()),
            Ok(Reversal::NothingLeft) => (UndoneAs::NothingLeft, String::new()),
            Ok(Reversal::LeftAlone { found }) => (UndoneAs::LeftAlone, found.clone()),
            Err(error) => {
                let said = [Some(error.to_string()), error.detail()].into_iter().flatten().collect::<Vec<_>>();
                (UndoneAs::Failed, said.join(": "))
            }
        };
        Self { outcome, change: settled.change.to_string(), why }
    }
}
