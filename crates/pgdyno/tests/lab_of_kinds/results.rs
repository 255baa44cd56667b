//! The results: one line of JSON for each condition, appended as soon as it is known, so that a killed lab goes on.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::generator::Half;
use crate::generator::condition::Condition;

/// What came of one condition.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Outcome {
    /// The seed.
    pub seed: u64,
    /// The half that it belongs to.
    pub half: String,
    /// The kind of its first cause.
    pub kind: String,
    /// The shape of its statements.
    pub shape: String,
    /// Its causes in words.
    pub causes: Vec<String>,
    /// Which side is the injured one.
    pub injured: String,
    /// Why it could not be measured; all below is empty then.
    pub failed: Option<String>,
    /// The verdict.
    pub verdict: String,
    /// The metric that decides.
    pub metric: String,
    /// Its change: point, low, high.
    pub change: Option<[f64; 3]>,
    /// Whether there is an effect: else it is a control for what is claimed.
    pub has_effect: bool,
    /// The findings: rule, bearing and title.
    pub findings: Vec<[String; 3]>,
    /// The share of the change that is explained.
    pub explained: Option<f64>,
    /// The place of the first finding that names an injected fact, from 1.
    pub named_at: Option<usize>,
    /// Its place among the findings that are not of every side, from 1: what the machine itself suffers is left out.
    #[serde(default)]
    pub named_among_differences_at: Option<usize>,
    /// Whether the list of different facts names one.
    pub named_in_differences: bool,
    /// Whether the first finding is of a difference and about nothing that the cause entails.
    pub false_first: bool,
    /// Findings of a difference where no effect was measured, which name no injected fact: their titles.
    pub false_differences: Vec<String>,
    /// Those that name one.
    #[serde(default)]
    pub unmeasured_differences: Vec<String>,
    /// Seconds until it could be measured.
    pub set_up_s: f64,
    /// Seconds in all.
    pub took_s: f64,
}

impl Outcome {
    /// An outcome of which only the condition is known.
    pub fn of_condition(condition: &Condition) -> Self {
        Self {
            seed: condition.seed,
            half: Half::of_seed(condition.seed).name().to_owned(),
            kind: condition.kind().to_owned(),
            shape: format!("{:?}", condition.base.shape),
            causes: condition.injections.iter().map(|injection| injection.cause.clone()).collect(),
            injured: if condition.injured_is_baseline { "baseline" } else { "candidate" }.to_owned(),
            failed: None,
            verdict: String::new(),
            metric: String::new(),
            change: None,
            has_effect: false,
            findings: Vec::new(),
            explained: None,
            named_at: None,
            named_among_differences_at: None,
            named_in_differences: false,
            false_first: false,
            false_differences: Vec::new(),
            unmeasured_differences: Vec::new(),
            set_up_s: 0.0,
            took_s: 0.0,
        }
    }

    /// That of a condition that could not be measured.
    pub fn failure(condition: &Condition, why: &str) -> Self {
        Self { failed: Some(why.to_owned()), ..Self::of_condition(condition) }
    }

    /// One line for people.
    pub fn words(&self) -> String {
        let cause = if self.causes.is_empty() { "none".to_owned() } else { self.causes.join(" AND ") };
        let head = format!("{} {} [{}] {cause}", self.seed, self.shape, self.kind);
        if let Some(why) = &self.failed {
            return format!("{head}: FAILED ({:.0} s): {why}", self.took_s);
        }
        let change = self.change.map_or("unknown".to_owned(), |[point, ..]| format!("{:+.1} %", point * 100.0));
        let first = self.findings.first().map_or("nothing", |[_, _, title]| title);
        let named = self.named_at.map_or("not named".to_owned(), |place| format!("named at {place}"));
        let judged = match (self.has_effect, self.false_differences.is_empty()) {
            (true, _) => format!("{named}{}", if self.false_first { ", FALSE FIRST" } else { "" }),
            (false, true) => "control, silent".to_owned(),
            (false, false) => "control, FALSE DIFFERENCE".to_owned(),
        };
        format!("{head}: {} {change}, {judged} ({:.0} s); first: {first}", self.verdict, self.took_s)
    }
}

/// The results so far, the latest of each seed, without a last line that was cut off.
pub fn read(path: &Path) -> Vec<Outcome> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let mut outcomes: Vec<Outcome> = Vec::new();
    for line in text.lines() {
        match serde_json::from_str::<Outcome>(line) {
            Ok(outcome) => {
                outcomes.retain(|earlier| earlier.seed != outcome.seed);
                outcomes.push(outcome);
            }
            Err(error) => eprintln!("{}: a line is left out: {error}", path.display()),
        }
    }
    outcomes
}

/// Appends one.
pub fn append(path: &Path, outcome: &Outcome) {
    let line = serde_json::to_string(outcome).expect("JSON");
    // A line that was cut off is ended first.
    let before = fs::read(path).unwrap_or_default();
    let newline = if before.is_empty() || before.ends_with(b"\n") { "" } else { "\n" };
    let mut file = File::options()
        .create(true)
        .append(true)
        .open(path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    file.write_all(format!("{newline}{line}\n").as_bytes()).expect("written");
}
