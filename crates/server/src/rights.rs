//! What the role of a session may do on its server: asked of catalogs, changes nothing.

use std::collections::BTreeMap;

use tokio_postgres::{Client, Error, Row};

/// The administrators' roles by which a managed service is known.
pub const SERVICE_ROLES: [&str; 4] = ["rds_superuser", "cloudsqlsuperuser", "alloydbsuperuser", "azure_pg_admin"];

/// Rights of a role, in one database of one server. `None`: this version of PostgreSQL has no such right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleRights {
    /// The role of the session.
    pub role: String,
    /// Its database.
    pub database: String,
    /// What `version()` says.
    pub version: String,
    /// `server_version_num`.
    pub version_num: i32,
    /// Whether it is a superuser.
    pub is_superuser: bool,
    /// `CREATEDB`.
    pub creates_databases: bool,
    /// Whether the server is a standby, on which nobody creates tables.
    pub in_recovery: bool,
    /// The schema in which unqualified tables are created, if there is one.
    pub schema: Option<String>,
    /// `CREATE` on that schema.
    pub creates_in_schema: bool,
    /// `CREATE` on the database.
    pub creates_in_database: bool,
    /// Member of `pg_read_all_stats`.
    pub reads_all_stats: bool,
    /// Member of `pg_read_all_settings`.
    pub reads_all_settings: bool,
    /// Member of `pg_monitor`.
    pub monitors: bool,
    /// Member of `pg_checkpoint`, which PostgreSQL 15 introduced.
    pub checkpoints: Option<bool>,
    /// Whether the server writes its log into files of its own (`logging_collector`).
    pub collects_log: bool,
    /// `EXECUTE` on `pg_ls_logdir`.
    pub lists_log_files: bool,
    /// `EXECUTE` on `pg_read_binary_file`, in the form that reads a part of a file.
    pub reads_binary_files: bool,
    /// Whether it may read `pg_config`.
    pub reads_build: bool,
    /// Whether the database has the extension pg_stat_statements.
    pub has_statements: bool,
    /// Whether the server's installation offers that extension.
    pub offers_statements: bool,
    /// Whether the server has loaded its library.
    pub loads_statements: bool,
    /// Whether the server has the functions of Amazon Aurora.
    pub is_aurora: bool,
    /// The tables of each schema, without those of the system and of extensions.
    pub tables: BTreeMap<String, ReadableTables>,
    /// The administrators' roles of managed services that are there, and whether the role is a member.
    pub service_roles: BTreeMap<String, bool>,
    /// The settings that only superusers may set, and whether the role may set each.
    pub superuser_settings: BTreeMap<String, bool>,
}

/// How many tables of a schema there are, and how many of them the role may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadableTables {
    pub tables: i64,
    pub readable: i64,
}

/// Asks for the rights of the role of a session.
///
/// # Errors
/// The server refuses a query, or the connection is lost.
pub(crate) async fn query_rights(client: &Client) -> Result<RoleRights, Error> {
    let row = client.query_one(include_str!("sql/rights.sql"), &[]).await?;
    let mut rights = rights_from_row(&row)?;
    for row in client.query(include_str!("sql/readable_tables.sql"), &[]).await? {
        let counts = ReadableTables { tables: row.try_get("tables")?, readable: row.try_get("readable")? };
        rights.tables.insert(row.try_get("schema")?, counts);
    }
    let roles: &[&str] = &SERVICE_ROLES;
    for row in client.query(include_str!("sql/service_roles.sql"), &[&roles]).await? {
        rights.service_roles.insert(row.try_get("name")?, row.try_get("is_member")?);
    }
    for row in client.query(superuser_settings_sql(rights.version_num), &[]).await? {
        rights.superuser_settings.insert(row.try_get("name")?, row.try_get("may_set")?);
    }
    Ok(rights)
}

/// `GRANT SET ON PARAMETER` came with PostgreSQL 15; before it, only a superuser sets them.
fn superuser_settings_sql(version_num: i32) -> &'static str {
    if version_num >= 150_000 {
        "SELECT lower(name) AS name, has_parameter_privilege(name, 'SET') AS may_set FROM pg_settings \
         WHERE context IN ('superuser', 'superuser-backend')"
    } else {
        "SELECT lower(name) AS name, r.rolsuper AS may_set FROM pg_settings, pg_roles r \
         WHERE context IN ('superuser', 'superuser-backend') AND r.rolname = current_user"
    }
}

fn rights_from_row(row: &Row) -> Result<RoleRights, Error> {
    Ok(RoleRights {
        role: row.try_get("role")?,
        database: row.try_get("database")?,
        version: row.try_get("version")?,
        version_num: row.try_get("version_num")?,
        is_superuser: row.try_get("is_superuser")?,
        creates_databases: row.try_get("creates_databases")?,
        in_recovery: row.try_get("in_recovery")?,
        schema: row.try_get("schema")?,
        creates_in_schema: row.try_get("creates_in_schema")?,
        creates_in_database: row.try_get("creates_in_database")?,
        reads_all_stats: row.try_get("reads_all_stats")?,
        reads_all_settings: row.try_get("reads_all_settings")?,
        monitors: row.try_get("monitors")?,
        checkpoints: row.try_get("checkpoints")?,
        collects_log: row.try_get("collects_log")?,
        lists_log_files: row.try_get("lists_log_files")?,
        reads_binary_files: row.try_get("reads_binary_files")?,
        reads_build: row.try_get("reads_build")?,
        has_statements: row.try_get("has_statements")?,
        offers_statements: row.try_get("offers_statements")?,
        loads_statements: row.try_get("loads_statements")?,
        is_aurora: row.try_get("is_aurora")?,
        tables: BTreeMap::new(),
        service_roles: BTreeMap::new(),
        superuser_settings: BTreeMap::new(),
    })
}
