//! System V shared memory by its id: how many use it, how it begins, its removal.
//!
//! The only unsafe code here; no crate of the workspace has these calls.
#![allow(unsafe_code)]

use std::io;
use std::mem::MaybeUninit;
use std::ptr;

/// How many processes are attached to a segment; none if there is no such segment.
///
/// # Errors
/// It belongs to somebody else.
pub(super) fn count_attached_processes(id: i32) -> io::Result<Option<u64>> {
    let mut status = MaybeUninit::<libc::shmid_ds>::uninit();
    // SAFETY: the kernel writes one `shmid_ds` to the address, which has room for it, or fails.
    let outcome = unsafe { libc::shmctl(id, libc::IPC_STAT, status.as_mut_ptr()) };
    if outcome == 0 {
        // SAFETY: the call has succeeded, so it has been written.
        return Ok(Some(unsafe { status.assume_init() }.shm_nattch));
    }
    ignore_absent_segment(io::Error::last_os_error()).map(|()| None)
}

/// The first bytes of a segment; none if there is no such segment.
///
/// # Errors
/// It may not be read, or is shorter.
pub(super) fn read_first_bytes<const LENGTH: usize>(id: i32) -> io::Result<Option<[u8; LENGTH]>> {
    let mut status = MaybeUninit::<libc::shmid_ds>::uninit();
    // SAFETY: as in `attached`.
    if unsafe { libc::shmctl(id, libc::IPC_STAT, status.as_mut_ptr()) } != 0 {
        return ignore_absent_segment(io::Error::last_os_error()).map(|()| None);
    }
    // SAFETY: the call has succeeded, so it has been written.
    if unsafe { status.assume_init() }.shm_segsz < LENGTH {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    // SAFETY: the kernel chooses the address; the segment is only read.
    let address = unsafe { libc::shmat(id, ptr::null(), libc::SHM_RDONLY) };
    if address as isize == -1 {
        return ignore_absent_segment(io::Error::last_os_error()).map(|()| None);
    }
    // SAFETY: it is mapped until it is detached below, readable, and at least LENGTH bytes long: the size of a segment
    // does not change, and it stays while it is attached.
    let bytes = unsafe { ptr::read_volatile(address.cast::<[u8; LENGTH]>()) };
    // SAFETY: the address is the one that was attached, and nothing refers to it any more.
    let detached = unsafe { libc::shmdt(address) };
    if detached == 0 { Ok(Some(bytes)) } else { Err(io::Error::last_os_error()) }
}

/// Removes a segment; one that is gone is no error.
///
/// # Errors
/// It belongs to somebody else.
pub(super) fn remove_segment(id: i32) -> io::Result<()> {
    // SAFETY: this call takes no address.
    let outcome = unsafe { libc::shmctl(id, libc::IPC_RMID, ptr::null_mut()) };
    if outcome == 0 { Ok(()) } else { ignore_absent_segment(io::Error::last_os_error()) }
}

/// No error if there is no such segment: never made, or marked to go.
fn ignore_absent_segment(error: io::Error) -> io::Result<()> {
    match error.raw_os_error() {
        Some(libc::EINVAL | libc::EIDRM) => Ok(()),
        _ => Err(error),
    }
}
