//! A route that delays answers in a known way: connections are passed on by threads of this process, as long as it is
//! kept.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

use crate::generator::condition::Delay;

/// Time after which an answer is over.
const END_OF_ANSWER: Duration = Duration::from_micros(300);

/// A listener on a port of its own.
pub struct Proxy {
    port: u16,
    ended: Arc<AtomicBool>,
}

impl Proxy {
    /// Passes connections on to a server's port, and delays its answers.
    pub fn start(server: u16, delay: Delay) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let ended = Arc::new(AtomicBool::new(false));
        let seen = ended.clone();
        std::thread::spawn(move || {
            let answers = Arc::new(AtomicU64::new(0));
            for client in listener.incoming() {
                if seen.load(Ordering::Relaxed) {
                    break;
                }
                if let (Ok(client), Ok(server)) = (client, TcpStream::connect((Ipv4Addr::LOCALHOST, server))) {
                    pass_connection(client, server, delay, answers.clone());
                }
            }
        });
        Self { port, ended }
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        let _wakes_the_listener = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
    }
}

fn pass_connection(client: TcpStream, server: TcpStream, delay: Delay, answers: Arc<AtomicU64>) {
    for stream in [&client, &server] {
        stream.set_nodelay(true).expect("a socket");
    }
    let (to_server, to_client) = (server.try_clone().expect("a socket"), client.try_clone().expect("a socket"));
    std::thread::spawn(move || pass(client, to_server, |_, _| ()));
    std::thread::spawn(move || pass(server, to_client, |server, bytes| hold_back(server, bytes, delay, &answers)));
}

/// Passes bytes on until either end closes.
fn pass(mut from: TcpStream, mut to: TcpStream, mut before: impl FnMut(&mut TcpStream, &mut Vec<u8>)) {
    let mut buffer = vec![0; 65_536];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        let mut bytes = buffer[..read].to_vec();
        before(&mut from, &mut bytes);
        if to.write_all(&bytes).is_err() {
            break;
        }
    }
    let _closed_already = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

/// Waits as the delay says, after it has read the rest of an answer whose size matters.
fn hold_back(server: &mut TcpStream, bytes: &mut Vec<u8>, delay: Delay, answers: &AtomicU64) {
    match delay {
        Delay::None => {}
        Delay::Each(micros) => sleep(Duration::from_micros(micros)),
        Delay::Big { over, micros } => {
            read_rest(server, bytes);
            if bytes.len() as u64 > over {
                sleep(Duration::from_micros(micros));
            }
        }
        Delay::Rate(kb_per_s) => sleep(Duration::from_micros(bytes.len() as u64 * 1000 / kb_per_s)),
        Delay::Some(every) => {
            if answers.fetch_add(1, Ordering::Relaxed) % every == every - 1 {
                sleep(Duration::from_millis(200));
            }
        }
    }
}

fn read_rest(server: &mut TcpStream, bytes: &mut Vec<u8>) {
    server.set_read_timeout(Some(END_OF_ANSWER)).expect("a socket");
    let mut more = vec![0; 65_536];
    loop {
        match server.read(&mut more) {
            Ok(read @ 1..) => bytes.extend_from_slice(&more[..read]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            _ => break,
        }
    }
    server.set_read_timeout(None).expect("a socket");
}
