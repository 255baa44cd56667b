//! A ladder of ways to one server: each layer real, each step judged, nothing left behind.

use std::path::Path;

use crate::lab::Lab;
use testbed::newest_version;

/// A plan of a ladder whose rungs after the first are `rungs`, name and target.
fn plan(rungs: &[(&str, &str)]) -> String {
    let targets: String = rungs.iter().map(|(name, target)| format!("  {name}: {target}\n")).collect();
    let names: Vec<&str> = rungs.iter().map(|(name, _)| *name).collect();
    format!(
        "name: Layers\ntargets:\n  unix: {{ local: {{ bin: {}, via: unix }} }}\n{targets}baseline: unix\n\
         ladder: [unix, {}]\nworkloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [2]\n\
         trial: {{ warm_up: 0s, measure: 500ms }}\nblocks: {{ at_least: 3, at_most: 3 }}\n",
        newest_version().display(),
        names.join(", ")
    )
}

#[test]
fn a_ladder_on_one_server_tells_what_each_layer_adds() {
    let lab = Lab::new();
    let shared = |way: &str| format!("{{ shared: {{ server_of: unix, {way} }} }}");
    let rungs = [("tcp", shared("via: tcp")), ("tls", shared("via: tcp, tls: true"))];
    lab.write("plan.yaml", plan(&rungs.each_ref().map(|(name, way)| (*name, way.as_str()))));
    let ended = lab.pgdyno("run plan.yaml --details");
    ended.measured().prints(&[
        "Overhead of each layer",
        "read, 2 clients, ms of mean latency",
        "+ tcp",
        "+ tls",
        "unix → tls",
    ]);
    let path = lab.run().path().display().to_string();
    let json = lab.pgdyno(&format!("report {path} --format json")).json();
    let rows = json["layers"][0]["rows"].as_array().expect("rows");
    let added = |index: usize| rows[index]["change_ms"]["point"].as_f64().expect("milliseconds");
    assert_eq!(rows.len(), 3);
    assert!((added(0) + added(1) - added(2)).abs() < 1e-9);
    let html = std::fs::read_to_string(Path::new(&path).join("report.html")).expect("a report");
    assert!(html.contains("\"layers\""));
    lab.assert_no_temporary_data();
}

#[test]
fn a_pilot_measures_a_baseline_that_shares_the_server_of_another_target() {
    let lab = Lab::new();
    let plan = plan(&[("tcp", "{ shared: { server_of: unix, via: tcp } }")]);
    lab.write("plan.yaml", plan.replace("baseline: unix\nladder: [unix, tcp]", "baseline: tcp"));
    let ended = lab.pgdyno("plan explain plan.yaml --pilot");
    ended.exits(0).prints(&["from tcp alone", "read at 2 clients: ±", "variation between rounds of slices"]);
    lab.assert_no_temporary_data();
}

#[test]
fn a_ladder_through_a_namespace_a_service_and_a_pooler_needs_root_and_leaves_nothing() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: network namespaces and limits of CPUs need root");
        return;
    }
    let lab = Lab::new();
    let shared = |way: &str| format!("{{ shared: {{ server_of: unix, {way} }} }}");
    let rungs = [
        ("veth", shared("via: veth")),
        ("service", shared("via: service")),
        ("pooled", shared("via: service, tls: true, pgbouncer: true")),
        ("limited", shared("via: service, tls: true, pgbouncer: true, cpus: 0.5")),
    ];
    lab.write("plan.yaml", plan(&rungs.each_ref().map(|(name, way)| (*name, way.as_str()))));
    lab.pgdyno("run plan.yaml --details").measured().prints(&["+ veth", "+ service", "+ pooled", "+ limited"]);
    let trials = lab.run().trials();
    assert_eq!(trials.len(), 15);
    let all_worked = |trial: &results::trial::Trial| {
        trial.load.as_ref().is_some_and(|load| load.transactions > 0 && load.failed == 0)
    };
    assert!(trials.iter().all(all_worked));
    let facts = lab.run().dir().target_facts().expect("facts");
    assert_eq!(facts["service"].path.layers, ["veth", "DNAT"]);
    lab.assert_no_temporary_data();
    let links = std::fs::read_dir("/sys/class/net").expect("listed").flatten();
    let mine = |name: &str| {
        name.strip_prefix("pgd")
            .and_then(|pid| pid.parse::<u32>().ok())
            .is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists())
    };
    assert!(
        !links.into_iter().any(|link| mine(&link.file_name().to_string_lossy())),
        "a veth pair outlived its namespace"
    );
}

#[test]
fn a_pooler_lends_as_many_connections_as_the_plan_says_for_as_long() {
    let lab = Lab::new();
    lab.write("nap.sql", "SELECT pg_sleep(0.02);\n");
    let bin = testbed::newest_version();
    let way = "via: tcp, pgbouncer: true, pooling: { mode: transaction, size: 1 }";
    let text = format!(
        "name: One connection for four\ntargets: {{ pooled: {{ local: {{ bin: \"{}\", {way} }} }} }}\nbaseline: pooled\n\
         workloads: {{ nap: {{ script: [nap.sql], mode: simple }} }}\nclients: [4]\n\
         trial: {{ warm_up: 0s, measure: 2s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n",
        bin.display()
    );
    lab.write("plan.yaml", text);
    lab.pgdyno("run plan.yaml").measured();
    let trials = lab.run().trials();
    let load = trials[0].load.as_ref().expect("figures");
    // One after the other each of them naps for 20 ms; four at once would have four times as many.
    assert!(load.transactions > 0 && load.transactions <= 110 && load.failed == 0, "{}", load.transactions);
}
