//! sysbench's captured output: every number that was read, printed again, is a line of the original.

use super::*;
use std::path::PathBuf;

fn captured(name: &str) -> String {
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sysbench-1.0.20");
    std::fs::read_to_string(fixtures.join(name)).expect("a fixture")
}

const FINISHED: [&str; 6] = ["read-write", "events", "rate", "no-percentile", "conflicts", "insert"];
const FATAL: [&str; 3] = ["bulk", "no-server", "no-table"];

#[test]
fn a_report_that_was_read_prints_the_lines_that_it_was_read_from() {
    for name in FINISHED {
        let text = captured(&format!("{name}.out"));
        let report = SysbenchReport::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let first = if report.histogram.is_some() { "Latency histogram" } else { "SQL statistics" };
        let from = text.find(first).expect("the report");
        assert_eq!(report.to_string(), text[from..], "{name}");
    }
}

#[test]
fn an_intermediate_report_that_was_read_prints_the_line_that_it_was_read_from() {
    let mut seen = 0;
    for name in FINISHED {
        for line in captured(&format!("{name}.out")).lines().filter(|line| line.starts_with('[')) {
            match IntervalLine::parse(line) {
                Some(interval) => assert_eq!(interval.to_string(), line, "{name}"),
                None => assert!(line.contains("queue length"), "{name}: {line}"),
            }
            seen += 1;
        }
    }
    assert!(seen > 5, "{seen}");
}

#[test]
fn a_run_that_failed_is_no_report_and_has_no_status_of_success() {
    for name in FATAL {
        assert_ne!(captured(&format!("{name}.status")).trim(), "0", "{name}");
        let error = SysbenchReport::parse(&captured(&format!("{name}.out"))).expect_err(name);
        assert!(error.found.starts_with("FATAL: "), "{name}: {error}");
    }
}

#[test]
fn the_figures_land_where_they_belong() {
    let report = SysbenchReport::parse(&captured("read-write.out")).expect("readable");
    assert_eq!(report.queries, [22316, 6314, 3220, 31850]);
    assert_eq!(report.transactions, CountWithRate { count: 1581, per_s: 627.12 });
    assert_eq!(report.ignored_errors.count, 13);
    assert_eq!((report.total_s, report.events), (2.5198, 1581));
    assert_eq!(report.latency.percentile_ms, Some((99, 3.30)));
    let histogram = report.histogram.expect("with --histogram");
    assert_eq!(histogram.buckets.iter().map(|bucket| bucket.count).sum::<u64>(), 1581);
    let none = SysbenchReport::parse(&captured("no-percentile.out")).expect("readable");
    assert_eq!(none.latency.percentile_ms, None);
}
