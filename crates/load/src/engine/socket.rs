//! Non-blocking stream sockets: connect, send, receive. No protocol, no retries.

use crate::engine::io::Transfer;
use crate::engine::network_namespace::NetworkNamespace;
use crate::engine::tcp_info::{self, TcpInfo};
use crate::error::LoadError;
use conninfo::{ConnInfo, KeepAlive, ServerHost};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketAddrUnix, SocketFlags, SocketType, connect, recv, send, socket_with,
    sockopt,
};
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::thread;
use std::time::{Duration, Instant};

/// A peer that is gone without a word is taken for dead after 10 s where nobody says otherwise, so that a trial is not
/// lost to one.
const DEAD_AFTER: Duration = Duration::from_secs(10);
/// How long a connection is silent then before it is probed, and between probes.
const PROBED_EACH: Duration = Duration::from_secs(3);

/// How long what a name server has said is taken for true, while somebody connects.
const ASKED_EACH: Duration = Duration::from_secs(1);

/// All addresses of a job's servers, looked up, and again whenever somebody connects: a name may lead to another server
/// after a failover.
#[derive(Debug)]
pub(crate) struct Addresses {
    hosts: Vec<(ServerHost, u16)>,
    known: Arc<KnownAddresses>,
    keepalive: KeepAlive,
    /// Where their sockets are made, if not where the threads are.
    namespace: Option<NetworkNamespace>,
}

/// What was said last.
#[derive(Debug)]
struct KnownAddresses {
    /// Those of each host, in the order in which they are to be tried; at least one in all.
    of_hosts: RwLock<Vec<Vec<Address>>>,
    /// When; none while it is being asked for, or where no host is a name.
    asked: Mutex<Option<Instant>>,
}

/// One address.
#[derive(Debug, Clone)]
struct Address {
    /// The host that its certificate is for; none of a unix socket.
    host: Option<Arc<str>>,
    socket: SocketAddress,
}

#[derive(Debug, Clone)]
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
    pub(crate) fn look_up_server(server: &ConnInfo) -> Result<Addresses, LoadError> {
        let hosts: Vec<(ServerHost, u16)> = server.all_hosts().map(|(host, port)| (host.clone(), port)).collect();
        let (mut of_hosts, mut first_error) = (Vec::new(), None);
        for (host, port) in &hosts {
            of_hosts.push(addresses_of_host(host, *port).unwrap_or_else(|error| {
                first_error.get_or_insert(error);
                Vec::new()
            }));
        }
        match first_error {
            Some(error) if of_hosts.iter().all(Vec::is_empty) => Err(error),
            _ => {
                let namespace = server.network_namespace.as_deref().map(NetworkNamespace::open).transpose()?;
                let asked = Mutex::new(hosts.iter().any(|(host, _)| is_name(host)).then(Instant::now));
                let known = Arc::new(KnownAddresses { of_hosts: RwLock::new(of_hosts), asked });
                Ok(Addresses { hosts, known, keepalive: server.keepalive, namespace })
            }
        }
    }

    /// How many there are to try.
    pub(crate) fn address_count(&self) -> usize {
        self.known.read_hosts().iter().map(Vec::len).sum()
    }

    /// The host that the certificate at address number `which` (modulo their count) is for; none of a unix socket.
    pub(crate) fn certificate_host(&self, which: usize) -> Option<Arc<str>> {
        self.address_at(which).host
    }

    fn open_socket(&self, family: AddressFamily) -> Result<OwnedFd, Errno> {
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let make = || socket_with(family, SocketType::STREAM, flags, None);
        match &self.namespace {
            Some(namespace) => namespace.run_within(make),
            None => make(),
        }
    }

    fn address_at(&self, which: usize) -> Address {
        let of_hosts = self.known.read_hosts();
        let count: usize = of_hosts.iter().map(Vec::len).sum();
        of_hosts.iter().flatten().nth(which % count).expect("there is one, and none is taken away").clone()
    }

    /// Has the names looked up by a thread of its own, if that was not done a moment ago.
    fn ask_again(&self) {
        {
            let mut asked = self.known.lock_asked();
            if asked.is_none_or(|at| at.elapsed() < ASKED_EACH) {
                return;
            }
            *asked = None;
        }
        let (hosts, known) = (self.hosts.clone(), Arc::clone(&self.known));
        let asking = move || {
            for (which, (host, port)) in hosts.iter().enumerate().filter(|(_, (host, _))| is_name(host)) {
                // A name server that is away takes nothing away.
                if let Ok(found) = addresses_of_host(host, *port) {
                    known.of_hosts.write().unwrap_or_else(PoisonError::into_inner)[which] = found;
                }
            }
            *known.lock_asked() = Some(Instant::now());
        };
        if thread::Builder::new().name("addresses".to_owned()).spawn(asking).is_err() {
            *self.known.lock_asked() = Some(Instant::now());
        }
    }
}

impl KnownAddresses {
    fn read_hosts(&self) -> RwLockReadGuard<'_, Vec<Vec<Address>>> {
        self.of_hosts.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_asked(&self) -> MutexGuard<'_, Option<Instant>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a name server, or a file of names, knows the address.
fn is_name(host: &ServerHost) -> bool {
    matches!(host, ServerHost::Tcp { name, address: None } if name.parse::<IpAddr>().is_err())
}

/// The addresses of a host; at least one.
fn addresses_of_host(host: &ServerHost, port: u16) -> Result<Vec<Address>, LoadError> {
    let server = || conninfo::address_of_host(host, port);
    let of = |name: &str, sockets: Vec<SocketAddr>| {
        let host: Arc<str> = name.into();
        sockets
            .into_iter()
            .map(|socket| Address { host: Some(Arc::clone(&host)), socket: SocketAddress::Tcp(socket) })
            .collect()
    };
    match host {
        ServerHost::Unix(directory) => SocketAddrUnix::new(conninfo::unix_socket_path(directory, port))
            .map(|address| vec![Address { host: None, socket: SocketAddress::Unix(address) }])
            .map_err(|error| LoadError::Connect { server: server(), source: error.into() }),
        ServerHost::Tcp { name, address: Some(address) } => Ok(of(name, vec![SocketAddr::new(*address, port)])),
        ServerHost::Tcp { name, address: None } => match (name.as_str(), port).to_socket_addrs().map(Vec::from_iter) {
            Ok(found) if !found.is_empty() => Ok(of(name, found)),
            Ok(_) => Err(LoadError::Resolve { server: server(), source: io::ErrorKind::NotFound.into() }),
            Err(source) => Err(LoadError::Resolve { server: server(), source }),
        },
    }
}

/// A connected or connecting socket.
#[derive(Debug)]
pub(crate) struct EngineSocket {
    fd: OwnedFd,
    is_tcp: bool,
}

impl EngineSocket {
    /// Begins to connect to address number `which` (modulo their count). Writable means that it has succeeded or
    /// failed; [`error`](Self::check_socket_error) tells.
    ///
    /// # Errors
    /// When it has failed already. `EAGAIN` on a unix socket: the server's queue of connections is full.
    pub(crate) fn connect(addresses: &Addresses, which: usize) -> Result<EngineSocket, Errno> {
        addresses.ask_again();
        let address = addresses.address_at(which).socket;
        let (socket, started) = match &address {
            SocketAddress::Unix(address) => {
                let socket = addresses.open_socket(AddressFamily::UNIX)?;
                let started = connect(&socket, address);
                (socket, started)
            }
            SocketAddress::Tcp(address) => {
                let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
                let socket = addresses.open_socket(family)?;
                set_tcp_options(&socket, addresses.keepalive)?;
                let started = connect(&socket, address);
                (socket, started)
            }
        };
        let is_tcp = matches!(address, SocketAddress::Tcp(_));
        match started {
            Ok(()) | Err(Errno::INPROGRESS) => Ok(EngineSocket { fd: socket, is_tcp }),
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
        tcp_info::read_tcp_info(&self.fd)
    }

    /// How connecting failed, or what else is wrong.
    ///
    /// # Errors
    /// That error.
    pub(crate) fn check_socket_error(&self) -> Result<(), Errno> {
        sockopt::socket_error(&self.fd)?
    }

    /// Receives what is there, as far as it fits.
    ///
    /// # Errors
    /// When the connection has failed.
    #[inline]
    pub(crate) fn receive(&self, room: &mut [u8]) -> Result<Transfer, Errno> {
        retry_if_interrupted(|| recv(&self.fd, &mut *room, RecvFlags::empty()).map(|(_, received)| received))
    }

    /// Sends as much as there is room for.
    ///
    /// # Errors
    /// When the connection has failed.
    #[inline]
    pub(crate) fn send(&self, bytes: &[u8]) -> Result<Transfer, Errno> {
        retry_if_interrupted(|| send(&self.fd, bytes, SendFlags::NOSIGNAL))
    }
}

impl Drop for EngineSocket {
    /// Ends requests of the kernel's that would keep the connection open beyond its file descriptor.
    fn drop(&mut self) {
        let _not_connected = rustix::net::shutdown(&self.fd, rustix::net::Shutdown::Both);
    }
}

#[inline]
fn retry_if_interrupted(mut call: impl FnMut() -> Result<usize, Errno>) -> Result<Transfer, Errno> {
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
