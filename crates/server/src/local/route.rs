//! The way of the load's connections to a local server, and what must be built for it beside the server.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Port of the service's address behind which the server is.
pub(crate) const SERVICE_PORT: u16 = 5432;

/// Port of the service's address behind which the pooler is.
pub(crate) const SERVICE_POOLER_PORT: u16 = 6432;

/// How the load reaches a local server: by one entry, and through what is added to it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LoadRoute {
    /// Where the connections are made to.
    pub entry: RouteEntry,
    /// Whether they are encrypted, with TLS 1.3.
    pub tls: bool,
    /// Whether they end at a PgBouncer, which passes on to the server's unix socket.
    pub pgbouncer: bool,
}

/// Where the connections to a local server are made to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RouteEntry {
    /// Its unix socket.
    #[default]
    Unix,
    /// 127.0.0.1.
    Tcp,
    /// An address of this machine at the other end of a veth pair: the load runs in a network namespace of its own, as in
    /// a container.
    Veth,
    /// As `Veth`, but to an address that only a DNAT rule leads anywhere, as to a Kubernetes Service.
    Service,
}

impl RouteEntry {
    /// Whether the load runs in a network namespace of its own.
    #[must_use]
    pub fn in_namespace(self) -> bool {
        matches!(self, Self::Veth | Self::Service)
    }
}

impl LoadRoute {
    /// Its layers in the order in which a byte passes them, for people: `veth, DNAT, TLS, PgBouncer`.
    #[must_use]
    pub fn layer_names(&self) -> Vec<&'static str> {
        let entry: &[&str] = match self.entry {
            RouteEntry::Unix | RouteEntry::Tcp => &[],
            RouteEntry::Veth => &["veth"],
            RouteEntry::Service => &["veth", "DNAT"],
        };
        let added = [(self.tls, "TLS"), (self.pgbouncer, "PgBouncer")];
        entry.iter().copied().chain(added.into_iter().filter_map(|(there, name)| there.then_some(name))).collect()
    }
}

impl fmt::Display for LoadRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.entry {
            RouteEntry::Unix => "unix socket",
            RouteEntry::Tcp | RouteEntry::Veth | RouteEntry::Service => "TCP",
        })?;
        self.layer_names().iter().try_for_each(|layer| write!(f, ", {layer}"))
    }
}

/// How a PgBouncer lends the connections of its server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pooling {
    /// Whether for a transaction, else for a session; none: for a transaction where prepared statements survive that.
    pub for_a_transaction: Option<bool>,
    /// Connections to the server; none: as many as clients come.
    pub size: Option<u32>,
    /// Prepared statements that are kept of each client; none: enough where a connection is lent for a transaction.
    pub max_prepared_statements: Option<u32>,
}

/// What is built beside a local server, for all routes that lead to it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteLayers {
    /// The server has a certificate and offers TLS.
    pub tls: bool,
    /// There is a network namespace for the load, with a veth pair and a DNAT rule; needs root.
    pub namespace: bool,
    /// There is a PgBouncer.
    pub pgbouncer: bool,
    /// How it lends the server's connections.
    pub pooling: Pooling,
    /// The server's processes are in a control group of their own, so that their CPUs can be limited; needs root.
    pub cpu_group: bool,
    /// What the network of the namespace is slowed down to.
    pub network: NetworkLimits,
}

/// Limits of the network between the load and a server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkLimits {
    /// Time that is added to each round trip, in microseconds.
    pub added_us: Option<u64>,
    /// Bytes per second in each direction.
    pub bytes_per_s: Option<u64>,
}

impl RouteLayers {
    /// What these routes need; `limited`: a limit of CPUs is asked for somewhere.
    #[must_use]
    pub fn required_by_routes(routes: impl IntoIterator<Item = LoadRoute>, limited: bool) -> Self {
        routes.into_iter().fold(Self { cpu_group: limited, ..Self::default() }, |layers, route| Self {
            tls: layers.tls || route.tls,
            namespace: layers.namespace || route.entry.in_namespace(),
            pgbouncer: layers.pgbouncer || route.pgbouncer,
            ..layers
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_names_its_layers_in_the_order_in_which_a_byte_passes_them() {
        let route = |entry, tls, pgbouncer| LoadRoute { entry, tls, pgbouncer }.to_string();
        assert_eq!(route(RouteEntry::Unix, false, false), "unix socket");
        assert_eq!(route(RouteEntry::Tcp, true, false), "TCP, TLS");
        assert_eq!(route(RouteEntry::Service, true, true), "TCP, veth, DNAT, TLS, PgBouncer");
    }

    #[test]
    fn what_is_built_is_what_any_of_the_routes_needs() {
        let tls = LoadRoute { entry: RouteEntry::Tcp, tls: true, pgbouncer: false };
        let veth = LoadRoute { entry: RouteEntry::Veth, ..LoadRoute::default() };
        assert_eq!(RouteLayers::required_by_routes([LoadRoute::default()], false), RouteLayers::default());
        let both = RouteLayers { tls: true, namespace: true, ..RouteLayers::default() };
        assert_eq!(RouteLayers::required_by_routes([tls, LoadRoute::default(), veth], false), both);
        assert_eq!(
            RouteLayers::required_by_routes([], true),
            RouteLayers { cpu_group: true, ..RouteLayers::default() }
        );
    }
}
