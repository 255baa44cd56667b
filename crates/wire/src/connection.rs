//! One session with a server: logs in, then turns received bytes into events.
//!
//! Start ─▶ [AskingForTls ─(S: encrypted, N: in clear)─▶] LoggingIn ─(ReadyForQuery)─▶ Open. The login is answered in
//! here; after it the caller appends requests to `outgoing_mut` and polls until ReadyForQuery. After an error nothing
//! more can be expected of the connection.

use crate::authentication::{Authentication, Binding, Credentials};
use crate::backend::{self, ServerEvent};
use crate::error::WireError;
use crate::frame::{self, HEADER};
use crate::frontend;
use crate::input::Input;
use crate::memory::BufferMemory;
use crate::tls::{Negotiation, TlsError, TlsLayer, TlsSettings, end_point};
use std::ops::Range;

/// What a session starts with. An empty `database` means the one named like the user. No text may contain a zero byte.
#[derive(Clone, Copy, Default)]
pub struct SessionLogin<'a> {
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
    /// Encryption; without it everything is sent in clear.
    pub tls: Option<TlsRequest<'a>>,
    /// Whether the login must be tied to the encryption.
    pub channel_binding: ChannelBinding,
}

/// How a session is to be encrypted.
#[derive(Clone, Copy)]
pub struct TlsRequest<'a> {
    /// How.
    pub settings: &'a TlsSettings,
    /// The host's name or address, which the certificate may have to be for.
    pub host: &'a str,
    /// Go on in clear when the server answers that it does not encrypt. Has no meaning in direct negotiation.
    pub optional: bool,
}

/// Whether a login by SCRAM is tied to the server's certificate, so that nobody in between can pass it on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ChannelBinding {
    /// It is not.
    Disable,
    /// It is, if both sides can.
    #[default]
    Prefer,
    /// It must be; no other way to log in is accepted.
    Require,
}

/// What the server has told during the login about what its sessions can do. `None`:
/// it did not (older than 14, or a pooler).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ServerState {
    /// It replays another server's changes.
    pub in_hot_standby: Option<bool>,
    /// Transactions are read-only unless they say otherwise.
    pub default_read_only: Option<bool>,
    /// How often it asked for the password to be hashed (SCRAM); none where it asked for no such proof.
    pub scram_iterations: Option<u32>,
}

/// What to do with the rows of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ResultRows {
    /// They and their description pass unread; there is no event and no limit on their size.
    #[default]
    Skip,
    /// Each is an event, and so is their description before them.
    Keep,
}

/// One session, without its socket.
pub struct WireConnection {
    phase: ConnectionPhase,
    rows: ResultRows,
    input: Input,
    /// Bytes at the front of the input that belong to the event handed out last.
    handed_out: usize,
    /// Bytes still to come that nobody wants.
    skip: usize,
    /// In clear.
    output: Vec<u8>,
    sent: usize,
    tls: Option<Box<TlsLayer>>,
    server: ServerState,
}

enum ConnectionPhase {
    AskingForTls(Box<TlsQuestion>),
    LoggingIn(Box<LoggingIn>),
    Open,
    /// TLS could not even be begun; the next poll says so.
    Failed(TlsError),
}

/// The server has been asked whether it encrypts.
struct TlsQuestion {
    settings: TlsSettings,
    host: Box<str>,
    optional: bool,
    /// What is to be sent afterwards.
    startup: Vec<u8>,
    login: Box<LoggingIn>,
}

struct LoggingIn {
    who: Credentials,
    authentication: Authentication,
    /// The server has accepted the user.
    accepted: bool,
}

impl WireConnection {
    /// Begins a session: the first message is in [`outgoing`](Self::outgoing_bytes).
    pub fn start(login: &SessionLogin<'_>) -> WireConnection {
        let mut startup = Vec::with_capacity(512);
        let database = if login.database.is_empty() { login.user } else { login.database };
        let named = [("user", login.user), ("database", database), ("application_name", login.application_name)];
        let options = login.options.map(|options| ("options", options));
        frontend::write_startup_message(&mut startup, named.into_iter().chain(options));
        let who = Credentials { user: login.user.into(), password: login.password.map(Into::into) };
        let authentication = Authentication::new(login.channel_binding);
        let logging_in = Box::new(LoggingIn { who, authentication, accepted: false });
        let (mut output, mut tls) = (startup, None);
        let phase = match login.tls {
            None => ConnectionPhase::LoggingIn(logging_in),
            Some(request) if request.settings.tls_negotiation() == Negotiation::Direct => {
                match TlsLayer::new(request.settings, request.host) {
                    Ok(layer) => {
                        tls = Some(Box::new(layer));
                        ConnectionPhase::LoggingIn(logging_in)
                    }
                    Err(error) => ConnectionPhase::Failed(error),
                }
            }
            Some(request) => {
                let mut question = Vec::new();
                frontend::ssl_request(&mut question);
                ConnectionPhase::AskingForTls(Box::new(TlsQuestion {
                    settings: request.settings.clone(),
                    host: request.host.into(),
                    optional: request.optional,
                    startup: std::mem::replace(&mut output, question),
                    login: logging_in,
                }))
            }
        };
        let (input, server) = (Input::new(), ServerState::default());
        WireConnection { phase, rows: ResultRows::Skip, input, handed_out: 0, skip: 0, output, sent: 0, tls, server }
    }

    /// Whether the session is encrypted; false while that is being negotiated.
    pub fn is_encrypted(&self) -> bool {
        self.tls.as_ref().is_some_and(|tls| tls.is_secured())
    }

    /// Whether encryption is settled, one way or the other: what follows is the login.
    pub fn is_negotiated(&self) -> bool {
        match (&self.phase, &self.tls) {
            (ConnectionPhase::AskingForTls(_) | ConnectionPhase::Failed(_), _) => false,
            (ConnectionPhase::LoggingIn(_) | ConnectionPhase::Open, tls) => {
                tls.as_ref().is_none_or(|tls| tls.is_secured())
            }
        }
    }

    /// What the server has told about itself; complete when the login is.
    pub fn server_state(&self) -> ServerState {
        self.server
    }

    /// Decides about rows received from now on. Initially they are skipped.
    pub fn set_rows(&mut self, rows: ResultRows) {
        self.rows = rows;
    }

    /// What is to be sent, encrypted if the session is.
    #[inline]
    pub fn outgoing_bytes(&mut self) -> &[u8] {
        match &mut self.tls {
            None => &self.output[self.sent..],
            Some(tls) => {
                // An error is kept, and met by the next `poll`;
                // what is to be sent then is the alert that tells the server.
                let _kept = tls.process_records(&mut self.input, &mut self.output);
                tls.outgoing_bytes()
            }
        }
    }

    /// The first `count` bytes of [`outgoing`](Self::outgoing_bytes) have been sent.
    #[inline]
    pub fn mark_sent(&mut self, count: usize) {
        if let Some(tls) = &mut self.tls {
            return tls.mark_sent(count);
        }
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

    /// Room to receive into; never empty. Say with [`received`](Self::mark_received) how much of it was filled.
    #[inline]
    pub fn receive_buffer(&mut self) -> &mut [u8] {
        self.release_event_bytes();
        match &mut self.tls {
            None => self.input.receive_buffer(),
            Some(tls) => tls.receive_buffer(),
        }
    }

    /// `count` bytes have been received into [`receive_buffer`](Self::receive_buffer).
    #[inline]
    pub fn mark_received(&mut self, count: usize) {
        match &mut self.tls {
            None => self.input.mark_filled(count),
            Some(tls) => tls.mark_received(count),
        }
    }

    /// `bytes` have been received; for callers that have them in a buffer of their own.
    pub fn receive_bytes(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let spare = self.receive_buffer();
            let count = spare.len().min(bytes.len());
            let (now, later) = bytes.split_at(count);
            spare[..count].copy_from_slice(now);
            self.mark_received(count);
            bytes = later;
        }
    }

    /// Takes memory for what it is going to receive and send, as far as it has none and `memory` has some.
    #[inline]
    pub fn borrow(&mut self, memory: &mut BufferMemory) {
        self.input.borrow(&mut memory.input);
        memory.output.lend_memory(&mut self.output);
    }

    /// Gives back the memory in which nothing is buffered. A connection does not need it until it sends or receives
    /// again, and then makes its own if it does not [`borrow`](Self::borrow) any.
    #[inline]
    pub fn give_back(&mut self, memory: &mut BufferMemory) {
        self.release_event_bytes();
        self.input.give_back(&mut memory.input);
        if self.output.is_empty() {
            memory.output.take_back(&mut self.output);
        }
    }

    /// The next event, or `None` until more bytes have arrived. During the login this may append to
    /// [`outgoing`](Self::outgoing_bytes), so look there after `None`.
    ///
    /// # Errors
    /// When the peer breaks the protocol, is no PostgreSQL server, or asks for a login that cannot be done. If it is
    /// TLS that has failed, the alert that tells the server is in [`outgoing`](Self::outgoing_bytes).
    #[inline]
    pub fn poll(&mut self) -> Result<Option<ServerEvent<'_>>, WireError> {
        self.release_event_bytes();
        if let Some(tls) = &mut self.tls {
            tls.process_records(&mut self.input, &mut self.output)?;
        }
        if !matches!(self.phase, ConnectionPhase::Open) {
            return self.poll_login();
        }
        match self.find_message()? {
            Some((tag, body)) => backend::parse_message(tag, &self.input.buffered_bytes()[body]).map(Some),
            None => Ok(None),
        }
    }

    /// The next complete message that somebody wants: its type and where its body is. What comes before it is dropped.
    #[inline]
    fn find_message(&mut self) -> Result<Option<(u8, Range<usize>)>, WireError> {
        if !self.skip_rest() {
            return Ok(None);
        }
        let bytes = self.input.buffered_bytes();
        let mut at = 0;
        while let Some(header) = frame::parse_header(&bytes[at..])? {
            let body = at + HEADER..at + HEADER + header.body;
            if backend::is_skippable(header.tag) || (self.rows == ResultRows::Skip && matches!(header.tag, b'D' | b'T'))
            {
                at = body.end.min(bytes.len());
                self.skip = body.end - at;
                continue;
            }
            frame::check_length(header)?;
            if body.end > bytes.len() {
                break;
            }
            self.handed_out = body.end;
            return Ok(Some((header.tag, body)));
        }
        self.input.consume_bytes(at);
        Ok(None)
    }

    #[cold]
    fn poll_login(&mut self) -> Result<Option<ServerEvent<'_>>, WireError> {
        if let ConnectionPhase::Failed(error) = &self.phase {
            return Err(error.clone().into());
        }
        if matches!(self.phase, ConnectionPhase::AskingForTls(_)) {
            let Some(&answer) = self.input.buffered_bytes().first() else { return Ok(None) };
            self.handle_encryption_answer(answer)?;
        }
        let ConnectionPhase::LoggingIn(login) = &mut self.phase else { return Ok(None) };
        loop {
            let Some(header) = frame::login_header(self.input.buffered_bytes())? else { return Ok(None) };
            let end = HEADER + header.body;
            if self.input.buffered_bytes().len() < end {
                return Ok(None);
            }
            if header.tag == b'R' {
                let body = &self.input.buffered_bytes()[HEADER..end];
                if login.accepted {
                    return Err(WireError::Protocol("an authentication request after the login"));
                }
                let certificate = self.tls.as_ref().map(|tls| tls.server_certificate());
                let binding = match certificate {
                    None => Binding::InClear,
                    Some(certificate) => Binding::Encrypted { end_point: certificate.and_then(end_point) },
                };
                login.accepted = login.authentication.answer_request(body, &login.who, binding, &mut self.output)?;
                self.server.scram_iterations = login.authentication.scram_iterations();
                self.input.consume_bytes(end);
                continue;
            }
            if header.tag == b'Z' {
                if !login.accepted {
                    return Err(WireError::Protocol("ready for a query before the login"));
                }
                self.phase = ConnectionPhase::Open;
            }
            self.handed_out = end;
            let event = backend::parse_message(header.tag, &self.input.buffered_bytes()[HEADER..end])?;
            if let ServerEvent::ParameterStatus { name, value } = event {
                self.server.note_parameter(name, value);
            }
            return Ok(Some(event));
        }
    }

    /// The server has said whether it encrypts.
    fn handle_encryption_answer(&mut self, answer: u8) -> Result<(), WireError> {
        let placeholder = ConnectionPhase::Open;
        let ConnectionPhase::AskingForTls(question) = std::mem::replace(&mut self.phase, placeholder) else {
            return Ok(());
        };
        let TlsQuestion { settings, host, optional, startup, login } = *question;
        self.phase = ConnectionPhase::LoggingIn(login);
        match answer {
            b'S' if self.input.buffered_bytes().len() > 1 => return Err(TlsError::Stuffed.into()),
            b'S' => self.tls = Some(Box::new(TlsLayer::new(&settings, &host)?)),
            b'N' if !optional => return Err(TlsError::NotOffered.into()),
            b'N' => {}
            // An error message, or not PostgreSQL at all: the login finds out.
            _ => return Ok(()),
        }
        self.input.consume_bytes(1);
        self.output = startup;
        self.sent = 0;
        if let Some(tls) = &mut self.tls {
            tls.process_records(&mut self.input, &mut self.output)?;
        }
        Ok(())
    }

    /// Gives the last event's bytes back to the buffer.
    #[inline]
    fn release_event_bytes(&mut self) {
        if self.handed_out > 0 {
            self.input.consume_bytes(self.handed_out);
            self.handed_out = 0;
        }
    }

    /// Drops what is not wanted of the buffer. False: there is more of it to come.
    #[inline]
    fn skip_rest(&mut self) -> bool {
        if self.skip > 0 {
            let here = self.skip.min(self.input.buffered_bytes().len());
            self.input.consume_bytes(here);
            self.skip -= here;
        }
        self.skip == 0
    }
}

impl ServerState {
    fn note_parameter(&mut self, name: &[u8], value: &[u8]) {
        match name {
            b"in_hot_standby" => self.in_hot_standby = Some(value == b"on"),
            b"default_transaction_read_only" => self.default_read_only = Some(value == b"on"),
            _ => {}
        }
    }
}

impl std::fmt::Debug for WireConnection {
    /// Buffers may hold passwords, so that they are not shown.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let phase = if matches!(self.phase, ConnectionPhase::Open) { "open" } else { "logging in" };
        f.debug_struct("Connection").field("phase", &phase).finish_non_exhaustive()
    }
}
