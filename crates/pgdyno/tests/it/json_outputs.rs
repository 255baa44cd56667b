//! `--json`: what a person would read as a table or as an error, a program reads as JSON of a documented schema.

use serde_json::Value;

use crate::lab::{BRIEF, Lab};
use crate::process::Ended;
use testbed::Postgres;

const PLAN: &str = "name: A question\ntargets:\n  a: { url: \"host=127.0.0.1 port=1 user=x dbname=y\" }\n\
                    baseline: a\nworkloads: { w: { builtin: select-only, scale: 1 } }\nclients: [1]\n";

/// The schema of one of the outputs, by its name in `$defs`.
fn schema_named(lab: &Lab, name: &str) -> jsonschema::Validator {
    let mut schema = lab.pgdyno("schema outputs").json();
    assert!(schema["$defs"][name].is_object(), "{name}: {schema:#}");
    schema.as_object_mut().expect("a schema").remove("oneOf");
    schema["$ref"] = format!("#/$defs/{name}").into();
    jsonschema::validator_for(&schema).expect("a schema")
}

#[track_caller]
fn assert_valid(lab: &Lab, name: &str, value: &Value) {
    let validator = schema_named(lab, name);
    let errors: Vec<String> = validator.iter_errors(value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}\n{value:#}");
}

/// The failure that is the last line of standard error; it is of the documented schema and has the exit status.
#[track_caller]
fn failure_of(lab: &Lab, ended: &Ended) -> Value {
    let last = ended.stderr.lines().last().unwrap_or_default();
    let failure: Value = serde_json::from_str(last).unwrap_or_else(|error| panic!("not JSON ({error}): {ended}"));
    assert_valid(lab, "FailureOutput", &failure);
    assert_eq!(failure["exit_status"].as_i64(), ended.status.code().map(i64::from), "{ended}");
    failure
}

#[test]
fn tables_have_their_schema() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    let plan = PLAN.replace("host=127.0.0.1 port=1 user=x dbname=y", &server.tcp_url()).replace("select", "think-less");
    lab.write("wrong.yaml", &plan);
    let plan = plan.replace("builtin: think-less", "think: 5ms, builtin: select") + BRIEF;
    lab.write("plan.yaml", &plan);
    assert_valid(&lab, "PlanCheckOutput", &lab.pgdyno("plan check plan.yaml --connect --json").json());
    assert_valid(&lab, "PlanCheckOutput", &lab.pgdyno("plan check wrong.yaml --json").json());
    assert_valid(&lab, "PlanExplainOutput", &lab.pgdyno("plan explain plan.yaml --json").json());
    assert_valid(&lab, "RightsOutput", &lab.pgdyno("rights plan.yaml --json").json());
    lab.pgdyno("run plan.yaml --quiet").measured();
    let listed = lab.pgdyno("list --json").json();
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
    assert_valid(&lab, "ListedRunOutput", &listed[0]);
    assert_eq!((&listed[0]["state"], &listed[0]["trials"]), (&"complete".into(), &1.into()), "{listed:#}");
}

#[test]
fn every_command_that_fails_says_so_in_one_object() {
    let lab = Lab::new();
    lab.write("plan.yaml", PLAN);
    lab.write("wrong.yaml", PLAN.replace("[1]", "[0]"));
    let cases = [
        ("run wrong.yaml --json", Some("clients"), Some("0")),
        ("run missing.yaml --json", None, None),
        ("run plan.yaml --json", Some("target \"a\""), None),
        ("resume missing --json", None, None),
        ("report missing --json", None, None),
        ("compare missing --json", None, None),
        ("diagnose missing --json", None, None),
        ("list missing --json", None, None),
        ("audit missing --json", None, None),
        ("import missing --json", None, None),
        ("history check --json", None, None),
        ("tune wrong.yaml --json", Some("clients"), Some("0")),
        ("rule cpu-stollen --json", None, None),
        ("plan explain wrong.yaml --json", Some("clients"), Some("0")),
        ("rights wrong.yaml --json", Some("clients"), Some("0")),
        ("rights host=127.0.0.1 --json", None, None),
        ("ab --url host=127.0.0.1 --builtin select-only --against 18 --json", None, None),
        ("report --format pdf --json", Some("--format <FORMAT>"), Some("pdf")),
        ("--json reprt", Some("reprt"), None),
        ("run --jsn --json", Some("--jsn"), None),
    ];
    for (line, object, value) in cases {
        let ended = lab.program(line).env("PGPORT", "1").end();
        assert!(matches!(ended.status.code(), Some(2 | 3)), "{line}: {ended}");
        assert_eq!(ended.stdout, "", "{line}: {ended}");
        let failure = failure_of(&lab, &ended);
        let error = &failure["errors"][0];
        if object.is_some() {
            assert_eq!(error["object"].as_str(), object, "{line}: {failure:#}");
        }
        if value.is_some() {
            assert_eq!(error["value"].as_str(), value, "{line}: {failure:#}");
        }
        assert!(error["message"].as_str().is_some_and(|text| !text.is_empty()), "{line}: {failure:#}");
    }
}
