//! How the clients of a load, and the arrivals of an open one, are divided among threads.

use std::sync::Arc;

/// Which part of the clients a thread has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClientShare {
    pub(crate) clients: u32,
    pub(crate) threads: u32,
    pub(crate) thread: u32,
}

impl ClientShare {
    /// The numbers of the thread's clients: parts that differ by one at most, in order.
    pub(crate) fn client_range(&self) -> std::ops::Range<u32> {
        let [from, to] = [self.thread, self.thread + 1]
            .map(|thread| (u64::from(self.clients) * u64::from(thread) / u64::from(self.threads)) as u32);
        from..to
    }

    /// Deals out as many arrivals as there are clients, as evenly as it goes: the i-th of a thread with n clients comes
    /// where (2 i + 1) / n is in the order of all.
    pub(crate) fn deal_turns(&self) -> Arc<[bool]> {
        let mut turns: Vec<(u64, u64, u32)> = (0..self.threads)
            .flat_map(|thread| {
                let n = ClientShare { thread, ..*self }.client_range().len() as u64;
                (0..n).map(move |i| (2 * i + 1, n, thread))
            })
            .collect();
        turns.sort_by_key(|&(_, _, thread)| thread);
        turns.sort_by(|(left, left_n, _), (right, right_n, _)| (left * right_n).cmp(&(right * left_n)));
        turns.into_iter().map(|(_, _, thread)| thread == self.thread).collect()
    }
}
