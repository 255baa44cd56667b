//! `host.tcp`: TCP segments sent and sent again, from `/proc/net/snmp`, and how many of these the other side had
//! already, from `/proc/net/netstat`. Loopback included; the kernel does not tell them apart.

use std::path::{Path, PathBuf};

use results::probe_fields::{ProbeField, ProbeName, host_tcp};

use super::HostSource;
use super::proc_file::{self, Malformed, UnreadableFile};
use crate::counter::{Backwards, ReadingValues, increase_of};

/// The counters taken, by the kernel's name (RFC 1213, RFC 4022) and ours.
const COUNTERS: [(&str, ProbeField); 4] = [
    ("InSegs", host_tcp::SEGMENTS_RECEIVED),
    ("OutSegs", host_tcp::SEGMENTS_SENT),
    ("RetransSegs", host_tcp::SEGMENTS_RETRANSMITTED),
    ("InErrs", host_tcp::SEGMENTS_BAD),
];

/// Segments that the other side said it had received twice (D-SACK, RFC 2883): sent again although nothing was lost, as
/// when a busy host acknowledges late.
const NEEDLESS: (&str, ProbeField) = ("TCPDSACKRecvSegs", host_tcp::SEGMENTS_RETRANSMITTED_NEEDLESSLY);

/// Reads the lines of both files, names and numbers.
pub(crate) struct Tcp {
    root: PathBuf,
}

/// What was counted.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TcpSnapshot {
    /// In the order of [`COUNTERS`].
    segments: [u64; COUNTERS.len()],
    /// [`NEEDLESS`]; kernels before 5.9 do not tell.
    needless: Option<u64>,
}

impl Tcp {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }
}

impl HostSource for Tcp {
    type Snapshot = TcpSnapshot;

    fn probe_name(&self) -> ProbeName {
        host_tcp::PROBE
    }

    fn read_snapshot(&self) -> Result<TcpSnapshot, UnreadableFile> {
        let segments = proc_file::read_proc_file(&self.root, "proc/net/snmp", parse_tcp_counters)?;
        let needless =
            proc_file::read_proc_file(&self.root, "proc/net/netstat", |text| number_of(text, "TcpExt:", NEEDLESS.0))
                .ok();
        Ok(TcpSnapshot { segments, needless })
    }

    fn snapshot_difference(before: &TcpSnapshot, after: &TcpSnapshot) -> Result<ReadingValues, Backwards> {
        let counters = COUNTERS.iter().zip(before.segments.iter().zip(&after.segments));
        let counters = counters.map(|((_, field), (before, after))| (*field, *before, *after));
        let needless = before.needless.zip(after.needless).map(|(before, after)| (NEEDLESS.1, before, after));
        let increases = counters.chain(needless);
        increases.map(|(field, before, after)| increase_of(field, before, after)).collect()
    }
}

fn parse_tcp_counters(text: &str) -> Result<[u64; COUNTERS.len()], Malformed> {
    let mut segments = [0; COUNTERS.len()];
    for ((kernel_name, _), counter) in COUNTERS.iter().zip(&mut segments) {
        *counter = number_of(text, "Tcp:", kernel_name)?;
    }
    Ok(segments)
}

/// Our own few lines, because procfs passes over sections that it cannot read, and needs every other protocol's too.
fn number_of(text: &str, section: &str, kernel_name: &str) -> Result<u64, Malformed> {
    let of = section.trim_end_matches(':');
    let mut lines = text.lines().filter_map(|line| line.strip_prefix(section));
    let (Some(names), Some(numbers)) = (lines.next(), lines.next()) else {
        return Err(Malformed(format!("it lacks the two lines of {of}")));
    };
    let number = names.split_whitespace().zip(numbers.split_whitespace()).find(|(name, _)| *name == kernel_name);
    let Some((_, number)) = number else { return Err(Malformed(format!("{of} has no {kernel_name}"))) };
    number.parse().map_err(|_| Malformed(format!("{of} {kernel_name} is {number:?}, not a number")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::assert_every_field;

    const SNMP: &str = include_str!("../../tests/fixtures/linux-6.18/proc/net/snmp");

    #[test]
    fn numbers_are_found_by_the_name_above_them() {
        let text = "Tcp: RetransSegs MaxConn OutSegs InErrs InSegs\nTcp: 3 -1 40 0 50\n";
        assert_eq!(parse_tcp_counters(text), Ok([50, 40, 3, 0]));
    }

    #[test]
    fn the_kernel_s_own_file_is_understood() {
        let snapshot = TcpSnapshot { segments: parse_tcp_counters(SNMP).unwrap(), needless: None };
        let values = Tcp::snapshot_difference(&snapshot, &snapshot).unwrap();
        assert_eq!(values["segments_retransmitted"], 0.0);
        assert_eq!(values.len(), COUNTERS.len());
    }

    #[test]
    fn what_was_sent_again_for_nothing_is_counted_where_the_kernel_tells() {
        let at = |netstat: &str| TcpSnapshot {
            segments: parse_tcp_counters(SNMP).unwrap(),
            needless: number_of(netstat, "TcpExt:", NEEDLESS.0).ok(),
        };
        let [before, after] =
            ["TcpExt: A TCPDSACKRecvSegs\nTcpExt: 1 5\n", "TcpExt: A TCPDSACKRecvSegs\nTcpExt: 1 7\n"];
        let values = Tcp::snapshot_difference(&at(before), &at(after)).unwrap();
        assert_eq!(values["segments_retransmitted_needlessly"], 2.0);
        assert_every_field(host_tcp::PROBE, &values);
        let values = Tcp::snapshot_difference(&at("TcpExt: A\nTcpExt: 1\n"), &at(after)).unwrap();
        assert!(!values.contains_key("segments_retransmitted_needlessly"));
    }

    #[test]
    fn what_is_missing_or_malformed_is_named() {
        let check =
            |text: &str, expected: &str| assert_eq!(parse_tcp_counters(text).unwrap_err().to_string(), expected);
        check("Udp: A\nUdp: 1\n", "it lacks the two lines of Tcp");
        check("Tcp: InSegs\nTcp: 1\n", "Tcp has no OutSegs");
        check("Tcp: InSegs\nTcp: one\n", "Tcp InSegs is \"one\", not a number");
    }
}
