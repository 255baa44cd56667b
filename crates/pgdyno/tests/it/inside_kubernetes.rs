//! Whole runs inside a cluster, on a real one (see `kubernetes`): begun from here, watched, fetched, and removed with
//! everything that they made.

use std::fs;
use std::time::Duration;

use crate::kubernetes::Site;
use crate::lab::{BRIEF, Lab, PGDYNO};
use crate::made_in_kubernetes::small;
use crate::process::Program;
use crate::run_view::RunView;

#[test]
fn as_a_plugin_of_kubectl_it_calls_itself_as_it_is_called() {
    let lab = Lab::new();
    let plugin = lab.path().join("kubectl-pgdyno");
    std::os::unix::fs::symlink(PGDYNO, &plugin).expect("a link");
    let called = |line: &str| {
        let program = Program::new(&lab, plugin.to_str().expect("text"));
        program.arguments(line.split_whitespace()).end()
    };
    called("kubernetes fetch --help").exits(0).prints(&["Usage: kubectl pgdyno kubernetes fetch"]);
    called("report nothing").exits(2).says(&["as `kubectl pgdyno run` prints"]);
}

/// A trial that nobody waits for.
const LONG: &str = "seed: 7\ntrial: { warm_up: 0s, measure: 300s }\nblocks: { at_least: 1, at_most: 1 }\n";

/// The image with pgdyno; none where nobody has built one for this cluster.
pub(crate) fn image() -> Option<String> {
    let image = std::env::var("PGDYNO_TEST_PGDYNO_IMAGE").ok();
    if image.is_none() {
        eprintln!("skipped: PGDYNO_TEST_PGDYNO_IMAGE names no image of pgdyno");
    }
    image
}

impl Site {
    /// With a service account that has the rights of the plan, as far as they belong to the namespace.
    fn with_account(&self, lab: &Lab) {
        let printed = lab.pgdyno("kubernetes rights plan.yaml --service-account bench").exits(0).stdout.clone();
        let of_namespace = printed.split("---\n").filter(|document| !document.contains("kind: ClusterRole"));
        self.apply(&of_namespace.collect::<Vec<_>>().join("---\n"));
    }

    /// What is left of runs and of what they made.
    fn left_of_runs(&self) -> String {
        let kinds = "jobs.batch,pods,persistentvolumeclaims,configmaps";
        self.kubectl(&["get", kinds, "-l", "pgdyno/run", "-o", "name"], "") + &self.left()
    }
}

/// Begins a run and returns its name.
fn begun(lab: &Lab, line: &str) -> String {
    let begun = lab.program(line).start().end_within(Duration::from_secs(120));
    let printed = begun.exits(0).stdout.clone();
    printed.split_whitespace().find(|word| word.starts_with("pgdyno-run-")).expect("a name").to_owned()
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_a_run_is_made_inside_and_fetched_whole() {
    let Some(image) = image() else { return };
    let (lab, site) = (Lab::new(), Site::empty());
    let pod = format!("create: {{ pod: {{ {} }} }}, via: pod", small(""));
    site.plan(&lab, &[("a", &format!("HERE, {pod}"))], BRIEF);
    let at = format!("--namespace {}", site.namespace);
    let run = format!("kubernetes run plan.yaml {at} --image {image} --service-account bench");
    lab.pgdyno(&run).exits(3).says(&["there is no ServiceAccount \"bench\""]);
    site.with_account(&lab);
    let manifests = lab.pgdyno(&format!("{run} --dry-run --cpus 1 --env PGPASSWORD=login/key")).exits(0).stdout.clone();
    site.kubectl(&["apply", "--dry-run=server", "-f", "-"], &manifests);
    assert_eq!(site.left_of_runs(), "", "a rehearsal makes nothing");

    let name = begun(&lab, &run);
    let attached = lab.program(&format!("kubernetes attach {name} {at}")).start().end_within(Duration::from_secs(120));
    attached.exits(0).prints(&["trial 1/1", "Report: /volume/runs/"]);
    let fetch = format!("kubernetes fetch {name} {at}");
    lab.pgdyno(&fetch).exits(0).says(&[" 0 of them already present", "fetched and verified"]);
    let view = RunView::open(&lab.runs()[0]);
    assert_eq!(view.completed(), [1]);
    assert!(view.path().join("report.html").exists());
    // One that was cut off, or changed, is brought again; the others are not.
    let damaged = view.path().join("run.json");
    let whole = fs::read(&damaged).expect("run.json");
    fs::write(&damaged, &whole[1..]).expect("written");
    let again = lab.pgdyno(&fetch);
    again.exits(0).says(&[&format!("{} bytes fetched", whole.len())]);
    assert_eq!(fs::read(&damaged).expect("run.json"), whole);
    assert_eq!(site.left(), "", "neither the server nor the pod that read the volume is left");
    lab.pgdyno(&format!("kubernetes delete {name}x {at}")).exits(3).says(&[&format!("did you mean \"{name}\"?")]);
    lab.program(&format!("kubernetes delete {name} {at}")).start().end_within(Duration::from_secs(120)).exits(0);
    assert_eq!(site.left_of_runs(), "");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_a_run_inside_that_goes_on_without_us_is_removed_with_what_it_made() {
    let Some(image) = image() else { return };
    let (lab, site) = (Lab::new(), Site::empty());
    let pod = format!("HERE, create: {{ pod: {{ {} }} }}, via: pod", small(""));
    site.plan(&lab, &[("a", &pod)], LONG);
    site.with_account(&lab);
    let at = format!("--namespace {}", site.namespace);
    let name = begun(&lab, &format!("kubernetes run plan.yaml {at} --image {image} --service-account bench"));
    let mut attached = lab.start(&format!("kubernetes attach {name} {at}"));
    attached.await_that("has made its server", |_| site.left().contains("pod/"));
    attached.signal(rustix::process::Signal::KILL);
    attached.end().was_killed();
    let deleted = lab.program(&format!("kubernetes delete {name} {at}")).start();
    deleted.end_within(Duration::from_secs(240)).exits(0).prints(&["is removed"]);
    assert_eq!(site.left_of_runs(), "");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_a_run_inside_has_a_password_by_reference_and_cpus_of_its_own() {
    let Some(image) = image() else { return };
    let (lab, site) = (Lab::new(), Site::new());
    lab.write(
        "plan.yaml",
        format!(
            "name: By its name\ntargets: {{ a: {{ url: \"host=db-rw user=app dbname=app\" }} }}\nbaseline: a\n\
             workloads: {{ read: {{ builtin: select-only, scale: 1 }} }}\nclients: [1]\n{BRIEF}"
        ),
    );
    site.kubectl(&["create", "serviceaccount", "bench"], "");
    let at = format!("--namespace {}", site.namespace);
    let run = format!("kubernetes run plan.yaml {at} --image {image} --service-account bench");
    let name = begun(&lab, &format!("{run} --env PGPASSWORD=db-app/password --cpus 1"));
    let of_pods = "jsonpath={.items[*].status.qosClass}";
    assert_eq!(site.kubectl(&["get", "pods", "-l", &format!("pgdyno/run={name}"), "-o", of_pods], ""), "Guaranteed");
    let attached = lab.program(&format!("kubernetes attach {name} {at}")).start().end_within(Duration::from_secs(120));
    attached.exits(0).prints(&["trial 1/1"]);
    lab.program(&format!("kubernetes delete {name} {at}")).start().end_within(Duration::from_secs(120)).exits(0);
    assert_eq!(site.left_of_runs(), "");
}

#[test]
fn a_plan_that_would_be_another_one_inside_a_cluster_is_refused_before_anything_is_asked() {
    let lab = Lab::new();
    for (target, said) in [
        ("{ url: \"postgresql://me:hunter2@db/x\" }", "its URL contains a password"),
        ("{ kubernetes: { cluster: db, context: home } }", "`context` has no meaning inside a cluster"),
    ] {
        lab.write(
            "plan.yaml",
            format!("name: x\ntargets: {{ a: {target} }}\nbaseline: a\nworkloads: {{ w: {{ builtin: select-only, scale: 1 }} }}\nclients: [1]\n"),
        );
        let refused = lab.pgdyno("kubernetes run plan.yaml --dry-run");
        refused.exits(2).says(&[said]);
        assert!(!refused.stderr.contains("hunter2") && refused.stdout.is_empty(), "{}", refused.stderr);
    }
}
