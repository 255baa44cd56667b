//! Every supported version, as embedded binaries: measured with every probe read, its data fit for pgbench.

use results::interval::Reading;

use crate::lab::Lab;
use crate::process::{Program, Running};
use crate::run_view::RunView;
use testbed::{installed_versions, newest_version, run_command};

/// Every version with what a plan says of its binaries: the embedded ones, and of a version without these the ones that
/// `PGDYNO_TEST_PG_BINS` names.
fn versions_to_measure() -> Vec<(u32, String)> {
    let mut all = Vec::new();
    for version in catalog::VERSIONS {
        let number = version.number;
        if version.has_embedded_binaries {
            all.push((number, format!("version: {number}")));
            continue;
        }
        let said = format!("postgres (PostgreSQL) {number}");
        let bin = installed_versions().into_iter().find(|bin| {
            run_command(std::process::Command::new(bin.join("postgres")).arg("--version")).starts_with(&said)
        });
        match bin {
            Some(bin) => all.push((number, format!("bin: {}", bin.display()))),
            None => eprintln!("skipped: PostgreSQL {number} is not installed"),
        }
    }
    all
}

#[test]
fn every_version_is_measured_with_every_probe_and_its_data_serve_pgbench() {
    let versions = versions_to_measure();
    let lab = Lab::on_a_disk();
    let mut targets = String::new();
    for (version, binaries) in &versions {
        targets.push_str(&format!("  pg{version}: {{ local: {{ {binaries} }} }}\n"));
    }
    lab.write(
        "plan.yaml",
        format!(
            "name: Versions\ntargets:\n{targets}baseline: pg14\nmay_differ: [version, build, settings]\n\
             workloads:\n  read: {{ think: 5ms, builtin: select-only, scale: 1 }}\n  write: {{ think: 5ms, builtin: tpcb-like, scale: 1 }}\n\
             clients: [2]\ntrial: {{ warm_up: 0s, measure: 1s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n"
        ),
    );
    let mut pgdyno = lab.start("run plan.yaml");
    let offline = |pgdyno: &Running| pgdyno.said().contains("cannot be downloaded");
    pgdyno.await_that("measures", |pgdyno| pgdyno.said().contains("trial 1/") || offline(pgdyno));
    if offline(&pgdyno) {
        eprintln!("skipped: no network, and not every version is cached");
        return;
    }
    let servers = pgdyno.traces();
    assert_eq!(servers.servers(), versions.len());
    // All servers are up while the trials go on.
    let run = lab.run();
    pgbench_runs_on_each(&lab, &run, &versions);
    pgdyno.end().exits(4);
    servers.assert_gone();
    lab.assert_no_temporary_data();
    assert_eq!(run.completed().len(), 2 * versions.len());
    every_probe_was_read(&run);
}

fn pgbench_runs_on_each(lab: &Lab, run: &RunView, versions: &[(u32, String)]) {
    let facts = run.dir().target_facts().expect("facts");
    for ((version, _), facts) in versions.iter().zip(facts.values()) {
        assert_eq!(facts.server.version_num / 10_000, *version);
        let pgbench = Program::new(lab, &newest_version().join("pgbench").display().to_string());
        let (host, port) = (facts.path.address.clone(), facts.path.port.to_string());
        let ended = pgbench.arguments(["-n", "-t", "10", "-h", &host, "-p", &port, "-U", "postgres", "postgres"]).end();
        ended.exits(0).prints(&["scaling factor: 1", "number of transactions actually processed: 10/10"]);
    }
}

fn every_probe_was_read(run: &RunView) {
    for trial in run.trials() {
        let version: u32 = trial.cell.target["pg".len()..].parse().expect("as in the plan");
        let mut wanted = vec!["host.cpu", "host.disk", "host.memory", "host.network", "pg.bgwriter", "pg.checkpointer"];
        wanted.extend(["pg.database", "pg.wal"]);
        if version >= 16 {
            wanted.push("pg.io");
        }
        let tables = run.dir().trial_tables(trial.number).expect("read").expect("of each trial");
        assert!(tables.gap.is_none() && tables.functions.is_some(), "{}: {tables:?}", trial.cell);
        for second in run.dir().trial_intervals(trial.number).expect("seconds") {
            for name in &wanted {
                let reading = second.probes.get(*name).unwrap_or_else(|| panic!("{}: no {name}", trial.cell));
                assert!(matches!(reading, Reading::Values { .. }), "{}: {name}: {reading:?}", trial.cell);
            }
        }
    }
}

#[test]
fn a_machine_without_certificate_authorities_is_told_what_it_lacks() {
    let lab = Lab::new();
    lab.write(
        "plan.yaml",
        "name: Where from?\ntargets:\n  it: { local: { version: 17 } }\nbaseline: it\n\
         workloads: { read: { think: 5ms, builtin: select-only, scale: 1 } }\nclients: [1]\n",
    );
    let nobody = lab.program("run plan.yaml").env("XDG_CACHE_HOME", lab.path().join("cache"));
    let ended = nobody.env("SSL_CERT_FILE", "/dev/null").env("SSL_CERT_DIR", lab.path().join("none")).start().end();
    ended.exits(3).says(&["no trusted CA certificates", "hint: install ca-certificates"]);
}
