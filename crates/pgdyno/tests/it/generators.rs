//! The load from another host by ssh: what it measured stands in the run as if it had been sent from here; a generator
//! that is lost takes its trial with it, by name; what is wrong with the way to it is said before anything is measured.

use std::fs;
use std::net::ToSocketAddrs as _;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use results::load_place::GeneratorPlace;
use results::trial::{Trial, TrialOutcome};
use rustix::process::{Pid, Signal, kill_process};
use testbed::{Postgres, Setup};

use crate::agent::SshServer;
use crate::lab::{Lab, PGDYNO};
use crate::process::Program;
use crate::run_view::RunView;

pub(crate) const PASSWORD: &str = "correct-horse-battery";

/// What this machine is called, where that leads to it and is not the word for every machine itself.
pub(crate) fn own_name() -> Option<String> {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let leads_here = (name.as_str(), 0).to_socket_addrs().is_ok_and(|mut all| all.any(|at| at.ip().is_loopback()));
    if !leads_here {
        eprintln!("skipped: {name} is no name of the loopback interface");
    }
    leads_here.then_some(name)
}

/// An ssh that goes nowhere, and writes down what it was told and which process it became, by host. What is said by the
/// host `torn` ends in the middle of a line.
pub(crate) fn with_ssh(lab: &Lab) -> std::ffi::OsString {
    let script = format!(
        "#!/bin/sh\nfor one; do host=$last; last=$one; done\necho \"$*\" >> {0}/ssh.log\n\
         echo $$ > {0}/generator.pid\necho $$ > {0}/generator-$host.pid\n\
         if [ $host = torn ]; then sh -c \"$last\" | dd bs=1 count=12000 2>/dev/null; exit; fi\nexec sh -c \"$last\"\n",
        lab.path().display()
    );
    lab.write("ssh", script);
    fs::set_permissions(lab.path().join("ssh"), fs::Permissions::from_mode(0o755)).expect("set");
    with_own_programs(lab)
}

/// The programs of the lab before all others.
fn with_own_programs(lab: &Lab) -> std::ffi::OsString {
    let path = std::env::var_os("PATH").expect("a PATH");
    std::env::join_paths(std::iter::once(lab.path().to_owned()).chain(std::env::split_paths(&path))).expect("a PATH")
}

/// A plan whose load comes from `far`: two sides of one server that take turns reading, and write in trials of their
/// own.
fn plan(lab: &Lab, server: &Postgres, host: &str, more: &str) {
    let url = format!("host={host} port={} user=bench dbname=postgres sslmode=disable", server.tcp_port());
    lab.write(
        "plan.yaml",
        format!(
            "name: From afar\ntargets: {{ a: {{ url: \"{url}\" }}, b: {{ url: \"{url}\", settings: {{ work_mem: 8MB }} }} }}\n\
             baseline: a\ngenerators: {{ near: {{ ssh: far, pgdyno: {PGDYNO} }} }}\n{more}"
        ),
    );
}

const BOTH: &str = "workloads:\n  read: { think: 5ms, builtin: select-only, scale: 1 }\n  \
                    write: { think: 5ms, builtin: simple-update, scale: 1, ledger: true }\n  ours: { think: 5ms, script: [own.sql] }\nclients: [4]\n\
                    trial: { warm_up: 0s, measure: 2s }\nblocks: { at_least: 1, at_most: 1 }\n";

pub(crate) fn server() -> Postgres {
    let hba = "local all,replication all trust\nhost all all 127.0.0.1/32 scram-sha-256\n".to_owned();
    let server = Setup { hba, ..Setup::default() }.start_server();
    server.query_database("postgres", &format!("CREATE ROLE bench SUPERUSER LOGIN PASSWORD '{PASSWORD}'"));
    server
}

fn from(trial: &Trial) -> Option<&str> {
    Some(trial.load.as_ref()?.sent_from.as_ref()?.generator.as_str())
}

#[test]
fn a_load_from_another_host_is_measured_as_one_from_here_is() {
    let Some(name) = own_name() else { return };
    let (lab, server) = (Lab::new(), server());
    lab.write("own.sql", "\\set n random(1, 9)\nSELECT :n;\n");
    plan(&lab, &server, &name, BOTH);
    let path = with_ssh(&lab);
    let run = lab.program("run plan.yaml").env("PATH", path).env("PGPASSWORD", PASSWORD);
    run.end().measured();
    let run = lab.run();
    let facts = run.dir().load_place().expect("read").expect("it is another machine's load");
    assert_eq!(facts.place, GeneratorPlace::Ssh { destination: "far".to_owned() });
    assert!(facts.cpus > 0 && !facts.kernel.is_empty(), "{facts:?}");
    for (name, facts) in run.dir().target_facts().expect("facts") {
        assert!(facts.path.round_trip_us.is_some(), "{name}: {:?}", facts.gaps);
    }
    let trials = run.trials();
    assert_eq!(run.completed(), [1, 2, 3, 4, 5, 6]);
    for trial in &trials {
        let load = trial.load.as_ref().expect("figures");
        assert_eq!(from(trial), Some("near"), "trial {}", trial.number);
        assert!(load.transactions > 0 && load.failed == 0, "trial {}: {load:?}", trial.number);
        let seconds = run.dir().trial_intervals(trial.number).expect("seconds");
        let counted: u64 = seconds.iter().map(|second| second.transactions).sum();
        assert_eq!(counted, load.transactions, "trial {}: its seconds are the whole", trial.number);
        assert!(seconds.iter().all(|second| second.probes.contains_key("pg.database")), "it is observed as ever");
        // Of the own script the server says so.
        let reads = ["read", "ours"].contains(&trial.cell.workload.as_str());
        assert_eq!(trial.turns.is_some(), reads, "trial {}: sides that read take turns", trial.number);
        assert_eq!(reads, !run.dir().trial_turns(trial.number).expect("turns").is_empty(), "trial {}", trial.number);
        let ledger = load.ledger.as_ref().map(|ledger| (ledger.acknowledged > 0, ledger.lost));
        let expected = (trial.cell.workload == "write").then_some((true, 0));
        assert_eq!(ledger, expected, "trial {}: every acknowledged commit is there", trial.number);
    }
    let told = fs::read_to_string(lab.path().join("ssh.log")).expect("what ssh was told");
    assert!(told.contains("agent --stdio --load") && !told.contains(PASSWORD), "{told}");
    for (file, (_, content)) in run.files("") {
        let text = String::from_utf8_lossy(&content);
        assert!(!text.contains(PASSWORD), "the password is in {}", file.display());
    }
    let report = lab.pgdyno(&format!("report {} --format json", run.path().display())).exits(0).stdout.clone();
    assert!(report.contains("on far"), "{report}");
}

#[test]
fn a_generator_that_is_lost_takes_its_trial_with_it_by_name_and_the_run_can_go_on() {
    let Some(name) = own_name() else { return };
    let (lab, server) = (Lab::new(), server());
    let long = "workloads: { write: { think: 5ms, builtin: simple-update, scale: 1 } }\nclients: [2]\n\
                trial: { warm_up: 0s, measure: 4s }\nblocks: { at_least: 1, at_most: 1 }\n";
    plan(&lab, &server, &name, long);
    let path = with_ssh(&lab);
    let mut running = lab.program("run plan.yaml").env("PATH", &path).env("PGPASSWORD", PASSWORD).start();
    running.await_that("two seconds", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 2)));
    let pid = fs::read_to_string(lab.path().join("generator.pid")).expect("its process id");
    let pid = pid.trim().parse().ok().and_then(Pid::from_raw).expect("a process id");
    kill_process(pid, Signal::KILL).expect("it was there");
    running.end().exits(3).says(&["generator \"near\" was lost", "its connection broke"]);
    let run = lab.run();
    let TrialOutcome::Failed { error } = &run.trials()[0].outcome else { panic!("{:?}", run.trials()[0].outcome) };
    assert!(error.contains("generator \"near\" was lost"), "{error}");
    server.await_that("SELECT count(*) = 0 FROM pg_stat_activity WHERE usename = 'bench'");
    let resumed = lab.program(&format!("resume {}", run.path().display()));
    resumed.env("PATH", &path).env("PGPASSWORD", PASSWORD).end().measured();
    assert_eq!(lab.run().completed(), [1, 2]);
}

#[test]
fn a_ctrl_c_ends_the_second_under_way_there_too() {
    let Some(name) = own_name() else { return };
    let (lab, server) = (Lab::new(), server());
    let long = "workloads: { write: { think: 5ms, builtin: simple-update, scale: 1 } }\nclients: [2]\n\
                trial: { warm_up: 0s, measure: 60s }\nblocks: { at_least: 1, at_most: 1 }\n";
    plan(&lab, &server, &name, long);
    let mut running = lab.program("run plan.yaml").env("PATH", with_ssh(&lab)).env("PGPASSWORD", PASSWORD).start();
    running.await_that("two seconds", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 2)));
    running.signal(Signal::INT);
    running.end_within(Duration::from_secs(30)).says(&["continue with `pgdyno resume"]);
    let trials = lab.run().trials();
    assert_eq!(trials[0].outcome, TrialOutcome::Interrupted);
    assert!(trials[0].load.as_ref().is_some_and(|load| load.transactions > 0), "{:?}", trials[0].load);
    server.await_that("SELECT count(*) = 0 FROM pg_stat_activity WHERE usename = 'bench'");
}

#[test]
fn what_is_wrong_with_the_way_to_a_generator_is_said_before_anything_is_measured() {
    let Some(name) = own_name() else { return };
    let (lab, server) = (Lab::new(), server());
    lab.write("own.sql", "SELECT 1;\n");
    let path = with_ssh(&lab);
    let refused = |status: i32, says: &[&str]| {
        let run = lab.program("run plan.yaml").env("PATH", &path).env("PGPASSWORD", PASSWORD);
        run.end().exits(status).says(says);
        let trials = lab.runs().iter().map(|run| RunView::open(run).trials().len()).sum::<usize>();
        assert_eq!(trials, 0);
    };
    plan(&lab, &server, "localhost", BOTH);
    let this_machine = ["not reachable from generator \"near\"", "is a loopback address"];
    refused(2, &[&this_machine[..], &["set an address that is reachable from there"]].concat());
    plan(&lab, &server, &name, BOTH);
    let there = fs::read_to_string(lab.path().join("plan.yaml")).expect("the plan");
    lab.write("plan.yaml", there.replace(PGDYNO, "/no/such/pgdyno"));
    refused(3, &["could not start generator \"near\"", "not found", "/no/such/pgdyno"]);
    let other = "{\"hello\":{\"protocol\":9,\"version\":\"9.9\",\"cpus\":1,\"kernel\":\"k\",\"cpu_model\":null,\
                 \"io_uring_refused\":null}}";
    lab.write("ssh", format!("#!/bin/sh\necho welcome to this host\necho '{other}'\ncat >/dev/null\n"));
    plan(&lab, &server, &name, BOTH);
    refused(3, &["the generator is pgdyno 9.9, protocol 9", "install pgdyno"]);
}

#[test]
fn a_load_over_a_real_ssh_is_sent_as_any_other_is() {
    let Some(name) = own_name() else { return };
    if !testbed::is_root() {
        eprintln!("skipped: an ssh server that logs in needs root");
        return;
    }
    let (lab, server) = (Lab::new(), server());
    let _ssh = SshServer::start(&lab);
    let brief = "workloads: { write: { think: 5ms, builtin: simple-update, scale: 1 } }\nclients: [2]\n\
                 trial: { warm_up: 0s, measure: 2s }\nblocks: { at_least: 1, at_most: 1 }\n";
    plan(&lab, &server, &name, brief);
    let run = Program::new(&lab, PGDYNO).arguments(["run", "plan.yaml"]).env("PATH", with_own_programs(&lab));
    run.env("PGPASSWORD", PASSWORD).end().measured();
    assert!(lab.run().trials().iter().all(|trial| from(trial) == Some("near")));
}
