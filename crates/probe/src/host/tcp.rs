//! `host.tcp`: TCP segments sent and sent again, from `/proc/net/snmp`. Loopback included; the kernel does not tell them
//! apart.

use std::path::{Path, PathBuf};

use super::Source;
use super::proc_file::{self, Malformed, Unreadable};
use crate::counter::{Backwards, Values, increase};

/// The counters taken, by the kernel's name (RFC 1213, RFC 4022) and ours.
const COUNTERS: [(&str, &str); 4] = [
    ("InSegs", "segments_received"),
    ("OutSegs", "segments_sent"),
    ("RetransSegs", "segments_retransmitted"),
    ("InErrs", "segments_bad"),
];

/// Reads the two `Tcp:` lines, names and numbers.
pub(crate) struct Tcp {
    root: PathBuf,
}

/// The counters, in the order of [`COUNTERS`].
type Snapshot = [u64; COUNTERS.len()];

impl Tcp {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }
}

impl Source for Tcp {
    type Snapshot = Snapshot;

    fn name(&self) -> &'static str {
        "host.tcp"
    }

    fn read(&self) -> Result<Snapshot, Unreadable> {
        proc_file::read(&self.root, "proc/net/snmp", parse)
    }

    fn difference(before: &Snapshot, after: &Snapshot) -> Result<Values, Backwards> {
        let increases = COUNTERS.iter().zip(before.iter().zip(after));
        increases
            .map(|((_, name), (before, after))| Ok(((*name).to_owned(), increase(name, *before, *after)?)))
            .collect()
    }
}

/// Our own few lines, because procfs passes over sections that it cannot read, and needs every other protocol's too.
fn parse(text: &str) -> Result<Snapshot, Malformed> {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix("Tcp:"));
    let (Some(names), Some(numbers)) = (lines.next(), lines.next()) else {
        return Err(Malformed("it lacks the two lines of Tcp".to_owned()));
    };
    let mut snapshot = Snapshot::default();
    for ((kernel_name, _), counter) in COUNTERS.iter().zip(&mut snapshot) {
        let number = names.split_whitespace().zip(numbers.split_whitespace()).find(|(name, _)| name == kernel_name);
        let Some((_, number)) = number else { return Err(Malformed(format!("Tcp has no {kernel_name}"))) };
        *counter = number.parse().map_err(|_| Malformed(format!("Tcp {kernel_name} is {number:?}, not a number")))?;
    }
    Ok(snapshot)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SNMP: &str = include_str!("../../tests/fixtures/linux-6.18/proc/net/snmp");

    #[test]
    fn numbers_are_found_by_the_name_above_them() {
        let text = "Tcp: RetransSegs MaxConn OutSegs InErrs InSegs\nTcp: 3 -1 40 0 50\n";
        assert_eq!(parse(text), Ok([50, 40, 3, 0]));
    }

    #[test]
    fn the_kernel_s_own_file_is_understood() {
        let values = Tcp::difference(&parse(SNMP).unwrap(), &parse(SNMP).unwrap()).unwrap();
        assert_eq!(values["segments_retransmitted"], 0.0);
        assert_eq!(values.len(), COUNTERS.len());
    }

    #[test]
    fn what_is_missing_or_malformed_is_named() {
        let check = |text: &str, expected: &str| assert_eq!(parse(text).unwrap_err().to_string(), expected);
        check("Udp: A\nUdp: 1\n", "it lacks the two lines of Tcp");
        check("Tcp: InSegs\nTcp: 1\n", "Tcp has no OutSegs");
        check("Tcp: InSegs\nTcp: one\n", "Tcp InSegs is \"one\", not a number");
    }
}
