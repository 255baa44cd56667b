//! A server that speaks enough of PostgreSQL's protocol to be loaded, takes exactly as long as it is told, fails
//! exactly when it is told, and records when it did what. It stands beside the real PostgreSQL in the tests,
//! never instead of it.
//!
//! Understood: login without a password, the simple and the extended protocol, pipelines. Every request is answered
//! with an empty result or as [`CalibrationAnswer`] says; no SQL is looked at and no transaction is ever open.
//! One thread per connection.

mod record;

pub use record::{Bounds, CalibrationRecord, Cut, Exchange};

use rustix::net::sockopt::set_socket_linger;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The code of a start-up packet that asks for TLS.
const SSL_REQUEST: [u8; 4] = [0x04, 0xd2, 0x16, 0x2f];
/// Before an instant the rest of the time is spent spinning: timers of the kernel may be late by 50 µs.
const SPIN: Duration = Duration::from_micros(80);

/// A request that wants work done, as opposed to preparing statements.
#[derive(Debug, Clone, Copy)]
pub struct CalibrationRequest {
    /// Its number over all connections, from 0.
    pub number: u64,
    /// When it had arrived, in nanoseconds of the server's clock.
    pub arrived_ns: u64,
}

/// What becomes of a request, and when.
#[derive(Debug, Clone, Copy)]
pub struct Reply {
    /// When the answer is complete, in nanoseconds of the server's clock.
    pub due_ns: u64,
    /// What it is answered with.
    pub answer: CalibrationAnswer,
}

/// How a request is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CalibrationAnswer {
    /// At once.
    Whole,
    /// Each byte in a packet of its own.
    ByteByByte,
    /// All but ReadyForQuery so long before it.
    ReadyLater(Duration),
    /// An ErrorResponse with this SQLSTATE.
    Error(&'static str),
    /// Half of it, and then the connection is closed.
    HalfThenClose,
    /// Half of it, and then nothing more, with the connection open.
    HalfThenSilence,
    /// None: the connection is reset.
    Reset,
    /// Bytes that mean nothing.
    Garbage,
}

/// How a connection is received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Greeting {
    /// As a server does that trusts everyone.
    Welcome,
    /// The same, each byte in a packet of its own.
    ByteByByte,
    /// The connection is closed after AuthenticationOk.
    CloseInAuthentication,
    /// An error in the format that was used before protocol 3.
    ProtocolTwo,
}

/// What the server does: how it receives its n-th connection, and what it does with a request.
pub struct Behaviour {
    /// How it receives a connection of this number.
    pub greeting: Box<dyn Fn(u64) -> Greeting + Send + Sync>,
    /// What becomes of a request.
    pub reply: Box<dyn Fn(CalibrationRequest) -> Reply + Send + Sync>,
}

impl Behaviour {
    /// Lets everyone in.
    pub fn from_reply(reply: impl Fn(CalibrationRequest) -> Reply + Send + Sync + 'static) -> Behaviour {
        Behaviour { greeting: Box::new(|_| Greeting::Welcome), reply: Box::new(reply) }
    }

    /// Every request takes `service`.
    pub fn constant_service(service: Duration) -> Behaviour {
        Behaviour::from_reply(move |request| answer_after(request, service, CalibrationAnswer::Whole))
    }
}

/// A reply that is complete `service` after the request.
pub fn answer_after(request: CalibrationRequest, service: Duration, answer: CalibrationAnswer) -> Reply {
    Reply { due_ns: request.arrived_ns + service.as_nanos() as u64, answer }
}

/// Which way to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SocketWay {
    /// Over 127.0.0.1.
    Tcp,
    /// Over a unix socket.
    Unix,
}

/// Where it listens.
#[derive(Debug, Clone)]
pub enum ListenPlace {
    /// On this port of 127.0.0.1.
    Tcp(u16),
    /// In this directory, at the path that a port gives it there.
    Unix {
        /// The directory.
        directory: PathBuf,
        /// The port.
        port: u16,
    },
}

/// The server. It accepts connections as long as the test process lives.
pub struct CalibrationServer {
    place: ListenPlace,
    shared: Arc<SharedCalibration>,
    _directory: TempDir,
}

struct SharedCalibration {
    behaviour: Behaviour,
    start: Instant,
    requests: AtomicU64,
    record: Mutex<CalibrationRecord>,
}

impl CalibrationServer {
    /// Listens there.
    pub fn start_server(way: SocketWay, behaviour: Behaviour) -> CalibrationServer {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let shared = Arc::new(SharedCalibration {
            behaviour,
            start: Instant::now(),
            requests: AtomicU64::new(0),
            record: Mutex::new(CalibrationRecord::default()),
        });
        let place = match way {
            SocketWay::Tcp => {
                let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
                let port = listener.local_addr().expect("an address").port();
                shared.accept_connections(move || listener.accept().map(|(tcp, _)| CalibrationSocket::Tcp(tcp)));
                ListenPlace::Tcp(port)
            }
            SocketWay::Unix => {
                let port = 5432;
                let listener = UnixListener::bind(directory.path().join(format!(".s.PGSQL.{port}"))).expect("a socket");
                shared.accept_connections(move || listener.accept().map(|(unix, _)| CalibrationSocket::Unix(unix)));
                ListenPlace::Unix { directory: directory.path().to_owned(), port }
            }
        };
        CalibrationServer { place, shared, _directory: directory }
    }

    /// Where it listens.
    pub fn listening_place(&self) -> &ListenPlace {
        &self.place
    }

    /// An instant on the server's clock, in nanoseconds.
    pub fn clock_ns(&self, at: Instant) -> u64 {
        at.saturating_duration_since(self.shared.start).as_nanos() as u64
    }

    /// What has happened so far.
    pub fn copy_of_record(&self) -> CalibrationRecord {
        self.shared.lock_record().clone()
    }
}

impl SharedCalibration {
    fn accept_connections(
        self: &Arc<SharedCalibration>,
        accept: impl Fn() -> io::Result<CalibrationSocket> + Send + 'static,
    ) {
        let shared = Arc::clone(self);
        std::thread::spawn(move || {
            while let Ok(socket) = accept() {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || {
                    let number = shared.lock_record().add_connection(shared.now_ns());
                    // How a session ends is in the record; the other end may be gone at any time.
                    let _session_over =
                        CalibrationSession { socket, shared: &shared, number, received: Vec::new() }.serve_requests();
                });
            }
        });
    }

    fn lock_record(&self) -> MutexGuard<'_, CalibrationRecord> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now_ns(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    fn wait_until(&self, due_ns: u64) {
        let due = self.start + Duration::from_nanos(due_ns);
        if let Some(left) = due.checked_duration_since(Instant::now() + SPIN) {
            std::thread::sleep(left);
        }
        while Instant::now() < due {
            std::hint::spin_loop();
        }
    }
}

/// One connection.
struct CalibrationSession<'a> {
    socket: CalibrationSocket,
    shared: &'a SharedCalibration,
    /// Its number, from 0.
    number: usize,
    /// Bytes that have not been understood yet.
    received: Vec<u8>,
}

/// Whether the session goes on.
type Goes = io::Result<bool>;

impl CalibrationSession<'_> {
    fn serve_requests(&mut self) -> io::Result<()> {
        self.socket.no_delay()?;
        if !self.greet_client()? {
            return Ok(());
        }
        // What the messages of the exchange under way are answered with, and whether they want work done.
        let (mut answer, mut works) = (Vec::new(), false);
        loop {
            let (tag, arrived_ns) = self.next_message()?;
            match tag {
                b'P' => answer.extend(encode_message(b'1', b"")),
                b'B' => answer.extend(encode_message(b'2', b"")),
                b'D' => answer.extend(encode_message(b'n', b"")),
                b'C' => answer.extend(encode_message(b'3', b"")),
                b'Q' | b'E' => {
                    answer.extend(encode_message(b'C', b"SELECT 0\0"));
                    works = true;
                }
                b'X' => return Ok(()),
                _ => {}
            }
            if matches!(tag, b'Q' | b'S') {
                let answer = std::mem::take(&mut answer);
                if !self.answer_exchange(&answer, std::mem::take(&mut works), arrived_ns)? {
                    return Ok(());
                }
            }
        }
    }

    fn greet_client(&mut self) -> Goes {
        loop {
            let (code, _) = self.next_packet(0)?;
            if !code.starts_with(&SSL_REQUEST) {
                break;
            }
            self.socket.write_all(b"N")?;
        }
        let welcome = [encode_message(b'R', &[0, 0, 0, 0]), encode_message(b'Z', b"I")].concat();
        match (self.shared.behaviour.greeting)(self.number as u64) {
            Greeting::Welcome => self.socket.write_all(&welcome).map(|()| true),
            Greeting::ByteByByte => self.socket.write_bytes(&welcome).map(|()| true),
            Greeting::CloseInAuthentication => {
                self.socket.write_all(&encode_message(b'R', &[0, 0, 0, 0])).map(|()| false)
            }
            Greeting::ProtocolTwo => self.socket.write_all(b"EFATAL:  no more processes\n\0").map(|()| false),
        }
    }

    /// Answers one exchange.
    fn answer_exchange(&mut self, answer: &[u8], works: bool, arrived_ns: u64) -> Goes {
        let ready = encode_message(b'Z', b"I");
        if !works {
            return self.socket.write_all(&[answer, &ready].concat()).map(|()| true);
        }
        let number = self.shared.requests.fetch_add(1, Ordering::Relaxed);
        let Reply { due_ns, answer: how } = (self.shared.behaviour.reply)(CalibrationRequest { number, arrived_ns });
        if let CalibrationAnswer::ReadyLater(before) = how {
            self.shared.wait_until(due_ns - before.as_nanos() as u64);
            self.socket.write_all(answer)?;
        }
        self.shared.wait_until(due_ns);
        let answered_ns = self.shared.now_ns();
        let (connection, whole) = (self.number, how.is_whole());
        let exchange = Exchange { connection, arrived_ns, due_ns, answered_ns, answer: how };
        // Before the client can know of it, so that the record is complete when the client's run is over.
        let mut record = self.shared.lock_record();
        record.exchanges.push(exchange);
        if !whole {
            record.cuts.push(Cut { at_ns: answered_ns });
        }
        drop(record);
        let bytes = [answer, &ready].concat();
        let written = match how {
            CalibrationAnswer::Whole => self.socket.write_all(&bytes),
            CalibrationAnswer::ByteByByte => self.socket.write_bytes(&bytes),
            CalibrationAnswer::ReadyLater(_) => self.socket.write_all(&ready),
            CalibrationAnswer::Error(sqlstate) => self.socket.write_all(&[encode_error(sqlstate), ready].concat()),
            CalibrationAnswer::Garbage => self.socket.write_all(b"\xff\xff\xff\xff\xff\xff\xff\xff"),
            CalibrationAnswer::HalfThenClose | CalibrationAnswer::HalfThenSilence => {
                self.socket.write_all(&bytes[..bytes.len() / 2])
            }
            CalibrationAnswer::Reset => self.socket.reset_connection(),
        };
        if how == CalibrationAnswer::HalfThenSilence {
            // Until the other end has had enough.
            while self.socket.read(&mut [0; 64])? > 0 {}
        }
        written.map(|()| whole)
    }

    /// The type of the next message, and when it had arrived.
    fn next_message(&mut self) -> io::Result<(u8, u64)> {
        let tag_first = 1;
        self.next_packet(tag_first).map(|(packet, arrived_ns)| (packet[0], arrived_ns))
    }

    /// The next packet without its length: what stands before the length, then the body.
    fn next_packet(&mut self, before: usize) -> io::Result<(Vec<u8>, u64)> {
        let mut arrived_ns = self.shared.now_ns();
        loop {
            if let Some(length) = self.received.get(before..before + 4) {
                let end = before + u32::from_be_bytes([length[0], length[1], length[2], length[3]]) as usize;
                if self.received.len() >= end {
                    let mut packet: Vec<u8> = self.received.drain(..end).collect();
                    packet.drain(before..before + 4);
                    return Ok((packet, arrived_ns));
                }
            }
            let mut buffer = [0; 8192];
            let count = self.socket.read(&mut buffer)?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            arrived_ns = self.shared.now_ns();
            self.received.extend_from_slice(&buffer[..count]);
        }
    }
}

impl CalibrationAnswer {
    /// Whether the client can go on with its connection.
    fn is_whole(self) -> bool {
        match self {
            CalibrationAnswer::Whole
            | CalibrationAnswer::ByteByByte
            | CalibrationAnswer::ReadyLater(_)
            | CalibrationAnswer::Error(_) => true,
            CalibrationAnswer::HalfThenClose
            | CalibrationAnswer::HalfThenSilence
            | CalibrationAnswer::Reset
            | CalibrationAnswer::Garbage => false,
        }
    }
}

fn encode_message(tag: u8, body: &[u8]) -> Vec<u8> {
    [&[tag], &(body.len() as u32 + 4).to_be_bytes()[..], body].concat()
}

fn encode_error(sqlstate: &str) -> Vec<u8> {
    encode_message(b'E', format!("SERROR\0VERROR\0C{sqlstate}\0Mas the script says\0\0").as_bytes())
}

/// Either kind of socket.
enum CalibrationSocket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl CalibrationSocket {
    fn no_delay(&self) -> io::Result<()> {
        match self {
            CalibrationSocket::Tcp(tcp) => tcp.set_nodelay(true),
            CalibrationSocket::Unix(_) => Ok(()),
        }
    }

    /// Ends the connection; over TCP with a reset instead of an orderly end,
    /// as a machine does that has lost its memory.
    fn reset_connection(&self) -> io::Result<()> {
        match self {
            // The reset is sent when the socket is closed, which is when the session is dropped, at once.
            CalibrationSocket::Tcp(tcp) => Ok(set_socket_linger(tcp, Some(Duration::ZERO))?),
            CalibrationSocket::Unix(unix) => unix.shutdown(Shutdown::Both),
        }
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        bytes.iter().try_for_each(|byte| self.write_all(std::slice::from_ref(byte)))
    }
}

impl Read for CalibrationSocket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            CalibrationSocket::Tcp(tcp) => tcp.read(buffer),
            CalibrationSocket::Unix(unix) => unix.read(buffer),
        }
    }
}

impl Write for CalibrationSocket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            CalibrationSocket::Tcp(tcp) => tcp.write(bytes),
            CalibrationSocket::Unix(unix) => unix.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
