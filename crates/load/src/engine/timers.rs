//! When which client of a thread is to be called.
//!
//! Each client has at most one timer, its earliest; a client that is called looks at what is due and has itself called
//! again for the rest. So a deadline that keeps moving further away, as a limit on every statement does, costs one
//! comparison and no work on the heap. All memory is taken at the start. Cancelling is left out: a call that is no
//! longer wanted finds nothing due.

use crate::engine::clock::NEVER;

/// A client that is not in the heap.
const NOWHERE: u32 = u32::MAX;

/// The timers of one thread's clients: a binary heap that knows where in it each client is.
#[derive(Debug)]
pub(crate) struct Timers {
    /// When each client is called; meaningful for those in the heap.
    at_ns: Vec<u64>,
    /// Where in the heap each client is, or `NOWHERE`.
    place: Vec<u32>,
    /// Clients, none before the one at half its index.
    heap: Vec<u32>,
}

impl Timers {
    /// No timers yet, for so many clients.
    pub(crate) fn new(clients: usize) -> Timers {
        Timers { at_ns: vec![NEVER; clients], place: vec![NOWHERE; clients], heap: Vec::with_capacity(clients) }
    }

    /// Has `client` called at `at_ns`, unless it is called earlier anyway.
    #[inline]
    pub(crate) fn call_at(&mut self, client: u32, at_ns: u64) {
        let place = self.place[client as usize];
        if place != NOWHERE && self.at_ns[client as usize] <= at_ns || at_ns == NEVER {
            return;
        }
        self.at_ns[client as usize] = at_ns;
        let place = if place == NOWHERE {
            self.heap.push(client);
            self.heap.len() - 1
        } else {
            place as usize
        };
        self.sift_up(place);
    }

    /// When the next client is to be called; `NEVER` without any.
    #[inline]
    pub(crate) fn next_ns(&self) -> u64 {
        self.heap.first().map_or(NEVER, |&client| self.at_ns[client as usize])
    }

    /// Takes out the client that was to be called first, if that is due at `now_ns`.
    #[inline]
    pub(crate) fn take_due_client(&mut self, now_ns: u64) -> Option<u32> {
        if self.next_ns() > now_ns {
            return None;
        }
        let client = self.heap.first().copied()?;
        self.place[client as usize] = NOWHERE;
        let last = self.heap.pop()?;
        if last != client {
            self.heap[0] = last;
            self.sift_down(0);
        }
        Some(client)
    }

    fn due_ns_at(&self, place: usize) -> u64 {
        self.at_ns[self.heap[place] as usize]
    }

    /// Moves what is at `place` towards the root as far as it belongs.
    fn sift_up(&mut self, mut place: usize) {
        while place > 0 && self.due_ns_at(place) < self.due_ns_at((place - 1) / 2) {
            self.swap_places(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
        self.place[self.heap[place] as usize] = place as u32;
    }

    /// Moves what is at `place` away from the root as far as it belongs.
    fn sift_down(&mut self, mut place: usize) {
        loop {
            let children = 2 * place + 1..self.heap.len().min(2 * place + 3);
            match children.min_by_key(|&child| self.due_ns_at(child)) {
                Some(child) if self.due_ns_at(child) < self.due_ns_at(place) => {
                    self.swap_places(place, child);
                    place = child;
                }
                Some(_) | None => break,
            }
        }
        self.place[self.heap[place] as usize] = place as u32;
    }

    /// Exchanges two places; the one at `moving` moves on, so that only the other's place is final.
    fn swap_places(&mut self, moving: usize, other: usize) {
        self.heap.swap(moving, other);
        self.place[self.heap[moving] as usize] = moving as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn clients_are_called_in_the_order_of_their_instants() {
        let mut timers = Timers::new(3);
        timers.call_at(0, 30);
        timers.call_at(1, 10);
        timers.call_at(2, 20);
        assert_eq!(timers.next_ns(), 10);
        assert_eq!(
            [
                timers.take_due_client(9),
                timers.take_due_client(20),
                timers.take_due_client(20),
                timers.take_due_client(20)
            ],
            [None, Some(1), Some(2), None]
        );
        assert_eq!((timers.take_due_client(99), timers.take_due_client(99), timers.next_ns()), (Some(0), None, NEVER));
    }

    #[test]
    fn a_timer_moves_only_towards_the_present() {
        let mut timers = Timers::new(1);
        timers.call_at(0, 10);
        timers.call_at(0, 20);
        assert_eq!(timers.next_ns(), 10);
        timers.call_at(0, 5);
        assert_eq!((timers.take_due_client(5), timers.take_due_client(99)), (Some(0), None));
    }

    #[test]
    fn never_is_no_timer() {
        let mut timers = Timers::new(1);
        timers.call_at(0, NEVER);
        assert_eq!((timers.next_ns(), timers.take_due_client(NEVER)), (NEVER, None));
    }

    proptest! {
        /// Against a map from client to its earliest instant.
        #[test]
        fn the_heap_does_what_a_sorted_list_would(
            steps in prop::collection::vec((0u32..12, 0u64..100, prop::bool::weighted(0.3)), 0..200),
        ) {
            let mut timers = Timers::new(12);
            let mut expected: BTreeMap<u32, u64> = BTreeMap::new();
            for (client, ns, call) in steps {
                if call {
                    let first = expected.values().min().copied();
                    prop_assert_eq!(timers.next_ns(), first.unwrap_or(NEVER));
                    match timers.take_due_client(ns) {
                        None => prop_assert!(first.is_none_or(|first| first > ns)),
                        Some(called) => prop_assert_eq!(expected.remove(&called), first.filter(|&first| first <= ns)),
                    }
                } else {
                    timers.call_at(client, ns);
                    let earliest = expected.entry(client).or_insert(ns);
                    *earliest = ns.min(*earliest);
                }
            }
        }
    }
}
