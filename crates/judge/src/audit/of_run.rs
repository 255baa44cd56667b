//! A run as the account that an audit looks at: here those that pgdyno made.

use std::collections::BTreeMap;

use plan::{Think, WordChoice as _, Workload, WorkloadPace};
use results::facts::{ServerSetting, TargetFacts};
use results::probe_fields::host_cpu;
use results::trial::{
    EngineTotals, Incident, LatencySummary, LoadTotals, TrialOutcome as Ended, TrialPhase, TurnTotals,
};
use results::turn::Turn;
use stats::centre::arithmetic_mean;

use super::material::{
    AuditedSide, Design, Material, Residency, SideDifference, StatedScript, StatedTrialEnd, TrialAccount, TrialCommon,
    TrialDetail, TurnsAccount, bytes_of_scale,
};
use super::{of_disks, of_import};
use crate::budget::{BudgetPart, BudgetRow, PairBudget};
use crate::compare::{Comparison, Confounder, Metric, PairJudgement, pod_lost};
use crate::disks::DisksJudged;
use crate::failures::{self, TransactionAccount};
use crate::known_writes::KnownWrites;
use crate::observed::{Observed, SecondFigures, WatchedPhase};
use crate::thresholds::{HugePages, huge_pages, waiting_for_restart};
use crate::turns::MeasuredTurns;
use crate::units::lost_connections;

/// What a run tells, with what was concluded from it before.
pub fn of_run(observed: &Observed, comparison: &Comparison, budgets: &[PairBudget], disks: &DisksJudged) -> Material {
    let mut material = match &observed.run.imported {
        Some(imported) => {
            Material { differences: differences_by_candidate(comparison), ..of_import::of_import(observed, imported) }
        }
        None => of_native(observed, comparison, budgets),
    };
    of_disks::add_disks(&mut material, observed, disks);
    material
}

fn of_native(observed: &Observed, comparison: &Comparison, budgets: &[PairBudget]) -> Material {
    Material {
        sides: comparison.targets.iter().filter_map(|name| observed.facts.get(name)).map(side_of_target).collect(),
        trials: observed
            .trials
            .iter()
            // While a server is away, no law of a load holds.
            .filter(|told| told.events.is_empty())
            .map(|told| trial_account(observed, &OutsideServer { comparison, budgets }, told))
            .collect(),
        design: design_of_run(observed, comparison),
        differences: differences_by_candidate(comparison),
        unknown: unknown_host_facts(observed, comparison),
        ..Material::default()
    }
}

/// Blocks on which what is concluded of a pair rests.
fn blocks_that_count(pair: &PairJudgement) -> u32 {
    let counted = pair.failures.as_ref().map_or(0, |both| both.baseline.trials.len().min(both.candidate.trials.len()));
    u32::try_from(pair.blocks.len().max(counted)).unwrap_or(u32::MAX)
}

fn design_of_run(observed: &Observed, comparison: &Comparison) -> Design {
    // A pair may be measured in fewer blocks than another; the fewest is what the least known figure rests on. What is
    // concluded of failures rests on the trials that count them, whatever became of the figures.
    let working = comparison.pairs.iter().filter(|pair| pair.works_on_both_sides());
    let in_pairs = working.map(blocks_that_count).min();
    Design {
        repetitions: if comparison.paired { in_pairs } else { Some(comparison.blocks) },
        averaged: false,
        keeps_best: Some(false),
        interleaved: comparison.paired,
        may_differ_is_stated: true,
        may_differ: Vec::new(),
        compares_peaks: Some(false),
        stated_s: observed.plan.as_ref().map(|plan| plan.trial.measure.as_secs_f64()),
        stated_clients: Vec::new(),
        same_clients: true,
        generator: Some("the load engine".to_owned()),
    }
}

pub(super) fn differences_by_candidate(comparison: &Comparison) -> Vec<SideDifference> {
    let mut differences = Vec::new();
    for Confounder { candidates, difference, hint: _ } in &comparison.confounders {
        for candidate in candidates {
            differences.push(SideDifference { candidate: candidate.clone(), difference: difference.clone() });
        }
    }
    differences
}

fn unknown_host_facts(observed: &Observed, comparison: &Comparison) -> Vec<(String, String)> {
    let hosts = "CPUs, memory, kernel and disk of its host".to_owned();
    comparison
        .targets
        .iter()
        .filter(|name| observed.facts.get(*name).is_none_or(|facts| facts.host.is_none()))
        .map(|name| (name.clone(), hosts.clone()))
        .collect()
}

fn side_of_target(facts: &TargetFacts) -> AuditedSide {
    let host = facts.host.as_ref();
    let limits = host.map(|host| &host.cgroup);
    AuditedSide {
        name: facts.name.clone(),
        versions: None,
        server_major: None,
        // One load engine measures every side.
        generator_major: None,
        memory_bytes: host.map(|host| limits.and_then(|l| l.memory_bytes).unwrap_or(u64::MAX).min(host.memory_bytes)),
        cpus: host.map(|host| limits.and_then(|l| l.cpus).unwrap_or(f64::INFINITY).min(f64::from(host.cpus))),
        settings: facts.settings.iter().map(|(name, setting)| (name.clone(), setting.value.clone())).collect(),
        on_generator_host: Some(facts.path.same_host),
        storage: None,
        host: None,
        not_in_force: Some(not_in_force(&facts.settings)),
    }
}

/// What was asked for and is not there. A value that a setting asked for and the server did
/// not confirm has failed its trial.
fn not_in_force(settings: &BTreeMap<String, ServerSetting>) -> Vec<String> {
    let waiting = waiting_for_restart(settings);
    let mut found: Vec<String> =
        waiting.map(|(name, setting)| format!("{name} = {} waits for a restart", setting.value)).collect();
    if let HugePages::Missing(asked) = huge_pages(settings) {
        found.push(format!("huge_pages = {asked}, but no huge pages are in use"));
    }
    found
}

fn trial_account(observed: &Observed, outside: &OutsideServer<'_>, told: &results::trial::Trial) -> TrialAccount {
    let plan = observed.plan.as_ref();
    let workload = plan.and_then(|plan| plan.workload_by_name(&told.cell.workload));
    let load = told.load.as_ref();
    let seconds = observed.series.get(&told.number).map_or(&[][..], Vec::as_slice);
    let scale = workload.and_then(Workload::pgbench_tables).map(|tables| tables.scale);
    let common = TrialCommon {
        side: told.cell.target.clone(),
        workload: told.cell.workload.clone(),
        script: workload.and_then(script_of_workload),
        residency: Residency::from_claimed_name(&told.cell.workload),
        scale,
        data_bytes: observed.data_bytes(&told.cell).filter(|bytes| holds_scale(*bytes, scale)),
        tool: Some("the load engine".to_owned()),
        wrote: workload.and_then(|workload| own_scripts_write(observed, workload)),
        clients: told.cell.clients,
        closed: load.is_some_and(|load| load.open.is_none()) && told.step.is_none(),
        unfinished_s: load.and_then(|load| unfinished_s(told, load, seconds)),
        between_ms: load.map(|load| between_ms(load, workload)),
        between_is_random: workload.is_some_and(|workload| {
            matches!(workload.pace, WorkloadPace::Closed { think: Some(Think::Exponential(_)) })
        }),
        // A captured load that writes ends with its last transaction.
        stated_s: plan.zip(workload).map(|(plan, of)| plan.phases_of_workload(of).measure.as_secs_f64()).filter(|_| {
            told.outcome == Ended::Completed && !workload.is_some_and(Workload::ends_with_its_transactions)
        }),
        turns: told.turns.as_ref().and_then(|totals| turns_account(totals, observed.turns.get(&told.number)?)),
        each_per_s: each_per_s(seconds),
        failed_because: load
            .map_or_else(String::new, |load| failures::reason_in_brackets(&TransactionAccount::of_load(load))),
        backend: engine_totals(load).map(|engine| engine.backend.clone()),
        generator_demand: engine_totals(load).map(|engine| engine.busiest_demand.unwrap_or(engine.busiest_thread)),
        generator_busy: engine_totals(load).map(|engine| engine.busiest_thread),
        generator_share: observed.watched.get(&told.number).zip(load).and_then(generator_share),
        outside_server: outside.share_of_trial(told),
        host_busy: mean_cpu_busy_share(seconds),
        stolen: observed.watched.get(&told.number).and_then(stolen_cpu_share),
        foreign: observed.watched.get(&told.number).and_then(WatchedPhase::foreign_us).and_then(capped_share),
        // What every side was to do stands in one plan, and the load engine counts those that succeeded.
        ..TrialCommon::default()
    };
    let detail = TrialDetail {
        common: common.into(),
        percentiles_ms: load.and_then(|load| load.latency.as_ref()).map_or_else(Vec::new, percentiles_ms),
        throughput_rounding: 0.0,
        latency_ms_rounding: 0.0,
        latency_ms_max: load.and_then(|load| load.latency).map(|latency| latency.max_ns as f64 / 1e6),
        measured_s: load.map(|load| load.measure_us as f64 / 1e6),
        end: end_of_trial(told),
    };
    TrialAccount {
        detail: detail.into(),
        repetition: None,
        throughput_per_s: Metric::Throughput.figure_of_trial(told),
        latency_ms_mean: Metric::LatencyMean.figure_of_trial(told),
        transactions: load.map(|load| load.transactions),
    }
}

fn percentiles_ms(latency: &LatencySummary) -> Vec<(f64, f64)> {
    let LatencySummary { min_ns, p50_ns, p95_ns, p99_ns, p999_ns, max_ns, .. } = *latency;
    let all = [(0.0, min_ns), (50.0, p50_ns), (95.0, p95_ns), (99.0, p99_ns), (99.9, p999_ns), (100.0, max_ns)];
    all.map(|(percent, ns)| (percent, ns as f64 / 1e6)).into()
}

fn turns_account(totals: &TurnTotals, turns: &[Turn]) -> Option<TurnsAccount> {
    let ending = MeasuredTurns::new(turns, totals.length_us).overrun_share()?;
    Some(TurnsAccount { length_s: totals.length_us as f64 / 1e6, ending })
}

/// What the load engine says of itself, if it made the load.
fn engine_totals(load: Option<&LoadTotals>) -> Option<&EngineTotals> {
    load.filter(|load| load.generator.is_none()).map(|load| &load.engine)
}

/// Share of the time of the server's CPUs that the load engine used, if it ran there. Where sides take turns, it is of
/// the time of this side's.
fn generator_share((watched, load): (&WatchedPhase, &LoadTotals)) -> Option<f64> {
    let engine = engine_totals(Some(load))?;
    let (_, over_us) = watched.rise_of_counter(host_cpu::IDLE_US)?;
    let [_, all_us] = watched.cpu_us(&[]);
    let cpus = all_us / over_us as f64;
    (cpus > 0.0 && load.measure_us > 0).then(|| engine.cpu_us as f64 / (load.measure_us as f64 * cpus))
}

/// Whether a database of this size may hold the tables of a scale. The first versions of pgdyno read the size before
/// they made the tables.
fn holds_scale(bytes: u64, scale: Option<u32>) -> bool {
    scale.is_none_or(|scale| bytes >= bytes_of_scale(scale) / 2)
}

fn script_of_workload(workload: &Workload) -> Option<StatedScript> {
    match workload.builtin_script() {
        Some(script) => StatedScript::from_name(script.as_word()),
        None => workload.own_scripts().is_none().then(|| StatedScript {
            statements: None,
            writes: workload.can_write(),
            updates_branch: false,
        }),
    }
}

/// Whether scripts of the plan's author write: as the servers say or counted, else as the plan says.
fn own_scripts_write(observed: &Observed, workload: &Workload) -> Option<bool> {
    let said = workload.own_scripts()?.reads;
    KnownWrites::of_workload(observed, &workload.name).workload_writes().or_else(|| said.map(|reads| !reads))
}

/// Time of a client between two transactions: thinking, the time by which the load engine ended that late, and
/// connecting where that is not part of the latency.
fn between_ms(load: &LoadTotals, workload: Option<&Workload>) -> f64 {
    let think = match workload.map(|workload| &workload.pace) {
        Some(WorkloadPace::Closed { think: Some(Think::Fixed(time) | Think::Exponential(time)) }) => {
            time.as_secs_f64() * 1e3
        }
        Some(
            WorkloadPace::Closed { think: None }
            | WorkloadPace::Open { .. }
            | WorkloadPace::Capacity { .. }
            | WorkloadPace::Timed { .. },
        )
        | None => 0.0,
    };
    let connecting = load.connecting.filter(|made| made.part_of_latency != Some(true));
    let transactions = load.transactions.max(1) as f64;
    let connecting = connecting.map(|made| made.total.mean_ns / 1e6 * (made.count as f64 / transactions));
    let late = if think > 0.0 { load.engine.send_lag_ns as f64 / 1e6 / load.transactions.max(1) as f64 } else { 0.0 };
    think + late + connecting.into_iter().sum::<f64>()
}

/// Time of all clients in transactions that had not ended: all clients from where a standstill met the end, and those
/// that had to be cancelled after it for as long as they may have waited.
fn unfinished_s(told: &results::trial::Trial, load: &LoadTotals, seconds: &[SecondFigures]) -> Option<f64> {
    let cancelled = told.incidents.iter().filter_map(|incident| {
        let Incident::Cancelled { transactions } = incident else { return None };
        Some(*transactions as f64)
    });
    let [clients, measured_s] = [f64::from(told.cell.clients.known_count()?), load.measure_us as f64 / 1e6];
    let measured: Vec<&SecondFigures> = seconds.iter().filter(|second| second.phase == TrialPhase::Measure).collect();
    Some((clients * standing_at_end_s(&measured) + cancelled.sum::<f64>() * measured_s).min(clients * measured_s))
}

/// How long nothing had ended when the measurement did: its last empty seconds, and what the one before them lacks to
/// the median.
fn standing_at_end_s(measured: &[&SecondFigures]) -> f64 {
    let mut rates: Vec<f64> = measured
        .iter()
        .filter(|s| s.worked_us > 0)
        .map(|second| ended_transactions(second) / worked_seconds(second))
        .collect();
    rates.sort_by(f64::total_cmp);
    let Some(usual) = rates.get(rates.len() / 2).filter(|rate| **rate > 0.0) else { return 0.0 };
    let mut standing_s = 0.0;
    for second in measured.iter().rev() {
        standing_s += (worked_seconds(second) - ended_transactions(second) / usual).max(0.0);
        if ended_transactions(second) > 0.0 {
            break;
        }
    }
    standing_s
}

fn ended_transactions(second: &SecondFigures) -> f64 {
    (second.transactions + second.failed) as f64
}

fn worked_seconds(second: &SecondFigures) -> f64 {
    second.worked_us as f64 / 1e6
}

/// Transactions per second in each interval that was measured.
pub(super) fn each_per_s(seconds: &[SecondFigures]) -> Vec<f64> {
    seconds
        .iter()
        .filter(|second| second.phase == TrialPhase::Measure)
        .filter_map(SecondFigures::throughput_per_s)
        .collect()
}

fn end_of_trial(told: &results::trial::Trial) -> StatedTrialEnd {
    if let Some(said) = pod_lost(told) {
        return StatedTrialEnd::Cut { reason: said.to_owned() };
    }
    match (&told.outcome, &told.load) {
        (Ended::Interrupted, _) => StatedTrialEnd::Cut { reason: "interrupted".to_owned() },
        (Ended::Failed { error }, _) => StatedTrialEnd::Cut { reason: error.clone() },
        (Ended::Completed, None) => StatedTrialEnd::Cut { reason: "nothing was measured".to_owned() },
        (Ended::Completed, Some(load)) => match load.outages.first() {
            Some(first) => StatedTrialEnd::Cut { reason: lost_connections(load.outages.len(), &first.cause) },
            None => StatedTrialEnd::Whole { failed: load.failed },
        },
    }
}

/// The share of the latency that was spent outside the server, from the time budget of the pair at a trial's place.
struct OutsideServer<'a> {
    comparison: &'a Comparison,
    budgets: &'a [PairBudget],
}

impl OutsideServer<'_> {
    fn share_of_trial(&self, told: &results::trial::Trial) -> Option<f64> {
        let is_baseline = told.cell.target == self.comparison.question.baseline;
        let budget = self.budgets.iter().find(|budget| {
            (&budget.place.workload, budget.place.clients) == (&told.cell.workload, told.cell.clients)
                && (is_baseline || budget.candidate == told.cell.target)
        })?;
        let figure = |row: &BudgetRow| if is_baseline { row.baseline_ms.point } else { row.candidate_ms.point };
        let names = BudgetPart::OUTSIDE_SERVER.map(|part| part.to_string());
        let outside = budget.waterfall.steps.iter().filter(|step| names.contains(&step.part));
        let outside_ms = outside.map(|step| figure(&step.row)).reduce(|sum, ms| sum + ms)?;
        Some(outside_ms / figure(&budget.waterfall.total))
    }
}

/// The mean share of the host's CPUs that was not idle, over the measured seconds.
fn mean_cpu_busy_share(seconds: &[SecondFigures]) -> Option<f64> {
    let measured = seconds.iter().filter(|second| second.phase == TrialPhase::Measure);
    arithmetic_mean(measured.filter_map(|second| second.cpu_percent)).map(|percent| percent / 100.0)
}

/// Share of the CPU time that the host wanted and the hypervisor took; nothing was taken from one that wanted none.
fn stolen_cpu_share(watched: &WatchedPhase) -> Option<f64> {
    watched.rise_of_counter(host_cpu::STEAL_US)?;
    let [stolen_us, all_us] = watched.cpu_us(&[host_cpu::STEAL_US]);
    let [idle_us, _] = watched.cpu_us(&[host_cpu::IDLE_US]);
    if all_us == 0.0 {
        return None;
    }
    // Nothing is taken from one that wants nothing.
    Some(capped_share([stolen_us, all_us - idle_us]).unwrap_or_default())
}

/// A part of a whole; none of a whole that is nothing.
fn capped_share([part_us, all_us]: [f64; 2]) -> Option<f64> {
    (all_us > 0.0).then(|| (part_us / all_us).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_that_was_read_before_the_tables_were_made_is_not_theirs() {
        for (bytes, scale, expected) in [
            (7_632_563, Some(5000), false),
            (7_632_563, Some(1), false),
            (22_000_000, Some(1), true),
            (75 << 30, Some(5000), true),
            (7_632_563, None, true),
        ] {
            assert_eq!(holds_scale(bytes, scale), expected, "{bytes} at {scale:?}");
        }
    }

    #[test]
    fn a_standstill_counts_from_its_begin_when_it_meets_the_end_and_not_when_it_ended_before() {
        let second = |(index, transactions): (usize, &u64)| SecondFigures {
            phase: TrialPhase::Measure,
            start_us: index as u64 * 1_000_000,
            duration_us: 1_000_000,
            worked_us: 1_000_000,
            transactions: *transactions,
            failed: 0,
            clients_out: 0,
            attempts: 0,
            open: None,
            latency: None,
            told: None,
            cpu_percent: None,
            has_checkpoint: false,
        };
        for (transactions, expected_s) in [
            (&[100, 100, 100, 100, 100][..], 0.0),
            (&[100, 100, 100, 40, 0], 1.6),
            (&[100, 100, 100, 0, 0], 2.0),
            (&[100, 0, 0, 100, 100], 0.0),
            (&[100, 100, 100, 100, 130], 0.0),
            (&[0, 0], 0.0),
            (&[], 0.0),
        ] {
            let seconds: Vec<SecondFigures> = transactions.iter().enumerate().map(second).collect();
            let found_s = standing_at_end_s(&seconds.iter().collect::<Vec<_>>());
            assert!((found_s - expected_s).abs() < 1e-9, "{transactions:?}: {found_s} s");
        }
    }
}
