//! The machine of a server: CPUs, NUMA nodes, memory, kernel, distribution, hypervisor. Readers take the root of the file
//! system, so that a tree of fixtures serves as a machine.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;

use results::facts::{ALL_CPUS, HOST_CGROUP, HostFacts, NumaNode};

use super::text_file::read_text_file;
use super::{cgroup, disk, kernel, machine};
use crate::host_access::Whereabouts;

/// Gaps: what could not be read, and why.
pub(crate) type HostFactGaps = BTreeMap<String, String>;

/// Reads the facts of the machine whose file system has this root, and of the server if it was found there. None if the
/// essentials cannot be read.
pub(crate) fn read_host_facts(root: &Path, server: Option<&Whereabouts>, gaps: &mut HostFactGaps) -> Option<HostFacts> {
    let cpuinfo = value_or_gap(read_text_file(root, "proc/cpuinfo"), "host.cpu_model", gaps).unwrap_or_default();
    let cpu_model = first_value(&cpuinfo, "model name");
    if cpu_model.is_none() {
        gaps.entry("host.cpu_model".to_owned()).or_insert_with(|| "/proc/cpuinfo has no model name".to_owned());
    }
    let cpus = value_or_gap(
        read_text_file(root, "sys/devices/system/cpu/online").and_then(|list| count_cpus_in_list(&list)),
        "host.cpus",
        gaps,
    );
    let numa_nodes = value_or_gap(numa_nodes(root), "host.numa_nodes", gaps);
    let memory = value_or_gap(
        read_text_file(root, "proc/meminfo").and_then(|text| total_memory(&text)),
        "host.memory_bytes",
        gaps,
    );
    let release_of_kernel = value_or_gap(read_text_file(root, "proc/sys/kernel/osrelease"), "host.kernel", gaps);
    let release = read_text_file(root, "etc/os-release").or_else(|_| read_text_file(root, "usr/lib/os-release"));
    let os = value_or_gap(release.and_then(|text| pretty_name(&text)), "host.os", gaps);
    let machine = value_or_gap(machine::read_machine_facts(root), "host.machine", gaps);
    let data_disk = match server.and_then(|server| server.data_directory.as_deref()) {
        Some(directory) => value_or_gap(disk::read_disk_facts(root, directory), "host.data_disk", gaps),
        None => {
            gaps.insert("host.data_disk".to_owned(), "the data directory was not found on this host".to_owned());
            None
        }
    };
    let wal = server.and_then(|server| Some(server.data_directory.as_deref()?.join("pg_wal")));
    let wal_disk = wal.and_then(|wal| value_or_gap(disk::read_disk_facts(root, &wal), "host.wal_disk", gaps));
    let cgroup = match server {
        Some(server) => {
            value_or_gap(cgroup::read_cgroup_limits(root, server.postmaster_pid), HOST_CGROUP, gaps).unwrap_or_default()
        }
        None => {
            gaps.insert(HOST_CGROUP.to_owned(), "the server's process was not found on this host".to_owned());
            cgroup::without_limits()
        }
    };
    let pinned_to = match server {
        Some(server) => value_or_gap(pinned_to(root, server.postmaster_pid, cpus?), "host.pinned_to", gaps),
        None => {
            gaps.insert("host.pinned_to".to_owned(), "the server's process was not found on this host".to_owned());
            None
        }
    };
    Some(HostFacts {
        cpu_model,
        cpus: cpus?,
        numa_nodes,
        memory_bytes: memory?,
        kernel: release_of_kernel?.trim().to_owned(),
        os,
        virtualization: detect_virtualization(root, &cpuinfo),
        machine,
        kernel_settings: kernel::read_kernel_values(root, data_disk.as_ref().and_then(|disk| disk.device.as_deref())),
        data_disk,
        wal_disk,
        cgroup,
        pinned_to,
    })
}

/// The CPUs that a process may run on: those of its cpuset, which a kubelet gives out whole, or of an affinity.
fn pinned_to(root: &Path, pid: u32, cpus: u32) -> Result<String, String> {
    let status = format!("proc/{pid}/status");
    let list = first_value(&read_text_file(root, &status)?, "Cpus_allowed_list");
    let list = list.ok_or_else(|| format!("/{status} has no Cpus_allowed_list"))?;
    Ok(if count_cpus_in_list(&list)? < cpus { list } else { ALL_CPUS.to_owned() })
}

/// The value, or none and a gap with the reason.
fn value_or_gap<T>(result: Result<T, String>, name: &str, gaps: &mut HostFactGaps) -> Option<T> {
    result.map_err(|why| gaps.insert(name.to_owned(), why)).ok()
}

/// The value of the first `key : value` line.
fn first_value(text: &str, key: &str) -> Option<String> {
    text.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.trim() == key)
        .map(|(_, value)| value.trim().to_owned())
}

/// The number of CPUs in a list such as `0-3,8`.
fn count_cpus_in_list(list: &str) -> Result<u32, String> {
    parse_cpu_ranges(list).map(|ranges| ranges.iter().map(|range| range.end() - range.start() + 1).sum())
}

/// What a list of the kernel's, such as `0-3,8`, is made of.
fn parse_cpu_ranges(list: &str) -> Result<Vec<RangeInclusive<u32>>, String> {
    let ranges = list.trim().split(',').map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last) = (first.parse::<u32>().ok()?, last.parse::<u32>().ok()?);
        (first <= last).then_some(first..=last)
    });
    ranges.collect::<Option<_>>().ok_or_else(|| format!("\"{}\" is not a list of numbers", list.trim()))
}

/// Each NUMA node that is online.
fn numa_nodes(root: &Path) -> Result<Vec<NumaNode>, String> {
    let online = parse_cpu_ranges(&read_text_file(root, "sys/devices/system/node/online")?)?;
    let node = |number: u32| {
        let list = read_text_file(root, &format!("sys/devices/system/node/node{number}/cpulist"))?;
        Ok(NumaNode { number, cpus: list.trim().to_owned() })
    };
    online.into_iter().flatten().map(node).collect()
}

fn total_memory(meminfo: &str) -> Result<u64, String> {
    let kib = first_value(meminfo, "MemTotal").and_then(|value| value.strip_suffix(" kB")?.trim().parse::<u64>().ok());
    kib.map(|kib| kib * 1024).ok_or_else(|| "/proc/meminfo has no MemTotal".to_owned())
}

fn pretty_name(release: &str) -> Result<String, String> {
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    name.map(|name| name.trim_matches(['"', '\'']).to_owned()).ok_or_else(|| "os-release has no PRETTY_NAME".to_owned())
}

/// Container runtime and hypervisor, as far as they show; none on bare metal, as far as one can tell.
fn detect_virtualization(root: &Path, cpuinfo: &str) -> Option<String> {
    let container = if root.join(".dockerenv").exists() {
        Some("docker".to_owned())
    } else if root.join("run/.containerenv").exists() {
        Some("podman".to_owned())
    } else {
        read_text_file(root, "run/systemd/container").ok().map(|name| name.trim().to_owned())
    };
    let flagged = first_value(cpuinfo, "flags").is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor"));
    let vendor = read_text_file(root, "sys/class/dmi/id/sys_vendor").unwrap_or_default();
    let product = read_text_file(root, "sys/class/dmi/id/product_name").unwrap_or_default();
    let hypervisor = detect_hypervisor(vendor.trim(), product.trim(), flagged);
    let parts: Vec<_> = container.into_iter().chain(hypervisor).collect();
    (!parts.is_empty()).then(|| parts.join(" in "))
}

/// What firmware strings and the CPU's hypervisor flag say.
fn detect_hypervisor(vendor: &str, product: &str, flagged: bool) -> Option<String> {
    let bare_metal = product.ends_with(".metal");
    let known = [
        ("QEMU", "kvm"),
        ("KVM", "kvm"),
        ("Amazon EC2", "amazon ec2"),
        ("Google", "google compute engine"),
        ("VMware", "vmware"),
        ("innotek", "virtualbox"),
        ("Xen", "xen"),
        ("Microsoft", "hyper-v"),
        ("OpenStack", "openstack"),
        ("DigitalOcean", "digitalocean"),
        ("Hetzner", "hetzner cloud"),
    ];
    let found = known.iter().find(|(mark, _)| vendor.contains(mark) || product.contains(mark)).map(|(_, name)| *name);
    // Google and Microsoft make machines too: without the flag it is not a virtual one.
    found.filter(|_| flagged && !bare_metal).or_else(|| flagged.then_some("hypervisor")).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn cpus_are_counted_from_ranges() {
        let cases =
            [("0", Some(1)), ("0-1\n", Some(2)), ("0-3,8,10-11", Some(7)), ("", None), ("3-1", None), ("x", None)];
        for (list, expected) in cases {
            assert_eq!(count_cpus_in_list(list).ok(), expected, "{list}");
        }
    }

    #[test]
    fn a_hypervisor_is_named_where_it_shows() {
        let cases = [
            ("QEMU", "Standard PC", true, Some("kvm")),
            ("Amazon EC2", "m7g.large", true, Some("amazon ec2")),
            ("Amazon EC2", "m7i.metal-24xl.metal", false, None),
            ("Microsoft Corporation", "Surface", false, None),
            ("Microsoft Corporation", "Virtual Machine", true, Some("hyper-v")),
            ("", "", true, Some("hypervisor")),
            ("Dell Inc.", "PowerEdge", false, None),
        ];
        for (vendor, product, flagged, expected) in cases {
            assert_eq!(detect_hypervisor(vendor, product, flagged).as_deref(), expected, "{vendor} {product}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_a_gap_and_never_a_zero() {
        let empty = tempfile::tempdir().unwrap();
        let mut gaps = HostFactGaps::new();
        assert_eq!(read_host_facts(empty.path(), None, &mut gaps), None);
        let names: Vec<_> = gaps.keys().map(String::as_str).collect();
        let expected = "cgroup cpu_model cpus data_disk kernel machine memory_bytes numa_nodes os pinned_to";
        let expected: Vec<String> = expected.split(' ').map(|name| format!("host.{name}")).collect();
        assert_eq!(names, expected);
        assert!(gaps["host.cpus"].starts_with("/sys/devices/system/cpu/online: "), "{gaps:?}");
    }

    #[test]
    fn a_machine_is_read_from_its_files() {
        let root = tempfile::tempdir().unwrap();
        let files = [
            ("proc/cpuinfo", "processor\t: 0\nmodel name\t: Quick CPU\nflags\t\t: fpu hypervisor sse\n"),
            ("proc/meminfo", "MemTotal:       16384 kB\nMemFree: 1 kB\n"),
            ("proc/sys/kernel/osrelease", "6.1.0\n"),
            ("sys/devices/system/cpu/online", "0-7\n"),
            ("sys/class/dmi/id/sys_vendor", "QEMU\n"),
            ("sys/devices/system/node/online", "0,2\n"),
            ("sys/devices/system/node/node0/cpulist", "0-3\n"),
            ("sys/devices/system/node/node2/cpulist", "4-7\n"),
            ("etc/os-release", "ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n"),
            ("run/systemd/container", "lxc\n"),
            ("proc/7/status", "Name:\tpostgres\nCpus_allowed:\tf0\nCpus_allowed_list:\t4-7\n"),
            ("proc/8/status", "Name:\tpostgres\nCpus_allowed_list:\t0-7\n"),
        ];
        for (path, content) in files {
            fs::create_dir_all(root.path().join(path).parent().unwrap()).unwrap();
            fs::write(root.path().join(path), content).unwrap();
        }
        let host = read_host_facts(root.path(), None, &mut HostFactGaps::new()).expect("all there");
        assert_eq!(host.cpu_model.as_deref(), Some("Quick CPU"));
        assert_eq!((host.cpus, host.memory_bytes, host.kernel.as_str()), (8, 16_777_216, "6.1.0"));
        assert_eq!(host.os.as_deref(), Some("Debian GNU/Linux 12"));
        assert_eq!(host.virtualization.as_deref(), Some("lxc in kvm"));
        assert_eq!(host.machine.expect("named").provider.as_deref(), Some("QEMU/KVM"));
        let node = |number, cpus: &str| NumaNode { number, cpus: cpus.to_owned() };
        assert_eq!(host.numa_nodes, Some(vec![node(0, "0-3"), node(2, "4-7")]));
        let server = |postmaster_pid| Some(Whereabouts { postmaster_pid, data_directory: None });
        for (pid, expected, gap) in [
            (Some(7), Some("4-7"), None),
            (Some(8), Some("all"), None),
            (Some(9), None, Some("/proc/9/status: No such file or directory (os error 2)")),
            (None, None, Some("the server's process was not found on this host")),
        ] {
            let mut gaps = HostFactGaps::new();
            let host = read_host_facts(root.path(), pid.and_then(server).as_ref(), &mut gaps).expect("all there");
            let found = (host.pinned_to.as_deref(), gaps.get("host.pinned_to").map(String::as_str));
            assert_eq!(found, (expected, gap), "{pid:?}");
        }
    }
}
