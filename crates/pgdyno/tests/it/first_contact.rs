//! `ab`: a comparison without a plan file. What it measures is a plan, which is printed and kept.

use std::fs;

use crate::lab::Lab;
use testbed::Postgres;

/// As short as it can be: five blocks of two trials all the same.
const BRIEF: &str = "--clients 1 --measure 1s --time 5s";

#[test]
fn two_settings_of_a_server_are_compared_and_the_plan_is_kept() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    lab.write("my query.sql", "SELECT count(*) FROM generate_series(1, 1000) AS i GROUP BY i % 7;\n");
    let line = format!("ab --url {} --set work_mem=4MB --against work_mem=256MB {BRIEF}", server.tcp_url());
    let ended = lab.program(&line).arguments(["--file", "my query.sql"]).end();
    ended.measured().prints(&["work_mem-256MB against work_mem-4MB: my-query ", "\nReport: runs/"]).says(&[
        "name: \"my-query: work_mem=256MB against work_mem=4MB\"",
        "  my-query: { script: \"my query.sql\" }",
        "run directory: runs/",
    ]);
    let run = lab.run();
    assert_eq!(run.trials().len(), 2 * 5);
    let settings: Vec<_> = run.trials().iter().map(|trial| trial.settings["work_mem"].clone()).collect();
    assert!(["4MB", "256MB"].iter().all(|value| settings.iter().any(|of| of == value)), "{settings:?}");
    assert!(run.path().join("scripts/my-query/my query.sql").is_file());
    let kept = run.path().join("ab.yaml");
    assert!(fs::read_to_string(&kept).expect("the plan").contains("scripts/my-query/my query.sql"));
    lab.pgdyno(&format!("plan check {}", kept.display())).exits(0);
}

#[test]
fn a_plan_alone_is_printed_and_nothing_is_measured() {
    let lab = Lab::new();
    let line = "ab --version 17 --against 18 --builtin select-only --plan-only";
    let printed = lab.pgdyno(line);
    printed.exits(0).prints(&["  pg17: { local: { version: 17, ", "baseline: pg17\n", "until: verdict"]);
    assert_eq!((printed.stderr.as_str(), lab.runs().len()), ("", 0));
    lab.write("plan.yaml", printed.stdout.clone());
    lab.pgdyno("plan check plan.yaml").exits(0);
}

#[test]
fn what_cannot_be_compared_is_refused_before_anything_is_made() {
    let lab = Lab::new();
    let server = "ab --url postgresql://me:secret@127.0.0.1:1/d";
    for (line, says) in [
        (format!("{server} --builtin select-only"), "--against"),
        (format!("{server} --against jit=off"), "--builtin"),
        ("ab --builtin select-only --against jit=off".to_owned(), "--url"),
        (format!("{server} --builtin select-only --against 18"), "--version"),
        (format!("{server} --builtin select-only --set jit=off --against jit=off"), "both sides are equal"),
        (format!("{server} --file missing.sql --against jit=off"), "missing.sql"),
        (format!("{server} --builtin select-only --against jit=off --clients 0"), "clients"),
    ] {
        let ended = lab.pgdyno(&line);
        ended.exits(2).says(&[says]);
        assert!(!ended.stderr.contains("secret"), "{ended}");
    }
    assert!(lab.runs().is_empty(), "no run directory is made");
}
