//! What fio saw of the invented disks: one that goes on as it begins, and one with a cap and a credit that is used
//! up. fio was not given the same engine for both.

use results::disk::DiskSecond;
use results::store::RunDir;
use serde_json::{Value, json};

/// Size of a request in bytes.
const BLOCK: f64 = 8192.0;
/// Entries of a series, ten a second.
const ENTRIES: u32 = 60;

pub(crate) fn write(dir: &RunDir) {
    for (target, cap) in [("vm", 24_000.0), ("cnpg", 3_000.0)] {
        for order in 1..=6 {
            let depth = 1 << (order - 1);
            let iops = (900.0 * f64::from(depth)).min(cap);
            write_stage(dir, target, order, &format!("depth-{depth}"), depth, |_| iops);
        }
        // The credit lasts for half of the stage.
        let falls = target == "cnpg";
        let rate = |at: u32| if falls && at < ENTRIES / 2 { 4.0 * cap } else { cap };
        write_stage(dir, target, 7, "oltp", 32, rate);
    }
}

fn write_stage(dir: &RunDir, target: &str, order: u32, name: &str, depth: u32, rate: impl Fn(u32) -> f64) {
    let rates: Vec<f64> = (0..ENTRIES).map(|at| rate(at) * (1.0 + 0.01 * f64::from(at * 7 % 11) / 11.0)).collect();
    let iops = rates.iter().sum::<f64>() / f64::from(ENTRIES);
    let mean_ns = f64::from(depth) / iops * 1e9;
    let percentiles = [(50.0, 0.9), (95.0, 1.6), (99.0, 2.4), (99.9, 5.0)].map(|(p, of)| (p, (mean_ns * of) as u64));
    let seconds = f64::from(ENTRIES) / 10.0;
    let group = json!({
        "name": name, "pattern": "randread", "block_bytes": BLOCK as u64, "direct": true, "depth": depth, "jobs": 1,
        "engine": if target == "vm" { "io_uring" } else { "libaio" }, "sync_every": null, "error": 0, "write": null,
        "sync": null, "cpu_share": null,
        "read": { "operations": (iops * seconds) as u64, "bytes": (iops * seconds * BLOCK) as u64,
                  "runtime_ms": ENTRIES * 100, "operations_per_s": iops, "bytes_per_s": iops * BLOCK,
                  "latency": { "mean_ns": mean_ns, "max_ns": (mean_ns * 9.0) as u64, "percentiles": percentiles } },
    });
    let stage = json!({
        "format": 1, "target": target, "name": name, "order": order, "fio_version": "fio-3.33", "definition": null,
        "started_at": null, "outcome": "completed", "groups": [group],
        "devices": [{ "name": "vda", "utilisation": 0.93 }],
        "place": { "directory": format!("/var/lib/{target}"), "file_bytes": 68_719_476_736_u64,
                   "memory_bytes": 33_600_000_000_u64,
                   "disk": { "device": "vda", "model": null, "rotational": false, "filesystem": "ext4",
                             "mount_options": "rw,noatime", "size_bytes": 200_000_000_000_u64,
                             "free_bytes": 90_000_000_000_u64 } },
    });
    let entry = |(iops, at): (&f64, u32)| -> Value {
        json!({ "end_ms": (at + 1) * 100, "duration_ms": 100,
                "read": { "operations_per_s": iops, "bytes_per_s": iops * BLOCK, "latency_ns_mean": mean_ns } })
    };
    let entries: Vec<DiskSecond> =
        rates.iter().zip(0..).map(|one| serde_json::from_value(entry(one)).expect("an entry of a series")).collect();
    dir.write_disk_stage(&serde_json::from_value(stage).expect("a stage"), None, &entries).expect("a written stage");
}
