//! Nothing of a server outlives pgdyno, whatever ends it, and nothing but pgdyno ends a server.

use libtest_mimic::Trial;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use server::PostgresSpec;

use crate::host::Host;
use crate::lab::{Lab, debian, trial};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("kill_9_of_pgdyno_leaves_no_process_socket_or_data", killed_host),
        trial("kill_9_of_pgdyno_while_the_cluster_is_created_leaves_nothing", killed_early),
        trial("kill_9_of_the_supervisor_ends_the_server_and_pgdyno_removes_the_rest", killed_supervisor),
        trial("what_kill_9_of_supervisor_and_pgdyno_leaves_is_known_and_cleared_away", killed_both),
        trial("signals_of_the_terminal_do_not_reach_the_server", terminal_signals),
        trial("a_target_that_is_dropped_takes_its_server_with_it", dropped),
        trial("a_start_that_is_given_up_leaves_nothing_behind_it", given_up),
        trial("a_server_that_was_killed_is_reported_and_cleaned_up", killed_server),
        trial("a_server_that_was_killed_leaves_no_shared_memory", killed_postmaster_leaves_no_shared_memory),
        trial("a_busy_backend_does_not_survive_its_killed_postmaster", busy_backend),
    ]
}

fn kill(pid: i32, signal: Signal) {
    kill_process(Pid::from_raw(pid).expect("a process id"), signal).expect("it runs");
}

async fn killed_host(lab: Lab) {
    let mut host = Host::start(&lab);
    host.traces.assert_present();
    host.process.kill().expect("it runs");
    host.process.wait().expect("it ends");
    host.traces.await_gone().await;
    assert_eq!(lab.content(), Vec::<String>::new());
}

async fn killed_early(lab: Lab) {
    use std::os::unix::process::CommandExt as _;
    let mut command = std::process::Command::new("/proc/self/exe");
    command.arg(crate::host::ARGUMENT).env_clear().envs(&lab.environment.variables).process_group(0);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut host = command.spawn().expect("the host starts");
    // initdb has begun once it has filled the data directory.
    let begun = || lab.content().iter().any(|name| lab.path().join(name).join("base").exists());
    while !begun() {
        assert_eq!(host.try_wait().expect("a child"), None, "the host ended early");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    host.kill().expect("it runs");
    host.wait().expect("it ends");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while !lab.content().is_empty() {
        assert!(std::time::Instant::now() < deadline, "still there: {:?}", lab.content());
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

async fn killed_supervisor(lab: Lab) {
    let mut host = Host::start(&lab);
    kill(host.supervisor(), Signal::KILL);
    let mut said = host.check();
    // The death has reached the host when it says so; until then a connection may still be accepted.
    while said == "alive" {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        said = host.check();
    }
    drop(host.orders.take());
    assert!(host.process.wait().expect("it ends").success());
    host.traces.assert_gone();
}

async fn killed_both(lab: Lab) {
    let mut host = Host::start(&lab);
    // Stopped, it cannot react to the end of the other.
    kill(host.supervisor(), Signal::STOP);
    host.process.kill().expect("it runs");
    host.process.wait().expect("it ends");
    kill(host.supervisor(), Signal::KILL);
    let journals = server::journal::journal_directory(&lab.environment).expect("a directory");
    // Killed, it still lives until it has died: what the living have made is nobody's leftover.
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    let found = loop {
        let found = server::journal::find_leftovers(&journals).expect("read");
        if !found.left.is_empty() {
            break found;
        }
        assert!(std::time::Instant::now() < deadline, "nothing is left: {:?}", found.unreadable);
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    };
    assert_eq!(found.left.len(), 1, "{:?}", found.unreadable);
    let settled: Vec<_> = found.left.into_iter().flat_map(server::journal::Leftovers::undo_changes).collect();
    assert!(settled.iter().all(|settled| settled.outcome == Ok(server::journal::Reversal::Restored)), "{settled:?}");
    host.traces.assert_gone();
    assert_eq!(lab.content(), Vec::<String>::new());
}

async fn killed_postmaster_leaves_no_shared_memory(lab: Lab) {
    let target = lab.start(debian(), &[]).await;
    let server = target.local_server().expect("a local server");
    let lock = std::fs::read_to_string(server.data_directory().join("postmaster.pid")).expect("the lock file");
    let segment = lock.lines().nth(6).and_then(|line| line.split_whitespace().nth(1)).expect("the segment").to_owned();
    let maps = std::fs::read_to_string(format!("/proc/{}/maps", server.postmaster_pid())).expect("its memory");
    let files =
        || maps.lines().filter_map(|line| line.split_whitespace().last()).filter(|it| it.starts_with("/dev/shm/"));
    assert!(files().count() > 0 && has_segment(&segment));
    kill(server.postmaster_pid().try_into().expect("small"), Signal::KILL);
    target.release_target().await.expect("cleaned up");
    let left: Vec<_> = files().filter(|file| std::path::Path::new(file).exists()).collect();
    assert_eq!(left, Vec::<&str>::new());
    assert!(!has_segment(&segment));
}

fn has_segment(id: &str) -> bool {
    let segments = std::fs::read_to_string("/proc/sysvipc/shm").expect("the segments");
    segments.lines().any(|line| line.split_whitespace().nth(1) == Some(id))
}

async fn terminal_signals(lab: Lab) {
    let mut host = Host::start(&lab);
    let group = Pid::from_raw(host.process.id().try_into().expect("small")).expect("a process id");
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        kill_process_group(group, signal).expect("the group exists");
        kill(host.supervisor(), signal);
        assert_eq!(host.check(), "alive", "after {signal:?}");
    }
    drop(host.orders.take());
    assert!(host.process.wait().expect("it ends").success());
    host.traces.assert_gone();
    assert_eq!(lab.content(), Vec::<String>::new());
}

async fn dropped(lab: Lab) {
    let target = lab.start(debian(), &[]).await;
    let traces = lab.traces(&target);
    traces.assert_present();
    drop(target);
    traces.assert_gone();
}

async fn given_up(lab: Lab) {
    // Whatever it was about to do, it does not do it afterwards: its directory may be gone by then.
    for patience_ms in [0, 5, 10, 20, 40, 80, 160] {
        let patience = std::time::Duration::from_millis(patience_ms);
        let outcome = tokio::time::timeout(patience, lab.acquire(&PostgresSpec::Local(debian()), &[])).await;
        drop(outcome);
        assert_eq!(lab.content(), Vec::<String>::new(), "given up after {patience:?}");
    }
}

async fn killed_server(lab: Lab) {
    let target = lab.start(debian(), &[]).await;
    let traces = lab.traces(&target);
    let server = target.local_server().expect("a local server");
    kill(server.postmaster_pid().try_into().expect("small"), Signal::KILL);
    let ended = server.wait_for_end().await;
    assert_eq!(ended.to_string(), "the server ended");
    assert!(ended.detail().expect("its status").starts_with("signal: 9 (SIGKILL)"), "{ended:?}");
    let error = target.check_alive().await.expect_err("it is dead");
    assert_eq!(error.primary_message(), "target \"t\": the server ended");
    target.release_target().await.expect("cleaned up");
    traces.assert_gone();
}

async fn busy_backend(lab: Lab) {
    let target = lab.start(debian(), &[]).await;
    let traces = lab.traces(&target);
    let client = target.connect_control().await.expect("connects");
    let pid: i32 = client.query_one("SELECT pg_backend_pid()", &[]).await.expect("a row").get(0);
    // Uninterrupted by anything that would notice the death of the postmaster.
    let busy = tokio::spawn(async move {
        client.batch_execute("SELECT pg_sleep(0), count(*) FROM generate_series(1, 10000000000)").await
    });
    // A stopped process notices nothing at all.
    kill(pid, Signal::STOP);
    kill(target.local_server().expect("local").postmaster_pid().try_into().expect("small"), Signal::KILL);
    target.release_target().await.expect("cleaned up");
    traces.assert_gone();
    assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists());
    assert!(busy.await.expect("no panic").is_err());
}
