//! Outputs of programs that are known by their words, and of which nothing is read: each has a name, a count and a
//! reason, so that none is left out without a word.

/// Outputs of one kind in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadOutputs {
    /// What they are, such as `terse output of fio`.
    pub what: &'static str,
    /// How many there are.
    pub count: usize,
    /// The line of the first one, from 1.
    pub first_line: usize,
    /// Why they are not read.
    pub because: &'static str,
    /// What the author may do.
    pub advice: &'static str,
}

impl UnreadOutputs {
    /// Such as `2 outputs of sysbench before 1.0 (the first at line 7): not read, because …`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Self { what, count, first_line, because, .. } = self;
        let outputs = if *count == 1 { "output" } else { "outputs" };
        let place =
            if *count == 1 { format!("at line {first_line}") } else { format!("the first at line {first_line}") };
        format!("{count} {outputs} of {what} ({place}): not read, because {because}")
    }
}

/// A kind of output that is known and not read.
struct UnreadKind {
    what: &'static str,
    /// Whether a line is the one of an output by which outputs are counted.
    is_line_of: fn(&str) -> bool,
    because: &'static str,
    advice: &'static str,
}

const AS_TABLE: &str = "write the figures into a table (CSV)";

const KINDS: [UnreadKind; 15] = [
    UnreadKind {
        what: "fio in its terse format",
        is_line_of: is_terse_of_fio,
        because: "its fields have no names, and differ from version to version",
        advice: "run fio with --output-format=json",
    },
    UnreadKind {
        what: "sysbench before 1.0",
        is_line_of: |line| line.starts_with("OLTP test statistics:"),
        because: "its reports differ from those of sysbench 1.0 and 1.1, which are read",
        advice: "measure with sysbench 1.0 or 1.1, or write the figures into a table (CSV)",
    },
    UnreadKind {
        what: "a test of sysbench without a database",
        is_line_of: |line| {
            ["CPU speed:", "File operations:", "Total operations: "].iter().any(|begin| line.starts_with(begin))
        },
        because: "it measures CPUs, memory or files, and no transactions",
        advice: "for disks, run fio with --output-format=json",
    },
    UnreadKind {
        what: "pgbench in another language",
        is_line_of: is_translated_throughput,
        because: "pgbench prints English only, so that this text was translated",
        advice: "publish the output as pgbench prints it",
    },
    UnreadKind {
        what: "kbench that compares two volumes",
        is_line_of: |line| matches!(line, "FIO Benchmark Comparsion Summary" | "FIO Benchmark Comparison Summary"),
        because: "it has neither units nor conditions of each side",
        advice: "publish the two summaries that it was made from",
    },
    UnreadKind {
        what: "TPROC-H of HammerDB",
        is_line_of: |line| line.contains("Geometric mean of query times returning rows"),
        because: "times of analytical queries are no throughput of transactions",
        advice: AS_TABLE,
    },
    UnreadKind {
        what: "BenchBase by intervals",
        is_line_of: is_intervals_of_benchbase,
        because: "its file of intervals does not report what was measured",
        advice: "give the *.summary.json of the same run",
    },
    UnreadKind {
        what: "YCSB",
        is_line_of: |line| line.starts_with("[OVERALL], Throughput(ops/sec),"),
        because: "the tool is not known",
        advice: AS_TABLE,
    },
    UnreadKind {
        what: "go-tpc",
        is_line_of: |line| line.starts_with("tpmC: "),
        because: "the tool is not known",
        advice: AS_TABLE,
    },
    UnreadKind {
        what: "JMeter",
        is_line_of: |line| line.starts_with("summary = ") && line.contains(" Avg: "),
        because: "the tool is not known",
        advice: AS_TABLE,
    },
    UnreadKind {
        what: "k6",
        is_line_of: |line| line.starts_with("iterations") && line.contains("...:") && line.ends_with("/s"),
        because: "the tool is not known",
        advice: AS_TABLE,
    },
    UnreadKind {
        what: "wrk",
        is_line_of: |line| line.starts_with("Requests/sec:"),
        because: "requests of HTTP are no transactions of a database",
        advice: AS_TABLE,
    },
    UnreadKind {
        what: "pg_test_fsync",
        is_line_of: |line| line.starts_with("Compare file sync methods using one "),
        because: "the tool is not known",
        advice: "measure with fio, one job of 8 KiB writes with fdatasync=1, or write the figures into a table (CSV)",
    },
    UnreadKind {
        what: "ioping",
        is_line_of: |line| line.starts_with("--- ") && line.ends_with(" ioping statistics ---"),
        because: "the tool is not known",
        advice: "run fio with --output-format=json",
    },
    UnreadKind {
        what: "dd",
        is_line_of: |line| line.contains(" bytes ") && line.contains(" copied, ") && line.ends_with("/s"),
        because: "dd measures one write of a file, mostly into the page cache",
        advice: "run fio with --output-format=json",
    },
];

/// What a text has of outputs that are not read.
#[must_use]
pub fn find_unread_outputs(text: &str) -> Vec<UnreadOutputs> {
    let mut counts = [(0_usize, 0_usize); KINDS.len()];
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        for (kind, (count, first_line)) in KINDS.iter().zip(&mut counts) {
            if (kind.is_line_of)(line) {
                *count += 1;
                if *count == 1 {
                    *first_line = index + 1;
                }
            }
        }
    }
    let mut found = Vec::new();
    for (kind, (count, first_line)) in KINDS.iter().zip(counts) {
        if count > 0 {
            let UnreadKind { what, because, advice, .. } = *kind;
            found.push(UnreadOutputs { what, count, first_line, because, advice });
        }
    }
    found
}

/// Whether a text is an output that is not read and that has the form of a table, with names before figures or columns.
#[must_use]
pub fn looks_like_table(text: &str) -> bool {
    text.lines().any(|line| is_translated_throughput(line.trim()) || is_intervals_of_benchbase(line.trim()))
}

fn is_intervals_of_benchbase(line: &str) -> bool {
    line.starts_with("Time (seconds),Throughput (requests/second),")
}

/// Fields of a line of fio's terse format at least; version 2 has 47.
const TERSE_FIELDS: usize = 40;

/// `3;fio-3.33;wal;0;0;…`, and `2;wal;0;0;…` of version 2.
fn is_terse_of_fio(line: &str) -> bool {
    let Some((version, rest)) = line.split_once(';') else { return false };
    matches!(version, "2" | "3" | "4" | "5")
        && rest.split(';').count() >= TERSE_FIELDS
        && (version == "2" || rest.starts_with("fio-"))
}

/// What stands in brackets behind the throughput, from version 8.0 to today.
const BEHIND_THROUGHPUT: [&str; 4] = [
    "(including connections establishing)",
    "(excluding connections establishing)",
    "(without initial connection time)",
    "(including reconnection times)",
];

/// Digits behind the point of a throughput as pgbench prints it; people write fewer.
const DIGITS_OF_THROUGHPUT: usize = 6;

/// `tps = 2859,015215 (ohne Zeit der initialen Verbindung)`
fn is_translated_throughput(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("tps = ") else { return false };
    let Some((number, remark)) = rest.split_once(' ') else { return false };
    let Some((_, fraction)) = number.split_once(['.', ',']) else { return false };
    let is_printed = fraction.len() == DIGITS_OF_THROUGHPUT && fraction.chars().all(|c| c.is_ascii_digit());
    is_printed && remark.starts_with('(') && !BEHIND_THROUGHPUT.contains(&remark)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_words(text: &str) -> Vec<String> {
        find_unread_outputs(text).iter().map(UnreadOutputs::in_words).collect()
    }

    #[test]
    fn outputs_are_counted_by_a_line_that_each_has_once() {
        let old = "sysbench 0.4.12:  multi-threaded system evaluation benchmark\n\nOLTP test statistics:\n    queries performed:\n";
        let expected = "2 outputs of sysbench before 1.0 (the first at line 3): not read, because its reports differ from \
                        those of sysbench 1.0 and 1.1, which are read";
        assert_eq!(in_words(&old.repeat(2)), [expected]);
        assert_eq!(in_words("# a page\n\nwithout outputs\n"), Vec::<String>::new());
    }

    #[test]
    fn terse_lines_of_fio_are_known_in_each_version() {
        let fields = ";0".repeat(120);
        for line in [format!("3;fio-3.33;wal{fields}"), format!("5;fio-3.33;wal{fields}"), format!("2;wal{fields}")] {
            assert!(is_terse_of_fio(&line), "{line}");
        }
        for line in ["3;fio-3.33;wal;0;0".to_owned(), format!("7;fio-3.33;wal{fields}"), format!("3;wal{fields}")] {
            assert!(!is_terse_of_fio(&line), "{line}");
        }
    }

    #[test]
    fn a_report_that_was_translated_is_told_by_what_stands_behind_its_throughput() {
        for line in ["tps = 2859,015215 (ohne Zeit der initialen Verbindung)", "tps = 2859.015215 (初期接続時間を除く)"]
        {
            assert!(is_translated_throughput(line), "{line}");
        }
        for line in [
            "tps = 85.180000 (excluding connections establishing)",
            "tps = 85.18",
            "tps = 85.2 (we think)",
            "tps = 80 +- 5",
        ] {
            assert!(!is_translated_throughput(line), "{line}");
        }
    }
}
