//! Words and numbers that count repetitions, in headings and names of files: what is left without them names a side.

use super::label_words::without_dates;

/// What a heading says that counts repetitions.
const COUNTS: [&str; 13] = [
    "run",
    "test",
    "trial",
    "round",
    "repetition",
    "iteration",
    "attempt",
    "pass",
    "sample",
    "measurement",
    "hour",
    "execution",
    "repeat",
];

/// The parts of a name of a file without ending before the number of a repetition; none where it has no such number.
pub(crate) fn parts_before_repetition(stem: &str) -> Vec<String> {
    let mut parts: Vec<&str> = stem.split(['-', '_', ' ']).filter(|part| !part.is_empty()).collect();
    if !parts.pop().is_some_and(is_count_of_repetition) {
        return Vec::new();
    }
    // `vm-run-1`
    if parts.last().is_some_and(|part| COUNTS.contains(&part.to_lowercase().as_str())) {
        parts.pop();
    }
    parts.into_iter().map(str::to_owned).collect()
}

/// Whether a part of a file's name counts repetitions: `3`, `r3`, `run3`.
pub(crate) fn is_count_of_repetition(part: &str) -> bool {
    let number = part.trim_start_matches(|c: char| c.is_alphabetic());
    let word = part[..part.len() - number.len()].to_lowercase();
    let is_word = word.is_empty() || word == "r" || COUNTS.contains(&word.as_str());
    is_word && !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())
}

/// A heading without what its outputs tell by themselves or which of several repetitions they are: `ext4` of
/// `ext4 clients=8, run 2`.
pub(crate) fn without_counts(heading: &str) -> String {
    let parted = heading.replace('=', " = ");
    let words: Vec<&str> = parted.split_whitespace().collect();
    let mut kept = Vec::new();
    let mut at = 0;
    while at < words.len() {
        // `clients = 50`: a value belongs to its name, and to no word behind it.
        let is_assigned = words.get(at + 1) == Some(&"=") && words.get(at + 2).is_some();
        let pair = words.get(at + 1).is_some_and(|next| {
            is_told_by_output(words[at]) && has_only_digits(next)
                || has_only_digits(words[at]) && is_told_by_output(next) && !has_only_digits(next)
        });
        if is_assigned {
            if !(is_told_by_output(words[at]) && has_only_digits(words[at + 2])) {
                kept.extend([words[at], words[at + 2]]);
            }
            at += 3;
        } else if pair {
            at += 2;
        } else {
            kept.push(words[at]);
            at += 1;
        }
    }
    let is_whole = words.iter().filter(|word| **word != "=").count() == kept.len();
    if is_whole { heading.to_owned() } else { kept.join(" ").trim_matches([',', ';', ' ']).to_owned() }
}

/// Whether a word, without what is around it, is a number.
fn has_only_digits(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    !word.is_empty() && word.chars().all(|c| c.is_ascii_digit())
}

/// Whether a word is one of a figure that the outputs tell by themselves.
fn is_told_by_output(word: &str) -> bool {
    const TOLD: [&str; 8] = ["clients", "client", "connections", "threads", "users", "-c", "-j", "-t"];
    let word = word.trim_matches([',', ';', ':', '=', '(', ')', '#']).to_lowercase();
    COUNTS.contains(&word.as_str()) || TOLD.contains(&word.as_str())
}

/// Words of tables that count repetitions of a cell and nothing else: a test may be one of something else.
const COUNTS_IN_TABLES: [&str; 10] =
    ["run", "trial", "round", "rep", "repetition", "repeat", "iteration", "attempt", "pass", "try"];

/// Whether a field of a table says the how manieth of several repetitions a row is, or on which day it was measured:
/// `run 3`, `Attempt #2`, `third try`, `2025-05-10`, `10 May`.
pub(crate) fn is_repetition(field: &str) -> bool {
    const ORDINALS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];
    let lower = field.to_lowercase();
    let mut words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let parts = words.len();
    words.retain(|word| !COUNTS_IN_TABLES.contains(word));
    let has_word = words.len() < parts;
    let is_count = has_word
        && words.len() == 1
        && words.iter().all(|word| word.chars().all(|c| c.is_ascii_digit()) || ORDINALS.contains(word));
    is_count || !field.trim().is_empty() && without_dates(field).trim().is_empty()
}

/// `Run 3`, `Iteration #2`, `test: 4`, and nothing at all.
pub(crate) fn is_count(heading: &str) -> bool {
    let words: Vec<String> =
        heading.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    // A number of several parts is one of a version: `9.6.24`.
    let is_version = heading.split_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_ascii_digit());
        word.split('.').count() > 1 && word.split('.').all(|part| part.parse::<u32>().is_ok())
    });
    if is_version {
        return false;
    }
    (heading.is_empty() || heading.contains(|c: char| c.is_ascii_digit()))
        && words.iter().all(|word| COUNTS.contains(&word.as_str()) || matches!(word.as_str(), "no" | "of"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_of_a_repetition_where_it_counts_one_or_is_a_date() {
        for (field, expected) in [
            ("Run 2", true),
            ("Trial 1", true),
            ("rep 3", true),
            ("Attempt #2", true),
            ("second attempt", true),
            ("2025-05-10", true),
            ("May 10", true),
            ("Test 2", false),
            ("nodes 3", false),
            ("16.4", false),
            ("run", false),
            ("first", false),
            ("read only", false),
            ("", false),
        ] {
            assert_eq!(is_repetition(field), expected, "{field}");
        }
    }
}
