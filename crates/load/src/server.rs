//! Where a server is and how to log in: plain data, as a connection string says it.

use conninfo::{Encryption, Secret};
use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;
use wire::tls::Negotiation;
use wire::{ChannelBinding, ServerState, TlsRequest};

/// Where the server is and how to log in.
#[derive(Debug, Clone)]
pub struct Server {
    /// Its addresses, or those of several servers of which the first that fits is used. Not empty.
    pub endpoints: Vec<Endpoint>,
    /// In which order they are tried.
    pub order: EndpointOrder,
    /// The role.
    pub user: String,
    /// Its password, if it may be asked for.
    pub password: Option<Secret>,
    pub database: String,
    /// Settings as command-line options, such as `-c work_mem=64MB`.
    pub options: Option<String>,
    /// What the server shows in `pg_stat_activity`.
    pub application_name: String,
    /// Whether connections over TCP are encrypted.
    pub encryption: Encryption,
    /// Whether logins are tied to the encryption.
    pub channel_binding: ChannelBinding,
    /// Which servers fit.
    pub session: SessionKind,
    /// The longest time to connect to one address, until the statements are prepared.
    pub connect_timeout: Duration,
    /// How long the server may be silent while it owes an answer, before the connection is given up.
    pub answer_timeout: Duration,
    /// How TCP notices a peer that is gone.
    pub tcp: TcpOptions,
    /// The network namespace that the threads of the load enter, as a file that stands for it; none:
    /// that of this process.
    pub network_namespace: Option<PathBuf>,
    /// The same demands for a program that uses libpq: environment variables, without secrets.
    pub libpq: Vec<(&'static str, String)>,
}

impl Server {
    /// Logs in as `user` without a password and without encryption; change what else is wanted.
    pub fn new(endpoint: Endpoint, user: impl Into<String>, database: impl Into<String>) -> Server {
        Server {
            endpoints: vec![endpoint],
            order: EndpointOrder::default(),
            user: user.into(),
            password: None,
            database: database.into(),
            options: None,
            application_name: "pgdyno".to_owned(),
            encryption: Encryption::Never,
            channel_binding: ChannelBinding::default(),
            session: SessionKind::default(),
            connect_timeout: Duration::from_secs(10),
            answer_timeout: Duration::from_secs(120),
            tcp: TcpOptions::default(),
            network_namespace: None,
            libpq: vec![("PGSSLMODE", "disable".to_owned())],
        }
    }

    /// What to ask `endpoint` for; a unix socket is never encrypted.
    pub(crate) fn tls_request<'a>(&'a self, endpoint: &'a Endpoint, attempt: Attempt) -> Option<TlsRequest<'a>> {
        let Endpoint::Tcp { host, .. } = endpoint else { return None };
        match (&self.encryption, attempt) {
            (Encryption::Never, _)
            | (Encryption::IfInsisted(_), Attempt::First)
            | (Encryption::IfPossible(_), Attempt::Second) => None,
            (Encryption::IfInsisted(settings), Attempt::Second) | (Encryption::Always(settings), _) => {
                Some(TlsRequest { settings, host, optional: false })
            }
            (Encryption::IfPossible(settings), Attempt::First) => Some(TlsRequest { settings, host, optional: true }),
        }
    }

    /// Whether TLS begins with the first byte.
    pub(crate) fn is_direct(&self) -> bool {
        matches!(&self.encryption, Encryption::Always(settings) if settings.negotiation() == Negotiation::Direct)
    }

    /// Whether there is another way to be tried after the first.
    pub(crate) fn has_second_attempt(&self, endpoint: &Endpoint) -> bool {
        let either = matches!(self.encryption, Encryption::IfInsisted(_) | Encryption::IfPossible(_));
        either && matches!(endpoint, Endpoint::Tcp { .. })
    }
}

impl fmt::Display for Server {
    /// The addresses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, endpoint) in self.endpoints.iter().enumerate() {
            write!(f, "{}{endpoint}", if number > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

/// The address of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Endpoint {
    /// A host name or address, and a port.
    Tcp {
        /// Host name or address; what the server's certificate is for. All its addresses are tried in turn.
        host: String,
        /// The address to use instead of looking the name up.
        address: Option<IpAddr>,
        port: u16,
    },
    /// A unix socket.
    Unix {
        /// The path of the socket itself, such as `/run/postgresql/.s.PGSQL.5432`.
        path: PathBuf,
    },
}

impl Endpoint {
    /// A host name or address, and a port.
    pub fn tcp(host: impl Into<String>, port: u16) -> Endpoint {
        Endpoint::Tcp { host: host.into(), address: None, port }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Endpoint::Tcp { host, port, .. } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Endpoint::Tcp { host, port, .. } => write!(f, "{host}:{port}"),
            Endpoint::Unix { path } => write!(f, "{}", path.display()),
        }
    }
}

/// In which order a client tries addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EndpointOrder {
    /// As they are given.
    #[default]
    AsGiven,
    /// Client number n begins with address number n, so that clients are spread evenly.
    Spread,
}

/// Of the two ways in which libpq may try a server, the one to be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Attempt {
    #[default]
    First,
    Second,
}

/// Which of several servers fit; libpq's `target_session_attrs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SessionKind {
    /// Every one.
    #[default]
    Any,
    /// One whose sessions can write.
    ReadWrite,
    /// One whose sessions cannot.
    ReadOnly,
    /// One that is no standby.
    Primary,
    Standby,
    /// A standby if there is one, else every one.
    PreferStandby,
}

impl SessionKind {
    /// Whether a server that tells this about itself fits. `last_resort`: it is known that no better one is there.
    pub(crate) fn fits(self, state: ServerState, last_resort: bool) -> bool {
        let standby = state.in_hot_standby;
        let read_only = match (standby, state.default_read_only) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        };
        match self {
            SessionKind::Any => true,
            SessionKind::ReadWrite => read_only == Some(false),
            SessionKind::ReadOnly => read_only == Some(true),
            SessionKind::Primary => standby == Some(false),
            SessionKind::Standby => standby == Some(true),
            SessionKind::PreferStandby => last_resort || standby == Some(true),
        }
    }
}

impl fmt::Display for SessionKind {
    /// As libpq spells it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SessionKind::Any => "any",
            SessionKind::ReadWrite => "read-write",
            SessionKind::ReadOnly => "read-only",
            SessionKind::Primary => "primary",
            SessionKind::Standby => "standby",
            SessionKind::PreferStandby => "prefer-standby",
        })
    }
}

/// How TCP notices a peer that is gone without a word. `None` leaves it to the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TcpOptions {
    /// Whether a silent connection is probed.
    pub keepalives: bool,
    /// How long it is silent before it is; whole seconds.
    pub idle: Option<Duration>,
    /// The pause between probes; whole seconds.
    pub interval: Option<Duration>,
    /// How many probes go unanswered.
    pub count: Option<u32>,
    /// How long sent bytes may go unacknowledged.
    pub user_timeout: Option<Duration>,
}

impl Default for TcpOptions {
    /// A peer is taken for dead after 10 s, so that a trial is not lost to one.
    fn default() -> TcpOptions {
        TcpOptions {
            keepalives: true,
            idle: Some(Duration::from_secs(3)),
            interval: Some(Duration::from_secs(3)),
            count: None,
            user_timeout: Some(Duration::from_secs(10)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SessionKind::{Any, PreferStandby, Primary, ReadOnly, ReadWrite, Standby};
    use super::*;

    #[test]
    fn a_server_fits_by_what_it_tells_about_itself() {
        let state = |in_hot_standby, default_read_only| ServerState { in_hot_standby, default_read_only };
        let primary = state(Some(false), Some(false));
        let read_only_primary = state(Some(false), Some(true));
        let standby = state(Some(true), Some(false));
        let silent = state(None, None);
        for (server, fitting) in [
            (primary, &[Any, ReadWrite, Primary][..]),
            (read_only_primary, &[Any, ReadOnly, Primary]),
            (standby, &[Any, ReadOnly, Standby, PreferStandby]),
            (silent, &[Any]),
        ] {
            for kind in [Any, ReadWrite, ReadOnly, Primary, Standby, PreferStandby] {
                assert_eq!(kind.fits(server, false), fitting.contains(&kind), "{kind} {server:?}");
            }
            assert!(PreferStandby.fits(server, true));
        }
    }
}
