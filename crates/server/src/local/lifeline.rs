//! The supervisor's end of the connection to pgdyno: orders come in, reports go out, and its end is the order to end.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsFd as _;

use serde::Serialize;
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::net::unix::pipe::Receiver;

use super::protocol::{SupervisorOrder, SupervisorReport};

/// Standard input and output of the supervisor.
pub(super) struct Lifeline {
    orders: Lines<BufReader<Receiver>>,
}

impl Lifeline {
    /// Takes standard input, which must be a pipe.
    pub(super) fn take_standard_input() -> io::Result<Self> {
        let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        Ok(Self { orders: BufReader::new(Receiver::from_file(input)?).lines() })
    }

    /// The next order; none once pgdyno is gone or talks nonsense. Safe to cancel.
    pub(super) async fn next(&mut self) -> Option<SupervisorOrder> {
        let line = self.orders.next_line().await.ok()??;
        serde_json::from_str(&line).ok()
    }

    /// Returns when pgdyno is gone; an order that comes out of turn counts as that. Safe to cancel.
    pub(super) async fn wait_until_cut(&mut self) {
        self.next().await;
    }

    /// Tells pgdyno something of a server.
    pub(super) fn send_report(&self, report: &SupervisorReport) {
        self.send_line(report);
    }

    /// Tells pgdyno something.
    pub(super) fn send_line<R: Serialize>(&self, report: &R) {
        let Ok(line) = serde_json::to_string(report) else { return };
        // If nobody reads it, the end of the orders will say so.
        let _ = writeln!(io::stdout().lock(), "{line}");
    }
}
