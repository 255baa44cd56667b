//! Tables of a terminal: cells padded to the width of their column, which is counted in characters. Knows nothing of
//! what the cells say.

/// To which side of its column a cell stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alignment {
    /// Words.
    Left,
    /// Figures, so that their digits stand below one another.
    Right,
}

/// Rows as lines, two spaces between columns, nothing after the last character.
pub(crate) fn aligned<const N: usize>(rows: &[[String; N]], alignments: [Alignment; N]) -> Vec<String> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).zip(alignments).map(|((cell, width), alignment)| match alignment {
            Alignment::Left => format!("{cell:<width$}"),
            Alignment::Right => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::{Alignment, aligned};

    #[test]
    fn words_stand_left_figures_right_and_an_accent_is_one_character() {
        let rows = [["", "tps", "said"], ["café", "9", "no"], ["a", "120", "yes, from 8 clients"]];
        let rows = rows.map(|row| row.map(str::to_owned));
        let lines = aligned(&rows, [Alignment::Left, Alignment::Right, Alignment::Left]);
        assert_eq!(lines, ["      tps  said", "café    9  no", "a     120  yes, from 8 clients"]);
    }
}
