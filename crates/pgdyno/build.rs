//! Of which commit and day an optimised build is, for `--version`: read from git, or told by PGDYNO_COMMIT and
//! SOURCE_DATE_EPOCH where there is no repository or a build is to be made again. Without the latter the day is that of
//! the commit, so that the same tree makes the same program on any day. A development build is of no commit: it would
//! have to be linked anew after each.

use std::path::Path;
use std::process::Command;

fn main() {
    for name in ["PGDYNO_COMMIT", "SOURCE_DATE_EPOCH"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=PGDYNO_VERSION={}", version_text());
}

/// `0.1.0 (3f2a9c1d0b7e 2026-11-24)`.
fn version_text() -> String {
    let number = environment_variable("CARGO_PKG_VERSION").expect("cargo names the version");
    if environment_variable("PROFILE").as_deref() != Some("release") {
        return format!("{number} (development build)");
    }
    let commit = environment_variable("PGDYNO_COMMIT").or_else(commit_of_the_tree);
    let epoch = environment_variable("SOURCE_DATE_EPOCH").or_else(|| git_output(&["log", "-1", "--format=%ct"]));
    let day = epoch.map(|epoch| day_of_epoch_seconds(epoch.parse().expect("SOURCE_DATE_EPOCH is a number of seconds")));
    match (commit, day) {
        (Some(commit), Some(day)) => format!("{number} ({commit} {day})"),
        (Some(commit), None) => format!("{number} ({commit})"),
        (None, Some(day)) => format!("{number} (unknown commit {day})"),
        (None, None) => format!("{number} (unknown commit)"),
    }
}

/// The commit, marked when files differ from it; asked again when any of them changes.
fn commit_of_the_tree() -> Option<String> {
    let commit = git_output(&["rev-parse", "--short=12", "HEAD"])?;
    let top = git_output(&["rev-parse", "--show-toplevel"])?;
    for changes in ["HEAD", "logs/HEAD", "index"] {
        let path = git_output(&["rev-parse", "--path-format=absolute", "--git-path", changes])?;
        // One that is not there would have this run anew each time.
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    for sources in ["Cargo.toml", "Cargo.lock", "crates", "plans", "web/src"] {
        println!("cargo::rerun-if-changed={}", Path::new(&top).join(sources).display());
    }
    let changed = git_output(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|files| !files.is_empty());
    Some(if changed { format!("{commit}+changes") } else { commit })
}

/// What git says of the tree that this file lies in; none without git or outside a repository.
fn git_output(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

fn environment_variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The day in UTC of a number of seconds since 1970 (Hinnant, `civil_from_days`: years begin in March, so that the day
/// of a leap year is their last).
fn day_of_epoch_seconds(epoch_s: u64) -> String {
    let days = epoch_s / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{of_month:02}")
}
