//! What pgdyno measured and said, as far as the lab of kinds judges it: from `report --format json`.

use serde_json::Value;

/// What the report of a run says.
pub struct Measured {
    /// The verdict on the metric that decides.
    pub verdict: String,
    /// That metric.
    pub metric: String,
    /// Its change from the baseline to the candidate, with its interval; absent where there is none.
    pub change: Option<[f64; 3]>,
    /// The findings, in their order.
    pub findings: Vec<Finding>,
    /// The share of the change that they account for.
    pub explained: Option<f64>,
    /// The facts that the report lists as different between the sides.
    pub differences: String,
}

/// One finding.
pub struct Finding {
    /// Its rule.
    pub rule: String,
    /// Its title.
    pub title: String,
    /// Its relation to the comparison.
    pub bearing: String,
    /// Everything that it says of this run, without what it says of every run.
    pub words: String,
}

impl Measured {
    /// Reads the report's data.
    pub fn from_report(report: &Value) -> Self {
        let comparison = &report["comparisons"][0];
        let metric = &comparison["metrics"][0];
        let explained = &report["diagnosis"]["explained"][0];
        let mut findings = Vec::new();
        for finding in report["diagnosis"]["findings"].as_array().into_iter().flatten() {
            findings.push(Finding::from_data(finding));
        }
        Self {
            verdict: text(&comparison["verdict"]),
            metric: text(&metric["metric"]),
            change: interval(&metric["change"]),
            findings,
            explained: explained["share"]["point"].as_f64(),
            differences: explained["differences"].to_string(),
        }
    }
}

impl Finding {
    fn from_data(finding: &Value) -> Self {
        let said = ["title", "bearing_text", "cost", "fix", "figures", "beside", "cells"];
        let words: Vec<String> = said.iter().map(|key| finding[*key].to_string()).collect();
        Self {
            rule: text(&finding["rule"]),
            title: text(&finding["title"]),
            bearing: text(&finding["bearing"]),
            words: words.join("\n"),
        }
    }

    /// Whether it says that the sides differ in it.
    pub fn is_difference(&self) -> bool {
        self.bearing == "difference"
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn interval(value: &Value) -> Option<[f64; 3]> {
    Some([value["point"].as_f64()?, value["low"].as_f64()?, value["high"].as_f64()?])
}
