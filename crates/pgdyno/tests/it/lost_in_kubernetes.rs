//! What happens to a trial whose pod is lost, or whose API server is away, on a real cluster (see `kubernetes`).

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use results::interval::Reading;
use results::trial::{Incident, Trial};

use crate::kubernetes::{Site, told};
use crate::lab::Lab;
use crate::made_in_kubernetes::small;
use crate::process::Running;
use crate::run_view::RunView;

/// Two trials of each target, long enough for something to happen in them.
const TWO_BLOCKS: &str =
    "seed: 1\ninterleave: trials\ntrial: { warm_up: 0s, measure: 5s }\nblocks: { at_least: 2, at_most: 2 }\n";

fn await_second(pgdyno: &mut Running, lab: &Lab, trial: u32) {
    pgdyno.await_that("is in the trial", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, trial, 2)));
}

fn lost(trial: &Trial) -> Option<&str> {
    trial.incidents.iter().find_map(|incident| match incident {
        Incident::PodLost { said } => Some(said.as_str()),
        _ => None,
    })
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_a_trial_that_lost_its_pod_is_kept_and_not_compared_and_the_run_goes_on() {
    let (lab, site) = (Lab::new(), Site::new());
    let targets = [("service", "cluster: db, HERE"), ("pod", "server_of: service, via: pod")];
    site.plan(&lab, &targets, TWO_BLOCKS);
    let mut pgdyno = lab.start("run plan.yaml");
    await_second(&mut pgdyno, &lab, 1);
    site.kubectl(&["delete", "pod", "db-1", "--wait=false"], "");
    pgdyno.await_saying("waiting until its server is back");
    await_second(&mut pgdyno, &lab, 3);
    site.kubectl(&["exec", "db-1", "-c", "postgres", "--", "sh", "-c", "kill -TERM 1"], "");
    pgdyno.end_within(Duration::from_secs(400)).exits(4);
    let trials = lab.run().trials();
    assert_eq!(trials.len(), 4);
    let first = lost(&trials[0]).expect("it lost its pod");
    assert!(first.contains("the pod db-1 ") && first.contains("Killing: Stopping container postgres"), "{first}");
    let third = lost(&trials[2]).expect("it lost its container");
    assert!(third.contains("lost its container postgres: Completed, exit status 0"), "{third}");
    assert_eq!((lost(&trials[1]), lost(&trials[3])), (None, None), "of the others nothing was lost");
    let run = lab.run();
    let report = lab.pgdyno(&format!("report {} --format markdown", run.path().display())).exits(0).stdout.clone();
    assert!(report.contains(first) && report.contains("not count"), "{report}");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_the_pod_of_a_stateful_set_is_made_again_where_its_affinity_has_it() {
    let (lab, site) = (Lab::new(), Site::empty());
    let node = site.last_node();
    let set = |required: &str| {
        let expression = format!("{{ key: kubernetes.io/hostname, operator: In, values: [{node}] }}");
        let terms = format!("{{ nodeSelectorTerms: [{{ matchExpressions: [{expression}] }}] }}");
        let affinity = format!(", affinity: {{ nodeAffinity: {{ {required}: {terms} }} }}");
        format!("HERE, create: {{ statefulset: {{ {} }} }}, via: pod", small(&affinity))
    };
    site.plan(&lab, &[("db", &set("requiredDuringScheduling"))], TWO_BLOCKS);
    let unknown = "does not know spec.template.spec.affinity.nodeAffinity.requiredDuringScheduling of StatefulSet";
    lab.pgdyno("run plan.yaml").exits(3).says(&[unknown]);
    assert_eq!(site.left(), "", "nothing is made then");
    site.plan(&lab, &[("db", &set("requiredDuringSchedulingIgnoredDuringExecution"))], TWO_BLOCKS);
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("is in the trial", |_| lab.runs().last().is_some_and(|run| RunView::has_seconds(run, 1, 2)));
    let on = site.kubectl(&["get", "pods", "-l", "pgdyno/server", "-o", "jsonpath={.items[*].spec.nodeName}"], "");
    assert_eq!(on, node);
    site.kubectl(&["delete", "pods", "-l", "pgdyno/server", "--wait=false"], "");
    pgdyno.await_saying("waiting until its server is back");
    pgdyno.end_within(Duration::from_secs(200)).measured();
    let trials = RunView::open(lab.runs().last().expect("a run")).trials();
    assert!(lost(&trials[0]).is_some() && lost(&trials[1]).is_none(), "{:?}", trials[1].incidents);
    assert_eq!(site.left(), "");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_an_api_server_that_is_away_in_a_trial_costs_the_readings_that_need_it() {
    let (lab, site) = (Lab::new(), Site::new());
    let (way, kubeconfig) = Way::to_api_server(&lab);
    site.plan(&lab, &[("service", "cluster: db, HERE"), ("clear", "server_of: service, tls: false")], TWO_BLOCKS);
    let mut pgdyno = lab.program("run plan.yaml").env("KUBECONFIG", kubeconfig).start();
    await_second(&mut pgdyno, &lab, 1);
    way.cut();
    pgdyno.await_that("has ended its load", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 5)));
    thread::sleep(Duration::from_secs(5));
    way.mend();
    let ended = pgdyno.end_within(Duration::from_secs(200));
    assert!(matches!(ended.status.code(), Some(0 | 1 | 4)), "{}", ended.stderr);
    let (run, cpu) = (lab.run(), "host.cpu");
    let seconds = |trial: u32| run.dir().trial_intervals(trial).expect("seconds");
    let last = seconds(1).pop().expect("a second").probes.remove(cpu);
    let Some(Reading::Gap { gap, .. }) = last else { panic!("{last:?}") };
    assert!(gap.contains("the shell in the pod"), "{gap}");
    let is_read =
        |trial: u32| seconds(trial).iter().any(|second| matches!(second.probes.get(cpu), Some(Reading::Values { .. })));
    assert!(is_read(2), "{:?}", seconds(2));
    let incidents: Vec<_> = run.trials().into_iter().flat_map(|trial| trial.incidents).collect();
    assert_eq!(incidents, [], "it is asked again until it answers");
    assert_eq!(run.completed(), [1, 2, 3, 4]);
}

/// A way to the API server that can be cut.
struct Way {
    is_cut: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Way {
    /// With a kubeconfig that leads through it.
    fn to_api_server(lab: &Lab) -> (Self, PathBuf) {
        let server = told(&["config", "view", "--minify", "-o", "jsonpath={.clusters[0].cluster.server}"], "");
        let address = server.trim_start_matches("https://").to_owned();
        let host = address.split(':').next().expect("a host").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let way = Self { is_cut: Arc::default(), open: Arc::default() };
        let (is_cut, open) = (Arc::clone(&way.is_cut), Arc::clone(&way.open));
        thread::spawn(move || {
            for client in listener.incoming().flatten().filter(|_| !is_cut.load(Ordering::Relaxed)) {
                let server = TcpStream::connect(&address).expect("the API server");
                let again = |stream: &TcpStream| stream.try_clone().expect("a socket");
                open.lock().expect("nobody panics").extend([again(&client), again(&server)]);
                let (from, to) = (again(&client), again(&server));
                thread::spawn(move || pass_on(from, to));
                thread::spawn(move || pass_on(server, client));
            }
        });
        let file = lab.write("kubeconfig", told(&["config", "view", "--minify", "--raw", "--flatten"], ""));
        let text = std::fs::read_to_string(&file).expect("a kubeconfig");
        let through = format!("server: https://127.0.0.1:{port}\n    tls-server-name: {host}");
        (way, lab.write("kubeconfig", text.replace(&format!("server: {server}"), &through)))
    }

    fn cut(&self) {
        self.is_cut.store(true, Ordering::Relaxed);
        for stream in self.open.lock().expect("nobody panics").drain(..) {
            // The other end may have closed it.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    fn mend(&self) {
        self.is_cut.store(false, Ordering::Relaxed);
    }
}

fn pass_on(mut from: TcpStream, mut to: TcpStream) {
    let mut buffer = [0; 16_384];
    let mut pass = || -> io::Result<bool> {
        let read = from.read(&mut buffer)?;
        to.write_all(&buffer[..read])?;
        Ok(read > 0)
    };
    while pass().unwrap_or(false) {}
    let _ = to.shutdown(Shutdown::Write);
}
