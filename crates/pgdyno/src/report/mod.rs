//! A judgement as people read it: a terminal table, Markdown, JSON, one HTML file.
//!
//! Draws no conclusion of its own. Numbers get their units here and nowhere else.

mod build;
mod data;
mod html;
mod markdown;
mod method;
mod table;
mod terminal;
pub mod units;
pub mod words;

pub use build::build;
pub use data::ReportData;
pub use html::html;
pub use markdown::markdown;
pub use terminal::terminal;
