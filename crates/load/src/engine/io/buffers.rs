//! The memory that the kernel receives into: equal buffers in a ring that both sides share.
//!
//! The kernel takes a buffer when bytes arrive and says which; it gets it back when they have been read. So a
//! connection that waits for an answer holds no memory for it.
#![allow(unsafe_code)]

use io_uring::Submitter;
use io_uring::types::BufRingEntry;
use rustix::io::Errno;
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
use std::ffi::c_void;
use std::sync::atomic::{AtomicU16, Ordering};

/// How many; a power of two, as the kernel asks.
const COUNT: u16 = 512;
/// Bytes of each: a page but for a line of the processor's cache,
/// so that they do not all begin in the same place of it.
const BYTES: usize = 4096 - 64;
/// The number by which requests name this ring.
pub(super) const GROUP: u16 = 0;

const ENTRIES_BYTES: usize = COUNT as usize * size_of::<BufRingEntry>();
const MAPPED_BYTES: usize = ENTRIES_BYTES + COUNT as usize * BYTES;

/// A ring of buffers.
#[derive(Debug)]
pub(super) struct Buffers {
    /// The entries, and behind them the buffers.
    memory: *mut c_void,
    /// Buffers that the kernel was given, ever, modulo 2^16.
    given: u16,
}

// SAFETY: the memory belongs to this value alone, and to the kernel by the rules of the ring.
unsafe impl Send for Buffers {}

impl Buffers {
    /// Maps the memory and gives all buffers to the kernel.
    pub(super) fn new(submitter: &Submitter<'_>) -> Result<Buffers, Errno> {
        // SAFETY: a new private mapping, placed by the kernel.
        let memory = unsafe {
            mmap_anonymous(
                std::ptr::null_mut(),
                MAPPED_BYTES,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::PRIVATE | MapFlags::POPULATE,
            )?
        };
        let mut buffers = Buffers { memory, given: 0 };
        // SAFETY: page-aligned and large enough for the entries; it stays mapped until the ring, which is dropped
        // first, is gone.
        unsafe { submitter.register_buf_ring_with_flags(memory as u64, COUNT, GROUP, 0) }
            .map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::INVAL))?;
        for number in 0..COUNT {
            buffers.give_to_kernel(number);
        }
        Ok(buffers)
    }

    /// The first `count` bytes of a buffer that the kernel has filled and not been given back.
    #[inline]
    pub(super) fn filled_bytes(&self, number: u16, count: usize) -> &[u8] {
        debug_assert!(number < COUNT && count <= BYTES);
        // SAFETY: within the mapping, initialised by the mapping,
        // and the kernel does not write into what it does not have.
        unsafe { std::slice::from_raw_parts(self.buffer_address(number), count) }
    }

    /// Gives a buffer (back) to the kernel.
    #[inline]
    pub(super) fn give_to_kernel(&mut self, number: u16) {
        let entries = self.memory.cast::<BufRingEntry>();
        // SAFETY: the index is within the ring; the kernel reads the entry only after the tail has passed it. The tail
        // is where the crate says it is in the first entry.
        unsafe {
            let entry = &mut *entries.add(usize::from(self.given & (COUNT - 1)));
            entry.set_addr(self.buffer_address(number) as u64);
            entry.set_len(BYTES as u32);
            entry.set_bid(number);
            self.given = self.given.wrapping_add(1);
            let tail = BufRingEntry::tail(entries).cast::<AtomicU16>();
            (*tail).store(self.given, Ordering::Release);
        }
    }

    #[inline]
    fn buffer_address(&self, number: u16) -> *mut u8 {
        // SAFETY: within the mapping for every number below COUNT.
        unsafe { self.memory.cast::<u8>().add(ENTRIES_BYTES + usize::from(number) * BYTES) }
    }
}

impl Drop for Buffers {
    fn drop(&mut self) {
        // SAFETY: mapped in `new` with this length, and the ring that knew it is gone.
        let _unmapped = unsafe { munmap(self.memory, MAPPED_BYTES) };
    }
}
