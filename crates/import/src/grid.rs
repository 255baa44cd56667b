//! Texts as tables of fields: CSV with any separator, columns that stand below one another, or the tables of Markdown.

use std::borrow::Cow;

use csv::{ReaderBuilder, StringRecord};

use super::between::InterveningLines;
use super::source_file::SourceFile;
use problem::Problem;

/// What separates fields, in the order in which it is looked for.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grid {
    /// The line of its header, from 1.
    pub line: usize,
    /// The names of its columns.
    pub header: Vec<String>,
    /// Its rows with their lines, each as long as the header.
    pub rows: Vec<(usize, Vec<String>)>,
    /// Whether a comma between two digits marks decimals where no field tells.
    pub has_decimal_commas: bool,
    /// The heading above it, in Markdown.
    pub heading: Option<String>,
}

/// The names of columns of the tables that a text may begin with, by each separator.
pub(crate) fn candidate_headers(text: &str) -> Vec<Vec<String>> {
    let of_markdown: Vec<_> = in_markdown(text).into_iter().map(|(header, _)| split_markdown_row(header)).collect();
    if !of_markdown.is_empty() {
        return of_markdown;
    }
    let text = parted_by_blanks(text);
    let Some(header) = header_line(&text) else { return Vec::new() };
    let parted = |separator: &u8| header.contains(*separator as char);
    let names = |separator: u8| header.split(separator as char).map(|name| name.trim().trim_matches('"').to_owned());
    SEPARATORS.into_iter().filter(parted).map(|separator| names(separator).collect()).collect()
}

/// The tables of a text.
///
/// # Errors
/// At a row that is longer than its header, and in CSV also at a shorter one.
pub(crate) fn parse_grids(file: &SourceFile, text: &str) -> Result<Vec<Grid>, Problem> {
    if in_markdown(text).is_empty() { Ok(vec![of_csv(file, text)?]) } else { markdown_grids(file, text) }
}

fn header_line(text: &str) -> Option<&str> {
    content_lines(text).next()
}

/// Lines that are neither empty nor comments.
fn content_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// A text whose header has no separator, with its columns parted by tabulators: two blanks or more are between columns
/// (`avg lat  p99`), or one where no line has two and header and first row have as many words.
fn parted_by_blanks(text: &str) -> Cow<'_, str> {
    let mut lines = content_lines(text);
    let (Some(header), Some(row)) = (lines.next(), lines.next()) else { return text.into() };
    if SEPARATORS.iter().any(|separator| header.contains(*separator as char)) {
        return text.into();
    }
    let by_two =
        |line: &str| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join("\t");
    let by_one = |line: &str| line.split_whitespace().collect::<Vec<_>>().join("\t");
    let is_same = |part: &dyn Fn(&str) -> String| {
        let [header, row] = [header, row].map(|line| part(line).matches('\t').count());
        header == row && header > 0
    };
    let part: &dyn Fn(&str) -> String = match (is_same(&by_two), is_same(&by_one)) {
        (true, _) => &by_two,
        (false, true) => &by_one,
        (false, false) => return text.into(),
    };
    text.lines().map(|line| part(line) + "\n").collect::<String>().into()
}

fn of_csv(file: &SourceFile, text: &str) -> Result<Grid, Problem> {
    let text = &*parted_by_blanks(text);
    let header = header_line(text).unwrap_or_default();
    let count = |separator: &u8| header.matches(*separator as char).count();
    let separator = SEPARATORS.into_iter().max_by_key(count).unwrap_or(b',');
    let mut reader =
        ReaderBuilder::new().delimiter(separator).comment(Some(b'#')).trim(csv::Trim::All).from_reader(text.as_bytes());
    let broken = |error: csv::Error| {
        let line = error.position().map_or(1, |position| position.line() as usize);
        file.problem_at_line(line, error.to_string())
    };
    let fields = |record: &StringRecord| record.iter().map(str::to_owned).collect::<Vec<String>>();
    let line = |record: &StringRecord| record.position().map_or(1, |position| position.line() as usize);
    let header = reader.headers().map_err(broken)?.clone();
    let rows = reader.records().map(|record| record.map(|record| (line(&record), fields(&record))));
    Ok(Grid {
        line: line(&header),
        header: fields(&header),
        rows: rows.collect::<Result<_, _>>().map_err(broken)?,
        // Who parts fields by semicolons writes decimals with commas; who parts them by tabulators may write either.
        has_decimal_commas: separator == b';',
        heading: None,
    })
}

/// The headers of Markdown's tables with their places among the lines, from 0.
fn in_markdown(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |pair: &[&str]| pair[0].contains('|') && !is_rule(pair[0]) && is_rule(pair[1]);
    let mut end = 0;
    let mut found = Vec::new();
    for (at, pair) in lines.windows(2).enumerate().filter(|(_, pair)| begins(pair)) {
        // A line below the last row, as psql and MySQL draw boxes, has that row above it, which is no header.
        if at >= end {
            end = at + 2 + rows_of(&lines[at + 2..]).count();
            found.push((pair[0], at));
        }
    }
    found
}

/// Whether a line parts a table's header from its rows, or its end from what comes then.
fn is_rule(line: &str) -> bool {
    // psql and others cross their lines.
    let line = &line.replace('+', "|");
    let cells = split_markdown_row(line);
    let dashes = |cell: &String| cell.contains('-') && cell.chars().all(|c| matches!(c, '-' | ':'));
    line.contains('|') && cells.len() > 1 && cells.iter().all(dashes)
}

/// The lines of a table below its header and the rule, with their places.
fn rows_of<'a>(lines: &'a [&'a str]) -> impl Iterator<Item = (usize, &'a str)> {
    let is_of_table = |line: &&str| line.contains('|') || is_rule(line);
    lines.iter().copied().enumerate().take_while(move |(_, line)| is_of_table(line))
}

/// The tables of Markdown in a text that may have other things.
///
/// # Errors
/// At a row that is longer than its header.
pub(crate) fn markdown_grids(file: &SourceFile, text: &str) -> Result<Vec<Grid>, Problem> {
    let lines: Vec<&str> = text.lines().collect();
    let mut between = InterveningLines::default();
    let mut read = 0;
    let mut grids = Vec::new();
    for (header, at) in in_markdown(text) {
        lines[read..at].iter().for_each(|line| between.read_surrounding_line(line));
        let header = split_markdown_row(header);
        let mut rows = Vec::new();
        for (index, line) in rows_of(&lines[at + 2..]).map(|(index, line)| (at + 2 + index, line)) {
            read = index + 1;
            if is_rule(line) {
                continue;
            }
            let mut row = split_markdown_row(line);
            if row.len() > header.len() {
                let what = format!("{} fields, but the table has {} columns", row.len(), header.len());
                return Err(file.problem_at_line(index + 1, what));
            }
            row.resize(header.len(), String::new());
            rows.push((index + 1, row));
        }
        let heading = between.next().headings.pop();
        grids.push(Grid { line: at + 1, header, rows, has_decimal_commas: false, heading });
    }
    Ok(grids)
}

/// The fields of a row of Markdown, without marks of bold and code.
fn split_markdown_row(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    line.split('|').map(|cell| cell.trim().trim_matches(['*', '`']).trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_markdown_are_read_with_their_lines_and_headings() {
        let text = "# Results\nprose | with a bar\n\n## Direct\n\n| Clients | **TPS** |\n|--:|:--|\n| 8 | `1,234.5` |\n| 16 |\n\n\
                    ## Pooler\nclients|tps\n---|---\n8|5\n";
        let grids = parse_grids(&SourceFile::from_argument("x.md".as_ref()), text).expect("two tables");
        let [direct, pooler] = &grids[..] else { panic!("{grids:?}") };
        assert_eq!(direct.header, ["Clients", "TPS"]);
        let row = |line: usize, fields: [&str; 2]| (line, fields.map(str::to_owned).to_vec());
        assert_eq!(direct.rows, [row(8, ["8", "1,234.5"]), row(9, ["16", ""])]);
        assert_eq!((direct.line, direct.heading.as_deref()), (6, Some("Direct")));
        assert_eq!((pooler.rows.as_slice(), pooler.heading.as_deref()), (&[row(14, ["8", "5"])][..], Some("Pooler")));
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
        let clients = |grid: &Grid| grid.rows.iter().map(|(_, row)| row[0].clone()).collect::<Vec<_>>();
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
            assert_eq!((grids[0].rows[0].0, grids[0].rows[0].1[1].as_str()), (3, "8"), "{text}");
        }
        assert_eq!(candidate_headers("Welcome to the results\nnothing\n"), Vec::<Vec<String>>::new());
    }
}
