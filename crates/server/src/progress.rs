//! What takes time, or needs attention, while a server is reached or started.

use crate::embedded::EmbeddedStep;
use crate::local::StartStage;

/// A step of [`crate::acquire_target`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AcquireProgress {
    /// An archive of about 15 MB is being downloaded.
    Downloading {
        /// The version as asked for.
        version: String,
        /// From where.
        url: String,
    },
    /// It is being unpacked into the cache.
    Unpacking {
        /// The exact version.
        version: String,
    },
    /// `initdb` runs.
    CreatingCluster,
    /// The server starts.
    Starting,
    /// Something was ignored that the user should hear about.
    Warning(String),
}

impl From<EmbeddedStep> for AcquireProgress {
    fn from(step: EmbeddedStep) -> Self {
        match step {
            EmbeddedStep::Downloading { version, url } => Self::Downloading { version, url },
            EmbeddedStep::Unpacking { version } => Self::Unpacking { version },
        }
    }
}

impl From<StartStage> for AcquireProgress {
    fn from(stage: StartStage) -> Self {
        match stage {
            StartStage::CreatingCluster => Self::CreatingCluster,
            StartStage::Starting => Self::Starting,
        }
    }
}
