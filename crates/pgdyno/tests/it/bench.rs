//! `pgdyno bench` beside the real pgbench: the same options, the same lines, the same data.

use crate::lab::Lab;
use crate::process::{Ended, Program};
use testbed::{Postgres, newest_version};

/// Both programs with the same options against a server.
fn both(lab: &Lab, server: &Postgres, options: &str) -> [Ended; 2] {
    let server = format!("-h {} -p {} -U postgres", server.server_directory().display(), server.tcp_port());
    let pgbench = Program::new(lab, &newest_version().join("pgbench").display().to_string());
    let ours = lab.pgdyno(&format!("bench {server} {options} postgres"));
    let theirs = pgbench.arguments(format!("{server} {options} postgres").split_whitespace()).end();
    [ours, theirs]
}

/// What stands before the figure of each line.
fn labels(text: &str) -> Vec<String> {
    let label = |line: &str| line.split([':', '=', '(']).next().unwrap_or_default().trim().to_owned();
    text.lines().map(label).collect()
}

#[test]
fn bench_prints_every_line_that_pgbench_prints_and_more() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let at = format!("-h {} -p {} -U postgres", server.server_directory().display(), server.tcp_port());
    lab.pgdyno(&format!("bench {at} -i -s 1 postgres")).exits(0);
    for options in [
        "-n -c 2 -T 1 -S -M prepared",
        "-c 2 -j 2 -T 1 -N -M extended",
        "-T 1 -b tpcb -v",
        "-n -c 2 -T 1 -S -C",
        "-n -c 2 -T 1 -S -R 300 -L 50 --max-tries=2 --failures-detailed",
    ] {
        let [ours, theirs] = both(&lab, &server, options);
        ours.exits(0);
        theirs.exits(0);
        let printed = labels(&ours.stdout);
        for label in labels(&theirs.stdout).iter().filter(|label| !label.starts_with("pgbench")) {
            assert!(printed.contains(label), "{options}: no line {label:?} in {ours}");
        }
        for fixed in ["scaling factor: 1", "duration: 1 s", "number of failed transactions: 0 (0.000%)"] {
            ours.prints(&[fixed]);
            theirs.prints(&[fixed]);
        }
    }
}

/// The tables of commands, without the latencies.
fn commands(text: &str) -> Vec<&str> {
    let heading = |line: &str| line.trim_start_matches([' ', '-']).starts_with("statement latencies");
    let row = |line: &str| line.starts_with("   ").then(|| line.trim_start().split_once(' ')).flatten().is_some();
    let rows = text.lines().skip_while(|line| !heading(line)).filter(|line| heading(line) || row(line));
    rows.map(|line| if heading(line) { line } else { line.trim_start().split_once(' ').expect("a row").1 }).collect()
}

#[test]
fn each_command_is_reported_as_pgbench_reports_it() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let at = format!("-h {} -p {} -U postgres", server.server_directory().display(), server.tcp_port());
    lab.pgdyno(&format!("bench {at} -i -s 1 postgres")).exits(0);
    server.query_postgres("CREATE SEQUENCE attempts");
    // Every second attempt fails.
    let text = "-- a comment\n\\set x random(1, 10)\nSELECT :x; SELECT 2\n AS two;\nSELECT pg_sleep(0.02);\n\\if :x > 20\nSELECT 3;\n\
                \\else\n\\sleep 1 ms\n\\endif\nSELECT 'größer' AS four \\gset\n\
                DO $$ BEGIN IF nextval('attempts') % 2 = 1 THEN RAISE SQLSTATE '40001'; END IF; END $$;";
    let script = lab.write("größer.sql", text);
    for options in ["-t 4", "-t 4 --max-tries=3"] {
        let [ours, theirs] = both(&lab, &server, &format!("-n -r {options} -f {}", script.display()));
        let (printed, expected) = (commands(&ours.stdout), commands(&theirs.stdout));
        assert!(expected.len() >= 10, "{theirs}");
        assert_eq!(printed, expected, "{ours}{theirs}");
    }
    // Chance decides how often each of two scripts is executed.
    let [ours, theirs] = both(&lab, &server, &format!("-n -r -t 10 -S -f {}", script.display()));
    let texts = |printed: &str| -> Vec<String> {
        let text = |line: &str| line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()).to_owned();
        commands(printed).into_iter().map(text).collect()
    };
    assert_eq!(texts(&ours.stdout), texts(&theirs.stdout), "{ours}{theirs}");
    let ended = lab.pgdyno(&format!("bench {at} -n -t 2 -r -f {} --json postgres", script.display()));
    let json = ended.json();
    let of = |number: usize, what: &str| json["statements"][number][what].clone();
    assert!(of(2, "latency")["p50_ns"].as_u64().is_some_and(|ns| ns >= 19_800_000), "{json}");
    assert_eq!((of(3, "executions"), of(6, "failed")), (0.into(), 1.into()), "{json}");
}

#[test]
fn bench_runs_each_client_s_transactions_and_several_scripts() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let at = format!("-h {} -p {} -U postgres", server.server_directory().display(), server.tcp_port());
    lab.pgdyno(&format!("bench {at} -i postgres")).exits(0);
    for ended in both(&lab, &server, "-n -c 2 -t 20 -N") {
        ended.exits(0).prints(&["number of transactions per client: 20", "actually processed: 40/40"]);
    }
    assert_eq!(server.query_count("SELECT count(*) FROM pgbench_history"), 80);

    let script = lab.path().join("mine.sql");
    std::fs::write(&script, "SELECT :n + 1;\n").expect("a script");
    let options = format!("-n -c 2 -T 1 -D n=41 -f {}@3 -S -P 1", script.display());
    lab.pgdyno(&format!("bench {at} {options} postgres"))
        .exits(0)
        .prints(&[
            "transaction type: multiple scripts",
            "SQL script 1: ",
            "mine.sql",
            " - weight: 3 (targets 75.0% of total)",
        ])
        .says(&["progress: 1.0 s, "]);
    std::fs::write(&script, "SELECT 1;\n\\nonsense\n").expect("a script");
    lab.pgdyno(&format!("bench {at} {options} postgres")).exits(2).says(&["mine.sql:2:", "nonsense"]);
}

#[test]
fn the_aggregated_log_has_every_transaction_and_pgbench_itself_can_be_the_generator() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let at = format!("-h {} -p {} -U postgres", server.server_directory().display(), server.tcp_port());
    lab.pgdyno(&format!("bench {at} -i postgres")).exits(0);
    let prefix = lab.path().join("log");
    let log = format!("-l --log-prefix={} --aggregate-interval=1", prefix.display());
    let ended = lab.pgdyno(&format!("bench {at} -n -c 2 -T 2 -S {log} --json postgres"));
    let transactions = ended.exits(0).json()["transactions"].as_u64().expect("a number");
    let files = std::fs::read_dir(lab.path()).expect("a directory").filter_map(Result::ok);
    let path = files.map(|entry| entry.path()).find(|path| path.to_string_lossy().contains("/log.")).expect("a log");
    let text = std::fs::read_to_string(path).expect("text");
    let logged: Vec<u64> =
        text.lines().map(|line| line.split(' ').nth(1).expect("a count").parse().expect("one")).collect();
    assert_eq!((logged.len(), logged.iter().sum::<u64>()), (2, transactions), "{text}");

    lab.pgdyno(&format!("bench {at} -n -c 2 -T 1 -S --generator pgbench postgres")).exits(0).prints(&[
        "pgbench (",
        "tps = ",
        "latency p50 = ",
        "pgbench does not report: ",
    ]);
}

#[test]
fn the_log_has_a_line_for_each_transaction_as_pgbench_writes_it() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let at = format!("-h {} -p {} -U postgres", server.server_directory().display(), server.tcp_port());
    lab.pgdyno(&format!("bench {at} -i postgres")).exits(0);
    let options = "-n -c 3 -j 2 -t 50 -N --max-tries=3 -l";
    let pgbench = Program::new(&lab, &newest_version().join("pgbench").display().to_string());
    let theirs = format!("{at} {options} --log-prefix={}/theirs postgres", lab.path().display());
    pgbench.arguments(theirs.split_whitespace()).end().exits(0);
    lab.pgdyno(&format!("bench {at} {options} --log-prefix={}/ours postgres", lab.path().display())).exits(0);
    let [ours, theirs] = ["/ours.", "/theirs."].map(|prefix| {
        let files = std::fs::read_dir(lab.path()).expect("a directory").filter_map(Result::ok).map(|file| file.path());
        let mut lines: Vec<Vec<u64>> = files
            .filter(|path| path.to_string_lossy().contains(prefix))
            .flat_map(|path| {
                std::fs::read_to_string(path).expect("text").lines().map(str::to_owned).collect::<Vec<_>>()
            })
            .map(|line| line.split(' ').map(|number| number.parse().expect("a number")).collect())
            .collect();
        lines.sort();
        lines
    });
    let who = |lines: &[Vec<u64>]| lines.iter().map(|line| (line[0], line[1], line[3], line.len())).collect::<Vec<_>>();
    assert_eq!(who(&ours), who(&theirs), "client, number, script and columns");
    assert!(ours.iter().all(|line| line[4].abs_diff(theirs[0][4]) < 3600 && line[5] < 1_000_000), "{ours:?}");
}

#[test]
fn bench_answers_json_and_says_what_is_wrong_as_pgbench_does() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let at = format!("-h {} -p {} -U postgres", server.server_directory().display(), server.tcp_port());
    lab.pgdyno(&format!("bench {at} -T 1 postgres")).exits(3).says(&["pgbench_branches", "-i"]);
    lab.pgdyno(&format!("bench {at} -i postgres --quiet")).exits(0);
    let ended = lab.pgdyno(&format!("bench {at} -c 2 -T 1 -S --json postgres"));
    let json = ended.exits(0).json();
    assert_eq!(json["clients"], 2);
    assert!(json["transactions"].as_u64().is_some_and(|count| count > 0), "{json}");
    assert_eq!(json["failed"], 0);
    let rows = lab.pgdyno(&format!("bench {at} -T 1 -N --json postgres")).json();
    let counted = rows["transactions"].as_u64().expect("a number");
    let written = server.query_count("SELECT count(*) FROM pgbench_history");
    assert!((counted..=counted + 1).contains(&written), "{counted} counted, {written} written");
    server.query_postgres("INSERT INTO pgbench_history VALUES (1, 1, 1, 42, now(), 'before')");
    let before = "SELECT count(*) FROM pgbench_history WHERE filler = 'before'";
    lab.pgdyno(&format!("bench {at} -n -t 1 -N postgres")).exits(0);
    assert_eq!(server.query_count(before), 1, "-n leaves the tables as they are");
    lab.pgdyno(&format!("bench {at} -t 1 -N postgres")).exits(0);
    assert_eq!(server.query_count(before), 0, "as with pgbench, whoever made the tables");

    for wrong in
        ["-b nothing", "-M maybe", "-c 0", "-T 0", "-T 1 -t 1", "-i -r", "-r --generator pgbench", "-i --partitions=2"]
    {
        lab.pgdyno(&format!("bench {at} {wrong} postgres")).exits(2);
    }
    let ended = lab
        .program("bench -T 1 -S")
        .env("PGHOST", server.server_directory())
        .env("PGPORT", server.tcp_port().to_string());
    ended.env("PGUSER", "postgres").env("PGDATABASE", "postgres").end().exits(0);
}
