//! The page and the data of a run: those of `report.html`, of the run as it is now.

use std::fs;
use std::path::Path;

use judge::observed::Observed;
use results::failure::RunFailure;
use results::store::RunDir;

use crate::client::Answer;
use crate::place::{Place, Serving};

#[test]
fn the_data_are_those_that_the_report_holds() {
    let place = Place::new();
    (1..=2).for_each(|number| place.measure(number, 3));
    let server = place.serve();
    let page = server.address.get("");
    assert!(page.has_status(200).body.contains("connect-src 'self'") && page.body.contains("{\"served\":\"run\"}"));
    let answer = server.address.get("report.json");
    let observed = Observed::read(&place.dir()).expect("a run");
    let report = report::build_report(&observed, &judge::judge_run(&observed));
    assert_eq!(answer.has_status(200).body, serde_json::to_string(&report).expect("JSON"));
    assert_eq!(report.trials.len(), 2);
}

#[test]
fn they_are_made_again_when_the_run_has_changed_and_only_then() {
    let place = Place::new();
    let server = place.serve();
    let etag = || {
        let answer = server.address.get("report.json");
        answer.head.lines().find(|line| line.starts_with("etag: ")).expect("an etag").to_owned()
    };
    let first = etag();
    let writer = place.begin(1);
    assert_eq!(etag(), first, "a trial under way is in no report");
    place.commit(writer, 1);
    let second = etag();
    assert_ne!(second, first);
    assert_eq!(server.address.get("report.json").json()["run"]["trials"], 1);
    let lock = place.dir().lock_directory().expect("the run's lock");
    let third = etag();
    assert_ne!(third, second, "it goes on");
    let report = server.address.get("report.json").json();
    assert_eq!((&report["run"]["state"], &report["comparisons"][0]["verdict"]), (&"running".into(), &"so far".into()));
    drop(lock);
    assert_eq!(server.address.get("report.json").json()["run"]["state"], "unfinished");
    // The next server knows it by the same name.
    assert_eq!(etag(), second);
}

#[test]
fn a_run_that_is_torn_or_deleted_is_told_and_the_server_goes_on() {
    let place = Place::new();
    place.measure(1, 3);
    let server = Serving::start(&place.runs(), &place.token(), 0);
    let report = format!("runs/{}/report.json", place.run.id);
    server.address.get(&report).has_status(200);
    let trial = place.path().join("trials/1/trial.json");
    let whole = fs::read(&trial).expect("a trial");
    fs::write(&trial, &whole[..whole.len() / 2]).expect("torn");
    let torn = server.address.get(&report);
    assert!(torn.has_status(500).json()["error"].as_str().is_some_and(|error| error.contains("trial.json")));
    fs::write(&trial, whole).expect("mended");
    server.address.get(&report).has_status(200);
    fs::remove_dir_all(place.path()).expect("deleted");
    assert!(server.address.get(&report).has_status(404).body.contains("the run directory does not exist"));
    for other in ["runs/%2e%2e/report.json", "runs/..%2F../report.json", "runs/x/report.json"] {
        server.address.get(other).has_status(404);
    }
}

#[test]
fn two_runs_are_compared_as_the_command_does_once_both_have_ended() {
    let place = Place::new();
    place.measure(1, 3);
    let other = place.runs().join("other");
    for directory in ["targets", "trials"] {
        fs::create_dir_all(other.join(directory)).expect("a directory");
    }
    for file in ["plan.yaml", "run.json"] {
        fs::copy(place.path().join(file), other.join(file)).expect("a copy");
    }
    place.measure(2, 3);
    let server = Serving::start(&place.runs(), &place.token(), 0);
    let compare = |one: &str, other: &str| server.address.get(&format!("compare/{one}/{other}/report.json"));
    let id = place.run.id.as_str();
    let page = server.address.get(&format!("compare/{id}/other/"));
    assert!(page.has_status(200).body.contains("{\"served\":\"comparison\"}"), "{page:?}");
    let error = |answer: &Answer, expected: &str| {
        let error = answer.has_status(409).json()["error"].clone();
        assert!(error.as_str().is_some_and(|error| error.contains(expected)), "{error}");
    };
    error(&compare(id, "other"), "no workload with the same number of clients in common");
    error(&compare(id, id), "compared with itself");
    copy(&place.path().join("trials"), &other.join("trials"));
    let lock = RunDir::open(&other).expect("a run").lock_directory().expect("its lock");
    error(&compare(id, "other"), "other is being measured");
    drop(lock);
    let [baseline, candidate] =
        [&place.path(), &other].map(|run| Observed::read(&RunDir::open(run).expect("a run")).expect("a run"));
    let question = judge::compare::RunQuestion::of_run(&baseline);
    let (both, judgement) = judge::judge_separate(baseline, candidate, question).expect("they have all in common");
    let expected = serde_json::to_string(&report::build_report(&both, &judgement)).expect("JSON");
    assert_eq!(compare(id, "other").has_status(200).body, expected);
    for missing in [("none", id), (id, "none"), (id, "..%2F..")] {
        compare(missing.0, missing.1).has_status(404);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("listed").flatten() {
        let place = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &place);
        } else {
            fs::copy(entry.path(), place).expect("a copy");
        }
    }
}

#[test]
fn a_directory_lists_its_runs_with_what_each_asks_and_says() {
    let place = Place::new();
    place.measure(1, 3);
    let server = Serving::start(&place.runs(), &place.token(), 0);
    let page = server.address.get("");
    assert!(page.has_status(200).body.contains("runs.json"), "{}", page.body);
    let listed = || server.address.get("runs.json").has_status(200).json();
    let [run] = listed().as_array().cloned().expect("a list").try_into().expect("one run");
    assert_eq!((&run["id"], &run["name"], &run["trials"]), (&place.run.id.clone().into(), &"Served".into(), &1.into()));
    assert_eq!((&run["started_at"], &run["running"]), (&"2026-11-20T09:12:00Z".into(), &false.into()));
    let lock = place.dir().lock_directory().expect("the run's lock");
    assert_eq!(listed()[0]["running"], true);
    drop(lock);
    // The link to the newest run is no other run.
    assert!(results::latest::point_latest_at_run(&place.runs(), &place.run.id).expect("a link"));
    assert_eq!(listed().as_array().map(Vec::len), Some(1));
    let headline = format!("runs/{}/headline.json", place.run.id);
    let observed = Observed::read(&place.dir()).expect("a run");
    let expected = judge::judge_run(&observed).headline;
    let said = || server.address.get(&headline).has_status(200).json();
    assert_eq!(said(), serde_json::json!({ "state": "unfinished", "headline": expected }));
    let failure = RunFailure {
        format: results::failure::FORMAT,
        failed_at: "2026-11-20T09:13:00Z".parse().expect("an instant"),
        reason: "the server is gone".to_owned(),
    };
    place.dir().write_failure(&failure).expect("written");
    assert_eq!(listed()[0]["failed"], "the server is gone");
    assert_eq!(said(), serde_json::json!({ "state": "failed", "headline": "the server is gone" }));
    place.dir().clear_failure().expect("removed");
    assert_eq!(said()["state"], "unfinished");
    fs::write(place.path().join("run.json"), "{").expect("torn");
    assert_eq!(listed(), serde_json::json!([]), "what cannot be read is left out");
    fs::remove_dir_all(place.path()).expect("deleted");
    server.address.get(&headline).has_status(404);
    let alone = Place::new();
    let server = alone.serve();
    let token = server.address.path.split('/').nth(1).expect("a token");
    let host = [("Host", server.address.authority.as_str())];
    server.address.ask("GET", &format!("/{token}/runs.json"), &host).has_status(404);
}
