//! Why a run could not be made. What happens to a connection after the start is an outage in the results, not an error.

use crate::script::{EvaluationError, ScriptError};
use conninfo::SessionAttrs;
use std::io;
use thiserror::Error;
use wire::{SqlState, WireError};

/// A run that could not be made. The message names the server and never a password; see also
/// [`detail`](Self::detail) and [`hint`](Self::hint).
#[derive(Debug, Error)]
pub enum LoadError {
    /// The job asks for something impossible.
    #[error("{0}")]
    Job(&'static str),
    /// A script does not compile for the query mode.
    #[error(transparent)]
    Script(#[from] ScriptError),
    /// A definition of the job does not name a variable.
    #[error("invalid variable name: \"{name}\"")]
    Definition {
        /// What was to be defined.
        name: String,
    },
    /// The host's name has no address.
    #[error("could not resolve server \"{server}\"")]
    Resolve {
        /// The server's address as given.
        server: String,
        /// What the resolver said.
        source: io::Error,
    },
    /// No connection: refused, unreachable, no such socket.
    #[error("could not connect to server \"{server}\"")]
    Connect {
        /// The server's address as given.
        server: String,
        /// What the system said.
        source: io::Error,
    },
    /// The server did not let a client in within the time for it.
    #[error("server \"{server}\" did not complete a connection within {seconds} s")]
    Timeout {
        /// The server's address as given.
        server: String,
        /// The limit in seconds.
        seconds: u64,
    },
    /// None of the servers is of the kind that is wanted.
    #[error("none of the servers \"{server}\" satisfies target_session_attrs={wanted}")]
    Unfit {
        /// The servers' addresses as given.
        server: String,
        /// What is wanted.
        wanted: SessionAttrs,
    },
    /// The server closed the connection before the login was over.
    #[error("server \"{server}\" closed the connection during the login")]
    Closed {
        /// The server's address as given.
        server: String,
    },
    /// What answers is no PostgreSQL server, or not one that can be spoken with.
    #[error("could not log in to server \"{server}\"")]
    Wire {
        /// The server's address as given.
        server: String,
        /// What is wrong with its answer.
        source: WireError,
    },
    /// The server refused the login.
    #[error("server \"{server}\" refused user \"{user}\" on database \"{database}\" ({sqlstate})")]
    Refused {
        /// The server's address as given.
        server: String,
        /// The role.
        user: String,
        database: String,
        /// Why, as a code: wrong password `28P01`, unknown database `3D000`, too many clients `53300`, ...
        sqlstate: SqlState,
        /// Why, in the server's words.
        message: String,
    },
    /// A statement could not be prepared.
    #[error("could not prepare a statement of script \"{script}\" ({sqlstate})")]
    Prepare {
        script: String,
        /// Why, as a code, such as `42P01` for a missing table.
        sqlstate: SqlState,
        /// Why, in the server's words.
        message: String,
    },
    /// A meta-command cannot be executed, such as a `\set` that divides by zero.
    #[error("script \"{script}\" line {line}: {source}")]
    Evaluate {
        script: String,
        /// The line of the command, from 1.
        line: u32,
        /// Why.
        source: EvaluationError,
    },
    /// A script ended with its transaction still open.
    #[error("script \"{script}\" ends without completing its transaction")]
    OpenTransaction { script: String },
    /// A connection was lost between the login and the start of the load.
    #[error("a connection to server \"{server}\" was lost before the load began")]
    Lost {
        /// The server's address as given.
        server: String,
        /// How it was lost.
        cause: String,
    },
    /// The process may not open as many files as there are clients.
    #[error("{clients} clients need {needed} open files, and the limit is {limit}")]
    FileLimit {
        /// Clients asked for.
        clients: u32,
        /// Files that the process would have open.
        needed: u64,
        /// What the system allows at most.
        limit: u64,
    },
    /// The operating system refused something that the engine itself needs, such as a thread or a file descriptor.
    #[error("could not {action}")]
    System {
        /// What was attempted, as a verb.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The run was stopped before the load began, so that there is nothing to report.
    #[error("stopped before the load began")]
    Stopped,
}

impl LoadError {
    /// What the system or the server said, if it says more than the message does.
    pub fn detail(&self) -> Option<String> {
        match self {
            LoadError::Resolve { source, .. }
            | LoadError::Connect { source, .. }
            | LoadError::System { source, .. } => Some(source.to_string()),
            LoadError::Wire { source, .. } => Some(source.to_string()),
            LoadError::Refused { message, .. } | LoadError::Prepare { message, .. } => Some(message.clone()),
            LoadError::Lost { cause, .. } => Some(cause.clone()),
            LoadError::Script(error) => Some(error.source_excerpt()),
            LoadError::Job(_)
            | LoadError::Definition { .. }
            | LoadError::Timeout { .. }
            | LoadError::Unfit { .. }
            | LoadError::FileLimit { .. }
            | LoadError::Closed { .. }
            | LoadError::Evaluate { .. }
            | LoadError::OpenTransaction { .. }
            | LoadError::Stopped => None,
        }
    }

    /// What to try.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            LoadError::Script(error) => return error.hint.clone(),
            LoadError::Definition { .. } => {
                "a name consists of letters, digits and underscores, and does not start with a digit"
            }
            LoadError::Resolve { .. } => "check the host name",
            LoadError::Connect { .. } => "check that the server runs and listens at this address",
            LoadError::Timeout { .. } => "check that a PostgreSQL server listens at this address and is not overloaded",
            LoadError::FileLimit { .. } => {
                "raise it with ulimit -n, LimitNOFILE in a systemd unit, or nofile in limits.conf"
            }
            LoadError::Unfit { .. } => "add the other servers, or use target_session_attrs=any",
            LoadError::Closed { .. } => "check that a PostgreSQL server listens at this address, and read its log",
            LoadError::Wire { source, .. } => return wire_hint(source).map(str::to_owned),
            LoadError::Refused { sqlstate, message, .. } => return refused_hint(*sqlstate, message).map(str::to_owned),
            LoadError::Prepare { .. } => "check that the tables of the script exist in this database",
            LoadError::OpenTransaction { .. } => "end the script's transaction with END or COMMIT",
            LoadError::System { .. } => "check the limits of this process (ulimit -a)",
            LoadError::Job(_) | LoadError::Evaluate { .. } | LoadError::Lost { .. } | LoadError::Stopped => {
                return None;
            }
        };
        Some(hint.to_owned())
    }
}

fn wire_hint(error: &WireError) -> Option<&'static str> {
    match error {
        WireError::NotPostgres(_) => Some("check host and port: another service listens there"),
        WireError::ProtocolTwo(_) => Some("the server is older than PostgreSQL 7.4, or could not start a session"),
        WireError::PasswordNeeded => Some("specify a password, for example in PGPASSWORD or ~/.pgpass"),
        WireError::UnsupportedAuthentication(_) => {
            Some("allow scram-sha-256, md5, password or trust for this user in pg_hba.conf")
        }
        WireError::Scram(_) => Some("check the password"),
        WireError::ChannelBinding(_) => {
            Some("use TLS and scram-sha-256 in pg_hba.conf, or channel_binding=prefer or disable")
        }
        WireError::Tls(error) => Some(error.hint()),
        WireError::Protocol(_) | WireError::UnexpectedMessage(_) | WireError::TooLong { .. } => None,
    }
}

fn refused_hint(sqlstate: SqlState, message: &str) -> Option<&'static str> {
    match sqlstate {
        // There is no code of its own for it.
        SqlState::INVALID_AUTHORIZATION if message.contains("client certificate") => {
            Some("specify a certificate of a CA in the server's ssl_ca_file, with sslcert and sslkey")
        }
        SqlState::INVALID_PASSWORD => Some("check the password"),
        SqlState::INVALID_AUTHORIZATION => Some("check the user name and the server's pg_hba.conf"),
        SqlState::INVALID_CATALOG_NAME => Some("check the name of the database, or create it"),
        SqlState::TOO_MANY_CONNECTIONS => Some("use fewer clients, or raise max_connections on the server"),
        SqlState::CANNOT_CONNECT_NOW => Some("wait until the server has started"),
        _ => None,
    }
}
