//! Which way of talking to the kernel serves a job best.

use super::{KernelInterface, Ring, Waker};
use crate::error::LoadError;
use crate::job::IoBackend;

/// From so many clients a thread on, `io_uring` costs less CPU per transaction than epoll; see `docs/benchmarks.md`.
const RING_FROM: usize = 8;

/// What a job with so many clients on a thread uses.
///
/// # Errors
/// When `io_uring` is asked for and the kernel does not have it or forbids it.
pub(crate) fn choose_backend(backend: IoBackend, clients_per_thread: usize) -> Result<KernelInterface, LoadError> {
    match backend {
        IoBackend::Epoll => Ok(KernelInterface::Epoll),
        IoBackend::Auto if clients_per_thread >= RING_FROM && try_io_uring().is_ok() => Ok(KernelInterface::IoUring),
        IoBackend::Auto => Ok(KernelInterface::Epoll),
        IoBackend::IoUring => try_io_uring()
            .map_err(|error| LoadError::System { action: "use io_uring", source: error.into() })
            .map(|()| KernelInterface::IoUring),
    }
}

/// Why this process may not use `io_uring`; none where it may.
pub fn io_uring_refused() -> Option<String> {
    try_io_uring().err().map(|error| std::io::Error::from(error).to_string())
}

/// Old kernels lack what is needed, and containers often forbid it: the way to know is to try.
fn try_io_uring() -> Result<(), rustix::io::Errno> {
    Ring::new(&Waker::new()?, 1).map(drop)
}
