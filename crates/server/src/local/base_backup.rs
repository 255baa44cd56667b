//! The data of a standby: a copy of a primary that runs on this machine and goes on running.
//!
//! As pg_basebackup does it, which is not among the embedded binaries, and without WAL, which the standby asks its primary
//! for. File by file, so that whoever waits for it can give it up between two.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use conninfo::{ConnInfo, ServerHost};

use super::account::SystemAccount;
use super::directories::{change_owner, make_private, write_owned};
use super::failure::Failure;
use super::protocol::FollowedPrimary;
use crate::reach;
use crate::remains::MARKER;

/// Directories whose content is the primary's own; pg_basebackup leaves out the same.
const EMPTY: [&str; 8] =
    ["pg_dynshmem", "pg_notify", "pg_replslot", "pg_serial", "pg_snapshots", "pg_stat_tmp", "pg_subtrans", "pg_wal"];

/// Files that say what a server is, which its copy is not.
const OMITTED: [&str; 5] = ["postmaster.pid", "postmaster.opts", "postgresql.auto.conf", "pg_internal.init", MARKER];

/// What a server recovers from last, and must therefore be read last.
const CONTROL_FILE: &str = "global/pg_control";

/// Copies a primary of this major version into an empty directory and makes a standby of it, which lacks nothing but
/// its configuration.
///
/// # Errors
/// The primary cannot be asked, or a file cannot be copied.
pub(super) async fn take_base_backup(
    primary: &FollowedPrimary,
    major: u32,
    to: &Path,
    account: Option<SystemAccount>,
) -> Result<(), Failure> {
    let what = || format!("copy the server in {}", primary.data_directory.display());
    let at = (ServerHost::Unix(primary.socket_directory.clone()), primary.port);
    let client =
        reach::connect_and_check_version(&ConnInfo::new(at, "postgres", "postgres")).await.map_err(|error| {
            let said = error.detail().unwrap_or_default();
            Failure::system_call_failed(what())(format!("{error}: {said}"))
        })?;
    let (begin, end) = if major >= 15 {
        ("SELECT pg_backup_start('pgdyno', true)", "SELECT labelfile FROM pg_backup_stop(false)")
    } else {
        ("SELECT pg_start_backup('pgdyno', true, false)", "SELECT labelfile FROM pg_stop_backup(false, false)")
    };
    client.batch_execute(begin).await.map_err(Failure::system_call_failed(what()))?;
    copy_tree(&primary.data_directory, to, account).await?;
    let label: String = client.query_one(end, &[]).await.map_err(Failure::system_call_failed(what()))?.get(0);
    write_owned(&to.join("backup_label"), label.as_bytes(), account)?;
    write_owned(&to.join("standby.signal"), b"", account)
}

async fn copy_tree(from: &Path, to: &Path, account: Option<SystemAccount>) -> Result<(), Failure> {
    let mut directories = vec![PathBuf::new()];
    while let Some(directory) = directories.pop() {
        let failed = || Failure::system_call_failed(format!("read {}", from.join(&directory).display()));
        for entry in fs::read_dir(from.join(&directory)).map_err(failed())? {
            let entry = entry.map_err(failed())?;
            let path = directory.join(entry.file_name());
            if entry.file_type().map_err(failed())?.is_dir() {
                make_private(&to.join(&path), account)?;
                if !is_left_empty(&path) {
                    directories.push(path);
                }
            } else if is_copied(&path) {
                copy_file(&from.join(&path), &to.join(&path), account)?;
            }
            tokio::task::yield_now().await;
        }
    }
    copy_file(&from.join(CONTROL_FILE), &to.join(CONTROL_FILE), account)
}

fn is_left_empty(directory: &Path) -> bool {
    EMPTY.iter().any(|empty| directory == Path::new(empty)) || is_temporary(directory)
}

fn is_copied(file: &Path) -> bool {
    let omitted = |name: &str| file.file_name().is_some_and(|found| found == name);
    !OMITTED.into_iter().any(omitted) && !is_temporary(file) && file != Path::new(CONTROL_FILE)
}

fn is_temporary(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("pgsql_tmp"))
}

/// One that has been removed meanwhile is none: the WAL says so.
fn copy_file(from: &Path, to: &Path, account: Option<SystemAccount>) -> Result<(), Failure> {
    let copied: io::Result<u64> = fs::copy(from, to);
    match copied {
        Ok(_) => change_owner(to, account),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Failure::system_call_failed(format!("copy {} to {}", from.display(), to.display()))(error)),
    }
}
