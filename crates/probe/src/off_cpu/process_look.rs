//! One look at one process: what of `/proc/PID` says whether it runs or where it sleeps.
//!
//! The files are read one after the other, so that a process may wake in between: then what is not known stays open.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use results::off_cpu::{CalledFileKind, EVENT_WAITS, PAGE_FAULT, SleepState};

use super::file_kind::kind_of_file;
use super::kernel_stack::{KernelStack, call_of_event_wait, parse_stack, parse_wchan};
use super::system_call::{CallAtInstant, parse_syscall};

/// Bytes of a file that are read; the innermost functions of a stack come first.
const READ_BYTES: usize = 4096;

/// What one look saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ProcessLook {
    /// It was on a CPU or ready for one.
    Runnable,
    /// It slept.
    Asleep(SeenPlace),
    /// It was stopped or had ended.
    Neither,
}

/// Where a process slept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SeenPlace {
    pub(super) state: SleepState,
    pub(super) function: Option<String>,
    pub(super) call: Option<String>,
    pub(super) file: Option<CalledFileKind>,
    pub(super) stack: Vec<String>,
}

/// Reads the files of processes below a root.
pub(super) struct ProcessReader {
    root: PathBuf,
    buffer: Vec<u8>,
    /// Why `/proc/PID/syscall` may not be read.
    pub(super) call_refused: Option<String>,
    /// The same of `/proc/PID/stack`, which is then not tried again.
    pub(super) stack_refused: Option<String>,
}

impl ProcessReader {
    pub(super) fn below_root(root: &Path) -> Self {
        Self { root: root.to_owned(), buffer: vec![0; READ_BYTES], call_refused: None, stack_refused: None }
    }

    /// Looks at a process.
    pub(super) fn look_at(&mut self, pid: u32) -> ProcessLook {
        let Ok(stat) = self.read_file(pid, "stat") else { return ProcessLook::Neither };
        let state = match state_of_process(&stat) {
            Some('R') => return ProcessLook::Runnable,
            Some('S') => SleepState::Interruptible,
            Some('D') => SleepState::Uninterruptible,
            Some(_) | None => return ProcessLook::Neither,
        };
        let function = self.read_file(pid, "wchan").ok().and_then(|text| parse_wchan(&text));
        if let Some(place) = event_wait_in(function.as_deref()) {
            return ProcessLook::Asleep(place);
        }
        let stack = self.stack_of(pid);
        // What a stack has is of one instant; the other files are of instants beside it.
        let function = stack.functions.first().cloned().or(function);
        if let Some(place) = event_wait_in(function.as_deref()) {
            return ProcessLook::Asleep(place);
        }
        let (call, file) = self.call_and_file_of(pid, stack.call, function.is_some());
        ProcessLook::Asleep(SeenPlace { state, function, call, file, stack: stack.functions })
    }

    /// The call in which a process sleeps, and the file that it is about; `of_stack` is the call of its stack.
    fn call_and_file_of(
        &mut self,
        pid: u32,
        of_stack: Option<String>,
        is_function_known: bool,
    ) -> (Option<String>, Option<CalledFileKind>) {
        let (name, descriptor) = match self.call_of(pid) {
            Some(CallAtInstant::In { name, descriptor }) => (name, descriptor),
            Some(CallAtInstant::OutsideOfCalls) => (PAGE_FAULT.to_owned(), None),
            Some(CallAtInstant::Running) | None => return (of_stack, None),
        };
        // It woke in between: the function is not of this call.
        let is_later = of_stack.as_ref().is_some_and(|of_stack| *of_stack != name)
            || (is_function_known && EVENT_WAITS.contains(&name.as_str()));
        if is_later {
            return (of_stack, None);
        }
        (Some(name), descriptor.and_then(|number| self.file_of(pid, number)))
    }

    fn stack_of(&mut self, pid: u32) -> KernelStack {
        if self.stack_refused.is_some() {
            return KernelStack::default();
        }
        match self.read_file(pid, "stack") {
            Ok(text) => parse_stack(&text),
            Err(error) => {
                if error.kind() == ErrorKind::PermissionDenied {
                    self.stack_refused = Some(refusal_in_words("stack", &error));
                }
                KernelStack::default()
            }
        }
    }

    fn call_of(&mut self, pid: u32) -> Option<CallAtInstant> {
        match self.read_file(pid, "syscall") {
            Ok(text) => parse_syscall(&text),
            Err(error) => {
                if error.kind() == ErrorKind::PermissionDenied && self.call_refused.is_none() {
                    self.call_refused = Some(refusal_in_words("syscall", &error));
                }
                None
            }
        }
    }

    fn file_of(&self, pid: u32, descriptor: u64) -> Option<CalledFileKind> {
        let link = self.root.join(format!("proc/{pid}/fd/{descriptor}"));
        Some(kind_of_file(&std::fs::read_link(link).ok()?))
    }

    /// The text of a file in one read, as the kernel makes it in one piece.
    fn read_file(&mut self, pid: u32, name: &str) -> std::io::Result<String> {
        let mut file = File::open(self.root.join(format!("proc/{pid}/{name}")))?;
        let bytes = file.read(&mut self.buffer)?;
        Ok(String::from_utf8_lossy(&self.buffer[..bytes]).into_owned())
    }
}

/// The place of a process in this function, if it waits there for its client, its latch or work: it sleeps
/// interruptibly there, whatever it did when its state was read.
fn event_wait_in(function: Option<&str>) -> Option<SeenPlace> {
    let call = call_of_event_wait(function?)?;
    Some(SeenPlace {
        state: SleepState::Interruptible,
        function: function.map(str::to_owned),
        call: Some(call.to_owned()),
        file: None,
        stack: Vec::new(),
    })
}

fn refusal_in_words(name: &str, error: &std::io::Error) -> String {
    format!("/proc/PID/{name}: {error}")
}

/// The state in `/proc/PID/stat`, which is behind the name in parentheses, whatever that is.
fn state_of_process(stat: &str) -> Option<char> {
    let (_, fields) = stat.rsplit_once(") ")?;
    fields.chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree with the files of process 10.
    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let process = root.path().join("proc/10");
        std::fs::create_dir_all(process.join("fd")).unwrap();
        for (name, text) in files {
            std::fs::write(process.join(name), text).unwrap();
        }
        root
    }

    fn look(root: &tempfile::TempDir) -> ProcessLook {
        ProcessReader::below_root(root.path()).look_at(10)
    }

    fn asleep(state: SleepState, function: &str, call: Option<&str>, file: Option<CalledFileKind>) -> SeenPlace {
        let (function, call) = (Some(function.to_owned()), call.map(str::to_owned));
        SeenPlace { state, function, call, file, stack: Vec::new() }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn process_that_waits_for_a_disk_is_seen_with_function_call_and_kind_of_file() {
        let root = tree(&[
            ("stat", "10 (postgres: (b) R) D 9 9 9 0 -1"),
            ("wchan", "jbd2_log_wait_commit"),
            ("syscall", "75 0x7 0x0 0x0 0x1 0x0 0x7f 0x7ffd 0x7f05\n"),
            ("stack", "[<0>] jbd2_log_wait_commit+0xe8/0x140\n[<0>] ext4_sync_file+0xbc/0x380\n"),
        ]);
        std::os::unix::fs::symlink("/data/pg_wal/000000010000000000000001", root.path().join("proc/10/fd/7")).unwrap();
        let stack = vec!["jbd2_log_wait_commit".to_owned(), "ext4_sync_file".to_owned()];
        let place =
            asleep(SleepState::Uninterruptible, "jbd2_log_wait_commit", Some("fdatasync"), Some(CalledFileKind::Wal));
        assert_eq!(look(&root), ProcessLook::Asleep(SeenPlace { stack, ..place }));
    }

    #[test]
    fn session_that_waits_for_its_client_is_told_by_its_function_alone() {
        let root = tree(&[("stat", "10 (postgres) S 9"), ("wchan", "ep_poll"), ("syscall", "no such thing")]);
        let place = asleep(SleepState::Interruptible, "ep_poll", Some("epoll_wait"), None);
        assert_eq!(look(&root), ProcessLook::Asleep(place));
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn call_that_came_after_the_function_is_not_told_with_it() {
        let later = ("syscall", "232 0x4 0x7f 0x1 0x2 0x0 0x0 0x7ffd 0x7f05\n");
        let flushing = ("stat", "10 (postgres) D 9");
        let stack = "[<0>] submit_bio_wait+0x7d/0xc0\n[<0>] __x64_sys_fdatasync+0x13/0x20\n";
        let root = tree(&[flushing, ("wchan", "submit_bio_wait"), later, ("stack", stack)]);
        let stack = vec!["submit_bio_wait".to_owned(), "__x64_sys_fdatasync".to_owned()];
        let place = asleep(SleepState::Uninterruptible, "submit_bio_wait", Some("fdatasync"), None);
        assert_eq!(look(&root), ProcessLook::Asleep(SeenPlace { stack, ..place }));
        let without_stack = tree(&[flushing, ("wchan", "submit_bio_wait"), later]);
        let place = asleep(SleepState::Uninterruptible, "submit_bio_wait", None, None);
        assert_eq!(look(&without_stack), ProcessLook::Asleep(place));
        let woken = tree(&[flushing, ("wchan", "do_epoll_wait"), later]);
        let place = asleep(SleepState::Interruptible, "do_epoll_wait", Some("epoll_wait"), None);
        assert_eq!(look(&woken), ProcessLook::Asleep(place));
    }

    #[test]
    fn process_that_woke_meanwhile_keeps_its_state() {
        let root = tree(&[("stat", "10 (postgres) D 9"), ("wchan", "0"), ("syscall", "running\n"), ("stack", "")]);
        let place =
            SeenPlace { state: SleepState::Uninterruptible, function: None, call: None, file: None, stack: Vec::new() };
        assert_eq!(look(&root), ProcessLook::Asleep(place));
    }

    #[test]
    fn running_stopped_and_ended_processes_do_not_sleep() {
        assert_eq!(look(&tree(&[("stat", "10 (postgres) R 9")])), ProcessLook::Runnable);
        assert_eq!(look(&tree(&[("stat", "10 (postgres) T 9")])), ProcessLook::Neither);
        assert_eq!(look(&tree(&[("stat", "10 (postgres")])), ProcessLook::Neither);
        assert_eq!(look(&tree(&[])), ProcessLook::Neither);
    }
}
