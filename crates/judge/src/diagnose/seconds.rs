//! A cell second by second: where in time something was so, and the series that show it.

use results::activity::{SampledSessions, SeenLock};
use results::probe_fields::{FieldKind, FieldUnit, ProbeField, host_server, pg_checkpointer};
use stats::centre::arithmetic_mean;

use super::case::{DiagnosisCase, MeasuredTrial};
use super::finding::{Chart, ChartLine, TrialWindow};

/// One second of one trial.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    measured: &'a MeasuredTrial<'a>,
    at: usize,
}

/// A series to draw beside the throughput.
pub enum ChartedSeries<'d> {
    /// A counter per second, or a gauge.
    Field {
        /// The figure of a probe.
        field: ProbeField,
        /// What to call it.
        name: &'d str,
        /// The unit after scaling.
        unit: &'static str,
        /// What to multiply it with.
        scale: f64,
    },
    /// The share of their time that the sessions were in states for which `is` holds, in percent.
    Sessions {
        /// What to call it.
        name: &'d str,
        /// Which states.
        is: &'d dyn Fn(&SampledSessions) -> bool,
    },
    /// The mean latency, in milliseconds.
    Latency,
}

impl<'a> DiagnosisCase<'a> {
    /// Every second of every trial.
    pub fn all_seconds(&self) -> impl Iterator<Item = Moment<'a>> {
        self.trials()
            .iter()
            .flat_map(|measured| (0..measured.watched.seconds.len()).map(move |at| Moment { measured, at }))
    }

    /// The stretches of seconds for which `is` holds.
    pub fn windows_where(&self, is: impl Fn(&Moment<'a>) -> bool) -> Vec<TrialWindow> {
        let mut windows: Vec<TrialWindow> = Vec::new();
        let mut before: Option<(u32, usize)> = None;
        for moment in self.all_seconds().filter(is) {
            let trial = moment.trial_number();
            match windows.last_mut() {
                Some(last) if before == Some((trial, moment.at.wrapping_sub(1))) => last.to_s = moment.end_s(),
                _ => windows.push(TrialWindow { trial, from_s: moment.start_s(), to_s: moment.end_s() }),
            }
            before = Some((trial, moment.at));
        }
        windows
    }

    /// The whole measurement phase of every trial: for what was so all the time.
    pub fn all_the_time(&self) -> Vec<TrialWindow> {
        self.windows_where(|_| true)
    }

    /// The series of the trial that most of the windows' time lies in: its throughput, and the ones asked for.
    pub fn chart_of_windows(&self, windows: &[TrialWindow], drawn: &[ChartedSeries<'_>]) -> Option<Chart> {
        // Of equals the first: max_by takes the last.
        let measured = self.trials().iter().rev().max_by(|one, other| {
            let [length_s, other_s] = [one, other].map(|measured| {
                let of_trial = windows.iter().filter(|window| window.trial == measured.trial.number);
                of_trial.map(TrialWindow::span_s).sum::<f64>()
            });
            length_s.total_cmp(&other_s)
        })?;
        let moments: Vec<Moment<'_>> = (0..measured.watched.seconds.len()).map(|at| Moment { measured, at }).collect();
        let throughput = moments.iter().map(Moment::throughput_per_s).collect();
        let mut lines = vec![ChartLine { name: "throughput".to_owned(), unit: "tps", values: throughput }];
        lines.extend(drawn.iter().map(|drawn| drawn.chart_line(&moments)));
        Some(Chart { trial: measured.trial.number, end_s: moments.iter().map(Moment::end_s).collect(), lines })
    }
}

impl<'d> ChartedSeries<'d> {
    /// A counter per second, or a gauge, in the unit that suits it.
    pub fn series_of_field(field: ProbeField, name: &'d str) -> Self {
        let (unit, scale) = match (field.unit, field.kind) {
            (FieldUnit::Count, FieldKind::Counter) => ("/s", 1.0),
            (FieldUnit::Count, FieldKind::Gauge) => ("", 1.0),
            (FieldUnit::Bytes, FieldKind::Counter) => ("MB/s", 1e-6),
            (FieldUnit::Bytes, FieldKind::Gauge) => ("MB", 1e-6),
            (FieldUnit::Us | FieldUnit::CpuUs, FieldKind::Counter) => ("s/s", 1e-6),
            (FieldUnit::Us | FieldUnit::CpuUs, FieldKind::Gauge) => ("s", 1e-6),
        };
        Self::with_unit(field, name, unit, scale)
    }

    /// How many sessions waited for a CPU.
    pub const SESSIONS_WAITING_FOR_CPU: Self = Self::Field {
        field: host_server::BACKENDS_RUN_DELAY_US,
        name: "sessions waiting for a CPU",
        unit: "sessions",
        scale: 1e-6,
    };

    /// How many sessions were on a CPU.
    pub const SESSIONS_ON_CPU: Self =
        Self::Field { field: host_server::BACKENDS_CPU_US, name: "sessions on a CPU", unit: "sessions", scale: 1e-6 };

    /// The same, multiplied with `scale` to be in `unit`.
    pub fn with_unit(field: ProbeField, name: &'d str, unit: &'static str, scale: f64) -> Self {
        Self::Field { field, name, unit, scale }
    }

    /// The share of their time that the sessions were in states for which `is` holds.
    pub fn series_of_sessions(name: &'d str, is: &'d dyn Fn(&SampledSessions) -> bool) -> Self {
        Self::Sessions { name, is }
    }

    fn chart_line(&self, moments: &[Moment<'_>]) -> ChartLine {
        let (name, unit, values) = match self {
            Self::Field { field, name, unit, scale } => {
                (*name, *unit, moments.iter().map(|moment| Some(moment.value_of(*field)? * scale)).collect())
            }
            Self::Sessions { name, is } => {
                (*name, "%", moments.iter().map(|moment| Some(moment.share_of_sessions(is)? * 100.0)).collect())
            }
            Self::Latency => ("mean latency", "ms", moments.iter().map(Moment::latency_ms).collect()),
        };
        ChartLine { name: name.to_owned(), unit, values }
    }
}

/// A field's mean rate over seconds; absent where it was read in none.
pub(super) fn mean_rate_of_seconds(seconds: &[Moment<'_>], field: ProbeField) -> Option<f64> {
    arithmetic_mean(seconds.iter().filter_map(|second| second.rate_of_second(field)))
}

impl Moment<'_> {
    /// Whether the checkpointer wrote buffers in it.
    pub fn checkpointer_writes(&self) -> bool {
        self.rate_of_second(pg_checkpointer::BUFFERS_WRITTEN).is_some_and(|rate| rate > 0.0)
    }

    /// The trial's number.
    pub fn trial_number(&self) -> u32 {
        self.measured.trial.number
    }

    /// The second before it in the same trial.
    pub fn previous_second(&self) -> Option<Self> {
        Some(Self { at: self.at.checked_sub(1)?, ..*self })
    }

    /// Its number within the measurement phase, from 0.
    pub fn index(&self) -> usize {
        self.at
    }

    /// Whether some of a window lies in it.
    pub fn overlaps_window(&self, window: &TrialWindow) -> bool {
        window.trial == self.trial_number() && window.from_s < self.end_s() && window.to_s > self.start_s()
    }

    /// Its start, in seconds since the load's start.
    pub fn start_s(&self) -> f64 {
        self.watched_second().start_s()
    }

    /// Its end, in seconds since the load's start.
    pub fn end_s(&self) -> f64 {
        self.watched_second().end_s()
    }

    /// Transactions completed per second in which the side could send; absent where it hardly had a turn.
    pub fn throughput_per_s(&self) -> Option<f64> {
        self.watched_second().throughput_per_s()
    }

    /// How long the side could send in it, in seconds.
    pub fn worked_s(&self) -> f64 {
        self.watched_second().worked_s()
    }

    /// Mean latency; absent when no transaction ended.
    pub fn latency_ms(&self) -> Option<f64> {
        Some(self.watched_second().latency?.mean_ns / 1e6)
    }

    /// Clients without a connection at its end.
    pub fn clients_out(&self) -> u32 {
        self.watched_second().clients_out
    }

    /// Share of the second that the load engine's busiest thread was on a CPU;
    /// absent where another program sent the load.
    pub fn engine_busiest(&self) -> Option<f64> {
        Some(self.watched_second().engine?.busiest_thread)
    }

    /// The longest time between two visits of the load engine's event queue, in seconds.
    pub fn engine_lag_s(&self) -> Option<f64> {
        Some(self.watched_second().engine?.loop_lag_ns_max as f64 / 1e9)
    }

    /// Whether its trial took turns with another side.
    pub fn takes_turns(&self) -> bool {
        self.measured.trial.turns.is_some()
    }

    /// Whether the generator noted the standstills of its trial.
    pub fn knows_standstills(&self) -> bool {
        self.measured.load.standstills.is_some()
    }

    /// How often the sessions were looked at; absent where they were not.
    pub fn sample_count(&self) -> Option<u32> {
        Some(self.measured.watched.activity.get(self.at)?.as_ref()?.samples)
    }

    /// What the sessions were seen doing.
    pub fn seen_sessions(&self) -> impl Iterator<Item = &SampledSessions> {
        self.measured.watched.activity.get(self.at).into_iter().flatten().flat_map(|window| &window.seen)
    }

    /// For what and behind whom they were seen waiting.
    pub fn seen_locks(&self) -> impl Iterator<Item = &SeenLock> {
        self.measured.watched.activity.get(self.at).into_iter().flatten().flat_map(|window| &window.locks)
    }

    /// How much a counter rose per second; absent in a gap.
    pub fn rate_of_second(&self, field: ProbeField) -> Option<f64> {
        debug_assert_eq!(field.kind, FieldKind::Counter, "{field:?}");
        self.value_of(field)
    }

    /// The level of a gauge; absent in a gap.
    pub fn level_of_second(&self, field: ProbeField) -> Option<f64> {
        debug_assert_eq!(field.kind, FieldKind::Gauge, "{field:?}");
        self.value_of(field)
    }

    fn value_of(&self, field: ProbeField) -> Option<f64> {
        self.measured.watched.value_at(field, self.at)
    }

    /// Share of their time that the sessions were in states for which `is` holds; absent where none was sampled.
    pub fn share_of_sessions(&self, is: impl Fn(&SampledSessions) -> bool) -> Option<f64> {
        let window = self.measured.watched.activity.get(self.at)?.as_ref()?;
        let all: u64 = window.seen.iter().map(|seen| seen.sessions).sum();
        let those: u64 = window.seen.iter().filter(|seen| is(seen)).map(|seen| seen.sessions).sum();
        (all > 0).then(|| those as f64 / all as f64)
    }

    fn watched_second(&self) -> &crate::observed::WatchedSecond {
        &self.measured.watched.seconds[self.at]
    }
}
