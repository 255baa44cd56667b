//! What stands before every line of an output where a program or a person put it there: the name of a container, a
//! time, a sign of quotation, blanks of a list.
//!
//! No form of it is known beforehand. What stands before a line that only a tool prints is a prefix where the same,
//! but for its digits, stands before the other lines of the same report.

use std::collections::{BTreeMap, BTreeSet};

use super::label_words;

/// Lines that only tools print: each family is of one kind of output, and all of its lines must have the same prefix.
const FAMILIES: [&[&str]; 6] = [
    &["query mode: ", "number of clients: ", "number of transactions actually processed: "],
    &["progress: "],
    &["SQL statistics:", "Threads fairness:"],
    &["Run status group ", "fio-"],
    &["Run status group ", ": (groupid="],
    &["FIO Benchmark Summary", "IOPS (Read/Write)"],
];

/// What a line of progress has besides.
const OF_PROGRESS: &str = " tps, lat ";

/// A longer begin of a line is no prefix.
const BYTES_MAX: usize = 200;

/// What stands for a number in the form of a prefix.
const NUMBER: char = '\u{1}';

/// A text without prefixes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UnprefixedText {
    pub text: String,
    /// The line of the text with prefixes, from 1, that each line is from.
    pub lines: Vec<usize>,
}

/// A text of which the outputs stand behind prefixes, without these; none where none does. Outputs of several
/// containers that were written at the same time follow each other, each below the name of its container.
pub(crate) fn without_prefixes(text: &str) -> Option<UnprefixedText> {
    let anchors: Vec<&'static str> = anchors_of_text(text);
    if anchors.is_empty() {
        return None;
    }
    let lines: Vec<&str> = text.lines().collect();
    let found = PrefixForms::find_in_lines(&lines, &anchors);
    if found.forms.is_empty() {
        return None;
    }
    let lengths = found.prefix_lengths(&lines);
    let mut streams: Vec<(String, Vec<usize>)> = vec![(String::new(), Vec::new())];
    let names: BTreeSet<String> = lines
        .iter()
        .enumerate()
        .filter(|(at, _)| found.of_line[*at].is_some())
        .map(|(at, line)| name_of_prefix(&line[..lengths[at].unwrap_or(0)]))
        .collect();
    let has_several = names.len() > 1;
    for (at, line) in lines.iter().enumerate() {
        let name = match lengths[at] {
            Some(length) if has_several => name_of_prefix(&line[..length]),
            _ => String::new(),
        };
        match streams.iter_mut().find(|(other, _)| *other == name) {
            Some((_, own)) => own.push(at),
            None => streams.push((name, vec![at])),
        }
    }
    let mut unprefixed = UnprefixedText { text: String::new(), lines: Vec::new() };
    for (name, own) in streams {
        if !name.is_empty() {
            unprefixed.push_line(&format!("=== {name} ==="), own[0] + 1);
        }
        for at in own {
            unprefixed.push_line(content_of_line(lines[at], lengths[at]), at + 1);
        }
    }
    Some(unprefixed)
}

impl UnprefixedText {
    fn push_line(&mut self, line: &str, from: usize) {
        self.text.push_str(line);
        self.text.push('\n');
        self.lines.push(from);
    }
}

/// The lines of tools that a text has, maybe behind something.
fn anchors_of_text(text: &str) -> Vec<&'static str> {
    let mut anchors = Vec::new();
    for family in FAMILIES {
        if family.iter().all(|anchor| text.contains(anchor)) {
            anchors.extend(family.iter().copied());
        }
    }
    anchors.sort_unstable();
    anchors.dedup();
    anchors
}

/// What a line has behind its prefix, and without the sign that quotes it, as in lists of JSON.
fn content_of_line(line: &str, length: Option<usize>) -> &str {
    let Some(length) = length else { return line };
    let (prefix, content) = line.split_at(length);
    if prefix.ends_with('"') {
        let content = content.trim_end();
        let content = content.strip_suffix(',').unwrap_or(content);
        return content.strip_suffix('"').unwrap_or(content);
    }
    content
}

/// The prefixes of a text by their forms.
struct PrefixForms {
    forms: BTreeSet<String>,
    /// The form of the prefix of each line that only a tool prints.
    of_line: Vec<Option<String>>,
}

impl PrefixForms {
    fn find_in_lines(lines: &[&str], anchors: &[&'static str]) -> Self {
        let mut of_line: Vec<Option<String>> = vec![None; lines.len()];
        let mut told: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for (at, line) in lines.iter().enumerate() {
            for anchor in anchors {
                let Some(place) = place_of_anchor(line, anchor) else { continue };
                if place == 0 || place > BYTES_MAX {
                    continue;
                }
                let form = form_of_prefix(&line[..place]);
                told.entry(form.clone()).or_default().insert(anchor);
                of_line[at] = Some(form);
                break;
            }
        }
        let is_of_output = |anchors: &BTreeSet<&str>| {
            FAMILIES.iter().any(|family| family.iter().all(|anchor| anchors.contains(anchor)))
        };
        let forms: BTreeSet<String> =
            told.into_iter().filter(|(_, anchors)| is_of_output(anchors)).map(|(form, _)| form).collect();
        for form in &mut of_line {
            form.take_if(|form| !forms.contains(form));
        }
        Self { forms, of_line }
    }

    /// The length of the prefix of each line that has one. Blanks are a prefix in the report alone whose lines they
    /// stand before, since others begin with blanks of their own.
    fn prefix_lengths(&self, lines: &[&str]) -> Vec<Option<usize>> {
        let signs: Vec<&str> = self.forms.iter().map(String::as_str).filter(|form| !form.trim().is_empty()).collect();
        let mut lengths: Vec<Option<usize>> = Vec::new();
        for line in lines {
            lengths.push(signs.iter().filter_map(|form| prefix_length(line, form)).max());
        }
        let down: Vec<usize> = (0..lines.len()).collect();
        let up: Vec<usize> = (0..lines.len()).rev().collect();
        for order in [down, up] {
            let mut blanks: Option<&str> = None;
            for at in order {
                if let Some(form) = self.of_line[at].as_deref().filter(|form| form.trim().is_empty()) {
                    blanks = Some(form);
                }
                blanks = blanks.filter(|form| prefix_length(lines[at], form).is_some());
                if let Some(form) = blanks {
                    lengths[at] = lengths[at].or(prefix_length(lines[at], form));
                }
            }
        }
        lengths
    }
}

fn place_of_anchor(line: &str, anchor: &str) -> Option<usize> {
    let place = line.find(anchor)?;
    match anchor {
        "progress: " => line.contains(OF_PROGRESS).then_some(place),
        // The name of a job stands before this: how long the prefix is, other lines tell.
        ": (groupid=" => {
            let before = &line[..place];
            Some(before.rfind([' ', '\t']).map_or(0, |blank| blank + 1))
        }
        "fio-" => line[place + anchor.len()..].starts_with(|c: char| c.is_ascii_digit()).then_some(place),
        _ => Some(place),
    }
}

/// A prefix with a sign for each number; both streams of a program are one.
fn form_of_prefix(prefix: &str) -> String {
    let mut form = String::new();
    for c in prefix.replace("stderr", "stdout").chars() {
        if !c.is_ascii_digit() {
            form.push(c);
        } else if !form.ends_with(NUMBER) {
            form.push(NUMBER);
        }
    }
    form
}

/// How long the prefix of this form is that a line has. Where nothing follows it, its blanks may be missing.
fn prefix_length(line: &str, form: &str) -> Option<usize> {
    if let Some(length) = matched_length(line, form) {
        return Some(length);
    }
    let short = form.trim_end();
    let length = matched_length(line, short)?;
    line[length..].trim().is_empty().then_some(line.len())
}

fn matched_length(line: &str, form: &str) -> Option<usize> {
    let mut rest = line;
    let mut form = form;
    while let Some(expected) = form.chars().next() {
        if let Some(after) = form.strip_prefix("stdout") {
            rest = rest.strip_prefix("stdout").or_else(|| rest.strip_prefix("stderr"))?;
            form = after;
            continue;
        }
        form = &form[expected.len_utf8()..];
        if expected == NUMBER {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            if digits == 0 {
                return None;
            }
            rest = &rest[digits..];
        } else {
            rest = rest.strip_prefix(expected)?;
        }
    }
    Some(line.len() - rest.len())
}

/// Whether a word of a prefix is no time, stream or sign.
fn may_be_name(word: &str) -> bool {
    let plain = word.trim_matches(|c: char| !c.is_alphanumeric());
    !plain.is_empty() && !label_words::is_date_or_time(plain) && !matches!(plain, "stdout" | "stderr" | "F" | "P")
}

/// Whose lines a prefix says they are: its words without times, streams and signs.
fn name_of_prefix(prefix: &str) -> String {
    let words: Vec<&str> = prefix.split_whitespace().filter(|word| may_be_name(word)).collect();
    let words: Vec<&str> =
        words.iter().map(|word| word.trim_matches(['[', ']', '(', ')', ':', '|', '"', ','])).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const REPORT: &str =
        "query mode: simple\nnumber of clients: 8\nnumber of transactions actually processed: 5\n\ntps = 5\n";

    fn behind_prefix(prefix: impl Fn(usize) -> String) -> String {
        REPORT.lines().enumerate().map(|(at, line)| format!("{}{line}\n", prefix(at))).collect()
    }

    #[test]
    fn whatever_stands_before_the_lines_of_a_report_is_left_out() {
        let prefixes: [fn(usize) -> String; 8] = [
            |at| format!("2025-01-03T10:00:{at:02}.{}Z stdout F ", 1234 * (at + 1)),
            |_| "bench-1  | ".to_owned(),
            |_| "[pod/bench-abc/pgbench] ".to_owned(),
            |_| "> ".to_owned(),
            |_| "> > ".to_owned(),
            |at| format!("Jan 03 10:00:{at:02} host pgbench[77]: "),
            |_| "      ".to_owned(),
            |_| "job\tstep\t".to_owned(),
        ];
        for prefix in prefixes {
            let text = format!("# Begin\n{}the end\n", behind_prefix(prefix));
            let found = without_prefixes(&text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(found.text, format!("# Begin\n{REPORT}the end\n"), "{text}");
            assert_eq!(found.lines, (1..=7).collect::<Vec<_>>());
        }
    }

    #[test]
    fn outputs_of_containers_at_the_same_time_follow_each_other_below_their_names() {
        let mixed: String =
            REPORT.lines().flat_map(|line| [format!("vm-1   | {line}\n"), format!("pod-1  | {line}\n")]).collect();
        let found = without_prefixes(&mixed).expect("prefixes");
        assert_eq!(found.text, format!("=== vm-1 ===\n{REPORT}=== pod-1 ===\n{REPORT}"));
        assert_eq!(found.lines[..3], [1, 1, 3]);
    }

    #[test]
    fn a_list_of_settings_and_a_plain_report_have_no_prefix() {
        for text in ["- query mode: simple\n- number of clients: 8\n", REPORT, "the query mode: simple\n", ""] {
            assert_eq!(without_prefixes(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_lost_and_none_panics(
            parts in prop::collection::vec(
                prop::sample::select(vec!["> ", "  ", "é| ", "0 ", "12:3", REPORT, "query mode: ", "progress: 1.0 s, 5.0 tps, lat ", "\n", "x", "stderr"]),
                0..40,
            ),
        ) {
            let text = parts.concat();
            if let Some(found) = without_prefixes(&text) {
                prop_assert_eq!(found.text.lines().count(), found.lines.len());
                prop_assert!(found.lines.iter().all(|line| (1..=text.lines().count()).contains(line)));
                prop_assert!(found.lines.len() >= text.lines().count());
            }
        }
    }
}
