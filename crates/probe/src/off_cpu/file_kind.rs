//! What a file of the server is, by what `/proc/PID/fd/N` points at. The path itself goes no further than this.

use std::path::{Component, Path};

use results::off_cpu::CalledFileKind;

/// Directories of a data directory by what is in them.
const DIRECTORIES: [(&str, CalledFileKind); 11] = [
    // Before `base`, in which its directory is.
    ("pgsql_tmp", CalledFileKind::Temporary),
    ("pg_wal", CalledFileKind::Wal),
    ("pg_xact", CalledFileKind::CommitLog),
    ("pg_clog", CalledFileKind::CommitLog),
    ("pg_multixact", CalledFileKind::CommitLog),
    ("pg_subtrans", CalledFileKind::CommitLog),
    ("pg_commit_ts", CalledFileKind::CommitLog),
    ("base", CalledFileKind::Relation),
    ("global", CalledFileKind::Relation),
    ("pg_tblspc", CalledFileKind::Relation),
    ("pg_xlog", CalledFileKind::Wal),
];

/// The kind of the file that a descriptor's link points at. A directory of the WAL or of a tablespace may be a link to
/// a place with another name: then the names below it tell.
pub(super) fn kind_of_file(target: &Path) -> CalledFileKind {
    let text = target.to_string_lossy();
    if text.starts_with("socket:") {
        return CalledFileKind::Socket;
    }
    if !text.starts_with('/') {
        return CalledFileKind::Other;
    }
    let names: Vec<&str> = target.components().filter_map(component_name).collect();
    for (directory, kind) in DIRECTORIES {
        let is_temporary = kind == CalledFileKind::Temporary && names.iter().any(|name| name.starts_with(directory));
        if is_temporary || names.contains(&directory) {
            return kind;
        }
    }
    if names.iter().any(|name| is_tablespace_directory(name)) {
        return CalledFileKind::Relation;
    }
    match names.last() {
        Some(name) if is_wal_segment(name) => CalledFileKind::Wal,
        Some(_) | None => CalledFileKind::Other,
    }
}

fn component_name<'a>(component: Component<'a>) -> Option<&'a str> {
    match component {
        Component::Normal(name) => name.to_str(),
        Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
    }
}

/// `PG_15_202209061`, which each version makes in a tablespace.
fn is_tablespace_directory(name: &str) -> bool {
    name.strip_prefix("PG_").is_some_and(|version| version.starts_with(|first: char| first.is_ascii_digit()))
}

/// 24 hexadecimal digits; what has been removed has ` (deleted)` behind its name.
fn is_wal_segment(name: &str) -> bool {
    let name = name.strip_suffix(" (deleted)").unwrap_or(name);
    name.len() == 24 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_by_the_directories_of_a_data_directory() {
        for (target, expected) in [
            ("/var/lib/postgresql/15/main/pg_wal/000000010000000000000007", CalledFileKind::Wal),
            ("/waldisk/w/000000010000000000000007 (deleted)", CalledFileKind::Wal),
            ("/data/base/16384/2619_fsm", CalledFileKind::Relation),
            ("/data/global/1262", CalledFileKind::Relation),
            ("/mnt/fast/PG_15_202209061/16384/24576.1", CalledFileKind::Relation),
            ("/data/base/pgsql_tmp/pgsql_tmp4711.0", CalledFileKind::Temporary),
            ("/mnt/fast/PG_15_202209061/pgsql_tmp/pgsql_tmp4711.0.sharedfileset/0.0", CalledFileKind::Temporary),
            ("/data/pg_xact/0000", CalledFileKind::CommitLog),
            ("/data/pg_multixact/offsets/0000", CalledFileKind::CommitLog),
            ("socket:[4711]", CalledFileKind::Socket),
            ("pipe:[4711]", CalledFileKind::Other),
            ("anon_inode:[eventpoll]", CalledFileKind::Other),
            ("/data/postgresql.conf", CalledFileKind::Other),
        ] {
            assert_eq!(kind_of_file(Path::new(target)), expected, "{target}");
        }
    }
}
