//! Processes of this machine with a child, which tests of samplers look at as a server.

use std::path::Path;
use std::process::{Child, Command};

use crate::host::HostScope;

/// A process with a child; both end with it.
pub(crate) struct ParentProcess(Child);

impl ParentProcess {
    /// Of a shell's words that start the child.
    pub(crate) fn of_script(script: &str) -> Self {
        Self(Command::new("sh").args(["-c", &format!("trap 'kill $!' TERM; {script} wait")]).spawn().unwrap())
    }

    /// What is watched where it is the server's first process.
    pub(crate) fn watched_scope(&self) -> HostScope {
        scope_of_postmaster(Path::new("/"), Some(self.0.id()))
    }
}

impl Drop for ParentProcess {
    fn drop(&mut self) {
        let pid = self.0.id().to_string();
        let _ = Command::new("kill").arg(pid).status();
        let _ = self.0.wait();
    }
}

/// What is watched of a server with this first process, below a root.
pub(crate) fn scope_of_postmaster(root: &Path, postmaster: Option<u32>) -> HostScope {
    HostScope { root: root.to_owned(), postmaster, ..HostScope::default() }
}
