//! The files of a log: opened, decompressed, put in order, cut into records.

mod input;
mod records;

pub(crate) use input::open_log;
pub(crate) use records::{RawRecord, RecordForm, RecordReader};
