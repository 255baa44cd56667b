//! What other programs print and write, read: bytes in, figures out.
//!
//! Promises: no files, no sockets, no clock; no input makes it panic. Left out: what the figures mean for a run.

pub mod fio_json;
pub mod fio_log;
pub mod fio_text;
pub mod formats;
pub mod output_format;
pub mod pgbench;
mod report_lines;
pub mod sysbench;
pub mod unread_outputs;
mod unreadable;

pub use unreadable::UnreadableOutputLine;
