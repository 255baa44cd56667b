//! How pgdyno speaks: to a terminal, to a pipe that closes early, and not at all.

use crate::lab::{BRIEF, Lab};
use crate::process::{Ended, Program};
use testbed::Postgres;

/// A finished run in `runs/`, made quietly.
fn finished_run(lab: &Lab) -> (Ended, String) {
    let server = Postgres::start_default();
    lab.write(
        "plan.yaml",
        format!(
            "name: Shown\ntargets:\n  it: {{ url: \"{0}\" }}\n  same: {{ url: \"{0}\" }}\nbaseline: it\n\
             workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [1]\n{BRIEF}",
            server.socket_conninfo()
        ),
    );
    let ended = lab.pgdyno("run --quiet plan.yaml");
    (ended, lab.run().path().display().to_string())
}

/// A command line of pgdyno on a terminal of 100 columns.
pub fn on_a_terminal(lab: &Lab, line: &str) -> Program {
    let pgdyno = format!("stty cols 100; exec {} {line}", crate::lab::PGDYNO);
    Program::new(lab, "script").arguments(["-q", "-e", "-c", &pgdyno, "/dev/null"]).env("TERM", "xterm")
}

#[test]
fn quiet_says_nothing_colours_are_for_terminals_and_an_early_reader_is_no_error() {
    let lab = Lab::new();
    let (ended, run) = finished_run(&lab);
    ended.exits(4);
    assert_eq!(ended.stderr, "", "quiet");
    assert!(!ended.stdout.contains('\x1b'), "no colour in a file: {ended}");

    let line = format!("report {run} --format terminal");
    let coloured = on_a_terminal(&lab, &line).end();
    coloured.exits(0);
    assert!(coloured.stdout.contains("\x1b["), "{coloured}");
    let plain = on_a_terminal(&lab, &line).env("NO_COLOR", "1").end();
    plain.exits(0);
    assert!(!plain.stdout.contains('\x1b'), "{plain}");

    for command in [format!("report {run} --format json"), "man".to_owned(), "completions bash".to_owned()] {
        let pipe = format!("set -o pipefail; {} {command} | head -c 1 > /dev/null", crate::lab::PGDYNO);
        let ended = Program::new(&lab, "bash").arguments(["-c", &pipe]).end();
        ended.exits(0);
        assert_eq!(ended.stderr, "");
    }
}

#[test]
fn a_run_goes_on_when_nobody_reads_its_progress_any_more() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write(
        "plan.yaml",
        format!(
            "name: Unread\ntargets:\n  it: {{ url: \"{}\" }}\nbaseline: it\n\
             workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [1]\n{BRIEF}",
            server.socket_conninfo()
        ),
    );
    let pipe = format!("set -o pipefail; {} run plan.yaml 2>&1 | head -n 1", crate::lab::PGDYNO);
    Program::new(&lab, "bash").arguments(["-c", &pipe]).end().exits(0).prints(&["run directory: runs/"]);
    assert_eq!(lab.run().completed(), [1]);
}

#[test]
fn documents_are_printed_whole() {
    let lab = Lab::new();
    lab.pgdyno("--help").exits(0).prints(&["run", "resume", "compare", "report", "plan", "bench", "Exit status"]);
    lab.pgdyno("help run").exits(0).prints(&["Usage: pgdyno run"]);
    lab.pgdyno("--version").exits(0).prints(&["pgdyno 0."]);
    lab.pgdyno("man").exits(0).prints(&[".TH pgdyno"]);
    for shell in ["bash", "zsh", "fish"] {
        lab.pgdyno(&format!("completions {shell}")).exits(0).prints(&["pgdyno", "resume"]);
    }
    lab.pgdyno("completions fish").exits(0).prints(&["using_subcommand bench\" -s '?' -l help"]);
    assert!(lab.pgdyno("schema plan").json()["properties"]["targets"].is_object());
    lab.write("plan.yaml", lab.pgdyno("plan new").exits(0).stdout.clone());
    lab.pgdyno("plan check plan.yaml").exits(0);
    lab.pgdyno("plan explain plan.yaml").exits(0).prints(&["Order of the first block"]);
    lab.pgdyno("plan explain").exits(0).prints(&["pg17", "pg18"]);
    lab.pgdyno("").exits(2);
    lab.pgdyno("measure").exits(2).says(&["measure"]);
}
