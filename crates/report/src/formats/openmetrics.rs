//! OpenMetrics text (<https://prometheus.io/docs/specs/om/open_metrics_spec/>): every second of every trial at the time
//! when it was measured, and what was concluded at the time of the last. `promtool tsdb create-blocks-from openmetrics`
//! reads it into a Prometheus.

use std::fmt::Write as _;

use jiff::Timestamp;

use super::{ReportData, TrialData, count, word};

/// A family of gauges with a sample for each second of each trial.
struct Family {
    name: &'static str,
    help: &'static str,
    /// More labels, and the values by second.
    #[expect(clippy::type_complexity, reason = "a table of columns")]
    series: fn(&TrialData) -> Vec<(&'static str, Vec<Option<f64>>)>,
}

const FAMILIES: [Family; 5] = [
    Family {
        name: "pgdyno_throughput_transactions_per_second",
        help: "Transactions completed per second.",
        series: |trial| vec![("", trial.throughput_per_s.iter().copied().map(Some).collect())],
    },
    Family {
        name: "pgdyno_latency_seconds",
        help: "Percentiles of the latency of the transactions that ended in the second.",
        series: |trial| {
            let seconds = |ms: &[Option<f64>]| ms.iter().map(|ms| ms.map(|ms| ms / 1e3)).collect();
            vec![
                ("quantile=\"0.5\"", seconds(&trial.p50_ms)),
                ("quantile=\"0.95\"", seconds(&trial.p95_ms)),
                ("quantile=\"0.99\"", seconds(&trial.p99_ms)),
            ]
        },
    },
    Family {
        name: "pgdyno_failed_transactions",
        help: "Transactions that failed in the second.",
        series: |trial| vec![("", trial.failed.iter().map(|failed| Some(*failed as f64)).collect())],
    },
    Family {
        name: "pgdyno_clients_without_connection",
        help: "Clients that had no usable connection.",
        series: |trial| vec![("", trial.clients_out.iter().map(|out| Some(f64::from(*out))).collect())],
    },
    Family {
        name: "pgdyno_host_cpu_ratio",
        help: "CPU in use on the server's host, of all its CPUs.",
        series: |trial| {
            vec![("", trial.cpu_percent.iter().map(|percent| percent.map(|percent| percent / 100.0)).collect())]
        },
    },
];

/// Everything that was measured and concluded; seconds of trials whose begin is not known are left out.
pub fn openmetrics(data: &ReportData) -> String {
    let mut text = String::new();
    write_all(&mut text, data).expect("writing into a String cannot fail");
    text
}

fn write_all(out: &mut String, data: &ReportData) -> std::fmt::Result {
    let run = escaped(&data.run.id);
    for family in &FAMILIES {
        writeln!(out, "# TYPE {} gauge\n# HELP {0} {}", family.name, family.help)?;
        for trial in &data.trials {
            let Some(began) = began_s(trial) else { continue };
            for (label, values) in (family.series)(trial) {
                let comma = if label.is_empty() { "" } else { "," };
                for (value, t_s) in values.iter().zip(&trial.t_s) {
                    let Some(value) = value else { continue };
                    writeln!(
                        out,
                        "{}{{run=\"{run}\",trial=\"{}\",block=\"{}\",target=\"{}\",workload=\"{}\",clients=\"{}\",role=\"{}\"{comma}{label}}} \
                         {value} {:.3}",
                        family.name,
                        trial.number,
                        trial.block,
                        escaped(&trial.target),
                        escaped(&trial.workload),
                        count(trial.clients),
                        word(trial.role),
                        began + t_s
                    )?;
                }
            }
        }
    }
    conclusions(out, data, &run)?;
    writeln!(out, "# EOF")
}

/// The change of each metric with its interval, at the end of the last trial.
fn conclusions(out: &mut String, data: &ReportData, run: &str) -> std::fmt::Result {
    const NAME: &str = "pgdyno_change_ratio";
    let end = |trial: &TrialData| Some(began_s(trial)? + trial.t_s.last().copied()?);
    let Some(end_s) = data.trials.iter().filter_map(end).max_by(f64::total_cmp) else { return Ok(()) };
    writeln!(out, "# TYPE {NAME} gauge\n# HELP {NAME} Candidate over baseline less one, with its 95 % interval.")?;
    for one in &data.comparisons {
        for metric in &one.metrics {
            let Some(change) = metric.change else { continue };
            for (bound, value) in [("point", change.point), ("low", change.low), ("high", change.high)] {
                writeln!(
                    out,
                    "{NAME}{{run=\"{run}\",baseline=\"{}\",candidate=\"{}\",workload=\"{}\",clients=\"{}\",metric=\"{}\",bound=\"{bound}\"}} \
                     {value} {end_s:.3}",
                    escaped(&data.baseline),
                    escaped(&one.candidate),
                    escaped(&one.workload),
                    count(one.clients),
                    word(metric.metric),
                )?;
            }
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
fn escaped(label: &str) -> String {
    label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
