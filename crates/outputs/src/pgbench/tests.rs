//! pgbench's captured output: every number that was read, printed again, is a line of the original.

use super::*;
use std::path::PathBuf;

/// The captured files of all versions that end like this: their names and texts.
fn captured(ending: &str) -> Vec<(PathBuf, String)> {
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let directories = fixtures.read_dir().expect("the fixtures").map(|entry| entry.expect("readable").path());
    let pgbench = directories.filter(|path| path.to_string_lossy().contains("/pgbench-"));
    let files = pgbench.flat_map(|path| path.read_dir().expect("a directory").map(|entry| entry.expect("one").path()));
    let wanted: Vec<_> = files.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    assert!(!wanted.is_empty(), "no fixture ends with {ending}");
    wanted.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).expect("text"))).collect()
}

fn report(name: &str) -> PgbenchReport {
    let (_, text) = captured(name).pop().expect("one file");
    PgbenchReport::parse(&text).expect("readable")
}

#[test]
fn a_report_that_was_read_prints_the_lines_that_it_was_read_from() {
    for (path, text) in captured(".out") {
        let report = PgbenchReport::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(report.to_string(), text, "{}", path.display());
    }
}

#[test]
fn a_progress_line_that_was_read_prints_the_line_that_it_was_read_from() {
    let mut seen = 0;
    for (path, text) in captured(".err") {
        for line in text.lines() {
            match ProgressLine::parse(line) {
                Ok(progress) => assert_eq!(progress.to_string(), line, "{}", path.display()),
                Err(line) => assert!(!line.starts_with("progress: "), "{}: {line}", path.display()),
            }
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn an_aggregate_that_was_read_prints_the_line_that_it_was_read_from() {
    for ending in ["/agg.log", "/aggplain.log", "/aggold.log"] {
        for (path, text) in captured(ending) {
            for line in text.lines() {
                let aggregate = Aggregate::parse(line).map(|aggregate| aggregate.to_string());
                assert_eq!(aggregate.as_deref(), Some(line), "{}", path.display());
            }
        }
    }
    assert_eq!(Aggregate::parse("1795183830 834 387173"), None);
}

#[test]
fn the_figures_land_where_they_belong() {
    let rated = report("pgbench-15/scripts-rate.out");
    assert_eq!((rated.clients, rated.threads, rated.tries_at_most), (4, 1, Some(2)));
    assert_eq!((rated.extent, rated.processed), (PgbenchExtent::Seconds(2), 4925));
    assert_eq!(rated.late.map(|late| (late.limit_ms, late.late, late.of)), Some((2.0, 19, Some(4925))));
    assert_eq!(rated.lag, Some(ScheduleLag { mean_ms: 0.091, max_ms: 1.789 }));
    assert_eq!(rated.tps, Some(2469.553043));
    assert_eq!(rated.scripts.len(), 2);
    assert_eq!(rated.scripts[0].retries.map(|retries| retries.retries), Some(2026));
    assert_eq!(rated.scripts[1].latency_ms, Some((0.228, 0.175)));

    let each_time = report("pgbench-15/connect.out");
    assert_eq!(each_time.connecting, Some(Connecting::EachTime(2.060)));
    let counted = report("pgbench-15/transactions.out");
    assert_eq!(counted.extent, PgbenchExtent::Transactions { per_client: 20, total: 40 });
    let statements = report("pgbench-18/report.out").statements.expect("per command");
    assert_eq!(statements.commands.len(), 11);
    assert_eq!(statements.commands[10].text, "END;");
    assert_eq!(report("pgbench-15/partitions.out").partitions, Some(("range".to_owned(), 4)));
}

#[test]
fn a_report_with_a_line_that_is_not_known_is_refused_with_its_place() {
    let (_, text) = captured("pgbench-18/rate.out").pop().expect("one file");
    let cases = [
        (text.replace("query mode: simple\n", ""), "line 4: expected a line that begins with \"query mode: \""),
        (text.replace("0.255 ms", "0.255 s"), "line 11: expected a figure after \"latency average = \""),
        (text.clone() + "and more\n", "line 16: expected the end, found \"and more\""),
        (String::new(), "line 1: expected a line that begins with \"transaction type: \""),
    ];
    for (broken, expected) in cases {
        let error = PgbenchReport::parse(&broken).expect_err("broken").to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}
