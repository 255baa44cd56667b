//! A network namespace for the load, joined to this machine by a veth pair, with a DNAT rule as a Kubernetes Service has it.
//!
//! It has no name: it lives as long as the process that holds it, which dies with the supervisor, and takes the veth pair
//! with it. Nothing of the machine's own network is changed but for the one end of the pair.

use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use rustix::process::Signal;
use tokio::process::{Child, Command};

use super::NamespacePlace;
use super::network_limits::{self, limit_device, tc_here};
use super::program::{program_command, run_command};
use crate::local::die_with_parent::die_with_parent;
use crate::local::failure::Failure;
use crate::local::route::{NetworkLimits, SERVICE_POOLER_PORT, SERVICE_PORT};

/// What the layer is called in errors.
const LAYER: &str = "a network namespace";

/// Networks of four addresses that are tried, until one is free: 10.213.0.0/30 and on.
const NETWORKS: u32 = 4096;

/// The address of the service, which only the DNAT rule knows.
const SERVICE: Ipv4Addr = Ipv4Addr::new(10, 214, 0, 1);

/// A namespace and the process that holds it.
pub(super) struct Namespace {
    _holder: Child,
    place: NamespacePlace,
}

impl Namespace {
    /// Builds it, its network slowed down to these limits.
    pub(super) fn build_namespace(limits: NetworkLimits) -> Result<Self, Failure> {
        let own =
            std::fs::read_link("/proc/self/ns/net").map_err(Failure::system_call_failed("read /proc/self/ns/net"))?;
        let mut holder: Command = {
            let mut unshare = program_command("unshare", "util-linux", LAYER)?;
            unshare.args(["--net", "sleep", "infinity"]).stdout(Stdio::null()).stderr(Stdio::null());
            unshare.into()
        };
        die_with_parent(&mut holder, Signal::KILL);
        let holder =
            holder.kill_on_drop(true).spawn().map_err(Failure::system_call_failed("create a network namespace"))?;
        let pid = holder.id().ok_or(Failure::SupervisorLost)?;
        let file = PathBuf::from(format!("/proc/{pid}/ns/net"));
        wait_for(&file, &own)?;
        let place = join_host_network(pid, file)?;
        limit_device(limits, &outer_device(pid), tc_here)?;
        limit_device(limits, INNER_DEVICE, || {
            command_in_namespace(&place.file, "tc", "iproute2", network_limits::LAYER)
        })?;
        Ok(Self { _holder: holder, place })
    }

    pub(super) fn namespace_place(&self) -> &NamespacePlace {
        &self.place
    }

    /// Leads the service's ports to those of the server and of the pooler.
    pub(super) fn forward_service_ports(&self, port: u16, pooler_port: Option<u16>) -> Result<(), Failure> {
        run_command(self.command_within("iptables")?.args(["-w", "-t", "nat", "-F", "OUTPUT"]))?;
        let pooler = pooler_port.map(|port| (SERVICE_POOLER_PORT, port));
        for (from, to) in std::iter::once((SERVICE_PORT, port)).chain(pooler) {
            let (from, to) = (from.to_string(), format!("{}:{to}", self.place.host));
            let service = self.place.service.to_string();
            let rule = ["-w", "-t", "nat", "-A", "OUTPUT", "-d", &service, "-p", "tcp", "--dport", &from];
            run_command(self.command_within("iptables")?.args(rule).args(["-j", "DNAT", "--to-destination", &to]))?;
        }
        Ok(())
    }

    fn command_within(&self, program: &str) -> Result<std::process::Command, Failure> {
        command_in_namespace(&self.place.file, program, "iptables", LAYER)
    }
}

/// A program in the namespace, for a layer of this name.
fn command_in_namespace(
    file: &Path,
    program: &str,
    package: &'static str,
    layer: &'static str,
) -> Result<std::process::Command, Failure> {
    let program = program_command(program, package, layer)?;
    let mut enter = program_command("nsenter", "util-linux", layer)?;
    enter.arg(format!("--net={}", file.display())).arg("--").arg(program.get_program());
    Ok(enter)
}

/// Waits until the process is in a namespace other than ours.
fn wait_for(file: &Path, own: &Path) -> Result<(), Failure> {
    for _ in 0..500 {
        match std::fs::read_link(file) {
            Ok(namespace) if namespace != own => return Ok(()),
            Ok(_) => std::thread::sleep(Duration::from_millis(10)),
            Err(error) => return Err(Failure::NoNamespace { why: error.to_string() }),
        }
    }
    Err(Failure::NoNamespace { why: "the kernel did not create one within 5 s".to_owned() })
}

/// The load's end of the veth pair, in the namespace.
const INNER_DEVICE: &str = "eth0";

/// The end of the veth pair that this machine has: at most 15 bytes, the kernel's limit.
fn outer_device(pid: u32) -> String {
    format!("pgd{pid}")
}

/// Joins the namespace of the process to this machine's network.
fn join_host_network(pid: u32, file: PathBuf) -> Result<NamespacePlace, Failure> {
    let outside = outer_device(pid);
    let ip = |words: &str| run_command(program_command("ip", "iproute2", LAYER)?.args(words.split(' ')));
    let ip_within =
        |words: &str| run_command(command_in_namespace(&file, "ip", "iproute2", LAYER)?.args(words.split(' ')));
    ip(&format!("link add {outside} type veth peer name eth0 netns {pid}"))?;
    let network = free_network(pid)?;
    let [host, client] = [1, 2].map(|offset| Ipv4Addr::from_bits(network.to_bits() + offset));
    ip(&format!("addr add {host}/30 dev {outside}"))?;
    ip(&format!("link set {outside} up"))?;
    ip_within(&format!("addr add {client}/30 dev eth0"))?;
    ip_within("link set eth0 up")?;
    ip_within("link set lo up")?;
    ip_within(&format!("route add default via {host}"))?;
    Ok(NamespacePlace { file, host, service: SERVICE, client })
}

/// A network of four addresses of which this machine knows no other way than its default one.
fn free_network(pid: u32) -> Result<Ipv4Addr, Failure> {
    let routes = program_command("ip", "iproute2", LAYER)?.args(["-4", "route", "show", "table", "all"]).output();
    let routes = routes.map_err(Failure::system_call_failed("run ip route show"))?;
    let routes = String::from_utf8_lossy(&routes.stdout).into_owned();
    let candidates = (0..NETWORKS).map(|step| network_by_number((pid + step) % NETWORKS));
    candidates
        .into_iter()
        .find(|network| !is_known(&routes, *network))
        .ok_or_else(|| Failure::NoNamespace { why: "no network of 10.213.0.0/18 is free".to_owned() })
}

fn network_by_number(number: u32) -> Ipv4Addr {
    Ipv4Addr::from_bits(Ipv4Addr::new(10, 213, 0, 0).to_bits() + number * 4)
}

/// Whether a table of routes has one to it.
fn is_known(routes: &str, network: Ipv4Addr) -> bool {
    routes.split_whitespace().any(|word| {
        let Some((address, length)) = word.split_once('/') else {
            return word.parse::<Ipv4Addr>().is_ok_and(|address| address.to_bits() & !3 == network.to_bits());
        };
        let (Ok(address), Ok(length)) = (address.parse::<Ipv4Addr>(), length.parse::<u32>()) else { return false };
        let bits = length.min(30);
        let mask = if bits == 0 { 0 } else { u32::MAX << (32 - bits) };
        address.to_bits() & mask == network.to_bits() & mask
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_that_the_machine_knows_a_way_to_is_not_taken() {
        let routes = "default via 192.0.2.1 dev eth0\n10.213.0.4/30 dev pgd7 proto kernel scope link src 10.213.0.5\n\
                      local 10.213.0.9 dev lo table local\n";
        assert!(!is_known(routes, network_by_number(0)));
        assert!(is_known(routes, network_by_number(1)));
        assert!(is_known(routes, network_by_number(2)), "an address in it");
        assert!(!is_known(routes, network_by_number(3)));
        assert!(is_known("10.0.0.0/8 via 192.0.2.7", network_by_number(3)), "a larger network around it");
    }
}
