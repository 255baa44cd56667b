//! Volumes of Kubernetes under fio, on a real cluster (see `kubernetes`): measured as a directory is, on the node of
//! the server, and gone afterwards whatever happens.

use std::fs;
use std::time::Duration;

use results::disk::{DiskStage, StageOutcome};
use results::store::RunDir;
use rustix::process::Signal;
use serde_json::Value;

use crate::kubernetes::{Site, image, told};
use crate::lab::{BRIEF, Lab};
use crate::made_in_kubernetes::small;

/// fio's part of a plan that has others.
pub(crate) const SHORT: &str = "disk: { jobs: [wal], size: 16MB, size_reason: a-test, runtime: 1s }\n";

/// An image with fio.
fn fio_image() -> String {
    image("PGDYNO_TEST_FIO_IMAGE", concat!("pgdyno:", env!("CARGO_PKG_VERSION")))
}

/// Gives the target `a` of `plan.yaml` the image of the tests.
pub(crate) fn name_image(lab: &Lab) {
    let path = lab.path().join("plan.yaml");
    let text = fs::read_to_string(&path).expect("a plan");
    let (before, after) = text.split_once("  a: { ").expect("a target a");
    lab.write("plan.yaml", format!("{before}  a: {{ disk: {{ volume: {{ image: \"{}\" }} }}, {after}", fio_image()));
}

fn stages(lab: &Lab) -> Vec<DiskStage> {
    RunDir::open(lab.runs().last().expect("a run")).unwrap().disk_stages().unwrap()
}

/// A job file but for where its logs go.
fn definition(stage: &DiskStage) -> Vec<String> {
    let text = stage.definition.as_deref().expect("a job file");
    text.lines().filter(|line| !line.starts_with("write_")).map(str::to_owned).collect()
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_a_class_is_measured_beside_a_directory_by_the_same_jobs() {
    let (lab, site) = (Lab::on_a_disk(), Site::empty());
    fs::create_dir(lab.path().join("here")).expect("a directory to measure");
    lab.write("own.fio", "[own]\nrw=read\nsize=1m\ntime_based\nruntime=1\nwrite_iops_log=own\nlog_avg_msec=100\n");
    let class = told(&["get", "storageclass", "-o", "jsonpath={.items[0].metadata.name}"], "");
    let disk = |class: &str, image: &str| {
        let keys = "--force --size 16MB --size-reason a-test --runtime 1s --jobs wal --job-file own.fio";
        let of_volume = format!("--namespace {} --volume-size 1Gi --image {image}", site.namespace);
        lab.program(&format!("disk here {keys} --storage-class {class} {of_volume}")).start()
    };
    disk(&class, &fio_image()).end_within(Duration::from_secs(180)).exits(0);
    assert_eq!(site.left(), "");
    let stages = stages(&lab);
    let of = |target: &str| stages.iter().filter(|stage| stage.target == target).collect::<Vec<_>>();
    let (here, there) = (of("here"), of(&class));
    assert_eq!(there.iter().map(|stage| stage.name.as_str()).collect::<Vec<_>>(), ["precondition", "wal", "own-own"]);
    for (here, there) in here.iter().zip(&there) {
        assert_eq!((&there.outcome, &there.series_gap), (&StageOutcome::Completed, &None), "{there:?}");
        assert_eq!(definition(here), definition(there));
        let place = there.place.as_ref().expect("a place");
        assert!(place.memory_bytes.is_some() && place.disk.is_some(), "{place:?}");
        assert!(there.groups.iter().all(|group| group.read.is_some() || group.write.is_some()), "{there:?}");
    }
    let refused = disk(&format!("{class}x"), &fio_image()).end();
    refused.exits(3).says(&[
        "could not create the volume",
        "there is no storage class",
        &format!("did you mean \"{class}\"?"),
    ]);
    let no_fio = disk(&class, &image("PGDYNO_TEST_IMAGE", crate::kubernetes::IMAGE));
    no_fio
        .end_within(Duration::from_secs(180))
        .exits(3)
        .says(&["could not run fio in its pod", "to an image that has fio"]);
    assert_eq!(site.left(), "", "nor of what failed");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_the_volume_of_a_server_is_measured_on_its_node_and_removed_also_after_a_kill() {
    let (lab, site) = (Lab::new(), Site::empty());
    let pod = format!("HERE, create: {{ pod: {{ {} }} }}, via: pod", small(""));
    site.plan(&lab, &[("a", &pod)], &format!("seed: 7\n{BRIEF}{SHORT}"));
    name_image(&lab);
    let text = fs::read_to_string(lab.path().join("plan.yaml")).expect("a plan");
    lab.write("plan.yaml", text.replace("runtime: 1s", "runtime: 120s"));
    let printed = site.printed(&lab);
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_saying("a: fio-");
    let labels =
        |of: &str| printed.iter().find(|object| object["kind"] == of).expect("printed")["metadata"]["labels"].clone();
    let node = |of: &Value| {
        let label = format!("pgdyno/server={}", of["pgdyno/server"].as_str().expect("a label"));
        site.kubectl(&["get", "pods", "-l", &label, "-o", "jsonpath={.items[*].spec.nodeName}"], "")
    };
    assert_eq!(node(&labels("Job")), node(&labels("Pod")));
    let claims = site.kubectl(&["get", "pvc", "-o", "jsonpath={.items[*].spec.storageClassName}"], "");
    let classes: Vec<&str> = claims.split(' ').collect();
    assert_eq!((classes.len(), classes.first()), (2, classes.last()), "the class of the server's own volume");
    pgdyno.signal(Signal::KILL);
    pgdyno.end().was_killed();
    let restored = lab.program("restore").start().end_within(Duration::from_secs(120));
    restored.exits(0).prints(&["undone: server pgdyno-a-", "undone: volume pgdyno-disk-a-"]);
    assert_eq!(site.left(), "");

    lab.write("plan.yaml", text);
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("has made the pod of fio", |_| site.left().contains("job.batch/"));
    pgdyno.signal(Signal::INT);
    pgdyno.end().exits(3);
    assert_eq!(site.left(), "", "so does Ctrl-C");
    lab.program("run plan.yaml").start().end_within(Duration::from_secs(180)).measured();
    let stages = stages(&lab);
    assert!(stages.iter().all(|stage| stage.target == "a" && stage.outcome == StageOutcome::Completed), "{stages:?}");
    assert_eq!(site.left(), "");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_a_pod_that_is_deleted_under_fio_is_told_by_its_events() {
    let (lab, site) = (Lab::new(), Site::empty());
    let class = told(&["get", "storageclass", "-o", "jsonpath={.items[0].metadata.name}"], "");
    let (namespace, image) = (&site.namespace, fio_image());
    let keys = format!("--storage-class {class} --namespace {namespace} --volume-size 1Gi --image {image}");
    let mut pgdyno =
        lab.start(&format!("disk {keys} --force --size 16MB --size-reason a-test --runtime 120s --jobs wal"));
    pgdyno.await_that("runs the job", |_| !stages_or_none(&lab).is_empty());
    site.kubectl(&["delete", "pod", "-l", "pgdyno/server", "--wait=false"], "");
    pgdyno
        .end_within(Duration::from_secs(120))
        .exits(3)
        .says(&["fio did not run to its end", "Stopping container fio"]);
    assert_eq!(site.left(), "");
}

/// Those that there are while it runs: its directory may not be a run yet.
fn stages_or_none(lab: &Lab) -> Vec<DiskStage> {
    let runs = if lab.path().join("runs").exists() { lab.runs() } else { Vec::new() };
    let run = runs.last().and_then(|run| RunDir::open(run).ok());
    run.and_then(|run| run.disk_stages().ok()).unwrap_or_default()
}
