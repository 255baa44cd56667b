//! Disks: what fio measures of them (`measure`), and what that means (`judge`).
//!
//! Left of the waist a stage is executed and written down as fio tells it; right of it the figures are judged from the
//! run directory alone. `fio_json`, `fio_text` and `fio_log` read fio's files, of our own stages and of imported ones
//! alike.

pub mod fio_json;
pub mod fio_log;
pub mod fio_text;
mod job;

pub mod measure;
