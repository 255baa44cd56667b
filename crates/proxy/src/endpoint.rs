//! One side of a session: a socket that does not block, with or without TLS, and what could not be sent yet.

use std::io::{self, Read as _, Write as _};
use std::sync::Arc;

use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, Shutdown, recv, send, shutdown};
use rustls::{ClientConfig, ClientConnection, Connection, ServerConfig, ServerConnection};

/// Bytes that may wait to be sent to one side before nothing is received from the other.
const UNSENT_AT_MOST: usize = 256 << 10;

/// One side of a session.
pub(crate) struct SocketEndpoint {
    fd: OwnedFd,
    tls: Option<Box<Connection>>,
    unsent: Vec<u8>,
    unsent_from: usize,
    /// Nothing more comes from it.
    pub(crate) has_ended: bool,
    /// Something that was received is decrypted and not taken yet: no event says so.
    holds_received: bool,
    /// Nothing more is to be sent to it once all is sent that waits.
    ends_when_sent: bool,
}

impl SocketEndpoint {
    pub(crate) fn from_socket(fd: OwnedFd) -> Self {
        Self {
            fd,
            tls: None,
            unsent: Vec::new(),
            unsent_from: 0,
            has_ended: false,
            holds_received: false,
            ends_when_sent: false,
        }
    }

    /// For watching it.
    pub(crate) fn watched_socket(&self) -> &OwnedFd {
        &self.fd
    }

    /// Whether it is encrypted.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.tls.is_some()
    }

    /// Encrypts from here on, as a server. `begun` has been received already.
    pub(crate) fn begin_tls_as_server(&mut self, config: &Arc<ServerConfig>, begun: &[u8]) -> io::Result<()> {
        let mut session = ServerConnection::new(Arc::clone(config)).map_err(io::Error::other)?;
        session.set_buffer_limit(None);
        let mut begun = begun;
        while !begun.is_empty() {
            session.read_tls(&mut begun)?;
            session.process_new_packets().map_err(io::Error::other)?;
        }
        self.tls = Some(Box::new(Connection::Server(session)));
        self.flush_unsent()
    }

    /// Encrypts from here on, as a client of this host.
    pub(crate) fn begin_tls_as_client(&mut self, config: Arc<ClientConfig>, host: &str) -> io::Result<()> {
        let name = wire::tls::TlsSettings::server_name(host);
        let mut session = ClientConnection::new(config, name).map_err(io::Error::other)?;
        session.set_buffer_limit(None);
        self.tls = Some(Box::new(Connection::Client(session)));
        self.flush_unsent()
    }

    /// Receives what is there, as far as it fits: how many bytes; 0 if there is nothing yet. The end shows in
    /// `has_ended`.
    pub(crate) fn receive_bytes(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match self.tls.as_deref_mut() {
            None => match receive_from(&self.fd, room) {
                Ok(0) => {
                    self.has_ended = true;
                    Ok(0)
                }
                Ok(count) => Ok(count),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(0),
                Err(error) => Err(error),
            },
            Some(session) => {
                let received = receive_decrypted(session, &self.fd, room, &mut self.has_ended);
                self.holds_received = matches!(received, Ok(count) if count == room.len());
                // A handshake answers, and a failure has an alert.
                let flushed = self.flush_unsent();
                let count = received?;
                flushed?;
                Ok(count)
            }
        }
    }

    /// Sends, or keeps what cannot be sent yet.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(session) = self.tls.as_deref_mut() {
            session.writer().write_all(bytes)?;
            return self.flush_unsent();
        }
        let mut rest = bytes;
        if self.unsent_bytes() == 0 {
            rest = &bytes[send_to(&self.fd, bytes)?..];
        }
        self.unsent.extend_from_slice(rest);
        Ok(())
    }

    /// Sends what waits, as far as it can be.
    pub(crate) fn flush_unsent(&mut self) -> io::Result<()> {
        if let Some(session) = self.tls.as_deref_mut() {
            while session.wants_write() {
                session.write_tls(&mut self.unsent)?;
            }
        }
        if self.unsent_bytes() > 0 {
            self.unsent_from += send_to(&self.fd, &self.unsent[self.unsent_from..])?;
            if self.unsent_from == self.unsent.len() {
                self.unsent.clear();
                self.unsent_from = 0;
                // A large result does not keep its memory.
                self.unsent.shrink_to(UNSENT_AT_MOST);
            }
        }
        if self.ends_when_sent && self.unsent_bytes() == 0 {
            self.ends_when_sent = false;
            let _gone_already = shutdown(&self.fd, Shutdown::Write);
        }
        Ok(())
    }

    /// Sends the end after all that waits.
    pub(crate) fn end_sending(&mut self) -> io::Result<()> {
        if let Some(session) = self.tls.as_deref_mut() {
            session.send_close_notify();
        }
        self.ends_when_sent = true;
        self.flush_unsent()
    }

    /// Bytes that wait to be sent.
    pub(crate) fn unsent_bytes(&self) -> usize {
        self.unsent.len() - self.unsent_from
    }

    /// Whether it may hold something that was received.
    pub(crate) fn holds_received(&self) -> bool {
        self.holds_received
    }

    /// Whether so much waits that nothing is to be added.
    pub(crate) fn is_full(&self) -> bool {
        self.unsent_bytes() >= UNSENT_AT_MOST
    }
}

/// Receives and decrypts until nothing is there or `room` is full.
fn receive_decrypted(
    session: &mut Connection,
    fd: &OwnedFd,
    room: &mut [u8],
    has_ended: &mut bool,
) -> io::Result<usize> {
    let mut filled = 0;
    loop {
        while filled < room.len() {
            match session.reader().read(&mut room[filled..]) {
                Ok(0) => {
                    *has_ended = true;
                    return Ok(filled);
                }
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                // The end without a word of TLS: clients and servers that vanish.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    *has_ended = true;
                    return Ok(filled);
                }
                Err(error) => return Err(error),
            }
        }
        if filled == room.len() || *has_ended {
            return Ok(filled);
        }
        match session.read_tls(&mut SocketReader { fd }) {
            Ok(0) => {
                *has_ended = true;
                return Ok(filled);
            }
            Ok(_) => {
                session.process_new_packets().map_err(io::Error::other)?;
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(filled),
            Err(error) => return Err(error),
        }
    }
}

/// A socket, as rustls reads it.
struct SocketReader<'a> {
    fd: &'a OwnedFd,
}

impl io::Read for SocketReader<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        receive_from(self.fd, room)
    }
}

fn receive_from(fd: &OwnedFd, room: &mut [u8]) -> io::Result<usize> {
    loop {
        match recv(fd, &mut *room, RecvFlags::empty()) {
            Ok((_, count)) => return Ok(count),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// How many bytes could be sent.
fn send_to(fd: &OwnedFd, bytes: &[u8]) -> io::Result<usize> {
    loop {
        match send(fd, bytes, SendFlags::NOSIGNAL) {
            Ok(count) => return Ok(count),
            Err(Errno::AGAIN) => return Ok(0),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
