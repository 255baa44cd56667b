//! Whether the load's connections lead to the server whose facts are told: the same process, in the same role, at an
//! address that its platform gives it. A Service, a proxy or a name with several addresses may lead elsewhere, and now
//! and then only; so several connections are made, as the load makes them. Pure but for [`identify_server`].

use std::fmt;
use std::net::IpAddr;

use conninfo::ConnInfo;
use results::facts::ServerEnd;
use tokio_postgres::{Client, SimpleQueryMessage};

use crate::reach::{self, ReachError};

/// How many connections are looked at: of a Service that leads to two servers in turn, one in 128 runs misses it.
pub(crate) const CONNECTIONS: u32 = 8;

/// Who answered a connection. Simple queries: a pooler may hand each statement to another session.
const WHO: &str = "SELECT (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint, pg_is_in_recovery(), \
                   host(inet_server_addr()), inet_server_port()";

/// May be refused to a role; then the rest has to do.
const SYSTEM: &str = "SELECT system_identifier FROM pg_control_system()";

/// A server as one connection sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerSeen {
    /// When it was started, in microseconds since 1970 by its own clock: no two servers have the same.
    started_us: i64,
    /// Whether it is a standby.
    in_recovery: bool,
    /// What a standby has in common with its primary; none where the role may not see it.
    system_identifier: Option<String>,
    /// The address at which it was reached, behind all translation on the way; none for a Unix socket.
    address: Option<IpAddr>,
    /// The port there.
    port: Option<u16>,
}

/// The load would go to another server than the one that is described.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{way} leads to a different server than the one whose facts are recorded")]
pub struct OtherServer {
    /// The way of the load: `host:port`, or the path of a socket.
    way: String,
    /// What was seen there, and what was expected.
    said: String,
    /// Whether the other one is a standby of the same system.
    is_standby: bool,
}

impl OtherServer {
    /// What was seen, and what was expected.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        Some(self.said.clone())
    }

    /// What to try.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(if self.is_standby {
            "use the address or the Service of the server to measure; a standby is a separate target".to_owned()
        } else {
            "use an address that leads to one server only, not a Service, proxy or host name of several servers"
                .to_owned()
        })
    }
}

impl ServerSeen {
    /// The server's end of the connection.
    pub(crate) fn server_end_of_connection(&self) -> ServerEnd {
        ServerEnd { address: self.address, port: self.port }
    }
}

impl fmt::Display for ServerSeen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let role = if self.in_recovery { "standby" } else { "primary" };
        write!(f, "a {role}")?;
        if let Some(address) = self.address {
            write!(f, " at {address}")?;
        }
        if let Some(port) = self.port {
            write!(f, " port {port}")?;
        }
        if let Some(system) = &self.system_identifier {
            write!(f, " of system {system}")?;
        }
        let started = jiff::Timestamp::from_microsecond(self.started_us);
        started.map_or(Ok(()), |started| write!(f, ", started {started:.0}"))
    }
}

/// Asks who answers on a connection.
pub(crate) async fn identify_server(client: &Client, conninfo: &ConnInfo) -> Result<ServerSeen, ReachError> {
    let answered = client.simple_query(WHO).await.map_err(|error| reach::classify_postgres_error(&error, conninfo))?;
    let system_identifier = match client.simple_query(SYSTEM).await {
        Ok(answered) => text_in_column(&answered, 0),
        Err(_) => None,
    };
    Ok(ServerSeen {
        started_us: text_in_column(&answered, 0).and_then(|text| text.parse().ok()).unwrap_or_default(),
        in_recovery: text_in_column(&answered, 1).as_deref() == Some("t"),
        system_identifier,
        address: text_in_column(&answered, 2).and_then(|text| text.parse().ok()),
        port: text_in_column(&answered, 3).and_then(|text| text.parse().ok()),
    })
}

fn text_in_column(answered: &[SimpleQueryMessage], column: usize) -> Option<String> {
    for message in answered {
        if let SimpleQueryMessage::Row(row) = message {
            return row.get(column).map(str::to_owned);
        }
    }
    None
}

/// Refuses a way that leads to another server than `described`, or to one at none of the addresses that its platform
/// gives it (`own`; empty where nobody tells).
pub(crate) fn require_same(
    way: &str,
    seen: &ServerSeen,
    described: &ServerSeen,
    own: &[IpAddr],
) -> Result<(), OtherServer> {
    let is_other = seen.started_us != described.started_us || seen.in_recovery != described.in_recovery;
    if is_other {
        return Err(OtherServer {
            way: way.to_owned(),
            said: format!("a connection of the load reached {seen}; the recorded facts are those of {described}"),
            is_standby: seen.in_recovery != described.in_recovery,
        });
    }
    match seen.address {
        // The last hop of a connection that a proxy within the pod has taken is the loopback interface.
        Some(address) if !own.is_empty() && !own.contains(&address) && !address.is_loopback() => {
            let listed = own.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            Err(OtherServer {
                way: way.to_owned(),
                said: format!("a connection of the load reached {seen}; the addresses of the pod are {listed}"),
                is_standby: seen.in_recovery,
            })
        }
        Some(_) | None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn primary() -> ServerSeen {
        ServerSeen {
            started_us: 1_700_000_000_000_001,
            in_recovery: false,
            system_identifier: Some("77".to_owned()),
            address: Some([10, 244, 1, 7].into()),
            port: Some(5432),
        }
    }

    #[test]
    fn a_way_to_another_process_role_or_pod_is_refused() {
        let described = primary();
        let standby = ServerSeen { started_us: 1_700_000_000_000_009, in_recovery: true, ..primary() };
        let by_socket = ServerSeen { address: None, port: None, ..primary() };
        let hidden = ServerSeen { system_identifier: None, ..primary() };
        let elsewhere = ServerSeen { address: Some([10, 244, 2, 9].into()), ..primary() };
        let pod: &[IpAddr] = &[[10, 244, 1, 7].into()];
        let cases = [
            (primary(), pod, true),
            (primary(), &[][..], true),
            (by_socket, pod, true),
            (ServerSeen { address: Some([127, 0, 0, 6].into()), ..primary() }, pod, true),
            (hidden, pod, true),
            (ServerSeen { started_us: 5, ..primary() }, &[], false),
            (ServerSeen { in_recovery: true, ..primary() }, &[], false),
            (standby.clone(), &[], false),
            (elsewhere.clone(), pod, false),
            // Without a platform that says where it is, its own address behind a translation tells nothing.
            (elsewhere, &[], true),
        ];
        for (seen, own, is_same) in cases {
            assert_eq!(require_same("db:5432", &seen, &described, own).is_ok(), is_same, "{seen} {own:?}");
        }
        let refused = require_same("db-ro:5432", &standby, &described, pod).expect_err("it is another one");
        assert_eq!(refused.to_string(), "db-ro:5432 leads to a different server than the one whose facts are recorded");
        let detail = refused.detail().expect("a detail");
        assert!(detail.contains("reached a standby at 10.244.1.7 port 5432 of system 77, started 2023-"), "{detail}");
        assert!(refused.hint().is_some_and(|hint| hint.contains("a standby is a separate target")));
    }
}
