//! No secret is ever written: not to a run directory, a report, an output or a command line.

use std::fs;

use crate::lab::Lab;
use testbed::Setup;

const PASSWORD: &str = "correct-horse-battery";

#[test]
fn a_password_is_used_and_stands_nowhere() {
    let lab = Lab::new();
    let server = Setup {
        settings: "log_statement = 'all'".to_owned(),
        hba: "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n".to_owned(),
        ..Setup::default()
    };
    let server = server.start_server();
    server.query_postgres(&format!("CREATE ROLE bench LOGIN SUPERUSER PASSWORD '{PASSWORD}'"));
    let url = format!("postgresql://bench:{PASSWORD}@127.0.0.1:{}/postgres", server.tcp_port());
    let local = format!("{{ local: {{ bin: {}, via: tcp }} }}", testbed::newest_version().display());
    lab.write(
        "plan.yaml",
        format!(
            "name: Secrets\ntargets:\n  it: {{ url: \"{url}\" }}\n  made: {local}\nbaseline: it\n\
             workloads: {{ write: {{ think: 5ms, builtin: tpcb-like, scale: 1 }} }}\nclients: [2]\n\
             trial: {{ warm_up: 1s, measure: 1s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n"
        ),
    );
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_saying("trial 1/");
    let commands = pgdyno.traces().commands() + &command_line(pgdyno.pid());
    assert!(commands.contains("postgres -D"), "{commands}");
    let ended = pgdyno.end();
    ended.measured().says(&["the URL of target \"it\" contains a password"]);
    let run = lab.run();
    let path = run.path().display();
    let reports =
        ["terminal", "markdown", "json"].map(|format| lab.pgdyno(&format!("report {path} --format {format}")));
    // What is left to measure is nothing, but the servers are asked again; the password comes from elsewhere.
    let lost = lab.pgdyno(&format!("resume {path}"));
    lost.exits(3).says(&["PGPASSWORD"]);
    let found = lab.program(&format!("resume {path}")).env("PGPASSWORD", PASSWORD).end();
    found.measured();

    let outputs = [&ended, &reports[0], &reports[1], &reports[2], &lost, &found].map(ToString::to_string).concat();
    for (what, text) in [("an output", &outputs), ("a command line", &commands)] {
        assert!(!text.contains(PASSWORD), "the password is in {what}: {text}");
    }
    for (file, (_, content)) in run.files("") {
        let found = content.windows(PASSWORD.len()).any(|window| window == PASSWORD.as_bytes());
        assert!(!found, "the password is in {}", file.display());
    }
    let plan = fs::read_to_string(run.path().join("plan.yaml")).expect("the plan");
    assert!(plan.contains(&format!("127.0.0.1:{}", server.tcp_port())), "the rest of the url stands: {plan}");
}

fn command_line(pid: u32) -> String {
    fs::read_to_string(format!("/proc/{pid}/cmdline")).expect("it runs").replace('\0', " ")
}
