//! What does not decide, judged all the same: costs and statements, as data and as lines.

use judge::Judgement;
use judge::beside::{JudgedCost, JudgedStatement, Ruling, StatementId};
use judge::units;
use schemars::JsonSchema;
use serde::Serialize;
use stats::verdict::{Better, Verdict};

use super::columns::{Alignment, aligned};
use super::data::{BetterData, EstimateData, VerdictData};

/// Statements that the data hold, a run may have thousands: those that have a verdict but "not enough data" first.
const KEPT: usize = 500;

/// The verdict on a cost, or on a latency that does not decide.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CostVerdictData {
    /// The candidate.
    pub candidate: String,
    /// The workload.
    pub workload: String,
    /// Number of clients; absent if unknown.
    pub clients: Option<u32>,
    /// The name of the cost, such as "WAL per transaction".
    pub cost: String,
    /// The unit of both sides.
    pub unit: &'static str,
    /// The verdict and its figures.
    pub ruling: RulingData,
}

/// The verdict on a statement, or on all rare statements of a class.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StatementVerdictData {
    /// The candidate.
    pub candidate: String,
    /// The workload.
    pub workload: String,
    /// Number of clients; absent if unknown.
    pub clients: Option<u32>,
    /// Its number in the workload; absent for a class.
    pub number: Option<u32>,
    /// `SCRIPT:LINE`, or the class.
    pub statement: String,
    /// Candidate − baseline of the time that it takes of a mean transaction, in milliseconds.
    pub more_ms: f64,
    /// The verdict on the mean of one execution, in milliseconds.
    pub ruling: RulingData,
}

/// The result of one comparison other than the deciding one.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RulingData {
    /// The baseline's figure: the geometric mean over the blocks.
    pub baseline: f64,
    /// The candidate's figure.
    pub candidate_value: f64,
    /// candidate / baseline − 1; absent with fewer than two blocks.
    pub change: Option<EstimateData>,
    /// The direction that is good.
    pub better: BetterData,
    /// The verdict, adjusted for the family of all comparisons of its kind.
    pub verdict: VerdictData,
    /// Whether the whole interval lies beyond the threshold. If so, a loss fails the run.
    pub beyond_threshold: bool,
    /// The change in a sentence.
    pub text: String,
}

/// All costs.
pub(crate) fn costs(judgement: &Judgement) -> Vec<CostVerdictData> {
    judgement.beside.costs.iter().map(cost).collect()
}

fn cost(judged: &JudgedCost) -> CostVerdictData {
    CostVerdictData {
        candidate: judged.candidate.clone(),
        workload: judged.place.workload.clone(),
        clients: judged.place.clients.known(),
        cost: judged.cost.name().to_owned(),
        unit: judged.cost.unit(),
        ruling: ruling(&judged.ruling, judge::of_cost(judged)),
    }
}

/// All statements.
pub(crate) fn statements(judgement: &Judgement) -> Vec<StatementVerdictData> {
    let mut all: Vec<&JudgedStatement> = judgement.beside.statements.iter().collect();
    if all.len() > KEPT {
        all.sort_by_key(|one| rank(&one.ruling));
        all.truncate(KEPT);
    }
    all.into_iter().map(statement).collect()
}

fn statement(judged: &JudgedStatement) -> StatementVerdictData {
    let number = match &judged.statement {
        StatementId::One { number, .. } => Some(number.0),
        StatementId::Rare(_) => None,
    };
    StatementVerdictData {
        candidate: judged.candidate.clone(),
        workload: judged.place.workload.clone(),
        clients: judged.place.clients.known(),
        number,
        statement: judged.statement.name(),
        more_ms: judged.more_ms,
        ruling: ruling(&judged.ruling, judge::of_statement(judged)),
    }
}

fn ruling(of: &Ruling, text: String) -> RulingData {
    RulingData {
        baseline: of.sides[0],
        candidate_value: of.sides[1],
        change: of.change.map(EstimateData::from),
        better: match of.better {
            Better::Higher => BetterData::Higher,
            Better::Lower => BetterData::Lower,
        },
        verdict: (&of.verdict).into(),
        beyond_threshold: of.is_beyond,
        text,
    }
}

/// Losses first, then gains.
fn rank(ruling: &Ruling) -> u8 {
    match (ruling.verdict, ruling.is_beyond) {
        (Verdict::Regressed, true) => 0,
        (Verdict::Regressed, false) => 1,
        (Verdict::Improved, _) => 2,
        (Verdict::NotEnoughData { .. } | Verdict::SoFar, _) => 3,
        (Verdict::Equivalent, _) => 4,
    }
}

/// A verdict in a table: a loss that fails the run is in capitals.
fn verdict_word(ruling: &Ruling) -> &'static str {
    if ruling.is_loss() { "REGRESSED" } else { super::words::verdict(&ruling.verdict) }
}

/// The costs and statements whose change is sure, under a heading; none where none is.
pub(crate) fn lines(judgement: &Judgement) -> Option<(String, Vec<String>)> {
    let is_sure = |ruling: &Ruling| matches!(ruling.verdict, Verdict::Regressed | Verdict::Improved);
    let place = |candidate: &str, place: &judge::compare::Place| {
        format!("{candidate} · {} at {}", place.workload, units::clients(place.clients))
    };
    let mut rows: Vec<(u8, [String; 3])> = Vec::new();
    for one in judgement.beside.costs.iter().filter(|one| is_sure(&one.ruling)) {
        let said = format!("{}{}", judge::of_cost(one), sides(one));
        rows.push((rank(&one.ruling), [place(&one.candidate, &one.place), said, verdict_word(&one.ruling).to_owned()]));
    }
    for one in judgement.beside.statements.iter().filter(|one| is_sure(&one.ruling)) {
        let [baseline, candidate] = one.ruling.sides.map(units::milliseconds);
        let said = format!("{}, {baseline} → {candidate}", judge::of_statement(one));
        rows.push((rank(&one.ruling), [place(&one.candidate, &one.place), said, verdict_word(&one.ruling).to_owned()]));
    }
    rows.sort_by_key(|(rank, _)| *rank);
    let more = rows.len().saturating_sub(LINES);
    let rows: Vec<[String; 3]> = rows.into_iter().take(LINES).map(|(_, row)| row).collect();
    let mut lines = aligned(&rows, [Alignment::Left; 3]);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    (!rows.is_empty()).then(|| (HEADING.to_owned(), lines))
}

/// What stands over the lines.
const HEADING: &str = "Costs and statements with a significant change (REGRESSED: by more than the threshold)";
/// Lines at most.
const LINES: usize = 12;

/// Both sides of a cost, where its sentence has only the change.
fn sides(one: &JudgedCost) -> String {
    let said = judge::of_cost(one);
    if said.contains('→') {
        return String::new();
    }
    let [baseline, candidate] = one.ruling.sides.map(|figure| judge::amount(one.cost, figure));
    format!(", {baseline} → {candidate}")
}
