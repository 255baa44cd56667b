//! Processes of this machine, as `/proc` tells of them.

use std::fs;

use rustix::process::Pid;

/// The processes that a process has started, those among them that have ended and were not waited for.
#[must_use]
pub fn child_processes(of: Pid) -> Vec<Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_child = |pid: &i32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        parent_in_stat(&stat) == Some(of.as_raw_nonzero().get())
    };
    pids.filter(is_child).filter_map(Pid::from_raw).collect()
}

/// The fourth field of `/proc/<pid>/stat`; the second is a name in parentheses that may itself hold some.
fn parent_in_stat(stat: &str) -> Option<i32> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_is_found_behind_any_name() {
        assert_eq!(parent_in_stat("12 (postgres) S 7 12 12 0"), Some(7));
        assert_eq!(parent_in_stat("12 (a) b (c) S 8 12"), Some(8));
        assert_eq!(parent_in_stat("17 (postgres: a b) c) S 5 17 17 0 -1"), Some(5));
        assert_eq!(parent_in_stat("17 (postgres"), None);
        assert_eq!(parent_in_stat(""), None);
    }
}
