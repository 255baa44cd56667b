//! One thread's event loop: waits, serves the clients that are ready, keeps the time.
//!
//! Of a large batch of clients all answers are received before the next requests are sent: the same system call many
//! times in a row costs less than two in turn (about 4 % of the CPU per transaction at 64 connections). In a small
//! batch each request is sent at once, so that the server is not kept waiting. With `io_uring` all leave together with
//! the next wait anyway, and there is nothing to hold back. A transaction's clock starts at the instant
//! at which the one before it ended, so that no latency is hidden either way.

use crate::engine::cancel;
use crate::engine::client::Client;
use crate::engine::clock::{NEVER, SECOND_NS};
use crate::engine::context::{Context, ThreadLoadState};
use crate::engine::control::ThreadReport;
use crate::engine::io::{Batch, ReadySocket, Sends};
use crate::engine::timetable::Timetable;
use crate::error::LoadError;
use crate::prefetch::prefetch_value;

/// Connections that one thread makes at the same time: enough to keep the server busy, not so many that its queue
/// overflows or that logging in takes longer than the limit.
const CONNECTING_AT_ONCE: usize = 16;

/// Batches of this many clients and more are received from first and sent to afterwards.
const GROUPED_FROM: usize = 16;

/// Of so many clients and more on a thread, each is fetched from memory before its turn; fewer stay in the caches.
const FETCHED_FROM: usize = 16;

/// How many clients before its turn that is.
const AHEAD: usize = 3;

/// Connections whose paths one thread reads in a second: about 1 µs each.
const PATHS_AT_ONCE: usize = 32;

/// One thread.
#[derive(Debug)]
pub(crate) struct Worker<'a> {
    cx: Context<'a>,
    clients: Vec<Client>,
    /// Clients that have begun to connect for the first time.
    started: usize,
    /// All clients are connected, and the coordinator knows.
    reported: bool,
    /// When the load begins; `NEVER` while that is not known.
    start_ns: u64,
    /// When the paths of some connections are to be read; `NEVER` before the load has begun.
    read_paths_ns: u64,
    /// Whose connection's path is to be read first.
    read_paths_from: usize,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(cx: Context<'a>, clients: Vec<Client>) -> Worker<'a> {
        Worker { cx, clients, started: 0, reported: false, start_ns: NEVER, read_paths_ns: NEVER, read_paths_from: 0 }
    }

    /// Connects, runs the load, and disconnects.
    ///
    /// # Errors
    /// When the run cannot be made.
    pub(crate) fn run_load(mut self) -> Result<(), LoadError> {
        let outcome = self.until_over();
        self.disconnect_clients();
        outcome
    }

    /// Disconnects. What the server would go on with is cancelled before, as long as its sessions are there.
    fn disconnect_clients(self) {
        let Worker { cx: Context { side, mut others, clock, reports, .. }, clients, .. } = self;
        others.push(side);
        others.sort_unstable_by_key(|side| side.clients.start);
        let report = |report| {
            // Without a coordinator the run is over, and nobody wants to know.
            let _coordinator_gone = reports.send(report);
        };
        for side in &others {
            let under_way: Vec<_> = clients[side.client_range()].iter().filter_map(Client::under_way).collect();
            if !under_way.is_empty() {
                cancel::cancel_statements(&under_way, side.addresses, clock);
                report(ThreadReport::Cancelled { side: side.number, statements: under_way.len() as u64 });
            }
        }
        let mut clients = clients.into_iter();
        for side in others {
            let pages: Vec<_> =
                clients.by_ref().take(side.clients.len()).filter_map(Client::close_connection).collect();
            if !pages.is_empty() {
                report(ThreadReport::Ledger { side: side.number, pages });
            }
            if side.recorder.times_statements() {
                report(ThreadReport::Statements { side: side.number, statements: side.recorder.into_statements() });
            }
        }
    }

    fn until_over(&mut self) -> Result<(), LoadError> {
        let mut batch = Batch::new();
        let mut woken_ns = self.cx.clock.now_ns();
        let mut now_ns = woken_ns;
        loop {
            now_ns = self.on_time(now_ns)?;
            self.cx.side.recorder.count_round(now_ns - woken_ns, batch.len());
            if now_ns >= self.read_paths_ns {
                self.read_connection_paths(now_ns);
            }
            if self.cx.control.is_aborted() || self.is_over(now_ns) {
                return Ok(());
            }
            let deadline_ns = self.next_deadline_ns();
            let (look, busy_ns) = (self.cx.notice.look_at_round(), now_ns - woken_ns);
            self.cx
                .io
                .wait_until_ready(&mut batch, now_ns, deadline_ns)
                .map_err(|error| LoadError::System { action: "wait for the connections", source: error.into() })?;
            woken_ns = self.cx.clock.now_ns();
            self.cx.now_ns = woken_ns;
            if let Some(waited_ns) = look.and_then(|look| self.cx.notice.waited_ns(look, busy_ns, batch.len())) {
                self.cx.side.recorder.count_noticed(waited_ns, batch.len());
            }
            let received_ns = self.serve_ready_clients(&batch)?;
            if batch.is_woken() {
                self.start_ns = self.cx.control.start_ns();
                let end_ns = self.cx.control.end_ns();
                self.cx.sides_mut().for_each(|side| side.recorder.limit_load_end(end_ns));
                self.cx.look_ahead();
                self.shells_ended()?;
            }
            now_ns = self.cx.clock.now_ns();
            self.cx.side.recorder.add_held_time(self.held_ns(&batch, woken_ns, received_ns, now_ns));
        }
    }

    /// For how long the batch's clients together were held between their answers and the next requests, when all
    /// answers had been received at `received_ns`. A client is held until its own turn is over,
    /// unless all wait for the last one.
    #[inline]
    fn held_ns(&self, batch: &Batch, woken_ns: u64, received_ns: u64, sent_ns: u64) -> u64 {
        let clients = batch.len() as u64;
        match self.cx.io.send_timing() {
            _ if clients == 0 => 0,
            Sends::AtOnce => clients * (received_ns - woken_ns) + (clients + 1) * (sent_ns - received_ns) / 2,
            Sends::WithTheNextWait => clients * (sent_ns - woken_ns),
        }
    }

    /// Receives from the clients that are ready, and sends what follows. Returns when all was received: at once, if
    /// each client's turn ends with its own request.
    #[inline]
    fn serve_ready_clients(&mut self, batch: &Batch) -> Result<u64, LoadError> {
        let grouped = batch.len() >= GROUPED_FROM && self.cx.io.send_timing() == Sends::AtOnce;
        let woken_ns = self.cx.now_ns;
        let several = self.cx.has_several_sides();
        let fetched = self.clients.len() >= FETCHED_FROM;
        if fetched {
            self.prefetch_clients(batch.ready_in_range(0..AHEAD));
        }
        for (place, ready) in batch.ready_sockets().enumerate() {
            if fetched {
                self.prefetch_clients(batch.ready_in_range(place + AHEAD..place + AHEAD + 1));
                self.prefetch_rest(batch.ready_in_range(place + 1..place + 2));
            }
            if several {
                self.cx.select_side_of(ready.client);
            }
            let client = &mut self.clients[ready.client as usize];
            client.handle_ready_socket(ready, &mut self.cx)?;
            if grouped {
                client.give_back(&mut self.cx);
            } else {
                client.send_requests(&mut self.cx)?;
            }
        }
        if !grouped {
            if several {
                self.cx.face_side_at_work();
            }
            return Ok(woken_ns);
        }
        let received_ns = self.cx.clock.now_ns();
        for ready in batch.ready_sockets() {
            if several {
                self.cx.select_side_of(ready.client);
            }
            self.clients[ready.client as usize].send_requests(&mut self.cx)?;
        }
        if several {
            self.cx.face_side_at_work();
        }
        Ok(received_ns)
    }

    /// Has clients fetched whose turn is soon.
    #[inline]
    fn prefetch_clients(&self, ready: &[ReadySocket]) {
        ready.iter().for_each(|ready| prefetch_value(&self.clients[ready.client as usize]));
    }

    /// The same for what is found by way of them.
    #[inline]
    fn prefetch_rest(&self, ready: &[ReadySocket]) {
        ready.iter().for_each(|ready| self.clients[ready.client as usize].prefetch_rest());
    }

    #[cold]
    fn shells_ended(&mut self) -> Result<(), LoadError> {
        while let Some(ended) = self.cx.shell.take_ended_command() {
            self.cx.select_side_of(ended.0.client);
            let client = &mut self.clients[ended.0.client as usize];
            client.shell_ended(ended, &mut self.cx)?;
            client.send_requests(&mut self.cx)?;
        }
        self.cx.face_side_at_work();
        Ok(())
    }

    /// Does what is due at `now_ns`. Returns what time it is then; the clock is read only if something was due.
    #[inline]
    fn on_time(&mut self, mut now_ns: u64) -> Result<u64, LoadError> {
        self.cx.finish_past_intervals(now_ns);
        match self.cx.side.load {
            ThreadLoadState::Connecting if now_ns >= self.start_ns => {
                self.begin_load(now_ns)?;
                // If sides take turns, the first has been called.
                now_ns = self.between_turns(now_ns)?;
            }
            ThreadLoadState::Connecting => self.connect_more(now_ns)?,
            ThreadLoadState::Paused => now_ns = self.between_turns(now_ns)?,
            ThreadLoadState::Running | ThreadLoadState::Draining { .. } => {}
        }
        // What becomes due meanwhile waits for the next round, or a client that always has
        // something due would get every turn.
        let round_ns = now_ns;
        while let Some(client) = self.cx.timers.take_due_client(round_ns) {
            self.cx.select_side_of(client);
            let client = &mut self.clients[client as usize];
            client.handle_due_timer(now_ns, &mut self.cx)?;
            client.send_requests(&mut self.cx)?;
            now_ns = self.cx.clock.now_ns();
            self.cx.face_side_at_work();
        }
        self.cx.finish_past_intervals(now_ns);
        while let Some((client, start)) = self.cx.take_due_arrival(now_ns) {
            let client = &mut self.clients[client as usize];
            client.begin_transaction(start, &mut self.cx)?;
            client.send_requests(&mut self.cx)?;
            now_ns = self.cx.clock.now_ns();
            self.cx.finish_past_intervals(now_ns);
        }
        // The last transaction of a turn may have ended by a timer: nothing else wakes the thread for the next turn.
        if matches!(self.cx.side.load, ThreadLoadState::Paused) {
            now_ns = self.between_turns(now_ns)?;
        }
        Ok(now_ns)
    }

    fn connect_more(&mut self, now_ns: u64) -> Result<(), LoadError> {
        while self.started < self.clients.len() && self.started - self.cx.connected < CONNECTING_AT_ONCE {
            self.cx.select_side_of(self.started as u32);
            self.started += 1;
            self.clients[self.started - 1].connect_first(now_ns, &mut self.cx)?;
        }
        if self.cx.connected == self.clients.len() && !self.reported {
            self.reported = true;
            // From here on CPU time and run delay count: between now and the begin there is nothing to do, and a thread
            // that begins late because it does not get the CPU is not to forget that.
            self.cx.cpu.take_cpu_used();
            let mut connections: Vec<_> =
                self.cx.sides_mut().map(|side| (side.number, side.recorder.take_connections())).collect();
            connections.sort_unstable_by_key(|(side, _)| *side);
            let connections = connections.into_iter().map(|(_, of_side)| of_side).collect();
            self.cx.send_report(ThreadReport::Connected { connections });
        }
        Ok(())
    }

    fn begin_load(&mut self, now_ns: u64) -> Result<(), LoadError> {
        let start_ns = self.start_ns;
        let (first, timetable) = match &self.cx.seat {
            Some(seat) => (ThreadLoadState::Paused, seat.referee.known_timetable()),
            None => (ThreadLoadState::Running, Timetable::from_job(self.cx.side.job, start_ns)),
        };
        for side in self.cx.sides_mut() {
            side.recorder.begin_first_interval(timetable);
            side.agenda.begin_load(start_ns);
            side.load = first;
            side.stopped_ns = start_ns;
        }
        self.cx.look_ahead();
        self.read_paths_ns = self.start_ns + SECOND_NS / 4;
        for (index, client) in (0u32..).zip(&mut self.clients) {
            self.cx.select_side_of(index);
            if !self.cx.side.enlist_client(index) && first == ThreadLoadState::Running {
                client.become_free(now_ns, &mut self.cx)?;
                client.send_requests(&mut self.cx)?;
            }
        }
        Ok(())
    }

    /// Between two turns: begins the next one as soon as it is called. Returns what time it is then.
    #[cold]
    fn between_turns(&mut self, now_ns: u64) -> Result<u64, LoadError> {
        if let Some(away_ns) = self.cx.between_turns(now_ns) {
            // All at the same instant; their latency begins here.
            let begun_ns = self.cx.clock.now_ns();
            for client in &mut self.clients[self.cx.side.client_range()] {
                client.take_turn(begun_ns, away_ns, &mut self.cx)?;
                client.send_requests(&mut self.cx)?;
            }
        }
        Ok(self.cx.clock.now_ns())
    }

    /// Once a second: reads what the kernel knows of the paths of some connections, others each time.
    #[cold]
    fn read_connection_paths(&mut self, now_ns: u64) {
        self.cx.notice.end_second();
        self.read_paths_ns = now_ns - (now_ns - self.read_paths_ns) % SECOND_NS + SECOND_NS;
        let count = self.clients.len().min(PATHS_AT_ONCE);
        for _ in 0..count {
            self.read_paths_from = (self.read_paths_from + 1) % self.clients.len();
            self.cx.select_side_of(self.read_paths_from as u32);
            self.clients[self.read_paths_from].read_path(self.cx.side.recorder.path_activity_mut());
        }
        self.cx.face_side_at_work();
    }

    fn is_over(&self, now_ns: u64) -> bool {
        match self.cx.side.load {
            ThreadLoadState::Draining { until_ns } => self.cx.in_flight() == 0 || now_ns >= until_ns,
            ThreadLoadState::Connecting | ThreadLoadState::Running | ThreadLoadState::Paused => false,
        }
    }

    /// When to wake up even if nothing happens.
    #[inline]
    fn next_deadline_ns(&self) -> u64 {
        let own_ns = match self.cx.side.load {
            ThreadLoadState::Connecting => self.start_ns,
            ThreadLoadState::Running => self.cx.due_ns.min(self.cx.side.agenda.next_arrival_ns(self.cx.side.in_flight)),
            ThreadLoadState::Paused => self.cx.due_ns,
            ThreadLoadState::Draining { until_ns } => until_ns,
        };
        own_ns.min(self.cx.timers.next_ns())
    }
}
