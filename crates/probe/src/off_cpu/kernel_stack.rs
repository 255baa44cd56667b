//! The kernel's functions in which a process sleeps: `/proc/PID/stack` (root alone may read it) and `/proc/PID/wchan`.

use results::off_cpu::{PAGE_FAULT, STACK_DEPTH};

/// How the functions begin by which every process enters the kernel.
const ENTRIES: [&str; 8] = [
    "do_syscall_64",
    "entry_SYSCALL",
    "x64_sys_call",
    "el0_",
    "el0t_",
    "do_el0_svc",
    "invoke_syscall",
    "ret_from_fork",
];

/// How the functions begin that begin a system call.
const CALLS: [&str; 3] = ["__x64_sys_", "__arm64_sys_", "__se_sys_"];

/// Functions of a page fault outside of any call.
const FAULTS: [&str; 5] = ["asm_exc_page_fault", "exc_page_fault", "do_user_addr_fault", "do_page_fault", "el0_da"];

/// What a stack tells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct KernelStack {
    /// From the innermost function to its callers, without those that every process has.
    pub(super) functions: Vec<String>,
    /// The system call at its end, as `fdatasync`, or [`PAGE_FAULT`]; absent where it has none.
    pub(super) call: Option<String>,
}

/// Understands the text of `/proc/PID/stack`: a function a line, as `[<0>] jbd2_log_wait_commit+0xe8/0x140 [jbd2]`.
pub(super) fn parse_stack(text: &str) -> KernelStack {
    let mut stack = KernelStack::default();
    for line in text.lines() {
        let Some((_, function)) = line.split_once("] ") else { continue };
        // What compilers add behind a dot to the name of a function that they split says nothing.
        let name = name_before(function, &['+', '.', ' ']);
        if FAULTS.contains(&name) && stack.call.is_none() {
            stack.call = Some(PAGE_FAULT.to_owned());
        }
        if let Some(call) = CALLS.iter().find_map(|prefix| name.strip_prefix(prefix)) {
            // It is farther out than a fault.
            stack.call = Some(call.to_owned());
        }
        let is_entry = ENTRIES.iter().any(|entry| name.starts_with(entry));
        if !is_entry && is_function(name) && stack.functions.len() < STACK_DEPTH {
            stack.functions.push(name.to_owned());
        }
    }
    stack
}

/// The function in `/proc/PID/wchan`; none where the process does not sleep, or where it may not be seen: both are `0`.
pub(super) fn parse_wchan(text: &str) -> Option<String> {
    let name = name_before(text.trim(), &['.']);
    if is_function(name) { Some(name.to_owned()) } else { None }
}

/// What stands before the first of these characters.
fn name_before<'a>(text: &'a str, ends: &[char]) -> &'a str {
    match text.find(ends) {
        Some(end) => &text[..end],
        None => text,
    }
}

/// Whether it is a name and not an address, which a kernel shows that does not know its names.
fn is_function(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

/// The call of a process that sleeps in this function, where the function is part of no other: it waits for an event at
/// its sockets or for its latch, which is what a session without work does.
pub(super) fn call_of_event_wait(function: &str) -> Option<&'static str> {
    match function {
        "ep_poll" | "do_epoll_wait" | "do_epoll_pwait" => Some("epoll_wait"),
        "poll_schedule_timeout" | "do_sys_poll" | "do_poll" => Some("poll"),
        "do_select" => Some("select"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FDATASYNC: &str = "[<0>] jbd2_log_wait_commit+0xe8/0x140 [jbd2]
[<0>] jbd2_complete_transaction.isra.0+0x4f/0x90 [jbd2]
[<0>] ext4_fc_commit+0x19f/0xa10
[<0>] ext4_sync_file+0xbc/0x380
[<0>] do_fsync+0x38/0x70
[<0>] __x64_sys_fdatasync+0x13/0x20
[<0>] do_syscall_64+0x71/0x280
[<0>] entry_SYSCALL_64_after_hwframe+0x76/0x7e
";

    #[test]
    fn innermost_functions_and_the_call_are_read_from_a_stack() {
        let stack = parse_stack(FDATASYNC);
        assert_eq!(
            stack.functions,
            [
                "jbd2_log_wait_commit",
                "jbd2_complete_transaction",
                "ext4_fc_commit",
                "ext4_sync_file",
                "do_fsync",
                "__x64_sys_fdatasync",
            ]
        );
        assert_eq!(stack.call.as_deref(), Some("fdatasync"));
    }

    #[test]
    fn page_fault_within_a_call_is_the_call_s() {
        let fault = "[<0>] folio_wait_bit_common+0x13d/0x350\n[<0>] filemap_fault+0x5f1/0xb90\n\
                     [<0>] do_user_addr_fault+0x200/0x6a0\n[<0>] asm_exc_page_fault+0x26/0x30\n";
        assert_eq!(parse_stack(fault).call.as_deref(), Some(PAGE_FAULT));
        let within = format!("{fault}[<0>] __x64_sys_pread64+0x10/0x20\n");
        assert_eq!(parse_stack(&within).call.as_deref(), Some("pread64"));
    }

    #[test]
    fn what_is_no_name_is_no_function() {
        assert_eq!(parse_stack(""), KernelStack::default());
        assert_eq!(parse_stack("[<0>] 0xffffffff81000000\n").functions, Vec::<String>::new());
        assert_eq!(parse_wchan("jbd2_log_wait_commit").as_deref(), Some("jbd2_log_wait_commit"));
        assert_eq!(parse_wchan("0"), None);
        assert_eq!(parse_wchan(""), None);
    }
}
