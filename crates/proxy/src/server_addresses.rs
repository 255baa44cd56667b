//! Where the server is: its hosts looked up, and names again from time to time, since a name may lead to another server
//! after a failover.

use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs as _};
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};

use conninfo::{ConnInfo, ServerHost};

use crate::ProxyError;

/// One address of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ServerAddress {
    /// Over TCP, and the host that its certificate is for.
    Tcp {
        /// The host.
        host: String,
        /// The address.
        address: SocketAddr,
    },
    /// A unix socket.
    Unix(PathBuf),
}

impl std::fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Tcp { host, address } => write!(f, "{host} ({address})"),
            Self::Unix(path) => write!(f, "{}", path.display()),
        }
    }
}

/// The addresses of the server, in the order in which they are tried.
#[derive(Debug)]
pub(crate) struct ServerAddresses {
    hosts: Vec<(ServerHost, u16)>,
    known: RwLock<Vec<ServerAddress>>,
}

impl ServerAddresses {
    /// Looks them up.
    pub(crate) fn look_up_server(server: &ConnInfo) -> Result<Self, ProxyError> {
        let mut hosts = Vec::new();
        for (host, port) in server.all_hosts() {
            hosts.push((host.clone(), port));
        }
        let known =
            look_up_hosts(&hosts).map_err(|source| ProxyError::Resolve { server: server.display_address(), source })?;
        Ok(Self { hosts, known: RwLock::new(known) })
    }

    /// What is known.
    pub(crate) fn list_addresses(&self) -> Vec<ServerAddress> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether a name server, or a file of names, knows one of them.
    pub(crate) fn has_names(&self) -> bool {
        self.hosts.iter().any(|(host, _)| match host {
            ServerHost::Tcp { name, address: None } => name.parse::<IpAddr>().is_err(),
            ServerHost::Tcp { .. } | ServerHost::Unix(_) => false,
        })
    }

    /// Looks them up again. A name server that is away takes nothing away.
    pub(crate) fn look_up_again(&self) {
        if let Ok(found) = look_up_hosts(&self.hosts) {
            *self.known.write().unwrap_or_else(PoisonError::into_inner) = found;
        }
    }
}

/// The addresses of all hosts; at least one.
fn look_up_hosts(hosts: &[(ServerHost, u16)]) -> io::Result<Vec<ServerAddress>> {
    let mut found = Vec::new();
    let mut problem = None;
    for (host, port) in hosts {
        match host {
            ServerHost::Unix(directory) => {
                found.push(ServerAddress::Unix(conninfo::unix_socket_path(directory, *port)));
            }
            ServerHost::Tcp { name, address: Some(address) } => {
                found.push(ServerAddress::Tcp { host: name.clone(), address: SocketAddr::new(*address, *port) });
            }
            ServerHost::Tcp { name, address: None } => match (name.as_str(), *port).to_socket_addrs() {
                Ok(addresses) => {
                    for address in addresses {
                        found.push(ServerAddress::Tcp { host: name.clone(), address });
                    }
                }
                Err(error) => problem = Some(error),
            },
        }
    }
    if found.is_empty() {
        return Err(problem.unwrap_or_else(|| io::ErrorKind::NotFound.into()));
    }
    Ok(found)
}
