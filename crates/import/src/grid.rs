//! Texts as tables of fields: CSV with any separator, columns that stand below one another, or the tables of a page of
//! text: those of Markdown, boxes, HTML, and columns between tabulators or blanks.

use csv::{ReaderBuilder, StringRecord};

use super::aligned_text;
use super::between::InterveningLines;
use super::grid_rows::GridRows;
use super::html_page;
use super::markdown_table;
use super::source_file::SourceFile;
use problem::Problem;

/// What separates fields, in the order in which it is looked for.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Grid {
    /// The line of its header, from 1.
    pub line: usize,
    /// The names of its columns; those of several lines have them, as fields do.
    pub header: Vec<String>,
    /// Its rows with their lines, each as long as the header.
    pub rows: GridRows,
    /// Whether a comma between two digits marks decimals where no field tells.
    pub has_decimal_commas: bool,
    /// The heading above it, on a page.
    pub heading: Option<String>,
    /// That heading with the counts that it has, such as `16 clients`.
    pub title: Option<String>,
    /// The words of labels above it, such as a sentence before a colon.
    pub label: Option<String>,
    /// Whether it has a row for each measurement, and columns that are known, however it was published.
    pub is_arranged: bool,
    /// How it was read, where that does not follow from the names of its columns.
    pub notes: Vec<String>,
}

/// The names of columns of the tables that a text may begin with, by each separator.
pub(crate) fn candidate_headers(text: &str) -> Vec<Vec<String>> {
    let of_markdown = markdown_table::headers_of_text(text);
    if !of_markdown.is_empty() {
        return of_markdown;
    }
    let text = aligned_text::with_tabulators(text).text;
    let Some(header) = content_lines(&text).next() else { return Vec::new() };
    let mut headers = Vec::new();
    for separator in SEPARATORS.map(char::from) {
        if header.contains(separator) {
            headers.push(header.split(separator).map(|name| name.trim().trim_matches('"').to_owned()).collect());
        }
    }
    headers
}

/// The tables of a text.
///
/// # Errors
/// At a row that is longer than its header, and in CSV also at a shorter one.
pub(crate) fn parse_grids(file: &SourceFile, text: &str) -> Result<Vec<Grid>, Problem> {
    if markdown_table::headers_of_text(text).is_empty() {
        Ok(vec![of_csv(file, text)?])
    } else {
        page_grids(file, text)
    }
}

/// Lines that are neither empty nor comments.
fn content_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn of_csv(file: &SourceFile, text: &str) -> Result<Grid, Problem> {
    let aligned = aligned_text::with_tabulators(text);
    let header = content_lines(&aligned.text).next().unwrap_or_default();
    let most = SEPARATORS.into_iter().max_by_key(|separator| header.matches(char::from(*separator)).count());
    let separator = most.unwrap_or(b',');
    let mut reader = ReaderBuilder::new()
        .delimiter(separator)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(aligned.text.as_bytes());
    let header = reader.headers().map_err(|error| csv_problem(file, &error))?.clone();
    let mut rows = GridRows::default();
    for record in reader.records() {
        let record = record.map_err(|error| csv_problem(file, &error))?;
        // Separators alone are a line between others.
        if record.iter().any(|field| !field.is_empty()) {
            rows.push_row(line_of_record(&record), &record);
        }
    }
    Ok(Grid {
        line: line_of_record(&header),
        header: header.iter().map(str::to_owned).collect(),
        rows,
        // Who parts fields by semicolons writes decimals with commas; who parts them by tabulators may write either.
        has_decimal_commas: separator == b';',
        notes: aligned.note.into_iter().collect(),
        ..Grid::default()
    })
}

fn csv_problem(file: &SourceFile, error: &csv::Error) -> Problem {
    let line = error.position().map_or(1, |position| position.line() as usize);
    file.problem_at_line(line, error.to_string())
}

fn line_of_record(record: &StringRecord) -> usize {
    record.position().map_or(1, |position| position.line() as usize)
}

/// The place of tables on a page: their lines, from 0, and what they have.
pub(crate) struct TablePlace {
    /// The first line, and the one behind the last.
    pub lines: std::ops::Range<usize>,
    pub grids: Vec<Grid>,
}

/// The tables of a text that may have other things, with the headings and labels above them.
///
/// # Errors
/// At a row of Markdown that is longer than its header.
pub(crate) fn page_grids(file: &SourceFile, text: &str) -> Result<Vec<Grid>, Problem> {
    let lines: Vec<&str> = text.lines().collect();
    let mut places = markdown_table::tables_of_lines(file, &lines)?;
    places.extend(html_page::tables_of_lines(&lines));
    let mut free = vec![true; lines.len()];
    for place in &places {
        free[place.lines.clone()].fill(false);
    }
    places.extend(aligned_text::tables_of_lines(&lines, &free));
    places.sort_by_key(|place| place.lines.start);
    let mut between = InterveningLines::default();
    let mut read = 0;
    let mut grids = Vec::new();
    for place in places {
        lines[read..place.lines.start.max(read)].iter().for_each(|line| between.read_surrounding_line(line));
        read = place.lines.end.max(read);
        let above = between.next();
        let heading = above.headings.last();
        let label = Some(above.labels.join(" ")).filter(|label| !label.is_empty());
        for mut grid in place.grids {
            if grid.heading.is_some() {
                grid.label = grid.label.or_else(|| heading.cloned());
            } else {
                grid.heading = heading.cloned();
                grid.title = between.last_title().map(str::to_owned);
                grid.label.clone_from(&label);
            }
            grids.push(grid);
        }
    }
    Ok(grids)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows_of_grid(grid: &Grid) -> Vec<(usize, Vec<&str>)> {
        grid.rows.rows_with_lines().map(|(line, row)| (line, row.all_fields().collect())).collect()
    }

    #[test]
    fn the_tables_of_markdown_are_read_with_their_lines_and_headings() {
        let text = "# Results\nprose | with a bar\n\n## Direct\n\n| Clients | **TPS** |\n|--:|:--|\n| 8 | `1,234.5` |\n| 16 |\n\n\
                    ## Pooler\nclients|tps\n---|---\n8|5\n";
        let grids = parse_grids(&SourceFile::from_argument("x.md".as_ref()), text).expect("two tables");
        let [direct, pooler] = &grids[..] else { panic!("{grids:?}") };
        assert_eq!(direct.header, ["Clients", "TPS"]);
        assert_eq!(rows_of_grid(direct), [(8, vec!["8", "1,234.5"]), (9, vec!["16", ""])]);
        assert_eq!((direct.line, direct.heading.as_deref()), (6, Some("Direct")));
        assert_eq!((rows_of_grid(pooler), pooler.heading.as_deref()), (vec![(14, vec!["8", "5"])], Some("Pooler")));
        let long = text.replace("| 16 |", "| 16 | 1 | 2 |");
        let error = super::parse_grids(&SourceFile::from_argument("x.md".as_ref()), &long).expect_err("three fields");
        assert!(error.to_string().contains("x.md, line 9: 3 fields, but the table has 2 columns"), "{error}");
    }

    #[test]
    fn lines_that_are_drawn_between_rows_and_below_the_last_one_are_no_rows() {
        let boxed = "+---------+-----+\n| clients | tps |\n+---------+-----+\n| 8       | 5   |\n+---------+-----+\n| 16 | 6 |\n\
                     +---------+-----+\n\n| clients | tps |\n|---|---|\n| 32 | 7 |\n|---|---|\n";
        let grids = parse_grids(&SourceFile::from_argument("x.txt".as_ref()), boxed).expect("two tables");
        let [first, second] = &grids[..] else { panic!("{grids:?}") };
        let clients =
            |grid: &Grid| grid.rows.rows_with_lines().map(|(_, row)| row.field_at(0).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            (first.header.as_slice(), clients(first)),
            (&["clients", "tps"].map(str::to_owned)[..], vec!["8".to_owned(), "16".to_owned()])
        );
        assert_eq!(clients(second), ["32"]);
    }

    #[test]
    fn columns_below_one_another_are_read_with_names_of_several_words() {
        for (text, header) in [
            ("\ntarget   clients      avg lat\nvm             8    1,234.5 ms\n", ["target", "clients", "avg lat"]),
            ("# ours\ntarget clients latency\nvm 8 1,234.5ms\n", ["target", "clients", "latency"]),
        ] {
            assert_eq!(candidate_headers(text), [header], "{text}");
            let grids = parse_grids(&SourceFile::from_argument("x.txt".as_ref()), text).expect("a table");
            assert_eq!(grids[0].rows.row_at(0).map(|(line, row)| (line, row.field_at(1))), Some((3, "8")), "{text}");
        }
        assert_eq!(candidate_headers("Welcome to the results\nnothing\n"), Vec::<Vec<String>>::new());
    }
}
