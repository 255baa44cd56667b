//! How a thread talks to the kernel: which sockets are ready, and what passes through them.
//!
//! Two ways behind one interface. `epoll` tells which sockets are ready, and every transfer is a system call of its
//! own. `io_uring` has received already what it tells of, and takes all that is to be sent with the one system call
//! that waits. Whoever uses this sees non-blocking sockets either way.

mod buffers;
mod choice;
mod epoll;
mod ring;
mod tag;
mod waker;

use crate::engine::socket::EngineSocket;
use rustix::io::Errno;
use std::ops::Range;

pub(crate) use choice::choose_backend;
pub use choice::io_uring_refused;
pub(crate) use epoll::Epoll;
pub(crate) use ring::Ring;
pub(crate) use waker::Waker;

/// The sockets of one thread.
#[derive(Debug)]
pub(crate) enum Io {
    Epoll(Epoll),
    Ring(Box<Ring>),
}

/// A way to talk to the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KernelInterface {
    Epoll,
    IoUring,
}

impl KernelInterface {
    /// What it is called in results.
    pub(crate) fn backend_name(self) -> &'static str {
        match self {
            KernelInterface::Epoll => "epoll",
            KernelInterface::IoUring => "io_uring",
        }
    }
}

/// When what is to be sent is handed to the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sends {
    AtOnce,
    WithTheNextWait,
}

/// What became of an attempt to receive or send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transfer {
    /// So many bytes; 0 received means that the peer has closed the connection.
    Bytes(usize),
    /// Not now.
    WouldBlock,
}

/// A socket that is ready.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadySocket {
    /// What it was added as.
    pub(crate) client: u32,
    /// It can be sent to, or connecting is over.
    pub(crate) writable: bool,
    /// Receive until nothing is left: a short read does not mean that there is no more.
    pub(crate) until_empty: bool,
}

/// What has become ready; reused so that waiting allocates nothing.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    ready: Vec<ReadySocket>,
    woken: bool,
}

impl Batch {
    pub(crate) fn new() -> Batch {
        Batch::default()
    }

    /// How many sockets are ready.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.ready.len()
    }

    /// The sockets that are ready, each once.
    #[inline]
    pub(crate) fn ready_sockets(&self) -> impl Iterator<Item = ReadySocket> {
        self.ready.iter().copied()
    }

    /// Those of the sockets that are ready whose places are in `range`; the rest of the range is passed over.
    #[inline]
    pub(crate) fn ready_in_range(&self, range: Range<usize>) -> &[ReadySocket] {
        let end = range.end.min(self.ready.len());
        &self.ready[range.start.min(end)..end]
    }

    /// Whether the waker was used.
    #[inline]
    pub(crate) fn is_woken(&self) -> bool {
        self.woken
    }

    fn clear(&mut self) {
        self.ready.clear();
        self.woken = false;
    }
}

impl Io {
    /// Watches nothing yet but its waker. To be used by the calling thread only.
    ///
    /// # Errors
    /// When the process may not open more files, or `io_uring` was asked for and cannot be had.
    pub(crate) fn open(way: KernelInterface, waker: &Waker, clients: usize) -> Result<Io, Errno> {
        match way {
            KernelInterface::Epoll => Epoll::new(waker).map(Io::Epoll),
            KernelInterface::IoUring => Ring::new(waker, clients as u32).map(|ring| Io::Ring(Box::new(ring))),
        }
    }

    /// When requests leave.
    #[inline]
    pub(crate) fn send_timing(&self) -> Sends {
        match self {
            Io::Epoll(_) => Sends::AtOnce,
            Io::Ring(_) => Sends::WithTheNextWait,
        }
    }

    /// Begins to watch a client's connecting socket; closing it ends that.
    ///
    /// # Errors
    /// When the kernel refuses, for lack of memory or watches.
    pub(crate) fn add(&mut self, socket: &EngineSocket, client: u32) -> Result<(), Errno> {
        match self {
            Io::Epoll(epoll) => epoll.add(socket, client),
            Io::Ring(ring) => ring.add(socket, client),
        }
    }

    /// Forgets a client's socket, which is to be closed next.
    pub(crate) fn remove_socket(&mut self, client: u32) {
        match self {
            Io::Epoll(_) => {}
            Io::Ring(ring) => ring.remove_socket(client),
        }
    }

    /// Waits until something is ready, the waker is used, or it is `deadline_ns`, while it is `now_ns`.
    ///
    /// # Errors
    /// None that a correct program can cause.
    #[inline]
    pub(crate) fn wait_until_ready(&mut self, batch: &mut Batch, now_ns: u64, deadline_ns: u64) -> Result<(), Errno> {
        batch.clear();
        match self {
            Io::Epoll(epoll) => epoll.wait_until_ready(batch, now_ns, deadline_ns),
            Io::Ring(ring) => ring.wait_until_ready(batch, deadline_ns.saturating_sub(now_ns)),
        }
    }

    /// Receives what is there, as far as it fits.
    ///
    /// # Errors
    /// When the connection has failed.
    #[inline]
    pub(crate) fn receive(&mut self, socket: &EngineSocket, client: u32, room: &mut [u8]) -> Result<Transfer, Errno> {
        match self {
            Io::Epoll(_) => socket.receive(room),
            Io::Ring(ring) => ring.receive(client, room),
        }
    }

    /// Sends as much as there is room for.
    ///
    /// # Errors
    /// When the connection has failed.
    #[inline]
    pub(crate) fn send(&mut self, socket: &EngineSocket, client: u32, bytes: &[u8]) -> Result<Transfer, Errno> {
        match self {
            Io::Epoll(epoll) => epoll.send(socket, client, bytes),
            Io::Ring(ring) => ring.send(client, bytes).map(|()| Transfer::Bytes(bytes.len())),
        }
    }
}
