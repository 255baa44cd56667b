//! `cpu-profile`: the backends take more CPU time for a transaction than on the other side, and samples of what they
//! execute tell in which subsystem of the server.

use std::collections::{BTreeMap, BTreeSet};

use stats::Estimate;

use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::{DiagnosisCase, MeasuredTrial};
use crate::diagnose::catalog::{deciding_fact_in_words, figures_of_facts};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingKind, figure};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::profile::{FunctionOnCpu, TrialOnCpu, cpu_time_ms, has_own_connections, is_cpu_time};
use crate::units;
use crate::unlike_tables::{BearsOn, UnlikeTableFact};

/// The rule.
pub(in crate::diagnose) const RULE: Rule = Rule {
    code: &Code {
        name: "cpu-profile",
        group: CodeGroup::Cpu,
        detects: "The sessions take more CPU time per transaction than on the other side, most of it in one subsystem of the server.",
        reported_if: "The CPU time per transaction is higher than on the other side beyond chance. One subsystem has a large share \
                of the additional CPU time, also beyond chance. The samples say where the time went, not why.",
        thresholds: &[
            RuleThreshold::at_least("CPU time per transaction, relative to the other side", MORE, ThresholdUnit::Times),
            RuleThreshold::at_least("share of the subsystem in the additional CPU time", MUCH, ThresholdUnit::Share),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "Some work of a server has no counter: conversions of encodings, collations, compression, password hashes, memory \
              allocation. The functions that the backends execute name it.",
        evidence: "Samples of the functions that the backends execute, their share of the CPU time of the backends \
                   (`/proc/PID/schedstat`), per transaction on both sides. What the catalogs say differently of the tables, \
                   if it can make these functions take longer: the most decisive difference is in the title.",
        fix: "Look for a difference between the sides that makes the server call these functions more often or for more data.",
        confirm: "Remove the difference between the sides that these functions point to, and run the plan again.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_cpu_profile,
};

/// From so many times the other side's CPU time on, a transaction asks for a reason: the best places on the CPUs make
/// up less than that.
const MORE: f64 = 1.1;

/// From this share of the additional CPU time on a subsystem tells where it went.
const MUCH: f64 = 0.25;

/// Functions that are listed.
const LISTED: usize = 5;

fn look_for_cpu_profile(case: &DiagnosisCase<'_>) -> Looked {
    case.beside_others(|other| Ok(dearer_subsystem(case, other)?.map(|dearer| finding_of(case, other, &dearer))))
}

/// What takes more CPU time than on another side.
struct DearerSubsystem {
    subsystem: String,
    /// Milliseconds of a transaction more than there.
    more: Estimate,
    /// Its share of the additional CPU time of all subsystems.
    share: f64,
    /// Milliseconds more by function, the most first.
    functions: Vec<(FunctionOnCpu, f64)>,
    /// CPU time of a transaction, here and there, in milliseconds.
    all_ms: [f64; 2],
}

fn dearer_subsystem(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
) -> Result<Option<DearerSubsystem>, MissingObservation> {
    if !is_sampled(case)? || !is_sampled(other)? {
        return Ok(None);
    }
    let more = case.more_than(other, all_ms).zip(case.is_surely_more_than(other, all_ms));
    let missing = "the additional CPU time compared with the other side";
    let (more, is_sure) =
        more.ok_or_else(|| MissingObservation::new(missing, "it requires time budgets of two blocks"))?;
    let [here_ms, there_ms] = [case, other].map(|side| mean_ms(side, all_ms));
    if !is_sure || here_ms < MORE * there_ms {
        return Ok(None);
    }
    let differences = function_differences(case, other);
    let mut by_subsystem: BTreeMap<&str, f64> = BTreeMap::new();
    for (function, ms) in &differences {
        *by_subsystem.entry(&function.subsystem).or_default() += ms;
    }
    let Some((subsystem, _)) = by_subsystem.into_iter().max_by(|(_, one), (_, other)| one.total_cmp(other)) else {
        return Ok(None);
    };
    let subsystem = subsystem.to_owned();
    let is_sure =
        case.is_surely_more_than(other, |measured| time_in_subsystem_ms(measured, &subsystem)).unwrap_or(false);
    let Some(of_it) = case.more_than(other, |measured| time_in_subsystem_ms(measured, &subsystem)) else {
        return Ok(None);
    };
    let share = of_it.point / more.point;
    if !is_sure || share < MUCH {
        return Ok(None);
    }
    let mut functions: Vec<(FunctionOnCpu, f64)> =
        differences.into_iter().filter(|(function, ms)| function.subsystem == subsystem && *ms > 0.0).collect();
    functions.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    functions.truncate(LISTED);
    Ok(Some(DearerSubsystem { subsystem, more: of_it, share, functions, all_ms: [here_ms, there_ms] }))
}

/// Whether there are samples of a side; `false` where none were asked for.
fn is_sampled(case: &DiagnosisCase<'_>) -> Result<bool, MissingObservation> {
    let profiles = case.trials().iter().filter_map(|measured| measured.watched.profile.as_ref());
    let mut gap = None;
    let mut sampled = false;
    for profile in profiles {
        match &profile.observed.gap {
            Some(why) => gap = Some(why.clone()),
            None => sampled = true,
        }
    }
    match (sampled, gap) {
        (true, _) => Ok(true),
        (false, Some(why)) => Err(MissingObservation::new("samples of what the server executes", why)),
        (false, None) => Ok(false),
    }
}

/// The CPU time of a trial's mean transaction, in milliseconds.
fn all_ms(measured: &MeasuredTrial<'_>) -> Option<f64> {
    cpu_time_ms(measured.watched.profile.as_ref(), measured.trial, measured.budget.as_ref()?)
}

/// The same by function; none without samples.
fn divided_cpu_time(measured: &MeasuredTrial<'_>) -> Option<TrialOnCpu> {
    TrialOnCpu::divided_time(measured.watched.profile.as_ref()?, measured.trial, all_ms(measured)?)
}

/// Milliseconds that a trial's mean transaction is on a CPU in one subsystem of the server; none without samples.
pub(super) fn time_in_subsystem_ms(measured: &MeasuredTrial<'_>, subsystem: &str) -> Option<f64> {
    Some(divided_cpu_time(measured)?.by_subsystem().get(subsystem).copied().unwrap_or_default())
}

/// The mean over the trials; 0 where there is none.
fn mean_ms(case: &DiagnosisCase<'_>, ms: impl Fn(&MeasuredTrial<'_>) -> Option<f64>) -> f64 {
    case.mean_over_trials(ms).unwrap_or_default()
}

/// Milliseconds of a transaction by function, more than on the other side.
fn function_differences(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>) -> BTreeMap<FunctionOnCpu, f64> {
    let mut differences: BTreeMap<FunctionOnCpu, f64> = BTreeMap::new();
    for (side, sign) in [(case, 1.0), (other, -1.0)] {
        let of_trials: Vec<TrialOnCpu> = side.trials().iter().filter_map(divided_cpu_time).collect();
        let trials = of_trials.len() as f64;
        for (function, ms) in of_trials.into_iter().flat_map(|divided| divided.functions) {
            *differences.entry(function).or_default() += sign * ms / trials;
        }
    }
    differences
}

fn finding_of(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, dearer: &DearerSubsystem) -> CaseFinding {
    let subsystem = &dearer.subsystem;
    let is_connecting = case.trials().iter().any(|measured| has_own_connections(measured.trial));
    let mostly = dearer.functions.first().filter(|(function, _)| function.has_name());
    let mostly = mostly.map_or(String::new(), |(function, _)| format!(", mostly in {}", function.function));
    let facts = facts_that_bear_on(subsystem, case, other);
    let differs = deciding_fact_in_words(&facts);
    CaseFinding {
        title: format!(
            "{subsystem} takes {} more CPU time per transaction than on the other side{mostly}{differs}",
            units::format_milliseconds(dearer.more.point)
        ),
        kind: FindingKind::Problem,
        // Where the time went was sampled; why it goes there was not seen.
        confidence: Confidence::Medium,
        cost: case.cost_counted(
            |measured| time_in_subsystem_ms(measured, subsystem),
            |part: &BudgetPart| is_cpu_time(part, is_connecting),
        ),
        figures: [figures_of(other, dearer), figures_of_facts(&facts)].concat(),
        windows: case.all_the_time(),
        chart: None,
        would_disprove: format!("the same CPU time in {subsystem} on both sides"),
        confirm: Confirm::repeat_unchanged(
            case,
            &format!(
                "without the difference that makes the server spend more time on {subsystem}, it takes the CPU time of {}",
                other.cell().target
            ),
        ),
        mend: None,
    }
}

/// What the catalogs say differently of the load's tables that can make the server spend more time in a subsystem, the
/// most decisive first.
fn facts_that_bear_on(subsystem: &str, case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>) -> Vec<UnlikeTableFact> {
    let kinds: &[BearsOn] = match subsystem {
        "planner" | "parsing and analysis" | "catalog caches" => &[BearsOn::Planning],
        _ => &[BearsOn::Plans, BearsOn::Reads, BearsOn::Writes],
    };
    let mut facts = case.unlike_facts_bearing_on(other, kinds);
    facts.sort_by_key(|fact| fact.rank);
    facts
}

fn figures_of(other: &DiagnosisCase<'_>, dearer: &DearerSubsystem) -> Vec<EvidenceFigure> {
    let [here_ms, there_ms] = dearer.all_ms;
    let there = &other.cell().target;
    let mut figures = vec![
        figure(
            format!("share of {} in the additional CPU time", dearer.subsystem),
            FigureAmount::Share(dearer.share.min(1.0)),
        ),
        figure("CPU time per transaction", FigureAmount::Ms(here_ms)),
        figure(format!("CPU time per transaction of {there}"), FigureAmount::Ms(there_ms)),
    ];
    let mut named = BTreeSet::new();
    for (function, ms) in &dearer.functions {
        if named.insert(&function.function) {
            figures.push(figure(format!("additional CPU time in {}", function.function), FigureAmount::Ms(*ms)));
        }
    }
    figures
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    /// Samples of the load's sessions by function of `postgres`: so many in a trial of 12 s.
    fn profile(functions: &[(&str, u64)]) -> Value {
        let symbols = functions.iter().map(|(name, _)| json!({ "name": name, "library": "postgres" }));
        let stack = |(place, (_, samples)): (usize, &(&str, u64))| json!({ "frames": [place], "samples": samples });
        let stacks: Vec<Value> = functions.iter().enumerate().map(stack).collect();
        let samples: u64 = functions.iter().map(|(_, samples)| samples).sum();
        let load = json!({ "kind": "load", "processes": 4, "samples": samples, "stacks": stacks });
        json!({ "format": 1, "frequency_hz": 100, "took_us": 0, "symbols": symbols.collect::<Vec<_>>(),
                "processes": [load] })
    }

    /// 1.9 s of CPU time in a second.
    fn plain(cell: Measurement) -> Measurement {
        cell.profile(profile(&[("_bt_compare", 1_000), ("standard_planner", 1_280)]))
    }

    /// Half as many transactions of twice the CPU time.
    fn converting(cell: Measurement) -> Measurement {
        let functions = [("_bt_compare", 500), ("standard_planner", 640), ("pg_do_encoding_conversion", 1_140)];
        cell.throughput(2000.0).profile(profile(&functions))
    }

    #[test]
    fn subsystem_that_takes_the_additional_time_is_named_with_its_function() {
        let found = Built::pair().with_first(plain).with(converting).finds(&RULE);
        assert!(found.title.starts_with("encoding conversion takes"), "{}", found.title);
        assert!(found.title.ends_with("mostly in pg_do_encoding_conversion"), "{}", found.title);
        let FigureAmount::Share(share) = found.figures[0].amount else { panic!("{:?}", found.figures) };
        assert!(share > 0.95, "{share}");
    }

    /// A table with so many indexes beside its key.
    fn catalog_with_indexes(more: usize) -> Value {
        let index = |number: usize| {
            json!({ "table": "public.t", "name": format!("t_more_{number}"),
                                            "definition": "btree (pad)", "facts": { "valid": true } })
        };
        json!({ "parts": { "tables": [{ "name": "public.t", "facts": { "rows": 1000.0 } }],
                           "indexes": (0..more).map(index).collect::<Vec<_>>() } })
    }

    #[test]
    fn indexes_of_one_side_are_named_beside_the_functions_that_keep_them() {
        let indexing = |cell: Measurement| {
            let functions = [("_bt_compare", 1_640), ("standard_planner", 640)];
            cell.throughput(2000.0).profile(profile(&functions)).catalog(&catalog_with_indexes(3))
        };
        let built = Built::pair().with_first(|cell| plain(cell).catalog(&catalog_with_indexes(0))).with(indexing);
        let found = built.finds(&RULE);
        assert!(found.title.starts_with("index: B-tree takes"), "{}", found.title);
        assert!(found.title.contains("; differs: ") && found.title.contains("t_more_0"), "{}", found.title);
    }

    #[test]
    fn sides_that_are_swapped_have_the_same_finding() {
        let built = Built::pair().with_first(converting).with(plain);
        built.is_fine_for(&RULE);
        let findings = built.diagnosis().findings;
        let mut names = findings.iter().map(|finding| (finding.rule.code.name, finding.cells[0].target.as_str()));
        assert!(names.any(|finding| finding == ("cpu-profile", "db")), "{findings:?}");
    }

    #[test]
    fn sides_alike_and_time_that_spreads_over_everything_are_fine() {
        Built::pair().with_first(plain).with(plain).is_fine_for(&RULE);
        let many = [
            ("_bt_compare", 400),
            ("standard_planner", 400),
            ("XLogInsert", 400),
            ("palloc", 400),
            ("LWLockAcquire", 400),
        ];
        let spread = |cell: Measurement| cell.profile(profile(&many));
        Built::pair().with_first(spread).with(|cell| spread(cell).throughput(2000.0)).is_fine_for(&RULE);
        // Everything twice as long, in two subsystems: each has half of it.
        Built::pair().with_first(plain).with(|cell| plain(cell).throughput(2000.0)).finds(&RULE);
    }

    #[test]
    fn what_may_not_be_sampled_stays_open_and_what_was_not_asked_for_is_fine() {
        let gap = json!({ "format": 1, "frequency_hz": 99, "took_us": 0, "gap": "no right" });
        let built = Built::pair().with(|cell| cell.throughput(2000.0).profile(gap));
        assert_eq!(built.lacks(&RULE), "samples of what the server executes: no right");
        Built::pair().with(|cell| cell.throughput(2000.0)).is_fine_for(&RULE);
    }

    #[test]
    fn cause_that_was_counted_is_told_before_where_the_time_went() {
        let scan = json!({ "node": "Seq Scan", "relation": "t", "filter": "(a = 1)", "rows": 1, "cost": 1790 });
        let by_index = json!({ "node": "Index Scan", "relation": "t", "index": "t_pkey", "condition": "(a = 1)",
                               "rows": 1, "cost": 8 });
        let busy = [("backends_cpu_us", 3.9e6), ("backends_run_delay_us", 0.1e6)];
        let scanning = |cell: Measurement| {
            let cell = cell.throughput(800.0).sees_nothing().sees("active", None, 40).probe("host.server", &busy);
            cell.plans(vec![scan]).profile(profile(&[("heap_getnextslot", 4_680)]))
        };
        let built = Built::pair().with_first(|cell| plain(cell).plans(vec![by_index])).with(scanning);
        let findings = built.diagnosis().findings;
        let names: Vec<&str> = findings.iter().map(|finding| finding.rule.code.name).collect();
        let [cause, profile] =
            ["plan-changed", "cpu-profile"].map(|name| names.iter().position(|found| *found == name));
        assert!(cause < profile && cause.is_some(), "{names:?}");
    }
}
