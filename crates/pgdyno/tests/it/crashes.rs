//! pgdyno killed in the middle of a trial, and runs that are gone on with: what was measured stays, to the last second.

use std::fs;
use std::path::Path;

use rustix::process::Signal;

use crate::lab::Lab;
use crate::run_view::RunView;
use testbed::{Postgres, newest_version};

#[test]
fn kill_9_in_a_trial_loses_nothing_that_was_written_and_leaves_no_server() {
    let lab = Lab::new();
    let local = format!("{{ local: {{ bin: {} }} }}", newest_version().display());
    lab.write(
        "plan.yaml",
        format!(
            "name: Killed\ntargets:\n  one: {local}\n  two: {local}\nbaseline: one\n\
             workloads: {{ write: {{ think: 5ms, builtin: simple-update, scale: 1 }} }}\nclients: [2]\n\
             trial: {{ warm_up: 1s, measure: 2s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n"
        ),
    );
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("two seconds of trial 2", |_| {
        lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 2, 2))
    });
    let traces = pgdyno.traces();
    assert_eq!(traces.servers(), 2);
    pgdyno.signal(Signal::KILL);
    pgdyno.end().was_killed();
    traces.await_gone();
    lab.assert_no_temporary_data();

    let run = lab.run();
    assert_eq!(run.completed(), [1]);
    assert_eq!(run.dir().unfinished_trials().expect("listed"), [2]);
    let seconds = run.dir().trial_intervals(2).expect("the seconds of a torn trial");
    assert!(seconds.len() >= 2, "{}", seconds.len());
    let logged: u64 = run.dir().latency_log(2).expect("its latency log").iter().map(|i| i.histogram.len()).sum();
    assert_eq!(logged, seconds.iter().map(|second| second.transactions).sum::<u64>());
    lab.pgdyno(&format!("report {}", run.path().display())).exits(0);

    let first = run.files("trials/1");
    lab.pgdyno(&format!("resume {}", run.path().display())).measured();
    assert_eq!(run.completed(), [1, 2]);
    assert_eq!(run.files("trials/1"), first, "the finished trial is as it was");
    let aside =
        fs::read_to_string(run.path().join("trials/2.aside-1/intervals.jsonl")).expect("the torn trial is kept");
    assert!(aside.lines().count() >= 2);
}

#[test]
fn a_damaged_trial_is_named_with_a_remedy_that_works() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("plan.yaml", one_target(&server));
    lab.pgdyno("run plan.yaml").exits(0);
    let run = lab.run();
    let [path, trial] = [run.path().to_owned(), run.path().join("trials/1")].map(|path| path.display().to_string());
    let commands = ["report --format terminal", "compare", "resume"];
    for (file, content) in [("trial.json", "{\n"), ("intervals.jsonl", "{\n")] {
        let whole = fs::read(run.path().join("trials/1").join(file)).expect("a file of the trial");
        fs::write(run.path().join("trials/1").join(file), content).expect("written");
        for command in commands {
            let move_it = format!("`mv {trial} {trial}.damaged`");
            let ended = lab.pgdyno(&format!("{command} {path}"));
            ended.exits(3).says(&[&format!("{trial}/{file}"), &move_it, &format!("`pgdyno resume {path}`")]);
        }
        fs::write(run.path().join("trials/1").join(file), whole).expect("written");
    }
    fs::write(run.path().join("trials/1/trial.json"), "").expect("written");
    fs::rename(&trial, format!("{trial}.damaged")).expect("moved");
    lab.pgdyno(&format!("resume {path}")).exits(0);
    assert!(run.completed().contains(&1));
}

#[test]
fn a_run_is_written_by_one_pgdyno_at_a_time_and_a_finished_one_has_nothing_left_to_do() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("plan.yaml", one_target(&server));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("measures", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 1)));
    let name = lab.run().path().file_name().expect("a name").to_string_lossy().into_owned();
    let resume = format!("resume runs/{name}");
    lab.pgdyno(&resume).exits(3).says(&["another pgdyno"]);
    for command in ["compare", "report --format terminal"] {
        let so_far = lab.pgdyno(&format!("{command} runs/{name}"));
        assert!(so_far.measured().stdout.contains("the run is being measured"), "{so_far}");
        assert!(!so_far.stdout.contains("resume"), "{so_far}");
    }
    let first = pgdyno.end();
    first.exits(0);

    let trials = lab.run().files("trials");
    let again = lab.pgdyno(&resume);
    again.exits(0);
    assert_eq!(again.stdout, first.stdout, "the verdict is printed again");
    assert_eq!(lab.run().files("trials"), trials, "nothing was measured again");
}

#[test]
fn a_run_does_not_go_on_with_a_server_that_has_changed() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("plan.yaml", one_target(&server));
    lab.pgdyno("run plan.yaml").exits(0);
    let run = lab.run();
    let resume = format!("resume {}", run.path().display());
    server.query_postgres("ALTER SYSTEM SET work_mem = '11MB'");
    server.query_postgres("SELECT pg_reload_conf()");
    server.await_that("SELECT current_setting('work_mem') = '11MB'");
    lab.pgdyno(&resume).exits(3).says(&["\"it\"", "work_mem", "11MB"]);
    server.query_postgres("ALTER SYSTEM RESET work_mem");
    server.query_postgres("SELECT pg_reload_conf()");
    server.await_that("SELECT current_setting('work_mem') = '4MB'");
    lab.pgdyno(&resume).exits(0);

    edit(&run.path().join("targets/it.json"), "PostgreSQL 1", "PostgreSQL 9");
    lab.pgdyno(&resume).exits(3).says(&["\"it\"", "version", "PostgreSQL 9"]);
}

#[test]
fn a_damaged_or_newer_run_is_refused_by_the_file() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("plan.yaml", one_target(&server));
    lab.pgdyno("run plan.yaml").exits(0);
    let run = lab.run();
    let path = run.path().display().to_string();
    edit(&run.path().join("trials/1/trial.json"), "\"format\": 4", "\"format\": 99");
    for command in ["report", "compare", "resume"] {
        lab.pgdyno(&format!("{command} {path}")).exits(3).says(&["trials/1/trial.json", "format 99"]);
    }
    edit(&run.path().join("trials/1/trial.json"), "\"format\": 99", "\"format\": 4");
    edit(&run.path().join("run.json"), "\"schedule\"", "\"schedul\"");
    lab.pgdyno(&format!("report {path}")).exits(3).says(&["run.json", "schedule"]);
}

fn one_target(server: &Postgres) -> String {
    format!(
        "name: One\ntargets:\n  it: {{ url: \"{}\" }}\nbaseline: it\n\
         workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [2]\n\
         trial: {{ warm_up: 0s, measure: 2s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n",
        server.socket_conninfo()
    )
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).expect("read");
    assert!(text.contains(from), "{from:?} in {}", path.display());
    fs::write(path, text.replacen(from, to, 1)).expect("written");
}
