//! The engine on epoll: a coordinator on the calling thread, clients on threads of their own.
//!
//! Every client is connected and has its statements prepared before the load begins. Then each runs transaction after
//! transaction (closed loop) or takes arrivals as they come (open loop) until the end; what is under way then may
//! finish for 5 s, and is cancelled after that. A lost connection is made again, with growing pauses, as long as the
//! load lasts. Nothing waits for a server without a limit.

mod agenda;
mod attempt;
mod backoff;
mod cancel;
mod client;
mod client_share;
mod clock;
mod collector;
mod context;
mod control;
mod coordinator;
mod cpu;
mod crew;
mod curve;
mod file_limit;
mod io;
mod network_namespace;
mod notice;
mod outcome;
mod pacer;
mod phases;
mod recorder;
mod referee;
mod rounds;
mod schedstat;
mod seat;
mod session;
mod session_agenda;
mod shell;
mod socket;
mod standstill;
mod start;
mod tcp_info;
mod timers;
mod timetable;
mod transaction;
mod worker;

pub(crate) use client_share::ClientShare;
pub use coordinator::{check_job, check_turns, run_job, run_turns};
pub use io::io_uring_refused;
pub(crate) use start::TransactionStart;
