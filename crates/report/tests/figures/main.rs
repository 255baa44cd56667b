//! Figures of one report agree, whatever was measured: in every form, read back as it is printed.
//!
//! One name has one value, a change has the sign of its figures, no bound of a positive figure is negative, an interval
//! contains its point, parts sum to their whole, and printed figures support the printed verdict.

mod invented;
mod printed;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use judge::Judgement;
use judge::beside::ComparedCost;
use judge::observed::Observed;
use report::ReportData;
use report::formats::{self, BenchmarkDirection, CsvTable};
use serde_json::Value;

use printed::{interval, markdown_rows, number, records};

/// Runs that every test looks at.
const RUNS: u64 = 30;

type Record = BTreeMap<String, String>;

/// A run with its report.
struct Told {
    seed: u64,
    judgement: Judgement,
    data: ReportData,
}

impl Told {
    fn csv(&self, table: &str) -> Vec<Record> {
        records(&CsvTable::table_by_name(table).expect("one of the tables").csv_text(&self.data))
    }

    fn markdown(&self) -> String {
        report::judgement_markdown(&self.judgement, "invented")
    }
}

/// Every run, made once for all tests.
static ALL: LazyLock<Vec<Told>> = LazyLock::new(|| (0..RUNS).map(told).collect());

fn told(seed: u64) -> Told {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let observed: Observed = invented::observed(directory.path(), seed);
    let judgement = judge::judge_run(&observed);
    let data = report::build_report(&observed, &judgement);
    Told { seed, judgement, data }
}

fn each_run(look: impl FnMut(&Told)) {
    ALL.iter().for_each(look);
}

/// A cell of a table; none where it is empty.
fn cell(record: &Record, column: &str) -> Option<f64> {
    let text = record.get(column).unwrap_or_else(|| panic!("no column {column} in {record:?}"));
    if text.is_empty() { None } else { Some(text.parse().unwrap_or_else(|_| panic!("{column}: {text}"))) }
}

fn is_near(one: f64, other: f64, scale: f64) -> bool {
    (one - other).abs() <= 1e-9 * scale.abs().max(one.abs()).max(other.abs()) + 1e-12
}

/// The figures of a comparison's sides, by metric, target, workload and clients: value, blocks, and what is said of
/// blocks that were left out.
fn figures_of_sides(told: &Told) -> Vec<([String; 4], f64, String, String)> {
    let mut figures = Vec::new();
    for record in told.csv("comparisons") {
        for (column, target) in [("baseline", "old"), ("candidate_value", record["candidate"].as_str())] {
            if let Some(value) = cell(&record, column) {
                let key = [&record["metric"], target, &record["workload"], &record["clients"]].map(str::to_owned);
                figures.push((key, value, record["blocks"].clone(), record["left_out"].clone()));
            }
        }
    }
    figures
}

#[test]
fn runs_have_what_the_other_tests_look_at() {
    let count = |has: fn(&Told) -> bool| ALL.iter().filter(|told| has(told)).count();
    let all: [fn(&Told) -> bool; 8] = [
        |told| told.data.candidates.len() > 1,
        |told| told.data.comparisons.iter().any(|one| !one.left_out.is_empty()),
        |told| told.data.budgets.iter().any(|budget| budget.without.is_some()),
        |told| told.data.budgets.iter().any(|budget| !budget.taken.is_empty()),
        |told| !told.data.layers.is_empty(),
        |told| told.data.comparisons.iter().any(|one| one.verdict_text.contains("the change is not known")),
        |told| told.data.comparisons.iter().any(|one| one.blocks.iter().any(|block| !block.slices.is_empty())),
        |told| told.data.diagnosis.findings.iter().any(|finding| finding.cost_ms.is_some()),
    ];
    let counts = all.map(count);
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}

#[test]
fn figure_of_one_name_has_one_value() {
    each_run(|told| {
        let sides = figures_of_sides(told);
        let of_name = |key: &[String; 4]| sides.iter().filter(|side| side.0 == *key).collect::<Vec<_>>();
        for (key, value, _, left_out) in &sides {
            for (_, other, _, other_left_out) in of_name(key) {
                let same = is_near(*value, *other, 0.0);
                assert!(same || left_out != other_left_out, "seed {}: {key:?}: {value} and {other}", told.seed);
            }
        }
        let is_said = |key: &[String; 4], value: f64, blocks: &str, whose: &str| {
            for (_, other, of_blocks, left_out) in of_name(key) {
                let is_said = !left_out.is_empty() && (of_blocks != blocks || blocks.is_empty());
                let same = is_near(value, *other, 0.0);
                assert!(
                    same || is_said || !left_out.is_empty(),
                    "seed {}, {whose}: {key:?}: {value} and {other}",
                    told.seed
                );
            }
        };
        for record in told.csv("clients") {
            for metric in ["throughput_tps", "latency_mean_ms", "latency_p99_ms"] {
                let key = [metric, &record["target"], &record["workload"], &record["clients"]].map(str::to_owned);
                if let Some(value) = cell(&record, metric) {
                    is_said(&key, value, &record["blocks"], "clients");
                }
            }
        }
        for record in told.csv("spread") {
            let key =
                ["latency_mean_ms", &record["target"], &record["workload"], &record["clients"]].map(str::to_owned);
            if let Some(value) = cell(&record, "latency_mean_ms") {
                is_said(&key, value, "", "spread");
            }
        }
        for record in told.csv("required") {
            let metric = match record["required"].split(' ').next() {
                Some("throughput") => "throughput_tps",
                Some("mean") => "latency_mean_ms",
                Some("p99") => "latency_p99_ms",
                other => panic!("{other:?}"),
            };
            let key = [metric, &record["target"], &record["workload"], &record["clients"]].map(str::to_owned);
            if let Some(value) = cell(&record, "measured") {
                is_said(&key, value, &record["blocks"], "required");
            }
        }
    });
}

#[test]
fn metric_has_one_verdict_beside_the_comparisons_and_among_the_costs() {
    let mut compared = 0;
    each_run(|told| {
        for (pair, shown) in told.judgement.comparison.pairs.iter().zip(&told.data.comparisons) {
            for (judged, metric) in pair.metrics.iter().zip(&shown.metrics) {
                for cost in &told.judgement.beside.costs {
                    if cost.candidate != pair.candidate || cost.place != pair.place {
                        continue;
                    }
                    if cost.cost != ComparedCost::Metric(judged.metric) {
                        continue;
                    }
                    compared += 1;
                    let beside = serde_json::json!(metric.verdict);
                    assert_eq!(
                        beside,
                        cost.ruling.verdict.name_in_reports(),
                        "seed {}: {:?} of {}",
                        told.seed,
                        judged.metric,
                        shown.candidate
                    );
                }
            }
        }
    });
    assert!(compared > 100, "{compared}");
}

#[test]
fn budget_is_of_the_latency_of_the_verdict_table_and_its_parts_sum_to_it() {
    each_run(|told| {
        let comparisons = told.csv("comparisons");
        let mut budgets: BTreeMap<[String; 3], Vec<Record>> = BTreeMap::new();
        for record in told.csv("budgets") {
            let place = ["candidate", "workload", "clients"].map(|column| record[column].clone());
            budgets.entry(place).or_default().push(record);
        }
        for (place, mut rows) in budgets {
            let whole = rows.pop().expect("a whole");
            assert_eq!(whole["part"], "mean latency");
            let is_it = |record: &&Record| {
                record["metric"] == "latency_mean_ms"
                    && ["candidate", "workload", "clients"].map(|column| record[column].clone()) == place
            };
            let compared = comparisons.iter().find(is_it).expect("the comparison");
            for (of_budget, of_verdict) in [("baseline_ms", "baseline"), ("candidate_ms", "candidate_value")] {
                let [one, other] = [cell(&whole, of_budget), cell(compared, of_verdict)];
                assert!(is_near(one.unwrap(), other.unwrap(), 0.0), "seed {}: {place:?} {one:?} {other:?}", told.seed);
            }
            for column in ["baseline_ms", "candidate_ms", "change_ms"] {
                let sum: f64 = rows.iter().filter_map(|row| cell(row, column)).sum();
                let whole_ms = cell(&whole, column).unwrap();
                let scale = cell(&whole, "baseline_ms").unwrap();
                assert!(is_near(sum, whole_ms, scale), "seed {}: {place:?} {column}: {sum} of {whole_ms}", told.seed);
            }
            let (more_ms, change) = (cell(&whole, "change_ms").unwrap(), cell(compared, "change_percent"));
            assert!(
                change.is_none_or(|change| change * more_ms >= 0.0),
                "seed {}: {more_ms} ms, {change:?}",
                told.seed
            );
            for explained in &told.data.diagnosis.explained {
                let of_place =
                    format!("{}, {}", place[1], judge::units::format_clients(place[2].parse::<u32>().unwrap()));
                if explained.candidate == place[0] && explained.place.contains(&of_place) {
                    assert!(
                        is_near(explained.change_ms.point, more_ms.abs(), more_ms),
                        "seed {}: {whole:?}",
                        told.seed
                    );
                }
            }
            let is_of_all = whole["blocks"] == whole["blocks_of_latency"];
            assert_eq!(whole["without"].is_empty(), is_of_all, "seed {}: {whole:?}", told.seed);
        }
    });
}

#[test]
fn change_has_the_sign_of_its_figures_and_is_their_ratio() {
    each_run(|told| {
        let is_ratio = |one: f64, other: f64, percent: f64, of: &Record| {
            assert!(is_near(other / one, 1.0 + percent / 100.0, 0.0), "seed {}: {of:?}", told.seed);
        };
        for table in ["comparisons", "noise-floor"] {
            for record in told.csv(table) {
                if let Some(percent) = cell(&record, "change_percent") {
                    let sides = ["baseline", "candidate_value"].map(|column| cell(&record, column).expect("a side"));
                    is_ratio(sides[0], sides[1], percent, &record);
                }
            }
        }
        for record in told.csv("layers") {
            let [without, with, added] =
                ["without_ms", "with_ms", "added_ms"].map(|column| cell(&record, column).unwrap());
            assert!(is_near(with - without, added, with), "seed {}: {record:?}", told.seed);
        }
        let sides = told.csv("statement-latency");
        for (record, sides) in told.csv("statement-changes").iter().zip(sides.chunks(2)) {
            for (figure, change) in [("mean_ms", "mean_change_percent"), ("p99_ms", "p99_change_percent")] {
                let [one, other] = [cell(&sides[0], figure), cell(&sides[1], figure)];
                if let (Some(one), Some(other), Some(percent)) = (one, other, cell(record, change)) {
                    is_ratio(one, other, percent, record);
                }
            }
            let [one, other, change] =
                ["baseline_ms", "candidate_ms", "change_ms"].map(|column| cell(record, column).unwrap());
            assert!(is_near(other - one, change, one), "seed {}: {record:?}", told.seed);
        }
        let json = serde_json::to_value(&told.data).unwrap();
        for budget in json["budgets"].as_array().unwrap() {
            for taken in budget["taken"].as_array().unwrap() {
                let [one, other, change] =
                    ["baseline", "candidate", "change"].map(|of| taken[of]["point"].as_f64().unwrap());
                assert!(is_near(other / one, 1.0 + change, 0.0), "seed {}: {taken}", told.seed);
            }
        }
    });
}

#[test]
fn lines_of_costs_on_a_terminal_have_the_sign_of_their_figures() {
    each_run(|told| {
        let terminal = report::terminal_text(&told.judgement, false, None);
        // Evidence of a finding has one side.
        let is_cost = |line: &&str| line.contains(" per transaction: ") && line.contains(" → ");
        for line in terminal.lines().filter(is_cost) {
            let (_, figures) = line.split_once(" per transaction: ").unwrap();
            let (sides, change) = figures.split_once(", ").unwrap();
            let (one, other) = sides.split_once(" → ").unwrap();
            let [one, other] = [one, other].map(|side| number(side).unwrap_or_else(|| panic!("{line}")));
            let (point, ends) = change.split_once(" % ").unwrap_or_else(|| panic!("{line}"));
            let point = number(point).unwrap_or_else(|| panic!("{line}"));
            let off = one.off_by + other.off_by;
            assert!((other.value - one.value) * point.value >= -off * point.value.abs(), "seed {}: {line}", told.seed);
            let [low, high] = interval(ends.split(" (").next().unwrap()).unwrap_or_else(|| panic!("{line}"));
            let is_unknown = low.value < 0.0 && high.value > 0.0 && (100.0 + high.value) > 10.2 * (100.0 + low.value);
            assert!(!is_unknown, "seed {}: {line}", told.seed);
        }
    });
}

/// Looks at every estimate in a report's data.
fn each_estimate(value: &Value, key: &str, look: &mut dyn FnMut(&str, f64, f64, f64)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| each_estimate(item, key, look)),
        Value::Object(fields) => {
            let of = |name: &str| fields.get(name).and_then(Value::as_f64);
            if let (Some(point), true, true) = (of("point"), fields.contains_key("low"), fields.contains_key("high")) {
                let (low, high) = (of("low").expect("a finite number"), of("high").expect("a finite number"));
                look(key, point, low, high);
            }
            fields.iter().for_each(|(name, inner)| each_estimate(inner, name, look));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn interval_contains_its_point_and_no_bound_of_a_positive_figure_is_negative() {
    each_run(|told| {
        let html = report::report_html(&told.data);
        let (_, from) = html.split_once("id=\"report-data\"").expect("data in the page");
        let (_, from) = from.split_once('>').expect("an element");
        let json: Value = serde_json::Deserializer::from_str(from).into_iter().next().expect("data").expect("JSON");
        each_estimate(&json, "", &mut |key, point, low, high| {
            let off = 1e-9 * point.abs();
            assert!(low - off <= point && point <= high + off, "seed {}: {key}: {low} {point} {high}", told.seed);
            let is_difference = key.contains("change") || key == "difference" || key == "stands";
            assert!(is_difference || low >= 0.0, "seed {}: {key}: {low} {point} {high}", told.seed);
        });
        for table in formats::TABLES.iter() {
            for record in told.csv(table.name) {
                for (column, text) in record.iter().filter(|(column, _)| column.contains("_low")) {
                    let is_difference = column.contains("change") || column.contains("added");
                    let low: Option<f64> = text.parse().ok();
                    assert!(is_difference || low.is_none_or(|low| low >= 0.0), "seed {}: {column} {text}", told.seed);
                    let high = record[&column.replace("_low", "_high")].parse::<f64>().ok();
                    let ends = low.zip(high);
                    assert!(ends.is_none_or(|(low, high)| low <= high), "seed {}: {record:?}", told.seed);
                }
            }
        }
    });
}

#[test]
fn shares_of_one_latency_that_exceed_it_are_said_to_overlap() {
    each_run(|told| {
        let mut of_place: BTreeMap<&str, (f64, bool)> = BTreeMap::new();
        for finding in &told.data.diagnosis.findings {
            let (Some(share), Some(cell)) =
                (finding.cost_share.filter(|_| finding.cost_ms.is_some()), finding.cells.first())
            else {
                continue;
            };
            let sum = of_place.entry(cell).or_default();
            *sum = (sum.0 + share, sum.1 || finding.bearing_text.contains("of its time is also counted by"));
        }
        for (cell, (sum, is_said)) in of_place {
            assert!(sum <= 1.0 + 1e-9 || is_said, "seed {}: {cell}: {sum}", told.seed);
        }
    });
}

#[test]
fn trackers_have_the_figures_of_the_table_with_positive_bounds_around_them() {
    each_run(|told| {
        let of_table: Vec<f64> = figures_of_sides(told).into_iter().map(|side| side.1).collect();
        let is_in_table = |value: f64| of_table.iter().any(|other| is_near(value, *other, 0.0));
        let bencher: Value = serde_json::from_str(&formats::bencher_json(&told.data)).unwrap();
        for (name, measures) in bencher.as_object().unwrap() {
            for (measure, figure) in measures.as_object().unwrap() {
                let [value, low, high] =
                    ["value", "lower_value", "upper_value"].map(|of| figure[of].as_f64().expect("a number"));
                let factor = if measure.starts_with("latency") { 1e6 } else { 1.0 };
                assert!(is_in_table(value / factor), "seed {}: {name} {measure} {value}", told.seed);
                assert!(0.0 < low && low <= value && value <= high, "seed {}: {name} {figure}", told.seed);
            }
        }
        for direction in [BenchmarkDirection::BiggerIsBetter, BenchmarkDirection::SmallerIsBetter] {
            let entries: Vec<Value> = serde_json::from_str(&formats::benchmark_action(&told.data, direction)).unwrap();
            for entry in entries {
                let value = entry["value"].as_f64().unwrap();
                let range = entry["range"].as_str().unwrap();
                let (low, high) = range.split_once(" … ").unwrap();
                let [low, high] = [low, high].map(|end| end.parse::<f64>().unwrap());
                let is_around = 0.0 < low && low <= value * 1.001 && value <= high * 1.001;
                assert!(is_around && is_in_table(value), "seed {}: {entry}", told.seed);
            }
        }
    });
}

#[test]
fn test_results_and_metrics_say_the_changes_of_the_table() {
    each_run(|told| {
        let records = told.csv("comparisons");
        let text = formats::openmetrics_text(&told.data);
        for line in text.lines().filter(|line| line.starts_with("pgdyno_change_ratio{")) {
            let label = |name: &str| line.split_once(&format!("{name}=\"")).unwrap().1.split('"').next().unwrap();
            let value: f64 = line.rsplit(' ').nth(1).unwrap().parse().unwrap();
            let column = match label("bound") {
                "point" => "change_percent",
                "low" => "change_low_percent",
                _ => "change_high_percent",
            };
            let is_it = |record: &&Record| {
                ["candidate", "workload", "clients"].iter().all(|of| record[*of] == label(of))
                    && record["metric"].starts_with(label("metric"))
            };
            let matches = records.iter().filter(is_it).filter_map(|record| cell(record, column));
            assert!(
                matches.into_iter().any(|percent| is_near(value * 100.0, percent, 1.0)),
                "seed {}: {line}",
                told.seed
            );
        }
        let junit =
            quick_junit::Report::deserialize_from_str(&formats::junit_xml(&told.judgement, &told.data)).unwrap();
        let cases = junit.test_suites[0].test_cases.iter().filter(|case| case.system_out.is_some());
        let deciding: Vec<&Record> = records.iter().filter(|record| is_first(&records, record)).collect();
        for (case, record) in cases.zip(deciding) {
            let words = case.system_out.as_ref().unwrap().as_str();
            let printed = words.split_once(" % [").and_then(|(point, _)| number(point));
            match (printed, cell(record, "change_percent")) {
                (Some(printed), Some(percent)) => {
                    assert!(printed.may_be(percent), "seed {}: {words} {record:?}", told.seed);
                }
                (printed, percent) => assert_eq!((printed.is_some(), percent.is_some()), (false, false), "{words}"),
            }
        }
    });
}

/// Whether a record is that of the deciding metric of its pair.
fn is_first(records: &[Record], record: &Record) -> bool {
    let place = |of: &Record| ["candidate", "workload", "clients"].map(|column| of[column].clone());
    records.iter().find(|other| place(other) == place(record)) == Some(record)
}

#[test]
fn rows_of_verdicts_print_the_figures_of_the_table_and_support_their_verdict() {
    each_run(|told| {
        let threshold = told.data.practical_threshold * 100.0;
        let markdown = told.markdown();
        let rows = markdown_rows(&markdown);
        let records = told.csv("comparisons");
        let deciding: Vec<&Record> = records.iter().filter(|record| is_first(&records, record)).collect();
        assert_eq!(rows.len(), deciding.len(), "seed {}", told.seed);
        for row in &rows {
            // Of many comparisons those with a verdict come first.
            let record = deciding.iter().find(|record| is_of_row(record, row)).expect("each row is of a comparison");
            supports(row, record, threshold, told);
            if let (Some(printed), Some(percent)) = (number(&row[4]), cell(record, "change_percent")) {
                assert!(printed.may_be(percent), "seed {}: {row:?} {record:?}", told.seed);
            }
            prints_sides(row, record, &records, told.seed);
        }
        let terminal = report::terminal_text(&told.judgement, false, None);
        let summary = formats::markdown_summary(&told.judgement, "invented");
        let of_summary = markdown_rows(&summary);
        for row in &rows {
            let has_all = |line: &&str| row.iter().all(|cell| line.contains(cell.as_str()));
            assert!(terminal.lines().any(|line| has_all(&line)), "seed {}: {row:?} in {terminal}", told.seed);
            assert!(of_summary.contains(row) || rows.len() > 15, "seed {}: {row:?} in {summary}", told.seed);
        }
        for (record, forms) in records
            .iter()
            .filter(|record| !record["left_out"].is_empty())
            .map(|record| (record, [&markdown, &terminal]))
        {
            let reason = record["left_out"].split(": ").nth(1).unwrap().split(';').next().unwrap();
            for form in forms {
                assert!(form.replace('\\', "").contains(reason), "seed {}: {reason} in {form}", told.seed);
            }
        }
    });
}

/// Whether a row of the table of verdicts is of this comparison.
fn is_of_row(record: &Record, row: &[String]) -> bool {
    let workload = &record["workload"];
    let rest = row[0].strip_prefix(workload.as_str());
    let is_workload = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" (") || rest.starts_with(": "));
    let is_candidate = !row[3].contains(": ") || row[3].starts_with(&format!("{}: ", record["candidate"]));
    is_workload && row[1] == record["clients"] && is_candidate
}

/// The figures of both sides as they are printed in a row are those of the table.
fn prints_sides(row: &[String], record: &Record, records: &[Record], seed: u64) {
    for (cells, column) in [(&row[2], "baseline"), (&row[3], "candidate_value")] {
        let cells = cells.rsplit(": ").next().unwrap();
        for figure in cells.split("  ").filter(|figure| *figure != "–") {
            let metric = if figure.ends_with("tps") { "throughput_tps" } else { "latency_mean_ms" };
            let is_it = |other: &&Record| {
                other["metric"] == metric
                    && ["candidate", "workload", "clients"].iter().all(|of| other[*of] == record[*of])
            };
            let printed = number(figure).unwrap_or_else(|| panic!("{figure}"));
            let other = records.iter().find(is_it).and_then(|other| cell(other, column));
            assert!(other.is_none_or(|value| printed.may_be(value)), "seed {seed}: {row:?} {other:?}");
        }
    }
}

/// The printed interval supports the printed verdict.
fn supports(row: &[String], record: &Record, threshold: f64, told: &Told) {
    let seed = told.seed;
    let [ends, verdict] = [&row[5], &row[6]];
    let Some([low, high]) = interval(ends).map(|ends| ends.map(|end| end.value)) else {
        // A side that surely fails more is worse, though nothing else of it is known.
        let by_failures = told.data.comparisons.iter().any(|pair| {
            let clients = pair.clients.map(|clients| clients.to_string()).unwrap_or_default();
            let is_it = [&pair.candidate, &pair.workload, &clients]
                == ["candidate", "workload", "clients"].map(|of| &record[of]);
            is_it
                && pair
                    .failures
                    .as_ref()
                    .and_then(|by| by.difference.as_ref())
                    .is_some_and(|by| by.low > 0.0 || by.high < 0.0)
        });
        assert!(by_failures || verdict == "not enough data" || verdict == "no verdict", "seed {seed}: {row:?}");
        return;
    };
    let is_within = -threshold <= low && high <= threshold;
    let is_sure = low > 0.0 || high < 0.0;
    match verdict.as_str() {
        "equivalent" => assert!(is_within, "seed {seed}: {row:?}"),
        "improved" | "regressed" => assert!(is_sure && !is_within, "seed {seed}: {row:?}"),
        "not worse" | "not better" => {
            assert!(!is_sure && !is_within && (-threshold <= low || high <= threshold), "seed {seed}: {row:?}");
        }
        // Two blocks give no verdict, whatever their interval.
        "not enough data" => {
            let is_open = low < -threshold && high > threshold;
            assert!(is_open || record["blocks"] == "2", "seed {seed}: {row:?}");
        }
        other => panic!("seed {seed}: {other}"),
    }
}

#[test]
fn no_fact_is_said_twice_in_one_report_whatever_its_format() {
    let mut against_figures = 0;
    each_run(|told| {
        let issues = &told.judgement.issues;
        for (index, issue) in issues.iter().enumerate() {
            for other in &issues[index + 1..] {
                let is_of_run = issue.cells.is_empty() || other.cells.is_empty();
                let shares_cells = is_of_run || issue.cells.iter().any(|cell| other.cells.contains(cell));
                assert!(issue.code != other.code || !shares_cells, "seed {}: {issue:#?} {other:#?}", told.seed);
            }
        }
        let texts = [
            report::terminal_text(&told.judgement, false, None),
            report::first_screen(&told.judgement, false, None),
            told.markdown(),
            formats::markdown_summary(&told.judgement, "invented"),
        ];
        for (format, text) in ["terminal", "first screen", "markdown", "summary"].iter().zip(&texts) {
            // The lines of one fact are those that begin with its code, or are of its finding.
            let mut said: BTreeMap<String, usize> = BTreeMap::new();
            for line in text.lines() {
                let line = line.trim_start_matches([' ', '!', '-', '`']);
                for issue in issues.iter().filter(|issue| line.starts_with(issue.code.name)) {
                    *said.entry(format!("{} {}", issue.code.name, issue.text)).or_default() +=
                        usize::from(line.replace('\\', "").contains(&issue.text));
                }
            }
            assert!(said.values().all(|times| *times <= 1), "seed {} {format}: {said:?}", told.seed);
        }
        against_figures += issues.iter().filter(|issue| issue.is_against_figures()).count();
    });
    assert!(against_figures > 0, "no run has an issue");
}
