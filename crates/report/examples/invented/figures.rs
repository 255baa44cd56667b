//! What the invented servers can do, trial by trial and second by second.
//!
//! At 32 clients the candidate loses a tenth of the reads, at 8 it is equivalent; it gains in writes at 8 clients,
//! and at 32 one block stands apart. In one trial all connections are lost for four seconds, and another one is not
//! steady.

use results::run::ScheduledTrial;
use results::trial::{Role, SearchStep};

use crate::event::gap_s;

/// Seconds of the warm-up.
pub(crate) const WARM_UP_S: u32 = 4;
/// Seconds of the measurement.
pub(crate) const MEASURE_S: u32 = 20;

/// One trial.
pub(crate) struct Figures {
    number: u32,
    clients: u32,
    /// Transactions per second of an even second.
    level_per_s: f64,
    /// Mean latency of an even second.
    latency_ms: f64,
    /// What an open loop offers.
    pub(crate) step: Option<SearchStep>,
    pub(crate) writes: bool,
    pub(crate) is_throttled: bool,
    /// Seconds, from the load's start, in which no client has a connection.
    pub(crate) outage_s: Option<[u32; 2]>,
    /// The second in which a switchover is asked for.
    pub(crate) switchover_s: Option<u32>,
    /// The second in which a checkpoint begins.
    checkpoint_s: Option<u32>,
    is_steady: bool,
}

/// One second of it.
pub(crate) struct Second {
    pub(crate) transactions: u64,
    pub(crate) latency_ms: Option<f64>,
    pub(crate) is_out: bool,
    pub(crate) has_checkpoint: bool,
    /// Share of the host's CPUs; absent where it could not be read.
    pub(crate) cpu: Option<f64>,
}

impl Figures {
    pub(crate) fn of(scheduled: &ScheduledTrial, step: Option<SearchStep>) -> Self {
        let cell = &scheduled.cell;
        let place = (cell.target.as_str(), cell.workload.as_str(), scheduled.planned_clients());
        let is_main = scheduled.role == Role::Main;
        let writes = cell.workload == "write";
        let effect = match place {
            ("cnpg", "read", 8) => 0.992,
            ("cnpg", "read", _) => 0.89,
            ("cnpg", "write", 8) => 1.052,
            ("cnpg", "write", _) if scheduled.block == 3 => 0.8,
            ("cnpg", "write", _) => 0.982,
            ("cnpg", ..) => 0.95,
            ("pooler", "write", _) => 0.99,
            ("pooler", ..) => 0.97,
            _ => 1.0,
        };
        let clients = f64::from(scheduled.planned_clients());
        let wobble = 1.0 + 0.004 * noise(scheduled.number, 0);
        let (level_per_s, latency_ms) = match step {
            None => {
                let peak_per_s = if writes { 4_600.0 } else { 66_000.0 };
                let level_per_s = peak_per_s * clients / (clients + 9.0) * effect * wobble;
                (level_per_s, clients / level_per_s * 1e3)
            }
            // The limit of p99 is 20 ms, which is 2.6 times the mean: see `trial.rs`.
            Some(step) => (step.rate_per_s, 20.0 / 2.6 * (step.rate_per_s / (3_100.0 * effect * wobble)).powi(3)),
        };
        let is_lost = is_main && place == ("cnpg", "write", 8) && scheduled.block == 2;
        Self {
            number: scheduled.number,
            clients: scheduled.planned_clients(),
            level_per_s,
            latency_ms,
            step,
            writes,
            is_throttled: cell.target == "cnpg" && cell.workload == "read" && scheduled.planned_clients() > 8,
            outage_s: is_lost.then_some([12, 16]),
            switchover_s: None,
            checkpoint_s: writes.then_some(WARM_UP_S + 3 + scheduled.block),
            is_steady: !(is_main && place == ("vm", "read", 8) && scheduled.block == 4),
        }
    }

    /// The same with a switchover at this second of the measurement, in calm weather.
    pub(crate) fn with_switchover(self, at: u32) -> Self {
        Self { switchover_s: Some(WARM_UP_S + at), checkpoint_s: None, ..self }
    }

    /// How long the switchover takes: longer where a second is slower.
    pub(crate) fn away_s(&self) -> f64 {
        self.latency_ms * 0.15 + 0.2 * (1.0 + noise(self.number, 999))
    }

    /// The second of that number, from 0, since the load's start.
    pub(crate) fn second(&self, at: u32) -> Second {
        let t = f64::from(at);
        let is_out = self.outage_s.is_some_and(|[from, to]| (from..to).contains(&at));
        let since = self.checkpoint_s.and_then(|begun| at.checked_sub(begun)).map_or(9.0, f64::from);
        let flushing = if since < 6.0 { 0.72 + since * 0.04 } else { 1.0 };
        let warming = 1.0 - 0.35 * (-(t + 1.0) / 0.8).exp();
        let shift = if self.is_steady {
            1.0
        } else if at < WARM_UP_S + 8 {
            0.85
        } else {
            1.1
        };
        let is_closed = self.step.is_none();
        let factor =
            if is_closed { flushing * warming * shift * (1.0 + 0.012 * noise(self.number, at + 1)) } else { 1.0 };
        let away_s = gap_s(self).map_or(0.0, |[begin_s, end_s]| (end_s.min(t + 1.0) - begin_s.max(t)).max(0.0));
        let busy = f64::from(self.clients) / f64::from(self.clients + 9);
        Second {
            transactions: if is_out { 0 } else { (self.level_per_s * factor * (1.0 - away_s)) as u64 },
            latency_ms: (!is_out).then_some(self.latency_ms / factor),
            is_out,
            has_checkpoint: self.checkpoint_s == Some(at),
            cpu: (!self.number.is_multiple_of(9) || at > 7).then_some(if is_out { 0.04 } else { 0.3 + 0.6 * busy }),
        }
    }
}

/// Between −1 and 1, the same for the same two numbers, and of which one tells nothing of the next.
fn noise(trial: u32, second: u32) -> f64 {
    // The finaliser of splitmix64.
    let mut state = (u64::from(trial) << 32 | u64::from(second)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((state ^ (state >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}
