//! The code in numbers: what `xtask map` prints, what ARCHITECTURE.md repeats, and what `tidy` lets only fall.
//!
//! Every number is counted from the sources without their tests. None is typed by hand anywhere.

mod imports;
mod names;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::tidy::{Source, Tree, test_lines};
use names::NamesInFile;

/// A circle of this many files is still read as one thing.
const FILES_OF_A_SMALL_CIRCLE: usize = 4;

/// One number of the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MapRow {
    /// Its key in `xtask/ratchets.toml`; absent for a number that may rise.
    pub(crate) ratchet: Option<&'static str>,
    /// What is counted.
    pub(crate) what: &'static str,
    /// How many.
    pub(crate) count: usize,
    /// The files or names that were counted, where the list is short.
    pub(crate) examples: Vec<String>,
}

/// Prints the map, with the files and names behind its numbers.
pub(crate) fn print(root: &Path) -> ExitCode {
    let rows = rows(&Tree::read(root));
    print!("{}", table(&rows));
    for row in rows.iter().filter(|row| !row.examples.is_empty()) {
        println!("\n{}:", row.what);
        for example in &row.examples {
            println!("  {example}");
        }
    }
    ExitCode::SUCCESS
}

/// The map as ARCHITECTURE.md has it.
pub(crate) fn table(rows: &[MapRow]) -> String {
    let mut text = "| counted | number |\n|---|--:|\n".to_owned();
    for row in rows {
        text.push_str(&format!("| {} | {} |\n", row.what, row.count));
    }
    text
}

/// Every number of the map.
pub(crate) fn rows(tree: &Tree) -> Vec<MapRow> {
    let program: Vec<ProgramFile> = tree.sources.iter().filter_map(ProgramFile::parse).collect();
    let names: Vec<NamesInFile> = program.iter().map(NamesInFile::of).collect();
    let circles = imports::circles(&program);
    let large: Vec<String> =
        circles.iter().filter(|circle| circle.len() > FILES_OF_A_SMALL_CIRCLE).map(|circle| join(circle)).collect();
    let crates = tree.packages.iter().filter(|package| package.manifest.starts_with("crates")).count();
    let twice = types_defined_twice(&names);
    let functions = || names.iter().flat_map(|file| &file.functions);
    vec![
        MapRow { ratchet: None, what: "crates", count: crates, examples: Vec::new() },
        MapRow {
            ratchet: Some("files_of_the_largest_circle"),
            what: "files of the largest circle of imports",
            count: circles.iter().map(Vec::len).max().unwrap_or(0),
            examples: Vec::new(),
        },
        MapRow {
            ratchet: Some("circles_of_more_than_four_files"),
            what: "circles of more than four files",
            count: large.len(),
            examples: large,
        },
        files_that_name("files_that_match_on_reach", "files that match on `Reach`", "Reach::", &program),
        files_that_name(
            "files_that_match_on_work",
            "files that match on `TransactionWork`",
            "TransactionWork::",
            &program,
        ),
        MapRow {
            ratchet: Some("type_names_defined_twice"),
            what: "type names that several files define",
            count: twice.len(),
            examples: twice,
        },
        MapRow { ratchet: None, what: "functions", count: functions().count(), examples: Vec::new() },
        MapRow {
            ratchet: Some("functions_of_one_word"),
            what: "functions whose name is one word",
            count: functions().filter(|name| !name.contains('_')).count(),
            examples: Vec::new(),
        },
        MapRow {
            ratchet: Some("closures_bound_by_let"),
            what: "closures bound by `let`",
            count: names.iter().map(|file| file.let_closures).sum(),
            examples: Vec::new(),
        },
    ]
}

/// One file of a program, without what only its tests are.
pub(crate) struct ProgramFile {
    /// Relative to the root.
    pub(crate) path: PathBuf,
    /// Its syntax.
    pub(crate) syntax: syn::File,
    /// Its text, line by line; lines of tests are empty.
    pub(crate) lines: Vec<String>,
    /// First and last lines of what only tests use.
    pub(crate) tests: Vec<std::ops::RangeInclusive<usize>>,
}

impl ProgramFile {
    /// Absent for files of tests and examples, for xtask itself, and for what does not parse, which `tidy` reports.
    fn parse(source: &Source) -> Option<Self> {
        let is_test = |part: std::path::Component<'_>| {
            matches!(part.as_os_str().to_str(), Some("tests" | "examples" | "fuzz" | "tests.rs" | "built.rs" | "xtask"))
        };
        if source.path.components().any(is_test) {
            return None;
        }
        let syntax = syn::parse_file(&source.text).ok()?;
        let tests = test_lines(&syntax);
        let mut lines: Vec<String> = source.text.lines().map(str::to_owned).collect();
        for line in tests.iter().cloned().flatten() {
            if let Some(text) = lines.get_mut(line - 1) {
                text.clear();
            }
        }
        Some(Self { path: source.path.clone(), syntax, lines, tests })
    }

    /// Whether a line, counted from 1, is of its tests.
    pub(crate) fn is_test_line(&self, line: usize) -> bool {
        self.tests.iter().any(|lines| lines.contains(&line))
    }
}

fn types_defined_twice(names: &[NamesInFile]) -> Vec<String> {
    let mut files_of_type: BTreeMap<&str, usize> = BTreeMap::new();
    for file in names {
        for name in &file.types {
            *files_of_type.entry(name).or_default() += 1;
        }
    }
    let mut twice: Vec<(&str, usize)> = files_of_type.into_iter().filter(|(_, files)| *files > 1).collect();
    twice.sort_by_key(|(name, files)| (std::cmp::Reverse(*files), *name));
    twice.into_iter().map(|(name, files)| format!("{name} ({files} files)")).collect()
}

fn files_that_name(ratchet: &'static str, what: &'static str, path: &str, program: &[ProgramFile]) -> MapRow {
    let names_it = |file: &&ProgramFile| {
        file.lines.iter().any(|line| !line.trim_start().starts_with("//") && has_path(line, path))
    };
    let examples: Vec<String> = program.iter().filter(names_it).map(|file| file.path.display().to_string()).collect();
    MapRow { ratchet: Some(ratchet), what, count: examples.len(), examples }
}

/// Whether a line has a path that begins so: `Reach::Url`, and not `OutOfReach::Url`.
fn has_path(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|character| character.is_alphanumeric() || character == '_')
    })
}

fn join(files: &[PathBuf]) -> String {
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    format!("{} files: {}", names.len(), names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_begins_where_its_name_begins() {
        assert!(has_path("    Reach::Url(url) => url,", "Reach::"));
        assert!(has_path("matches!(target.reach, plan::Reach::Local(_))", "Reach::"));
        assert!(!has_path("OutOfReach::Now", "Reach::"));
    }

    #[test]
    fn names_of_tests_are_not_counted() {
        let text = "//! A file.\nstruct Kept;\nfn one() {}\n#[cfg(test)]\nmod tests {\n    struct Kept2;\n    fn f() { let c = || 1; c(); }\n}\n";
        let file = ProgramFile::parse(&Source { path: PathBuf::from("crates/a/src/b.rs"), text: text.to_owned() });
        let names = NamesInFile::of(&file.expect("a program's file"));
        assert_eq!((names.types, names.functions, names.let_closures), (vec!["Kept".into()], vec!["one".into()], 0));
        let of_tests = Source { path: PathBuf::from("crates/a/tests/b.rs"), text: text.to_owned() };
        assert!(ProgramFile::parse(&of_tests).is_none());
    }
}
