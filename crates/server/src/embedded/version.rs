//! Which version of PostgreSQL a plan asks for, and which releases satisfy it.

use std::fmt;

use catalog::OLDEST_MAJOR;
use semver::{Version, VersionReq};

/// A major version, or a release of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WantedVersion {
    pub(super) major: u64,
    pub(super) minor: Option<u64>,
    /// The build of the archive, which is no part of PostgreSQL's own versions.
    build: Option<u64>,
}

impl WantedVersion {
    /// Reads `17`, `17.11` or `17.11.0`; none for anything else and for versions before 14.
    #[must_use]
    pub fn parse_version(text: &str) -> Option<Self> {
        let number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok()).flatten();
        let mut parts = text.trim().split('.');
        let major = number(parts.next()?)?;
        let minor = parts.next().map(number);
        let build = parts.next().map(number);
        let complete = minor != Some(None) && build != Some(None) && parts.next().is_none();
        (complete && major >= u64::from(OLDEST_MAJOR)).then_some(Self {
            major,
            minor: minor.flatten(),
            build: build.flatten(),
        })
    }

    /// Whether every release of the major version satisfies this.
    pub(super) fn is_any_release(&self) -> bool {
        self.minor.is_none()
    }

    /// Whether embedded binaries of the major version had been published when this pgdyno was released.
    pub(super) fn is_published(&self) -> bool {
        let known = u32::try_from(self.major).ok().and_then(catalog::version_with_number);
        known.is_some_and(|known| known.has_embedded_binaries)
    }

    /// Whether a release satisfies this.
    pub(super) fn matches_release(&self, version: &Version) -> bool {
        version.pre.is_empty()
            && version.major == self.major
            && self.minor.is_none_or(|minor| version.minor == minor)
            && self.build.is_none_or(|build| version.patch == build)
    }

    /// The same for the download.
    pub(super) fn version_requirement(&self) -> VersionReq {
        let comparator = semver::Comparator {
            op: semver::Op::Exact,
            major: self.major,
            minor: self.minor,
            patch: self.build,
            pre: semver::Prerelease::EMPTY,
        };
        VersionReq { comparators: vec![comparator] }
    }
}

impl fmt::Display for WantedVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.major)?;
        [self.minor, self.build].iter().flatten().try_for_each(|part| write!(f, ".{part}"))
    }
}
