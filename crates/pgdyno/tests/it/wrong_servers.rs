//! Servers that are not what a plan takes them for: a way that leads to several, and a role that may not see what the
//! probes need.

use std::io::copy;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;

use testbed::{Postgres, run_command};

use crate::lab::Lab;

/// Leads one connection to this port and the next to that one, as a Service of several pods does; its port.
fn in_turn(ports: [u16; 2]) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for (client, to) in listener.incoming().flatten().zip(ports.into_iter().cycle()) {
            let server = TcpStream::connect(("127.0.0.1", to)).expect("a server");
            for (from, to) in [(&client, &server), (&server, &client)] {
                let (mut from, mut to) = (from.try_clone().expect("a handle"), to.try_clone().expect("a handle"));
                thread::spawn(move || {
                    // Whoever has left needs nothing more.
                    let _left = copy(&mut from, &mut to);
                    let _gone = to.shutdown(Shutdown::Write);
                });
            }
        }
    });
    port
}

fn plan(lab: &Lab, url: &str) {
    lab.write(
        "plan.yaml",
        format!(
            "name: Where to?\ntargets:\n  db: {{ url: \"{url}\" }}\nbaseline: db\n\
             workloads: {{ read: {{ builtin: select-only, scale: 1 }} }}\nclients: [1]\n\
             trial: {{ warm_up: 0s, measure: 4s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n"
        ),
    );
}

#[test]
fn a_way_that_leads_to_a_primary_and_its_standby_in_turn_is_refused_before_anything_is_measured() {
    let lab = Lab::new();
    let primary = Postgres::start_default();
    let standby = primary.start_standby("");
    let port = in_turn([primary.tcp_port(), standby.tcp_port()]);
    plan(&lab, &primary.tcp_url().replace(&primary.tcp_port().to_string(), &port.to_string()));
    lab.pgdyno("run plan.yaml").exits(3).says(&[
        "leads to a different server than the one whose facts are recorded",
        "a standby",
        "a standby is a separate target",
    ]);
    // Each of them alone is what it is.
    plan(&lab, &primary.tcp_url());
    lab.pgdyno("run plan.yaml").measured();
}

#[test]
fn a_role_that_may_not_monitor_is_told_before_the_first_trial_and_beside_the_findings() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    run_command(server.client_program("psql").args([
        "-qc",
        "CREATE ROLE app LOGIN",
        "-c",
        "CREATE DATABASE app OWNER app",
    ]));
    plan(&lab, &format!("postgresql://app@127.0.0.1:{}/app", server.tcp_port()));
    let run = lab.pgdyno("run plan.yaml --details");
    let grant = "GRANT pg_monitor TO \"app\"";
    run.measured().says(&["role \"app\" is not a member of pg_monitor", grant]);
    run.prints(&["not evaluated because the role lacks a privilege: ", grant]);
    plan(&lab, &server.tcp_url());
    let run = lab.pgdyno("run plan.yaml --details");
    assert!(!run.measured().stderr.contains("pg_monitor") && !run.stdout.contains("pg_monitor"), "{}", run.stdout);
}
