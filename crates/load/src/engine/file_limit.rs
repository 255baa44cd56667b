//! Room for all sockets before the first is opened: a job that would run out of file descriptors in the middle of
//! connecting does not begin.

use crate::error::LoadError;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What the engine and whatever else the process does may open beside the clients' sockets.
const SPARE: u64 = 64;
/// What each thread opens for itself: a poller, a waker, and what it reads of `/proc`.
const PER_THREAD: u64 = 8;

/// Raises the process's limit of open files, as far as the system lets it, to what so many clients and threads need.
///
/// # Errors
/// When it lets it not far enough.
pub(crate) fn ensure_open_file_limit(clients: u32, threads: u32) -> Result<(), LoadError> {
    let open = std::fs::read_dir("/proc/self/fd").map_or(SPARE, |entries| entries.count() as u64);
    let needed = needed_open_files(open, clients, threads);
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    match decide_limit(needed, current, maximum) {
        FileLimitDecision::Enough => Ok(()),
        FileLimitDecision::Raise => setrlimit(Resource::Nofile, Rlimit { current: Some(needed), maximum })
            .map_err(|error| LoadError::System { action: "raise the limit of open files", source: error.into() }),
        FileLimitDecision::TooLow { limit } => Err(LoadError::FileLimit { clients, needed, limit }),
    }
}

fn needed_open_files(open: u64, clients: u32, threads: u32) -> u64 {
    open + u64::from(clients) + PER_THREAD * u64::from(threads) + SPARE
}

#[derive(Debug, PartialEq, Eq)]
enum FileLimitDecision {
    Enough,
    Raise,
    TooLow { limit: u64 },
}

/// `None` is no limit.
fn decide_limit(needed: u64, current: Option<u64>, maximum: Option<u64>) -> FileLimitDecision {
    match (current, maximum) {
        (None, _) => FileLimitDecision::Enough,
        (Some(current), _) if needed <= current => FileLimitDecision::Enough,
        (Some(_), Some(limit)) if needed > limit => FileLimitDecision::TooLow { limit },
        (Some(_), _) => FileLimitDecision::Raise,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_raised_only_if_need_be_and_only_if_it_may_be() {
        for (needed, current, maximum, expected) in [
            (5_000, Some(1_024), Some(524_288), FileLimitDecision::Raise),
            (5_000, Some(1_024), None, FileLimitDecision::Raise),
            (1_024, Some(1_024), Some(1_024), FileLimitDecision::Enough),
            (5_000, None, None, FileLimitDecision::Enough),
            (5_000, Some(1_024), Some(4_096), FileLimitDecision::TooLow { limit: 4_096 }),
        ] {
            assert_eq!(decide_limit(needed, current, maximum), expected, "{needed} of {current:?} and {maximum:?}");
        }
        assert_eq!(needed_open_files(10, 5_000, 2), 5_090);
    }
}
