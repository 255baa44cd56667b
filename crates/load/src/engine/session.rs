//! One connection: a socket and the protocol on it, from connecting to the first statement and on.
//!
//! Connecting ─▶ LoggingIn ─▶ Preparing (script by script) ─▶ Idle ◀─▶ InTransaction ─(failed)─▶ RollingBack ─▶ Idle

use crate::engine::attempt::TlsAttempt;
use crate::engine::cancel::SessionKey;
use crate::engine::clock::NEVER;
use crate::engine::io::{Io, Transfer};
use crate::engine::socket::{Addresses, EngineSocket};
use crate::path::PathActivity;
use conninfo::refusals::{RefusedAttempt, decisive_refusal, in_words};
use conninfo::{ConnInfo, Secret, SessionAttrs};
use rustix::io::Errno;
use wire::tls::TlsError;
use wire::{ServerMessage, SessionLogin, SqlState, WireConnection, WireError};

/// How far a connection has come, or what is under way on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConnectionStage {
    Connecting,
    LoggingIn,
    /// The statements of the script with this number are being prepared.
    Preparing(usize),
    Idle,
    InTransaction,
    RollingBack,
}

impl ConnectionStage {
    /// The connection is ready for transactions, or has one under way.
    #[inline]
    pub(crate) fn is_at_work(self) -> bool {
        matches!(self, ConnectionStage::Idle | ConnectionStage::InTransaction | ConnectionStage::RollingBack)
    }
}

/// Why a connection is of no further use.
#[derive(Debug)]
pub(crate) enum Lost {
    /// The system reports an error.
    Io(Errno),
    /// The server closed it.
    Closed,
    /// The server does not keep to the protocol, or asks for an impossible login.
    Wire(WireError),
    /// The server said why it ends the session, or why it refuses it.
    Server { sqlstate: SqlState, message: String },
    /// A statement of the script with this number could not be prepared.
    Prepare { script: usize, sqlstate: SqlState, message: String },
    /// The server is not of the kind that is wanted.
    Unfit(SessionAttrs),
    /// It took too long to come about, or the server owes an answer for too long.
    Timeout,
}

impl Lost {
    pub(crate) fn by_server(message: &ServerMessage<'_>) -> Lost {
        Lost::Server { sqlstate: message.sqlstate(), message: message.primary_message().into_owned() }
    }

    /// Whether the server was silent, so that the connection failed earlier than it was noticed.
    pub(crate) fn is_silence(&self) -> bool {
        matches!(self, Lost::Timeout | Lost::Io(Errno::TIMEDOUT | Errno::HOSTUNREACH | Errno::NETUNREACH))
    }
}

/// What the first of libpq's two ways came to.
#[derive(Debug)]
pub(crate) struct FirstRefusal {
    encrypted: bool,
    sqlstate: Option<SqlState>,
    said: String,
}

impl FirstRefusal {
    /// Whether it was `encrypted`, or was to be.
    pub(crate) fn from_cause(cause: &Lost, encrypted: bool) -> FirstRefusal {
        let (sqlstate, said) = sqlstate_and_words(cause);
        FirstRefusal { encrypted, sqlstate, said }
    }

    /// Both ways were refused, this one and then the other: both in words, and by the code of the one that says why.
    /// What is no refusal stays what it is.
    pub(crate) fn combine_with_second(self, cause: Lost) -> Lost {
        if !matches!(cause, Lost::Server { .. } | Lost::Wire(_)) {
            return cause;
        }
        let (second_sqlstate, second_said) = sqlstate_and_words(&cause);
        let first = RefusedAttempt {
            encrypted: self.encrypted,
            sqlstate: self.sqlstate.as_ref().map(SqlState::as_str),
            said: &self.said,
        };
        let second = RefusedAttempt {
            encrypted: !self.encrypted,
            sqlstate: second_sqlstate.as_ref().map(SqlState::as_str),
            said: &second_said,
        };
        let of_decisive = if *decisive_refusal(&first, &second) == first { self.sqlstate } else { second_sqlstate };
        match of_decisive.or(self.sqlstate).or(second_sqlstate) {
            Some(sqlstate) => Lost::Server { sqlstate, message: in_words(&first, &second) },
            None => cause,
        }
    }
}

/// The server's code, and its words or what happened.
fn sqlstate_and_words(cause: &Lost) -> (Option<SqlState>, String) {
    match cause {
        Lost::Server { sqlstate, message } => (Some(*sqlstate), message.clone()),
        Lost::Io(_) | Lost::Closed | Lost::Wire(_) | Lost::Prepare { .. } | Lost::Unfit(_) | Lost::Timeout => {
            (None, cause.to_string())
        }
    }
}

impl std::fmt::Display for Lost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Lost::Io(error) => write!(f, "{}", std::io::Error::from(*error)),
            Lost::Closed => f.write_str("the server closed the connection"),
            Lost::Wire(error) => error.fmt(f),
            Lost::Server { sqlstate, message } | Lost::Prepare { sqlstate, message, .. } => {
                write!(f, "{sqlstate}: {message}")
            }
            Lost::Unfit(wanted) => write!(f, "the server does not satisfy target_session_attrs={wanted}"),
            Lost::Timeout => f.write_str("the server did not answer in time"),
        }
    }
}

impl From<Errno> for Lost {
    fn from(error: Errno) -> Lost {
        Lost::Io(error)
    }
}

impl From<WireError> for Lost {
    fn from(error: WireError) -> Lost {
        Lost::Wire(error)
    }
}

/// What was received at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Received {
    pub(crate) bytes: usize,
    /// It filled the room that there was.
    pub(crate) may_be_more: bool,
}

/// One connection.
#[derive(Debug)]
pub(crate) struct EngineSession {
    socket: EngineSocket,
    pub(crate) wire: WireConnection,
    pub(crate) stage: ConnectionStage,
    /// When it must be usable, and afterwards when the server must have said something; `NEVER` while it owes nothing.
    pub(crate) deadline_ns: u64,
    pub(crate) steps: ConnectionSteps,
    /// What a request to cancel has to quote, once the server has told.
    pub(crate) key: Option<SessionKey>,
    last_resort: bool,
    /// Segments that it had sent again when it was last read.
    retransmits: u32,
}

/// When a connection had come how far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ConnectionSteps {
    pub(crate) begun_ns: u64,
    pub(crate) connected_ns: u64,
    /// The server said something for the first time: whether it encrypts, where it was asked, or what it wants to see
    /// of the user. Its process had to be started for that.
    pub(crate) answered_ns: u64,
    /// The handshake of TLS was complete, or it was agreed that there is none.
    pub(crate) negotiated_ns: u64,
    pub(crate) logged_in_ns: u64,
}

/// Which way a connection is to be made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ConnectionRoute {
    /// The number of the address.
    pub(crate) address: usize,
    pub(crate) attempt: TlsAttempt,
    pub(crate) begun_ns: u64,
    pub(crate) deadline_ns: u64,
    /// It is known that no server fits better.
    pub(crate) last_resort: bool,
}

impl EngineSession {
    /// Begins to connect and to log in.
    ///
    /// # Errors
    /// When that has failed already.
    pub(crate) fn start_connecting(
        server: &ConnInfo,
        addresses: &Addresses,
        route: ConnectionRoute,
        io: &mut Io,
        client: u32,
    ) -> Result<EngineSession, Errno> {
        let socket = EngineSocket::connect(addresses, route.address)?;
        let host = addresses.certificate_host(route.address);
        let login = SessionLogin {
            user: &server.user,
            password: server.password.as_ref().map(Secret::expose_secret),
            database: &server.dbname,
            application_name: &server.application_name,
            options: server.options.as_deref(),
            tls: host.as_deref().and_then(|host| route.attempt.tls_request(&server.encryption, host)),
            channel_binding: server.channel_binding,
        };
        io.add(&socket, client)?;
        let ConnectionRoute { begun_ns, deadline_ns, last_resort, .. } = route;
        let steps = ConnectionSteps {
            begun_ns,
            connected_ns: NEVER,
            answered_ns: NEVER,
            negotiated_ns: NEVER,
            logged_in_ns: NEVER,
        };
        let wire = WireConnection::start(&login);
        let (stage, key, retransmits) = (ConnectionStage::Connecting, None, 0);
        Ok(EngineSession { socket, wire, stage, deadline_ns, steps, key, last_resort, retransmits })
    }

    /// The login is over.
    ///
    /// # Errors
    /// When the server is not of the kind that is wanted.
    pub(crate) fn logged_in(&mut self, wanted: SessionAttrs, now_ns: u64) -> Result<(), Lost> {
        self.steps.logged_in_ns = now_ns;
        let fits = wanted.is_met_by_server(self.wire.server_state(), self.last_resort);
        if fits { Ok(()) } else { Err(Lost::Unfit(wanted)) }
    }

    /// The statements are prepared.
    pub(crate) fn mark_opened(&mut self) {
        self.stage = ConnectionStage::Idle;
        self.deadline_ns = NEVER;
    }

    /// The socket has become writable: connecting has succeeded or failed, or there is room for what waits.
    ///
    /// # Errors
    /// When connecting has failed.
    pub(crate) fn handle_writable(&mut self, now_ns: impl FnOnce() -> u64) -> Result<(), Lost> {
        if self.stage == ConnectionStage::Connecting {
            self.socket.check_socket_error()?;
            self.stage = ConnectionStage::LoggingIn;
            self.steps.connected_ns = now_ns();
            if self.wire.is_negotiated() {
                self.steps.negotiated_ns = self.steps.connected_ns;
            }
        }
        Ok(())
    }

    /// Notes when the server said something for the first time.
    #[inline]
    pub(crate) fn note_answered(&mut self, now_ns: impl FnOnce() -> u64) {
        if self.stage == ConnectionStage::LoggingIn && self.steps.answered_ns == NEVER {
            self.steps.answered_ns = now_ns();
        }
    }

    /// Notes when it was settled whether the connection is encrypted.
    #[inline]
    pub(crate) fn note_negotiated(&mut self, now_ns: impl FnOnce() -> u64) {
        if self.stage == ConnectionStage::LoggingIn && self.steps.negotiated_ns == NEVER && self.wire.is_negotiated() {
            self.steps.negotiated_ns = now_ns();
        }
    }

    /// Receives once. `None`: nothing was there.
    ///
    /// # Errors
    /// When the connection has failed or the server has closed it.
    #[inline]
    pub(crate) fn receive_once(&mut self, io: &mut Io, client: u32) -> Result<Option<Received>, Lost> {
        let room = self.wire.receive_buffer();
        match io.receive(&self.socket, client, room)? {
            Transfer::WouldBlock => Ok(None),
            Transfer::Bytes(0) => Err(Lost::Closed),
            Transfer::Bytes(count) => {
                let may_be_more = count == room.len();
                self.wire.mark_received(count);
                Ok(Some(Received { bytes: count, may_be_more }))
            }
        }
    }

    /// Sends what is to be sent, now or as soon as the socket takes it.
    ///
    /// # Errors
    /// When the connection has failed.
    #[inline]
    pub(crate) fn flush(&mut self, io: &mut Io, client: u32) -> Result<(), Lost> {
        if self.stage == ConnectionStage::Connecting {
            return Ok(());
        }
        loop {
            let bytes = self.wire.outgoing_bytes();
            if bytes.is_empty() {
                return Ok(());
            }
            match io.send(&self.socket, client, bytes)? {
                Transfer::Bytes(count) => self.wire.mark_sent(count),
                Transfer::WouldBlock => return Ok(()),
            }
        }
    }

    /// Adds what the kernel knows of its path to `path`.
    pub(crate) fn read_path(&mut self, path: &mut PathActivity) {
        if !self.socket.is_tcp() {
            path.unix_readings += 1;
            return;
        }
        let Some(info) = self.socket.tcp_info() else { return };
        path.tcp_readings += 1;
        path.rtt_us_sum += u64::from(info.rtt_us);
        path.rtt_min_us_sum += u64::from(info.rtt_min_us);
        path.retransmits += u64::from(info.retransmits.saturating_sub(self.retransmits));
        path.lost += u64::from(info.lost);
        self.retransmits = info.retransmits;
    }

    /// What it means that a connection could not be made: a server that does not know
    /// direct negotiation just closes it.
    pub(crate) fn diagnose_failure(&self, cause: Lost, server: &ConnInfo) -> Lost {
        let closed = matches!(cause, Lost::Closed | Lost::Io(Errno::CONNRESET | Errno::PIPE));
        if closed
            && self.stage == ConnectionStage::LoggingIn
            && !self.wire.is_negotiated()
            && server.encryption.is_direct()
        {
            return Lost::Wire(TlsError::NoAlpn.into());
        }
        cause
    }

    /// Tells the server why it is left, if encryption has failed and the socket takes that at once.
    pub(crate) fn send_tls_alert(&mut self) {
        let _unsent = self.socket.send(self.wire.outgoing_bytes());
    }

    /// Says goodbye; if the socket does not take that at once, the server finds out by itself.
    pub(crate) fn terminate_session(mut self) {
        wire::frontend::write_terminate_message(self.wire.outgoing_mut());
        let _unsent = self.socket.send(self.wire.outgoing_bytes());
    }
}
