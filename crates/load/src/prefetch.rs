//! Asks the processor to fetch memory that is about to be used: with many clients, the kernel and the server have used
//! the caches between two answers to one of them.
#![allow(unsafe_code)]

/// Bytes that a cache holds together.
const LINE: usize = 64;

/// Has a value fetched; does nothing on processors for which there is no portable way to ask.
#[inline]
pub(crate) fn prefetch_value<T: ?Sized>(value: &T) {
    let start = std::ptr::from_ref(value).cast::<i8>();
    for at in (0..size_of_val(value)).step_by(LINE) {
        fetch_line(start.wrapping_add(at));
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn fetch_line(at: *const i8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a hint, which never fails, whatever the address is.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at) }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn fetch_line(_at: *const i8) {}
