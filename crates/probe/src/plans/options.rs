//! Which options EXPLAIN is given: those that the server's version knows.

/// The first version whose EXPLAIN tells how long rows take to be sent and how much memory planning takes.
const SERIALIZES: u32 = 17;

/// The first version whose EXPLAIN tells how a scan reads ahead.
const READS_AHEAD: u32 = 19;

/// The options of a server's EXPLAIN.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExplainOptions {
    /// Its major version; 0 where it is not known.
    version: u32,
}

impl ExplainOptions {
    /// Of a server that calls its version so: `17.6 (Debian 17.6-1)`, `19beta1`.
    pub(super) fn of_server(version: Option<&str>) -> Self {
        let Some(version) = version else { return Self { version: 0 } };
        let end = version.find(|c: char| !c.is_ascii_digit()).unwrap_or(version.len());
        Self { version: version[..end].parse().unwrap_or(0) }
    }

    /// Of a statement that is planned and not executed. All of them are known from PostgreSQL 14 on.
    pub(super) fn of_planning(self) -> &'static str {
        if self.version >= SERIALIZES {
            "SUMMARY, SETTINGS, BUFFERS, MEMORY, FORMAT JSON"
        } else {
            "SUMMARY, SETTINGS, BUFFERS, FORMAT JSON"
        }
    }

    /// Of a statement that is executed, its rows converted to what is sent where the server can.
    pub(super) fn of_executing(self) -> &'static str {
        if self.version >= READS_AHEAD {
            "ANALYZE, TIMING, SUMMARY, SETTINGS, BUFFERS, WAL, MEMORY, SERIALIZE TEXT, IO, FORMAT JSON"
        } else if self.version >= SERIALIZES {
            "ANALYZE, TIMING, SUMMARY, SETTINGS, BUFFERS, WAL, MEMORY, SERIALIZE TEXT, FORMAT JSON"
        } else {
            "ANALYZE, TIMING, SUMMARY, SETTINGS, BUFFERS, WAL, FORMAT JSON"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_newer_versions_are_sent_to_these_alone() {
        let check = |version: Option<&str>, knows: bool| {
            let options = ExplainOptions::of_server(version);
            assert_eq!(options.of_planning().contains("MEMORY"), knows, "{version:?}");
            assert_eq!(options.of_executing().contains("SERIALIZE"), knows, "{version:?}");
        };
        let reads_ahead = |version| ExplainOptions::of_server(Some(version)).of_executing().contains(", IO,");
        assert_eq!(["18.6", "19rc1", "20devel"].map(reads_ahead), [false, true, true]);
        check(Some("17.6 (Debian 17.6-1.pgdg13+1)"), true);
        check(Some("19beta1"), true);
        check(Some("16.10"), false);
        check(Some("devel"), false);
        check(None, false);
    }
}
