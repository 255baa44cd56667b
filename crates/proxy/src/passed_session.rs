//! One client and its connection to the server.
//!
//! Starting ─▶ Connecting ─▶ (AskingForTls ─▶) LoggingIn ─▶ Passing. A cancel request goes from Starting to Connecting
//! to Cancelling. From Passing on, bytes are passed as they are.

use std::io;

use capture::TrafficSession;
use conninfo::EncryptionMode;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, recv, socket_with, sockopt};

use crate::endpoint::SocketEndpoint;
use crate::login_messages::LoginMessages;
use crate::server_addresses::ServerAddress;
use crate::shared_route::SharedRoute;
use crate::startup_packet::{SSL_REQUEST_BYTES, StartupPacket, read_startup_packet};
use crate::tap::{TappedSession, TrafficTap};

/// How long a client may take until its first message is complete, in microseconds.
const STARTING_US: i64 = 60_000_000;

/// Bytes that a client may send before it is connected.
const EARLY_BYTES: usize = 64 << 10;

/// What a session is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SessionPhase {
    /// The client has not said what it wants.
    Starting,
    /// A connection to the server is being made.
    Connecting,
    /// The server has been asked whether it encrypts.
    AskingForTls,
    /// The client logs in.
    LoggingIn,
    /// Bytes are passed.
    Passing,
    /// A cancel request has been sent.
    Cancelling,
}

/// What a connection is for.
#[derive(Debug)]
enum ConnectionPurpose {
    Session { parameters: Vec<(String, String)> },
    Cancel,
}

/// Which side of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SessionSide {
    /// The one that connected.
    Client,
    /// The one that it is connected to.
    Server,
}

/// Why a session ends.
#[derive(Debug)]
pub(crate) struct SessionEnd;

type SessionResult = Result<(), SessionEnd>;

impl From<io::Error> for SessionEnd {
    fn from(_: io::Error) -> Self {
        Self
    }
}

/// One client and its connection to the server.
pub(crate) struct PassedSession {
    key: u64,
    phase: SessionPhase,
    pub(crate) client: SocketEndpoint,
    pub(crate) server: Option<SocketEndpoint>,
    /// What the client has sent before it is connected.
    begun: Vec<u8>,
    purpose: ConnectionPurpose,
    /// Addresses that have not been tried, the next one last.
    untried: Vec<ServerAddress>,
    address: Option<ServerAddress>,
    login: LoginMessages,
    tapped: Option<TappedSession>,
    began_us: i64,
    /// When it is given up, unless it is passing.
    deadline_us: i64,
}

/// What a session needs of its thread.
pub(crate) struct ThreadTools<'a> {
    pub(crate) route: &'a SharedRoute,
    pub(crate) tap: &'a mut TrafficTap,
    pub(crate) room: &'a mut [u8],
    pub(crate) now_us: i64,
}

impl PassedSession {
    pub(crate) fn from_client(key: u64, socket: OwnedFd, now_us: i64) -> Self {
        Self {
            key,
            phase: SessionPhase::Starting,
            client: SocketEndpoint::from_socket(socket),
            server: None,
            begun: Vec::new(),
            purpose: ConnectionPurpose::Cancel,
            untried: Vec::new(),
            address: None,
            login: LoginMessages::default(),
            tapped: None,
            began_us: now_us,
            deadline_us: now_us.saturating_add(STARTING_US),
        }
    }

    /// Whether it has taken too long to be connected.
    pub(crate) fn is_overdue(&self, now_us: i64) -> bool {
        now_us > self.deadline_us
    }

    /// The address took too long: the next one is tried.
    pub(crate) fn give_up_address(&mut self, tools: &mut ThreadTools<'_>) -> SessionResult {
        match self.phase {
            SessionPhase::Connecting | SessionPhase::AskingForTls => {
                self.connect_next(&io::ErrorKind::TimedOut.into(), tools)
            }
            _ => Err(SessionEnd),
        }
    }

    /// One side can be received from.
    pub(crate) fn side_is_readable(&mut self, side: SessionSide, tools: &mut ThreadTools<'_>) -> SessionResult {
        match (side, self.phase) {
            (SessionSide::Client, SessionPhase::Passing) => self.pass_client_bytes(tools),
            (SessionSide::Server, SessionPhase::Passing) => self.pass_server_bytes(tools),
            (SessionSide::Client, SessionPhase::Starting) => self.take_first_bytes(tools),
            (SessionSide::Client, SessionPhase::LoggingIn) => self.pass_login_of_client(tools),
            (SessionSide::Server, SessionPhase::LoggingIn) => self.pass_login_of_server(tools),
            (SessionSide::Server, SessionPhase::AskingForTls) => self.take_tls_answer(tools),
            (SessionSide::Server, SessionPhase::Connecting) => self.server_is_connected(tools),
            (SessionSide::Server, SessionPhase::Cancelling) => self.take_end_of_cancel(tools),
            (SessionSide::Client, SessionPhase::Connecting | SessionPhase::AskingForTls) => {
                self.keep_early_bytes(tools)
            }
            (SessionSide::Client, SessionPhase::Cancelling) => Ok(()),
            (SessionSide::Server, SessionPhase::Starting) => Err(SessionEnd),
        }
    }

    /// One side can be sent to.
    pub(crate) fn side_is_writable(&mut self, side: SessionSide, tools: &mut ThreadTools<'_>) -> SessionResult {
        match side {
            SessionSide::Client => {
                self.client.flush_unsent()?;
                let server_holds = self.server.as_ref().is_some_and(SocketEndpoint::holds_received);
                if self.phase == SessionPhase::Passing && server_holds && !self.client.is_full() {
                    return self.pass_server_bytes(tools);
                }
            }
            SessionSide::Server if self.phase == SessionPhase::Connecting => self.server_is_connected(tools)?,
            SessionSide::Server => {
                let Some(server) = &mut self.server else { return Err(SessionEnd) };
                server.flush_unsent()?;
                if self.phase == SessionPhase::Passing && self.client.holds_received() && !server.is_full() {
                    return self.pass_client_bytes(tools);
                }
            }
        }
        self.check_end()
    }

    /// Whether a side is to be received from.
    pub(crate) fn wants_to_receive(&self, side: SessionSide) -> bool {
        match (side, &self.server) {
            (SessionSide::Client, Some(server)) => {
                !self.client.has_ended && !server.is_full() && self.phase != SessionPhase::Cancelling
            }
            (SessionSide::Client, None) => !self.client.has_ended,
            (SessionSide::Server, Some(server)) => {
                !server.has_ended && !self.client.is_full() && self.phase != SessionPhase::Connecting
            }
            (SessionSide::Server, None) => false,
        }
    }

    /// Whether a side is to be sent to as soon as it can be.
    pub(crate) fn wants_to_send(&self, side: SessionSide) -> bool {
        match side {
            SessionSide::Client => self.client.unsent_bytes() > 0,
            SessionSide::Server => self
                .server
                .as_ref()
                .is_some_and(|server| server.unsent_bytes() > 0 || self.phase == SessionPhase::Connecting),
        }
    }

    /// It is over.
    pub(crate) fn end_session(self, tools: &mut ThreadTools<'_>) {
        if let Some(tapped) = &self.tapped {
            tools.tap.end_session(tapped, tools.now_us);
        }
        if let Some(key) = &self.login.cancel_key {
            tools.route.forget_key(key);
        }
    }

    fn pass_client_bytes(&mut self, tools: &mut ThreadTools<'_>) -> SessionResult {
        let Some(server) = &mut self.server else { return Err(SessionEnd) };
        loop {
            let count = self.client.receive_bytes(tools.room)?;
            if count > 0 {
                let bytes = &tools.room[..count];
                let passed = server.send_bytes(bytes);
                if let Some(tapped) = &mut self.tapped {
                    tools.tap.copy_client_bytes(tapped, bytes, tools.now_us);
                }
                passed?;
            }
            if !self.client.holds_received() || server.is_full() {
                break;
            }
        }
        if self.client.has_ended {
            server.end_sending()?;
        }
        self.check_end()
    }

    fn pass_server_bytes(&mut self, tools: &mut ThreadTools<'_>) -> SessionResult {
        let Some(server) = &mut self.server else { return Err(SessionEnd) };
        loop {
            let Ok(count) = server.receive_bytes(tools.room) else {
                // What the server has said before it vanished is passed all the same.
                server.has_ended = true;
                break;
            };
            if count > 0 {
                let bytes = &tools.room[..count];
                let passed = self.client.send_bytes(bytes);
                if let Some(tapped) = &mut self.tapped {
                    tools.tap.copy_server_bytes(tapped, bytes, tools.now_us);
                }
                passed?;
            }
            if !server.holds_received() || self.client.is_full() {
                break;
            }
        }
        if server.has_ended {
            self.client.end_sending()?;
        }
        self.check_end()
    }

    /// A session has ended when the server has, and all it said is passed on.
    fn check_end(&self) -> SessionResult {
        let has_ended = self.server.as_ref().is_some_and(|server| server.has_ended);
        if has_ended && self.client.unsent_bytes() == 0 { Err(SessionEnd) } else { Ok(()) }
    }

    fn take_first_bytes(&mut self, tools: &mut ThreadTools<'_>) -> SessionResult {
        let count = self.client.receive_bytes(tools.room)?;
        self.begun.extend_from_slice(&tools.room[..count]);
        loop {
            let (packet, length) = read_startup_packet(&self.begun);
            match packet {
                StartupPacket::NeedMore if self.client.has_ended => return Err(SessionEnd),
                StartupPacket::NeedMore => return Ok(()),
                StartupPacket::Malformed => return Err(SessionEnd),
                StartupPacket::AskForGss => {
                    self.begun.drain(..length);
                    self.client.send_bytes(b"N")?;
                }
                StartupPacket::AskForTls => self.answer_tls_request(length, tools)?,
                StartupPacket::DirectTls => {
                    let Some(identity) = &tools.route.identity else { return Err(SessionEnd) };
                    if self.client.is_encrypted() {
                        return Err(SessionEnd);
                    }
                    let begun = std::mem::take(&mut self.begun);
                    self.client.begin_tls_as_server(identity, &begun)?;
                    return Ok(());
                }
                StartupPacket::Cancel { key } => {
                    self.untried = tools.route.addresses_of_key(&key);
                    return self.connect_next(&io::ErrorKind::NotFound.into(), tools);
                }
                StartupPacket::Session { parameters } => {
                    self.purpose = ConnectionPurpose::Session { parameters };
                    self.untried = tools.route.list_addresses();
                    return self.connect_next(&io::ErrorKind::NotFound.into(), tools);
                }
            }
        }
    }

    fn answer_tls_request(&mut self, length: usize, tools: &ThreadTools<'_>) -> SessionResult {
        // What comes before the answer is not encrypted, though its sender may believe it.
        if self.begun.len() > length || self.client.is_encrypted() {
            return Err(SessionEnd);
        }
        self.begun.clear();
        match &tools.route.identity {
            None => self.client.send_bytes(b"N")?,
            Some(identity) => {
                self.client.send_bytes(b"S")?;
                self.client.begin_tls_as_server(identity, &[])?;
            }
        }
        Ok(())
    }

    /// Tries the next address. `failure` is that of the last one.
    fn connect_next(&mut self, failure: &io::Error, tools: &mut ThreadTools<'_>) -> SessionResult {
        let mut failure = failure.to_string();
        while let Some(address) = self.untried.pop() {
            self.deadline_us = tools.now_us.saturating_add(tools.route.patience_us);
            match open_connection(&address) {
                Ok(socket) => {
                    self.server = Some(SocketEndpoint::from_socket(socket));
                    self.address = Some(address);
                    self.phase = SessionPhase::Connecting;
                    return Ok(());
                }
                Err(error) => {
                    failure = error.to_string();
                    self.address = Some(address);
                }
            }
        }
        let server = self.address.as_ref().map_or("the server".to_owned(), ToString::to_string);
        self.refuse_client(&format!("pgdyno could not connect to {server}: {failure}"))
    }

    /// Tells the client why, as a server would.
    fn refuse_client(&mut self, message: &str) -> SessionResult {
        if let ConnectionPurpose::Session { .. } = self.purpose {
            let body = format!("SFATAL\0VFATAL\0C08006\0M{message}\0\0");
            let mut bytes = vec![b'E'];
            bytes.extend_from_slice(&u32::try_from(body.len() + 4).unwrap_or(u32::MAX).to_be_bytes());
            bytes.extend_from_slice(body.as_bytes());
            self.client.send_bytes(&bytes)?;
            self.client.end_sending()?;
        }
        Err(SessionEnd)
    }

    fn server_is_connected(&mut self, tools: &mut ThreadTools<'_>) -> SessionResult {
        let Some(server) = &mut self.server else { return Err(SessionEnd) };
        if let Err(error) = sockopt::socket_error(server.watched_socket()).and_then(|state| state) {
            return self.connect_next(&error.into(), tools);
        }
        let is_tcp = matches!(self.address, Some(ServerAddress::Tcp { .. }));
        match &tools.route.encryption {
            EncryptionMode::IfPossible(_) | EncryptionMode::Always(_) if is_tcp => {
                if tools.route.encryption.is_direct() {
                    return self.begin_server_tls(tools);
                }
                server.send_bytes(&SSL_REQUEST_BYTES)?;
                self.phase = SessionPhase::AskingForTls;
                Ok(())
            }
            _ => self.send_first_message(tools),
        }
    }

    fn take_tls_answer(&mut self, tools: &mut ThreadTools<'_>) -> SessionResult {
        let Some(server) = &self.server else { return Err(SessionEnd) };
        // One byte only: what comes after it is encrypted.
        let mut answer = [0];
        match recv(server.watched_socket(), &mut answer[..], rustix::net::RecvFlags::empty()) {
            Ok((_, 0)) => return self.connect_next(&io::ErrorKind::UnexpectedEof.into(), tools),
            Ok(_) => {}
            Err(Errno::AGAIN | Errno::INTR) => return Ok(()),
            Err(error) => return self.connect_next(&error.into(), tools),
        }
        match (answer, &tools.route.encryption) {
            ([b'S'], _) => self.begin_server_tls(tools),
            (_, EncryptionMode::Always(_)) => self.refuse_client("pgdyno: the server does not support TLS"),
            _ => self.send_first_message(tools),
        }
    }

    fn begin_server_tls(&mut self, tools: &mut ThreadTools<'_>) -> SessionResult {
        let host = match &self.address {
            Some(ServerAddress::Tcp { host, .. }) => host.clone(),
            _ => String::new(),
        };
        if let (Some(settings), Some(server)) = (tools.route.encryption.tls_settings(), &mut self.server) {
            server.begin_tls_as_client(settings.client_config(), &host)?;
        }
        self.send_first_message(tools)
    }

    /// Sends what the client has begun with.
    fn send_first_message(&mut self, tools: &mut ThreadTools<'_>) -> SessionResult {
        let Some(server) = &mut self.server else { return Err(SessionEnd) };
        server.send_bytes(&std::mem::take(&mut self.begun))?;
        self.deadline_us = tools.now_us.saturating_add(STARTING_US);
        self.phase = match self.purpose {
            ConnectionPurpose::Session { .. } => SessionPhase::LoggingIn,
            ConnectionPurpose::Cancel => SessionPhase::Cancelling,
        };
        Ok(())
    }

    fn keep_early_bytes(&mut self, tools: &mut ThreadTools<'_>) -> SessionResult {
        let count = self.client.receive_bytes(tools.room)?;
        self.begun.extend_from_slice(&tools.room[..count]);
        // Who cancels does not wait for an answer.
        let is_gone = self.client.has_ended && matches!(self.purpose, ConnectionPurpose::Session { .. });
        if is_gone || self.begun.len() > EARLY_BYTES { Err(SessionEnd) } else { Ok(()) }
    }

    /// The server answers a request to cancel by the end of the connection.
    fn take_end_of_cancel(&mut self, tools: &mut ThreadTools<'_>) -> SessionResult {
        let Some(server) = &mut self.server else { return Err(SessionEnd) };
        server.receive_bytes(tools.room)?;
        if server.has_ended { Err(SessionEnd) } else { Ok(()) }
    }

    /// What a client sends during its login is passed and not looked at: it has its password.
    fn pass_login_of_client(&mut self, tools: &mut ThreadTools<'_>) -> SessionResult {
        let Some(server) = &mut self.server else { return Err(SessionEnd) };
        let count = self.client.receive_bytes(tools.room)?;
        server.send_bytes(&tools.room[..count])?;
        // A copy of a password does not stay in memory.
        tools.room[..count].fill(0);
        if self.client.has_ended {
            server.end_sending()?;
        }
        Ok(())
    }

    fn pass_login_of_server(&mut self, tools: &mut ThreadTools<'_>) -> SessionResult {
        let Some(server) = &mut self.server else { return Err(SessionEnd) };
        let received = server.receive_bytes(tools.room);
        if let Err(error) = &received {
            server.has_ended = true;
            let message = format!("pgdyno lost the connection to the server: {error}");
            return self.refuse_client(&message);
        }
        let count = received.unwrap_or(0);
        let mut passed = Vec::with_capacity(count);
        self.login.take_server_bytes(&tools.room[..count], &mut passed);
        self.client.send_bytes(&passed)?;
        if server.has_ended {
            self.client.end_sending()?;
        }
        if self.login.is_over || self.login.is_opaque {
            self.login_is_over(tools);
        }
        self.check_end()
    }

    fn login_is_over(&mut self, tools: &mut ThreadTools<'_>) {
        self.phase = SessionPhase::Passing;
        self.deadline_us = i64::MAX;
        if let (Some(key), Some(address)) = (&self.login.cancel_key, &self.address) {
            tools.route.note_key(key, address);
        }
        let ConnectionPurpose::Session { parameters } = &self.purpose else { return };
        if parameters.iter().any(|(name, value)| name == "replication" && is_replication(value)) {
            tools.tap.count_replication(self.key, tools.now_us);
            return;
        }
        let names = session_names(parameters, std::mem::take(&mut self.login.settings));
        if self.login.is_over && tools.route.admits_session(&names) {
            self.tapped = Some(tools.tap.begin_session(self.key, names, self.began_us));
        }
    }
}

/// Whether a session speaks the protocol of replication.
fn is_replication(value: &str) -> bool {
    !matches!(value, "0" | "off" | "no" | "false" | "")
}

fn session_names(parameters: &[(String, String)], settings: Vec<(String, String)>) -> TrafficSession {
    let mut names = TrafficSession { settings, ..TrafficSession::default() };
    for (name, value) in parameters {
        match name.as_str() {
            "user" => names.user.clone_from(value),
            "database" => names.database.clone_from(value),
            "application_name" => names.application.clone_from(value),
            _ => {}
        }
    }
    if names.database.is_empty() {
        names.database.clone_from(&names.user);
    }
    names
}

/// Begins to connect.
fn open_connection(address: &ServerAddress) -> io::Result<OwnedFd> {
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let (socket, begun) = match address {
        ServerAddress::Unix(path) => {
            let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
            let begun = connect(&socket, &SocketAddrUnix::new(path)?);
            (socket, begun)
        }
        ServerAddress::Tcp { address, .. } => {
            let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
            let socket = socket_with(family, SocketType::STREAM, flags, None)?;
            sockopt::set_tcp_nodelay(&socket, true)?;
            sockopt::set_socket_keepalive(&socket, true)?;
            let begun = connect(&socket, address);
            (socket, begun)
        }
    };
    match begun {
        Ok(()) | Err(Errno::INPROGRESS) => Ok(socket),
        Err(error) => Err(error.into()),
    }
}
