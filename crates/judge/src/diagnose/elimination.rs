//! Causes that are concluded by elimination: something is defined differently on another side, and the statements that
//! use it take longer. What of their time it takes itself was not counted. So it is the cause only if nothing else that
//! is known to differ can be.

use plan::Aspect;

use super::case::DiagnosisCase;
use super::explained::unlike_rows;
use super::finding::{CaseFinding, Confidence, FigureAmount, FindingCost, SHARE_OF_CHANGE, figure};
use super::rank::Clean;
use super::rule::Rule;
use super::rules::{CPU_THROTTLED, MEMORY_STALL, ROUTE_DIFFERS, SCHEMA_DIFFERS, is_by_elimination};
use crate::codes::CodeGroup;
use crate::compare::RunQuestion;
use crate::compare::sides::{CPU_LIMIT, EXTENSIONS, FactRow, MEMORY_LIMIT};

/// A statement that takes at most this many times as long as on the other side takes no longer: whatever acts on all
/// statements does not act here.
const NO_LONGER: f64 = 1.05;

/// Differences that are listed.
const LISTED: usize = 4;

/// Limits that a rule measures the effect of: where it looked and found none, the limit is not the cause of anything.
const MEASURED_LIMITS: [(&str, &Rule); 2] = [(CPU_LIMIT, &CPU_THROTTLED), (MEMORY_LIMIT, &MEMORY_STALL)];

/// Withholds the costs of what was found of one cell by elimination, where something else may be the cause as well.
/// `clean`: where rules looked and found nothing.
pub(super) fn withhold_costs(
    case: &DiagnosisCase<'_>,
    question: &RunQuestion,
    found: &mut [(&'static Rule, CaseFinding)],
    clean: &Clean,
) {
    let titles: Vec<Option<String>> =
        found.iter().map(|(rule, found)| is_by_elimination(rule).then(|| found.title.clone())).collect();
    if titles.iter().all(Option::is_none) {
        return;
    }
    let mut facts = differing_facts(case, question);
    for (limit, rule) in MEASURED_LIMITS {
        if clean.contains(&(rule.code.name, case.cell().clone())) {
            facts.retain(|fact| fact != limit);
        }
    }
    for (index, (_, found)) in found.iter_mut().enumerate() {
        if titles[index].is_none() {
            continue;
        }
        let mut rivals = facts.clone();
        for (other, title) in titles.iter().enumerate() {
            if other != index {
                rivals.extend(title.clone());
            }
        }
        if !rivals.is_empty() {
            withhold_cost_of_finding(found, &rivals);
        }
    }
}

/// Leaves out what is said in general of a definition or of the route, where a rule that knows more says what is so of
/// the same cell.
pub(super) fn leave_out_what_others_name(found: &mut Vec<(&'static Rule, CaseFinding)>) {
    for (general, groups) in
        [(&SCHEMA_DIFFERS, &[CodeGroup::Plans, CodeGroup::Schema][..]), (&ROUTE_DIFFERS, &[CodeGroup::Network][..])]
    {
        let knows_more = found.iter().any(|(rule, found)| {
            groups.contains(&rule.code.group)
                && rule.code.name != general.code.name
                && found.cost.attributed_share().is_some()
        });
        if knows_more {
            found.retain(|(rule, _)| rule.code.name != general.code.name);
        }
    }
}

fn withhold_cost_of_finding(found: &mut CaseFinding, rivals: &[String]) {
    let mut listed: Vec<String> = rivals.iter().take(LISTED).cloned().collect();
    if rivals.len() > LISTED {
        listed.push(format!("{} more", rivals.len() - LISTED));
    }
    found.cost = FindingCost::NotAttributable;
    found.confidence = Confidence::Low;
    found.figures.retain(|figure| figure.name != SHARE_OF_CHANGE);
    found.figures.push(figure("other differences that may be the cause", FigureAmount::Text(listed.join(", "))));
}

/// What else is known to be different on another side and acts on all statements; nothing where some statement that is
/// planned takes no longer there.
fn differing_facts(case: &DiagnosisCase<'_>, question: &RunQuestion) -> Vec<String> {
    let mut names = Vec::new();
    for other in case.other_sides() {
        if has_statement_that_takes_no_longer(case, &other) {
            continue;
        }
        for row in unlike_rows(case, &other, question) {
            if acts_on_statements(&row) && !names.contains(&row.name) {
                names.push(row.name);
            }
        }
    }
    names
}

/// Whether a difference may make statements take longer in the server.
fn acts_on_statements(row: &FactRow) -> bool {
    match row.aspect {
        Aspect::Route => false,
        Aspect::Version => row.name != EXTENSIONS,
        Aspect::Build | Aspect::Platform | Aspect::Settings | Aspect::Hardware | Aspect::Kernel | Aspect::Locale => {
            true
        }
    }
}

fn has_statement_that_takes_no_longer(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>) -> bool {
    let Ok(plans) = case.statement_plans() else { return false };
    for statement in &plans.statements {
        let [here, there] = [case, other].map(|side| side.mean_time_of_statement(statement.statement));
        if let (Some(here), Some(there)) = (here, there)
            && there > 0.0
            && here <= NO_LONGER * there
        {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};
    use crate::diagnose::rules::{FUNCTION_CHANGED, TABLE_DEFINITION_DIFFERS};

    fn calling(cell: Measurement, ms: [f64; 2], source: &str) -> Measurement {
        let function = json!([{ "name": "public.total(integer)", "called": "total", "source": source }]);
        let node = |relation: &str| json!({ "node": "Index Scan", "relation": relation, "rows": 1, "cost": 1 });
        cell.functions(&function).plans(vec![node("t"), node("u")]).times(&ms)
    }

    fn pair(slow_ms: [f64; 2]) -> Built {
        let slow = move |cell: Measurement| calling(cell.throughput(1000.0), slow_ms, "b");
        let fast = |cell: Measurement| calling(cell, [0.4, 0.5], "a");
        Built::pair().with_first(fast).with(slow)
    }

    fn with_setting(built: Built) -> Built {
        let tracked =
            json!({ "value": "all", "default": "none", "source": "configuration file", "pending_restart": false });
        built.fact("/settings/track_functions", tracked)
    }

    fn cost_of(built: &Built) -> FindingCost {
        let findings = built.diagnosis().findings;
        let one = findings.iter().find(|one| one.rule.code.name == FUNCTION_CHANGED.code.name);
        one.expect("the function is another one").found.cost.clone()
    }

    #[test]
    fn difference_that_stands_alone_has_its_cost() {
        assert!(matches!(cost_of(&pair([0.6, 3.2])), FindingCost::Latency(_)));
    }

    #[test]
    fn setting_that_differs_may_be_the_cause_unless_another_statement_takes_no_longer() {
        assert_eq!(cost_of(&with_setting(pair([0.6, 3.2]))), FindingCost::NotAttributable);
        assert!(matches!(cost_of(&with_setting(pair([0.4, 3.4]))), FindingCost::Latency(_)));
    }

    #[test]
    fn limit_that_throttled_nothing_is_no_cause_and_one_that_was_not_watched_may_be() {
        let limited = |built: Built| built.fact("/host/cgroup/cpus", json!(1.5));
        assert!(matches!(cost_of(&limited(pair([0.6, 3.2]))), FindingCost::Latency(_)));
        let unwatched = pair([0.6, 3.2]).with(|cell| cell.gap("host.cgroup", "permission denied"));
        assert_eq!(cost_of(&limited(unwatched)), FindingCost::NotAttributable);
    }

    #[test]
    fn two_definitions_that_differ_withhold_the_cost_of_each_other() {
        let named = |title: &str| CaseFinding { title: title.to_owned(), ..pair([0.6, 3.2]).finds(&FUNCTION_CHANGED) };
        let mut two = [(&FUNCTION_CHANGED, named("one")), (&TABLE_DEFINITION_DIFFERS, named("other"))];
        let question = RunQuestion::of_run(&pair([0.6, 3.2]).observed());
        pair([0.6, 3.2]).of_last(|case| withhold_costs(case, &question, &mut two, &Clean::new()));
        assert!(two.iter().all(|(_, found)| found.cost == FindingCost::NotAttributable), "{two:?}");
        let said = figure("other differences that may be the cause", FigureAmount::Text("other".to_owned()));
        assert!(two[0].1.figures.contains(&said), "{two:?}");
    }
}
