//! What lies between a transaction and the server's sockets, as far as the load engine can tell: how often it waited
//! for an answer, how long it kept answers and requests waiting itself,
//! and what the kernel measured on the connections.

use serde::{Deserialize, Serialize};

/// What one thread counted in a second or in the measurement phase. Times are summed over clients: divided by the
/// transactions they are the time of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PathActivity {
    /// Waits of a client for the server: what was sent together and answered together is one.
    pub round_trips: u64,
    /// Bytes of answers as they came, encrypted or not.
    pub received_bytes: u64,
    /// From the instants at which the loop noticed answers until the next requests were handed to the kernel: reading,
    /// evaluating the script, writing, and the turns of other clients. Counted in every round.
    pub held_ns: u64,
    /// From the arrivals of answers until the loop noticed them. Looked at in some rounds, which stand for the others
    /// of their second.
    pub unnoticed_ns: u64,
    /// For how long clients waited because their scripts ask them to (`\sleep`), or for a program that their scripts
    /// run (`\shell`, `\setshell`).
    pub script_ns: u64,
    /// TCP connections that were read, counted again at each reading.
    pub tcp_readings: u64,
    /// Their smoothed round-trip times, summed up, in microseconds. They contain the server's time where
    /// acknowledgements travel with answers.
    pub rtt_us_sum: u64,
    /// Their shortest round-trip times, summed up, in microseconds.
    pub rtt_min_us_sum: u64,
    /// Segments that those connections sent again since they were last read.
    pub retransmits: u64,
    /// Segments that were thought lost when they were read.
    pub lost: u64,
    /// Connections that are unix sockets, counted likewise.
    pub unix_readings: u64,
}

impl PathActivity {
    /// The time for which the engine kept clients waiting, in nanoseconds: it may exceed the time that has passed.
    pub fn engine_ns(&self) -> u64 {
        self.held_ns + self.unnoticed_ns
    }

    /// Adds another time, or another thread.
    pub fn add(&mut self, other: &PathActivity) {
        self.round_trips += other.round_trips;
        self.received_bytes += other.received_bytes;
        self.held_ns += other.held_ns;
        self.unnoticed_ns += other.unnoticed_ns;
        self.script_ns += other.script_ns;
        self.tcp_readings += other.tcp_readings;
        self.rtt_us_sum += other.rtt_us_sum;
        self.rtt_min_us_sum += other.rtt_min_us_sum;
        self.retransmits += other.retransmits;
        self.lost += other.lost;
        self.unix_readings += other.unix_readings;
    }
}
