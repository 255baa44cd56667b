//! Makes the connections of a thread in another network namespace, as those of a container are.

use crate::error::LoadError;
use rustix::fd::AsFd as _;
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use std::fs::File;
use std::path::Path;

/// Moves the calling thread, and no other, into the network namespace that `file` stands for.
///
/// # Errors
/// The namespace is gone, or this process may not enter it (that takes CAP_SYS_ADMIN).
pub(crate) fn enter(file: &Path) -> Result<(), LoadError> {
    let failed = |source| LoadError::System { action: "enter the network namespace of the load", source };
    let namespace = File::open(file).map_err(failed)?;
    move_into_link_name_space(namespace.as_fd(), Some(LinkNameSpaceType::Network)).map_err(|error| failed(error.into()))
}
