//! Sessions, transactions and executions, put together from the messages of a log and written as events.

mod sessions;
mod skeleton;
mod texts;

pub(crate) use sessions::{SessionAssembler, SessionFilter};
pub(crate) use texts::{KnownText, TextTable};
