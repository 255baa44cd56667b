//! What is said of costs and statements in the headline, behind the verdict of the deciding metric.
//!
//! Losses are named wherever they are sure, the gravest first; gains only where they are larger than the threshold for
//! sure. Where the deciding metric has moved, costs and latencies that move with it are the same news, and statements
//! say where.

use stats::Estimate;
use stats::verdict::Verdict;

use crate::beside::{ComparedCost, JudgedCost, JudgedStatement, SecondaryRuling, SecondaryVerdicts, StatementId};
use crate::compare::Metric;
use crate::units;

/// What stands beside the verdict on one workload.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct BesideWords {
    /// Losses that are sure.
    pub losses: Vec<String>,
    /// Gains that are sure.
    pub gains: Vec<String>,
}

/// Where the deciding metric has moved to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moved {
    /// It is better.
    Better,
    /// It is worse.
    Worse,
}

/// Whether a cost only says again what the deciding metric does.
fn is_same_news(cost: &JudgedCost, moved: Option<Moved>) -> bool {
    match moved {
        None => false,
        Some(Moved::Worse) => true,
        Some(Moved::Better) => cost.ruling.verdict == Verdict::Improved,
    }
}

/// The words for one candidate and workload, whose deciding metric has `moved` for better or worse. `is_one_place`: the
/// workload has one number of clients.
pub(super) fn beside_words(
    beside: &SecondaryVerdicts,
    [candidate, workload]: [&str; 2],
    moved: Option<Moved>,
    is_one_place: bool,
) -> BesideWords {
    let mut costs: Vec<&JudgedCost> = beside
        .costs
        .iter()
        .filter(|cost| !is_same_news(cost, moved) && cost.candidate == candidate && cost.place.workload == workload)
        .collect();
    costs.sort_by(|a, b| b.ruling.log_ratio_size().total_cmp(&a.ruling.log_ratio_size()));
    let mut statements: Vec<&JudgedStatement> =
        beside.statements.iter().filter(|one| is_of_pair(one, [candidate, workload])).collect();
    statements.sort_by(|a, b| b.more_ms.abs().total_cmp(&a.more_ms.abs()));
    let at = |clients| if is_one_place { String::new() } else { format!(" at {}", units::format_clients(clients)) };
    let chosen = |is_it: fn(&SecondaryRuling) -> bool| {
        let costs: Vec<String> = costs
            .iter()
            .filter(|cost| is_it(&cost.ruling))
            .map(|cost| format!("{}{}", of_cost(cost), at(cost.place.clients)))
            .collect();
        let felt = statements.iter().filter(|one| one.is_felt && is_it(&one.ruling));
        let statements: Vec<String> =
            felt.map(|one| format!("{}{}", of_statement(one), at(one.place.clients))).collect();
        [first_of(costs, "cost"), first_of(statements, "statement")].into_iter().flatten().collect()
    };
    BesideWords {
        losses: chosen(|ruling| ruling.verdict == Verdict::Regressed),
        gains: chosen(SecondaryRuling::is_gain),
    }
}

/// Of a captured load the tally of its statements says it.
fn is_of_pair(one: &JudgedStatement, [candidate, workload]: [&str; 2]) -> bool {
    one.candidate == candidate && one.place.workload == workload && one.captured.is_none()
}

/// The first, and how many more there are.
fn first_of(all: Vec<String>, what: &str) -> Option<String> {
    let more = all.len().saturating_sub(1);
    let first = all.into_iter().next()?;
    Some(match more {
        0 => first,
        1 => format!("{first} (and 1 more {what})"),
        more => format!("{first} (and {more} more {what}s)"),
    })
}

/// A cost with its change, for example `CPU time per transaction +371 % [+288, +473] %`.
pub fn of_cost(cost: &JudgedCost) -> String {
    let name = cost.cost.name();
    if is_nothing_beside_something(cost) {
        let [baseline, candidate] = cost.ruling.sides.map(|figure| side_in_words(cost.cost, figure));
        return format!("{name} {baseline} → {candidate}");
    }
    format!("{name} {}", change_in_words(&cost.ruling))
}

/// Whether a side takes nothing of it, so that the ratio of the sides says little.
pub fn is_nothing_beside_something(cost: &JudgedCost) -> bool {
    cost.ruling.sides.iter().any(|figure| cost.cost.is_nothing(*figure))
}

/// The figure of a side with its unit, for example `3.83 MiB`, or `none`.
pub fn side_in_words(cost: ComparedCost, figure: f64) -> String {
    if cost.is_nothing(figure) { "none".to_owned() } else { format_amount(cost, figure) }
}

fn format_amount(cost: ComparedCost, figure: f64) -> String {
    match (cost, cost.unit()) {
        (ComparedCost::Metric(Metric::Throughput | Metric::Capacity), _) => units::format_tps(figure),
        (_, "ms") => units::format_milliseconds(figure),
        (_, "B") => units::format_bytes(figure),
        (_, unit) => format!("{} {unit}", units::format_count(figure)),
    }
}

/// A statement with its change, for example `statement lk.sql:2 takes 4.7 times as long [3.9, 5.8]`.
pub fn of_statement(one: &JudgedStatement) -> String {
    let (name, takes) = match &one.statement {
        StatementId::One { .. } | StatementId::Captured { .. } => {
            (format!("statement {}", one.statement.name()), "takes")
        }
        StatementId::Rare(class) => (class.name().to_owned(), "take"),
    };
    let Some(change) = one.ruling.change else { return format!("{name}: change not known") };
    if change.point < 1.0 {
        let direction = if change.point > 0.0 { "longer" } else { "less time" };
        let interval = units::change_interval(change.interval.low, change.interval.high);
        return format!("{name} {takes} {} {direction} {interval}", units::format_size_of_change(change.point));
    }
    format!("{name} {takes} {}", times_as_long(&change))
}

/// A change of a time as a multiple, for example `4.7 times as long [3.9, 5.8]`.
pub(super) fn times_as_long(change: &Estimate) -> String {
    let [point, low, high] =
        [change.point, change.interval.low, change.interval.high].map(|end| format_factor(end + 1.0));
    format!("{point} times as long [{low}, {high}]")
}

/// A factor with two digits that say something.
fn format_factor(factor: f64) -> String {
    if factor >= 9.95 { format!("{factor:.0}") } else { format!("{factor:.1}") }
}

fn change_in_words(ruling: &SecondaryRuling) -> String {
    let Some(change) = ruling.change else { return "not known".to_owned() };
    units::change_with_interval(change.point, change.interval.low, change.interval.high)
}
