//! One thread's event loop: waits, serves the clients that are ready, keeps the time.
//!
//! Of a large batch of clients all answers are received before the next requests are sent: the same system call many
//! times in a row costs less than two in turn (about 4 % of the CPU per transaction at 64 connections). In a small
//! batch each request is sent at once, so that the server is not kept waiting. A transaction's clock starts at the instant
//! at which the one before it ended, so that no latency is hidden either way.

use crate::engine::client::Client;
use crate::engine::clock::NEVER;
use crate::engine::context::{Context, Load};
use crate::engine::control::Report;
use crate::engine::poller::Batch;
use crate::engine::timetable::Timetable;
use crate::error::LoadError;

/// Connections that one thread makes at the same time: enough to keep the server busy, not so many that its queue
/// overflows or that logging in takes longer than the limit.
const CONNECTING_AT_ONCE: usize = 16;

/// Batches of this many clients and more are received from first and sent to afterwards.
const GROUPED_FROM: usize = 16;

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
}

impl<'a> Worker<'a> {
    pub(crate) fn new(cx: Context<'a>, clients: Vec<Client>) -> Worker<'a> {
        Worker { cx, clients, started: 0, reported: false, start_ns: NEVER }
    }

    /// Connects, runs the load, and disconnects.
    ///
    /// # Errors
    /// When the run cannot be made.
    pub(crate) fn run(mut self) -> Result<(), LoadError> {
        let mut batch = Batch::new();
        let mut now_ns = self.cx.clock.now();
        loop {
            self.on_time(now_ns)?;
            if self.cx.control.is_aborted() || self.is_over(now_ns) {
                break;
            }
            let timeout_ns = self.next_deadline_ns().saturating_sub(now_ns);
            self.cx
                .poller
                .wait(&mut batch, timeout_ns)
                .map_err(|error| LoadError::System { action: "wait for the connections", source: error.into() })?;
            let woken_ns = self.cx.clock.now();
            self.serve(&batch)?;
            if batch.is_woken() {
                self.start_ns = self.cx.control.start_ns();
            }
            now_ns = self.cx.clock.now();
            self.cx.recorder.round(now_ns - woken_ns);
        }
        self.clients.into_iter().for_each(Client::close);
        Ok(())
    }

    /// Receives from the clients that are ready, and sends what follows.
    #[inline]
    fn serve(&mut self, batch: &Batch) -> Result<(), LoadError> {
        let grouped = batch.len() >= GROUPED_FROM;
        for ready in batch.ready() {
            let client = &mut self.clients[ready.client as usize];
            client.ready(ready, &mut self.cx)?;
            if !grouped {
                client.send(&mut self.cx)?;
            }
        }
        if grouped {
            for ready in batch.ready() {
                self.clients[ready.client as usize].send(&mut self.cx)?;
            }
        }
        Ok(())
    }

    /// Does what is due at `now_ns`.
    #[inline]
    fn on_time(&mut self, now_ns: u64) -> Result<(), LoadError> {
        self.cx.pass(now_ns);
        match self.cx.load {
            Load::Connecting if now_ns >= self.start_ns => self.begin(now_ns)?,
            Load::Connecting => self.connect_more(now_ns)?,
            Load::Running | Load::Draining { .. } => {}
        }
        if now_ns >= self.cx.next_timer_ns {
            self.cx.next_timer_ns = NEVER;
            for client in &mut self.clients {
                client.due(now_ns, &mut self.cx)?;
            }
        }
        Ok(())
    }

    fn connect_more(&mut self, now_ns: u64) -> Result<(), LoadError> {
        while self.started < self.clients.len() && self.started - self.cx.connected < CONNECTING_AT_ONCE {
            self.started += 1;
            self.clients[self.started - 1].connect_first(now_ns, &mut self.cx)?;
        }
        if self.cx.connected == self.clients.len() && !self.reported {
            self.reported = true;
            self.cx.report(Report::Connected);
        }
        Ok(())
    }

    fn begin(&mut self, now_ns: u64) -> Result<(), LoadError> {
        self.cx.recorder.begin(Timetable::of(self.cx.job, self.start_ns));
        self.cx.load = Load::Running;
        for client in &mut self.clients {
            client.begin(now_ns, &mut self.cx)?;
            client.send(&mut self.cx)?;
        }
        Ok(())
    }

    fn is_over(&self, now_ns: u64) -> bool {
        match self.cx.load {
            Load::Draining { until_ns } => self.cx.in_flight == 0 || now_ns >= until_ns,
            Load::Connecting | Load::Running => false,
        }
    }

    /// When to wake up even if nothing happens.
    #[inline]
    fn next_deadline_ns(&self) -> u64 {
        let own_ns = match self.cx.load {
            Load::Connecting => self.start_ns,
            Load::Running => self.cx.recorder.interval_end_ns(),
            Load::Draining { until_ns } => until_ns,
        };
        own_ns.min(self.cx.next_timer_ns)
    }
}
