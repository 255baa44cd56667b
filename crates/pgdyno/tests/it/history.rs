//! `pgdyno history` as a person types it, on runs that were measured once and are told again under other names and
//! days.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::lab::Lab;

/// A finished run of two targets.
const RUN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/tests/fixtures/run-format-3");

/// The same run again below `runs/`, of another day, with so many times its transactions.
fn told_again(lab: &Lab, day: u32, times: f64) -> String {
    let id = format!("2026-10-{day:02}-run");
    let to = lab.path().join("runs").join(&id);
    copy(Path::new(RUN), &to);
    edit(&to.join("run.json"), |run| {
        run["id"] = id.clone().into();
        run["started_at"] = format!("2026-10-{day:02}T03:00:00Z").into();
    });
    for trial in fs::read_dir(to.join("trials")).expect("trials") {
        edit(&trial.expect("a trial").path().join("trial.json"), |trial| {
            let transactions = &mut trial["load"]["transactions"];
            // A little more or less each day: figures that are all alike are not of this world.
            let off = 1.0 + 0.001 * f64::from(day * 7 % 5);
            *transactions = ((transactions.as_f64().expect("a number") * times * off) as u64).into();
            // What takes longer gets less done: else Little's law speaks against the run.
            for latency in ["latency", "service"] {
                let mean_ns = &mut trial["load"][latency]["mean_ns"];
                if let Some(ns) = mean_ns.as_f64() {
                    *mean_ns = (ns / times / off).into();
                }
            }
        });
    }
    format!("runs/{id}")
}

/// Copies a run directory.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let path = entry.expect("an entry").path();
        let to = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).expect("copied");
        }
    }
}

fn edit(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut value = serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON");
    change(&mut value);
    fs::write(path, value.to_string()).expect("written");
}

#[test]
fn a_loss_between_two_runs_is_told_until_it_is_accepted() {
    let lab = Lab::new();
    for day in 1..=12 {
        lab.pgdyno(&format!("history add {}", told_again(&lab, day, 1.0))).exits(0).prints(&["Added 2 cells"]);
    }
    lab.pgdyno("history check").exits(0).prints(&["No unresolved regression."]);
    for day in 13..=16 {
        lab.pgdyno(&format!("history add {}", told_again(&lab, day, 0.8))).exits(0);
    }
    lab.pgdyno("history check").exits(1).prints(&["between 2026-10-12-run", "and 2026-10-13-run", "unresolved"]);
    let checked = lab.pgdyno("--json history check").exits(1).json();
    let change = &checked["series"][0]["segments"][0]["changes"][0];
    assert_eq!((&change["before"], &change["verdict"]), (&"2026-10-12-run".into(), &"regressed".into()));
    assert!(change["unresolved"]["low"].as_f64() < Some(-0.15), "{change}");
    lab.pgdyno("history show").exits(0).prints(&["plain · read", "throughput over 16 runs", "▁"]);

    lab.pgdyno("history show --format html").exits(0).prints(&["runs/history.html"]);
    let page = fs::read_to_string(lab.path().join("runs/history.html")).expect("a page");
    assert!(page.contains("{\"history_format\":1,") && page.contains("2026-10-16-run"));
    lab.pgdyno("history show --format html --output -").exits(0).prints(&["<!doctype html>"]);
    lab.pgdyno("history show --format html --output none/page.html").exits(3).says(&["could not write none/page.html"]);

    lab.pgdyno("history accept 2026-10-99-run --because known").exits(2).says(&["has no run \"2026-10-99-run\""]);
    // As it is printed.
    let printed = checked["accept"][0].as_str().and_then(|command| command.strip_prefix("pgdyno ")).expect("a command");
    assert_eq!(printed, "history accept 2026-10-13-run --because \"the reason\"");
    lab.pgdyno("history accept 2026-10-13-run --because known").exits(0);
    lab.pgdyno("history check").exits(4).prints(&["6 runs more until a change can be distinguished from chance"]);
    lab.pgdyno("history show").exits(0).prints(&["the level is accepted: known"]);
}

#[test]
fn what_cannot_be_added_is_told_and_loses_nothing() {
    let lab = Lab::new();
    lab.pgdyno("history show").exits(2).says(&["history runs/history.jsonl does not exist", "history add"]);
    let (second, first) = (told_again(&lab, 2, 1.0), told_again(&lab, 1, 1.0));
    lab.pgdyno(&format!("history add {second}")).exits(0);
    let file = lab.path().join("runs/history.jsonl");
    let one_run = fs::read_to_string(&file).expect("a history");

    lab.pgdyno(&format!("history add {second}")).exits(2).says(&["is already in"]);
    let unfinished = told_again(&lab, 3, 1.0);
    fs::remove_dir_all(lab.path().join(&unfinished).join("trials/6")).expect("removed");
    lab.pgdyno(&format!("history add {unfinished}"))
        .exits(2)
        .says(&["1 trial is still to be executed", "pgdyno resume"]);
    fs::write(&file, format!("{one_run}nonsense\n")).expect("written");
    lab.pgdyno(&format!("history add {first}")).exits(3).says(&["line 3"]);
    lab.pgdyno("history check").exits(3).says(&["line 3"]);

    fs::write(&file, format!("{one_run}{{\"kind\":\"po")).expect("written");
    lab.pgdyno("history show").exits(0).says(&["is truncated and ignored", "{\"kind\":\"po"]);
    // Killed between the cells of a run.
    let one_cell = one_run.lines().next().expect("a line");
    fs::write(lab.path().join("half.jsonl"), format!("{one_cell}\n{{\"kind\":\"po")).expect("written");
    lab.pgdyno(&format!("history add {second} --to half.jsonl")).exits(0).prints(&["Added 1 cell of"]);
    assert_eq!(fs::read_to_string(lab.path().join("half.jsonl")).expect("a history"), one_run);

    lab.pgdyno(&format!("history add {first}")).exits(0).says(&["began before 1 of the runs", "{\"kind\":\"po"]);
    let both = fs::read_to_string(&file).expect("a history");
    assert!(both.starts_with(&one_run) && both.lines().count() == 4, "{both}");
    lab.pgdyno(&format!("history add {first} --to other.jsonl")).exits(0);
    assert_eq!(fs::read_to_string(lab.path().join("other.jsonl")).expect("a history").lines().count(), 2);
}

#[test]
fn a_pinned_baseline_is_the_target_of_a_run_in_its_version() {
    let lab = Lab::new();
    let run = told_again(&lab, 1, 1.0);
    lab.pgdyno(&format!("history pin {run} --target none")).exits(2).says(&["no target \"none\"", "plain, more"]);
    lab.pgdyno(&format!("history pin {run} --target more --to more.yaml")).exits(0).prints(&["more.yaml"]);
    let pinned = fs::read_to_string(lab.path().join("more.yaml")).expect("a plan");
    let facts: Value =
        serde_json::from_slice(&fs::read(lab.path().join(&run).join("targets/more.json")).expect("facts"))
            .expect("JSON");
    let minor = facts["server"]["version_num"].as_u64().expect("a number") % 10_000;
    for said in [format!("version: \"17.{minor}\""), "\"work_mem\": \"64MB\"".to_owned()] {
        assert!(pinned.contains(&said), "no {said:?} in {pinned}");
    }
    assert!(!pinned.contains("\"plain\":"), "{pinned}");
    lab.pgdyno("plan check more.yaml").exits(0);
    lab.pgdyno("history guard more.yaml --baseline none.yaml").exits(2).says(&["could not read the plan none.yaml"]);
}
