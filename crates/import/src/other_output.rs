//! Lines of the outputs of fio, sysbench and kbench where they stand between outputs of another tool: they say nothing
//! of those.

/// How outputs begin.
const BEGINS: [&str; 6] = [
    "Running the test with following options:",
    "SQL statistics:",
    "Latency histogram",
    "OLTP test statistics:",
    "FIO Benchmark Summary",
    "HammerDB CLI v",
];

/// How lines of outputs begin behind an empty line.
const GO_ON: [&str; 19] = [
    "Run status",
    "Disk stats",
    "SQL statistics",
    "General statistics",
    "Throughput:",
    "Latency",
    "Threads ",
    "Initializing",
    "Number of threads",
    "Starting ",
    "fio-",
    "Jobs:",
    "[ ",
    "Report intermediate",
    "IOPS",
    "Bandwidth in",
    "=====",
    "Test execution",
    "Prewarming",
];

/// The output of another tool that is under way.
#[derive(Debug, Default)]
pub(crate) struct OtherOutput {
    is_under_way: bool,
    is_after_empty_line: bool,
}

impl OtherOutput {
    /// Whether a line belongs to such an output.
    pub(crate) fn takes_line(&mut self, line: &str) -> bool {
        let text = line.trim();
        let is_of_fio = line.contains(": (groupid=") || line.contains(": (g=") && line.contains("rw=");
        if is_of_fio || BEGINS.iter().any(|begin| text.starts_with(begin)) {
            (self.is_under_way, self.is_after_empty_line) = (true, false);
        } else if text.is_empty() {
            self.is_after_empty_line = true;
        } else if self.is_after_empty_line
            && !line.starts_with([' ', '\t'])
            && !GO_ON.iter().any(|begin| text.starts_with(begin))
            || text.starts_with(['#', '<'])
            || text.starts_with("```")
        {
            self.is_under_way = false;
        } else {
            self.is_after_empty_line = false;
        }
        self.is_under_way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of_no_output(text: &str) -> String {
        let mut other = OtherOutput::default();
        text.lines().filter(|line| !other.takes_line(line)).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn an_output_ends_where_other_text_begins() {
        let fio = "wal: (g=0): rw=randwrite, bs=4096B\nfio-3.33\nwal: (groupid=0, jobs=1): err= 0\n  write: IOPS=5\n\nRun status group 0:\n  WRITE: x\n";
        assert_eq!(lines_of_no_output(&format!("a\n{fio}\nThen in a pod:\n")), "a|Then in a pod:");
        assert_eq!(lines_of_no_output(&format!("{fio}```\nb\n")), "```|b");
        let sysbench =
            "SQL statistics:\n    read: 5\n\nGeneral statistics:\n    total time: 5s\n\nLatency (ms):\n    min: 5\n";
        assert_eq!(lines_of_no_output(&format!("{sysbench}# pod\n{sysbench}\n\nwords\n")), "# pod|words");
    }
}
