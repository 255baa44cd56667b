//! Ends what a dead server left running: as a child subreaper, the supervisor inherits every process whose parent died.

use std::fs;

use rustix::process::{Pid, Signal, WaitOptions};

/// Kills every remaining child of this process, and what these leave behind, until there is none.
pub(super) fn end_all() {
    // Each round reveals at most the next generation; a server has three.
    for _ in 0..10 {
        let children = children();
        if children.is_empty() {
            return;
        }
        for &child in &children {
            // It may have ended by itself in between.
            let _ = rustix::process::kill_process(child, Signal::KILL);
            let _ = rustix::process::waitpid(Some(child), WaitOptions::empty());
        }
    }
}

fn children() -> Vec<Pid> {
    let me = rustix::process::getpid().as_raw_nonzero().get();
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let pids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(|pid| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        parent_in_stat(&stat) == Some(me)
    })
    .filter_map(Pid::from_raw)
    .collect()
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
        assert_eq!(parent_in_stat(""), None);
    }
}
