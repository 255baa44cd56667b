//! The trace that a sequence leaves in the values of a parameter: whole numbers, none of which occurs twice, that grow
//! with time and are dense.

use std::collections::BTreeSet;

/// Fewer values than this show no trace.
pub(super) const VALUES_AT_LEAST: usize = 5;

/// The share of neighbours in time that are in order at least: sessions overtake one another.
const IN_ORDER: f64 = 0.7;

/// How many numbers of a sequence there are at most for each execution of the statement: others and failed ones take
/// some.
const NUMBERS_PER_EXECUTION: i128 = 4;

/// Whether numbers, each with the instant at which it was made, have the trace of a sequence. `executions`: how often
/// the capture has the statement that made them.
pub(super) fn have_sequence_trace(values: &[(i64, i64)], executions: u64) -> bool {
    if values.len() < VALUES_AT_LEAST {
        return false;
    }
    let mut ordered = values.to_vec();
    ordered.sort_unstable();
    let distinct: BTreeSet<i64> = ordered.iter().map(|(_, number)| *number).collect();
    let (Some(first), Some(last)) = (distinct.first(), distinct.last()) else { return false };
    let numbers = i128::from(*last) - i128::from(*first) + 1;
    let growing = ordered.windows(2).filter(|pair| pair[0].1 < pair[1].1).count();
    distinct.len() == ordered.len()
        && numbers <= NUMBERS_PER_EXECUTION * i128::from(executions.max(ordered.len() as u64))
        && growing as f64 >= IN_ORDER * (ordered.len() - 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_of_sequence(numbers: &[i64], executions: u64) -> bool {
        let values: Vec<(i64, i64)> = (0..).zip(numbers.iter().copied()).collect();
        have_sequence_trace(&values, executions)
    }

    #[test]
    fn growing_dense_distinct_numbers_are_those_of_a_sequence() {
        assert!(is_of_sequence(&[101, 102, 104, 103, 105, 109], 6), "sessions overtake one another");
        let thinned = [101, 120, 140, 160, 180];
        assert!(!is_of_sequence(&thinned, 5) && is_of_sequence(&thinned, 30), "most of them are not sent back");
        for (values, why) in [
            (&[101, 102, 103, 104][..], "few"),
            (&[101, 102, 102, 103, 104], "one occurs twice"),
            (&[105, 104, 103, 102, 101], "they fall"),
            (
                &[1_700_000_000_123, 1_700_000_000_923, 1_700_000_001_423, 1_700_000_002_123, 1_700_000_003_123],
                "instants",
            ),
        ] {
            assert!(!is_of_sequence(values, 5), "{why}");
        }
    }
}
