//! Wakes a thread that waits for its sockets.

use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use std::sync::Arc;

/// From any thread, any number of times.
#[derive(Debug, Clone)]
pub(crate) struct Waker(Arc<OwnedFd>);

impl Waker {
    /// A waker that nobody listens to yet.
    ///
    /// # Errors
    /// When the process may not open more files.
    pub(crate) fn new() -> Result<Waker, Errno> {
        eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map(|fd| Waker(Arc::new(fd)))
    }

    /// Wakes the thread now, or as soon as it waits.
    pub(crate) fn wake(&self) {
        // Fails only if the counter is about to overflow, and then the thread has been woken more than enough.
        let _full = rustix::io::write(&*self.0, &1u64.to_ne_bytes());
    }
}

impl AsFd for Waker {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
