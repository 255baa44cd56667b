//! What the invented servers turned out to be. The kernels differ, which the plan does not allow.

use results::store::RunDir;
use serde_json::{Map, Value, json};

pub(crate) fn write(dir: &RunDir) {
    for (name, address, port, kernel, cpus, round_trip_us) in [
        ("vm", "10.0.0.5", 5432, "6.1.0-41-amd64", None, 187),
        ("pooler", "10.0.0.5", 6432, "6.1.0-41-amd64", None, 231),
        ("cnpg", "10.0.0.9", 5432, "6.8.0-52-generic", Some(6.0), 264),
    ] {
        let mut settings: Map<String, Value> = [
            ("shared_buffers", "8GB"),
            ("max_wal_size", "16GB"),
            ("huge_pages_status", "on"),
            ("archive_command", "test ! -f /a/%f && cp %p /a/%f # <b>not markup</b>"),
            ("ssl_ciphers", if name == "cnpg" { "TLS_AES_256_GCM_SHA384" } else { "HIGH:MEDIUM:+3DES:!aNULL" }),
        ]
        .map(|(name, value)| (name.to_owned(), setting(value)))
        .into_iter()
        .collect();
        if name == "cnpg" {
            settings.remove("huge_pages_status");
        }
        let facts = json!({
            "format": 1, "name": name, "platform": "url", "read_at": "2026-11-20T09:12:00Z",
            "path": { "transport": "tcp", "address": address, "port": port, "same_host": false,
                      "round_trip_us": round_trip_us },
            "server": { "version": "PostgreSQL 17.11 on x86_64-pc-linux-gnu", "version_num": 170_011,
                        "in_recovery": false, "started_at": null, "database_bytes": 1_600_000_000,
                        "locale": "UTF8 C libc" },
            "settings": settings, "gaps": {},
            "host": { "cpu_model": "AMD EPYC 7763", "cpus": 8, "memory_bytes": 33_600_000_000_u64, "kernel": kernel,
                      "os": null, "virtualization": null, "data_disk": null,
                      "cgroup": { "cpus": cpus, "memory_bytes": null } },
        });
        dir.write_facts(&serde_json::from_value(facts).expect("facts")).expect("a written file");
    }
}

fn setting(value: &str) -> Value {
    json!({ "value": value, "default": null, "source": "configuration file", "pending_restart": false })
}
