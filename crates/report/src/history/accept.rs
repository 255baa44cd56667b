//! The commands that accept what got worse, ready to be executed as they are printed.

use std::collections::BTreeSet;

use judge::history::{HistoryJudgement, MetricSeries};

/// The history that the commands read where none is named.
const DEFAULT_FILE: &str = "runs/history.jsonl";

/// A command for each run with which something got worse and stands, in the history in `file`.
pub(super) fn accept_commands(judgement: &HistoryJudgement<'_>, file: &str) -> Vec<String> {
    let changed =
        judgement.series.iter().flat_map(MetricSeries::standing_regressions).map(|change| change.after.run.as_str());
    let runs: BTreeSet<&str> = changed.chain(judgement.broken.iter().map(|broken| broken.run.as_str())).collect();
    let of_file = if file == DEFAULT_FILE { String::new() } else { format!(" --file {}", quote_shell_word(file)) };
    runs.into_iter()
        .map(|run| format!("pgdyno history accept {} --because \"the reason\"{of_file}", quote_shell_word(run)))
        .collect()
}

/// One word of a shell.
fn quote_shell_word(text: &str) -> String {
    if !text.is_empty()
        && text.chars().all(|c| c.is_alphanumeric() || "._-/:=+,@%".contains(c))
        && !text.starts_with('-')
    {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_word_of_a_shell_whatever_it_holds() {
        for (text, expected) in [
            ("runs/history.jsonl", "runs/history.jsonl"),
            ("2026-11-26T20-16-12-nightly", "2026-11-26T20-16-12-nightly"),
            ("my runs/h.jsonl", "'my runs/h.jsonl'"),
            ("it's", "'it'\\''s'"),
            ("$(rm)", "'$(rm)'"),
            ("", "''"),
        ] {
            assert_eq!(quote_shell_word(text), expected);
        }
    }
}
