//! How long a client that lost its connection waits before it tries again.

/// Before the first attempt, in nanoseconds.
const FIRST_NS: u64 = 50_000_000;
/// At most, in nanoseconds.
const LONGEST_NS: u64 = 1_000_000_000;

/// The wait before attempt number `attempt` (from 0): 50 ms, doubling to 1 s.
pub(crate) fn wait_ns(attempt: u32) -> u64 {
    FIRST_NS.saturating_mul(1u64.checked_shl(attempt).unwrap_or(u64::MAX)).min(LONGEST_NS)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_wait_doubles_from_50_ms_to_1_s() {
        let waits: Vec<u64> = [0, 1, 2, 3, 4, 5, 63, 64, u32::MAX].map(|n| super::wait_ns(n) / 1_000_000).into();
        assert_eq!(waits, [50, 100, 200, 400, 800, 1000, 1000, 1000, 1000]);
    }
}
