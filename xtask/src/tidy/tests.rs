//! A violation of each rule is planted below each crate and must be found there. Only in memory: nothing is written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::tree::{Package, Source, Tree};
use super::{Finding, findings};

/// What is found in the files planted, apart from what the tables say about the files that are missing here.
fn found(planted: &[(&str, &str)]) -> Vec<Finding> {
    let source = |(path, text): &(&str, &str)| Source { path: PathBuf::from(path), text: (*text).to_owned() };
    let sources = planted.iter().map(source).collect();
    let tree = Tree { sources, documents: Vec::new(), files: BTreeSet::new(), packages: Vec::new() };
    let mut findings = findings(&tree);
    findings.retain(|finding| planted.iter().any(|(path, _)| finding.path == Path::new(path)));
    findings
}

/// The folders of all packages.
fn members() -> Vec<String> {
    let directory = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../crates"));
    let entries = std::fs::read_dir(directory).expect("the crates").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| format!("crates/{}", name.to_string_lossy())).collect();
    names.push("xtask".to_owned());
    names.sort();
    names
}

/// A program that has this line in one of its functions.
fn program(line: &str) -> String {
    format!("//! Planted.\n\nfn planted() {{\n    {line}\n}}\n")
}

/// A line that is banned, and below which paths.
const BANNED: &[(&str, &[&str])] = &[
    ("let now = Instant::now();", JUDGES),
    ("let now = SystemTime::now();", JUDGES),
    ("let now = Timestamp::now();", JUDGES),
    ("let seed = rand::rng();", JUDGES),
    ("let socket = std::net::TcpStream::connect(a);", JUDGES),
    ("let runtime = tokio::runtime::Runtime::new();", JUDGES),
    ("let bytes = std::fs::read(a);", &["crates/stats/src", "crates/wire/src"]),
    ("let reading = read().unwrap_or_default();", &["crates/probe/src"]),
];

const JUDGES: &[&str] =
    &["crates/stats/src", "crates/wire/src", "crates/plan/src", "crates/judge/src", "crates/report/src"];

/// Lines that are banned in every crate.
const BANNED_EVERYWHERE: &[&str] =
    &["let mean = mean().unwrap_or(0.0);", "let mean: f32 = 1.0;", "println!();", "eprintln!();"];

#[test]
fn a_banned_call_is_found_wherever_it_is_planted() {
    let everywhere: Vec<String> = members().iter().map(|name| format!("{name}/src")).collect();
    let everywhere: Vec<&str> = everywhere.iter().map(String::as_str).filter(|path| *path != "xtask/src").collect();
    let mut bans: Vec<(&str, &[&str])> = BANNED.to_vec();
    bans.extend(BANNED_EVERYWHERE.iter().map(|line| (*line, everywhere.as_slice())));
    for (line, below) in bans {
        for below in below {
            for file in ["planted.rs", "target/planted.rs", "a/target/b/planted.rs"] {
                let path = format!("{below}/{file}");
                let lines: Vec<usize> = lines_of_bans(&path, &program(line));
                assert_eq!(lines, [4], "{line} in {path}");
                let behind_tests = format!("//! Planted.\n#[cfg(test)]\nmod tests {{\n}}\nfn f() {{\n    {line}\n}}\n");
                assert_eq!(lines_of_bans(&path, &behind_tests), [6], "{line} behind the tests of {path}");
            }
        }
    }
}

#[test]
fn an_example_that_nothing_compiles_is_found() {
    let text = "//! Planted.\n//!\n//! ```\n//! let a = 1;\n//! ```\n//!\n//! ```text\n//! a ```\n//! ```\n";
    let lines_of_examples = |path: &str| -> Vec<usize> {
        let mut findings = found(&[(path, text)]);
        findings.retain(|finding| finding.text.contains("compiles this example"));
        findings.iter().map(|finding| finding.line).collect()
    };
    assert_eq!(lines_of_examples("crates/plan/src/planted.rs"), [3]);
    assert!(lines_of_examples("crates/wire/src/planted.rs").is_empty());
}

#[test]
fn tests_and_comments_may_name_what_is_banned() {
    for (path, text) in [
        ("crates/stats/src/a.rs", "//! X\n// Instant::now\n#[cfg(test)]\nfn f() {\n    Instant::now();\n}\n"),
        ("crates/stats/src/a/tests.rs", "//! X\nfn f() {\n    Instant::now();\n}\n"),
        ("crates/stats/tests/a.rs", "//! X\nfn f() {\n    Instant::now();\n}\n"),
        ("crates/load/src/a.rs", "//! X\nfn f() {\n    Instant::now();\n}\n"),
    ] {
        assert_eq!(lines_of_bans(path, text), [0; 0], "{path}");
    }
}

fn lines_of_bans(path: &str, text: &str) -> Vec<usize> {
    let findings = found(&[(path, text)]);
    findings.iter().filter(|finding| finding.text.contains("is banned here")).map(|finding| finding.line).collect()
}

#[test]
fn a_broken_rule_of_layout_is_found_in_every_crate() {
    let long = format!("//! Planted.\nfn planted() {{\n{}}}\n", "    let _ = 1;\n".repeat(70));
    for name in members() {
        for (file, text, expected) in [
            ("planted.rs", "fn planted() {}\n", "opens without `//!`"),
            ("utils.rs", "//! Planted.\n", "`utils` names nothing"),
            ("common/mod.rs", "//! Planted.\n", "`common` names nothing"),
            ("planted.rs", "//! Planted.\n", "is dead"),
            ("planted.rs", long.as_str(), "has 72 lines"),
            ("planted.rs", "//! Planted.\nfn planted() {\n", "does not parse"),
        ] {
            let path = format!("{name}/src/{file}");
            let found = found(&[(&path, text)]);
            assert!(found.iter().any(|finding| finding.text.contains(expected)), "{expected}: {path}: {found:?}");
        }
    }
}

#[test]
fn a_wide_comment_and_a_module_beside_its_folder_are_found_in_every_crate() {
    let wide = format!("//! Planted.\nfn planted() {{\n    // {}\n}}\n", "a word ".repeat(17));
    for name in members().iter().filter(|name| *name != "crates/server") {
        let path = format!("{name}/src/planted.rs");
        let findings = found(&[(&path, &wide)]);
        assert!(findings.iter().any(|finding| finding.line == 3 && finding.text.contains("columns")), "{findings:?}");
        let below = format!("{name}/src/planted/below.rs");
        let findings = found(&[(&path, "//! Planted.\nmod below;\n"), (&below, "//! Planted.\n")]);
        let expected = format!("move it to {name}/src/planted/mod.rs");
        assert!(findings.iter().any(|finding| finding.text.contains(&expected)), "{expected}: {findings:?}");
    }
}

#[test]
fn a_forbidden_dependency_is_found_in_every_crate() {
    let asynchronous: &[&str] = &["tokio-util", "futures-util", "async-trait", "smol", "mio", "hyper"];
    for (name, forbidden) in [
        ("wire", asynchronous),
        ("results", asynchronous),
        ("plan", asynchronous),
        ("judge", asynchronous),
        ("report", asynchronous),
        ("load", &["tokio-util"]),
        ("dataset", &["load"]),
    ] {
        for dependency in forbidden {
            assert_eq!(chains(&[package(name, &[dependency])], name), [*dependency]);
            let packages = [package(name, &["serde", "between"]), package("between", &[dependency])];
            let expected = if name == "judge" { "between".to_owned() } else { format!("between → {dependency}") };
            assert!(chains(&packages, name).contains(&expected), "{name}: {dependency}");
        }
    }
    for ours in ["server", "probe", "load", "report"] {
        assert_eq!(chains(&[package("judge", &["serde", "plan", ours]), package(ours, &[])], "judge"), [ours]);
    }
    for name in members() {
        let name = name.rsplit('/').next().expect("a name");
        assert_eq!(chains(&[package(name, &["pgdyno"])], name), ["pgdyno"]);
    }
}

/// By which way a crate depends on each thing that it must not.
fn chains(packages: &[Package], name: &str) -> Vec<String> {
    let tree = Tree { sources: Vec::new(), documents: Vec::new(), files: BTreeSet::new(), packages: packages.to_vec() };
    let findings = findings(&tree);
    let of_it = findings.iter().filter(|finding| finding.path.ends_with(format!("{name}/Cargo.toml")));
    let chain =
        |finding: &Finding| finding.text.strip_prefix("depends on ")?.split([',', ':']).next().map(str::to_owned);
    of_it.filter_map(chain).collect()
}

fn package(name: &str, dependencies: &[&str]) -> Package {
    Package {
        name: name.to_owned(),
        manifest: PathBuf::from(format!("crates/{name}/Cargo.toml")),
        dependencies: dependencies.iter().map(|name| (*name).to_owned()).collect(),
        test_dependencies: Vec::new(),
    }
}

#[test]
fn a_fence_around_no_file_is_found() {
    let tree = Tree { sources: Vec::new(), documents: Vec::new(), files: BTreeSet::new(), packages: Vec::new() };
    let findings = findings(&tree);
    assert!(findings.iter().any(|finding| finding.text.contains("no file lies below `crates/stats/src`")));
    assert!(findings.iter().any(|finding| finding.text.contains("is permitted below")), "{findings:?}");
}
