//! The columns of a table: what they hold, and what they are called by people and by programs.

use judge::{failures, units};
use stats::{ClosedInterval, Estimate};

use crate::words;

/// A column.
#[derive(Debug, Clone, Copy)]
pub struct DocumentColumn {
    /// What people call it; `None`: only programs read it.
    pub title: Option<&'static str>,
    /// What programs call it, without the unit; `None`: only people read it.
    pub key: Option<&'static str>,
    /// What its cells hold.
    pub holds: Holds,
    /// Whether people see it only where there is room for it, on a page.
    pub is_for_page: bool,
}

/// How much room a form of the report has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableRoom {
    /// A terminal and Markdown: the columns that matter most, and the begin of a statement.
    Little,
    /// A page: all columns, and whole statements.
    Page,
}

/// What the cells of a column hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Words.
    Words,
    /// A statement or a command.
    Code,
    /// A verdict, which a terminal colours.
    Verdict,
    /// Words for each of what the table lists, such as its targets: as many columns.
    Each,
    /// A count, without a unit.
    Count,
    /// A figure.
    Figure(ColumnUnit),
    /// A figure and, for people in a column of its own, its 95 % interval.
    Estimate(ColumnUnit),
    /// A figure of which people see no interval.
    Point(ColumnUnit),
    /// A bar of a waterfall, which only a page draws.
    Bar,
}

/// The unit of a column's figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnUnit {
    /// Transactions per second.
    Tps,
    /// Requests of a disk per second.
    Iops,
    /// Bytes per second.
    BytesPerS,
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

impl DocumentColumn {
    /// Both read it.
    pub const fn new(title: &'static str, key: &'static str, holds: Holds) -> Self {
        Self { title: Some(title), key: Some(key), holds, is_for_page: false }
    }

    /// Words that only people read.
    pub const fn for_people(title: &'static str) -> Self {
        Self { title: Some(title), key: None, holds: Holds::Words, is_for_page: false }
    }

    /// As many columns of words as the table lists names for.
    pub const fn of_each() -> Self {
        Self { title: Some(""), key: Some(""), holds: Holds::Each, is_for_page: false }
    }

    /// Figures that only people read, in words.
    pub const fn in_words(title: &'static str) -> Self {
        Self { title: Some(title), key: None, holds: Holds::Figure(ColumnUnit::OfTheRow), is_for_page: false }
    }

    /// Bars that only a page draws.
    pub const fn of_bars(title: &'static str) -> Self {
        Self { title: Some(title), key: None, holds: Holds::Bar, is_for_page: true }
    }

    /// What only programs read.
    pub const fn for_programs(key: &'static str, holds: Holds) -> Self {
        Self { title: None, key: Some(key), holds, is_for_page: false }
    }

    /// The same, which people see only where there is room for it.
    pub const fn on_page(self) -> Self {
        Self { is_for_page: true, ..self }
    }

    /// Whether people see it.
    pub fn is_shown(&self, room: TableRoom) -> bool {
        self.title.is_some() && (room == TableRoom::Page || !self.is_for_page)
    }

    /// The titles of what people see of it, without those that the table lists.
    pub fn people_titles(&self) -> Vec<&'static str> {
        match (self.title, self.holds) {
            (None, _) | (_, Holds::Bar | Holds::Each) => Vec::new(),
            (Some(title), Holds::Estimate(_)) => vec![title, "95 % interval"],
            (
                Some(title),
                Holds::Words | Holds::Code | Holds::Verdict | Holds::Count | Holds::Figure(_) | Holds::Point(_),
            ) => vec![title],
        }
    }

    /// Whether its digits are to stand below one another.
    pub fn is_number(&self) -> bool {
        !matches!(self.holds, Holds::Words | Holds::Code | Holds::Verdict | Holds::Each)
    }

    /// The names of its fields for programs, without those that the table lists.
    pub fn program_fields(&self) -> Vec<String> {
        let Some(key) = self.key else { return Vec::new() };
        let with_unit = |end: &str, unit: ColumnUnit| format!("{key}{end}{}", unit.name_ending());
        match self.holds {
            Holds::Bar | Holds::Each => Vec::new(),
            Holds::Words | Holds::Code | Holds::Verdict | Holds::Count => vec![key.to_owned()],
            Holds::Figure(unit) => vec![with_unit("", unit)],
            Holds::Estimate(unit) | Holds::Point(unit) => {
                ["", "_low", "_high"].map(|end| with_unit(end, unit)).to_vec()
            }
        }
    }
}

impl ColumnUnit {
    /// At the end of a name.
    fn name_ending(self) -> &'static str {
        match self {
            Self::Tps => "_tps",
            Self::Iops => "_iops",
            Self::BytesPerS => "_bytes_per_s",
            Self::Milliseconds | Self::Part | Self::Added => "_ms",
            Self::Change | Self::Share => "_percent",
            Self::Money => "_in_currency",
            Self::OfTheRow => "",
        }
    }

    /// By what a figure is multiplied for programs.
    pub(super) fn factor_for_programs(self) -> f64 {
        match self {
            Self::Change | Self::Share => 100.0,
            Self::Tps
            | Self::Iops
            | Self::BytesPerS
            | Self::Milliseconds
            | Self::Part
            | Self::Added
            | Self::Money
            | Self::OfTheRow => 1.0,
        }
    }

    pub(super) fn in_words(self, figure: f64) -> String {
        match self {
            Self::Tps => units::format_tps(figure),
            Self::Iops => units::format_iops(figure),
            Self::BytesPerS => units::bytes_per_s(figure),
            Self::Milliseconds => units::format_milliseconds(figure),
            Self::Change => units::format_change(figure),
            Self::Share => failures::format_small_percent(figure),
            Self::Part => with_minus_sign(&format!("{figure:.3}")),
            Self::Added => with_minus_sign(&format!("{figure:+.3}")),
            Self::Money => money_in_words(figure),
            Self::OfTheRow => units::format_count(figure),
        }
    }

    fn interval_in_words(self, ends: &ClosedInterval) -> String {
        if self == Self::Change {
            return units::change_interval(ends.low, ends.high);
        }
        units::format_interval(&self.in_words(ends.low), &self.in_words(ends.high))
    }

    /// The interval of a figure that is never negative does not always tell its order of magnitude.
    pub(super) fn interval_of(self, estimate: &Estimate) -> String {
        match self {
            Self::Tps | Self::Milliseconds => words::figure_interval(estimate, |ends| self.interval_in_words(ends)),
            Self::Iops
            | Self::BytesPerS
            | Self::Part
            | Self::Added
            | Self::Change
            | Self::Share
            | Self::Money
            | Self::OfTheRow => self.interval_in_words(&estimate.interval),
        }
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
    use super::money_in_words;

    #[test]
    fn an_amount_has_three_digits_that_say_something_and_cents_at_least() {
        let amounts = [12.3456, 1234.5, 0.012_345, 0.000_123_45, 1.0];
        assert_eq!(amounts.map(money_in_words), ["12.35", "1234.50", "0.0123", "0.000123", "1.00"]);
    }
}
