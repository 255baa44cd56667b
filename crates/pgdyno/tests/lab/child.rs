//! Child processes that end with the lab: run to their end, or kept while a case needs them.

use std::io::{Read as _, Seek as _, Write as _};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// A program that is killed when the lab's thread ends.
pub fn program(name: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new("setpriv");
    command.arg("--pdeathsig=KILL").arg("--").arg(name).stdin(Stdio::null());
    command
}

/// Runs a command to its end, which must be a good one; its standard output.
#[track_caller]
pub fn run(command: &mut Command) -> String {
    let output = command.output().expect("setpriv (util-linux) starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    assert!(output.status.success(), "{command:?}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// Runs a command to its end, which must come in time; else it is killed, and the case with it.
#[track_caller]
pub fn output_within(limit: Duration, command: &mut Command) -> Output {
    let files = [(); 2].map(|()| tempfile::tempfile().expect("a file"));
    let [stdout, stderr] = files.each_ref().map(|file| file.try_clone().expect("a file"));
    let mut kept = Kept::start(command.stdout(stdout).stderr(stderr), Signal::KILL);
    let deadline = Instant::now() + limit;
    let status = loop {
        if let Some(status) = kept.child.try_wait().expect("a child") {
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

/// A process under way, ended by a signal when it is dropped.
pub struct Kept {
    child: Child,
    signal: Signal,
    /// Its input while that is to stay open.
    input: Option<ChildStdin>,
}

impl Kept {
    /// Starts a command, to be ended by `signal`.
    pub fn start(command: &mut Command, signal: Signal) -> Self {
        Self { child: command.spawn().expect("setpriv (util-linux) starts"), signal, input: None }
    }

    /// Its process id, which is the program's: `setpriv` has become it.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_some()
    }

    /// Writes to its input, which then stays open as long as it is kept.
    pub fn write(&mut self, text: &str) {
        let input = self.input.get_or_insert_with(|| self.child.stdin.take().expect("piped"));
        input.write_all(text.as_bytes()).expect("written");
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(pid) = i32::try_from(self.pid()).ok().and_then(Pid::from_raw) {
            let _ended_already = kill_process(pid, self.signal);
        }
        let _status = self.child.wait();
    }
}
