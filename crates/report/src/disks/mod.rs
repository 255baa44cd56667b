//! The disks as tables and sentences for a person (`words`), and as data (`data`).

mod data;
mod words;

pub(crate) use data::{DisksData, data};
pub(crate) use words::sections;
