//! The pauses of a client between the statements of a transaction. Pure.

/// How much earlier than it did a statement may seem to have begun, in microseconds: most logs have milliseconds.
const CLOCK_STEP_US: i64 = 1_000;

/// Of each statement after the first the pause before it, in microseconds of the replay: from the end of the statement
/// before to its begin. What the log's clock takes from one pause by rounding is not added to the others. Without the
/// duration of the statement before, a pause is not known, and there is none.
pub(super) fn pauses_of_transaction(begins_us: &[i64], durations_us: &[Option<u64>], speed: f64) -> Vec<u64> {
    let mut pauses = Vec::with_capacity(durations_us.len().saturating_sub(1));
    let mut owed_us: i64 = 0;
    for (number, before) in durations_us.iter().enumerate().take(durations_us.len().saturating_sub(1)) {
        let gap_us = match before.and_then(|duration_us| i64::try_from(duration_us).ok()) {
            Some(duration_us) => begins_us[number + 1] - begins_us[number] - duration_us + owed_us,
            None => 0,
        };
        owed_us = gap_us.clamp(-CLOCK_STEP_US, 0);
        pauses.push((gap_us.max(0) as f64 / speed).round() as u64);
    }
    pauses
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pauses(statements: &[(i64, Option<u64>)], speed: f64) -> Vec<u64> {
        let begins: Vec<i64> = statements.iter().map(|(begin, _)| *begin).collect();
        let durations: Vec<Option<u64>> = statements.iter().map(|(_, duration_us)| *duration_us).collect();
        pauses_of_transaction(&begins, &durations, speed)
    }

    #[test]
    fn a_pause_is_from_the_end_of_a_statement_to_the_begin_of_the_next() {
        assert_eq!(pauses(&[(0, Some(300)), (1_300, Some(200)), (6_500, Some(1))], 1.0), [1_000, 5_000]);
        assert_eq!(pauses(&[(0, Some(300)), (1_300, Some(200)), (6_500, Some(1))], 4.0), [250, 1_250]);
        assert_eq!(pauses(&[(0, None), (9_000, Some(1)), (9_500, None)], 1.0), [0, 499], "no duration, no pause");
        assert!(pauses(&[(0, Some(1))], 1.0).is_empty());
    }

    #[test]
    fn the_rounding_of_the_log_is_not_added_up() {
        // Each statement takes 1 ms and the next one follows at once; the clock is 0.6 ms behind, then ahead.
        assert_eq!(pauses(&[(0, Some(1_000)), (400, Some(1_000)), (2_000, Some(1_000))], 1.0), [0, 0]);
        assert_eq!(pauses(&[(0, Some(90_000)), (400, Some(1_000)), (9_000, Some(1))], 1.0), [0, 6_600], "not so much");
    }
}
