//! An application's own load, taken from what its server wrote into its log.
//!
//! Promises: memory does not grow with the length of a log; what could not be read is counted by reason; no password
//! reaches the capture directory. Leaves out: any connection to a server, and the replay.

#![warn(missing_docs)]

pub mod directory;
