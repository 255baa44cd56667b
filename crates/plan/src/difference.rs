//! What may differ between targets without being a confounder, as `may_differ` says it.

use std::fmt;

use serde_json::json;
use work::WordChoice as _;

use super::language::{
    At, Form, PlanReadingFindings, ValueDescription, Yaml, about_words, did_you_mean, is_setting_name, words,
};

/// Something that may differ between targets without being a confounder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum AllowedDifference {
    /// A whole aspect.
    Aspect(Aspect),
    /// One PostgreSQL setting, its name in lower case.
    Setting(String),
    /// One fact that the plan itself gives to the targets unlike; a file cannot name it.
    Fact(&'static str),
}

impl fmt::Display for AllowedDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aspect(aspect) => f.write_str(aspect.as_word()),
            Self::Setting(name) => f.write_str(name),
            Self::Fact(name) => f.write_str(name),
        }
    }
}

words! {
    /// An aspect in which targets may differ.
    #[derive(PartialOrd, Ord)]
    Aspect {
        Version = "version", "the PostgreSQL version, its build options, and its extensions";
        Build = "build", "the compiler of PostgreSQL and its flags";
        Settings = "settings", "every PostgreSQL setting";
        Platform = "platform", "virtual machine, container or Kubernetes, and their limits";
        Route = "route", "the route from the load engine to the server (socket, TCP, proxy, network)";
        Hardware = "hardware", "CPU model and count, memory, type of machine, disk and file system";
        Kernel = "kernel", "the kernel's release and settings";
        Locale = "locale", "locale, collation and encoding";
    }
}

impl Aspect {
    /// The aspect of this word; `path` is the former word for the route, which runs and studies have.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        if word == "path" { Some(Self::Route) } else { Self::from_word(word) }
    }
}

/// An aspect, or the name of a PostgreSQL setting.
impl Form for AllowedDifference {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        let text = at.scalar_text();
        if let Some(aspect) = Aspect::of_word(text) {
            return Some(Self::Aspect(aspect));
        }
        let lower = text.to_lowercase();
        let is_setting =
            is_setting_name(&lower) && (lower.contains(['_', '.']) || SHORT_SETTINGS.contains(&lower.as_str()));
        if is_setting {
            return Some(Self::Setting(lower));
        }
        let aspects: Vec<&str> = Aspect::ALL.iter().map(|aspect| aspect.as_word()).collect();
        let meant = did_you_mean(text, &[&aspects, &SHORT_SETTINGS[..]].concat());
        let hint = format!("{meant}write one of: {}; or the name of a PostgreSQL setting", aspects.join(", "));
        at.report_wrong_value(findings, "neither an aspect nor a setting", hint)
    }

    fn write_value(value: &Self) -> Yaml {
        Yaml::Scalar(value.to_string())
    }

    fn describe_form() -> ValueDescription {
        let ValueDescription { words, example, schema, .. } = about_words::<Aspect>();
        let setting = "^[A-Za-z_][A-Za-z0-9_.$]*$";
        let schema = json!({ "anyOf": [
            schema,
            { "type": "string", "pattern": setting, "description": "a PostgreSQL setting" },
        ] });
        ValueDescription::new(format!("{words}<br>or the name of a setting"), example, schema)
    }
}

/// PostgreSQL's own settings whose names have neither `_` nor `.`, versions 14 to 19, in lower case: all other names
/// of settings can be told from a misspelled aspect.
const SHORT_SETTINGS: [&str; 12] = [
    "autovacuum",
    "bonjour",
    "datestyle",
    "fsync",
    "geqo",
    "intervalstyle",
    "jit",
    "port",
    "ssl",
    "timezone",
    "xmlbinary",
    "xmloption",
];
