//! Which sockets are ready: edge-triggered epoll, and a way to wake a thread that waits for it.

use crate::engine::socket::Socket;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::event::{EventfdFlags, Timespec, eventfd};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::sync::Arc;

/// Events taken over at once.
const BATCH: usize = 512;
/// What the waker is registered as; no client has this number.
const WAKER: u64 = u64::MAX;

/// The sockets of one thread.
#[derive(Debug)]
pub(crate) struct Poller {
    epoll: OwnedFd,
    waker: Waker,
}

/// Wakes the thread that waits for a [`Poller`]; from any thread, any number of times.
#[derive(Debug, Clone)]
pub(crate) struct Waker(Arc<OwnedFd>);

/// What a socket is to be watched for. Reading is always watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watch {
    Read,
    ReadAndWrite,
}

/// A socket that is ready.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ready {
    /// What it was registered as.
    pub(crate) client: u32,
    /// It can be sent to, or connecting is over.
    pub(crate) writable: bool,
    /// The peer has closed the connection, or it has failed: receive until the end, a short read is not the end.
    pub(crate) closing: bool,
}

/// A batch of events; reused so that waiting allocates nothing.
pub(crate) struct Batch(Vec<epoll::Event>);

impl Batch {
    pub(crate) fn new() -> Batch {
        Batch(Vec::with_capacity(BATCH))
    }

    /// How many events there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The sockets that are ready.
    #[inline]
    pub(crate) fn ready(&self) -> impl Iterator<Item = Ready> {
        self.0.iter().filter(|event| event.data.u64() != WAKER).map(|event| {
            let flags = event.flags;
            Ready {
                client: event.data.u64() as u32,
                writable: flags.contains(EventFlags::OUT),
                closing: flags.intersects(EventFlags::RDHUP | EventFlags::HUP | EventFlags::ERR),
            }
        })
    }

    /// Whether the waker was used.
    #[inline]
    pub(crate) fn is_woken(&self) -> bool {
        self.0.iter().any(|event| event.data.u64() == WAKER)
    }
}

impl Poller {
    /// Watches nothing yet but its waker.
    ///
    /// # Errors
    /// When the process may not open more files.
    pub(crate) fn new() -> Result<Poller, Errno> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        let waker = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        // Edge-triggered, so that the counter never has to be read: every write is an edge.
        epoll::add(&epoll, &waker, EventData::new_u64(WAKER), EventFlags::IN | EventFlags::ET)?;
        Ok(Poller { epoll, waker: Waker(Arc::new(waker)) })
    }

    /// What wakes the thread that waits.
    pub(crate) fn waker(&self) -> Waker {
        self.waker.clone()
    }

    /// Begins to watch a client's socket; closing the socket ends it.
    ///
    /// # Errors
    /// When the kernel refuses, for lack of memory or watches.
    pub(crate) fn add(&self, socket: &Socket, client: u32, watch: Watch) -> Result<(), Errno> {
        epoll::add(&self.epoll, socket.fd(), EventData::new_u64(client.into()), watch.flags())
    }

    /// Changes what a client's socket is watched for.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub(crate) fn change(&self, socket: &Socket, client: u32, watch: Watch) -> Result<(), Errno> {
        epoll::modify(&self.epoll, socket.fd(), EventData::new_u64(client.into()), watch.flags())
    }

    /// Waits until something is ready, the waker is used, or so many nanoseconds have passed (rounded up to milliseconds).
    ///
    /// # Errors
    /// None that a correct program can cause.
    #[inline]
    pub(crate) fn wait(&self, batch: &mut Batch, timeout_ns: u64) -> Result<(), Errno> {
        batch.0.clear();
        let milliseconds = timeout_ns.div_ceil(1_000_000).min(60_000) as i64;
        let timeout = Timespec { tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000 };
        match epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut batch.0), Some(&timeout)) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

impl Watch {
    fn flags(self) -> EventFlags {
        let read = EventFlags::IN | EventFlags::RDHUP | EventFlags::ET;
        match self {
            Watch::Read => read,
            Watch::ReadAndWrite => read | EventFlags::OUT,
        }
    }
}

impl Waker {
    /// Wakes the thread now, or as soon as it waits.
    pub(crate) fn wake(&self) {
        // Fails only if the counter is about to overflow, and then the thread has been woken more than enough.
        let _full = rustix::io::write(&*self.0, &1u64.to_ne_bytes());
    }
}
