//! CPU, memory and disk that the injured server has less of.

use super::{ANY, Kind, READS, WRITES};
use crate::generator::condition::{Base, Injection, Matter, Outside, Shape};
use crate::generator::random::Random;

/// The kinds of this family.
pub const KINDS: &[Kind] = &[
    Kind { name: "CPU quota", shapes: ANY, draw: quota, weight: 3 },
    Kind { name: "CPU shares", shapes: READS, draw: shares, weight: 2 },
    Kind { name: "one CPU", shapes: READS, draw: one_cpu, weight: 1 },
    Kind { name: "nice server", shapes: READS, draw: nice, weight: 2 },
    Kind { name: "memory limit", shapes: &[Shape::Aggregate, Shape::BigResult, Shape::Sort], draw: memory, weight: 2 },
    Kind { name: "writes of the disk", shapes: WRITES, draw: writes, weight: 3 },
    Kind { name: "bandwidth of the disk", shapes: WRITES, draw: bandwidth, weight: 2 },
];

const CPU: &[Matter] = &[Matter::Cpu];
const DISK: &[Matter] = &[Matter::Disk, Matter::Wal];

fn quota(random: &mut Random, _: &Base) -> Injection {
    let percent = random.choose(&[20, 50, 90, 150]);
    Injection::new(
        "CPU quota",
        format!("CPU quota of {percent} % of a CPU"),
        &[&["quota"], &["throttl"], &["CPU limit"]],
        CPU,
    )
    .with_outside(Outside::CpuQuota(percent))
}

fn shares(random: &mut Random, _: &Base) -> Injection {
    let shares = random.choose(&[2, 10, 100]);
    let hogs = Outside::Hogs { programs: 2, cpu: None, nice: random.choose(&[0, 10, 15]) };
    Injection::new(
        "CPU shares",
        format!("{shares} CPU shares beside two busy programs"),
        &[&["shares"], &["cpu.weight"], &["neighbour"], &["other processes", "CPU"]],
        CPU,
    )
    .with_outside_of_both(hogs)
    .with_outside(Outside::CpuShares(shares))
}

fn one_cpu(random: &mut Random, _: &Base) -> Injection {
    let cpu = random.choose(&[0, 1]);
    Injection::new(
        "one CPU",
        format!("the server may use CPU {cpu} only"),
        &[&["affinity"], &["cpuset"], &["taskset"], &["1 CPU"], &["one CPU"], &["allowed CPU"]],
        CPU,
    )
    .with_outside(Outside::OneCpu(cpu))
}

fn nice(random: &mut Random, _: &Base) -> Injection {
    let nice = random.choose(&[5, 19]);
    Injection::new(
        "nice server",
        format!("the server has a nice value of {nice}, beside two busy programs"),
        &[&["nice"], &["priority"], &["neighbour"], &["other processes", "CPU"]],
        CPU,
    )
    .with_outside_of_both(Outside::Hogs { programs: 2, cpu: None, nice: 10 })
    .with_outside(Outside::Nice(nice))
}

fn memory(random: &mut Random, _: &Base) -> Injection {
    let mb = random.choose(&[60, 90, 200]);
    Injection::new(
        "memory limit",
        format!("memory limit of {mb} MB"),
        &[&["memory", "limit"], &["memory", "group"], &["memory.max"]],
        &[Matter::Memory, Matter::Disk],
    )
    .with_setting_of_both("shared_buffers = 16MB")
    .with_outside(Outside::MemoryMb(mb))
}

fn writes(random: &mut Random, _: &Base) -> Injection {
    let number = random.choose(&[60, 300, 1500]);
    Injection::new(
        "writes of the disk",
        format!("{number} writes to the disk per second"),
        &[&["disk"], &["fsync"], &["flush"], &["throttle"]],
        DISK,
    )
    .with_outside(Outside::WritesPerSecond(number))
}

fn bandwidth(random: &mut Random, _: &Base) -> Injection {
    let mb = random.choose(&[1, 5, 40]);
    Injection::new(
        "bandwidth of the disk",
        format!("{mb} MB per second to the disk"),
        &[&["disk"], &["bandwidth"], &["flush"], &["throttle"]],
        DISK,
    )
    .with_outside(Outside::DiskMbPerSecond(mb))
}
