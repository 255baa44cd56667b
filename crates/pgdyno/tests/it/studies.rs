//! Plans of the published studies, in small and on servers of this machine, up to their verdicts: the questions of
//! each, with everything of the plan but its targets, its sizes and its durations.

use std::fs;
use std::path::Path;

use crate::lab::Lab;
use testbed::newest_version;

const PLANS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../plans/studies");

/// What is made smaller of a plan.
struct SmallStudy<'s> {
    file: &'s str,
    /// In place of its own targets.
    targets: String,
    /// Texts of it, each with what stands in its place.
    smaller: &'s [(&'s str, &'s str)],
}

impl SmallStudy<'_> {
    fn plan_text(&self) -> String {
        let text = fs::read_to_string(Path::new(PLANS).join(self.file)).expect("the plan");
        let (head, rest) = text.split_once("\ntargets:\n").expect("it has targets");
        let (_, rest) = rest.split_once("\nbaseline:").expect("and a baseline");
        let mut plan = format!("{head}\ntargets:\n{}\nbaseline:{rest}", self.targets);
        for (large, small) in self.smaller {
            assert!(plan.contains(large), "{} no longer has {large:?}", self.file);
            plan = plan.replace(large, small);
        }
        plan
    }

    /// Runs it; as many comparisons are judged as the plan has, and each of these is named in the report.
    #[track_caller]
    fn runs_to_its_verdict(&self, comparisons: usize, told: &[&str]) {
        let lab = Lab::new();
        lab.write("plan.yaml", self.plan_text());
        lab.pgdyno("run plan.yaml --details").measured().prints(told);
        let json = lab.pgdyno(&format!("report {} --format json", lab.run().path().display())).json();
        let judged = json["comparisons"].as_array().expect("comparisons");
        assert_eq!(judged.len(), comparisons, "{}", self.file);
        lab.assert_no_temporary_data();
    }
}

fn local(more: &str) -> String {
    format!("{{ local: {{ bin: {} }}{more} }}", newest_version().display())
}

const BRIEF_TRIALS: &str = "trial: { warm_up: 0s, measure: 500ms }";

#[test]
fn disk_classes_of_a_managed_database_are_compared_with_what_is_required() {
    let study = SmallStudy {
        file: "managed-disk-classes.yaml",
        targets: format!("  hdd: {0}\n  ssd: {0}\n  local-ssd: {0}\n", local("")),
        smaller: &[
            ("scale: 1000", "scale: 2"),
            ("clients: [95]", "clients: [4]"),
            ("trial: { warm_up: 30s, measure: 10m }", BRIEF_TRIALS),
            ("at_least: 3, at_most: 5, until: 5%", "at_least: 2, at_most: 2"),
        ],
    };
    study.runs_to_its_verdict(4, &["p99 latency below 200 ms", "hdd", "local-ssd"]);
}

#[test]
fn classes_of_volumes_are_compared_after_their_disks() {
    let on_disk = local(", disk: { declared: { iops: 5000, bandwidth: 200MB/s } }");
    let study = SmallStudy {
        file: "cloud-disks.yaml",
        targets: format!("  standard: {on_disk}\n  premium: {on_disk}\n  premium-cached: {on_disk}\n"),
        smaller: &[
            ("scale: 3000", "scale: 2"),
            ("clients: [32]", "clients: [4]"),
            ("trial: { warm_up: 1m, measure: 1h }", BRIEF_TRIALS),
            ("at_least: 3, at_most: 3", "at_least: 2, at_most: 2"),
            (
                "disk: { jobs: [oltp, seq-read, seq-write, wal], runtime: 10m }",
                "# its disks are measured by other tests",
            ),
        ],
    };
    study.runs_to_its_verdict(2, &["premium", "premium-cached"]);
}
