//! The difference between two budgets piece by piece: part by part, where waiting for a CPU is two. A session that
//! needs twice the time on a CPU waits twice as long for it beside the same neighbours. With the stretch factor k (the
//! wait for each millisecond on a CPU), Δwait = mean k · Δcpu + mean cpu · Δk: the first goes with whatever took the
//! CPU, only the second is of those who wanted the CPUs, too. It is the same, with the other sign, whichever side is
//! looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::quantity::wait_per_cpu_ms;
use crate::budget::{Budget, BudgetPart, in_part, is_by_kernel};

/// A piece of the difference between two mean transactions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum LatencyPiece {
    /// A part of the budget; none of them is waiting for a CPU where that is split.
    Part(BudgetPart),
    /// Waiting for a CPU as far as it goes with the time on one.
    WaitingWithCpuTime,
    /// Waiting longer for each millisecond on a CPU.
    WaitingLonger,
}

impl fmt::Display for LatencyPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part(part) => part.fmt(f),
            Self::WaitingWithCpuTime => f.write_str("waiting for a CPU in proportion to CPU time"),
            Self::WaitingLonger => f.write_str("waiting for a CPU, longer per ms of CPU time"),
        }
    }
}

/// Milliseconds that one budget has more than another, piece by piece; they sum to the difference of the whole.
pub(super) fn pieces_of_difference(here: &Budget, there: &Budget) -> BTreeMap<LatencyPiece, f64> {
    if is_by_kernel(here) != is_by_kernel(there) {
        // What one account tells apart, and the other does not, would look like a difference.
        return pieces_of_difference(&without_waiting(here), &without_waiting(there));
    }
    let parts: BTreeSet<&BudgetPart> = here.keys().chain(there.keys()).collect();
    let mut pieces: BTreeMap<LatencyPiece, f64> = BTreeMap::new();
    for part in parts {
        pieces.insert(LatencyPiece::Part(part.clone()), in_part(here, part) - in_part(there, part));
    }
    if let (Some(k_here), Some(k_there)) = (wait_per_cpu_ms(here), wait_per_cpu_ms(there)) {
        let [cpu_here, cpu_there] = [here, there].map(|budget| in_part(budget, &BudgetPart::Running));
        pieces.remove(&LatencyPiece::Part(BudgetPart::WaitingForCpu));
        pieces.insert(LatencyPiece::WaitingWithCpuTime, f64::midpoint(k_here, k_there) * (cpu_here - cpu_there));
        pieces.insert(LatencyPiece::WaitingLonger, f64::midpoint(cpu_here, cpu_there) * (k_here - k_there));
    }
    pieces
}

/// Waiting longer for each millisecond on a CPU, where nothing but the side's own demand accounts for it, goes with the
/// time on one, too: whatever takes more CPUs at once makes its own processes wait.
pub(super) fn wait_goes_with_demand(pieces: &mut BTreeMap<LatencyPiece, f64>) {
    if let Some(longer_ms) = pieces.remove(&LatencyPiece::WaitingLonger) {
        *pieces.entry(LatencyPiece::WaitingWithCpuTime).or_default() += longer_ms;
    }
}

/// The load engine is one program that does the same for both sides. What it takes longer on the slower one follows
/// from what else is longer there: it waits for the CPUs that it shares with the server, decrypts, or hashes. So it
/// goes with the other pieces in proportion, and never for more than they are.
pub(super) fn engine_time_goes_with_the_rest(pieces: &mut BTreeMap<LatencyPiece, f64>) {
    let engine = LatencyPiece::Part(BudgetPart::Engine);
    let engine_ms = pieces.get(&engine).copied().unwrap_or_default();
    let mut longer_ms = 0.0;
    for (piece, ms) in pieces.iter() {
        longer_ms += if *piece == engine { 0.0 } else { ms.max(0.0) };
    }
    let follows_ms = engine_ms.min(longer_ms);
    if follows_ms <= 0.0 {
        return;
    }
    for (piece, ms) in pieces.iter_mut() {
        if *piece == engine {
            *ms -= follows_ms;
        } else if *ms > 0.0 {
            *ms *= 1.0 + follows_ms / longer_ms;
        }
    }
}

/// On a CPU and waiting for one as the one part that samples alone show of it.
fn without_waiting(budget: &Budget) -> Budget {
    let mut merged = budget.clone();
    let ms: f64 = [BudgetPart::Running, BudgetPart::WaitingForCpu].iter().filter_map(|part| merged.remove(part)).sum();
    *merged.entry(BudgetPart::OnCpu).or_default() += ms;
    merged
}

/// Whether a piece is of a finding that is about these parts: one that is about the time on a CPU is about the wait
/// that goes with it, and one that is about waiting alone is about waiting longer.
pub(super) fn is_of(piece: &LatencyPiece, parts: &BTreeSet<BudgetPart>) -> bool {
    let waits = parts.contains(&BudgetPart::WaitingForCpu);
    let works = parts.contains(&BudgetPart::Running);
    match piece {
        LatencyPiece::Part(BudgetPart::OnCpu) => parts.contains(&BudgetPart::OnCpu) || works,
        LatencyPiece::Part(part) => parts.contains(part),
        LatencyPiece::WaitingWithCpuTime => waits && works,
        LatencyPiece::WaitingLonger => waits && !works,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn budget(outside: f64, running: f64, waiting: f64) -> Budget {
        Budget::from([
            (BudgetPart::OutsideServer, outside),
            (BudgetPart::Running, running),
            (BudgetPart::WaitingForCpu, waiting),
        ])
    }

    #[test]
    fn twice_the_cpu_time_beside_the_same_neighbour_is_no_longer_wait() {
        let pieces = pieces_of_difference(&budget(1.0, 2.0, 3.0), &budget(1.0, 1.0, 1.5));
        assert_eq!((pieces[&LatencyPiece::WaitingWithCpuTime], pieces[&LatencyPiece::WaitingLonger]), (1.5, 0.0));
    }

    #[test]
    fn the_same_cpu_time_beside_another_neighbour_is_a_longer_wait_and_nothing_else() {
        let pieces = pieces_of_difference(&budget(1.0, 1.0, 24.0), &budget(1.0, 1.0, 1.0));
        assert_eq!((pieces[&LatencyPiece::WaitingWithCpuTime], pieces[&LatencyPiece::WaitingLonger]), (0.0, 23.0));
    }

    #[test]
    fn sides_of_unlike_accounts_are_compared_without_what_one_of_them_tells_apart() {
        let seen = Budget::from([(BudgetPart::OutsideServer, 1.0), (BudgetPart::OnCpu, 5.0)]);
        let pieces = pieces_of_difference(&budget(1.0, 2.0, 3.0), &seen);
        assert_eq!(pieces[&LatencyPiece::Part(BudgetPart::OnCpu)], 0.0);
        assert!(!pieces.contains_key(&LatencyPiece::WaitingLonger));
    }

    /// What is left in engine, server and network of what each takes longer.
    fn left_beside_engine([engine_ms, running_ms, network_ms]: [f64; 3]) -> [f64; 3] {
        let parts = [BudgetPart::Engine, BudgetPart::Running, BudgetPart::Network].map(LatencyPiece::Part);
        let mut pieces = BTreeMap::from_iter(parts.iter().cloned().zip([engine_ms, running_ms, network_ms]));
        engine_time_goes_with_the_rest(&mut pieces);
        parts.map(|part| pieces[&part])
    }

    #[test]
    fn what_the_engine_takes_longer_goes_with_what_else_is_longer_and_never_beyond_it() {
        assert_eq!(left_beside_engine([1.0, 3.0, 1.0]), [0.0, 3.75, 1.25]);
        assert_eq!(left_beside_engine([1.0, 2.0, -0.5]), [0.0, 3.0, -0.5], "what is shorter is not the reason");
        assert_eq!(left_beside_engine([3.0, 1.0, 0.0]), [2.0, 2.0, 0.0], "a consequence is no larger than its cause");
        assert_eq!(left_beside_engine([-1.0, 3.0, 1.0]), [-1.0, 3.0, 1.0], "less time follows from nothing here");
    }

    proptest! {
        #[test]
        fn the_pieces_sum_to_the_difference_and_change_their_signs_with_the_sides(
            ms in proptest::array::uniform6(0.001_f64..100.0),
        ) {
            let (here, there) = (budget(ms[0], ms[1], ms[2]), budget(ms[3], ms[4], ms[5]));
            let (one_way, other_way) = (pieces_of_difference(&here, &there), pieces_of_difference(&there, &here));
            let difference: f64 = here.values().sum::<f64>() - there.values().sum::<f64>();
            prop_assert!((one_way.values().sum::<f64>() - difference).abs() < 1e-9);
            for (piece, ms) in one_way {
                prop_assert!((ms + other_way[&piece]).abs() < 1e-9, "{piece}");
            }
        }
    }
}
