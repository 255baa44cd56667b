//! Servers that fail while they are measured: outages are recorded and not compared, a server that stays away ends the
//! run, and whatever was finished stays.

use rustix::process::{Pid, Signal, kill_process};

use judge::caveats::Caveat;
use results::interval::Reading;
use results::trial::TrialOutcome;

use crate::lab::Lab;
use crate::process::Program;
use crate::run_view::RunView;
use testbed::{Postgres, Setup, newest_version};

/// The same server twice; `measure` leaves time for a fault.
fn plan(server: &Postgres, measure: &str) -> String {
    let side = format!("{{ url: \"{}\" }}", server.tcp_url());
    format!(
        "name: Faults\ntargets:\n  one: {side}\n  two: {side}\nbaseline: one\n\
         workloads: {{ write: {{ think: 5ms, builtin: tpcb-like, scale: 1 }} }}\nclients: [2]\n\
         trial: {{ warm_up: 0s, measure: {measure} }}\nblocks: {{ at_least: 1, at_most: 1 }}\n"
    )
}

#[test]
fn a_server_that_restarts_in_a_trial_gives_outages_and_the_block_is_not_compared() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("plan.yaml", plan(&server, "6s"));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("a second of trial 1", |_| under_way(&lab, 1));
    server.kill_processes();
    pgdyno.await_that("a second without its clients", |_| {
        let seconds = lab.run().dir().trial_intervals(1).expect("seconds");
        seconds.iter().any(|second| second.clients_out == 2)
    });
    server.start_again();
    let ended = pgdyno.end();
    ended.exits(4).prints(&["onnection", "trial 1"]);

    let run = lab.run();
    let trials = run.trials();
    assert_eq!(run.completed(), [1, 2], "the run goes on");
    let outages = &trials[0].load.as_ref().expect("figures").outages;
    assert!(!outages.is_empty(), "{:?}", trials[0]);
    for outage in outages {
        assert!(outage.start_us > 0 && outage.end_us.is_some_and(|end| end > outage.start_us), "{outage:?}");
        assert!(!outage.cause.is_empty(), "{outage:?}");
    }
    let caveats = run.caveats(1);
    assert!(caveats.iter().any(|caveat| matches!(caveat, Caveat::Outages { .. })), "{caveats:?}");
    assert!(trials[1].load.as_ref().expect("figures").outages.is_empty());
    let json = lab.pgdyno(&format!("compare {} --json", run.path().display())).json();
    let blocks = json["comparisons"][0]["blocks"].as_array().cloned().unwrap_or_default();
    assert!(blocks.iter().all(|block| block["change"].is_null()), "an outage is compared: {blocks:?}");
    let seconds = run.dir().trial_intervals(1).expect("seconds");
    assert_eq!(seconds.len(), 6, "the trial is as long as planned");
    assert_eq!(seconds[5].clients_out, 0, "its clients came back");
    let read: Vec<bool> = seconds.iter().map(|s| matches!(s.probes["pg.database"], Reading::Values { .. })).collect();
    assert!(read.contains(&false), "an outage is a gap in the probes, too");
    assert!(read[0], "it was read before the outage");
}

#[test]
fn sessions_that_an_administrator_ends_are_outages_in_the_server_s_words() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("plan.yaml", plan(&server, "2s"));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("a second of trial 1", |_| under_way(&lab, 1));
    server.query_postgres(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pgdyno-load'",
    );
    pgdyno.end().exits(4);
    let trials = lab.run().trials();
    let outages = &trials[0].load.as_ref().expect("figures").outages;
    assert_eq!(outages.len(), 2, "one of each client: {outages:?}");
    assert!(outages.iter().all(|outage| outage.cause.contains("57P01")), "{outages:?}");
}

#[test]
fn a_name_that_leads_elsewhere_since_is_asked_for_again() {
    if !testbed::is_root() {
        eprintln!("skipped: only root can have names of its own");
        return;
    }
    let lab = Lab::new();
    let settings = "listen_addresses = '127.0.0.2,127.0.0.3'".to_owned();
    let server =
        Setup { settings, hba: "local all all trust\nhost all all 127.0.0.0/8 trust\n".to_owned(), ..Setup::default() }
            .start_server();
    server.query_postgres("CREATE TABLE seen (address inet, UNIQUE (address))");
    let names = lab.write("hosts", "127.0.0.2 db.test\n");
    lab.write("note.sql", "INSERT INTO seen VALUES (inet_server_addr()) ON CONFLICT DO NOTHING;\n");
    let bench = format!(
        "mount --bind {} /etc/hosts && exec {} bench -C -n -T 120 -f note.sql 'host=db.test port={} user=postgres'",
        names.display(),
        env!("CARGO_BIN_EXE_pgdyno"),
        server.tcp_port()
    );
    let mut pgdyno = Program::new(&lab, "unshare").arguments(["--mount", "sh", "-c", &bench]).start();
    let has_seen = |address: &str| {
        let sql = format!("SELECT count(*) = 1 FROM seen WHERE address = '{address}'");
        server.query_postgres(&sql) == "t"
    };
    pgdyno.await_that("a transaction at the first address", |_| has_seen("127.0.0.2"));
    lab.write("hosts", "127.0.0.3 db.test\n");
    pgdyno.await_that("a transaction at the second address", |_| has_seen("127.0.0.3"));
}

#[test]
fn a_trial_in_which_every_transaction_fails_is_no_figure() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    server.query_postgres("CREATE ROLE bench LOGIN; GRANT ALL ON SCHEMA public TO bench");
    let plan = plan(&server, "2s").replace("tpcb-like", "select-only").replace("postgres@", "bench@");
    let plan = format!("{plan}interleave: trials\n");
    lab.write("plan.yaml", plan);
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("a second of trial 1", |_| under_way(&lab, 1));
    // Prepared without complaint, refused in every execution.
    server.query_postgres("CREATE POLICY refuse ON pgbench_accounts USING (1 / (abalance - abalance) > 0)");
    server.query_postgres("ALTER TABLE pgbench_accounts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY");
    let ended = pgdyno.end();
    let trials = lab.run().trials();
    // Which side is measured last, and fails all the time, is the seed's.
    let is_candidate = trials[1].cell.target == "two";
    ended.exits(i32::from(is_candidate)).prints(&["all ", "SQLSTATE 22012: division by zero"]);
    let load = trials[1].load.as_ref().expect("figures");
    assert_eq!((load.transactions, load.latency), (0, None));
    assert!(load.failed > 0 && load.errors.get("22012") == Some(&load.failed), "{load:?}");
}

#[test]
fn a_server_that_stays_away_ends_the_run_and_resume_goes_on_when_it_is_back() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("plan.yaml", plan(&server, "2s"));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("a second of trial 2", |_| under_way(&lab, 2));
    server.kill_processes();
    pgdyno.end().exits(3).says(&["trial 2", "resume"]);
    let run = lab.run();
    assert_eq!(run.completed(), [1]);
    let first = run.files("trials/1");
    lab.pgdyno(&format!("resume {}", run.path().display())).exits(3).says(&["refused"]);

    server.start_again();
    lab.pgdyno(&format!("resume {}", run.path().display())).measured();
    assert_eq!(run.completed(), [1, 2]);
    assert_eq!(run.files("trials/1"), first, "the finished trial is as it was");
    assert!(
        run.names("trials").contains(&"2.aside-1".to_owned()),
        "the failed trial is kept: {:?}",
        run.names("trials")
    );
}

#[test]
fn a_server_that_falls_silent_does_not_hang_the_run() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("plan.yaml", plan(&server, "2s").replace("/postgres\"", "/postgres?connect_timeout=2\""));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("a second of trial 1", |_| under_way(&lab, 1));
    let frozen = server.freeze_processes();
    pgdyno.end().exits(3).says(&["trial 1", "no answer"]);
    drop(frozen);
    assert_eq!(lab.run().completed(), Vec::<u32>::new());
    lab.pgdyno(&format!("resume {}", lab.run().path().display())).measured();
    assert_eq!(lab.run().completed(), [1, 2]);
}

#[test]
fn a_local_server_that_is_killed_ends_the_run_and_leaves_nothing() {
    let lab = Lab::new();
    let local = format!("{{ local: {{ bin: {} }} }}", newest_version().display());
    lab.write(
        "plan.yaml",
        format!(
            "name: Killed\ntargets:\n  it: {local}\nbaseline: it\n\
             workloads: {{ write: {{ think: 5ms, builtin: tpcb-like, scale: 1 }} }}\nclients: [2]\n\
             trial: {{ warm_up: 0s, measure: 2s }}\nblocks: {{ at_least: 2, at_most: 2 }}\n"
        ),
    );
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("a second of trial 2", |_| under_way(&lab, 2));
    let traces = pgdyno.traces();
    let postmasters: Vec<u32> = traces.postmasters().collect();
    let [postmaster] = postmasters.as_slice() else { panic!("one server: {postmasters:?}") };
    let postmaster = Pid::from_raw((*postmaster).try_into().expect("small")).expect("not zero");
    kill_process(postmaster, Signal::KILL).expect("it runs");
    pgdyno.end().exits(3).says(&["trial 2", "server ended", "resume"]);
    traces.assert_gone();
    lab.assert_no_temporary_data();
    let run = lab.run();
    let outcomes: Vec<_> = run.trials().iter().map(|trial| trial.outcome == TrialOutcome::Completed).collect();
    assert_eq!(outcomes, [true, false]);
    lab.pgdyno(&format!("report {}", run.path().display())).exits(0);
    lab.pgdyno(&format!("resume {}", run.path().display())).measured();
    assert_eq!(run.completed(), [1, 2]);
}

/// Whether a trial of the lab's run has written a second and is not over.
fn under_way(lab: &Lab, trial: u32) -> bool {
    lab.runs().first().is_some_and(|run| RunView::has_seconds(run, trial, 1))
}
