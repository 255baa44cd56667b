//! What the server's log said during the measurement phases of a cell.

use results::log::LogEvent;

use super::case::{DiagnosisCase, MeasuredTrial};
use super::missing::MissingObservation;
use crate::observed::WatchedSecond;

/// One message.
#[derive(Clone, Copy)]
pub struct LoggedMessage<'a> {
    /// The trial's number.
    pub trial: u32,
    /// When, in seconds since the load's start.
    pub at_s: f64,
    /// What it says.
    pub event: &'a LogEvent,
}

impl<'a> DiagnosisCase<'a> {
    /// The known messages of all its trials, in order.
    pub fn logged_messages(&self) -> Result<Vec<LoggedMessage<'a>>, MissingObservation> {
        let mut all = Vec::new();
        for measured in self.trials() {
            all.extend(of_trial(measured)?);
        }
        Ok(all)
    }

    /// Stretches of time in which something went on whose end was logged with how long it took: the trial, and from
    /// when to when in seconds since the load's start.
    pub fn logged_periods(
        &self,
        took_us: impl Fn(&LogEvent) -> Option<u64>,
    ) -> Result<Vec<(u32, f64, f64)>, MissingObservation> {
        let mut periods = Vec::new();
        for logged in self.logged_messages()? {
            if let Some(took_us) = took_us(logged.event) {
                periods.push((logged.trial, logged.at_s - took_us as f64 / 1e6, logged.at_s));
            }
        }
        Ok(periods)
    }
}

fn of_trial<'a>(
    measured: &'a MeasuredTrial<'a>,
) -> Result<impl Iterator<Item = LoggedMessage<'a>>, MissingObservation> {
    let Some(log) = &measured.watched.log else {
        return Err(MissingObservation::new("the server's log", "it was not read"));
    };
    if let Some(gap) = log.origin.gaps.first() {
        return Err(MissingObservation::new("the server's log", gap));
    }
    let seconds = &measured.watched.seconds;
    let phase = seconds.first().map_or(0.0, WatchedSecond::start_s)..seconds.last().map_or(0.0, WatchedSecond::end_s);
    let logged = log.entries.iter().map(|entry| LoggedMessage {
        trial: measured.trial.number,
        at_s: entry.at_us as f64 / 1e6,
        event: &entry.event,
    });
    Ok(logged.filter(move |logged| phase.contains(&logged.at_s)))
}
