//! The page of a run: `run --serve` starts the process that serves it, which outlives the run and its Ctrl-C, and not
//! for ever; a port that is in use keeps the run from beginning.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use rustix::process::{Pid, Signal, getpgid, kill_process};

use crate::lab::{BRIEF, Lab};
use crate::process::{Ended, Running};
use testbed::Postgres;

fn plan(server: &Postgres, rest: &str) -> String {
    format!(
        "name: Looked at\ntargets:\n  it: {{ url: \"{}\" }}\nbaseline: it\n\
         workloads: {{ write: {{ think: 5ms, builtin: simple-update, scale: 1 }} }}\nclients: [1]\n{rest}",
        server.tcp_url()
    )
}

/// The page of a run, told from what the run has said; its process is killed with it.
struct Page {
    address: String,
    process: Pid,
}

impl Page {
    /// Waits until a run says where it is.
    #[track_caller]
    fn of(run: &mut Running) -> Self {
        run.await_saying("without a run in progress");
        Self::told(&run.said())
    }

    fn told(said: &str) -> Self {
        let line = said.lines().find_map(|line| line.strip_prefix("serving the run at ")).expect("an address");
        let (address, rest) = line.split_once(" (process ").expect("a process");
        let process = rest.split(';').next().and_then(|id| Pid::from_raw(id.parse().ok()?)).expect("an id");
        Self { address: address.to_owned(), process }
    }

    /// The answer to what is asked below the page's address; none when nobody listens there.
    fn get(&self, below: &str) -> Option<String> {
        let (authority, path) = self.address.strip_prefix("http://").and_then(|rest| rest.split_once('/'))?;
        let mut stream = TcpStream::connect(authority).ok()?;
        let request = format!("GET /{path}{below} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        Some(answer)
    }

    #[track_caller]
    fn has(&self, below: &str, text: &str) {
        let answer = self.get(below).unwrap_or_default();
        assert!(answer.contains(text), "no {text:?} at {below:?}: {answer:.900}");
    }

    /// Whichever it is, by whether it was stopped in a trial or between two.
    #[track_caller]
    fn shows_a_run_that_is_not_complete(&self) {
        let answer = self.get("report.json").unwrap_or_default();
        let states = ["\"state\":\"interrupted\"", "\"state\":\"unfinished\""];
        assert!(states.iter().any(|state| answer.contains(state)), "{answer:.900}");
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _gone = kill_process(self.process, Signal::KILL);
    }
}

#[test]
fn of_a_run_is_there_from_its_beginning_until_after_its_end() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    lab.write("plan.yaml", plan(&server, BRIEF));
    let mut run = lab.start("run plan.yaml --quiet --serve");
    let page = Page::of(&mut run);
    page.has("", "{\"served\":\"run\"}");
    let group = getpgid(Some(page.process)).expect("it lives");
    assert_eq!(group, page.process, "a Ctrl-C of the run does not reach it");
    let environment = std::fs::read_to_string(format!("/proc/{}/environ", group.as_raw_pid())).expect("its own");
    assert!(!environment.contains("PATH="), "it has what it needs and no password: {environment}");
    run.end().measured();
    page.has("report.json", "\"state\":\"complete\"");
    page.has("events", "event: end");
}

#[test]
fn outlives_a_ctrl_c_and_a_kill_of_the_run_and_shows_what_there_is() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    lab.write(
        "plan.yaml",
        plan(&server, "trial: { warm_up: 0s, measure: 1s }\nblocks: { at_least: 90, at_most: 90 }\n"),
    );
    let mut run = lab.start("run plan.yaml --serve");
    let page = Page::of(&mut run);
    run.await_saying("trial 1/");
    run.signal_group(Signal::INT);
    let ended: Ended = run.end();
    ended.exits(3).says(&["interrupted"]);
    page.shows_a_run_that_is_not_complete();

    let path = lab.run().path().display().to_string();
    let mut resumed = lab.start(&format!("resume {path} --serve"));
    let again = Page::of(&mut resumed);
    let is_measured = || again.get("report.json").is_some_and(|it| it.contains("\"state\":\"running\""));
    resumed.await_that("is measured again", |_| is_measured());
    resumed
        .signal(Signal::KILL)
        .await_that("is gone", |_| again.get("events").is_some_and(|it| it.contains("event: end")));
    again.shows_a_run_that_is_not_complete();
}

#[test]
fn ends_by_itself_when_nobody_looks() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    lab.write("plan.yaml", plan(&server, BRIEF));
    lab.pgdyno("run plan.yaml").measured();
    lab.pgdyno("serve runs --linger 1s").exits(0).prints(&["http://127.0.0.1:"]);
}

#[test]
fn needs_a_port_that_is_free_before_anything_is_made() {
    let lab = Lab::new();
    lab.write(
        "plan.yaml",
        format!(
            "name: x\ntargets: {{ it: {{ url: 'host=/nowhere' }} }}\nbaseline: it\n\
        workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [1]\n{BRIEF}"
        ),
    );
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    let in_use = format!("could not listen on 127.0.0.1:{port}: the port is in use");
    lab.pgdyno(&format!("run plan.yaml --serve={port}")).exits(2).says(&[&in_use, "--serve=PORT"]);
    assert!(lab.runs().is_empty(), "{:?}", lab.runs());
    lab.pgdyno(&format!("serve {} --port {port}", lab.path().display())).exits(2).says(&[&in_use, "--port"]);
}
