//! Outputs on pages: which side each belongs to, what stands before their lines, and how far down they stand.

use std::fs;
use std::path::PathBuf;

use judge::observed::Observed;
use problem::Problem;

use super::{ImportRequest, import_study};

/// Imports files of these names and contents, of which those that a study brings are not given.
fn import_files(files: &[(&str, &[u8])]) -> Result<Observed, Problem> {
    let directory = tempfile::tempdir().expect("a directory");
    let study = files.iter().any(|(name, _)| name.ends_with(".yaml"));
    let mut given: Vec<PathBuf> = Vec::new();
    for (name, content) in files {
        let path = directory.path().join(name);
        fs::write(&path, content).expect("written");
        if !study || name.ends_with(".yaml") {
            given.push(path);
        }
    }
    let request = ImportRequest { files: given, ..ImportRequest::default() };
    let dir = import_study(&request, &directory.path().join("runs"), jiff::Timestamp::UNIX_EPOCH)?;
    Ok(Observed::read(&dir).expect("what was written is read"))
}

/// Target, clients and throughput of each trial.
fn throughput_rates(files: &[(&str, &[u8])]) -> Vec<String> {
    let observed = import_files(files).unwrap_or_else(|problem| panic!("{problem}"));
    let mut rates = Vec::new();
    for trial in &observed.trials {
        let rate = trial.told.as_ref().and_then(|told| told.throughput_per_s).unwrap_or_default();
        let clients = trial.cell.clients.known_count().unwrap_or_default();
        rates.push(format!("{} {clients} {rate}", trial.cell.target));
    }
    rates
}

fn of_page(text: &str) -> Vec<String> {
    throughput_rates(&[("page.md", text.as_bytes())])
}

fn notes_of_import(observed: &Observed) -> Vec<String> {
    let sources = &observed.run.imported.as_ref().expect("imported").sources;
    sources.iter().flat_map(|source| source.notes.clone()).collect()
}

fn pgbench_output(tps: u32) -> String {
    format!(
        "transaction type: <builtin: select only>\nscaling factor: 10\nquery mode: simple\n\
         number of clients: 8\nnumber of threads: 1\nmaximum number of tries: 1\nduration: 10 s\n\
         number of transactions actually processed: {tps}0\nnumber of failed transactions: 0 (0.000%)\n\
         latency average = {:.3} ms\ninitial connection time = 1.000 ms\n\
         tps = {tps}.000000 (without initial connection time)\n",
        8000.0 / f64::from(tps)
    )
}

fn fenced_output(tps: u32) -> String {
    format!("```\n{}```\n\n", pgbench_output(tps))
}

fn behind_prefix(prefix: &str, text: &str) -> String {
    text.lines().map(|line| format!("{prefix}{line}\n")).collect()
}

#[test]
fn whatever_line_stands_above_an_output_names_its_side() {
    let (vm, pod) = (fenced_output(500), fenced_output(400));
    for text in [
        format!("**VM**\n\n{vm}**Pod**\n\n{pod}"),
        format!("# A\n\n## VM\n\n{vm}## Pod\n\n{pod}"),
        format!("VM\n--\n\n{vm}Pod\n---\n\n{pod}"),
        format!("<h2>VM</h2>\n\n{vm}<h2>Pod</h2>\n\n{pod}"),
        format!(
            "<details><summary>VM</summary>\n\n{vm}</details>\n<details>\n<summary>Pod</summary>\n\n{pod}</details>\n"
        ),
        format!("- VM\n\n{vm}- Pod\n\n{pod}"),
        format!("* **VM**: results\n\n{vm}* **Pod**: results\n\n{pod}"),
        format!("1. VM\n\n{}2. Pod\n\n{}", behind_prefix("   ", &vm), behind_prefix("   ", &pod)),
        format!("```\n# on the VM\n{}```\n```\n# Pod\n{}```\n", pgbench_output(500), pgbench_output(400)),
        format!("The results of the VM:\n\n{vm}Then the same on the Pod:\n\n{pod}"),
        format!("We ran it on the VM.\n\n{vm}Then the same on the Pod.\n\n{pod}"),
        format!("<tr><td>VM</td><td>\n\n{vm}</td></tr><tr><td>Pod</td><td>\n\n{pod}</td></tr>\n"),
        format!("VM.txt:\n\n{vm}Pod.txt:\n\n{pod}"),
        format!("==> VM.txt <==\n{}\n==> Pod.txt <==\n{}", pgbench_output(500), pgbench_output(400)),
        format!("=== \"VM\"\n\n{}=== \"Pod\"\n\n{}", behind_prefix("    ", &vm), behind_prefix("    ", &pod)),
        format!("VM\n{}\nPod\n{}", pgbench_output(500), pgbench_output(400)),
    ] {
        assert_eq!(of_page(&text), ["VM 8 500", "Pod 8 400"], "{text}");
    }
}

#[test]
fn dates_and_numbers_of_repetitions_name_no_side_and_a_label_is_of_all_outputs_below_it() {
    let [a, b, c, d] = [500, 510, 400, 410].map(fenced_output);
    let same = ["imported 8 500", "imported 8 510"];
    assert_eq!(of_page(&format!("### 2025-01-03\n\n{a}### 2025-01-04\n\n{b}")), same);
    assert_eq!(of_page(&format!("First run:\n\n{a}And once more:\n\n{b}")), same);
    assert_eq!(of_page(&format!("{a}{b}")), same);
    assert_eq!(
        of_page(&format!("On the VM:\n\n{a}Again:\n\n{b}On the pod, 3 Jan 2025:\n\n{c}{d}")),
        ["VM 8 500", "VM 8 510", "pod 8 400", "pod 8 410"]
    );
}

#[test]
fn repetitions_on_one_page_are_noted_with_advice_that_can_be_followed_there() {
    let observed = import_files(&[("page.md", format!("{}{}", fenced_output(500), fenced_output(400)).as_bytes())])
        .expect("outputs");
    let all = notes_of_import(&observed);
    assert!(all[0].starts_with("2 trials are read as repetitions of"), "{all:?}");
    assert!(all[0].contains("files: { NAME: [page.md#1] }"), "{all:?}");
}

fn import_page_with_study(page: &str, files: &str) -> Result<Observed, Problem> {
    let study = format!("study: x\nfiles: {files}\n");
    import_files(&[("page.md", page.as_bytes()), ("x.study.yaml", study.as_bytes())])
}

#[test]
fn a_study_names_outputs_of_a_page_by_their_numbers() {
    let page = format!("{}{}{}", fenced_output(500), fenced_output(510), fenced_output(400));
    let observed =
        import_page_with_study(&page, "{ vm: [page.md#1, page.md#2], pod: [page.md#3] }").expect("three outputs");
    let cells: Vec<String> =
        observed.trials.iter().map(|trial| format!("{} {}", trial.cell.target, trial.block)).collect();
    assert_eq!(cells, ["vm 1", "vm 2", "pod 1"]);
    let problem =
        import_page_with_study(&page, "{ vm: [page.md#1], pod: [page.md#4] }").expect_err("no fourth").to_string();
    assert!(problem.contains("page.md#4 does not exist: the page has 3 outputs"), "{problem}");
}

#[test]
fn outputs_of_generators_are_apart_and_added_where_a_study_says_so() {
    for (first, second) in
        [("Client 1", "Client 2"), ("### client 1/2", "### client 2/2"), ("[Client #1]", "[Client #2]")]
    {
        let page = format!(
            "## VM\n\n{first}\n{}{second}\n{}## Pod\n\n{first}\n{}{second}\n{}",
            fenced_output(500),
            fenced_output(520),
            fenced_output(400),
            fenced_output(420)
        );
        let observed = import_files(&[("page.md", page.as_bytes())]).expect("four outputs");
        let cells: std::collections::BTreeSet<_> = observed.trials.iter().map(|trial| trial.cell.clone()).collect();
        assert_eq!(cells.len(), 4, "{cells:?}");
        assert!(notes_of_import(&observed).iter().any(|note| note.contains("were not added")), "{first}");
        let study = "study: x\ngenerators: together\nfiles: [page.md]\n";
        let files = [("page.md", page.as_bytes()), ("x.study.yaml", study.as_bytes())];
        assert_eq!(throughput_rates(&files), ["VM 16 1020", "Pod 16 820"]);
        let observed = import_files(&files).expect("added");
        let told = observed.trials[0].told.clone().expect("told");
        // 16 ms × 5000 and 15.385 ms × 5200 transactions.
        let mean_ms = told.latency.mean_ns.expect("a mean") / 1e6;
        assert!((mean_ms - 15.6865).abs() < 1e-3, "{mean_ms}");
        assert_eq!((told.transactions, told.latency.percentiles_ns.len()), (Some(10_200), 0));
    }
    let two = [("vm-client1.out", pgbench_output(500)), ("vm-client2.out", pgbench_output(520))];
    let files: Vec<(&str, &[u8])> = two.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let observed = import_files(&files).expect("two outputs");
    assert_ne!(observed.trials[0].cell, observed.trials[1].cell);
    let study = "study: x\ngenerators: together\nfiles: { vm: [vm-client1.out, vm-client2.out] }\n";
    let files = [files, vec![("x.study.yaml", study.as_bytes())]].concat();
    assert_eq!(throughput_rates(&files), ["vm 16 1020"]);
    let alone = [
        ("page.md", pgbench_output(500)),
        ("x.study.yaml", "study: x\ngenerators: together\nfiles: [page.md]\n".to_owned()),
    ];
    let alone: Vec<(&str, &[u8])> = alone.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    assert!(import_files(&alone).expect_err("none is named").to_string().contains("no output names its generator"));
}

#[test]
fn outputs_are_read_behind_prefixes_and_in_any_encoding() {
    let text = pgbench_output(500);
    let utf_16: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cases: [(&str, Vec<u8>); 9] = [
        ("utf-16", utf_16),
        ("carriage returns", text.replace('\n', "\r").into_bytes()),
        ("colours", behind_prefix("\u{1b}[32m", &text).replace('\n', "\u{1b}[0m\n").into_bytes()),
        ("CRI", behind_prefix("2026-11-26T20:00:01.123456789Z stdout F ", &text).into_bytes()),
        ("stern", behind_prefix("[pgbench-job-x7k2p] ", &text).into_bytes()),
        ("docker compose", behind_prefix("bench-1  | ", &text).into_bytes()),
        ("mail", behind_prefix("> ", &text).into_bytes()),
        ("a list", behind_prefix("    ", &text).into_bytes()),
        ("no-break spaces", text.replace(": ", ":\u{a0}").replace(" = ", "\u{a0}=\u{a0}").into_bytes()),
    ];
    for (what, bytes) in cases {
        assert_eq!(throughput_rates(&[("a.out", &bytes)]), ["imported 8 500"], "{what}");
    }
    let two = behind_prefix("bench-vm-1   | ", &pgbench_output(500))
        + &behind_prefix("bench-pod-1  | ", &pgbench_output(400));
    assert_eq!(throughput_rates(&[("a.log", two.as_bytes())]), ["bench-vm-1 8 500", "bench-pod-1 8 400"]);
    let broken = behind_prefix("> ", &text.replace("number of threads: 1\n", ""));
    let problem = import_files(&[("a.out", broken.as_bytes())]).expect_err("a line is missing").to_string();
    assert!(problem.contains("a.out, line 5: expected"), "{problem}");
}

#[test]
fn outputs_and_tables_are_read_however_far_down_they_stand() {
    let prose = "This is a long post about disks, and there is no figure in this line.\n\n".repeat(2000);
    let table = "| Target | Clients | TPS |\n|---|---|---|\n| vm | 8 | 500 |\n";
    assert_eq!(
        of_page(&format!("{prose}## vm\n\n{}{prose}## pod\n\n{}", fenced_output(500), fenced_output(400))),
        ["vm 8 500", "pod 8 400"]
    );
    assert_eq!(of_page(&format!("{prose}{table}")), ["vm 8 500"]);
    assert_eq!(of_page(&format!("{prose}{}", behind_prefix("> ", &pgbench_output(500)))), ["imported 8 500"]);
    // On the border between two parts.
    for more in [0, 13, 39] {
        let text =
            format!("{}{}", "x".repeat((64 << 10) - 1 - 12 * more) + "\n", behind_prefix("> ", &pgbench_output(500)));
        assert_eq!(of_page(&text), ["imported 8 500"], "{more}");
    }
    let below = format!("{table}\n{prose}{}", fenced_output(600).replace("clients: 8", "clients: 16"));
    let observed = import_files(&[("page.md", below.as_bytes())]).expect("a table and an output");
    assert!(
        notes_of_import(&observed).iter().any(|note| note.contains("were not read")),
        "{:?}",
        notes_of_import(&observed)
    );
}

fn not_read(observed: &Observed) -> Vec<String> {
    let sources = &observed.run.imported.as_ref().expect("imported").sources;
    sources.iter().flat_map(|source| source.not_read.clone()).collect()
}

#[test]
fn each_output_that_is_not_read_is_listed_and_a_study_that_names_its_page_is_refused() {
    let cut = "transaction type: <builtin: select only>\nscaling factor: 10\nquery mode: simple\n";
    let old = "sysbench 0.4.12:  multi-threaded system evaluation benchmark\n\nRunning the test with following options:\n\
               Number of threads: 8\n\nOLTP test statistics:\n    transactions:  712    (11.83 per sec.)\n";
    let page = format!("# A\n\n{}## B\n\n```\n{cut}```\n\n## C\n\n```\n{old}```\n", fenced_output(500));
    let observed = import_files(&[("page.md", page.as_bytes())]).expect("one output");
    assert_eq!(observed.trials.len(), 1);
    let [of_pgbench, of_sysbench] = &not_read(&observed)[..] else { panic!("{:?}", not_read(&observed)) };
    assert!(of_pgbench.starts_with("1 output of pgbench: not read, because it ends early: "), "{of_pgbench}");
    assert!(of_sysbench.starts_with("1 output of sysbench before 1.0 (at line 34): not read"), "{of_sysbench}");
    let study = "study: x\nfiles: { vm: [page.md] }\n";
    let refused = import_files(&[("page.md", page.as_bytes()), ("x.yaml", study.as_bytes())]).expect_err("in part");
    let said = refused.to_string();
    assert!(said.contains("page.md, which the study names, is read in part only: 1 output of pgbench"), "{said}");
    let one = "study: x\nfiles: { vm: [\"page.md#1\"] }\n";
    let named = import_files(&[("page.md", page.as_bytes()), ("x.yaml", one.as_bytes())]).expect("by its number");
    assert_eq!(named.trials.len(), 1);
}

#[test]
fn json_of_fio_and_outputs_of_other_tools_on_one_page_are_all_read() {
    let fio = include_str!("../../outputs/tests/fixtures/wal-3.33.json");
    for page in [
        format!("# disk\n```json\n{fio}```\n# VM\n{}", fenced_output(500)),
        format!("# VM\n{}\n# disk\n```json\n{fio}```\n", fenced_output(500)),
    ] {
        let observed = import_files(&[("page.md", page.as_bytes())]).expect("both");
        assert_eq!((observed.trials.len(), observed.disks.len()), (1, 1));
        assert_eq!(not_read(&observed), Vec::<String>::new());
    }
    let list = format!("[{fio},\n{}]", &fio[..fio.len() / 2]);
    let observed = import_files(&[("list.json", list.as_bytes())]).expect("one execution");
    assert_eq!(not_read(&observed), ["1 output of fio: not read, because its JSON is incomplete"]);
}

#[test]
fn a_report_that_was_translated_is_no_table() {
    let german = "Transaktionstyp: <builtin: TPC-B (sort of)>\nSkalierungsfaktor: 100\nAnzahl Clients: 16\n\
                  Latenz Durchschnitt = 5,595 ms\ntps = 2859,015215 (ohne Zeit der initialen Verbindung)\n";
    let refused = import_files(&[("de.out", german.as_bytes())]).expect_err("no output of pgbench").to_string();
    assert!(refused.contains("1 output of pgbench in another language (at line 5): not read"), "{refused}");
}
