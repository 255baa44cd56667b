//! Servers that are not, or only pretend to be, PostgreSQL.

use conninfo::ServerHost;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

/// AuthenticationOk and ReadyForQuery.
const WELCOME: &[u8] = b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I";

/// A server on a free port that does `serve` with each connection, each on its own thread, for as long as the test
/// process lives.
pub(crate) fn listen(serve: impl Fn(TcpStream) + Clone + Send + 'static) -> (ServerHost, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            let serve = serve.clone();
            std::thread::spawn(move || serve(connection));
        }
    });
    (ServerHost::tcp_from_name("127.0.0.1"), port)
}

/// Answers whatever comes first with these bytes and closes the connection.
pub(crate) fn answering(answer: &'static [u8]) -> (ServerHost, u16) {
    listen(move |mut connection| {
        let mut request = [0; 1024];
        let _received = connection.read(&mut request);
        let _sent = connection.write_all(answer);
    })
}

/// Lets everyone in, and then never answers again.
pub(crate) fn silent_after_login() -> (ServerHost, u16) {
    listen(|mut connection| {
        let mut request = [0; 1024];
        let _received = connection.read(&mut request);
        let _sent = connection.write_all(WELCOME);
        while connection.read(&mut request).is_ok_and(|received| received > 0) {}
    })
}

/// Lets everyone in, and answers the first request with a message that does not exist.
pub(crate) fn talking_nonsense_after_login() -> (ServerHost, u16) {
    listen(|mut connection| {
        let mut request = [0; 1024];
        for answer in [WELCOME, b"?\0\0\0\x04"] {
            let _received = connection.read(&mut request);
            let _sent = connection.write_all(answer);
        }
    })
}

/// Accepts connections and never says a word.
pub(crate) fn mute() -> (ServerHost, u16) {
    listen(|mut connection| {
        let mut request = [0; 1024];
        while connection.read(&mut request).is_ok_and(|received| received > 0) {}
    })
}
