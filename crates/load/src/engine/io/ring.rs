//! `io_uring`: one system call sends everything that is to be sent, waits, and returns with what has been received.
//!
//! A connection's receive request is made once and serves until the connection ends; its bytes arrive in
//! [`Buffers`](super::buffers::Buffers) and are copied out by [`receive`](Ring::receive). What is sent is copied too,
//! since the kernel reads it later; there is one request under way per connection, so that bytes keep their order.
//!
//! A request outlives the socket that it was made for. So every request carries the generation of its client's
//! connection, and what belongs to an earlier one is dropped.
#![allow(unsafe_code)]

use super::buffers::{self, Buffers};
use super::tag::{CompletionTag, Purpose};
use super::{Batch, ReadySocket, Transfer, Waker};
use crate::engine::socket::EngineSocket;
use crate::prefetch::prefetch_value;
use io_uring::squeue::Entry;
use io_uring::types::{Fd, Fixed, SubmitArgs, Timespec};
use io_uring::{IoUring, cqueue, opcode};
use rustix::event::PollFlags;
use rustix::fd::{AsFd, AsRawFd};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::io;

/// Requests that fit before they have to be handed over.
const REQUESTS: u32 = 512;
/// Completions that fit; more are kept by the kernel at a cost.
const COMPLETIONS: u32 = 4096;

/// How a stream of received bytes ends.
#[derive(Debug, Clone, Copy)]
enum ReceiveEnd {
    Closed,
    Failed(Errno),
}

/// Bytes in one buffer that have been received and not read.
#[derive(Debug, Clone, Copy)]
struct Chunk {
    buffer: u16,
    read: u16,
    end: u16,
}

/// One client's connection. What nearly every answer needs fits one line of the processor's cache.
#[derive(Debug, Default)]
#[repr(align(64))]
struct ConnectionSlot {
    generation: u32,
    /// It is in the batch under way.
    listed: bool,
    /// What has been received first.
    received: Option<Chunk>,
    /// What the kernel is sending; empty when nothing is, and then without memory.
    sending: Vec<u8>,
    end: Option<ReceiveEnd>,
    rest: Option<Box<Rest>>,
}

/// What a connection has that sends and receives more than a little at a time.
#[derive(Debug, Default)]
struct Rest {
    /// What has been received after the first chunk.
    received: VecDeque<Chunk>,
    /// What is to be sent after what is being sent.
    waiting: Vec<u8>,
}

impl ConnectionSlot {
    fn rest_mut(&mut self) -> &mut Rest {
        self.rest.get_or_insert_default()
    }

    #[inline]
    fn push_chunk(&mut self, chunk: Chunk) {
        match self.received {
            None => self.received = Some(chunk),
            Some(_) => self.rest_mut().received.push_back(chunk),
        }
    }

    /// The first chunk is read.
    #[inline]
    fn pop_chunk(&mut self) {
        self.received = self.rest.as_mut().and_then(|rest| rest.received.pop_front());
    }
}

/// The sockets of one thread.
pub(crate) struct Ring {
    // Dropped in this order: the kernel must let go of the memory before it is unmapped.
    ring: IoUring,
    buffers: Buffers,
    slots: Vec<ConnectionSlot>,
    waker: Waker,
    /// Reused from round to round.
    completions: Vec<cqueue::Entry>,
    /// Receive requests that ended for want of a buffer.
    starved: Vec<CompletionTag>,
    /// Memory for what is to be sent; what was used last is taken first, since it is still in the processor's caches.
    spare: Vec<Vec<u8>>,
    /// What was being sent when its connection was replaced: the kernel may still read it.
    orphans: Vec<(CompletionTag, Vec<u8>)>,
}

impl std::fmt::Debug for Ring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ring").field("clients", &self.slots.len()).finish_non_exhaustive()
    }
}

impl Ring {
    pub(super) fn new(waker: &Waker, clients: u32) -> Result<Ring, Errno> {
        let ring = IoUring::builder()
            .setup_cqsize(COMPLETIONS)
            .setup_submit_all()
            .setup_single_issuer()
            // Completions are made when this thread asks for them, not in the middle of something else.
            .setup_defer_taskrun()
            .build(REQUESTS)
            .map_err(|error| errno_from_io_error(&error))?;
        ring.submitter().register_files_sparse(clients).map_err(|error| errno_from_io_error(&error))?;
        let buffers = Buffers::new(&ring.submitter())?;
        let waker = waker.clone();
        let mut ring = Ring {
            ring,
            buffers,
            slots: Vec::new(),
            waker,
            completions: Vec::new(),
            starved: Vec::new(),
            spare: Vec::new(),
            orphans: Vec::new(),
        };
        ring.watch_waker()?;
        Ok(ring)
    }

    pub(super) fn add(&mut self, socket: &EngineSocket, client: u32) -> Result<(), Errno> {
        let place = client as usize;
        if self.slots.len() <= place {
            self.slots.resize_with(place + 1, ConnectionSlot::default);
        }
        self.retire_client(client);
        let slot = &mut self.slots[place];
        let tag = CompletionTag { purpose: Purpose::Connect, generation: slot.generation, client };
        self.ring
            .submitter()
            .register_files_update(client, &[socket.fd().as_raw_fd()])
            .map_err(|error| errno_from_io_error(&error))?;
        let writable = opcode::PollAdd::new(Fixed(client), PollFlags::OUT.bits().into()).build();
        self.push_entry(writable, tag)
    }

    #[inline]
    pub(super) fn wait_until_ready(&mut self, batch: &mut Batch, timeout_ns: u64) -> Result<(), Errno> {
        for tag in std::mem::take(&mut self.starved) {
            self.ask_to_receive(tag)?;
        }
        let timeout = Timespec::new().sec(timeout_ns / 1_000_000_000).nsec((timeout_ns % 1_000_000_000) as u32);
        match self.ring.submitter().submit_with_args(1, &SubmitArgs::new().timespec(&timeout)) {
            Ok(_) => {}
            Err(error) => match errno_from_io_error(&error) {
                // Nothing has come, or too much: the completions that are there have to be taken first.
                Errno::TIME | Errno::INTR | Errno::BUSY | Errno::AGAIN => {}
                error => return Err(error),
            },
        }
        let mut completions = std::mem::take(&mut self.completions);
        for completion in self.ring.completion() {
            if let Some(slot) = self.slots.get(CompletionTag::from_bits(completion.user_data()).client as usize) {
                prefetch_value(slot);
            }
            completions.push(completion);
        }
        for completion in completions.drain(..) {
            self.handle_completion(&completion, batch)?;
        }
        self.completions = completions;
        for ready in &batch.ready {
            self.slots[ready.client as usize].listed = false;
        }
        Ok(())
    }

    #[inline]
    pub(super) fn receive(&mut self, client: u32, room: &mut [u8]) -> Result<Transfer, Errno> {
        let slot = &mut self.slots[client as usize];
        let Some(chunk) = &mut slot.received else {
            return match slot.end {
                None => Ok(Transfer::WouldBlock),
                Some(ReceiveEnd::Closed) => Ok(Transfer::Bytes(0)),
                Some(ReceiveEnd::Failed(error)) => Err(error),
            };
        };
        let bytes = &self.buffers.filled_bytes(chunk.buffer, chunk.end.into())[chunk.read.into()..];
        let count = bytes.len().min(room.len());
        room[..count].copy_from_slice(&bytes[..count]);
        chunk.read += count as u16;
        if chunk.read == chunk.end {
            self.buffers.give_to_kernel(chunk.buffer);
            slot.pop_chunk();
        }
        Ok(Transfer::Bytes(count))
    }

    /// Takes all bytes.
    #[inline]
    pub(super) fn send(&mut self, client: u32, bytes: &[u8]) -> Result<(), Errno> {
        let slot = &mut self.slots[client as usize];
        if let Some(ReceiveEnd::Failed(error)) = slot.end {
            return Err(error);
        }
        if slot.sending.is_empty() {
            slot.sending = self.spare.pop().unwrap_or_default();
            slot.sending.extend_from_slice(bytes);
            self.ask_to_send(client)?;
        } else {
            slot.rest_mut().waiting.extend_from_slice(bytes);
        }
        Ok(())
    }

    /// Hands over what has been asked for, while there is the socket that it was asked for.
    pub(super) fn remove_socket(&mut self, client: u32) {
        let _closes_anyway = self.ring.submit();
        let _is_free_now = self.ring.submitter().register_files_update(client, &[-1]);
        self.retire_client(client);
    }

    /// Whatever is under way for this client belongs to the past.
    fn retire_client(&mut self, client: u32) {
        let slot = &mut self.slots[client as usize];
        while let Some(chunk) = slot.received {
            self.buffers.give_to_kernel(chunk.buffer);
            slot.pop_chunk();
        }
        if !slot.sending.is_empty() {
            let tag = CompletionTag { purpose: Purpose::Send, generation: slot.generation, client };
            self.orphans.push((tag, std::mem::take(&mut slot.sending)));
        }
        slot.rest = None;
        slot.end = None;
        slot.generation = CompletionTag::next(slot.generation);
    }

    #[inline]
    fn handle_completion(&mut self, completion: &cqueue::Entry, batch: &mut Batch) -> Result<(), Errno> {
        let tag = CompletionTag::from_bits(completion.user_data());
        let result = completion.result();
        if tag.purpose == Purpose::Wake {
            batch.woken = true;
            return if cqueue::more(completion.flags()) { Ok(()) } else { self.watch_waker() };
        }
        if self.slots[tag.client as usize].generation != tag.generation {
            self.of_the_past(tag, completion);
            return Ok(());
        }
        match tag.purpose {
            Purpose::Wake => {}
            Purpose::Connect => {
                self.list_ready_client(tag.client, true, batch);
                self.ask_to_receive(CompletionTag { purpose: Purpose::Receive, ..tag })?;
            }
            Purpose::Receive => self.handle_received(tag, completion, batch)?,
            Purpose::Send => self.handle_sent(tag, result, batch)?,
        }
        Ok(())
    }

    #[inline]
    fn handle_received(
        &mut self,
        tag: CompletionTag,
        completion: &cqueue::Entry,
        batch: &mut Batch,
    ) -> Result<(), Errno> {
        let (result, goes_on) = (completion.result(), cqueue::more(completion.flags()));
        let slot = &mut self.slots[tag.client as usize];
        match (usize::try_from(result), cqueue::buffer_select(completion.flags())) {
            (Ok(count @ 1..), Some(buffer)) => {
                slot.push_chunk(Chunk { buffer, read: 0, end: count as u16 });
                if !goes_on {
                    self.starved.push(tag);
                }
            }
            (Ok(_), buffer) => {
                slot.end = Some(ReceiveEnd::Closed);
                if let Some(buffer) = buffer {
                    self.buffers.give_to_kernel(buffer);
                }
            }
            // Buffers come back while the batch is read; then it is asked for again.
            (Err(_), _) if -result == Errno::NOBUFS.raw_os_error() => self.starved.push(tag),
            (Err(_), _) => slot.end = Some(ReceiveEnd::Failed(Errno::from_raw_os_error(-result))),
        }
        self.list_ready_client(tag.client, false, batch);
        Ok(())
    }

    #[inline]
    fn handle_sent(&mut self, tag: CompletionTag, result: i32, batch: &mut Batch) -> Result<(), Errno> {
        let slot = &mut self.slots[tag.client as usize];
        let Ok(count) = usize::try_from(result) else {
            slot.sending.clear();
            slot.end.get_or_insert(ReceiveEnd::Failed(Errno::from_raw_os_error(-result)));
            self.list_ready_client(tag.client, false, batch);
            return Ok(());
        };
        if count < slot.sending.len() {
            slot.sending.drain(..count);
            return self.ask_to_send(tag.client);
        }
        let mut sent = std::mem::take(&mut slot.sending);
        sent.clear();
        match &mut slot.rest {
            Some(rest) if !rest.waiting.is_empty() => {
                slot.sending = std::mem::replace(&mut rest.waiting, sent);
                self.ask_to_send(tag.client)
            }
            Some(_) | None => {
                self.spare.push(sent);
                Ok(())
            }
        }
    }

    /// A completion of a connection that has been replaced.
    #[cold]
    fn of_the_past(&mut self, tag: CompletionTag, completion: &cqueue::Entry) {
        match tag.purpose {
            Purpose::Receive => {
                if let Some(buffer) = cqueue::buffer_select(completion.flags()) {
                    self.buffers.give_to_kernel(buffer);
                }
            }
            Purpose::Send => self.orphans.retain(|(orphan, _)| *orphan != tag),
            Purpose::Wake | Purpose::Connect => {}
        }
    }

    /// Puts a client into the batch, once.
    #[inline]
    fn list_ready_client(&mut self, client: u32, writable: bool, batch: &mut Batch) {
        let slot = &mut self.slots[client as usize];
        if !std::mem::replace(&mut slot.listed, true) {
            batch.ready.push(ReadySocket { client, writable, until_empty: true });
        }
    }

    fn watch_waker(&mut self) -> Result<(), Errno> {
        let fd = Fd(self.waker.as_fd().as_raw_fd());
        let wake = opcode::PollAdd::new(fd, PollFlags::IN.bits().into()).multi(true).build();
        self.push_entry(wake, CompletionTag { purpose: Purpose::Wake, generation: 0, client: 0 })
    }

    fn ask_to_receive(&mut self, tag: CompletionTag) -> Result<(), Errno> {
        let slot = &self.slots[tag.client as usize];
        if slot.generation != tag.generation {
            return Ok(());
        }
        let receive = opcode::RecvMulti::new(Fixed(tag.client), buffers::GROUP).build();
        self.push_entry(receive, tag)
    }

    #[inline]
    fn ask_to_send(&mut self, client: u32) -> Result<(), Errno> {
        let slot = &self.slots[client as usize];
        let flags = rustix::net::SendFlags::NOSIGNAL.bits() as i32;
        let bytes = &slot.sending;
        let send = opcode::Send::new(Fixed(client), bytes.as_ptr(), bytes.len() as u32).flags(flags).build();
        self.push_entry(send, CompletionTag { purpose: Purpose::Send, generation: slot.generation, client })
    }

    #[inline]
    fn push_entry(&mut self, entry: Entry, tag: CompletionTag) -> Result<(), Errno> {
        let entry = entry.user_data(tag.to_bits());
        loop {
            // SAFETY: what is sent stays in `sending` or `orphans`, unchanged, until its completion; what is received
            // goes into `buffers`.
            if unsafe { self.ring.submission().push(&entry) }.is_ok() {
                return Ok(());
            }
            self.ring.submit().map_err(|error| errno_from_io_error(&error))?;
        }
    }
}

fn errno_from_io_error(error: &io::Error) -> Errno {
    Errno::from_io_error(error).unwrap_or(Errno::IO)
}
