//! When no transaction of a side was completed while it was measured.

use load::{Silences, SilentPeriod};
use results::trial::Standstill;

/// What is shorter is none: at a hundred transactions per second it would happen by chance.
const SHORTEST_NS: u64 = 100_000_000;

/// Those within the `measured` times, which follow one another, each from one instant to another in nanoseconds since
/// the job's start; absent where nobody listened.
pub(super) fn standstills_within(measured: &[(u64, u64)], silences: &Silences) -> Option<Vec<Standstill>> {
    let silences = silences.of_all()?;
    let of_one = |&(from_ns, until_ns): &(u64, u64)| {
        let part = move |silence: &SilentPeriod| {
            let start_ns = silence.start_ns.max(from_ns);
            let end_ns = silence.end_ns.map_or(until_ns, |end_ns| end_ns.min(until_ns));
            let is_long = end_ns.saturating_sub(start_ns) >= SHORTEST_NS;
            is_long.then_some(Standstill { start_us: start_ns / 1_000, end_us: end_ns / 1_000 })
        };
        let first = silences.partition_point(|silence| silence.end_ns.is_some_and(|end_ns| end_ns <= from_ns));
        silences[first..].iter().take_while(move |silence| silence.start_ns < until_ns).filter_map(part)
    };
    Some(measured.iter().flat_map(of_one).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standstills between instants in milliseconds, of silences between instants in milliseconds.
    fn check(measured: &[(u64, u64)], silent: &[(u64, Option<u64>)], expected: &[(u64, u64)]) {
        let ns = |ms: u64| ms * 1_000_000;
        let silence = |(start, end): &(u64, Option<u64>)| SilentPeriod { start_ns: ns(*start), end_ns: end.map(ns) };
        let silences = Silences { writes: None, reads: Some(silent.iter().map(silence).collect()) };
        let measured: Vec<(u64, u64)> = measured.iter().map(|(from, until)| (ns(*from), ns(*until))).collect();
        let found = standstills_within(&measured, &silences).expect("somebody listened");
        let in_ms = |found: &Standstill| (found.start_us / 1_000, found.end_us / 1_000);
        assert_eq!(found.iter().map(in_ms).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_standstill_is_the_part_of_a_silence_that_was_measured() {
        let silent = [(0, Some(900)), (1_500, Some(1_590)), (2_000, Some(3_200)), (3_950, None)];
        check(&[(1_000, 4_000)], &silent, &[(2_000, 3_200)]);
        check(&[(800, 4_100)], &silent, &[(800, 900), (2_000, 3_200), (3_950, 4_100)]);
        check(&[(1_000, 2_050)], &silent, &[]);
    }

    #[test]
    fn between_its_turns_a_side_does_not_stand_still() {
        let turns = [(0, 250), (500, 750), (1_000, 2_400)];
        check(&turns, &[(240, Some(510)), (740, Some(1_010)), (1_100, Some(2_400))], &[(1_100, 2_400)]);
        check(&turns, &[(120, Some(700))], &[(120, 250), (500, 700)]);
    }

    #[test]
    fn where_nobody_listened_nothing_is_known() {
        assert_eq!(standstills_within(&[(0, 1_000_000_000)], &Silences::default()), None);
    }
}
