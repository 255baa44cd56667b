//! A thread that passes bytes: it waits until a socket is ready, and does what the session of that socket needs.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{SocketFlags, accept_with, sockopt};

use crate::passed_session::{PassedSession, SessionEnd, SessionSide, ThreadTools};
use crate::shared_route::SharedRoute;
use crate::tap::TrafficTap;

/// Bytes that are received at once.
const ROOM_BYTES: usize = 128 << 10;
/// Sockets that are looked at after one wait.
const EVENTS: usize = 256;
/// The longest wait: how late a request to stop, or a deadline, is seen.
const LONGEST_WAIT: Duration = Duration::from_millis(100);
/// The longest wait while something is to be handed over to the recording.
const WAIT_WITH_PIECES: Duration = Duration::from_millis(10);
/// Events of listening sockets have this bit.
const LISTENER_BIT: u64 = 1 << 63;

/// One thread that passes bytes.
pub(crate) struct PassingWorker {
    route: Arc<SharedRoute>,
    tap: TrafficTap,
    epoll: OwnedFd,
    listeners: Arc<Vec<TcpListener>>,
    /// Whether the listeners are watched: not while the system has no more files.
    is_listening: bool,
    sessions: Vec<Option<WatchedSession>>,
    /// Places that are free, and those that become so after this round: an event may still name one.
    free: Vec<usize>,
    freed: Vec<usize>,
    room: Vec<u8>,
    looked_us: i64,
}

/// A session and what is watched of it.
struct WatchedSession {
    session: PassedSession,
    client_flags: EventFlags,
    /// Those of the server's socket, and which socket it is.
    server_flags: Option<(i32, EventFlags)>,
}

impl PassingWorker {
    pub(crate) fn new_worker(
        route: Arc<SharedRoute>,
        tap: TrafficTap,
        listeners: Arc<Vec<TcpListener>>,
    ) -> io::Result<Self> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        let mut worker = Self {
            route,
            tap,
            epoll,
            listeners,
            is_listening: false,
            sessions: Vec::new(),
            free: Vec::new(),
            freed: Vec::new(),
            room: vec![0; ROOM_BYTES],
            looked_us: 0,
        };
        worker.watch_listeners()?;
        Ok(worker)
    }

    /// Passes bytes until the proxy is stopped.
    pub(crate) fn pass_until_stopped(mut self) -> io::Result<()> {
        let mut events: Vec<epoll::Event> = Vec::with_capacity(EVENTS);
        while !self.route.is_stopped.load(Ordering::Relaxed) {
            let longest = if self.tap.has_pieces() { WAIT_WITH_PIECES } else { LONGEST_WAIT };
            let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(longest.subsec_nanos()) };
            events.clear();
            match epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut events), Some(&timeout)) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            for event in &events {
                let (data, flags) = (event.data.u64(), event.flags);
                if data & LISTENER_BIT == 0 {
                    self.serve_event(data, flags);
                } else {
                    self.accept_clients((data & !LISTENER_BIT) as usize);
                }
            }
            self.free.append(&mut self.freed);
            let now_us = self.route.now_us();
            self.tap.hand_over(now_us, false);
            if now_us - self.looked_us > 100_000 {
                self.look_after_sessions(now_us)?;
            }
        }
        for place in 0..self.sessions.len() {
            self.drop_session(place);
        }
        let now_us = self.route.now_us();
        self.tap.hand_over(now_us, true);
        Ok(())
    }

    fn watch_listeners(&mut self) -> io::Result<()> {
        for (number, listener) in self.listeners.iter().enumerate() {
            let data = EventData::new_u64(LISTENER_BIT | number as u64);
            epoll::add(&self.epoll, listener, data, EventFlags::IN | EventFlags::EXCLUSIVE)?;
        }
        self.is_listening = true;
        Ok(())
    }

    fn accept_clients(&mut self, number: usize) {
        for _ in 0..EVENTS {
            let Some(listener) = self.listeners.get(number) else { return };
            match accept_with(listener, SocketFlags::NONBLOCK | SocketFlags::CLOEXEC) {
                Ok(socket) => self.add_client(socket),
                Err(Errno::INTR | Errno::CONNABORTED) => {}
                Err(Errno::AGAIN) => return,
                // No more files: clients wait a moment in the queue of the system.
                Err(_) => {
                    for listener in self.listeners.iter() {
                        let _not_watched = epoll::delete(&self.epoll, listener);
                    }
                    self.is_listening = false;
                    return;
                }
            }
        }
    }

    fn add_client(&mut self, socket: OwnedFd) {
        let _is_no_tcp = sockopt::set_tcp_nodelay(&socket, true);
        let _is_no_tcp = sockopt::set_socket_keepalive(&socket, true);
        let place = self.free.pop().unwrap_or_else(|| {
            self.sessions.push(None);
            self.sessions.len() - 1
        });
        let data = EventData::new_u64((place as u64) << 1);
        if epoll::add(&self.epoll, &socket, data, EventFlags::IN).is_err() {
            self.free.push(place);
            return;
        }
        let key = self.route.take_session_key();
        let session = PassedSession::from_client(key, socket, self.route.now_us());
        self.sessions[place] = Some(WatchedSession { session, client_flags: EventFlags::IN, server_flags: None });
    }

    fn serve_event(&mut self, data: u64, flags: EventFlags) {
        let place = (data >> 1) as usize;
        let side = if data & 1 == 0 { SessionSide::Client } else { SessionSide::Server };
        let Some(Some(watched)) = self.sessions.get_mut(place) else { return };
        let now_us = self.route.now_us();
        let mut tools = ThreadTools { route: &self.route, tap: &mut self.tap, room: &mut self.room, now_us };
        let mut outcome: Result<(), SessionEnd> = Ok(());
        if flags.contains(EventFlags::OUT) {
            outcome = watched.session.side_is_writable(side, &mut tools);
        }
        let is_readable = flags.intersects(EventFlags::IN | EventFlags::HUP | EventFlags::ERR);
        if outcome.is_ok() && is_readable {
            outcome = watched.session.side_is_readable(side, &mut tools);
        }
        self.watch_again(place, outcome.is_ok());
    }

    /// Watches for what the session needs now, or ends it if it does not go on.
    fn watch_again(&mut self, place: usize, goes_on: bool) {
        let Some(Some(watched)) = self.sessions.get_mut(place) else { return };
        if !goes_on || watched.watch_sockets(&self.epoll, place).is_err() {
            self.drop_session(place);
        }
    }

    fn drop_session(&mut self, place: usize) {
        let Some(watched) = self.sessions.get_mut(place).and_then(Option::take) else { return };
        let now_us = self.route.now_us();
        let mut tools = ThreadTools { route: &self.route, tap: &mut self.tap, room: &mut self.room, now_us };
        watched.session.end_session(&mut tools);
        self.freed.push(place);
    }

    /// What no event says: sessions that take too long to be connected, and files that are free again.
    fn look_after_sessions(&mut self, now_us: i64) -> io::Result<()> {
        self.looked_us = now_us;
        if !self.is_listening {
            self.watch_listeners()?;
        }
        for place in 0..self.sessions.len() {
            let Some(Some(watched)) = self.sessions.get_mut(place) else { continue };
            if watched.session.is_overdue(now_us) {
                let mut tools = ThreadTools { route: &self.route, tap: &mut self.tap, room: &mut self.room, now_us };
                let outcome = watched.session.give_up_address(&mut tools);
                self.watch_again(place, outcome.is_ok());
            }
        }
        Ok(())
    }
}

impl WatchedSession {
    fn watch_sockets(&mut self, epoll: &OwnedFd, place: usize) -> io::Result<()> {
        let client = self.wanted_flags(SessionSide::Client);
        if client != self.client_flags {
            let data = EventData::new_u64((place as u64) << 1);
            epoll::modify(epoll, self.session.client.watched_socket(), data, client)?;
            self.client_flags = client;
        }
        let server_flags = self.wanted_flags(SessionSide::Server);
        let Some(server) = &self.session.server else { return Ok(()) };
        let number = std::os::fd::AsRawFd::as_raw_fd(server.watched_socket());
        let data = EventData::new_u64(((place as u64) << 1) | 1);
        match self.server_flags {
            Some((known, flags)) if known == number && flags == server_flags => {}
            // The number may be that of a socket that was closed, and no longer watched.
            Some((known, _)) if known == number => {
                if let Err(Errno::NOENT) = epoll::modify(epoll, server.watched_socket(), data, server_flags) {
                    epoll::add(epoll, server.watched_socket(), data, server_flags)?;
                }
            }
            _ => epoll::add(epoll, server.watched_socket(), data, server_flags)?,
        }
        self.server_flags = Some((number, server_flags));
        Ok(())
    }

    fn wanted_flags(&self, side: SessionSide) -> EventFlags {
        let mut flags = EventFlags::empty();
        if self.session.wants_to_receive(side) {
            flags |= EventFlags::IN;
        }
        if self.session.wants_to_send(side) {
            flags |= EventFlags::OUT;
        }
        flags
    }
}
