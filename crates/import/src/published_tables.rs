//! Tables as vendors and bloggers publish them, each of another form, with their figures worked out by hand.

use std::fs;

use judge::observed::Observed;
use results::told::{ToldFlow, ToldLatency};
use results::trial::Trial;

use crate::{ImportRequest, import_study};

/// A table, the name of its file, and a line for each trial or job that it has.
type PublishedTable = (&'static str, &'static str, &'static [&'static str]);

/// Tables of which every figure is read.
const READ: &[PublishedTable] = &[
    // A name of a side in the name of each column, and a row of averages.
    (
        "flexible.md",
        "# PostgreSQL on Azure\n\n| connections | Azure Flexible tps | Azure Flexible avg latency (ms) | VM tps | VM avg latency (ms) |\n\
         |--:|--:|--:|--:|--:|\n| 16 | 2,105.4 | 7.6 | 2,412.1 | 6.63 |\n| 64 | 5,200 | 12.31 | — (too many clients) | |\n\
         | **Mean** | **3652.7** | | 2412.1 | |\n",
        &[
            "Azure Flexible | workload | 16 | #1 | 2105.4 tps | 7.6 ms",
            "VM | workload | 16 | #1 | 2412.1 tps | 6.63 ms",
            "Azure Flexible | workload | 64 | #1 | 5200 tps | 12.31 ms",
        ],
    ),
    // Numbers of clients above the figures, in a header of two lines with merged cells.
    (
        "ladder.html",
        "<!doctype html><html><body><h2>Ladder</h2><table><tr><th rowspan=2>System<th colspan=2>16 clients<th colspan=2>64 clients\
         <tr><th>TPS<th>Latency (ms)<th>TPS<th>Latency (ms)<tr><td>bare metal<td>12,001<td>1.33<td>30,110<td>2.13\
         <tr><td>KVM<td>11,420<td>1.40<td>27,900<td>2.29</table></body></html>",
        &[
            "bare metal | workload | 16 | #1 | 12001 tps | 1.33 ms",
            "bare metal | workload | 64 | #1 | 30110 tps | 2.13 ms",
            "KVM | workload | 16 | #1 | 11420 tps | 1.4 ms",
            "KVM | workload | 64 | #1 | 27900 tps | 2.29 ms",
        ],
    ),
    // Figures as rows, with their units beside them, and figures of other things.
    (
        "kvm.md",
        "| Metric | Unit | Bare metal | KVM |\n|---|---|---|---|\n| Clients | | 32 | 32 |\n| Throughput | tps | 9,871.2 | 9,105.8 |\n\
         | Average latency | ms | 3.24 | 3.51 |\n| 95th percentile latency | us | 5,120 | 5,904 |\n| CPU usage | % | 71 | 78 |\n",
        &[
            "Bare metal | workload | 32 | #1 | 9871.2 tps | 3.24 ms | p95 5.12 ms | CPU usage 71",
            "KVM | workload | 32 | #1 | 9105.8 tps | 3.51 ms | p95 5.904 ms | CPU usage 78",
        ],
    ),
    // Figures as rows and clients as columns.
    (
        "rows.md",
        "|  | 1 client | 8 clients | 32 clients |\n|---|---|---|---|\n| TPS | 310 | 2,204 | 6,120.5 |\n\
         | latency average | 3.2 ms | 3.63 ms | 5.23 ms |\n",
        &[
            "imported | workload | 1 | #1 | 310 tps | 3.2 ms",
            "imported | workload | 8 | #1 | 2204 tps | 3.63 ms",
            "imported | workload | 32 | #1 | 6120.5 tps | 5.23 ms",
        ],
    ),
    // The corner says what the fields have; sides as columns, clients as rows.
    (
        "corner.md",
        "| TPS (avg latency) | Aurora | RDS |\n|---|---|---|\n| 8 clients | 1,203 (6.65 ms) | 1,377 (5.81 ms) |\n\
         | 64 clients | 6,011<br>(10.6 ms) | n/a |\n",
        &[
            "Aurora | workload | 8 | #1 | 1203 tps | 6.65 ms",
            "RDS | workload | 8 | #1 | 1377 tps | 5.81 ms",
            "Aurora | workload | 64 | #1 | 6011 tps | 10.6 ms",
        ],
    ),
    // Arrows between the figures of two sides.
    (
        "upgrade.md",
        "| Clients | TPS (15.6 → 16.2) | Avg latency [ms] |\n|---|---|---|\n| 8 | 1,200.5 → 1,500.5 (+25 %) | 6.66 → 5.33 |\n\
         | 64 | 4,800 → 4,900 (+2.1 %) | 13.3 → 13.1 |\n",
        &[
            "15.6 | workload | 8 | #1 | 1200.5 tps | 6.66 ms",
            "16.2 | workload | 8 | #1 | 1500.5 tps | 5.33 ms | change of TPS % 25",
            "15.6 | workload | 64 | #1 | 4800 tps | 13.3 ms",
            "16.2 | workload | 64 | #1 | 4900 tps | 13.1 ms | change of TPS % 2.1",
        ],
    ),
    // A figure that is not known before those of the same side.
    (
        "nopm.md",
        "| run | Flexible NOPM | Flexible TPM | VM NOPM | VM TPM |\n|---|---|---|---|---|\n| 1 | 95062 | 218340 | 104120 | 239880 |\n",
        &[
            "Flexible | workload | - | #1 | 3639 tps | Flexible NOPM 95062 | VM NOPM 104120",
            "VM | workload | - | #1 | 3998 tps | Flexible NOPM 95062 | VM NOPM 104120",
        ],
    ),
    // A ratio beside the figures of which it is.
    (
        "patch.md",
        "| Connections | TPS vanilla | TPS patched | Speedup |\n|---|---|---|---|\n| 16 | 20,150.3 | 25,187.9 | 1.25x |\n",
        &[
            "vanilla | workload | 16 | #1 | 20150.3 tps | Speedup 1.25",
            "patched | workload | 16 | #1 | 25187.9 tps | Speedup 1.25",
        ],
    ),
    // A box that a program drew.
    (
        "box.txt",
        "Results of last night:\n\n┌────────┬─────────┬────────┬──────────────────┐\n│ system │ clients │ tps    │ avg latency (ms) │\n\
         ├────────┼─────────┼────────┼──────────────────┤\n│ xfs    │ 8       │ 1931.2 │ 4.14             │\n\
         │ zfs    │ 8       │ 1402.9 │ 5.70             │\n└────────┴─────────┴────────┴──────────────────┘\n",
        &["xfs | workload | 8 | #1 | 1931.2 tps | 4.14 ms", "zfs | workload | 8 | #1 | 1402.9 tps | 5.7 ms"],
    ),
    // Columns between blanks in a fence, with remarks behind rows and a line below.
    (
        "aligned.md",
        "# ARM\n\n```\n$ cat summary\nthreads      tps   avg latency (ms)   errors\n      2   133.37              14.99        0\n    \
         256  6693.93              38.01        7   <--- best\n    512  5723.73              88.91       33\nsysbench 1.0.20\n```\n",
        &[
            "imported | workload | 2 | #1 | 133.37 tps | 14.99 ms",
            "imported | workload | 256 | #1 | 6693.93 tps | 38.01 ms",
            "imported | workload | 512 | #1 | 5723.73 tps | 88.91 ms",
        ],
    ),
    // Tabulators between columns, pasted into a question; TPM are transactions per minute.
    (
        "question.md",
        "Below is the output, why does it vary?\n\nRun \tTPM\tNOPM\n\t\t\n1\t300600\t130000\n2\t240000\t104000\n\nThank you!\n",
        &[
            "imported | workload | - | #1 | 5010 tps | NOPM 130000",
            "imported | workload | - | #2 | 4000 tps | NOPM 104000",
        ],
    ),
    // Thousands of requests beside decimals of another unit.
    (
        "iops.md",
        "| Target | Job | IOPS | Latency (ms) |\n|---|---|---|---|\n| gp3 | randread | 15,871 | 1.2 |\n| io2 | randread | 37,358 | 0.4 |\n",
        &["gp3 | randread | read 15871 iops 1.2 ms", "io2 | randread | read 37358 iops 0.4 ms"],
    ),
    // Requests are counted in whole numbers.
    (
        "f2fs.md",
        "| File system | Job | Block size | IOPS | Bandwidth (MiB/s) |\n|---|---|---|---|---|\n| ext4 | read | 128k | 37,360 | 4,670 |\n\
         | f2fs | write | 128k | 17,192 | 2,149 |\n",
        &["ext4 | read | read 37360 iops 4896849920 B/s", "f2fs | write | write 17192 iops 2253389824 B/s"],
    ),
    // Points between thousands, commas before decimals.
    (
        "komma.md",
        "| System | Clients | TPS | Latency (ms) |\n|---|---|---|---|\n| VM | 16 | 12.345,6 | 1,296 |\n| LXC | 16 | 9.876,5 | 1,620 |\n",
        &["VM | workload | 16 | #1 | 12345.6 tps | 1.296 ms", "LXC | workload | 16 | #1 | 9876.5 tps | 1.62 ms"],
    ),
    // Units, spreads, remarks and footnotes in fields.
    (
        "remarks.md",
        "| System | Clients | Throughput | Avg latency |\n|---|---|---|---|\n| A | 8 | 1,234 tps (peak) | 12 ms ± 0.3 |\n\
         | B | 8 | 1 203 ± 15 tps | 9.5 ms<sup>2</sup> |\n| C | 8 | 987.5 tps* | timeout |\n",
        &[
            "A | workload | 8 | #1 | 1234 tps | 12 ms",
            "B | workload | 8 | #1 | 1203 tps | 9.5 ms",
            "C | workload | 8 | #1 | 987.5 tps",
        ],
    ),
    // The words of pgbench as names of columns, and a remark that tells rows apart.
    (
        "pooler.md",
        "number of clients（pool mode） | latency average | latency stddev | initial connection time | tps(without initial connection time)\n\
         -- | -- | -- | -- | --\n1600（session） | 990.722 ms | 944.704 ms | 245.483 ms | 1613.680246\n\
         1600（transaction） | 369.549 ms | 174.422 ms | 345.244 ms | 4326.389900\n",
        &[
            "imported | workload session | 1600 | #1 | 1613.680246 tps | 990.722 ms",
            "imported | workload transaction | 1600 | #1 | 4326.3899 tps | 369.549 ms",
        ],
    ),
    // A sentence above each table says whose it is.
    (
        "labels.md",
        "# Results\n\nOn the VM:\n\n| Clients | TPS |\n|---|---|\n| 8 | 1000 |\n| 16 | 1900 |\n\nIn the pod:\n\n| Clients | TPS |\n|---|---|\n\
         | 8 | 900 |\n| 16 | 1700 |\n",
        &[
            "VM | workload | 8 | #1 | 1000 tps",
            "VM | workload | 16 | #1 | 1900 tps",
            "pod | workload | 8 | #1 | 900 tps",
            "pod | workload | 16 | #1 | 1700 tps",
        ],
    ),
    // A heading says what the fields have; repetitions as columns, and their mean.
    (
        "runs.md",
        "## TPS, 32 clients\n\n| System | Run 1 | Run 2 | Run 3 | Average |\n|---|---|---|---|---|\n| ext4 | 1000 | 1010 | 990 | 1000 |\n\
         | xfs | 1100 | 1090 | 1110 | 1100 |\n",
        &[
            "ext4 | workload | 32 | #1 | 1000 tps",
            "ext4 | workload | 32 | #2 | 1010 tps",
            "ext4 | workload | 32 | #3 | 990 tps",
            "xfs | workload | 32 | #1 | 1100 tps",
            "xfs | workload | 32 | #2 | 1090 tps",
            "xfs | workload | 32 | #3 | 1110 tps",
        ],
    ),
    // Storage: jobs and their figures as rows, disks as columns.
    (
        "disks.md",
        "| fio | gp3 | io2 |\n|---|---|---|\n| randread 4k IOPS | 3,010 | 15,900 |\n| randwrite 4k IOPS | 3,005 | 15,400 |\n\
         | seqread 1M MB/s | 125.5 | 495 |\n",
        &[
            "gp3 | randread 4k | read 3010 iops",
            "io2 | randread 4k | read 15900 iops",
            "gp3 | randwrite 4k | write 3005 iops",
            "io2 | randwrite 4k | write 15400 iops",
            "gp3 | seqread 1M | read 125500000 B/s",
            "io2 | seqread 1M | read 495000000 B/s",
        ],
    ),
    // Fields that name their figures themselves.
    (
        "named.md",
        "| clients | without pooler | with pooler |\n|---|---|---|\n| 8 | tps = 4123.5 | tps = 4001.25 |\n| 90 | tps = 9000.75 | tps = 8500.5 |\n",
        &[
            "without pooler | workload | 8 | #1 | 4123.5 tps",
            "with pooler | workload | 8 | #1 | 4001.25 tps",
            "without pooler | workload | 90 | #1 | 9000.75 tps",
            "with pooler | workload | 90 | #1 | 8500.5 tps",
        ],
    ),
    // Clients in the corner, sides with their figures as rows.
    (
        "transposed.md",
        "| Clients | 1 | 8 | 64 |\n|---|---|---|---|\n| VM TPS | 71.5 | 520 | 2,610.5 |\n| Kubernetes TPS | 70.1 | 501 | 2,204 |\n",
        &[
            "VM | workload | 1 | #1 | 71.5 tps",
            "VM | workload | 8 | #1 | 520 tps",
            "VM | workload | 64 | #1 | 2610.5 tps",
            "Kubernetes | workload | 1 | #1 | 70.1 tps",
            "Kubernetes | workload | 8 | #1 | 501 tps",
            "Kubernetes | workload | 64 | #1 | 2204 tps",
        ],
    ),
    // A heading in a row across the table says the workload and both figures of the fields.
    (
        "sections.md",
        "| Clients | Neon | Supabase |\n|---|---|---|\n| *select-only, TPS (average latency)* | | |\n| 4 | 3,441 ± 68<br>(1.16 ms) | 2,737 ± 54<br>(1.46 ms) |\n\
         | *tpcb-like, TPS (average latency)* | | |\n| 4 | 403 ± 8<br>(9.93 ms) | 339 ± 6<br>(11.80 ms) |\n",
        &[
            "Neon | select-only | 4 | #1 | 3441 tps | 1.16 ms",
            "Supabase | select-only | 4 | #1 | 2737 tps | 1.46 ms",
            "Neon | tpcb-like | 4 | #1 | 403 tps | 9.93 ms",
            "Supabase | tpcb-like | 4 | #1 | 339 tps | 11.8 ms",
        ],
    ),
    // A header of two lines in CSV, and workloads beside sides.
    (
        "two-lines.csv",
        "connections,VM,,Kubernetes,\n,read TPS,write TPS,read TPS,write TPS\n16,5000,800,4500,790\n",
        &[
            "VM | read | 16 | #1 | 5000 tps",
            "VM | write | 16 | #1 | 800 tps",
            "Kubernetes | read | 16 | #1 | 4500 tps",
            "Kubernetes | write | 16 | #1 | 790 tps",
        ],
    ),
    // Commands of pgbench as rows: what they say is read, and counts over their time are rates.
    (
        "commands.md",
        "| Command | no raid | raid0 |\n|---|---|---|\n| pgbench -h 127.0.0.1 -i -s 150 x | done in 24.46 s | done in 23.62 s |\n\
         | pgbench -h 127.0.0.1 -T 90 -j 2 x | number of transactions actually processed: 90000 | number of transactions actually processed: 81000 |\n\
         | pgbench -T 30 -j 2 -S -c 4 x | number of transactions actually processed: 1500000 | |\n",
        &[
            "no raid | tpcb-like | 1 | #1 | 1000 tps",
            "raid0 | tpcb-like | 1 | #1 | 900 tps",
            "no raid | select-only | 4 | #1 | 50000 tps",
        ],
    ),
    // Letters of options before the words for them, and rows without figures.
    (
        "options.md",
        "Test | factor | c (clients) | j (threads) | Results | Notes\n-- | -- | -- | -- | -- | --\n\
         count | 0 | 10 | 10 | tps = 1530.5 |\ncount | | | | |\ncount | | | | |\ncount | 0.5 | 10 | 10 | tps = 1486.25 |\n",
        &[
            "imported | workload count factor 0 | 10 | #1 | 1530.5 tps",
            "imported | workload count factor 0.5 | 10 | #1 | 1486.25 tps",
        ],
    ),
    // Tables of HTML in a page of Markdown.
    (
        "html-in.md",
        "# Results\n\n<table><thead><tr><th rowspan=2>Clients</th><th colspan=2>VM</th><th colspan=2>Kubernetes</th></tr>\n\
         <tr><th>TPS</th><th>Latency (ms)</th><th>TPS</th><th>Latency (ms)</th></tr></thead>\n\
         <tbody><tr><td>16</td><td>2859</td><td>5.6</td><td>2159</td><td>7.4</td></tr></tbody></table>\n",
        &["VM | workload | 16 | #1 | 2859 tps | 5.6 ms", "Kubernetes | workload | 16 | #1 | 2159 tps | 7.4 ms"],
    ),
];

/// Tables that cannot be understood, and the reason.
const REFUSED: &[(&str, &str, &str)] = &[
    (
        "score.md",
        "| System | Score | Price |\n|---|---|---|\n| A | 812 | 20 |\n| B | 799 | 18 |\n",
        "\"System\" is the only known column of its table",
    ),
    (
        "unsaid.md",
        "# Postgres\n\n| Nodes | VM | K8s |\n|---|---|---|\n| 8 | 100 | 90 |\n",
        "line 3: no column, row or heading of this table names a known figure",
    ),
    (
        "thousands.csv",
        "target,clients,tps\nvm,8,\"12,345\"\npod,8,\"11,000\"\n",
        "\"12,345\" has a comma before three digits",
    ),
];

/// A figure to six decimals.
fn figure_in_words(number: f64) -> String {
    ((number * 1e6).round() / 1e6).to_string()
}

fn latency_in_words(latency: &ToldLatency) -> Vec<String> {
    let mean = latency.mean_ns.map(|ns| format!("{} ms", figure_in_words(ns / 1e6)));
    let p95 = latency.percentiles_ns.get("p95").map(|ns| format!("p95 {} ms", figure_in_words(ns / 1e6)));
    mean.into_iter().chain(p95).collect()
}

fn line_of_trial(trial: &Trial) -> String {
    let told = trial.told.as_ref().expect("figures");
    let clients = trial.cell.clients.known_count().map_or("-".to_owned(), |clients| clients.to_string());
    let mut parts = vec![trial.cell.target.clone(), trial.cell.workload.clone(), clients, format!("#{}", trial.block)];
    parts.extend(told.throughput_per_s.map(|rate| format!("{} tps", figure_in_words(rate))));
    parts.extend(latency_in_words(&told.latency));
    parts.extend(told.figures.iter().map(|(name, number)| format!("{name} {}", figure_in_words(*number))));
    parts.join(" | ")
}

fn flow_in_words(name: &str, flow: &ToldFlow) -> Option<String> {
    let mut parts = vec![name.to_owned()];
    parts.extend(flow.operations_per_s.map(|rate| format!("{} iops", figure_in_words(rate))));
    parts.extend(flow.bytes_per_s.map(|rate| format!("{} B/s", figure_in_words(rate))));
    parts.extend(latency_in_words(&flow.latency));
    (parts.len() > 1).then(|| parts.join(" "))
}

/// A line for each trial and job that a file has.
fn lines_of_file(name: &str, text: &str) -> Result<Vec<String>, String> {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(name);
    fs::write(&path, text).expect("written");
    let request = ImportRequest { files: vec![path], ..ImportRequest::default() };
    let dir = import_study(&request, &directory.path().join("runs"), jiff::Timestamp::UNIX_EPOCH)
        .map_err(|problem| problem.to_string())?;
    let observed = Observed::read(&dir).expect("what was written is read");
    let mut lines: Vec<String> = observed.trials.iter().map(line_of_trial).collect();
    for told in &observed.run.imported.as_ref().expect("imported").storage {
        let flows = [flow_in_words("read", &told.read), flow_in_words("write", &told.write)];
        lines.push(format!(
            "{} | {} | {}",
            told.target,
            told.job,
            flows.into_iter().flatten().collect::<Vec<_>>().join(" | ")
        ));
    }
    Ok(lines)
}

#[test]
fn tables_are_read_in_the_forms_in_which_people_publish_them() {
    let mut wrong = String::new();
    for (name, text, expected) in READ {
        match lines_of_file(name, text) {
            Ok(found) if found == *expected => {}
            found => wrong.push_str(&format!("{name}:\n{text}\nfound {found:#?}\nexpected {expected:#?}\n\n")),
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn tables_that_do_not_say_what_they_measure_are_refused_with_the_reason() {
    for (name, text, expected) in REFUSED {
        let found = lines_of_file(name, text).expect_err(name);
        assert!(found.contains(expected), "{found}\n{expected}");
    }
}
