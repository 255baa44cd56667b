//! The limits of a local server as a plan has them, in the words of the crate that keeps them.

use std::path::{Path, PathBuf};
use std::process::Command;

use plan::{Bandwidth, Cpus, FileSize, ServerLimits};
use results::facts::ReadBackLimit;
use server::NetworkLimits;
use server::limits::{self, DeviceValues, GroupLimits, LimitError};

use super::member::Member;
use problem::Problem;

/// What control groups hold.
pub(super) fn group_limits(limits: &ServerLimits) -> GroupLimits {
    GroupLimits {
        cpus: limits.cpus.map(Cpus::cpu_count),
        pin: limits.pin.as_ref().map(|pin| pin.cpu_numbers().to_vec()),
        memory_bytes: limits.memory.map(FileSize::size_bytes),
        read_iops: limits.read_iops,
        write_iops: limits.write_iops,
        read_bytes_per_s: limits.read_bandwidth.map(Bandwidth::bytes_per_s),
        write_bytes_per_s: limits.write_bandwidth.map(Bandwidth::bytes_per_s),
    }
}

/// What is set of the device itself.
pub(super) fn device_values(limits: &ServerLimits) -> DeviceValues {
    DeviceValues { read_ahead_kib: limits.read_ahead, scheduler: limits.io_scheduler.clone() }
}

/// What the network between load and server is given.
pub(super) fn network_limits(limits: &ServerLimits) -> NetworkLimits {
    NetworkLimits {
        added_us: limits.network_latency.map(|time| u64::try_from(time.as_micros()).unwrap_or(u64::MAX)),
        bytes_per_s: limits.network_bandwidth.map(Bandwidth::bytes_per_s),
    }
}

/// The limits of the network as facts; the server's supervisor has read them back, or it would not have started.
pub(super) fn network_facts(limits: &ServerLimits) -> Vec<ReadBackLimit> {
    let latency = limits.network_latency.map(|time| format!("{} ms", time.as_millis()));
    let bandwidth = limits.network_bandwidth.map(|rate| rate.to_string());
    let mut facts = Vec::new();
    for (key, value) in [("network_latency", latency), ("network_bandwidth", bandwidth)] {
        let source = "tc qdisc show, at both ends of the veth pair".to_owned();
        facts.extend(value.map(|value| ReadBackLimit { key: key.to_owned(), value, source }));
    }
    facts
}

/// Refuses limits that this machine cannot keep, before anything is started; `directories` are those whose disks are
/// limited, as far as they are there.
pub(super) fn check_server_limits(
    planned: &plan::Target,
    limits: &ServerLimits,
    directories: &[PathBuf],
) -> Result<(), Problem> {
    limits::check_limits(&group_limits(limits), directories).map_err(|error| limit_problem(planned, &error))?;
    if limits.network_latency.is_some() && !kernel_has_netem() {
        return Err(Problem::could_not_measure(format!(
            "target {:?}: limits.network_latency: the kernel of this machine has no netem",
            planned.name
        ))
        .hint("load it (`modprobe sch_netem`), use a machine whose kernel has it, or remove the limit"));
    }
    Ok(())
}

/// Has a server write out what it has dirtied, and its files leave the kernel's cache.
pub(super) async fn write_out_and_evict(member: &Member) -> Result<(), Problem> {
    let client = member.connect_control().await?;
    client.batch_execute("CHECKPOINT").await.map_err(|error| {
        Problem::could_not_measure(format!(
            "target {:?}: could not write out its data before its limits hold",
            member.name
        ))
        .detail(error.to_string())
    })?;
    let Some(directory) = member.target.data_directory().map(Path::to_owned) else { return Ok(()) };
    let evicted = tokio::task::spawn_blocking(move || server::page_cache::evict_directory(&directory)).await;
    evicted.map_err(std::io::Error::from).flatten().map(drop).map_err(|error| {
        Problem::could_not_measure(format!("target {:?}: could not evict its files from the page cache", member.name))
            .detail(error.to_string())
    })
}

/// Limits as the kernel shows them.
pub(super) fn limits_in_words(set: &[ReadBackLimit]) -> String {
    let words: Vec<String> = set.iter().map(|limit| format!("{} {}", limit.key, limit.value)).collect();
    words.join(", ")
}

/// A limit that cannot be kept as a problem of a target.
pub(super) fn limit_problem(planned: &plan::Target, error: &LimitError) -> Problem {
    let problem = Problem::could_not_measure(format!("target {:?}: {error}", planned.name));
    match error.error_hint() {
        Some(hint) => problem.hint(hint),
        None => problem,
    }
}

/// Whether the kernel can delay packets, tried in a network namespace that ends with the try.
fn kernel_has_netem() -> bool {
    let mut tried = Command::new("unshare");
    tried.args(["--net", "tc", "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms"]);
    tried.output().is_ok_and(|output| output.status.success())
}
