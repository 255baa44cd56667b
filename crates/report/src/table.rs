//! The table of the verdicts, and what is said of it.

use std::collections::{BTreeMap, BTreeSet};

use judge::Judgement;
use judge::compare::{Conclusion, Diluted, LoadLoop, Metric, PairJudgement, RunState};
use judge::failures::FailureComparison;
use judge::units;
use stats::stopping::FEWEST_BLOCKS;
use stats::verdict::Verdict::NotEnoughData as Undecided;

use super::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};
use super::words::{self, ComparedTrials};

/// Remarks on figures of other tools at most.
const REMARKS_MAX: usize = 12;

/// What there are more of.
pub(crate) const MORE_LEFT_OUT: &str = "more comparisons with trials that do not count";

/// A comparison a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "verdicts",
    about: "Candidate by workload and clients: the deciding metric of both sides, its change, the verdict",
    columns: &[
        DocumentColumn::for_programs("candidate", Holds::Words),
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::for_programs("metric", Holds::Words),
        DocumentColumn::for_programs("unit", Holds::Words),
        DocumentColumn::new("baseline", "baseline", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::new("candidate", "candidate_value", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::new("change", "change", Holds::Estimate(ColumnUnit::Change)),
        DocumentColumn::new("verdict", "verdict", Holds::Verdict),
    ],
};

/// The verdicts, and what is to be said of them; none where nothing is compared.
pub(crate) fn verdicts_section(judgement: &Judgement) -> Option<ReportSection> {
    if judgement.comparison.pairs.is_empty() {
        return None;
    }
    let mut blocks = vec![SectionBlock::Table(verdict_table(judgement))];
    blocks.extend(comparison_remarks(judgement).into_iter().map(SectionBlock::Note));
    Some(ReportSection { id: "verdicts", title: "Verdicts".to_owned(), blocks })
}

/// A row for each comparison.
pub(crate) fn verdict_table(judgement: &Judgement) -> DocumentTable {
    let question = &judgement.comparison.question;
    let mut renamed = vec![("baseline", format!("{} (baseline)", question.baseline))];
    if let [only] = question.candidates.as_slice() {
        renamed.push(("candidate_value", only.clone()));
    }
    let rows = pairs_in_order(judgement).into_iter().map(|pair| row_of_pair(judgement, pair)).collect();
    DocumentTable { renamed, ..DocumentTable::from_rows(&TABLE, rows) }
}

/// From more comparisons on, those with a verdict come first.
const MATRIX_FROM: usize = 24;

/// The comparisons as the table has them: in the order of the plan, of many those with a verdict first.
fn pairs_in_order(judgement: &Judgement) -> Vec<&PairJudgement> {
    let mut pairs: Vec<&PairJudgement> = judgement.comparison.pairs.iter().collect();
    if pairs.len() > MATRIX_FROM {
        pairs.sort_by_key(|pair| !has_verdict(pair));
    }
    pairs
}

fn has_verdict(pair: &PairJudgement) -> bool {
    !matches!(pair.overall_conclusion(), Conclusion::Verdict(Undecided { .. }))
}

/// The table for a first look, and what it leaves out: of many comparisons it has those with a verdict, and of these
/// the first.
pub(crate) fn verdict_table_in_short(judgement: &Judgement) -> (DocumentTable, Option<String>) {
    let mut table = verdict_table(judgement);
    let pairs = &judgement.comparison.pairs;
    if pairs.len() <= MATRIX_FROM {
        return (table, None);
    }
    let decided = pairs.iter().filter(|pair| has_verdict(pair)).count();
    let shown = decided.clamp(1, MATRIX_FROM);
    table.rows.truncate(shown);
    let left_out = format!(
        "{shown} of {} comparisons are shown, of {decided} with a verdict; `pgdyno report` has all",
        pairs.len()
    );
    (table, Some(left_out))
}

fn row_of_pair(judgement: &Judgement, pair: &PairJudgement) -> DocumentRow {
    let question = &judgement.comparison.question;
    let prefix = if question.candidates.len() > 1 { format!("{}: ", pair.candidate) } else { String::new() };
    let mut cells = vec![TableCell::from_words(&pair.candidate)];
    cells.extend(cells_of_pair_at_place(judgement, pair, &prefix));
    DocumentRow::from_cells(cells)
}

/// The workload, the clients, what decides, both sides, the change and the verdict; `prefix` stands before the figures
/// of the candidate.
pub(crate) fn cells_of_pair_at_place(judgement: &Judgement, pair: &PairJudgement, prefix: &str) -> Vec<TableCell> {
    vec![
        TableCell::words_with_figure(of_what(judgement, pair), TableCell::from_words(&pair.place.workload)),
        TableCell::optional_count(pair.place.clients.known_count()),
        TableCell::from_words(pair.deciding_metric().name()),
        TableCell::from_words(pair.deciding_metric().unit()),
        cell_of_side(pair, 0, ""),
        cell_of_side(pair, 1, prefix),
        pair.change_alone().map_or_else(
            || TableCell::change_of_metric(&pair.metrics[0], judgement.comparison.question.threshold.as_share()),
            TableCell::Figure,
        ),
        TableCell::from_words(verdict_or_none(pair)),
    ]
}

/// For people what is got done and how long it takes, for programs the figure that decides.
fn cell_of_side(pair: &PairJudgement, side: usize, prefix: &str) -> TableCell {
    let deciding = point_of_side(pair, side, pair.deciding_metric()).map_or(TableCell::Missing, TableCell::Figure);
    TableCell::words_with_figure(format!("{prefix}{}", figures_of_side(pair, side)), deciding)
}

/// The verdict, or that there is none because nothing was repeated.
fn verdict_or_none(pair: &PairJudgement) -> &'static str {
    match pair.overall_conclusion() {
        Conclusion::Verdict(Undecided { .. }) if pair.change_alone().is_some() => "no verdict",
        conclusion => words::conclusion_word(&conclusion),
    }
}

/// A workload's name with what its figures are of.
fn of_what(judgement: &Judgement, pair: &PairJudgement) -> String {
    let workload = workload_with_loop(judgement, &pair.place.workload);
    match pair.deciding_metric() {
        named @ (Metric::WriteGap | Metric::ReadGap | Metric::DatabaseTime | Metric::StatementTime) => {
            format!("{workload}: {}", named.name())
        }
        // Its clients pause, and the throughput cannot move.
        Metric::LatencyMean if *judgement.comparison.question.load_loop(&pair.place.workload) == LoadLoop::Closed => {
            format!("{workload}: {}", Metric::LatencyMean.name())
        }
        _ => workload,
    }
}

/// A workload's name with what its figures are of, where that is not a closed loop.
fn workload_with_loop(judgement: &Judgement, name: &str) -> String {
    match judgement.comparison.question.load_loop(name) {
        LoadLoop::Closed => name.to_owned(),
        other => format!("{name} ({})", words::load_loop(other)),
    }
}

/// A figure of one side (0 the baseline). A single trial has no interval over blocks but still a figure.
fn point_of_side(pair: &PairJudgement, side: usize, wanted: Metric) -> Option<f64> {
    let judged = pair.metrics.iter().find(|judged| judged.metric == wanted)?;
    let estimate = judged.level_of_side(side);
    if wanted != pair.deciding_metric() {
        return estimate;
    }
    estimate.or_else(|| pair.blocks.first().map(|block| block.figures[side])).or(pair.points[side])
}

/// What is got done and how long it takes, of one side: throughput and mean latency, or a capacity and p99 at it.
fn figures_of_side(pair: &PairJudgement, side: usize) -> String {
    if let gap @ (Metric::WriteGap | Metric::ReadGap) = pair.deciding_metric() {
        return point_of_side(pair, side, gap).map_or_else(|| "–".to_owned(), units::format_milliseconds);
    }
    let [rate, latency] = match pair.deciding_metric() {
        Metric::Capacity => [Metric::Capacity, Metric::LatencyP99],
        named @ (Metric::DatabaseTime | Metric::StatementTime) => [Metric::Throughput, named],
        _ => [Metric::Throughput, Metric::LatencyMean],
    };
    match (point_of_side(pair, side, rate), point_of_side(pair, side, latency)) {
        (Some(tps), Some(ms)) => format!("{}  {}", units::format_tps(tps), units::format_milliseconds(ms)),
        (Some(tps), None) => units::format_tps(tps),
        (None, Some(ms)) => units::format_milliseconds(ms),
        (None, None) => "–".to_owned(),
    }
}

/// One line on each comparison with trials that do not count or with a change that is shown smaller than it is, and one
/// on all those without a verdict.
fn comparison_remarks(judgement: &Judgement) -> Vec<String> {
    let threshold = judgement.comparison.question.threshold.as_share();
    let pairs = &judgement.comparison.pairs;
    let mut remarks: Vec<String> = pairs
        .iter()
        .filter(|pair| {
            !pair.excluded.is_empty()
                || pair.diluted.is_some()
                || pair.failures.as_ref().is_some_and(FailureComparison::has_failures)
        })
        .map(|pair| {
            format!(
                "{}: {}: {}",
                place_of_pair(pair),
                words::conclusion_word(&pair.overall_conclusion()),
                words::verdict_in_words(pair, threshold)
            )
        })
        .collect();
    // Published figures have many cells and few trials in each: the table tells which.
    if judgement.comparison.outputs {
        remarks = first_lines(remarks, REMARKS_MAX, MORE_LEFT_OUT);
    }
    remarks.into_iter().chain(without_verdict(judgement)).collect()
}

/// Which comparison it is: `read at 8 clients, new`.
pub(crate) fn place_of_pair(pair: &PairJudgement) -> String {
    format!("{} at {}, {}", pair.place.workload, units::format_clients(pair.place.clients), pair.candidate)
}

/// The first lines, and how many more there are of what.
pub(crate) fn first_lines(mut lines: Vec<String>, at_most: usize, of_what: &str) -> Vec<String> {
    if lines.len() > at_most {
        let more = lines.split_off(at_most - 1).len();
        lines.push(format!("and {more} {of_what}"));
    }
    lines
}

/// What the comparisons without a verdict lack: a line at most for those without enough blocks, and one for those
/// without any repetition.
pub(crate) fn without_verdict(judgement: &Judgement) -> Vec<String> {
    undecided_remark(judgement).into_iter().chain(single_trial_remark(&judgement.comparison.pairs)).collect()
}

/// The workloads whose changes look smaller than they are, because their sides write and take turns, in one line.
pub(crate) fn diluted_workloads(judgement: &Judgement) -> Option<String> {
    let pairs = judgement.comparison.pairs.iter().filter(|pair| {
        pair.diluted.is_some_and(|diluted| match diluted {
            Diluted::OnOneServer | Diluted::OnServersOfTheirOwn { .. } => true,
            Diluted::OnTheDiskAlone => false,
        })
    });
    let workloads: BTreeSet<&str> = pairs.map(|pair| pair.place.workload.as_str()).collect();
    if workloads.is_empty() {
        return None;
    }
    let workloads = workloads.into_iter().collect::<Vec<_>>().join(", ");
    Some(format!(
        "{workloads}: the sides write in alternate slices, so the change is underestimated (`interleave: trials` measures it in full)"
    ))
}

/// One line on each comparison that leaves trials out.
pub(crate) fn left_out(judgement: &Judgement) -> Vec<String> {
    let pairs = judgement.comparison.pairs.iter().filter(|pair| !pair.excluded.is_empty());
    pairs
        .map(|pair| format!("{}: {}", place_of_pair(pair), words::left_out_in_words(pair).unwrap_or_default()))
        .collect()
}

/// What would probably settle the comparisons that have no verdict, in one line for all of them.
fn undecided_remark(judgement: &Judgement) -> Option<String> {
    let (pairs, state) = (&judgement.comparison.pairs, judgement.comparison.state);
    let mut lacking: Vec<(Option<usize>, ComparedTrials)> = Vec::new();
    for pair in pairs {
        if let Some(more) = blocks_to_verdict(pair) {
            lacking.push((more, ComparedTrials::of_pair(pair)));
        }
    }
    let excluding: Vec<&PairJudgement> = pairs
        .iter()
        .filter(|pair| {
            blocks_to_verdict(pair) == Some(None) && pair.blocks.len() < FEWEST_BLOCKS && !pair.excluded.is_empty()
        })
        .collect();
    if !excluding.is_empty() {
        let of = format!("not enough data in {} of {} comparisons", lacking.len(), pairs.len());
        return Some(format!("{of}: the trials of {} do not count{}", excluding.len(), what_helps(&excluding, state)));
    }
    let threshold = units::format_percent(judgement.comparison.question.threshold.as_share());
    let settle = match lacking.iter().copied().max_by_key(|(more, _)| more.unwrap_or(usize::MAX))? {
        _ if judgement.comparison.outputs => {
            let without: Vec<&PairJudgement> =
                pairs.iter().filter(|pair| blocks_to_verdict(pair).is_some() && pair.points.contains(&None)).collect();
            lacking_outputs(&lacking, &without, &judgement.comparison.question.baseline, &threshold)
        }
        (None, _) => "longer trials or a quieter machine are needed".to_owned(),
        (Some(more), compared) if state != RunState::Complete => compared.lacking_in_words(more),
        (Some(more), compared) => {
            let wanted = FEWEST_BLOCKS.max(compared.count + more);
            let comparison = &judgement.comparison;
            // A block has all cells of the plan in it, as it had.
            let block_s = judgement.measured_s / f64::from(comparison.blocks.max(1));
            let at_most = match wanted > comparison.question.blocks.at_most as usize {
                true => format!(", at_most: {wanted}"),
                false => String::new(),
            };
            let length_s = block_s * wanted as f64;
            // A comparison that ends by the time is asked for by `ab`, where nobody has written a plan.
            let of_ab = match comparison.question.blocks.at_most_time {
                Some(_) => format!(" (`pgdyno ab`: `--time {}m`)", (length_s / 60.0).ceil()),
                None => String::new(),
            };
            format!(
                "{}; run the plan again with `blocks: {{ at_least: {wanted}{at_most} }}`{of_ab}, {} of measuring",
                compared.lacking_in_words(more),
                units::format_time_span(length_s)
            )
        }
    };
    Some(format!("not enough data in {} of {} comparisons: {settle}", lacking.len(), pairs.len()))
}

fn blocks_to_verdict(pair: &PairJudgement) -> Option<Option<usize>> {
    match pair.overall_conclusion() {
        Conclusion::Verdict(Undecided { more_blocks, .. }) if pair.change_alone().is_none() => Some(more_blocks),
        _ => None,
    }
}

/// Why comparisons of outputs of other tools have no verdict: a side without figures, too few trials, which nobody can
/// add to them, or an interval that is too wide for the threshold. `without` are those in which a side has no figure.
fn lacking_outputs(
    lacking: &[(Option<usize>, ComparedTrials)],
    without: &[&PairJudgement],
    baseline: &str,
    threshold: &str,
) -> String {
    let (mut few, mut fewest, mut wide) = (0, FEWEST_BLOCKS, 0);
    for (_, compared) in lacking {
        if compared.count == 0 {
            continue;
        }
        if compared.count < FEWEST_BLOCKS {
            few += 1;
            fewest = fewest.min(compared.count);
        } else {
            wide += 1;
        }
    }
    let mut reasons: Vec<String> = sides_without_figures(without, baseline);
    let none = lacking.iter().filter(|(_, compared)| compared.count == 0).count().saturating_sub(without.len());
    if none > 0 {
        reasons.push(format!("{none} have no trials that both sides have"));
    }
    if few > 0 {
        reasons.push(format!("{few} have fewer than {FEWEST_BLOCKS} trials of a side (the fewest: {fewest})"));
    }
    if wide > 0 {
        reasons.push(format!("in {wide} the interval of the change is too wide for a threshold of ±{threshold}"));
    }
    reasons.join(", and ")
}

/// Which sides have no figure of what is compared, one line for each side and figure: "pod has no throughput of
/// select-only, 8 clients".
fn sides_without_figures(without: &[&PairJudgement], baseline: &str) -> Vec<String> {
    let mut places_of_sides: BTreeMap<(&str, &str), BTreeSet<String>> = BTreeMap::new();
    for pair in without {
        for (side, point) in [baseline, pair.candidate.as_str()].into_iter().zip(pair.points) {
            if point.is_none() {
                let places = places_of_sides.entry((side, pair.deciding_metric().name())).or_default();
                places.insert(format!("{} at {}", pair.place.workload, units::format_clients(pair.place.clients)));
            }
        }
    }
    let mut reasons = Vec::new();
    for ((side, figure), places) in places_of_sides {
        let first = places.first().map_or("", String::as_str);
        let more = if places.len() > 1 { format!(" and {} more cells", places.len() - 1) } else { String::new() };
        reasons.push(format!("{side} has no {figure} of {first}{more}"));
    }
    reasons
}

/// What follows for comparisons of which too many trials do not count: one of which no block has counted so far will
/// hardly have one that does; a trial that was lost is measured again.
fn what_helps(excluding: &[&PairJudgement], state: RunState) -> String {
    let mut more_blocks = 0;
    for pair in excluding {
        let blocks: BTreeSet<u32> = pair.excluded.iter().map(|excluded| excluded.block).collect();
        if !pair.blocks.is_empty() || blocks.len() < FEWEST_BLOCKS {
            more_blocks = more_blocks.max(FEWEST_BLOCKS - pair.blocks.len());
        }
    }
    match (state, more_blocks) {
        (_, 0) => ", and more blocks do not help".to_owned(),
        (RunState::Interrupted | RunState::Unfinished, _) => "; `pgdyno resume` measures what is missing".to_owned(),
        (RunState::Running, _) => " so far".to_owned(),
        (RunState::Complete, 1) => "; at least 1 more block is needed".to_owned(),
        (RunState::Complete, more) => format!("; at least {more} more blocks are needed"),
    }
}

/// Why there is no verdict on the pairs whose change has no interval, once for all of them.
fn single_trial_remark(pairs: &[PairJudgement]) -> Option<String> {
    let count = pairs.iter().filter(|pair| pair.change_alone().is_some()).count();
    (count > 0).then(|| {
        format!(
            "no verdict on {count} of {} comparisons: a side has one trial, so its variance is unknown; at least \
             {FEWEST_BLOCKS} trials per side are needed",
            pairs.len()
        )
    })
}

/// How it was measured and what that cost, in one line.
pub(crate) fn measurement_extent(judgement: &Judgement) -> String {
    let observed = judgement.observer.map_or(String::new(), |share| {
        format!(", observed at a cost of {} of a CPU at most", units::format_percent(share))
    });
    format!("{}{observed}{}{}", measured_in_words(judgement), observation_effect(judgement), ignored_codes(judgement))
}

/// How it was measured, for the first screen.
pub(crate) fn extent_in_short(judgement: &Judgement) -> String {
    format!("{}{}", measured_in_words(judgement), ignored_codes(judgement))
}

fn measured_in_words(judgement: &Judgement) -> String {
    let how = match (judgement.comparison.outputs, judgement.comparison.paired) {
        (false, true) => "interleaved blocks",
        (false, false) => "two separate runs, unpaired",
        (true, true) => "of other tools, paired by repetition as declared",
        (true, false) => "of other tools, unpaired",
    };
    let blocks = match (judgement.comparison.outputs, judgement.comparison.blocks) {
        (true, 1) => "repetition at most",
        (true, _) => "repetitions at most",
        (false, 1) => "block",
        (false, _) => "blocks",
    };
    format!(
        "{} {blocks}, {} of measuring, {how}, {}, threshold ±{}",
        judgement.comparison.blocks,
        units::format_time_span(judgement.measured_s),
        kinds_of_loops(judgement),
        units::format_percent(judgement.comparison.question.threshold.as_share())
    )
}

/// What observing did to the throughput, as what follows on how it was measured;
/// nothing where the probes did not pause.
fn observation_effect(judgement: &Judgement) -> String {
    let excluded = judgement.stolen_pairs_excluded;
    match judgement.observing {
        Some(change) => {
            let pairs = change.n;
            let change = units::change_with_interval(change.point, change.interval.low, change.interval.high);
            let left_out = match excluded {
                0 => String::new(),
                excluded => format!(" ({excluded} more excluded for stolen CPU time)"),
            };
            format!(" and a change of the throughput by {change} over {pairs} pairs of fifths of a second{left_out}")
        }
        None if excluded > 0 => {
            format!(
                " and an unknown change of the throughput, because CPU time was stolen during {excluded} pairs of fifths of a second"
            )
        }
        None => String::new(),
    }
}

/// Which codes are left out on request, as what follows on how it was measured; nothing where none is.
fn ignored_codes(judgement: &Judgement) -> String {
    judgement.ignored_in_words().map_or(String::new(), |words| format!("; {words}"))
}

/// Whether disks were measured and nothing else.
pub(crate) fn is_of_disks_alone(judgement: &Judgement) -> bool {
    judgement.comparison.pairs.is_empty() && judgement.comparison.blocks == 0 && !judgement.disks.disks.is_empty()
}

/// The loops of the run's workloads, each kind once.
fn kinds_of_loops(judgement: &Judgement) -> &'static str {
    let mut loops = judgement.comparison.question.loops.values();
    match (
        loops.clone().any(|workload| *workload == LoadLoop::Closed),
        loops.any(|workload| *workload != LoadLoop::Closed),
    ) {
        (true, true) => "closed and open loops",
        (false, true) => "open loop",
        (_, false) => "closed loop",
    }
}
