//! What a plan requires of captured loads: how much slower than on the baseline the database time may be, and each
//! statement.

use plan::{Percent, Plan, WorkloadLimits};
use stats::Estimate;
use stats::stopping::FEWEST_BLOCKS;

use crate::beside::{JudgedStatement, SecondaryVerdicts};
use crate::compare::{Metric, PairJudgement};
use crate::required::{Compliance, Limited, Requirement};

/// A statement that takes at least this share of the database time has to be known to keep its limit.
const HAS_TO_BE_KNOWN: f64 = 0.01;

/// The limits of captured loads, pair by pair.
pub(crate) fn limits_of_captured_loads(
    plan: Option<&Plan>,
    pairs: &[PairJudgement],
    beside: &SecondaryVerdicts,
) -> Vec<Requirement> {
    let mut all = Vec::new();
    for workload in plan.iter().flat_map(|plan| &plan.workloads) {
        let WorkloadLimits { database_time, statements, .. } = workload.require;
        for pair in pairs.iter().filter(|pair| pair.place.workload == workload.name) {
            all.extend(database_time.map(|limit| limit_on_database_time(pair, limit)));
            all.extend(statements.map(|limit| limit_on_statements(pair, beside, limit)));
        }
    }
    all
}

fn limit_on_database_time(pair: &PairJudgement, limit: Percent) -> Requirement {
    let judged = pair.metrics.iter().find(|judged| judged.metric == Metric::DatabaseTime);
    let measured = judged.and_then(|judged| judged.change);
    let ruling = match measured.filter(|change| change.n >= FEWEST_BLOCKS) {
        Some(change) => Compliance::with_upper_limit(&change, limit.as_fraction()),
        None => Compliance::NotEnoughData,
    };
    limit_on_pair(pair, (Limited::DatabaseTime, limit), measured, None, ruling)
}

fn limit_on_statements(pair: &PairJudgement, beside: &SecondaryVerdicts, limit: Percent) -> Requirement {
    let mut judged: Vec<&JudgedStatement> = Vec::new();
    for one in &beside.statements {
        if one.candidate == pair.candidate && one.place == pair.place {
            judged.push(one);
        }
    }
    let broken = judged.iter().copied().filter(|one| one.ruling.is_loss());
    let open = judged.iter().copied().filter(|one| may_break(one, limit.as_fraction()));
    let (deciding, ruling) = match (slowest_of(broken), slowest_of(open)) {
        (Some(broken), _) => (Some(broken), Compliance::Broken),
        (None, Some(open)) => (Some(open), Compliance::NotEnoughData),
        (None, None) if judged.is_empty() => (None, Compliance::NotEnoughData),
        (None, None) => (slowest_of(judged.iter().copied()), Compliance::Kept),
    };
    let measured = deciding.and_then(|one| one.ruling.change);
    limit_on_pair(pair, (Limited::Statements, limit), measured, deciding.map(|one| one.statement.name()), ruling)
}

/// Whether a statement takes so much of the time that it has to be known to keep its limit, and is not.
fn may_break(one: &JudgedStatement, limit: f64) -> bool {
    let share = one.captured.as_ref().map_or(0.0, |captured| captured.share);
    share >= HAS_TO_BE_KNOWN && one.ruling.change.is_none_or(|change| change.interval.high >= limit)
}

/// The one whose change is largest.
fn slowest_of<'a>(statements: impl Iterator<Item = &'a JudgedStatement>) -> Option<&'a JudgedStatement> {
    statements.max_by(|one, other| change_of_statement(one).total_cmp(&change_of_statement(other)))
}

fn change_of_statement(one: &JudgedStatement) -> f64 {
    one.ruling.change.map_or(f64::NEG_INFINITY, |change| change.point)
}

fn limit_on_pair(
    pair: &PairJudgement,
    (limited, limit): (Limited, Percent),
    measured: Option<Estimate>,
    of: Option<String>,
    ruling: Compliance,
) -> Requirement {
    Requirement {
        target: pair.candidate.clone(),
        place: pair.place.clone(),
        limited,
        limit: limit.as_fraction(),
        measured,
        of,
        completes_nothing: None,
        ruling,
    }
}
