//! Documents and what the program says are written in short sentences and in the words of the glossary. The help of the
//! commands and of a plan's keys is among the documents, since pages are generated from both.
//!
//! A file may have as many faults as `xtask/prose.toml` allows it; that number only falls. Code, what stands between
//! backticks, and quotations (`>`) are not read: they are what a program prints or a person types.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::messages::read_messages;
use super::{Finding, Source};

const GLOSSARY: &str = "docs/glossary.md";
const RATCHETS: &str = "xtask/prose.toml";
const REPLACES: &str = "replaces";
/// Words of a sentence, of which inline code is one.
const WORDS_AT_MOST: usize = 35;
/// What stands for inline code in prose.
pub(super) const CODE: &str = "CODE";

/// A piece of text that is read by itself: a paragraph, an item of a list, a cell of a table, a text of the program.
pub(super) struct Passage {
    pub(super) line: usize,
    pub(super) text: String,
}

/// Every fault beyond those that a file is allowed, and every allowance that is too high.
pub(super) fn check_prose(root: &Path, documents: &[Source], sources: &[Source]) -> Vec<Finding> {
    compare_with_allowances(documents, sources, &std::fs::read_to_string(root.join(RATCHETS)).unwrap_or_default())
}

fn compare_with_allowances(documents: &[Source], sources: &[Source], ratchets: &str) -> Vec<Finding> {
    let mut allowed: BTreeMap<PathBuf, usize> = match toml::from_str(ratchets) {
        Ok(allowed) => allowed,
        Err(error) => {
            return vec![language_finding(Path::new(RATCHETS), 1, format!("is not a list of numbers: {error}"))];
        }
    };
    let glossary = documents.iter().find(|document| document.path == Path::new(GLOSSARY));
    let replaced = glossary.map(|glossary| replaced_words(&glossary.text)).unwrap_or_default();
    let mut findings = Vec::new();
    let of_documents = documents.iter().map(|document| (document, read_passages(&document.text)));
    let of_sources = sources.iter().map(|source| (source, read_messages(source)));
    for (source, passages) in of_documents.chain(of_sources) {
        let faults = language_faults(&source.path, &passages, &replaced);
        let allowance = allowed.remove(&source.path).unwrap_or_default();
        let path = source.path.display();
        if faults.len() < allowance {
            let text = format!("{path} fell from {allowance} to {}: write that, or remove it at 0", faults.len());
            findings.push(language_finding(Path::new(RATCHETS), 1, text));
        }
        if faults.len() > allowance {
            if allowance > 0 {
                let text = format!("{path} has {} faults of language, {allowance} at most; they are", faults.len());
                findings.push(language_finding(Path::new(RATCHETS), 1, text));
            }
            findings.extend(faults);
        }
    }
    for path in allowed.keys() {
        findings.push(language_finding(Path::new(RATCHETS), 1, format!("{} is not there: remove it", path.display())));
    }
    findings
}

fn language_finding(path: &Path, line: usize, text: String) -> Finding {
    Finding { path: path.to_owned(), line, text }
}

/// Sentences that are too long, and words that the glossary replaces.
fn language_faults(path: &Path, passages: &[Passage], replaced: &[(String, String)]) -> Vec<Finding> {
    let mut faults = Vec::new();
    let is_glossary = path == Path::new(GLOSSARY);
    for passage in passages {
        for sentence in split_sentences(&passage.text) {
            let count = split_words(&sentence).len();
            if count > WORDS_AT_MOST {
                let start = sentence.split_whitespace().take(8).collect::<Vec<_>>().join(" ");
                let text = format!("a sentence of {count} words, {WORDS_AT_MOST} at most: {start} …");
                faults.push(language_finding(path, passage.line, text));
            }
        }
        if is_glossary {
            continue;
        }
        let words = split_words(&passage.text);
        for (word, instead) in replaced {
            for _ in 0..count_occurrences(&words, word) {
                let text = format!("`{word}`: the glossary has `{instead}`");
                faults.push(language_finding(path, passage.line, text));
            }
        }
    }
    faults
}

/// Each word or phrase of the glossary's column `replaces`, with the word that replaces it.
fn replaced_words(glossary: &str) -> Vec<(String, String)> {
    let mut replaced = Vec::new();
    let mut column = None;
    for line in glossary.lines() {
        if !line.starts_with('|') {
            column = None;
            continue;
        }
        let cells = row_cells(line);
        if let Some(found) = cells.iter().position(|cell| cell == REPLACES) {
            column = Some(found);
            continue;
        }
        let Some(entries) = column.and_then(|column| cells.get(column)) else { continue };
        for entry in entries.split(',') {
            let entry = entry.trim();
            if entry.chars().any(char::is_alphabetic) {
                replaced.push((entry.to_lowercase(), cells[0].clone()));
            }
        }
    }
    replaced
}

/// How often a word or phrase occurs, also with the endings of a noun or a verb.
fn count_occurrences(words: &[String], phrase: &str) -> usize {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    let mut count = 0;
    for window in words.windows(phrase.len()) {
        let mut is_same = true;
        for (word, wanted) in window.iter().zip(&phrase) {
            let ending = word.strip_prefix(wanted);
            is_same &= matches!(ending, Some("" | "s" | "d" | "ed" | "ing"));
        }
        count += usize::from(is_same);
    }
    count
}

/// The passages of a page, without headings, code and quotations.
fn read_passages(text: &str) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    let (mut is_code, mut is_open) = (false, false);
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim_start();
        let is_fence = trimmed.starts_with("```");
        is_code ^= is_fence;
        let is_mark = trimmed.starts_with(['#', '>']) || trimmed.starts_with("<!--");
        if is_code || is_fence || is_mark || trimmed.is_empty() {
            is_open = false;
        } else if trimmed.starts_with('|') {
            is_open = false;
            passages
                .extend(row_cells(trimmed).into_iter().map(|text| Passage { line: number, text: plain_prose(&text) }));
        } else if is_open && list_item(trimmed).is_none() {
            let passage = passages.last_mut().expect("one is open");
            passage.text = format!("{} {}", passage.text, plain_prose(trimmed));
        } else {
            is_open = true;
            passages.push(Passage { line: number, text: plain_prose(list_item(trimmed).unwrap_or(trimmed)) });
        }
    }
    passages
}

/// What an item of a list says; none if a line begins none.
fn list_item(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = rest.len() < line.len();
    if is_numbered { rest.strip_prefix(". ") } else { line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) }
}

/// The cells of a row of a table. A bar after a backslash belongs to its cell.
fn row_cells(row: &str) -> Vec<String> {
    let row = row.trim().trim_matches('|').replace("\\|", "\u{1}");
    row.split('|').map(|cell| cell.replace('\u{1}', "|").trim().to_owned()).collect()
}

/// Text without what is not prose: inline code becomes one word, links and pictures what they are called.
pub(super) fn plain_prose(text: &str) -> String {
    let mut plain = String::new();
    for (index, part) in text.split('`').enumerate() {
        if index % 2 == 1 {
            plain.push_str(CODE);
        } else {
            plain.push_str(part);
        }
    }
    let mut out = String::new();
    let mut rest = plain.as_str();
    while let Some((before, after)) = rest.split_once("](") {
        out.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out.replace("**", "").replace(['[', ']'], "")
}

/// The sentences of a passage. A line break in a cell ends one, too.
fn split_sentences(text: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    for part in text.split("<br>") {
        let mut sentence = String::new();
        for word in part.split_whitespace() {
            sentence.push_str(word);
            sentence.push(' ');
            if word.trim_end_matches(['"', '”', '*', ')']).ends_with(['.', '!', '?']) {
                sentences.push(std::mem::take(&mut sentence));
            }
        }
        sentences.push(sentence);
    }
    sentences
}

/// The words of a text in lower case, without punctuation.
fn split_words(text: &str) -> Vec<String> {
    let plain = text.replace("<br>", " ");
    let parts = plain.split(|c: char| c.is_whitespace() || matches!(c, '/' | '—' | '–'));
    let trimmed = parts.map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase());
    trimmed.filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE_OF_WORDS: &str = "# Glossary\n\n| word | means | replaces |\n|---|---|---|\n| setting | A GUC. | knob |\n\
                                 | fix | A change. | mend, cure by |\n| plan | A file. | |\n";

    fn found(page: &str, ratchets: &str) -> Vec<String> {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.to_owned() };
        let documents = [source(GLOSSARY, PAGE_OF_WORDS), source("docs/a.md", page)];
        compare_with_allowances(&documents, &[], ratchets).iter().map(ToString::to_string).collect()
    }

    fn long(words: usize) -> String {
        "word ".repeat(words - 1) + "end."
    }

    #[test]
    fn a_sentence_of_more_than_35_words_is_found_wherever_it_stands() {
        for page in ["# A\n\n{}\n", "- {}\n", "1. {}\n", "| a | {} |\n|---|---|\n", "Short. {} Short.\n", "a<br>{}\n"] {
            assert_eq!(found(&page.replace("{}", &long(35)), ""), [""; 0], "{page}");
            let found = found(&page.replace("{}", &long(36)), "");
            assert_eq!(found.len(), 1, "{page}: {found:?}");
            assert!(found[0].contains("a sentence of 36 words, 35 at most: word word"), "{found:?}");
        }
        let wrapped = format!("{}\n{}", "word ".repeat(20), long(16));
        assert_eq!(found(&wrapped, "").len(), 1, "a sentence over two lines");
    }

    #[test]
    fn a_word_that_the_glossary_replaces_is_found_with_its_endings() {
        let expected = ["docs/a.md:1: `mend`: the glossary has `fix`"];
        for text in ["It mends that.", "Mend it!", "(mended)", "**mending**", "[mend](a.md)"] {
            assert_eq!(found(text, ""), expected, "{text}");
        }
        assert_eq!(found("It is cured by a knob.", "").len(), 2, "a phrase and a word");
        for text in ["An amendment, a mender.", "The key `mend`.", "```\nmend\n```\n", "> We mend it.\n", "## mend\n"] {
            assert_eq!(found(text, ""), [""; 0], "{text}");
        }
    }

    #[test]
    fn code_is_one_word_and_the_address_of_a_link_none() {
        let code = format!("`{}` {}", "word ".repeat(40), long(34));
        assert_eq!(found(&code, ""), [""; 0]);
        let link = format!("[a](b.md#{}) {}", "c-".repeat(40), long(34));
        assert_eq!(found(&link, ""), [""; 0]);
    }

    #[test]
    fn the_faults_of_a_file_may_only_fall() {
        let page = "Mend it. Mend it.";
        assert_eq!(found(page, "\"docs/a.md\" = 2"), [""; 0]);
        let rose = found(page, "\"docs/a.md\" = 1");
        assert_eq!(rose[0], "xtask/prose.toml:1: docs/a.md has 2 faults of language, 1 at most; they are");
        assert_eq!(rose.len(), 3, "{rose:?}");
        let fell = found(page, "\"docs/a.md\" = 3");
        assert_eq!(fell, ["xtask/prose.toml:1: docs/a.md fell from 3 to 2: write that, or remove it at 0"]);
        assert_eq!(found("Fine.", "\"docs/b.md\" = 3"), ["xtask/prose.toml:1: docs/b.md is not there: remove it"]);
    }
}
