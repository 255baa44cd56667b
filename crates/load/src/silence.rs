//! For how long no transaction was acknowledged: to the nanosecond, however many threads there are.
//!
//! Each thread notes its stretches of at least [`SHORTEST`] between two acknowledgements, a hundred a second at most;
//! nothing was acknowledged where the stretches of all threads overlap. Transactions of scripts that write are told
//! apart from all others, since a server that only reads may go on.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What is shorter is no silence.
pub const SHORTEST: Duration = Duration::from_millis(10);

const SHORTEST_NS: u64 = SHORTEST.as_nanos() as u64;

/// Never again.
const NEVER: u64 = u64::MAX;

/// Which transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SilenceKind {
    /// Of a script that has changed a row.
    Write,
    /// Of one that has not.
    Read,
}

const KINDS: [SilenceKind; 2] = [SilenceKind::Write, SilenceKind::Read];

/// A time in which no transaction was acknowledged to any client, in nanoseconds since the job's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SilentPeriod {
    /// The last acknowledgement before it; the job's start before the first one.
    pub start_ns: u64,
    /// The first one after it; `None` if there was none any more.
    pub end_ns: Option<u64>,
}

/// The silences of a run, in the order of time, from its start to the end of its load.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Silences {
    /// Of transactions of scripts that write; `None` where none was acknowledged at all.
    pub writes: Option<Vec<SilentPeriod>>,
    /// Of all other transactions.
    pub reads: Option<Vec<SilentPeriod>>,
}

impl Silences {
    /// Those of several generators together, of each as it saw them: where no transaction was acknowledged to any.
    pub(crate) fn of_parts<'a>(parts: impl Iterator<Item = &'a Silences>) -> Silences {
        let mut whole = Silences::default();
        for part in parts {
            whole.writes = shared_silences(whole.writes.take(), part.writes.clone());
            whole.reads = shared_silences(whole.reads.take(), part.reads.clone());
        }
        whole
    }

    /// Those of all transactions together; `None` where none was acknowledged at all.
    pub fn of_all(&self) -> Option<Vec<SilentPeriod>> {
        let shared = match (&self.writes, &self.reads) {
            (Some(writes), Some(reads)) => intersect_stretches(&stretches_of(writes), &stretches_of(reads)),
            (Some(only), None) | (None, Some(only)) => stretches_of(only),
            (None, None) => return None,
        };
        Some(shared.into_iter().map(SilentPeriod::from_stretch).collect())
    }
}

impl SilentPeriod {
    fn from_stretch((start_ns, end_ns): AcknowledgementStretch) -> SilentPeriod {
        SilentPeriod { start_ns, end_ns: (end_ns != NEVER).then_some(end_ns) }
    }
}

/// What two lists of silences share; who has had no acknowledgement at all was silent all the time.
fn shared_silences(one: Option<Vec<SilentPeriod>>, other: Option<Vec<SilentPeriod>>) -> Option<Vec<SilentPeriod>> {
    let (Some(of_one), Some(of_other)) = (&one, &other) else { return one.or(other) };
    let shared = intersect_stretches(&stretches_of(of_one), &stretches_of(of_other)).into_iter();
    let long = shared.filter(|(start_ns, end_ns)| end_ns - start_ns >= SHORTEST_NS);
    Some(long.map(SilentPeriod::from_stretch).collect())
}

fn stretches_of(silences: &[SilentPeriod]) -> Vec<AcknowledgementStretch> {
    silences.iter().map(|silence| (silence.start_ns, silence.end_ns.unwrap_or(NEVER))).collect()
}

/// From one acknowledgement of a thread to its next one.
type AcknowledgementStretch = (u64, u64);

/// What one thread has noted in an interval.
#[derive(Debug)]
pub(crate) struct Noted {
    stretches: [Vec<AcknowledgementStretch>; 2],
    last_ns: [u64; 2],
}

impl Noted {
    /// With room for what a second can bring.
    pub(crate) fn new() -> Noted {
        Noted { stretches: [Vec::with_capacity(128), Vec::with_capacity(128)], last_ns: [0; 2] }
    }

    /// Forgets everything; keeps the memory.
    pub(crate) fn reset(&mut self) {
        self.stretches.iter_mut().for_each(Vec::clear);
    }
}

/// When one thread has last had an acknowledgement; 0 before the first one.
#[derive(Debug, Default)]
pub(crate) struct AcknowledgementListener {
    last_ns: [u64; 2],
}

impl AcknowledgementListener {
    /// A transaction was acknowledged.
    #[inline]
    pub(crate) fn note_acknowledgement(&mut self, kind: SilenceKind, at_ns: u64, noted: &mut Noted) {
        let last_ns = std::mem::replace(&mut self.last_ns[kind as usize], at_ns);
        if at_ns.saturating_sub(last_ns) >= SHORTEST_NS {
            noted.stretches[kind as usize].push((last_ns, at_ns));
        }
    }

    /// The interval is over.
    pub(crate) fn end_interval(&self, noted: &mut Noted) {
        noted.last_ns = self.last_ns;
    }
}

/// What the threads have noted so far.
#[derive(Debug)]
pub(crate) struct Listening {
    threads: Vec<Noted>,
}

impl Listening {
    pub(crate) fn new(threads: usize) -> Listening {
        Listening { threads: (0..threads).map(|_| Noted { stretches: Default::default(), last_ns: [0; 2] }).collect() }
    }

    /// Adds a thread's next interval.
    pub(crate) fn add(&mut self, thread: usize, noted: &Noted) {
        let all = &mut self.threads[thread];
        all.last_ns = noted.last_ns;
        all.stretches.iter_mut().zip(&noted.stretches).for_each(|(all, noted)| all.extend_from_slice(noted));
    }

    /// The silences of all threads together, when the load ended at `end_ns`.
    pub(crate) fn find_silences(&self, end_ns: u64) -> Silences {
        let [writes, reads] = KINDS.map(|kind| self.silences_of_kind(kind as usize, end_ns));
        Silences { writes, reads }
    }

    fn silences_of_kind(&self, kind: usize, load_end_ns: u64) -> Option<Vec<SilentPeriod>> {
        if self.threads.iter().all(|thread| thread.last_ns[kind] == 0) {
            return None;
        }
        let shared = self
            .threads
            .iter()
            .map(|thread| {
                let last = (thread.last_ns[kind], NEVER);
                thread.stretches[kind].iter().copied().chain([last]).collect::<Vec<AcknowledgementStretch>>()
            })
            .reduce(|one, other| intersect_stretches(&one, &other))?;
        // The last one lasts until the load ends: between two transactions, as a rule.
        Some(
            shared
                .into_iter()
                .filter(|(start, end)| (*end).min(load_end_ns).saturating_sub(*start) >= SHORTEST_NS)
                .map(SilentPeriod::from_stretch)
                .collect(),
        )
    }
}

/// What two lists of stretches share, each in the order of time.
fn intersect_stretches(
    one: &[AcknowledgementStretch],
    other: &[AcknowledgementStretch],
) -> Vec<AcknowledgementStretch> {
    let (mut shared, mut i, mut k) = (Vec::new(), 0, 0);
    while let (Some(a), Some(b)) = (one.get(i), other.get(k)) {
        let (start, end) = (a.0.max(b.0), a.1.min(b.1));
        if start < end {
            shared.push((start, end));
        }
        if a.1 <= b.1 { i += 1 } else { k += 1 }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The silences of threads with acknowledgements at these instants, in milliseconds, an interval each second, in a
    /// load that ends at `end_ms`.
    fn heard(threads: &[Vec<u64>], end_ms: u64) -> Silences {
        let mut listening = Listening::new(threads.len());
        for (thread, instants) in threads.iter().enumerate() {
            let mut listener = AcknowledgementListener::default();
            for second in 0..4 {
                let mut noted = Noted::new();
                for ms in instants.iter().filter(|ms| **ms / 1_000 == second) {
                    listener.note_acknowledgement(SilenceKind::Write, ms * 1_000_000, &mut noted);
                }
                listener.end_interval(&mut noted);
                listening.add(thread, &noted);
            }
        }
        listening.find_silences(end_ms * 1_000_000)
    }

    proptest! {
        #[test]
        fn threads_together_are_silent_where_one_thread_with_all_acknowledgements_would_be(
            instants in prop::collection::btree_map(1..4_000_u64, 0..3_usize, 1..200),
        ) {
            let of = |thread| instants.iter().filter(|(_, of)| **of == thread).map(|(ms, _)| *ms).collect();
            let apart: Vec<Vec<u64>> = (0..3).map(of).collect();
            let together = heard(&[instants.keys().copied().collect()], 5_000);
            prop_assert_eq!(&heard(&apart, 5_000), &together);
            let writes = together.writes.expect("some were acknowledged");
            prop_assert_eq!(writes.last().map(|last| (last.start_ns / 1_000_000, last.end_ns)),
                instants.keys().last().map(|ms| (*ms, None)));
            prop_assert!(together.reads.is_none());
        }

        #[test]
        fn generators_together_are_silent_where_one_with_all_their_acknowledgements_would_be(
            instants in prop::collection::btree_map(1..4_000_u64, 0..3_usize, 0..200),
        ) {
            let of = |part| -> Vec<u64> {
                instants.iter().filter(|(_, of)| **of == part).map(|(ms, _)| *ms).collect()
            };
            let parts: Vec<Silences> = (0..3).map(|part| heard(&[of(part)], 5_000)).collect();
            let whole = heard(&[instants.keys().copied().collect()], 5_000);
            prop_assert_eq!(Silences::of_parts(parts.iter()), whole);
        }
    }

    #[test]
    fn of_all_transactions_is_silent_what_neither_reads_nor_writes() {
        let silence = |start_ns, end_ns| SilentPeriod { start_ns, end_ns };
        let writes = Some(vec![silence(100, Some(500)), silence(900, None)]);
        let reads = Some(vec![silence(50, Some(200)), silence(300, Some(1_000)), silence(1_200, None)]);
        let all = Silences { writes: writes.clone(), reads }.of_all();
        let shared =
            [silence(100, Some(200)), silence(300, Some(500)), silence(900, Some(1_000)), silence(1_200, None)];
        assert_eq!(all.as_deref(), Some(&shared[..]));
        assert_eq!(Silences { writes: writes.clone(), reads: None }.of_all(), writes, "there are no reads");
        assert_eq!(Silences::default().of_all(), None);
    }

    #[test]
    fn a_silence_is_as_long_as_it_was_also_over_the_end_of_a_second() {
        let in_ms = |silence: &SilentPeriod| (silence.start_ns / 1_000_000, silence.end_ns.map(|end| end / 1_000_000));
        let until = |end_ms| {
            let silences = heard(&[vec![5, 900, 1_250, 1_255]], end_ms).writes.expect("acknowledged");
            silences.iter().map(in_ms).collect::<Vec<_>>()
        };
        assert_eq!(until(1_300), [(5, Some(900)), (900, Some(1_250)), (1_255, None)]);
        assert_eq!(until(1_260), [(5, Some(900)), (900, Some(1_250))], "the load ends between two transactions");
    }
}
