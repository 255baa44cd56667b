//! How a tool that uses libpq reaches a server: arguments that anybody may see, and an environment that holds the rest.

use crate::server::{Endpoint, Server};
use std::process::Command;

/// Hosts and ports as libpq takes them, several with commas between them; the host of a unix socket is its directory.
pub(super) fn host_and_port(server: &Server) -> (String, String) {
    let all: Vec<(String, u16)> = server.endpoints.iter().map(one_host_and_port).collect();
    let hosts: Vec<&str> = all.iter().map(|(host, _)| host.as_str()).collect();
    let ports: Vec<String> = all.iter().map(|(_, port)| port.to_string()).collect();
    (hosts.join(","), ports.join(","))
}

fn one_host_and_port(endpoint: &Endpoint) -> (String, u16) {
    match endpoint {
        Endpoint::Tcp { host, port, .. } => (host.clone(), *port),
        Endpoint::Unix { path } => {
            let directory = path.parent().unwrap_or(path);
            // The name ends with the port, as in .s.PGSQL.5432.
            let port = path.extension().and_then(|port| port.to_str()?.parse().ok()).unwrap_or(5432);
            (directory.display().to_string(), port)
        }
    }
}

/// Sets what libpq reads from the environment and nothing else of it, so that the tool connects as the engine does. The
/// password is there, never among the arguments.
pub(super) fn set_environment(command: &mut Command, server: &Server) {
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"PG")) {
        command.env_remove(name);
    }
    command.env("LC_ALL", "C").env("PGAPPNAME", &server.application_name);
    command.env("PGGSSENCMODE", "disable").envs(server.libpq.iter().map(|(name, value)| (*name, value)));
    // Else libpq looks for a password of its own in ~/.pgpass; it passes over a file that does not exist.
    command.env("PGPASSFILE", "/dev/null/none");
    if let Some(password) = &server.password {
        command.env("PGPASSWORD", password.expose());
    }
    if let Some(options) = &server.options {
        command.env("PGOPTIONS", options);
    }
}
