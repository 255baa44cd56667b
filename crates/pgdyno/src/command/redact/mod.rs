//! `report --redact`: the report of a run for a stranger. It is made of a copy of the run directory in which hosts,
//! addresses, names of databases and roles, and constants of SQL are replaced, each by the same word wherever it is; of
//! an imported run also the words of its files, sides, workloads and conditions that are of no benchmark's language. So
//! no form of a report, and no sentence of it, can have what the copy does not have. Figures and verdicts stay.

mod constants;
mod imported;
mod known_words;
mod names;

use std::fs;
use std::path::{Path, PathBuf};

use results::store::RunDir;
use serde_json::Value;

use constants::{Constants, without_constants, without_quoted_parts};
use imported::add_names_of_import;
use names::{Names, names_of_run, without_addresses};
use problem::Problem;

/// Fields whose text is SQL, or conditions of a query plan.
const SQL_FIELDS: [&str; 6] = ["text", "query", "statement", "condition", "filter", "definition"];

/// Fields that quote names and values of a statement, as the messages of a server do.
const MESSAGE_FIELDS: [&str; 7] = ["message", "examples", "error", "first_error", "because", "reason", "gap"];

/// The same of what is said of imported files.
const NOTE_FIELDS: [&str; 2] = ["notes", "not_read"];

/// Fields of a server's build: their quotes hold no constants.
const BUILD_FIELDS: [&str; 2] = ["configure", "cflags"];

/// A copy of a run directory, which goes with it.
#[derive(Debug)]
pub(super) struct RedactedRun {
    directory: tempfile::TempDir,
}

impl RedactedRun {
    /// Makes the copy.
    ///
    /// # Errors
    /// A file cannot be read or written, or the copy would not be a run any more.
    pub(super) fn copy_of(run: &Path) -> Result<Self, Problem> {
        let dir = RunDir::open(run)?;
        let directory = tempfile::tempdir().map_err(|error| not_copied(run, &error))?;
        let mut names = names_of_run(&dir)?;
        let is_imported = dir.read_run()?.imported.is_some();
        if is_imported {
            add_names_of_import(&mut names, run).map_err(|error| not_copied(run, &error))?;
        }
        let mut copy = Copier { names, constants: Constants::default(), is_imported };
        copy.copy_directory(run, directory.path()).map_err(|error| not_copied(run, &error))?;
        Ok(Self { directory })
    }

    /// The copy as a run directory.
    ///
    /// # Errors
    /// It cannot be read: a name was also a word that the files of a run are made of.
    pub(super) fn open_copy(&self) -> Result<RunDir, Problem> {
        RunDir::open(self.directory.path()).map_err(|error| not_a_run_any_more(&error.to_string()))
    }
}

/// A copy in which a name was taken for a word of the files, or a word for a name.
pub(super) fn not_a_run_any_more(error: &str) -> Problem {
    Problem::could_not_measure("--redact: a host, database or role has a name that the files of a run use as a word")
        .detail(error)
        .hint("hand over the report without --redact, or name the database or role differently in the next run")
}

fn not_copied(run: &Path, error: &std::io::Error) -> Problem {
    Problem::could_not_measure(format!("--redact: could not copy {}", run.display())).detail(error.to_string())
}

struct Copier {
    names: Names,
    constants: Constants,
    is_imported: bool,
}

impl Copier {
    fn copy_directory(&mut self, from: &Path, to: &Path) -> std::io::Result<()> {
        fs::create_dir_all(to)?;
        let mut entries = fs::read_dir(from)?.collect::<Result<Vec<_>, _>>()?;
        // In one order, so that each report of a run has the same words.
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            let target = to.join(self.names.replaced_in(&name));
            let kind = entry.file_type()?;
            if kind.is_dir() {
                if !is_left_out(&name) {
                    self.copy_directory(&entry.path(), &target)?;
                }
            } else if kind.is_file() {
                self.copy_file(&entry.path(), target)?;
            }
        }
        Ok(())
    }

    fn copy_file(&mut self, from: &Path, to: PathBuf) -> std::io::Result<()> {
        let extension = from.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match extension {
            "json" | "jsonl" => {
                let text = fs::read_to_string(from)?;
                let lines = if extension == "json" { vec![text.as_str()] } else { text.lines().collect() };
                let mut redacted = String::with_capacity(text.len());
                for line in lines {
                    redacted.push_str(&self.redact_json(line));
                    redacted.push('\n');
                }
                fs::write(to, redacted)
            }
            "yaml" if from.ends_with("plan.yaml") => {
                let text = fs::read_to_string(from)?;
                fs::write(to, self.redact_plan(&text))
            }
            "hlog" => fs::copy(from, to).map(drop),
            // Reports, scripts and what only a person reads.
            _ => Ok(()),
        }
    }

    fn redact_json(&mut self, text: &str) -> String {
        match serde_json::from_str::<Value>(text) {
            Ok(mut value) => {
                self.redact_value(&mut value, "");
                value.to_string()
            }
            // The last line of a run that was killed.
            Err(_) => self.names.replaced_in(text),
        }
    }

    fn redact_value(&mut self, value: &mut Value, field: &str) {
        match value {
            Value::String(text) => *text = self.redact_text(text, field),
            Value::Array(items) => {
                for item in items {
                    self.redact_value(item, field);
                }
            }
            Value::Object(entries) => {
                let before = std::mem::take(entries);
                for (key, mut item) in before {
                    self.redact_value(&mut item, &key);
                    // Only a key that is a name all by itself: others are the fields of the file.
                    entries.insert(self.names.replacement_of(&key).unwrap_or(key), item);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn redact_text(&mut self, text: &str, field: &str) -> String {
        if BUILD_FIELDS.contains(&field) {
            return text.to_owned();
        }
        let is_sql = SQL_FIELDS.contains(&field) || self.is_imported && looks_like_statement(text);
        let mut redacted = without_constants(text, is_sql, &mut self.constants);
        if MESSAGE_FIELDS.contains(&field) || self.is_imported && NOTE_FIELDS.contains(&field) {
            redacted = without_quoted_parts(&redacted, &mut self.constants);
        }
        if field == "id" {
            // The name of a run directory is made of the words of its question.
            return redacted.get(..19).unwrap_or_default().to_owned() + "-redacted";
        }
        without_addresses(&self.names.replaced_in(&redacted), &mut self.names)
    }

    /// The plan of a run directory has names and values in double quotes, and the keys of its language without them.
    fn redact_plan(&mut self, text: &str) -> String {
        let mut redacted = String::with_capacity(text.len());
        for (number, part) in split_at_quotes(text).into_iter().enumerate() {
            if number % 2 == 0 {
                redacted.push_str(&part);
            } else {
                let inner = without_constants(&part, false, &mut self.constants);
                redacted.push_str(&without_addresses(&self.names.replaced_in(&inner), &mut self.names));
            }
        }
        redacted
    }
}

/// The text outside double quotes, then inside, and so on; the quotes stay with what is outside.
fn split_at_quotes(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut is_inside, mut is_escaped) = (false, false);
    for c in text.chars() {
        if c == '"' && !is_escaped {
            if is_inside {
                parts.push(String::from(c));
            } else {
                parts.last_mut().expect("one at least").push(c);
                parts.push(String::new());
            }
            is_inside = !is_inside;
            continue;
        }
        is_escaped = is_inside && c == '\\' && !is_escaped;
        parts.last_mut().expect("one at least").push(c);
    }
    parts
}

/// Whether a name is a statement, as tables of queries have them.
fn looks_like_statement(text: &str) -> bool {
    let text = format!(" {} ", text.to_ascii_lowercase());
    for (verb, follows) in
        [("select", "from"), ("select", "where"), ("insert", "into"), ("update", "set"), ("delete", "from")]
    {
        if text.contains(&format!(" {verb} ")) && text.contains(&format!(" {follows} ")) {
            return true;
        }
    }
    false
}

/// What is no observation that a report is made of.
fn is_left_out(name: &str) -> bool {
    ["scripts", "beside", "disk-jobs"].contains(&name) || name.ends_with(".partial") || name.contains(".aside-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_told_from_the_name_of_a_workload() {
        for (text, expected) in [
            ("SELECT abalance FROM accounts WHERE aid = 4711", true),
            ("read UPDATE t SET a = 'x'", true),
            ("select-only in-memory", false),
            ("update and insert", false),
        ] {
            assert_eq!(looks_like_statement(text), expected, "{text}");
        }
    }

    #[test]
    fn a_plan_is_split_at_its_quotes() {
        assert_eq!(split_at_quotes("a: \"b\\\"c\"\nd: e"), ["a: \"", "b\\\"c", "\"\nd: e"]);
        assert_eq!(split_at_quotes("a"), ["a"]);
        assert_eq!(split_at_quotes("\"a\": \"b\"").concat(), "\"a\": \"b\"");
    }
}
