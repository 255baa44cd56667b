//! A server that was found, changed by its owner's consent through an agent: settings of the whole server, restarts,
//! values of the kernel and cold caches are there while they are measured, and put back at the end, after a Ctrl-C, and
//! after pgdyno, its agent or both are killed.

use results::trial::Preparation;
use rustix::process::Signal;
use std::fs;

use crate::agent::SshServer;
use crate::found::{Found, kill_noted, noted};
use crate::lab::{BRIEF, Lab, PGDYNO};
use crate::process::Program;
use crate::run_view::RunView;

/// A plan of one server that two targets have by turns, the second with settings.
fn plan(lab: &Lab, server: &Found, agent: &str, keys: &str, more: &str) {
    let target =
        format!("url: \"{}\", agent: {agent}, may_change: [settings, restart, sysctl, cache]", server.0.tcp_url());
    let text = format!(
        "name: By consent\ntargets:\n  as-it-is: {{ {target} }}\n  changed: {{ {target}, {keys} }}\nbaseline: as-it-is\n\
         workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [2]\n{more}"
    );
    lab.write("plan.yaml", text);
}

/// A plan of one target.
fn alone(lab: &Lab, url: &str, agent: &str, consents: &str, keys: &str, more: &str) {
    let text = format!(
        "name: By consent\ntargets: {{ x: {{ url: \"{url}\", agent: {agent}, may_change: [{consents}], {keys} }} }}\n\
         baseline: x\nworkloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [2]\n{more}"
    );
    lab.write("plan.yaml", text);
}

const SETTINGS: &str = "settings: { shared_buffers: 24MB, max_wal_size: 2GB, work_mem: 6MB }";

/// A trial that lasts until somebody ends it.
const LONG: &str = "trial: { warm_up: 0s, measure: 600s }\nblocks: { at_least: 1, at_most: 1 }\n";

#[test]
fn settings_of_a_server_that_was_found_are_measured_by_turns_and_put_back() {
    let (lab, server) = (Lab::new(), Found::start());
    plan(&lab, &server, &noted(), SETTINGS, BRIEF);
    lab.pgdyno("plan explain plan.yaml").exits(0).prints(&["changes settings of the whole server by ALTER SYSTEM"]);
    lab.pgdyno("run plan.yaml").measured();
    server.assert_as_before();
    for trial in lab.run().trials() {
        let shown: Vec<&str> = trial.settings.values().map(String::as_str).collect();
        let expected: &[&str] = if trial.cell.target == "changed" { &["2GB", "24MB", "6MB"] } else { &[] };
        assert_eq!(shown, expected, "{}", trial.cell.target);
    }
    let facts = lab.run().dir().target_facts().expect("facts");
    assert_eq!(facts["changed"].settings["shared_buffers"].value, "24MB");
    assert_eq!(facts["as-it-is"].settings["shared_buffers"].value, "16MB");
    lab.pgdyno("restore").exits(0).prints(&["nothing is left to restore"]);
}

#[test]
fn a_setting_that_somebody_else_changes_meanwhile_is_left_to_them() {
    let (lab, server) = (Lab::new(), Found::start());
    alone(&lab, &server.0.tcp_url(), &noted(), "settings, restart", SETTINGS, LONG);
    let mut running = lab.start("run plan.yaml");
    running.await_that("a second", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 1)));
    server.0.query_postgres("ALTER SYSTEM SET max_wal_size = '3GB'");
    running.signal(Signal::INT);
    running.end().exits(3);
    assert!(server.file().contains("max_wal_size = '3GB'"), "{}", server.file());
    assert_eq!(server.shows("shared_buffers"), "16MB");
}

#[test]
fn what_was_changed_is_put_back_when_pgdyno_its_agent_or_both_are_killed() {
    let (lab, server) = (Lab::new(), Found::start());
    for (pgdyno, agent) in [(true, false), (false, true), (true, true)] {
        let _none = fs::remove_file(lab.path().join("agent.pid"));
        plan(&lab, &server, &noted(), SETTINGS, LONG);
        let mut running = lab.start("run plan.yaml");
        running.await_that("the second target has its settings", |_| server.file().contains("24MB"));
        if agent {
            // Killed before pgdyno, it cannot see the end of its input.
            kill_noted(&lab);
        }
        running.signal(if pgdyno { Signal::KILL } else { Signal::INT });
        let ended = running.end();
        if pgdyno && agent {
            ended.was_killed();
            assert_ne!(server.file(), "work_mem = '5MB'\n");
        }
        if pgdyno {
            lab.pgdyno("restore").exits(0);
        }
        server.await_as_before();
    }
}

#[test]
fn a_server_that_does_not_come_back_is_started_again_with_what_it_had() {
    let (lab, server) = (Lab::new(), Found::start());
    plan(&lab, &server, &noted(), "settings: { shared_preload_libraries: there_is_none }", BRIEF);
    lab.pgdyno("run plan.yaml").exits(3).says(&["did not become available after its restart", "there_is_none"]);
    server.assert_as_before();
}

#[test]
fn what_the_role_or_the_agent_may_not_is_refused_before_anything_is_changed() {
    let (lab, server) = (Lab::new(), Found::start());
    server.0.query_postgres(
        "CREATE ROLE somebody LOGIN; GRANT pg_read_all_settings TO somebody; GRANT ALL ON SCHEMA public TO somebody",
    );
    let url = server.0.tcp_url().replace("postgres@", "somebody@");
    alone(&lab, &url, &noted(), "settings", "settings: { max_wal_size: 2GB }", BRIEF);
    lab.pgdyno("run plan.yaml").exits(3).says(&["could not apply setting max_wal_size", "permission denied", "GRANT"]);
    server.assert_as_before();
    if testbed::is_root() {
        let agent = format!("{{ command: \"setpriv --reuid=65534 --clear-groups {PGDYNO} agent --stdio\" }}");
        plan(&lab, &server, &agent, "settings: { max_wal_size: 2GB }", BRIEF);
        lab.pgdyno("run plan.yaml").exits(3).says(&["target \"changed\"", "as the server's user"]);
        server.assert_as_before();
    }
}

#[test]
fn a_cold_cache_and_values_of_the_kernel_are_had_by_consent() {
    if !testbed::is_root() {
        eprintln!("skipped: values of the kernel are root's");
        return;
    }
    let (lab, server) = (Lab::new(), Found::start());
    let expire = || fs::read_to_string("/proc/sys/vm/dirty_expire_centisecs").expect("a value");
    let before = expire();
    plan(&lab, &server, &noted(), "sysctl: { vm.dirty_expire_centisecs: 2500 }, cache: cold", BRIEF);
    lab.pgdyno("run plan.yaml").measured();
    assert_eq!(expire(), before);
    for trial in lab.run().trials().iter().filter(|trial| trial.cell.target == "changed") {
        let cooled =
            |done: &&Preparation| matches!(done, Preparation::ColdCache { evicted_bytes } if *evicted_bytes > 0);
        assert!(trial.preparation.iter().any(|done| cooled(&done)), "{:?}", trial.preparation);
        let set = |done: &&Preparation| matches!(done, Preparation::KernelValue(value) if value.set == "2500");
        assert!(trial.preparation.iter().any(|done| set(&done)), "{:?}", trial.preparation);
    }
}

#[test]
fn over_a_real_ssh_a_server_is_changed_and_put_back_also_after_a_kill() {
    if !testbed::is_root() {
        eprintln!("skipped: an ssh server that logs in needs root");
        return;
    }
    let (lab, server) = (Lab::new(), Found::start());
    let _ssh = SshServer::start(&lab);
    plan(&lab, &server, &format!("{{ ssh: far, pgdyno: {PGDYNO} }}"), SETTINGS, BRIEF);
    let path = || SshServer::path(&lab);
    Program::new(&lab, PGDYNO).arguments(["run", "plan.yaml"]).env("PATH", path()).end().measured();
    server.assert_as_before();
    plan(&lab, &server, &format!("{{ ssh: far, pgdyno: {PGDYNO} }}"), SETTINGS, LONG);
    let mut running = Program::new(&lab, PGDYNO).arguments(["run", "plan.yaml"]).env("PATH", path()).start();
    running.await_that("the second target has its settings", |_| server.file().contains("24MB"));
    running.signal(Signal::KILL);
    running.end().was_killed();
    Program::new(&lab, PGDYNO).arguments(["restore"]).env("PATH", path()).end().exits(0);
    server.await_as_before();
}
