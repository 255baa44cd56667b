//! Calls that must not appear below a path, each with what to use instead: the invariants of ARCHITECTURE.md as text
//! search. Tests may do what they like.

use std::path::Path;

use super::{Finding, Source, test_items};

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
    "crates/pgdyno/src/disk/job.rs",
];

const BANS: &[Ban] = &[
    Ban { below: JUDGES, text: "Instant::now", instead: "take the instant as an argument" },
    Ban { below: JUDGES, text: "SystemTime::now", instead: "take the instant as an argument" },
    Ban { below: JUDGES, text: "Timestamp::now", instead: "take the instant as an argument" },
    Ban { below: JUDGES, text: "rand::rng()", instead: "take a seed as an argument" },
    Ban { below: JUDGES, text: "std::net", instead: "leave sockets to load, probe and server" },
    Ban { below: JUDGES, text: "tokio", instead: "judge without async, from files" },
    Ban { below: &["crates/stats/src", "crates/wire/src"], text: "std::fs", instead: "take bytes as an argument" },
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
const PERMITTED: &[(&str, &str, &str)] = &[(
    "crates/server/src/local/supervisor.rs",
    "println!",
    "it is the whole program of a process of its own, whose caller is gone when it fails",
)];

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

fn is_permitted(source: &Source, ban: &Ban) -> bool {
    PERMITTED.iter().any(|(below, text, _)| source.path.starts_with(below) && *text == ban.text)
}

fn is_of_tests(path: &Path) -> bool {
    path.ends_with("tests.rs") || path.iter().any(|part| part == "tests" || part == "examples")
}
#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn found(path: &str, text: &str) -> usize {
        let file = syn::parse_file(text).expect("Rust");
        check(&Source { path: PathBuf::from(path), text: text.to_owned() }, &file).len()
    }

    #[test]
    fn a_clock_is_banned_where_conclusions_are_drawn_and_allowed_elsewhere() {
        let text = "//! x\nfn f() { let t = Instant::now(); }\n";
        assert_eq!(found("crates/stats/src/t.rs", text), 1);
        assert_eq!(found("crates/load/src/t.rs", text), 0);
    }

    #[test]
    fn tests_and_comments_are_exempt() {
        assert_eq!(found("crates/stats/src/t.rs", "// Instant::now\n#[cfg(test)]\nfn f() { Instant::now(); }\n"), 0);
        assert_eq!(found("crates/stats/tests/t.rs", "fn f() { Instant::now(); }\n"), 0);
    }
}
