//! What the calibration server did and when, and what a client can have seen of it at least and at most.
//!
//! All instants are nanoseconds of the server's clock. Nothing here assumes that the machine is fast or idle: bounds
//! follow from the order in which things must have happened.

use super::CalibrationAnswer;

/// What has happened.
#[derive(Debug, Clone, Default)]
pub struct CalibrationRecord {
    /// When each connection was accepted, by its number.
    pub accepted_ns: Vec<u64>,
    /// Requests and their answers, in the order of the answers.
    pub exchanges: Vec<Exchange>,
    /// Connections that the server ended, in order.
    pub cuts: Vec<Cut>,
}

/// One request that wanted work done, and its answer.
#[derive(Debug, Clone, Copy)]
pub struct Exchange {
    /// The number of its connection.
    pub connection: usize,
    /// The request had been received by then.
    pub arrived_ns: u64,
    /// When the answer was to be complete.
    pub due_ns: u64,
    /// Its last part was not sent earlier than this.
    pub answered_ns: u64,
    /// How the request was answered.
    pub answer: CalibrationAnswer,
}

/// A connection ended by the server.
#[derive(Debug, Clone, Copy)]
pub struct Cut {
    /// Not earlier than this.
    pub at_ns: u64,
}

/// What the latency of a transaction can have been at least and at most.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// In nanoseconds.
    pub at_least_ns: u64,
    /// In nanoseconds.
    pub at_most_ns: u64,
}

impl CalibrationRecord {
    /// Notes a new connection; returns its number.
    pub fn add_connection(&mut self, at_ns: u64) -> usize {
        self.accepted_ns.push(at_ns);
        self.accepted_ns.len() - 1
    }

    /// How much later than it should each answer was sent: the server's own error.
    pub fn lateness_ns(&self) -> Vec<u64> {
        let mut lateness: Vec<u64> = self.exchanges.iter().map(|e| e.answered_ns - e.due_ns).collect();
        lateness.sort_unstable();
        lateness
    }

    /// Bounds on the latency of every transaction of a closed loop without pauses, where the next transaction starts at
    /// the instant at which the one before has ended. The first ones did not begin before `start_ns`,
    /// and the last ones had ended by `end_ns`.
    ///
    /// A client cannot have seen an answer before it was sent, nor later than its next request arrived.
    pub fn closed_loop(&self, [start_ns, end_ns]: [u64; 2]) -> Vec<Bounds> {
        let mut bounds = Vec::new();
        for connection in 0..self.accepted_ns.len() {
            let of_it: Vec<&Exchange> = self.exchanges.iter().filter(|e| e.connection == connection).collect();
            let mut not_begun_before_ns = start_ns;
            let next_arrived_ns = of_it.iter().skip(1).map(|next| next.arrived_ns).chain([end_ns]);
            for (this, not_ended_after_ns) in of_it.iter().zip(next_arrived_ns) {
                bounds.push(Bounds {
                    at_least_ns: this.answered_ns - this.arrived_ns,
                    at_most_ns: not_ended_after_ns - not_begun_before_ns,
                });
                not_begun_before_ns = this.answered_ns;
            }
        }
        bounds
    }
}
