//! Facts of real servers, against what the server and the machine say by other ways.

use libtest_mimic::Trial;
use results::facts::{Platform, TargetFacts, Transport};
use server::LocalSpec;

use crate::lab::{Lab, ask, debian, map, over_tcp, print, trial};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("facts_of_a_local_server_are_complete", local),
        trial("facts_of_a_server_on_loopback_hold_its_machine", loopback),
        trial("facts_of_an_unprivileged_role_name_their_gaps", unprivileged),
        trial("a_server_behind_a_forwarded_port_is_not_taken_for_one_of_this_machine", forwarded),
    ]
}

fn check_machine(facts: &TargetFacts) {
    let host = facts.host.as_ref().expect("this machine");
    assert_eq!(host.cpus as usize, std::fs::read_to_string("/proc/cpuinfo").unwrap().matches("processor\t").count());
    assert_eq!(host.kernel, std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap().trim());
    assert!(host.memory_bytes > 1 << 28, "{host:?}");
}

async fn local(lab: Lab) {
    let settings = map(&[("max_connections", "50")]);
    let target = lab.start(LocalSpec { settings, ..debian() }, &[("Work_Mem", "6MB"), ("jit", "on")]).await;
    let facts = target.collect_facts().await.unwrap_or_else(|error| panic!("{}", print(&error)));
    assert_eq!((facts.name.as_str(), facts.platform), ("t", Platform::Local));
    assert_eq!((facts.path.transport, facts.path.same_host), (Transport::Unix, true));
    assert_eq!(facts.server.version, ask(&target, "SELECT version()").await);
    assert_eq!(facts.server.version_num.to_string(), ask(&target, "SHOW server_version_num").await);
    assert!(!facts.server.in_recovery);
    let started_at = facts.server.started_at.expect("known");
    assert!(started_at < facts.read_at && facts.read_at.duration_since(started_at).as_secs() < 600);
    assert!(facts.server.database_bytes.expect("known") > 1 << 20);
    assert_eq!(facts.server.locale.as_deref(), Some("UTF8 C libc"));
    let build = facts.server.build.as_ref().expect("a superuser sees it");
    assert!(
        build.version.starts_with("PostgreSQL ") && build.configure.is_some() && build.cflags.is_some(),
        "{build:?}"
    );
    assert!(facts.server.extensions.as_ref().expect("known").contains_key("plpgsql"));
    let setting = |name: &str| &facts.settings[name];
    assert_eq!((setting("work_mem").value.as_str(), setting("work_mem").default.as_deref()), ("6MB", Some("4MB")));
    assert_eq!(setting("work_mem").source, "configuration file");
    assert_eq!((setting("jit").value.as_str(), setting("jit").pending_restart), ("on", false));
    assert_eq!(setting("max_connections").value, "50");
    assert!(!facts.settings.contains_key("enable_seqscan"), "defaults are left out");
    check_machine(&facts);
    let disk = facts.host.as_ref().unwrap().data_disk.as_ref().expect("a disk");
    assert!(disk.size_bytes > disk.free_bytes && !disk.filesystem.is_empty(), "{disk:?}");
    assert!(!facts.gaps.contains_key("host.cgroup"), "{:?}", facts.gaps);
    target.release_target().await.expect("released");
}

async fn loopback(lab: Lab) {
    let server = lab.start(LocalSpec { route: over_tcp(), ..debian() }, &[]).await;
    ask(&server, "ALTER ROLE postgres PASSWORD 'x'").await;
    let url = format!("postgresql://postgres:x@localhost:{}/postgres", server.load_conninfo().port);
    let target = lab.reach(&url, &[("work_mem", "7MB")]).await.unwrap_or_else(|error| panic!("{}", print(&error)));
    let facts = target.collect_facts().await.unwrap_or_else(|error| panic!("{}", print(&error)));
    assert_eq!((facts.platform, facts.path.transport), (Platform::Url, Transport::Tcp));
    assert_eq!((facts.path.address.as_str(), facts.path.same_host), ("localhost", true));
    assert_eq!(
        (facts.settings["work_mem"].value.as_str(), facts.settings["work_mem"].source.as_str()),
        ("7MB", "client")
    );
    check_machine(&facts);
    if lab.environment.is_root() {
        assert!(facts.host.as_ref().unwrap().data_disk.is_some(), "{:?}", facts.gaps);
    }
    // A server of this machine is found by its address alone.
    let [found, known] = [&target, &server].map(server::Target::host_access);
    assert_eq!(found.await.expect("asked"), known.await.expect("known"));
    server.release_target().await.expect("released");
}

async fn unprivileged(lab: Lab) {
    let server = lab.start(debian(), &[]).await;
    ask(&server, "CREATE ROLE poor LOGIN").await;
    let sockets = server.local_server().expect("local").socket_directory().display().to_string();
    let conninfo = format!("host={sockets} port={} user=poor dbname=postgres", server.load_conninfo().port);
    let target = lab.reach(&conninfo, &[]).await.unwrap_or_else(|error| panic!("{}", print(&error)));
    let facts = target.collect_facts().await.unwrap_or_else(|error| panic!("{}", print(&error)));
    assert!(facts.gaps["settings"].contains("pg_read_all_settings"), "{:?}", facts.gaps);
    assert!(facts.gaps["server.build"].contains("may not read pg_config"), "{:?}", facts.gaps);
    assert_eq!(facts.gaps["host.data_disk"], "the data directory was not found on this host");
    server.release_target().await.expect("released");
}

/// What a server elsewhere says when it is reached through a port of this machine: the ids of its processes mean
/// others here.
async fn forwarded(lab: Lab) {
    let [far, other] =
        [lab.start(LocalSpec { route: over_tcp(), ..debian() }, &[]).await, lab.start(debian(), &[]).await];
    let here = ask(&other, "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'").await;
    for (role, pid) in [("taken", here.as_str()), ("free", "4194304")] {
        let elsewhere = format!(
            "CREATE ROLE {role} LOGIN SUPERUSER PASSWORD 'x'; CREATE SCHEMA {role};
             ALTER ROLE {role} SET search_path = {role}, pg_catalog;
             CREATE FUNCTION {role}.pg_backend_pid() RETURNS integer LANGUAGE sql AS 'SELECT {pid}';
             CREATE VIEW {role}.pg_stat_activity AS SELECT {pid} AS pid, backend_start FROM pg_catalog.pg_stat_activity
              WHERE pid = pg_catalog.pg_backend_pid()"
        );
        ask(&far, &elsewhere).await;
        let url = format!("postgresql://{role}:x@127.0.0.1:{}/postgres", far.load_conninfo().port);
        let target = lab.reach(&url, &[]).await.unwrap_or_else(|error| panic!("{}", print(&error)));
        let facts = target.collect_facts().await.unwrap_or_else(|error| panic!("{}", print(&error)));
        assert!(!facts.path.same_host && facts.host.is_none(), "{role}: {:?}", facts.host);
        assert!(facts.gaps["host"].contains("behind a tunnel"), "{role}: {}", facts.gaps["host"]);
    }
    far.release_target().await.expect("released");
    other.release_target().await.expect("released");
}
