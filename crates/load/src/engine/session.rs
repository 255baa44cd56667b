//! One connection: a socket and the protocol on it, from connecting to the first statement and on.
//!
//! Connecting ─▶ LoggingIn ─▶ Preparing (script by script) ─▶ Idle ◀─▶ InTransaction ─(failed)─▶ RollingBack ─▶ Idle

use crate::engine::clock::NEVER;
use crate::engine::poller::{Poller, Watch};
use crate::engine::socket::{Addresses, Socket, Transfer};
use crate::job::Server;
use rustix::io::Errno;
use wire::{Connection, Login, ServerMessage, SqlState, WireError};

/// The longest time from the first attempt to connect until the statements are prepared.
pub(crate) const CONNECT_LIMIT_NS: u64 = 10_000_000_000;

/// How far a connection has come, or what is under way on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Connecting,
    LoggingIn,
    /// The statements of the script with this number are being prepared.
    Preparing(usize),
    Idle,
    InTransaction,
    RollingBack,
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
    /// It took too long to come about.
    Timeout,
}

impl Lost {
    pub(crate) fn by_server(message: &ServerMessage<'_>) -> Lost {
        Lost::Server { sqlstate: message.sqlstate(), message: message.message().into_owned() }
    }

    /// Whether the server was silent, so that the connection failed earlier than it was noticed.
    pub(crate) fn is_silence(&self) -> bool {
        matches!(self, Lost::Timeout | Lost::Io(Errno::TIMEDOUT | Errno::HOSTUNREACH | Errno::NETUNREACH))
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

/// One connection.
#[derive(Debug)]
pub(crate) struct Session {
    socket: Socket,
    pub(crate) wire: Connection,
    pub(crate) stage: Stage,
    /// When it must be usable; `NEVER` once it is.
    pub(crate) deadline_ns: u64,
    /// Bytes wait until the socket takes them.
    watch: Watch,
}

impl Session {
    /// Begins to connect and to log in.
    ///
    /// # Errors
    /// When that has failed already.
    pub(crate) fn start(
        server: &Server,
        addresses: &Addresses,
        which: usize,
        poller: &Poller,
        client: u32,
        deadline_ns: u64,
    ) -> Result<Session, Errno> {
        let socket = Socket::connect(addresses, which)?;
        let login = Login {
            user: &server.user,
            password: server.password.as_ref().map(crate::job::Secret::reveal),
            database: &server.database,
            application_name: &server.application_name,
            options: server.options.as_deref(),
        };
        let watch = Watch::ReadAndWrite;
        poller.add(&socket, client, watch)?;
        Ok(Session { socket, wire: Connection::start(&login), stage: Stage::Connecting, deadline_ns, watch })
    }

    /// The login is over and the statements are prepared.
    pub(crate) fn opened(&mut self) {
        self.stage = Stage::Idle;
        self.deadline_ns = NEVER;
    }

    /// The socket has become writable: connecting has succeeded or failed, or there is room for what waits.
    ///
    /// # Errors
    /// When connecting has failed.
    pub(crate) fn writable(&mut self) -> Result<(), Lost> {
        if self.stage == Stage::Connecting {
            self.socket.error()?;
            self.stage = Stage::LoggingIn;
        }
        Ok(())
    }

    /// Receives once. `None`: nothing was there. Else whether there may be more.
    ///
    /// # Errors
    /// When the connection has failed or the server has closed it.
    #[inline]
    pub(crate) fn receive(&mut self) -> Result<Option<bool>, Lost> {
        let room = self.wire.spare();
        match self.socket.receive(room)? {
            Transfer::WouldBlock => Ok(None),
            Transfer::Bytes(0) => Err(Lost::Closed),
            Transfer::Bytes(count) => {
                let full = count == room.len();
                self.wire.received(count);
                Ok(Some(full))
            }
        }
    }

    /// Sends what is to be sent, now or as soon as the socket takes it.
    ///
    /// # Errors
    /// When the connection has failed.
    #[inline]
    pub(crate) fn flush(&mut self, poller: &Poller, client: u32) -> Result<(), Lost> {
        if self.stage == Stage::Connecting {
            return Ok(());
        }
        loop {
            let bytes = self.wire.outgoing();
            if bytes.is_empty() {
                return self.watch_for(Watch::Read, poller, client);
            }
            match self.socket.send(bytes)? {
                Transfer::Bytes(count) => self.wire.sent(count),
                Transfer::WouldBlock => return self.watch_for(Watch::ReadAndWrite, poller, client),
            }
        }
    }

    #[inline]
    fn watch_for(&mut self, watch: Watch, poller: &Poller, client: u32) -> Result<(), Lost> {
        if self.watch != watch {
            poller.change(&self.socket, client, watch)?;
            self.watch = watch;
        }
        Ok(())
    }

    /// Says goodbye; if the socket does not take that at once, the server finds out by itself.
    pub(crate) fn close(mut self) {
        wire::frontend::terminate(self.wire.outgoing_mut());
        let _unsent = self.socket.send(self.wire.outgoing());
    }
}
