//! The agent on a target's host: what it reads stands in the run as if pgdyno had read it; lost, it leaves gaps with a
//! reason and the trial goes on; what is wrong with the way to it is said before anything is measured.

use std::ffi::OsString;
use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;

use results::interval::Reading;
use results::trial::TrialOutcome;
use rustix::process::{Pid, Signal, kill_process};

use crate::lab::{Lab, PGDYNO};
use crate::process::{Program, Running};
use crate::run_view::RunView;
use testbed::Postgres;

/// A plan with one target whose host is read by an agent.
fn plan(lab: &Lab, server: &Postgres, agent: &str, measure: &str) {
    let text = format!(
        "name: From afar\ntargets: {{ far: {{ url: \"{}\", agent: {{ {agent} }} }} }}\nbaseline: far\n\
         workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [2]\n\
         trial: {{ warm_up: 0s, measure: {measure} }}\nblocks: {{ at_least: 1, at_most: 1 }}\n",
        server.tcp_url()
    );
    lab.write("plan.yaml", text);
}

/// A shell's command that leaves the agent's process id in `agent.pid`.
fn noted() -> String {
    format!("command: \"echo $$ > agent.pid; echo welcome to this host; exec {PGDYNO} agent --stdio\"")
}

fn is_gap(reading: &Reading) -> bool {
    matches!(reading, Reading::Gap { .. })
}

#[test]
fn what_an_agent_reads_is_the_host_of_its_target() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    plan(&lab, &server, &noted(), "2s");
    lab.pgdyno("run plan.yaml").measured();
    let run = lab.run();
    let facts = run.dir().target_facts().expect("facts").remove("far").expect("of the target");
    assert!(facts.path.round_trip_us.is_some(), "{:?}", facts.gaps);
    let about = facts.agent.expect("an agent");
    // On one machine there is one clock.
    assert!(about.clock_offset_us.unsigned_abs() <= about.round_trip_us, "{about:?}");
    assert!(
        facts.host.is_some_and(|host| host.data_disk.is_some() && host.kernel_settings.contains_key("vm.swappiness"))
    );
    let seconds = run.dir().trial_intervals(1).expect("seconds");
    let last = seconds.last().expect("a second");
    for probe in ["host.cpu", "host.server", "host.cgroup", "host.foreign"] {
        assert!(last.probes.get(probe).is_some_and(|reading| !is_gap(reading)), "{probe}: {:?}", last.probes);
    }
    let Reading::Values { values, .. } = &last.probes["host.server"] else { unreachable!("it has values") };
    assert!(values["backends"] >= 2.0, "{values:?}");
}

#[test]
fn a_killed_agent_leaves_gaps_with_the_reason_and_the_trial_goes_on() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    plan(&lab, &server, &noted(), "4s");
    let mut running = lab.start("run plan.yaml");
    running.await_that("two seconds", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 2)));
    let pid = fs::read_to_string(lab.path().join("agent.pid")).expect("its process id");
    let pid = pid.trim().parse().ok().and_then(Pid::from_raw).expect("a process id");
    kill_process(pid, Signal::KILL).expect("it was there");
    running.end().measured();
    let run = lab.run();
    assert_eq!(run.trials()[0].outcome, TrialOutcome::Completed);
    let seconds = run.dir().trial_intervals(1).expect("seconds");
    assert!(!is_gap(&seconds[0].probes["host.cpu"]), "{:?}", seconds[0].probes);
    let last = seconds.last().expect("a second");
    let Reading::Gap { gap, .. } = &last.probes["host.cpu"] else { panic!("a reading of a dead agent: {last:?}") };
    assert!(gap.contains("the agent has ended"), "{gap}");
    assert!(!is_gap(&last.probes["pg.database"]), "{:?}", last.probes);
}

#[test]
fn a_reading_that_is_late_is_kept_over_its_longer_time() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    // The sixteenth line of each conversation is a reading: greeting, facts, eight answers about the clock, the first
    // snapshot and its reading come before.
    let script = lab.write(
        "late.sh",
        format!(
            "{PGDYNO} agent --stdio | while IFS= read -r line; do n=$((n+1)); [ $n != 16 ] || sleep 1.3; printf '%s\\n' \"$line\"; done\n"
        ),
    );
    plan(&lab, &server, &format!("command: \"sh {}\"", script.display()), "8s");
    lab.pgdyno("run plan.yaml").measured();
    let seconds = lab.run().dir().trial_intervals(1).expect("seconds");
    let (mut late, mut covered_us, mut measured_us) = (0, 0, 0);
    for second in &seconds {
        measured_us += second.duration_us;
        match &second.probes["host.cpu"] {
            Reading::Values { over_us, .. } => covered_us += over_us,
            Reading::Gap { gap, .. } => late += u32::from(gap.contains("includes this second")),
        }
    }
    assert!(late >= 1, "{seconds:?}");
    // The last second's may be later than the end.
    assert!(covered_us as f64 > 0.75 * measured_us as f64, "{covered_us} of {measured_us} us, {late} late");
}

#[test]
fn what_is_wrong_with_the_way_to_an_agent_is_said_before_anything_is_measured() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let refused = |agent: &str, says: &[&str]| {
        plan(&lab, &server, agent, "1s");
        lab.pgdyno("run plan.yaml").exits(3).says(&["target \"far\": could not start its agent"]).says(says);
        let trials = lab.runs().iter().map(|run| RunView::open(run).trials().len()).sum::<usize>();
        assert_eq!(trials, 0, "{agent}");
    };
    refused("command: \"/no/such/pgdyno agent --stdio\"", &["not found", "pgdyno agent --stdio"]);
    let other = r#"command: 'echo "{\"number\":0,\"answer\":\"hello\",\"protocol\":99,\"version\":\"9.9\"}"; cat'"#;
    refused(other, &["pgdyno 9.9 with agent protocol 99", "install pgdyno"]);
    if std::process::Command::new("ssh").arg("-V").output().is_err() {
        eprintln!("skipped: there is no ssh");
        return;
    }
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr()).expect("a port");
    refused(&format!("ssh: \"ssh://{free}\""), &["Connection refused", "check host and port"]);
}

/// A real ssh server on a port of its own, which takes a key of its own; it ends with its test.
///
/// It is dropbear, since no service comes with its package, in a mount namespace where root's home is the lab: it reads
/// the keys that may log in from there.
pub(crate) struct SshServer {
    _running: Running,
}

impl SshServer {
    pub(crate) fn start(lab: &Lab) -> Self {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
        let port = free.expect("a free port").port();
        let of = |name: &str| lab.path().join(name).display().to_string();
        Program::new(lab, "ssh-keygen").arguments(["-q", "-t", "ed25519", "-N", "", "-f", "user-key"]).end().exits(0);
        Program::new(lab, "dropbearkey").arguments(["-t", "ed25519", "-f", "host-key"]).end().exits(0);
        fs::create_dir(of(".ssh")).expect("made");
        fs::copy(of("user-key.pub"), of(".ssh/authorized_keys")).expect("copied");
        let users = fs::read_to_string("/etc/passwd").expect("the users");
        let at_home = |user: &str| match user.split(':').collect::<Vec<_>>()[..] {
            ["root", password, uid, gid, about, _, shell] => {
                ["root", password, uid, gid, about, &lab.path().to_string_lossy(), shell].join(":")
            }
            _ => user.to_owned(),
        };
        lab.write("passwd", users.lines().map(at_home).collect::<Vec<_>>().join("\n") + "\n");
        let client = format!(
            "Host far\nHostName 127.0.0.1\nPort {port}\nUser root\nIdentityFile {}\nStrictHostKeyChecking accept-new\n\
             UserKnownHostsFile {}\n",
            of("user-key"),
            of("known-hosts")
        );
        lab.write("ssh_config", client);
        // ssh takes the home directory from the list of users, so that only an option names another configuration.
        lab.write("ssh", format!("#!/bin/sh\nexec /usr/bin/ssh -F {} \"$@\"\n", of("ssh_config")));
        fs::set_permissions(of("ssh"), fs::Permissions::from_mode(0o755)).expect("set");
        let server = format!(
            "mount --bind {} /etc/passwd && exec dropbear -F -E -s -r {} -P {} -p 127.0.0.1:{port}",
            of("passwd"),
            of("host-key"),
            of("ssh.pid")
        );
        let mut running = Program::new(lab, "unshare").arguments(["--mount", "sh", "-c", &server]).start();
        running.await_saying("Not backgrounding");
        running.await_that("its port", |_| TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok());
        Self { _running: running }
    }

    /// A PATH on which `ssh` is the one that knows it.
    pub fn path(lab: &Lab) -> OsString {
        let others = std::env::var_os("PATH").expect("a PATH");
        let all = std::iter::once(lab.path().to_owned()).chain(std::env::split_paths(&others));
        std::env::join_paths(all).expect("a PATH")
    }
}

#[test]
fn an_agent_over_a_real_ssh_reads_the_host_as_any_other_does() {
    if !testbed::is_root() {
        eprintln!("skipped: an ssh server that logs in needs root");
        return;
    }
    let lab = Lab::new();
    let server = Postgres::start_default();
    let _ssh = SshServer::start(&lab);
    plan(&lab, &server, &format!("ssh: far, pgdyno: {PGDYNO}"), "2s");
    let run = Program::new(&lab, PGDYNO).arguments(["run", "plan.yaml"]).env("PATH", SshServer::path(&lab));
    run.end().measured();
    let run = lab.run();
    let about = run.dir().target_facts().expect("facts").remove("far").expect("of the target").agent.expect("an agent");
    assert!(about.clock_offset_us.unsigned_abs() <= about.round_trip_us, "{about:?}");
    let seconds = run.dir().trial_intervals(1).expect("seconds");
    let reading = &seconds.last().expect("a second").probes["host.cpu"];
    assert!(!is_gap(reading), "{reading:?}");
}
