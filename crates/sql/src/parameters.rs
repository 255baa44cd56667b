//! What the parameters of a statement are for, as far as its words show it: which column each is compared with or
//! stored into. Names are as they are written; which tables and columns there are only a database knows.

use std::collections::HashMap;

use crate::SqlError;
use crate::tokens::{TokenKind, scan_tokens};

/// What a parameter is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlaceholderUse {
    /// Its place says nothing.
    Unknown,
    /// The rows that are wanted at most.
    Limit,
    /// The rows that are skipped.
    Offset,
    /// A column is compared or computed with it.
    Compared(UsedColumn),
    /// A column gets it as its value.
    Stored(UsedColumn),
}

/// A column as a statement names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedColumn {
    /// The tables that may have it, each with its schema where that is written.
    pub tables: Vec<String>,
    /// The column.
    pub column: ColumnReference,
}

/// Which column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnReference {
    /// By its name.
    Name(String),
    /// By its place among the columns, from 1.
    Number(usize),
}

/// What each parameter is for, `$1` first; the first place of each counts that says something.
pub fn parameter_uses(text: &str) -> Result<Vec<PlaceholderUse>, SqlError> {
    let words = StatementWords::from_text(text)?;
    let mut uses: Vec<PlaceholderUse> = Vec::new();
    for place in 0..words.words.len() {
        let Some(number) = words.parameter_at(place) else { continue };
        if uses.len() < number {
            uses.resize(number, PlaceholderUse::Unknown);
        }
        if uses[number - 1] == PlaceholderUse::Unknown {
            uses[number - 1] = words.use_of_parameter(place);
        }
    }
    Ok(uses)
}

/// The highest number of a parameter that counts: the protocol's limit.
const PARAMETERS_AT_MOST: usize = u16::MAX as usize;

/// Signs between a column and what it is compared or computed with.
const OPERATORS: [&str; 10] = ["=", "<", ">", "<=", ">=", "<>", "!=", "+", "-", "*"];

/// Words that begin a part of a statement.
const CLAUSES: [&str; 9] = ["set", "where", "values", "on", "having", "from", "select", "returning", "insert"];

pub(crate) struct StatementWord {
    /// In lower case, unless it stands in quotes, which are left out.
    text: String,
    kind: TokenKind,
}

/// The words of a text, and the tables that they name.
pub(crate) struct StatementWords {
    words: Vec<StatementWord>,
    /// Tables by the names that stand for them.
    aliases: HashMap<String, String>,
    tables: Vec<String>,
}

impl StatementWords {
    pub(crate) fn from_text(text: &str) -> Result<Self, SqlError> {
        let mut words = Vec::new();
        for token in scan_tokens(text)? {
            if token.kind == TokenKind::Comment {
                continue;
            }
            let written = &text[token.range];
            let word = match written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
                Some(quoted) => quoted.replace("\"\"", "\""),
                None => written.to_ascii_lowercase(),
            };
            words.push(StatementWord { text: word, kind: token.kind });
        }
        let mut read = Self { words, aliases: HashMap::new(), tables: Vec::new() };
        read.find_tables();
        Ok(read)
    }

    pub(crate) fn word_count(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn word_at(&self, place: usize) -> &str {
        self.words.get(place).map_or("", |word| word.text.as_str())
    }

    /// The word so many places before one.
    fn word_before(&self, place: usize, back: usize) -> &str {
        place.checked_sub(back).map_or("", |place| self.word_at(place))
    }

    fn parameter_at(&self, place: usize) -> Option<usize> {
        let word = self.words.get(place).filter(|word| word.kind == TokenKind::Parameter)?;
        let number: usize = word.text.get(1..)?.parse().ok()?;
        (1..=PARAMETERS_AT_MOST).contains(&number).then_some(number)
    }

    pub(crate) fn is_keyword(&self, place: usize) -> bool {
        self.words.get(place).is_some_and(|word| word.kind == TokenKind::Keyword)
    }

    pub(crate) fn is_name(&self, place: usize) -> bool {
        self.words.get(place).is_some_and(|word| word.kind == TokenKind::Name)
    }

    /// A keyword can be the name of a column, such as `name` or `value`.
    pub(crate) fn can_be_column(&self, place: usize) -> bool {
        let Some(word) = self.words.get(place) else { return false };
        word.kind == TokenKind::Name || word.kind == TokenKind::Keyword && !CLAUSES.contains(&word.text.as_str())
    }

    fn find_tables(&mut self) {
        let mut place = 0;
        while place < self.words.len() {
            let begins = matches!(self.word_at(place), "from" | "join" | "update" | "into" | "using" | "only");
            place += 1;
            if !begins {
                continue;
            }
            while self.is_name(place) {
                place = self.add_table(place);
                if self.word_at(place) != "," {
                    break;
                }
                place += 1;
            }
        }
    }

    /// The table that is named here, and its alias; the place behind both.
    fn add_table(&mut self, place: usize) -> usize {
        let mut table = quoted_name(self.word_at(place));
        let mut name = self.word_at(place).to_owned();
        let mut next = place + 1;
        if self.word_at(next) == "." && self.can_be_column(next + 1) {
            name = self.word_at(next + 1).to_owned();
            table = format!("{table}.{}", quoted_name(&name));
            next += 2;
        }
        self.aliases.insert(name, table.clone());
        if self.word_at(next) == "as" {
            next += 1;
        }
        if self.is_name(next) {
            self.aliases.insert(self.word_at(next).to_owned(), table.clone());
            next += 1;
        }
        if !self.tables.contains(&table) {
            self.tables.push(table);
        }
        next
    }

    /// The column whose name ends at this place, behind a cast where there is one.
    fn column_ending_at(&self, place: usize) -> Option<UsedColumn> {
        let mut end = place;
        if self.word_before(end, 1) == "::" {
            end = end.checked_sub(2)?;
        }
        if !self.can_be_column(end) {
            return None;
        }
        let qualifier = if self.word_before(end, 1) == "." { end.checked_sub(2) } else { None };
        self.column_of(qualifier, end)
    }

    /// The column whose name begins at this place.
    fn column_beginning_at(&self, place: usize) -> Option<UsedColumn> {
        if !self.can_be_column(place) {
            return None;
        }
        if self.word_at(place + 1) == "." {
            return self.column_of(Some(place), place + 2);
        }
        // What is followed by a bracket is a function.
        if self.word_at(place + 1) == "(" { None } else { self.column_of(None, place) }
    }

    fn column_of(&self, qualifier: Option<usize>, column: usize) -> Option<UsedColumn> {
        let tables = self.tables_of_column(qualifier);
        if tables.is_empty() && qualifier.is_some() {
            return None;
        }
        let column = ColumnReference::Name(self.word_at(column).to_owned());
        Some(UsedColumn { tables, column })
    }

    /// The tables that may have a column: the one of its qualifier, which stands at this place, or all.
    pub(crate) fn tables_of_column(&self, qualifier: Option<usize>) -> Vec<String> {
        match qualifier {
            Some(place) => self.aliases.get(self.word_at(place)).cloned().into_iter().collect(),
            None => self.tables.clone(),
        }
    }

    fn use_of_parameter(&self, place: usize) -> PlaceholderUse {
        match self.word_before(place, 1) {
            "limit" | "first" | "next" => return PlaceholderUse::Limit,
            "offset" => return PlaceholderUse::Offset,
            _ => {}
        }
        if let Some(inserted) = self.inserted_column(place) {
            return PlaceholderUse::Stored(inserted);
        }
        let Some(column) = self.compared_before(place).or_else(|| self.compared_behind(place)) else {
            return PlaceholderUse::Unknown;
        };
        if self.clause_of(place) == "set" && self.word_before(place, 1) == "=" {
            PlaceholderUse::Stored(column)
        } else {
            PlaceholderUse::Compared(column)
        }
    }

    /// `column = $1`, `column IN ($1, $2)`, `column = ANY ($1)`, `column BETWEEN $1 AND $2`.
    fn compared_before(&self, place: usize) -> Option<UsedColumn> {
        if OPERATORS.contains(&self.word_before(place, 1)) {
            return self.column_ending_at(place.checked_sub(2)?);
        }
        match self.word_before(place, 1) {
            "between" => return self.column_ending_at(place.checked_sub(2)?),
            "and" if self.word_before(place, 3) == "between" => {
                return self.column_ending_at(place.checked_sub(4)?);
            }
            _ => {}
        }
        let mut open = place.checked_sub(1)?;
        while open > 0 && (self.word_at(open) == "," || self.parameter_at(open).is_some()) {
            open -= 1;
        }
        if self.word_at(open) != "(" {
            return None;
        }
        match self.word_before(open, 1) {
            "in" if self.word_before(open, 2) == "not" => self.column_ending_at(open.checked_sub(3)?),
            "in" => self.column_ending_at(open.checked_sub(2)?),
            "any" | "some" | "all" if OPERATORS.contains(&self.word_before(open, 2)) => {
                self.column_ending_at(open.checked_sub(3)?)
            }
            _ => None,
        }
    }

    /// `$1 = column`, also behind a cast of the parameter.
    fn compared_behind(&self, place: usize) -> Option<UsedColumn> {
        let next = if self.word_at(place + 1) == "::" { place + 3 } else { place + 1 };
        if !OPERATORS.contains(&self.word_at(next)) {
            return None;
        }
        self.column_beginning_at(next + 1)
    }

    /// The part of the statement that a place stands in, by the word that begins it.
    fn clause_of(&self, place: usize) -> &str {
        let before = self.words[..place].iter().rev();
        for word in before {
            if let Some(clause) = CLAUSES.iter().find(|clause| word.kind == TokenKind::Keyword && **clause == word.text)
            {
                return clause;
            }
        }
        ""
    }

    /// The column of `INSERT INTO table (columns) VALUES (…)` that a parameter becomes, which is a whole value.
    fn inserted_column(&self, place: usize) -> Option<UsedColumn> {
        let values = (0..place).rev().find(|at| self.word_at(*at) == "values")?;
        let (mut depth, mut number, mut element) = (0_usize, 1, 0);
        for at in values + 1..place {
            match self.word_at(at) {
                "(" => {
                    depth += 1;
                    if depth == 1 {
                        (number, element) = (1, at + 1);
                    }
                }
                ")" => depth = depth.checked_sub(1)?,
                "," if depth == 1 => (number, element) = (number + 1, at + 1),
                _ => {}
            }
        }
        let is_whole = element == place && matches!(self.word_at(place + 1), "," | ")" | "::");
        if depth != 1 || !is_whole || self.clause_of(place) != "values" {
            return None;
        }
        let into = (0..values).rev().find(|at| self.word_at(*at) == "into")?;
        let table = self.tables.first().cloned()?;
        let open = (into..values).find(|at| self.word_at(*at) == "(");
        let Some(open) = open else {
            return Some(UsedColumn { tables: vec![table], column: ColumnReference::Number(number) });
        };
        let name = self.word_at(open + 1 + 2 * (number - 1));
        Some(UsedColumn { tables: vec![table], column: ColumnReference::Name(name.to_owned()) })
    }
}

/// A name as it can stand in SQL.
fn quoted_name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(tables: &[&str], name: &str) -> UsedColumn {
        let tables = tables.iter().map(|table| (*table).to_owned()).collect();
        UsedColumn { tables, column: ColumnReference::Name(name.to_owned()) }
    }

    fn uses(text: &str) -> Vec<PlaceholderUse> {
        parameter_uses(text).expect("it can be scanned")
    }

    #[test]
    fn a_parameter_that_is_compared_has_its_column() {
        use PlaceholderUse::{Compared, Limit, Offset, Unknown};
        let both = &["\"public\".\"orders\"", "\"lines\""][..];
        let orders = &both[..1];
        assert_eq!(
            uses(
                "SELECT * FROM public.orders AS o JOIN lines l ON l.id = o.id WHERE o.\"Id\" = $1 AND $2::int <= total \
                 AND l.code IN ($3, $4) AND o.day BETWEEN $5 AND $6 AND lower(name) = $7 LIMIT $8 OFFSET $9"
            ),
            [
                Compared(column(orders, "Id")),
                Compared(column(both, "total")),
                Compared(column(&both[1..], "code")),
                Compared(column(&both[1..], "code")),
                Compared(column(orders, "day")),
                Compared(column(orders, "day")),
                Unknown,
                Limit,
                Offset,
            ]
        );
        assert_eq!(
            uses("DELETE FROM t WHERE id = ANY($1::int[]) AND a::text <> $2"),
            [Compared(column(&["\"t\""], "id")), Compared(column(&["\"t\""], "a"))]
        );
    }

    #[test]
    fn a_parameter_that_is_stored_has_its_column() {
        use PlaceholderUse::{Compared, Stored, Unknown};
        let of = |name| column(&["\"t\""], name);
        assert_eq!(
            uses(
                "INSERT INTO t (a, b, c) VALUES ($1, lower($2), $3), ($4, $5, $6) ON CONFLICT (a) DO UPDATE SET b = $7"
            ),
            [
                Stored(of("a")),
                Unknown,
                Stored(of("c")),
                Stored(of("a")),
                Stored(of("b")),
                Stored(of("c")),
                Stored(of("b")),
            ]
        );
        let numbered = UsedColumn { tables: vec!["\"t\"".to_owned()], column: ColumnReference::Number(2) };
        assert_eq!(uses("INSERT INTO t VALUES (now(), $1)"), [Stored(numbered)]);
        assert_eq!(
            uses("UPDATE t SET a = $1, b = b + $2 WHERE id = $3"),
            [Stored(of("a")), Compared(of("b")), Compared(of("id"))]
        );
    }

    #[test]
    fn no_text_makes_it_panic() {
        for text in ["$0", "$1", "values ($1", "insert into values ($1)", "from $1 = ", "in ($1", "$99999999999 = a.b"]
        {
            let _ = parameter_uses(text);
        }
    }
}
