//! Edge-triggered epoll: tells which sockets are ready; transfers are system calls on the socket. A timer keeps the
//! time that is finer than the milliseconds of epoll.

use super::{Batch, ReadySocket, Transfer, Waker};
use crate::engine::clock::{NEVER, SECOND_NS};
use crate::engine::socket::EngineSocket;
use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::time::{Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime};

/// Events taken over at once.
const BATCH: usize = 512;
/// What the waker is registered as; no client has this number.
const WAKER: u64 = u64::MAX;
/// What the timer is registered as; no client has this number either.
const TIMER: u64 = u64::MAX - 1;

/// What is always watched for.
const READ: EventFlags = EventFlags::IN.union(EventFlags::RDHUP).union(EventFlags::ET);

/// The sockets of one thread.
pub(crate) struct Epoll {
    epoll: OwnedFd,
    events: Vec<epoll::Event>,
    /// A `timerfd`: unlike `epoll_pwait2` it is to be had on every kernel, and it costs a system call only when the
    /// deadline has changed, which in a closed loop is once a second.
    timer: OwnedFd,
    /// What the timer is set to.
    timer_ns: u64,
    /// By client: it is watched for room to send. Off in the steady state, where every answer would wake it twice.
    writing: Vec<bool>,
}

impl std::fmt::Debug for Epoll {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Epoll").field("epoll", &self.epoll).finish_non_exhaustive()
    }
}

impl Epoll {
    pub(super) fn new(waker: &Waker) -> Result<Epoll, Errno> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        // Edge-triggered, so that the counter never has to be read: every write is an edge.
        epoll::add(&epoll, waker, EventData::new_u64(WAKER), EventFlags::IN | EventFlags::ET)?;
        let timer = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK)?;
        // Edge-triggered, so that it never has to be read: setting it again forgets that it has expired.
        epoll::add(&epoll, &timer, EventData::new_u64(TIMER), EventFlags::IN | EventFlags::ET)?;
        Ok(Epoll { epoll, events: Vec::with_capacity(BATCH), timer, timer_ns: NEVER, writing: Vec::new() })
    }

    pub(super) fn add(&mut self, socket: &EngineSocket, client: u32) -> Result<(), Errno> {
        let place = client as usize;
        self.writing.resize(self.writing.len().max(place + 1), false);
        self.writing[place] = true;
        epoll::add(&self.epoll, socket.fd(), EventData::new_u64(client.into()), READ | EventFlags::OUT)
    }

    #[inline]
    pub(super) fn wait_until_ready(&mut self, batch: &mut Batch, now_ns: u64, deadline_ns: u64) -> Result<(), Errno> {
        self.events.clear();
        let at_once = timespec_from_ns(0);
        let timeout = if deadline_ns <= now_ns {
            Some(&at_once)
        } else {
            self.set_timer(now_ns, deadline_ns)?;
            None
        };
        match epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut self.events), timeout) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
        for event in &self.events {
            if event.data.u64() == WAKER {
                batch.woken = true;
                continue;
            }
            if event.data.u64() == TIMER {
                continue;
            }
            let flags = event.flags;
            batch.ready.push(ReadySocket {
                client: event.data.u64() as u32,
                writable: flags.contains(EventFlags::OUT),
                // The end of the stream is what comes next, and of that there may be no second event.
                until_empty: flags.intersects(EventFlags::RDHUP | EventFlags::HUP | EventFlags::ERR),
            });
        }
        Ok(())
    }

    /// Has the next wait end at `deadline_ns`. A timer that is still set to an earlier
    /// instant wakes once too often at most.
    #[inline]
    fn set_timer(&mut self, now_ns: u64, deadline_ns: u64) -> Result<(), Errno> {
        if self.timer_ns == deadline_ns || deadline_ns == NEVER {
            return Ok(());
        }
        self.timer_ns = deadline_ns;
        let time = Itimerspec { it_interval: timespec_from_ns(0), it_value: timespec_from_ns(deadline_ns - now_ns) };
        timerfd_settime(&self.timer, TimerfdTimerFlags::empty(), &time).map(|_| ())
    }

    #[inline]
    pub(super) fn send(&mut self, socket: &EngineSocket, client: u32, bytes: &[u8]) -> Result<Transfer, Errno> {
        let sent = socket.send(bytes)?;
        let waits = sent != Transfer::Bytes(bytes.len());
        if self.writing[client as usize] != waits {
            self.writing[client as usize] = waits;
            let watch = if waits { READ | EventFlags::OUT } else { READ };
            epoll::modify(&self.epoll, socket.fd(), EventData::new_u64(client.into()), watch)?;
        }
        Ok(sent)
    }
}

fn timespec_from_ns(ns: u64) -> Timespec {
    Timespec { tv_sec: (ns / SECOND_NS) as i64, tv_nsec: (ns % SECOND_NS) as i64 }
}
