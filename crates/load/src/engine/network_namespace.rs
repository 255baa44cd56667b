//! Makes sockets in another network namespace, as a container's are. A socket belongs to the namespace in which its
//! thread was when it was made, so a thread need not stay there: it can serve clients of several namespaces.

use crate::error::LoadError;
use rustix::fd::AsFd as _;
use rustix::io::Errno;
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use std::fs::File;
use std::io;
use std::path::Path;

/// The namespace of the thread that looks.
const HERE: &str = "/proc/thread-self/ns/net";

/// A network namespace other than that of the threads.
#[derive(Debug)]
pub(crate) struct NetworkNamespace {
    there: File,
    here: File,
}

impl NetworkNamespace {
    /// The one that `path` stands for, and the way back to that of this thread. Tries both.
    ///
    /// # Errors
    /// The namespace is gone, or this process may not enter it (that takes CAP_SYS_ADMIN).
    pub(crate) fn open(path: &Path) -> Result<NetworkNamespace, LoadError> {
        let failed =
            |source: io::Error| LoadError::System { action: "enter the network namespace of the load", source };
        let open = |path: &Path| File::open(path).map_err(failed);
        let namespace = NetworkNamespace { there: open(path)?, here: open(Path::new(HERE))? };
        namespace.run_within(|| Ok(())).map_err(|error| failed(error.into()))?;
        Ok(namespace)
    }

    /// Makes something while this thread, and no other, is there.
    ///
    /// # Errors
    /// What making it comes to, or that the namespace cannot be entered or left any more.
    pub(crate) fn run_within<T>(&self, make: impl FnOnce() -> Result<T, Errno>) -> Result<T, Errno> {
        enter_namespace(&self.there)?;
        let made = make();
        enter_namespace(&self.here)?;
        made
    }
}

fn enter_namespace(namespace: &File) -> Result<(), Errno> {
    move_into_link_name_space(namespace.as_fd(), Some(LinkNameSpaceType::Network))
}
