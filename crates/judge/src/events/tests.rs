//! What is told of an event, on a trial whose every instant is invented.

use std::collections::BTreeMap;

use results::trial::{Tallied, TrialPhase};

use super::recovery::{self, EventWindow};
use crate::observed::{SecondFigures, SecondLatency};

const S: u64 = 1_000_000;

/// Ten counts a second over 40 s: 100 transactions each, none from 10 s to 12 s, and half as many until 15 s.
fn tally() -> Vec<Tallied> {
    let mut transactions = 0;
    (0..=400_u64)
        .map(|tenth| {
            let at_us = tenth * S / 10;
            let counted = Tallied { at_us, transactions };
            transactions += match at_us {
                at_us if at_us < 10 * S => 100,
                at_us if at_us < 12 * S => 0,
                at_us if at_us < 15 * S => 50,
                _ => 100,
            };
            counted
        })
        .collect()
}

fn window(until_us: u64) -> EventWindow {
    EventWindow { since_us: 0, requested_us: 10 * S, earliest_us: 12 * S, until_us }
}

#[test]
fn the_throughput_is_back_when_a_whole_second_is_and_what_was_not_done_is_counted_until_then() {
    let told = recovery::throughput_recovery(window(40 * S), &tally()).expect("it is known what was usual");
    // A window of a second may begin a twentieth early: 950 of 1000.
    assert_eq!(told.back_us, Some(14 * S + 9 * S / 10));
    assert!((told.not_done - (2_000.0 + 29.0 * 50.0)).abs() < 1e-6, "{}", told.not_done);
}

#[test]
fn a_throughput_that_does_not_come_back_in_its_time_is_not_told_to_be_back() {
    let told = recovery::throughput_recovery(window(14 * S), &tally()).expect("it is known what was usual");
    assert_eq!(told.back_us, None);
    assert!((told.not_done - 3_000.0).abs() < 1e-6, "{}", told.not_done);
    let early = EventWindow { since_us: 9 * S + S / 2, ..window(40 * S) };
    assert!(
        recovery::throughput_recovery(early, &tally()).is_none(),
        "half a second before does not tell what is usual"
    );
}

#[test]
fn the_p99_is_back_in_the_first_second_after_the_gap_that_is_no_worse_than_any_before() {
    let second = |at: u64, p99_ns: u64| SecondFigures {
        phase: TrialPhase::Measure,
        start_us: at * S,
        duration_us: S,
        worked_us: S,
        transactions: 100,
        failed: 0,
        clients_out: 0,
        attempts: 0,
        open: None,
        latency: Some(SecondLatency { p50_ns: 1, p95_ns: 1, p99_ns }),
        told: None,
        cpu_percent: None,
        has_checkpoint: false,
    };
    let slow = BTreeMap::from([(3, 900), (10, 9_000), (11, 100), (12, 9_000), (13, 901), (14, 900)]);
    let seconds: Vec<SecondFigures> = (0..20).map(|at| second(at, *slow.get(&at).unwrap_or(&500))).collect();
    assert_eq!(
        recovery::p99_recovery_us(window(20 * S), &seconds),
        Some(Some(14 * S)),
        "the second in the gap does not count"
    );
    assert_eq!(recovery::p99_recovery_us(window(14 * S), &seconds), Some(None));
    assert_eq!(recovery::p99_recovery_us(EventWindow { since_us: 10 * S, ..window(20 * S) }, &seconds), None);
}
