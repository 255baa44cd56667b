//! Processes that have nothing to do with the server and use up the CPUs.

use testbed::{Kept, Signal, killable_program};

/// Busy processes.
pub struct Neighbours {
    _processes: Vec<Kept>,
}

impl Neighbours {
    /// Starts so many.
    pub fn start(count: usize) -> Self {
        let busy = || Kept::start_command(killable_program("sh").args(["-c", "while :; do :; done"]), Signal::KILL);
        Self { _processes: std::iter::repeat_with(busy).take(count).collect() }
    }
}
