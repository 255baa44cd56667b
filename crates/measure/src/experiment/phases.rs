//! The phases of a trial, with their instants, as they are entered.

use std::time::Instant;

use jiff::Timestamp;
use results::trial::{PhaseRecord, TrialPhase};

/// The phases of a trial as they are entered.
#[derive(Debug, Default)]
pub(super) struct EnteredTrialPhases {
    ended: Vec<PhaseRecord>,
    current: Option<(TrialPhase, Timestamp, Instant)>,
}

impl EnteredTrialPhases {
    pub(super) fn enter_phase(&mut self, phase: TrialPhase) {
        self.leave_phase();
        self.current = Some((phase, Timestamp::now(), Instant::now()));
    }

    fn leave_phase(&mut self) {
        if let Some((phase, started_at, began)) = self.current.take() {
            let duration_us = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
            self.ended.push(PhaseRecord { phase, started_at, duration_us });
        }
    }

    pub(super) fn end_phases(mut self) -> Vec<PhaseRecord> {
        self.leave_phase();
        self.ended
    }
}
