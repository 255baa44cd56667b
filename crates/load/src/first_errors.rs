//! What the server said first of each kind of failure: its message and the statement that it is about, for each
//! SQLSTATE and statement once.
//!
//! Bounded in number and in length. A kind that has been seen costs a look at a short list and allocates nothing.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use wire::{ServerMessage, SqlState};

/// Kinds of failure that are kept; later ones are counted like all others.
const KINDS_MAX: usize = 16;

/// Characters of a message that are kept: it may repeat a value of any length.
const MESSAGE_MAX: usize = 500;

/// The first error of one SQLSTATE and statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobFirstError {
    /// Its SQLSTATE.
    #[serde(serialize_with = "write_state", deserialize_with = "read_state")]
    pub sqlstate: SqlState,
    /// The server's message, without its detail; a long one is cut.
    pub message: String,
    /// The number of the statement among those of the job (see
    /// [`Job::statements`](crate::EngineJob::statements_by_number)); absent where the error is about none, as one of a
    /// transaction's end may be.
    pub statement: Option<u32>,
}

/// The first errors of a load so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct FirstErrors {
    errors: Vec<JobFirstError>,
}

impl FirstErrors {
    /// Takes note of an error. The one that is new, if it is.
    pub(crate) fn note_error(&mut self, error: &ServerMessage<'_>, statement: Option<u32>) -> Option<&JobFirstError> {
        let sqlstate = error.sqlstate();
        if self.is_known(sqlstate, statement) {
            return None;
        }
        let message = shorten_message(&error.primary_message());
        self.errors.push(JobFirstError { sqlstate, message, statement });
        self.errors.last()
    }

    /// Adds what another thread noted first, if it is new here.
    pub(crate) fn add(&mut self, error: &JobFirstError) {
        if !self.is_known(error.sqlstate, error.statement) {
            self.errors.push(error.clone());
        }
    }

    /// All of them, in the order in which they were noted.
    pub(crate) fn into_vec(self) -> Vec<JobFirstError> {
        self.errors
    }

    fn is_known(&self, sqlstate: SqlState, statement: Option<u32>) -> bool {
        self.errors.len() >= KINDS_MAX
            || self.errors.iter().any(|known| known.sqlstate == sqlstate && known.statement == statement)
    }
}

/// At most so many characters of a message.
fn shorten_message(message: &str) -> String {
    match message.char_indices().nth(MESSAGE_MAX) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}

fn write_state<S: Serializer>(state: &SqlState, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(state.as_str())
}

fn read_state<'de, D: Deserializer<'de>>(from: D) -> Result<SqlState, D::Error> {
    let code = String::deserialize(from)?;
    SqlState::from_bytes(code.as_bytes()).ok_or_else(|| serde::de::Error::custom("not a SQLSTATE"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(number: u32) -> JobFirstError {
        JobFirstError { sqlstate: SqlState::DEADLOCK_DETECTED, message: "deadlock".to_owned(), statement: Some(number) }
    }

    #[test]
    fn each_kind_is_kept_once_and_only_so_many_kinds() {
        let mut errors = FirstErrors::default();
        for number in (0..40).chain(0..40) {
            errors.add(&error(number));
        }
        let kept = errors.into_vec();
        assert_eq!(kept.len(), KINDS_MAX);
        assert_eq!(kept[3], error(3));
    }

    #[test]
    fn a_long_message_is_cut_between_two_characters() {
        let cut = shorten_message(&"ä".repeat(MESSAGE_MAX + 1));
        assert_eq!(cut.chars().count(), MESSAGE_MAX + 1);
        assert!(cut.ends_with("ä…"), "{cut}");
        assert_eq!(shorten_message("short"), "short");
    }

    #[test]
    fn it_comes_back_from_another_machine_as_it_was() {
        let text = serde_json::to_string(&error(7)).unwrap();
        assert_eq!(serde_json::from_str::<JobFirstError>(&text).unwrap(), error(7));
    }
}
