//! Limits of a local server: a small machine on a large one. What the server may use of CPUs, memory, disk and network.

use std::fmt;
use std::time::Duration;

use serde_json::json;

use super::language::{
    At, AtLeastMs, Form, Identifier, PlanReadingFindings, ValueDescription, Whole, Yaml, quote_text, read_quantity,
    record,
};
use super::units::{Bandwidth, Cpus, FileSize, UnreadableQuantity, format_duration};

/// The largest number of a CPU that is read.
const CPU_NUMBER_MAX: u32 = 4095;

record! {
    /// Limits of a local server, by control groups and a network namespace. They hold for all of its processes
    /// together, from before the first trial to the end, and are read back. Data are created without them. Requires
    /// root.
    #[derive(Default)]
    pub struct ServerLimits = "limits" {
        /// CPU time of all server processes together, in CPUs.
        key cpus: Option<Cpus> = Absent("no limit"),
        /// CPUs on which the server processes may run, by number, such as `2-3` or `0,2`.
        key pin: Option<CpuList> = Absent("all CPUs"),
        /// Memory of all server processes together, with the files that the kernel caches for them.
        key memory: Option<FileSize> = Absent("no limit"),
        /// Reads per second of the disk of the data, and of the WAL if that is another one.
        key read_iops: Option<u64> as Option<Whole<1, 10_000_000, u64>> = Absent("no limit"),
        /// Writes per second of the same disks. With control groups of version 1, writes that the kernel defers are
        /// not limited; those of a commit or checkpoint are.
        key write_iops: Option<u64> as Option<Whole<1, 10_000_000, u64>> = Absent("no limit"),
        /// Bytes read per second from the same disks.
        key read_bandwidth: Option<Bandwidth> = Absent("no limit"),
        /// Bytes written per second to the same disks, as with `write_iops`.
        key write_bandwidth: Option<Bandwidth> = Absent("no limit"),
        /// Read-ahead of the disk of the data, in KiB; 0 turns it off. Requires `filesystem`, whose device is the
        /// server's own.
        key read_ahead: Option<u64> as Option<Whole<0, 65_536, u64>> = Absent("the kernel's"),
        /// I/O scheduler of the disk of the data, as the kernel names it, such as `none` or `mq-deadline`. Requires
        /// `filesystem`.
        key io_scheduler: Option<String> as Option<Identifier> = Absent("the kernel's"),
        /// Time that the network adds to each round trip between load and server, half of it in each direction.
        /// Requires `via: veth` or `via: service`, and a kernel with netem.
        key network_latency: Option<Duration> as Option<AtLeastMs<1>> = Absent("none"),
        /// Bytes per second of the network between load and server, in each direction. Requires `via: veth` or `via:
        /// service`.
        key network_bandwidth: Option<Bandwidth> = Absent("no limit"),
        /// Have the limits hold while the data are created, too. At a few hundred writes per second this takes long.
        key limit_data_creation: bool = Default("false"),
    }
}

impl ServerLimits {
    /// Whether something of a disk is limited.
    #[must_use]
    pub fn limits_disk(&self) -> bool {
        self.read_iops.is_some()
            || self.write_iops.is_some()
            || self.read_bandwidth.is_some()
            || self.write_bandwidth.is_some()
    }

    /// The first of its keys that change the network, if there is one.
    pub(super) fn network_key(&self) -> Option<&'static str> {
        let of_network = [
            ("network_latency", self.network_latency.is_some()),
            ("network_bandwidth", self.network_bandwidth.is_some()),
        ];
        of_network.into_iter().find(|(_, is_given)| *is_given).map(|(key, _)| key)
    }

    /// The first of its keys that change the device itself, if there is one.
    pub(super) fn device_key(&self) -> Option<&'static str> {
        let of_device = [("read_ahead", self.read_ahead.is_some()), ("io_scheduler", self.io_scheduler.is_some())];
        of_device.into_iter().find(|(_, is_given)| *is_given).map(|(key, _)| key)
    }
}

/// `0.5 CPUs, memory 256MB, read_iops 300`.
impl fmt::Display for ServerLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        words.extend(self.cpus.map(|cpus| format!("cpus {cpus}")));
        words.extend(self.pin.as_ref().map(|pin| format!("pin {pin}")));
        words.extend(self.memory.map(|memory| format!("memory {memory}")));
        words.extend(self.read_iops.map(|iops| format!("read_iops {iops}")));
        words.extend(self.write_iops.map(|iops| format!("write_iops {iops}")));
        words.extend(self.read_bandwidth.map(|rate| format!("read_bandwidth {rate}")));
        words.extend(self.write_bandwidth.map(|rate| format!("write_bandwidth {rate}")));
        words.extend(self.read_ahead.map(|kib| format!("read_ahead {kib} KiB")));
        words.extend(self.io_scheduler.as_ref().map(|name| format!("io_scheduler {name}")));
        words.extend(self.network_latency.map(|time| format!("network_latency {}", format_duration(time))));
        words.extend(self.network_bandwidth.map(|rate| format!("network_bandwidth {rate}")));
        f.write_str(&words.join(", "))
    }
}

/// CPUs by number, ascending, as the kernel writes them: `0,2-3`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CpuList {
    numbers: Vec<u32>,
}

impl CpuList {
    /// The numbers, ascending.
    #[must_use]
    pub fn cpu_numbers(&self) -> &[u32] {
        &self.numbers
    }
}

impl fmt::Display for CpuList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ranges: Vec<[u32; 2]> = Vec::new();
        for number in &self.numbers {
            match ranges.last_mut() {
                Some([_, last]) if *last + 1 == *number => *last = *number,
                Some(_) | None => ranges.push([*number, *number]),
            }
        }
        let mut words = Vec::new();
        for [first, last] in ranges {
            words.push(if first == last { first.to_string() } else { format!("{first}-{last}") });
        }
        f.write_str(&words.join(","))
    }
}

/// Reads `2-3`, `0,2`.
fn parse_cpu_list(text: &str) -> Result<CpuList, UnreadableQuantity> {
    let mut numbers = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (Ok(first), Ok(last)) = (first.trim().parse::<u32>(), last.trim().parse::<u32>()) else {
            return Err(no_cpu_list());
        };
        if first > last || last > CPU_NUMBER_MAX {
            return Err(no_cpu_list());
        }
        numbers.extend(first..=last);
    }
    numbers.sort_unstable();
    numbers.dedup();
    Ok(CpuList { numbers })
}

fn no_cpu_list() -> UnreadableQuantity {
    UnreadableQuantity {
        why: "not a list of CPUs".to_owned(),
        hint: format!("write numbers from 0 to {CPU_NUMBER_MAX} and ranges, like \"2-3\" or \"0,2\""),
    }
}

impl Form for CpuList {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        read_quantity(findings, at, parse_cpu_list)
    }

    fn write_value(value: &Self) -> Yaml {
        Yaml::Scalar(quote_text(&value.to_string()))
    }

    fn describe_form() -> ValueDescription {
        let schema = json!({ "type": ["string", "integer"], "pattern": "^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$" });
        ValueDescription::new("list of CPUs: numbers and ranges", "\"2-3\"", schema)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_cpus_is_written_as_the_kernel_writes_it() {
        for (text, written) in [("2-3", "2-3"), ("3,0,1", "0-1,3"), ("0", "0"), ("0,0", "0"), ("0-1,2", "0-2")] {
            assert_eq!(parse_cpu_list(text).map(|list| list.to_string()), Ok(written.to_owned()), "{text}");
        }
        for text in ["", "a", "3-2", "-1", "1-", "0;1", "5000", "1-2-3"] {
            assert!(parse_cpu_list(text).is_err(), "{text}");
        }
    }
}
