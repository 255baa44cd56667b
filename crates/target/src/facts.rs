//! What a target turned out to be, as READ BACK from the server and its host; a fact that cannot be read is a gap with
//! its reason.

pub(crate) mod cgroup;
pub(crate) mod disk;
pub(crate) mod host;
pub(crate) mod server;
