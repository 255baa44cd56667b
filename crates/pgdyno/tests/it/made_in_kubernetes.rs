//! Servers that pgdyno makes in Kubernetes, on a real cluster (see `kubernetes`): what is printed is made, what is made
//! is removed, and what cannot be made is told with the reason.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use results::interval::Reading;
use rustix::process::Signal;
use serde_json::Value;

use crate::kubernetes::{IMAGE, POOLER_IMAGE, Site, image, kubectl, told};
use crate::lab::{BRIEF, Lab};
use crate::run_view::RunView;

/// Everything that pgdyno makes, or that follows from it.
const ALL: &str =
    "clusters.postgresql.cnpg.io,poolers.postgresql.cnpg.io,jobs.batch,pods,services,secrets,persistentvolumeclaims";

/// Keys of a small server that is made, and more of them.
pub(crate) fn small(more: &str) -> String {
    format!(
        "image: \"{}\", size: 1Gi, resources: {{ cpu: 50m, memory: 256Mi, limit: memory }}{more}",
        image("PGDYNO_TEST_IMAGE", IMAGE)
    )
}

impl Site {
    /// What is left of what was made, by name. Kubernetes removes a Secret a moment after the object that it was for.
    pub(crate) fn left(&self) -> String {
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let left = self.kubectl(&["get", ALL, "-l", "pgdyno/server", "-o", "name"], "");
            let is_of_secrets = !left.is_empty() && left.lines().all(|name| name.starts_with("secret/"));
            if !is_of_secrets || Instant::now() > deadline {
                return left;
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Whether kubectl answers "yes".
    fn may(&self, arguments: &[&str]) -> bool {
        let namespace = ["-n", &self.namespace];
        kubectl(&[&namespace, arguments].concat(), "").stdout.starts_with(b"yes")
    }

    /// The objects that a plan would make.
    pub(crate) fn printed(&self, lab: &Lab) -> Vec<Value> {
        let text = lab.pgdyno("plan explain --manifests plan.yaml").exits(0).stdout.clone();
        self.kubectl(&["apply", "--dry-run=server", "-f", "-"], &text);
        let documents = text.split("---\n").skip(1);
        documents.map(|document| serde_json::from_str(document).expect("an object")).collect()
    }

    pub(crate) fn live(&self, printed: &Value) -> Value {
        let [kind, name] = [&printed["kind"], &printed["metadata"]["name"]].map(|text| text.as_str().expect("a text"));
        serde_json::from_str(&self.kubectl(&["get", kind, name, "-o", "json"], "")).expect("an object")
    }
}

/// Everything of `printed` is in `live`, which has defaults beside it.
#[track_caller]
fn assert_within(printed: &Value, live: &Value, at: &str) {
    match (printed, live) {
        (Value::Object(printed), Value::Object(live)) => {
            for (key, value) in printed {
                let found = live.get(key).unwrap_or_else(|| panic!("{at}/{key} is missing"));
                assert_within(value, found, &format!("{at}/{key}"));
            }
        }
        (Value::Array(printed), Value::Array(live)) => {
            assert_eq!(printed.len(), live.len(), "{at}");
            printed.iter().zip(live).enumerate().for_each(|(i, (one, other))| {
                assert_within(one, other, &format!("{at}/{i}"));
            });
        }
        _ => assert_eq!(printed, live, "{at}"),
    }
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_what_is_printed_is_made_and_removed_also_after_a_kill() {
    let (lab, site) = (Lab::new(), Site::empty());
    let pod = format!("HERE, create: {{ pod: {{ {} }} }}, via: pod", small(", parameters: { work_mem: 5MB }"));
    let pooler = format!(", pooler: {{ image: \"{}\" }}", image("PGDYNO_TEST_POOLER_IMAGE", POOLER_IMAGE));
    let cnpg = format!("HERE, create: {{ cnpg: {{ {} }} }}", small(&pooler));
    let targets = [
        ("bare", pod.as_str()),
        ("service", "server_of: bare, via: service, tls: false"),
        ("node", "server_of: bare, via: node-port"),
        ("cnpg", &cnpg),
        ("pooled", "server_of: cnpg, via: pooler"),
    ];
    let long = "seed: 7\ntrial: { warm_up: 0s, measure: 120s }\nblocks: { at_least: 1, at_most: 1 }\n";
    site.plan(&lab, &targets, long);
    let printed = site.printed(&lab);
    assert_eq!(site.left(), "", "printing makes nothing");
    let kubeconfig = told(&["config", "view", "--minify", "--raw", "--flatten"], "");
    let file = lab.write("kubeconfig", &kubeconfig);
    let mut pgdyno = lab.program("run plan.yaml").env("KUBECONFIG", &file).start();
    pgdyno.await_saying("pooled: data at scale 1");
    for object in &printed {
        let live = site.live(object);
        let mut object = object.clone();
        // What is drawn is not printed.
        object.as_object_mut().expect("an object").remove("stringData");
        assert_within(&object, &live, &live["kind"].to_string());
    }
    pgdyno.signal(Signal::KILL);
    pgdyno.end().was_killed();
    assert_ne!(site.left(), "", "nobody was left to remove it");
    let (start, rest) = kubeconfig.split_once("server: ").expect("a server");
    let (_, rest) = rest.split_once('\n').expect("more lines");
    lab.write("kubeconfig", format!("{start}server: https://127.0.0.1:1\n{rest}"));
    let away = lab.pgdyno("restore");
    away.exits(3).prints(&["could not be undone: server pgdyno-bare-", "does not answer"]);
    lab.write("kubeconfig", &kubeconfig);
    // The kubeconfig is found again as it was found then.
    let restored = lab.program("restore").start().end_within(Duration::from_secs(120));
    restored.exits(0).prints(&["undone: server pgdyno-bare-", "undone: server pgdyno-cnpg-"]);
    assert_eq!(site.left(), "");

    site.plan(&lab, &targets[..3], BRIEF);
    lab.pgdyno("run plan.yaml").measured();
    assert_eq!(site.left(), "", "the end of a run removes it");
    let facts = RunView::open(&lab.runs()[1]).dir().target_facts().expect("facts");
    assert_eq!(facts["bare"].settings["work_mem"].value, "5MB");
    assert_eq!(facts["service"].path.layers.join(" > ").split(' ').next(), Some("Service"));
    assert!(facts["bare"].host.is_some(), "{:?}", facts["bare"].gaps);

    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("has made its pod", |_| site.left().contains("pod/"));
    pgdyno.signal(Signal::INT);
    pgdyno.end().exits(3);
    assert_eq!(site.left(), "", "so does Ctrl-C, whenever it comes");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_the_wal_has_a_volume_of_its_own_whose_disk_is_read_apart() {
    let Ok(class) = std::env::var("PGDYNO_TEST_SLOW_CLASS") else {
        eprintln!("skipped: PGDYNO_TEST_SLOW_CLASS names no storage class of other disks");
        return;
    };
    let (lab, site) = (Lab::new(), Site::empty());
    let keys = small(&format!(", storage_class: {class}, wal: {{ size: 1Gi }}"));
    site.plan(&lab, &[("apart", &format!("HERE, create: {{ cnpg: {{ {keys} }} }}"))], BRIEF);
    lab.pgdyno("run plan.yaml").measured();
    assert_eq!(site.left(), "", "the volume of the WAL is removed, too");
    let run = lab.run();
    let facts = run.dir().target_facts().expect("facts").remove("apart").expect("of the target");
    let host = facts.host.unwrap_or_else(|| panic!("{:?}", facts.gaps));
    let [data, wal] = [host.data_disk, host.wal_disk].map(|disk| disk.and_then(|disk| disk.device));
    assert!(data.is_some() && wal.is_some() && data != wal, "{data:?} and {wal:?}");
    let seconds = run.dir().trial_intervals(1).expect("seconds");
    let last = &seconds.last().expect("a second").probes;
    assert!(matches!(last.get("host.disk.wal"), Some(Reading::Values { .. })), "{last:?}");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_two_runs_of_one_plan_in_one_namespace_do_not_meet() {
    let (lab, site) = (Lab::new(), Site::empty());
    site.plan(&lab, &[("a", &format!("HERE, create: {{ pod: {{ {} }} }}, via: pod", small("")))], BRIEF);
    let mut first = lab.start("run plan.yaml");
    first.await_that("has made its pod", |_| site.left().contains("pod/"));
    let second = lab.start("run plan.yaml");
    for run in [first, second] {
        run.end_within(Duration::from_secs(120)).measured();
    }
    let runs = lab.runs();
    let server = |run: &std::path::PathBuf| {
        let facts = RunView::open(run).dir().target_facts().expect("facts");
        facts["a"].server.started_at.expect("it was started")
    };
    let servers: BTreeSet<_> = runs.iter().map(server).collect();
    assert_eq!((runs.len(), servers.len()), (2, 2));
    assert_eq!(site.left(), "", "each has removed its own");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_what_cannot_be_made_is_told_with_the_reason_and_leaves_nothing() {
    let (lab, site) = (Lab::new(), Site::empty());
    let refuses = |keys: &str, texts: &[&str]| {
        let target = format!("HERE, create: {{ {keys} }}, via: pod");
        site.plan(&lab, &[("a", &target)], BRIEF);
        lab.pgdyno("run plan.yaml").exits(3).says(texts);
        assert_eq!(site.left(), "", "{keys}");
    };
    let pod = |more: &str| format!("pod: {{ {} }}", small(more));
    let cnpg = |more: &str| format!("cnpg: {{ {} }}", small(more));
    let class = told(&["get", "storageclass", "-o", "jsonpath={.items[0].metadata.name}"], "");
    refuses(
        &pod(&format!(", storage_class: {class}x")),
        &["there is no storage class", &format!("did you mean \"{class}\"?")],
    );
    refuses(
        &pod(", node_selector: { kubernetes.io/os: plan9 }"),
        &["no node has the labels", "kubernetes.io/os=linux"],
    );
    refuses(&pod(", host_network: true"), &["rejects an object of the plan", "PodSecurity", "remove `host_network`"]);
    // The operator's webhook.
    refuses(&cnpg(", parameters: { shared_buffers: 64GB }"), &["rejects an object of the plan", "shared_buffers"]);
    let missing = pod("").replace(&image("PGDYNO_TEST_IMAGE", IMAGE), "localhost/nobody/nothing:1");
    refuses(&missing, &["is not ready", "localhost/nobody/nothing:1"]);
    // `plan check` knows no time zones.
    let zone = ", parameters: { timezone: nowhere }";
    refuses(&pod(zone), &["is not ready", "invalid value for parameter \"TimeZone\""]);
    refuses(
        &pod(", ready_within: 4s").replace("cpu: 50m", "cpu: 900"),
        &["was not ready within 4 s", "Insufficient cpu"],
    );
    site.apply(
        "apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: small }\nspec: { hard: { requests.memory: 100Mi } }\n",
    );
    refuses(&pod(""), &["rejects an object of the plan", "exceeded quota: small", "raise the quota of the namespace"]);
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_a_right_less_is_told_by_name_before_anything_is_made() {
    let (lab, site) = (Lab::new(), Site::empty());
    let pod = format!("HERE, create: {{ pod: {{ {} }} }}", small(""));
    site.plan(&lab, &[("a", &pod)], &format!("seed: 7\n{BRIEF}{}", crate::disk_in_kubernetes::SHORT));
    crate::disk_in_kubernetes::name_image(&lab);
    let printed = lab.pgdyno("kubernetes rights plan.yaml").exits(0).stdout.clone();
    let (role, _) = printed.split_once("---\n").expect("a Role, then a ClusterRole");
    let kubeconfig = site.somebody_with(&lab, role);
    let run = || lab.program("run plan.yaml").env("KUBECONFIG", &kubeconfig).end();
    run().measured();
    assert_eq!(site.left(), "");
    let somebody = format!("--as=system:serviceaccount:{}:somebody", site.namespace);
    for rule in role.lines().filter(|line| line.contains("verbs") && !line.contains("# else")) {
        let between = |from: &str| rule.split_once(from).and_then(|(_, rest)| rest.split_once(']')).expect("a rule").0;
        let resource = between("resources: [").trim_matches('"');
        for verb in between("verbs: [").split(", ").map(|verb| verb.trim_matches('"')) {
            // The rule without the verb; without any it is none.
            let rest = rule.replace(&format!("\"{verb}\", "), "").replace(&format!(", \"{verb}\""), "");
            let rest = if rest == rule { String::new() } else { rest };
            site.apply(&role.replace(rule, &rest));
            // kubectl takes what stands behind a slash for the name of an object.
            let (kind, part) = resource.split_once('/').unwrap_or((resource, ""));
            let may = || site.may(&["auth", "can-i", verb, kind, &format!("--subresource={part}"), &somebody]);
            while may() && !rule.contains("resourceNames") {}
            // Of another group than the first the resource is named with it, as kubectl does.
            let refused = [format!("no permission to {verb} {resource}"), format!(" in namespace {}", site.namespace)];
            run().exits(3).says(&[&refused[0], &refused[1]]);
            assert_eq!(site.left(), "", "{verb} {resource}");
        }
    }
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_a_server_is_reached_by_every_way_that_is_made_for_it() {
    let (lab, site) = (Lab::new(), Site::empty());
    let level = "pod-security.kubernetes.io/enforce=privileged";
    told(&["label", "--overwrite", "namespace", &site.namespace, level], "");
    let pod = format!("HERE, create: {{ pod: {{ {} }} }}, via: pod", small(""));
    let of_node = format!("HERE, create: {{ pod: {{ {} }} }}, via: host-network", small(", host_network: true"));
    let mut targets =
        vec![("pod", pod.as_str()), ("clear", "server_of: pod, via: pod, tls: false"), ("node", &of_node)];
    let on_a_node_here = testbed::is_root() && std::env::var_os("PGDYNO_TEST_IMAGE").is_some();
    if on_a_node_here {
        targets.push(("socket", "server_of: pod, via: socket"));
    }
    site.plan(&lab, &targets, BRIEF);
    lab.pgdyno("run plan.yaml").measured();
    let facts = lab.run().dir().target_facts().expect("facts");
    let way = |target: &str| facts[target].path.layers.join(" > ");
    assert_eq!(way("pod"), "pod network > TLS", "a pod that is made offers TLS, as CloudNativePG does");
    assert_eq!(way("clear"), "pod network");
    assert_eq!(way("node"), "node network > TLS");
    assert_eq!(facts["node"].of_platform.as_ref().expect("facts").facts["network of the pod"].value, "the node's");
    if on_a_node_here {
        assert_eq!(way("socket"), "Unix-domain socket of the pod");
        assert_eq!(facts["socket"].server.started_at, facts["pod"].server.started_at, "it is one server");
    }
}
