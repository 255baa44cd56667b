//! Texts as tables of fields: CSV with any separator, or the tables of Markdown.

use csv::{ReaderBuilder, StringRecord};

use super::between::Between;
use super::source::SourceFile;
use crate::problem::Problem;

/// What separates fields, in the order in which it is looked for.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
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
pub fn headers(text: &str) -> Vec<Vec<String>> {
    let of_markdown: Vec<_> = in_markdown(text).into_iter().map(|(header, _)| cells(header)).collect();
    if !of_markdown.is_empty() {
        return of_markdown;
    }
    let Some(header) = header_line(text) else { return Vec::new() };
    let parted = |separator: &u8| header.contains(*separator as char);
    let names = |separator: u8| header.split(separator as char).map(|name| name.trim().trim_matches('"').to_owned());
    SEPARATORS.into_iter().filter(parted).map(|separator| names(separator).collect()).collect()
}

/// The tables of a text.
///
/// # Errors
/// At a row that is longer than its header, and in CSV also at a shorter one.
pub fn grids(file: &SourceFile, text: &str) -> Result<Vec<Grid>, Problem> {
    if in_markdown(text).is_empty() { Ok(vec![of_csv(file, text)?]) } else { of_markdown(file, text) }
}

fn header_line(text: &str) -> Option<&str> {
    text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))
}

fn of_csv(file: &SourceFile, text: &str) -> Result<Grid, Problem> {
    let header = header_line(text).unwrap_or_default();
    let count = |separator: &u8| header.matches(*separator as char).count();
    let separator = SEPARATORS.into_iter().max_by_key(count).unwrap_or(b',');
    let mut reader =
        ReaderBuilder::new().delimiter(separator).comment(Some(b'#')).trim(csv::Trim::All).from_reader(text.as_bytes());
    let broken = |error: csv::Error| {
        let line = error.position().map_or(1, |position| position.line() as usize);
        file.wrong(line, error.to_string())
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
    let is_rule = |line: &str| {
        // psql and others cross their lines.
        let line = &line.replace('+', "|");
        let cells = cells(line);
        let dashes = |cell: &String| cell.contains('-') && cell.chars().all(|c| matches!(c, '-' | ':'));
        line.contains('|') && cells.len() > 1 && cells.iter().all(dashes)
    };
    let begins = |pair: &[&str]| pair[0].contains('|') && is_rule(pair[1]);
    lines.windows(2).enumerate().filter(|(_, pair)| begins(pair)).map(|(at, pair)| (pair[0], at)).collect()
}

fn of_markdown(file: &SourceFile, text: &str) -> Result<Vec<Grid>, Problem> {
    let lines: Vec<&str> = text.lines().collect();
    let mut between = Between::default();
    let mut read = 0;
    let mut grids = Vec::new();
    for (header, at) in in_markdown(text) {
        lines[read..at].iter().for_each(|line| between.take(line));
        let header = cells(header);
        let mut rows = Vec::new();
        for (index, line) in lines.iter().enumerate().skip(at + 2).take_while(|(_, line)| line.contains('|')) {
            let mut row = cells(line);
            if row.len() > header.len() {
                let what = format!("{} fields, but the table has {} columns", row.len(), header.len());
                return Err(file.wrong(index + 1, what));
            }
            row.resize(header.len(), String::new());
            rows.push((index + 1, row));
            read = index + 1;
        }
        let heading = between.next().headings.pop();
        grids.push(Grid { line: at + 1, header, rows, has_decimal_commas: false, heading });
    }
    Ok(grids)
}

/// The fields of a row of Markdown, without marks of bold and code.
fn cells(line: &str) -> Vec<String> {
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
        let grids = grids(&SourceFile::given("x.md".as_ref()), text).expect("two tables");
        let [direct, pooler] = &grids[..] else { panic!("{grids:?}") };
        assert_eq!(direct.header, ["Clients", "TPS"]);
        let row = |line: usize, fields: [&str; 2]| (line, fields.map(str::to_owned).to_vec());
        assert_eq!(direct.rows, [row(8, ["8", "1,234.5"]), row(9, ["16", ""])]);
        assert_eq!((direct.line, direct.heading.as_deref()), (6, Some("Direct")));
        assert_eq!((pooler.rows.as_slice(), pooler.heading.as_deref()), (&[row(14, ["8", "5"])][..], Some("Pooler")));
        let long = text.replace("| 16 |", "| 16 | 1 | 2 |");
        let error = super::grids(&SourceFile::given("x.md".as_ref()), &long).expect_err("three fields");
        assert!(error.to_string().contains("x.md, line 9: 3 fields, but the table has 2 columns"), "{error}");
    }
}
