//! Rules of the project that rustc and clippy cannot hold: what may be called where, which crate may depend
//! on what, how long a function may grow, how
//! a file opens and what it may be called, that no file is dead, that links of the documents lead somewhere, in which
//! words and sentences they are written, and which numbers of the map may only fall.
//! A rule prints what is wrong and what to do instead.

mod banned;
mod comments;
mod dependencies;
mod examples;
mod fragments;
mod functions;
mod layout;
mod links;
mod messages;
mod modules;
mod prose;
mod ratchets;
mod test_items;
#[cfg(test)]
mod tests;
mod tree;

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(crate) use examples::CRATE_WITH_EXAMPLES;
pub(crate) use test_items::lines as test_lines;
pub(crate) use tree::{Source, Tree};

/// One place that breaks a rule.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    path: PathBuf,
    line: usize,
    text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path.display(), self.line, self.text)
    }
}

/// Checks the whole tree and prints every finding.
pub(crate) fn check(root: &Path) -> ExitCode {
    let tree = Tree::read(root);
    let mut findings = findings(&tree);
    findings.extend(ratchets::check(root, &crate::map::rows(&tree), &tree.documents));
    findings.extend(prose::check_prose(root, &tree.documents, &tree.sources));
    for finding in &findings {
        println!("{finding}");
    }
    println!("tidy: {} files, {} findings", tree.sources.len() + tree.documents.len(), findings.len());
    if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn findings(tree: &Tree) -> Vec<Finding> {
    let mut findings = layout::check(&tree.sources);
    findings.extend(banned::check_tables(&tree.sources));
    findings.extend(dependencies::check(&tree.packages));
    findings.extend(comments::check(&tree.sources));
    findings.extend(examples::check_examples(&tree.sources));
    findings.extend(modules::check(&tree.sources));
    findings.extend(links::check(&tree.documents, &tree.files));
    findings.extend(fragments::check_fragments(&tree.documents));
    findings.extend(tree.sources.iter().flat_map(findings_in));
    findings
}

fn findings_in(source: &Source) -> Vec<Finding> {
    match syn::parse_file(&source.text) {
        Ok(file) => [functions::check(source, &file), banned::check(source, &file)].concat(),
        Err(error) => {
            let line = error.span().start().line;
            vec![Finding { path: source.path.clone(), line, text: format!("does not parse: {error}") }]
        }
    }
}
