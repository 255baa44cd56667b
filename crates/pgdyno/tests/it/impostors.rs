//! What listens where a PostgreSQL is expected and is none that can be measured: an HTTP server, one that says nothing,
//! one that is too old.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::lab::{BRIEF, Lab};

/// Something that listens on a port of its own until the test's process ends.
pub struct Impostor {
    port: u16,
    visitors: Arc<AtomicUsize>,
}

impl Impostor {
    /// Treats every connection alike, each in a thread of its own.
    fn new(treat: fn(TcpStream)) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let visitors = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&visitors);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                counted.fetch_add(1, Ordering::SeqCst);
                thread::spawn(move || treat(stream));
            }
        });
        Self { port, visitors }
    }

    /// Accepts connections, reads, and never says anything.
    pub fn silent() -> Self {
        Self::new(|mut stream| {
            let mut buffer = [0; 1024];
            while stream.read(&mut buffer).is_ok_and(|read| read > 0) {}
        })
    }

    /// Answers anything as an HTTP server does.
    fn http() -> Self {
        Self::new(|mut stream| {
            let _read = stream.read(&mut [0; 1024]);
            let _gone = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        })
    }

    /// Lets everybody in and says that it is PostgreSQL 13.
    fn postgresql_13() -> Self {
        Self::new(|stream| {
            // A client that leaves ends the conversation.
            let _left = talk_as_13(stream);
        })
    }

    /// Its port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Whether anybody has connected.
    pub fn was_visited(&self) -> bool {
        self.visitors.load(Ordering::SeqCst) > 0
    }
}

fn talk_as_13(mut stream: TcpStream) -> std::io::Result<()> {
    const ENCRYPTION_REQUESTED: [u8; 4] = 80_877_103_u32.to_be_bytes();
    loop {
        let body = read_message(&mut stream)?;
        if body.starts_with(&ENCRYPTION_REQUESTED) {
            stream.write_all(b"N")?;
            continue;
        }
        let ok = message(b'R', &0_u32.to_be_bytes());
        let version = message(b'S', b"server_version\x0013.23\0");
        stream.write_all(&[ok, version, message(b'Z', b"I")].concat())?;
        break;
    }
    loop {
        let mut kind = [0];
        stream.read_exact(&mut kind)?;
        read_message(&mut stream)?;
        let text =
            [&[0, 1][..], b"server_version_num\0", &[0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255], &[0xff; 4], &[0, 0]];
        let row = [&[0, 1, 0, 0, 0, 6][..], b"130023"];
        let answer = [
            message(b'T', &text.concat()),
            message(b'D', &row.concat()),
            message(b'C', b"SHOW\0"),
            message(b'Z', b"I"),
        ];
        stream.write_all(&answer.concat())?;
    }
}

/// The body of a message whose kind has been read.
fn read_message(stream: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let mut body = vec![0; u32::from_be_bytes(length) as usize - 4];
    stream.read_exact(&mut body)?;
    Ok(body)
}

fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).expect("short").to_be_bytes();
    [&[kind][..], &length, body].concat()
}

fn plan(url: &str) -> String {
    format!(
        "name: Nobody there\ntargets:\n  it: {{ url: \"{url}\" }}\nbaseline: it\n\
         workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [1]\n{BRIEF}"
    )
}

#[test]
fn an_impostor_is_told_by_what_it_is() {
    let lab = Lab::new();
    let cases = [
        (Impostor::http(), "", "is not a PostgreSQL server"),
        (Impostor::silent(), "&connect_timeout=2", "no answer from 127.0.0.1"),
        (Impostor::postgresql_13(), "", "is PostgreSQL 13.23, older than 14"),
    ];
    for (impostor, option, said) in cases {
        let url = format!("postgresql://me:hunter2@127.0.0.1:{}/db?application_name=x{option}", impostor.port());
        lab.write("plan.yaml", plan(&url));
        for command in ["run plan.yaml".to_owned(), format!("bench -T 1 {url}")] {
            let ended = lab.pgdyno(&command);
            ended.exits(3).says(&[said, &format!("127.0.0.1:{}", impostor.port())]);
            assert!(!ended.stderr.contains("hunter2"), "{ended}");
            assert_eq!(ended.stdout, "", "no figure");
        }
    }
}

#[test]
fn where_nobody_listens_is_told_by_the_address() {
    let lab = Lab::new();
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr()).expect("a port");
    let cases = [
        (format!("postgresql://me@{free}/db"), vec!["was refused", "hint:"]),
        ("postgresql://me@no-such-host.invalid/db".to_owned(), vec!["cannot resolve host \"no-such-host.invalid\""]),
        ("host=/no/such/directory user=me".to_owned(), vec!["/no/such/directory"]),
    ];
    for (url, said) in cases {
        lab.write("plan.yaml", plan(&url));
        lab.pgdyno("run plan.yaml").exits(3).says(&said);
    }
}
