//! One session with a server: logs in, then turns received bytes into events.
//!
//! Start ─▶ LoggingIn ─(ReadyForQuery)─▶ Open. The login is answered in here; after it the caller appends requests to
//! `outgoing_mut` and polls until ReadyForQuery. After an error nothing more can be expected of the connection.

use crate::authentication::{Authentication, Credentials};
use crate::backend::{self, Event};
use crate::error::WireError;
use crate::frame::{self, HEADER};
use crate::frontend;
use crate::input::Input;

/// What a session starts with. An empty `database` means the one named like the user. No text may contain a zero byte.
#[derive(Clone, Copy, Default)]
pub struct Login<'a> {
    /// The role.
    pub user: &'a str,
    /// Its password, if the server may ask for one.
    pub password: Option<&'a str>,
    /// The database.
    pub database: &'a str,
    /// What the server shows in `pg_stat_activity`.
    pub application_name: &'a str,
    /// Settings as command-line options, such as `-c work_mem=64MB`.
    pub options: Option<&'a str>,
}

/// What to do with the rows of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rows {
    /// They pass unread; there is no event and no limit on their size.
    #[default]
    Skip,
    /// Each is an event.
    Keep,
}

/// One session, without its socket.
pub struct Connection {
    phase: Phase,
    rows: Rows,
    input: Input,
    /// Bytes at the front of the input that belong to the event handed out last.
    handed_out: usize,
    /// Bytes still to come that nobody wants.
    skip: usize,
    output: Vec<u8>,
    sent: usize,
}

enum Phase {
    LoggingIn(Box<LoggingIn>),
    Open,
}

struct LoggingIn {
    who: Credentials,
    authentication: Authentication,
    /// The server has accepted the user.
    accepted: bool,
}

impl Connection {
    /// Begins a session: the start-up message is in [`outgoing`](Self::outgoing).
    pub fn start(login: &Login<'_>) -> Connection {
        let mut output = Vec::with_capacity(512);
        let database = if login.database.is_empty() { login.user } else { login.database };
        let named = [("user", login.user), ("database", database), ("application_name", login.application_name)];
        let options = login.options.map(|options| ("options", options));
        frontend::startup(&mut output, named.into_iter().chain(options));
        let who = Credentials { user: login.user.into(), password: login.password.map(Into::into) };
        let login = LoggingIn { who, authentication: Authentication::default(), accepted: false };
        Connection {
            phase: Phase::LoggingIn(Box::new(login)),
            rows: Rows::Skip,
            input: Input::new(),
            handed_out: 0,
            skip: 0,
            output,
            sent: 0,
        }
    }

    /// Decides about rows received from now on. Initially they are skipped.
    pub fn set_rows(&mut self, rows: Rows) {
        self.rows = rows;
    }

    /// What is to be sent.
    #[inline]
    pub fn outgoing(&self) -> &[u8] {
        &self.output[self.sent..]
    }

    /// The first `count` bytes of [`outgoing`](Self::outgoing) have been sent.
    #[inline]
    pub fn sent(&mut self, count: usize) {
        self.sent = (self.sent + count).min(self.output.len());
        if self.sent == self.output.len() {
            self.output.clear();
            self.sent = 0;
        }
    }

    /// Where to append requests with the functions of [`frontend`].
    #[inline]
    pub fn outgoing_mut(&mut self) -> &mut Vec<u8> {
        &mut self.output
    }

    /// Room to receive into; never empty. Say with [`received`](Self::received) how much of it was filled.
    #[inline]
    pub fn spare(&mut self) -> &mut [u8] {
        self.release();
        self.input.spare()
    }

    /// `count` bytes have been received into [`spare`](Self::spare).
    #[inline]
    pub fn received(&mut self, count: usize) {
        self.input.filled(count);
    }

    /// `bytes` have been received; for callers that have them in a buffer of their own.
    pub fn receive(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let spare = self.spare();
            let count = spare.len().min(bytes.len());
            let (now, later) = bytes.split_at(count);
            spare[..count].copy_from_slice(now);
            self.received(count);
            bytes = later;
        }
    }

    /// The next event, or `None` until more bytes have arrived. During the login this may append to
    /// [`outgoing`](Self::outgoing), so look there after `None`.
    ///
    /// # Errors
    /// When the peer breaks the protocol, is no PostgreSQL server, or asks for a login that cannot be done.
    #[inline]
    pub fn poll(&mut self) -> Result<Option<Event<'_>>, WireError> {
        self.release();
        if matches!(self.phase, Phase::LoggingIn(_)) {
            return self.poll_login();
        }
        loop {
            if !self.skip_rest() {
                return Ok(None);
            }
            let Some(header) = frame::header(self.input.bytes())? else { return Ok(None) };
            if backend::is_skippable(header.tag) || (header.tag == b'D' && self.rows == Rows::Skip) {
                self.skip = HEADER + header.body;
                continue;
            }
            frame::check_length(header)?;
            let end = HEADER + header.body;
            if self.input.bytes().len() < end {
                return Ok(None);
            }
            self.handed_out = end;
            return backend::parse(header.tag, &self.input.bytes()[HEADER..end]).map(Some);
        }
    }

    #[cold]
    fn poll_login(&mut self) -> Result<Option<Event<'_>>, WireError> {
        let Phase::LoggingIn(login) = &mut self.phase else { return Ok(None) };
        loop {
            let Some(header) = frame::login_header(self.input.bytes())? else { return Ok(None) };
            let end = HEADER + header.body;
            if self.input.bytes().len() < end {
                return Ok(None);
            }
            if header.tag == b'R' {
                let body = &self.input.bytes()[HEADER..end];
                if login.accepted {
                    return Err(WireError::Protocol("an authentication request after the login"));
                }
                login.accepted = login.authentication.step(body, &login.who, &mut self.output)?;
                self.input.consume(end);
                continue;
            }
            if header.tag == b'Z' {
                if !login.accepted {
                    return Err(WireError::Protocol("ready for a query before the login"));
                }
                self.phase = Phase::Open;
            }
            self.handed_out = end;
            return backend::parse(header.tag, &self.input.bytes()[HEADER..end]).map(Some);
        }
    }

    /// Gives the last event's bytes back to the buffer.
    #[inline]
    fn release(&mut self) {
        if self.handed_out > 0 {
            self.input.consume(self.handed_out);
            self.handed_out = 0;
        }
    }

    /// Drops what is not wanted of the buffer. False: there is more of it to come.
    #[inline]
    fn skip_rest(&mut self) -> bool {
        if self.skip > 0 {
            let here = self.skip.min(self.input.bytes().len());
            self.input.consume(here);
            self.skip -= here;
        }
        self.skip == 0
    }
}

impl std::fmt::Debug for Connection {
    /// Buffers may hold passwords, so that they are not shown.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let phase = if matches!(self.phase, Phase::Open) { "open" } else { "logging in" };
        f.debug_struct("Connection").field("phase", &phase).finish_non_exhaustive()
    }
}
