//! OpenMetrics text (<https://prometheus.io/docs/specs/om/open_metrics_spec/>): every second of every trial at the time
//! when it was measured, and what was concluded at the time of the last. `promtool tsdb create-blocks-from openmetrics`
//! reads it into a Prometheus.

use std::fmt::Write as _;

use jiff::Timestamp;

use super::{ReportData, TrialData, count_or_empty, word_of_choice};

/// Name and help of a family of gauges, for a run that is told at its end and for one that is scraped meanwhile.
pub(super) type Titled = (&'static str, &'static str);

pub(super) const THROUGHPUT: Titled =
    ("pgdyno_throughput_transactions_per_second", "Transactions completed per second.");
pub(super) const LATENCY: Titled =
    ("pgdyno_latency_seconds", "Percentiles of the latency of the transactions that ended in the second.");
pub(super) const FAILED: Titled = ("pgdyno_failed_transactions", "Transactions that failed in the second.");
pub(super) const HOST_CPU: Titled =
    ("pgdyno_host_cpu_ratio", "CPU in use on the server's host, as a share of all its CPUs.");
/// The labels of the percentiles.
pub(super) const QUANTILES: [&str; 3] = ["quantile=\"0.5\"", "quantile=\"0.95\"", "quantile=\"0.99\""];

/// A family of gauges with a sample for each second of each trial.
struct GaugeFamily {
    titled: Titled,
    /// More labels, and the values by second.
    #[expect(clippy::type_complexity, reason = "a table of columns")]
    series: fn(&TrialData) -> Vec<(&'static str, Vec<Option<f64>>)>,
}

const FAMILIES: [GaugeFamily; 5] = [
    GaugeFamily {
        titled: THROUGHPUT,
        series: |trial| vec![("", trial.throughput_per_s.iter().copied().map(Some).collect())],
    },
    GaugeFamily {
        titled: LATENCY,
        series: |trial| {
            let percentiles = [&trial.p50_ms, &trial.p95_ms, &trial.p99_ms];
            QUANTILES
                .into_iter()
                .zip(percentiles.map(|ms| ms.iter().map(|ms| ms.map(|ms| ms / 1e3)).collect()))
                .collect()
        },
    },
    GaugeFamily {
        titled: FAILED,
        series: |trial| vec![("", trial.failed.iter().map(|failed| Some(*failed as f64)).collect())],
    },
    GaugeFamily {
        titled: ("pgdyno_clients_without_connection", "Clients that had no usable connection."),
        series: |trial| vec![("", trial.clients_out.iter().map(|out| Some(f64::from(*out))).collect())],
    },
    GaugeFamily {
        titled: HOST_CPU,
        series: |trial| {
            vec![("", trial.cpu_percent.iter().map(|percent| percent.map(|percent| percent / 100.0)).collect())]
        },
    },
];

/// Everything that was measured and concluded; seconds of trials whose begin is not known are left out.
pub fn openmetrics_text(data: &ReportData) -> String {
    let mut text = String::new();
    write_all(&mut text, data).expect("writing into a String cannot fail");
    text
}

fn write_all(out: &mut String, data: &ReportData) -> std::fmt::Result {
    let run = escape_label(&data.run.id);
    for family in &FAMILIES {
        let (name, help) = family.titled;
        writeln!(out, "# TYPE {name} gauge\n# HELP {name} {help}")?;
        for trial in &data.trials {
            let Some(began) = began_s(trial) else { continue };
            for (label, values) in (family.series)(trial) {
                let comma = if label.is_empty() { "" } else { "," };
                for (value, t_s) in values.iter().zip(&trial.t_s) {
                    let Some(value) = value else { continue };
                    writeln!(
                        out,
                        "{name}{{run=\"{run}\",trial=\"{}\",block=\"{}\",target=\"{}\",workload=\"{}\",clients=\"{}\",role=\"{}\"{comma}{label}}} \
                         {value} {:.3}",
                        trial.number,
                        trial.block,
                        escape_label(&trial.target),
                        escape_label(&trial.workload),
                        count_or_empty(trial.clients),
                        word_of_choice(trial.role),
                        began + t_s
                    )?;
                }
            }
        }
    }
    write_conclusions(out, data, &run)?;
    writeln!(out, "# EOF")
}

/// The change of each metric with its interval, at the end of the last trial.
fn write_conclusions(out: &mut String, data: &ReportData, run: &str) -> std::fmt::Result {
    const NAME: &str = "pgdyno_change_ratio";
    let Some(end_s) = data
        .trials
        .iter()
        .filter_map(|trial| Some(began_s(trial)? + trial.t_s.last().copied()?))
        .max_by(f64::total_cmp)
    else {
        return Ok(());
    };
    writeln!(out, "# TYPE {NAME} gauge\n# HELP {NAME} Change (candidate / baseline - 1) with its 95 % interval.")?;
    for one in data.comparisons.iter().chain(&data.further) {
        for metric in &one.metrics {
            let Some(change) = metric.change else { continue };
            for (bound, value) in [("point", change.point), ("low", change.low), ("high", change.high)] {
                writeln!(
                    out,
                    "{NAME}{{run=\"{run}\",baseline=\"{}\",candidate=\"{}\",workload=\"{}\",clients=\"{}\",metric=\"{}\",bound=\"{bound}\"}} \
                     {value} {end_s:.3}",
                    escape_label(&one.baseline),
                    escape_label(&one.candidate),
                    escape_label(&one.workload),
                    count_or_empty(one.clients),
                    word_of_choice(metric.metric),
                )?;
            }
        }
    }
    write_failures(out, data, run, end_s)
}

/// The share of failed transactions of each side of each comparison, at the end of the last trial.
fn write_failures(out: &mut String, data: &ReportData, run: &str, end_s: f64) -> std::fmt::Result {
    const NAME: &str = "pgdyno_failed_ratio";
    writeln!(out, "# TYPE {NAME} gauge\n# HELP {NAME} Failed share of the transactions that ended while measuring.")?;
    for one in data.comparisons.iter().chain(&data.further) {
        let Some(failures) = &one.failures else { continue };
        for (side, account) in [("baseline", &failures.baseline), ("candidate", &failures.candidate)] {
            let Some(share) = account.failed_share else { continue };
            writeln!(
                out,
                "{NAME}{{run=\"{run}\",baseline=\"{}\",candidate=\"{}\",workload=\"{}\",clients=\"{}\",side=\"{side}\"}} \
                 {share} {end_s:.3}",
                escape_label(&one.baseline),
                escape_label(&one.candidate),
                escape_label(&one.workload),
                count_or_empty(one.clients),
            )?;
        }
    }
    Ok(())
}

/// When a trial's load began, in seconds since 1970.
fn began_s(trial: &TrialData) -> Option<f64> {
    let began: Timestamp = trial.started_at.parse().ok()?;
    Some(began.as_millisecond() as f64 / 1e3)
}

/// A label's value, in which backslashes, quotes and line breaks are escaped.
pub(super) fn escape_label(label: &str) -> String {
    label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
