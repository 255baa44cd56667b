//! When two values of a fact are different, and how a value is written.

use results::catalog::CatalogValue;

use super::fact_meaning::{FIGURE_TIMES, FactComparison, FactMeaning};
use super::object_pairs::is_said_alike;

/// Whether two values differ by more than a sample of the same rows does.
pub(super) fn is_different(
    meaning: &FactMeaning,
    here: Option<&CatalogValue>,
    there: Option<&CatalogValue>,
    same_version: bool,
) -> bool {
    match meaning.comparison {
        FactComparison::Never => false,
        FactComparison::Exact => here != there,
        FactComparison::Expression => match (here, there) {
            (Some(CatalogValue::Text(ours)), Some(CatalogValue::Text(theirs))) => {
                !is_said_alike(ours, theirs, same_version)
            }
            _ => here != there,
        },
        FactComparison::WhereRead => here.is_some() && there.is_some() && here != there,
        FactComparison::OfOneVersion => same_version && here != there,
        // What a role may not read is missing, and no difference.
        FactComparison::Times { of_at_least } => match (number_of_value(here), number_of_value(there)) {
            (Some(ours), Some(theirs)) => are_times_apart(ours, theirs, of_at_least),
            _ => false,
        },
        FactComparison::Apart(by) => match (number_of_value(here), number_of_value(there)) {
            (Some(ours), Some(theirs)) => (ours - theirs).abs() >= by,
            _ => false,
        },
    }
}

pub(super) fn are_times_apart(one: f64, other: f64, of_at_least: f64) -> bool {
    let (less, more) = (one.abs().min(other.abs()), one.abs().max(other.abs()));
    more >= of_at_least && more >= FIGURE_TIMES * less
}

fn number_of_value(value: Option<&CatalogValue>) -> Option<f64> {
    match value {
        Some(CatalogValue::Number(number)) => Some(*number),
        _ => None,
    }
}

/// What a fact is that a catalog leaves out, since it is as by default.
pub(super) fn default_in_words(fact: &str, values: [Option<&CatalogValue>; 2]) -> &'static str {
    if values.contains(&Some(&CatalogValue::Flag(true))) {
        return "no";
    }
    match fact {
        "persistence" => "permanent",
        "partition key" | "partitions" => "not partitioned",
        "enabled" => "yes",
        "publications" => "0",
        _ => "default",
    }
}

pub(super) fn value_in_words(value: &CatalogValue) -> String {
    match value {
        CatalogValue::Flag(true) => "yes".to_owned(),
        CatalogValue::Flag(false) => "no".to_owned(),
        CatalogValue::Number(number) => format!("{number}"),
        CatalogValue::Text(text) => text.clone(),
    }
}
