//! The scheduler's account of the calling thread, from `/proc/thread-self/schedstat` (the kernel's
//! Documentation/scheduler/sched-stats.rst). Absent where the kernel does not keep it.

use std::fs::File;
use std::os::unix::fs::FileExt;

/// The file, open for the thread that opened it.
#[derive(Debug)]
pub(crate) struct Schedstat(Option<File>);

/// What the scheduler has counted of a thread since its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scheduled {
    /// Nanoseconds in which it could have run and waited for a CPU.
    pub(crate) run_delay_ns: u64,
    /// How often it was given a CPU.
    pub(crate) slices: u64,
}

impl Schedstat {
    /// Of the calling thread.
    pub(crate) fn open() -> Schedstat {
        Schedstat(File::open("/proc/thread-self/schedstat").ok())
    }

    /// As it is now. Allocates nothing.
    pub(crate) fn read_scheduled(&self) -> Option<Scheduled> {
        let mut line = [0; 128];
        let length = self.0.as_ref()?.read_at(&mut line, 0).ok()?;
        parse_schedstat_line(&line[..length])
    }
}

/// Of three numbers the second and the third; the first, time on a CPU, is behind by up to a tick.
fn parse_schedstat_line(line: &[u8]) -> Option<Scheduled> {
    let mut numbers = str::from_utf8(line).ok()?.split_ascii_whitespace().skip(1);
    Some(Scheduled { run_delay_ns: numbers.next()?.parse().ok()?, slices: numbers.next()?.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_delay_and_slices_are_the_second_and_the_third_number() {
        assert_eq!(parse_schedstat_line(b"250178 7041 12\n"), Some(Scheduled { run_delay_ns: 7041, slices: 12 }));
        assert_eq!(parse_schedstat_line(b"0 1"), None);
    }
}
