//! One generator's part of a load that several generators send together. Plain data, and the instants at which all of
//! them begin and end, which are told while the load is under way.
//!
//! The clients of a job are divided into contiguous ranges, and keep their numbers: what a client executes depends on
//! the seed and its number, wherever it runs. An open loop keeps its one schedule, whose arrivals are dealt out over
//! the threads of all generators as they are over the threads of one.

use crate::engine::ClientShare;
use crate::job::EngineJob;
use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime};

/// A part of a load.
#[derive(Debug, Clone)]
pub struct GeneratorPart {
    /// The generator's number, from 0; below `count`.
    pub number: u32,
    /// How many generators there are. Each must have a client of every side.
    pub count: NonZeroU32,
    /// The instant from which all of them count, by the clock of this one.
    pub zero: Instant,
    /// The same instant on the wall clock, the same on all of them.
    pub started_at: SystemTime,
    /// When all of them begin and end.
    pub instants: SharedInstants,
}

/// When the generators of a load begin and end it, as soon as that is told.
#[derive(Debug, Clone, Default)]
pub struct SharedInstants(Arc<Mutex<ToldInstants>>);

#[derive(Debug, Default)]
struct ToldInstants {
    begin: Option<Instant>,
    end: Option<Instant>,
}

impl SharedInstants {
    /// All clients are connected everywhere, and the load begins at this instant.
    pub fn set_begin(&self, at: Instant) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).begin = Some(at);
    }

    /// The load ends with the second that is under way at this instant.
    pub fn set_end(&self, at: Instant) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).end = Some(at);
    }

    pub(crate) fn begin_instant(&self) -> Option<Instant> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).begin
    }

    pub(crate) fn end_instant(&self) -> Option<Instant> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).end
    }
}

/// The numbers of the clients that a generator has, of so many.
pub fn clients_of_part(clients: NonZeroU32, number: u32, count: NonZeroU32) -> Range<u32> {
    ClientShare { clients: clients.get(), threads: count.get(), thread: number }.client_range()
}

impl EngineJob {
    /// The numbers of the clients that this generator has; all of them where it is alone.
    pub fn own_clients(&self) -> Range<u32> {
        self.share_of_thread(1, 0).client_range()
    }

    /// The most threads that a generator can have, each with a client: the same number on all generators.
    pub(crate) fn threads_at_most(&self) -> u32 {
        self.clients.get() / self.part.as_ref().map_or(1, |part| part.count.get())
    }

    /// The part of the clients that a thread has, of so many on each generator.
    pub(crate) fn share_of_thread(&self, threads: u32, thread: u32) -> ClientShare {
        let (number, count) = self.part.as_ref().map_or((0, 1), |part| (part.number, part.count.get()));
        ClientShare { clients: self.clients.get(), threads: threads * count, thread: number * threads + thread }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::ParsedScript;
    use conninfo::{ConnInfo, ServerHost};
    use proptest::prelude::*;

    fn job(clients: u32, number: u32, count: u32) -> EngineJob {
        let server = ConnInfo::new((ServerHost::Unix("/nowhere".into()), 1), "nobody", "nothing");
        let part = GeneratorPart {
            number,
            count: NonZeroU32::new(count).expect("not zero"),
            zero: Instant::now(),
            started_at: SystemTime::UNIX_EPOCH,
            instants: SharedInstants::default(),
        };
        let script = ParsedScript::parse("one", "SELECT 1;").expect("it parses");
        let clients = NonZeroU32::new(clients).expect("not zero");
        EngineJob { clients, part: Some(part), ..EngineJob::new(server, script) }
    }

    proptest! {
        #[test]
        fn every_client_is_on_one_thread_of_one_generator_and_no_thread_is_without(
            count in 1u32..9, more in 0u32..60, threads in 1u32..9,
        ) {
            let clients = count + more;
            let mut all = Vec::new();
            for number in 0..count {
                let job = job(clients, number, count);
                let threads = threads.min(job.threads_at_most());
                let mut own = Vec::new();
                for thread in 0..threads {
                    let range = job.share_of_thread(threads, thread).client_range();
                    prop_assert!(!range.is_empty());
                    own.extend(range);
                }
                prop_assert_eq!(&own, &job.own_clients().collect::<Vec<u32>>());
                all.extend(own);
            }
            prop_assert_eq!(all, (0..clients).collect::<Vec<u32>>());
        }
    }
}
