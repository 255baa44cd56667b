//! The two sides that the options of `ab` name: the candidate is the baseline with what `--against` says.

use crate::cli::{AbArgs, RequestedDifference};
use problem::Problem;

/// A side: its name in the plan, its server and its settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SideOfArguments {
    pub(super) name: String,
    pub(super) server: SideServer,
    /// Settings with their values, in the order in which they were given.
    pub(super) settings: Vec<(String, String)>,
    /// What it is, in the words of the options.
    pub(super) words: String,
}

/// The server of a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SideServer {
    /// One that exists, by its connection string.
    Url(String),
    /// A temporary one of a version.
    Version(String),
}

/// Baseline and candidate.
///
/// # Errors
/// They do not differ, or in what the server cannot differ.
pub(super) fn sides_of_arguments(arguments: &AbArgs) -> Result<[SideOfArguments; 2], Problem> {
    let server = match (&arguments.url, &arguments.version) {
        (Some(url), _) => SideServer::Url(url.clone()),
        (None, Some(version)) => SideServer::Version(version.clone()),
        (None, None) => return Err(Problem::usage_error("no server is named").hint("add --url or --version")),
    };
    let mut settings = Vec::new();
    for (name, value) in &arguments.settings {
        set_value(&mut settings, name, value);
    }
    let (mut other_server, mut other_settings) = (server.clone(), settings.clone());
    for difference in &arguments.against {
        match (difference, &server) {
            (RequestedDifference::Setting(name, value), _) => set_value(&mut other_settings, name, value),
            (RequestedDifference::Version(version), SideServer::Version(_)) => {
                other_server = SideServer::Version(version.clone());
            }
            (RequestedDifference::Url(url), SideServer::Url(_)) => other_server = SideServer::Url(url.clone()),
            (RequestedDifference::Version(version), SideServer::Url(_)) => {
                return Err(Problem::usage_error(format!("an existing server cannot become version {version}"))
                    .hint("compare temporary servers with --version, or name the other server by its URL"));
            }
            (RequestedDifference::Url(_), SideServer::Version(_)) => {
                return Err(Problem::usage_error("a temporary server cannot become an existing one")
                    .hint("name the baseline by --url, too"));
            }
        }
    }
    if (&server, &settings) == (&other_server, &other_settings) {
        return Err(Problem::usage_error("both sides are equal")
            .hint("--against names what the candidate has instead, such as work_mem=256MB"));
    }
    let words =
        [words_of_side(&server, &settings, arguments), words_of_side(&other_server, &other_settings, arguments)];
    let [baseline, candidate] = names_of_sides(&words, server != other_server);
    let [of_baseline, of_candidate] = words;
    Ok([
        SideOfArguments { name: baseline, server, settings, words: of_baseline },
        SideOfArguments { name: candidate, server: other_server, settings: other_settings, words: of_candidate },
    ])
}

/// The value of a setting, in place of an earlier one; names of settings have no case.
fn set_value(settings: &mut Vec<(String, String)>, name: &str, value: &str) {
    match settings.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        Some((_, known)) => value.clone_into(known),
        None => settings.push((name.to_owned(), value.to_owned())),
    }
}

/// In what a side differs from the other one; empty where it has nothing to itself, or only its address.
fn words_of_side(server: &SideServer, settings: &[(String, String)], arguments: &AbArgs) -> String {
    let mut words = Vec::new();
    for difference in &arguments.against {
        match (difference, server) {
            (RequestedDifference::Version(_), SideServer::Version(version)) => words.push(format!("pg{version}")),
            (RequestedDifference::Setting(name, _), _) => {
                let known = settings.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
                words.extend(known.map(|(name, value)| format!("{name}={value}")));
            }
            (RequestedDifference::Version(_), SideServer::Url(_)) | (RequestedDifference::Url(_), _) => {}
        }
    }
    words.join(", ")
}

/// Names that a plan takes; `baseline` and `candidate` where the words make none, or the same.
fn names_of_sides(words: &[String; 2], differ_in_server: bool) -> [String; 2] {
    let [baseline, candidate] = words.each_ref().map(|words| plan_name(words));
    let defaults = ["baseline".to_owned(), "candidate".to_owned()];
    match (baseline, candidate) {
        (Some(baseline), Some(candidate)) if baseline != candidate => [baseline, candidate],
        (None, Some(candidate)) if !differ_in_server && candidate != defaults[0] => [defaults[0].clone(), candidate],
        (Some(_) | None, Some(_) | None) => defaults,
    }
}

/// A text as a name in a plan: letters, digits, `_`, `.` and `-`, the first a letter or a digit, 64 at most.
pub(super) fn plan_name(text: &str) -> Option<String> {
    let mut name = String::new();
    for c in text.chars() {
        let is_plain = c.is_ascii_alphanumeric() || "_.".contains(c);
        if is_plain {
            name.push(c);
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    let name = name.trim_start_matches(|c: char| !c.is_ascii_alphanumeric()).trim_end_matches('-');
    if name.is_empty() || name.len() > 64 { None } else { Some(name.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_a_plan_can_be_a_file_name() {
        for (text, expected) in [
            ("work_mem=4MB", Some("work_mem-4MB")),
            ("jit=off, work_mem=4MB", Some("jit-off-work_mem-4MB")),
            ("../x", Some("x")),
            ("größe", Some("gr-e")),
            ("…", None),
        ] {
            assert_eq!(plan_name(text).as_deref(), expected, "{text}");
        }
        assert_eq!(plan_name(&"x".repeat(65)), None);
    }

    #[test]
    fn a_side_without_words_of_its_own_is_the_baseline() {
        let names = |words: [&str; 2], differ| names_of_sides(&words.map(str::to_owned), differ);
        assert_eq!(names(["", "jit=off"], false), ["baseline", "jit-off"]);
        assert_eq!(names(["", ""], true), ["baseline", "candidate"]);
        assert_eq!(names(["pg17", "pg18"], true), ["pg17", "pg18"]);
    }
}
