//! What an audit says of imported files: only figures and outputs that other people keep.

mod disks;
mod published;
