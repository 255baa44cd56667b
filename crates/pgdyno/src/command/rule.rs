//! `rule`: the codes of everything that pgdyno concludes; and the codes of `--ignore` and of a plan's `ignore`.

use judge::Judgement;
use judge::codes::{Code, CodeGroup, RuleThreshold};
use judge::registry::{all_codes, code_named, current_name};
use report::rules;
use serde_json::json;
use work::nearest_candidate;

use super::{Manner, documents};
use problem::{CommandStatus, Problem};

/// Prints the list, or what there is to know about one.
pub(super) fn print_rule(code: Option<&str>, manner: Manner) -> Result<CommandStatus, Problem> {
    let group = CodeGroup::ALL.into_iter().find(|group| code == Some(group.name()));
    let chosen = match (code, group) {
        (None, _) => all_codes().to_vec(),
        (Some(_), Some(group)) => all_codes().iter().copied().filter(|code| code.group == group).collect(),
        (Some(name), None) => vec![code_or_error(current_name(name))?],
    };
    let text = if manner.json {
        let codes: Vec<_> = chosen.iter().map(|code| as_json(code)).collect();
        documents::pretty_json(&codes)
    } else if let (Some(name), None) = (code, group) {
        former_name_line(name, chosen[0]) + &rules::page_of_code(chosen[0])
    } else {
        rules::list_of_codes(&chosen)
    };
    documents::print_bytes(text.as_bytes())
}

/// That a code had another name, for a reader of old reports; empty where it is the name that was asked for.
fn former_name_line(name: &str, code: &Code) -> String {
    if name == code.name { String::new() } else { format!("{name} is now {}\n\n", code.name) }
}

fn as_json(code: &Code) -> serde_json::Value {
    let effects: Vec<&str> = code.effects.iter().map(|effect| effect.name()).collect();
    let thresholds: Vec<_> = code.thresholds.iter().map(threshold_as_json).collect();
    json!({
        "code": code.name, "group": code.group.name(), "detects": code.detects,
        "reported_if": code.reported_if, "thresholds": thresholds, "effects": effects, "why": code.why,
        "evidence": code.evidence, "fix": code.fix, "confirm": code.confirm, "formerly": code.formerly,
    })
}

fn threshold_as_json(threshold: &RuleThreshold) -> serde_json::Value {
    json!({
        "what": threshold.what, "bound": threshold.kind.in_words(), "value": threshold.value, "unit": threshold.unit.json_name(),
    })
}

/// Leaves the codes of `--ignore` out of a judgement.
///
/// # Errors
/// A code that there is not.
pub(super) fn leave_out(judgement: &mut Judgement, names: &[String]) -> Result<(), Problem> {
    judgement.leave_out(&codes_named(names)?);
    Ok(())
}

/// The codes of these names.
///
/// # Errors
/// A code that there is not.
pub(super) fn codes_named(names: &[String]) -> Result<Vec<&'static Code>, Problem> {
    names.iter().map(|name| code_or_error(name)).collect()
}

/// The same codes on the command line of a command that is to be given again, each after a space.
pub(super) fn ignore_again(names: &[String]) -> String {
    names.iter().map(|name| format!(" --ignore {name}")).collect()
}

/// Checks the codes that are to be left out.
///
/// # Errors
/// A code that there is not.
pub(super) fn check_ignored(names: &[String]) -> Result<(), Problem> {
    names.iter().try_for_each(|name| code_or_error(name).map(drop))
}

fn code_or_error(name: &str) -> Result<&'static Code, Problem> {
    if let Some(code) = code_named(name) {
        return Ok(code);
    }
    let (message, hint) = unknown_code(name);
    Err(Problem::usage_error(message).hint(hint))
}

/// What a code of a plan's `ignore` has against it, and what to try; none of one that there is.
pub(super) fn refuse_code(name: &str) -> Option<(String, String)> {
    if code_named(name).is_some() { None } else { Some(unknown_code(name)) }
}

/// That there is no such code, and what to try.
fn unknown_code(name: &str) -> (String, String) {
    let message = format!("code \"{name}\" does not exist");
    let heir = current_name(name);
    if heir != name {
        return (message, format!("the code is now \"{heir}\""));
    }
    let mut others: Vec<&str> = all_codes().iter().map(|code| code.name).collect();
    let mut near: Vec<&str> = others.iter().copied().filter(|other| other.contains(name)).take(NAMED).collect();
    others.retain(|other| !near.contains(other));
    while near.len() < NAMED {
        let Some(next) = nearest_candidate(name, others.iter().copied()) else { break };
        others.retain(|other| *other != next);
        near.push(next);
    }
    match near.as_slice() {
        [] => (message, "`pgdyno rule` lists the codes".to_owned()),
        some => (message, format!("did you mean {}? `pgdyno rule` lists the codes", some.join(", "))),
    }
}

/// Nearest names that an error gives at most.
const NAMED: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_code_is_answered_with_the_nearest_and_a_former_one_with_its_heir() {
        let said = |name: &str| code_or_error(name).expect_err(name).to_string();
        assert!(said("cpu-stollen").contains("did you mean cpu-stolen"), "{}", said("cpu-stollen"));
        assert!(said("rows-read").contains("the code is now \"excess-rows-read\""), "{}", said("rows-read"));
        assert!(said("stall").contains("did you mean memory-stall"), "{}", said("stall"));
        assert!(said("zzzzzzzzzzzzzzzz").contains("`pgdyno rule` lists the codes"));
        assert_eq!(code_or_error("cpu-stolen").expect("a code").name, "cpu-stolen");
    }
}
