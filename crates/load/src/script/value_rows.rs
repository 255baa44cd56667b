//! Values from a file: a row for each transaction, a variable for each column (`\values`).
//!
//! The file is what `COPY ... TO ... WITH (FORMAT csv, HEADER)` writes, so that a query makes one. Its rules are
//! PostgreSQL's: an empty field without quotes is NULL, one in quotes is an empty text.

use super::hash::permute_value;
use super::sql;
use work::Random;

/// A table of values in memory, shared by all clients that draw from it. Reading a row allocates nothing.
#[derive(Debug, PartialEq, Eq)]
pub struct ValueRows {
    columns: Vec<String>,
    /// The texts of all fields, one after the other.
    bytes: Vec<u8>,
    /// Where each field ends in `bytes`, row after row; the highest bit says that it is NULL.
    ends: Vec<u64>,
}

/// The bit of an end that says that the field is NULL.
const IS_NULL: u64 = 1 << 63;

/// What is wrong with a file of values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ValueRowsError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
}

/// The order in which rows are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowOrder {
    /// Any row, each time drawn anew.
    Random,
    /// As they stand in the file. Each client takes its share: of three clients the first one has rows 1, 4, 7, ...
    Sequential,
    /// Each row once, in an order that the seed gives, then again.
    Shuffled,
    /// That of the transaction, which a list of them has.
    Listed,
}

impl ValueRows {
    /// Reads a file in PostgreSQL's CSV format with a header.
    ///
    /// # Errors
    /// The first line that is no such row.
    pub fn from_csv(bytes: &[u8]) -> Result<ValueRows, ValueRowsError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut reader = CsvReader { bytes, at: 0, line: 1 };
        let mut header = ValueRows { columns: Vec::new(), bytes: Vec::new(), ends: Vec::new() };
        reader.read_record(&mut header)?;
        let mut columns: Vec<String> = Vec::new();
        for field in 0..header.ends.len() {
            let name = String::from_utf8_lossy(header.field_at(field).unwrap_or_default()).into_owned();
            check_column(&name, &columns).map_err(|problem| ValueRowsError { line: 1, problem })?;
            columns.push(name);
        }
        let mut rows = ValueRows { columns, bytes: Vec::new(), ends: Vec::new() };
        while reader.at < bytes.len() {
            let (line, before) = (reader.line, rows.ends.len());
            reader.read_record(&mut rows)?;
            let fields = rows.ends.len() - before;
            if fields != rows.columns.len() {
                let problem = format!("{fields} fields, where the header has {}", rows.columns.len());
                return Err(ValueRowsError { line, problem });
            }
        }
        if rows.ends.is_empty() {
            return Err(ValueRowsError { line: 1, problem: "there is no row after the header".to_owned() });
        }
        Ok(rows)
    }

    /// The names of the columns, which are variables of the script.
    pub fn column_names(&self) -> &[String] {
        &self.columns
    }

    /// How many rows there are; never zero.
    pub fn row_count(&self) -> usize {
        self.ends.len() / self.columns.len()
    }

    /// The text of a field; `None`: NULL.
    pub fn field_text(&self, row: usize, column: usize) -> Option<&[u8]> {
        self.field_at(row * self.columns.len() + column)
    }

    fn field_at(&self, field: usize) -> Option<&[u8]> {
        let begin = field.checked_sub(1).map_or(0, |before| self.ends[before] & !IS_NULL);
        let end = self.ends[field];
        (end & IS_NULL == 0).then(|| &self.bytes[begin as usize..end as usize])
    }

    /// The names and texts of the first row, as they stand in a statement of the simple protocol.
    pub(crate) fn first_as_text(&self) -> Vec<(String, String)> {
        let mut texts = Vec::with_capacity(self.columns.len());
        for (column, name) in self.columns.iter().enumerate() {
            let text = self.field_text(0, column).map_or("NULL".into(), String::from_utf8_lossy);
            texts.push((name.clone(), text.into_owned()));
        }
        texts
    }
}

/// A row of values as a line of CSV, as [`ValueRows::from_csv`] reads it; `None` is NULL.
#[must_use]
pub fn csv_line(values: &[Option<&str>]) -> String {
    let mut line = String::new();
    for (number, value) in values.iter().enumerate() {
        if number > 0 {
            line.push(',');
        }
        if let Some(text) = value {
            line.extend(["\"", &text.replace('"', "\"\""), "\""]);
        }
    }
    line.push('\n');
    line
}

fn check_column(name: &str, before: &[String]) -> Result<(), String> {
    if !sql::is_variable_name(name) {
        return Err(format!(
            "the column {name:?} cannot be a variable: letters, digits and underscores, no digit first"
        ));
    }
    if before.iter().any(|known| known == name) {
        return Err(format!("there are two columns {name:?}"));
    }
    Ok(())
}

/// A place in a file.
struct CsvReader<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl CsvReader<'_> {
    /// Appends the fields of the record here, and goes on behind it.
    fn read_record(&mut self, to: &mut ValueRows) -> Result<(), ValueRowsError> {
        let mut quoted = false;
        loop {
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.read_quoted(to)?;
                    quoted = true;
                    continue;
                }
                Some(0) => return Err(self.row_error("a zero byte, which no text of PostgreSQL contains")),
                Some(b',') => {
                    to.end_field(quoted);
                    quoted = false;
                }
                Some(b'\r') if self.bytes.get(self.at + 1) == Some(&b'\n') => {}
                Some(b'\n') | None => {
                    to.end_field(quoted);
                    self.at += 1;
                    self.line += 1;
                    return Ok(());
                }
                Some(&byte) => to.bytes.push(byte),
            }
            self.at += 1;
        }
    }

    /// Appends the text up to the quote that ends it.
    fn read_quoted(&mut self, to: &mut ValueRows) -> Result<(), ValueRowsError> {
        let begin = self.line;
        self.at += 1;
        loop {
            let Some(&byte) = self.bytes.get(self.at) else {
                return Err(ValueRowsError {
                    line: begin,
                    problem: "the quote that begins here has no end".to_owned(),
                });
            };
            self.at += 1;
            match byte {
                b'"' if self.bytes.get(self.at) == Some(&b'"') => self.at += 1,
                b'"' => return Ok(()),
                0 => return Err(self.row_error("a zero byte, which no text of PostgreSQL contains")),
                b'\n' => self.line += 1,
                _ => {}
            }
            to.bytes.push(byte);
        }
    }

    fn row_error(&self, problem: &str) -> ValueRowsError {
        ValueRowsError { line: self.line, problem: problem.to_owned() }
    }
}

impl ValueRows {
    fn end_field(&mut self, quoted: bool) {
        let begin = self.ends.last().map_or(0, |end| end & !IS_NULL);
        let end = self.bytes.len() as u64;
        let is_null = end == begin && !quoted;
        self.ends.push(if is_null { end | IS_NULL } else { end });
    }
}

impl RowOrder {
    /// The words of the language.
    pub(crate) const WORDS: [(&'static str, RowOrder); 4] = [
        ("random", RowOrder::Random),
        ("sequential", RowOrder::Sequential),
        ("shuffled", RowOrder::Shuffled),
        ("listed", RowOrder::Listed),
    ];

    /// Which of so many rows the one with this number is.
    pub(crate) fn choose_row(self, rows: usize, number: u64, seed: i64, random: &mut Random) -> usize {
        let place = number % rows as u64;
        match self {
            RowOrder::Random => random.up_to(rows as u64 - 1) as usize,
            RowOrder::Sequential | RowOrder::Listed => place as usize,
            // A file has rows.
            RowOrder::Shuffled => permute_value(place as i64, rows as i64, seed).unwrap_or_default() as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(rows: &ValueRows) -> Vec<Vec<Option<String>>> {
        let text = |row, column| rows.field_text(row, column).map(|field| String::from_utf8_lossy(field).into_owned());
        (0..rows.row_count())
            .map(|row| (0..rows.column_names().len()).map(|column| text(row, column)).collect())
            .collect()
    }

    #[test]
    fn fields_are_read_as_copy_writes_them() {
        let rows = ValueRows::from_csv(b"\xef\xbb\xbfid,note\r\n1,\"a \"\"b\"\",\nc\"\r\n2,\r\n3,\"\"\n")
            .expect("it is a file");
        assert_eq!(rows.column_names(), ["id", "note"]);
        let some = |text: &str| Some(text.to_owned());
        let expected = [[some("1"), some("a \"b\",\nc")], [some("2"), None], [some("3"), some("")]];
        assert_eq!(texts(&rows), expected);
    }

    #[test]
    fn what_is_no_row_is_told_with_its_line() {
        let cases: [(&[u8], &str); 8] = [
            (b"", "line 1: the column \"\" cannot be a variable"),
            (b"id\n", "line 1: there is no row after the header"),
            (b"id,1st\n1,2\n", "line 1: the column \"1st\" cannot be a variable"),
            (b"id,id\n1,2\n", "line 1: there are two columns \"id\""),
            (b"id,x\n1,2\n3\n", "line 3: 1 fields, where the header has 2"),
            (b"id\n\"a\nb\"\n\"c\n", "line 4: the quote that begins here has no end"),
            (b"id\n1\n\n", ""),
            (b"id\na\0\n", "line 2: a zero byte"),
        ];
        for (bytes, expected) in cases {
            match ValueRows::from_csv(bytes) {
                Err(error) => assert!(error.to_string().starts_with(expected) && !expected.is_empty(), "{error}"),
                Ok(rows) => assert!(expected.is_empty(), "{rows:?}"),
            }
        }
    }

    #[test]
    fn rows_come_in_the_order_of_the_file_or_each_once_in_another() {
        let take = |order: RowOrder| (0..7).map(move |number| order.choose_row(6, number, 9, &mut Random::new(1)));
        assert_eq!(take(RowOrder::Sequential).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 0]);
        let mut shuffled: Vec<usize> = take(RowOrder::Shuffled).take(6).collect();
        assert_ne!(shuffled, [0, 1, 2, 3, 4, 5]);
        shuffled.sort_unstable();
        assert_eq!(shuffled, [0, 1, 2, 3, 4, 5]);
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(fields in proptest::collection::vec(proptest::option::of("[a\",\r\n é]{0,6}"), 2..20)) {
            let mut rows = ValueRows { columns: vec!["a".to_owned(), "b".to_owned()], bytes: Vec::new(), ends: Vec::new() };
            for field in &fields[..fields.len() / 2 * 2] {
                rows.bytes.extend_from_slice(field.as_deref().unwrap_or_default().as_bytes());
                rows.end_field(field.is_some());
            }
            let mut text = "a,b\n".to_owned();
            for row in texts(&rows) {
                text.push_str(&csv_line(&row.iter().map(Option::as_deref).collect::<Vec<_>>()));
            }
            prop_assert_eq!(ValueRows::from_csv(text.as_bytes()).expect("it was written"), rows);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>) {
            let _ = ValueRows::from_csv(&bytes);
        }
    }
}
