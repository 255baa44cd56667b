//! From a judgement and its observations to the report's data.

use std::collections::BTreeSet;

use judge::Judgement;
use judge::budget::Budget;
use judge::budget::budget;
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
    MaximumData, MetricData, PartData, ReportData, RunData, RungData, StateData, TrialData,
};
use super::readings::readings;
use super::rounding::rounded;
use super::{document, method, sections, table, told_series, words};

/// The data of the whole report.
pub fn build(observed: &Observed, judgement: &Judgement) -> ReportData {
    let threshold = judgement.comparison.question.threshold.share();
    let load_loop = |pair: &PairJudgement| judgement.comparison.question.load_loop(&pair.place.workload);
    let comparisons = |pairs: &[PairJudgement]| {
        pairs.iter().map(|pair| comparison(observed, judgement, pair, load_loop(pair))).collect()
    };
    let document = sections::document_of(judgement);
    ReportData {
        format: FORMAT,
        pgdyno_version: observed.run.pgdyno_version.clone(),
        run: run(&observed.run, observed.load_place.as_ref(), judgement, observed.trials.len()),
        baseline: judgement.comparison.question.baseline.clone(),
        candidates: judgement.comparison.question.candidates.clone(),
        paired: judgement.comparison.paired,
        practical_threshold: threshold,
        costs_threshold: judgement.comparison.question.margins.costs,
        headline: judgement.headline.clone(),
        headline_detail: if table::is_of_disks_alone(judgement) {
            "Disks alone, measured by fio.".to_owned()
        } else {
            let sentences = std::iter::once(table::extent(judgement)).chain(judgement.unread.iter().cloned());
            sentences.map(|sentence| format!("{sentence}.")).collect::<Vec<_>>().join(" ")
        },
        issues: super::issues::issue_data(judgement),
        ignored: judgement.ignored.iter().map(|code| code.name).collect(),
        comparisons: comparisons(&judgement.comparison.pairs),
        noise_floor: comparisons(&judgement.comparison.noise_floor),
        ladders: judgement.comparison.ladders.iter().map(ladder).collect(),
        layers: super::layers::data(judgement),
        maxima: maxima(judgement),
        diagnosis: super::findings::whole(&judgement.diagnosis),
        budgets: super::budgets::data(judgement),
        profiles: super::profiles::profiles_data(judgement),
        events: sections::events::event_data(judgement),
        failures: super::failures::data(judgement),
        required: super::required::data(judgement),
        prices: super::cost::data(judgement),
        cross_checks: super::cross_check::data(judgement),
        disks: sections::disks::curves::disk_data(&judgement.disks, &observed.disks),
        curves: judgement.comparison.curves.iter().filter_map(curve).collect(),
        spreads: super::spread::data(judgement),
        audit: judgement.audit.as_ref().map(super::audit::data),
        targets: judgement.comparison.targets.clone(),
        trials: all_series(observed, judgement),
        plan_yaml: observed.plan_yaml.clone(),
        method: method::paragraphs(judgement, &observed.trials),
        sections: document::page_sections(&document),
        document,
    }
}

fn run(run: &Run, place: Option<&LoadPlaceFacts>, judgement: &Judgement, trials: usize) -> RunData {
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
            (None, Some(imported)) => format!("{}, imported by pgdyno {}", tools(imported), run.pgdyno_version),
            (None, None) => "unknown".to_owned(),
        },
    }
}

/// The tools whose figures an imported run holds, each once.
fn tools(imported: &Imported) -> String {
    let tools: BTreeSet<&str> = imported.sources.iter().map(|source| source.tool.as_str()).collect();
    tools.into_iter().collect::<Vec<_>>().join(", ")
}

fn comparison(
    observed: &Observed,
    judgement: &Judgement,
    pair: &PairJudgement,
    load_loop: &LoadLoop,
) -> ComparisonData {
    let (beside, threshold) = (&judgement.beside, judgement.comparison.question.threshold.share());
    let block = |point: &judge::compare::BlockPoint| BlockData {
        block: point.block,
        baseline_trial: point.trials[0],
        candidate_trial: point.trials[1],
        baseline: point.figures[0],
        candidate: point.figures[1],
        change: point.change,
        outlying: point.outlying,
        change_without: point.change_without,
        slices: if pair.deciding() == Metric::Throughput { rounds(observed, point.trials) } else { Vec::new() },
    };
    ComparisonData {
        candidate: pair.candidate.clone(),
        workload: pair.place.workload.clone(),
        clients: pair.place.clients.known(),
        load_loop: match load_loop {
            LoadLoop::Closed => LoopData::Closed,
            LoadLoop::Open { .. } => LoopData::Open,
            LoadLoop::Capacity(_) => LoopData::Capacity,
        },
        load: words::load_loop(load_loop),
        verdict: (&pair.conclusion()).into(),
        verdict_text: words::verdict_in_words(pair, threshold),
        metrics: pair.metrics.iter().map(|judged| metric(judged, beside.verdict_on(pair, judged))).collect(),
        failures: pair.failures.as_ref().map(super::failures::comparison),
        blocks: pair.blocks.iter().map(block).collect(),
        left_out: pair.excluded.iter().map(left_out).collect(),
    }
}

fn left_out(excluded: &judge::compare::Excluded) -> LeftOutData {
    LeftOutData { trial: excluded.trial, block: excluded.block, reason: excluded.reason.clone() }
}

/// The rounds of two trials that took turns, so many at most, each of as many neighbours as the others.
fn rounds(observed: &Observed, trials: [u32; 2]) -> Vec<[f64; 2]> {
    const ROUNDS_MAX: usize = 24;
    let [Some(baseline), Some(candidate)] = trials.map(|trial| observed.turns.get(&trial)) else { return Vec::new() };
    let pairs = judge::turns::pairs(baseline, candidate);
    let mean =
        |some: &[[f64; 2]], side: usize| rounded(some.iter().map(|pair| pair[side]).sum::<f64>() / some.len() as f64);
    pairs.chunks(pairs.len().div_ceil(ROUNDS_MAX).max(1)).map(|some| [mean(some, 0), mean(some, 1)]).collect()
}

fn metric(judged: &MetricJudgement, verdict: Option<Verdict>) -> MetricData {
    MetricData {
        metric: judged.metric.into(),
        unit: judged.metric.unit(),
        better: match judged.metric.better() {
            BetterDirection::Higher => BetterData::Higher,
            BetterDirection::Lower => BetterData::Lower,
        },
        baseline: judged.baseline.map(Into::into),
        candidate: judged.candidate.map(Into::into),
        change: judged.known_change().map(Into::into),
        verdict: verdict.as_ref().map(Into::into),
    }
}

fn ladder(ladder: &ClientLadder) -> LadderData {
    let rung = |rung: &judge::compare::ClientRung| RungData {
        clients: rung.clients,
        throughput_per_s: rung.throughput_per_s.map(Into::into),
        latency_mean_ms: rung.latency_mean_ms.map(Into::into),
        latency_p99_ms: rung.latency_p99_ms.map(Into::into),
    };
    LadderData {
        target: ladder.target.clone(),
        workload: ladder.workload.clone(),
        points: ladder.rungs.iter().map(rung).collect(),
        note: ladder.note.clone(),
    }
}

fn maxima(judgement: &Judgement) -> Vec<MaximumData> {
    let data = |maximum: &judge::compare::Maximum| MaximumData {
        workload: maximum.workload.clone(),
        target: maximum.target.clone(),
        clients: maximum.clients,
        throughput_per_s: maximum.throughput_per_s.into(),
        change: maximum.change.map(Into::into),
        text: maximum.text.clone(),
    };
    judgement.comparison.maxima.iter().map(data).collect()
}

/// Of a search, which knows its clients.
fn curve(curve: &CapacityCurve) -> Option<CurveData> {
    let point = |point: &judge::compare::CurvePoint| CurvePointData {
        trial: point.trial,
        block: point.block,
        rate_per_s: rounded(point.rate_per_s),
        p99_ms: point.p99_ms.map(rounded),
        held: point.held,
    };
    Some(CurveData {
        target: curve.target.clone(),
        workload: curve.place.workload.clone(),
        clients: curve.place.clients.known()?,
        limit_ms: curve.limit_ms,
        capacity_per_s: curve.capacity_per_s.map(Into::into),
        points: curve.points.iter().map(point).collect(),
    })
}

/// The seconds of every trial; two runs made separately have no common numbers to show them under.
fn all_series(observed: &Observed, judgement: &Judgement) -> Vec<TrialData> {
    observed.trials.iter().map(|trial| series(observed, judgement, trial)).collect()
}

fn series(observed: &Observed, judgement: &Judgement, trial: &Trial) -> TrialData {
    let seconds: &[SecondFigures] = observed.series.get(&trial.number).map_or(&[], Vec::as_slice);
    let warm_up = seconds.iter().filter(|second| second.phase == TrialPhase::WarmUp).map(SecondFigures::end_s);
    let caveats = judgement.caveats.get(&trial.number).into_iter().flatten();
    let load_start = trial.phases.iter().find(|phase| matches!(phase.phase, TrialPhase::WarmUp | TrialPhase::Measure));
    TrialData {
        number: trial.number,
        block: trial.block,
        target: trial.cell.target.clone(),
        workload: trial.cell.workload.clone(),
        clients: trial.cell.clients.known(),
        rate_per_s: trial.step.map(|step| step.rate_per_s),
        role: trial.role.into(),
        outcome: match &trial.outcome {
            TrialOutcome::Completed => "finished".to_owned(),
            TrialOutcome::Interrupted => "interrupted".to_owned(),
            TrialOutcome::Failed { error } => format!("failed: {error}"),
        },
        started_at: load_start.map_or(observed.run.started_at, |phase| phase.started_at).to_string(),
        t_s: seconds.iter().map(SecondFigures::end_s).collect(),
        span_s: told_series::spans(seconds),
        throughput_per_s: seconds.iter().filter_map(SecondFigures::throughput_per_s).map(rounded).collect(),
        p50_ms: told_series::percentile(seconds, "p50", |latency| latency.p50_ns),
        p95_ms: told_series::percentile(seconds, "p95", |latency| latency.p95_ns),
        p99_ms: told_series::percentile(seconds, "p99", |latency| latency.p99_ns),
        reported_latency: told_series::beyond_percentiles(seconds),
        offered_per_s: seconds.iter().map(|second| second.offered_per_s().map(rounded)).collect(),
        skipped: seconds.iter().map(|second| second.open.map_or(0, |open| open.skipped)).collect(),
        failed: seconds.iter().map(|second| second.failed).collect(),
        cpu_percent: seconds.iter().map(|second| second.cpu_percent.map(rounded)).collect(),
        clients_out: seconds.iter().map(|second| second.clients_out).collect(),
        warm_up_until_s: warm_up.fold(0.0, f64::max),
        checkpoints_s: seconds.iter().filter(|second| second.has_checkpoint).map(SecondFigures::end_s).collect(),
        budget: budget(observed, trial).map(parts),
        readings: readings(observed.watched.get(&trial.number), seconds.len()),
        steady: judgement.unsteady.get(&trial.number).cloned(),
        caveats: caveats.map(|caveat| in_words(caveat).0).collect(),
    }
}

/// The parts of a budget in the order of a transaction's way.
fn parts(budget: Budget) -> Vec<PartData> {
    budget.into_iter().map(|(part, ms)| PartData { part: part.to_string(), ms }).collect()
}
