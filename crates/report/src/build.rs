//! From a judgement and its observations to the report's data.

use std::collections::BTreeSet;

use judge::Judgement;
use judge::budget::Budget;
use judge::budget::budget_of_trial;
use judge::caveats::in_words;
use judge::compare::{CapacityCurve, ClientLadder, LoadLoop, Metric, MetricJudgement, PairJudgement, RunState};
use judge::observed::{Observed, SecondFigures};
use results::imported::Imported;
use results::load_place::LoadPlaceFacts;
use results::run::Run;
use results::trial::{Trial, TrialOutcome, TrialPhase};
use stats::verdict::{BetterDirection, Verdict};

use super::data::{
    BetterData, BlockData, ComparisonData, CurveData, CurvePointData, FORMAT, LadderData, LeftOutData, LoopData,
    MaximumData, MetricData, OnlyTrialData, PartData, ReportData, RunData, RungData, StateData, TrialData,
};
use super::readings::readings_of_trial;
use super::rounding::round_significant;
use super::{document, method, sections, table, told_series, words};

/// The data of the whole report.
pub fn build_report(observed: &Observed, judgement: &Judgement) -> ReportData {
    let threshold = judgement.comparison.question.threshold.as_share();
    let comparisons = |pairs: &[PairJudgement]| {
        pairs
            .iter()
            .map(|pair| {
                comparison_data(
                    observed,
                    judgement,
                    pair,
                    judgement.comparison.question.load_loop(&pair.place.workload),
                )
            })
            .collect()
    };
    let document = sections::document_of(judgement);
    ReportData {
        format: FORMAT,
        pgdyno_version: observed.run.pgdyno_version.clone(),
        run: run_data(&observed.run, observed.load_place.as_ref(), judgement, observed.trials.len()),
        baseline: judgement.comparison.question.baseline.clone(),
        candidates: judgement.comparison.question.candidates.clone(),
        paired: judgement.comparison.paired,
        practical_threshold: threshold,
        costs_threshold: judgement.comparison.question.margins.costs,
        headline: judgement.headline.clone(),
        headline_detail: if table::is_of_disks_alone(judgement) {
            "Disks alone, measured by fio.".to_owned()
        } else {
            format!("{}.", table::measurement_extent(judgement))
        },
        unread: judgement.unread.clone(),
        issues: super::issues::issue_data(judgement),
        ignored: judgement.ignored.iter().map(|code| code.name).collect(),
        comparisons: comparisons(&judgement.comparison.pairs),
        further: comparisons(&judgement.comparison.further),
        noise_floor: comparisons(&judgement.comparison.noise_floor),
        ladders: judgement.comparison.ladders.iter().map(ladder_data).collect(),
        layers: super::layers::layers_data(judgement),
        maxima: maximum_data(judgement),
        diagnosis: super::findings::diagnosis_data(&judgement.diagnosis),
        budgets: super::budgets::budget_data(judgement),
        profiles: super::profiles::profiles_data(judgement),
        events: sections::events::event_data(judgement),
        failures: super::failures::failure_data(judgement),
        required: super::required::requirement_data(judgement),
        prices: super::cost::price_data(judgement),
        cross_checks: super::cross_check::cross_check_data(judgement),
        disks: sections::disks::curves::disk_data(&judgement.disks, &observed.disks),
        curves: judgement.comparison.curves.iter().filter_map(curve_data).collect(),
        spreads: super::spread::spread_data(judgement),
        audit: judgement.audit.as_ref().map(super::audit::audit_data),
        targets: judgement.comparison.targets.clone(),
        trials: all_series(observed, judgement),
        plan_yaml: observed.plan_yaml.clone(),
        method: method::method_paragraphs(judgement, &observed.trials),
        sections: document::page_sections(&document),
        document,
    }
}

fn run_data(run: &Run, place: Option<&LoadPlaceFacts>, judgement: &Judgement, trials: usize) -> RunData {
    RunData {
        id: run.id.clone(),
        name: run.name.clone(),
        started_at: run.started_at.to_string(),
        seed: run.schedule.seed.to_string(),
        state: match judgement.comparison.state {
            RunState::Complete => StateData::Complete,
            RunState::Interrupted => StateData::Interrupted,
            RunState::Running => StateData::Running,
            RunState::Unfinished => StateData::Unfinished,
        },
        blocks: judgement.comparison.blocks,
        blocks_at_most: judgement.comparison.question.blocks.at_most,
        trials,
        measured_s: judgement.measured_s,
        generator: match (&run.generator, &run.imported) {
            (Some(machine), _) => {
                let on = place.map_or_else(String::new, |place| format!(" {}", words::of_load_place(place)));
                format!("pgdyno {}{on} on {} CPUs, kernel {}", run.pgdyno_version, machine.cpus, machine.kernel)
            }
            (None, Some(imported)) => {
                format!("{}, imported by pgdyno {}", names_of_tools(imported), run.pgdyno_version)
            }
            (None, None) => "unknown".to_owned(),
        },
    }
}

/// The tools whose figures an imported run holds, each once.
fn names_of_tools(imported: &Imported) -> String {
    let tools: BTreeSet<&str> = imported.sources.iter().map(|source| source.tool.as_str()).collect();
    tools.into_iter().collect::<Vec<_>>().join(", ")
}

fn comparison_data(
    observed: &Observed,
    judgement: &Judgement,
    pair: &PairJudgement,
    load_loop: &LoadLoop,
) -> ComparisonData {
    let (beside, threshold) = (&judgement.beside, judgement.comparison.question.threshold.as_share());
    let mut metrics = Vec::new();
    for judged in &pair.metrics {
        // What does not decide is judged of the pairs with the baseline only.
        let verdict = match pair.baseline == judgement.comparison.question.baseline {
            true => beside.verdict_on(pair, judged),
            false => Some(judged.verdict),
        };
        metrics.push(metric_data(judged, verdict));
    }
    ComparisonData {
        baseline: pair.baseline.clone(),
        candidate: pair.candidate.clone(),
        workload: pair.place.workload.clone(),
        clients: pair.place.clients.known_count(),
        load_loop: match load_loop {
            LoadLoop::Closed => LoopData::Closed,
            LoadLoop::Open { .. } | LoadLoop::Timed { .. } => LoopData::Open,
            LoadLoop::Capacity(_) => LoopData::Capacity,
        },
        load: words::load_loop(load_loop),
        verdict: (&pair.overall_conclusion()).into(),
        verdict_text: words::verdict_in_words(pair, threshold),
        metrics,
        failures: pair.failures.as_ref().map(super::failures::failure_comparison_data),
        blocks: pair
            .blocks
            .iter()
            .map(|point| BlockData {
                block: point.block,
                baseline_trial: point.trials[0],
                candidate_trial: point.trials[1],
                baseline: point.figures[0],
                candidate: point.figures[1],
                change: point.change,
                outlying: point.outlying,
                change_without: point.change_without,
                slices: if pair.deciding_metric() == Metric::Throughput {
                    round_figures(observed, point.trials)
                } else {
                    Vec::new()
                },
            })
            .collect(),
        left_out: pair.excluded.iter().map(left_out).collect(),
    }
}

fn left_out(excluded: &judge::compare::Excluded) -> LeftOutData {
    LeftOutData { trial: excluded.trial, block: excluded.block, reason: excluded.reason.clone() }
}

/// The rounds of two trials that took turns, so many at most, each of as many neighbours as the others.
fn round_figures(observed: &Observed, trials: [u32; 2]) -> Vec<[f64; 2]> {
    const ROUNDS_MAX: usize = 24;
    let [Some(baseline), Some(candidate)] = trials.map(|trial| observed.turns.get(&trial)) else { return Vec::new() };
    let pairs = judge::turns::throughput_pairs_by_round(baseline, candidate);
    let mean = |some: &[[f64; 2]], side: usize| {
        round_significant(some.iter().map(|pair| pair[side]).sum::<f64>() / some.len() as f64)
    };
    pairs.chunks(pairs.len().div_ceil(ROUNDS_MAX).max(1)).map(|some| [mean(some, 0), mean(some, 1)]).collect()
}

fn metric_data(judged: &MetricJudgement, verdict: Option<Verdict>) -> MetricData {
    MetricData {
        metric: judged.metric.into(),
        unit: judged.metric.unit(),
        better: match judged.metric.better_direction() {
            BetterDirection::Higher => BetterData::Higher,
            BetterDirection::Lower => BetterData::Lower,
        },
        baseline: judged.baseline.map(Into::into),
        candidate: judged.candidate.map(Into::into),
        baseline_alone: judged.of_only_trials[0].map(round_significant),
        candidate_alone: judged.of_only_trials[1].map(round_significant),
        change_alone: judged.change_alone().map(round_significant),
        change: judged.known_change().map(Into::into),
        verdict: verdict.as_ref().map(Into::into),
    }
}

fn ladder_data(ladder: &ClientLadder) -> LadderData {
    LadderData {
        target: ladder.target.clone(),
        workload: ladder.workload.clone(),
        points: ladder
            .rungs
            .iter()
            .map(|rung| RungData {
                clients: rung.clients,
                throughput_per_s: rung.throughput_per_s.map(Into::into),
                latency_mean_ms: rung.latency_mean_ms.map(Into::into),
                latency_p99_ms: rung.latency_p99_ms.map(Into::into),
                of_only_trial: OnlyTrialData {
                    throughput_per_s: rung.of_only_trial.throughput_per_s.map(round_significant),
                    latency_mean_ms: rung.of_only_trial.latency_mean_ms.map(round_significant),
                    latency_p99_ms: rung.of_only_trial.latency_p99_ms.map(round_significant),
                },
            })
            .collect(),
        note: ladder.note.clone(),
    }
}

fn maximum_data(judgement: &Judgement) -> Vec<MaximumData> {
    judgement
        .comparison
        .maxima
        .iter()
        .map(|maximum| MaximumData {
            workload: maximum.workload.clone(),
            target: maximum.target.clone(),
            clients: maximum.clients,
            throughput_per_s: maximum.throughput_per_s.into(),
            change: maximum.change.map(Into::into),
            text: maximum.text.clone(),
        })
        .collect()
}

/// Of a search, which knows its clients.
fn curve_data(curve: &CapacityCurve) -> Option<CurveData> {
    Some(CurveData {
        target: curve.target.clone(),
        workload: curve.place.workload.clone(),
        clients: curve.place.clients.known_count()?,
        limit_ms: curve.limit_ms,
        capacity_per_s: curve.capacity_per_s.map(Into::into),
        points: curve
            .points
            .iter()
            .map(|point| CurvePointData {
                trial: point.trial,
                block: point.block,
                rate_per_s: round_significant(point.rate_per_s),
                p99_ms: point.p99_ms.map(round_significant),
                held: point.held,
            })
            .collect(),
    })
}

/// The seconds of every trial; two runs made separately have no common numbers to show them under.
fn all_series(observed: &Observed, judgement: &Judgement) -> Vec<TrialData> {
    observed.trials.iter().map(|trial| trial_data(observed, judgement, trial)).collect()
}

fn trial_data(observed: &Observed, judgement: &Judgement, trial: &Trial) -> TrialData {
    let seconds: &[SecondFigures] = observed.series.get(&trial.number).map_or(&[], Vec::as_slice);
    let warm_up = seconds.iter().filter(|second| second.phase == TrialPhase::WarmUp).map(SecondFigures::end_s);
    let caveats = judgement.caveats.get(&trial.number).into_iter().flatten();
    let load_start = trial.phases.iter().find(|phase| matches!(phase.phase, TrialPhase::WarmUp | TrialPhase::Measure));
    TrialData {
        number: trial.number,
        block: trial.block,
        target: trial.cell.target.clone(),
        workload: trial.cell.workload.clone(),
        clients: trial.cell.clients.known_count(),
        rate_per_s: trial.step.map(|step| step.rate_per_s),
        role: trial.role.into(),
        outcome: match &trial.outcome {
            TrialOutcome::Completed => "finished".to_owned(),
            TrialOutcome::Interrupted => "interrupted".to_owned(),
            TrialOutcome::Failed { error } => format!("failed: {error}"),
        },
        started_at: load_start.map_or(observed.run.started_at, |phase| phase.started_at).to_string(),
        t_s: seconds.iter().map(SecondFigures::end_s).collect(),
        span_s: told_series::interval_lengths_s(seconds),
        throughput_per_s: seconds.iter().filter_map(SecondFigures::throughput_per_s).map(round_significant).collect(),
        p50_ms: told_series::percentile_series(seconds, "p50", |latency| latency.p50_ns),
        p95_ms: told_series::percentile_series(seconds, "p95", |latency| latency.p95_ns),
        p99_ms: told_series::percentile_series(seconds, "p99", |latency| latency.p99_ns),
        reported_latency: told_series::beyond_percentiles(seconds),
        offered_per_s: seconds.iter().map(|second| second.offered_per_s().map(round_significant)).collect(),
        skipped: seconds.iter().map(|second| second.open.map_or(0, |open| open.skipped)).collect(),
        failed: seconds.iter().map(|second| second.failed).collect(),
        cpu_percent: seconds.iter().map(|second| second.cpu_percent.map(round_significant)).collect(),
        clients_out: seconds.iter().map(|second| second.clients_out).collect(),
        warm_up_until_s: warm_up.fold(0.0, f64::max),
        checkpoints_s: seconds.iter().filter(|second| second.has_checkpoint).map(SecondFigures::end_s).collect(),
        budget: budget_of_trial(observed, trial).map(budget_parts),
        readings: readings_of_trial(observed.watched.get(&trial.number), seconds.len()),
        steady: judgement.unsteady.get(&trial.number).cloned(),
        caveats: caveats.map(|caveat| in_words(caveat).0).collect(),
    }
}

/// The parts of a budget in the order of a transaction's way.
fn budget_parts(budget: Budget) -> Vec<PartData> {
    budget.into_iter().map(|(part, ms)| PartData { part: part.to_string(), ms }).collect()
}
