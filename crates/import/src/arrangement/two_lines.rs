//! Headers of two lines: names of sides above names of figures.

use super::field_parts::is_figure;
use super::name_parts::NameParts;
use crate::grid::Grid;

/// A table whose first row has the names of figures, as one whose header has both lines.
pub(super) fn with_one_header(mut grid: Grid) -> Grid {
    let Some((_, second)) = grid.rows.row_at(0) else { return grid };
    let count = second.all_fields().filter(|name| names_figure(name)).count();
    let has_figures = second.all_fields().any(is_figure);
    let is_named_above = grid.header.iter().skip(1).any(|name| !name.is_empty() && !names_figure(name));
    if count < 2 || has_figures || !is_named_above || grid.rows.row_count() < 2 {
        return grid;
    }
    let mut header: Vec<String> = Vec::new();
    let mut above = "";
    for (first, second) in grid.header.iter().zip(second) {
        if !first.is_empty() {
            above = first;
        }
        header.push(match (above == second, second.is_empty()) {
            (_, true) => first.clone(),
            (true, false) => second.to_owned(),
            (false, false) => format!("{above}\n{second}").trim().to_owned(),
        });
    }
    grid.header = header;
    let mut index = 0..;
    grid.rows = grid.rows.kept_rows(|_, _| index.next() != Some(0));
    grid
}

fn names_figure(name: &str) -> bool {
    !NameParts::of_name(name).metrics.is_empty()
}
