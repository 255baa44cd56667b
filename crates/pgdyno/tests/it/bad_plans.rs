//! Plans that cannot be right: refused with status 2 and a place, before anything is touched.

use crate::lab::Lab;

const GOOD: &str = "\
name: A question
targets:
  a: { local: { version: 17, data_directory: /srv/a } }
  b: { url: postgresql://bench@10.0.0.5/bench }
baseline: a
workloads:
  read: { builtin: select-only, scale: 10 }
clients: [2, 8]
trial: { warm_up: 1s, measure: 5s }
";

#[test]
fn each_class_of_error_is_refused_at_its_line_and_column() {
    let classes = [
        ("unknown key", ("clients:", "clinets:"), "plan.yaml:8:1", "\"clinets\""),
        ("wrong unit", ("measure: 5s", "measure: 5"), "plan.yaml:9:32", "5"),
        ("unknown baseline", ("baseline: a", "baseline: c"), "plan.yaml:5:11", "\"c\""),
        ("empty ladder", ("[2, 8]", "[]"), "plan.yaml:8:10", "clients"),
        (
            "shared data directory",
            (
                "b: { url: postgresql://bench@10.0.0.5/bench }",
                "b: { local: { version: 18, data_directory: /srv/../srv/a } }",
            ),
            "plan.yaml:4:46",
            "data directory",
        ),
        ("scale 0", ("scale: 10", "scale: 0"), "plan.yaml:7:40", "0"),
        ("duplicate key", ("baseline: a", "baseline: a\nbaseline: b"), "plan.yaml:6:1", "baseline"),
        ("not YAML", ("[2, 8]", "[2, 8"), "plan.yaml:", "error"),
        ("missing key", ("baseline: a\n", ""), "plan.yaml:1:1", "baseline"),
    ];
    let lab = Lab::new();
    for (class, (from, to), place, word) in classes {
        assert_eq!(GOOD.matches(from).count(), 1, "{class}: {from:?} stands once in the good plan");
        lab.write("plan.yaml", GOOD.replace(from, to));
        for command in ["plan check plan.yaml", "run plan.yaml", "plan explain plan.yaml"] {
            let ended = lab.pgdyno(command);
            ended.exits(2).says(&[place, word]);
            assert_eq!(ended.stdout, "", "{class}");
        }
    }
    assert!(lab.runs().is_empty(), "no run directory is made");
}

#[test]
fn explanation_for_programs_has_the_figures_and_touches_of_the_text() {
    let lab = Lab::new();
    lab.write("plan.yaml", GOOD);
    let ended = lab.pgdyno("--json plan explain plan.yaml");
    ended.exits(0);
    let said: serde_json::Value = serde_json::from_str(&ended.stdout).expect("it is JSON");
    let text = lab.pgdyno("plan explain plan.yaml").stdout;
    for touch in said["touches"].as_array().expect("touches") {
        let what = touch["what"].as_str().expect("what is done");
        assert!(text.contains(what), "{what:?} is not in:\n{text}");
    }
    assert!(said["duration_at_most_s"].as_f64() >= said["duration_at_least_s"].as_f64(), "{said:#}");
    assert!(!said["first_block"].as_array().expect("trials").is_empty(), "{said:#}");
}

#[test]
fn a_check_for_programs_lists_the_errors_with_their_places() {
    let lab = Lab::new();
    let check = |text: String| {
        lab.write("plan.yaml", text);
        let ended = lab.pgdyno("--json plan check plan.yaml");
        assert_eq!(ended.stderr, "", "{ended}");
        let said: serde_json::Value = serde_json::from_str(&ended.stdout).expect("it is JSON");
        (ended, said)
    };
    let (ended, said) = check(GOOD.replace("[2, 8]", "[0]").replace("baseline: a", "baseline: c"));
    ended.exits(2);
    assert_eq!(said["ok"], false);
    let place = |number: usize| (said["errors"][number]["line"].as_u64(), said["errors"][number]["column"].as_u64());
    assert_eq!((place(0), place(1)), ((Some(5), Some(11)), (Some(8), Some(11))), "{said}");
    lab.write("t.sql", "SELECT 1;\nBEGIN;\n");
    let (ended, said) = check(GOOD.replace("builtin: select-only, scale: 10", "script: t.sql"));
    ended.exits(2);
    let error = &said["errors"][0];
    assert_eq!((error["file"].as_str(), error["line"].as_u64()), (Some("t.sql"), Some(2)), "{said}");
    let (ended, said) = check(GOOD.to_owned());
    ended.exits(0);
    assert_eq!((&said["ok"], &said["errors"]), (&true.into(), &serde_json::json!([])), "{said}");
}

#[test]
fn what_is_not_a_plan_at_all_is_refused() {
    let lab = Lab::new();
    lab.write("plan.yaml", [GOOD.as_bytes(), b"# \xff\xfe\n"].concat());
    lab.pgdyno("run plan.yaml").exits(2).says(&["plan.yaml:10:3", "UTF-8"]);
    lab.write("plan.yaml", GOOD.replace("A question", &"very ".repeat(2_000_000)));
    lab.pgdyno("run plan.yaml").exits(2).says(&["plan.yaml", "1048576 bytes"]);
    lab.write("plan.yaml", "");
    lab.pgdyno("run plan.yaml").exits(2).says(&["plan.yaml:1:1"]);
    lab.pgdyno("run missing.yaml").exits(2).says(&["missing.yaml", "No such file"]);
    lab.pgdyno("run .").exits(2).says(&["directory"]);
    assert!(lab.runs().is_empty(), "no run directory is made");
}

#[test]
fn what_is_not_a_run_is_refused() {
    let lab = Lab::new();
    lab.write("plan.yaml", GOOD);
    for command in ["report .", "compare .", "resume .", "resume missing", "compare missing missing"] {
        lab.pgdyno(command).exits(2).says(&["is not a run directory"]);
    }
    lab.pgdyno("run --seed many plan.yaml").exits(2).says(&["many"]);
    lab.pgdyno("compare . --threshold never").exits(2).says(&["never"]);
}
