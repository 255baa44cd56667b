//! The environment of a tool that uses libpq, so that it connects as the engine does.

use conninfo::ConnInfo;
use std::process::Command;

/// Sets what libpq reads from the environment and nothing else of it. The password is there, never among the arguments.
pub fn set_libpq_environment(command: &mut Command, server: &ConnInfo) {
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"PG")) {
        command.env_remove(name);
    }
    command.env("LC_ALL", "C").envs(server.libpq_environment());
}
