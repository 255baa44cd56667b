//! Two rounds of a tuning, one of them kept, and a change that was not tried.

use results::tuning::Tuning;
use serde_json::json;

pub(super) fn rounds() -> Tuning {
    let cell = |workload: &str, clients: u32, point: f64, verdict: &str| {
        let change = json!({ "point": point, "low": point - 0.03, "high": point + 0.03, "n": 5 });
        json!({ "workload": workload, "clients": clients, "change": change, "verdict": verdict })
    };
    let rounds = json!([
        {
            "run": "2026-11-20T08-12-00-tune-round-1", "rule": "checkpoints-forced",
            "found": "max_wal_size (32MB) forces a checkpoint every 2 s",
            "expected": "no checkpoint is forced", "change": { "settings": { "max_wal_size": "8GB" } }, "kept": true,
            "cells": [cell("write", 8, 0.31, "improved"), cell("read", 8, 0.01, "equivalent")],
        },
        {
            "run": "2026-11-20T08-32-00-tune-round-2", "rule": "writeback-stall",
            "found": "writes wait for kernel writeback of dirty pages", "expected": "throughput rises",
            "change": { "sysctl": { "vm.dirty_bytes": "3435973836" } }, "kept": false,
            "cells": [cell("write", 8, 0.02, "not enough data"), cell("read", 8, 0.0, "equivalent")],
        },
    ]);
    let left_out = json!([{
        "rule": "commit-flush", "found": "commits wait for the WAL flush",
        "change": { "settings": { "synchronous_commit": "off" } },
        "why": "a crash loses acknowledged transactions; `may_risk: [synchronous_commit]` in the plan allows it",
    }]);
    let kept = json!({ "settings": { "max_wal_size": "8GB" } });
    let tuning = json!({
        "format": 1, "target": "vm", "first_look": "2026-11-20T08-02-00-tune-first-look", "rounds": rounds,
        "left_out": left_out, "ended": "nothing-left", "kept": kept,
    });
    serde_json::from_value(tuning).expect("rounds")
}
