//! `plan new`: each plan that it writes can be run as it is, in the time that `plan explain` prints.

use std::fs;

use crate::lab::Lab;
use testbed::Postgres;

const SHAPES: [&str; 6] = ["versions", "setting", "own-sql", "upgrade", "ci", "kubernetes"];

/// Seconds that a plan takes at most, as `plan explain` says.
#[track_caller]
fn longest_s(lab: &Lab, plan: &str) -> f64 {
    let explained = lab.pgdyno(&format!("plan explain {plan} --json"));
    explained.exits(0).json()["duration_at_most_s"].as_f64().expect("a duration")
}

#[test]
fn each_plan_is_correct_and_takes_minutes() {
    for shape in SHAPES {
        let lab = Lab::new();
        lab.pgdyno(&format!("plan new --for {shape} --output plan.yaml")).exits(0).prints(&["plan.yaml\n"]);
        lab.pgdyno("plan check plan.yaml").exits(0).prints(&["plan.yaml: ok"]);
        let most_s = longest_s(&lab, "plan.yaml");
        let limit_s = match shape {
            "upgrade" => 30.0 * 60.0,
            "kubernetes" => 60.0 * 60.0,
            _ => 10.0 * 60.0,
        };
        assert!(most_s < limit_s, "{shape} takes up to {most_s} s");
        let lines = fs::read_to_string(lab.path().join("plan.yaml")).expect("a plan").lines().count();
        assert!(lines <= 25, "{shape} has {lines} lines");
    }
}

#[test]
fn a_plan_for_a_server_has_its_url_without_the_password() {
    let url = "postgresql://me:secret@10.0.0.5:6432/shop?sslmode=require";
    for shape in SHAPES.iter().filter(|shape| **shape != "versions") {
        let lab = Lab::new();
        lab.write("query.sql", "SELECT 1;\n");
        let made = lab.pgdyno(&format!("plan new --for {shape} --url {url} --output plan.yaml"));
        made.exits(0).says(&["password of --url is not written"]);
        assert!(!made.stdout.contains("query.sql"), "the script of the person stays: {made}");
        let text = fs::read_to_string(lab.path().join("plan.yaml")).expect("a plan");
        assert!(text.contains("postgresql://me@10.0.0.5:6432/shop?sslmode=require"), "{text}");
        assert!(!text.contains("secret") && !text.contains("db.example"), "{text}");
        lab.pgdyno("plan check plan.yaml").exits(0);
        assert!(longest_s(&lab, "plan.yaml") > 0.0);
        assert_eq!(fs::read_to_string(lab.path().join("query.sql")).expect("a script"), "SELECT 1;\n");
    }
}

/// The keys of time, as short as they can be.
fn brief(plan: &str) -> String {
    let mut text = String::new();
    for line in plan.lines() {
        text.push_str(match line.split_once(':').map(|(key, _)| key) {
            Some("trial") => "trial: { warm_up: 0s, measure: 1s }",
            Some("blocks") => "blocks: { at_least: 1, at_most: 1 }",
            Some("clients") => "clients: 1",
            _ => line,
        });
        text.push('\n');
    }
    text.replace("scale: 10", "scale: 1")
}

#[test]
fn the_plans_of_existing_servers_run() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    for shape in ["setting", "own-sql", "ci"] {
        let made = lab.program(&format!("plan new --for {shape} --output {shape}.yaml --url"));
        made.arguments([server.tcp_url()]).end().exits(0);
        let path = lab.path().join(format!("{shape}.yaml"));
        let text = fs::read_to_string(&path).expect("a plan");
        lab.write(&format!("{shape}.yaml"), brief(&text));
        lab.pgdyno(&format!("run {shape}.yaml --quiet")).measured();
    }
    assert_eq!(lab.runs().len(), 3);
}

#[test]
fn the_plans_of_servers_that_a_run_creates_run() {
    let lab = Lab::new();
    for shape in ["versions", "setting", "own-sql", "ci"] {
        lab.pgdyno(&format!("plan new --for {shape} --output {shape}.yaml")).exits(0);
        let text = fs::read_to_string(lab.path().join(format!("{shape}.yaml"))).expect("a plan");
        lab.write(&format!("{shape}.yaml"), brief(&text));
        let ended = lab.pgdyno(&format!("run {shape}.yaml --quiet"));
        if ended.stderr.contains("cannot be downloaded") {
            eprintln!("skipped: no network, and no embedded PostgreSQL is cached");
            return;
        }
        ended.measured();
    }
    lab.assert_no_temporary_data();
}

#[test]
fn what_cannot_be_written_is_refused() {
    let lab = Lab::new();
    lab.write("there.yaml", "mine\n");
    fs::create_dir(lab.path().join("closed")).expect("a directory");
    for (line, says) in [
        ("plan new --for version", "versions"),
        ("plan new --for versions --url host=a", "--for upgrade"),
        ("plan new --url host=a", "--for"),
        ("plan new --for setting --url postgresql://h:port/d", "--url"),
        ("plan new --for setting --url shop", "--url"),
        ("plan new --for setting --output there.yaml", "there.yaml"),
        ("plan new --for setting --output closed", "closed"),
        ("plan new --for setting --output nowhere/plan.yaml", "nowhere/plan.yaml"),
        ("plan new --for setting --output /proc/plan.yaml", "/proc/plan.yaml"),
        ("plan new setting", "unexpected argument"),
    ] {
        lab.pgdyno(line).exits(2).says(&[says]);
    }
    assert_eq!(fs::read_to_string(lab.path().join("there.yaml")).expect("a file"), "mine\n");
    lab.pgdyno("plan new --for own-sql").exits(0).says(&["query.sql", "--output"]).prints(&["script: query.sql"]);
    lab.pgdyno("plan new").exits(0).prints(&["# A plan of pgdyno."]);
}
