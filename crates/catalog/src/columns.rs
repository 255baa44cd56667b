//! The columns of the statistics views, by version.

use std::sync::LazyLock;

use crate::rows::{VersionRange, versioned_rows};

/// `versions`, view, column.
static COLUMNS: LazyLock<Vec<(VersionRange, [&str; 3])>> =
    LazyLock::new(|| versioned_rows(include_str!("../data/columns.tsv")));

/// The first major version whose view has a column; none where no version has it.
#[must_use]
pub fn first_version_with_column(view: &str, column: &str) -> Option<u32> {
    let mut first: Option<u32> = None;
    for (range, [_, of_view, name]) in COLUMNS.iter() {
        if *of_view == view && *name == column {
            first = Some(first.map_or(range.first, |known| known.min(range.first)));
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_known_from_its_first_version_on() {
        assert_eq!(first_version_with_column("pg_stat_database", "xact_commit"), Some(14));
        assert_eq!(first_version_with_column("pg_stat_database", "parallel_workers_launched"), Some(18));
        assert_eq!(first_version_with_column("pg_stat_lock", "wait_time"), Some(19));
        assert_eq!(first_version_with_column("pg_stat_database", "nothing"), None);
    }
}
