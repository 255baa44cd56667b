//! Buffers that connections lend each other: only one that has something buffered needs memory for it.

/// The buffers that no connection needs at present. Who takes one gets the one that was given back last, which is still
/// in the processor's caches.
#[derive(Default)]
pub struct BufferMemory {
    pub(crate) input: SpareBuffers,
    pub(crate) output: SpareBuffers,
}

impl std::fmt::Debug for BufferMemory {
    /// Buffers may have held passwords, so that they are not shown.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

/// Buffers of one kind.
#[derive(Default)]
pub(crate) struct SpareBuffers(Vec<Vec<u8>>);

impl SpareBuffers {
    /// Gives `buffer` memory if it has none and there is some.
    #[inline]
    pub(crate) fn lend_memory(&mut self, buffer: &mut Vec<u8>) {
        if buffer.capacity() == 0
            && let Some(spare) = self.0.pop()
        {
            *buffer = spare;
        }
    }

    /// Takes the memory of `buffer`, if it has any.
    #[inline]
    pub(crate) fn take_back(&mut self, buffer: &mut Vec<u8>) {
        if buffer.capacity() > 0 {
            self.0.push(std::mem::take(buffer));
        }
    }
}
