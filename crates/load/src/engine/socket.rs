//! Non-blocking stream sockets: connect, send, receive. No protocol, no retries.

use crate::error::LoadError;
use crate::job::Endpoint;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketAddrUnix, SocketFlags, SocketType, connect, recv, send, socket_with,
    sockopt,
};
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Duration;

/// A peer that leaves sent bytes or probes unanswered for this long is taken for dead.
const DEAD_AFTER: Duration = Duration::from_secs(10);
/// How long a TCP connection is silent before it is probed, and the pause between probes.
const PROBE_EVERY: Duration = Duration::from_secs(3);

/// An endpoint's addresses, looked up.
#[derive(Debug, Clone)]
pub(crate) enum Addresses {
    /// In the order in which they are to be tried; at least one.
    Tcp(Vec<SocketAddr>),
    Unix(SocketAddrUnix),
}

impl Addresses {
    /// Looks the addresses up, which may ask a name server.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn of(endpoint: &Endpoint) -> Result<Addresses, LoadError> {
        let server = endpoint.to_string();
        match endpoint {
            Endpoint::Unix { path } => SocketAddrUnix::new(path.as_path())
                .map(Addresses::Unix)
                .map_err(|error| LoadError::Connect { server, source: error.into() }),
            Endpoint::Tcp { host, port } => {
                let found = (host.as_str(), *port).to_socket_addrs().map(Vec::from_iter);
                match found {
                    Ok(addresses) if !addresses.is_empty() => Ok(Addresses::Tcp(addresses)),
                    Ok(_) => Err(LoadError::Resolve { server, source: io::ErrorKind::NotFound.into() }),
                    Err(source) => Err(LoadError::Resolve { server, source }),
                }
            }
        }
    }

    /// How many there are to try.
    pub(crate) fn count(&self) -> usize {
        match self {
            Addresses::Tcp(addresses) => addresses.len(),
            Addresses::Unix(_) => 1,
        }
    }
}

/// A connected or connecting socket.
#[derive(Debug)]
pub(crate) struct Socket(OwnedFd);

/// What became of an attempt to receive or send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transfer {
    /// So many bytes; 0 received means that the peer has closed the connection.
    Bytes(usize),
    /// Not now.
    WouldBlock,
}

impl Socket {
    /// Begins to connect to address number `which` (modulo their count). Writable means that it has succeeded or failed;
    /// [`error`](Self::error) tells.
    ///
    /// # Errors
    /// When it has failed already. `EAGAIN` on a unix socket: the server's queue of connections is full.
    pub(crate) fn connect(addresses: &Addresses, which: usize) -> Result<Socket, Errno> {
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let (socket, started) = match addresses {
            Addresses::Unix(address) => {
                let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
                let started = connect(&socket, address);
                (socket, started)
            }
            Addresses::Tcp(addresses) => {
                let address = addresses[which % addresses.len()];
                let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
                let socket = socket_with(family, SocketType::STREAM, flags, None)?;
                set_tcp_options(&socket)?;
                let started = connect(&socket, &address);
                (socket, started)
            }
        };
        match started {
            Ok(()) | Err(Errno::INPROGRESS) => Ok(Socket(socket)),
            Err(error) => Err(error),
        }
    }

    /// For the poller.
    pub(crate) fn fd(&self) -> &OwnedFd {
        &self.0
    }

    /// How connecting failed, or what else is wrong.
    ///
    /// # Errors
    /// That error.
    pub(crate) fn error(&self) -> Result<(), Errno> {
        sockopt::socket_error(&self.0)?
    }

    /// Receives what is there, as far as it fits.
    ///
    /// # Errors
    /// When the connection has failed.
    #[inline]
    pub(crate) fn receive(&self, room: &mut [u8]) -> Result<Transfer, Errno> {
        transfer(|| recv(&self.0, &mut *room, RecvFlags::empty()).map(|(_, received)| received))
    }

    /// Sends as much as there is room for.
    ///
    /// # Errors
    /// When the connection has failed.
    #[inline]
    pub(crate) fn send(&self, bytes: &[u8]) -> Result<Transfer, Errno> {
        transfer(|| send(&self.0, bytes, SendFlags::NOSIGNAL))
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
fn set_tcp_options(socket: &OwnedFd) -> Result<(), Errno> {
    sockopt::set_tcp_nodelay(socket, true)?;
    sockopt::set_socket_keepalive(socket, true)?;
    sockopt::set_tcp_keepidle(socket, PROBE_EVERY)?;
    sockopt::set_tcp_keepintvl(socket, PROBE_EVERY)?;
    sockopt::set_tcp_user_timeout(socket, DEAD_AFTER.as_millis() as u32)
}
