//! The configuration of a local server as text: `pgdyno.conf`, which `postgresql.conf` includes last, and `pg_hba.conf`.
//!
//! Who may connect: over the unix socket anyone who can reach it, and its directory is open to the server's user (and
//! root) only; over 127.0.0.1 whoever knows a random password. Other users of the machine are shut out of both.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::path::Path;

use conninfo::RESERVED_SETTINGS;

/// The file of settings in the data directory.
pub(crate) const FILE: &str = "pgdyno.conf";

/// The line that makes PostgreSQL read it.
pub(crate) const INCLUDE: &str = "\n# Added by pgdyno.\ninclude 'pgdyno.conf'\n";

/// Who may connect to every local server.
const HBA: &str = "local all,replication all trust\nhost all all 127.0.0.1/32 scram-sha-256\n";

/// The text of `pg_hba.conf`; `client` may log in as this machine may.
pub(crate) fn hba_conf_text(client: Option<Ipv4Addr>) -> String {
    let line = client.map(|client| format!("host all all {client}/32 scram-sha-256\n"));
    HBA.to_owned() + &line.unwrap_or_default()
}

/// What a local server writes into its log unless the plan says otherwise: what explains a slow moment, and nothing that is
/// written so often that it would make one. The prefix is one that can be read back without guessing.
const LOGGING: &[(&str, &str)] = &[
    ("log_autovacuum_min_duration", "0"),
    ("log_checkpoints", "on"),
    ("log_line_prefix", "%m [%p] %b %e "),
    ("log_lock_waits", "on"),
    ("log_temp_files", "0"),
    ("log_timezone", "UTC"),
];

/// Whether a plan may not set it on a local server.
pub(crate) fn is_reserved(name: &str) -> bool {
    RESERVED_SETTINGS.contains(&name.to_lowercase().as_str())
}

/// Whether a setting could have this name: identifiers, joined by dots.
pub(crate) fn valid_name(name: &str) -> bool {
    let identifier = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
    };
    name.split('.').all(identifier)
}

/// Settings and settings in one, a setting winning over a setting; names in lower case, as the server ignores their case.
pub(crate) fn merge_settings(
    settings: &BTreeMap<String, String>,
    target_settings: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    settings.iter().chain(target_settings).map(|(name, value)| (name.to_lowercase(), value.clone())).collect()
}

/// The text of `pgdyno.conf`; `settings` are in lower case, `standing` are the settings that follow from what stands beside the server.
pub(crate) fn server_conf_text(
    settings: &BTreeMap<String, String>,
    socket_directory: &Path,
    port: u16,
    standing: &[(&str, String)],
) -> String {
    let own = [
        ("port", port.to_string()),
        ("unix_socket_directories", socket_directory.display().to_string()),
        ("unix_socket_permissions", "0700".to_owned()),
    ];
    let own = own.iter().chain(standing).map(|(name, value)| (*name, value.as_str()));
    let logging = LOGGING.iter().filter(|(name, _)| !settings.contains_key(*name));
    let given = settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let all = logging.copied().chain(given).chain(own);
    let lines = all.map(|(name, value)| format!("{name} = {}\n", quote_conf_value(value)));
    "# Written by pgdyno at every start.\n".to_owned() + &lines.collect::<String>()
}

/// A string constant of a configuration file.
fn quote_conf_value(value: &str) -> String {
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
        let settings = map(&[("archive_command", "echo 'a\\b'\nx"), ("log_checkpoints", "off"), ("work_mem", "4MB")]);
        let expected = "# Written by pgdyno at every start.\n\
            log_autovacuum_min_duration = '0'\n\
            log_line_prefix = '%m [%p] %b %e '\n\
            log_lock_waits = 'on'\n\
            log_temp_files = '0'\n\
            log_timezone = 'UTC'\n\
            archive_command = 'echo ''a\\\\b''\\nx'\n\
            log_checkpoints = 'off'\n\
            work_mem = '4MB'\n\
            port = '5999'\n\
            unix_socket_directories = '/tmp/s'\n\
            unix_socket_permissions = '0700'\n\
            listen_addresses = '127.0.0.1'\n";
        let standing = [("listen_addresses", "127.0.0.1".to_owned())];
        assert_eq!(server_conf_text(&settings, Path::new("/tmp/s"), 5999, &standing), expected);
    }

    #[test]
    fn a_setting_wins_over_a_setting_whatever_the_case_of_its_name() {
        let merged = merge_settings(&map(&[("Work_Mem", "1MB"), ("jit", "off")]), &map(&[("work_mem", "2MB")]));
        assert_eq!(merged, map(&[("jit", "off"), ("work_mem", "2MB")]));
    }

    #[test]
    fn what_pgdyno_must_decide_cannot_be_set() {
        assert_eq!(["work_mem", "PORT"].map(is_reserved), [false, true]);
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
