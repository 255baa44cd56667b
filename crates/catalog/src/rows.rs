//! Lines of the data files: columns with tabs between, the versions of a line as `14-16` or, up to the newest, `17-`.

use crate::version::NEWEST_MAJOR;

/// The first and the last major version of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VersionRange {
    pub(crate) first: u32,
    pub(crate) last: u32,
}

impl VersionRange {
    fn parse_range(text: &str) -> Option<Self> {
        let (first, last) = text.split_once('-')?;
        let last = if last.is_empty() { NEWEST_MAJOR } else { last.parse().ok()? };
        Some(Self { first: first.parse().ok()?, last })
    }
}

/// The lines of a file with `N` columns, the first of which are the versions. What begins with `#` is a comment.
pub(crate) fn versioned_rows<const N: usize>(file: &'static str) -> Vec<(VersionRange, [&'static str; N])> {
    let mut rows = Vec::new();
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&'static str> = line.split('\t').collect();
        if let Ok(columns) = <[&'static str; N]>::try_from(columns)
            && let Some(range) = VersionRange::parse_range(columns[0])
        {
            rows.push((range, columns));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_closed_or_open_to_the_newest() {
        assert_eq!(VersionRange::parse_range("14-16"), Some(VersionRange { first: 14, last: 16 }));
        assert_eq!(VersionRange::parse_range("17-"), Some(VersionRange { first: 17, last: NEWEST_MAJOR }));
        assert_eq!(VersionRange::parse_range("17"), None);
    }

    #[test]
    fn comments_are_left_out_and_lines_have_all_their_columns() {
        let rows = versioned_rows::<3>("# versions, a, b\n14-15\tone\ttwo\n15-\tthree\t\n16-\tshort\n");
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[1], (VersionRange { first: 15, last: NEWEST_MAJOR }, ["15-", "three", ""]));
    }
}
