//! A gap taken apart: what was waited for, one thing after the other, so that the parts sum to the gap.

use results::trial::{FailoverStep, Gap, Outage, Stepped};
use stats::Estimate;
use stats::positive::{mean_of_part, non_negative_mean};

/// What a part of a gap ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapPartEnd {
    /// The event was asked for.
    Requested,
    /// The first connection was lost.
    Lost,
    /// The old primary had stopped, as its pod tells.
    Stopped,
    /// Kubernetes took the node of the old primary for lost.
    NodeLost,
    /// The new primary was promoted, as its cluster tells.
    Promoted,
    /// The -rw Service led to a primary again.
    ServiceMoved,
    /// The first connection was made again.
    Connected,
    /// The first transaction was acknowledged.
    Acknowledged,
}

impl GapPartEnd {
    /// All of them, in the order in which one is waited for after the other.
    pub const ALL: [Self; 8] = [
        Self::Requested,
        Self::Lost,
        Self::Stopped,
        Self::NodeLost,
        Self::Promoted,
        Self::ServiceMoved,
        Self::Connected,
        Self::Acknowledged,
    ];

    /// In words that follow a time.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Requested => "until the event was requested",
            Self::Lost => "until the first connection was lost",
            Self::Stopped => "until the old primary had stopped",
            Self::NodeLost => "until Kubernetes considered the node of the old primary lost",
            Self::Promoted => "until the new primary was promoted",
            Self::ServiceMoved => "until the -rw Service pointed to a primary again",
            Self::Connected => "until a client had reconnected",
            Self::Acknowledged => "until the first transaction was acknowledged",
        }
    }
}

/// The parts of a gap in seconds, in the order of [`GapPartEnd::ALL`]; each is 0 or more, and together they are the
/// gap. A part whose end nothing tells of is absent, and its time that of the next one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GapParts(pub [Option<f64>; 8]);

/// Takes a gap apart by the instants of the outages in it and by what the cluster told; absent for one that has not
/// ended or is too short to be told.
pub(super) fn split_gap(gap: Gap, requested_us: u64, outages: &[&Outage], steps: &[Stepped]) -> Option<GapParts> {
    let Gap::Between { start_us, end_us: Some(end_us) } = gap else { return None };
    let within = |at_us: &u64| (start_us..=end_us).contains(at_us);
    let lost_us = outages.iter().map(|outage| outage.start_us).filter(within).min();
    let made_us = outages.iter().filter_map(|outage| outage.end_us).filter(within).min();
    // What came after the first connection was waited for by nobody.
    let told = |wanted| {
        steps
            .iter()
            .find(|seen| seen.step == wanted)
            .map(|seen| seen.at_us)
            .filter(|at_us| within(at_us) && made_us.is_none_or(|made_us| *at_us <= made_us))
    };
    // Of one that is lost with its node the end is told by the node's absence, and late: nobody has waited for that.
    let is_late = |stopped_us: &u64| {
        [FailoverStep::NodeLost, FailoverStep::Promoted].into_iter().filter_map(told).any(|at_us| at_us < *stopped_us)
    };
    let mut at_us = start_us;
    let end_of = |until: GapPartEnd| match until {
        GapPartEnd::Requested => Some(requested_us.clamp(start_us, end_us)),
        GapPartEnd::Lost => lost_us,
        GapPartEnd::Stopped => told(FailoverStep::OldPrimaryStopped).filter(|at_us| !is_late(at_us)),
        GapPartEnd::NodeLost => told(FailoverStep::NodeLost),
        GapPartEnd::Promoted => told(FailoverStep::Promoted),
        GapPartEnd::ServiceMoved => told(FailoverStep::ServiceMoved),
        GapPartEnd::Connected => made_us.filter(|_| lost_us.is_some()),
        GapPartEnd::Acknowledged => Some(end_us),
    };
    Some(GapParts(GapPartEnd::ALL.map(|until| {
        // What was noticed out of order took no time of its own.
        let until_us = end_of(until)?.max(at_us);
        Some((std::mem::replace(&mut at_us, until_us).abs_diff(until_us)) as f64 / 1e6)
    })))
}

/// A part of the gaps of several trials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartOver {
    /// What it ends with.
    pub until: GapPartEnd,
    /// Its length in seconds.
    pub mean_s: f64,
    /// The interval of its length over the trials; absent for a single trial.
    pub estimate: Option<Estimate>,
}

/// The means of the parts of several gaps, all multiplied by one factor, so that they sum to the level of the gaps; of
/// parts that any of them has.
pub(super) fn mean_parts(gaps: &[GapParts]) -> Vec<PartOver> {
    let whole_s: Vec<f64> = gaps.iter().map(|gap| gap.0.iter().flatten().sum()).collect();
    let sum_s: f64 = whole_s.iter().sum();
    let to_level = match non_negative_mean(&whole_s) {
        Some(level_s) if sum_s > 0.0 => level_s * whole_s.len() as f64 / sum_s,
        _ => 1.0,
    };
    GapPartEnd::ALL
        .into_iter()
        .enumerate()
        .filter_map(|(place, until)| {
            let told: Vec<Option<f64>> = gaps.iter().map(|gap| gap.0[place]).collect();
            let lengths: Vec<f64> = told.iter().map(|length| length.iter().sum::<f64>() * to_level).collect();
            let mean_s = lengths.iter().sum::<f64>() / lengths.len() as f64;
            let estimate = mean_of_part(&lengths);
            told.iter().any(Option::is_some).then_some(PartOver { until, mean_s, estimate })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn outage((start_us, end_us): (u64, Option<u64>)) -> Outage {
        Outage { client: 0, start_us, end_us, cause: String::new(), in_flight: false }
    }

    fn stepped((step, at_us): (FailoverStep, u64)) -> Stepped {
        Stepped { step, at_us, pod: None }
    }

    proptest! {
        #[test]
        fn the_parts_of_a_gap_are_never_negative_and_sum_to_it(
            start_us in 0..10_000_000_u64, length_us in 0..10_000_000_u64, requested_us in 0..30_000_000_u64,
            outages in prop::collection::vec((0..30_000_000_u64, prop::option::of(0..30_000_000_u64)), 0..5),
            steps in prop::collection::vec(0..30_000_000_u64, 3),
        ) {
            let outages: Vec<Outage> = outages.into_iter().map(outage).collect();
            let gap = Gap::Between { start_us, end_us: Some(start_us + length_us) };
            let steps = [FailoverStep::OldPrimaryStopped, FailoverStep::Promoted, FailoverStep::ServiceMoved].into_iter().zip(steps);
            let steps: Vec<Stepped> = steps.map(stepped).collect();
            let told = split_gap(gap, requested_us, &outages.iter().collect::<Vec<_>>(), &steps).expect("it has ended");
            let lengths: Vec<f64> = told.0.into_iter().flatten().collect();
            prop_assert!(lengths.iter().all(|length| *length >= 0.0), "{:?}", lengths);
            prop_assert!((lengths.iter().sum::<f64>() - length_us as f64 / 1e6).abs() < 1e-9, "{:?}", lengths);
            let over_s: f64 = mean_parts(&[told, told]).iter().map(|part| part.mean_s).sum();
            prop_assert!((over_s - length_us as f64 / 1e6).abs() < 1e-9, "{}", over_s);
        }
    }

    #[test]
    fn a_crash_is_noticed_waited_out_and_followed_by_the_first_commit() {
        let gap = Gap::Between { start_us: 990_000, end_us: Some(2_000_000) };
        let outages = [outage((1_010_000, Some(1_900_000))), outage((1_020_000, Some(1_950_000)))];
        let GapParts(parts) = split_gap(gap, 1_000_000, &[&outages[0], &outages[1]], &[]).expect("it has ended");
        assert_eq!(parts, [Some(0.01), Some(0.01), None, None, None, None, Some(0.89), Some(0.1)]);
    }

    #[test]
    fn what_the_cluster_told_takes_the_time_without_a_connection_apart_and_nothing_after_it() {
        let gap = Gap::Between { start_us: 990_000, end_us: Some(7_500_000) };
        let outages = [outage((1_500_000, Some(7_400_000)))];
        let steps = [
            (FailoverStep::Accepted, 1_010_000),
            (FailoverStep::OldPrimaryStopped, 2_000_000),
            (FailoverStep::Promoted, 3_000_000),
            (FailoverStep::ServiceMoved, 7_000_000),
            (FailoverStep::Healthy, 20_000_000),
        ];
        let told = |steps: Vec<Stepped>| split_gap(gap, 1_000_000, &[&outages[0]], &steps).expect("it has ended").0;
        let [to_stopped, from_promoted] = [[0.01, 0.5, 0.5].map(Some), [1.0, 4.0, 0.4].map(Some)];
        let expected = [&to_stopped[..], &[None], &from_promoted, &[Some(0.1)]].concat();
        assert_eq!(told(steps.into_iter().map(stepped).collect()).as_slice(), expected);
        let lost = [
            (FailoverStep::NodeLost, 2_000_000),
            (FailoverStep::Promoted, 3_000_000),
            (FailoverStep::OldPrimaryStopped, 3_500_000),
        ];
        let expected = [Some(0.01), Some(0.5), None, Some(0.5), Some(1.0), None, Some(4.4), Some(0.1)];
        assert_eq!(told(lost.into_iter().map(stepped).collect()), expected, "it was found to have stopped afterwards");
        let late = vec![stepped((FailoverStep::Promoted, 3_000_000)), stepped((FailoverStep::ServiceMoved, 7_450_000))];
        assert_eq!(told(late), [Some(0.01), Some(0.5), None, None, Some(1.5), None, Some(4.4), Some(0.1)]);
    }
}
