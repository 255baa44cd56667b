//! The forms for other programs, read as those programs read them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use judge::Judgement;
use judge::issue::Issue;
use judge::observed::Observed;
use report::ReportData;
use report::formats::{self, BenchmarkDirection, CsvTable};
use results::store::RunDir;
use serde_json::{Value, json};

fn run() -> (Judgement, ReportData) {
    run_of("run-format-1")
}

fn run_of(fixture: &str) -> (Judgement, ReportData) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/tests/fixtures").join(fixture);
    let observed = Observed::read(&RunDir::open(&path).unwrap()).unwrap();
    let judgement = judge::judge_run(&observed);
    let data = report::build_report(&observed, &judgement);
    (judgement, data)
}

/// The report's own JSON, which each form must agree with.
fn json(data: &ReportData) -> Value {
    serde_json::to_value(data).unwrap()
}

fn records(text: &str) -> Vec<BTreeMap<String, String>> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().map(|record| record.unwrap()).collect()
}

#[test]
fn the_json_of_a_report_is_what_its_schema_says() {
    let (_, data) = run();
    let validator = jsonschema::validator_for(&report::json_schema()).expect("a schema");
    let mut json = json(&data);
    let errors: Vec<String> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    json["comparisons"][0]["verdict"] = "worse".into();
    assert!(!validator.is_valid(&json), "there are four verdicts");
    json["comparisons"][0]["verdict"] = "improved".into();
    json["format"] = 0.into();
    assert!(!validator.is_valid(&json), "it is the schema of one format");
}

fn csv(data: &ReportData, table: &str) -> String {
    CsvTable::table_by_name(table).expect("one of the tables").csv_text(data)
}

#[test]
fn every_table_is_csv_with_a_line_for_each_row_of_the_report() {
    let (_, data) = run();
    let json = json(&data);
    let comparisons = csv(&data, "comparisons");
    assert!(comparisons.lines().all(|line| !line.is_empty()) && comparisons.contains("\r\n"));
    let metric = &json["comparisons"][0]["metrics"][0];
    let first = &records(&comparisons)[0];
    assert_eq!(first["metric"], "throughput_tps");
    assert_eq!(first["baseline"].parse::<f64>().unwrap(), metric["baseline"]["point"]);
    assert_eq!(first["change_low_percent"].parse::<f64>().unwrap(), metric["change"]["low"].as_f64().unwrap() * 100.0);
    assert_eq!(first["verdict"], metric["verdict"].as_str().unwrap());

    let seconds = records(&csv(&data, "seconds"));
    let trials = json["trials"].as_array().unwrap();
    assert_eq!(seconds.len(), trials.iter().map(|trial| trial["t_s"].as_array().unwrap().len()).sum::<usize>());
    assert_eq!(records(&csv(&data, "blocks")).len(), json["comparisons"][0]["blocks"].as_array().unwrap().len());
    assert!(records(&csv(&data, "facts")).iter().all(|fact| fact.contains_key("plain") && fact.contains_key("more")));
    let rows: usize = json["budgets"].as_array().unwrap().iter().map(|one| one["rows"].as_array().unwrap().len()).sum();
    assert_eq!(records(&csv(&data, "budgets")).len(), rows);
}

#[test]
fn every_table_has_columns_of_its_own_and_rows_as_wide_as_their_titles() {
    let (_, data) = run();
    for table in formats::TABLES.iter() {
        let text = table.csv_text(&data);
        let mut reader = csv::ReaderBuilder::new().flexible(false).from_reader(text.as_bytes());
        let titles = reader.headers().unwrap().clone();
        let distinct: BTreeSet<&str> = titles.iter().collect();
        assert_eq!(distinct.len(), titles.len(), "{}: {titles:?}", table.name);
        assert!(reader.records().all(|record| record.is_ok()), "{}", table.name);
    }
    let names: BTreeSet<&str> = formats::TABLES.iter().map(|table| table.name).collect();
    assert_eq!(names.len(), formats::TABLES.len());
    let json = json(&data);
    let rungs: usize =
        json["ladders"].as_array().unwrap().iter().map(|one| one["points"].as_array().unwrap().len()).sum();
    assert_eq!(records(&csv(&data, "clients")).len(), rungs);
}

#[test]
fn a_comparison_without_a_verdict_is_a_skipped_test() {
    let (judgement, data) = run();
    let report = quick_junit::Report::deserialize_from_str(&formats::junit_xml(&judgement, &data)).unwrap();
    let suite = &report.test_suites[0];
    let beside = judgement.beside.costs.len() + judgement.beside.statements.len();
    assert_eq!((suite.tests, suite.failures), (data.comparisons.len() + beside, 0));
    assert_eq!(suite.test_cases[0].name.as_str(), "write, 2 clients");
    assert!(matches!(suite.test_cases[0].status, quick_junit::TestCaseStatus::Skipped { .. }));
}

/// What <https://bencher.dev/bmf.json> requires, and no other key.
fn bencher_schema() -> Value {
    let number = json!({ "type": "number" });
    let metric = json!({
        "type": "object", "required": ["value"], "additionalProperties": false,
        "properties": { "value": number, "lower_value": number, "upper_value": number },
    });
    json!({
        "$schema": "http://json-schema.org/draft-07/schema", "type": "object", "minProperties": 1,
        "patternProperties": { ".+": { "type": "object", "patternProperties": { ".+": metric } } },
    })
}

#[test]
fn trackers_of_benchmarks_get_every_figure_once_with_its_bounds() {
    let (_, data) = run();
    let benchmarks: Value = serde_json::from_str(&formats::bencher_json(&data)).unwrap();
    let metrics = &json(&data)["comparisons"][0]["metrics"];
    let plain = &benchmarks["write, 2 clients, plain"];
    assert_eq!(plain["throughput"]["value"], metrics[0]["baseline"]["point"]);
    let ns = metrics[1]["baseline"]["low"].as_f64().unwrap() * 1e6;
    assert_eq!(plain["latency"]["lower_value"].as_f64().unwrap(), ns, "nanoseconds");
    let errors: Vec<String> =
        jsonschema::validator_for(&bencher_schema()).unwrap().iter_errors(&benchmarks).map(|e| e.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let of = |direction| -> Vec<Value> { serde_json::from_str(&formats::benchmark_action(&data, direction)).unwrap() };
    let (bigger, smaller) = (of(BenchmarkDirection::BiggerIsBetter), of(BenchmarkDirection::SmallerIsBetter));
    assert_eq!([bigger.len(), smaller.len()], [2, 10], "both sides of one rate and of five latencies");
    assert!(bigger.iter().all(|entry| entry["unit"] == "tps") && smaller.iter().all(|entry| entry["unit"] == "ms"));
}

#[test]
fn metrics_are_of_families_in_one_piece_with_times_that_rise() {
    let (_, data) = run();
    let text = formats::openmetrics_text(&data);
    assert!(text.ends_with("# EOF\n"));
    let (mut family, mut seen, mut last) = (String::new(), Vec::new(), BTreeMap::new());
    for line in text.lines().filter(|line| *line != "# EOF") {
        if let Some(typed) = line.strip_prefix("# TYPE ") {
            family = typed.strip_suffix(" gauge").unwrap().to_owned();
            assert!(!seen.contains(&family), "{family} in two pieces");
            seen.push(family.clone());
        } else if !line.starts_with("# HELP ") {
            let (series, rest) = line.rsplit_once("} ").unwrap();
            assert!(series.starts_with(&format!("{family}{{")), "{line}");
            let [value, time] = rest.split(' ').map(|part| part.parse::<f64>().unwrap()).collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            assert!(value.is_finite());
            let before = last.insert(series.to_owned(), time);
            assert!(before.is_none_or(|before| before < time), "{line}");
        }
    }
    assert!(seen.len() >= 4 && !last.is_empty(), "{seen:?}");
}

/// The selectors of an expression: the metric, and what it asks of labels, a variable's value left open.
fn selectors(expression: &str) -> impl Iterator<Item = (String, Vec<String>)> {
    expression.split("pgdyno_").skip(1).map(|from| {
        let (name, rest) = from.split_once('{').expect("a selector has labels");
        let (labels, _) = rest.split_once('}').expect("a selector ends");
        let asked = labels.split(',').map(|label| {
            let (name, value) = label.split_once(['=', '~']).expect("a label and its value");
            if value.contains('$') { format!("{name}=\"") } else { format!("{name}={value}") }
        });
        (format!("pgdyno_{name}{{"), asked.collect())
    })
}

#[test]
fn the_dashboard_asks_for_samples_that_a_run_has() {
    let (_, data) = run();
    let text = formats::openmetrics_text(&data);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/grafana/dashboard.json");
    let dashboard: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let targets = panels.flat_map(|panel| panel["targets"].as_array().unwrap());
    let asked: Vec<_> = targets.flat_map(|target| selectors(target["expr"].as_str().unwrap())).collect();
    for (name, labels) in &asked {
        let has_all = |line: &str| line.starts_with(name.as_str()) && labels.iter().all(|label| line.contains(label));
        assert!(text.lines().any(has_all), "nothing is {name} {labels:?}");
    }
    let names: BTreeSet<&str> = asked.iter().map(|(name, _)| name.trim_end_matches('{')).collect();
    let families: BTreeSet<&str> =
        text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.strip_suffix(" gauge")).collect();
    assert_eq!(names, families, "every family is drawn");
}

#[test]
fn a_summary_is_short_and_opens_with_the_headline() {
    let (judgement, data) = run();
    let text = formats::markdown_summary(&judgement, &data.run.name);
    assert!(text.lines().count() < 60, "{text}");
    assert!(text.lines().nth(2).unwrap().contains("write has not enough data"), "{text}");
}

#[test]
fn a_summary_of_a_run_with_forty_of_everything_is_short_and_says_what_it_leaves_out() {
    let (mut judgement, data) = run_of("run-format-3");
    judgement.headline = ["a line"; 40].join("\n");
    judgement.comparison.pairs = vec![judgement.comparison.pairs[0].clone(); 40];
    let issue = judgement.issues.first().expect("an issue").clone();
    judgement.issues = vec![Issue { finding: None, ..issue }; 40];
    judgement.diagnosis.findings = vec![judgement.diagnosis.findings[0].clone(); 40];
    let text = formats::markdown_summary(&judgement, &data.run.name);
    assert!(text.lines().count() < 60, "{text}");
    for left_out in ["and 25 more comparisons", "and 32 more issues", "37 more findings"] {
        assert!(text.contains(left_out), "no {left_out:?} in {text}");
    }
}
