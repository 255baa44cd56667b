//! Runs that are found: the link to the newest, commands without a run, reports as files, and the list.

use std::fs;
use std::path::Path;

use results::failure::{self, RunFailure};

use crate::lab::{BRIEF, Lab};
use crate::run_view::RunView;
use testbed::Postgres;

fn plan(url: &str) -> String {
    format!(
        "name: Found\ntargets: {{ it: {{ url: \"{url}\" }} }}\nbaseline: it\n\
         workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: 1\n{BRIEF}"
    )
}

#[test]
fn commands_without_a_run_take_the_latest_and_say_which() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    for command in ["report", "diagnose", "compare", "resume"] {
        lab.pgdyno(command).exits(2).says(&["the directory runs has no run"]);
    }
    lab.write("plan.yaml", plan(&server.tcp_url()));
    let link = lab.path().join("runs/latest");
    let mut leads_to = Vec::new();
    for _ in 0..2 {
        lab.pgdyno("run plan.yaml").exits(0).says(&["run directory: runs/"]);
        leads_to.push(fs::read_link(&link).expect("a link"));
    }
    let newest = lab.runs().pop().expect("two runs");
    assert_eq!(leads_to[1], Path::new(newest.file_name().expect("a name")));
    assert_ne!(leads_to[0], leads_to[1]);
    let said = format!("latest run: runs/{}", leads_to[1].display());
    lab.pgdyno("report").exits(0).says(&[&said]).prints(&["interleaved blocks", "Report: runs/"]);
    lab.pgdyno("diagnose").exits(0).says(&[&said]);
    lab.pgdyno("compare").exits(0).says(&[&said]).prints(&["Report: runs/"]);
    lab.pgdyno("resume").exits(0).says(&[&said]);
    assert_eq!(lab.pgdyno("report --quiet").exits(0).stderr, "");
    lab.pgdyno("report runs/latest --format summary").exits(0).prints(&["### Found"]);

    // A start that failed leaves no directory, and the link where it was.
    lab.write("plan.yaml", plan(&server.tcp_url().replace("postgres@", "nobody@")));
    lab.pgdyno("run plan.yaml").exits(3);
    assert_eq!((lab.runs().len(), fs::read_link(&link).expect("a link")), (2, leads_to[1].clone()));
}

#[test]
fn a_run_writes_the_reports_that_are_asked_for() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    lab.write("plan.yaml", plan(&server.tcp_url()));
    lab.pgdyno("run plan.yaml --report junit=out.xml,summary=out.md --report csv=out.csv").exits(0);
    let of = |name: &str| fs::read_to_string(lab.path().join(name)).expect(name);
    assert!(of("out.xml").contains("<testsuite"));
    assert!(of("out.md").starts_with("### Found"));
    assert!(of("out.csv").contains(','));
    lab.pgdyno("run plan.yaml --report pdf=out.pdf").exits(2).says(&["\"pdf\" is not a format", "junit"]);
    assert_eq!(lab.runs().len(), 1);
}

#[test]
fn a_list_tells_complete_interrupted_running_and_failed_apart() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    lab.write("plan.yaml", plan(&server.tcp_url()));
    lab.pgdyno("run plan.yaml").exits(0);
    let run = lab.run();
    let state = || lab.pgdyno("list --json").json()[0]["state"].as_str().map(str::to_owned);
    assert_eq!(state().as_deref(), Some("complete"));
    lab.pgdyno("list").exits(0).prints(&["  complete ", "   1 trial ", "runs/"]);

    let failure = RunFailure {
        format: failure::FORMAT,
        failed_at: "2026-11-20T09:12:00Z".parse().expect("an instant"),
        reason: "the server is gone".to_owned(),
    };
    run.dir().write_failure(&failure).expect("written");
    lab.pgdyno("list").exits(0).prints(&["  failed ", "\n    the server is gone\n"]);
    // Who goes on with a run takes its lock, and then removes the reason.
    let lock = run.dir().lock_directory().expect("the run's lock");
    assert_eq!(state().as_deref(), Some("failed"));
    run.dir().clear_failure().expect("removed");
    assert_eq!(state().as_deref(), Some("running"));
    drop(lock);
    lab.pgdyno("resume").exits(0);
    assert_eq!(state().as_deref(), Some("complete"), "a run that goes on has not failed");

    fs::rename(run.path().join("trials/1"), run.path().join("trials/1.partial")).expect("renamed");
    assert_eq!(state().as_deref(), Some("unfinished"));
    lab.pgdyno("list nowhere").exits(2).says(&["nowhere is not a directory"]);
    assert_eq!(RunView::open(run.path()).completed(), Vec::<u32>::new());
}
