//! Numbers of the map that may only fall: `xtask/ratchets.toml` has each as it is, and ARCHITECTURE.md repeats the map.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Finding, Source};
use crate::map::{MapRow, table};

const RATCHETS: &str = "xtask/ratchets.toml";
const PAGE: &str = "ARCHITECTURE.md";
const BEGIN: &str = "<!-- xtask map: begin -->\n";
const END: &str = "<!-- xtask map: end -->";

/// Every number that rose, or fell and is still written as it was.
pub(super) fn check(root: &Path, rows: &[MapRow], documents: &[Source]) -> Vec<Finding> {
    let text = std::fs::read_to_string(root.join(RATCHETS)).unwrap_or_default();
    let mut findings = compare(rows, &text);
    if let Some(page) = documents.iter().find(|document| document.path == Path::new(PAGE)) {
        findings.extend(compare_page(rows, &page.text));
    }
    findings
}

fn compare(rows: &[MapRow], text: &str) -> Vec<Finding> {
    let ratchets: BTreeMap<String, usize> = match toml::from_str(text) {
        Ok(ratchets) => ratchets,
        Err(error) => return vec![finding(RATCHETS, format!("is not a list of numbers: {error}"))],
    };
    let mut findings = Vec::new();
    for row in rows {
        let Some(key) = row.ratchet else { continue };
        let text = match ratchets.get(key) {
            Some(written) if row.count > *written => {
                format!("{}: {}, {written} at most; `xtask map` lists them", row.what, row.count)
            }
            Some(written) if row.count < *written => {
                format!("{}: fell from {written} to {}: write `{key} = {}`", row.what, row.count, row.count)
            }
            Some(_) => continue,
            None => format!("{}: write `{key} = {}`", row.what, row.count),
        };
        findings.push(finding(RATCHETS, text));
    }
    findings
}

fn compare_page(rows: &[MapRow], page: &str) -> Option<Finding> {
    let (_, rest) = page.split_once(BEGIN)?;
    let (written, _) = rest.split_once(END)?;
    let expected = table(rows);
    let text = format!("has another map than `xtask map` prints; between its two marks should stand\n{expected}");
    (written != expected).then(|| finding(PAGE, text))
}

fn finding(path: &str, text: String) -> Finding {
    Finding { path: PathBuf::from(path), line: 1, text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(count: usize) -> MapRow {
        MapRow { ratchet: Some("closures_bound_by_let"), what: "closures bound by `let`", count, examples: Vec::new() }
    }

    fn texts(findings: &[Finding]) -> Vec<&str> {
        findings.iter().map(|finding| finding.text.as_str()).collect()
    }

    #[test]
    fn a_number_may_fall_and_is_then_written_lower() {
        assert!(compare(&[row(7)], "closures_bound_by_let = 7").is_empty());
        let rose = compare(&[row(8)], "closures_bound_by_let = 7");
        assert_eq!(texts(&rose), ["closures bound by `let`: 8, 7 at most; `xtask map` lists them"]);
        let fell = compare(&[row(6)], "closures_bound_by_let = 7");
        assert_eq!(texts(&fell), ["closures bound by `let`: fell from 7 to 6: write `closures_bound_by_let = 6`"]);
        assert_eq!(compare(&[row(6)], "").len(), 1, "a number that is not written");
        assert_eq!(compare(&[row(6)], "closures_bound_by_let = many").len(), 1);
    }

    #[test]
    fn the_page_repeats_the_map_word_for_word() {
        let page = format!("# Page\n{BEGIN}{}{END}\n", table(&[row(7)]));
        assert!(compare_page(&[row(7)], &page).is_none());
        assert!(compare_page(&[row(6)], &page).is_some_and(|finding| finding.text.contains("| 6 |")));
        assert!(compare_page(&[row(7)], "# A page without a map\n").is_none());
    }
}
