//! A loopback interface that carries so many bits a second and no more, in the lab's own network namespace.

use std::process::Command;

use crate::namespaces;
use testbed::{killable_program, run_command};

/// The limit, until this is dropped.
pub struct NarrowLink;

impl NarrowLink {
    /// Lets a rate pass, as tc(8) writes it: `80mbit`.
    pub fn of(rate: &str) -> Self {
        assert!(namespaces::inside(), "the interfaces of the machine are nobody's to change");
        // A packet of this interface may have 64 kB.
        run_command(discipline("add").args(["tbf", "rate", rate, "burst", "128kb", "latency", "200ms"]));
        Self
    }
}

fn discipline(action: &str) -> Command {
    let mut tc = killable_program("tc");
    tc.args(["qdisc", action, "dev", "lo", "root"]);
    tc
}

impl Drop for NarrowLink {
    fn drop(&mut self) {
        // Else it goes with the namespace.
        let _deleted = discipline("delete").output();
    }
}
