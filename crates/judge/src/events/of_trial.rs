//! One event in one trial.

use results::trial::{EventRecord, FailoverStep, Gap, Outage, Tallied, Trial, TrialPhase};

use super::EventFigure;
use super::around::{EventCurve, throughput_curve_around};
use super::gap::{self, GapParts};
use super::held_up::{self, HeldUp};
use super::recovery::{self, EventWindow};
use crate::observed::SecondFigures;

/// What a trial tells of a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EventFigureValue {
    /// This.
    Is(f64),
    /// Less than this, which is too short to be told.
    Short(f64),
    /// It had not ended when the trial or the time of the event was over.
    NotEnded,
}

impl EventFigureValue {
    /// What it counts for over several trials; none if it had not ended.
    pub(super) fn value_over_trials(self) -> Option<f64> {
        match self {
            Self::Is(value) => Some(value),
            Self::Short(_) => Some(0.0),
            Self::NotEnded => None,
        }
    }
}

/// What was seen of an event in one trial.
#[derive(Debug, Clone, PartialEq)]
pub struct EventSeen {
    /// The trial.
    pub trial: u32,
    /// Its block.
    pub block: u32,
    /// When the event was asked for, in seconds since the load's start.
    pub requested_s: f64,
    /// What it tells; figures that it does not tell are missing.
    pub figures: Vec<(EventFigure, EventFigureValue)>,
    /// The write gap taken apart, or the read gap where nothing writes.
    pub parts: Option<GapParts>,
    /// What the cluster told of it, in seconds since the event was asked for.
    pub steps: Vec<(FailoverStep, f64)>,
    /// Whether the old primary waited for its sessions for as long as it may.
    pub held_up: Option<HeldUp>,
    /// How often clients that had lost their connections tried to connect in one second, at most; absent where none
    /// had.
    pub attempts_per_s: Option<u64>,
    /// Begin and end of the gap that decides, in seconds since the event was asked for; the end is absent where it did
    /// not end, all of it where it was too short to be told.
    pub gap_s: Option<(f64, Option<f64>)>,
    /// The throughput around it; absent where transactions were not counted.
    pub around: Option<EventCurve>,
}

impl EventSeen {
    /// One of its figures.
    pub fn told_figure(&self, wanted: EventFigure) -> Option<EventFigureValue> {
        self.figures.iter().find(|(figure, _)| *figure == wanted).map(|(_, told)| *told)
    }
}

fn since_request_s(event: &EventRecord, at_us: u64) -> f64 {
    at_us.saturating_sub(event.requested_us) as f64 / 1e6
}

/// After how many seconds a figure was back.
fn value_of_recovery(event: &EventRecord, back_us: Option<u64>) -> EventFigureValue {
    back_us.map_or(EventFigureValue::NotEnded, |back_us| EventFigureValue::Is(since_request_s(event, back_us)))
}

/// What a trial tells of its event at this place.
pub(super) fn of_event(trial: &Trial, place: usize, seconds: &[SecondFigures], tally: &[Tallied]) -> EventSeen {
    let event = &trial.events[place];
    let window = window_of_event(trial, place, seconds);
    let outages: Vec<&Outage> = trial.load.iter().flat_map(|load| &load.outages).filter(|o| is_in(o, window)).collect();
    let mut figures: Vec<(EventFigure, EventFigureValue)> = Vec::new();
    let mut tell = |figure, told: Option<EventFigureValue>| figures.extend(told.map(|told| (figure, told)));
    tell(EventFigure::WriteGap, event.write_gap.map(gap_told));
    tell(EventFigure::ReadGap, event.read_gap.map(gap_told));
    tell(EventFigure::ErrorWindow, error_window(&outages));
    let in_window = seconds.iter().filter(|second| {
        second.start_us + second.duration_us > window.requested_us && second.start_us < window.until_us
    });
    let in_window: Vec<&SecondFigures> = in_window.collect();
    let failed: u64 = in_window.iter().map(|second| second.failed).sum();
    tell(EventFigure::Failed, Some(EventFigureValue::Is(failed as f64)));
    tell(
        EventFigure::Unknown,
        Some(EventFigureValue::Is(outages.iter().filter(|outage| outage.in_flight).count() as f64)),
    );
    let throughput = recovery::throughput_recovery(window, tally);
    tell(
        EventFigure::ThroughputBack,
        throughput.as_ref().map(|throughput| value_of_recovery(event, throughput.back_us)),
    );
    tell(
        EventFigure::P99Back,
        recovery::p99_recovery_us(window, seconds).map(|back_us| value_of_recovery(event, back_us)),
    );
    tell(EventFigure::NotDone, throughput.map(|throughput| EventFigureValue::Is(throughput.not_done)));
    let deciding = event.write_gap.or(event.read_gap);
    let gap_s = deciding.and_then(|gap| match gap {
        Gap::Between { start_us, end_us } => {
            Some((signed_s(event, start_us), end_us.map(|end_us| signed_s(event, end_us))))
        }
        Gap::Under(_) => None,
    });
    EventSeen {
        trial: trial.number,
        block: trial.block,
        requested_s: event.requested_us as f64 / 1e6,
        attempts_per_s: in_window.iter().map(|second| second.attempts).max().filter(|most| *most > 0),
        parts: deciding.and_then(|gap| gap::split_gap(gap, event.requested_us, &outages, &event.steps)),
        steps: event.steps.iter().map(|seen| (seen.step, since_request_s(event, seen.at_us))).collect(),
        held_up: held_up::of_event(event),
        gap_s,
        around: throughput_curve_around(event.requested_us, gap_s, tally),
        figures,
    }
}

/// Seconds since an event was asked for, negative before it.
fn signed_s(event: &EventRecord, at_us: u64) -> f64 {
    (at_us as f64 - event.requested_us as f64) / 1e6
}

/// The time that is an event's.
fn window_of_event(trial: &Trial, place: usize, seconds: &[SecondFigures]) -> EventWindow {
    let event = &trial.events[place];
    let measured: Vec<&SecondFigures> = seconds.iter().filter(|second| second.phase == TrialPhase::Measure).collect();
    let end_us = measured.last().map_or(u64::MAX, |second| second.start_us + second.duration_us);
    let before = place.checked_sub(1).map(|before| trial.events[before].requested_us);
    EventWindow {
        since_us: before.or_else(|| measured.first().map(|second| second.start_us)).unwrap_or(0),
        requested_us: event.requested_us,
        earliest_us: gap_end(event).unwrap_or(u64::MAX).max(event.requested_us),
        until_us: trial.events.get(place + 1).map_or(end_us, |next| next.requested_us),
    }
}

/// When the last of its gaps had ended; none if one had not.
fn gap_end(event: &EventRecord) -> Option<u64> {
    let ends: Option<Vec<u64>> = event
        .write_gap
        .into_iter()
        .chain(event.read_gap)
        .map(|gap| match gap {
            Gap::Between { end_us, .. } => end_us,
            Gap::Under(_) => Some(event.requested_us),
        })
        .collect();
    Some(ends?.into_iter().max().unwrap_or(event.requested_us))
}

/// Whether an outage lies in the time of an event, or reaches into it: a connection that falls silent is dated from the
/// begin of the transaction that was not answered.
fn is_in(outage: &Outage, window: EventWindow) -> bool {
    outage.start_us < window.until_us && outage.end_us.is_none_or(|end_us| end_us > window.requested_us)
}

fn gap_told(gap: Gap) -> EventFigureValue {
    match gap {
        Gap::Under(us) => EventFigureValue::Short(us as f64 / 1e6),
        Gap::Between { .. } => {
            gap.length_us().map_or(EventFigureValue::NotEnded, |us| EventFigureValue::Is(us as f64 / 1e6))
        }
    }
}

/// From the first loss to the last return; nothing without a loss.
fn error_window(outages: &[&Outage]) -> Option<EventFigureValue> {
    let first = outages.iter().map(|outage| outage.start_us).min()?;
    let ends: Option<Vec<u64>> = outages.iter().map(|outage| outage.end_us).collect();
    let last = ends.map(|ends| ends.into_iter().max().unwrap_or(first));
    Some(last.map_or(EventFigureValue::NotEnded, |last| EventFigureValue::Is((last - first) as f64 / 1e6)))
}
