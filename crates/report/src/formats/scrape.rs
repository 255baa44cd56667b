//! What a scrape of a run finds while it is measured: OpenMetrics text with the second of each trial under way that has
//! ended last, at the instant of its end, and where the run is. Families and labels are those of the whole run's
//! (`openmetrics`), so that the same dashboard draws both. No conclusion: there is none yet.

use std::fmt::Write as _;

use results::run::{Run, ScheduledTrial};

use super::openmetrics::{FAILED, HOST_CPU, LATENCY, QUANTILES, THROUGHPUT, Titled, escape_label};
use super::{count_or_empty, word_of_choice};
use crate::data::RoleData;
use crate::live::{LiveSecondData, NowData};

/// A run that is being measured.
#[derive(Debug)]
pub struct Scraped<'a> {
    /// Which.
    pub run: &'a Run,
    /// Where it is; absent before it could be read.
    pub now: Option<&'a NowData>,
    /// The latest second of each trial under way.
    pub seconds: Vec<&'a LiveSecondData>,
}

/// A gauge of a second: more labels, and its values.
type GaugeValues = fn(&LiveSecondData) -> Vec<(&'static str, Option<f64>)>;

const OF_SECONDS: [(Titled, GaugeValues); 4] = [
    (THROUGHPUT, |second| vec![("", second.throughput_per_s)]),
    (LATENCY, |second| {
        let percentiles = [second.p50_ms, second.p95_ms, second.p99_ms];
        QUANTILES.into_iter().zip(percentiles.map(|ms| ms.map(|ms| ms / 1e3))).collect()
    }),
    (FAILED, |second| vec![("", Some(second.failed as f64))]),
    (HOST_CPU, |second| vec![("", second.cpu_percent.map(|percent| percent / 100.0))]),
];

const TRIALS_DONE: Titled = ("pgdyno_trials_done", "Trials of the run that have ended.");
const TRIALS_LEFT: Titled = ("pgdyno_trials_left", "Maximum number of trials that are still to be executed.");
const LEFT: Titled = ("pgdyno_left_seconds", "Maximum time until the end of the run, estimated from past trials.");

/// A gauge of a run.
type OfRun = fn(&NowData) -> Option<f64>;

const OF_RUNS: [(Titled, OfRun); 3] = [
    (TRIALS_DONE, |now| Some(now.trials_done as f64)),
    (TRIALS_LEFT, |now| Some(now.trials_left as f64)),
    (LEFT, |now| now.left_s),
];

/// The text of a scrape; without a run it has no sample, and is right all the same.
pub fn scrape_text(runs: &[Scraped<'_>]) -> String {
    let mut text = String::new();
    write_all(&mut text, runs).expect("writing into a String cannot fail");
    text
}

fn write_all(out: &mut String, runs: &[Scraped<'_>]) -> std::fmt::Result {
    for ((name, help), values) in OF_SECONDS {
        writeln!(out, "# TYPE {name} gauge\n# HELP {name} {help}")?;
        for run in runs {
            for second in &run.seconds {
                let Some(labels) = trial_labels(run.run, second) else { continue };
                for (label, value) in values(second) {
                    let Some(value) = value else { continue };
                    let comma = if label.is_empty() { "" } else { "," };
                    writeln!(out, "{name}{{{labels}{comma}{label}}} {value} {:.3}", second.at_s)?;
                }
            }
        }
    }
    for ((name, help), value) in OF_RUNS {
        writeln!(out, "# TYPE {name} gauge\n# HELP {name} {help}")?;
        for (run, now) in runs.iter().filter_map(|run| Some((run, run.now?))) {
            let Some(value) = value(now) else { continue };
            writeln!(out, "{name}{{run=\"{}\"}} {value}", escape_label(&run.run.id))?;
        }
    }
    writeln!(out, "# EOF")
}

/// Of which trial a second is; none of one that the schedule has not.
fn trial_labels(run: &Run, second: &LiveSecondData) -> Option<String> {
    let ScheduledTrial { number, block, cell, role, .. } =
        run.schedule.trials.iter().find(|scheduled| scheduled.number == second.trial)?;
    Some(format!(
        "run=\"{}\",trial=\"{number}\",block=\"{block}\",target=\"{}\",workload=\"{}\",clients=\"{}\",role=\"{}\"",
        escape_label(&run.id),
        escape_label(&cell.target),
        escape_label(&cell.workload),
        count_or_empty(cell.clients.known_count()),
        word_of_choice(RoleData::from(*role)),
    ))
}
