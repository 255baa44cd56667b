//! Makes the seed corpus: stands between a client and a PostgreSQL server, and writes what the server says in each
//! session to a file of the corpora `login` and `session`. Ends with its input.
//!
//! `capture SERVER_SOCKET LISTEN_SOCKET CORPUS`, then for example `psql -h` or `pgbench -h`
//! the directory of LISTEN_SOCKET.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// More of a session would only repeat itself.
const AT_MOST: usize = 4_000;

fn main() -> std::io::Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [server, listen, corpus] = arguments.try_into().expect("capture SERVER_SOCKET LISTEN_SOCKET CORPUS");
    let (server, corpus) = (Arc::new(server), Arc::new(corpus));
    let listener = UnixListener::bind(listen)?;
    std::thread::spawn(move || {
        for (number, client) in listener.incoming().flatten().enumerate() {
            let (server, corpus) = (Arc::clone(&server), Arc::clone(&corpus));
            std::thread::spawn(move || relay(client, &server, &corpus, number).expect("the session is relayed"));
        }
    });
    std::io::stdin().read_to_end(&mut Vec::new()).map(drop)
}

fn relay(mut client: UnixStream, server: &Path, corpus: &Path, number: usize) -> std::io::Result<()> {
    let mut server = UnixStream::connect(server)?;
    let (mut requests, mut to_server) = (client.try_clone()?, server.try_clone()?);
    std::thread::spawn(move || {
        let _session_over = std::io::copy(&mut requests, &mut to_server);
        let _gone_already = to_server.shutdown(std::net::Shutdown::Write);
    });
    let (mut said, mut buffer) = (Vec::new(), [0; 8192]);
    loop {
        let count = server.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        said.extend_from_slice(&buffer[..count]);
        client.write_all(&buffer[..count])?;
    }
    client.shutdown(std::net::Shutdown::Both)?;
    save(&corpus.join("login"), number, &said)?;
    let let_in = b"\0\0\0\x05I";
    match said.windows(let_in.len()).position(|window| window == let_in) {
        Some(at) => save(&corpus.join("session"), number, &said[at + let_in.len()..]),
        None => Ok(()),
    }
}

/// The first byte says how the target cuts the rest: rows are kept, pieces of 8 bytes.
fn save(corpus: &Path, number: usize, said: &[u8]) -> std::io::Result<()> {
    std::fs::create_dir_all(corpus)?;
    let said = &said[..said.len().min(AT_MOST)];
    std::fs::write(corpus.join(format!("captured-{number:02}")), [&[15], said].concat())
}
