//! The rows of the table of rights: each right, whether the role has it, what it buys, and what would give it.

use std::collections::BTreeSet;

use server::rights::RoleRights;

use crate::command::json_outputs::RightOutput;

/// One right of a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RightRow {
    /// The right.
    pub(super) right: String,
    /// Whether the role has it; none where this server has no such right.
    pub(super) have: Option<bool>,
    /// How much of it, or why not.
    pub(super) detail: Option<String>,
    /// What it buys.
    pub(super) buys: &'static str,
    /// The statements that would give it; none where it is there, or nobody can give it.
    pub(super) grant: Option<String>,
}

impl RightRow {
    /// `yes`, `no`, `no: 2 of 3 tables`.
    pub(super) fn state_in_words(&self) -> String {
        let word = match self.have {
            Some(true) => "yes",
            Some(false) => "no",
            None => "n/a",
        };
        match &self.detail {
            Some(detail) => format!("{word}: {detail}"),
            None => word.to_owned(),
        }
    }

    /// The statements; `-` where there is nothing to grant.
    pub(super) fn grant_in_words(&self) -> String {
        self.grant.clone().unwrap_or_else(|| "-".to_owned())
    }

    pub(super) fn into_output(self) -> RightOutput {
        RightOutput {
            right: self.right,
            have: self.have,
            detail: self.detail,
            buys: self.buys.to_owned(),
            grant: self.grant,
        }
    }
}

/// All rows, those that most reports need first. `session_settings` are those that a plan gives to its sessions.
pub(super) fn rows_of_rights(rights: &RoleRights, session_settings: &BTreeSet<String>) -> Vec<RightRow> {
    let mut rows = vec![own_tables_row(rights), monitor_row(rights)];
    rows.extend(parts_of_monitor_rows(rights));
    rows.push(statements_row(rights));
    rows.push(log_row(rights));
    rows.push(checkpoint_row(rights));
    rows.push(tables_row(rights));
    rows.push(settings_row(rights, session_settings));
    rows.extend(database_rows(rights));
    rows.push(build_row(rights));
    rows
}

/// The identifier as a statement names it.
fn quoted_identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn plain_row(right: &str, have: bool, buys: &'static str, grant: String) -> RightRow {
    let grant = if have { None } else { Some(grant) };
    RightRow { right: right.to_owned(), have: Some(have), detail: None, buys, grant }
}

/// Whether tables of pgdyno, and of a script, can be made where a session makes them.
fn own_tables_row(rights: &RoleRights) -> RightRow {
    let role = quoted_identifier(&rights.role);
    let buys = "tables of the built-in workloads";
    let (right, schema) = match &rights.schema {
        Some(schema) => (format!("CREATE on schema {schema}"), schema.clone()),
        None => ("CREATE on a schema".to_owned(), "public".to_owned()),
    };
    let grant = format!("GRANT USAGE, CREATE ON SCHEMA {} TO {role}", quoted_identifier(&schema));
    if rights.in_recovery {
        let detail = Some("a standby is read-only".to_owned());
        return RightRow { right, have: Some(false), detail, buys, grant: None };
    }
    let mut row = plain_row(&right, rights.creates_in_schema, buys, grant);
    if rights.schema.is_none() {
        row.detail = Some("no schema of search_path exists and is open".to_owned());
    }
    row
}

fn monitor_row(rights: &RoleRights) -> RightRow {
    let grant = format!("GRANT pg_monitor TO {}", quoted_identifier(&rights.role));
    plain_row("pg_monitor", rights.monitors, "the next two rights, and the list of the log's files", grant)
}

fn parts_of_monitor_rows(rights: &RoleRights) -> [RightRow; 2] {
    let role = quoted_identifier(&rights.role);
    let stats = "sessions, waits and statements of other roles; replication; WAL";
    let settings = "all settings, the data directory, what the server preloads";
    [
        plain_row("pg_read_all_stats", rights.reads_all_stats, stats, format!("GRANT pg_read_all_stats TO {role}")),
        plain_row(
            "pg_read_all_settings",
            rights.reads_all_settings,
            settings,
            format!("GRANT pg_read_all_settings TO {role}"),
        ),
    ]
}

fn statements_row(rights: &RoleRights) -> RightRow {
    let have = rights.has_statements && rights.loads_statements;
    let detail = match (rights.has_statements, rights.loads_statements, rights.offers_statements) {
        (true, true, _) => None,
        (true, false, _) => Some("its library is not loaded".to_owned()),
        (false, true, _) => Some("not in this database".to_owned()),
        (false, false, true) => Some("not loaded, not in this database".to_owned()),
        (false, false, false) => Some("not installed on the server".to_owned()),
    };
    let create = "CREATE EXTENSION pg_stat_statements";
    let load = "add pg_stat_statements to shared_preload_libraries and restart";
    let grant = match (rights.has_statements, rights.loads_statements, rights.offers_statements) {
        (true, true, _) => None,
        (true, false, _) => Some(load.to_owned()),
        (false, true, _) => Some(create.to_owned()),
        (false, false, true) => Some(format!("{load}; {create}")),
        (false, false, false) => Some(format!("install postgresql-contrib; {load}; {create}")),
    };
    let right = "pg_stat_statements".to_owned();
    RightRow { right, have: Some(have), detail, buys: "time, I/O, WAL and JIT by statement", grant }
}

fn log_row(rights: &RoleRights) -> RightRow {
    let role = quoted_identifier(&rights.role);
    let have = rights.collects_log && rights.lists_log_files && rights.reads_binary_files;
    let mut grants = Vec::new();
    if !rights.lists_log_files {
        grants.push(format!("GRANT pg_monitor TO {role}"));
    }
    if !rights.reads_binary_files {
        grants.push(format!("GRANT EXECUTE ON FUNCTION pg_read_binary_file(text, bigint, bigint, boolean) TO {role}"));
    }
    let detail = if rights.collects_log { None } else { Some("logging_collector is off".to_owned()) };
    let grant = if grants.is_empty() || !rights.collects_log { None } else { Some(grants.join("; ")) };
    let buys = "the server's log: checkpoints, autovacuum, deadlocks";
    RightRow { right: "log files".to_owned(), have: Some(have), detail, buys, grant }
}

fn checkpoint_row(rights: &RoleRights) -> RightRow {
    let buys = "CHECKPOINT before trials that write: less variance";
    let right = "pg_checkpoint".to_owned();
    let Some(have) = rights.checkpoints else {
        let detail = if rights.is_superuser { None } else { Some("only superusers before 15".to_owned()) };
        return RightRow { right, have: Some(rights.is_superuser), detail, buys, grant: None };
    };
    let grant = format!("GRANT pg_checkpoint TO {}", quoted_identifier(&rights.role));
    plain_row(&right, have, buys, grant)
}

/// EXPLAIN asks for the rights of the statement.
fn tables_row(rights: &RoleRights) -> RightRow {
    let right = "SELECT (and EXPLAIN) on tables".to_owned();
    let buys = "your scripts on these tables, and their query plans";
    let (mut tables, mut readable, mut grants) = (0, 0, Vec::new());
    let role = quoted_identifier(&rights.role);
    for (schema, counts) in &rights.tables {
        tables += counts.tables;
        readable += counts.readable;
        if counts.readable < counts.tables {
            let schema = quoted_identifier(schema);
            grants.push(format!(
                "GRANT USAGE ON SCHEMA {schema} TO {role}; GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role}"
            ));
        }
    }
    let detail = match tables {
        0 => Some("the database has no table".to_owned()),
        _ => Some(format!("{readable} of {tables}")),
    };
    let grant = if grants.is_empty() { None } else { Some(grants.join("; ")) };
    RightRow { right, have: if tables == 0 { None } else { Some(readable == tables) }, detail, buys, grant }
}

/// The settings of the plan's sessions that only superusers set; without a plan, all of them.
fn settings_row(rights: &RoleRights, session_settings: &BTreeSet<String>) -> RightRow {
    let (mut asked, mut refused) = (0, Vec::new());
    for (name, &may_set) in &rights.superuser_settings {
        if session_settings.is_empty() || session_settings.contains(name) {
            asked += 1;
            if !may_set {
                refused.push(name.as_str());
            }
        }
    }
    let right = "SET of superuser settings".to_owned();
    let buys = "such a setting for the sessions of the load";
    if asked == 0 {
        let detail = Some("the plan sets none".to_owned());
        return RightRow { right, have: Some(true), detail, buys, grant: None };
    }
    let detail = Some(format!("{} of {asked}", asked - refused.len()));
    let names = if session_settings.is_empty() { "NAME".to_owned() } else { refused.join(", ") };
    let grant = if refused.is_empty() || rights.version_num < 150_000 {
        None
    } else {
        Some(format!("GRANT SET ON PARAMETER {names} TO {}", quoted_identifier(&rights.role)))
    };
    RightRow { right, have: Some(refused.is_empty()), detail, buys, grant }
}

fn database_rows(rights: &RoleRights) -> [RightRow; 2] {
    let (role, database) = (quoted_identifier(&rights.role), quoted_identifier(&rights.database));
    [
        plain_row(
            "CREATEDB",
            rights.creates_databases || rights.is_superuser,
            "a database for each size, where workloads have several",
            format!("ALTER ROLE {role} CREATEDB"),
        ),
        plain_row(
            "CREATE on database",
            rights.creates_in_database,
            "a schema of your own for tables (CREATE SCHEMA)",
            format!("GRANT CREATE ON DATABASE {database} TO {role}"),
        ),
    ]
}

/// A right that few reports need. What no figure and no workload needs is no row: nobody shall grant it for this.
fn build_row(rights: &RoleRights) -> RightRow {
    let role = quoted_identifier(&rights.role);
    plain_row(
        "pg_config",
        rights.reads_build,
        "how the server was built, compared between targets",
        format!("GRANT SELECT ON pg_config TO {role}; GRANT EXECUTE ON FUNCTION pg_config() TO {role}"),
    )
}
