//! What some events take besides a word: a command of a shell, the two that take a node away and bring it back, for how
//! long a server stands still, and what a cluster is updated to.

use std::time::Duration;

use serde_json::json;

use super::language::{About, At, AtLeastMs, Findings, Form, Settings, Text, Yaml, choice, quoted, record};

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

            fn read(findings: &mut Findings, at: &At<'_>) -> Option<Self> {
                Text::read(findings, at).map(Self)
            }

            fn write(value: &Self) -> Yaml {
                Yaml::Scalar(quoted(&value.0))
            }

            fn about() -> About {
                About::new($words, $example, json!({ "type": "string", "minLength": 1 }))
            }
        }
    };
}

text! {
    /// A command for a shell.
    ShellCommand = "command of a shell", "sh ./do-it.sh"
}

text! {
    /// The name of an image of a container.
    ImageName = "name of an image", "ghcr.io/cloudnative-pg/postgresql:17.6"
}

record! {
    /// How a node is taken away and brought back, which Kubernetes cannot do itself.
    pub struct NodeCommands = "commands for a node" {
        /// Takes the node away that PGDYNO_NODE names, as a loss of its power does; run by a shell here (`sh -c`), as
        /// `command` is.
        key stop: ShellCommand,
        /// Brings it back; run once another instance is the primary, and whenever the run ends before, also by
        /// `pgdyno restore`. So it has to do no harm to a node that is there.
        key start: ShellCommand,
    }
}

/// For how long a server stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StandStill(pub Duration);

impl Form for StandStill {
    type Value = Self;

    fn read(findings: &mut Findings, at: &At<'_>) -> Option<Self> {
        AtLeastMs::<100>::read(findings, at).map(Self)
    }

    fn write(value: &Self) -> Yaml {
        AtLeastMs::<100>::write(&value.0)
    }

    fn about() -> About {
        AtLeastMs::<100>::about()
    }
}

record! {
    /// What a cluster of CloudNativePG is updated to.
    pub struct RollingUpdate = "an update of a cluster" {
        /// What is written into its `Cluster`.
        keys to: UpdateTo,
    }
}

choice! {
    /// What is written into the `Cluster`.
    pub enum UpdateTo = "give `image` or `settings`" {
        /// Another image (`imageName`): another minor version of the same major one.
        "image" => Image(ImageName),
        /// PostgreSQL settings (`postgresql.parameters`) of which at least one takes a restart.
        "settings" => Settings(Settings),
    }
}

impl UpdateTo {
    /// What it is, for a person.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Self::Image(image) => format!("the image {}", image.text()),
            Self::Settings(settings) => {
                let all: Vec<String> = settings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                all.join(", ")
            }
        }
    }
}
