//! What some events take besides a word: a command of a shell, the two that take a node away and bring it back, for how
//! long a server stands still, and what a cluster is updated to.

use std::time::Duration;

use serde_json::json;

use super::language::{
    At, AtLeastMs, Form, PlanReadingFindings, SettingsByName, TextForm, ValueDescription, Yaml, choice, quote_text,
    record,
};

/// Declares a text that is as the plan has it, with what it is and an example.
macro_rules! text {
    ($(#[doc = $about:literal])* $name:ident = $words:literal, $example:literal) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// As the plan has it.
            #[must_use]
            pub fn text(&self) -> &str {
                &self.0
            }
        }

        impl Form for $name {
            type Value = Self;

            fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
                TextForm::read_value(findings, at).map(Self)
            }

            fn write_value(value: &Self) -> Yaml {
                Yaml::Scalar(quote_text(&value.0))
            }

            fn describe_form() -> ValueDescription {
                ValueDescription::new($words, $example, json!({ "type": "string", "minLength": 1 }))
            }
        }
    };
}

pub(super) use text;

text! {
    /// A command for a shell.
    ShellCommand = "command of a shell", "sh ./do-it.sh"
}

text! {
    /// The name of an image of a container.
    ImageName = "name of an image", "ghcr.io/cloudnative-pg/postgresql:17.6"
}

record! {
    /// Commands that stop and start a node, which Kubernetes itself cannot do.
    pub struct NodeCommands = "commands for a node" {
        /// Shell command on this machine that stops the node named in PGDYNO_NODE, as a power loss does.
        key stop: ShellCommand,
        /// Shell command that starts the node again. It runs after another instance has become the primary, and also if
        /// the run ends earlier or by `pgdyno restore`. So it must be harmless for a running node.
        key start: ShellCommand,
    }
}

/// For how long a server stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StandStill(pub Duration);

impl Form for StandStill {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        AtLeastMs::<100>::read_value(findings, at).map(Self)
    }

    fn write_value(value: &Self) -> Yaml {
        AtLeastMs::<100>::write_value(&value.0)
    }

    fn describe_form() -> ValueDescription {
        AtLeastMs::<100>::describe_form()
    }
}

record! {
    /// An update of a CloudNativePG cluster.
    pub struct RollingUpdate = "an update of a cluster" {
        /// What is written into its `Cluster`.
        keys to: UpdateTo,
    }
}

choice! {
    /// What is written into the `Cluster`.
    pub enum UpdateTo = "one of `image`, `settings` is required" {
        /// Another image (`imageName`) with another minor version of the same major version.
        "image" => Image(ImageName),
        /// PostgreSQL settings (`postgresql.parameters`), at least one of which requires a restart.
        "settings" => Settings(SettingsByName),
    }
}

impl UpdateTo {
    /// What it is, for a person.
    pub(crate) fn update_in_words(&self) -> String {
        match self {
            Self::Image(image) => format!("the image {}", image.text()),
            Self::Settings(settings) => {
                let all: Vec<String> = settings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                all.join(", ")
            }
        }
    }
}
