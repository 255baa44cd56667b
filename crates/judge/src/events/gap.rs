//! A gap taken apart: what was waited for, one thing after the other, so that the parts sum to the gap.

use results::trial::{Gap, Outage};

/// What each part of a gap ends with.
pub const PARTS: [&str; 4] = [
    "until the event was asked for",
    "until the first connection was lost",
    "until a connection was made again",
    "until the first transaction was acknowledged",
];

/// The parts of a gap in seconds, in the order of [`PARTS`]; each is 0 or more, and together they are the gap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parts(pub [f64; 4]);

/// Takes a gap apart by the instants of the outages in it; absent for one that has not ended or is too short to be
/// told. Without an outage in it the time until the first acknowledgement has no parts before it but the request.
pub(super) fn parts(gap: Gap, requested_us: u64, outages: &[&Outage]) -> Option<Parts> {
    let Gap::Between { start_us, end_us: Some(end_us) } = gap else { return None };
    let within = |at_us: &u64| (start_us..=end_us).contains(at_us);
    let lost_us = outages.iter().map(|outage| outage.start_us).filter(within).min();
    let made_us = outages.iter().filter_map(|outage| outage.end_us).filter(within).min();
    let mut at_us = start_us;
    let ends =
        [Some(requested_us.clamp(start_us, end_us)), lost_us, made_us.filter(|_| lost_us.is_some()), Some(end_us)];
    Some(Parts(ends.map(|end| {
        // What was noticed out of order took no time of its own.
        let until_us = end.map_or(at_us, |end_us| end_us.max(at_us));
        (std::mem::replace(&mut at_us, until_us).abs_diff(until_us)) as f64 / 1e6
    })))
}

/// The means of the parts of several gaps, which sum to their mean.
pub(super) fn mean(gaps: impl Iterator<Item = Parts>) -> Option<Parts> {
    let all: Vec<Parts> = gaps.collect();
    let n = all.len() as f64;
    (!all.is_empty()).then(|| Parts(std::array::from_fn(|part| all.iter().map(|gap| gap.0[part]).sum::<f64>() / n)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn outage((start_us, end_us): (u64, Option<u64>)) -> Outage {
        Outage { client: 0, start_us, end_us, cause: String::new(), in_flight: false }
    }

    proptest! {
        #[test]
        fn the_parts_of_a_gap_are_never_negative_and_sum_to_it(
            start_us in 0..10_000_000_u64, length_us in 0..10_000_000_u64, requested_us in 0..30_000_000_u64,
            outages in prop::collection::vec((0..30_000_000_u64, prop::option::of(0..30_000_000_u64)), 0..5),
        ) {
            let outages: Vec<Outage> = outages.into_iter().map(outage).collect();
            let gap = Gap::Between { start_us, end_us: Some(start_us + length_us) };
            let Parts(parts) = parts(gap, requested_us, &outages.iter().collect::<Vec<_>>()).expect("it has ended");
            prop_assert!(parts.iter().all(|part| *part >= 0.0), "{:?}", parts);
            prop_assert!((parts.iter().sum::<f64>() - length_us as f64 / 1e6).abs() < 1e-9, "{:?}", parts);
        }
    }

    #[test]
    fn a_crash_is_noticed_waited_out_and_followed_by_the_first_commit() {
        let gap = Gap::Between { start_us: 990_000, end_us: Some(2_000_000) };
        let outages = [outage((1_010_000, Some(1_900_000))), outage((1_020_000, Some(1_950_000)))];
        let Parts(parts) = parts(gap, 1_000_000, &[&outages[0], &outages[1]]).expect("it has ended");
        assert_eq!(parts, [0.01, 0.01, 0.89, 0.1]);
    }
}
