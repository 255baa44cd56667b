//! What takes time, or needs attention, while a server is reached or started.

use crate::embedded::Step;
use crate::local::Stage;

/// A step of [`crate::acquire`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
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

impl From<Step> for Progress {
    fn from(step: Step) -> Self {
        match step {
            Step::Downloading { version, url } => Self::Downloading { version, url },
            Step::Unpacking { version } => Self::Unpacking { version },
        }
    }
}

impl From<Stage> for Progress {
    fn from(stage: Stage) -> Self {
        match stage {
            Stage::CreatingCluster => Self::CreatingCluster,
            Stage::Starting => Self::Starting,
        }
    }
}
