//! What a million transactions cost, with the day of the price and what it includes: as lines for a person, as data.

use judge::Judgement;
use judge::cost::{Basis, Price};
use judge::units;
use schemars::JsonSchema;
use serde::Serialize;

use super::columns::{Alignment, aligned};
use super::data::EstimateData;

/// What stands over the table.
const HEADING: &str = "Cost of a million transactions";

/// The price of a million transactions.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PriceData {
    /// The workload.
    pub workload: String,
    /// The target.
    pub target: String,
    /// Clients; absent where nobody says.
    pub clients: Option<u32>,
    /// The throughput that it is of.
    pub throughput_per_s: EstimateData,
    /// What that throughput is, in words.
    pub basis: String,
    /// The price of a million transactions at that throughput; absent where its interval leaves open that nothing gets
    /// done.
    pub per_million: Option<EstimateData>,
    /// Its currency.
    pub currency: String,
    /// What an hour of the target costs.
    pub per_hour: String,
    /// The day of that price.
    pub as_of: String,
    /// What it includes.
    pub includes: String,
}

/// All prices.
pub(crate) fn data(judgement: &Judgement) -> Vec<PriceData> {
    judgement.prices.iter().map(one).collect()
}

fn one(price: &Price) -> PriceData {
    let Price { target, place, basis, throughput_per_s, per_million, cost } = price;
    PriceData {
        workload: place.workload.clone(),
        target: target.clone(),
        clients: place.clients.known(),
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
        Basis::Highest => "the highest that was measured",
        Basis::KeepsLimits => "the highest that keeps what the plan requires",
        Basis::Capacity => "the capacity",
    }
}

/// A line for each price, and one for what each target costs; none where the plan states no price.
pub(crate) fn lines(judgement: &Judgement) -> Option<(String, Vec<String>)> {
    let prices = data(judgement);
    let titles = ["workload", "target", "price", "95 % interval", "at", ""].map(str::to_owned);
    let rows: Vec<[String; 6]> = std::iter::once(titles).chain(prices.iter().map(row)).collect();
    let [left, right] = [Alignment::Left, Alignment::Right];
    let mut targets: Vec<String> = Vec::new();
    for PriceData { target, per_hour, currency, as_of, includes, .. } in &prices {
        let told = format!("{target}: {per_hour} {currency} an hour as of {as_of}, which includes: {includes}");
        if !targets.contains(&told) {
            targets.push(told);
        }
    }
    let lines = aligned(&rows, [left, left, right, right, right, left]).into_iter().chain(targets);
    (!prices.is_empty()).then(|| (HEADING.to_owned(), lines.collect()))
}

fn row(price: &PriceData) -> [String; 6] {
    let none = || "–".to_owned();
    [
        price.workload.clone(),
        price.target.clone(),
        price.per_million.map_or_else(none, |of| format!("{} {}", money(of.point), price.currency)),
        price.per_million.map_or_else(none, |of| format!("{} … {}", money(of.low), money(of.high))),
        units::tps(price.throughput_per_s.point),
        format!("{} ({})", units::clients(price.clients), price.basis),
    ]
}

/// Three significant digits, and cents at least.
fn money(amount: f64) -> String {
    let decimals = if amount > 0.0 { (2.0 - amount.log10().floor()).clamp(2.0, 9.0) } else { 2.0 };
    format!("{amount:.*}", decimals as usize)
}

#[cfg(test)]
mod tests {
    use super::money;

    #[test]
    fn an_amount_has_three_digits_that_say_something_and_cents_at_least() {
        let amounts = [12.3456, 1234.5, 0.012_345, 0.000_123_45, 1.0];
        assert_eq!(amounts.map(money), ["12.35", "1234.50", "0.0123", "0.000123", "1.00"]);
    }
}
