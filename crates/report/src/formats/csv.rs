//! The tables of a report as CSV (RFC 4180: lines end in CR LF, fields with commas, quotes or line breaks are quoted),
//! with units in the names of columns. What is missing is an empty field.

use ::csv::{Terminator, Writer, WriterBuilder};

use super::{EstimateData, MetricData, ReportData, count, word};

/// Which table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CsvTable {
    /// Candidate × workload × clients × metric.
    Comparisons,
    /// Candidate × workload × clients × block, in the metric that decides.
    Blocks,
    /// Every second of every trial.
    Seconds,
    /// Where the time went, part by part.
    Budgets,
    /// Facts of the targets.
    Facts,
}

/// A table, its first line the names of its columns.
pub fn csv(data: &ReportData, table: CsvTable) -> String {
    let mut lines = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    match table {
        CsvTable::Comparisons => comparisons(data, &mut lines),
        CsvTable::Blocks => blocks(data, &mut lines),
        CsvTable::Seconds => seconds(data, &mut lines),
        CsvTable::Budgets => budgets(data, &mut lines),
        CsvTable::Facts => facts(data, &mut lines),
    }
    .expect("writing into memory cannot fail");
    String::from_utf8(lines.into_inner().expect("writing into memory cannot fail")).expect("all fields are text")
}

type Lines = Writer<Vec<u8>>;

fn number(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// A metric's name with its unit, such as `latency_p99_ms`.
fn with_unit(metric: &MetricData) -> String {
    format!("{}_{}", word(metric.metric), metric.unit)
}

/// Point and both ends; a share becomes percent by a factor of 100.
fn estimate(of: Option<EstimateData>, factor: f64) -> [String; 3] {
    let part = |value: fn(EstimateData) -> f64| number(of.map(|estimate| value(estimate) * factor));
    [part(|of| of.point), part(|of| of.low), part(|of| of.high)]
}

fn comparisons(data: &ReportData, lines: &mut Lines) -> ::csv::Result<()> {
    lines.write_record([
        "candidate",
        "workload",
        "clients",
        "loop",
        "metric",
        "baseline",
        "baseline_low",
        "baseline_high",
        "candidate_value",
        "candidate_low",
        "candidate_high",
        "change_percent",
        "change_low_percent",
        "change_high_percent",
        "blocks",
        "verdict",
    ])?;
    for one in &data.comparisons {
        for metric in &one.metrics {
            let mut record = vec![
                one.candidate.clone(),
                one.workload.clone(),
                count(one.clients),
                word(one.load_loop),
                with_unit(metric),
            ];
            record.extend(estimate(metric.baseline, 1.0));
            record.extend(estimate(metric.candidate, 1.0));
            record.extend(estimate(metric.change, 100.0));
            record.push(metric.change.map_or(String::new(), |change| change.n.to_string()));
            record.push(word(metric.verdict));
            lines.write_record(record)?;
        }
    }
    Ok(())
}

fn blocks(data: &ReportData, lines: &mut Lines) -> ::csv::Result<()> {
    lines.write_record([
        "candidate",
        "workload",
        "clients",
        "metric",
        "block",
        "baseline_trial",
        "candidate_trial",
        "baseline",
        "candidate_value",
        "change_percent",
        "outlying",
    ])?;
    for one in &data.comparisons {
        for block in &one.blocks {
            lines.write_record([
                one.candidate.clone(),
                one.workload.clone(),
                count(one.clients),
                one.metrics.first().map_or(String::new(), with_unit),
                block.block.to_string(),
                block.baseline_trial.to_string(),
                block.candidate_trial.to_string(),
                block.baseline.to_string(),
                block.candidate.to_string(),
                (block.change * 100.0).to_string(),
                block.outlying.to_string(),
            ])?;
        }
    }
    Ok(())
}

fn seconds(data: &ReportData, lines: &mut Lines) -> ::csv::Result<()> {
    lines.write_record([
        "trial",
        "block",
        "target",
        "workload",
        "clients",
        "role",
        "started_at",
        "t_s",
        "phase",
        "throughput_tps",
        "offered_tps",
        "latency_p50_ms",
        "latency_p95_ms",
        "latency_p99_ms",
        "failed",
        "clients_out",
        "cpu_percent",
    ])?;
    for trial in &data.trials {
        for (at, t_s) in trial.t_s.iter().enumerate() {
            let of = |column: &[Option<f64>]| number(column.get(at).copied().flatten());
            lines.write_record([
                trial.number.to_string(),
                trial.block.to_string(),
                trial.target.clone(),
                trial.workload.clone(),
                count(trial.clients),
                word(trial.role),
                trial.started_at.clone(),
                t_s.to_string(),
                if *t_s <= trial.warm_up_until_s { "warm-up" } else { "measure" }.to_owned(),
                number(trial.throughput_per_s.get(at).copied()),
                of(&trial.offered_per_s),
                of(&trial.p50_ms),
                of(&trial.p95_ms),
                of(&trial.p99_ms),
                trial.failed.get(at).map_or(String::new(), u64::to_string),
                trial.clients_out.get(at).map_or(String::new(), u32::to_string),
                of(&trial.cpu_percent),
            ])?;
        }
    }
    Ok(())
}

fn budgets(data: &ReportData, lines: &mut Lines) -> ::csv::Result<()> {
    lines.write_record([
        "candidate",
        "workload",
        "clients",
        "part",
        "baseline_ms",
        "baseline_low_ms",
        "baseline_high_ms",
        "candidate_ms",
        "candidate_low_ms",
        "candidate_high_ms",
        "change_ms",
        "change_low_ms",
        "change_high_ms",
    ])?;
    for budget in &data.budgets {
        for row in &budget.rows {
            let mut record =
                vec![budget.candidate.clone(), budget.workload.clone(), budget.clients.to_string(), row.part.clone()];
            for of in [row.baseline_ms, row.candidate_ms, row.change_ms] {
                record.extend(estimate(Some(of), 1.0));
            }
            lines.write_record(record)?;
        }
    }
    Ok(())
}

fn facts(data: &ReportData, lines: &mut Lines) -> ::csv::Result<()> {
    let titles =
        ["aspect", "fact"].into_iter().chain(data.targets.iter().map(String::as_str)).chain(["differs", "allowed"]);
    lines.write_record(titles)?;
    for fact in &data.facts {
        let mut record = vec![fact.group.to_owned(), fact.name.clone()];
        record.extend(
            data.targets.iter().enumerate().map(|(at, _)| fact.values.get(at).cloned().flatten().unwrap_or_default()),
        );
        record.extend([fact.differs.to_string(), fact.allowed.to_string()]);
        lines.write_record(record)?;
    }
    Ok(())
}
