//! The configuration of a local server as text: `pgdyno.conf`, which `postgresql.conf` includes last, and `pg_hba.conf`.
//!
//! Who may connect: over the unix socket anyone who can reach it, and its directory is open to the server's user (and
//! root) only; over 127.0.0.1 whoever knows a random password. Other users of the machine are shut out of both.

use std::collections::BTreeMap;
use std::path::Path;

/// The file of settings in the data directory.
pub(crate) const FILE: &str = "pgdyno.conf";

/// The line that makes PostgreSQL read it.
pub(crate) const INCLUDE: &str = "\n# Added by pgdyno.\ninclude 'pgdyno.conf'\n";

/// The whole of `pg_hba.conf`.
pub(crate) const HBA: &str = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n";

/// Settings of a local server that pgdyno itself decides, as it must find the server, its files and its log, and log in.
pub const RESERVED_SETTINGS: &[&str] = &[
    "config_file",
    "data_directory",
    "external_pid_file",
    "hba_file",
    "ident_file",
    "listen_addresses",
    "log_destination",
    "logging_collector",
    "password_encryption",
    "port",
    "ssl",
    "unix_socket_directories",
    "unix_socket_group",
    "unix_socket_permissions",
];

/// The first of the names that a plan may not set on a local server.
pub(crate) fn reserved<'a>(mut names: impl Iterator<Item = &'a String>) -> Option<&'a String> {
    names.find(|name| RESERVED_SETTINGS.contains(&name.to_lowercase().as_str()))
}

/// Whether a setting could have this name: identifiers, joined by dots.
pub(crate) fn valid_name(name: &str) -> bool {
    let identifier = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
    };
    name.split('.').all(identifier)
}

/// Settings and knobs in one, a knob winning over a setting; names in lower case, as the server ignores their case.
pub(crate) fn merge(settings: &BTreeMap<String, String>, knobs: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    settings.iter().chain(knobs).map(|(name, value)| (name.to_lowercase(), value.clone())).collect()
}

/// The text of `pgdyno.conf`.
pub(crate) fn text(settings: &BTreeMap<String, String>, socket_directory: &Path, port: u16) -> String {
    let own = [
        ("listen_addresses", "127.0.0.1".to_owned()),
        ("port", port.to_string()),
        ("unix_socket_directories", socket_directory.display().to_string()),
        ("unix_socket_permissions", "0700".to_owned()),
    ];
    let own = own.iter().map(|(name, value)| (*name, value));
    let all = settings.iter().map(|(name, value)| (name.as_str(), value)).chain(own);
    let lines = all.map(|(name, value)| format!("{name} = {}\n", quote(value)));
    "# Written by pgdyno at every start.\n".to_owned() + &lines.collect::<String>()
}

/// A string constant of a configuration file.
fn quote(value: &str) -> String {
    let escaped = value.replace('\\', "\\\\").replace('\'', "''").replace('\n', "\\n").replace('\r', "\\r");
    format!("'{escaped}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn the_file_quotes_every_value_and_ends_with_what_pgdyno_decides() {
        let settings = map(&[("archive_command", "echo 'a\\b'\nx"), ("work_mem", "4MB")]);
        let expected = "# Written by pgdyno at every start.\n\
            archive_command = 'echo ''a\\\\b''\\nx'\n\
            work_mem = '4MB'\n\
            listen_addresses = '127.0.0.1'\n\
            port = '5999'\n\
            unix_socket_directories = '/tmp/s'\n\
            unix_socket_permissions = '0700'\n";
        assert_eq!(text(&settings, Path::new("/tmp/s"), 5999), expected);
    }

    #[test]
    fn a_knob_wins_over_a_setting_whatever_the_case_of_its_name() {
        let merged = merge(&map(&[("Work_Mem", "1MB"), ("jit", "off")]), &map(&[("work_mem", "2MB")]));
        assert_eq!(merged, map(&[("jit", "off"), ("work_mem", "2MB")]));
    }

    #[test]
    fn what_pgdyno_must_decide_cannot_be_set() {
        let names = ["work_mem".to_owned(), "PORT".to_owned()];
        assert_eq!(reserved(names.iter()), Some(&names[1]));
        assert_eq!(reserved(names[..1].iter()), None);
    }

    #[test]
    fn names_of_settings_are_identifiers_joined_by_dots() {
        for name in ["work_mem", "pg_stat_statements.track", "a$1", "_x"] {
            assert!(valid_name(name), "{name}");
        }
        for name in ["", "work mem", "a.", ".a", "1a", "a=b", "a'b", "a\nb"] {
            assert!(!valid_name(name), "{name:?}");
        }
    }
}
