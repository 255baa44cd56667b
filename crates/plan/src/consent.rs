//! What may be changed of a server that pgdyno did not make, by the word of its owner: all of it is written down before
//! it is done, read back, and put back at the end.

use std::collections::BTreeSet;

use serde_json::json;
use work::Word as _;

use super::document::Value;
use super::language::{About, At, Findings, Form, List, Yaml, words};
use super::model::{Plan, Reach, Settings, Target};

words! {
    /// Something of a server that its owner lets be changed.
    #[derive(PartialOrd, Ord)]
    Consent {
        Settings = "settings", "settings of the whole server (`settings`), by ALTER SYSTEM";
        Restart = "restart", "restarts, if a setting or a cold cache requires one: all sessions of all users end";
        Sysctl = "sysctl", "kernel parameters of its host (`sysctl`)";
        Cache = "cache", "evicting its files from the page cache (`cache: cold`)";
    }
}

/// What of a server may be changed: a list, or all of it or nothing.
pub(crate) struct Consents;

/// What the operator of a cluster may be told to change: settings, and with them the restarts that some of them take.
pub(crate) struct OperatorsConsent;

impl Form for Consents {
    type Value = BTreeSet<Consent>;

    fn read(findings: &mut Findings, at: &At<'_>) -> Option<Self::Value> {
        match &at.node.value {
            Value::Plain(text) if text == "true" => Some(Consent::ALL.iter().copied().collect()),
            Value::Plain(text) if text == "false" => Some(BTreeSet::new()),
            Value::List(_) => List::<Consent, 0, BTreeSet<Consent>>::read(findings, at),
            Value::Plain(_) | Value::Quoted(_) | Value::Map(_) => at.wrong(
                findings,
                "not a list of permitted changes",
                "write [settings, restart, sysctl, cache], or true",
            ),
        }
    }

    fn write(value: &Self::Value) -> Yaml {
        List::<Consent, 0, BTreeSet<Consent>>::write(value)
    }

    fn about() -> About {
        let list = List::<Consent, 0, BTreeSet<Consent>>::about();
        let all = About::new("`true` for all of it", "true", json!({ "type": "boolean" }));
        let About { words, .. } = &list;
        let words = format!("{words}; or `true` for all of it");
        About { words, ..About::any_of([list, all]) }
    }
}

impl Form for OperatorsConsent {
    type Value = bool;

    fn read(findings: &mut Findings, at: &At<'_>) -> Option<bool> {
        let given = Consents::read(findings, at)?;
        let settings = BTreeSet::from([Consent::Settings, Consent::Restart]);
        let all = Consent::ALL.len();
        if given.is_empty() || given == settings || (given.len() == all && at.node.scalar().is_some()) {
            return Some(!given.is_empty());
        }
        let why = "but the operator of a cluster changes only settings, and decides whether a restart is necessary";
        at.wrong(findings, why, "write `true`, or [settings, restart]")
    }

    fn write(value: &bool) -> Yaml {
        bool::write(value)
    }

    fn about() -> About {
        let list =
            json!({ "type": "array", "items": { "enum": ["settings", "restart"] }, "minItems": 2, "maxItems": 2 });
        let list = About::new("[settings, restart]", "[settings, restart]", list);
        About::any_of([bool::about(), list])
    }
}

impl Target {
    /// Whether this of its server, which pgdyno did not make, may be changed.
    #[must_use]
    pub fn consents(&self, to: Consent) -> bool {
        self.may_change.contains(&to)
    }

    /// Whether its settings are settings of a whole server that was found.
    #[must_use]
    pub fn settings_are_the_servers(&self) -> bool {
        self.consents(Consent::Settings)
    }

    /// The values of the kernel of another machine that are set for its trials.
    #[must_use]
    pub fn sysctl_elsewhere(&self) -> Option<&Settings> {
        match &self.reach {
            Reach::Url(_) => Some(&self.machine.sysctl).filter(|values| !values.is_empty()),
            Reach::Local(_) | Reach::Kubernetes(_) | Reach::Shared(_) => None,
        }
    }
}

impl Plan {
    /// Another target at the same URL, for which settings of this one's server are changed.
    pub(super) fn changes_url_of(&self, target: &Target) -> Option<&Target> {
        let url = |target: &Target| match &target.reach {
            Reach::Url(url) => Some(url.without_password()),
            Reach::Local(_) | Reach::Kubernetes(_) | Reach::Shared(_) => None,
        };
        let own = url(target)?;
        self.targets.iter().find(|other| {
            other.name != target.name
                && other.settings_are_the_servers()
                && other.settings != target.settings
                && url(other).as_ref() == Some(&own)
        })
    }
}

/// What a plan does to a server by consent, one sentence each.
pub(super) fn touches(target: &Target, is_cold: bool) -> Vec<String> {
    let mut whats = Vec::new();
    let names: Vec<&str> = target.settings.keys().map(String::as_str).collect();
    if target.settings_are_the_servers() && !names.is_empty() {
        whats.push(format!(
            "changes settings of the whole server by ALTER SYSTEM, for all its users, and restores them at the end: {}",
            names.join(", ")
        ));
    }
    if let Some(values) = target.sysctl_elsewhere() {
        let values: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let values = values.join(", ");
        whats.push(format!(
            "sets {values} in the kernel of its host for each trial, by its agent as root, and restores them"
        ));
    }
    if is_cold && target.consents(Consent::Restart) {
        whats.push("restarts the server before each trial, and evicts its files from the page cache".to_owned());
    }
    whats
}
