//! The load from a pod, or several, on a real cluster (see `kubernetes`): on another node than the database, with its
//! password by reference, without io_uring where that is forbidden; and what is left when its pod, its node or pgdyno
//! is taken away.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::time::Duration;

use results::load_place::{GeneratorPlace, LoadPlaceFacts};
use results::trial::TrialOutcome;
use rustix::process::Signal;

use crate::inside_kubernetes::image;
use crate::kubernetes::Site;
use crate::lab::{BRIEF, Lab};
use crate::run_view::RunView;

/// A load that nobody waits for.
const LONG: &str = "seed: 7\ntrial: { warm_up: 0s, measure: 120s }\nblocks: { at_least: 1, at_most: 1 }\n";

impl Site {
    /// The node of the last pod of these, and another one that takes pods.
    fn nodes(&self, labels: &str) -> (String, String) {
        let of_pod = ["get", "pods", "-l", labels, "-o", "jsonpath={.items[0].spec.nodeName}"];
        let database = self.kubectl(&of_pod, "");
        let all = self.kubectl(&["get", "nodes", "-o", "jsonpath={.items[*].metadata.name}"], "");
        let other = all.split_whitespace().rfind(|node| *node != database).expect("two nodes").to_owned();
        (database, other)
    }

    /// A plan of the cluster by its Service whose load comes from a pod on another node than the database's, which is
    /// returned.
    fn plan_from_elsewhere(&self, lab: &Lab, image: &str, keys: &str, more: &str) -> String {
        let (_, other) = self.nodes("cnpg.io/cluster=db,cnpg.io/instanceRole=primary");
        let generator = format!(
            "generators: {{ inside: {{ kubernetes: {{ namespace: {}, image: \"{image}\", \
             node_selector: {{ kubernetes.io/hostname: {other} }}{keys} }} }} }}\n",
            self.namespace
        );
        let targets = [("service", "cluster: db, HERE"), ("pod", "server_of: service, via: pod")];
        self.plan(lab, &targets, &format!("{generator}{more}"));
        other
    }
}

fn facts(lab: &Lab) -> LoadPlaceFacts {
    lab.run().dir().load_place().expect("read").expect("it is another machine's load")
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_the_load_comes_from_another_node_with_its_password_by_reference_only() {
    let Some(image) = image() else { return };
    let (lab, site) = (Lab::new(), Site::new());
    let trials = "trial: { warm_up: 0s, measure: 12s }\nblocks: { at_least: 1, at_most: 1 }\nseed: 5\n";
    let node = site.plan_from_elsewhere(&lab, &image, ", cpus: 1", trials);
    let printed = site.printed(&lab);
    assert_eq!(printed.len(), 1, "a Job, and no Secret: the password is in one that is there");
    let password = site.kubectl(&["get", "secret", "db-app", "-o", "go-template={{.data.password|base64decode}}"], "");
    let mut running = lab.start("run plan.yaml");
    running.await_that("a second", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 1)));
    let labels = "pgdyno/server";
    let pod = site.kubectl(&["get", "pods", "-l", labels, "-o", "jsonpath={.items[0].metadata.name}"], "");
    let words = "for process in /proc/[0-9]*; do tr '\\0' ' ' < $process/cmdline; echo; done";
    let words = site.kubectl(&["exec", &pod, "--", "sh", "-c", words], "");
    assert!(words.contains("agent --stdio --load") && !words.contains(&password), "{words}");
    let live = site.live(&printed[0]);
    assert_eq!(
        live["spec"]["template"]["spec"]["containers"][0]["env"],
        printed[0]["spec"]["template"]["spec"]["containers"][0]["env"]
    );
    let shown = site.kubectl(&["get", "jobs,pods", "-l", labels, "-o", "yaml"], "");
    assert!(!shown.contains(&password) && shown.contains("secretKeyRef"), "{shown}");
    let class = site.kubectl(&["get", "pod", &pod, "-o", "jsonpath={.status.qosClass}"], "");
    assert_eq!(class, "Guaranteed");
    running.end_within(Duration::from_secs(180)).measured();
    let GeneratorPlace::Pod { node: at, own_cpus, .. } = facts(&lab).place else { panic!("{:?}", facts(&lab)) };
    assert_eq!((at, own_cpus), (Some(node), Some(1)));
    let run = lab.run();
    for trial in run.trials() {
        let load = trial.load.expect("figures");
        assert!(load.transactions > 0 && load.sent_from.is_some(), "{load:?}");
        assert_eq!(load.engine.threads, 1, "as many as it has CPUs of its own");
    }
    assert!(run.dir().target_facts().expect("facts").values().all(|facts| !facts.path.same_host));
    for (file, (_, content)) in run.files("") {
        assert!(!String::from_utf8_lossy(&content).contains(&password), "the password is in {}", file.display());
    }
    assert_eq!(site.left(), "");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_every_side_uses_epoll_where_io_uring_is_forbidden_to_the_generator() {
    let Some(image) = image() else { return };
    let Ok(profile) = std::env::var("PGDYNO_TEST_SECCOMP_PROFILE") else {
        eprintln!("skipped: PGDYNO_TEST_SECCOMP_PROFILE names no profile of the nodes that forbids io_uring");
        return;
    };
    let (lab, site) = (Lab::new(), Site::new());
    let many = BRIEF.replace("measure: 1s", "measure: 2s") + "interleave: trials\n";
    site.plan_from_elsewhere(&lab, &image, &format!(", seccomp_profile: {profile}"), &many);
    let text = fs::read_to_string(lab.path().join("plan.yaml")).expect("the plan");
    lab.write("plan.yaml", text.replace("clients: [4]", "clients: [16]\nthreads: 1"));
    lab.pgdyno("run plan.yaml").measured();
    let refused = facts(&lab).io_uring_refused.expect("it is forbidden");
    assert!(refused.contains("Operation not permitted"), "{refused}");
    let backends: Vec<String> =
        lab.run().trials().into_iter().map(|trial| trial.load.expect("figures").engine.backend).collect();
    assert_eq!(backends, ["epoll", "epoll"], "from 8 clients a thread on it would be io_uring");
    let run = lab.run();
    let report = lab.pgdyno(&format!("report {} --format json", run.path().display())).exits(0).stdout.clone();
    assert!(report.contains("io_uring is not permitted there"), "{report}");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_a_generator_whose_pod_is_taken_away_invalidates_its_trial_by_name() {
    let Some(image) = image() else { return };
    let (lab, site) = (Lab::new(), Site::new());
    site.plan_from_elsewhere(&lab, &image, "", LONG);
    let mut running = lab.start("run plan.yaml");
    running.await_that("two seconds", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 2)));
    let pod = site.kubectl(&["get", "pods", "-l", "pgdyno/server", "-o", "name"], "");
    site.kubectl(&["delete", pod.trim(), "--wait=false"], "");
    let pod = pod.trim().trim_start_matches("pod/");
    let named = format!("generator \"inside\" was lost (pod {pod} on node ");
    running.end_within(Duration::from_secs(120)).exits(3).says(&[&named, "could not be measured"]);
    let trials = lab.run().trials();
    let TrialOutcome::Failed { error } = &trials[0].outcome else { panic!("{:?}", trials[0].outcome) };
    assert!(error.contains(&named), "{error}");
    assert_eq!(site.left(), "");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_nothing_is_left_when_the_node_of_the_generator_is_taken_away() {
    let Some(image) = image() else { return };
    let Ok(power) = std::env::var("PGDYNO_TEST_NODE_POWER") else {
        eprintln!("skipped: PGDYNO_TEST_NODE_POWER is no program that stops and starts nodes");
        return;
    };
    let (lab, site) = (Lab::new(), Site::alone().with_cluster(None));
    let node = site.plan_from_elsewhere(&lab, &image, "", LONG);
    let number = node.rsplit('-').next().expect("a number").to_owned();
    let switch = |what: &str| {
        let output = Command::new(&power).args([what, &number]).output().expect("it runs");
        assert!(output.status.success(), "{what} {number}: {}", String::from_utf8_lossy(&output.stderr));
    };
    let mut running = lab.start("run plan.yaml");
    running.await_that("two seconds", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 2)));
    switch("stop");
    let ended = running.end_within(Duration::from_secs(240));
    let left = site.left();
    switch("start");
    let named = format!("on node {node})");
    ended.exits(3).says(&["generator \"inside\" was lost", &named]);
    assert_eq!(left, "");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_what_a_killed_run_has_left_of_its_generator_is_restored() {
    let Some(image) = image() else { return };
    let (lab, site) = (Lab::new(), Site::new());
    site.plan_from_elsewhere(&lab, &image, "", LONG);
    let mut running = lab.start("run plan.yaml");
    running.await_that("two seconds", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 2)));
    running.signal(Signal::KILL);
    running.end().was_killed();
    assert!(site.left().contains("job.batch/pgdyno-load-inside-"), "{}", site.left());
    lab.pgdyno("restore").exits(0).prints(&["generator pgdyno-load-inside-"]);
    assert_eq!(site.left(), "");
}

impl Site {
    /// A plan of the cluster whose load comes from so many pods.
    fn plan_from_farm(&self, lab: &Lab, image: &str, keys: &str, more: &str) {
        let generator = format!(
            "generators: {{ farm: {{ kubernetes: {{ namespace: {}, image: \"{image}\"{keys} }} }} }}\n",
            self.namespace
        );
        self.plan(lab, &[("service", "cluster: db, HERE")], &format!("{generator}{more}"));
        let text = fs::read_to_string(lab.path().join("plan.yaml")).expect("the plan");
        lab.write("plan.yaml", text.replace("clients: [4]", "clients: [8]"));
    }
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_four_pods_send_a_load_as_one_and_nothing_of_them_is_left() {
    let Some(image) = image() else { return };
    let (lab, site) = (Lab::new(), Site::new());
    let trials = "trial: { warm_up: 0s, measure: 6s }\nblocks: { at_least: 1, at_most: 1 }\nseed: 5\n";
    site.plan_from_farm(&lab, &image, ", count: 4", trials);
    lab.pgdyno("run plan.yaml").measured();
    let facts = facts(&lab);
    let pods: BTreeSet<String> = facts
        .all_generators()
        .map(|member| match &member.place {
            GeneratorPlace::Pod { pod, .. } => pod.clone(),
            GeneratorPlace::Ssh { destination } => panic!("{destination}"),
        })
        .collect();
    assert_eq!(pods.len(), 4, "{pods:?}");
    let run = lab.run();
    for trial in run.trials() {
        let load = trial.load.expect("figures");
        let ranges: Vec<(u32, u32)> = load.generators.iter().map(|of| (of.first_client, of.clients)).collect();
        assert_eq!(ranges, [(0, 2), (2, 2), (4, 2), (6, 2)]);
        let parts: u64 = load.generators.iter().map(|of| of.transactions).sum();
        assert_eq!(parts, load.transactions);
        assert!(load.generators.iter().all(|of| of.transactions > 0 && of.late_us == 0), "{:?}", load.generators);
    }
    assert_eq!(site.left(), "");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_pods_are_spread_over_nodes_and_a_lost_one_takes_its_trial_with_it() {
    let Some(image) = image() else { return };
    let (lab, site) = (Lab::new(), Site::new());
    site.plan_from_farm(&lab, &image, ", count: 2, spread: node", LONG);
    let mut running = lab.start("run plan.yaml");
    running.await_that("two seconds", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 2)));
    let facts = facts(&lab);
    let nodes: BTreeSet<String> = facts
        .all_generators()
        .filter_map(|member| match &member.place {
            GeneratorPlace::Pod { node, .. } => node.clone(),
            GeneratorPlace::Ssh { .. } => None,
        })
        .collect();
    assert_eq!(nodes.len(), 2, "{nodes:?}");
    let GeneratorPlace::Pod { pod, .. } = &facts.others[0].place else { panic!("it is a pod") };
    site.kubectl(&["delete", "pod", pod, "--grace-period=0", "--force", "--wait=false"], "");
    let named = format!("generator \"farm/2\" was lost (pod {pod} on node ");
    running.end_within(Duration::from_secs(120)).exits(3).says(&[&named]);
    assert_eq!(site.left(), "");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_the_role_that_is_printed_suffices_for_a_generator() {
    let Some(image) = image() else { return };
    let (lab, site) = (Lab::new(), Site::new());
    site.plan_from_elsewhere(&lab, &image, "", &format!("{BRIEF}probes: false\n"));
    let printed = lab.pgdyno("kubernetes rights plan.yaml").exits(0).stdout.clone();
    let of_namespace = printed.split("---\n").filter(|document| !document.contains("kind: ClusterRole"));
    let kubeconfig = site.somebody_with(&lab, &of_namespace.collect::<Vec<_>>().join("---\n"));
    lab.program("run plan.yaml").env("KUBECONFIG", kubeconfig).start().end_within(Duration::from_secs(120)).measured();
    assert_eq!(site.left(), "");
}
