//! Studies as people write them down, sound ones and flawed ones: no rule may accuse the former, however they are told,
//! and of the latter the rule is named that finds the flaw.

use super::{audit_of_files, broken_rules};

/// An output of pgbench: its query mode, clients, threads, scale, throughput and mean latency.
macro_rules! pgbench {
    ($mode:literal, $clients:literal, $threads:literal, $scale:literal, $tps:literal, $ms:literal) => {
        concat!(
            "pgbench (15.18)\ntransaction type: <builtin: simple update>\nscaling factor: ",
            $scale,
            "\nquery mode: ",
            $mode,
            "\nnumber of clients: ",
            $clients,
            "\nnumber of threads: ",
            $threads,
            "\nmaximum number of tries: 1\nduration: 100 s\nnumber of transactions actually processed: ",
            $tps,
            "00\nnumber of failed transactions: 0 (0.000%)\nlatency average = ",
            $ms,
            " ms\ninitial connection time = 12.000 ms\ntps = ",
            $tps,
            ".000000 (without initial connection time)\n"
        )
    };
}

/// An output of fio's of random reads at a depth, with as much under way.
macro_rules! fio {
    ($depth:literal) => {
        concat!(
            r#"{"fio version": "fio-3.33", "jobs": [{"jobname": "rand", "error": 0,
               "job options": {"rw": "randread", "bs": "8k", "direct": "1", "iodepth": ""#,
            $depth,
            r#""}, "read": {"total_ios": 300000, "io_bytes": 2457600000, "runtime": 30000, "iops": 10000, "bw_bytes": 81920000,
               "lat_ns": {"mean": "#,
            $depth,
            r#"00000, "max": 90000000}}}]}"#
        )
    };
}

/// Files by their names; outputs stand with their target before an equals sign.
type Files = &'static [(&'static str, &'static str)];

/// An output of a pgbench before 14 that connects for each transaction: processed transactions, mean latency, and the
/// throughput with and without the time to connect.
macro_rules! connecting {
    ($count:literal, $ms:literal, $with:literal, $without:literal) => {
        concat!(
            "```\ntransaction type: <builtin: select only>\nscaling factor: 10\nquery mode: simple\nnumber of clients: 10\n",
            "number of threads: 2\nduration: 60 s\nnumber of transactions actually processed: ",
            $count,
            "\nlatency average = ",
            $ms,
            " ms\ntps = ",
            $with,
            " (including connections establishing)\ntps = ",
            $without,
            " (excluding connections establishing)\n```\n"
        )
    };
}

/// Two such outputs of each of two sides, with a table of which no word says what its figures are.
macro_rules! connecting_page {
    ($table:literal) => {
        concat!(
            "# Encryption\n\n## plain\n\n",
            connecting!("68247", "8.790", "1137.407537", "1694.362739"),
            connecting!("66098", "9.076", "1101.541326", "1604.654415"),
            "## encrypted\n\n",
            connecting!("24348", "24.641", "405.713297", "1481.956902"),
            connecting!("24603", "24.386", "410.017033", "1548.781575"),
            $table
        )
    };
}

/// A page of a disk's synced writes, and of transactions that write, with their clients and throughput.
macro_rules! commit_page {
    ($before:literal, $count:literal, $tps:literal, $ms:literal) => {
        concat!(
            "# Disk\n\n```\nsync: (g=0): rw=write, bs=(R) 8192B-8192B, (W) 8192B-8192B, (T) 8192B-8192B, ioengine=sync, iodepth=1\n",
            "fio-3.33\nStarting 1 process\n\nsync: (groupid=0, jobs=1): err= 0: pid=32996: Sat Dec  2 20:11:10 2023\n  ",
            "write: IOPS=116, BW=932KiB/s (954kB/s)(54.6MiB/60004msec); 0 zone resets\n    clat (usec): min=1, max=36, ",
            "avg=5.00, stdev= 1.75\n  fsync/fdatasync/sync_file_range:\n    sync (usec): min=2761, max=43000, avg=8590.00, ",
            "stdev=2577.00\n     issued rwts: total=0,6987,0,6987 short=0,0,0,0 dropped=0,0,0,0\n\nRun status group 0 (all ",
            "jobs):\n  WRITE: bw=932KiB/s\n```\n\n",
            $before,
            "\n\n```\npgbench (16.1)\ntransaction type: <builtin: simple update>\nscaling factor: 50\nquery mode: simple\n",
            "number of clients: 1\nnumber of threads: 1\nmaximum number of tries: 1\nduration: 120 s\nnumber of transactions ",
            "actually processed: ",
            $count,
            "\nnumber of failed transactions: 0 (0.000%)\nlatency average = ",
            $ms,
            " ms\ninitial connection time = 3.000 ms\ntps = ",
            $tps,
            ".166667 (without initial connection time)\n```\n"
        )
    };
}

/// A ladder that one thread of a generator limits.
macro_rules! flat_table {
    () => {
        "| clients | Xeon TPS | EPYC TPS |\n|---:|---:|---:|\n| 1 | 7981 | 8444 |\n| 8 | 55944 | 58316 |\n\
         | 16 | 69266 | 71025 |\n| 32 | 70446 | 71182 |\n| 64 | 70177 | 70559 |\n"
    };
}

/// An output of one of its cells, which is none of its trials.
macro_rules! output_beside {
    ($threads:literal) => {
        concat!(
            "\nOne of the outputs:\n\n```\npgbench (16.2)\ntransaction type: <builtin: select only>\nscaling factor: 200\nquery mode: prepared\n",
            "number of clients: 64\n",
            $threads,
            "\nmaximum number of tries: 1\nduration: 60 s\nnumber of transactions actually processed: 4189251\nnumber of ",
            "failed transactions: 0 (0.000%)\nlatency average = 0.917 ms\ninitial connection time = 627.861 ms\ntps = ",
            "70558.512975 (without initial connection time)\n```\n"
        )
    };
}

/// `(what it is, its files)`
const SOUND: &[(&str, Files)] = &[
    (
        "latency in whole milliseconds",
        &[(
            "t.csv",
            "target,workload,clients,tps,latency_ms\nvm,tpcb-like,8,3150,3\nvm,tpcb-like,16,5333,3\nvm,tpcb-like,64,9846,7\npod,tpcb-like,8,2909,3\npod,tpcb-like,16,5000,3\npod,tpcb-like,64,9100,7\n",
        )],
    ),
    (
        "spread and percentiles beside the throughput",
        &[(
            "t.csv",
            "target,clients,tps,tps_stddev,latency_ms_mean,latency_ms_p99,max_connections\nvm,8,1000,33,8,20,200\npod,8,900,41,8.89,22,200\n",
        )],
    ),
    (
        "transactions per minute",
        &[("t.csv", "target,clients,Throughput (tx/min),avg latency (ms)\nvm,8,60000,8\npod,8,54000,8.89\n")],
    ),
    (
        "thousands of transactions",
        &[("t.csv", "target,clients,kTPS,avg latency (ms),Lat (ms; 95%)\nvm,64,12.3,5.2,11\npod,64,11.1,5.77,12\n")],
    ),
    (
        "queries per second, and the latency of transactions of twenty",
        &[(
            "t.csv",
            "target,workload,clients,QPS,avg latency (ms)\nvm,oltp_read_write,16,20000,16\npod,oltp_read_write,16,18000,17.8\n",
        )],
    ),
    (
        "latencies of other things than transactions",
        &[(
            "t.csv",
            "target,clients,tps,network latency (ms),commit latency (ms),latency (ms)\nvm,8,1000,0.2,3,8\npod,8,900,0.3,3.3,8.89\n",
        )],
    ),
    (
        "spreads and changes in the fields",
        &[(
            "t.md",
            "| Target | Clients | TPS | Latency (ms) | Δ TPS |\n|---|---|---|---|---|\n| vm | 8 | 1000 ± 12 | 8.0 ± 0.1 | |\n| pod | 8 | 900 ± 15 | 8.9 ± 0.2 | -10 % |\n",
        )],
    ),
    (
        "a rate is offered, and clients think",
        &[(
            "t.csv",
            "target,clients,target rate (tps),think time (ms),tps,latency_ms\nvm,64,1000,,1000,2.5\npod,64,1000,,1000,2.9\n",
        )],
    ),
    (
        "clients think, as the study says",
        &[
            (
                "t.csv",
                "target,workload,clients,tps,latency_ms\nvm,select-only,64,612,4.6\npod,select-only,64,609,5.1\n",
            ),
            ("t.study.yaml", "study: x\nstated:\n  generator: { think_time: 100 ms }\nfiles: [t.csv]\n"),
        ],
    ),
    (
        "means of repetitions with error bars",
        &[
            ("t.csv", "target,workload,clients,tps,latency_ms\nvm,tpcb-like,8,1010,8.3\npod,tpcb-like,8,905,9.2\n"),
            (
                "t.study.yaml",
                "study: x\nstated:\n  repetitions: 5\n  summary_statistic: mean; error bars from minimum to maximum\n  generator: { clients: \"8 (2 hosts with 4 each)\" }\nfiles: [t.csv]\n",
            ),
        ],
    ),
    (
        "a ladder below the CPUs of a server of which nobody says how many it has",
        &[(
            "t.csv",
            "target,workload,clients,tps,latency_ms\nvm,select-only,1,5000,0.2\nvm,select-only,2,9800,0.204\nvm,select-only,4,19200,0.208\nvm,select-only,8,37500,0.213\npod,select-only,1,4500,0.222\npod,select-only,2,8900,0.225\npod,select-only,4,17400,0.23\npod,select-only,8,34000,0.235\n",
        )],
    ),
    (
        "hardware that is stated for all, prices that differ, and what may differ",
        &[
            ("t.csv", "target,workload,clients,tps,latency_ms\nvm,tpcb-like,8,1000,8\npod,tpcb-like,8,900,8.89\n"),
            (
                "t.study.yaml",
                "study: x\nmay_differ: [platform, operating_system]\nstated:\n  hardware: { cpus: 8, memory: 32GB, kernel: \"6.1\" }\n  targets:\n    vm: { platform: vm, operating_system: Debian 12, price: 0.20 }\n    pod: { platform: kubernetes, operating_system: Talos 1.8, price: 0.25 }\nfiles: [t.csv]\n",
            ),
        ],
    ),
    (
        "scripts that are not pgbench's own by their whole names, and uncached data",
        &[(
            "t.csv",
            "target,workload,scale,clients,tps,latency_ms\nvm,select-only uncached,100,8,4000,2\nvm,tpcb as one function call uncached,100,8,3636,2.2\npod,select-only uncached,100,8,3900,2.05\npod,tpcb as one function call uncached,100,8,3500,2.29\n",
        )],
    ),
    (
        "warehouses are no scale of pgbench",
        &[
            (
                "t.csv",
                "target,workload,scale,clients,tps,latency_ms\nvm,TPC-C in memory,100,8,400,20\npod,TPC-C in memory,100,8,390,20.5\n",
            ),
            (
                "t.study.yaml",
                "study: x\nstated:\n  postgresql: { shared_buffers: 1GB }\n  targets: { vm: { memory: 1500MB }, pod: { memory: 1500MB } }\nfiles: [t.csv]\n",
            ),
        ],
    ),
    (
        "query modes are what is compared",
        &[
            ("simple=a.txt", pgbench!("simple", 8, 1, 1, "1000", "8.000")),
            ("prepared=b.txt", pgbench!("prepared", 8, 1, 1, "1300", "6.154")),
        ],
    ),
    (
        "a connection for each transaction, with its latency measured",
        &[("vm=a.txt", EACH_TIME), ("pod=b.txt", EACH_TIME)],
    ),
    ("a number of transactions for each client", &[("vm=a.txt", COUNTED), ("pod=b.txt", COUNTED)]),
    ("a rate of sysbench", &[("vm=a.txt", RATE), ("pod=b.txt", RATE)]),
    (
        "the same depths in two sweeps, of which one ends earlier",
        &[(
            "t.csv",
            "target,job,block_size,iodepth,numjobs,read_iops,read_latency_ms\nvm,randread,8k,1,1,5000,0.2\nvm,randread,8k,16,1,60000,0.267\nvm,randread,8k,64,1,90000,0.711\npod,randread,8k,1,1,4800,0.208\npod,randread,8k,16,1,57000,0.281\n",
        )],
    ),
    (
        "a link that is as wide both ways",
        &[(
            "t.csv",
            "target,job,block_size,iodepth,numjobs,read_iops,write_iops,read_latency_ms,write_latency_ms\nvm,seq read,1M,32,1,530,,60.4,\nvm,seq write,1M,32,1,,525,,61\npod,seq read,1M,32,1,528,,60.6,\npod,seq write,1M,32,1,,520,,61.5\n",
        )],
    ),
    ("jobs that were paced", &[("vm=a.json", PACED), ("pod=b.json", PACED)]),
    (
        "a connection for each transaction by an old pgbench, which tells both rates",
        &[("vm=a.txt", OLD_EACH_TIME), ("pod=b.txt", OLD_EACH_TIME_AGAIN)],
    ),
    (
        "users that pause, of which nobody says for how long",
        &[(
            "t.csv",
            "target,users,tps,response time (ms)\nvm,100,19.8,50\nvm,500,98.9,55\nvm,1000,190.1,260\nvm,2000,332.2,1020\n\
             pod,100,19.8,52\npod,500,98.8,60\npod,1000,189.0,290\npod,2000,325.0,1150\n",
        )],
    ),
    (
        "numbers of nodes are no repetitions",
        &[(
            "t.csv",
            "target,nodes,clients,tps\nvm,1,8,1203.4\nvm,2,8,2300.1\nvm,3,8,3390.7\npod,1,8,1103.4\npod,2,8,2101.1\npod,3,8,3090.2\n",
        )],
    ),
    (
        "one number of clients, which the study states",
        &[
            ("t.csv", "Filesystem,tps\next4,6887\nxfs,7012\n"),
            (
                "t.study.yaml",
                "study: x\ncolumns: { Filesystem: target }\nstated: { generator: { tool: pgbench, clients: 32, duration_s: 60 } }\nfiles: [t.csv]\n",
            ),
        ],
    ),
    (
        "one quantity written in two ways, and who wrote it",
        &[
            ("t.csv", "target,workload,clients,tps,latency_ms\nvm,tpcb-like,8,1000,8\npod,tpcb-like,8,900,8.89\n"),
            (
                "t.study.yaml",
                "study: x\nmay_differ: [platform, storage]\nstated:\n  targets:\n    vm: { platform: vm, memory: 64GB, monthly_cost: 20, author: a, \
                 disk: { declared: { iops: 3000 } }, postgresql: { shared_buffers: 8GB, jit: off } }\n    \
                 pod: { platform: pod, memory: 65536MB, monthly_cost: 25, author: b, disk: { declared: { iops: 16000 } }, \
                 postgresql: { shared_buffers: 8192MB, jit: false } }\nfiles: [t.csv]\n",
            ),
        ],
    ),
    (
        "a generator beside the server, of which nobody says how busy it was",
        &[
            ("t.csv", "target,workload,clients,tps,latency_ms\nvm,tpcb-like,4,1000,4\npod,tpcb-like,4,900,4.44\n"),
            (
                "t.study.yaml",
                "study: x\nstated:\n  generator: { same_host: true }\n  hardware: { cpus: 64 }\nfiles: [t.csv]\n",
            ),
        ],
    ),
    (
        "a device that reads more at random and deep than in sequence one by one",
        &[(
            "t.csv",
            "target,job,block_size,iodepth,numjobs,read_iops,read_latency_ms\nvm,randread,4k,64,8,690000,0.742\nvm,read,1M,1,1,1720,0.581\n\
             pod,randread,4k,64,8,680000,0.753\npod,read,1M,1,1,1700,0.588\n",
        )],
    ),
    (
        "sides that a type of instance and a version name together",
        &[(
            "t.csv",
            "Instance type,PostgreSQL version,Clients,TPS,Latency (ms)\nm5.large,16,8,1000,8\n,17,8,1030,7.77\nm6.large,16,8,1210,6.61\n,17,8,1240,6.45\n",
        )],
    ),
    (
        "kernels and paths that may differ",
        &[
            (
                "t.csv",
                "target,clients,run,tps,latency_ms\nold,8,1,1203.4,6.65\nold,8,2,1210.1,6.61\nold,8,3,1199.2,6.67\n\
                 new,8,1,1303.4,6.14\nnew,8,2,1310.4,6.10\nnew,8,3,1299.1,6.16\n",
            ),
            (
                "t.study.yaml",
                "study: x\nmay_differ: [kernel, path]\nstated:\n  targets:\n    old: { kernel: 5.10.0-32, path: unix socket, hostname: a-1 }\n    \
                 new: { kernel: 6.1.0-27, path: TCP, hostname: a-2 }\nfiles: [t.csv]\n",
            ),
        ],
    ),
    (
        "reads and writes that are as fast at one depth and much faster at the next",
        &[(
            "t.csv",
            "Volume,Job,Block size,Depth,IOPS,Mean latency (us)\nlocal,randread,8 KiB,16,164826,97\n\
             local,randwrite,8 KiB,16,164277,97\nlocal,randread,8 KiB,64,391000,164\nlocal,randwrite,8 KiB,64,352000,182\n\
             remote,randread,8 KiB,16,14981,1068\nremote,randwrite,8 KiB,16,12474,1283\n",
        )],
    ),
    (
        "a number of clients that one side was measured at once, beside cells of three",
        &[(
            "t.csv",
            "target,clients,tps,latency_ms\nA,8,1203.4,6.65\nA,8,1210.4,6.61\nA,8,1199.1,6.67\nB,8,1303.4,6.14\n\
             B,8,1310.4,6.10\nB,8,1299.1,6.16\nB,16,1502.1,10.65\n",
        )],
    ),
    (
        "how long each run took for its transactions",
        &[(
            "t.csv",
            "wal_compression,Clients,Duration (s),TPS,Latency (ms)\nlz4,8,386.5,5175,1.55\nlz4,8,393.5,5083,1.57\nlz4,8,391,5115,1.56\n\
             zstd,8,483.1,4140,1.93\nzstd,8,490.7,4076,1.96\nzstd,8,487.4,4103,1.95\n",
        )],
    ),
    (
        "a count in millions beside the figures of three runs",
        &[(
            "t.csv",
            "wal_compression,Run,Clients,TPS,Latency avg (ms),FPIs\noff,1,48,11848,4.05,2.12M\noff,2,48,12052,3.98,2.13M\n\
             off,3,48,12088,3.97,2.12M\nlz4,1,48,11621,4.13,2.09M\nlz4,2,48,11513,4.17,2.11M\nlz4,3,48,11555,4.15,2.10M\n",
        )],
    ),
    (
        "changes beside what they are of",
        &[(
            "t.csv",
            "target,Clients,TPS,Latency (ms),Δ,CPU overhead\nvm,8,1203,6.65,,\npod,8,1041,7.68,-13.5 %,40 %\nvm,16,1903,8.41,–,\n\
             pod,16,1655,9.67,-13 %,38 %\n",
        )],
    ),
    (
        "rows that are repetitions by their dates and counts",
        &[(
            "t.md",
            "| Date | Target | Clients | TPS | Latency (ms) |\n|---|---|---|---|---|\n| 2025-05-10 | VM | 8 | 1203.4 | 6.65 |\n\
             | 2025-05-11 | VM | 8 | 1210.1 | 6.61 |\n| 2025-05-12 | VM | 8 | 1198.7 | 6.67 |\n| 2025-05-10 | K8s | 8 | 1041.2 \
             | 7.68 |\n| 2025-05-11 | K8s | 8 | 1039.9 | 7.69 |\n| 2025-05-12 | K8s | 8 | 1044.0 | 7.66 |\n",
        )],
    ),
    (
        "a table that has one rate of outputs with several, and one that has both",
        &[(
            "t.md",
            connecting_page!(
                "\n| | run 1 | run 2 |\n|---|---|---|\n| plain | 1137.4 | 1101.5 |\n| encrypted | 405.7 | 410.0 |\n\n\
                 | | with | without |\n|---|---|---|\n| plain 1 | 1137.4 | 1694.4 |\n| plain 2 | 1101.5 | 1604.7 |\n\
                 | encrypted 1 | 405.7 | 1482.0 |\n| encrypted 2 | 410.0 | 1548.8 |\n"
            ),
        )],
    ),
    (
        "commits that wait for the disk, and such that do not have to",
        &[("a.md", commit_page!("Default settings:", "13460", "112", "8.916"))],
    ),
    (
        "commits that need not wait for the disk",
        &[("a.md", commit_page!("synchronous_commit = off", "354020", "2950", "0.339"))],
    ),
    (
        "generators that are of the versions of their servers",
        &[("pg15=a.txt", KEPT), ("pg14=b.txt", OF_OLDER_SERVER_AND_CLIENT)],
    ),
    (
        "data that fit into the memory of the larger of two sizes",
        &[
            (
                "t.csv",
                "target,workload,scale,clients,tps,latency_ms\n8GB,select-only,1000,8,2000,4\n32GB,select-only,1000,8,8000,1\n",
            ),
            (
                "t.study.yaml",
                "study: x\nmay_differ: [hardware]\ndeclared:\n  targets:\n    8GB: { hardware: { memory: 8GB } }\n    32GB: { hardware: { memory: 32GB } }\nfiles: [t.csv]\n",
            ),
        ],
    ),
    (
        "a flat ladder of as many threads as it needs",
        &[("t.md", concat!(flat_table!(), output_beside!("number of threads: 16")))],
    ),
];

/// `(what it is, its files, the rule that finds it)`
const FLAWED: &[(&str, Files, &str)] = &[
    (
        "throughput and latency that cannot both be",
        &[("t.csv", "target,workload,clients,tps,latency_ms\nvm,tpcb-like,8,1000,2\npod,tpcb-like,8,900,2.2\n")],
        "littles-law",
    ),
    (
        "throughput per minute that is called per second",
        &[("t.csv", "target,clients,TPS,avg latency (ms)\nvm,8,60000,8\npod,8,54000,8.89\n")],
        "littles-law",
    ),
    (
        "unlike scales",
        &[
            ("vm=a.txt", pgbench!("simple", 8, 1, 1, "1000", "8.000")),
            ("pod=b.txt", pgbench!("simple", 8, 1, 300, "900", "8.889")),
        ],
        "workload-differs",
    ),
    (
        "unlike threads",
        &[
            ("vm=a.txt", pgbench!("simple", 8, 8, 1, "1000", "8.000")),
            ("pod=b.txt", pgbench!("simple", 8, 1, 1, "900", "8.889")),
        ],
        "workload-differs",
    ),
    (
        "unlike query modes, which the sides are not named for",
        &[
            ("vm=a.txt", pgbench!("prepared", 8, 1, 1, "1000", "8.000")),
            ("pod=b.txt", pgbench!("simple", 8, 1, 1, "900", "8.889")),
        ],
        "workload-differs",
    ),
    ("clients that an old pgbench lost", &[("vm=a.txt", LOST), ("pod=b.txt", LOST)], "incomplete-cells"),
    (
        "percentiles that were exchanged",
        &[("t.csv", "target,clients,tps,latency_ms,p50_ms,p99_ms\nvm,8,1000,8,19,7\npod,8,900,8.89,21,8\n")],
        "latency-order",
    ),
    ("unlike depths in fio's own outputs", &[("vm=a.json", fio!(64)), ("pod=b.json", fio!(16))], "storage-queue-depth"),
    (
        "unlike block sizes under one name",
        &[(
            "t.csv",
            "target,job,block_size,iodepth,numjobs,read_iops,read_latency_ms\nvm,rand,4k,32,1,40000,0.8\npod,rand,8k,32,1,32000,1\n",
        )],
        "storage-jobs-differ",
    ),
    ("a job that failed on one side", &[("vm=a.json", fio!(64)), ("pod=b.json", FAILED)], "storage-jobs-differ"),
    (
        "unlike depths in a table whose columns name no direction",
        &[("t.csv", "target,job,block size,IOPS,lat (ms)\nvm,randread,8k,10000,6.4\npod,randread,8k,10000,1.6\n")],
        "storage-queue-depth",
    ),
    (
        "the fastest of several runs",
        &[
            ("t.csv", "target,workload,clients,tps,latency_ms\nvm,tpcb-like,8,1000,8\npod,tpcb-like,8,900,8.89\n"),
            ("t.study.yaml", "study: x\nstated:\n  summary_statistic: the fastest of five runs\nfiles: [t.csv]\n"),
        ],
        "no-repetition",
    ),
    (
        "a path of twenty milliseconds, at every number of clients",
        &[(
            "t.csv",
            "target,workload,clients,tps,latency_ms\nvm,select-only,1,50,20\nvm,select-only,8,398,20.1\nvm,select-only,64,3168,20.2\npod,select-only,1,33,30.3\npod,select-only,8,265,30.2\npod,select-only,64,2105,30.4\n",
        )],
        "no-saturation",
    ),
    (
        "a client gets more done at more clients, in a table without latencies",
        &[(
            "t.csv",
            "target,clients,tps\na,8,320\na,16,704\na,32,2272\na,64,5760\nb,8,310\nb,16,600\nb,32,1150\nb,64,2100\n",
        )],
        "superlinear-scaling",
    ),
    (
        "no number of clients that both sides were measured at",
        &[("t.csv", "target,workload,clients,tps,latency_ms\nvm,tpcb-like,16,1600,10\npod,tpcb-like,32,2000,16\n")],
        "workload-differs",
    ),
    (
        "the same where the sides are named by what they run on",
        &[("t.csv", "Instance type,clients,tps,latency_ms\nm5.large,16,1600,10\nm6.large,32,2000,16\n")],
        "workload-differs",
    ),
    (
        "data that are called larger than the memory and are not",
        &[
            (
                "t.csv",
                "target,workload,data,scale,clients,tps,latency_ms\nvm,select-only,larger than RAM,100,8,4000,2\npod,select-only,larger than RAM,100,8,3900,2.05\n",
            ),
            ("t.study.yaml", "study: x\nstated: { hardware: { memory: 32GB } }\nfiles: [t.csv]\n"),
        ],
        "data-size-mismatch",
    ),
    (
        "reads that a page cache answered",
        &[(
            "t.csv",
            "Storage class,job,block size,IOPS,lat (µs)\ngp3,randread,4k,480000,1.9\nio2,randread,4k,510000,1.8\n",
        )],
        "disk-cap",
    ),
    (
        "unlike rates",
        &[("t.csv", "target,clients,target rate (tps),tps,latency_ms\nvm,64,2000,2000,2.5\npod,64,1000,1000,2.9\n")],
        "workload-differs",
    ),
    (
        "connections made for each transaction on one side",
        &[("vm=a.txt", EACH_TIME), ("pod=b.txt", KEPT)],
        "workload-differs",
    ),
    (
        "a version and a setting in columns of their own, behind the names of the sides",
        &[(
            "t.csv",
            "target,PostgreSQL version,fsync,clients,tps,latency_ms\nvm,16.4,on,8,1203,6.65\nvm,16.4,on,16,1903,8.41\n\
             pod,15.5,off,8,1303,6.14\npod,15.5,off,16,2010,7.96\n",
        )],
        "undeclared-difference",
    ),
    (
        "another version than is stated",
        &[
            ("vm=a.txt", KEPT),
            ("pod=b.txt", OF_AN_OLDER_SERVER),
            ("t.study.yaml", "study: x\nstated: { postgresql: { version: 15 } }\n"),
        ],
        "claim-mismatch",
    ),
    (
        "a change that is not that of the figures beside it",
        &[("t.csv", "target,Clients,TPS,Latency (ms),vs. VM\nvm,8,1203,6.65,\npod,8,1041,7.68,-40 %\n")],
        "change-arithmetic",
    ),
    ("an eighth of what arrived was skipped", &[("vm=a.txt", KEPT), ("pod=b.txt", SKIPPED)], "incomplete-cells"),
    (
        "sides that are named by a setting",
        &[("t.csv", "io_method,clients,tps,latency_ms\nsync,16,1600,10\nworker,32,2000,16\n")],
        "workload-differs",
    ),
    (
        "one side was measured once",
        &[(
            "t.csv",
            "target,clients,tps,latency_ms\nA,8,1203.4,6.65\nB,8,1303.4,6.14\nB,8,1310.4,6.10\nB,8,1299.1,6.16\n",
        )],
        "no-repetition",
    ),
    (
        "one rate of one side and another rate of the other",
        &[(
            "t.md",
            connecting_page!(
                "\n| | run 1 | run 2 |\n|---|---|---|\n| plain | 1694.4 | 1604.7 |\n| encrypted | 405.7 | 410.0 |\n"
            ),
        )],
        "table-contradicts-output",
    ),
    (
        "commits that are faster than the disk",
        &[("a.md", commit_page!("Default settings:", "354020", "2950", "0.339"))],
        "commit-without-sync",
    ),
    ("a newer generator on one side", &[("vm=a.txt", KEPT), ("pod=b.txt", OF_NEWER_CLIENT)], "workload-differs"),
    (
        "data that fit into the memory of one of two services",
        &[
            (
                "t.csv",
                "target,workload,scale,clients,tps,latency_ms\nrds,select-only,1000,8,2000,4\naurora,select-only,1000,8,8000,1\n",
            ),
            (
                "t.study.yaml",
                "study: x\ndeclared:\n  targets:\n    rds: { hardware: { memory: 8GB }, storage: gp3 }\n    aurora: { hardware: { memory: 32GB }, storage: its own }\nfiles: [t.csv]\n",
            ),
        ],
        "data-size-mismatch",
    ),
    (
        "a trial that ended early among others",
        &[(
            "t.csv",
            "target,workload,clients,duration_s,tps,transactions,latency_ms\nvm,simple-update,8,300,1000,300000,8\n\
             vm,simple-update,8,300,1010,302900,7.92\nvm,simple-update,8,300,990,297100,8.08\n\
             pod,simple-update,8,300,900,270100,8.89\npod,simple-update,8,300,910,273200,8.79\n\
             pod,simple-update,8,300,890,217000,8.99\n",
        )],
        "incomplete-cells",
    ),
    (
        "a rate that both sides keep up with, and nothing else",
        &[("t.csv", "target,clients,target rate (tps),tps\nvm,64,1000,999.2\npod,64,1000,1000.4\n")],
        "offered-rate-as-result",
    ),
    (
        "a flat ladder of one thread, which only an output beside the table shows",
        &[("t.md", concat!(flat_table!(), output_beside!("number of threads: 1")))],
        "generator-bound",
    ),
];

const OLD_EACH_TIME: &str = "transaction type: <builtin: select only>\nscaling factor: 10\nquery mode: simple\nnumber of clients: 10\nnumber of threads: 2\nduration: 60 s\nnumber of transactions actually processed: 18600\nlatency average = 32.261 ms\ntps = 309.966667 (including connections establishing)\ntps = 753.900000 (excluding connections establishing)\n";
const OLD_EACH_TIME_AGAIN: &str = "transaction type: <builtin: select only>\nscaling factor: 10\nquery mode: simple\nnumber of clients: 10\nnumber of threads: 2\nduration: 60 s\nnumber of transactions actually processed: 18630\nlatency average = 32.209 ms\ntps = 310.466667 (including connections establishing)\ntps = 755.100000 (excluding connections establishing)\n";
const KEPT: &str = "pgbench (15.18)\ntransaction type: <builtin: select only>\nscaling factor: 10\nquery mode: simple\nnumber of clients: 8\nnumber of threads: 1\nmaximum number of tries: 1\nduration: 60 s\nnumber of transactions actually processed: 960000\nnumber of failed transactions: 0 (0.000%)\nlatency average = 0.500 ms\ninitial connection time = 12.000 ms\ntps = 16000.000000 (without initial connection time)\n";
const OF_AN_OLDER_SERVER: &str = "pgbench (15.18, server 14.9)\ntransaction type: <builtin: select only>\nscaling factor: 10\nquery mode: simple\nnumber of clients: 8\nnumber of threads: 1\nmaximum number of tries: 1\nduration: 60 s\nnumber of transactions actually processed: 900000\nnumber of failed transactions: 0 (0.000%)\nlatency average = 0.533 ms\ninitial connection time = 12.000 ms\ntps = 15000.000000 (without initial connection time)\n";
const OF_OLDER_SERVER_AND_CLIENT: &str = "pgbench (14.9)\ntransaction type: <builtin: select only>\nscaling factor: 10\nquery mode: simple\nnumber of clients: 8\nnumber of threads: 1\nduration: 60 s\nnumber of transactions actually processed: 900000\nlatency average = 0.533 ms\ninitial connection time = 12.000 ms\ntps = 15000.000000 (without initial connection time)\n";
const OF_NEWER_CLIENT: &str = "pgbench (17.2, server 15.18)\ntransaction type: <builtin: select only>\nscaling factor: 10\nquery mode: simple\nnumber of clients: 8\nnumber of threads: 1\nmaximum number of tries: 1\nduration: 60 s\nnumber of transactions actually processed: 900000\nnumber of failed transactions: 0 (0.000%)\nlatency average = 0.533 ms\ninitial connection time = 12.000 ms\ntps = 15000.000000 (without initial connection time)\n";
const SKIPPED: &str = "pgbench (15.18)\ntransaction type: <builtin: select only>\nscaling factor: 10\nquery mode: simple\nnumber of clients: 8\nnumber of threads: 1\nmaximum number of tries: 1\nduration: 60 s\nnumber of transactions actually processed: 420000\nnumber of failed transactions: 0 (0.000%)\nnumber of transactions skipped: 60000 (12.500%)\nnumber of transactions above the 20.0 ms latency limit: 10/420000 (0.002%)\nlatency average = 0.700 ms\nlatency stddev = 0.200 ms\nrate limit schedule lag: avg 0.200 (max 19.000) ms\ninitial connection time = 12.000 ms\ntps = 7000.000000 (without initial connection time)\n";
const EACH_TIME: &str = "pgbench (15.18)\ntransaction type: <builtin: select only>\nscaling factor: 10\nquery mode: simple\nnumber of clients: 8\nnumber of threads: 1\nmaximum number of tries: 1\nduration: 60 s\nnumber of transactions actually processed: 120000\nnumber of failed transactions: 0 (0.000%)\nlatency average = 0.500 ms\nlatency stddev = 0.100 ms\naverage connection time = 3.500 ms\ntps = 2000.000000 (including reconnection times)\n";
const COUNTED: &str = "pgbench (15.18)\ntransaction type: <builtin: TPC-B (sort of)>\nscaling factor: 100\nquery mode: simple\nnumber of clients: 8\nnumber of threads: 1\nmaximum number of tries: 1\nnumber of transactions per client: 10000\nnumber of transactions actually processed: 80000/80000\nnumber of failed transactions: 0 (0.000%)\nlatency average = 6.000 ms\nlatency stddev = 9.000 ms\ninitial connection time = 12.000 ms\ntps = 1000.000000 (without initial connection time)\n";
const LOST: &str = "Client 3 aborted in state 8: ERROR:  deadlock detected\ntransaction type: <builtin: TPC-B (sort of)>\nscaling factor: 100\nquery mode: simple\nnumber of clients: 8\nnumber of threads: 1\nduration: 60 s\nnumber of transactions actually processed: 60000\nlatency average = 8.000 ms\ntps = 1000.000000 (including connections establishing)\ntps = 1000.100000 (excluding connections establishing)\n";
const RATE: &str = "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\nRunning the test with following options:\nNumber of threads: 2\nTarget transaction rate: 50/sec\nReport intermediate results every 1 second(s)\nInitializing random number generator from current time\n\n\nInitializing worker threads...\n\nThreads started!\n\nSQL statistics:\n    queries performed:\n        read:                            42014\n        write:                           0\n        other:                           6002\n        total:                           48016\n    transactions:                        3001   (50.00 per sec.)\n    queries:                             48016  (800.04 per sec.)\n    ignored errors:                      0      (0.00 per sec.)\n    reconnects:                          0      (0.00 per sec.)\n\nGeneral statistics:\n    total time:                          60.0169s\n    total number of events:              3001\n\nLatency (ms):\n         min:                                    0.45\n         avg:                                    0.81\n         max:                                    2.38\n         95th percentile:                        1.14\n         sum:                                   2430.81\n\nThreads fairness:\n    events (avg/stddev):           1500.5000/0.50\n    execution time (avg/stddev):   1.2154/0.00\n";
const FAILED: &str = r#"{"fio version": "fio-3.33", "jobs": [{"jobname": "rand", "error": 5,
    "job options": {"rw": "randread", "bs": "8k", "iodepth": "64", "direct": "1"}}]}"#;
const PACED: &str = r#"{"fio version": "fio-3.33", "jobs": [{"jobname": "rand", "error": 0,
    "job options": {"rw": "randread", "bs": "8k", "iodepth": "32", "direct": "1", "rate_iops": "1000"},
    "read": {"total_ios": 30000, "io_bytes": 245760000, "runtime": 30000, "iops": 1000, "bw_bytes": 8192000,
    "lat_ns": {"mean": 400000, "max": 9000000}}}]}"#;

#[test]
fn no_rule_accuses_a_sound_study_however_it_is_written_down() {
    for (what, files) in SOUND {
        let audit = audit_of_files(files);
        assert_eq!(broken_rules(&audit), Vec::<&str>::new(), "{what}: {audit:#?}");
    }
}

#[test]
fn each_flaw_is_found_by_its_rule() {
    for (what, files, rule) in FLAWED {
        let audit = audit_of_files(files);
        assert!(broken_rules(&audit).contains(rule), "{what}: {rule}: {audit:#?}");
    }
}

#[test]
fn sides_without_a_common_cell_are_named_before_the_rules() {
    let table = "target,workload,clients,tps,latency_ms\nvm,tpcb-like,16,1600,10\nvm,tpcb-like,32,2000,16\n\
                 pod,select-only,16,16000,1\npod,select-only,32,20000,1.6\n";
    let audit = audit_of_files(&[("t.csv", table)]);
    let [remark] = audit.remarks.as_slice() else { panic!("{:?}", audit.remarks) };
    assert!(remark.starts_with("vm and pod have no cell in common"), "{remark}");
    let common = format!("{table}pod,tpcb-like,32,1900,16.8\n");
    assert_eq!(audit_of_files(&[("t.csv", &common)]).remarks, Vec::<String>::new());
}
