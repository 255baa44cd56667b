//! What the command of `facts` prints: one JSON object. Pure: text in, an answer or what is wrong with it out.
//!
//! Every key but `service` may be absent. An unknown key is an error, since a misspelt one would be missing silently.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use results::facts::{FactSubject, OfPlatform, PlatformFact};
use results::trial::{ProviderBalance, ProviderEvent, ProviderEventKind};
use serde::Deserialize;

/// The most characters of an answer that a message shows.
const SHOWN_AT_MOST: usize = 80;

/// What a provider says of a server.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProviderAnswer {
    /// What the service is called.
    service: String,
    /// The class of the instance.
    class: Option<String>,
    /// Its virtual CPUs.
    vcpu: Option<f64>,
    /// Its memory.
    memory_bytes: Option<u64>,
    storage: Option<StorageAnswer>,
    /// Whatever else is to be compared, by a name for people.
    #[serde(default)]
    facts: BTreeMap<String, String>,
    #[serde(default)]
    balances: Vec<BalanceAnswer>,
    #[serde(default)]
    events: Vec<EventAnswer>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct StorageAnswer {
    class: Option<String>,
    size_bytes: Option<u64>,
    iops_limit: Option<f64>,
    throughput_limit_bytes_per_s: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct BalanceAnswer {
    name: String,
    value: f64,
    #[serde(default)]
    unit: String,
    at: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct EventAnswer {
    at: Timestamp,
    kind: ProviderEventKind,
    message: String,
}

impl ProviderAnswer {
    /// Reads what a command printed.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub(super) fn parse_answer(printed: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(printed).map_err(|error| format!("it printed no UTF-8: {error}"))?;
        if text.trim().is_empty() {
            return Err("it printed nothing".to_owned());
        }
        let answer: Self = serde_json::from_str(text).map_err(|error| {
            let begin: String = text.trim().chars().take(SHOWN_AT_MOST).collect();
            format!("it printed no such JSON ({error}): {}", begin.replace('\n', " "))
        })?;
        answer.check_values().map(|()| answer)
    }

    fn check_values(&self) -> Result<(), String> {
        if self.service.trim().is_empty() {
            return Err("`service` is empty".to_owned());
        }
        let mut names = BTreeSet::new();
        for balance in &self.balances {
            if balance.value < 0.0 {
                return Err(format!("balance {:?} is {}, below zero", balance.name, balance.value));
            }
            if !names.insert(&balance.name) {
                return Err(format!("balance {:?} is given twice", balance.name));
            }
        }
        Ok(())
    }

    /// Its facts; `source` says where each was read.
    pub(super) fn platform_facts(&self, source: &str) -> OfPlatform {
        let mut facts = FactsWithSource { source, facts: BTreeMap::new() };
        facts.add_fact("service", "service", Some(self.service.clone()), FactSubject::Platform);
        facts.add_fact("instance class", "class", self.class.clone(), FactSubject::Hardware);
        facts.add_fact("vCPUs", "vcpu", self.vcpu.map(|vcpu| vcpu.to_string()), FactSubject::Hardware);
        let memory = self.memory_bytes.map(gibibytes_in_words);
        facts.add_fact("memory of the instance", "memory_bytes", memory, FactSubject::Hardware);
        if let Some(storage) = &self.storage {
            let limits = [
                ("class of the storage", "storage.class", storage.class.clone()),
                ("size of the storage", "storage.size_bytes", storage.size_bytes.map(gibibytes_in_words)),
                (
                    "storage limit: operations",
                    "storage.iops_limit",
                    storage.iops_limit.map(|limit| format!("{limit}/s")),
                ),
                (
                    "storage limit: bytes",
                    "storage.throughput_limit_bytes_per_s",
                    storage
                        .throughput_limit_bytes_per_s
                        .map(|limit| format!("{:.1} MiB/s", limit / f64::from(1 << 20))),
                ),
            ];
            for (name, key, value) in limits {
                facts.add_fact(name, key, value, FactSubject::Hardware);
            }
        }
        for (name, value) in &self.facts {
            facts.add_fact(name, &format!("facts.{name}"), Some(value.clone()), FactSubject::Platform);
        }
        OfPlatform { facts: facts.facts, set_by_operator: Vec::new() }
    }

    /// Its balances of credits.
    pub(super) fn balance_list(&self) -> Vec<ProviderBalance> {
        let mut balances = Vec::new();
        for BalanceAnswer { name, value, unit, at } in &self.balances {
            balances.push(ProviderBalance { name: name.clone(), unit: unit.clone(), value: *value, at: *at });
        }
        balances
    }

    /// What happened between two instants.
    pub(super) fn events_between(&self, from: Timestamp, to: Timestamp) -> Vec<ProviderEvent> {
        let within = self.events.iter().filter(|event| event.at >= from && event.at <= to);
        within.map(|of| ProviderEvent { at: of.at, kind: of.kind, message: of.message.clone() }).collect()
    }
}

/// Facts that are read at one place.
struct FactsWithSource<'a> {
    source: &'a str,
    facts: BTreeMap<String, PlatformFact>,
}

impl FactsWithSource<'_> {
    fn add_fact(&mut self, name: &str, key: &str, value: Option<String>, about: FactSubject) {
        if let Some(value) = value {
            let source = format!("{}: {key}", self.source);
            self.facts.insert(name.to_owned(), PlatformFact { value, source, about });
        }
    }
}

fn gibibytes_in_words(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_a_provider_says_becomes_a_fact_with_its_source() {
        let printed = br#"{ "service": "Amazon RDS", "class": "db.t4g.medium", "vcpu": 2, "memory_bytes": 4294967296,
            "storage": { "class": "gp3", "size_bytes": 21474836480, "iops_limit": 3000,
                         "throughput_limit_bytes_per_s": 131072000 },
            "facts": { "Multi-AZ": "no" },
            "balances": [{ "name": "CPUCreditBalance", "value": 140.5, "unit": "credits" }],
            "events": [{ "at": "2026-11-30T12:00:05Z", "kind": "failover", "message": "Multi-AZ failover started" }] }"#;
        let answer = ProviderAnswer::parse_answer(printed).expect("it is right");
        let facts = answer.platform_facts("facts of rds").facts;
        let values: Vec<(&str, &str)> = facts.iter().map(|(name, fact)| (name.as_str(), fact.value.as_str())).collect();
        let expected = [
            ("Multi-AZ", "no"),
            ("class of the storage", "gp3"),
            ("instance class", "db.t4g.medium"),
            ("memory of the instance", "4.0 GiB"),
            ("service", "Amazon RDS"),
            ("size of the storage", "20.0 GiB"),
            ("storage limit: bytes", "125.0 MiB/s"),
            ("storage limit: operations", "3000/s"),
            ("vCPUs", "2"),
        ];
        assert_eq!(values, expected);
        assert_eq!(facts["class of the storage"].source, "facts of rds: storage.class");
        assert_eq!(answer.balance_list()[0].value, 140.5);
        let at = |text: &str| text.parse::<Timestamp>().expect("an instant");
        let [from, during, after] = ["2026-11-30T12:00:00Z", "2026-11-30T12:00:10Z", "2026-11-30T13:00:00Z"].map(at);
        assert_eq!(answer.events_between(from, during).len(), 1);
        assert_eq!(answer.events_between(during, after), []);
    }

    #[test]
    fn what_is_no_answer_is_refused_with_what_is_wrong() {
        for (printed, expected) in [
            ("", "printed nothing"),
            ("An error occurred (ExpiredToken)", "no such JSON"),
            ("{}", "missing field `service`"),
            (r#"{ "service": " " }"#, "`service` is empty"),
            (r#"{ "service": "x", "clas": "y" }"#, "unknown field `clas`"),
            (r#"{ "service": "x", "balances": [{ "name": "c", "value": -1 }] }"#, "below zero"),
            (
                r#"{ "service": "x", "balances": [{ "name": "c", "value": 1 }, { "name": "c", "value": 2 }] }"#,
                "given twice",
            ),
            (r#"{ "service": "x", "events": [{ "at": "now", "kind": "failover", "message": "" }] }"#, "no such JSON"),
        ] {
            let said = ProviderAnswer::parse_answer(printed.as_bytes()).expect_err("it is refused");
            assert!(said.contains(expected), "{printed}: {said}");
        }
    }
}
