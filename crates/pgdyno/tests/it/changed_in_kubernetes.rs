//! Settings of a CloudNativePG cluster that was there, which its owner lets be changed, on a real one: rolled out by
//! its operator before each trial, and put back. Run by `make test-kubernetes`.

use std::time::Duration;

use results::trial::Preparation;
use rustix::process::Signal;

use crate::kubernetes::Site;
use crate::lab::{BRIEF, Lab};

/// A plan of which both sides have the one cluster by turns, the second with settings of its own.
fn plan(lab: &Lab, site: &Site, target_settings: &str, more: &str) {
    let target = "HERE, cluster: db, may_change: true, via: pod";
    site.plan(lab, &[("a", target), ("b", &format!("{target} }}, settings: {{ {target_settings}"))], more);
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_settings_of_a_cluster_are_changed_by_its_owners_word_and_put_back_also_after_a_kill() {
    let (lab, site) = (Lab::new(), Site::new());
    let of = |what: &str| site.kubectl(&["get", "cluster/db", "-o", &format!("jsonpath={{{what}}}")], "");
    let settings = || of(".spec.postgresql.parameters") + &of(".metadata.annotations");
    let before = settings();

    plan(&lab, &site, "work_mem: 8MB, max_connections: 150", BRIEF);
    lab.pgdyno("kubernetes rights plan.yaml").exits(0).prints(&["resourceNames: [\"db\"], verbs: [\"patch\"]"]);
    lab.pgdyno("plan explain plan.yaml").exits(0).prints(&["changes settings of the whole cluster"]);
    lab.program("run plan.yaml").start().end_within(Duration::from_secs(300)).measured();
    assert_eq!(settings(), before);
    for trial in lab.run().trials() {
        let values = |name: &str| trial.settings.get(name).map(String::as_str);
        let expected = if trial.cell.target == "a" { (None, None) } else { (Some("8MB"), Some("150")) };
        assert_eq!((values("work_mem"), values("max_connections")), expected, "{}", trial.cell.target);
        // It was last given the settings of `b`, to see what it is like with them.
        let rolled_out = trial.preparation.contains(&Preparation::Settings);
        assert!(rolled_out || trial.cell.target == "b", "{}: {:?}", trial.cell.target, trial.preparation);
    }

    // Also the server is as it was: who connects now is not refused because it restarts.
    plan(&lab, &site, "shared_buffers: 64GB", BRIEF);
    lab.pgdyno("run plan.yaml").exits(3).says(&["rejects an object of the plan", "shared_buffers"]);
    assert_eq!(settings(), before);

    plan(&lab, &site, "work_mem: 8MB", "trial: { warm_up: 0s, measure: 60s }\nblocks: { at_least: 1, at_most: 1 }\n");
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("has changed them", |_| of(".spec.postgresql.parameters").contains("8MB"));
    let other = Lab::new();
    plan(&other, &site, "work_mem: 16MB", BRIEF);
    // Who it is stands beside whatever the cluster is found in: before its operator begins to roll out, amid it, after.
    other.pgdyno("run plan.yaml").exits(3).says(&["cluster db", "settings", "changed by", "pgdyno on"]);
    pgdyno.signal(Signal::KILL);
    pgdyno.end().was_killed();
    assert_ne!(settings(), before);
    lab.pgdyno("restore").exits(0).prints(&["undone: settings of the cluster db in Kubernetes"]);
    assert_eq!(settings(), before);
}
