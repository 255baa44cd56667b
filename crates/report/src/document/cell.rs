//! The cells of a table as figures: people read them with units and intervals in words, programs read bare numbers.

use judge::compare::MetricJudgement;
use judge::units;
use stats::{ClosedInterval, Estimate};

use super::column::{ColumnUnit, DocumentColumn, Holds};
use crate::words;

/// One of the columns of what a table lists.
const OF_EACH: DocumentColumn = DocumentColumn::new("each", "each", Holds::Words);
/// What stands where nothing was measured.
const MISSING: &str = "–";

/// What a cell holds.
#[derive(Debug, Clone, PartialEq)]
pub enum TableCell {
    /// Nothing is known.
    Missing,
    /// Words.
    Words(String),
    /// A count.
    Count(u64),
    /// A figure without an interval.
    Figure(f64),
    /// A figure with its interval.
    Estimate(Estimate),
    /// A change that was judged by a practical threshold, as a share: the ends of its interval show on which side of it
    /// they lie.
    Judged(Estimate, f64),
    /// A bar.
    Bar(Bar),
    /// There is an interval, and it does not tell the order of magnitude.
    NotKnown,
    /// Words for each of what the table lists.
    Each(Vec<TableCell>),
    /// Words that tell people more than the figure that programs read.
    Worded(String, Box<TableCell>),
}

/// A step of a waterfall: from where the step before it ended, by its change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// The baseline's figure.
    pub baseline: f64,
    /// The candidate's.
    pub candidate: f64,
    /// Candidate less baseline.
    pub change: Estimate,
}

impl TableCell {
    /// A figure that may be missing.
    pub fn optional_estimate(of: Option<Estimate>) -> Self {
        of.map_or(Self::Missing, Self::Estimate)
    }

    /// A count that may not be known.
    pub fn optional_count(of: Option<u32>) -> Self {
        of.map_or(Self::Missing, |count| Self::Count(u64::from(count)))
    }

    /// A change, which may not be known though there is an interval.
    pub fn change_of_metric(judged: &MetricJudgement, threshold: f64) -> Self {
        match (judged.change, judged.known_change()) {
            (_, Some(change)) => Self::Judged(change, threshold),
            (Some(_), None) => Self::NotKnown,
            (None, None) => Self::Missing,
        }
    }

    /// Words.
    pub fn from_words(text: impl Into<String>) -> Self {
        Self::Words(text.into())
    }

    /// Words for people, and for programs a figure.
    pub fn words_with_figure(text: impl Into<String>, figure: Self) -> Self {
        Self::Worded(text.into(), Box::new(figure))
    }

    /// What people read, one text for each of the column's titles.
    pub fn people_texts(&self, column: &DocumentColumn) -> Vec<String> {
        let unit = match column.holds {
            Holds::Figure(unit) | Holds::Estimate(unit) | Holds::Point(unit) => unit,
            Holds::Words | Holds::Code | Holds::Verdict | Holds::Each | Holds::Count | Holds::Bar => {
                ColumnUnit::OfTheRow
            }
        };
        let (figure, interval) = match self {
            Self::Each(cells) => return cells.iter().flat_map(|cell| cell.people_texts(&OF_EACH)).collect(),
            Self::Missing | Self::Bar(_) => (MISSING.to_owned(), MISSING.to_owned()),
            Self::NotKnown => (MISSING.to_owned(), format!("{} (needs more blocks)", words::NOT_KNOWN)),
            Self::Words(text) | Self::Worded(text, _) => (text.clone(), MISSING.to_owned()),
            Self::Count(count) => (count.to_string(), MISSING.to_owned()),
            Self::Figure(figure) => (unit.in_words(*figure), MISSING.to_owned()),
            Self::Estimate(estimate) => (unit.in_words(estimate.point), unit.interval_of(estimate)),
            Self::Judged(change, threshold) => {
                let ClosedInterval { low, high } = change.interval;
                let point = units::format_judged_change(change.point, low, high);
                (point, units::change_interval_beside(low, high, *threshold))
            }
        };
        let mut texts = vec![figure, interval];
        texts.truncate(column.people_titles().len());
        texts
    }

    /// What programs read, one field for each of the column's names; what is missing is empty.
    pub fn program_fields(&self, column: &DocumentColumn) -> Vec<String> {
        let factor = match column.holds {
            Holds::Words | Holds::Code | Holds::Verdict | Holds::Each | Holds::Count | Holds::Bar => 1.0,
            Holds::Figure(unit) | Holds::Estimate(unit) | Holds::Point(unit) => unit.factor_for_programs(),
        };
        let number = |figure: f64| (figure * factor).to_string();
        let mut fields = match self {
            Self::Each(cells) => return cells.iter().flat_map(|cell| cell.program_fields(&OF_EACH)).collect(),
            Self::Worded(_, figure) => return figure.program_fields(column),
            Self::Missing | Self::NotKnown | Self::Bar(_) => Vec::new(),
            Self::Words(text) => vec![text.clone()],
            Self::Count(count) => vec![count.to_string()],
            Self::Figure(figure) => vec![number(*figure)],
            Self::Estimate(estimate) | Self::Judged(estimate, _) => {
                [estimate.point, estimate.interval.low, estimate.interval.high].map(number).to_vec()
            }
        };
        fields.resize(column.program_fields().len(), String::new());
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(holds: Holds) -> DocumentColumn {
        DocumentColumn::new("title", "key", holds)
    }

    #[test]
    fn a_cell_has_a_text_for_each_title_and_a_field_for_each_name() {
        let estimate = Estimate { point: 2.0, interval: ClosedInterval { low: 1.0, high: 4.0 }, n: 3 };
        let units = [
            ColumnUnit::Tps,
            ColumnUnit::Iops,
            ColumnUnit::BytesPerS,
            ColumnUnit::Milliseconds,
            ColumnUnit::Change,
            ColumnUnit::Share,
            ColumnUnit::Money,
            ColumnUnit::Part,
            ColumnUnit::Added,
            ColumnUnit::OfTheRow,
        ];
        let mut kinds = vec![Holds::Words, Holds::Code, Holds::Verdict, Holds::Count, Holds::Bar];
        kinds.extend(units.iter().flat_map(|unit| [Holds::Figure(*unit), Holds::Estimate(*unit), Holds::Point(*unit)]));
        for holds in kinds {
            for title in [Some("title"), None] {
                let column = DocumentColumn { title, ..column(holds) };
                for cell in [
                    TableCell::Missing,
                    TableCell::NotKnown,
                    TableCell::words_with_figure("none", TableCell::Estimate(estimate)),
                    TableCell::from_words("text"),
                    TableCell::Count(7),
                    TableCell::Figure(1.5),
                    TableCell::Estimate(estimate),
                    TableCell::Judged(estimate, 0.03),
                    TableCell::Bar(Bar { baseline: 1.0, candidate: 2.0, change: estimate }),
                ] {
                    assert_eq!(cell.people_texts(&column).len(), column.people_titles().len(), "{holds:?} {cell:?}");
                    assert_eq!(cell.program_fields(&column).len(), column.program_fields().len(), "{holds:?} {cell:?}");
                }
            }
        }
    }

    #[test]
    fn people_read_units_and_programs_bare_numbers() {
        let estimate =
            TableCell::Estimate(Estimate { point: -0.1, interval: ClosedInterval { low: -0.2, high: -0.05 }, n: 3 });
        let change = column(Holds::Estimate(ColumnUnit::Change));
        assert_eq!(estimate.people_texts(&change), ["−10.0 %", "[−20.0, −5.0] %"]);
        assert_eq!(estimate.program_fields(&change), ["-10", "-20", "-5"]);
        assert_eq!(change.program_fields(), ["key_percent", "key_low_percent", "key_high_percent"]);
        assert_eq!(TableCell::Missing.people_texts(&change), ["–", "–"]);
        assert_eq!(TableCell::Missing.program_fields(&change), ["", "", ""], "what is missing is no zero");
    }
}
