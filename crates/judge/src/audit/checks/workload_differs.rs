//! Every side was asked to do the same: as many rows, in the same mode, by as many threads, for as long.
//!
//! A side that was measured at several of them in a cell is alike where it shares one with the others. What the sides
//! are named for is what is compared.

use std::collections::{BTreeMap, BTreeSet};

use super::asked::{self, RequestedOfSide, RequestedValue, join_values};
use super::{Check, RuleSubject};
use crate::audit::material::{AuditedSide, Material, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "workload-differs",
        group: CodeGroup::Method,
        detects: "The same workload is sent differently on the sides: script, clients, rate, think time, scale or size of the data, query mode, threads, duration or version of the generator.",
        reported_if: "The sides have no script or number of clients in common, or differ in a parameter of one workload. \
                Differences that the sides are named for are exempt. So are major versions of pgbench that are those of \
                the servers: undeclared-difference is about these.",
        thresholds: &[RuleThreshold::more_than(
            "difference of rates, think times, sizes, queries per transaction and durations",
            asked::SAME,
            ThresholdUnit::Share,
        )],
        effects: &[IssueEffect::Weakens],
        why: "The change contains the difference of the workloads.",
        evidence: "The declared or counted conditions of the workload on each side.",
        fix: "Send one workload to every side.",
        confirm: "Repeat both sides with one plan.",
        formerly: &["same-work"],
    },
    about: RuleSubject::Transactions,
    rule: "every side runs the same workload (script, clients, rate, think time, connections, scale, size of the data, \
           query mode, queries per transaction, threads, duration and major version of the generator). Differences that \
           the sides are named for are allowed",
    judge: check_workload_differs,
};

const ASKED: [RequestedOfSide<TrialAccount>; 9] = [
    RequestedOfSide { what: "offered rate (tps)", of: |trial| trial.offered_per_s.map(RequestedValue::About) },
    RequestedOfSide {
        what: "think time (ms)",
        of: |trial| Some(RequestedValue::About(trial.between_ms.filter(|_| trial.reconnects != Some(true))?)),
    },
    RequestedOfSide {
        what: "connections",
        of: |trial| {
            trial
                .reconnects
                .map(|each| RequestedValue::Name(if each { "one per transaction" } else { "kept" }.to_owned()))
        },
    },
    RequestedOfSide { what: "scale", of: |trial| trial.scale.map(|scale| RequestedValue::Exact(scale.into())) },
    RequestedOfSide {
        what: "size of the data (GB)",
        of: |trial| trial.declared_data_bytes.map(|bytes| RequestedValue::About(bytes as f64 / 1e9)),
    },
    RequestedOfSide { what: "query mode", of: |trial| trial.query_mode.clone().map(RequestedValue::Name) },
    RequestedOfSide {
        what: "queries per transaction",
        of: |trial| trial.queries_per_transaction.map(RequestedValue::About),
    },
    RequestedOfSide {
        what: "generator threads",
        of: |trial| trial.threads.map(|threads| RequestedValue::Exact(threads.into())),
    },
    RequestedOfSide { what: "duration of a trial (s)", of: |trial| lasts_s(trial).map(RequestedValue::About) },
];

/// How long it was to last: as stated, or as it did where no number of transactions ended it, which a round one may
/// have done. Of a trial that ends with its transactions the time is what was measured, and not what was asked.
fn lasts_s(trial: &TrialAccount) -> Option<f64> {
    let was_ended_by_time =
        trial.transactions_stated.is_none() && trial.transactions.is_some_and(|count| count % 100 != 0);
    trial.stated_s.or_else(|| trial.lasted_s().filter(|_| was_ended_by_time))
}

fn check_workload_differs(material: &Material) -> CheckResult {
    let told: Vec<&TrialAccount> = material.trials.iter().filter(|trial| trial.work.is_some()).collect();
    if told.is_empty() && !material.trials.is_empty() {
        return material.holds_for_all_trials("one plan specifies the workload");
    }
    let mut figures: Vec<VerdictFigure> = without_common_cell(material, &told);
    figures.extend(unlike_generator_figures(material));
    let (compared, unlike) = compare_works_and_cells(material, &told);
    figures.extend(unlike);
    if figures.iter().any(|figure| figure.breaks) {
        let consequence = "the sides did not run the same workload: a difference in rows, duration, statements or \
                           threads is attributed to the servers";
        return CheckResult::rule_broken(Weight::Comparison, figures, consequence);
    }
    if compared == 0 {
        let needs = "scale, size of the data, query mode, threads or duration of one workload on two sides";
        return CheckResult::cannot_tell(needs, figures);
    }
    let extent = Material::extent_of_trials(told);
    let alike = VerdictFigure::within_rule(extent, "the same workload, as far as declared");
    CheckResult::rule_holds(if figures.is_empty() { vec![alike] } else { figures })
}

/// The trials of one work, or of one number of clients in it, by side.
type TrialsBySide<'a> = BTreeMap<&'a str, Vec<&'a TrialAccount>>;

/// What was compared, and what is unlike, of each work: of all its trials, and of the cells of one name and number of
/// clients, which may be unlike where the sides share something in other cells.
fn compare_works_and_cells(material: &Material, told: &[&TrialAccount]) -> (usize, Vec<VerdictFigure>) {
    let mut works: BTreeMap<&str, TrialsBySide<'_>> = BTreeMap::new();
    let mut cells: BTreeMap<(&str, &str, u32), TrialsBySide<'_>> = BTreeMap::new();
    for trial in told {
        let work = trial.work.as_deref().unwrap_or_default();
        works.entry(work).or_default().entry(&trial.side).or_default().push(trial);
        if let Some(clients) = trial.clients.known_count() {
            cells.entry((work, &trial.workload, clients)).or_default().entry(&trial.side).or_default().push(trial);
        }
    }
    let compare = |of: &str, by_side: &TrialsBySide<'_>| {
        asked::compare_asked_values(&ASKED, &material.sides, of, |side| by_side.get(side).cloned().unwrap_or_default())
    };
    let (mut compared, mut figures) = (0, Vec::new());
    for (work, by_side) in &works {
        let (some, unlike) = compare(work, by_side);
        compared += some;
        figures.extend(unlike);
    }
    let said: BTreeSet<String> = figures.iter().map(|figure: &VerdictFigure| figure.text.clone()).collect();
    for ((_, workload, clients), by_side) in &cells {
        let (_, unlike) = compare(&format!("{workload}, {}", units::format_clients(*clients)), by_side);
        figures.extend(unlike.into_iter().filter(|figure| !said.contains(&figure.text)));
    }
    (compared, figures)
}

/// Candidates whose load was sent by another major version of the generator than that of the baseline. Where each
/// side's is that of its server, the versions of the servers differ, which another rule is about.
fn unlike_generator_figures(material: &Material) -> Vec<VerdictFigure> {
    let Some((baseline, candidates)) = material.sides.split_first() else { return Vec::new() };
    let mut figures = Vec::new();
    for candidate in candidates {
        let (Some(here), Some(there)) = (&baseline.generator_major, &candidate.generator_major) else { continue };
        // Versions of two tools have nothing in common.
        if tools_of_side(material, baseline) != tools_of_side(material, candidate) {
            continue;
        }
        if here == there || [baseline, candidate].iter().all(|side| side.generator_major == side.server_major) {
            continue;
        }
        let [here, there] = [here, there].map(|major| vec![RequestedValue::Name(major.clone())]);
        let what = "version of the generator";
        figures.push(asked::unlike_values_figure(what, "", [(baseline, &here), (candidate, &there)]));
    }
    figures
}

fn tools_of_side<'a>(material: &'a Material, side: &AuditedSide) -> BTreeSet<&'a str> {
    let trials = material.trials.iter().filter(|trial| trial.side == side.name);
    trials.filter_map(|trial| trial.tool.as_deref()).collect()
}

/// Sides that were asked for one workload each, and not the same, or for the same at other numbers of clients only.
fn without_common_cell(material: &Material, told: &[&TrialAccount]) -> Vec<VerdictFigure> {
    let Some((first, others)) = material.sides.split_first() else { return Vec::new() };
    let baseline = trials_of_side(told, first);
    let mut figures = Vec::new();
    for candidate in others {
        let Some((what, [here, there])) = unlike_requests(&baseline, &trials_of_side(told, candidate)) else {
            continue;
        };
        if !join_values(&here).is_empty() && !join_values(&there).is_empty() {
            figures.push(asked::unlike_values_figure(what, "", [(first, &here), (candidate, &there)]));
        }
    }
    figures
}

fn trials_of_side<'a>(told: &[&'a TrialAccount], side: &AuditedSide) -> Vec<&'a TrialAccount> {
    told.iter().copied().filter(|trial| trial.side == side.name).collect()
}

/// What two sides of one workload each were asked for, and not the same: scripts, or else numbers of clients.
fn unlike_requests(
    baseline: &[&TrialAccount],
    theirs: &[&TrialAccount],
) -> Option<(&'static str, [Vec<RequestedValue>; 2])> {
    let [here, there] = [distinct_works(baseline), distinct_works(theirs)];
    let ([one], [other]) = (here.as_slice(), there.as_slice()) else { return None };
    if one != other {
        return Some(("script", [one, other].map(|work| vec![RequestedValue::Name((*work).to_owned())])));
    }
    let [here, there] = [client_counts(baseline)?, client_counts(theirs)?];
    here.is_disjoint(&there).then(|| ("clients", [exact_values(&here), exact_values(&there)]))
}

fn client_counts(trials: &[&TrialAccount]) -> Option<BTreeSet<u32>> {
    trials.iter().map(|trial| trial.clients.known_count()).collect()
}

fn exact_values(clients: &BTreeSet<u32>) -> Vec<RequestedValue> {
    clients.iter().map(|clients| RequestedValue::Exact((*clients).into())).collect()
}

fn distinct_works<'a>(told: &[&'a TrialAccount]) -> Vec<&'a str> {
    let mut works: Vec<&str> = told.iter().filter_map(|trial| trial.work.as_deref()).collect();
    works.sort_unstable();
    works.dedup();
    works
}
