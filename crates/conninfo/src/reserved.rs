//! What nobody but pgdyno may set on a server that it starts: else it could not tell where that server is and how to
//! log in.

/// Settings of a local server that pgdyno itself decides, as it must find the server, its files and its log, and log
/// in.
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
