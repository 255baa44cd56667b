//! perf_event_open(2): an event that takes a sample after each period of CPU time, and the ring buffer into which the
//! kernel writes its records.
//!
//! The event is the kernel's CPU clock, a timer of software, which virtual machines without performance counters have
//! too. All of the crate's unsafe code is here; what the records mean is in `sample_record.rs`.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::{addr_of, addr_of_mut, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};

use perf_event_open_sys::bindings::{
    PERF_COUNT_SW_CPU_CLOCK, PERF_FLAG_FD_CLOEXEC, PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_IP, PERF_SAMPLE_TID,
    PERF_SAMPLE_TIME, PERF_TYPE_SOFTWARE, perf_event_attr, perf_event_mmap_page,
};
use perf_event_open_sys::{ioctls, perf_event_open};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

/// Frames of one stack at most.
const FRAMES: u16 = 48;

/// Which processes an event samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SampledProcess {
    /// Every process.
    Every,
    /// This one, and those that it starts from now on.
    WithChildren(u32),
}

/// What to take samples of.
#[derive(Debug, Clone, Copy)]
pub(super) struct EventSampling {
    /// Samples per second of CPU time.
    pub(super) frequency_hz: u32,
    /// Whether time in the kernel is sampled.
    pub(super) kernel: bool,
}

/// An event on one CPU; it samples until it is dropped.
pub(super) struct SamplingEvent {
    fd: OwnedFd,
}

impl SamplingEvent {
    /// Begins to sample.
    ///
    /// # Errors
    /// That of the kernel: `EACCES` or `EPERM` without the right, `ESRCH` when the process has ended, `ENODEV` when the
    /// CPU is off.
    pub(super) fn begin_sampling(process: SampledProcess, cpu: u32, sampling: EventSampling) -> io::Result<Self> {
        let (pid, inherit) = match process {
            SampledProcess::Every => (-1, 0),
            SampledProcess::WithChildren(pid) => (pid.cast_signed(), 1),
        };
        let mut attributes = perf_event_attr {
            type_: PERF_TYPE_SOFTWARE,
            size: size_of::<perf_event_attr>() as u32,
            config: u64::from(PERF_COUNT_SW_CPU_CLOCK),
            sample_type: u64::from(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN),
            sample_max_stack: FRAMES,
            ..perf_event_attr::default()
        };
        attributes.__bindgen_anon_1.sample_freq = u64::from(sampling.frequency_hz);
        attributes.set_freq(1);
        attributes.set_inherit(inherit);
        attributes.set_exclude_idle(1);
        attributes.set_exclude_hv(1);
        attributes.set_exclude_guest(1);
        attributes.set_exclude_kernel(u64::from(!sampling.kernel));
        attributes.set_exclude_callchain_kernel(u64::from(!sampling.kernel));
        // Records of processes that begin: one of which a sample was taken may have ended when it is read.
        attributes.set_task(1);
        // SAFETY: the attributes are a whole structure of the size that they give; the kernel reads them only.
        let fd = unsafe {
            perf_event_open(&raw mut attributes, pid, cpu.cast_signed(), -1, u64::from(PERF_FLAG_FD_CLOEXEC))
        };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the kernel has just made this descriptor, and nobody else has it.
        Ok(Self { fd: unsafe { OwnedFd::from_raw_fd(fd) } })
    }

    /// Writes its records into the ring buffer of another event on the same CPU.
    ///
    /// # Errors
    /// That of the kernel.
    pub(super) fn write_into(&self, ring: &RecordRing) -> io::Result<()> {
        // SAFETY: both descriptors are open events.
        let status = unsafe { ioctls::SET_OUTPUT(self.fd.as_raw_fd(), ring.event.fd.as_raw_fd()) };
        if status < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}

/// The ring buffer of an event, with the event.
pub(super) struct RecordRing {
    event: SamplingEvent,
    base: *mut perf_event_mmap_page,
    /// Bytes of records; a power of two.
    capacity: usize,
    page: usize,
}

// SAFETY: the mapping belongs to this value alone, whichever thread has it.
unsafe impl Send for RecordRing {}

impl RecordRing {
    /// A ring buffer for `capacity` bytes of records at least.
    ///
    /// # Errors
    /// That of the kernel: `EPERM` where more memory would be locked than `kernel.perf_event_mlock_kb` and
    /// `RLIMIT_MEMLOCK` allow.
    pub(super) fn of_event(event: SamplingEvent, capacity: usize) -> io::Result<Self> {
        let page = rustix::param::page_size();
        let capacity = capacity.next_power_of_two().max(page);
        // SAFETY: a new mapping at an address of the kernel's choice, of an event's descriptor.
        let base = unsafe {
            mmap(null_mut(), page + capacity, ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED, &event.fd, 0)
        }?;
        Ok(Self { event, base: base.cast(), capacity, page })
    }

    /// Moves the records that have been written since the last call behind `records`.
    pub(super) fn take_records(&mut self, records: &mut Vec<u8>) {
        // SAFETY: the first page of the mapping is this structure, which lives as long as `self`. Both fields are
        // aligned, and kernel and reader pass them to each other by atomic accesses.
        let (head, tail) = unsafe {
            let head = AtomicU64::from_ptr(addr_of_mut!((*self.base).data_head)).load(Ordering::Acquire);
            (head, addr_of!((*self.base).data_tail).read())
        };
        let waiting = usize::try_from(head.wrapping_sub(tail)).unwrap_or(usize::MAX).min(self.capacity);
        let start = usize::try_from(tail % self.capacity as u64).unwrap_or(0);
        let until_end = waiting.min(self.capacity - start);
        // SAFETY: the records lie in the mapping behind its first page, and the kernel writes none of these bytes
        // before the tail has passed them.
        unsafe {
            let data = self.base.cast::<u8>().add(self.page);
            records.extend_from_slice(std::slice::from_raw_parts(data.add(start), until_end));
            records.extend_from_slice(std::slice::from_raw_parts(data, waiting - until_end));
            AtomicU64::from_ptr(addr_of_mut!((*self.base).data_tail)).store(head, Ordering::Release);
        }
    }
}

impl Drop for RecordRing {
    fn drop(&mut self) {
        // SAFETY: this is the mapping that was made for it, and no reference into it is left.
        let _ = unsafe { munmap(self.base.cast(), self.page + self.capacity) };
    }
}
