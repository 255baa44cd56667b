//! Which processes are a server's, and whom each of them serves.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use results::profile::ProcessKind;

use crate::activity::LoadProcesses;
use crate::host::server_process_name;

/// The children of a postmaster, also those that have ended.
pub(crate) struct ServerChildren {
    root: PathBuf,
    postmaster: u32,
    load: LoadProcesses,
    /// The name of the process where it serves the server itself.
    known: BTreeMap<u32, Option<String>>,
}

impl ServerChildren {
    pub(crate) fn of_postmaster(root: &Path, postmaster: u32, load: LoadProcesses) -> Self {
        Self { root: root.to_owned(), postmaster, load, known: BTreeMap::new() }
    }

    /// Looks which children there are, and says so.
    pub(crate) fn look_at_living(&mut self) -> Vec<u32> {
        let living = self.living_children();
        for pid in &living {
            if !self.known.contains_key(pid) {
                let name = self.server_process_name_of(*pid);
                self.known.insert(*pid, name);
            }
        }
        living
    }

    /// A process began, as the kernel recorded it.
    pub(super) fn note_fork(&mut self, pid: u32, parent: u32) {
        if parent == self.postmaster && pid != parent {
            // What is alive was looked at before; its title is gone with it.
            self.known.entry(pid).or_insert(None);
        }
    }

    /// The children that there are now.
    pub(super) fn living_children(&self) -> Vec<u32> {
        let path = self.root.join(format!("proc/{0}/task/{0}/children", self.postmaster));
        // A server that has ended has no children.
        let Ok(text) = std::fs::read_to_string(path) else { return Vec::new() };
        text.split_ascii_whitespace().filter_map(|pid| pid.parse().ok()).collect()
    }

    /// Whether it is or was one of the server's, the postmaster included.
    pub(super) fn is_of_server(&self, pid: u32) -> bool {
        pid == self.postmaster || self.known.contains_key(&pid)
    }

    /// Whom a process serves or served.
    pub(crate) fn process_kind(&self, pid: u32) -> ProcessKind {
        if pid == self.postmaster {
            return ProcessKind::Server("postmaster".to_owned());
        }
        match self.known.get(&pid) {
            Some(Some(name)) => ProcessKind::Server(name.clone()),
            _ if self.load.known_process_ids().contains(&pid) => ProcessKind::Load,
            _ => ProcessKind::Backend,
        }
    }

    fn server_process_name_of(&self, pid: u32) -> Option<String> {
        let title = std::fs::read(self.root.join(format!("proc/{pid}/cmdline"))).ok()?;
        server_process_name(&String::from_utf8_lossy(&title)).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_told_apart_by_title_and_by_the_sessions_of_the_load() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join("proc").join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("9/task/9/children", "10 11 12 ");
        write("10/cmdline", "postgres: checkpointer \0");
        write("11/cmdline", "postgres: bench bench [local] SELECT\0");
        write("12/cmdline", "postgres: bench bench [local] idle\0");
        let mut children = ServerChildren::of_postmaster(root.path(), 9, LoadProcesses::from([11]));
        children.look_at_living();
        children.note_fork(13, 9);
        children.note_fork(14, 10);
        let kinds = [9, 10, 11, 12, 13].map(|pid| children.process_kind(pid));
        let server = |name: &str| ProcessKind::Server(name.to_owned());
        let backend = ProcessKind::Backend;
        let expected = [server("postmaster"), server("checkpointer"), ProcessKind::Load, backend.clone(), backend];
        assert_eq!(kinds, expected);
        assert_eq!([9, 13, 14].map(|pid| children.is_of_server(pid)), [true, true, false]);
    }
}
