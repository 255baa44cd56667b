//! Facts that the server itself reports: identity, build, extensions, settings.

use std::collections::BTreeMap;

use catalog::settings_with_changed_default;
use jiff::Timestamp;
use results::facts::{ServerBuild, ServerFacts, ServerSetting, StandbyFacts};
use results::trial::SessionsOf;
use tokio_postgres::{Client, Error, Row};

use crate::guc::{self, Guc};

/// The server's description of itself.
pub(crate) struct ServerIdentity {
    pub(crate) server: ServerFacts,
    /// Whether the user sees the settings that only some may see.
    pub(crate) sees_all_settings: bool,
    /// Whether the user sees what the server counts of other users' sessions.
    pub(crate) sees_all_statistics: bool,
    /// Who the user is, as a statement names the role.
    pub(crate) role: String,
    /// Whether the user sees how the server was built.
    pub(crate) sees_build: bool,
}

/// Asks the server what it is.
pub(crate) async fn query_identity(client: &Client) -> Result<ServerIdentity, Error> {
    let row = client.query_one(include_str!("../sql/server.sql"), &[]).await?;
    let started_at_us: i64 = row.try_get("started_at_us")?;
    let database_bytes: i64 = row.try_get("database_bytes")?;
    let server = ServerFacts {
        version: row.try_get("version")?,
        version_num: u32::try_from(row.try_get::<_, i32>("version_num")?).unwrap_or_default(),
        in_recovery: row.try_get("in_recovery")?,
        started_at: Timestamp::from_microsecond(started_at_us).ok(),
        database: Some(row.try_get("database")?),
        database_bytes: u64::try_from(database_bytes).ok(),
        databases: BTreeMap::new(),
        locale: row.try_get("locale")?,
        build: None,
        extensions: Some(query_extensions(client).await?),
        restored_tables: None,
        restore_durations: None,
    };
    let (sees_all_settings, sees_build) = (row.try_get("sees_all_settings")?, row.try_get("sees_build")?);
    let (sees_all_statistics, role) = (row.try_get("sees_all_statistics")?, row.try_get("role")?);
    Ok(ServerIdentity { server, sees_all_settings, sees_all_statistics, role, sees_build })
}

/// Asks the server how it was built; only a user who sees that may.
pub(crate) async fn query_build(client: &Client) -> Result<Option<ServerBuild>, Error> {
    let rows = client.query(include_str!("../sql/build.sql"), &[]).await?;
    let one = |row: &Row| Ok::<_, Error>((row.try_get("name")?, row.try_get("setting")?));
    rows.iter().map(one).collect::<Result<BTreeMap<String, String>, Error>>().map(build_from_rows)
}

/// A build out of the rows of `pg_config`, if these are of one.
fn build_from_rows(mut said: BTreeMap<String, String>) -> Option<ServerBuild> {
    // A build that left no trace of a thing has these words instead, or none.
    let mut take = |name: &str| said.remove(name).filter(|text| !text.trim().is_empty() && text != "not recorded");
    Some(ServerBuild { version: take("VERSION")?, configure: take("CONFIGURE"), cflags: take("CFLAGS") })
}

/// The extensions of the database that a session is in, with their versions.
async fn query_extensions(client: &Client) -> Result<BTreeMap<String, String>, Error> {
    let rows = client.query(include_str!("../sql/extensions.sql"), &[]).await?;
    rows.iter().map(|row| Ok((row.try_get("name")?, row.try_get("version")?))).collect()
}

/// Asks the server who follows it; none where the role may not see that.
pub(crate) async fn query_standbys(client: &Client) -> Result<Option<Vec<StandbyFacts>>, Error> {
    let rows = client.query(include_str!("../sql/standbys.sql"), &[]).await?;
    let one = |row: &Row| {
        let column = |name: &str| row.try_get::<_, Option<String>>(name);
        let (name, state, sync_state) = (column("application_name")?, column("state")?, column("sync_state")?);
        Ok(name.zip(state.zip(sync_state)).map(|(name, (state, sync_state))| StandbyFacts { name, state, sync_state }))
    };
    rows.iter().map(one).collect()
}

/// The sessions of others.
pub(crate) async fn query_other_sessions(client: &Client) -> Result<Vec<SessionsOf>, Error> {
    let rows = client.query(include_str!("../sql/sessions.sql"), &[]).await?;
    let one = |row: &Row| {
        let count = |name: &str| Ok::<u64, Error>(row.try_get::<_, i64>(name)?.unsigned_abs());
        Ok(SessionsOf {
            application: row.try_get("application_name")?,
            role: row.try_get("role")?,
            count: count("count")?,
            idle: count("idle")?,
        })
    };
    rows.iter().map(one).collect()
}

/// One row of `pg_settings`: what is compared, and what is recorded.
pub(crate) struct Reported {
    pub(crate) guc: Guc,
    pub(crate) setting: ServerSetting,
}

/// Settings that are recorded even at their default, as the comparison of two servers depends on them. So are those
/// whose default is not the same in all versions.
const ALWAYS: &[&str] = &[
    "autovacuum",
    "block_size",
    "checkpoint_completion_target",
    "checkpoint_timeout",
    "data_checksums",
    "effective_cache_size",
    "effective_io_concurrency",
    "fsync",
    "full_page_writes",
    "huge_pages",
    "huge_pages_status",
    "io_combine_limit",
    "io_method",
    "io_max_workers",
    "io_min_workers",
    "io_workers",
    "jit",
    "max_connections",
    "max_parallel_workers_per_gather",
    "max_wal_size",
    "random_page_cost",
    "reserved_connections",
    "shared_buffers",
    "superuser_reserved_connections",
    "synchronous_commit",
    "track_io_timing",
    "wal_buffers",
    "wal_compression",
    "wal_level",
    "wal_segment_size",
    "wal_sync_method",
    "work_mem",
];

/// Reads every setting whose source is not the default, and every one asked for, by lower-case name.
pub(crate) async fn query_settings(client: &Client, asked: &[String]) -> Result<BTreeMap<String, Reported>, Error> {
    let mut asked: Vec<&str> = asked.iter().map(String::as_str).chain(ALWAYS.iter().copied()).collect();
    for name in settings_with_changed_default() {
        asked.push(name);
    }
    let rows = client.query(include_str!("../sql/settings.sql"), &[&asked]).await?;
    rows.iter().map(|row| reported_from_row(row).map(|reported| (reported.guc.name.to_lowercase(), reported))).collect()
}

fn reported_from_row(row: &Row) -> Result<Reported, Error> {
    let guc = Guc {
        name: row.try_get("name")?,
        setting: row.try_get::<_, Option<String>>("setting")?.unwrap_or_default(),
        unit: row.try_get("unit")?,
        vartype: row.try_get("vartype")?,
    };
    let shown: Option<String> = row.try_get("shown")?;
    let boot_val: Option<String> = row.try_get("boot_val")?;
    let setting = ServerSetting {
        value: without_secret(&guc.name, shown.unwrap_or_default()),
        default: boot_val.map(|value| guc::value_with_unit(&value, guc.unit.as_deref())),
        source: row.try_get("source")?,
        pending_restart: row.try_get("pending_restart")?,
    };
    Ok(Reported { guc, setting })
}

/// Settings whose values are commands or connection strings, in which people put passwords.
const MAY_HOLD_SECRETS: &[&str] = &[
    "archive_cleanup_command",
    "archive_command",
    "primary_conninfo",
    "recovery_end_command",
    "restore_command",
    "ssl_passphrase_command",
];

/// The value, or a note in its place where it may hold a secret.
fn without_secret(name: &str, value: String) -> String {
    let lower = value.to_lowercase();
    let telling = ["password", "passwd", "secret", "token", "://"].iter().any(|word| lower.contains(word));
    let named = MAY_HOLD_SECRETS.contains(&name);
    // password_encryption and its like hold no secret in their values.
    if !value.is_empty() && (named || telling) { "(set; not recorded, it may hold a secret)".to_owned() } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_build_did_not_record_of_itself_is_absent() {
        let of = |rows: &[(&str, &str)]| {
            build_from_rows(rows.iter().map(|(name, setting)| ((*name).to_owned(), (*setting).to_owned())).collect())
        };
        let version = "PostgreSQL 17.5 (Debian 17.5-1.pgdg120+1)";
        let whole = of(&[("VERSION", version), ("CONFIGURE", " '--with-llvm'"), ("CFLAGS", "-O2")]).expect("a build");
        assert_eq!((whole.configure.as_deref(), whole.cflags.as_deref()), (Some(" '--with-llvm'"), Some("-O2")));
        let bare = of(&[("VERSION", version), ("CONFIGURE", ""), ("CFLAGS", "not recorded")]);
        assert_eq!(bare, Some(ServerBuild { version: version.to_owned(), configure: None, cflags: None }));
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn a_value_that_may_hold_a_secret_is_not_recorded() {
        let cases = [
            ("archive_command", "aws s3 cp %p s3://b/%f --key K", false),
            ("primary_conninfo", "host=a", false),
            ("my.extension_url", "https://u:p@h", false),
            ("other.conninfo", "host=a password=b", false),
            ("archive_command", "", true),
            ("work_mem", "4MB", true),
            ("password_encryption", "scram-sha-256", true),
        ];
        for (name, value, recorded) in cases {
            assert_eq!(without_secret(name, value.to_owned()) == value, recorded, "{name} = {value}");
        }
    }
}
