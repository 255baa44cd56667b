//! The receive buffer: filled at the end by a socket, consumed at the front by the decoder, compacted for free.

use crate::memory::SpareBuffers;

/// The least that is received into; enough for the answers of short statements.
const INITIAL: usize = 4 << 10;

/// Bytes received and not yet consumed.
#[derive(Debug)]
pub(crate) struct Input {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
}

impl Input {
    /// Nothing, and no memory.
    pub(crate) fn new() -> Input {
        Input { buffer: Vec::new(), start: 0, end: 0 }
    }

    /// Takes memory from `spare` if it has none.
    #[inline]
    pub(crate) fn borrow(&mut self, spare: &mut SpareBuffers) {
        spare.lend_memory(&mut self.buffer);
    }

    /// Gives its memory to `spare` if nothing is buffered.
    #[inline]
    pub(crate) fn give_back(&mut self, spare: &mut SpareBuffers) {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            spare.take_back(&mut self.buffer);
        }
    }

    /// What is buffered.
    #[inline]
    pub(crate) fn buffered_bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// The same, for a decoder that works in place.
    #[inline]
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.buffer[self.start..self.end]
    }

    /// Room to receive into, never empty.
    #[inline]
    pub(crate) fn receive_buffer(&mut self) -> &mut [u8] {
        if self.end == self.buffer.len() {
            self.make_room();
        }
        &mut self.buffer[self.end..]
    }

    /// `count` bytes of `spare` have been filled.
    #[inline]
    pub(crate) fn mark_filled(&mut self, count: usize) {
        self.end = (self.end + count).min(self.buffer.len());
    }

    /// Copies bytes in that came by another way than [`receive_buffer`](Self::receive_buffer).
    pub(crate) fn append_bytes(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let spare = self.receive_buffer();
            let count = spare.len().min(bytes.len());
            let (now, later) = bytes.split_at(count);
            spare[..count].copy_from_slice(now);
            self.mark_filled(count);
            bytes = later;
        }
    }

    /// The first `count` buffered bytes are done with.
    #[inline]
    pub(crate) fn consume_bytes(&mut self, count: usize) {
        self.start = (self.start + count).min(self.end);
        if self.start == self.end {
            // The usual case between two exchanges: start again at the front, in memory that is warm.
            self.start = 0;
            self.end = 0;
        }
    }

    /// Gives back what it has grown by, if nothing is buffered.
    pub(crate) fn shrink_if_empty(&mut self) {
        if self.start == self.end {
            self.buffer.truncate(INITIAL);
            self.buffer.shrink_to_fit();
        }
    }

    #[cold]
    fn make_room(&mut self) {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        } else {
            self.buffer.resize((self.buffer.len() * 2).max(INITIAL), 0);
        }
    }
}
