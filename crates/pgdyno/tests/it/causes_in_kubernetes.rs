//! Causes that only Kubernetes has, on a real cluster (see `kubernetes`): a storage class that is slow, and another pod
//! that has the node's CPUs. Run by `make test-kubernetes`.

use results::trial::Incident;
use serde_json::Value;

use crate::diagnosis::OF_THE_MACHINE;
use crate::kubernetes::{IMAGE, Site, image};
use crate::lab::Lab;
use crate::made_in_kubernetes::small;

/// The rules of a run's findings, the first one first.
fn findings(lab: &Lab) -> Vec<String> {
    let diagnosis = lab.pgdyno(&format!("diagnose {} --json", lab.run().path().display())).json();
    let findings = diagnosis["findings"].as_array().expect("findings");
    findings.iter().filter_map(|finding| finding["rule"].as_str().map(str::to_owned)).collect()
}

/// The diagnosis as a person reads it, for a test that fails.
fn told(lab: &Lab) -> String {
    lab.pgdyno(&format!("diagnose {} --details", lab.run().path().display())).stdout
}

/// Four clients read from servers that pgdyno makes, the first of them the baseline.
fn plan_of_readers(lab: &Lab, site: &Site, targets: &[(&str, String)], more: &str) {
    let keys = |more: &str| format!("HERE, create: {{ pod: {{ {} }} }}, via: pod", small(more));
    let targets: Vec<(&str, String)> = targets.iter().map(|(name, more)| (*name, keys(more))).collect();
    let targets: Vec<(&str, &str)> = targets.iter().map(|(name, keys)| (*name, keys.as_str())).collect();
    site.plan(lab, &targets, more);
}

/// The same with one client that writes.
fn plan_of_a_writer(lab: &Lab, site: &Site, targets: &[(&str, String)], more: &str) {
    plan_of_readers(lab, site, targets, more);
    let text = std::fs::read_to_string(lab.path().join("plan.yaml")).expect("the plan");
    lab.write(
        "plan.yaml",
        text.replace("builtin: select-only", "builtin: simple-update").replace("clients: [4]", "clients: [1]"),
    );
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_a_slow_storage_class_is_among_the_first_findings() {
    let Ok(class) = std::env::var("PGDYNO_TEST_SLOW_CLASS") else {
        eprintln!("skipped: PGDYNO_TEST_SLOW_CLASS names no slow storage class");
        return;
    };
    let (lab, site) = (Lab::new(), Site::alone());
    let trials = "may_differ: [hardware]\ntrial: { warm_up: 1s, measure: 6s }\nblocks: { at_least: 4, at_most: 4 }\n";
    plan_of_a_writer(&lab, &site, &[("usual", String::new()), ("slow", format!(", storage_class: {class}"))], trials);
    lab.pgdyno("run plan.yaml").measured();
    let found = findings(&lab);
    // What else goes on on the machine of a lab is not the class's doing.
    let first = found.iter().find(|rule| !OF_THE_MACHINE.contains(&rule.as_str())).map(String::as_str);
    assert!(matches!(first, Some("commit-flush" | "disk-limit")), "{found:?}\n{}", told(&lab));
    for trial in lab.run().trials() {
        let omitted = |incident: &&Incident| matches!(incident, Incident::StepOmitted { .. });
        assert_eq!(
            trial.incidents.iter().find(omitted),
            None,
            "whoever has a server of their own may make checkpoints"
        );
    }
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_another_pod_that_has_the_node_s_cpus_is_among_the_first_findings() {
    let (lab, site) = (Lab::new(), Site::alone());
    let node = format!("node_selector: {{ kubernetes.io/hostname: {} }}", site.last_node());
    site.apply(&busy_pod(&node));
    site.kubectl(&["wait", "--for=condition=Ready", "pod/busy", "--timeout=120s"], "");
    let trials = "trial: { warm_up: 1s, measure: 6s }\nblocks: { at_least: 1, at_most: 1 }\n";
    // Whoever writes sleeps more than it computes, and a scheduler that is fair lets it go first when it wakes up.
    plan_of_readers(&lab, &site, &[("db", format!(", {node}"))], trials);
    lab.pgdyno("run plan.yaml").measured();
    let found = findings(&lab);
    assert!(found.iter().take(2).any(|rule| rule == "noisy-neighbour"), "{found:?}\n{}", told(&lab));
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_a_light_load_on_a_pod_or_an_operated_cluster_has_no_finding() {
    let (lab, site) = (Lab::new(), Site::alone());
    let keys = |kind: &str| format!("HERE, create: {{ {kind}: {{ {} }} }}, via: pod, tls: false", small(""));
    let (bare, operated) = (keys("pod"), keys("cnpg"));
    let trials = "interleave: trials\ntrial: { warm_up: 2s, measure: 8s }\nblocks: { at_least: 3, at_most: 3 }\n";
    site.plan(&lab, &[("bare", &bare), ("operated", &operated)], trials);
    let text = std::fs::read_to_string(lab.path().join("plan.yaml")).expect("the plan");
    lab.write("plan.yaml", text.replace("scale: 1 }", "scale: 1, rate: 40/s }"));
    lab.program("run plan.yaml").start().end_within(std::time::Duration::from_secs(400)).measured();
    let found = findings(&lab);
    // What else goes on on the machine of a lab is no doing of the servers.
    let of_servers: Vec<&String> = found.iter().filter(|rule| !OF_THE_MACHINE.contains(&rule.as_str())).collect();
    assert!(of_servers.is_empty(), "{found:?}");
}

/// A pod that keeps eight CPUs of this node busy if it gets them.
fn busy_pod(node: &str) -> String {
    let script = "for i in 1 2 3 4 5 6 7 8; do while :; do :; done & done; wait";
    let container = serde_json::json!({
        "name": "busy", "image": image("PGDYNO_TEST_IMAGE", IMAGE), "command": ["sh", "-c", script],
        // Ten times the weight of the server.
        "resources": { "requests": { "cpu": "500m" } },
        "securityContext": { "allowPrivilegeEscalation": false, "capabilities": { "drop": ["ALL"] } },
    });
    let containers = Value::from(vec![container]);
    let node = node.replace("node_selector", "nodeSelector");
    format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{ name: busy }}\nspec:\n  {node}\n  terminationGracePeriodSeconds: 0\n  \
         securityContext: {{ runAsNonRoot: true, runAsUser: 26, seccompProfile: {{ type: RuntimeDefault }} }}\n  \
         containers: {containers}\n"
    )
}
