//! Servers in Kubernetes, on a real cluster with CloudNativePG: what the current kubeconfig leads to. Run by `make
//! test-kubernetes`, which brings a lab up where there is one. Each test has a namespace of its own, which goes with
//! it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

use results::facts::ConnectionEncryption;
use results::interval::Reading;
use serde_json::Value;

use crate::lab::{BRIEF, Lab};
use crate::run_view::RunView;

/// What PostgreSQL runs from where nobody says.
pub(crate) const IMAGE: &str = "ghcr.io/cloudnative-pg/postgresql:17";
/// The same of PgBouncer.
pub(crate) const POOLER_IMAGE: &str = "ghcr.io/cloudnative-pg/pgbouncer:1.24.1";

pub(crate) fn kubectl(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new("kubectl");
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("kubectl is on PATH");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("kubectl reads");
    child.wait_with_output().expect("kubectl ends")
}

/// What kubectl prints, or a failed test.
#[track_caller]
pub(crate) fn told(arguments: &[&str], input: &str) -> String {
    let output = kubectl(arguments, input);
    assert!(output.status.success(), "kubectl {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The cluster, which most tests share and some have for themselves.
static CLUSTER: RwLock<()> = RwLock::new(());

/// How a test has the cluster until it ends.
enum Hold {
    Shared(#[expect(dead_code, reason = "held, not read")] RwLockReadGuard<'static, ()>),
    Alone(#[expect(dead_code, reason = "held, not read")] RwLockWriteGuard<'static, ()>),
}

/// A namespace that goes with its test, its pods under `restricted`.
pub(crate) struct Site {
    pub(crate) namespace: String,
    _cluster: Hold,
}

impl Site {
    /// With nothing in it, beside other tests.
    pub(crate) fn empty() -> Self {
        Self::held(Hold::Shared(CLUSTER.read().unwrap_or_else(PoisonError::into_inner)))
    }

    /// The same while no other test uses the cluster: for a test that takes something from all of them, such as a node,
    /// or judges what the machine does.
    pub(crate) fn alone() -> Self {
        Self::held(Hold::Alone(CLUSTER.write().unwrap_or_else(PoisonError::into_inner)))
    }

    fn held(cluster: Hold) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let site = Self { namespace: format!("pgdyno-test-{}-{number}", std::process::id()), _cluster: cluster };
        told(&["create", "namespace", &site.namespace], "");
        let restricted = "pod-security.kubernetes.io/enforce=restricted";
        told(&["label", "namespace", &site.namespace, restricted], "");
        site
    }

    /// With a cluster that may use as many CPUs as there are, beside other tests.
    pub(crate) fn new() -> Self {
        Self::empty().with_cluster(None)
    }

    /// Itself with one cluster of one instance, called `db`, of which a Pooler and a Service with a node port are. Its
    /// server may use so many CPUs at most (`500m`), or as many as there are.
    pub(crate) fn with_cluster(self, cpu_limit: Option<&str>) -> Self {
        self.apply(&cluster(cpu_limit));
        let healthy = "--for=jsonpath={.status.phase}=Cluster in healthy state";
        self.kubectl(&["wait", healthy, "cluster/db", "--timeout=300s"], "");
        self.kubectl(&["wait", "--for=condition=Available", "deployment/db-pooler", "--timeout=120s"], "");
        ["db-rw", "db-pooler"].iter().for_each(|service| self.await_service(service));
        self
    }

    /// The nodes learn of a Service a moment after it has somebody to lead to.
    fn await_service(&self, name: &str) {
        let address = self.kubectl(&["get", "service", name, "-o", "jsonpath={.spec.clusterIP}"], "");
        let deadline = Instant::now() + Duration::from_secs(60);
        while TcpStream::connect((address.as_str(), 5432)).is_err() {
            assert!(Instant::now() < deadline, "{name} leads nowhere");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// A kubeconfig of somebody who has exactly these rights.
    pub(crate) fn somebody_with(&self, lab: &Lab, role: &str) -> PathBuf {
        self.apply(role);
        let namespace = self.namespace.as_str();
        let account = format!(
            "apiVersion: v1\nkind: ServiceAccount\nmetadata: {{ name: somebody }}\n---\n\
             apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {{ name: somebody }}\n\
             roleRef: {{ apiGroup: rbac.authorization.k8s.io, kind: Role, name: pgdyno }}\n\
             subjects: [{{ kind: ServiceAccount, name: somebody, namespace: {namespace} }}]\n"
        );
        self.apply(&account);
        let file = lab.write("kubeconfig", told(&["config", "view", "--minify", "--raw", "--flatten"], ""));
        let file_text = file.to_string_lossy().into_owned();
        let token = self.kubectl(&["create", "token", "somebody"], "");
        let token = format!("--token={}", token.trim());
        told(&["--kubeconfig", &file_text, "config", "set-credentials", "somebody", &token], "");
        told(&["--kubeconfig", &file_text, "config", "set-context", "--current", "--user=somebody"], "");
        file
    }

    #[track_caller]
    pub(crate) fn kubectl(&self, arguments: &[&str], input: &str) -> String {
        told(&[&["-n", &self.namespace], arguments].concat(), input)
    }

    pub(crate) fn apply(&self, manifests: &str) {
        self.kubectl(&["apply", "-f", "-"], manifests);
    }

    /// The name of one node, by which a pod can be sent to it.
    pub(crate) fn last_node(&self) -> String {
        let name = "jsonpath={.items[-1:].metadata.labels.kubernetes\\.io/hostname}";
        self.kubectl(&["get", "nodes", "-o", name], "")
    }

    /// Whoever has this kubeconfig gets none of the Secrets of the cluster by which certificates are signed, or a
    /// replica logs in: the API server refuses them, and so there is no key to sign by.
    #[track_caller]
    fn reads_no_private_key(&self, kubeconfig: &Path) {
        let as_somebody = ["--kubeconfig", kubeconfig.to_str().expect("a path"), "-n", &self.namespace];
        for secret in ["db-ca", "db-server", "db-replication"] {
            self.kubectl(&["get", "secret", secret, "-o", "name"], "");
            for words in [&["get", "secret", secret, "-o", "yaml"][..], &["get", "secrets", "-o", "yaml"]] {
                let output = kubectl(&[&as_somebody, words].concat(), "");
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(!output.status.success() && said.contains("Forbidden"), "{words:?}: {said}");
                // Asked for a list, kubectl prints one with nothing in it.
                assert!(!String::from_utf8_lossy(&output.stdout).contains("kind: Secret"), "{words:?}");
            }
        }
        let login = kubectl(&[&as_somebody[..], &["get", "secret", "db-app", "-o", "name"]].concat(), "");
        assert!(login.status.success(), "{}", String::from_utf8_lossy(&login.stderr));
    }

    /// The version of an object: another one after whatever is changed of it.
    fn generation(&self, object: &str) -> String {
        self.kubectl(&["get", object, "-o", "jsonpath={.metadata.generation} {.metadata.uid}"], "")
    }

    /// A plan with these targets, the first of them the baseline; `HERE` stands for the namespace.
    pub(crate) fn plan(&self, lab: &Lab, targets: &[(&str, &str)], more: &str) {
        let mut text = "name: In Kubernetes\ntargets:\n".to_owned();
        for (name, keys) in targets {
            let keys = keys.replace("HERE", &format!("namespace: {}", self.namespace));
            writeln!(text, "  {name}: {{ kubernetes: {{ {keys} }} }}").expect("a string takes it");
        }
        let baseline = targets[0].0;
        write!(
            text,
            "baseline: {baseline}\nworkloads: {{ read: {{ builtin: select-only, scale: 1 }} }}\nclients: [4]\n{more}"
        )
        .expect("a string takes it");
        lab.write("plan.yaml", text);
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        kubectl(&["delete", "namespace", &self.namespace, "--wait=false"], "");
    }
}

pub(crate) fn image(variable: &str, otherwise: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| otherwise.to_owned())
}

fn cluster(cpu_limit: Option<&str>) -> String {
    let (image, pooler) = (image("PGDYNO_TEST_IMAGE", IMAGE), image("PGDYNO_TEST_POOLER_IMAGE", POOLER_IMAGE));
    let limits = cpu_limit.map_or_else(String::new, |cpu| format!(", limits: {{ cpu: {cpu}, memory: 512Mi }}"));
    format!(
        "apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nmetadata: {{ name: db }}\nspec:\n  instances: 1\n  \
         imageName: {image}\n  storage: {{ size: 1Gi }}\n  \
         resources: {{ requests: {{ cpu: 50m, memory: 256Mi }}{limits} }}\n---\n\
         apiVersion: postgresql.cnpg.io/v1\nkind: Pooler\nmetadata: {{ name: db-pooler }}\nspec:\n  \
         cluster: {{ name: db }}\n  instances: 1\n  type: rw\n  pgbouncer: {{ poolMode: session }}\n  \
         template: {{ spec: {{ containers: [{{ name: pgbouncer, image: \"{pooler}\" }}] }} }}\n---\n\
         apiVersion: v1\nkind: Service\nmetadata: {{ name: db-node }}\nspec:\n  type: NodePort\n  \
         selector: {{ cnpg.io/cluster: db, cnpg.io/instanceRole: primary }}\n  ports: [{{ port: 5432 }}]\n"
    )
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn a_cluster_is_measured_by_every_way_and_nothing_of_it_is_changed() {
    let (lab, site) = (Lab::new(), Site::new());
    let before = site.generation("cluster/db");
    let targets = [
        ("service", "cluster: db, HERE"),
        ("clear", "server_of: service, tls: false"),
        ("pod", "server_of: service, via: pod"),
        ("node", "server_of: service, via: node-port"),
        ("pooled", "server_of: service, via: { pooler: db-pooler }"),
        ("labels", "pods: \"cnpg.io/cluster=db,cnpg.io/instanceRole=primary\", secret: db-app, HERE, via: pod"),
    ];
    site.plan(&lab, &targets, BRIEF);
    lab.pgdyno("run plan.yaml").measured();
    assert_eq!(site.generation("cluster/db"), before, "nothing was changed");
    let facts = lab.run().dir().target_facts().expect("facts");
    let way = |target: &str| facts[target].path.layers.join(" > ");
    assert_eq!(way("service"), "Service db-rw > pod network > TLS");
    assert_eq!(way("clear"), "Service db-rw > pod network");
    assert_eq!(way("pod"), "pod network > TLS");
    assert_eq!(way("node"), "NodePort db-node > pod network > TLS");
    assert_eq!(way("pooled"), "Service db-pooler > PgBouncer > pod network > TLS");
    assert_eq!(facts["clear"].path.encryption, Some(ConnectionEncryption::Nothing));
    for encrypted in ["service", "pooled"] {
        let Some(ConnectionEncryption::Tls { version, .. }) = &facts[encrypted].path.encryption else {
            panic!("{encrypted}")
        };
        assert_eq!(version, "TLSv1.3", "{encrypted}");
    }
    let started = |target: &str| facts[target].server.started_at;
    assert!(targets.iter().all(|(target, _)| started(target) == started("service")), "it is one server");
    let of_platform = facts["service"].of_platform.as_ref().expect("what Kubernetes says");
    assert_eq!(of_platform.facts["CPU limit of the pod"].value, "none");
    assert!(of_platform.set_by_operator.contains(&"archive_mode".to_owned()));
    let host = facts["service"].host.as_ref().unwrap_or_else(|| panic!("{:?}", facts["service"].gaps));
    assert!(host.data_disk.is_some(), "{:?}", facts["service"].gaps);
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn a_pod_s_cpu_limit_is_the_first_finding_and_its_control_group_is_read() {
    let (lab, site) = (Lab::new(), Site::alone().with_cluster(Some("300m")));
    let long = "trial: { warm_up: 1s, measure: 6s }\nblocks: { at_least: 1, at_most: 1 }\n";
    site.plan(&lab, &[("db", "cluster: db, HERE")], long);
    lab.pgdyno("run plan.yaml").measured();
    let run = lab.run();
    let seconds = run.dir().trial_intervals(1).expect("seconds");
    for probe in ["host.cgroup", "host.cpu", "host.server", "host.memory", "host.disk"] {
        let read: Vec<_> = seconds.iter().filter_map(|second| second.probes.get(probe)).collect();
        let values = read.iter().filter(|reading| matches!(reading, Reading::Values { .. })).count();
        // The shell that reads them is throttled as well, and may miss a second.
        assert!(values > 0 && 2 * values > read.len(), "{probe}: {read:?}");
    }
    let facts = run.dir().target_facts().expect("facts").remove("db").expect("of the target");
    assert_eq!(facts.host.expect("a host").cgroup.cpus, Some(0.3));
    let diagnosis = lab.pgdyno(&format!("diagnose {} --json", run.path().display())).json();
    let first = diagnosis["findings"].as_array().and_then(|findings| findings.first()).expect("a finding");
    assert_eq!(first["rule"], Value::from("cpu-throttled"), "{diagnosis:#}");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn what_is_not_there_is_told_with_what_is() {
    let (lab, site) = (Lab::new(), Site::new());
    let refuses = |target: &str, texts: &[&str]| {
        site.plan(&lab, &[("a", target)], BRIEF);
        lab.pgdyno("run plan.yaml").exits(3).says(texts);
    };
    let namespace = &site.namespace;
    refuses("cluster: dbs, HERE", &["there is no Cluster \"dbs\" in namespace", "did you mean \"db\"?"]);
    let other = format!("cluster: db, namespace: {namespace}x");
    refuses(&other, &["there is no namespace", &format!("did you mean \"{namespace}\"?")]);
    refuses("cluster: db, HERE, secret: db-ap", &["there is no Secret \"db-ap\"", "did you mean \"db-app\"?"]);
    refuses("cluster: db, HERE, via: { pooler: db-poler }", &["there is no Pooler", "did you mean \"db-pooler\"?"]);
    refuses("cluster: db, HERE, via: { service: db-rx }", &["there is no Service", "did you mean \"db-r"]);
    refuses("cluster: db, HERE, via: { service: db-ro }", &["db-ro: its selector does not select the pod"]);
    refuses("pods: \"app=nothing\", secret: db-app, HERE", &["0 pods", "labels that only the pod of the primary has"]);
    refuses("cluster: db, HERE, context: nowhere", &["the kubeconfig has no context \"nowhere\"", "the contexts are"]);
    let over =
        format!("{BRIEF}events: {{ over: {{ at: 2s, do: switchover }} }}\n").replace("measure: 1s", "measure: 4s");
    site.plan(&lab, &[("a", "cluster: db, HERE }, may_disturb: true, settings: {")], &over);
    lab.pgdyno("run plan.yaml").exits(3).says(&["the cluster db has no replica to switch to", "restart-in-place"]);
    site.plan(&lab, &[("a", "cluster: db, HERE")], BRIEF);
    let nowhere = lab.path().join("nowhere");
    lab.program("run plan.yaml")
        .env("KUBECONFIG", nowhere)
        .end()
        .exits(3)
        .says(&["no Kubernetes cluster is configured"]);
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn a_certificate_of_the_authority_comes_from_an_object_that_has_it_alone() {
    let (lab, site) = (Lab::new(), Site::new());
    let certificate =
        site.kubectl(&["get", "secret", "db-ca", "-o", "go-template={{index .data \"ca.crt\"|base64decode}}"], "");
    let certificate = lab.write("ca.crt", certificate);
    let from = format!("--from-file=ca.crt={}", certificate.display());
    site.kubectl(&["create", "configmap", "trust", &from], "");
    site.plan(&lab, &[("a", "cluster: db, HERE, ca: { config-map: trust }")], BRIEF);
    let printed = lab.pgdyno("kubernetes rights plan.yaml").exits(0).stdout.clone();
    let (role, _) = printed.split_once("---\n").expect("a Role, then a ClusterRole");
    let without_exec = role.lines().filter(|line| !line.contains("pods/exec")).collect::<Vec<_>>().join("\n");
    let kubeconfig = site.somebody_with(&lab, &without_exec);
    lab.program("run plan.yaml").env("KUBECONFIG", &kubeconfig).end().measured();
    let facts = lab.run().dir().target_facts().expect("facts").remove("a").expect("of the target");
    assert!(!facts.gaps.contains_key("platform.ca"), "{:?}", facts.gaps);

    let key =
        site.kubectl(&["get", "secret", "db-ca", "-o", "go-template={{index .data \"ca.key\"|base64decode}}"], "");
    let key = lab.write("other", key);
    let from = [from, format!("--from-file=other={}", key.display())];
    site.kubectl(&["create", "secret", "generic", "trusted", &from[0], &from[1]], "");
    site.plan(&lab, &[("a", "cluster: db, HERE, ca: { secret: trusted }")], BRIEF);
    lab.pgdyno("run plan.yaml").exits(3).says(&["the Secret trusted has a private key (other)", "as ca.crt"]);
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn the_role_that_is_printed_suffices_and_a_right_less_is_told_by_name() {
    let (lab, site) = (Lab::new(), Site::new());
    site.plan(&lab, &[("a", "cluster: db, HERE"), ("b", "server_of: a, via: { pooler: db-pooler }")], BRIEF);
    let printed = lab.pgdyno("kubernetes rights plan.yaml").exits(0).stdout.clone();
    // What belongs to no namespace is left out: it would outlive the test.
    let (role, _) = printed.split_once("---\n").expect("a Role, then a ClusterRole");
    let kubeconfig = site.somebody_with(&lab, role);
    let as_somebody = |line: &str| lab.program(line).env("KUBECONFIG", &kubeconfig).end();
    let checked = as_somebody("kubernetes rights plan.yaml --check");
    checked.exits(0).prints(&["no permission to get nodes: kernel, zone and instance type of the node"]);
    assert!(!checked.stdout.contains("secrets"), "{}", checked.stdout);
    as_somebody("run plan.yaml").measured();
    let facts = lab.run().dir().target_facts().expect("facts").remove("a").expect("of the target");
    assert!(facts.host.is_some(), "{:?}", facts.gaps);
    // The certificate of the authority comes from the pod, without the Secret that signs.
    assert!(!facts.gaps.contains_key("platform.ca"), "{:?}", facts.gaps);
    site.reads_no_private_key(&kubeconfig);
    assert!(facts.gaps["platform.node"].contains("no permission to get nodes"), "{:?}", facts.gaps);

    let without = |resource: &str| role.lines().filter(|line| !line.contains(resource)).collect::<Vec<_>>().join("\n");
    site.apply(&without("pods/exec"));
    as_somebody("run plan.yaml").measured();
    let run = lab.runs().pop().expect("a second run");
    let facts = RunView::open(&run).dir().target_facts().expect("facts").remove("a").expect("of the target");
    assert!(facts.gaps["host"].contains("pods/exec"), "{:?}", facts.gaps);
    assert!(facts.gaps["platform.ca"].contains("is not verified (sslmode=require)"), "{:?}", facts.gaps);

    site.apply(&without("\"secrets\""));
    as_somebody("run plan.yaml")
        .exits(3)
        .says(&["no permission to get secrets in namespace", "kubernetes rights PLAN"]);
    as_somebody("kubernetes rights plan.yaml --check")
        .exits(3)
        .prints(&["no permission to get secrets: the run does not start"]);
}
