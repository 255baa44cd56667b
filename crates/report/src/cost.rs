//! What a million transactions cost, with the day of the price and what it includes: as lines for a person, as data.

use judge::Judgement;
use judge::cost::{Basis, WorkloadPrice};
use schemars::JsonSchema;
use serde::Serialize;

use super::data::EstimateData;
use super::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};

/// A price a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "cost",
    about: "Cost of a million transactions",
    columns: &[
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("target", "target", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::new("price", "per_million", Holds::Estimate(ColumnUnit::Money)),
        DocumentColumn::new("currency", "currency", Holds::Words),
        DocumentColumn::new("throughput", "throughput", Holds::Point(ColumnUnit::Tps)),
        DocumentColumn::new("basis", "basis", Holds::Words),
        DocumentColumn::for_programs("per_hour", Holds::Words),
        DocumentColumn::for_programs("as_of", Holds::Words),
        DocumentColumn::for_programs("includes", Holds::Words),
    ],
};

/// The price of a million transactions.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PriceData {
    /// The workload.
    pub workload: String,
    /// The target.
    pub target: String,
    /// Number of clients; absent if unknown.
    pub clients: Option<u32>,
    /// The throughput that the price is computed from.
    pub throughput_per_s: EstimateData,
    /// The basis of that throughput, in words.
    pub basis: String,
    /// The price of a million transactions at that throughput; absent if the interval of the throughput includes 0.
    pub per_million: Option<EstimateData>,
    /// Its currency.
    pub currency: String,
    /// The price of an hour of the target.
    pub per_hour: String,
    /// The day of that price.
    pub as_of: String,
    /// The resources that the price includes.
    pub includes: String,
}

/// All prices.
pub(crate) fn price_data(judgement: &Judgement) -> Vec<PriceData> {
    judgement.prices.iter().map(data_of_price).collect()
}

fn data_of_price(price: &WorkloadPrice) -> PriceData {
    let WorkloadPrice { target, place, basis, throughput_per_s, per_million, cost } = price;
    PriceData {
        workload: place.workload.clone(),
        target: target.clone(),
        clients: place.clients.known_count(),
        throughput_per_s: (*throughput_per_s).into(),
        basis: in_words(*basis).to_owned(),
        per_million: per_million.map(Into::into),
        currency: cost.currency.to_string(),
        per_hour: cost.per_hour.to_string(),
        as_of: cost.as_of.to_string(),
        includes: cost.includes.clone(),
    }
}

fn in_words(basis: Basis) -> &'static str {
    match basis {
        Basis::Highest => "highest measured",
        Basis::KeepsLimits => "highest that keeps the limits of the plan",
        Basis::Capacity => "capacity",
    }
}

/// A row for each price, and a note on what each target costs; none where the plan states no price.
pub(crate) fn cost_section(judgement: &Judgement) -> Option<ReportSection> {
    let mut rows = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    for WorkloadPrice { target, place, basis, throughput_per_s, per_million, cost } in &judgement.prices {
        let [per_hour, currency, as_of] =
            [cost.per_hour.to_string(), cost.currency.to_string(), cost.as_of.to_string()];
        let includes = &cost.includes;
        let note = format!("{target}: {per_hour} {currency} an hour as of {as_of}, including {includes}");
        if !notes.contains(&note) {
            notes.push(note);
        }
        rows.push(DocumentRow::from_cells(vec![
            TableCell::from_words(&place.workload),
            TableCell::from_words(target),
            TableCell::optional_count(place.clients.known_count()),
            TableCell::optional_estimate(*per_million),
            TableCell::from_words(currency),
            TableCell::Estimate(*throughput_per_s),
            TableCell::from_words(in_words(*basis)),
            TableCell::from_words(per_hour),
            TableCell::from_words(as_of),
            TableCell::from_words(includes),
        ]));
    }
    if rows.is_empty() {
        return None;
    }
    let mut blocks = vec![SectionBlock::Table(DocumentTable::from_rows(&TABLE, rows))];
    blocks.extend(notes.into_iter().map(SectionBlock::Note));
    Some(ReportSection { id: "cost", title: "Cost of a million transactions".to_owned(), blocks })
}
