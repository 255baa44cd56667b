//! Names of the system calls in which a server's processes sleep, and `/proc/PID/syscall` (proc_pid_syscall(5)).

/// A system call by its numbers, as the kernel's tables have them (`syscall_64.tbl`, `asm-generic/unistd.h`).
struct NamedCall {
    name: &'static str,
    x86_64: Option<i64>,
    aarch64: Option<i64>,
    /// Whether its first argument is the descriptor of a file.
    has_file: bool,
}

const fn named_call(name: &'static str, x86_64: i64, aarch64: i64, has_file: bool) -> NamedCall {
    NamedCall { name, x86_64: Some(x86_64), aarch64: Some(aarch64), has_file }
}

/// One that only x86-64 has.
const fn old_call(name: &'static str, x86_64: i64, has_file: bool) -> NamedCall {
    NamedCall { name, x86_64: Some(x86_64), aarch64: None, has_file }
}

static NAMED_CALLS: [NamedCall; 61] = [
    named_call("read", 0, 63, true),
    named_call("write", 1, 64, true),
    old_call("open", 2, false),
    named_call("close", 3, 57, true),
    old_call("stat", 4, false),
    named_call("fstat", 5, 80, true),
    old_call("poll", 7, false),
    named_call("lseek", 8, 62, true),
    named_call("mmap", 9, 222, false),
    named_call("munmap", 11, 215, false),
    named_call("brk", 12, 214, false),
    named_call("pread64", 17, 67, true),
    named_call("pwrite64", 18, 68, true),
    named_call("readv", 19, 65, true),
    named_call("writev", 20, 66, true),
    old_call("select", 23, false),
    named_call("msync", 26, 227, false),
    named_call("madvise", 28, 233, false),
    named_call("nanosleep", 35, 101, false),
    named_call("accept", 43, 202, true),
    named_call("sendto", 44, 206, true),
    named_call("recvfrom", 45, 207, true),
    named_call("sendmsg", 46, 211, true),
    named_call("recvmsg", 47, 212, true),
    named_call("clone", 56, 220, false),
    old_call("fork", 57, false),
    named_call("execve", 59, 221, false),
    named_call("exit", 60, 93, false),
    named_call("wait4", 61, 260, false),
    named_call("semop", 65, 193, false),
    named_call("fcntl", 72, 25, true),
    named_call("flock", 73, 32, true),
    named_call("fsync", 74, 82, true),
    named_call("fdatasync", 75, 83, true),
    named_call("ftruncate", 77, 46, true),
    old_call("rename", 82, false),
    old_call("mkdir", 83, false),
    old_call("unlink", 87, false),
    named_call("futex", 202, 98, false),
    named_call("semtimedop", 220, 192, false),
    named_call("fadvise64", 221, 223, true),
    named_call("clock_nanosleep", 230, 115, false),
    named_call("exit_group", 231, 94, false),
    old_call("epoll_wait", 232, false),
    named_call("openat", 257, 56, false),
    named_call("mkdirat", 258, 34, false),
    named_call("unlinkat", 263, 35, false),
    named_call("pselect6", 270, 72, false),
    named_call("ppoll", 271, 73, false),
    named_call("sync_file_range", 277, 84, true),
    named_call("epoll_pwait", 281, 22, false),
    named_call("fallocate", 285, 47, true),
    named_call("accept4", 288, 242, true),
    named_call("preadv", 295, 69, true),
    named_call("pwritev", 296, 70, true),
    named_call("renameat2", 316, 276, false),
    named_call("copy_file_range", 326, 285, true),
    named_call("preadv2", 327, 286, true),
    named_call("pwritev2", 328, 287, true),
    named_call("io_uring_enter", 426, 426, false),
    named_call("epoll_pwait2", 441, 441, false),
];

/// Where a process is that was asked for its system call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CallAtInstant {
    /// It does not sleep any more.
    Running,
    /// It sleeps outside of any call, as for a page that is read from a disk.
    OutsideOfCalls,
    /// It sleeps in this call, whose first argument is this descriptor where it is one.
    In {
        /// `fdatasync`, or `system call 999`.
        name: String,
        /// The descriptor.
        descriptor: Option<u64>,
    },
}

/// Understands the text of `/proc/PID/syscall`; none where it is malformed.
pub(super) fn parse_syscall(text: &str) -> Option<CallAtInstant> {
    let mut words = text.split_ascii_whitespace();
    let first = words.next()?;
    if first == "running" {
        return Some(CallAtInstant::Running);
    }
    let number: i64 = first.parse().ok()?;
    if number < 0 {
        return Some(CallAtInstant::OutsideOfCalls);
    }
    let Some(call) = call_of_number(number) else {
        return Some(CallAtInstant::In { name: format!("system call {number}"), descriptor: None });
    };
    let argument = words.next().and_then(|argument| u64::from_str_radix(argument.trim_start_matches("0x"), 16).ok());
    let descriptor = if call.has_file { argument } else { None };
    Some(CallAtInstant::In { name: call.name.to_owned(), descriptor })
}

fn call_of_number(number: i64) -> Option<&'static NamedCall> {
    NAMED_CALLS.iter().find(|call| {
        let here = if cfg!(target_arch = "aarch64") { call.aarch64 } else { call.x86_64 };
        here == Some(number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> CallAtInstant {
        parse_syscall(text).unwrap()
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn system_call_is_named_and_has_its_descriptor_where_it_has_one() {
        let fdatasync = parsed("75 0x2b 0x0 0x0 0x1 0x0 0x7f 0x7ffd4a2ce2f8 0x7f053de302ad\n");
        assert_eq!(fdatasync, CallAtInstant::In { name: "fdatasync".to_owned(), descriptor: Some(43) });
        let futex = parsed("202 0x7f00 0x189 0x0 0x0 0x0 0xffffffff 0x7ffd 0x7f05\n");
        assert_eq!(futex, CallAtInstant::In { name: "futex".to_owned(), descriptor: None });
    }

    #[test]
    fn what_is_no_known_call_is_told_by_its_number_or_what_it_is() {
        let unknown = parsed("9999 0x3 0x0 0x0 0x0 0x0 0x0 0x7ffd 0x7f05\n");
        assert_eq!(unknown, CallAtInstant::In { name: "system call 9999".to_owned(), descriptor: None });
        assert_eq!(parsed("-1 0x7ffd4a2ce2f8 0x7f053de302ad\n"), CallAtInstant::OutsideOfCalls);
        assert_eq!(parsed("running\n"), CallAtInstant::Running);
        assert_eq!(parse_syscall(""), None);
        assert_eq!(parse_syscall("many 0x3"), None);
    }

    #[test]
    fn no_number_names_two_calls() {
        for (at, call) in NAMED_CALLS.iter().enumerate() {
            for other in &NAMED_CALLS[at + 1..] {
                assert!(call.x86_64 != other.x86_64 && call.name != other.name, "{}", other.name);
                assert!(call.aarch64.is_none() || call.aarch64 != other.aarch64, "{}", other.name);
            }
        }
    }
}
