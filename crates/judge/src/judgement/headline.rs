//! What a person reads first: what the candidate gains or loses, in one line per workload.
//!
//! A loss or a gain is claimed only where it stands among all pairs; the largest one of a workload is named with its
//! interval. Where nothing is sure, it says what is excluded all the same. Of many pairs of sides and workloads it says
//! how many have which verdict, and names those that have one, losses first.

use results::trial::ClientCount;
use stats::Estimate;
use stats::stopping::FEWEST_BLOCKS;
use stats::verdict::{BetterDirection, Verdict};

use super::beside_words::{BesideWords, Moved, beside_words, times_as_long};
use crate::beside::{SecondaryVerdicts, StatementTally};
use crate::captured_results::ResultComparison;
use crate::compare::{Metric, PairJudgement, PairStanding, standings_of_pairs};
use crate::failures::{self, DoesNotWork, FailureVerdict};
use crate::units;

/// What one candidate does to one workload.
#[derive(Debug, Clone)]
enum HeadlineClaim<'a> {
    /// What its failures say: at the first of its places whose failures say it, and at how many others.
    Failures(&'a PairJudgement, usize),
    Worse(Estimate, ClientCount, Metric),
    Better(Estimate, ClientCount, Metric),
    Equivalent,
    /// At some numbers of clients it is equivalent or not worse, and at the others there is not enough data.
    PartlyDecided(PartlyDecided),
    /// At no number of clients it is worse, and at one at least it may be better: what its places leave open, as below.
    NotWorse([f64; 2], Metric),
    /// At no number of clients it is better, and at each it may be worse.
    NotBetter([f64; 2], Metric),
    /// Further blocks are coming; what the blocks so far leave open, as below.
    SoFar(Option<[f64; 2]>, Metric),
    /// One of its places, the largest change of them, says by itself what does not stand among all.
    ByItself(Estimate, ClientCount, Metric),
    /// Too few of its trials count, for this reason of one of them.
    DoNotCount(&'a str),
    /// Nothing is sure but that, as shares, the largest loss and the largest gain that its places leave open.
    NotEnough(Option<[f64; 2]>, Metric),
}

/// Numbers of clients by what is known there.
#[derive(Debug, Clone)]
struct PartlyDecided {
    equivalent: Vec<ClientCount>,
    not_worse: Vec<ClientCount>,
    undecided: Vec<ClientCount>,
}

impl PartlyDecided {
    fn of_pairs(here: &[(&PairJudgement, PairStanding)]) -> Self {
        let mut decided = Self { equivalent: Vec::new(), not_worse: Vec::new(), undecided: Vec::new() };
        for (pair, standing) in here {
            let of_standing = match standing {
                PairStanding::Equivalent => &mut decided.equivalent,
                PairStanding::NoLoss => &mut decided.not_worse,
                _ => &mut decided.undecided,
            };
            of_standing.push(pair.place.clients);
        }
        decided
    }

    fn in_words(&self, band: &str) -> String {
        let mut clauses = Vec::new();
        if !self.equivalent.is_empty() {
            clauses.push(format!("is equivalent (within ±{band}) at {}", numbers_of_clients(&self.equivalent)));
        }
        if !self.not_worse.is_empty() {
            clauses.push(format!("is not worse by more than {band} at {}", numbers_of_clients(&self.not_worse)));
        }
        if !self.undecided.is_empty() {
            clauses.push(format!("has not enough data for a verdict at {}", numbers_of_clients(&self.undecided)));
        }
        match clauses.as_slice() {
            [first, second] => format!("{first}, and {second}"),
            _ => clauses.join(", "),
        }
    }
}

/// What a headline says beside the verdicts on the pairs.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordsBeside<'a> {
    /// Costs and statements.
    pub(super) beside: &'a SecondaryVerdicts,
    /// What both sides of captured loads return.
    pub(super) results: &'a [ResultComparison],
}

/// The headline over all pairs: a sentence, or a line for each pair of sides and workload where there are several.
/// `threshold` is the practical threshold as a share.
pub(super) fn headline_over_pairs(
    pairs: &[PairJudgement],
    WordsBeside { beside, results }: WordsBeside<'_>,
    threshold: f64,
) -> String {
    if pairs.is_empty() {
        return "Nothing was compared: the plan has no candidate.".to_owned();
    }
    let judged: Vec<(&PairJudgement, PairStanding)> = pairs.iter().zip(standings_of_pairs(pairs)).collect();
    let (mut lines, mut of_matrix) = (Vec::new(), Vec::new());
    for (candidate, baseline) in sides_in_order(pairs) {
        let mut clauses = Vec::new();
        for workload in in_order(pairs.iter().map(|pair| pair.place.workload.as_str())) {
            let mut here = judged.clone();
            here.retain(|(pair, _)| {
                pair.candidate == candidate && pair.baseline == baseline && pair.place.workload == workload
            });
            let claim = claim_of_pairs(&here);
            let moved = match claim {
                HeadlineClaim::Worse(..) => Some(Moved::Worse),
                HeadlineClaim::Better(..) => Some(Moved::Better),
                HeadlineClaim::Failures(pair, _) if loss_beside_failures(pair).is_some() => Some(Moved::Worse),
                HeadlineClaim::Equivalent
                | HeadlineClaim::PartlyDecided(_)
                | HeadlineClaim::NotWorse(..)
                | HeadlineClaim::NotBetter(..)
                | HeadlineClaim::SoFar(..)
                | HeadlineClaim::ByItself(..)
                | HeadlineClaim::Failures(..)
                | HeadlineClaim::DoNotCount(_)
                | HeadlineClaim::NotEnough(..) => None,
            };
            let words = beside_words(beside, [candidate, workload], moved, here.len() == 1);
            let deciding = here[0].0.deciding_metric();
            let mut clause = with_beside(&claim, &words, deciding, threshold);
            if deciding == Metric::DatabaseTime {
                let other_results = other_results_in_words(results, candidate, workload);
                let tallies = tallies_in_words(beside, candidate, workload);
                clause = format!("your load {workload}: {other_results}{clause}{tallies}");
            } else {
                clause = format!("{workload} {clause}");
            }
            let (verdict, size) = ClaimedVerdict::of_claim(&claim);
            of_matrix.push(MatrixClause { candidate, baseline, clause: clause.clone(), verdict, size });
            clauses.push(clause);
        }
        match clauses.as_slice() {
            [only] => lines.push(format!("{candidate} against {baseline}: {only}.")),
            many => {
                lines.push(format!("{candidate} against {baseline}"));
                lines.extend(many.iter().map(|clause| format!("  {clause}")));
            }
        }
    }
    if of_matrix.len() > MATRIX_FROM { headline_of_matrix(of_matrix) } else { lines.join("\n") }
}

/// From more pairs of sides and workloads on, the headline is that of a matrix.
const MATRIX_FROM: usize = 12;

/// Lines of a matrix with a verdict that are named.
const NAMED_AT_MOST: usize = 10;

/// What a matrix says of one pair of sides and workload.
struct MatrixClause<'a> {
    candidate: &'a str,
    baseline: &'a str,
    clause: String,
    verdict: ClaimedVerdict,
    /// How large the change is, without its sign.
    size: f64,
}

/// The verdicts that a matrix counts, in the order in which it names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ClaimedVerdict {
    Worse,
    Better,
    Decided,
    Undecided,
}

impl ClaimedVerdict {
    fn of_claim(claim: &HeadlineClaim<'_>) -> (Self, f64) {
        match claim {
            HeadlineClaim::Worse(change, ..) => (Self::Worse, change.point.abs()),
            HeadlineClaim::Better(change, ..) => (Self::Better, change.point.abs()),
            HeadlineClaim::Failures(pair, _) => match pair.failure_verdict() {
                FailureVerdict::Fewer | FailureVerdict::BaselineBroken => (Self::Better, f64::MAX),
                _ => (Self::Worse, f64::MAX),
            },
            HeadlineClaim::Equivalent
            | HeadlineClaim::PartlyDecided(_)
            | HeadlineClaim::NotWorse(..)
            | HeadlineClaim::NotBetter(..) => (Self::Decided, 0.0),
            HeadlineClaim::SoFar(..)
            | HeadlineClaim::ByItself(..)
            | HeadlineClaim::DoNotCount(_)
            | HeadlineClaim::NotEnough(..) => (Self::Undecided, 0.0),
        }
    }
}

/// How many pairs of sides and workloads have which verdict, and those that have one, the largest losses first.
fn headline_of_matrix(mut clauses: Vec<MatrixClause<'_>>) -> String {
    let [worse, better, decided, undecided] =
        [ClaimedVerdict::Worse, ClaimedVerdict::Better, ClaimedVerdict::Decided, ClaimedVerdict::Undecided]
            .map(|verdict| clauses.iter().filter(|clause| clause.verdict == verdict).count());
    let mut lines = vec![format!(
        "{} pairs of sides and workloads: {worse} worse, {better} better, {decided} equivalent or bounded, {undecided} \
         without a verdict.",
        clauses.len()
    )];
    clauses.retain(|clause| clause.verdict != ClaimedVerdict::Undecided);
    clauses.sort_by(|one, other| one.verdict.cmp(&other.verdict).then(other.size.total_cmp(&one.size)));
    for MatrixClause { candidate, baseline, clause, .. } in clauses.iter().take(NAMED_AT_MOST) {
        lines.push(format!("  {candidate} against {baseline}: {clause}"));
    }
    if clauses.len() > NAMED_AT_MOST {
        lines.push(format!("  and {} more with a verdict", clauses.len() - NAMED_AT_MOST));
    }
    lines.join("\n")
}

/// How many statements of a captured load return other results, at most of any number of clients; it stands before what
/// is said of times.
fn other_results_in_words(results: &[ResultComparison], candidate: &str, workload: &str) -> String {
    let here = results.iter().filter(|one| one.candidate == candidate && one.place.workload == workload);
    let Some(most) = here.max_by_key(|one| one.differing.len()).filter(|one| !one.differing.is_empty()) else {
        return String::new();
    };
    let (noun, verb) = (
        if most.compared == 1 { "statement" } else { "statements" },
        if most.differing.len() == 1 { "returns" } else { "return" },
    );
    format!("{} of {} {noun} {verb} other results; ", most.differing.len(), most.compared)
}

/// The statements of a captured load by their verdicts, a sentence for each number of clients; begins with the end of
/// the sentence before it.
fn tallies_in_words(beside: &SecondaryVerdicts, candidate: &str, workload: &str) -> String {
    let mut here: Vec<&StatementTally> = beside.tallies.iter().collect();
    here.retain(|tally| tally.candidate == candidate && tally.place.workload == workload);
    let mut words = String::new();
    for tally in &here {
        let said = match here.len() {
            1 => tally.in_words(),
            _ => format!("at {} {}", units::format_clients(tally.place.clients), tally.in_words()),
        };
        let mut letters = said.chars();
        words.push_str(". ");
        words.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        words.push_str(letters.as_str());
    }
    words
}

/// The workloads that complete nothing on the only targets that there are.
pub(super) fn works_nowhere(found: &[DoesNotWork]) -> String {
    let mut lines = Vec::new();
    for DoesNotWork { place, targets } in found {
        let fails: Vec<String> =
            targets.iter().map(|cell| failures::describe_failing_side(&cell.target, &cell.account)).collect();
        let clients = units::format_clients(place.clients);
        lines.push(format!("{} at {clients} does not work: {}.", place.workload, fails.join("; ")));
    }
    lines.join("\n")
}

fn claim_of_pairs<'a>(here: &[(&'a PairJudgement, PairStanding)]) -> HeadlineClaim<'a> {
    let worse = [FailureVerdict::Broken, FailureVerdict::More];
    if let Some(claim) = of_failures(here, &worse) {
        return claim;
    }
    if let Some((change, clients, metric)) = largest_change(here, |_, standing| standing == PairStanding::Loss) {
        return HeadlineClaim::Worse(change, clients, metric);
    }
    let others = [FailureVerdict::NeitherWorks, FailureVerdict::BaselineBroken, FailureVerdict::Fewer];
    if let Some(claim) = of_failures(here, &others) {
        return claim;
    }
    if let Some((change, clients, metric)) = largest_change(here, |_, standing| standing == PairStanding::Gain) {
        return HeadlineClaim::Better(change, clients, metric);
    }
    if here.iter().any(|(pair, _)| pair.verdict() == Verdict::SoFar) {
        return HeadlineClaim::SoFar(left_open(here), here[0].0.deciding_metric());
    }
    if let Some((change, clients, metric)) = largest_change(here, is_change_undecided_by_others) {
        return HeadlineClaim::ByItself(change, clients, metric);
    }
    let decided = PartlyDecided::of_pairs(here);
    if decided.equivalent.len() == here.len() {
        return HeadlineClaim::Equivalent;
    }
    let is_nowhere_better = here.iter().all(|(pair, _)| pair.verdict() == Verdict::NotBetter);
    match left_open(here) {
        Some(open) if is_nowhere_better => HeadlineClaim::NotBetter(open, here[0].0.deciding_metric()),
        Some(open) if decided.undecided.is_empty() => HeadlineClaim::NotWorse(open, here[0].0.deciding_metric()),
        open if decided.undecided.len() == here.len() => match here.iter().find_map(|(pair, _)| do_not_count(pair)) {
            Some(reason) => HeadlineClaim::DoNotCount(reason),
            None => HeadlineClaim::NotEnough(open, here[0].0.deciding_metric()),
        },
        _ => HeadlineClaim::PartlyDecided(decided),
    }
}

fn is_change_undecided_by_others(verdict: Verdict, standing: PairStanding) -> bool {
    matches!(verdict, Verdict::Improved | Verdict::Regressed) && standing == PairStanding::Undecided
}

/// The first of these that the failures of a place say.
fn of_failures<'a>(
    here: &[(&'a PairJudgement, PairStanding)],
    verdicts: &[FailureVerdict],
) -> Option<HeadlineClaim<'a>> {
    for verdict in verdicts {
        let mut those = here.iter().map(|(pair, _)| *pair).filter(|pair| pair.failure_verdict() == *verdict);
        if let Some(first) = those.next() {
            return Some(HeadlineClaim::Failures(first, those.count()));
        }
    }
    None
}

/// Why a trial of a pair does not count that has too few others; of such no number of blocks gives a verdict.
fn do_not_count(pair: &PairJudgement) -> Option<&str> {
    let first =
        pair.excluded.first().filter(|_| pair.deciding_change().is_none_or(|change| change.n < FEWEST_BLOCKS))?;
    Some(first.reason.as_str())
}

/// The largest change of the pairs whose verdict and standing are so.
fn largest_change(
    here: &[(&PairJudgement, PairStanding)],
    is: impl Fn(Verdict, PairStanding) -> bool,
) -> Option<(Estimate, ClientCount, Metric)> {
    let those = here.iter().filter(|(pair, standing)| is(pair.verdict(), *standing));
    let changes =
        those.filter_map(|(pair, _)| Some((pair.deciding_change()?, pair.place.clients, pair.deciding_metric())));
    changes.max_by(|(a, ..), (b, ..)| a.point.abs().total_cmp(&b.point.abs()))
}

/// The largest loss and the largest gain that all places leave open; none while one of them tells nothing.
fn left_open(here: &[(&PairJudgement, PairStanding)]) -> Option<[f64; 2]> {
    let mut open: Option<[f64; 2]> = None;
    for (pair, _) in here {
        if matches!(pair.verdict(), Verdict::Improved | Verdict::Regressed) {
            return None;
        }
        let [worse, better] = pair.left_open()?;
        let [loss, gain] = open.unwrap_or([worse, better]);
        open = Some([loss.max(worse), gain.max(better)]);
    }
    open
}

/// The claim with what is sure besides.
fn with_beside(claim: &HeadlineClaim<'_>, beside: &BesideWords, deciding: Metric, threshold: f64) -> String {
    let BesideWords { losses, gains } = beside;
    let band = units::format_percent(threshold);
    let said = match claim {
        // What is not in the deciding metric must not be read into it.
        HeadlineClaim::Equivalent if !losses.is_empty() || deciding == Metric::DatabaseTime => {
            format!("is equivalent in {} (within ±{band})", deciding.name())
        }
        _ => in_words(claim, threshold),
    };
    let is_worse = match claim {
        HeadlineClaim::Worse(..) => true,
        HeadlineClaim::Failures(pair, _) => loss_beside_failures(pair).is_some(),
        _ => false,
    };
    let before_losses = if is_worse { "; " } else { ", but " };
    let mut words = said;
    if !losses.is_empty() {
        words.push_str(before_losses);
        words.push_str(&losses.join("; "));
    }
    if !gains.is_empty() {
        words.push_str("; better: ");
        words.push_str(&gains.join("; "));
    }
    words
}

/// From this change on a latency is told as a multiple: a percentage of five digits is hard to read.
const TENFOLD: f64 = 9.0;

fn in_words(claim: &HeadlineClaim<'_>, threshold: f64) -> String {
    let by = |change: &Estimate, clients: &ClientCount| {
        let interval = units::change_interval_beside(change.interval.low, change.interval.high, threshold);
        let clients = units::format_clients(*clients);
        format!("{} {interval} at {clients}", units::format_size_of_change(change.point))
    };
    let band = units::format_percent(threshold);
    match claim {
        HeadlineClaim::Failures(pair, others) => match loss_beside_failures(pair) {
            Some(change) => format!(
                "{} {}, and {}",
                verb_for_metric(pair.deciding_metric(), false),
                by(&change, &pair.place.clients),
                failures_in_words(pair, *others)
            ),
            None => failures_in_words(pair, *others),
        },
        HeadlineClaim::Worse(change, clients, Metric::LatencyMean) if change.point >= TENFOLD => {
            format!("takes {} at {}", times_as_long(change), units::format_clients(*clients))
        }
        HeadlineClaim::Worse(change, clients, Metric::DatabaseTime)
        | HeadlineClaim::Better(change, clients, Metric::DatabaseTime) => {
            let said = units::change_with_interval(change.point, change.interval.low, change.interval.high);
            format!("database time {said} at {}", units::format_clients(*clients))
        }
        HeadlineClaim::Worse(change, clients, metric) => {
            format!("{} {}", verb_for_metric(*metric, false), by(change, clients))
        }
        HeadlineClaim::Better(change, clients, metric) => {
            format!("{} {}", verb_for_metric(*metric, true), by(change, clients))
        }
        HeadlineClaim::Equivalent => format!("is equivalent (within ±{band})"),
        HeadlineClaim::PartlyDecided(decided) => decided.in_words(&band),
        HeadlineClaim::NotWorse([loss, gain], metric) | HeadlineClaim::NotBetter([loss, gain], metric) => {
            let side = if matches!(claim, HeadlineClaim::NotWorse(..)) { "worse" } else { "better" };
            let open = metric.open_changes_in_words(*loss, *gain, threshold);
            format!("is not {side} by more than {band}; {open}")
        }
        HeadlineClaim::ByItself(change, clients, metric) => {
            let is_gain = (change.point > 0.0) == (metric.better_direction() == BetterDirection::Higher);
            let claim = format!("{} {}", verb_for_metric(*metric, is_gain), by(change, clients));
            format!(
                "has not enough data for a verdict: it {claim}, which is not significant after the correction for \
                 multiple comparisons"
            )
        }
        HeadlineClaim::SoFar(None, _) => "is being measured; no verdict yet".to_owned(),
        HeadlineClaim::SoFar(Some([loss, gain]), metric) => {
            format!(
                "is being measured; no verdict yet, so far {}",
                metric.open_changes_in_words(*loss, *gain, threshold)
            )
        }
        HeadlineClaim::DoNotCount(reason) => {
            format!("has no verdict: too few of its trials are usable; the first excluded: {reason}")
        }
        HeadlineClaim::NotEnough(None, _) => "has not enough data for a verdict".to_owned(),
        HeadlineClaim::NotEnough(Some([loss, gain]), metric) => {
            format!("has not enough data for a verdict; {}", metric.open_changes_in_words(*loss, *gain, threshold))
        }
    }
}

/// The loss in the figures of a candidate that fails more, too.
fn loss_beside_failures(pair: &PairJudgement) -> Option<Estimate> {
    let is_both = pair.failure_verdict() == FailureVerdict::More && pair.verdict() == Verdict::Regressed;
    pair.deciding_change().filter(|_| is_both)
}

fn failures_in_words(pair: &PairJudgement, others: usize) -> String {
    let said = pair.failures.as_ref().and_then(failures::failures_clause);
    let at = match others {
        0 => String::new(),
        1 => format!(" (at {}, and at one other number of clients)", units::format_clients(pair.place.clients)),
        more => format!(" (at {}, and at {more} other numbers of clients)", units::format_clients(pair.place.clients)),
    };
    format!("{}{at}", said.unwrap_or_default())
}

/// `8, 16 and 32 clients`.
fn numbers_of_clients(all: &[ClientCount]) -> String {
    match all {
        [] => String::new(),
        [only] => units::format_clients(*only),
        [before @ .., last] => {
            let mut numbers: Vec<String> = Vec::new();
            for clients in before {
                numbers.push(
                    clients.known_count().map_or_else(|| units::format_clients(*clients), |number| number.to_string()),
                );
            }
            format!("{} and {}", numbers.join(", "), units::format_clients(*last))
        }
    }
}

/// What a figure did, to stand before by how much.
fn verb_for_metric(metric: Metric, improved: bool) -> &'static str {
    match (metric, improved) {
        (Metric::Throughput, true) => "gains",
        (Metric::Throughput, false) => "loses",
        (Metric::Capacity, true) => "gains in capacity",
        (Metric::Capacity, false) => "loses in capacity",
        (Metric::WriteGap, true) => "has a write gap shorter by",
        (Metric::WriteGap, false) => "has a write gap longer by",
        (Metric::ReadGap, true) => "has a read gap shorter by",
        (Metric::ReadGap, false) => "has a read gap longer by",
        (_, true) => "is faster by",
        (_, false) => "is slower by",
    }
}

/// Candidate and baseline of each comparison once, in the order of first appearance.
fn sides_in_order(pairs: &[PairJudgement]) -> Vec<(&str, &str)> {
    let mut seen = Vec::new();
    for pair in pairs {
        let sides = (pair.candidate.as_str(), pair.baseline.as_str());
        if !seen.contains(&sides) {
            seen.push(sides);
        }
    }
    seen
}

/// Each name once, in the order of first appearance.
fn in_order<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clause(candidate: &'static str, verdict: ClaimedVerdict, size: f64) -> MatrixClause<'static> {
        let clause = format!("read {verdict:?} {size}");
        MatrixClause { candidate, baseline: "old", clause, verdict, size }
    }

    #[test]
    fn matrix_counts_verdicts_and_names_the_largest_losses_first() {
        let mut clauses = vec![clause("a", ClaimedVerdict::Better, 0.5), clause("b", ClaimedVerdict::Worse, 0.1)];
        clauses.push(clause("c", ClaimedVerdict::Worse, 0.4));
        clauses.extend((0..30).map(|_| clause("d", ClaimedVerdict::Undecided, 0.0)));
        clauses.extend((0..9).map(|_| clause("e", ClaimedVerdict::Decided, 0.0)));
        let said = headline_of_matrix(clauses);
        let lines: Vec<&str> = said.lines().collect();
        let counted =
            "42 pairs of sides and workloads: 2 worse, 1 better, 9 equivalent or bounded, 30 without a verdict.";
        assert_eq!(lines[0], counted);
        assert_eq!(lines[1], "  c against old: read Worse 0.4");
        assert_eq!(lines[2], "  b against old: read Worse 0.1");
        assert_eq!(lines[3], "  a against old: read Better 0.5");
        assert_eq!((lines.len(), lines[11]), (12, "  and 2 more with a verdict"));
        assert!(!said.contains("  d against"), "{said}");
    }

    #[test]
    fn matrix_without_any_verdict_is_one_line() {
        let clauses = (0..160).map(|_| clause("d", ClaimedVerdict::Undecided, 0.0)).collect();
        assert_eq!(headline_of_matrix(clauses).lines().count(), 1);
    }
}
