//! What a line above an output says of it, in the words that may tell it from others: without marks, dates, numbers of
//! repetitions, and words that stand above any output.

use super::repetition_words;

/// Words that tell no outputs apart, in lower case.
const SAY_NOTHING: &[&str] = &[
    "a",
    "about",
    "above",
    "again",
    "all",
    "also",
    "an",
    "and",
    "another",
    "are",
    "as",
    "at",
    "bash",
    "be",
    "below",
    "bench",
    "benchmark",
    "benchmarking",
    "benchmarks",
    "but",
    "by",
    "can",
    "client",
    "clients",
    "command",
    "connections",
    "console",
    "did",
    "do",
    "does",
    "example",
    "few",
    "final",
    "finally",
    "first",
    "following",
    "for",
    "fourth",
    "from",
    "full",
    "get",
    "gets",
    "give",
    "gives",
    "got",
    "had",
    "has",
    "have",
    "here",
    "i",
    "in",
    "is",
    "it",
    "its",
    "last",
    "let",
    "let's",
    "like",
    "log",
    "look",
    "looks",
    "me",
    "measure",
    "measured",
    "measurement",
    "measurements",
    "more",
    "my",
    "next",
    "now",
    "of",
    "ok",
    "on",
    "once",
    "one",
    "or",
    "other",
    "our",
    "output",
    "outputs",
    "performance",
    "pgbench",
    "please",
    "ran",
    "repeat",
    "repeated",
    "result",
    "results",
    "run",
    "running",
    "runs",
    "same",
    "second",
    "see",
    "sh",
    "shell",
    "show",
    "shows",
    "so",
    "some",
    "stats",
    "summary",
    "sysbench",
    "test",
    "tested",
    "testing",
    "tests",
    "text",
    "that",
    "the",
    "their",
    "them",
    "then",
    "threads",
    "there",
    "these",
    "they",
    "third",
    "this",
    "those",
    "time",
    "times",
    "to",
    "took",
    "try",
    "users",
    "using",
    "was",
    "we",
    "were",
    "when",
    "which",
    "with",
    "you",
    "your",
    "fio",
];

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// Words of one line at most: what tells is said soon.
const WORDS_MAX: usize = 12;

/// The words of a line that may tell its output from others, each number with the word before it; none where it says
/// nothing, or only counts.
pub(crate) fn telling_words(text: &str) -> Vec<String> {
    let text = repetition_words::without_counts(&without_dates(text));
    let all: Vec<&str> = text.split_whitespace().map(trim_signs).filter(|word| !word.is_empty()).collect();
    let mut words: Vec<String> = Vec::new();
    for (at, word) in all.iter().enumerate() {
        let is_value_at_end = *word == "on" && at > 0 && at + 1 == all.len();
        if is_number(word) {
            match words.last_mut() {
                Some(before) => *before = format!("{before} {word}"),
                None => words.push((*word).to_owned()),
            }
        } else if is_value_at_end || !(says_nothing(word) || is_ordinal(word)) {
            words.push((*word).to_owned());
        }
    }
    words.truncate(WORDS_MAX);
    if words.iter().all(|word| !word.contains(char::is_alphabetic)) || repetition_words::is_count(&words.join(" ")) {
        return Vec::new();
    }
    words
}

/// A text without dates and times of the day; unchanged where it has none.
pub(crate) fn without_dates(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut kept: Vec<&str> = Vec::new();
    let mut has_date = false;
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let neighbours = [before, words.get(at + 1).filter(|_| !word.ends_with(','))];
        let is_beside_month = neighbours.into_iter().flatten().any(|word| is_month(trim_signs(word)));
        let word_of_date = trim_signs(word);
        let is_day_or_year =
            is_beside_month && is_number(word_of_date.trim_end_matches(['s', 't', 'h', 'n', 'd', 'r']));
        let is_year_of_month = at >= 2 && is_month(trim_signs(words[at - 2])) && is_number(word_of_date);
        let has_number = neighbours.into_iter().flatten().any(|word| word.contains(|c: char| c.is_ascii_digit()));
        let is_part = is_date_or_time(word_of_date)
            || before.is_some_and(|before| is_relative_date(before, word))
            || words.get(at + 1).is_some_and(|after| is_relative_date(word, after))
            || (is_month(word_of_date) || is_weekday(word_of_date)) && has_number
            || is_day_or_year
            || is_year_of_month;
        if is_part {
            has_date = true;
        } else {
            kept.push(word);
        }
    }
    if has_date { kept.join(" ") } else { text.to_owned() }
}

/// `next day`, `same evening`.
fn is_relative_date(word: &str, after: &str) -> bool {
    const WHICH: [&str; 6] = ["next", "same", "following", "previous", "last", "other"];
    const PARTS: [&str; 6] = ["day", "morning", "afternoon", "evening", "night", "week"];
    let [which, part] = [word, after].map(|word| trim_signs(word).to_lowercase());
    WHICH.contains(&which.as_str()) && PARTS.contains(&part.as_str())
}

/// `2025-01-03`, `2025-01-03T10:00:00Z`, `10:00`, `3.1.2025`, `1/3/25`.
pub(crate) fn is_date_or_time(word: &str) -> bool {
    if !word.starts_with(|c: char| c.is_ascii_digit()) || !word.chars().all(may_be_in_date) {
        return false;
    }
    let is_with_points = {
        let parts: Vec<&str> = word.trim_end_matches('.').split('.').collect();
        matches!(parts[..], [day, month, year] if day.len() <= 2 && month.len() <= 2 && year.len() == 4)
    };
    count_parts(word, '-') >= 3 || count_parts(word, ':') >= 2 || count_parts(word, '/') == 3 || is_with_points
}

fn may_be_in_date(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '-' | ':' | '/' | '.' | '+' | 'T' | 'Z' | ',')
}

fn count_parts(word: &str, separator: char) -> usize {
    word.split(separator).filter(|part| !part.is_empty()).count()
}

fn is_month(word: &str) -> bool {
    is_name_of(word, &MONTHS)
}

fn is_weekday(word: &str) -> bool {
    is_name_of(word, &DAYS)
}

/// `Jan`, `January`, `jan.`
fn is_name_of(word: &str, short_names: &[&str]) -> bool {
    const LONG: [&str; 19] = [
        "january",
        "february",
        "march",
        "april",
        "june",
        "july",
        "august",
        "september",
        "sept",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ];
    let word = word.to_lowercase();
    let Some(begin) = word.get(..3) else { return false };
    short_names.contains(&begin) && (word.len() == 3 || LONG.contains(&word.as_str()))
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
}

/// `1st`, `2nd`, `#3`
fn is_ordinal(word: &str) -> bool {
    let number = word.trim_start_matches(|c: char| c.is_ascii_digit());
    number.len() < word.len() && matches!(number, "st" | "nd" | "rd" | "th")
}

fn says_nothing(word: &str) -> bool {
    let word = word.to_lowercase();
    SAY_NOTHING.contains(&word.as_str())
}

/// A word without signs around it, which keeps those of options and paths before it.
fn trim_signs(word: &str) -> &str {
    word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '%' && c != '+')
        .trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '/' | '.' | '~'))
        .trim_start_matches(['.'])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_tells_apart_is_left_and_what_counts_or_dates_is_not() {
        for (line, words) in [
            ("First we ran it on a VM with local NVMe:", "VM local NVMe"),
            ("Then again:", ""),
            ("And once more, run 3", ""),
            ("on the VM, 2025-01-03 10:00", "VM"),
            ("PostgreSQL 15, January 3rd 2025", "PostgreSQL 15"),
            ("Test 2: the pod", "pod"),
            ("3 Jan 2025", ""),
            ("before tuning", "before tuning"),
            ("without pooler", "without pooler"),
            ("fsync on", "fsync on"),
            ("2nd run (16 clients)", ""),
            ("m5.large at 10.0.0.1", "m5.large 10.0.0.1"),
            ("2", ""),
            ("", ""),
        ] {
            assert_eq!(telling_words(line).join(" "), words, "{line}");
        }
    }

    #[test]
    fn dates_and_times_are_told_from_versions_and_addresses() {
        for word in ["2025-01-03", "2025-01-03T10:00:00.5Z", "10:00", "3.1.2025", "1/3/25", "10:00:00.123"] {
            assert!(is_date_or_time(word), "{word}");
        }
        for word in ["15.2", "10.0.0.1", "8", "2/8", "vm-1", "", "10.0"] {
            assert!(!is_date_or_time(word), "{word}");
        }
    }

    proptest! {
        #[test]
        fn any_line_is_read(line in "[a-zA-Z0-9é .,:/#()*\u{a0}-]{0,80}") {
            let words = telling_words(&line);
            prop_assert!(words.len() <= WORDS_MAX && words.iter().all(|word| !word.trim().is_empty()));
        }
    }
}
