//! The least that select-only, prepared, can cost a client: sends the same bytes over and over and looks at nothing but
//! the end of each answer. What this takes is the kernel's; what an engine takes beyond it is its own.
//! For measuring the engine beside it.
//!
//! `floor epoll|io_uring HOST|SOCKET-DIRECTORY PORT DATABASE CLIENTS TRANSACTIONS`, of each client, from one thread;
//! user and password come from PGUSER and PGPASSWORD.
#![allow(unsafe_code)]

#[path = "../src/engine/io/buffers.rs"]
mod buffers;

use buffers::Buffers;
use io_uring::types::Fixed;
use io_uring::{IoUring, cqueue, opcode, squeue};
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, recv, send};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fs::File;
use std::io::{Error, Read, Result, Write};
use std::net::TcpStream;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use wire::{BindTemplate, ServerEvent, SessionLogin, WireConnection, frontend};

const STATEMENT: &str = "P0_1";
const SQL: &str = "SELECT abalance FROM pgbench_accounts WHERE aid = $1";
/// How every answer ends: the server is ready, outside of a transaction.
const READY: &[u8] = b"Z\0\0\0\x05I";
/// Marks the completions of what was sent.
const SENT: u64 = 1 << 32;

/// One connection and what is left to do on it.
struct Client {
    socket: File,
    request: Vec<u8>,
    left: u64,
}

impl Client {
    /// An answer, or a part of it, has come. Whether another request is to follow; `None` while this one is unanswered.
    fn received(&mut self, bytes: &[u8]) -> Option<bool> {
        if !bytes.ends_with(READY) {
            return None;
        }
        self.left -= 1;
        Some(self.left > 0)
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match measure(&arguments) {
        Some(Ok(transactions)) => {
            println!("number of transactions actually processed: {transactions}");
            ExitCode::SUCCESS
        }
        Some(Err(error)) => {
            eprintln!("floor: {error}");
            ExitCode::FAILURE
        }
        None => {
            eprintln!("usage: floor epoll|io_uring HOST|SOCKET-DIRECTORY PORT DATABASE CLIENTS TRANSACTIONS");
            ExitCode::from(2)
        }
    }
}

fn measure(arguments: &[String]) -> Option<Result<u64>> {
    let [backend, host, port, database, clients, transactions] = arguments else { return None };
    let exchange = match backend.as_str() {
        "epoll" => over_epoll,
        "io_uring" => over_ring,
        _ => return None,
    };
    let (port, count, each) = (port.parse().ok()?, clients.parse::<u32>().ok()?, transactions.parse().ok()?);
    let connect = |number| connect(host, port, database, number, each);
    let measured = raise_file_limit().and_then(|()| (0..count).map(connect).collect::<Result<Vec<_>>>());
    Some(measured.and_then(|mut clients| exchange(&mut clients)).map(|()| u64::from(count) * each))
}

fn raise_file_limit() -> Result<()> {
    let maximum = getrlimit(Resource::Nofile).maximum;
    Ok(setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })?)
}

/// Logs in and prepares the statement.
fn connect(host: &str, port: u16, database: &str, number: u32, left: u64) -> Result<Client> {
    let socket: OwnedFd = if host.starts_with('/') {
        UnixStream::connect(format!("{host}/.s.PGSQL.{port}"))?.into()
    } else {
        let stream = TcpStream::connect((host, port))?;
        stream.set_nodelay(true)?;
        stream.into()
    };
    let mut socket = File::from(socket);
    let user = std::env::var("PGUSER").map_err(Error::other)?;
    let password = std::env::var("PGPASSWORD").ok();
    let login = SessionLogin { user: &user, password: password.as_deref(), database, ..SessionLogin::default() };
    let mut wire = WireConnection::start(&login);
    until_ready(&mut wire, &mut socket)?;
    frontend::write_parse_message(wire.outgoing_mut(), STATEMENT, SQL);
    frontend::write_sync_message(wire.outgoing_mut());
    until_ready(&mut wire, &mut socket)?;
    rustix::io::ioctl_fionbio(&socket, true)?;
    let mut request = Vec::new();
    let template = BindTemplate::for_prepared_statement(STATEMENT, 1);
    let mut bind = template.begin_exchange(&mut request);
    bind.write_parameter((number % 100_000 + 1).to_string().as_bytes());
    bind.finish();
    Ok(Client { socket, request, left })
}

fn until_ready(wire: &mut WireConnection, socket: &mut File) -> Result<()> {
    let mut room = [0; 8192];
    loop {
        socket.write_all(wire.outgoing_bytes())?;
        let sent = wire.outgoing_bytes().len();
        wire.mark_sent(sent);
        let count = socket.read(&mut room)?;
        if count == 0 {
            return Err(closed());
        }
        wire.receive_bytes(&room[..count]);
        while let Some(event) = wire.poll().map_err(Error::other)? {
            match event {
                ServerEvent::ReadyForQuery(_) => return Ok(()),
                ServerEvent::Error(error) => return Err(Error::other(error.primary_message().into_owned())),
                _ => {}
            }
        }
    }
}

fn closed() -> Error {
    Error::other("the server has closed the connection")
}

fn over_epoll(clients: &mut [Client]) -> Result<()> {
    let epoll = epoll::create(CreateFlags::CLOEXEC)?;
    for (number, client) in (0u64..).zip(&*clients) {
        epoll::add(&epoll, &client.socket, EventData::new_u64(number), EventFlags::IN | EventFlags::ET)?;
        send(&client.socket, &client.request, SendFlags::NOSIGNAL)?;
    }
    let (mut events, mut room, mut live) = (Vec::with_capacity(512), [0; 4096], clients.len());
    while live > 0 {
        events.clear();
        epoll::wait(&epoll, rustix::buffer::spare_capacity(&mut events), None)?;
        for event in &events {
            let client = &mut clients[event.data.u64() as usize];
            let Ok((count, _)) = recv(&client.socket, &mut room, RecvFlags::empty()) else { continue };
            match client.received(&room[..count]) {
                None if count == 0 => return Err(closed()),
                None => {}
                Some(true) => drop(send(&client.socket, &client.request, SendFlags::NOSIGNAL)?),
                Some(false) => live -= 1,
            }
        }
    }
    Ok(())
}

fn over_ring(clients: &mut [Client]) -> Result<()> {
    let ring = IoUring::builder()
        .setup_cqsize(16_384)
        .setup_submit_all()
        .setup_single_issuer()
        .setup_defer_taskrun()
        .build(512)?;
    let sockets: Vec<_> = clients.iter().map(|client| client.socket.as_raw_fd()).collect();
    ring.submitter().register_files(&sockets)?;
    let mut buffers = Buffers::new(&ring.submitter())?;
    // Dropped before the buffers.
    let mut ring = ring;
    for (number, client) in (0u32..).zip(&*clients) {
        push(&mut ring, &receiving(number))?;
        push(&mut ring, &sending(number, &client.request))?;
    }
    let (mut completions, mut live) = (Vec::new(), clients.len());
    while live > 0 {
        ring.submit_and_wait(1)?;
        completions.extend(ring.completion());
        for completion in completions.drain(..) {
            let number = completion.user_data() as u32;
            if completion.user_data() & SENT != 0 {
                continue;
            }
            let client = &mut clients[number as usize];
            match (completion.result(), cqueue::buffer_select(completion.flags())) {
                (count @ 1.., Some(buffer)) => {
                    let received = client.received(buffers.filled_bytes(buffer, count as usize));
                    buffers.give_to_kernel(buffer);
                    match received {
                        None => {}
                        Some(true) => push(&mut ring, &sending(number, &client.request))?,
                        Some(false) => live -= 1,
                    }
                }
                // Buffers have come back since.
                (error, _) if -error == Errno::NOBUFS.raw_os_error() => {}
                (error @ ..0, _) => return Err(Error::from_raw_os_error(-error)),
                (0.., _) => return Err(closed()),
            }
            if !cqueue::more(completion.flags()) && client.left > 0 {
                push(&mut ring, &receiving(number))?;
            }
        }
    }
    Ok(())
}

fn receiving(number: u32) -> squeue::Entry {
    opcode::RecvMulti::new(Fixed(number), buffers::GROUP).build().user_data(number.into())
}

fn sending(number: u32, request: &[u8]) -> squeue::Entry {
    let flags = SendFlags::NOSIGNAL.bits() as i32;
    let send = opcode::Send::new(Fixed(number), request.as_ptr(), request.len() as u32).flags(flags).build();
    send.user_data(u64::from(number) | SENT)
}

fn push(ring: &mut IoUring, entry: &squeue::Entry) -> Result<()> {
    // SAFETY: what is sent stays in its client, unchanged, to the end; what is received goes into the buffers.
    while unsafe { ring.submission().push(entry) }.is_err() {
        ring.submit()?;
    }
    Ok(())
}
