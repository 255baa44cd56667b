//! `mcp`: tools and resources for a program, in lines of JSON-RPC. `make test-mcp` asks the same by the protocol's own
//! client library.

use serde_json::{Value, json};

use crate::lab::{BRIEF, Lab, PGDYNO};
use crate::process::Program;
use testbed::Postgres;

/// The answers to requests, in their order; `pause` is what a shell does between the first requests and the others.
fn answers(lab: &Lab, first: &[Value], pause: &str, others: &[Value]) -> Vec<Value> {
    for (name, requests) in [("first.jsonl", first), ("others.jsonl", others)] {
        let mut text = String::new();
        for request in requests {
            text.push_str(&format!("{request}\n"));
        }
        lab.write(name, text);
    }
    lab.write("ask.sh", format!("(cat first.jsonl; {pause}; cat others.jsonl) | {PGDYNO} mcp\n"));
    let ended = Program::new(lab, "bash").arguments(["ask.sh"]).end();
    ended.exits(0);
    let mut all = Vec::new();
    for line in ended.stdout.lines() {
        all.push(serde_json::from_str(line).unwrap_or_else(|error| panic!("not JSON ({error}): {line}")));
    }
    all
}

fn request(id: u32, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn call(id: u32, name: &str, arguments: &Value) -> Value {
    request(id, "tools/call", json!({ "name": name, "arguments": arguments }))
}

fn plan_for(url: &str) -> String {
    format!(
        "name: Asked by a program\ntargets: {{ it: {{ url: \"{url}\" }} }}\nbaseline: it\n\
         workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: 1\n{BRIEF}"
    )
}

#[test]
fn a_run_is_checked_explained_measured_and_reported() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    lab.write("plan.yaml", plan_for(&server.tcp_url()));
    let plan = json!({ "plan": "plan.yaml" });
    let first = [
        request(1, "server/discover", json!({})),
        request(2, "tools/list", json!({})),
        call(3, "check", &json!({ "plan": "plan.yaml", "connect": true })),
        call(4, "explain", &plan),
        call(5, "run", &plan),
        call(6, "run", &plan),
    ];
    let complete = format!("until {PGDYNO} list --json | grep -q complete; do sleep 0.1; done");
    let others = [
        call(7, "status", &json!({})),
        request(8, "resources/list", json!({})),
        request(9, "resources/read", json!({ "uri": "pgdyno://runs/latest/report" })),
        call(10, "issues", &json!({})),
    ];
    let all = answers(&lab, &first, &complete, &others);
    assert_eq!(all.len(), 10, "{all:#?}");
    let result = |id: usize| &all[id - 1]["result"];
    assert_eq!(
        (&result(1)["supportedVersions"][0], &result(1)["resultType"]),
        (&"2026-07-28".into(), &"complete".into())
    );
    assert_eq!(result(2)["tools"].as_array().map(Vec::len), Some(5));
    assert_eq!(result(3)["structuredContent"]["output"]["ok"], true, "{:#}", all[2]);
    assert!(result(4)["structuredContent"]["output"]["duration_at_most_s"].is_number(), "{:#}", all[3]);
    assert_eq!((&result(5)["isError"], &result(5)["structuredContent"]["state"]), (&false.into(), &"running".into()));
    assert_eq!(result(6)["isError"], true, "one run at a time: {:#}", all[5]);
    assert_eq!(result(7)["structuredContent"]["runs"][0]["state"], "complete", "{:#}", all[6]);
    assert_eq!(result(8)["resources"].as_array().map(Vec::len), Some(1));
    let report = result(9)["contents"][0]["text"].as_str().expect("a report");
    assert!(report.contains("Asked by a program"), "{report}");
    assert!(!result(10)["content"][0]["text"].as_str().expect("issues").is_empty());
    assert_eq!(lab.run().completed(), [1]);
}

#[test]
fn a_run_in_progress_is_interrupted_when_the_client_goes() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    let plan = plan_for(&server.tcp_url()).replace("at_least: 1, at_most: 1", "at_least: 60, at_most: 60");
    lab.write("plan.yaml", plan);
    let begun = "until ls runs/*/trials/1 >/dev/null 2>&1; do sleep 0.1; done";
    let all = answers(&lab, &[call(1, "run", &json!({ "plan": "plan.yaml" }))], begun, &[]);
    assert_eq!(all[0]["result"]["structuredContent"]["state"], "running");
    // It ends by itself: the sessions of the load go.
    server.await_that("SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name LIKE 'pgdyno%'");
    let trials = lab.run().completed().len();
    assert!((1..60).contains(&trials), "{trials}");
}

#[test]
fn what_no_plan_and_no_person_allows_is_refused() {
    let lab = Lab::new();
    lab.write("wrong.yaml", "name: x\nclints: 3\n");
    lab.write("dead.yaml", plan_for("host=127.0.0.1 port=1 user=x dbname=y"));
    let cases = [
        ("check", json!({ "plan": "../../etc/passwd" })),
        ("run", json!({ "plan": "/etc/passwd" })),
        ("run", json!({ "plan": "wrong.yaml" })),
        ("run", json!({ "plan": "missing.yaml" })),
        ("run", json!({ "plan": "." })),
        ("run", json!({ "plan": "dead.yaml", "ignore": "cpu-stolen" })),
        ("run", json!({ "plan": 3 })),
        ("run", json!({})),
        ("check", json!({ "plan": "wrong.yaml", "connect": "yes" })),
        ("issues", json!({ "run": "../runs" })),
        ("issues", json!({})),
    ];
    let mut requests = Vec::new();
    for (id, (name, arguments)) in (1..).zip(&cases) {
        requests.push(call(id, name, arguments));
    }
    for (answer, (name, arguments)) in answers(&lab, &requests, "true", &[]).iter().zip(&cases) {
        assert_eq!(answer["result"]["isError"], true, "{name} {arguments}: {answer:#}");
        let text = answer["result"]["content"][0]["text"].as_str().expect("a reason");
        assert!(text.len() > 10, "{name} {arguments}: {text}");
    }
    assert!(lab.runs().is_empty());
    let gone = "while ls runs/*/run.json >/dev/null 2>&1; do sleep 0.1; done; sleep 0.5";
    let all = answers(&lab, &[call(1, "run", &json!({ "plan": "dead.yaml" }))], gone, &[call(2, "status", &json!({}))]);
    let started = &all[1]["result"]["structuredContent"]["started_here"];
    assert_eq!((&started["in_progress"], &started["exit_status"]), (&false.into(), &3.into()), "{started:#}");
    assert!(started["last_lines"].to_string().contains("target \\\"it\\\""), "{started:#}");
    let wrong = [
        request(1, "tools/call", json!({ "name": "shell", "arguments": {} })),
        request(2, "resources/read", json!({ "uri": "file:///etc/passwd" })),
        request(3, "resources/read", json!({ "uri": "pgdyno://runs/../report" })),
        request(4, "prompts/list", json!({})),
        json!({ "jsonrpc": "2.0", "id": 5, "method": "initialize", "params": { "protocolVersion": "2025-06-18" } }),
    ];
    let all = answers(&lab, &wrong, "echo '{'", &[]);
    let codes: Vec<_> = all.iter().map(|answer| answer["error"]["code"].as_i64()).collect();
    assert_eq!(codes, [Some(-32602), Some(-32602), Some(-32602), Some(-32601), None, Some(-32700)], "{all:#?}");
    assert_eq!(all[4]["result"]["protocolVersion"], "2025-06-18");
    lab.pgdyno("mcp --plans missing").exits(2).says(&["--plans missing", "hint:"]);
    lab.pgdyno("mcp --plans wrong.yaml").exits(2).says(&["not a directory"]);
}
