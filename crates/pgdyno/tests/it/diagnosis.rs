//! Why it is so: conditions that the test causes are the first finding, and each comes with a plan that can be run.

use serde_json::Value;

use crate::delayed;
use crate::lab::Lab;
use testbed::Postgres;

/// Findings of rules about what else goes on on the machine, where other tests run beside this one.
pub(crate) const OF_THE_MACHINE: [&str; 4] = ["noisy-neighbour", "cpu-saturated", "cpu-stolen", "throughput-collapse"];

fn first(diagnosis: &Value) -> &Value {
    let findings = diagnosis["findings"].as_array().expect("findings");
    let is_ours = |finding: &&Value| !OF_THE_MACHINE.contains(&finding["rule"].as_str().expect("a rule"));
    findings.iter().find(is_ours).unwrap_or_else(|| panic!("{diagnosis:#}"))
}

/// The delay is a proxy's, of which the kernel sees the near end alone, so that no round trip accounts for it; but the
/// server sees another end of the connections than they were made to.
#[test]
fn a_delay_on_one_sides_path_that_nobody_counted_is_the_routes_and_not_called_the_networks() {
    let diagnosis = &delayed::REPORT["diagnosis"];
    let findings = diagnosis["findings"].as_array().expect("findings");
    assert!(findings.iter().all(|finding| finding["rule"] != "network-bound"), "{diagnosis:#}");
    let by = &diagnosis["explained"][0]["by"][0];
    assert_eq!(by["rule"], "route-differs", "{diagnosis:#}");
    assert!(by["share"].as_f64().expect("a share") > 0.5, "{diagnosis:#}");
    let named = findings.iter().find(|finding| finding["rule"] == "route-differs").expect("it explains the change");
    let title = named["title"].as_str().expect("a title");
    assert!(title.contains("something that forwards connections is on it"), "{title}");
}

#[test]
fn a_hot_row_is_found_and_the_plan_that_confirms_it_can_be_run() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write(
        "plan.yaml",
        format!(
            "name: A hot row\ntargets: {{ db: {{ url: \"{}\" }} }}\nbaseline: db\n\
             workloads: {{ hot: {{ builtin: tpcb-like, scale: 1 }} }}\nclients: [12]\n\
             trial: {{ warm_up: 0s, measure: 3s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n",
            server.tcp_url()
        ),
    );
    lab.pgdyno("run plan.yaml").measured();
    let runs = lab.runs();
    let run = runs[0].display();
    let diagnosis = lab.pgdyno(&format!("diagnose {run} --json")).json();
    assert_eq!(first(&diagnosis)["rule"], "row-locks", "{diagnosis:#}");
    let findings = diagnosis["findings"].as_array().expect("findings");
    let number =
        1 + findings.iter().position(|finding| finding["rule"] == "row-locks").expect("it was the first of ours");

    let fragment = lab.pgdyno(&format!("diagnose {run} --fragment {number}"));
    fragment.exits(0).prints(&["scale: 48"]);
    lab.write("confirm.yaml", &fragment.stdout);
    lab.pgdyno("plan check confirm.yaml").exits(0);
    lab.pgdyno(&format!("diagnose {run} --fragment 99")).exits(2).says(&["finding 99 does not exist"]);

    lab.pgdyno(&format!("diagnose {run} --baseline db")).exits(0);
    let nobody = lab.pgdyno(&format!("diagnose {run} --baseline nobody"));
    nobody.exits(2).says(&["--baseline nobody: the run has no such target", "its targets are db"]);

    let words = "the clients contend for too few branch rows";
    let screen = lab.pgdyno(&format!("diagnose {run}"));
    screen.exits(0).prints(&[words, "\nMore:   pgdyno diagnose ", " --details\nReport: "]);
    assert!(!screen.stdout.contains("would disprove it"), "{screen}");
    lab.pgdyno(&format!("diagnose {run} --details")).exits(0).prints(&[words, "would disprove it"]);
    lab.pgdyno(&format!("diagnose {run} --format markdown")).exits(0).prints(&["### Findings", words]);
    lab.pgdyno(&format!("report {run} --details")).exits(0).prints(&["\nFindings\n", words]);
    lab.pgdyno(&format!("report {run} --format terminal")).exits(0).prints(&["\nIssues", "--details"]);
    lab.pgdyno(&format!("report {run} --format markdown")).exits(0).prints(&["### Findings", words]);
}
