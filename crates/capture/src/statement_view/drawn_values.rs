//! Values drawn from the statistics of a column: its most common values as often as they occur, else between the bounds
//! of its histogram. Pure.

/// Where the values of a parameter come from.
#[derive(Debug, Clone, PartialEq)]
pub enum DrawnValues {
    /// Always this one.
    Constant(String),
    /// The values that the column has.
    OfColumn(ColumnStatistics),
    /// The same as the only element of an array.
    ArrayOfColumn(ColumnStatistics),
    /// A row gets them: NULL as often as in the column, and values that it does not have where it is unique.
    StoredIn(ColumnStatistics),
}

/// What `pg_stats` says of a column.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ColumnStatistics {
    /// The name of its type in `pg_type`.
    pub type_name: String,
    /// `null_frac`.
    pub null_share: f64,
    /// A unique index has this column alone.
    pub is_unique: bool,
    /// The highest value of a column of whole numbers that is unique.
    pub highest: Option<i64>,
    /// `most_common_vals` with `most_common_freqs`.
    pub common: Vec<(String, f64)>,
    /// `histogram_bounds`.
    pub bounds: Vec<String>,
}

impl ColumnStatistics {
    /// Whether there is a value in it.
    #[must_use]
    pub fn has_values(&self) -> bool {
        !self.common.is_empty() || !self.bounds.is_empty()
    }
}

/// Draws values of one parameter.
pub(super) struct ValueDrawer {
    values: DrawnValues,
    /// How many values the column did not have have been made.
    made: u64,
}

impl ValueDrawer {
    pub(super) fn of_values(values: &DrawnValues) -> Self {
        Self { values: values.clone(), made: 0 }
    }

    /// The next value; `None`: NULL.
    pub(super) fn draw_value(&mut self, random: &mut DrawRandom) -> Option<String> {
        match &self.values {
            DrawnValues::Constant(text) => Some(text.clone()),
            DrawnValues::OfColumn(column) => Some(column.draw_present(random)),
            DrawnValues::ArrayOfColumn(column) => {
                let value = column.draw_present(random).replace('\\', "\\\\").replace('"', "\\\"");
                Some(format!("{{\"{value}\"}}"))
            }
            DrawnValues::StoredIn(column) => {
                if random.draw_share() < column.null_share {
                    return None;
                }
                if !column.is_unique {
                    return Some(column.draw_present(random));
                }
                self.made += 1;
                Some(column.make_new(self.made))
            }
        }
    }
}

/// Types between two values of which every whole number is one.
pub const WHOLE_NUMBERS: [&str; 3] = ["int2", "int4", "int8"];
/// Types between two values of which there are numbers.
const NUMBERS: [&str; 3] = ["float4", "float8", "numeric"];

impl ColumnStatistics {
    /// A value that is not NULL.
    fn draw_present(&self, random: &mut DrawRandom) -> String {
        let present = (1.0 - self.null_share).max(f64::MIN_POSITIVE);
        let common: f64 = self.common.iter().map(|(_, share)| share / present).sum();
        let mut place = random.draw_share();
        // Shares are rounded; without a histogram the common values are all.
        if self.bounds.is_empty() && common > 0.0 {
            place *= common;
        }
        for (value, share) in &self.common {
            place -= share / present;
            if place < 0.0 {
                return value.clone();
            }
        }
        match self.bounds.len() {
            0 => self.common.last().map(|(value, _)| value.clone()).unwrap_or_default(),
            1 => self.bounds[0].clone(),
            count => {
                let bucket = random.draw_below(count as u64 - 1) as usize;
                self.draw_between(&self.bounds[bucket], &self.bounds[bucket + 1], random)
            }
        }
    }

    /// A value between two bounds; of types that have no numbers one of the bounds.
    fn draw_between(&self, low: &str, high: &str, random: &mut DrawRandom) -> String {
        let type_name = self.type_name.as_str();
        if WHOLE_NUMBERS.contains(&type_name)
            && let (Ok(low), Ok(high)) = (low.parse::<i64>(), high.parse::<i64>())
        {
            let width = high.abs_diff(low).saturating_add(1);
            return low.saturating_add_unsigned(random.draw_below(width)).to_string();
        }
        if NUMBERS.contains(&type_name)
            && let (Ok(from), Ok(to)) = (low.parse::<f64>(), high.parse::<f64>())
        {
            let decimals = [low, high].map(|text| text.split_once('.').map_or(0, |(_, rest)| rest.len()));
            let value = from + (to - from) * random.draw_share();
            return format!("{value:.*}", decimals[0].max(decimals[1]));
        }
        if random.draw_below(2) == 0 { low.to_owned() } else { high.to_owned() }
    }

    /// The nth value that the column does not have.
    fn make_new(&self, number: u64) -> String {
        let last = self.bounds.last().map_or("", String::as_str);
        if self.type_name == "uuid" {
            return format!("70676479-6e6f-4000-8000-{number:012x}");
        }
        match self.highest.or_else(|| last.parse().ok()) {
            Some(highest) => highest.saturating_add_unsigned(number).to_string(),
            None => format!("{last}-{number}"),
        }
    }
}

/// Random numbers from a seed (splitmix64).
pub(super) struct DrawRandom {
    state: u64,
}

impl DrawRandom {
    pub(super) fn with_seed(seed: u64) -> Self {
        Self { state: seed }
    }

    fn next_bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A whole number from 0 to below this one, which is not 0.
    fn draw_below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next_bits()) * u128::from(end)) >> 64) as u64
    }

    /// From 0 to below 1.
    fn draw_share(&mut self) -> f64 {
        (self.next_bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Any order is as likely as any other.
    pub(super) fn shuffle_places(&mut self, places: &mut [usize]) {
        for last in (1..places.len()).rev() {
            places.swap(last, self.draw_below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(values: &DrawnValues, count: usize) -> Vec<Option<String>> {
        let (mut drawer, mut random) = (ValueDrawer::of_values(values), DrawRandom::with_seed(1));
        (0..count).map(|_| drawer.draw_value(&mut random)).collect()
    }

    #[test]
    fn common_values_come_as_often_as_they_occur_and_others_lie_between_the_bounds() {
        let column = ColumnStatistics {
            type_name: "numeric".to_owned(),
            null_share: 0.5,
            common: vec![("7.00".to_owned(), 0.25)],
            bounds: vec!["10.00".to_owned(), "20.00".to_owned(), "40.00".to_owned()],
            ..ColumnStatistics::default()
        };
        let all = drawn(&DrawnValues::OfColumn(column.clone()), 4_000);
        let common = all.iter().filter(|value| value.as_deref() == Some("7.00")).count();
        assert!((1_800..2_200).contains(&common), "half of the values that are not NULL: {common}");
        let others = all.iter().flatten().filter(|value| *value != "7.00");
        let others: Vec<f64> = others.map(|value| value.parse().expect("a number")).collect();
        assert!(others.iter().all(|value| (10.0..=40.0).contains(value)));
        let low = others.iter().filter(|value| **value < 20.0).count();
        assert!(low.abs_diff(others.len() / 2) < 150, "both buckets have as many values: {low} of {}", others.len());
        let stored = drawn(&DrawnValues::StoredIn(column), 4_000);
        let nulls = stored.iter().filter(|value| value.is_none()).count();
        assert!((1_800..2_200).contains(&nulls), "{nulls}");
    }

    #[test]
    fn what_is_stored_in_a_unique_column_is_new_each_time() {
        let column = |type_name: &str, last: &str| ColumnStatistics {
            type_name: type_name.to_owned(),
            is_unique: true,
            bounds: vec![last.to_owned()],
            ..ColumnStatistics::default()
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(drawn(&DrawnValues::StoredIn(column("int4", "50")), 2), [some("51"), some("52")]);
        let later = ColumnStatistics { highest: Some(70), ..column("int4", "50") };
        assert_eq!(drawn(&DrawnValues::StoredIn(later), 1), [some("71")]);
        assert_eq!(drawn(&DrawnValues::StoredIn(column("text", "x")), 2), [some("x-1"), some("x-2")]);
        assert_eq!(
            drawn(&DrawnValues::StoredIn(column("uuid", "x")), 1),
            [some("70676479-6e6f-4000-8000-000000000001")]
        );
    }

    #[test]
    fn an_array_has_one_element_in_quotes() {
        let column = ColumnStatistics { bounds: vec!["a\"b".to_owned()], ..ColumnStatistics::default() };
        assert_eq!(drawn(&DrawnValues::ArrayOfColumn(column), 1), [Some("{\"a\\\"b\"}".to_owned())]);
    }
}
