//! The disks as tables and sentences for a person (`words`), and as data (`data`).

mod data;
mod words;

pub use data::{DisksData, data};
pub use words::sections;
