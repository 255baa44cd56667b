//! Judges what pgdyno said of a condition by what was injected. Words decide, not rules: a finding names a fact if it
//! has all words of one of the injection's alternatives.

use crate::generator::condition::{Condition, Injection, Matter, Outside};
use crate::generator::server_settings::server_settings;
use crate::measured::{Finding, Measured};
use crate::results::Outcome;

/// The smallest change that counts as an effect: the practical threshold of the plans.
const EFFECT_AT_LEAST: f64 = 0.03;

/// Judges it.
pub fn judge(condition: &Condition, measured: &Measured) -> Outcome {
    let is_changed = matches!(measured.verdict.as_str(), "improved" | "regressed");
    let is_broken = matches!(measured.verdict.as_str(), "broken" | "does not work");
    let is_large = measured.change.is_none_or(|[point, ..]| point.abs() >= EFFECT_AT_LEAST);
    let has_effect = is_broken || is_changed && is_large;
    let (mut false_differences, mut unmeasured_differences) = (Vec::new(), Vec::new());
    if !has_effect {
        for finding in measured.findings.iter().filter(|finding| finding.is_difference()) {
            let named = names_a_fact(condition, &finding.words);
            let differences = if named { &mut unmeasured_differences } else { &mut false_differences };
            differences.push(finding.title.clone());
        }
    }
    let all: Vec<&Finding> = measured.findings.iter().collect();
    let differences: Vec<&Finding> =
        measured.findings.iter().filter(|finding| finding.bearing != "every side").collect();
    let false_first = has_effect && differences.first().is_some_and(|first| is_false(condition, first));
    Outcome {
        verdict: measured.verdict.clone(),
        metric: measured.metric.clone(),
        change: measured.change,
        has_effect,
        findings: measured
            .findings
            .iter()
            .map(|finding| [finding.rule.clone(), finding.bearing.clone(), finding.title.clone()])
            .collect(),
        explained: measured.explained,
        named_at: place_of_fact(condition, &all),
        named_among_differences_at: place_of_fact(condition, &differences),
        named_in_differences: names_a_fact(condition, &measured.differences),
        false_first,
        false_differences,
        unmeasured_differences,
        ..Outcome::of_condition(condition)
    }
}

/// The place of the first finding that names an injected fact, from 1.
fn place_of_fact(condition: &Condition, findings: &[&Finding]) -> Option<usize> {
    Some(findings.iter().position(|finding| names_a_fact(condition, &finding.words))? + 1)
}

/// Whether a text has all words of an alternative of one of the causes.
fn names_a_fact(condition: &Condition, text: &str) -> bool {
    let text = text.to_lowercase();
    condition.injections.iter().any(|injection| names_one_of(injection, &text))
}

fn names_one_of(injection: &Injection, text: &str) -> bool {
    injection.facts.iter().any(|words| words.iter().all(|word| text.contains(&word.to_lowercase())))
}

/// Whether a finding of a difference is about nothing that the causes entail, or names a setting that is the same on
/// both sides.
fn is_false(condition: &Condition, finding: &Finding) -> bool {
    if !finding.is_difference() || names_a_fact(condition, &finding.words) {
        return false;
    }
    if condition.injections.is_empty() {
        return true;
    }
    let title = finding.title.to_lowercase();
    let names_a_setting = title.split(|c: char| !c.is_ascii_lowercase() && c != '_').any(is_setting);
    let said = matters_of(&title);
    let entailed = said.iter().any(|matter| condition.injections.iter().any(|it| it.about.contains(matter)));
    let blames_programs = title.contains("other processes") && !condition.injections.iter().any(has_busy_programs);
    blames_programs || names_a_setting || (!said.is_empty() && !entailed)
}

/// Whether programs beside the servers are part of what was injected.
fn has_busy_programs(injection: &Injection) -> bool {
    let outside = [&injection.both, &injection.sound, &injection.injured].map(|part| &part.outside);
    outside.into_iter().flatten().any(|one| matches!(one, Outside::Hogs { .. }))
}

/// Whether a word is a setting whose name is no word of the language.
fn is_setting(word: &str) -> bool {
    word.contains('_') && server_settings().iter().any(|setting| setting.name == word)
}

/// The words by which a title is about a matter.
const WORDS: &[(&str, Matter)] = &[
    ("cpu", Matter::Cpu),
    ("throttl", Matter::Cpu),
    ("neighbour", Matter::Cpu),
    ("disk", Matter::Disk),
    ("i/o", Matter::Disk),
    ("writeback", Matter::Disk),
    ("flush", Matter::Wal),
    ("fsync", Matter::Wal),
    ("wal", Matter::Wal),
    ("checkpoint", Matter::Wal),
    ("commit", Matter::Wal),
    ("lock", Matter::Lock),
    ("blocked", Matter::Lock),
    ("network", Matter::Network),
    ("route", Matter::Network),
    ("round trip", Matter::Network),
    ("packet", Matter::Network),
    ("bytes per", Matter::Network),
    ("connect", Matter::Client),
    ("login", Matter::Client),
    ("session", Matter::Client),
    ("pooler", Matter::Client),
    ("generator", Matter::Client),
    ("plan", Matter::Plan),
    ("index", Matter::Plan),
    ("rows", Matter::Plan),
    ("scan", Matter::Plan),
    ("sort", Matter::Plan),
    ("statistics", Matter::Plan),
    ("buffer", Matter::Memory),
    ("cache", Matter::Memory),
    ("memory", Matter::Memory),
    ("spill", Matter::Memory),
    ("temporary", Matter::Memory),
    ("vacuum", Matter::Vacuum),
    ("dead", Matter::Vacuum),
    ("bloat", Matter::Vacuum),
    ("snapshot", Matter::Vacuum),
    ("function", Matter::Execution),
    ("trigger", Matter::Execution),
    ("constraint", Matter::Execution),
    ("execut", Matter::Execution),
    ("statement", Matter::Execution),
    ("replica", Matter::Replication),
    ("standby", Matter::Replication),
    ("slot", Matter::Replication),
];

fn matters_of(title: &str) -> Vec<Matter> {
    WORDS.iter().filter(|(word, _)| title.contains(word)).map(|(_, matter)| *matter).collect()
}
