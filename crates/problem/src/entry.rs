//! A problem as programs read it (`--json`): the same words as people read, with object, value and place by themselves.

use schemars::JsonSchema;
use serde::Serialize;

use crate::CommandStatus;

/// One error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ErrorEntry {
    /// The plan or script that the error is in; null where it is in no file.
    pub file: Option<String>,
    /// Line in the file, from 1.
    pub line: Option<usize>,
    /// Column in the line in characters, from 1.
    pub column: Option<usize>,
    /// What the error is about: the path of a key (`trial.measure`), `target "old"`, or an option; null where the
    /// message alone says so.
    pub object: Option<String>,
    /// The value that is refused, as it was written; null where there is none.
    pub value: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What the system or the server said.
    pub detail: Option<String>,
    /// What to try.
    pub hint: Option<String>,
}

/// What a command prints with `--json` when it fails: one line on standard error, its last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FailureOutput {
    /// The exit status: 2 usage or plan error, 3 measurement failed.
    pub exit_status: u8,
    /// Every error, at least one.
    pub errors: Vec<ErrorEntry>,
}

impl FailureOutput {
    /// A failure with these errors.
    pub fn of_status(status: CommandStatus, errors: Vec<ErrorEntry>) -> Self {
        Self { exit_status: status as u8, errors }
    }

    /// The line.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("plain data always serialises")
    }
}

/// The object that a message names before its first colon, and the value beside it; none where it begins otherwise.
pub(crate) fn object_and_value(message: &str) -> (Option<String>, Option<String>) {
    let Some((head, _)) = message.split_once(": ") else { return (None, None) };
    if let Some(option) = head.strip_prefix("--") {
        return match option.split_once(' ') {
            Some((name, value)) => (Some(format!("--{name}")), Some(value.to_owned())),
            None => (Some(head.to_owned()), None),
        };
    }
    let named =
        ["target \"", "workload \"", "disk \""].iter().any(|kind| head.starts_with(kind)) && head.ends_with('"');
    if named || is_key_path(head) { (Some(head.to_owned()), None) } else { (None, None) }
}

/// `clients`, `trial.measure`, `targets.a.local`.
fn is_key_path(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.-/[]".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_and_value_stand_before_the_first_colon() {
        let cases = [
            ("--baseline x: the run has no such target", Some("--baseline"), Some("x")),
            ("--set: no value", Some("--set"), None),
            ("target \"old\": connection refused", Some("target \"old\""), None),
            ("trial.measure: found 0s, too short", Some("trial.measure"), None),
            ("could not read the plan x: no", None, None),
            ("runs is not a directory", None, None),
        ];
        for (message, object, value) in cases {
            let found = object_and_value(message);
            assert_eq!((found.0.as_deref(), found.1.as_deref()), (object, value), "{message}");
        }
    }
}
