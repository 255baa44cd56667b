//! A child process with a deadline.

use std::io::{Read as _, Seek as _};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use testbed::{Kept, Signal};

/// Runs a command to its end, which must come in time; else it is killed, and the case with it.
#[track_caller]
pub fn output_within(limit: Duration, command: &mut Command) -> Output {
    let files = [(); 2].map(|()| tempfile::tempfile().expect("a file"));
    let [stdout, stderr] = files.each_ref().map(|file| file.try_clone().expect("a file"));
    let mut kept = Kept::start_command(command.stdout(stdout).stderr(stderr), Signal::KILL);
    let deadline = Instant::now() + limit;
    let status = loop {
        if let Some(status) = kept.child_process().try_wait().expect("a child") {
            break status;
        }
        assert!(Instant::now() < deadline, "still running after {limit:?}: {command:?}");
        std::thread::sleep(Duration::from_millis(50));
    };
    let [stdout, stderr] = files.map(|mut file| {
        let mut bytes = Vec::new();
        file.rewind().and_then(|()| file.read_to_end(&mut bytes)).expect("its output");
        bytes
    });
    Output { status, stdout, stderr }
}
