//! `host.network`: bytes and packets through the machine's network interfaces, from `/proc/net/dev`; loopback apart.
//! Sees the network namespace that pgdyno itself runs in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use procfs_core::FromBufRead;
use procfs_core::net::{DeviceStatus, InterfaceDeviceStatus};
use results::probe_fields::{ProbeField, ProbeName, host_network};

use super::HostSource;
use super::proc_file::{self, Malformed, UnreadableFile};
use crate::counter::{Backwards, ReadingValues, counter_increase};

const LOOPBACK: &str = "lo";

/// Reads the counters of every interface.
///
/// `rx_…` and `tx_…` are totals over the interfaces with a device behind them, as sysfs knows: a bond, a bridge or a
/// container's virtual interface would count the same packet again. Where none has a device (inside a container) they
/// are totals over all. `lo_rx_…` and `lo_tx_…` are those of loopback.
pub(crate) struct NetworkReader {
    root: PathBuf,
}

/// The counters of every interface that is counted, by interface.
pub(crate) type NetworkSnapshot = BTreeMap<String, Counters>;

/// Received and sent: bytes, packets, errors, drops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Counters([u64; 8]);

/// The figures in that order.
const TOTALS: [ProbeField; 8] = [
    host_network::RX_BYTES,
    host_network::RX_PACKETS,
    host_network::RX_ERRORS,
    host_network::RX_DROPS,
    host_network::TX_BYTES,
    host_network::TX_PACKETS,
    host_network::TX_ERRORS,
    host_network::TX_DROPS,
];

/// Those of loopback, likewise.
const OF_LOOPBACK: [ProbeField; 8] = [
    host_network::LO_RX_BYTES,
    host_network::LO_RX_PACKETS,
    host_network::LO_RX_ERRORS,
    host_network::LO_RX_DROPS,
    host_network::LO_TX_BYTES,
    host_network::LO_TX_PACKETS,
    host_network::LO_TX_ERRORS,
    host_network::LO_TX_DROPS,
];

impl NetworkReader {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }
}

impl HostSource for NetworkReader {
    type Snapshot = NetworkSnapshot;

    fn probe_name(&self) -> ProbeName {
        host_network::PROBE
    }

    fn read_snapshot(&self) -> Result<NetworkSnapshot, UnreadableFile> {
        Ok(counted_interfaces(
            proc_file::read_proc_file(&self.root, "proc/net/dev", parse_interface_counters)?,
            |name| self.root.join("sys/class/net").join(name).join("device").exists(),
        ))
    }

    /// An interface that came or went between the two snapshots has no increase and is left out of the totals.
    fn snapshot_difference(before: &NetworkSnapshot, after: &NetworkSnapshot) -> Result<ReadingValues, Backwards> {
        let mut values: ReadingValues = TOTALS.iter().map(|field| (field.name.to_owned(), 0.0)).collect();
        for (interface, Counters(after)) in after {
            let Some(Counters(before)) = before.get(interface) else { continue };
            let fields = if interface == LOOPBACK { OF_LOOPBACK } else { TOTALS };
            for ((field, total), (before, after)) in fields.iter().zip(TOTALS).zip(before.iter().zip(after)) {
                let increase = counter_increase(&format!("{} of {interface}", total.name), *before, *after)?;
                *values.entry(field.name.to_owned()).or_insert(0.0) += increase;
            }
        }
        Ok(values)
    }
}

fn parse_interface_counters(text: &str) -> Result<NetworkSnapshot, Malformed> {
    let interfaces = InterfaceDeviceStatus::from_buf_read(text.as_bytes())?.0;
    Ok(interfaces.into_iter().map(|(name, status)| (name, Counters::from(&status))).collect())
}

fn counted_interfaces(interfaces: NetworkSnapshot, has_device: impl Fn(&str) -> bool) -> NetworkSnapshot {
    let (backed, rest): (NetworkSnapshot, NetworkSnapshot) =
        interfaces.into_iter().partition(|(name, _)| name == LOOPBACK || has_device(name));
    if backed.keys().any(|name| name != LOOPBACK) { backed } else { backed.into_iter().chain(rest).collect() }
}

impl From<&DeviceStatus> for Counters {
    fn from(status: &DeviceStatus) -> Self {
        Self([
            status.recv_bytes,
            status.recv_packets,
            status.recv_errs,
            status.recv_drop,
            status.sent_bytes,
            status.sent_packets,
            status.sent_errs,
            status.sent_drop,
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::assert_every_field;

    /// A `/proc/net/dev` whose interfaces have received so many bytes and sent as many packets.
    fn dev(interfaces: &[(&str, u64)]) -> NetworkSnapshot {
        let mut text = "Inter-|   Receive  |  Transmit\n face |bytes packets\n".to_owned();
        for (name, count) in interfaces {
            text.push_str(&format!("{name}: {count} 0 0 0 0 0 0 0 0 {count} 0 0 0 0 0 0\n"));
        }
        parse_interface_counters(&text).unwrap()
    }

    #[test]
    fn totals_leave_out_loopback_which_stands_apart() {
        let values = NetworkReader::snapshot_difference(
            &dev(&[("lo", 5), ("eth0", 10), ("eth1", 20)]),
            &dev(&[("lo", 7), ("eth0", 13), ("eth1", 25)]),
        )
        .unwrap();
        assert_eq!((values["rx_bytes"], values["tx_packets"], values["lo_rx_bytes"]), (8.0, 8.0, 2.0));
        assert_every_field(host_network::PROBE, &values);
    }

    #[test]
    fn only_interfaces_with_a_device_count_where_there_are_any() {
        let names = |interfaces: NetworkSnapshot| interfaces.into_keys().collect::<Vec<_>>();
        let interfaces = dev(&[("bond0", 1), ("eth0", 1), ("lo", 1), ("veth1", 1)]);
        assert_eq!(names(counted_interfaces(interfaces.clone(), |name| name == "eth0")), ["eth0", "lo"]);
        assert_eq!(names(counted_interfaces(interfaces, |_| false)), ["bond0", "eth0", "lo", "veth1"]);
    }

    #[test]
    fn an_interface_that_came_up_in_between_adds_nothing_and_one_that_restarted_is_a_gap() {
        let values =
            NetworkReader::snapshot_difference(&dev(&[("eth0", 10)]), &dev(&[("eth0", 11), ("eth1", 500)])).unwrap();
        assert_eq!(values["rx_bytes"], 1.0);
        let error = NetworkReader::snapshot_difference(&dev(&[("eth0", 10)]), &dev(&[("eth0", 0)])).unwrap_err();
        assert_eq!(error.to_string(), "the counter rx_bytes of eth0 decreased from 10 to 0");
    }

    #[test]
    fn a_line_that_is_cut_short_is_an_error() {
        assert!(parse_interface_counters("header\nheader\neth0: 1 2 3\n").is_err());
    }
}
