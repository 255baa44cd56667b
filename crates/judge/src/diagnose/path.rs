//! Time on the way between load engine and server, where that is what a figure is made of.

use super::case::Case;
use super::finding::{Amount, Figure, Spent, figure};
use super::rule::Missing;
use super::spent::is_path;
use crate::compare::LoadLoop;

/// From this share of the latency on the path decides the figure.
pub(super) const OUTSIDE: f64 = 0.5;

/// Milliseconds of a transaction outside the server below which it is no path's fault: system calls and switches of a
/// statement or two on one machine take as long.
const OUTSIDE_MS: f64 = 0.2;

/// Above this the load engine may have kept the answers waiting.
const ENGINE_BUSY: f64 = 0.6;

/// Above this a process that is ready may wait for a CPU, so only a longer time outside is the path's: several of the
/// scheduler's slices of some milliseconds.
const CPU_BUSY: f64 = 0.8;
const OUTSIDE_MS_ON_BUSY_CPUS: f64 = 10.0;

/// Latency at twice the clients, or more, over that at the fewest: up to here it is constant.
const CONSTANT: f64 = 1.25;

/// Time on the way that is most of a transaction, while neither end is busy.
pub(super) struct OnPath {
    outside: Spent,
    engine: f64,
}

impl OnPath {
    /// Of the mean transaction, in milliseconds.
    pub(super) fn ms(&self) -> f64 {
        self.outside.ms.point
    }

    /// It, and how busy the ends are.
    pub(super) fn figures(&self, case: &Case<'_>) -> Vec<Figure> {
        let busy = case.cpu_busy().ok();
        let figures = [
            Some(figure("latency on the way to the server and back", Amount::Share(self.outside.share))),
            Some(figure("load engine's busiest thread on a CPU or waiting for one", Amount::Share(self.engine))),
            busy.map(|busy| figure("CPU time of the server's host in use", Amount::Share(busy))),
        ];
        figures.into_iter().flatten().collect()
    }
}

/// The time on the way, if that is what the figures are made of.
pub(super) fn on_path(case: &Case<'_>) -> Result<Option<OnPath>, Missing> {
    let outside = case.time_in(is_path)?;
    let engine = case.engine_demand()?;
    let is_busy = case.cpu_busy().is_ok_and(|busy| busy > CPU_BUSY);
    let at_least_ms = if is_busy { OUTSIDE_MS_ON_BUSY_CPUS } else { OUTSIDE_MS };
    let is_most = outside.share >= OUTSIDE && outside.ms.point >= at_least_ms && engine <= ENGINE_BUSY;
    Ok(is_most.then_some(OnPath { outside, engine }))
}

/// The fewest clients that were measured, if the latency here is the same with at least twice as many, and their ratio.
pub(super) fn constant_over_clients(case: &Case<'_>) -> Option<(u32, f64)> {
    let is_closed = matches!(case.load_loop(), LoadLoop::Closed);
    let fewest = *case.rungs().first().filter(|_| is_closed)?;
    let ratio = case.latency_ms().ok()? / fewest.latency_ms().ok()?;
    let is_constant = case.clients() >= 2.0 * fewest.clients() && (1.0 / CONSTANT..=CONSTANT).contains(&ratio);
    is_constant.then_some((fewest.client_count(), ratio))
}
