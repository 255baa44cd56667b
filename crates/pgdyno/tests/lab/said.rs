//! What pgdyno says of a run, as far as the lab judges it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::stolen;

/// What the report of a run says.
pub struct Said {
    /// The rules that found something, the most important first.
    pub rules: Vec<String>,
    /// The time budgets of its trials that have one.
    pub budgets: Vec<Budget>,
    /// The share of the change between its sides that the findings account for; absent where there is no change to
    /// speak of, or one side.
    pub explained: Option<f64>,
    /// Each finding in its order with what it says of the comparison, and what each adds to what is explained.
    pub issues: Vec<String>,
    /// The targets that are compared with the baseline.
    pub candidates: Vec<String>,
    /// What the report says with each of them for the baseline.
    pub swapped: Vec<Said>,
    /// Share of its CPU time that the machine itself has lost meanwhile, as the lab has read it;
    /// absent where that was little.
    pub stolen: Option<f64>,
}

/// Where the time of one trial's mean transaction went.
pub struct Budget {
    target: String,
    block: u64,
    /// Name and milliseconds of each part.
    parts: Vec<(String, f64)>,
}

/// The last part, which holds what no other explains.
pub const UNEXPLAINED: &str = "unexplained";

/// The part that holds what neither load engine nor network explain of the time outside the server.
pub const PATH_UNEXPLAINED: &str = "outside the server: route, not observed";

impl Said {
    /// Reads the report's data.
    pub fn of(report: &Value) -> Self {
        let word = |value: &Value| value.as_str().unwrap_or_else(|| panic!("no word: {value}")).to_owned();
        let list = |value: &Value| value.as_array().cloned().unwrap_or_else(|| panic!("no list: {value}"));
        let part = |part: &Value| (word(&part["part"]), part["ms"].as_f64().expect("milliseconds"));
        let trials = list(&report["trials"]).into_iter().filter(|trial| !trial["budget"].is_null());
        let budget = |trial: Value| Budget {
            target: word(&trial["target"]),
            block: trial["block"].as_u64().expect("a block"),
            parts: list(&trial["budget"]).iter().map(part).collect(),
        };
        let findings = list(&report["diagnosis"]["findings"]);
        let explained = list(&report["diagnosis"]["explained"]);
        let mut issues: Vec<String> =
            findings.iter().map(|it| format!("{} {} {}", it["rule"], it["bearing"], it["cells"])).collect();
        for one in &explained {
            // To the tenth of a percent.
            let share = |of: &Value| (of.as_f64().expect("a share") * 1e3).round();
            let by = list(&one["by"]);
            issues.extend(by.iter().map(|by| format!("{} {} {}", one["slower"], by["rule"], share(&by["share"]))));
            issues.push(format!("{} {}", one["slower"], share(&one["share"]["point"])));
        }
        Self {
            issues,
            candidates: list(&report["candidates"]).iter().map(word).collect(),
            swapped: Vec::new(),
            rules: findings.iter().map(|finding| word(&finding["rule"])).collect(),
            budgets: trials.map(budget).collect(),
            explained: explained.first().map(|one| one["share"]["point"].as_f64().expect("a share")),
            stolen: None,
        }
    }

    /// Whether the same is said with the other side for the baseline. Of several candidates the changes are others.
    pub fn is_the_same_both_ways(&self) -> bool {
        self.candidates.len() != 1 || self.swapped.iter().all(|swapped| swapped.issues == self.issues)
    }

    /// The rules that found something which the machine itself did not suffer.
    pub fn of_the_case(&self) -> Vec<&str> {
        let suffered = |rule: &&str| *rule == stolen::RULE && self.stolen.is_some();
        self.rules.iter().map(String::as_str).filter(|rule| !suffered(rule)).collect()
    }

    /// The mean latency over its trials, in milliseconds.
    pub fn latency_ms(&self) -> f64 {
        self.budgets.iter().map(|budget| budget.ms("")).sum::<f64>() / self.budgets.len() as f64
    }

    /// Share of the latency in one part, whose sign does not matter.
    pub fn share(&self, part: &str) -> f64 {
        let of_part: f64 = self.budgets.iter().map(|budget| budget.ms(part).abs()).sum();
        of_part / self.budgets.len() as f64 / self.latency_ms()
    }

    /// Milliseconds that a target spends more than another in the parts whose name begins so,
    /// block by block; the mean of it.
    pub fn more_ms(&self, target: &str, than: &str, part: &str) -> f64 {
        let ms = |target: &str, block: u64| {
            let budget = self.budgets.iter().find(|budget| budget.target == target && budget.block == block)?;
            Some(budget.ms(part))
        };
        let blocks: BTreeSet<u64> = self.budgets.iter().map(|budget| budget.block).collect();
        let pairs: Vec<f64> =
            blocks.into_iter().filter_map(|block| Some(ms(target, block)? - ms(than, block)?)).collect();
        assert!(!pairs.is_empty(), "no block has budgets of both {target} and {than}");
        pairs.iter().sum::<f64>() / pairs.len() as f64
    }
}

impl Budget {
    /// Milliseconds in the parts whose name begins so.
    fn ms(&self, part: &str) -> f64 {
        self.parts.iter().filter(|(name, _)| name.starts_with(part)).map(|(_, ms)| ms).sum()
    }
}
