//! Which server of a primary with standbys the transactions of a workload read.

use super::language::words;
use super::workload::Workload;

words! {
    /// The server that the transactions of a workload are executed on.
    ReadsFrom {
        Primary = "primary", "the server of the target, which accepts writes";
        Standby = "standby", "a standby of it: that of a `local` server with `standby`, or one of several hosts of a `url`";
    }
}

impl Workload {
    /// Whether its transactions are executed on a standby.
    #[must_use]
    pub fn reads_standby(&self) -> bool {
        self.reads_from == Some(ReadsFrom::Standby)
    }
}
