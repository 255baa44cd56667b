//! What may be changed of a server that pgdyno did not make, by the word of its owner: all of it is written down before
//! it is done, read back, and put back at the end.

use std::collections::BTreeSet;

use serde_json::json;
use work::WordChoice as _;

use super::document::YamlValue;
use super::language::{At, Form, List, PlanReadingFindings, ValueDescription, Yaml, words};

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

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self::Value> {
        match &at.node.value {
            YamlValue::Plain(text) if text == "true" => Some(Consent::ALL.iter().copied().collect()),
            YamlValue::Plain(text) if text == "false" => Some(BTreeSet::new()),
            YamlValue::List(_) => List::<Consent, 0, BTreeSet<Consent>>::read_value(findings, at),
            YamlValue::Plain(_) | YamlValue::Quoted(_) | YamlValue::Map(_) => at.report_wrong_value(
                findings,
                "not a list of permitted changes",
                "write [settings, restart, sysctl, cache], or true",
            ),
        }
    }

    fn write_value(value: &Self::Value) -> Yaml {
        List::<Consent, 0, BTreeSet<Consent>>::write_value(value)
    }

    fn describe_form() -> ValueDescription {
        let list = List::<Consent, 0, BTreeSet<Consent>>::describe_form();
        let all = ValueDescription::new("`true` for all of it", "true", json!({ "type": "boolean" }));
        let ValueDescription { words, .. } = &list;
        let words = format!("{words}; or `true` for all of it");
        ValueDescription { words, ..ValueDescription::any_of([list, all]) }
    }
}

impl Form for OperatorsConsent {
    type Value = bool;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<bool> {
        let given = Consents::read_value(findings, at)?;
        let settings = BTreeSet::from([Consent::Settings, Consent::Restart]);
        let all = Consent::ALL.len();
        if given.is_empty() || given == settings || (given.len() == all && at.node.scalar_text().is_some()) {
            return Some(!given.is_empty());
        }
        let why = "but the operator of a cluster changes only settings, and decides whether a restart is necessary";
        at.report_wrong_value(findings, why, "write `true`, or [settings, restart]")
    }

    fn write_value(value: &bool) -> Yaml {
        bool::write_value(value)
    }

    fn describe_form() -> ValueDescription {
        let list =
            json!({ "type": "array", "items": { "enum": ["settings", "restart"] }, "minItems": 2, "maxItems": 2 });
        let list = ValueDescription::new("[settings, restart]", "[settings, restart]", list);
        ValueDescription::any_of([bool::describe_form(), list])
    }
}
