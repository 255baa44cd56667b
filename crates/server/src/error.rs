//! The error of this crate: which target, and the cause in three parts as the binary prints them.

use crate::embedded::EmbeddedError;
use crate::local::Failure;
use crate::local::programs::ProgramsError;
use crate::reach::ReachError;
use crate::same_server::OtherServer;
use crate::target_settings::SettingError;
use cluster::ClusterError;
use conninfo::ConninfoError;

/// Something went wrong with a target.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("target \"{target}\": {cause}")]
pub struct TargetError {
    /// The target's name in the plan.
    pub target: String,
    /// What went wrong.
    pub cause: Box<Cause>,
}

/// What can go wrong with a target. The display is the primary message: short, lower case, naming object and value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub enum Cause {
    /// The connection string.
    Conninfo(#[from] ConninfoError),
    /// The way to the server.
    Reach(#[from] ReachError),
    /// The way of the load leads elsewhere.
    Other(#[from] OtherServer),
    /// What Kubernetes says of it.
    Cluster(#[from] ClusterError),
    /// A setting.
    Setting(#[from] SettingError),
    /// The download of a version.
    Embedded(#[from] EmbeddedError),
    /// The programs of a version.
    Programs(#[from] ProgramsError),
    /// The local server.
    Local(#[from] Failure),
}

impl Cause {
    /// Names the target.
    pub(crate) fn into_target_error(self, target: &str) -> TargetError {
        TargetError { target: target.to_owned(), cause: Box::new(self) }
    }
}

impl Cause {
    /// What the system said.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::Conninfo(error) => error.error_detail(),
            Self::Reach(error) => error.detail(),
            Self::Other(error) => error.detail(),
            Self::Cluster(error) => error.detail(),
            Self::Setting(error) => error.detail(),
            Self::Embedded(error) => error.detail(),
            Self::Programs(error) => error.detail(),
            Self::Local(error) => error.detail(),
        }
    }

    /// What to try.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Conninfo(error) => error.error_hint(),
            Self::Reach(error) => error.hint(),
            Self::Other(error) => error.hint(),
            Self::Cluster(error) => error.hint(),
            Self::Setting(error) => error.hint(),
            Self::Embedded(error) => error.hint(),
            Self::Programs(error) => error.hint(),
            Self::Local(error) => error.hint(),
        }
    }
}

impl TargetError {
    /// The primary message: `target "name": what went wrong`.
    #[must_use]
    pub fn primary_message(&self) -> String {
        self.to_string()
    }

    /// What the system said.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        self.cause.detail()
    }

    /// What to try.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        self.cause.hint()
    }
}
