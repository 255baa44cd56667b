//! A TCP proxy on loopback that delivers every byte a fixed time after it arrived, in both directions.
//! For calibration only.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A listening proxy; its threads end with the program.
pub struct DelayProxy {
    port: u16,
}

impl DelayProxy {
    /// Listens on a free port of 127.0.0.1 and forwards to `server_port` there.
    pub fn start_proxy(server_port: u16, delay: Duration) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = listener.local_addr().expect("a bound address").port();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let server = TcpStream::connect(("127.0.0.1", server_port)).expect("the server listens");
                for (from, to) in [(&client, &server), (&server, &client)] {
                    forward_delayed(from.try_clone().expect("a handle"), to.try_clone().expect("a handle"), delay);
                }
            }
        });
        Self { port }
    }

    /// Where it listens.
    pub fn listening_port(&self) -> u16 {
        self.port
    }
}

/// One direction: a thread that reads and stamps, and one that waits and writes, so that bytes overtake nothing and a
/// burst is delayed as a whole.
fn forward_delayed(mut from: TcpStream, mut to: TcpStream, delay: Duration) {
    from.set_nodelay(true).expect("a TCP socket");
    to.set_nodelay(true).expect("a TCP socket");
    let (sender, receiver) = mpsc::channel::<(Instant, Vec<u8>)>();
    std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(length @ 1..) = from.read(&mut buffer) {
            if sender.send((Instant::now() + delay, buffer[..length].to_vec())).is_err() {
                break;
            }
        }
    });
    std::thread::spawn(move || {
        for (due, bytes) in receiver {
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            if to.write_all(&bytes).is_err() {
                break;
            }
        }
        // The other side is told, as the kernel would tell it.
        let _gone_already = to.shutdown(Shutdown::Write);
    });
}
