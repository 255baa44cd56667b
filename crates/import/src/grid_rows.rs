//! The rows of a table, whose fields stand in one text: of a million rows none takes more room than its characters.

use std::str::SplitTerminator;

/// What stands behind each field. In a field itself it is a blank, as what separates is none of its characters.
const FIELD_END: char = '\u{1f}';

/// Rows of a part at most; a table that is read gives up one after the other.
const ROWS_OF_PART: usize = 1 << 14;

/// A part with so many bytes is full.
const BYTES_OF_PART: usize = 64 << 20;

/// Rows with their lines, each as long as the header of their table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct GridRows {
    /// In order, none of them empty.
    parts: Vec<RowsPart>,
}

/// Some rows of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RowsPart {
    /// The fields of all rows, each with [`FIELD_END`] behind it.
    text: String,
    /// Of each row its line, from 1, and the end of its fields in the text.
    places: Vec<(u32, u32)>,
}

/// The fields of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct GridRow<'g> {
    text: &'g str,
}

impl<'g> GridRow<'g> {
    /// The field of a column.
    ///
    /// # Panics
    /// Where its table has no such column.
    pub(crate) fn field_at(self, column: usize) -> &'g str {
        self.all_fields().nth(column).expect("a row is as long as its header")
    }

    /// Its fields in the order of the columns.
    pub(crate) fn all_fields(self) -> SplitTerminator<'g, char> {
        self.text.split_terminator(FIELD_END)
    }
}

impl<'g> IntoIterator for GridRow<'g> {
    type Item = &'g str;
    type IntoIter = SplitTerminator<'g, char>;

    fn into_iter(self) -> Self::IntoIter {
        self.all_fields()
    }
}

impl RowsPart {
    fn push_row<Field: AsRef<str>>(&mut self, line: usize, fields: impl IntoIterator<Item = Field>) {
        for field in fields {
            let field = field.as_ref();
            if field.contains(FIELD_END) {
                self.text.push_str(&field.replace(FIELD_END, " "));
            } else {
                self.text.push_str(field);
            }
            self.text.push(FIELD_END);
        }
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        self.places.push((line, u32::try_from(self.text.len()).expect("a part of a table has less than 4 GiB")));
    }

    fn row_at(&self, index: usize) -> Option<(usize, GridRow<'_>)> {
        let (line, end) = *self.places.get(index)?;
        let begin = if index == 0 { 0 } else { self.places[index - 1].1 };
        Some((line as usize, GridRow { text: &self.text[begin as usize..end as usize] }))
    }

    /// Its rows with their lines.
    pub(crate) fn rows_with_lines(&self) -> impl DoubleEndedIterator<Item = (usize, GridRow<'_>)> + Clone {
        (0..self.places.len()).filter_map(|index| self.row_at(index))
    }
}

impl GridRows {
    /// Adds a row with its line, from 1.
    pub(crate) fn push_row<Field: AsRef<str>>(&mut self, line: usize, fields: impl IntoIterator<Item = Field>) {
        let is_full =
            self.parts.last().is_none_or(|part| part.places.len() == ROWS_OF_PART || part.text.len() >= BYTES_OF_PART);
        if is_full {
            self.parts.push(RowsPart::default());
        }
        if let Some(part) = self.parts.last_mut() {
            part.push_row(line, fields);
        }
    }

    pub(crate) fn row_count(&self) -> usize {
        self.parts.iter().map(|part| part.places.len()).sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The row at this place, from 0, with its line.
    pub(crate) fn row_at(&self, index: usize) -> Option<(usize, GridRow<'_>)> {
        let mut index = index;
        for part in &self.parts {
            if index < part.places.len() {
                return part.row_at(index);
            }
            index -= part.places.len();
        }
        None
    }

    /// All rows with their lines.
    pub(crate) fn rows_with_lines(&self) -> impl DoubleEndedIterator<Item = (usize, GridRow<'_>)> + Clone {
        self.parts.iter().flat_map(RowsPart::rows_with_lines)
    }

    /// Its parts, each of which can be given up when it was read.
    pub(crate) fn into_parts(self) -> impl Iterator<Item = RowsPart> {
        self.parts.into_iter()
    }

    /// Those rows, with their lines, of which `is_kept` says so.
    pub(crate) fn kept_rows(&self, mut is_kept: impl FnMut(usize, GridRow<'_>) -> bool) -> Self {
        let mut kept = Self::default();
        for (line, row) in self.rows_with_lines().filter(|(line, row)| is_kept(*line, *row)) {
            kept.push_row(line, row);
        }
        kept
    }

    /// The same rows with what `change` makes of each field.
    pub(crate) fn with_changed_fields(&self, change: fn(&str) -> String) -> Self {
        let mut changed = Self::default();
        for (line, row) in self.rows_with_lines() {
            changed.push_row(line, row.all_fields().map(change));
        }
        changed
    }

    /// Moves the rows so many lines down.
    pub(crate) fn move_lines(&mut self, lines: usize) {
        let lines = u32::try_from(lines).unwrap_or(u32::MAX);
        for part in &mut self.parts {
            part.places.iter_mut().for_each(|(line, _)| *line = line.saturating_add(lines));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_fields_that_they_were_made_of() {
        let all = [&[][..], &[""], &["", ""], &["a"], &["a", "", "ü b"], &["", "c", ""]];
        let mut rows = GridRows::default();
        for (index, fields) in all.iter().enumerate() {
            rows.push_row(10 + index, *fields);
        }
        assert_eq!(rows.row_count(), all.len());
        for (index, ((line, row), fields)) in rows.rows_with_lines().zip(all).enumerate() {
            assert_eq!((line, row.all_fields().collect::<Vec<_>>()), (10 + index, fields.to_vec()));
            for (column, field) in fields.iter().enumerate() {
                assert_eq!(row.field_at(column), *field);
            }
        }
        let longest = rows.kept_rows(|_, row| row.all_fields().count() == 3);
        assert_eq!(longest.rows_with_lines().map(|(line, _)| line).collect::<Vec<_>>(), [14, 15]);
        let mut upper = longest.with_changed_fields(str::to_uppercase);
        upper.move_lines(100);
        assert_eq!(upper.row_at(0).map(|(line, row)| (line, row.field_at(2))), Some((114, "Ü B")));
    }

    #[test]
    fn what_ends_a_field_is_a_blank_within_it() {
        let mut rows = GridRows::default();
        rows.push_row(1, ["a\u{1f}b", "c"]);
        assert_eq!(
            rows.rows_with_lines().next().map(|(_, row)| row.all_fields().collect::<Vec<_>>()),
            Some(vec!["a b", "c"])
        );
    }
}
