//! The closed-loop engine on epoll: a coordinator on the calling thread, clients on threads of their own.
//!
//! Every client is connected and has its statements prepared before the load begins. Then each runs transaction after
//! transaction until the end; what is under way then may finish for 5 s. A lost connection is made again, with
//! growing pauses, as long as the load lasts. Nothing waits for a server without a limit.

mod backoff;
mod client;
mod clock;
mod collector;
mod context;
mod control;
mod coordinator;
mod cpu;
mod poller;
mod recorder;
mod session;
mod socket;
mod timetable;
mod transaction;
mod worker;

pub use coordinator::run;
