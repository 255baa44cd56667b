//! How the load and the control plane log in to a local server, by the route that the plan chose.

use std::net::Ipv4Addr;

use conninfo::{ConnInfo, EncryptionMode, Secret, ServerHost};
use wire::tls::{TlsOptions, TlsSettings, Versions};

use super::route::{SERVICE_POOLER_PORT, SERVICE_PORT};
use super::{Failure, LoadRoute, RouteEntry, ServerView};

/// The connection of the load.
pub(crate) fn of_load(server: &ServerView, route: LoadRoute, password: &Secret) -> Result<ConnInfo, Failure> {
    let missing =
        || Failure::system_call_failed("find the route to the server")("the server was started without this route");
    let built = server.built_layers();
    let port = if route.pgbouncer { built.pooler_port.ok_or_else(missing)? } else { server.tcp_port() };
    let namespace = || built.namespace.clone().ok_or_else(missing);
    let mut conninfo = socket_conninfo(server);
    match route.entry {
        RouteEntry::Unix => {}
        RouteEntry::Tcp => over_tcp(&mut conninfo, Ipv4Addr::LOCALHOST, port, password),
        RouteEntry::Veth => over_tcp(&mut conninfo, namespace()?.host, port, password),
        RouteEntry::Service => {
            let port = if route.pgbouncer { SERVICE_POOLER_PORT } else { SERVICE_PORT };
            over_tcp(&mut conninfo, namespace()?.service, port, password);
        }
    }
    if route.entry.in_namespace() {
        conninfo.network_namespace = Some(namespace()?.file);
    }
    if route.tls {
        let options = TlsOptions { versions: Versions::OnlyTls13, ..TlsOptions::default() };
        let settings = TlsSettings::new(&options).map_err(Failure::system_call_failed("prepare TLS"))?;
        conninfo.encryption = EncryptionMode::Always(settings);
        conninfo.libpq = vec![("PGSSLMODE", "require".to_owned()), ("PGSSLMINPROTOCOLVERSION", "TLSv1.3".to_owned())];
    }
    Ok(conninfo)
}

/// The connection of the control plane: the load's, unless that is for the load alone.
pub(crate) fn of_control(server: &ServerView, route: LoadRoute, load: &ConnInfo) -> ConnInfo {
    if route.pgbouncer || route.entry.in_namespace() { socket_conninfo(server) } else { load.clone() }
}

/// Through the unix socket, as whoever may reach it.
pub(crate) fn socket_conninfo(server: &ServerView) -> ConnInfo {
    let at = (ServerHost::Unix(server.socket_directory().to_owned()), server.tcp_port());
    ConnInfo::new(at, "postgres", "postgres")
}

fn over_tcp(conninfo: &mut ConnInfo, address: Ipv4Addr, port: u16, password: &Secret) {
    conninfo.host = ServerHost::tcp_from_name(address.to_string());
    conninfo.port = port;
    conninfo.password = Some(password.clone());
}

/// What the facts say of a route: the layers that a byte passes, and how a pooler among them lends.
pub(crate) fn layers_of_route(server: &ServerView, route: LoadRoute) -> Vec<String> {
    let mode = server.built_layers().pool_mode.as_deref();
    let named = |layer: &str| match (layer, mode) {
        ("PgBouncer", Some(mode)) => format!("PgBouncer ({mode} pooling)"),
        _ => layer.to_owned(),
    };
    route.layer_names().into_iter().map(named).collect()
}
