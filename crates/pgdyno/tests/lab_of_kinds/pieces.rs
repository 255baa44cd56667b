//! The statements, settings and other things of each side of a condition, put together of its parts.

use crate::generator::condition::{Condition, Outside, Part};

/// A side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Without what was injected.
    Sound,
    /// With it.
    Injured,
}

impl Side {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Sound, Self::Injured];

    /// What plans call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sound => "sound",
            Self::Injured => "injured",
        }
    }
}

/// What an administrator has on any server, and what several kinds need.
const SETTINGS: &str = "fsync = on\nmax_wal_size = 4GB\ncheckpoint_timeout = 30min\nshared_buffers = 128MB\n\
                        listen_addresses = '127.0.0.1,127.0.0.2'\nmax_connections = 100\n";

/// The role of the load.
pub fn role(condition: &Condition) -> &'static str {
    if condition.plain_role { "loader" } else { "postgres" }
}

fn parts(condition: &Condition, side: Side) -> Vec<&Part> {
    let mut parts = Vec::new();
    for injection in &condition.injections {
        parts.push(&injection.both);
        parts.push(match side {
            Side::Sound => &injection.sound,
            Side::Injured => &injection.injured,
        });
    }
    parts
}

/// The lines of its `postgresql.conf`.
pub fn settings_of_side(condition: &Condition, side: Side) -> String {
    let mut lines = SETTINGS.to_owned();
    for line in parts(condition, side).iter().flat_map(|part| &part.settings) {
        lines.push_str(line);
        lines.push('\n');
    }
    lines
}

/// What is done outside it.
pub fn outside_of_side(condition: &Condition, side: Side) -> Vec<Outside> {
    parts(condition, side).iter().flat_map(|part| part.outside.clone()).collect()
}

/// The options of its connections.
pub fn connection_of_side(condition: &Condition, side: Side) -> Vec<String> {
    parts(condition, side).iter().flat_map(|part| part.connection.clone()).collect()
}

/// The statements that make its tables, in the database of the load.
pub fn sql_of_side(condition: &Condition, side: Side) -> String {
    let parts = parts(condition, side);
    let mut statements = condition.base.sql.clone();
    statements.extend(parts.iter().flat_map(|part| part.sql.clone()));
    statements.push("GRANT ALL ON ALL TABLES IN SCHEMA public TO loader".to_owned());
    statements.push("GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO loader".to_owned());
    statements.push("VACUUM ANALYZE".to_owned());
    statements.extend(parts.iter().flat_map(|part| part.late_sql.clone()));
    let text: String = statements.iter().map(|statement| format!("{statement};\n")).collect();
    text.replace("CURRENT_LOADER", role(condition))
}

/// The statements that make the role of the load and its database, in the database `postgres`.
pub const ROLE_AND_DATABASE: &str =
    "CREATE ROLE loader LOGIN; GRANT pg_monitor, pg_checkpoint TO loader; CREATE DATABASE app;";
