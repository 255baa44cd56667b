//! Non-blocking stream sockets: connect, send, receive. No protocol, no retries.

use crate::engine::io::Transfer;
use crate::engine::tcp_info::{self, TcpInfo};
use crate::error::LoadError;
use crate::server::{Endpoint, Server, TcpOptions};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketAddrUnix, SocketFlags, SocketType, connect, recv, send, socket_with,
    sockopt,
};
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Duration;

/// All addresses of a job's servers, looked up.
#[derive(Debug)]
pub(crate) struct Addresses {
    /// In the order in which they are to be tried; at least one.
    all: Vec<Address>,
    tcp: TcpOptions,
}

/// One address.
#[derive(Debug)]
struct Address {
    /// Of which of the job's endpoints.
    endpoint: usize,
    socket: SocketAddress,
}

#[derive(Debug)]
enum SocketAddress {
    Tcp(SocketAddr),
    Unix(SocketAddrUnix),
}

impl Addresses {
    /// Looks the addresses up, which may ask a name server. As with libpq,
    /// an endpoint without an address is passed over.
    ///
    /// # Errors
    /// When there is no address at all: what is wrong with the first endpoint.
    pub(crate) fn of(server: &Server) -> Result<Addresses, LoadError> {
        let (mut all, mut first_error) = (Vec::new(), None);
        for (endpoint, at) in server.endpoints.iter().enumerate() {
            match look_up(at) {
                Ok(found) => all.extend(found.into_iter().map(|socket| Address { endpoint, socket })),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        match first_error {
            _ if !all.is_empty() => Ok(Addresses { all, tcp: server.tcp }),
            Some(error) => Err(error),
            None => Err(LoadError::Job("the job has no server")),
        }
    }

    /// How many there are to try.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// To which of the job's endpoints address number `which` (modulo their count) belongs.
    pub(crate) fn endpoint(&self, which: usize) -> usize {
        self.get(which).endpoint
    }

    fn get(&self, which: usize) -> &Address {
        &self.all[which % self.all.len()]
    }
}

fn look_up(endpoint: &Endpoint) -> Result<Vec<SocketAddress>, LoadError> {
    let server = endpoint.to_string();
    match endpoint {
        Endpoint::Unix { path } => SocketAddrUnix::new(path.as_path())
            .map(|address| vec![SocketAddress::Unix(address)])
            .map_err(|error| LoadError::Connect { server, source: error.into() }),
        Endpoint::Tcp { address: Some(address), port, .. } => {
            Ok(vec![SocketAddress::Tcp(SocketAddr::new(*address, *port))])
        }
        Endpoint::Tcp { host, address: None, port } => {
            let found = (host.as_str(), *port).to_socket_addrs().map(Vec::from_iter);
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
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let (socket, started) = match &addresses.get(which).socket {
            SocketAddress::Unix(address) => {
                let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
                let started = connect(&socket, address);
                (socket, started)
            }
            SocketAddress::Tcp(address) => {
                let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
                let socket = socket_with(family, SocketType::STREAM, flags, None)?;
                set_tcp_options(&socket, &addresses.tcp)?;
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
fn set_tcp_options(socket: &OwnedFd, options: &TcpOptions) -> Result<(), Errno> {
    sockopt::set_tcp_nodelay(socket, true)?;
    sockopt::set_socket_keepalive(socket, options.keepalives)?;
    if options.keepalives {
        options.idle.map_or(Ok(()), |idle| sockopt::set_tcp_keepidle(socket, idle))?;
        options.interval.map_or(Ok(()), |interval| sockopt::set_tcp_keepintvl(socket, interval))?;
        options.count.map_or(Ok(()), |count| sockopt::set_tcp_keepcnt(socket, count))?;
    }
    let milliseconds = |limit: Duration| u32::try_from(limit.as_millis()).unwrap_or(u32::MAX);
    options.user_timeout.map_or(Ok(()), |limit| sockopt::set_tcp_user_timeout(socket, milliseconds(limit)))
}
