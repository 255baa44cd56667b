//! Every command on a page of `docs/how-to` runs, in the order of the page and in one shell, as a reader would paste
//! it. Only the plans are made shorter, by their documented keys, and what is the reader's own (disks, servers) is the
//! test's.

use std::fs;
use std::path::Path;

use crate::kubernetes::Site;
use crate::lab::{BRIEF, Lab, PGDYNO};
use crate::process::{Ended, Program};
use testbed::{Postgres, installed_versions, is_root, newest_version};

const PAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/how-to");

/// Verdicts are answers; anything else ends the page. Each command says that it was reached.
const SHELL: &str = r#"set -euo pipefail
pgdyno() {
    local status=0
    command pgdyno "$@" || status=$?
    echo "pgdyno $*" >> commands
    case $status in 0 | 1 | 4) ;; *) echo "exit status $status: pgdyno $*" >&2; exit 90 ;; esac
}
"#;

/// The blocks of a page between fences of this language; there are no others but what is printed.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let written = page.lines().filter(|line| line.starts_with("```") && line.len() > 3);
    for line in written {
        let known = ["```sh", "```text", "```yaml"].contains(&line);
        assert!(known, "commands are `sh`, what they print is `text`, and keys of a plan are `yaml`: {line}");
    }
    blocks_of(page, language)
}

fn blocks_of(page: &str, language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(found) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if found == language {
            blocks.push(block.join("\n") + "\n");
        }
    }
    blocks
}

/// A line of a plan as short as it can be, of clients that leave the CPUs to others.
fn brief(line: &str) -> String {
    match line.split_once(':') {
        Some(("trial", _)) => "trial: { warm_up: 0s, measure: 1s }".to_owned(),
        Some(("clients", _)) => "clients: [2]".to_owned(),
        Some(("blocks", _)) => "blocks: { at_least: 1, at_most: 1 }".to_owned(),
        _ => match line.split_once("scale: ") {
            Some((before, after)) => {
                let before = before.replace("{ builtin:", "{ think: 5ms, builtin:");
                format!("{before}scale: 1{}", after.trim_start_matches(|c: char| c.is_numeric()))
            }
            None => line.to_owned(),
        },
    }
}

/// Runs a page, with what is the reader's own replaced; none where its servers cannot be had.
#[track_caller]
fn run(lab: &Lab, page: &str, own: &[(&str, &str)]) -> Option<Ended> {
    let text = fs::read_to_string(Path::new(PAGES).join(page)).expect("the page");
    let commands: String = blocks(&text, "sh").concat();
    let mut script = SHELL.to_owned() + &commands.lines().map(brief).collect::<Vec<_>>().join("\n") + "\n";
    for (theirs, ours) in own {
        assert!(script.contains(theirs), "{page} no longer has {theirs:?}");
        script = script.replace(theirs, ours);
    }
    lab.write("page.sh", script);
    let path =
        format!("{}:{}", Path::new(PGDYNO).parent().expect("a folder").display(), std::env::var("PATH").unwrap());
    let ended: Ended = Program::new(lab, "bash").arguments(["page.sh"]).env("PATH", path).end();
    if ended.stderr.contains("cannot be downloaded") {
        eprintln!("skipped: no network, and no embedded PostgreSQL is cached");
        return None;
    }
    ended.exits(0);
    let ran = fs::read_to_string(lab.path().join("commands")).expect("commands were run");
    let written = commands.lines().filter(|line| line.trim_start().starts_with("pgdyno ")).count();
    assert!(ran.lines().count() >= written, "{page} has {written} commands, and these were run:\n{ran}");
    Some(ended)
}

#[test]
fn two_versions_are_compared() {
    let lab = Lab::new();
    if run(&lab, "two-versions.md", &[]).is_some() {
        assert_eq!(lab.run().completed(), [1, 2]);
    }
}

#[test]
fn a_version_without_embedded_binaries_is_compared() {
    let lab = Lab::new();
    let here = newest_version().display().to_string();
    // Where 19 is not installed, another version stands for it.
    let nineteen = installed_versions().into_iter().find(|bin| bin.ends_with("19/bin"));
    let nineteen = nineteen.map_or(here.clone(), |bin| bin.display().to_string());
    let own = [("/usr/lib/postgresql/18/bin", here.as_str()), ("/usr/lib/postgresql/19/bin", nineteen.as_str())];
    run(&lab, "postgresql-19.md", &own);
    assert_eq!(lab.run().completed(), [1, 2, 3, 4]);
}

#[test]
fn a_report_a_backup_and_an_index_run_beside() {
    let lab = Lab::new();
    let here = newest_version().display().to_string();
    run(&lab, "report-and-backup-beside.md", &[("/usr/lib/postgresql/17/bin", here.as_str())]);
    assert!(lab.run().trials().iter().all(|trial| trial.beside.iter().all(|load| load.error.is_none())));
}

#[test]
fn a_standby_is_read() {
    let lab = Lab::new();
    let here = newest_version().display().to_string();
    run(&lab, "read-a-standby.md", &[("/usr/lib/postgresql/17/bin", here.as_str())]);
    assert_eq!(lab.run().completed(), [1, 2]);
}

#[test]
fn two_settings_are_compared_without_a_plan() {
    let lab = Lab::new();
    let brief = "--version 17 --clients 2 --measure 1s --time 5s";
    if run(&lab, "without-a-plan.md", &[("--version 17", brief)]).is_some() {
        assert_eq!(lab.run().trials().len(), 2 * 5);
    }
}

#[test]
fn an_own_load_is_captured_and_replayed() {
    let lab = Lab::new();
    crate::captured::captured_shop(&lab);
    lab.write("shop.sql", crate::captured::DATA);
    let own = [
        ("pg_dump --format custom --file shop.dump \"host=db.example dbname=shop\"", "true"),
        ("--log postgresql.csv --database shop", "--log shop.csv --database postgres"),
        ("--restore shop.dump", "--restore shop.sql"),
        ("--clients 16", "--clients 2 --measure 100ms --time 5s"),
    ];
    if run(&lab, "your-own-load.md", &own).is_some() {
        assert!(lab.run().trials().iter().all(|trial| trial.load.as_ref().is_some_and(|load| load.failed == 0)));
    }
}

#[test]
fn an_upgrade_is_rehearsed() {
    let lab = Lab::new();
    crate::captured::captured_shop(&lab);
    lab.write("shop.sql", crate::captured::DATA);
    let own = [
        ("postgresql.csv --database shop", "shop.csv"),
        ("--data shop.dump", "--data shop.sql"),
        ("--clients 4", "--clients 2 --measure 1s --time 1s"),
    ];
    if run(&lab, "rehearse-an-upgrade.md", &own).is_some() {
        assert!(lab.run().path().join("rehearsal.json").is_file());
    }
}

#[test]
fn two_disks_are_told_apart() {
    let lab = Lab::on_a_disk();
    for disk in ["standard", "fast"] {
        fs::create_dir(lab.path().join(disk)).expect("a disk");
    }
    let here = format!("{}/", lab.path().display());
    run(&lab, "two-disks.md", &[("/mnt/", &here), ("--runtime 60s --size 16GB", "--runtime 1s --size 4MB --force")]);
}

#[test]
fn a_pull_request_is_gated() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write(
        "schema.sql",
        "CREATE TABLE orders (customer int, total int);\n\
         INSERT INTO orders SELECT i % 1000 + 1, i FROM generate_series(1, 5000) AS i;\n",
    );
    let url = server.tcp_url();
    let at = url.strip_suffix("/postgres").expect("a URL of the database postgres");
    let login = format!("export PGHOST=127.0.0.1 PGPORT={} PGUSER=postgres; createdb base", server.tcp_port());
    // The repository, and the server, are the reader's own.
    let own = [
        ("git worktree add base \"$BASE_COMMIT\"", "mkdir base && cp schema.sql base/"),
        ("createdb base", login.as_str()),
        ("postgresql://postgres@localhost", at),
    ];
    let Some(ended) = run(&lab, "gate-a-pull-request.md", &own) else { return };
    let of = |name: &str| fs::read_to_string(lab.path().join(name)).expect(name);
    assert!(of("summary.md").lines().count() < 60 && of("junit.xml").contains("<testsuite"));
    ended.prints(&["branch against base", "db against pinned", "exit status "]);
}

#[test]
fn the_commands_for_a_ci_job_report_its_own_run_only_where_a_shell_ends_at_the_first_error() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    let page = fs::read_to_string(Path::new(PAGES).join("../output-formats.md")).expect("the page");
    lab.write("job.sh", &blocks(&page, "sh")[0]);
    let path =
        format!("{}:{}", Path::new(PGDYNO).parent().expect("a folder").display(), std::env::var("PATH").unwrap());
    let good = format!(
        "name: Job\ntargets: {{ it: {{ url: \"{}\" }} }}\nbaseline: it\n\
         workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [1]\n{BRIEF}",
        server.socket_conninfo()
    );
    // A requirement is broken for sure by three blocks only.
    let slow = good.replace("scale: 1 }", "scale: 1, require: { throughput: \"> 9000000/s\" } }");
    let slow = slow.replace("at_least: 1, at_most: 1", "at_least: 3, at_most: 3");
    let (nowhere, wrong) = (good.replace("postgres", "nobody"), good.replace("clients", "clints"));
    for (plan, status, reports) in [(&good, 0, true), (&slow, 1, true), (&wrong, 2, false), (&nowhere, 3, false)] {
        lab.write("plan.yaml", plan);
        lab.write("summary.md", "");
        let job = Program::new(&lab, "bash").arguments(["-e", "job.sh"]);
        let summary = lab.path().join("summary.md");
        job.env("PATH", &path).env("GITHUB_STEP_SUMMARY", &summary).end().exits(status);
        assert_eq!(lab.path().join("junit.xml").exists(), reports, "status {status}");
        assert_eq!(!fs::read_to_string(&summary).expect("a summary").is_empty(), reports, "status {status}");
    }
}

#[test]
fn a_managed_server_is_asked_for_rights_and_measured() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    let url = server.tcp_url();
    // `plan new` writes the plan, which is not on the page.
    let short = "sed -i 's/at_least: 5, until: verdict, at_most_time: 4m/at_least: 1, at_most: 1/; \
                 s/scale: 10/scale: 1/; s/measure: 5s/measure: 1s/' plan.yaml\npgdyno run plan.yaml";
    let own = [("postgresql://bench@db.example/shop", url.as_str()), ("pgdyno run plan.yaml", short)];
    let ended = run(&lab, "managed-postgresql.md", &own);
    ended.expect("it needs no download").prints(&["what it buys in the report", "plan.yaml: ok", "Report: runs/"]);
}

#[test]
fn a_report_is_handed_to_a_customer() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    let page = fs::read_to_string(Path::new(PAGES).join("hand-to-a-customer.md")).expect("the page");
    let keys = blocks_of(&page, "yaml").concat();
    let plan = format!(
        "name: Job\ntargets: {{ it: {{ url: \"{}\" }} }}\nbaseline: it\n\
         workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [1]\n{BRIEF}{keys}",
        server.tcp_url()
    );
    lab.write("plan.yaml", plan);
    lab.pgdyno("run plan.yaml --quiet").measured();
    run(&lab, "hand-to-a-customer.md", &[]).expect("it needs no server");
    for form in ["terminal --details", "markdown", "html --output -"] {
        let report = lab.pgdyno(&format!("report --redact --format {form}"));
        report.exits(0).prints(&["Jane Doe, Example Consulting", "Acme", "The load is that of Monday morning."]);
    }
}

#[test]
fn what_makes_a_server_slow_is_looked_for() {
    run(&Lab::new(), "why-is-it-slow.md", &[]);
}

#[test]
fn an_account_of_differences_is_read() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    let url = server.tcp_url();
    let three_blocks = BRIEF.replace("at_least: 1, at_most: 1", "at_least: 3, at_most: 3");
    let plan = format!(
        "name: Account\ntargets: {{ sound: {{ url: \"{url}\" }}, injured: {{ url: \"{url}\" }} }}\nbaseline: sound\n\
         workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [1]\n{three_blocks}"
    );
    lab.write("plan.yaml", plan);
    lab.pgdyno("run plan.yaml --quiet").measured();
    let ended = run(&lab, "read-an-account.md", &[]).expect("it needs no server");
    ended.prints(&["injured against sound", "Time budget", "Account of differences per transaction"]);
}

#[test]
fn a_published_benchmark_is_checked() {
    let ended = run(&Lab::new(), "published-benchmark.md", &[]).expect("it needs no server");
    ended.prints(&["littles-law: broken", "2050 tps × 3.91 ms = 8.02 clients"]);
}

#[test]
#[ignore = "needs a cluster"]
fn a_vm_and_kubernetes_are_compared() {
    let (lab, site, vm) = (Lab::new(), Site::new(), Postgres::start_default());
    let cluster = format!("cluster: db, namespace: {}", site.namespace);
    let own =
        [("postgresql://bench@10.0.0.5/bench", vm.tcp_url()), ("cluster: db-stage, namespace: pg", cluster.clone())];
    run(&lab, "vm-and-kubernetes.md", &own.each_ref().map(|(theirs, ours)| (*theirs, ours.as_str())));
    assert!(fs::read_to_string(lab.path().join("job.yaml")).expect("a Job").contains("\"kind\": \"Job\""));
}

#[test]
fn a_limited_machine_is_compared() {
    if !is_root() {
        eprintln!("skipped: limits of servers need root");
        return;
    }
    let lab = Lab::new();
    if let Some(ended) = run(&lab, "limited-machine.md", &[]) {
        ended.prints(&["limits the server by control groups", "whole/io-1000 against whole/io-300"]);
    }
}

#[test]
fn every_page_is_run_by_a_test_of_this_file() {
    let here = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/how_to.rs")).expect("this file");
    for page in fs::read_dir(PAGES).expect("pages") {
        let name = page.expect("a page").file_name().into_string().expect("text");
        assert!(here.contains(&format!("\"{name}\"")), "no test runs docs/how-to/{name}");
    }
}
