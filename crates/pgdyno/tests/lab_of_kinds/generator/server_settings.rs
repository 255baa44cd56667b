//! The settings of a server as its `pg_settings` says: a file that was written by PostgreSQL 15, so that a seed draws
//! the same whatever is installed.

use super::random::Random;

/// Lines `name|type|unit|least|greatest|words|context|default|category` of `pg_settings`.
const TEXT: &str = include_str!("settings_of_15.txt");

/// One setting.
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    kind: &'static str,
    least: &'static str,
    greatest: &'static str,
    words: &'static str,
    /// Who may change it when.
    pub context: &'static str,
    default: &'static str,
    category: &'static str,
}

/// Every setting.
pub fn server_settings() -> Vec<Setting> {
    let mut settings = Vec::new();
    for line in TEXT.lines() {
        let fields: Vec<&'static str> = line.split('|').collect();
        let [name, kind, _unit, least, greatest, words, context, default, category] = fields[..] else {
            panic!("a line of pg_settings: {line}");
        };
        settings.push(Setting { name, kind, least, greatest, words, context, default, category });
    }
    settings
}

/// Settings with which a server does not start, refuses its load or damages its data, or that say where it is.
const EXCLUDED: &[&str] = &[
    "allow_system_table_mods",
    "block_size",
    "default_transaction_read_only",
    "exit_on_error",
    "hot_standby",
    "huge_pages",
    "ignore_checksum_failure",
    "ignore_invalid_pages",
    "ignore_system_indexes",
    "jit_debugging_support",
    "jit_profiling_support",
    "logging_collector",
    "max_connections",
    "max_locks_per_transaction",
    "max_stack_depth",
    "max_files_per_process",
    "max_wal_senders",
    "min_wal_size",
    "post_auth_delay",
    "pre_auth_delay",
    "recovery_target_action",
    "restart_after_crash",
    "shared_memory_type",
    "superuser_reserved_connections",
    "trace_recovery_messages",
    "transaction_deferrable",
    "transaction_isolation",
    "transaction_read_only",
    "unix_socket_permissions",
    "syslog_facility",
    "wal_level",
    "zero_damaged_pages",
];

/// Parts of the server whose settings are left alone.
const EXCLUDED_CATEGORIES: &[&str] =
    &["Preset Options", "SSL", "Recovery", "Connection Settings", "Archiving", "File Locations"];

impl Setting {
    /// Whether a session has its own value.
    pub fn is_of_sessions(&self) -> bool {
        matches!(self.context, "user" | "superuser")
    }

    /// Whether it is drawn from.
    pub fn can_be_drawn(&self) -> bool {
        let excluded =
            EXCLUDED.contains(&self.name) || EXCLUDED_CATEGORIES.iter().any(|part| self.category.contains(part));
        let timeout = self.name.ends_with("_timeout") && self.name != "checkpoint_timeout";
        let starts_sessions = matches!(self.context, "internal" | "backend" | "superuser-backend");
        !excluded && !timeout && !starts_sessions && self.kind != "string" && self.name != "port"
    }

    /// A value that is not the default.
    pub fn draw_value(&self, random: &mut Random) -> String {
        match self.kind {
            "bool" => if self.default == "on" { "off" } else { "on" }.to_owned(),
            "enum" => {
                let words: Vec<&str> = self.words.split(',').filter(|word| *word != self.default).collect();
                if words.is_empty() { self.default.to_owned() } else { random.choose(&words).to_owned() }
            }
            _ => self.draw_number(random),
        }
    }

    fn draw_number(&self, random: &mut Random) -> String {
        let read = |text: &str| text.parse::<f64>().unwrap_or_default();
        let (default, least, greatest) = (read(self.default), read(self.least), read(self.greatest));
        let factor = random.choose(&[0.05, 0.25, 4.0, 20.0]);
        let from = if default <= 0.0 { least.max(1.0) } else { default };
        let value = (from * factor).clamp(least, greatest.min(from * 20.0));
        if self.kind == "integer" { format!("{}", value.round()) } else { format!("{value}") }
    }
}
