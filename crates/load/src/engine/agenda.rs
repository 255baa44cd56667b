//! What the clients of one thread do when they are free: begin a transaction, pause, wait for an arrival, or stop. Pure
//! but for its own counts; the present is an argument.
//!
//! In an open loop the thread has one queue of arrivals, and a client that is free takes the first; who was free
//! longest takes the next one to come. A queue per client would let arrivals wait for a busy client while another is
//! free, which is an accident of the assignment and not the server's doing. A queue over all threads would need a lock
//! in the steady state; dealing the arrivals out in turn keeps the threads' loads equal instead.
//!
//! The queue is nothing but two readers of the same schedule, the arrivals that have come and those that have been
//! taken: however many wait, it needs no memory.

use crate::engine::client_share::ClientShare;
use crate::engine::clock::{NEVER, duration_to_ns};
use crate::engine::pacer::{Pacer, draw_exponential};
use crate::engine::session_agenda::SessionAgenda;
use crate::engine::start::{TransactionStart, WaitedFor};
use crate::engine::timetable::Timetable;
use crate::extent::JobExtent;
use crate::job::EngineJob;
use crate::listed::{ListProgress, ListedTransaction};
use crate::pace::TransactionPace;
use std::collections::VecDeque;
use std::sync::Arc;
use work::{Random, Think};

/// Sets the random numbers of pauses apart from the scripts'.
const SALT: u64 = 0x7061_7573_6573_2121;

/// What a client does that is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NextClientAction {
    /// Begins a transaction.
    Begin(TransactionStart),
    /// Nothing until this instant, and then begins one.
    Pause { until_ns: u64 },
    /// Its session has ended: leaves its connection, and makes the one of the next session at this instant.
    ChangeSession { at_ns: u64 },
    /// Waits until it is handed an arrival, or has done all that it should.
    Rest,
}

/// What became of the arrivals since this was asked last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ArrivalCounts {
    pub(crate) offered: u64,
    pub(crate) skipped: u64,
    /// At present.
    pub(crate) waiting: u64,
}

/// The clients of one thread, by their number on it.
#[derive(Debug)]
pub(crate) struct Agenda {
    pace: Paced,
    quota: Quota,
}

#[derive(Debug)]
enum Paced {
    /// Whoever is free begins.
    Closed,
    /// Whoever is free pauses first.
    Thinking(Vec<Thinker>),
    /// Whoever is free waits for an arrival.
    Open(Box<Queue>),
    /// Whoever is free waits until the next transaction of its own is due.
    Timed(Box<SessionAgenda>),
}

#[derive(Debug)]
struct Thinker {
    think: Think,
    random: Random,
    /// Has had its first transaction, which it does not think about.
    begun: bool,
}

/// How many transactions are left to complete; only those of the measurement phase count.
#[derive(Debug)]
enum Quota {
    Unlimited,
    /// For each client, and how many clients have any left.
    PerClient {
        left: Vec<u64>,
        unfinished: usize,
    },
    /// For all clients together.
    Together {
        left: u64,
    },
    /// Those of a list, of all threads.
    Listed(Arc<ListProgress>),
}

/// What a client is to execute that begins a transaction.
#[derive(Debug, Clone, Copy)]
enum TakenTransaction {
    /// What is drawn.
    Any,
    /// One of a list.
    Listed(ListedTransaction),
    /// Nothing: another thread has taken the last one of the list.
    None,
}

#[derive(Debug)]
struct Queue {
    /// At the first arrival that nobody has taken.
    taken: Pacer,
    /// At the first arrival that has not come yet, as far as was looked.
    come: Pacer,
    /// How late an arrival may be before it is skipped.
    limit_ns: u64,
    /// Clients that wait for an arrival; who has waited longest is first.
    free: VecDeque<u32>,
    counts: ArrivalCounts,
    /// Since when nothing arrives; `NEVER` unless it has been stopped.
    stopped_ns: u64,
    /// When it began or went on: what was due before has waited for a client.
    began_ns: u64,
}

impl Agenda {
    /// For the thread with that share of the clients, in a load with those phases.
    pub(crate) fn new(
        job: &EngineJob,
        timetable: &Timetable,
        share: &ClientShare,
        list: Option<&Arc<ListProgress>>,
    ) -> Agenda {
        let clients = share.client_range();
        let pace = match &job.pace {
            TransactionPace::Closed { think: None } => Paced::Closed,
            TransactionPace::Closed { think: Some(think) } => {
                let mut seeds = Random::new(job.seed ^ SALT);
                let thinkers = std::iter::repeat_with(|| Random::new(seeds.next_bits())).map(|random| Thinker {
                    think: *think,
                    random,
                    begun: false,
                });
                Paced::Thinking(thinkers.skip(clients.start as usize).take(clients.len()).collect())
            }
            TransactionPace::Open { arrivals, rate } => {
                let pacer = Pacer::new(job.seed, *arrivals, rate, timetable, share);
                Paced::Open(Box::new(Queue {
                    taken: pacer.clone(),
                    come: pacer,
                    limit_ns: job.latency_limit.map_or(NEVER, duration_to_ns),
                    free: VecDeque::with_capacity(clients.len()),
                    counts: ArrivalCounts::default(),
                    stopped_ns: NEVER,
                    began_ns: 0,
                }))
            }
            TransactionPace::Timed(sessions) => Paced::Timed(Box::new(SessionAgenda::new(sessions, share))),
        };
        let quota = match (job.measure, &pace) {
            (JobExtent::Time(_), _) => list.map_or(Quota::Unlimited, |list| Quota::Listed(list.clone())),
            (JobExtent::Transactions(each), Paced::Open(_) | Paced::Timed(_)) => {
                Quota::Together { left: each.get().saturating_mul(clients.len() as u64) }
            }
            (JobExtent::Transactions(each), Paced::Closed | Paced::Thinking(_)) => {
                Quota::PerClient { left: vec![each.get(); clients.len()], unfinished: clients.len() }
            }
        };
        Agenda { pace, quota }
    }

    /// The load begins at `start_ns`.
    pub(crate) fn begin_load(&mut self, start_ns: u64) {
        match &mut self.pace {
            Paced::Closed | Paced::Thinking(_) => {}
            Paced::Open(queue) => {
                queue.taken.begin_schedule(start_ns);
                queue.come.begin_schedule(start_ns);
            }
            Paced::Timed(sessions) => sessions.begin_load(start_ns),
        }
    }

    /// In an open loop: `client` is free from the begin on, and waits for an arrival. Returns whether that is so; in a
    /// closed loop it begins at once.
    pub(crate) fn enlist_client(&mut self, client: u32) -> bool {
        match &mut self.pace {
            Paced::Closed | Paced::Thinking(_) | Paced::Timed(_) => false,
            Paced::Open(queue) => {
                queue.free.push_back(client);
                true
            }
        }
    }

    /// From `at_ns` on nobody begins anything, and nothing arrives, until it [goes on](Self::go_on).
    pub(crate) fn stop_arrivals(&mut self, at_ns: u64) {
        match &mut self.pace {
            Paced::Closed | Paced::Thinking(_) => {}
            Paced::Open(queue) => {
                queue.count_arrivals(at_ns.saturating_sub(1));
                queue.stopped_ns = at_ns;
            }
            Paced::Timed(sessions) => sessions.stop_schedule(at_ns),
        }
    }

    /// It goes on at `at_ns`, after it had stood still for `by_ns`: what is to come is so much later. Returns whether
    /// the clients that are free are to be asked; in an open loop they wait for an arrival as before.
    pub(crate) fn go_on(&mut self, at_ns: u64, by_ns: u64) -> bool {
        match &mut self.pace {
            Paced::Closed | Paced::Thinking(_) => true,
            Paced::Open(queue) => {
                queue.taken.postpone_schedule(by_ns);
                queue.come.postpone_schedule(by_ns);
                (queue.stopped_ns, queue.began_ns) = (NEVER, at_ns);
                false
            }
            Paced::Timed(sessions) => {
                sessions.go_on(by_ns);
                true
            }
        }
    }

    /// Whether `client` has a transaction of its own that was due before arrivals were stopped, and has not begun it.
    pub(crate) fn has_late_transaction(&self, client: u32) -> bool {
        match &self.pace {
            Paced::Closed | Paced::Thinking(_) | Paced::Open(_) => false,
            Paced::Timed(sessions) => sessions.has_late_transaction(client),
        }
    }

    /// What `client` does, which is free at `now_ns`, while `in_flight` other transactions are under way. `measuring`:
    /// the measurement phase has begun.
    #[inline]
    pub(crate) fn next(&mut self, client: u32, now_ns: u64, in_flight: u64, measuring: bool) -> NextClientAction {
        match &mut self.pace {
            Paced::Closed => self.quota.begin_at_once(client, now_ns, in_flight),
            Paced::Thinking(thinkers) if self.quota.allows_transaction(client, in_flight) => {
                match thinkers[client as usize].pause_until_ns(now_ns) {
                    Some(until_ns) => NextClientAction::Pause { until_ns },
                    None => self.quota.begin_at_once(client, now_ns, in_flight),
                }
            }
            Paced::Thinking(_) => NextClientAction::Rest,
            Paced::Open(queue) => match queue.take_due_arrival(now_ns, in_flight, measuring, &mut self.quota) {
                // Had there been a free client, the arrival would not have had to wait for this one.
                Some((scheduled_ns, listed)) => {
                    let waited_for = if queue.free.is_empty() { WaitedFor::Client } else { WaitedFor::Engine };
                    NextClientAction::Begin(TransactionStart { scheduled_ns, actual_ns: now_ns, waited_for, listed })
                }
                None => {
                    queue.free.push_back(client);
                    NextClientAction::Rest
                }
            },
            Paced::Timed(sessions) => sessions.next_action(client, now_ns, WaitedFor::Client),
        }
    }

    /// What `client` does, whose pause is over at `now_ns`.
    #[inline]
    pub(crate) fn next_after_pause(&mut self, client: u32, now_ns: u64, in_flight: u64) -> NextClientAction {
        match &mut self.pace {
            Paced::Closed | Paced::Thinking(_) => self.quota.begin_at_once(client, now_ns, in_flight),
            Paced::Open(_) => NextClientAction::Rest,
            Paced::Timed(sessions) => sessions.next_action(client, now_ns, WaitedFor::Engine),
        }
    }

    /// An arrival that is due at `now_ns`, and the client that was free for it.
    #[inline]
    pub(crate) fn take_arrival(
        &mut self,
        now_ns: u64,
        in_flight: u64,
        measuring: bool,
    ) -> Option<(u32, TransactionStart)> {
        let Paced::Open(queue) = &mut self.pace else { return None };
        queue.count_arrivals(now_ns);
        queue.free.front()?;
        let (scheduled_ns, listed) = queue.take_due_arrival(now_ns, in_flight, measuring, &mut self.quota)?;
        let client = queue.free.pop_front()?;
        let waited_for = if scheduled_ns < queue.began_ns { WaitedFor::Client } else { WaitedFor::Engine };
        Some((client, TransactionStart { scheduled_ns, actual_ns: now_ns, waited_for, listed }))
    }

    /// When to ask for an arrival, with so many transactions under way; `NEVER` while nobody could take one.
    #[inline]
    pub(crate) fn next_arrival_ns(&self, in_flight: u64) -> u64 {
        match &self.pace {
            Paced::Open(queue) if !queue.free.is_empty() && self.quota.allows_transaction(0, in_flight) => {
                queue.taken.due_ns()
            }
            Paced::Closed | Paced::Thinking(_) | Paced::Open(_) | Paced::Timed(_) => NEVER,
        }
    }

    /// A transaction that was to begin never will; if it was an arrival, it is skipped after all.
    #[cold]
    pub(crate) fn note_dropped_transaction(&mut self) {
        if let Paced::Open(queue) = &mut self.pace {
            queue.counts.skipped += 1;
        }
    }

    /// `client` cannot take an arrival any more.
    pub(crate) fn note_lost_client(&mut self, client: u32) {
        if let Paced::Open(queue) = &mut self.pace {
            queue.free.retain(|&free| free != client);
        }
    }

    /// A transaction of `client` is over in the measurement phase, however it has ended.
    #[inline]
    pub(crate) fn note_completed_transaction(&mut self, client: u32) {
        self.quota.count_completed(client);
    }

    /// All transactions that the job asks for are over, if `in_flight` are under way on this thread.
    #[inline]
    pub(crate) fn is_done(&self, in_flight: u64) -> bool {
        match &self.pace {
            Paced::Timed(sessions) => sessions.is_used_up() && in_flight == 0,
            Paced::Closed | Paced::Thinking(_) | Paced::Open(_) => self.quota.is_used_up(in_flight),
        }
    }

    /// What became of the arrivals that were due before `end_ns`, since the last call.
    pub(crate) fn take_arrival_counts(&mut self, end_ns: u64) -> Option<ArrivalCounts> {
        let queue = match &mut self.pace {
            Paced::Closed | Paced::Thinking(_) => return None,
            Paced::Open(queue) => queue,
            Paced::Timed(sessions) => return Some(sessions.take_counts(end_ns)),
        };
        queue.count_arrivals(end_ns.min(queue.stopped_ns).saturating_sub(1));
        let counts = queue.counts;
        queue.counts = ArrivalCounts { waiting: counts.waiting, ..ArrivalCounts::default() };
        Some(counts)
    }
}

impl Thinker {
    /// When the pause ends that begins at `now_ns`, if there is one.
    fn pause_until_ns(&mut self, now_ns: u64) -> Option<u64> {
        let pause_ns = match self.think {
            Think::Fixed(pause) => duration_to_ns(pause),
            Think::Exponential(mean) => (mean.as_nanos() as f64 * draw_exponential(&mut self.random)).round() as u64,
        };
        let pauses = std::mem::replace(&mut self.begun, true) && pause_ns > 0;
        pauses.then(|| now_ns.saturating_add(pause_ns))
    }
}

impl Quota {
    #[inline]
    fn allows_transaction(&self, client: u32, in_flight: u64) -> bool {
        match self {
            Quota::Unlimited => true,
            Quota::PerClient { left, .. } => left[client as usize] > 0,
            Quota::Together { left } => *left > in_flight,
            Quota::Listed(list) => !list.is_used_up(),
        }
    }

    fn is_used_up(&self, in_flight: u64) -> bool {
        match self {
            Quota::Unlimited => false,
            Quota::PerClient { unfinished, .. } => *unfinished == 0,
            Quota::Together { left } => *left == 0,
            Quota::Listed(list) => list.is_used_up() && in_flight == 0,
        }
    }

    /// Takes a transaction, which begins at once, if there is one left.
    #[inline]
    fn begin_at_once(&self, client: u32, now_ns: u64, in_flight: u64) -> NextClientAction {
        if !self.allows_transaction(client, in_flight) {
            return NextClientAction::Rest;
        }
        match self.take_listed() {
            TakenTransaction::Any => NextClientAction::Begin(TransactionStart::at_once(now_ns)),
            TakenTransaction::Listed(listed) => {
                NextClientAction::Begin(TransactionStart { listed: Some(listed), ..TransactionStart::at_once(now_ns) })
            }
            TakenTransaction::None => NextClientAction::Rest,
        }
    }

    #[inline]
    fn take_listed(&self) -> TakenTransaction {
        match self {
            Quota::Unlimited | Quota::PerClient { .. } | Quota::Together { .. } => TakenTransaction::Any,
            Quota::Listed(list) => list.take_next().map_or(TakenTransaction::None, TakenTransaction::Listed),
        }
    }

    #[inline]
    fn count_completed(&mut self, client: u32) {
        match self {
            Quota::Unlimited | Quota::Listed(_) => {}
            Quota::PerClient { left, unfinished } => {
                let left = &mut left[client as usize];
                *unfinished -= usize::from(*left == 1);
                *left = left.saturating_sub(1);
            }
            Quota::Together { left } => *left = left.saturating_sub(1),
        }
    }
}

impl Queue {
    /// Counts the arrivals that have come by `now_ns`.
    #[inline]
    fn count_arrivals(&mut self, now_ns: u64) {
        while self.come.due_ns() <= now_ns {
            self.come.advance_arrival();
            self.counts.offered += 1;
            self.counts.waiting += 1;
        }
    }

    /// Takes the first arrival that is due at `now_ns` and not too late; its scheduled start, and what it executes if
    /// that is not drawn.
    #[inline]
    fn take_due_arrival(
        &mut self,
        now_ns: u64,
        in_flight: u64,
        measuring: bool,
        quota: &mut Quota,
    ) -> Option<(u64, Option<ListedTransaction>)> {
        self.count_arrivals(now_ns);
        loop {
            let due_ns = self.taken.due_ns();
            if due_ns > now_ns || !quota.allows_transaction(0, in_flight) {
                return None;
            }
            self.taken.advance_arrival();
            self.counts.waiting -= 1;
            if now_ns - due_ns <= self.limit_ns {
                return match quota.take_listed() {
                    TakenTransaction::Any => Some((due_ns, None)),
                    TakenTransaction::Listed(listed) => Some((due_ns, Some(listed))),
                    TakenTransaction::None => None,
                };
            }
            self.counts.skipped += 1;
            if measuring {
                quota.count_completed(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pace::OfferedRate;
    use crate::script::ParsedScript;
    use conninfo::{ConnInfo, ServerHost};
    use std::num::{NonZeroU32, NonZeroU64};
    use std::time::Duration;
    use work::Arrivals;

    const MS: u64 = 1_000_000;

    fn job(clients: u32, pace: TransactionPace) -> EngineJob {
        let server = ConnInfo::new((ServerHost::Unix("/nowhere".into()), 1), "nobody", "nothing");
        let script = ParsedScript::parse("one", "SELECT 1;").expect("it parses");
        EngineJob { clients: NonZeroU32::new(clients).expect("not zero"), pace, ..EngineJob::new(server, script) }
    }

    /// One arrival every 10 ms from 0 ms on.
    fn every_10_ms() -> TransactionPace {
        TransactionPace::Open { arrivals: Arrivals::Even, rate: OfferedRate::Constant(100.0) }
    }

    fn agenda(job: &EngineJob) -> Agenda {
        let share = ClientShare { clients: job.clients.get(), threads: 1, thread: 0 };
        let mut agenda = Agenda::new(job, &Timetable::from_job(job, 0), &share, None);
        agenda.begin_load(0);
        agenda
    }

    fn start(scheduled_ms: u64, actual_ms: u64, waited_for: WaitedFor) -> TransactionStart {
        TransactionStart { scheduled_ns: scheduled_ms * MS, actual_ns: actual_ms * MS, waited_for, listed: None }
    }

    #[test]
    fn an_arrival_goes_to_whoever_was_free_longest_and_its_lag_is_the_engines() {
        let mut agenda = agenda(&job(2, every_10_ms()));
        assert_eq!(agenda.next(1, 0, 0, true), NextClientAction::Begin(start(0, 0, WaitedFor::Client)));
        assert_eq!(agenda.next(0, MS, 0, true), NextClientAction::Rest);
        assert_eq!(agenda.next(1, 2 * MS, 0, true), NextClientAction::Rest);
        assert_eq!(agenda.next_arrival_ns(0), 10 * MS);
        assert_eq!(agenda.take_arrival(9 * MS, 0, true), None);
        assert_eq!(agenda.take_arrival(11 * MS, 0, true), Some((0, start(10, 11, WaitedFor::Engine))));
        assert_eq!(agenda.take_arrival(25 * MS, 1, true), Some((1, start(20, 25, WaitedFor::Engine))));
    }

    #[test]
    fn an_engine_that_begins_late_does_not_blame_the_clients() {
        let mut agenda = agenda(&job(1, every_10_ms()));
        assert!(agenda.enlist_client(0));
        assert_eq!(agenda.take_arrival(25 * MS, 0, true), Some((0, start(0, 25, WaitedFor::Engine))));
        assert_eq!(agenda.next(0, 26 * MS, 0, true), NextClientAction::Begin(start(10, 26, WaitedFor::Client)));
    }

    #[test]
    fn an_arrival_that_found_nobody_free_has_waited_for_a_client() {
        let mut agenda = agenda(&job(1, every_10_ms()));
        assert_eq!(agenda.next(0, 0, 0, true), NextClientAction::Begin(start(0, 0, WaitedFor::Client)));
        assert_eq!((agenda.take_arrival(30 * MS, 1, true), agenda.next_arrival_ns(1)), (None, NEVER));
        assert_eq!(agenda.next(0, 35 * MS, 0, true), NextClientAction::Begin(start(10, 35, WaitedFor::Client)));
        // 0, 10, 20 and 30 ms have come, two of them are taken.
        let counts = ArrivalCounts { offered: 4, skipped: 0, waiting: 2 };
        assert_eq!(agenda.take_arrival_counts(40 * MS), Some(counts));
        assert_eq!(agenda.take_arrival_counts(50 * MS), Some(ArrivalCounts { offered: 1, skipped: 0, waiting: 3 }));
    }

    #[test]
    fn a_client_that_comes_free_while_another_is_takes_an_arrival_that_waited_for_the_engine() {
        let mut agenda = agenda(&job(2, every_10_ms()));
        assert_eq!(agenda.next(0, 0, 0, true), NextClientAction::Begin(start(0, 0, WaitedFor::Client)));
        assert_eq!(agenda.next(1, MS, 1, true), NextClientAction::Rest);
        assert_eq!(agenda.next(0, 12 * MS, 0, true), NextClientAction::Begin(start(10, 12, WaitedFor::Engine)));
    }

    #[test]
    fn arrivals_over_the_limit_are_skipped_one_by_one() {
        let limit = Some(Duration::from_millis(15));
        let mut agenda = agenda(&EngineJob { latency_limit: limit, ..job(1, every_10_ms()) });
        // 0, 10 and 20 ms are more than 15 ms ago; 30 ms is not.
        assert_eq!(agenda.next(0, 40 * MS, 0, true), NextClientAction::Begin(start(30, 40, WaitedFor::Client)));
        assert_eq!(agenda.take_arrival_counts(40 * MS), Some(ArrivalCounts { offered: 5, skipped: 3, waiting: 1 }));
    }

    #[test]
    fn a_client_that_is_lost_is_handed_nothing() {
        let mut agenda = agenda(&job(2, every_10_ms()));
        assert_eq!(agenda.next(0, 0, 0, true), NextClientAction::Begin(start(0, 0, WaitedFor::Client)));
        assert_eq!(
            (agenda.next(0, MS, 0, true), agenda.next(1, MS, 0, true)),
            (NextClientAction::Rest, NextClientAction::Rest)
        );
        agenda.note_lost_client(0);
        assert_eq!(agenda.take_arrival(10 * MS, 0, true), Some((1, start(10, 10, WaitedFor::Engine))));
        assert_eq!(agenda.take_arrival(20 * MS, 0, true), None);
    }

    #[test]
    fn no_more_arrivals_are_begun_than_the_job_asks_for() {
        let two = JobExtent::Transactions(NonZeroU64::new(2).expect("not zero"));
        let mut agenda = agenda(&EngineJob { measure: two, ..job(1, every_10_ms()) });
        assert!(matches!(agenda.next(0, 50 * MS, 0, true), NextClientAction::Begin(_)));
        agenda.note_completed_transaction(0);
        assert!(matches!(agenda.next(0, 60 * MS, 0, true), NextClientAction::Begin(_)));
        assert_eq!(agenda.take_arrival(70 * MS, 1, true), None);
        agenda.note_completed_transaction(0);
        assert!(agenda.is_done(0));
        assert_eq!((agenda.next(0, 80 * MS, 0, true), agenda.next_arrival_ns(0)), (NextClientAction::Rest, NEVER));
    }

    #[test]
    fn arrivals_stand_still_while_they_are_stopped_and_those_that_waited_go_on_waiting_for_a_client() {
        let mut agenda = agenda(&job(1, every_10_ms()));
        assert_eq!(agenda.next(0, 0, 0, true), NextClientAction::Begin(start(0, 0, WaitedFor::Client)));
        agenda.stop_arrivals(25 * MS);
        // 0, 10 and 20 ms have come; nothing does from then on.
        assert_eq!(agenda.take_arrival_counts(90 * MS), Some(ArrivalCounts { offered: 3, skipped: 0, waiting: 2 }));
        assert!(agenda.enlist_client(0) && !agenda.go_on(125 * MS, 100 * MS));
        assert_eq!(agenda.take_arrival(125 * MS, 0, true), Some((0, start(110, 125, WaitedFor::Client))));
        assert_eq!(agenda.next(0, 128 * MS, 0, true), NextClientAction::Begin(start(120, 128, WaitedFor::Client)));
        assert_eq!(agenda.next(0, 129 * MS, 0, true), NextClientAction::Rest);
        assert_eq!(agenda.next_arrival_ns(0), 130 * MS);
        assert_eq!(agenda.take_arrival(131 * MS, 0, true), Some((0, start(130, 131, WaitedFor::Engine))));
    }

    #[test]
    fn a_client_thinks_about_every_transaction_but_the_first() {
        let think = Think::Fixed(Duration::from_millis(7));
        let mut agenda = agenda(&job(1, TransactionPace::Closed { think: Some(think) }));
        assert_eq!(agenda.next(0, MS, 0, true), NextClientAction::Begin(TransactionStart::at_once(MS)));
        assert_eq!(agenda.next(0, 2 * MS, 0, true), NextClientAction::Pause { until_ns: 9 * MS });
    }
}
