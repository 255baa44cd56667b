//! Routes to one local server, each seen with psql's eyes from the place where the load would run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use conninfo::{ConnInfo, ServerHost};
use libtest_mimic::Trial;
use server::{LoadRoute, LocalSpec, RouteEntry, RouteLayers, Target};

use crate::lab::{BIN, Lab, debian, map, print, trial};

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = vec![trial("targets_share_a_server_by_routes_of_their_own_without_root", shared)];
    if rustix::process::geteuid().is_root() {
        trials.push(trial("a_load_in_a_namespace_reaches_the_server_through_veth_dnat_tls_and_pgbouncer", namespaces));
        trials.push(trial("the_cpus_of_a_shared_server_are_those_of_the_target_whose_turn_it_is", turns));
        trials.push(trial("no_layer_outlives_a_supervisor_that_is_killed", killed));
    } else {
        println!("skipped: routes through network namespaces and limits of CPUs need root");
    }
    trials
}

const TLS: LoadRoute = LoadRoute { entry: RouteEntry::Tcp, tls: true, pgbouncer: false };

fn route(entry: RouteEntry, tls: bool, pgbouncer: bool) -> LoadRoute {
    LoadRoute { entry, tls, pgbouncer }
}

async fn owner(lab: &Lab, layers: RouteLayers) -> Target {
    lab.start(LocalSpec { layers, ..debian() }, &[]).await
}

async fn share(owner: &Target, route: LoadRoute) -> Target {
    let shared = owner.share_server("shared", route, None, &map(&[])).await;
    shared.unwrap_or_else(|error| panic!("{}", print(&error)))
}

/// The answer that psql gets over the connection that the load is given.
fn psql(conninfo: &ConnInfo, query: &str) -> String {
    let psql = Path::new(BIN).join("psql");
    let mut command = match &conninfo.network_namespace {
        None => Command::new(psql),
        Some(file) => {
            let mut enter = Command::new("nsenter");
            enter.arg(format!("--net={}", file.display())).arg("--").arg(psql);
            enter
        }
    };
    let host = match &conninfo.host {
        ServerHost::Unix(directory) => directory.display().to_string(),
        ServerHost::Tcp { name, .. } => name.clone(),
    };
    command.args(["-h", &host, "-p", &conninfo.port.to_string(), "-U", "postgres", "-d", "postgres", "-Atc", query]);
    command.envs(conninfo.libpq.iter().map(|(name, value)| (name, value)));
    command.env("PGPASSWORD", conninfo.password.as_ref().map_or("", |password| password.expose_secret()));
    let output = command.output().expect("psql runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

const ENCRYPTION: &str = "SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()";

async fn shared(lab: Lab) {
    let pooled = route(RouteEntry::Tcp, true, true);
    let owner = owner(&lab, RouteLayers::required_by_routes([LoadRoute::default(), TLS, pooled], false)).await;
    let [tls, pooled] = [share(&owner, TLS).await, share(&owner, pooled).await];
    assert_eq!(psql(&owner.load_conninfo(), ENCRYPTION), "");
    assert_eq!(psql(&tls.load_conninfo(), ENCRYPTION), "TLSv1.3");
    assert_eq!(psql(&pooled.load_conninfo(), "SELECT inet_client_addr() IS NULL"), "t", "it ends at the pooler");
    let layers = async |target: &Target| target.collect_facts().await.expect("facts").path.layers;
    assert_eq!(layers(&owner).await, Vec::<String>::new());
    assert_eq!(layers(&tls).await, ["TLS"]);
    assert!(layers(&pooled).await[1].starts_with("PgBouncer ("), "how it lends is said");
    for (target, is_forwarded) in [(&owner, false), (&tls, false), (&pooled, true)] {
        let path = target.collect_facts().await.expect("facts").path;
        assert_eq!(path.is_forwarded(), Some(is_forwarded), "{path:?}");
    }
    let setting =
        owner.share_server("setting", TLS, None, &map(&[("work_mem", "17MB")])).await.expect("a session's setting");
    assert_eq!(setting.confirm_settings().await.expect("confirmed")["work_mem"], "17MB");
    let unbuilt = owner.share_server("veth", route(RouteEntry::Veth, false, false), None, &map(&[])).await;
    assert!(print(&unbuilt.expect_err("not built")).contains("started without this route"));
    drop((tls, pooled, setting));
    owner.release_target().await.expect("released");
}

async fn namespaces(lab: Lab) {
    let routes = [
        route(RouteEntry::Veth, false, false),
        route(RouteEntry::Service, false, false),
        route(RouteEntry::Service, true, false),
        route(RouteEntry::Service, true, true),
    ];
    let owner = owner(&lab, RouteLayers::required_by_routes(routes, false)).await;
    let mut targets = Vec::new();
    for route in routes {
        targets.push(share(&owner, route).await);
    }
    let client = "SELECT host(inet_client_addr()), host(inet_server_addr())";
    let seen = psql(&targets[0].load_conninfo(), client);
    assert!(seen.starts_with("10.213."), "{seen}");
    assert_eq!(psql(&targets[1].load_conninfo(), client), seen, "behind the service is the same server");
    assert_eq!(targets[1].load_conninfo().display_address(), "10.214.0.1:5432");
    assert_eq!(psql(&targets[2].load_conninfo(), ENCRYPTION), "TLSv1.3");
    assert_eq!(psql(&targets[3].load_conninfo(), "SELECT inet_client_addr() IS NULL"), "t");
    let facts = targets[3].collect_facts().await.expect("facts");
    assert_eq!(facts.path.layers[..3], ["veth", "DNAT", "TLS"]);
    assert!(facts.path.same_host && facts.host.is_some());
    let place = targets[0].load_conninfo().network_namespace.clone().expect("a namespace");
    let link = link_of(&place);
    assert!(link.exists());
    owner.release_target().await.expect("released");
    // The kernel takes a namespace apart when it has the time for it.
    let deadline = Instant::now() + Duration::from_secs(10);
    while (place.exists() || link.exists()) && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(!place.exists() && !link.exists(), "the namespace and its veth pair are gone");
}

/// This machine's end of the veth pair to the namespace.
fn link_of(namespace: &Path) -> PathBuf {
    let pid = namespace.components().nth(2).expect("/proc/<pid>/ns/net");
    Path::new("/sys/class/net").join(format!("pgd{}", pid.as_os_str().to_string_lossy()))
}

fn quota(target: &Target) -> String {
    let pid = target.local_server().expect("local").postmaster_pid();
    let groups = std::fs::read_to_string(format!("/proc/{pid}/cgroup")).expect("its groups");
    let name = groups.lines().find_map(|line| line.rsplit_once("/pgdyno-")).expect("a group of its own").1;
    let read = |file: &str| std::fs::read_to_string(format!("/sys/fs/cgroup/{file}"));
    let version_1 = read(&format!("cpu/pgdyno-{name}/cpu.cfs_quota_us"));
    version_1.or_else(|_| read(&format!("pgdyno-{name}/cpu.max"))).expect("a quota").trim().to_owned()
}

async fn turns(lab: Lab) {
    let owner = owner(&lab, RouteLayers::required_by_routes([], true)).await;
    let half = owner.share_server("half", LoadRoute::default(), Some(0.5), &map(&[])).await.expect("shared");
    half.take_turn().expect("limited");
    assert!(quota(&owner).starts_with("50000"), "{}", quota(&owner));
    owner.take_turn().expect("not limited");
    assert!(quota(&owner).starts_with("-1") || quota(&owner).starts_with("max"), "{}", quota(&owner));
    owner.release_target().await.expect("released");
}

async fn killed(lab: Lab) {
    let veth = route(RouteEntry::Veth, false, true);
    let owner = owner(&lab, RouteLayers::required_by_routes([veth], true)).await;
    let shared = share(&owner, veth).await;
    let place = shared.load_conninfo().network_namespace.clone().expect("a namespace");
    let link = link_of(&place);
    let server = owner.local_server().expect("local").postmaster_pid();
    let stat = std::fs::read_to_string(format!("/proc/{server}/stat")).expect("its state");
    let supervisor: i32 =
        stat.rsplit_once(')').expect("a name").1.split_whitespace().nth(1).expect("ppid").parse().expect("pid");
    let supervisor = rustix::process::Pid::from_raw(supervisor).expect("a pid");
    rustix::process::kill_process(supervisor, rustix::process::Signal::KILL).expect("killed");
    owner.release_target().await.expect("cleaned up");
    let gone = async {
        while place.exists() || link.exists() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), gone).await.expect("the kernel took it down");
}
