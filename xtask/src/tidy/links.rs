//! Links of the documents lead somewhere: to a file that git knows, and to a heading that its page has. And every page
//! of `docs` is in the site's table of contents.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::{Finding, Source};

/// The site's table of contents.
const SUMMARY: &str = "docs/SUMMARY.md";

/// Every link that leads nowhere; `files` are all that there are.
pub(super) fn check(documents: &[Source], files: &BTreeSet<PathBuf>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = documents.iter().flat_map(|page| dead_links(page, documents, files)).collect();
    let Some(summary) = documents.iter().find(|page| page.path == Path::new(SUMMARY)) else { return findings };
    let listed: BTreeSet<PathBuf> = links(&summary.text).filter_map(|(_, link)| resolved(summary, &link)).collect();
    let missing = documents.iter().filter(|page| page.path.starts_with("docs") && page.path != Path::new(SUMMARY));
    findings.extend(missing.filter(|page| !listed.contains(&page.path)).map(|page| Finding {
        path: page.path.clone(),
        line: 1,
        text: format!("the site has no such page: name it in {SUMMARY}"),
    }));
    findings
}

fn dead_links(page: &Source, documents: &[Source], files: &BTreeSet<PathBuf>) -> Vec<Finding> {
    let dead = |(line, link): (usize, String)| {
        let wrong = |why: &str| Some(Finding { path: page.path.clone(), line, text: format!("`{link}`: {why}") });
        if link.contains("://") || link.starts_with("mailto:") {
            return None;
        }
        let (_, heading) = link.split_once('#').unwrap_or((&link, ""));
        let Some(to) = resolved(page, &link) else { return wrong("leads out of the repository") };
        let is_there = files.contains(&to) || files.iter().any(|file| file.starts_with(&to));
        if !is_there {
            return wrong("is not there");
        }
        let target = documents.iter().find(|document| document.path == to)?;
        let has_it = heading.is_empty() || headings(&target.text).any(|known| known == heading);
        if has_it { None } else { wrong("has no such heading") }
    };
    links(&page.text).filter_map(dead).collect()
}

/// The file that a link of a page means; none outside the repository.
fn resolved(page: &Source, link: &str) -> Option<PathBuf> {
    let path = link.split('#').next().unwrap_or_default();
    if path.is_empty() {
        return Some(page.path.clone());
    }
    let mut resolved = page.path.parent()?.to_owned();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => resolved.pop().then_some(())?,
            Component::Normal(name) => resolved.push(name),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(resolved)
}

/// Lines outside of blocks of code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// What stands in the parentheses of `[text](link)`, with its line.
fn links(text: &str) -> impl Iterator<Item = (usize, String)> {
    prose(text).flat_map(|(number, line)| {
        // Between backticks it is code.
        let outside: String = line.split('`').step_by(2).collect::<Vec<_>>().join("``");
        let ends = outside.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned()));
        ends.map(|link| (number, link)).collect::<Vec<_>>()
    })
}

/// The names by which headings are linked to, as GitHub and mdBook make them.
fn headings(text: &str) -> impl Iterator<Item = String> {
    prose(text).filter_map(|(_, line)| {
        let heading = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?;
        let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        Some(kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(planted: &[(&str, &str)]) -> Vec<String> {
        let pages: Vec<Source> =
            planted.iter().map(|(path, text)| Source { path: path.into(), text: (*text).to_owned() }).collect();
        let mut files: BTreeSet<PathBuf> = pages.iter().map(|page| page.path.clone()).collect();
        files.insert("plans/a.yaml".into());
        check(&pages, &files).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_link_that_leads_nowhere_is_found() {
        for (link, why) in [
            ("b.md", "is not there"),
            ("../plans/b.yaml", "is not there"),
            ("../../a.md", "leads out of the repository"),
            ("#nothing", "has no such heading"),
            ("../README.md#nothing", "has no such heading"),
        ] {
            let page = format!("# A page\n\n[to]({link})\n");
            let found = found(&[("docs/a.md", &page), ("README.md", "# Two words\n")]);
            assert_eq!(found, [format!("docs/a.md:3: `{link}`: {why}")], "{link}");
        }
    }

    #[test]
    fn links_that_lead_somewhere_and_code_are_let_be() {
        let page = "# A `page`: two-fold\n[a](#a-page-two-fold) [b](../plans/a.yaml) [c](../plans) [d](../README.md#two-words)\n\
                    `[e](nowhere.md)` [f](https://example.org/nowhere)\n```\n[g](nowhere.md)\n```\n";
        assert_eq!(found(&[("docs/a.md", page), ("README.md", "## Two words\n")]), [""; 0]);
    }

    #[test]
    fn a_page_that_the_site_leaves_out_is_found() {
        let pages =
            [("docs/SUMMARY.md", "- [a](how-to/a.md)\n"), ("docs/how-to/a.md", "# A\n"), ("docs/b.md", "# B\n")];
        assert_eq!(found(&pages), ["docs/b.md:1: the site has no such page: name it in docs/SUMMARY.md"]);
    }
}
