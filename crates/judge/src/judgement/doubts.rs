//! What is said against a run as a whole: trials that were not steady, sides that could not be compared, a noise floor
//! that does not include zero.

use std::collections::BTreeMap;

use results::facts::TargetFacts;
use results::run::Run;
use results::tables::TableUsage;
use results::trial::{Cell, Trial, TrialPhase};
use stats::steady::{Reason, Steadiness, judge_steadiness};
use stats::verdict::Verdict;

use crate::codes;
use crate::compare::{Observations, PairJudgement, RunQuestion};
use crate::issue::Issue;
use crate::observed::{Observed, SecondFigures};
use crate::thresholds;
use crate::units;

/// What is said against the whole run, and its trials that were not steady.
pub(super) fn of_run(
    observed: &Observed,
    unsteady: &BTreeMap<u32, String>,
    noise_floor: &[PairJudgement],
) -> Vec<Issue> {
    let mut issues = noise_floor_issues(noise_floor);
    issues.extend(imported_run_issue(&observed.run));
    issues.extend(single_trials(observed));
    issues.extend(waiting_for_restart(&observed.facts));
    issues.extend(without_host(&observed.facts));
    issues.extend(empty_tables(observed));
    issues.extend(unsteady_trials(&observed.trials, unsteady));
    issues
}

/// That a change between servers that were made for the run is one of these two servers, until it was seen between
/// others of their kind. A server that was restarted before every block was another one in each.
pub(super) fn one_server_each(observed: &Observed, baseline: &str, pairs: &[PairJudgement]) -> Option<Issue> {
    let plan = observed.plan.as_ref()?;
    let is_one = |name: &str| {
        plan.target_by_name(name)
            .is_some_and(|target| target.reach.is_made() && !plan.is_restarted_before_blocks(target))
    };
    let claimed = pairs.iter().find(|pair| {
        (matches!(pair.verdict(), Verdict::Improved | Verdict::Regressed))
            && is_one(&pair.candidate)
            && is_one(baseline)
    })?;
    let local = plan.target_by_name(baseline).is_some_and(|target| target.reach.can_restart());
    let restart = if local { " (`blocks: { restart: true }` does so before every block)" } else { "" };
    Some(Issue::of_run(
        &codes::SINGLE_SERVER_INSTANCE,
        format!(
            "{} and {} are one server each: the change includes differences between servers of the same kind, such as \
             the placement of their memory, which no block shows",
            baseline, claimed.candidate
        ),
        format!(
            "repeat the run, which creates new servers{restart}, before you attribute the change to the kind of server"
        ),
    ))
}

/// That nothing of an imported run was seen by pgdyno, and what it cannot tell.
fn imported_run_issue(run: &Run) -> Option<Issue> {
    let imported = run.imported.as_ref()?;
    let files: Vec<String> = imported
        .sources
        .iter()
        .map(|source| format!("{} ({}, {})", source.file, source.tool, source.content))
        .collect();
    Some(Issue::of_run(
        &codes::IMPORTED_FIGURES,
        format!("imported from {}; missing: {}", files.join(", "), imported.missing.join(", ")),
        "the declared facts of the targets were not read back; measure with pgdyno to obtain what is missing"
            .to_owned(),
    ))
}

fn single_trials(observed: &Observed) -> Option<Issue> {
    Observations::new(&observed.trials, &RunQuestion::of_run(observed)).has_single_trial().then(|| {
        Issue::of_run(
            &codes::NO_REPETITION,
            "a cell has a single trial: the interval of its throughput comes from the seconds of that trial, and does \
             not include run-to-run variation"
                .to_owned(),
            "measure three blocks or more".to_owned(),
        )
    })
}

/// The trials whose throughput was not steady while measuring, each with what was found.
pub(super) fn unsteadiness_by_trial(
    trials: &[Trial],
    series: &BTreeMap<u32, Vec<SecondFigures>>,
) -> BTreeMap<u32, String> {
    trials
        .iter()
        .filter_map(|trial| {
            // A search overloads the server on purpose, and an open loop's throughput is what was offered.
            let is_open = trial.load.as_ref().is_some_and(|load| load.open.is_some())
                || trial.told.as_ref().is_some_and(|told| told.offered_per_s.is_some());
            // Nor is it steady in which something is made to happen.
            if is_open || !trial.events.is_empty() || (trial.load.is_none() && trial.told.is_none()) {
                return None;
            }
            let measured = series.get(&trial.number)?.iter().filter(|second| second.phase == TrialPhase::Measure);
            let read = measured.filter_map(|second| Some((second.start_us, second.throughput_per_s()?)));
            let (starts_us, throughput): (Vec<u64>, Vec<f64>) = read.unzip();
            match judge_steadiness(&throughput) {
                // A gap cannot be: every second that was read has a throughput.
                Steadiness::Steady | Steadiness::TooShort { .. } | Steadiness::Gap { .. } => None,
                Steadiness::Unsteady(reasons) => {
                    let reasons: Vec<String> =
                        reasons.iter().map(|reason| unsteady_in_words(reason, &starts_us)).collect();
                    Some((trial.number, reasons.join("; ")))
                }
            }
        })
        .collect()
}

/// What speaks against a steady state, whose indices are intervals of the measurement phase that began at these
/// instants: seconds, or what another tool told.
fn unsteady_in_words(reason: &Reason, starts_us: &[u64]) -> String {
    let seconds = |index: usize| {
        let since_us = starts_us.get(index).zip(starts_us.first()).map_or(0, |(start, first)| start - first);
        (since_us + 500_000) / 1_000_000
    };
    match reason {
        Reason::WarmUp { until, shift } => {
            format!(
                "its first {} s differ from the rest, which is {} of the mean apart",
                seconds(*until),
                units::format_change(shift.point)
            )
        }
        Reason::Trend { change } => {
            format!("throughput drifts by {} from start to end", units::format_change(change.point))
        }
        Reason::Shift { at, shift } => {
            format!("throughput jumps by {} at {} s", units::format_change(shift.point), seconds(*at))
        }
    }
}

fn unsteady_trials(trials: &[Trial], unsteady: &BTreeMap<u32, String>) -> Option<Issue> {
    let (first, reason) = unsteady.first_key_value()?;
    let mut cells: Vec<Cell> = Vec::new();
    for trial in trials.iter().filter(|trial| unsteady.contains_key(&trial.number)) {
        if !cells.contains(&trial.cell) {
            cells.push(trial.cell.clone());
        }
    }
    let text = match unsteady.len() {
        1 => format!("trial {first} was not steady while measuring: {reason}"),
        several => format!("{several} trials were not steady while measuring; trial {first}: {reason}"),
    };
    Some(Issue {
        trials: unsteady.keys().copied().collect(),
        cells,
        ..Issue::of_run(
            &codes::UNSTEADY_THROUGHPUT,
            text,
            "look at their timelines; a longer warm-up or longer trials may help".to_owned(),
        )
    })
}

fn noise_floor_issues(noise_floor: &[PairJudgement]) -> Vec<Issue> {
    noise_floor.iter().filter(|pair| pair.deciding_change().is_some_and(|change| !change.interval.contains(0.0))).map(|pair| {
        let interval = pair.deciding_change().map(|c| units::change_interval(c.interval.low, c.interval.high));
        Issue::of_run(
            &codes::NOISE_FLOOR,
            format!(
                "the baseline differs from itself in {} at {} ({}): a cause other than the targets changes the figures",
                pair.place.workload,
                units::format_clients(pair.place.clients),
                interval.unwrap_or_default()
            ),
            "do not rely on a change of this size; look for other load on the machine, or measure longer".to_owned(),
        )
    }).collect()
}

/// What is said of each target some of whose settings are not in force yet.
fn waiting_for_restart(facts: &BTreeMap<String, TargetFacts>) -> impl Iterator<Item = Issue> {
    facts.values().filter_map(|target| {
        let waiting: Vec<&str> =
            thresholds::waiting_for_restart(&target.settings).map(|(name, _)| name.as_str()).collect();
        (!waiting.is_empty()).then(|| {
            Issue::of_run(
                &codes::SETTINGS_NOT_APPLIED,
                format!("{}: changed settings wait for a restart: {}", target.name, waiting.join(", ")),
                "restart the server and measure again".to_owned(),
            )
        })
    })
}

/// What is said of each target whose host could not be looked at.
fn without_host(facts: &BTreeMap<String, TargetFacts>) -> impl Iterator<Item = Issue> {
    facts.values().filter(|target| target.host.is_none()).map(|target| {
        Issue::of_run(
            &codes::HOST_UNKNOWN,
            format!("{}: the facts of its host are not known", target.name),
            "hardware and kernel of the sides could not be compared".to_owned(),
        )
    })
}

/// What is said of tables that the load reads and that have no rows on a target: an issue for each, with its targets.
fn empty_tables(observed: &Observed) -> Vec<Issue> {
    let mut targets_of_table: BTreeMap<&str, BTreeMap<&str, bool>> = BTreeMap::new();
    for trial in &observed.trials {
        let tables = observed.watched.get(&trial.number).and_then(|watched| watched.tables.as_ref());
        for table in tables.iter().flat_map(|tables| &tables.tables) {
            let targets = targets_of_table.entry(&table.name).or_default();
            *targets.entry(&trial.cell.target).or_insert(true) &= is_empty(table);
        }
    }
    let mut issues = Vec::new();
    for (table, targets) in targets_of_table {
        let empty: Vec<&str> = targets.iter().filter(|(_, is_empty)| **is_empty).map(|(target, _)| *target).collect();
        if !empty.is_empty() {
            issues.push(Issue::of_run(
                &codes::EMPTY_TABLE,
                format!("{table} has no rows on {}, and statements of the load read it", empty.join(", ")),
                "fill it as in production: what an index or a query plan is worth does not show in an empty table"
                    .to_owned(),
            ));
        }
    }
    issues
}

/// Whether a table is read and has no page: rows that were there and are gone have left pages.
fn is_empty(table: &TableUsage) -> bool {
    let is_scanned = table.sequential_scans > 0 || table.indexes.iter().any(|index| index.scans > 0);
    table.bytes == Some(0) && table.rows_changed == 0 && is_scanned
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn table(bytes: u64, rows_changed: u64, scans: u64) -> TableUsage {
        serde_json::from_value(json!({
            "name": "public.orders", "live_rows": 0, "sequential_scans": scans, "sequential_rows": 0, "index_rows": 0,
            "rows_changed": rows_changed, "bytes": bytes, "indexes": [],
        }))
        .expect("a table")
    }

    #[test]
    fn tables_that_are_read_and_never_had_rows_are_empty() {
        assert!(is_empty(&table(0, 0, 900)));
        assert!(!is_empty(&table(8192, 0, 900)), "it had rows");
        assert!(!is_empty(&table(0, 12, 900)), "the load fills and truncates it");
        assert!(!is_empty(&table(0, 0, 0)), "nobody reads it");
    }

    #[test]
    fn intervals_of_five_seconds_are_told_in_seconds() {
        let starts_us: Vec<u64> = (0..12).map(|index| 3_000_007 + index * 5_000_210).collect();
        let change = stats::estimate::mean_estimate(&[0.1, 0.2]).expect("an estimate");
        let warm_up = unsteady_in_words(&Reason::WarmUp { until: 2, shift: change }, &starts_us);
        assert!(warm_up.starts_with("its first 10 s differ from the rest"), "{warm_up}");
        let shift = unsteady_in_words(&Reason::Shift { at: 7, shift: change }, &starts_us);
        assert!(shift.ends_with(" at 35 s"), "{shift}");
    }
}
