//! Outputs of fio as other people keep them: what they cannot be compared for is found from the files alone.

use std::path::Path;

use judge::audit::{BenchmarkAudit, CheckResult, CheckRuling};

/// An output of random reads, maybe of clones reported one by one, and of sequential ones.
fn fio_output(random_iops: f64, depth: u32, clones: u32, sequential_mib_per_s: f64) -> String {
    let job = |name: &str, rw: &str, bytes: f64, iops: f64, depth: u32| {
        let (count, bandwidth) = (iops * 30.0, iops * bytes);
        format!(
            r#"{{"jobname": "{name}", "error": 0, "job options": {{"rw": "{rw}", "bs": "{bytes}", "iodepth": "{depth}", "direct": "1"}},
                "read": {{"total_ios": {count:.0}, "io_bytes": {:.0}, "runtime": 30000, "iops": {iops}, "bw_bytes": {bandwidth},
                "lat_ns": {{"mean": {}, "max": 9000000000}}}}}}"#,
            count * bytes,
            f64::from(depth) / iops * 1e9
        )
    };
    let each = random_iops / f64::from(clones);
    let mut jobs: Vec<String> = (0..clones).map(|_| job("rand", "randread", 8192.0, each, depth)).collect();
    jobs.push(job("seq", "read", 1_048_576.0, sequential_mib_per_s, 16));
    format!(r#"{{"fio version": "fio-3.33", "jobs": [{}]}}"#, jobs.join(", "))
}

/// The audit of files of these names and contents; those of fio are of the target that is their stem.
fn audit_of_files(files: &[(&str, &str)]) -> BenchmarkAudit {
    let given: Vec<(String, &str)> = files
        .iter()
        .map(|(name, content)| {
            let target = Path::new(name).file_stem().filter(|_| name.ends_with(".json"));
            let given = target.map_or_else(|| (*name).to_owned(), |target| format!("{}={name}", target.display()));
            (given, *content)
        })
        .collect();
    super::audit_of_files(&given.iter().map(|(name, content)| (name.as_str(), *content)).collect::<Vec<_>>())
}

fn outcome_of_check<'a>(audit: &'a BenchmarkAudit, id: &str) -> &'a CheckResult {
    &audit.findings.iter().find(|(check, _)| check.code.name == id).expect(id).1
}

#[test]
fn two_outputs_of_unlike_depths_cannot_be_compared_however_their_files_are_called() {
    let audit = audit_of_files(&[
        ("vm.json", &fio_output(5000.0, 32, 4, 200.0)),
        ("pod.json", &fio_output(5000.0, 32, 1, 200.0)),
    ]);
    let found = outcome_of_check(&audit, "storage-queue-depth");
    assert!(matches!(found.verdict, CheckRuling::Broken(_)), "{found:?}");
    let against: Vec<(&str, &str)> =
        found.figures.iter().filter(|figure| figure.breaks).map(|figure| (&*figure.of, &*figure.text)).collect();
    let expected = [
        ("rand, pod", "5000 IOPS × 6.40 ms = 32.0 in flight (declared: 32)"),
        ("rand, vm", "5000 IOPS × 25.6 ms = 128.0 in flight (declared: 128)"),
    ];
    assert_eq!(against, expected);
}

#[test]
fn the_same_jobs_on_both_sides_hold_whether_clones_are_reported_one_by_one_or_together() {
    let audit = audit_of_files(&[
        ("vm.json", &fio_output(5000.0, 8, 4, 200.0)),
        ("pod.json", &fio_output(5100.0, 32, 1, 210.0)),
    ]);
    assert_eq!(outcome_of_check(&audit, "storage-queue-depth").verdict, CheckRuling::Holds);
    assert_eq!(outcome_of_check(&audit, "storage-arithmetic").verdict, CheckRuling::Holds);
    assert!(matches!(outcome_of_check(&audit, "disk-cap").verdict, CheckRuling::CannotTell { .. }));
}

#[test]
fn reads_that_are_faster_than_the_device_can_be_came_from_a_cache() {
    let audit = audit_of_files(&[("vm.json", &fio_output(90_000.0, 32, 1, 200.0))]);
    let found = outcome_of_check(&audit, "disk-cap");
    assert!(matches!(found.verdict, CheckRuling::Broken(_)), "{found:?}");
    assert_eq!(found.figures[0].text, "rand: 737 MB/s for random requests, above 210 MB/s for sequential ones");
}

#[test]
fn what_the_study_states_of_a_disk_is_held_against_its_figures() {
    let study = "study: A\nbaseline: vm\nstated: { targets: { vm: { disk: { declared: { iops: 3000, bandwidth: 1000MB/s } } } } }\n";
    let audit = audit_of_files(&[("a.study.yaml", study), ("vm.json", &fio_output(5000.0, 32, 1, 200.0))]);
    let found = outcome_of_check(&audit, "disk-cap");
    assert!(matches!(found.verdict, CheckRuling::Broken(_)), "{found:?}");
    assert_eq!(found.figures[0].text, "rand: 5000 IOPS, above the declared 3000 IOPS");
}

/// Twelve disks of which two reads were answered by a cache of the host, and the writes of one by a burst.
#[test]
fn figures_of_a_table_far_above_what_is_stated_go_first_and_one_limit_is_said_once_for_each_disk() {
    let mut table = "target,job,block_size,read_iops,write_iops\n".to_owned();
    for (disk, stated) in [("p10", 500.0), ("p20", 2300.0)] {
        for (job, factor) in [("a", 1.0), ("b", 1.01), ("c", 0.99)] {
            table +=
                &format!("{disk},{job}-read,8k,{},\n{disk},{job}-write,8k,,{}\n", stated * factor, stated * factor);
        }
    }
    table += "p10,cached,8k,51000,\np20,burst,8k,,3500\n";
    let study = "study: x\nstated:\n  targets:\n    p10: { disk: { declared: { iops: 500 } } }\n    p20: { disk: { declared: { iops: 2.3k } } }\n";
    let audit = audit_of_files(&[("t.csv", &table), ("x.study.yaml", study)]);
    let (first, found) = &audit.findings[0];
    let against: Vec<String> = found.figures.iter().map(|figure| format!("{}: {}", figure.of, figure.text)).collect();
    let expected = [
        "p10: cached: reads 51.0k IOPS, 102 times the declared 500 IOPS: served by a cache, not by the disk",
        "p20: burst: writes 3500 IOPS, above the declared 2300 IOPS: a burst or a write cache",
        "p10, b-read and b-write: reads 505 IOPS, writes 505 IOPS: one limit for both, as declared (of 7 pairs of jobs)",
        "p20, b-read and b-write: reads 2323 IOPS, writes 2323 IOPS: one limit for both, as declared (of 7 pairs of jobs)",
    ];
    assert_eq!(
        (first.code.name, against.iter().map(String::as_str).collect::<Vec<_>>()),
        ("disk-cap", expected.to_vec())
    );
}

#[test]
fn rules_about_transactions_are_left_out_where_only_disks_were_measured() {
    let audit = audit_of_files(&[
        ("vm.json", &fio_output(5000.0, 8, 4, 200.0)),
        ("pod.json", &fio_output(5100.0, 32, 1, 210.0)),
    ]);
    let lines = report::audit::audit_lines(&audit, 2000).join("\n");
    for id in [
        "branch-contention",
        "data-size-mismatch",
        "commit-path-unmeasured",
        "no-checkpoint",
        "incomplete-cells",
        "repetition-trend",
    ] {
        assert!(audit.findings.iter().all(|(check, _)| check.code.name != id), "{id}");
        assert!(!lines.contains(id), "{lines}");
    }
}
