//! A judgement as people read it: a terminal table, Markdown, JSON, one HTML file.
//!
//! Draws no conclusion of its own. Numbers get their units here and nowhere else.

pub mod audit;
mod budgets;
mod build;
mod cost;
mod cross_check;
mod data;
mod diagnosis_screen;
pub mod document;
mod failures;
pub mod findings;
mod first_screen;
mod folded;
pub mod formats;
mod further;
pub mod history;
mod html;
pub mod issues;
mod layers;
pub mod live;
mod markdown;
mod markup;
mod maxima;
mod method;
mod pair_table;
mod percentiles;
mod prepared;
mod profiles;
mod readings;
mod required;
mod rounding;
pub mod rules;
mod schema;
mod sections;
mod spread;
mod table;
mod target_figures;
mod terminal;
mod told_series;
#[cfg(test)]
mod typescript;
pub mod words;

pub use build::build_report;
pub use data::ReportData;
pub use diagnosis_screen::diagnosis_first_screen;
pub use first_screen::first_screen;
pub use html::{Served, history_html, report_html, served_page};
pub use markdown::judgement_markdown;
pub use schema::json_schema;
pub use terminal::terminal_text;
