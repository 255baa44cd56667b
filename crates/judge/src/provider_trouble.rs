//! What the provider of a managed server says against a trial: credits that were used up, and events of its own.

use std::collections::BTreeMap;

use results::trial::{ProviderBalance, ProviderEventKind, ProviderTotals, Trial};

use crate::codes::{self, Code};

/// One thing that a provider says against a trial.
#[derive(Debug, Clone, PartialEq)]
pub enum ProviderTrouble {
    /// A balance was zero: what it pays for was limited.
    Exhausted {
        /// The balance.
        name: String,
    },
    /// A balance fell: the trial was faster than the instance can be for long.
    Fell {
        /// The balance.
        name: String,
        /// Its unit.
        unit: String,
        /// How much was left before the trial.
        before: f64,
        /// How much was left after it.
        after: f64,
    },
    /// The provider did something to the server.
    Event {
        /// What.
        kind: ProviderEventKind,
        /// In its words.
        message: String,
    },
    /// It did not say, or only in part.
    Unknown {
        /// Why.
        why: String,
    },
}

impl ProviderTrouble {
    /// The code of its issue.
    pub(crate) fn issue_code(&self) -> &'static Code {
        match self {
            Self::Exhausted { .. } => &codes::CREDITS_EXHAUSTED,
            Self::Fell { .. } => &codes::CREDITS_SPENT,
            Self::Event { .. } => &codes::PROVIDER_EVENT,
            Self::Unknown { .. } => &codes::PROVIDER_UNKNOWN,
        }
    }

    /// All that a provider says against a trial.
    pub(crate) fn of_trial(trial: &Trial) -> Vec<Self> {
        trial.provider.iter().flat_map(Self::of_totals).collect()
    }

    fn of_totals(totals: &ProviderTotals) -> Vec<Self> {
        let mut found = Vec::new();
        let before: BTreeMap<&str, &ProviderBalance> =
            totals.before.iter().map(|balance| (balance.name.as_str(), balance)).collect();
        for ProviderBalance { name, unit, value, .. } in &totals.after {
            let name = name.clone();
            match before.get(name.as_str()) {
                _ if *value <= 0.0 => found.push(Self::Exhausted { name }),
                Some(before) if before.value <= 0.0 => found.push(Self::Exhausted { name }),
                Some(before) if *value < before.value => {
                    found.push(Self::Fell { name, unit: unit.clone(), before: before.value, after: *value });
                }
                Some(_) | None => {}
            }
        }
        for event in &totals.events {
            found.push(Self::Event { kind: event.kind, message: event.message.clone() });
        }
        found.extend(totals.gap.iter().map(|why| Self::Unknown { why: why.clone() }));
        found
    }

    /// What it is, a sentence without its period, and what to do about it.
    pub(crate) fn in_words(&self) -> (String, String) {
        match self {
            Self::Exhausted { name } => (
                format!("the balance {name} was zero"),
                "the instance was throttled, and the trial is not compared: wait until credits have accrued, or measure a \
                 class without credits"
                    .to_owned(),
            ),
            Self::Fell { name, unit, before, after } => {
                let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
                (
                    format!("the balance {name} fell from {before} to {after}{unit}"),
                    "the figures include a burst that does not last: measure longer, or a class without credits".to_owned(),
                )
            }
            Self::Event { kind, message } => (
                format!("the provider reports an event of kind {}: {message}", kind_in_words(*kind)),
                "repeat the run outside of maintenance and backup windows".to_owned(),
            ),
            Self::Unknown { why } => (
                format!("the balances of the provider are not known: {why}"),
                "a burst, or a throttled instance, would not be noticed: check the command of `facts`".to_owned(),
            ),
        }
    }
}

fn kind_in_words(kind: ProviderEventKind) -> &'static str {
    match kind {
        ProviderEventKind::Failover => "failover",
        ProviderEventKind::Maintenance => "maintenance",
        ProviderEventKind::Restart => "restart",
        ProviderEventKind::Scaling => "scaling",
        ProviderEventKind::Backup => "backup",
        ProviderEventKind::Other => "other",
    }
}

/// Why a trial of a managed server is not compared: it had no credits left.
pub(crate) fn exhausted_balance(trial: &Trial) -> Option<String> {
    let mut all = ProviderTrouble::of_trial(trial).into_iter();
    all.find(|trouble| matches!(trouble, ProviderTrouble::Exhausted { .. })).map(|trouble| trouble.in_words().0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn balance(value: f64) -> Vec<ProviderBalance> {
        vec![ProviderBalance { name: "CPUCreditBalance".to_owned(), unit: "credits".to_owned(), value, at: None }]
    }

    fn of_balances(before: f64, after: f64) -> Vec<ProviderTrouble> {
        let (before, after) = (balance(before), balance(after));
        ProviderTrouble::of_totals(&ProviderTotals { before, after, ..ProviderTotals::default() })
    }

    #[test]
    fn balance_that_falls_weakens_and_one_at_zero_invalidates() {
        assert_eq!(of_balances(10.0, 10.0), []);
        assert_eq!(of_balances(10.0, 12.0), [], "credits that accrue limit nothing");
        let [ProviderTrouble::Fell { before, after, .. }] = &of_balances(10.0, 8.5)[..] else { panic!("it fell") };
        assert_eq!((*before, *after), (10.0, 8.5));
        for (before, after) in [(10.0, 0.0), (0.0, 0.0), (0.0, 3.0)] {
            let found = of_balances(before, after);
            assert_eq!(found, [ProviderTrouble::Exhausted { name: "CPUCreditBalance".to_owned() }]);
        }
    }

    #[test]
    fn what_the_provider_did_not_say_is_reported() {
        let totals = ProviderTotals { gap: Some("token expired".to_owned()), ..ProviderTotals::default() };
        let [unknown] = &ProviderTrouble::of_totals(&totals)[..] else { panic!("one") };
        assert!(unknown.in_words().0.contains("token expired"));
    }
}
