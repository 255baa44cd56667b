//! `capture settings`: what a server has to log, what that costs, and how it is undone.

use serde_json::json;

use super::documents;
use crate::command::Manner;
use problem::{CommandStatus, Problem};

/// A setting, its value, and why.
struct LogSetting {
    name: &'static str,
    value: &'static str,
    why: &'static str,
    /// The first major version that has it.
    since: u32,
}

const SETTINGS: &[LogSetting] = &[
    LogSetting {
        name: "log_min_duration_statement",
        value: "0",
        why: "each statement with its parameters and its duration",
        since: 10,
    },
    LogSetting { name: "log_parameter_max_length", value: "-1", why: "parameters in full", since: 13 },
    LogSetting {
        name: "log_parameter_max_length_on_error",
        value: "-1",
        why: "parameters of statements that fail",
        since: 13,
    },
    LogSetting { name: "log_connections", value: "on", why: "when sessions begin", since: 10 },
    LogSetting { name: "log_disconnections", value: "on", why: "when sessions end", since: 10 },
    LogSetting {
        name: "log_destination",
        value: "csvlog",
        why: "each message with session and transaction; needs logging_collector = on, which needs a restart",
        since: 10,
    },
];

/// Instead of every statement: a share of the transactions.
const SAMPLED: &str = "log_transaction_sample_rate";

/// Prints the settings for a major version.
pub(super) fn print_settings(version: u32, manner: Manner) -> Result<CommandStatus, Problem> {
    let settings: Vec<&LogSetting> = SETTINGS.iter().filter(|setting| setting.since <= version).collect();
    if manner.json {
        let mut list = Vec::new();
        for setting in settings {
            list.push(json!({ "name": setting.name, "value": setting.value, "why": setting.why }));
        }
        return documents::print_bytes(documents::pretty_json(&list).as_bytes());
    }
    documents::print_bytes(settings_page(&settings, version).as_bytes())
}

fn settings_page(settings: &[&LogSetting], version: u32) -> String {
    let names: Vec<String> = settings.iter().map(|setting| format!("'{}'", setting.name)).collect();
    let mut page = format!(
        "-- Settings that log an application's load, for PostgreSQL {version}. As superuser, in psql.\n\n\
         -- Before: the statements that this prints undo the change. Keep them.\n\
         SELECT CASE WHEN sourcefile LIKE '%postgresql.auto.conf'\n\
         \x20           THEN format('ALTER SYSTEM SET %I = %L;', name, current_setting(name))\n\
         \x20           ELSE format('ALTER SYSTEM RESET %I;', name) END\n\
         FROM pg_settings WHERE name IN ({});\n\n-- Log.\n",
        names.join(", ")
    );
    for setting in settings {
        page.push_str(&format!("ALTER SYSTEM SET {} = '{}';  -- {}\n", setting.name, setting.value, setting.why));
    }
    page.push_str("SELECT pg_reload_conf();\n\n");
    if version >= 12 {
        page.push_str(&format!(
            "-- Cheaper on a busy server: whole transactions, but only this share of them. In place of\n\
             -- log_min_duration_statement:\n-- ALTER SYSTEM SET {SAMPLED} = 0.05;\n\n"
        ));
    }
    page.push_str(
        "-- What it costs: the server formats and writes a line for each statement, so the log grows with the load and\n\
         -- its disk must have room and throughput for it. Sessions wait while the logging collector falls behind.\n\
         -- Parameters are written as they are: the log is as secret as the data.\n\n\
         -- After: run the statements that were printed before, and SELECT pg_reload_conf();\n",
    );
    page
}
