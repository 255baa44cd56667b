//! Whole imports, from files to what is judged of them.

use std::fs;
use std::path::{Path, PathBuf};

use judge::judge_run;
use judge::observed::Observed;

use super::{ImportRequest, import_study};
use problem::Problem;

const NOW: &str = "2026-11-20T09:00:00Z";

/// Imports files of these names and contents.
fn imported(files: &[(&str, &[u8])], request: ImportRequest) -> Result<Observed, Problem> {
    let directory = tempfile::tempdir().expect("a directory");
    let paths: Vec<PathBuf> = files.iter().map(|(name, _)| directory.path().join(name)).collect();
    for (path, (_, content)) in paths.iter().zip(files) {
        fs::write(path, content).expect("written");
    }
    observed(&ImportRequest { files: paths, ..request }, &directory.path().join("runs"))
}

fn observed(request: &ImportRequest, runs: &Path) -> Result<Observed, Problem> {
    let dir = import_study(request, runs, NOW.parse().expect("an instant"))?;
    Ok(Observed::read(&dir).expect("what was written is read"))
}

fn refused(name: &str, content: &str) -> String {
    let problem = imported(&[(name, content.as_bytes())], ImportRequest::default()).expect_err(content);
    // Without the directory, which is another one every time.
    let text = problem.to_string();
    let at = text.find(name).unwrap_or(0);
    text[at..].to_owned()
}

const TABLE: &str = "target,workload,clients,tps,latency_ms_mean\na,read,8,1000,8\nb,read,8,900,8.9\n";

#[test]
fn a_table_becomes_trials_that_are_judged_without_a_verdict() {
    let observed = imported(&[("t.csv", TABLE.as_bytes())], ImportRequest::default()).expect("a table");
    assert_eq!(observed.trials.len(), 2);
    let judgement = judge_run(&observed);
    assert_eq!(judgement.comparison.question.baseline, "a");
    assert_eq!(judgement.comparison.pairs.len(), 1);
    assert!(matches!(judgement.comparison.pairs[0].verdict(), stats::verdict::Verdict::NotEnoughData { .. }));
    assert!(judgement.issues.iter().any(|issue| issue.text.starts_with("imported from")), "{:?}", judgement.issues);
}

#[test]
fn separators_commas_units_and_missing_fields_are_read() {
    let text = "Target;Workload;Clients;TPS;avg latency [ms];remark\na;read;8;1000,5;8 ms;x\nb;read;8;900;8900 us;x\nc;read;8;n/a;9;x\n";
    let observed = imported(&[("t.csv", text.as_bytes())], ImportRequest::default()).expect("a table");
    let told = |index: usize| observed.trials[index].told.as_ref().expect("told");
    assert_eq!(told(0).throughput_per_s, Some(1000.5));
    assert_eq!([told(0), told(1)].map(|told| told.latency.mean_ns), [Some(8e6), Some(8.9e6)]);
    assert_eq!(told(2).throughput_per_s, None);
    assert_eq!(observed.trials[0].cell.workload, "read x");
    assert!(refused("t.csv", "target;clients;tps\na;8;12.345\n").contains("has a point before three digits"));
    assert!(refused("t.tsv", "target\tclients\ttps\na\t8\t12,345\n").contains("may mark thousands or decimals"));
    let text = "target;clients;tps\na;8;12,345\n";
    let commas = "target,clients,tps,remark\n\"1,000\",8,12.345,\"10,000 rows\"\n";
    let observed = imported(&[("t.csv", commas.as_bytes())], ImportRequest::default()).expect("a table");
    assert_eq!(observed.trials[0].told.as_ref().expect("told").throughput_per_s, Some(12.345));
    let observed = imported(&[("t.csv", text.as_bytes())], ImportRequest::default()).expect("a table");
    assert_eq!(observed.trials[0].told.as_ref().expect("told").throughput_per_s, Some(12.345));
}

#[test]
fn thousands_are_parted_where_nothing_is_ambiguous_and_fields_have_units_of_their_own() {
    let rates = |text: &str| {
        let observed = imported(&[("t.csv", text.as_bytes())], ImportRequest::default()).expect("a table");
        let rate = |trial: &results::trial::Trial| trial.told.as_ref().and_then(|told| told.throughput_per_s);
        observed.trials.iter().map(rate).collect::<Vec<_>>()
    };
    let both = [Some(12_345.0), Some(1234.5)];
    assert_eq!(rates("target,clients,tps\na,8,\"12,345\"\nb,8,\"1,234.5\"\n"), both);
    assert_eq!(rates("target;clients;tps\na;8;12.345\nb;8;1234,5\n"), both);
    assert_eq!(rates("target,clients,tps\na,\"1,000\",\"12,345\"\nb,\"1,000\",1 234.5\n"), both);
    assert_eq!(rates("target,clients,tps\na,8,12.345k\nb,8,1.2345 ktps\n"), both);
    let fio = "target,job,block_size,read_iops,read_latency_ms\na,x,8k,12.3k,1 234 us\n";
    let observed = imported(&[("t.csv", fio.as_bytes())], ImportRequest::default()).expect("a table");
    let storage = &observed.run.imported.as_ref().expect("imported").storage[0];
    assert_eq!((storage.block_bytes, storage.read.operations_per_s), (Some(8192), Some(12_300.0)));
    assert_eq!(storage.read.latency.mean_ns, Some(1_234_000.0));
}

/// Target, workload, clients and throughput of each trial.
fn rates(observed: &Observed) -> Vec<(String, String, Option<u32>, Option<f64>)> {
    let of = |trial: &results::trial::Trial| {
        let cell = trial.cell.clone();
        (
            cell.target,
            cell.workload,
            cell.clients.known_count(),
            trial.told.as_ref().and_then(|told| told.throughput_per_s),
        )
    };
    observed.trials.iter().map(of).collect()
}

#[test]
fn a_number_of_clients_that_nobody_tells_is_missing_and_what_needs_it_cannot_tell() {
    let table = "target,workload,tps,latency_ms_mean,scale\na,tpcb-like,1000,8,1\na,tpcb-like,1010,8.1,1\na,tpcb-like,990,8,1\n\
                 b,tpcb-like,800,10,1\nb,tpcb-like,805,10.1,1\nb,tpcb-like,795,9.9,1\n";
    let observed = imported(&[("t.csv", table.as_bytes())], ImportRequest::default()).expect("a table without clients");
    assert_eq!(rates(&observed)[0], ("a".to_owned(), "tpcb-like".to_owned(), None, Some(1000.0)));
    let missing = &observed.run.imported.as_ref().expect("imported").missing;
    assert!(missing.iter().any(|what| what == "the number of clients"), "{missing:?}");
    let judgement = judge_run(&observed);
    let [pair] = &judgement.comparison.pairs[..] else { panic!("{:?}", judgement.comparison.pairs) };
    assert!(pair.deciding_change().is_some_and(|change| change.interval.high < -0.1), "{:?}", pair.deciding_change());
    assert_eq!(judgement.comparison.ladders.len(), 0, "there is no place on a ladder for it");
    let audit = judgement.audit.as_ref().expect("an audit");
    for id in ["littles-law", "branch-contention", "no-saturation", "superlinear-scaling"] {
        let (_, found) = audit.findings.iter().find(|(check, _)| check.code.name == id).expect(id);
        assert!(matches!(found.verdict, judge::audit::CheckRuling::CannotTell { .. }), "{id}: {found:?}");
    }
    let report = report::build_report(&observed, &judgement);
    assert_eq!((report.comparisons[0].clients, report.trials[0].clients), (None, None));
    let given =
        imported(&[("t.csv", table.as_bytes())], ImportRequest { clients: Some(8), ..ImportRequest::default() });
    assert_eq!(rates(&given.expect("with clients"))[0].2, Some(8));
}

#[test]
fn tables_in_markdown_are_read_and_what_stands_above_them_tells_them_apart() {
    let text = "# A comparison\n\nWe ran pgbench.\n\n| what | why |\n|---|---|\n| vm | cheap |\n\n## select-only\n\n\
                | Target | Clients | **TPS** | avg latency (ms) |\n|---|--:|--:|--:|\n| vm | 1,000 | 12,345 | 81 |\n\
                | pod | 1,000 | 11,000 | 90.9 |\n\n## tpcb-like\n| Target | Clients | TPS |\n|---|---|---|\n| vm | 8 | 500 |\n";
    let observed = imported(&[("x.md", text.as_bytes())], ImportRequest::default()).expect("two tables");
    let row = |target: &str, of: &str, clients, rate| {
        (target.to_owned(), format!("workload {of}"), Some(clients), Some(rate))
    };
    let expected = [
        row("vm", "select-only", 1000, 12_345.0),
        row("pod", "select-only", 1000, 11_000.0),
        row("vm", "tpcb-like", 8, 500.0),
    ];
    assert_eq!(rates(&observed), expected);
    let notes = &observed.run.imported.as_ref().expect("imported").sources[0].notes;
    assert_eq!(notes[..], ["ignored, because they have no known column: the tables at lines 5"]);
    let found = refused("x.md", "# Notes\n\n| what | why |\n|---|---|\n| vm | cheap |\n");
    assert!(found.contains("unknown kind of file"), "{found}");
}

#[test]
fn headings_are_targets_where_no_column_has_one_and_they_are_of_no_workload() {
    let table = "| Clients | TPS |\n|---|---|\n| 8 | 500 |\n";
    let targets = |headings: [&str; 2]| {
        let text = headings.map(|heading| format!("## {heading}\n{table}")).concat().replacen("500", "600", 1);
        let observed = imported(&[("x.md", text.as_bytes())], ImportRequest::default()).expect("two tables");
        rates(&observed).into_iter().map(|(target, workload, ..)| format!("{target}: {workload}")).collect::<Vec<_>>()
    };
    assert_eq!(targets(["VM", "Kubernetes"]), ["VM: workload", "Kubernetes: workload"]);
    assert_eq!(targets(["Read-only", "Read-write"]), ["imported: workload Read-only", "imported: workload Read-write"]);
}

#[test]
fn a_name_that_stands_once_for_several_rows_is_of_all_and_what_tells_of_targets_makes_no_workload() {
    let text = "target,machine,clients,tps,change\nvm,m5.large,8,1000,\n,m5.large,16,1900,\npod,m5.xlarge,8,900,-10 %\n,m5.xlarge,16,1800,-5.3%\n";
    let observed = imported(&[("t.csv", text.as_bytes())], ImportRequest::default()).expect("merged fields");
    let row = |target: &str, clients, rate| (target.to_owned(), "workload".to_owned(), Some(clients), Some(rate));
    let expected = [row("vm", 8, 1000.0), row("vm", 16, 1900.0), row("pod", 8, 900.0), row("pod", 16, 1800.0)];
    assert_eq!(rates(&observed), expected);
    let told = observed.trials[2].told.as_ref().expect("told");
    assert_eq!((told.figures.get("change %"), told.labels["machine"].as_str()), (Some(&-10.0), "m5.xlarge"));
}

#[test]
fn columns_of_one_repetition_each_are_repetitions_and_their_mean_is_none() {
    let text = "target,clients,TPS run 1,TPS run 2,TPS run 3,TPS (avg)\na,8,1000,1010,990,1000\nb,8,900,905,895,900\n";
    let observed = imported(&[("t.csv", text.as_bytes())], ImportRequest::default()).expect("a wide table");
    let told: Vec<(String, u32, Option<f64>)> = observed
        .trials
        .iter()
        .map(|trial| {
            (trial.cell.target.clone(), trial.block, trial.told.as_ref().and_then(|told| told.throughput_per_s))
        })
        .collect();
    let row = |target: &str, block, rate| (target.to_owned(), block, Some(rate));
    let a = [row("a", 1, 1000.0), row("a", 2, 1010.0), row("a", 3, 990.0)];
    let b = [row("b", 1, 900.0), row("b", 2, 905.0), row("b", 3, 895.0)];
    assert_eq!(told, [a, b].concat());
}

#[test]
fn a_study_tells_the_clients_of_columns_beside_threads_of_the_generator() {
    let table = "target,threads,few,many\nvm,2,1000,5000\n";
    let study = "study: x\ncolumns:\n  few: { tells: tps, clients: 8 }\n  many: { tells: tps, clients: 64 }\n";
    let files = [("t.csv", table.as_bytes()), ("x.yaml", study.as_bytes())];
    let observed = imported(&files, ImportRequest::default()).expect("a wide table");
    let told: Vec<_> = rates(&observed).into_iter().map(|(_, _, clients, rate)| (clients, rate)).collect();
    assert_eq!(told, [(Some(8), Some(1000.0)), (Some(64), Some(5000.0))]);
    let threads: Vec<_> =
        observed.trials.iter().map(|trial| trial.told.as_ref().and_then(|told| told.threads)).collect();
    assert_eq!(threads, [Some(2), Some(2)]);
}

#[test]
fn what_was_measured_under_unlike_conditions_is_no_repetition() {
    let cells = |files: &[(&str, &[u8])]| {
        let observed = imported(files, ImportRequest::default()).expect("they are read");
        observed.trials.iter().map(|trial| format!("{} #{}", trial.cell.workload, trial.block)).collect::<Vec<_>>()
    };
    let of = |text: &str| cells(&[("t.csv", text.as_bytes())]);
    assert_eq!(of("target,nodes,clients,tps\nvm,1,8,12\nvm,2,8,23\n"), ["workload nodes 1 #1", "workload nodes 2 #1"]);
    assert_eq!(of("no,target,clients,tps\n1,vm,8,12\n2,vm,8,13\n"), ["workload #1", "workload #2"]);
    let rates = "target,clients,target rate (tps),tps\nvm,8,1000,990\nvm,8,1003,999\nvm,8,2000,1990\n";
    assert_eq!(of(rates), ["workload 1000/s #1", "workload 1000/s #2", "workload 2000/s #1"]);
    let pauses = "target,clients,think time (ms),tps\nvm,8,0,1203\nvm,8,100,75\n";
    assert_eq!(of(pauses), ["workload no think time #1", "workload think time 100 ms #1"]);
    assert_eq!(of("target,threads,tps\nvm,8,12\nvm,16,23\n"), ["workload #1", "workload #1"]);
}

#[test]
fn jobs_read_or_write_as_their_columns_or_names_say_and_a_database_s_disk_is_no_job() {
    let read = |text: &str| imported(&[("t.csv", text.as_bytes())], ImportRequest::default()).expect("a table");
    let text = "target,job,block size,iodepth,numjobs,IOPS,Throughput (MB/s),lat (ms)\na,randread,8k,32,1,8000,65.5,4\na,mixed,8k,32,1,7000,57,5\n";
    let observed = read(text);
    let source = &observed.run.imported.as_ref().expect("imported").sources[0];
    assert!(source.notes.iter().any(|note| note.contains("without a direction (read or write)")), "{:?}", source.notes);
    let [randread, mixed] = &observed.run.imported.as_ref().expect("imported").storage[..] else { panic!("two jobs") };
    assert_eq!((randread.read.operations_per_s, randread.read.latency.mean_ns), (Some(8000.0), Some(4e6)));
    assert_eq!((randread.read.bytes_per_s, randread.write.is_empty()), (Some(65.5e6), true));
    assert!(mixed.read.is_empty() && mixed.write.is_empty());
    let observed =
        read("target,clients,tps,latency_ms,read_iops,read latency (ms),tps_stddev\na,8,1000,8,250,1.5,33\n");
    let told = observed.trials[0].told.as_ref().expect("told");
    assert_eq!((told.throughput_per_s, told.latency.mean_ns), (Some(1000.0), Some(8e6)));
    assert_eq!((told.figures["read_iops"], told.figures["tps_stddev"]), (250.0, 33.0));
}

#[test]
fn a_wide_table_has_several_sides_and_jobs_in_a_row_where_a_study_says_what_its_columns_tell() {
    let table =
        "Threads;VM;K8s;VM (read only);Queries in 300 s, VM;note\n8;1000;900;5000;1500000;x\n16;1100;;5500;1650000;x\n";
    let study = "study: x\ncolumns:\n  Threads: clients\n  VM: { tells: tps, target: vm, workload: tpcb-like }\n  \
                 K8s: { tells: tps, target: k8s, workload: tpcb-like }\n  \
                 VM (read only): { tells: tps, target: vm, workload: select-only }\n  \
                 \"Queries in 300 s, VM\": { tells: transactions, over: 5 min, target: vm, workload: queries }\n  note: nothing\n";
    let files = [("t.csv", table.as_bytes()), ("x.yaml", study.as_bytes())];
    let observed = imported(&files, ImportRequest::default()).expect("a wide table");
    let row = |target: &str, of: &str, clients, rate| (target.to_owned(), of.to_owned(), Some(clients), Some(rate));
    let expected = [
        row("vm", "tpcb-like", 8, 1000.0),
        row("k8s", "tpcb-like", 8, 900.0),
        row("vm", "select-only", 8, 5000.0),
        row("vm", "queries", 8, 5000.0),
        row("vm", "tpcb-like", 16, 1100.0),
        row("vm", "select-only", 16, 5500.0),
        row("vm", "queries", 16, 5500.0),
    ];
    assert_eq!(rates(&observed), expected);
    let fio = "disk,rand read,rand write,seq read\nP10,500,480,100 MiB/s\n";
    let study = "study: x\ncolumns:\n  disk: target\n  rand read: { tells: read_iops, job: rand, block_size: 4k }\n  \
                 rand write: { tells: write_iops, job: rand, block_size: 4k }\n  seq read: { tells: read_mib_per_s, job: seq, block_size: 1M, numjobs: 2 }\n";
    let observed =
        imported(&[("t.csv", fio.as_bytes()), ("x.yaml", study.as_bytes())], ImportRequest::default()).expect("jobs");
    let storage = &observed.run.imported.as_ref().expect("imported").storage;
    let [rand, seq] = &storage[..] else { panic!("{storage:?}") };
    assert_eq!((rand.target.as_str(), rand.job.as_str(), rand.block_bytes), ("P10", "rand", Some(4096)));
    assert_eq!((rand.read.operations_per_s, rand.write.operations_per_s), (Some(500.0), Some(480.0)));
    assert_eq!((seq.read.bytes_per_s, seq.jobs, seq.block_bytes), (Some(104_857_600.0), Some(2), Some(1 << 20)));
}

#[test]
fn what_a_study_says_of_columns_is_refused_where_it_is_not_understood() {
    for (columns, expected) in [
        ("  tps: { target: vm }\n", "column \"tps\" has no `tells`"),
        ("  tps: through\n", "column \"tps\" is declared as \"through\", which is not known"),
        ("  tps: latency\n", "column \"tps\" has no unit"),
        ("  tps: { tells: transactions, over: a while }\n", "a count over \"a while\", which is not a duration"),
        ("  tps: { tells: tps, clients: many }\n", "t.csv, line 2: clients as declared: \"many\" is not a number"),
        ("  workload: tps\n", "columns \"workload\" and \"tps\" have the same meaning"),
    ] {
        let study = format!("study: x\ncolumns:\n{columns}");
        let files = [("t.csv", TABLE.as_bytes()), ("x.yaml", study.as_bytes())];
        let found = imported(&files, ImportRequest::default()).expect_err(columns).to_string();
        assert!(found.contains(expected), "{found}\n{expected}");
    }
}

#[test]
fn figures_are_in_the_units_of_their_columns() {
    let read = |text: &str| imported(&[("t.csv", text.as_bytes())], ImportRequest::default()).expect("a table");
    let observed = read("target,clients,transactions_per_second,failed_percent,latency_ms\na,8,1000,2,8\n");
    let told = observed.trials[0].told.as_ref().expect("told");
    assert_eq!((told.throughput_per_s, told.transactions, told.failed), (Some(1000.0), None, None));
    assert_eq!(told.figures.get("failed_percent"), Some(&2.0));
    let observed = read("target,job,block_size_kb,read_iops,read_bw_mbps,write_bandwidth_mb\na,x,8,5900,48.5,7\n");
    let storage = &observed.run.imported.as_ref().expect("imported").storage[0];
    assert_eq!((storage.block_bytes, storage.read.bytes_per_s), (Some(8192), Some(48.5e6)));
    assert_eq!((storage.write.bytes_per_s, storage.figures.get("write_bandwidth_mb")), (None, Some(&7.0)));
}

#[test]
fn a_wrong_table_is_refused_with_line_and_column() {
    let with = |row: &str| format!("{TABLE}{row}\n");
    for (content, expected) in [
        (with("c,read,8,NaN,1"), "t.csv, line 4: column \"tps\": \"NaN\" is not a number"),
        (with("c,read,8,-5,1"), "t.csv, line 4: column \"tps\": \"-5\" is negative"),
        (
            with("c,read,8,\"12,345\",1").replace("8.9", "9"),
            "t.csv, line 4: column \"tps\": \"12,345\" has a comma before three digits",
        ),
        (with("c,read,8.5,5,1"), "t.csv, line 4: column \"clients\": \"8.5\" is not a whole number"),
        (with("c,read,8,5,1 kB"), "t.csv, line 4: column \"latency_ms_mean\": \"1 kB\" has the wrong unit"),
        (with("a,read,8,1000,8"), "t.csv, line 4: repeats line 2"),
        (with("c,read,0,5,1"), "t.csv, line 4: the number of clients is 0"),
        (with("c,read,8"), "t.csv, line 4: CSV error"),
        (TABLE.replace("latency_ms_mean", "latncy_ms_mean"), "did you mean \"latency_ms_mean\"?"),
        (TABLE.replace("latency_ms_mean", "latency_mean"), "column \"latency_mean\" has no unit"),
        (
            "target,job,read_iops,read_bw\na,x,9,500\n".to_owned(),
            "write the unit into its name, as \"read_bw_mib_per_s\"",
        ),
        (
            TABLE.replace("latency_ms_mean", "transactions_per_s"),
            "\"tps\" and \"transactions_per_s\" have the same meaning",
        ),
        (TABLE.replace("tps,latency_ms_mean", "throughput_mb_per_s,x"), "no column has a throughput or a latency"),
        (TABLE.replace("tps,latency_ms_mean", "speed,colour"), "no column has a throughput or a latency"),
        ("target,clients,tps\n".to_owned(), "t.csv has a header but no rows"),
        (String::new(), "t.csv is empty"),
        ("hello\n".to_owned(), "t.csv: unknown kind of file"),
    ] {
        let found = refused("t.csv", &content);
        assert!(found.contains(expected), "{found}\n{expected}");
    }
}

#[test]
fn a_study_brings_its_tables_and_states_what_the_figures_do_not() {
    let study = "study: A and B\nbaseline: b\nstated:\n  postgresql: { version: 14, shared_buffers: 10GB }\n  \
                 generator: { tool: pgbench, duration_s: 60 }\n  fio: { numjobs: 4, iodepth: { rand: 32 } }\n  \
                 targets:\n    a: { platform: vm }\n    b: { platform: container }\n";
    let fio = "target,job,block_size,read_iops,read_latency_ms_mean,disk_util_percent\na,rand,8k,5900,12.2,99.96\n";
    let directory = tempfile::tempdir().expect("a directory");
    let write = |name: &str, content: &str| fs::write(directory.path().join(name), content).expect("written");
    write("x.study.yaml", study);
    write("x-pgbench.csv", TABLE);
    write("x-fio.csv", fio);
    write("y.csv", "of another study");
    let request = ImportRequest { files: vec![directory.path().join("x.study.yaml")], ..ImportRequest::default() };
    let observed = observed(&request, &directory.path().join("runs")).expect("a study");
    let run_imported = observed.run.imported.as_ref().expect("imported");
    assert_eq!((observed.run.name.as_str(), run_imported.baseline.as_str()), ("A and B", "b"));
    assert_eq!(run_imported.sources.len(), 3);
    let storage = &run_imported.storage[0];
    assert_eq!((storage.jobs, storage.depth, storage.block_bytes), (Some(4), Some(32), Some(8192)));
    assert_eq!(storage.utilisation.map(|share| (share * 1e4).round()), Some(9996.0));
    assert_eq!(observed.trials[0].told.as_ref().and_then(|told| told.duration_s_stated), Some(60.0));
    let judgement = judge_run(&observed);
    let confounders: Vec<&str> =
        judgement.comparison.confounders.iter().map(|found| found.difference.what.as_str()).collect();
    assert_eq!(confounders, ["platform"], "{:?}", judgement.comparison.confounders);
    assert!(judgement.comparison.facts.iter().any(|row| row.name == "shared_buffers"));
}

/// The captured outputs of real tools.
fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../outputs/tests/fixtures")
}

fn captured(names: &[&str]) -> Result<Observed, Problem> {
    let runs = tempfile::tempdir().expect("a directory");
    let files = names.iter().map(|name| fixtures().join(name)).collect();
    observed(&ImportRequest { files, clients: Some(4), ..ImportRequest::default() }, runs.path())
}

#[test]
fn every_captured_output_of_pgbench_is_imported_with_its_own_figures() {
    let mut seen = 0;
    for version in ["pgbench-15", "pgbench-16", "pgbench-18", "pgbench-12-published", "pgbench-9.6-written-by-hand"] {
        for entry in fixtures().join(version).read_dir().expect("listed") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|extension| extension != "out") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("text");
            let name = format!("{version}/{}", path.file_name().expect("a name").to_string_lossy());
            let observed = captured(&[&name]).unwrap_or_else(|problem| panic!("{name}: {problem}"));
            let told = observed.trials[0].told.as_ref().expect("told");
            if let Some(tps) = told.throughput_per_s {
                assert!(text.contains(&format!("tps = {tps:.6}")), "{name}");
            }
            let processed = told.transactions.expect("always printed");
            assert!(text.contains(&format!("actually processed: {processed}")), "{name}");
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn progress_in_another_file_belongs_to_the_output_that_ends_when_it_does() {
    let observed = captured(&["pgbench-12-published/simple-update.out", "pgbench-12-published/simple-update.err"])
        .expect("an output and its progress");
    assert_eq!(observed.trials.len(), 1);
    let seconds = &observed.series[&1];
    assert_eq!((seconds.len(), seconds[0].transactions, seconds[0].duration_us), (10, 6828, 60_000_000));
}

#[test]
fn a_single_trial_has_an_interval_of_batch_means_that_says_what_it_leaves_out() {
    let mut text = String::new();
    for second in 1..=60 {
        let tps = 1000 + (second * 7919) % 13;
        text += &format!("progress: {second}.0 s, {tps}.0 tps, lat 4.000 ms stddev 0.100\n");
    }
    text += &fs::read_to_string(fixtures().join("pgbench-12-published/simple-update.out")).expect("text");
    let observed =
        imported(&[("x.out", text.as_bytes())], ImportRequest::default()).expect("an output with its progress");
    let judgement = judge_run(&observed);
    let throughput = judgement.comparison.ladders[0].rungs[0].throughput_per_s.expect("an interval from batch means");
    assert_eq!(throughput.n, 1, "within this run only");
    assert!(judgement.issues.iter().any(|issue| issue.text.contains("not include run-to-run variation")));
}

#[test]
fn standard_error_in_the_same_file_comes_between_version_and_report() {
    let report = fs::read_to_string(fixtures().join("pgbench-15/plain.out")).expect("text");
    let (version, rest) = report.split_once('\n').expect("lines");
    assert!(version.starts_with("pgbench (15"), "{version}");
    let progress = "progress: 1.0 s, 5.0 tps, lat 1.000 ms stddev 0.100, 0 failed\n";
    let told = |text: &str| {
        let observed = imported(&[("x.out", text.as_bytes())], ImportRequest::default()).expect(text);
        let seconds = observed.series.values().map(Vec::len).collect::<Vec<_>>();
        let versions = observed.run.imported.expect("imported").sources[0].version.clone();
        (observed.trials.iter().map(|trial| trial.told.clone()).collect::<Vec<_>>(), seconds, versions)
    };
    let (figures, _, known) = told(&report);
    let both = format!("{version}\nstarting vacuum...end.\n{progress}{rest}");
    assert_eq!(told(&both), (figures.clone(), vec![1], known));
    let again = both.replacen("tps = 1324.", "tps = 1325.", 1);
    let (twice, seconds, _) = told(&format!("{both}{again}"));
    assert_eq!((twice, seconds), ([figures, told(&again).0].concat(), vec![1, 1]));
    let killed = imported(
        &[("x.out", format!("{version}\n{progress}").as_bytes())],
        ImportRequest { clients: Some(4), ..ImportRequest::default() },
    );
    assert!(matches!(killed.expect("progress").trials[0].outcome, results::trial::TrialOutcome::Failed { .. }));
    assert!(refused("x.out", &format!("{version}\nstarting vacuum...end.\n")).contains("expected a line that begins"));
    assert!(refused("x.out", &format!("{version}\nstarting vacuum...end.\n{report}")).contains("expected a line"));
}

#[test]
fn progress_without_a_report_is_a_run_that_was_killed() {
    let observed = captured(&["pgbench-12-published/simple-update.err"]).expect("progress");
    let results::trial::TrialOutcome::Failed { error } = &observed.trials[0].outcome else { panic!("it did not end") };
    assert_eq!(error, "pgbench ended without a report");
    assert_eq!(observed.series[&1].len(), 10);
}

#[test]
fn clients_that_were_lost_make_the_figures_incomplete() {
    let both = |version: &str| {
        let read = |end: &str| fs::read_to_string(fixtures().join(version).join(format!("lost.{end}"))).expect("text");
        format!("{}{}", read("out"), read("err"))
    };
    for version in ["pgbench-15", "pgbench-18"] {
        let observed =
            imported(&[("both.out", both(version).as_bytes())], ImportRequest::default()).expect("an aborted run");
        assert!(matches!(observed.trials[0].outcome, results::trial::TrialOutcome::Failed { .. }), "{version}");
    }
}

#[test]
fn decimal_commas_line_ends_and_packing_change_nothing() {
    use std::io::Write as _;
    let text = fs::read_to_string(fixtures().join("pgbench-12-published/transactions.out")).expect("text");
    let told = |bytes: &[u8]| {
        let observed = imported(&[("x.out", bytes)], ImportRequest::default()).expect("an output");
        let notes = observed.run.imported.as_ref().expect("imported").sources[0].notes.clone();
        (observed.trials[0].told.clone(), notes)
    };
    let (expected, none) = told(text.as_bytes());
    assert!(none.is_empty());
    let german = text.replace("7.021", "7,021").replace("712.", "712,");
    assert_eq!(told(german.as_bytes()), (expected.clone(), vec!["decimal commas were read as points".to_owned()]));
    assert_eq!(told(text.replace('\n', "\r\n").as_bytes()).0, expected);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.as_bytes()).expect("in memory");
    assert_eq!(told(&packed.finish().expect("in memory")).0, expected);
}

/// The latency of the first trial's intervals in the report: which percentiles are there, what else,
/// and how long they are.
fn latency_in_the_report(name: &str) -> serde_json::Value {
    let observed = captured(&[name]).unwrap_or_else(|problem| panic!("{name}: {problem}"));
    let report = serde_json::to_value(report::build_report(&observed, &judge_run(&observed))).expect("JSON");
    let trial = &report["trials"][0];
    let intervals = trial["t_s"].as_array().expect("intervals").len();
    let is_known = |values: &serde_json::Value| {
        let values = values.as_array().expect("a series");
        assert_eq!(values.len(), intervals, "{name}");
        values.iter().any(|value| !value.is_null())
    };
    let mut figures: Vec<String> = Vec::new();
    for percentile in ["p50", "p95", "p99"] {
        figures.extend(is_known(&trial[format!("{percentile}_ms")]).then(|| percentile.to_owned()));
    }
    for told in trial["reported_latency"].as_array().into_iter().flatten() {
        assert!(is_known(&told["ms"]), "{name}: {told}");
        figures.push(told["figure"].as_str().expect("a name").to_owned());
    }
    serde_json::json!({ "figures": figures, "span_s": trial["span_s"][0] })
}

#[test]
fn the_report_has_of_each_interval_the_latency_that_its_tool_tells_and_no_other() {
    use serde_json::json;
    for (name, figures, span_s) in [
        ("pgbench-18/plain.log", json!(["mean", "max"]), json!(null)),
        ("pgbench-18/agg.log", json!(["mean", "stddev", "max"]), json!(null)),
        ("pgbench-12-published/simple-update.err", json!(["mean", "stddev"]), json!(60.0)),
        ("sysbench-1.0.20/read-write.out", json!(["p99"]), json!(null)),
        ("sysbench-1.0.20/no-percentile.out", json!([]), json!(null)),
    ] {
        assert_eq!(latency_in_the_report(name), json!({ "figures": figures, "span_s": span_s }), "{name}");
    }
}

#[test]
fn a_percentile_that_the_report_has_no_column_for_keeps_its_name() {
    let text = fs::read_to_string(fixtures().join("sysbench-1.0.20/read-write.out")).expect("text");
    let observed = imported(&[("x.out", text.replace("(ms,99%)", "(ms,90%)").as_bytes())], ImportRequest::default());
    let observed = observed.expect("an output");
    let report = report::build_report(&observed, &judge_run(&observed));
    let trial = &report.trials[0];
    assert_eq!(trial.reported_latency.iter().map(|told| told.figure.as_str()).collect::<Vec<_>>(), ["p90"]);
    assert!(trial.p99_ms.iter().all(Option::is_none));
}

/// One file of every kind, small and whole.
fn one_of_every_kind() -> Vec<(&'static str, String)> {
    let fixture = |name: &str| fs::read_to_string(fixtures().join(name)).expect("text");
    vec![
        ("pgbench.out", fixture("pgbench-18/plain.out")),
        ("pgbench_log.1", fixture("pgbench-18/plain.log")),
        ("intervals.log", fixture("pgbench-18/agg.log")),
        ("sysbench.out", fixture("sysbench-1.0.20/read-write.out")),
        ("fio.json", include_str!("../../outputs/tests/fixtures/wal-3.33.json").to_owned()),
        ("a_iops.1.log", "1000, 100, 0, 0, 0\n2000, 120, 0, 0, 0\n".to_owned()),
        ("a_lat.1.log", "10, 100, 0, 8192, 0\n1100, 120, 0, 8192, 0\n".to_owned()),
        ("t.csv", TABLE.to_owned()),
        ("s.yaml", "study: A and B\nstated: { generator: { tool: pgbench } }\n".to_owned()),
        ("postgresql.log", "2025-11-20 09:00:00.500 UTC [7] LOG:  checkpoint starting: time\n".to_owned()),
    ]
}

/// What is in a run directory but for the names of the imported files.
fn content(name: &str, bytes: &[u8]) -> Result<String, Problem> {
    let request = ImportRequest { clients: Some(4), name: Some("n".to_owned()), ..ImportRequest::default() };
    let observed = imported(&[(name, bytes)], request)?;
    let mut figures: Vec<String> =
        observed.trials.iter().map(|trial| format!("{:?} {:?}", trial.cell, trial.told)).collect();
    figures.extend(observed.series.values().map(|seconds| format!("{seconds:?}")));
    figures.extend(observed.disks.iter().map(|disk| format!("{:?} {:?}", disk.stage.groups, disk.seconds)));
    figures.push(
        observed.run.imported.map_or(String::new(), |run| format!("{:?} {:?}", run.sources[0].content, run.stated)),
    );
    Ok(figures.join("\n"))
}

#[test]
fn every_kind_of_file_tells_the_same_with_crlf_or_packed() {
    use std::io::Write as _;
    for (name, text) in one_of_every_kind() {
        let expected = content(name, text.as_bytes()).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        let crlf = text.replace('\n', "\r\n");
        assert_eq!(content(name, crlf.as_bytes()).expect(name), expected, "{name} with CRLF");
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(text.as_bytes()).expect("in memory");
        let packed = packed.finish().expect("in memory");
        let packed_name = format!("{name}.gz");
        let found = content(&packed_name, &packed).unwrap_or_else(|problem| panic!("{packed_name}: {problem}"));
        assert_eq!(found, expected, "{packed_name}");
        // Cut in the middle, as a copy that ended early.
        let problem = content(&packed_name, &packed[..packed.len() / 2]).expect_err("half a file").to_string();
        assert!(problem.contains(&packed_name), "{problem}");
    }
}

#[test]
fn what_is_no_text_of_a_tool_is_refused_with_its_name_and_what_was_found() {
    let log = "0 0 1000 0 1795183830 100\n";
    for (name, content, expected) in [
        (
            "x.log",
            format!("{log}0 1 -5 0 1795183830 200\n{log}"),
            "x.log, line 2: expected a logged transaction, found \"0 1 -5 0 1795183830 200\"",
        ),
        ("x.log", format!("{log}0 1 NaN 0 1795183830 200\n{log}"), "x.log, line 2: "),
        ("x.log", format!("{log}0 1 7,5 0 1795183830 200\n{log}"), "x.log, line 2: "),
        ("x.log", format!("{log}progress: 1.0 s, 5.0 tps, lat 1.000 ms stddev 0.100\n{log}"), "x.log, line 2: "),
        (
            "a_iops.log",
            "1000, 5, 0, 0\n2000, NaN, 0, 0\n3000, 5, 0, 0\n".to_owned(),
            "a_iops.log: line 2: \"2000, NaN, 0, 0\" is not",
        ),
        ("a_iops.log", "1000, 5, 0, 0\n2000, -7, 0, 0\n3000, 5, 0, 0\n".to_owned(), "a_iops.log: line 2: "),
        ("x.json", "{\"fio version\": \"fio-3.33\", \"jobs\": []}".to_owned(), "x.json: the JSON of fio has no job"),
        ("x.json", "{\"fio version\": \"fio-3.33\", \"jobs\": [{\"jobname\": 3}]}".to_owned(), "x.json: line 1: "),
    ] {
        let found = refused(name, &content);
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
}

#[test]
fn several_runs_in_one_file_are_several_trials_and_interleaved_ones_are_refused() {
    let text = fs::read_to_string(fixtures().join("pgbench-18/plain.out")).expect("text");
    let twice = format!("{text}{}", text.replacen("tps = ", "tps = 1", 1));
    let observed = imported(&[("x.out", twice.as_bytes())], ImportRequest::default()).expect("two runs");
    assert_eq!(observed.trials.iter().map(|trial| trial.block).collect::<Vec<_>>(), [1, 2]);
    let lines: Vec<&str> = text.lines().collect();
    let interleaved: String = lines.iter().flat_map(|line| [*line, "\n", *line, "\n"]).collect();
    let found = refused("x.out", &interleaved);
    assert!(found.starts_with("x.out, line 1: expected") || found.contains("wrote into this file"), "{found}");
    let progress = "progress: 1.0 s, 5.0 tps, lat 1.000 ms stddev 0.100\n".repeat(2)
        + &"progress: 2.0 s, 5.0 tps, lat 1.000 ms stddev 0.100\n".repeat(2);
    let found = refused("x.err", &progress);
    assert!(found.contains("x.err, line 4: progress at 2 s follows progress at 2 s"), "{found}");
    let cut = &text[..text.find("number of clients").expect("it is there")];
    let found = refused("x.out", cut);
    assert!(found.contains("expected a line that begins with \"number of clients: \""), "{found}");
}

#[test]
fn logs_are_read_with_every_column_and_their_figures_are_those_of_the_lines() {
    for version in ["pgbench-15", "pgbench-18"] {
        for name in ["plain", "tries", "failed", "detailed", "rate"] {
            let path = format!("{version}/{name}.log");
            let text = fs::read_to_string(fixtures().join(&path)).expect("text");
            let observed = captured(&[&path]).unwrap_or_else(|problem| panic!("{path}: {problem}"));
            let told = observed.trials[0].told.as_ref().expect("told");
            let latencies = text.lines().filter_map(|line| line.split(' ').nth(2)?.parse::<u64>().ok());
            let latencies: Vec<u64> = latencies.collect();
            let sum: u64 = latencies.iter().sum();
            assert_eq!(told.latency.mean_ns, Some(sum as f64 * 1e3 / latencies.len() as f64), "{path}");
            let seconds: u64 = observed.series[&1].iter().map(|second| second.transactions).sum();
            // Seconds of a sample are estimated each, and rounded each.
            let rounded = if name == "rate" { observed.series[&1].len() as u64 } else { 0 };
            assert!(told.transactions.expect("counted").abs_diff(seconds) <= rounded, "{path}");
        }
        let observed = captured(&[&format!("{version}/agg.log")]).expect("intervals");
        assert!(observed.series[&1].len() > 1 && observed.trials[0].told.as_ref().unwrap().latency.stddev_ns.is_some());
    }
}

#[test]
fn a_log_is_joined_with_its_output_and_a_torn_or_wrong_line_is_told() {
    let output = fs::read_to_string(fixtures().join("pgbench-12-published/transactions.out")).expect("text");
    let output = output.replace("processed: 50000/50000", "processed: 4/4");
    let lines = "0 0 1000 0 1795183830 100\n1 0 2000 0 1795183830 900000\n0 1 3000 0 1795183831 0\n";
    let log = |last: &str| format!("{lines}{last}");
    let both = |last: &str| {
        imported(&[("x.out", output.as_bytes()), ("x.log", log(last).as_bytes())], ImportRequest::default())
    };
    let observed = both("1 1 4000 0 1795183832 5\n").expect("they agree");
    let told = observed.trials[0].told.as_ref().expect("told");
    assert_eq!((observed.trials.len(), told.throughput_per_s), (1, Some(712.221_039)));
    assert_eq!(told.latency.percentiles_ns.len(), 4);
    let problem = both("").expect_err("one is missing").to_string();
    assert!(problem.contains("has 3 transactions, but the output reports 4"), "{problem}");
    let problem = both("1 1 4x 0 1795183832 5\n").expect_err("a wrong line").to_string();
    assert!(
        problem.contains("x.log, line 4: expected a logged transaction, found \"1 1 4x 0 1795183832 5\""),
        "{problem}"
    );
    let alone = |text: String| imported(&[("x.log", text.as_bytes())], ImportRequest::default());
    let notes = alone(log("1 1 40")).expect("a torn line").run.imported.expect("imported").sources[0].notes.clone();
    assert_eq!(notes, ["its last line is truncated and was ignored"]);
    let sampled = alone("0 0 10 0 1795183830 0\n0 9 10 0 1795183831 0\n".to_owned()).expect("a sample");
    assert_eq!(sampled.trials[0].told.as_ref().and_then(|told| told.transactions), Some(10));
    assert!(alone(log("0 2 1 0 1995183831 0\n")).is_err(), "years apart");
}

#[test]
fn a_log_of_intervals_is_joined_with_its_output_although_the_last_one_is_not_in_it() {
    let output = fs::read_to_string(fixtures().join("pgbench-12-published/transactions.out")).expect("text");
    let log = "1795183830 20 40000 90000000 1000 3000\n1795183831 20 40000 90000000 1500 4000\n";
    let both = |transactions: u64| {
        let output = output.replace("50000/50000", &format!("{transactions}/{transactions}"));
        imported(&[("x.out", output.as_bytes()), ("x.log", log.as_bytes())], ImportRequest::default())
    };
    for (transactions, largest) in [(40, Some(4e6)), (51, None)] {
        let observed = both(transactions).unwrap_or_else(|problem| panic!("{transactions}: {problem}"));
        let told = observed.trials[0].told.as_ref().expect("told");
        let found = (observed.trials.len(), told.transactions, told.latency.max_ns, observed.series[&1].len());
        assert_eq!(found, (1, Some(transactions), largest, 2));
    }
    for transactions in [39, 100] {
        let problem = both(transactions).expect_err("of another run").to_string();
        assert!(problem.contains(&format!("has 40 transactions, but the output reports {transactions}")), "{problem}");
    }
}

#[test]
fn every_captured_output_of_sysbench_is_imported() {
    for name in ["read-write", "rate", "no-percentile", "insert", "events"] {
        let path = format!("sysbench-1.0.20/{name}.out");
        let observed = captured(&[&path]).unwrap_or_else(|problem| panic!("{path}: {problem}"));
        let told = observed.trials[0].told.as_ref().expect("told");
        let text = fs::read_to_string(fixtures().join(&path)).expect("text");
        let tps = told.throughput_per_s.expect("always printed");
        assert!(text.contains(&format!("({tps:.2} per sec.)")), "{path}");
    }
    let observed = captured(&["sysbench-1.0.20/read-write.out"]).expect("readable");
    let queries = observed.trials[0].told.as_ref().and_then(|told| told.queries).expect("always printed");
    assert_eq!((queries.read, queries.write, queries.other), (22316, 6314, 3220));
    let observed = captured(&["sysbench-1.0.20/no-table.out"]).expect("a fatal error");
    assert!(
        matches!(&observed.trials[0].outcome, results::trial::TrialOutcome::Failed { error } if error.contains("FATAL") || error.contains("sysbench ended with"))
    );
}

#[test]
fn fios_output_and_logs_are_stages_of_disks() {
    let json = r#"{"fio version": "fio-3.33", "jobs": [{"jobname": "oltp", "error": 0,
        "job options": {"rw": "randread", "bs": "8k", "iodepth": "32", "numjobs": "4", "direct": "1"},
        "read": {"total_ios": 100, "io_bytes": 819200, "runtime": 1000, "iops": 100.0, "bw_bytes": 819200,
                 "lat_ns": {"mean": 5000.0, "max": 9000}}}]}"#;
    let log = "1000, 100, 0, 0, 0\n2000, 120, 0, 0, 0\n";
    let directory = tempfile::tempdir().expect("a directory");
    let paths = [("oltp.json", json), ("oltp_iops.1.log", log)].map(|(name, content)| {
        let path = directory.path().join(name);
        fs::write(&path, content).expect("written");
        path
    });
    let request = ImportRequest { files: paths.to_vec(), target: Some("vm".to_owned()), ..ImportRequest::default() };
    let dir = import_study(&request, &directory.path().join("runs"), NOW.parse().expect("an instant")).expect("fio's");
    let stages = dir.disk_stages().expect("stages");
    assert_eq!((stages.len(), stages[0].target.as_str(), stages[0].name.as_str()), (1, "vm", "oltp"));
    assert_eq!((stages[0].groups[0].jobs, stages[0].groups[0].depth), (4, 32));
    assert_eq!(dir.disk_seconds(&stages[0]).expect("a series").len(), 2);
    Observed::read(&dir).expect("it is judged as any run");
    let found = refused("x.json", "{\"fio version\": \"fio-3.33\", \"jobs\": [");
    assert!(found.starts_with("x.json: line 1: "), "{found}");
}

#[test]
fn a_servers_log_is_entered_into_the_trials_of_its_time() {
    let log = "0 0 1000 0 1763629201 0\n0 1 1000 0 1763629231 0\n";
    let server = "2025-11-20 09:00:00.500 UTC [7] LOG:  checkpoint starting: time\n\
                  2025-11-20 09:00:10.000 UTC [7] LOG:  checkpoint starting: wal\n\
                  2025-11-20 10:00:00.000 UTC [7] LOG:  checkpoint starting: time\n";
    let directory = tempfile::tempdir().expect("a directory");
    let paths = [("pgbench_log.1", log), ("postgresql.log", server)].map(|(name, content)| {
        let path = directory.path().join(name);
        fs::write(&path, content).expect("written");
        path
    });
    let request = ImportRequest { files: paths.to_vec(), ..ImportRequest::default() };
    let dir = import_study(&request, &directory.path().join("runs"), NOW.parse().expect("an instant")).expect("both");
    let entries = dir.server_log(1).expect("readable").expect("a log").entries;
    assert_eq!(entries.iter().map(|entry| entry.at_us).collect::<Vec<_>>(), [9_001_000]);
}

/// An output of pgbench 18 as it prints it, of 8 clients and 60 s.
fn output(tps: f64) -> String {
    format!(
        "pgbench (18.1)\ntransaction type: <builtin: select only>\nscaling factor: 50\nquery mode: simple\n\
         number of clients: 8\nnumber of threads: 2\nmaximum number of tries: 1\nduration: 60 s\n\
         number of transactions actually processed: {}\nnumber of failed transactions: 0 (0.000%)\n\
         latency average = {:.3} ms\ninitial connection time = 20.000 ms\n\
         tps = {tps:.6} (without initial connection time)\n",
        (tps * 60.0) as u64,
        8000.0 / tps,
    )
}

/// Imports files whose targets are given, in this order.
fn imported_as(files: &[(&str, &str, String)], baseline: Option<&str>) -> Result<Observed, Problem> {
    let directory = tempfile::tempdir().expect("a directory");
    let given = files.iter().map(|(target, name, content)| {
        let path = directory.path().join(name);
        fs::write(&path, content).expect("written");
        if target.is_empty() { path } else { PathBuf::from(format!("{target}={}", path.display())) }
    });
    let request =
        ImportRequest { files: given.collect(), baseline: baseline.map(str::to_owned), ..ImportRequest::default() };
    observed(&request, &directory.path().join("runs"))
}

/// All orders of three.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

#[test]
fn outputs_in_any_order_are_judged_alike_since_nobody_says_that_they_are_pairs() {
    let [vm, cloud] = [[1000.0, 1010.0, 1031.0], [948.0, 960.0, 980.0]];
    let judged = |files: &[(&str, &str, String)]| {
        let judgement = judge_run(&imported_as(files, Some("vm")).expect("six outputs"));
        let comparison = &judgement.comparison;
        let text = report::terminal_text(&judgement, false, None);
        assert!(!text.contains("interleaved") && text.contains("of other tools, unpaired"), "{text}");
        assert!(comparison.outputs && !comparison.paired);
        let pair = &comparison.pairs[0];
        (format!("{:?} {:?} {:?}", pair.verdict(), pair.deciding_change(), pair.p_value), judgement.headline)
    };
    let mut seen = std::collections::BTreeSet::new();
    for (first, second) in ORDERS.iter().flat_map(|one| ORDERS.iter().map(move |other| (one, other))) {
        let vm = first.map(|at| ("vm", ["a", "b", "c"][at], output(vm[at])));
        let cloud = second.map(|at| ("cloud", ["d", "e", "f"][at], output(cloud[at])));
        seen.insert(judged(&[vm.clone(), cloud.clone()].concat()));
        let mixed: Vec<_> = cloud.into_iter().zip(vm).flat_map(|(one, other)| [one, other]).collect();
        seen.insert(judged(&mixed));
    }
    assert_eq!(seen.len(), 1, "{seen:#?}");
}

#[test]
fn a_study_may_state_that_repetitions_are_pairs_and_nothing_else_pairs_them() {
    let study = |by: &str| format!("study: x\nbaseline: vm\npaired_by: {by}\n");
    let files = |by: &str| {
        let [vm, cloud] = [[1000.0, 1100.0, 1210.0], [950.0, 1044.0, 1150.0]];
        let mut files = vec![("", "x.yaml", study(by))];
        files.extend((0..3).map(|at| ("vm", ["a", "b", "c"][at], output(vm[at]))));
        files.extend((0..3).map(|at| ("cloud", ["d", "e", "f"][at], output(cloud[at]))));
        files
    };
    let judgement = judge_run(&imported_as(&files("repetition"), None).expect("pairs"));
    assert!(judgement.comparison.paired && judgement.comparison.pairs[0].blocks.len() == 3);
    assert!(matches!(judgement.comparison.pairs[0].verdict(), stats::verdict::Verdict::Regressed));
    let text = report::terminal_text(&judgement, false, None);
    assert!(text.contains("paired by repetition as declared") && !text.contains("interleaved"), "{text}");
    let problem = imported_as(&files("hand"), None).expect_err("unknown").to_string();
    assert!(problem.contains("x.yaml, line 3: \"hand\" is not a valid pairing"), "{problem}");
}

#[test]
fn a_study_gives_targets_to_raw_files_and_states_their_pairing() {
    let study = "study: x\nbaseline: vm\npaired_by: repetition\nfiles:\n  vm: [1.out, sub/2.out]\n  pod: 3.out\n";
    let directory = tempfile::tempdir().expect("a directory");
    fs::create_dir(directory.path().join("sub")).expect("made");
    for (name, content) in [
        ("x.yaml", study.to_owned()),
        ("1.out", output(1000.0)),
        ("sub/2.out", output(1010.0)),
        ("3.out", output(900.0)),
    ] {
        fs::write(directory.path().join(name), content).expect("written");
    }
    let request = |files: &[&str]| ImportRequest {
        files: files.iter().map(|file| directory.path().join(file)).collect(),
        ..ImportRequest::default()
    };
    let runs = directory.path().join("runs");
    let cells = |observed: &Observed| {
        let of = |trial: &results::trial::Trial| (trial.cell.target.clone(), trial.block);
        observed.trials.iter().map(of).collect::<Vec<_>>()
    };
    let given_twice = observed(&request(&["3.out", "x.yaml"]), &runs).expect("the same");
    assert_eq!(cells(&given_twice)[0], ("pod".to_owned(), 1));
    let observed = observed(&request(&["x.yaml"]), &runs).expect("a study with its outputs");
    assert_eq!(cells(&observed), [("vm", 1), ("vm", 2), ("pod", 1)].map(|(name, block)| (name.to_owned(), block)));
    let imported = observed.run.imported.as_ref().expect("imported");
    assert!(imported.paired && imported.baseline == "vm");
    assert!(imported.sources.iter().all(|source| source.notes.is_empty()), "{:?}", imported.sources);
}

#[test]
fn many_cells_of_one_trial_each_show_their_change_and_one_line_says_why_there_is_no_verdict() {
    let mut table = "target,workload,clients,tps\n".to_owned();
    for clients in 1..=10 {
        table += &format!("a,read,{clients},1000\nb,read,{clients},{}\n", 900 + clients);
    }
    let judgement = judge_run(&imported(&[("t.csv", table.as_bytes())], ImportRequest::default()).expect("a table"));
    let text = report::terminal_text(&judgement, false, None);
    assert_eq!(text.matches("no verdict on 10 of 10 comparisons").count(), 1, "{text}");
    assert_eq!(text.matches("no verdict").count(), 11, "each pair, and the line: {text}");
    assert!(text.contains("−9.9 %") && text.contains("901 tps") && !text.contains("not enough data:"), "{text}");
}

#[test]
fn outputs_of_unlike_settings_or_versions_are_no_repetitions_of_one_cell() {
    let alike = output(1000.0);
    for (from, to, expected) in [
        ("duration: 60 s", "duration: 600 s", ["select-only 60 s", "select-only 600 s"]),
        ("number of threads: 2", "number of threads: 8", ["select-only 2 threads", "select-only 8 threads"]),
        ("query mode: simple", "query mode: prepared", ["select-only simple", "select-only prepared"]),
        ("scaling factor: 50", "scaling factor: 9", ["select-only scale 50", "select-only scale 9"]),
        ("number of clients: 8", "number of clients: 16", ["select-only"; 2]),
        ("pgbench (18.1)", "pgbench (18.1, server 15.2)", ["select-only"; 2]),
        ("pgbench (18.1)", "pgbench (18.1, server 18.1)", ["select-only"; 2]),
    ] {
        let files = [("", "a.out", alike.clone()), ("", "b.out", alike.replace(from, to))];
        let observed = imported_as(&files, None).expect(to);
        let cells: std::collections::BTreeSet<_> = observed.trials.iter().map(|trial| trial.cell.clone()).collect();
        assert_eq!(cells.len(), if to.ends_with("server 18.1)") { 1 } else { 2 }, "{to}: {cells:?}");
        let workloads: Vec<&str> = observed.trials.iter().map(|trial| trial.cell.workload.as_str()).collect();
        assert_eq!(workloads, expected, "{to}");
    }
}

#[test]
fn what_is_taken_for_repetitions_because_nothing_tells_it_apart_is_noted() {
    let notes = |given: &str| {
        let files = [(given, "on.out", output(1000.0)), (given, "off.out", output(3000.0))];
        let sources = imported_as(&files, None).expect("two outputs").run.imported.expect("imported").sources;
        sources.into_iter().map(|source| source.notes).collect::<Vec<_>>()
    };
    let expected = "2 trials are read as repetitions of";
    assert!(notes("").iter().all(|notes| notes.len() == 1 && notes[0].starts_with(expected)), "{:?}", notes(""));
    assert_eq!(notes("vm"), [Vec::<String>::new(), Vec::new()], "somebody said that they are of one server");
}

#[test]
fn a_study_in_which_much_is_wrong_is_refused_in_twenty_lines() {
    let study = "study: x\n".repeat(30);
    let problem = imported(&[("x.yaml", study.as_bytes())], ImportRequest::default()).expect_err("thirty times");
    assert_eq!(problem.to_string().lines().count(), 20, "{problem}");
    assert!(problem.to_string().contains("x.yaml:2:1") && problem.to_string().ends_with("more lines"), "{problem}");
}

#[test]
fn what_a_study_says_of_a_target_without_figures_is_not_lost() {
    let table = "target,clients,tps\nsame-az,8,100\ncross-az,8,90\n";
    let with = |targets: &str| {
        let study = format!("study: x\nstated: {{ targets: {targets} }}\nfiles: [t.csv]\n");
        imported(&[("t.csv", table.as_bytes()), ("t.study.yaml", study.as_bytes())], ImportRequest::default())
    };
    let problem = with("{ same_az: { postgresql: { fsync: on } }, cross-az: { cpus: 4 } }").expect_err("another name");
    assert!(problem.to_string().contains("did you mean \"same-az\"?"), "{problem}");
    let observed = with("{ elsewhere: { cpus: 4 } }").expect("a table");
    assert_eq!(all_notes(&observed, 1), ["no figures of its targets elsewhere"]);
}

#[test]
fn a_side_is_what_its_outputs_print_and_what_stands_in_its_rows() {
    let observed = imported_as(&[("vm", "a", output(1000.0)), ("pod", "b", output(900.0))], None).expect("two outputs");
    let imported_run = observed.run.imported.as_ref().expect("imported");
    assert_eq!(imported_run.target_named("vm").and_then(|target| target.printed_version.as_deref()), Some("18.1"));
    let table =
        "target,PostgreSQL version,fsync,shared_buffers,clients,tps\na,16.4,on,8GB,8,100\nb,15.5,off,8GB,8,90\n";
    let observed = imported(&[("t.csv", table.as_bytes())], ImportRequest::default()).expect("a table");
    let imported_run = observed.run.imported.as_ref().expect("imported");
    let target = imported_run.target_named("b").expect("a target");
    let setting = |name: &str| target.settings.get(name).map(String::as_str);
    assert_eq!(
        (target.version.as_deref(), setting("fsync"), setting("shared_buffers")),
        (Some("15.5"), Some("off"), Some("8GB"))
    );
    assert_eq!(observed.trials[1].cell.workload, "workload shared_buffers 8GB");
}

#[test]
fn a_table_of_settings_beside_the_results_is_of_the_targets_that_it_has_columns_for() {
    let text = "| Platform | Clients | TPS |\n|---|---|---|\n| VM | 8 | 100 |\n| K8s | 8 | 90 |\n\n\
                | Setting | VM | K8s |\n|---|---|---|\n| fsync | on | off |\n| nodes | 1 | 3 |\n\n\
                | Setting | VM | Elsewhere |\n|---|---|---|\n| fsync | on | off |\n";
    let observed = imported(&[("t.md", text.as_bytes())], ImportRequest::default()).expect("tables");
    let imported_run = observed.run.imported.as_ref().expect("imported");
    let fsync = |name: &str| imported_run.target_named(name).and_then(|target| target.settings.get("fsync").cloned());
    assert_eq!((fsync("VM").as_deref(), fsync("K8s").as_deref()), (Some("on"), Some("off")));
    let expected = [
        "the table at line 6 was read as versions and settings of targets",
        "ignored, because they have no known column: the tables at lines 11",
    ];
    assert_eq!(all_notes(&observed, 0), expected);
}

#[test]
fn a_table_of_which_one_column_is_known_is_refused_with_what_to_say_of_the_others() {
    let refused = refused("t.md", "| Clients | VM | K8s |\n|---|---|---|\n| 8 | 100 | 90 |\n");
    assert!(refused.contains("\"Clients\" is the only known column"), "{refused}");
    assert!(refused.contains("unknown columns: VM, K8s") && refused.contains("columns: { \"VM\""), "{refused}");
}

#[test]
fn the_clients_at_a_peak_are_clients() {
    let table = "Platform,Clients at peak,Peak TPS\nvm,128,88410\npod,64,71220\n";
    let observed = imported(&[("t.csv", table.as_bytes())], ImportRequest::default()).expect("a table");
    let of = |trial: &results::trial::Trial| {
        (trial.cell.clients.known_count(), trial.told.as_ref().and_then(|told| told.throughput_per_s))
    };
    let all: Vec<_> = observed.trials.iter().map(of).collect();
    assert_eq!(all, [(Some(128), Some(88_410.0)), (Some(64), Some(71_220.0))]);
}

#[test]
fn counts_over_a_stated_duration_are_rates() {
    let table = "target,workload,clients,transactions\na,read,8,60000\nb,read,8,54000\n";
    let study = "study: x\nstated:\n  generator: { duration_s: 60 }\n";
    let files = [("t.csv", table.as_bytes()), ("x.yaml", study.as_bytes())];
    let observed = imported(&files, ImportRequest::default()).expect("a table of counts");
    let rates = observed.trials.iter().map(|trial| trial.told.as_ref().and_then(|told| told.throughput_per_s));
    assert_eq!(rates.collect::<Vec<_>>(), [Some(1000.0), Some(900.0)]);
}

#[test]
fn outputs_below_the_names_of_machines_are_of_these_machines() {
    let [small, large] = [output(1000.0), output(2000.0)];
    let text = format!("Instance: m5a.large\n\nRun: 1\n{small}{small}\nInstance: m5a.xlarge\n{large}");
    let targets = |given: &str| {
        let observed = imported_as(&[(given, "x.txt", text.clone())], None).expect("three outputs");
        let of = |trial: &results::trial::Trial| (trial.cell.target.clone(), trial.block);
        (observed.trials.iter().map(of).collect::<Vec<_>>(), observed.run.imported.expect("imported").sources)
    };
    let (found, sources) = targets("");
    assert_eq!(found, [("m5a.large", 1), ("m5a.large", 2), ("m5a.xlarge", 1)].map(|(name, n)| (name.to_owned(), n)));
    assert!(sources[0].notes.iter().any(|note| note.contains("\"Instance:\"")), "{:?}", sources[0].notes);
    assert_eq!(targets("aws").0[2].0, "aws m5a.xlarge");
}

#[test]
fn outputs_below_unlike_lines_are_of_unlike_sides_and_not_repetitions() {
    let one = output(1000.0);
    let targets = |text: String| {
        let observed = imported_as(&[("", "x.md", text)], None).expect("outputs");
        let targets: Vec<String> = observed.trials.iter().map(|trial| trial.cell.target.clone()).collect();
        targets.join(" / ")
    };
    let version = |version: &str| format!(" PostgreSQL {version} (Debian) on x86_64-pc-linux-gnu, 64-bit\n");
    let old = one.replace("pgbench (18.1)\n", "");
    for (text, expected) in [
        (format!("# Results\n## Run 1\n{one}## Run 2\n{one}"), "imported / imported"),
        (format!("# Results\n## direct\n{one}## pooler\n### Run 1\n{one}"), "direct / pooler"),
        (format!("{one}=== pooler ===\n{one}"), "imported / pooler"),
        (format!("{one}ALTER SYSTEM SET synchronous_commit = off;\n{one}"), "imported / synchronous_commit=off"),
        (format!("$ pgbench -h a -c 8\n{one}$ pgbench -h b -c 8\n{one}{one}"), "a / b / b"),
        (format!("{}{old}{}{old}", version("12.22"), version("13.23")), "imported 12.22 / imported 13.23"),
    ] {
        assert_eq!(targets(text.clone()), expected, "{text}");
    }
    let sysbench = fs::read_to_string(fixtures().join("sysbench-1.0.20/read-write.out")).expect("text");
    let command = |options: &str| format!("# sysbench --threads=2 {options} oltp_read_write.lua run\n{sysbench}\n");
    let text = command("--pgsql-host=a") + &command("--pgsql-host=b");
    let observed = imported_as(&[("", "x.md", text)], None).expect("outputs");
    let cell = &observed.trials[1].cell;
    assert_eq!((cell.target.as_str(), cell.workload.as_str()), ("--pgsql-host=b", "oltp_read_write"));
}

#[test]
fn jobs_of_fio_that_are_unlike_are_not_the_same_job() {
    let json = |block: &str, depth: u32| {
        format!(
            "{{\"fio version\": \"fio-3.33\", \"jobs\": [{{\"jobname\": \"vol0\", \"job options\": {{\"rw\": \"randrw\", \
             \"bs\": \"{block}\", \"iodepth\": \"{depth}\"}}, \"read\": {{\"total_ios\": 100, \"io_bytes\": 819200, \
             \"runtime\": 1000, \"iops\": 100.0, \"bw_bytes\": 819200}}}}]}}"
        )
    };
    let stages = |files: &[(&str, String)]| {
        let directory = tempfile::tempdir().expect("a directory");
        let path = |(name, content): &(&str, String)| {
            fs::write(directory.path().join(name), content).expect("written");
            directory.path().join(name)
        };
        let request = ImportRequest { files: files.iter().map(path).collect(), ..ImportRequest::default() };
        let dir =
            import_study(&request, &directory.path().join("runs"), NOW.parse().expect("an instant")).expect("fio's");
        dir.disk_stages().expect("stages").into_iter().map(|stage| stage.name).collect::<Vec<_>>()
    };
    let again = json("4k", 16).replace("819200", "823296");
    let three = [("a", json("4k", 16)), ("b", json("32k", 16)), ("c", again)];
    assert_eq!(stages(&three), ["vol0-randread-4k", "vol0-randread-32k", "vol0-randread-4k-2"]);
    assert_eq!(stages(&[("a", json("4k", 1)), ("b", json("4k", 32))]), ["vol0-1x1", "vol0-1x32"]);
    assert_eq!(stages(&[("a", json("4k", 1))]), ["vol0"]);
    let after_a_prompt = format!("root@host:/# cat out\n>{}", json("4k", 1));
    assert_eq!(stages(&[("a", after_a_prompt)]), ["vol0"]);
    let writes = json("4k", 1).replace("\"read\":", "\"write\":");
    assert_eq!(stages(&[("a", json("4k", 1)), ("b", writes)]), ["vol0-randread-4k", "vol0-randwrite-4k"]);
}

#[test]
fn an_output_of_fio_that_was_copied_twice_is_read_once_and_several_executions_in_a_file_are_several() {
    let wal = include_str!("../../outputs/tests/fixtures/wal-3.33.json");
    let copied = format!("{wal}root@host:/# cat out-0\n{}{wal}", "a line\n".repeat(30));
    let observed = imported(&[("a.json", copied.as_bytes())], ImportRequest::default()).expect("one execution");
    assert_eq!(observed.disks.len(), 1);
    let notes = &observed.run.imported.as_ref().expect("imported").sources[0].notes;
    assert_eq!(notes[notes.len() - 1], "the same output is in the file twice: counted once");
    let alone = imported(&[("a.json", wal.as_bytes())], ImportRequest::default()).expect("one");
    assert_eq!(alone.disks[0].stage.groups, observed.disks[0].stage.groups);
    let names = |text: &str| {
        let observed = imported(&[("a.json", text.as_bytes())], ImportRequest::default()).expect("executions");
        let of = |disk: &judge::observed::ObservedStage| {
            let write = disk.stage.groups[0].write.as_ref().expect("written");
            (disk.stage.name.clone(), write.operations)
        };
        observed.disks.iter().map(of).collect::<Vec<_>>()
    };
    let later = wal.replace("19959", "20001").replace("1795194851192", "1795194853500");
    let both = [("wal".to_owned(), 19_959), ("wal-2".to_owned(), 20_001)];
    assert_eq!(names(&format!("{wal}{later}")), both, "appended");
    assert_eq!(names(&format!("{wal}root@host:/# cat out-1\n{later}")), both);
    let early = wal.replace("19959", "9001").replace("1795194851192", "1795194850192").replace("2001,", "1001,");
    assert_eq!(names(&format!("{early}{wal}")), both[..1], "--status-interval");
}

#[test]
fn what_is_not_read_is_told_by_its_tool_with_what_to_do_in_one_line() {
    let found = refused("x.out", "{\n \"tps\": 5\n}\n");
    let expected = "x.out is JSON of an unknown tool: write its figures into a table (CSV)";
    assert!(found.starts_with(expected) && found.lines().count() == 1, "{found}");
    for (bytes, expected) in [
        (&b"\x89PNG\r\n\x1a\n"[..], "x.out is a PNG image: "),
        (b"PK\x03\x04 1", "x.out is a ZIP archive or a spreadsheet: "),
        (b"\xfd7zXZ\0", "x.out is packed with xz: "),
        (b"\x28\xb5\x2f\xfd 1", "x.out is packed with zstd: "),
        (b"\xff\xd8\xff\xe0 1", "x.out is an image: "),
        (b"<!DOCTYPE html>\n<p>tps</p>", "x.out is an HTML page without a known output or table"),
        (b"# Notes\n\nprose\n", "x.out: unknown kind of file: it begins with \"# Notes\""),
    ] {
        let problem = imported(&[("x.out", bytes)], ImportRequest::default()).expect_err(expected).to_string();
        assert!(problem.contains(expected) && problem.lines().count() == 1, "{problem}");
    }
}

#[test]
fn runs_of_hammerdb_and_benchbase_are_trials_and_what_they_do_not_tell_is_missing() {
    let hammerdb = include_bytes!("../../outputs/tests/fixtures/hammerdb-tprocc.log");
    let observed = imported(&[("hammerdb.log", hammerdb)], ImportRequest::default()).expect("a log");
    let [(_, workload, clients, Some(throughput))] = &rates(&observed)[..] else { panic!("{:?}", rates(&observed)) };
    assert_eq!((workload.as_str(), *clients), ("TPROC-C", Some(64)));
    assert!((throughput - 58_594.733_333).abs() < 1e-5, "{throughput}");
    let missing = &observed.run.imported.as_ref().expect("imported").missing;
    for what in ["percentiles of latency", "failed transactions"] {
        assert!(missing.iter().any(|told| told == what), "{missing:?}");
    }

    let benchbase = include_bytes!("../../outputs/tests/fixtures/benchbase-tpcc.summary.json");
    let observed = imported(&[("tpcc.summary.json", benchbase)], ImportRequest::default()).expect("a summary");
    let expected = ("imported".to_owned(), "tpcc".to_owned(), Some(4), Some(3.349_995_356_515_603));
    assert_eq!(rates(&observed), [expected]);
    let missing = &observed.run.imported.as_ref().expect("imported").missing;
    assert!(missing.iter().any(|told| told == "failed transactions"), "{missing:?}");
    assert!(!missing.iter().any(|told| told == "percentiles of latency"), "{missing:?}");
    judge_run(&observed);
}

#[test]
fn fio_s_normal_output_and_its_json_are_the_same_stages() {
    let json = include_str!("../../outputs/tests/fixtures/two-jobs-3.33.json");
    let text = include_str!("../../outputs/tests/fixtures/two-jobs-3.33.txt");
    let stages = |name: &str, content: &str| {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join(name);
        std::fs::write(&path, content).expect("written");
        let request = ImportRequest { files: vec![path], target: Some("vm".to_owned()), ..ImportRequest::default() };
        let dir = import_study(&request, directory.path(), jiff::Timestamp::UNIX_EPOCH).expect("fio's");
        let stages = dir.disk_stages().expect("stages");
        let rounded = |per_s: f64| (per_s / 10.0).round();
        let of = |stage: &results::disk::DiskStage| {
            let group = &stage.groups[0];
            let flow = group.write.as_ref().expect("written");
            (stage.name.clone(), group.jobs, group.depth, rounded(flow.operations_per_s), group.sync.is_some())
        };
        stages.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(stages("vm.txt", text), stages("vm.json", json));
}

#[test]
fn reports_of_pgbench_without_their_first_lines_or_of_old_releases_are_read() {
    let whole = output(1000.0).replace("pgbench (18.1)\n", "");
    let without_type = whole.split_once('\n').expect("lines").1.to_owned();
    let without_scale = without_type.split_once('\n').expect("lines").1.to_owned();
    let told = |text: &str| {
        let observed = imported_as(&[("", "x.out", text.to_owned())], None).unwrap_or_else(|error| panic!("{error}"));
        let of = |trial: &results::trial::Trial| {
            let told = trial.told.as_ref().expect("told");
            (trial.cell.workload.clone(), told.script.clone(), told.scale, told.throughput_per_s)
        };
        observed.trials.iter().map(of).collect::<Vec<_>>()
    };
    let unknown = |scale| ("workload".to_owned(), None, scale, Some(1000.0));
    assert_eq!(told(&without_type), [unknown(Some(50))]);
    assert_eq!(told(&without_scale), [unknown(None)]);
    assert_eq!(told(&format!("{without_scale}\n\n{without_scale}")), [unknown(None), unknown(None)]);
    assert_eq!(told(&format!("{without_type}{without_type}")), [unknown(Some(50)), unknown(Some(50))]);
    let old = whole.replace("latency average = ", "latency average: ");
    assert_eq!(told(&old)[0].3, Some(1000.0));
    let cut = refused("x.out", &without_type.replace("number of threads: 2\n", ""));
    assert!(cut.starts_with("x.out, line 4: expected a line that begins with \"number of threads: \""), "{cut}");
}

#[test]
fn sysbench_of_1_1_is_read_also_in_markdown() {
    let old = fs::read_to_string(fixtures().join("sysbench-1.0.20/read-write.out")).expect("text");
    let time = old.lines().find(|line| line.starts_with("    total time:")).expect("a time");
    let new = old
        .replace("General statistics:\n", "Throughput:\n    events/s (eps):                      362.4731\n")
        .replace(time, &time.replace("total time:", "time elapsed:"));
    let told = |text: &str| {
        let observed = imported_as(&[("", "x.md", text.to_owned())], None).unwrap_or_else(|error| panic!("{error}"));
        observed.trials.iter().map(|trial| trial.told.clone()).collect::<Vec<_>>()
    };
    let expected = told(&old);
    assert_eq!(told(&new), expected);
    assert_eq!(told(&format!("```\n{new}\n```\n\n```\n{new}\n```\n")), [expected.clone(), expected].concat());
}

/// What stands in the page between fences of one kind.
fn of_the_documentation(kind: &str) -> Vec<&'static str> {
    let page = include_str!("../../../docs/import.md");
    let begin = format!("```{kind}\n");
    page.split(&begin).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn the_wide_table_of_the_documentation_is_read_as_the_page_says() {
    let [table] = of_the_documentation("csv")[..] else { panic!("one table") };
    let study = of_the_documentation("yaml")[0];
    let files = [("t.csv", table.as_bytes()), ("x.study.yaml", study.as_bytes())];
    let observed = imported(&files, ImportRequest::default()).expect("the example");
    let of = |clients: u32| rates(&observed).into_iter().filter(move |row| row.2 == Some(clients)).collect::<Vec<_>>();
    assert_eq!((of(8).len(), of(16).len()), (4, 3));
    let queries = of(8).into_iter().find(|row| row.1 == "queries").expect("queries");
    assert_eq!((queries.0.as_str(), queries.3), ("k8s", Some(5000.0)));
}

#[test]
fn the_study_of_the_documentation_is_read_with_the_files_that_it_names() {
    let study = of_the_documentation("yaml")[1];
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("x.study.yaml"), study).expect("written");
    for (side, tps) in [("fast", 1000.0), ("slow", 900.0)] {
        for repetition in 1..=3 {
            let name = format!("{side}-{repetition}.out");
            fs::write(directory.path().join(name), output(tps + f64::from(repetition))).expect("written");
        }
    }
    let request = ImportRequest { files: vec![directory.path().join("x.study.yaml")], ..ImportRequest::default() };
    let observed = observed(&request, &directory.path().join("runs")).expect("the example");
    let targets: Vec<&str> = observed.trials.iter().map(|trial| trial.cell.target.as_str()).collect();
    assert_eq!(targets, ["fast", "fast", "fast", "slow", "slow", "slow"]);
    let imported = observed.run.imported.as_ref().expect("imported");
    assert!(imported.paired && imported.baseline == "fast");
    assert_eq!(imported.target_named("slow").expect("stated").version.as_deref(), Some("16"));
}

#[test]
fn a_diagnosis_of_an_import_names_what_its_rules_lacked_in_one_line() {
    let judgement = judge_run(&imported(&[("t.csv", TABLE.as_bytes())], ImportRequest::default()).expect("a table"));
    for text in [
        report::findings::diagnosis_for_terminal(&judgement.diagnosis, None),
        report::findings::diagnosis_markdown(&judgement.diagnosis),
    ] {
        assert!(text.contains("imported figures contain no readings of servers"), "{text}");
        assert!(!text.contains("No findings") && !text.contains("None."), "{text}");
        assert_eq!(text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).count(), 1, "{text}");
    }
}

/// What `count_once` says of a file.
fn all_notes(observed: &Observed, file: usize) -> Vec<&str> {
    let source = &observed.run.imported.as_ref().expect("imported").sources[file];
    source.notes.iter().map(String::as_str).collect()
}

fn notes(observed: &Observed, file: usize) -> Vec<&str> {
    all_notes(observed, file).into_iter().filter(|note| note.contains("counted once")).collect()
}

#[test]
fn a_run_that_stands_in_two_files_is_counted_once_and_the_file_with_more_of_it_is_kept() {
    let raw = output(1_234.567_891);
    let row = "target,workload,clients,repetition,tps,latency_ms_mean\n";
    let of_it = format!("{row}vm,select-only,8,3,1234.57,6.480\nvm,select-only,8,4,1250.11,6.399\n");
    let files = [("", "t.csv", of_it), ("vm", "a.out", raw.clone()), ("vm", "copy.out", raw.clone())];
    let observed = imported_as(&files, None).expect("a table and two outputs");
    let blocks: Vec<(u32, Option<&str>)> = observed
        .trials
        .iter()
        .map(|trial| (trial.block, trial.told.as_ref().and_then(|told| told.tool.as_deref())))
        .collect();
    assert_eq!(blocks, [(4, None), (3, Some("pgbench"))], "the output is kept, as the repetition that the table says");
    let said = |file| notes(&observed, file).into_iter().map(str::to_owned).collect::<Vec<_>>();
    for file in [0, 2] {
        let [note] = said(file).try_into().expect("one line");
        assert!(note.starts_with("1 trial is in ") && note.contains("a.out too"), "{note}");
    }
    let pasted = [("vm", "a.out", format!("{raw}\n{raw}"))];
    let observed = imported_as(&pasted, None).expect("an output, twice");
    assert_eq!((observed.trials.len(), notes(&observed, 0).len()), (1, 1));
}

#[test]
fn rounded_figures_that_chance_makes_alike_are_repetitions_and_whole_tables_of_them_are_copies() {
    let table = |rows: &[(u32, &str, &str)]| {
        let row = |(clients, tps, ms): &(u32, &str, &str)| format!("vm,read,{clients},{tps},{ms}\n");
        "target,workload,clients,tps,latency_ms_mean\n".to_owned() + &rows.iter().map(row).collect::<String>()
    };
    let count = |files: [&[(u32, &str, &str)]; 2]| {
        let [first, second] = files.map(table);
        let files = [("", "1.csv", first), ("", "2.csv", second)];
        imported_as(&files, None).expect("tables").trials.len()
    };
    let first = [(8, "1235", "6.48"), (16, "2213", "7.23")];
    assert_eq!(count([&first, &[(8, "1235", "6.48"), (16, "2190", "7.31")]]), 4, "one of two by chance");
    assert_eq!(count([&first, &first[..1]]), 3, "one row of four digits");
    assert_eq!(count([&first, &[(8, "1235", "6.48"), (16, "2213", "7.23"), (32, "2900", "11.0")]]), 3);
    assert_eq!(count([&first, &[(16, "1235", "6.48"), (8, "2213", "7.23")]]), 4, "at other clients");
    assert_eq!(count([&first, &[(8, "1235", "6.5"), (16, "2213", "7.3")]]), 4, "another latency");
    assert_eq!(count([&first, &[(8, "1235", "6.5"), (16, "2213", "7.2")]]), 2, "the same, rounded");
}

#[test]
fn seconds_of_an_output_that_fall_and_trials_that_the_study_does_not_state_are_found() {
    let study = |conditions: &str| format!("study: x\nstated:\n  generator: {{ tool: pgbench, {conditions} }}\n");
    let broken = |conditions: &str, falls: f64| {
        let seconds: String = (1..=120)
            .map(|second| {
                let noise = 1.0 + 0.03 * f64::sin(2.4 * f64::from(second));
                let tps = 1000.0 * (1.0 - falls * f64::from(second) / 120.0) * noise;
                format!("progress: {second}.0 s, {tps:.1} tps, lat {:.3} ms stddev 0.100\n", 8000.0 / tps)
            })
            .collect();
        let whole = output(1000.0 * (1.0 - falls / 2.0)).replace("duration: 60 s", "duration: 120 s");
        let (version, rest) = whole.split_once('\n').expect("lines");
        let text = format!("{version}\n{seconds}{rest}");
        let files = [("", "x.study.yaml", study(conditions)), ("vm", "a.out", text)];
        let judgement = judge_run(&imported_as(&files, None).expect("an output"));
        let audit = judgement.audit.expect("an audit");
        let of = |id: &str| {
            let (_, found) = audit.findings.iter().find(|(check, _)| check.code.name == id).expect(id);
            found.figures.iter().filter(|figure| figure.breaks).map(|figure| figure.text.clone()).collect::<Vec<_>>()
        };
        [of("unsteady-throughput"), of("claim-mismatch")]
    };
    let none = Vec::<String>::new;
    assert_eq!(broken("duration_s: 120, clients: [8, 16]", 0.0), [none(), none()]);
    let [drift, stated] = broken("duration_s: 120, clients: 8", 0.4);
    assert_eq!(stated, none());
    assert_eq!(drift, ["−37.0 % from the first tenth to the last, in 1 of 1 trials"]);
    let [_, stated] = broken("duration_s: 600, clients_per_cell: \"16, 32\"", 0.0);
    let expected = [
        "the outputs of 1 of 1 trials print a duration of 120 s; the study declares 600 s",
        "measured at 8 clients; the study declares 16, 32",
    ];
    assert_eq!(stated, expected);
}

#[test]
fn what_is_judged_at_once_is_what_is_read_from_a_run_directory() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("t.csv");
    fs::write(&path, TABLE).expect("written");
    let request = ImportRequest { files: vec![path], ..ImportRequest::default() };
    let now = jiff::Timestamp::UNIX_EPOCH;
    let at_once = super::observe_study(&request, now).expect("a table");
    let dir = super::import_study(&request, directory.path(), now).expect("a table");
    let read = Observed::read(&dir).expect("what was written is read");
    assert_eq!(format!("{:?}", at_once.trials), format!("{:?}", read.trials));
    assert_eq!(at_once.run.imported, read.run.imported);
    assert_eq!(at_once.plan_yaml, read.plan_yaml);
    let findings = |observed: &Observed| format!("{:?}", judge_run(observed).audit.expect("an audit").findings);
    assert_eq!(findings(&at_once), findings(&read));
}

#[test]
fn author_and_customer_of_a_study_stand_on_its_report() {
    let study = "study: x\nauthor: Jane Doe\ncustomer: Acme\nnotes: Before the migration.\nfiles: [t.csv]\n";
    let files: [(&str, &[u8]); 2] = [("t.csv", TABLE.as_bytes()), ("t.study.yaml", study.as_bytes())];
    let judgement = judge_run(&imported(&files, ImportRequest::default()).expect("a study"));
    let text = report::terminal_text(&judgement, false, None);
    for line in ["Measured by Jane Doe", "For Acme", "Before the migration.", "Imported on "] {
        assert!(text.contains(line), "{line}:\n{text}");
    }
}

#[test]
fn figures_of_single_trials_stand_in_the_report_without_an_interval() {
    let table = "target,workload,clients,tps,latency_ms\nvm,tpcb-like,8,1000,8\npod,tpcb-like,8,900,8.89\n";
    let judgement = judge_run(&imported(&[("t.csv", table.as_bytes())], ImportRequest::default()).expect("a table"));
    let text = report::terminal_text(&judgement, false, None);
    for expected in
        ["1000 tps", "900 tps", "8.00 ms", "8.89 ms", "−10.0 %", "figures without an interval are of single"]
    {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
}

fn sysbench_fixture(name: &str) -> String {
    fs::read_to_string(fixtures().join("sysbench-1.0.20").join(name)).expect("text")
}

#[test]
fn another_version_of_sysbench_on_one_side_is_said() {
    let ours = sysbench_fixture("read-write.out");
    for (version, is_other) in [("1.1.0-df89d34", true), ("1.0.18", false)] {
        let theirs =
            sysbench_fixture("no-percentile.out").replacen("sysbench 1.0.20", &format!("sysbench {version}"), 1);
        assert!(theirs.contains(version), "the fixture has its version");
        let directory = tempfile::tempdir().expect("a directory");
        let mut files = Vec::new();
        for (target, name, text) in [("vm", "a.out", &ours), ("pod", "b.out", &theirs)] {
            fs::write(directory.path().join(name), text).expect("written");
            files.push(PathBuf::from(format!("{target}={}", directory.path().join(name).display())));
        }
        let request = ImportRequest { files, ..ImportRequest::default() };
        let observed = observed(&request, &directory.path().join("runs")).expect("two outputs");
        let audit = judge_run(&observed).audit.expect("an audit");
        let figures = audit.findings.iter().flat_map(|(_, found)| &found.figures);
        let said: Vec<&str> = figures
            .map(|figure| figure.text.as_str())
            .filter(|text| text.contains("version of the generator"))
            .collect();
        assert_eq!(said.len(), usize::from(is_other), "{version}: {said:?}");
    }
}
