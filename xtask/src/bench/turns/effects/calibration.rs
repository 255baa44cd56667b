//! What a known amount of work takes a server, told without turns, throughput or a second server: one session executes
//! the statements one after the other, in a random order, many times, and the kernel says how long its process was on
//! a CPU (`/proc/PID/schedstat`). That other things run on the machine delays it and hardly changes it.

use std::time::Duration;

use stats::estimate::mean_estimate;
use stats::paired::change_of_log_ratios;
use stats::{ConfidenceLevel, Estimate};
use tokio_postgres::Statement;

use super::super::super::server::{Server, Session};
use super::super::block::lot;
use super::work;

/// Executions between two looks at the kernel's account.
const AT_ONCE: u32 = 5;
/// The process goes to sleep after its answer; its account is exact when it has.
const ASLEEP: Duration = Duration::from_micros(500);

/// What one execution takes the server, in microseconds of CPU time.
pub(super) struct Cost {
    /// Without any work in it: receiving, planning, answering.
    nothing_us: f64,
    /// With the work of the first side.
    whole_us: f64,
    /// What half of that work takes of the whole, both less what takes no work; a half if work is proportional.
    half: Estimate,
    /// First side's / second side's − 1, of each of the known changes.
    changes: [Estimate; work::LOSSES.len()],
    rounds: usize,
}

impl Cost {
    /// Measures it.
    pub(super) fn measure(server: &Server, rounds: usize) -> Self {
        let session = server.session();
        let mut amounts = vec![0, work::UNITS / 2, work::UNITS];
        amounts.extend(work::LOSSES.map(work::units_of));
        let mut order: Vec<usize> = (0..amounts.len()).collect();
        let statements: Vec<_> = amounts.iter().map(|units| session.prepare(&work::statement(*units))).collect();
        // The first calls plan the statement and compile the function.
        statements.iter().for_each(|statement| session.execute(statement));
        let mut us = vec![Vec::with_capacity(rounds); amounts.len()];
        for round in 0..rounds as u64 {
            order.sort_by_key(|&which| lot(round * 100 + which as u64));
            for &which in &order {
                us[which].push(spent_us(&session, &statements[which]));
            }
        }
        Self::of(&us)
    }

    fn of(us: &[Vec<f64>]) -> Self {
        let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
        let nothing_us = mean(&us[0]);
        let over_rounds = |of: &dyn Fn(usize) -> f64| (0..us[0].len()).map(of).collect::<Vec<f64>>();
        let half = over_rounds(&|round| (us[1][round] - nothing_us) / (us[2][round] - nothing_us));
        let half = mean_estimate(&half).expect("there are rounds");
        let changes = [3, 4, 5].map(|dearer: usize| {
            let log_ratios = over_rounds(&|round| (us[2][round] / us[dearer][round]).ln());
            change_of_log_ratios(&log_ratios, ConfidenceLevel::NINETY_FIVE).expect("there are rounds")
        });
        Self { nothing_us, whole_us: mean(&us[2]), half, changes, rounds: us[0].len() }
    }

    /// ln(second / first) of the throughputs of two sides that share CPUs of which none is ever idle, if the second
    /// loses this share of its throughput where nothing but the work costs anything. What a transaction costs besides,
    /// at the server and in the load engine, is the same on both sides.
    pub(super) fn true_log_ratio(&self, loss_percent: u32, engine_us: f64) -> f64 {
        let work_us = self.whole_us - self.nothing_us;
        let besides_us = self.nothing_us + engine_us;
        let more = f64::from(work::units_of(loss_percent)) / f64::from(work::UNITS);
        ((besides_us + work_us) / (besides_us + work_us * more)).ln()
    }

    pub(super) fn print(&self) {
        println!(
            "calibrated by the kernel's account of one session, {} rounds in a random order: the work of the first side takes {:.0} µs of \
             CPU time and a statement without work {:.1} µs; half the work takes {:.4} ± {:.4} of the whole; the dearer statements: {}\n",
            self.rounds,
            self.whole_us - self.nothing_us,
            self.nothing_us,
            self.half.point,
            self.half.interval.half_width(),
            self.changes.map(super::share_with_half_width).join(", "),
        );
    }
}

/// CPU time of the server's process for one execution.
fn spent_us(session: &Session<'_>, statement: &Statement) -> f64 {
    let before_ns = session.cpu_ns();
    (0..AT_ONCE).for_each(|_| session.execute(statement));
    std::thread::sleep(ASLEEP);
    (session.cpu_ns() - before_ns) as f64 / 1e3 / f64::from(AT_ONCE)
}
