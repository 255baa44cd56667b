//! What the load saw of the events of a trial: how long nothing was acknowledged, and how much was, ten times a second.

use std::time::Duration;

use load::{SHORTEST_SILENCE, Silences, SilentPeriod, Tally};
use results::trial::{EventRecord, Gap, Tallied};
use tokio::time::MissedTickBehavior;

use super::{LoadClockReceiver, duration_us, wait_for_load_end};

/// How often the acknowledged transactions are counted.
const EVERY: Duration = Duration::from_millis(100);

/// Counts until the load has ended, from the begin of its measurement on.
pub(in super::super) async fn count_until_end(tally: Tally, mut clock: LoadClockReceiver) -> Vec<Tallied> {
    let load = match clock.wait_for(Option::is_some).await {
        Ok(load) => *load,
        Err(_) => None,
    };
    let Some(load) = load else { return Vec::new() };
    let mut ticks = tokio::time::interval_at(load.measure.into(), EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut tallied = Vec::new();
    let counting = async {
        loop {
            ticks.tick().await;
            let at_us = duration_us(load.zero.elapsed());
            tallied.push(Tallied { at_us, transactions: tally.transaction_count() });
        }
    };
    tokio::select! {
        () = wait_for_load_end(&mut clock) => {}
        () = counting => {}
    }
    tallied
}

/// Adds to each event the longest silences up to the next one, or to the end of the load.
pub(in super::super) fn with_gaps(events: Vec<EventRecord>, silences: &Silences, end_us: u64) -> Vec<EventRecord> {
    let requested: Vec<u64> = events.iter().map(|event| event.requested_us).collect();
    let until = requested.into_iter().skip(1).chain([end_us]);
    let gap =
        |of: &Option<Vec<SilentPeriod>>, window| of.as_ref().map(|silences| longest_silence(silences, window, end_us));
    let with_gap = |(event, until_us): (EventRecord, u64)| {
        let window = (event.requested_us, until_us);
        EventRecord { write_gap: gap(&silences.writes, window), read_gap: gap(&silences.reads, window), ..event }
    };
    events.into_iter().zip(until).map(with_gap).collect()
}

/// The longest silence that ends after the begin of a window and begins before its end; one without an end
/// lasted as long as the load.
fn longest_silence(silences: &[SilentPeriod], (from_us, until_us): (u64, u64), load_end_us: u64) -> Gap {
    let end_us = |silence: &SilentPeriod| silence.end_ns.map(|end_ns| end_ns / 1_000);
    let touches = |silence: &&SilentPeriod| {
        end_us(silence).is_none_or(|end_us| end_us > from_us) && silence.start_ns / 1_000 < until_us
    };
    let length =
        |silence: &&SilentPeriod| end_us(silence).unwrap_or(load_end_us).saturating_sub(silence.start_ns / 1_000);
    match silences.iter().filter(touches).max_by_key(length) {
        Some(silence) => Gap::Between { start_us: silence.start_ns / 1_000, end_us: end_us(silence) },
        None => Gap::Under(duration_us(SHORTEST_SILENCE)),
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    fn event(requested_us: u64) -> EventRecord {
        EventRecord {
            name: "e".to_owned(),
            what: "restart".to_owned(),
            planned_us: 0,
            requested_us,
            requested_at: Timestamp::UNIX_EPOCH,
            took_us: Some(1),
            write_gap: None,
            read_gap: None,
            steps: Vec::new(),
            smart_shutdown: None,
            error: None,
        }
    }

    #[test]
    fn an_event_has_the_longest_silence_that_touches_the_time_until_the_next_one() {
        let silence = |start_ms: u64, end_ms: Option<u64>| SilentPeriod {
            start_ns: start_ms * 1_000_000,
            end_ns: end_ms.map(|end_ms| end_ms * 1_000_000),
        };
        let before = silence(0, Some(900));
        let first = silence(990, Some(1_500));
        let writes = Some(vec![before, first, silence(1_600, Some(1_700)), silence(5_100, None)]);
        let silences = Silences { writes, reads: Some(vec![before]) };
        let events = with_gaps(vec![event(1_000_000), event(3_000_000), event(5_000_000)], &silences, 9_000_000);
        let between = |start_us, end_us| Some(Gap::Between { start_us, end_us });
        let under = Some(Gap::Under(10_000));
        let writes: Vec<_> = events.iter().map(|event| event.write_gap).collect();
        assert_eq!(writes, [between(990_000, Some(1_500_000)), under, between(5_100_000, None)]);
        assert!(events.iter().all(|event| event.read_gap == under));
        let nothing = with_gaps(vec![event(1)], &Silences::default(), 9_000_000);
        assert_eq!((nothing[0].write_gap, nothing[0].read_gap), (None, None));
    }
}
