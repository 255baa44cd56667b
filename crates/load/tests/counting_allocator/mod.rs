//! The system's allocator, which counts how often all threads together ask it for memory: a new place or a larger one.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) struct CountingAllocator {
    allocations: AtomicUsize,
}

impl CountingAllocator {
    pub(crate) const fn new() -> Self {
        Self { allocations: AtomicUsize::new(0) }
    }

    /// Since the program began.
    pub(crate) fn allocations(&self) -> usize {
        self.allocations.load(Ordering::Relaxed)
    }

    fn count(&self) {
        self.allocations.fetch_add(1, Ordering::Relaxed);
    }
}

// SAFETY: each call is passed on to the system's allocator as it came, so that its promises hold. Counting allocates
// nothing.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.count();
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.count();
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.count();
        // SAFETY: as the caller promises.
        unsafe { System.realloc(place, layout, size) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(place, layout) }
    }
}
