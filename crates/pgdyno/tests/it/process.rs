//! A child process with a deadline, whose output can be read while it runs, and which never outlives the test.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::lab::Lab;
use crate::traces::Traces;

/// When a test gives up on a process: far beyond what any takes, since a slow machine is no failure.
const DEADLINE: Duration = Duration::from_secs(240);

/// How often a condition is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// A program to be started in a lab's directory.
pub struct Program {
    command: Command,
    output: PathBuf,
    errors: PathBuf,
}

impl Program {
    /// A program that is killed when the test's thread ends, in a process group of its own, without the caller's `PG*`.
    pub fn new(lab: &Lab, program: &str) -> Self {
        let number = lab.number();
        let mut command = Command::new("setpriv");
        // A hangup means to it what it means to a person's program, also where the tests are run by `nohup`.
        command.args(["--pdeathsig=KILL", "--", "env", "--default-signal=HUP"]).arg(program);
        command.current_dir(lab.path()).process_group(0);
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"PG")) {
            command.env_remove(name);
        }
        // Where root is not the one to ask, downloads stay where the person's are.
        if let Some(home) = std::env::var_os("HOME").filter(|_| std::env::var_os("XDG_CACHE_HOME").is_none())
            && !testbed::is_root()
        {
            command.env("XDG_CACHE_HOME", PathBuf::from(home).join(".cache"));
        }
        command.env("HOME", lab.path()).env("TMPDIR", lab.temporary());
        // What other tests and other people have changed on the machine is not this test's to see.
        command.env("XDG_STATE_HOME", lab.path().join("state"));
        let file = |name: &str| lab.path().join(format!("{name}-{number}"));
        Self { command, output: file("stdout"), errors: file("stderr") }
    }

    /// Appends arguments.
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Starts it.
    pub fn start(mut self) -> Running {
        let create = |path| File::create(path).expect("a file for the output");
        self.command.stdin(Stdio::null()).stdout(create(&self.output)).stderr(create(&self.errors));
        let child = self.command.spawn().expect("setpriv (util-linux) starts");
        Running { child, output: self.output, errors: self.errors }
    }

    /// Runs it to its end.
    pub fn end(self) -> Ended {
        self.start().end()
    }
}

/// A process under way; dropping it kills it.
pub struct Running {
    child: Child,
    output: PathBuf,
    errors: PathBuf,
}

impl Running {
    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    fn process(&self) -> Pid {
        Pid::from_raw(self.pid().try_into().expect("a process id is small")).expect("and not zero")
    }

    /// What it has said on standard error so far.
    pub fn said(&self) -> String {
        fs::read_to_string(&self.errors).expect("its standard error")
    }

    /// Waits until it has said something on standard error.
    #[track_caller]
    pub fn await_saying(&mut self, text: &str) -> &mut Self {
        self.await_that(text, |running| running.said().contains(text))
    }

    /// Waits until something holds, which must be before it has ended.
    #[track_caller]
    pub fn await_that(&mut self, what: &str, holds: impl Fn(&Self) -> bool) -> &mut Self {
        let deadline = Instant::now() + DEADLINE;
        while !holds(self) {
            if let Some(status) = self.child.try_wait().expect("a child") {
                // It may have come about with the last it did.
                assert!(holds(self), "ended ({status}) before {what:?}:\n{}", self.said());
                return self;
            }
            assert!(Instant::now() < deadline, "never {what:?}:\n{}", self.said());
            std::thread::sleep(LOOK);
        }
        self
    }

    /// What has to go when it goes.
    pub fn traces(&self) -> Traces {
        Traces::of(self.pid())
    }

    /// Sends it a signal; it may have ended already.
    pub fn signal(&mut self, signal: Signal) -> &mut Self {
        let _ended = kill_process(self.process(), signal);
        self
    }

    /// Sends a signal as a terminal does: to its whole process group.
    pub fn signal_group(&mut self, signal: Signal) -> &mut Self {
        let _ended = kill_process_group(self.process(), signal);
        self
    }

    /// Waits for its end, which must come within the deadline.
    #[track_caller]
    pub fn end(self) -> Ended {
        self.end_within(DEADLINE)
    }

    /// Waits for its end, which must come in time.
    #[track_caller]
    pub fn end_within(mut self, limit: Duration) -> Ended {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                let stdout = String::from_utf8(fs::read(&self.output).expect("its output")).expect("UTF-8");
                return Ended { status, stdout, stderr: self.said() };
            }
            assert!(Instant::now() < deadline, "still running after {limit:?}:\n{}", self.said());
            std::thread::sleep(LOOK);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

/// A process that has ended.
#[derive(Debug)]
pub struct Ended {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    /// It ended with this exit status.
    #[track_caller]
    pub fn exits(&self, status: i32) -> &Self {
        assert_eq!(self.status.code(), Some(status), "{self}");
        self
    }

    /// It measured, whatever the verdict: 0 done, 1 regression, 4 not enough data.
    #[track_caller]
    pub fn measured(&self) -> &Self {
        assert!(matches!(self.status.code(), Some(0 | 1 | 4)), "{self}");
        self
    }

    /// A signal ended it.
    #[track_caller]
    pub fn was_killed(&self) -> &Self {
        assert_eq!(self.status.signal(), Some(Signal::KILL.as_raw()), "{self}");
        self
    }

    /// Standard error holds all of these.
    #[track_caller]
    pub fn says(&self, texts: &[&str]) -> &Self {
        for text in texts {
            assert!(self.stderr.contains(text), "no {text:?} on standard error of {self}");
        }
        self
    }

    /// Standard output holds all of these.
    #[track_caller]
    pub fn prints(&self, texts: &[&str]) -> &Self {
        for text in texts {
            assert!(self.stdout.contains(text), "no {text:?} on standard output of {self}");
        }
        self
    }

    /// Standard output, which is one JSON value.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("not JSON ({error}): {self}"))
    }
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n--- stdout\n{}\n--- stderr\n{}", self.status, self.stdout, self.stderr)
    }
}
