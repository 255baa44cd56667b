//! Time on the way between load engine and server, where that is what a figure is made of: how much of it the network
//! takes by count, and what else is on the way. Only round trips that were counted are the network's. The rest is not
//! known: it may be a pooler's or a proxy's, whose end of a connection is all that the kernel sees.

use plan::Connections;
use results::path::NetworkPath;

use super::case::{DiagnosisCase, MeasuredTrial};
use super::finding::{EvidenceFigure, FigureAmount, SpentTime, figure};
use super::missing::MissingObservation;
use super::spent::is_path;
use crate::budget::{BudgetPart, in_part};
use crate::codes::{RuleThreshold, ThresholdUnit};
use crate::compare::LoadLoop;
use crate::compare::sides::FORWARDED;
use crate::thresholds::{CPUS_CONTENDED, OUTSIDE_DECIDES};

/// Milliseconds of a transaction outside the server below which it is no path's fault: system calls and switches of a
/// statement or two on one machine take as long.
const OUTSIDE_MS: f64 = 0.2;

/// Above this the load engine may have kept the answers waiting.
const ENGINE_BUSY: f64 = 0.6;

const OUTSIDE_MS_ON_BUSY_CPUS: f64 = 10.0;

/// Latency at twice the clients, or more, over that at the fewest: up to here it is constant.
const CONSTANT: f64 = 1.25;

/// What [`on_path`] asks for, for the codes of the rules that ask it.
pub(super) const MOST_ON_ROUTE: RuleThreshold =
    RuleThreshold::at_least("time on the route as a share of the latency", OUTSIDE_DECIDES, ThresholdUnit::Share);
/// See [`MOST_ON_ROUTE`].
pub(super) const LONG_ON_ROUTE: RuleThreshold =
    RuleThreshold::at_least("time on the route per transaction", OUTSIDE_MS, ThresholdUnit::Milliseconds);
/// See [`MOST_ON_ROUTE`].
pub(super) const LONG_ON_ROUTE_OF_BUSY_HOST: RuleThreshold = RuleThreshold::at_least(
    "the same if the CPUs of the server's host are contended",
    OUTSIDE_MS_ON_BUSY_CPUS,
    ThresholdUnit::Milliseconds,
);
/// See [`MOST_ON_ROUTE`].
pub(super) const ENGINE_HAS_TIME: RuleThreshold = RuleThreshold::at_most(
    "load engine's busiest thread on a CPU or waiting for one",
    ENGINE_BUSY,
    ThresholdUnit::Share,
);

/// Time on the way that is most of a transaction, while neither end is busy.
pub(super) struct OnPath {
    outside: SpentTime,
    engine: f64,
}

impl OnPath {
    /// Of the mean transaction, in milliseconds.
    pub(super) fn time_on_path_ms(&self) -> f64 {
        self.outside.ms.point
    }

    /// It, and how busy the ends are.
    pub(super) fn figures_of_path(&self, case: &DiagnosisCase<'_>) -> Vec<EvidenceFigure> {
        let busy = case.cpu_busy().ok();
        let figures = [
            Some(figure("share of the latency on the route", FigureAmount::Share(self.outside.share))),
            Some(figure("load engine's busiest thread on a CPU or waiting for one", FigureAmount::Share(self.engine))),
            busy.map(|busy| figure("CPU utilization of the server's host", FigureAmount::Share(busy))),
        ];
        figures.into_iter().flatten().collect()
    }
}

/// The time on the way, if that is what the figures are made of.
pub(super) fn on_path(case: &DiagnosisCase<'_>) -> Result<Option<OnPath>, MissingObservation> {
    let outside = case.time_in(is_path)?;
    let engine = case.engine_demand()?;
    let is_busy = case.cpu_busy().is_ok_and(|busy| busy > CPUS_CONTENDED);
    let at_least_ms = if is_busy { OUTSIDE_MS_ON_BUSY_CPUS } else { OUTSIDE_MS };
    let is_most = outside.share >= OUTSIDE_DECIDES && outside.ms.point >= at_least_ms && engine <= ENGINE_BUSY;
    Ok(is_most.then_some(OnPath { outside, engine }))
}

/// The time that the network takes by count, if that is what the figures are made of: the shortest round trip, as often
/// as a client waited for the server.
///
/// # Errors
/// Where round trips were not counted and most of the time is on the way.
pub(super) fn on_network(case: &DiagnosisCase<'_>) -> Result<Option<OnPath>, MissingObservation> {
    let Some(mut on_path) = on_path(case)? else { return Ok(None) };
    let mut is_by_socket = false;
    for measured in case.trials() {
        let gap = match measured.load.path.as_ref().map(|path| &path.network) {
            None => "the load generator does not count them",
            Some(NetworkPath::Unknown { gap }) => gap,
            Some(NetworkPath::Unix) => {
                is_by_socket = true;
                continue;
            }
            Some(NetworkPath::Tcp(_)) => continue,
        };
        return Err(MissingObservation::new("round trips on the network", gap));
    }
    if is_by_socket {
        return Ok(None);
    }
    on_path.outside = case.time_in(|part| *part == BudgetPart::Network)?;
    Ok((on_path.outside.share >= OUTSIDE_DECIDES).then_some(on_path))
}

/// From this share of the clients on they have sessions of their own, for all that a sampler misses of those that come
/// and go.
pub(super) const OF_THEIR_OWN: f64 = 0.8;

impl DiagnosisCase<'_> {
    /// The last thing on the way to the server that answers, or may hold back, what passes it, by its name; none where
    /// none is known. TLS is an end's own.
    pub fn last_hop_name(&self) -> Option<String> {
        let path = self.target_facts().ok().map(|facts| &facts.path);
        let layers = path.map_or(&[][..], |path| &path.layers);
        let named = layers.iter().rev().find(|layer| *layer != "TLS").cloned();
        named
            .or_else(|| self.shares_sessions().map(|_| "a pooler".to_owned()))
            .or_else(|| path.filter(|path| path.is_forwarded() == Some(true)).map(|_| FORWARDED.to_owned()))
    }

    /// Median and tail of the latency as figures of the evidence; none where they are not known.
    pub(super) fn figures_of_tail(&self) -> Vec<EvidenceFigure> {
        let Ok((p50, p999)) = self.median_and_tail_ms() else { return Vec::new() };
        vec![
            figure("median latency", FigureAmount::Ms(p50)),
            figure("99.9th percentile of latency", FigureAmount::Ms(p999)),
        ]
    }

    /// Sessions that the server has for the load, on average, where that are clearly fewer than there are clients, who
    /// all keep their connections: something on the way lends them.
    pub fn shares_sessions(&self) -> Option<f64> {
        let keeps = self.planned_workload().is_some_and(|workload| workload.connections == Connections::Kept);
        let (mut samples, mut seen) = (0.0, 0.0);
        for window in self.activity_windows().filter(|window| window.gap.is_none()) {
            samples += f64::from(window.samples);
            seen += window.seen.iter().map(|seen| seen.sessions as f64).sum::<f64>();
        }
        let sessions = seen / samples;
        (keeps && seen > 0.0 && samples > 0.0 && sessions < OF_THEIR_OWN * self.clients_as_float()).then_some(sessions)
    }

    /// Whether a pooler is on its way, as far as is known, that nobody watches.
    pub fn unwatched_pooler(&self) -> Option<String> {
        if self
            .run_plan()
            .is_some_and(|plan| plan.target_by_name(&self.cell().target).is_some_and(|it| it.pooler.is_some()))
        {
            return None;
        }
        let layers = self.target_facts().ok().map_or(&[][..], |facts| &facts.path.layers);
        let named = layers.iter().find(|layer| layer.starts_with("PgBouncer") || layer.starts_with("Pooler")).cloned();
        named.or_else(|| self.shares_sessions().map(|_| "a pooler".to_owned()))
    }
}

/// Time on the way of a trial's mean transaction, in milliseconds.
pub(super) fn path_ms(measured: &MeasuredTrial<'_>) -> Option<f64> {
    let budget = measured.budget.as_ref()?;
    Some(budget.keys().filter(|part| is_path(part)).map(|part| in_part(budget, part)).sum())
}

/// For how long the answers of a trial's mean transaction waited for a load engine that was ready and had no CPU, in
/// milliseconds: by what the busiest of its threads waited.
pub(super) fn engine_waited_ms(measured: &MeasuredTrial<'_>) -> Option<f64> {
    let (load, engine) = (measured.load, &measured.load.engine);
    let waiting = engine.busiest_demand.map_or(0.0, |demand| (demand - engine.busiest_thread).max(0.0));
    let all_ms = waiting * f64::from(engine.threads) * load.measure_us as f64 / 1e3;
    (load.transactions > 0).then(|| all_ms / load.transactions as f64)
}

/// The fewest clients that were measured, if the latency here is the same with at least twice as many, and their ratio.
pub(super) fn constant_over_clients(case: &DiagnosisCase<'_>) -> Option<(u32, f64)> {
    let is_closed = matches!(case.load_loop(), LoadLoop::Closed);
    let fewest = *case.rungs_by_clients().first().filter(|_| is_closed)?;
    let ratio = case.latency_ms().ok()? / fewest.latency_ms().ok()?;
    let is_constant =
        case.clients_as_float() >= 2.0 * fewest.clients_as_float() && (1.0 / CONSTANT..=CONSTANT).contains(&ratio);
    is_constant.then_some((fewest.client_count(), ratio))
}
