//! Calls that must not appear below a path, each with what to use instead: the invariants of ARCHITECTURE.md as text
//! search. Tests may do what they like.

use std::path::Path;

use super::{Finding, Source, test_items};

const HERE: &str = file!();

struct Ban {
    /// Where the ban holds.
    below: &'static [&'static str],
    /// The text that must not appear.
    text: &'static str,
    /// What to do instead.
    instead: &'static str,
}

/// Where conclusions are drawn: from files and arguments only.
const JUDGES: &[&str] = &[
    "crates/stats/src",
    "crates/wire/src",
    "crates/plan/src",
    "crates/judge/src",
    "crates/report/src",
    "crates/outputs/src",
    "crates/sql/src",
    "crates/measure/src/disk/job.rs",
];

const BANS: &[Ban] = &[
    Ban { below: JUDGES, text: "Instant::now", instead: "take the instant as an argument" },
    Ban { below: JUDGES, text: "SystemTime::now", instead: "take the instant as an argument" },
    Ban { below: JUDGES, text: "Timestamp::now", instead: "take the instant as an argument" },
    Ban { below: JUDGES, text: "rand::rng()", instead: "take a seed as an argument" },
    Ban { below: JUDGES, text: "std::net", instead: "leave sockets to load, probe and server" },
    Ban { below: JUDGES, text: "tokio", instead: "judge without async, from files" },
    Ban {
        below: &["crates/catalog/src", "crates/conninfo/src", "crates/stats/src", "crates/wire/src", "crates/work/src"],
        text: "std::fs",
        instead: "take bytes as an argument",
    },
    Ban { below: &["crates/probe/src"], text: "unwrap_or_default()", instead: "make it a gap with a reason" },
    Ban { below: &["crates"], text: "unwrap_or(0.0)", instead: "keep the Option: missing is not zero" },
    Ban { below: &["crates"], text: ": f32", instead: "use f64" },
    Ban {
        below: &["crates"],
        text: "println!",
        instead: "return it; the binary writes, and copes with a closed stream",
    },
];

/// Below where, what and why it may stand there.
const PERMITTED: &[(&str, &str, &str)] = &[
    (
        "crates/server/src/local/supervisor.rs",
        "println!",
        "it is the whole program of a process of its own, whose caller is gone when it fails",
    ),
    ("crates/pgdyno/build.rs", "println!", "cargo reads what a build script prints"),
    ("crates/sql/build.rs", "println!", "cargo reads what a build script prints"),
    ("crates/testbed/src/postgres.rs", "println!", "a test that fails shows what its server has said"),
];

/// Every banned call of one file.
pub(super) fn check(source: &Source, file: &syn::File) -> Vec<Finding> {
    if is_of_tests(&source.path) {
        return Vec::new();
    }
    let holds = |ban: &&Ban| ban.below.iter().any(|below| source.path.starts_with(below)) && !is_permitted(source, ban);
    let bans: Vec<&Ban> = BANS.iter().filter(holds).collect();
    let tests = test_items::lines(file);
    let mut findings = Vec::new();
    for (line, text) in (1..).zip(source.text.lines()) {
        if text.trim_start().starts_with("//") || tests.iter().any(|lines| lines.contains(&line)) {
            continue;
        }
        for ban in bans.iter().filter(|ban| text.contains(ban.text)) {
            let text = format!("`{}` is banned here: {}", ban.text, ban.instead);
            findings.push(Finding { path: source.path.clone(), line, text });
        }
    }
    findings
}

/// What of the tables above no longer meets a file: a fence that was left behind when the files moved.
pub(super) fn check_tables(sources: &[Source]) -> Vec<Finding> {
    let is_missing = |below: &&&str| !sources.iter().any(|source| source.path.starts_with(below));
    let below = BANS.iter().flat_map(|ban| ban.below).filter(is_missing);
    let below = below.map(|below| format!("no file lies below `{below}`: name where those files are now"));
    let is_needed = |(below, text): (&str, &str)| {
        sources.iter().any(|source| source.path.starts_with(below) && source.text.contains(text))
    };
    let permits = PERMITTED.iter().filter(|(below, text, _)| !is_needed((below, text)));
    let permits = permits.map(|(below, text, _)| format!("`{text}` is permitted below `{below}` in vain: remove that"));
    let mut texts: Vec<String> = below.chain(permits).collect();
    texts.sort();
    texts.dedup();
    texts.into_iter().map(|text| Finding { path: HERE.into(), line: 1, text }).collect()
}

fn is_permitted(source: &Source, ban: &Ban) -> bool {
    PERMITTED.iter().any(|(below, text, _)| source.path.starts_with(below) && *text == ban.text)
}

fn is_of_tests(path: &Path) -> bool {
    path.ends_with("tests.rs") || path.iter().any(|part| part == "tests" || part == "examples")
}
