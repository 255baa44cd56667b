//! A table once for all forms: what its columns hold, what they are called by people and by programs, and its cells as
//! figures. People read figures with units and intervals in words; programs read bare numbers with units in the names.

use judge::compare::MetricJudgement;
use judge::{failures, units};
use stats::{Estimate, Interval};

use crate::words;

/// What stands where nothing was measured.
const MISSING: &str = "–";

/// A table of which a report may have several, such as one for each workload.
#[derive(Debug)]
pub struct TableKind {
    /// Its name for programs, as a file's without the ending.
    pub name: &'static str,
    /// What it holds, in a sentence.
    pub about: &'static str,
    /// Its columns, from left to right.
    pub columns: &'static [Column],
}

/// A column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// What people call it; `None`: only programs read it.
    pub title: Option<&'static str>,
    /// What programs call it, without the unit; `None`: only people read it.
    pub key: Option<&'static str>,
    /// What its cells hold.
    pub holds: Holds,
}

/// What the cells of a column hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Words.
    Words,
    /// A count, without a unit.
    Count,
    /// A figure.
    Figure(Unit),
    /// A figure and, for people in a column of its own, its 95 % interval.
    Estimate(Unit),
    /// A figure of which people see no interval.
    Point(Unit),
    /// A bar of a waterfall, which only a page draws.
    Bar,
}

/// The unit of a column's figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Transactions per second.
    Tps,
    /// Milliseconds.
    Milliseconds,
    /// A change as a share, such as −0.109: percent for people and programs.
    Change,
    /// A share, 0 to 1: percent for people and programs.
    Share,
    /// Money, whose currency is a column of its own.
    Money,
    /// Milliseconds to the microsecond, without the unit: parts of a whole below one another.
    Part,
    /// The same of what is added or left out, with its sign.
    Added,
    /// Each row has its own, which stands in its words.
    OfTheRow,
}

/// What a cell holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
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

/// The cells of a line, as many as the table has columns.
#[derive(Debug)]
pub struct Row {
    /// The cells.
    pub cells: Vec<Cell>,
    /// Whether it is to be seen first, such as a broken limit.
    pub stands_out: bool,
}

/// A table with its rows.
#[derive(Debug)]
pub struct Table {
    /// Its columns and its name.
    pub kind: &'static TableKind,
    /// What it is of, where a section has several.
    pub caption: Option<String>,
    /// Whether it is worth a place where there is little; a page folds the others.
    pub is_foremost: bool,
    /// Titles that depend on what is compared, by the key of their column.
    pub renamed: Vec<(&'static str, String)>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Sentences that belong to its figures.
    pub notes: Vec<String>,
}

impl Column {
    /// Both read it.
    pub const fn new(title: &'static str, key: &'static str, holds: Holds) -> Self {
        Self { title: Some(title), key: Some(key), holds }
    }

    /// Words that only people read.
    pub const fn for_people(title: &'static str) -> Self {
        Self { title: Some(title), key: None, holds: Holds::Words }
    }

    /// Bars that only a page draws.
    pub const fn of_bars(title: &'static str) -> Self {
        Self { title: Some(title), key: None, holds: Holds::Bar }
    }

    /// What only programs read.
    pub const fn for_programs(key: &'static str, holds: Holds) -> Self {
        Self { title: None, key: Some(key), holds }
    }

    /// The titles of what people see of it.
    pub fn people_titles(&self) -> Vec<&'static str> {
        match (self.title, self.holds) {
            (None, _) | (_, Holds::Bar) => Vec::new(),
            (Some(title), Holds::Estimate(_)) => vec![title, "95 % interval"],
            (Some(title), Holds::Words | Holds::Count | Holds::Figure(_) | Holds::Point(_)) => vec![title],
        }
    }

    /// Whether its digits are to stand below one another.
    pub fn is_number(&self) -> bool {
        self.holds != Holds::Words
    }

    /// The names of its fields for programs.
    pub fn program_fields(&self) -> Vec<String> {
        let Some(key) = self.key else { return Vec::new() };
        let with_unit = |end: &str, unit: Unit| format!("{key}{end}{}", unit.name_ending());
        match self.holds {
            Holds::Bar => Vec::new(),
            Holds::Words | Holds::Count => vec![key.to_owned()],
            Holds::Figure(unit) => vec![with_unit("", unit)],
            Holds::Estimate(unit) | Holds::Point(unit) => {
                ["", "_low", "_high"].map(|end| with_unit(end, unit)).to_vec()
            }
        }
    }
}

impl Unit {
    /// At the end of a name.
    fn name_ending(self) -> &'static str {
        match self {
            Self::Tps => "_tps",
            Self::Milliseconds | Self::Part | Self::Added => "_ms",
            Self::Change | Self::Share => "_percent",
            Self::Money => "_in_currency",
            Self::OfTheRow => "",
        }
    }

    /// By what a figure is multiplied for programs.
    fn factor_for_programs(self) -> f64 {
        match self {
            Self::Change | Self::Share => 100.0,
            Self::Tps | Self::Milliseconds | Self::Part | Self::Added | Self::Money | Self::OfTheRow => 1.0,
        }
    }

    fn in_words(self, figure: f64) -> String {
        match self {
            Self::Tps => units::tps(figure),
            Self::Milliseconds => units::milliseconds(figure),
            Self::Change => units::change(figure),
            Self::Share => failures::percent(figure),
            Self::Part => with_minus_sign(&format!("{figure:.3}")),
            Self::Added => with_minus_sign(&format!("{figure:+.3}")),
            Self::Money => money_in_words(figure),
            Self::OfTheRow => units::count(figure),
        }
    }

    fn interval_in_words(self, ends: &Interval) -> String {
        match self {
            Self::Tps => units::range(ends.low, ends.high),
            Self::Change => units::change_interval(ends.low, ends.high),
            Self::Added => format!("[{}, {}]", self.in_words(ends.low), self.in_words(ends.high)),
            Self::Milliseconds | Self::Part | Self::Share | Self::Money | Self::OfTheRow => {
                format!("{} … {}", self.in_words(ends.low), self.in_words(ends.high))
            }
        }
    }

    /// The interval of a figure that is never negative does not always tell its order of magnitude.
    fn interval_of(self, estimate: &Estimate) -> String {
        match self {
            Self::Tps | Self::Milliseconds => words::figure_interval(estimate, |ends| self.interval_in_words(ends)),
            Self::Part | Self::Added | Self::Change | Self::Share | Self::Money | Self::OfTheRow => {
                self.interval_in_words(&estimate.interval)
            }
        }
    }
}

impl Cell {
    /// A figure that may be missing.
    pub fn estimate(of: Option<Estimate>) -> Self {
        of.map_or(Self::Missing, Self::Estimate)
    }

    /// A count that may not be known.
    pub fn count(of: Option<u32>) -> Self {
        of.map_or(Self::Missing, |count| Self::Count(u64::from(count)))
    }

    /// A change, which may not be known though there is an interval.
    pub fn change(judged: &MetricJudgement, threshold: f64) -> Self {
        match (judged.change, judged.known_change()) {
            (_, Some(change)) => Self::Judged(change, threshold),
            (Some(_), None) => Self::NotKnown,
            (None, None) => Self::Missing,
        }
    }

    /// Words.
    pub fn words(text: impl Into<String>) -> Self {
        Self::Words(text.into())
    }

    /// What people read, one text for each of the column's titles.
    pub fn people_texts(&self, column: &Column) -> Vec<String> {
        let missing = || MISSING.to_owned();
        let unit = match column.holds {
            Holds::Figure(unit) | Holds::Estimate(unit) | Holds::Point(unit) => unit,
            Holds::Words | Holds::Count | Holds::Bar => Unit::OfTheRow,
        };
        let (figure, interval) = match self {
            Self::Missing | Self::Bar(_) => (missing(), missing()),
            Self::NotKnown => (missing(), format!("{} (needs more blocks)", words::NOT_KNOWN)),
            Self::Words(text) => (text.clone(), missing()),
            Self::Count(count) => (count.to_string(), missing()),
            Self::Figure(figure) => (unit.in_words(*figure), missing()),
            Self::Estimate(estimate) => (unit.in_words(estimate.point), unit.interval_of(estimate)),
            Self::Judged(change, threshold) => {
                let Interval { low, high } = change.interval;
                (units::change(change.point), units::change_interval_beside(low, high, *threshold))
            }
        };
        let mut texts = vec![figure, interval];
        texts.truncate(column.people_titles().len());
        texts
    }

    /// What programs read, one field for each of the column's names; what is missing is empty.
    pub fn program_fields(&self, column: &Column) -> Vec<String> {
        let factor = match column.holds {
            Holds::Words | Holds::Count | Holds::Bar => 1.0,
            Holds::Figure(unit) | Holds::Estimate(unit) | Holds::Point(unit) => unit.factor_for_programs(),
        };
        let number = |figure: f64| (figure * factor).to_string();
        let mut fields = match self {
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

impl Row {
    /// A row like others.
    pub fn of(cells: Vec<Cell>) -> Self {
        Self { cells, stands_out: false }
    }

    /// Its bar, where the table has bars.
    pub fn bar_of_row(&self) -> Option<&Bar> {
        self.cells.iter().find_map(|cell| if let Cell::Bar(bar) = cell { Some(bar) } else { None })
    }
}

impl Table {
    /// The only table of its section.
    pub fn of(kind: &'static TableKind, rows: Vec<Row>) -> Self {
        Self { kind, caption: None, is_foremost: true, renamed: Vec::new(), rows, notes: Vec::new() }
    }

    /// The columns that people read, each with whether it holds figures.
    pub fn people_titles(&self) -> Vec<(String, bool)> {
        let mut titles = Vec::new();
        for column in self.kind.columns {
            let renamed = self.renamed.iter().find(|(key, _)| column.key == Some(key));
            for (index, title) in column.people_titles().into_iter().enumerate() {
                let title = renamed.filter(|_| index == 0).map_or(title, |(_, title)| title);
                titles.push((title.to_owned(), column.is_number()));
            }
        }
        titles
    }

    /// The rows as people read them.
    pub fn people_texts(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for row in &self.rows {
            let cells = row.cells.iter().zip(self.kind.columns);
            rows.push(cells.flat_map(|(cell, column)| cell.people_texts(column)).collect());
        }
        rows
    }

    /// Before which of the titles a page draws the bars, and what stands above them.
    pub fn bars_column(&self) -> Option<(usize, &'static str)> {
        let at = self.kind.columns.iter().position(|column| column.holds == Holds::Bar)?;
        let before = self.kind.columns[..at].iter().map(|column| column.people_titles().len()).sum();
        Some((before, self.kind.columns[at].title?))
    }
}

/// With a true minus sign.
fn with_minus_sign(text: &str) -> String {
    text.replace('-', "\u{2212}")
}

/// Three significant digits, and cents at least.
fn money_in_words(amount: f64) -> String {
    let decimals = if amount > 0.0 { (2.0 - amount.log10().floor()).clamp(2.0, 9.0) } else { 2.0 };
    format!("{amount:.*}", decimals as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(holds: Holds) -> Column {
        Column::new("title", "key", holds)
    }

    #[test]
    fn an_amount_has_three_digits_that_say_something_and_cents_at_least() {
        let amounts = [12.3456, 1234.5, 0.012_345, 0.000_123_45, 1.0];
        assert_eq!(amounts.map(money_in_words), ["12.35", "1234.50", "0.0123", "0.000123", "1.00"]);
    }

    #[test]
    fn a_cell_has_a_text_for_each_title_and_a_field_for_each_name() {
        let estimate = Estimate { point: 2.0, interval: Interval { low: 1.0, high: 4.0 }, n: 3 };
        let units = [
            Unit::Tps,
            Unit::Milliseconds,
            Unit::Change,
            Unit::Share,
            Unit::Money,
            Unit::Part,
            Unit::Added,
            Unit::OfTheRow,
        ];
        let mut kinds = vec![Holds::Words, Holds::Count, Holds::Bar];
        kinds.extend(units.iter().flat_map(|unit| [Holds::Figure(*unit), Holds::Estimate(*unit), Holds::Point(*unit)]));
        for holds in kinds {
            for title in [Some("title"), None] {
                let column = Column { title, ..column(holds) };
                for cell in [
                    Cell::Missing,
                    Cell::NotKnown,
                    Cell::words("text"),
                    Cell::Count(7),
                    Cell::Figure(1.5),
                    Cell::Estimate(estimate),
                    Cell::Judged(estimate, 0.03),
                    Cell::Bar(Bar { baseline: 1.0, candidate: 2.0, change: estimate }),
                ] {
                    assert_eq!(cell.people_texts(&column).len(), column.people_titles().len(), "{holds:?} {cell:?}");
                    assert_eq!(cell.program_fields(&column).len(), column.program_fields().len(), "{holds:?} {cell:?}");
                }
            }
        }
    }

    #[test]
    fn people_read_units_and_programs_bare_numbers() {
        let estimate = Cell::Estimate(Estimate { point: -0.1, interval: Interval { low: -0.2, high: -0.05 }, n: 3 });
        let change = column(Holds::Estimate(Unit::Change));
        assert_eq!(estimate.people_texts(&change), ["−10.0 %", "−20.0 … −5.0 %"]);
        assert_eq!(estimate.program_fields(&change), ["-10", "-20", "-5"]);
        assert_eq!(change.program_fields(), ["key_percent", "key_low_percent", "key_high_percent"]);
        assert_eq!(Cell::Missing.people_texts(&change), ["–", "–"]);
        assert_eq!(Cell::Missing.program_fields(&change), ["", "", ""], "what is missing is no zero");
    }
}
