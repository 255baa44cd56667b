//! The server over a socket, as a browser and as somebody who should not: what it answers, and to whom.

// As in a program: `pub` says "for the other modules".
#![allow(unreachable_pub)]

mod access;
mod client;
mod events;
mod metrics;
mod place;
mod report;
