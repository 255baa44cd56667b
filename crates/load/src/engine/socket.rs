//! Non-blocking stream sockets: connect, send, receive. No protocol, no retries.

use crate::engine::io::Transfer;
use crate::engine::network_namespace::NetworkNamespace;
use crate::engine::tcp_info::{self, TcpInfo};
use crate::error::LoadError;
use conninfo::{ConnInfo, Host, KeepAlive};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketAddrUnix, SocketFlags, SocketType, connect, recv, send, socket_with,
    sockopt,
};
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Duration;

/// A peer that is gone without a word is taken for dead after 10 s where nobody says otherwise, so that a trial is not
/// lost to one.
const DEAD_AFTER: Duration = Duration::from_secs(10);
/// How long a connection is silent then before it is probed, and between probes.
const PROBED_EACH: Duration = Duration::from_secs(3);

/// All addresses of a job's servers, looked up.
#[derive(Debug)]
pub(crate) struct Addresses {
    /// In the order in which they are to be tried; at least one.
    all: Vec<Address>,
    keepalive: KeepAlive,
    /// Where their sockets are made, if not where the threads are.
    namespace: Option<NetworkNamespace>,
}

/// One address.
#[derive(Debug)]
struct Address {
    /// The host that its certificate is for; none of a unix socket.
    host: Option<String>,
    socket: SocketAddress,
}

#[derive(Debug)]
enum SocketAddress {
    Tcp(SocketAddr),
    Unix(SocketAddrUnix),
}

impl Addresses {
    /// Looks the addresses up, which may ask a name server. As with libpq,
    /// a host without an address is passed over.
    ///
    /// # Errors
    /// When there is no address at all: what is wrong with the first host. When their network namespace cannot be
    /// entered.
    pub(crate) fn of(server: &ConnInfo) -> Result<Addresses, LoadError> {
        let (mut all, mut first_error) = (Vec::new(), None);
        for (host, port) in server.hosts() {
            let name = if let Host::Tcp { name, .. } = host { Some(name) } else { None };
            match look_up(host, port) {
                Ok(found) => all.extend(found.into_iter().map(|socket| Address { host: name.cloned(), socket })),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        match first_error {
            Some(error) if all.is_empty() => Err(error),
            _ => {
                let namespace = server.network_namespace.as_deref().map(NetworkNamespace::open).transpose()?;
                Ok(Addresses { all, keepalive: server.keepalive, namespace })
            }
        }
    }

    /// How many there are to try.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// The host that the certificate at address number `which` (modulo their count) is for; none of a unix socket.
    pub(crate) fn host(&self, which: usize) -> Option<&str> {
        self.get(which).host.as_deref()
    }

    fn socket(&self, family: AddressFamily) -> Result<OwnedFd, Errno> {
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let make = || socket_with(family, SocketType::STREAM, flags, None);
        match &self.namespace {
            Some(namespace) => namespace.within(make),
            None => make(),
        }
    }

    fn get(&self, which: usize) -> &Address {
        &self.all[which % self.all.len()]
    }
}

fn look_up(host: &Host, port: u16) -> Result<Vec<SocketAddress>, LoadError> {
    let server = conninfo::address(host, port);
    match host {
        Host::Unix(directory) => SocketAddrUnix::new(conninfo::socket(directory, port))
            .map(|address| vec![SocketAddress::Unix(address)])
            .map_err(|error| LoadError::Connect { server, source: error.into() }),
        Host::Tcp { address: Some(address), .. } => Ok(vec![SocketAddress::Tcp(SocketAddr::new(*address, port))]),
        Host::Tcp { name, address: None } => {
            let found = (name.as_str(), port).to_socket_addrs().map(Vec::from_iter);
            match found {
                Ok(found) if !found.is_empty() => Ok(found.into_iter().map(SocketAddress::Tcp).collect()),
                Ok(_) => Err(LoadError::Resolve { server, source: io::ErrorKind::NotFound.into() }),
                Err(source) => Err(LoadError::Resolve { server, source }),
            }
        }
    }
}

/// A connected or connecting socket.
#[derive(Debug)]
pub(crate) struct Socket {
    fd: OwnedFd,
    is_tcp: bool,
}

impl Socket {
    /// Begins to connect to address number `which` (modulo their count). Writable means that it has succeeded or
    /// failed; [`error`](Self::error) tells.
    ///
    /// # Errors
    /// When it has failed already. `EAGAIN` on a unix socket: the server's queue of connections is full.
    pub(crate) fn connect(addresses: &Addresses, which: usize) -> Result<Socket, Errno> {
        let (socket, started) = match &addresses.get(which).socket {
            SocketAddress::Unix(address) => {
                let socket = addresses.socket(AddressFamily::UNIX)?;
                let started = connect(&socket, address);
                (socket, started)
            }
            SocketAddress::Tcp(address) => {
                let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
                let socket = addresses.socket(family)?;
                set_tcp_options(&socket, addresses.keepalive)?;
                let started = connect(&socket, address);
                (socket, started)
            }
        };
        let is_tcp = matches!(addresses.get(which).socket, SocketAddress::Tcp(_));
        match started {
            Ok(()) | Err(Errno::INPROGRESS) => Ok(Socket { fd: socket, is_tcp }),
            Err(error) => Err(error),
        }
    }

    /// For watching it.
    pub(crate) fn fd(&self) -> &OwnedFd {
        &self.fd
    }

    /// Whether it is one of TCP; else it is a unix socket.
    pub(crate) fn is_tcp(&self) -> bool {
        self.is_tcp
    }

    /// What the kernel knows of its path; `None` where it does not tell.
    pub(crate) fn tcp_info(&self) -> Option<TcpInfo> {
        tcp_info::read(&self.fd)
    }

    /// How connecting failed, or what else is wrong.
    ///
    /// # Errors
    /// That error.
    pub(crate) fn error(&self) -> Result<(), Errno> {
        sockopt::socket_error(&self.fd)?
    }

    /// Receives what is there, as far as it fits.
    ///
    /// # Errors
    /// When the connection has failed.
    #[inline]
    pub(crate) fn receive(&self, room: &mut [u8]) -> Result<Transfer, Errno> {
        transfer(|| recv(&self.fd, &mut *room, RecvFlags::empty()).map(|(_, received)| received))
    }

    /// Sends as much as there is room for.
    ///
    /// # Errors
    /// When the connection has failed.
    #[inline]
    pub(crate) fn send(&self, bytes: &[u8]) -> Result<Transfer, Errno> {
        transfer(|| send(&self.fd, bytes, SendFlags::NOSIGNAL))
    }
}

impl Drop for Socket {
    /// Ends requests of the kernel's that would keep the connection open beyond its file descriptor.
    fn drop(&mut self) {
        let _not_connected = rustix::net::shutdown(&self.fd, rustix::net::Shutdown::Both);
    }
}

#[inline]
fn transfer(mut call: impl FnMut() -> Result<usize, Errno>) -> Result<Transfer, Errno> {
    loop {
        match call() {
            Ok(count) => return Ok(Transfer::Bytes(count)),
            Err(Errno::AGAIN) => return Ok(Transfer::WouldBlock),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Small messages leave at once, and a peer that is gone without a word is noticed.
fn set_tcp_options(socket: &OwnedFd, given: KeepAlive) -> Result<(), Errno> {
    sockopt::set_tcp_nodelay(socket, true)?;
    let on = given.on.unwrap_or(true);
    sockopt::set_socket_keepalive(socket, on)?;
    if on {
        sockopt::set_tcp_keepidle(socket, given.idle.unwrap_or(PROBED_EACH))?;
        sockopt::set_tcp_keepintvl(socket, given.interval.unwrap_or(PROBED_EACH))?;
        given.count.map_or(Ok(()), |count| sockopt::set_tcp_keepcnt(socket, count))?;
    }
    let limit = given.user_timeout.unwrap_or(DEAD_AFTER);
    sockopt::set_tcp_user_timeout(socket, u32::try_from(limit.as_millis()).unwrap_or(u32::MAX))
}
