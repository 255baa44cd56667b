//! The major versions that pgdyno measures.

/// A major version of PostgreSQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MajorVersion {
    /// Its number, such as 17.
    pub number: u32,
    /// Whether Maven Central had embedded binaries of it when this pgdyno was released.
    pub has_embedded_binaries: bool,
    /// Whether `initdb` makes data page checksums by default, and has an option for none.
    pub has_checksums_by_default: bool,
}

/// All of them, the oldest first. A new one is a row here, and its server's answers in the files of `data`.
pub const VERSIONS: [MajorVersion; 6] = [
    MajorVersion { number: 14, has_embedded_binaries: true, has_checksums_by_default: false },
    MajorVersion { number: 15, has_embedded_binaries: true, has_checksums_by_default: false },
    MajorVersion { number: 16, has_embedded_binaries: true, has_checksums_by_default: false },
    MajorVersion { number: 17, has_embedded_binaries: true, has_checksums_by_default: false },
    MajorVersion { number: 18, has_embedded_binaries: true, has_checksums_by_default: true },
    MajorVersion { number: 19, has_embedded_binaries: false, has_checksums_by_default: true },
];

/// The oldest major version that pgdyno measures.
pub const OLDEST_MAJOR: u32 = VERSIONS[0].number;

/// The newest major version that pgdyno knows.
pub const NEWEST_MAJOR: u32 = VERSIONS[VERSIONS.len() - 1].number;

/// The version with a number; a later one is taken for the newest that is known, but for the binaries. None of one that
/// is not measured any more.
#[must_use]
pub fn version_with_number(number: u32) -> Option<MajorVersion> {
    if number > NEWEST_MAJOR {
        return Some(MajorVersion { number, has_embedded_binaries: false, ..VERSIONS[VERSIONS.len() - 1] });
    }
    VERSIONS.into_iter().find(|version| version.number == number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_follow_each_other_and_a_later_one_is_like_the_newest() {
        for (place, version) in VERSIONS.iter().enumerate() {
            assert_eq!(version.number as usize, OLDEST_MAJOR as usize + place);
            assert_eq!(version_with_number(version.number), Some(*version));
        }
        assert_eq!(version_with_number(OLDEST_MAJOR - 1), None);
        let later = version_with_number(NEWEST_MAJOR + 1).expect("it is measured");
        assert_eq!((later.number, later.has_embedded_binaries), (NEWEST_MAJOR + 1, false));
        assert!(later.has_checksums_by_default);
    }
}
