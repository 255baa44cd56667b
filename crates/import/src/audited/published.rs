//! The published study among the examples: what is wrong with it is found by rules that do not know it.

use std::path::PathBuf;

use judge::audit::{BenchmarkAudit, CheckRuling};
use judge::judge_run;
use judge::observed::Observed;

use crate::{ImportRequest, import_study};

fn audit_of_published_study() -> BenchmarkAudit {
    let study = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/cnpg-vs-vm.study.yaml");
    let directory = tempfile::tempdir().expect("a directory");
    let request = ImportRequest { files: vec![PathBuf::from(study)], ..ImportRequest::default() };
    let now = "2026-11-20T09:00:00Z".parse().expect("an instant");
    let dir = import_study(&request, directory.path(), now).expect("the three files are read as one study");
    judge_run(&Observed::read(&dir).expect("what was written is read")).audit.expect("an audit")
}

#[test]
fn the_published_study_breaks_these_rules_in_this_order() {
    let audit = audit_of_published_study();
    let named = |wanted: fn(&CheckRuling) -> bool| -> Vec<&str> {
        audit.findings.iter().filter(|(_, found)| wanted(&found.verdict)).map(|(check, _)| check.code.name).collect()
    };
    assert_eq!(
        named(|verdict| matches!(verdict, CheckRuling::Broken(_))),
        [
            "round-trips",
            "no-saturation",
            "storage-queue-depth",
            "undeclared-difference",
            "superlinear-scaling",
            "data-size-mismatch",
            "storage-class-mismatch",
            "disk-cap",
            "no-repetition",
            "peak-not-reached",
            "incomplete-cells",
            "littles-law",
            "duration-mismatch",
        ]
    );
    assert_eq!(
        named(|verdict| matches!(verdict, CheckRuling::CannotTell { .. })),
        [
            "smallest-latency-differs",
            "concurrent-sides",
            "generator-bound",
            "cpu-stolen",
            "noisy-neighbour",
            "settings-not-applied",
            "durability-off",
            "commit-path-unmeasured",
            "commit-without-sync",
            "failures-counted",
            "table-contradicts-output",
            "no-checkpoint",
            "latency-order",
            "percentile-support",
            "repetition-trend",
            "unsteady-throughput",
            "change-arithmetic"
        ]
    );
    assert_eq!(
        named(|verdict| *verdict == CheckRuling::Holds),
        [
            "workload-differs",
            "storage-jobs-differ",
            "branch-contention",
            "shared-host",
            "storage-limit-unmeasured",
            "offered-rate-as-result",
            "copied-figures",
            "storage-arithmetic",
            "claim-mismatch"
        ]
    );
}

/// Worked out by hand from the published figures.
#[test]
fn the_figures_that_break_them_are_printed_for_each_side() {
    let audit = audit_of_published_study();
    for (id, of, text) in [
        ("round-trips", "tpcb-like in-memory, native-vm", "7 statements take 3.8, 3.8, 4.0, 9.0 times"),
        ("round-trips", "tpcb-like in-memory, cnpg-network-ssd", "7 statements take 7.0, 6.1, 6.2, 6.5 times"),
        ("round-trips", "tpcb-like in-memory, cnpg-ssd-io-m3", "7 statements take 7.6, 7.7, 8.0, 8.0 times"),
        (
            "no-saturation",
            "native-vm, select-only in-memory",
            "24.7 ms at 8 clients, 27.5 ms at 128 clients: throughput × 14.35",
        ),
        ("storage-queue-depth", "randrw_80_20, native-vm", "= 128.4 in flight (declared: 128)"),
        ("storage-queue-depth", "randrw_80_20, cnpg-network-ssd", "= 31.8 in flight (declared: 128)"),
        (
            "data-size-mismatch",
            "native-vm, \"disk-bound\"; cnpg-network-ssd, \"disk-bound\"; cnpg-ssd-io-m3, \"disk-bound\"",
            "scale 300 is about 4.4 GiB, shared_buffers 10.0 GiB",
        ),
        ("data-size-mismatch", "native-vm, select-only disk-bound, 32 clients", "1301 tps \"disk-bound\", 1256 tps"),
        ("storage-class-mismatch", "seq_write, native-vm and cnpg-network-ssd", "101 and 245 IOPS (+143 %)"),
        ("disk-cap", "seq_read, native-vm and cnpg-network-ssd", "243 MiB/s with 31.8 in flight, 248 MiB/s with 16.0"),
        ("peak-not-reached", "native-vm, select-only in-memory", "4647 tps at 128 clients, still +83.8 %"),
        ("incomplete-cells", "tpcb-like in-memory, 128 clients", "no result of any side"),
        ("littles-law", "cnpg-network-ssd, tpcb-like in-memory, 8 clients", "= 9.28 clients"),
        ("duration-mismatch", "native-vm, 15 trials", "299 to 301 s instead of 60 s"),
    ] {
        let (_, found) = audit.findings.iter().find(|(check, _)| check.code.name == id).expect(id);
        let figure = found.figures.iter().find(|figure| figure.of == of && figure.text.contains(text));
        assert!(figure.is_some(), "{id}: {of}: {text}\n{:#?}", found.figures);
    }
}

#[test]
fn the_documentation_shows_what_the_audit_of_the_published_study_says() {
    let text = include_str!("../../../../docs/audit.md");
    let shown = report::audit::audit_lines(&audit_of_published_study(), 120).join("\n");
    assert!(text.contains(&format!("```\n{shown}\n```")), "the page should show:\n{shown}");
}
