//! `report --redact`: names and constants that a test plants are in no form of the report, and the verdicts stay.

use std::fs;

use serde_json::Value;

use crate::lab::Lab;
use testbed::Postgres;

/// What must not be in a report: host, database, role, and constants of the script.
const PLANTED: [&str; 8] =
    ["acme_crm", "acme_bench", "Meierhofer", "4711815", "geheim", "acme_archive", "127.0.0.77", "secret remark"];

const SCRIPT: &str = "\\set n random(1, 100)\n\
    SELECT count(*) FROM pg_class WHERE relname <> 'Meierhofer' AND oid <> 4711815 + :n; -- a secret remark\n\
    SELECT 1 / (CASE WHEN :n > 50 THEN 1 ELSE length('geheim') END);\n";

/// One in ten fails with a message that has a value.
const FAILING: &str = "\\set n random(1, 100)\n\
    SELECT CASE WHEN :n > 90 THEN CAST('Meierhofer' || :n AS int) ELSE 0 END;\n";

fn planted_run(lab: &Lab, server: &Postgres) {
    server.query_postgres("CREATE ROLE acme_bench LOGIN");
    server.query_postgres("CREATE DATABASE acme_crm OWNER acme_bench");
    server.query_postgres("CREATE DATABASE acme_archive");
    lab.write("own.sql", SCRIPT);
    lab.write("failing.sql", FAILING);
    let url = format!("postgresql://acme_bench@127.0.0.1:{}/acme_crm", server.tcp_port());
    lab.write(
        "plan.yaml",
        format!(
            "name: Is it faster?\ntargets:\n  old: {{ url: \"{url}\" }}\n  \
             new: {{ url: \"{url}\", settings: {{ work_mem: 8MB }} }}\nbaseline: old\n\
             workloads:\n  own: {{ script: own.sql, think: 5ms }}\n  \
             failing: {{ script: failing.sql, think: 5ms }}\n  \
             write: {{ builtin: simple-update, scale: 1, think: 5ms }}\nclients: 2\n\
             trial: {{ warm_up: 0s, measure: 1s }}\nblocks: {{ at_least: 3, at_most: 3 }}\n"
        ),
    );
    lab.pgdyno("run plan.yaml --quiet").measured();
}

/// Every form of the report, each with its name.
fn forms(lab: &Lab, redact: &str) -> Vec<(String, String)> {
    let mut forms = Vec::new();
    for format in [
        "terminal --details",
        "terminal",
        "markdown",
        "summary",
        "json",
        "html --output -",
        "junit",
        "bencher",
        "benchmark-action-bigger",
        "openmetrics",
    ] {
        let ended = lab.pgdyno(&format!("report --format {format} {redact}"));
        ended.exits(0);
        forms.push((format.to_owned(), ended.stdout));
    }
    let tables = format!("tables{redact}");
    lab.pgdyno(&format!("report --format csv --table all --output {tables} {redact}")).exits(0);
    for table in fs::read_dir(lab.path().join(&tables)).expect("tables").flatten() {
        let text = fs::read_to_string(table.path()).expect("a table");
        forms.push((table.file_name().to_string_lossy().into_owned(), text));
    }
    forms
}

#[test]
fn what_is_planted_is_in_no_form_of_the_report() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    planted_run(&lab, &server);
    let plain: String = forms(&lab, "").into_iter().map(|(_, text)| text).collect();
    for planted in ["acme_crm", "Meierhofer", "4711815"] {
        assert!(plain.contains(planted), "the test plants {planted}, and no report has it");
    }
    for (form, text) in forms(&lab, "--redact") {
        for planted in PLANTED {
            assert!(!text.to_lowercase().contains(&planted.to_lowercase()), "{form} has {planted}");
        }
        assert!(!text.is_empty(), "{form}");
    }
    lab.pgdyno("report --redact --quiet").exits(0).prints(&["report-redacted.html"]);
    let page = fs::read_to_string(lab.run().path().join("report-redacted.html")).expect("a page");
    for planted in PLANTED {
        assert!(!page.contains(planted), "the page has {planted}");
    }
}

/// Every number and every verdict of a part of a report.
fn collect_figures(value: &Value, to: &mut Vec<String>) {
    match value {
        Value::Number(number) => to.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| collect_figures(item, to)),
        Value::Object(entries) => {
            for (key, item) in entries {
                if key == "verdict" {
                    to.push(item.to_string());
                }
                collect_figures(item, to);
            }
        }
        Value::String(_) | Value::Null | Value::Bool(_) => {}
    }
}

#[test]
fn figures_and_verdicts_are_those_of_the_report() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    planted_run(&lab, &server);
    let report = |options: &str| lab.pgdyno(&format!("report --format json {options}")).json();
    let (plain, redacted) = (report(""), report("--redact"));
    for part in ["comparisons", "noise_floor", "maxima", "ladders"] {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        collect_figures(&plain[part], &mut before);
        collect_figures(&redacted[part], &mut after);
        assert_eq!(before, after, "{part}");
    }
    let codes = |report: &Value| {
        let issues = report["issues"].as_array().expect("issues");
        issues.iter().map(|issue| issue["code"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(codes(&plain), codes(&redacted));
    // One word for one thing, in every report of the run.
    assert_eq!(redacted, report("--redact"));
    let text = redacted.to_string();
    assert!(text.contains("text-1") && text.contains("database-1"), "{text}");
}

#[test]
fn what_cannot_be_redacted_is_refused() {
    let lab = Lab::new();
    lab.pgdyno("report missing --redact").exits(2);
    lab.pgdyno("report --redact=yes").exits(2);
}

/// What must not be in a report of imported files.
const PLANTED_IN_FILES: [&str; 8] =
    ["acme", "Globex", "Meierhofer", "shop.example", "10.20.30.40", "zephyr", "checkout", "4711815"];

const STUDY_WITH_NAMES: &str = "study: Acme on VMs\nauthor: Jane Doe\nnotes: for Globex only\nfiles: [acme-results.csv]\n\
    baseline: acme vm pg17\ndeclared:\n  generator: { duration_s: 60 }\n  targets:\n    acme vm pg17: { storage: zephyr ssd, \
    hardware: { host: db1.shop.example, memory: 8GB }, \
    postgresql: { version: '17', shared_buffers: 2GB, data_directory: /srv/acme/data } }\n    \
    pod zephyr pg17: { storage: local nvme, hardware: { host: 10.20.30.40, memory: 8GB }, \
    postgresql: { version: '17', shared_buffers: 4GB } }\n";

const TABLE_WITH_NAMES: &str = "target,workload,tenant,query,clients,repetition,tps,latency_ms_mean,globex carts\n\
    acme vm pg17,select-only checkout,Globex,SELECT a FROM t WHERE b = 'Meierhofer' AND c = 4711815,8,1,1000.5,7.99,5\n\
    acme vm pg17,select-only checkout,Globex,SELECT a FROM t WHERE b = 'Meierhofer' AND c = 4711815,8,2,1010.5,7.91,6\n\
    pod zephyr pg17,select-only checkout,Globex,SELECT a FROM t WHERE b = 'Meierhofer' AND c = 4711815,8,1,900.5,12.2,7\n\
    pod zephyr pg17,select-only checkout,Globex,SELECT a FROM t WHERE b = 'Meierhofer' AND c = 4711815,8,2,890.5,8.97,8\n";

#[test]
fn what_is_planted_in_imported_files_is_in_no_form_of_the_report() {
    let lab = Lab::new();
    lab.write("acme.study.yaml", STUDY_WITH_NAMES);
    lab.write("acme-results.csv", TABLE_WITH_NAMES);
    lab.pgdyno("import acme.study.yaml").exits(0);
    let plain: String = forms(&lab, "").into_iter().map(|(_, text)| text).collect();
    for planted in ["acme", "Globex", "zephyr"] {
        assert!(plain.contains(planted), "the test plants {planted}, and no report has it");
    }
    for (form, text) in forms(&lab, "--redact") {
        for planted in PLANTED_IN_FILES {
            assert!(!text.to_lowercase().contains(&planted.to_lowercase()), "{form} has {planted}");
        }
        assert!(!text.is_empty(), "{form}");
    }
    // What the author says to the reader stays, as in reports of a plan.
    lab.pgdyno("report --format markdown --redact").exits(0).prints(&["Jane Doe"]);
    let plain = lab.pgdyno("report --format json").json();
    let redacted = lab.pgdyno("report --format json --redact").json();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    collect_figures(&plain["comparisons"], &mut before);
    collect_figures(&redacted["comparisons"], &mut after);
    assert_eq!(before, after);
    assert_eq!(verdicts_of_audit(&plain), verdicts_of_audit(&redacted));
    assert!(verdicts_of_audit(&plain).iter().any(|(_, verdict)| verdict.contains("broken")), "something is broken");
}

/// The rules of an audit, each with its verdict.
fn verdicts_of_audit(report: &Value) -> Vec<(String, String)> {
    let mut verdicts = Vec::new();
    for rule in report["audit"]["checks"].as_array().expect("checks") {
        verdicts.push((rule["id"].to_string(), rule["verdict"].to_string()));
    }
    verdicts
}
