//! A firewall that loses some of the packets to and from a port of the loopback interface,
//! in the lab's own network namespace.

use std::process::Command;

use crate::namespaces;
use testbed::{killable_program, run_command};

/// Lost packets, until this is dropped.
pub struct PacketLoss {
    port: u16,
    share: f64,
}

impl PacketLoss {
    /// Loses this share of the packets in each direction.
    pub fn on(port: u16, share: f64) -> Self {
        assert!(namespaces::inside(), "the firewall of the machine is nobody's to change");
        let loss = Self { port, share };
        loss.rules("--append").iter_mut().for_each(|rule| {
            run_command(rule);
        });
        loss
    }

    fn rules(&self, action: &str) -> [Command; 2] {
        ["--dport", "--sport"].map(|direction| {
            let mut iptables = killable_program("iptables");
            iptables.args(["--wait", action, "INPUT", "--protocol", "tcp", direction, &self.port.to_string()]);
            let share = self.share.to_string();
            iptables.args(["--match", "statistic", "--mode", "random", "--probability", &share, "--jump", "DROP"]);
            iptables
        })
    }
}

impl Drop for PacketLoss {
    fn drop(&mut self) {
        for mut rule in self.rules("--delete") {
            // Else it goes with the namespace.
            let _deleted = rule.output();
        }
    }
}
