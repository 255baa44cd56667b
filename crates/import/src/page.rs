//! A page, on which outputs of several tools and tables may stand: each is read as if it stood alone, and what is left
//! out is said.

use std::borrow::Cow;

use outputs::unread_outputs::find_unread_outputs;
use problem::Problem;

use super::arrangement;
use super::computed_figures::{computed_figures, with_computed, with_content_of_tables};
use super::file_kind::{self, OutputKind};
use super::fio;
use super::found::{FileContent, FoundTrial, ImportedDocument, ImportedRows, TrialPart};
use super::grid::{self, Grid};
use super::html_page;
use super::layout::{self, Meanings};
use super::page_text::PageText;
use super::source_file::SourceFile;
use super::table;
use super::table_rates::{fields_of_tables, with_table_fields};

/// Reads a page of HTML.
///
/// # Errors
/// When it has neither an output nor a table, or when none can be read.
pub(crate) fn read_html_page(
    file: &SourceFile,
    html: &str,
    meanings: &Meanings,
) -> Result<Vec<ImportedDocument>, Problem> {
    let mut page = html_page::read_page(html);
    let (computed, fields) = (computed_figures(file, &page.grids), fields_of_tables(file, &page.grids));
    page.grids = arrangement::arrange_grids(page.grids, meanings);
    let text = PageText::from_lines(&page.text, Some(page.lines));
    let outputs = PageOutputs::read_page(file, &text);
    if outputs.are_none() && !page.grids.iter().any(|grid| layout::is_table_of_figures(grid, meanings)) {
        let name = file.display_name();
        let problem = if page.has_script && page.grids.is_empty() {
            Problem::usage_error(format!(
                "{name} is an HTML page without an output or a table: a program in it (JavaScript) draws what a browser shows"
            ))
            .hint("copy the output or the table from the browser into a text file")
        } else {
            file_kind::unread_tables_problem(file, &page.grids).unwrap_or_else(|| {
                Problem::usage_error(format!("{name} is an HTML page without a known output or table"))
            })
        };
        return Ok(vec![file_kind::document_without_figures(file, problem)]);
    }
    let documents = with_computed(file, with_tables(file, outputs, page.grids, meanings)?, computed);
    Ok(with_title(file, with_table_fields(file, documents, fields), &page.text))
}

/// Reads a page of text: outputs, and tables of Markdown.
///
/// # Errors
/// When it has outputs or tables, and none can be read.
pub(crate) fn read_text_page(
    file: &SourceFile,
    text: &str,
    meanings: &Meanings,
) -> Result<Vec<ImportedDocument>, Problem> {
    let mut outputs = PageOutputs::read_page(file, &PageText::from_lines(text, None));
    match grid::page_grids(file, text) {
        Ok(grids) => {
            let (computed, fields) = (computed_figures(file, &grids), fields_of_tables(file, &grids));
            let documents = with_tables(file, outputs, arrangement::arrange_grids(grids, meanings), meanings)?;
            let documents = with_table_fields(file, with_computed(file, documents, computed), fields);
            Ok(with_title(file, documents, text))
        }
        Err(problem) => {
            outputs.problems.push(problem);
            outputs.into_documents(file)
        }
    }
}

/// Adds the title of a page to what was read of it.
fn with_title(file: &SourceFile, documents: Vec<ImportedDocument>, text: &str) -> Vec<ImportedDocument> {
    match title_of_page(text) {
        Some(title) => with_content_of_tables(file, documents, FileContent::Title(title)),
        None => documents,
    }
}

/// The first heading of the highest level. Between fences `#` begins a comment or is a prompt.
fn title_of_page(text: &str) -> Option<String> {
    let mut is_fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
        }
        let Some(title) = line.strip_prefix("# ").filter(|_| !is_fenced) else { continue };
        let title = title.trim_end_matches('#').trim();
        if !title.is_empty() {
            return Some(title.to_owned());
        }
    }
    None
}

/// The outputs of a page: those that were read, and what was not.
#[derive(Default)]
struct PageOutputs {
    documents: Vec<ImportedDocument>,
    /// Outputs that are not read, one line each with the reason.
    not_read: Vec<String>,
    /// Why outputs or tables that should be read could not be.
    problems: Vec<Problem>,
}

impl PageOutputs {
    /// Reads the outputs of each kind.
    fn read_page(file: &SourceFile, page: &PageText) -> Self {
        let mut outputs = Self::default();
        let in_file = page.in_file(file);
        let mut text = Cow::Borrowed(page.text.as_str());
        if fio::looks_like_output(&text) {
            outputs.read_kind(&in_file, OutputKind::FioJson, &text);
            // Outputs of other tools may stand beside the JSON.
            if let Ok(beside) = fio::text_beside_json(&text) {
                text = Cow::Owned(beside.unwrap_or_default());
            }
        }
        for kind in file_kind::kinds_of_outputs(&text) {
            if !matches!(kind, OutputKind::FioJson) {
                outputs.read_kind(&in_file, kind, &text);
            }
        }
        for mut unread in find_unread_outputs(&text) {
            unread.first_line = in_file.line_in_file(unread.first_line);
            outputs.not_read.push(unread.in_words());
        }
        for document in &mut outputs.documents {
            document.file = file.clone();
            if text.is_empty() || document.tool != "fio" {
                continue;
            }
            // Lines beside the JSON are messages of fio only where nothing else stands there.
            if matches!(&document.content, FileContent::Fio(all) if all.iter().any(|one| one.json.is_some())) {
                document.notes.retain(|note| note.starts_with("fio: "));
            }
        }
        outputs
    }

    fn read_kind(&mut self, in_file: &SourceFile, kind: OutputKind, text: &str) {
        match file_kind::read_output_text(in_file, kind, text) {
            Ok(read) => {
                self.documents.push(with_lines_of_file(in_file, read.document));
                self.not_read.extend(read.not_read);
            }
            Err(problem) => self.problems.push(problem),
        }
    }

    /// Whether the page has no output that is known.
    fn are_none(&self) -> bool {
        self.documents.is_empty() && self.problems.is_empty() && self.not_read.is_empty()
    }

    /// What was read, and of what was not a line each.
    fn into_documents(self, file: &SourceFile) -> Result<Vec<ImportedDocument>, Problem> {
        let Self { mut documents, mut not_read, problems } = self;
        if documents.is_empty() {
            if let Some(problem) = problems.into_iter().next() {
                return Err(problem);
            }
            let name = file.display_name();
            let what = if not_read.is_empty() {
                format!("{name}: no known output or table was found in its text")
            } else {
                format!("{name} holds {}", not_read.join("; "))
            };
            return Ok(vec![file_kind::document_without_figures(file, Problem::usage_error(what))]);
        }
        for problem in problems {
            not_read.push(format!("a part that could not be read: {}", problem.in_one_line()));
        }
        if !not_read.is_empty() {
            documents.push(file_kind::document_of_unread_parts(file, not_read));
        }
        Ok(documents)
    }
}

fn with_lines_of_file(file: &SourceFile, mut document: ImportedDocument) -> ImportedDocument {
    if let FileContent::Runs(runs) = &mut document.content {
        runs.iter_mut().for_each(|run| run.line = file.line_in_file(run.line));
    }
    document
}

/// Adds the tables of a page to its outputs. Tables and outputs of the same kind of benchmark are mostly the same
/// measurements: that of them is read which has more.
fn with_tables(
    file: &SourceFile,
    mut page: PageOutputs,
    grids: Vec<Grid>,
    meanings: &Meanings,
) -> Result<Vec<ImportedDocument>, Problem> {
    if !grids.iter().any(|grid| layout::is_table_of_figures(grid, meanings)) {
        let lines: Vec<String> = grids.iter().map(|grid| grid.line.to_string()).collect();
        if let Some(first) = page.documents.first_mut().filter(|_| !lines.is_empty()) {
            let lines = lines.join(", ");
            first.notes.push(format!("ignored, because they have no known column: the tables at lines {lines}"));
        }
        return page.into_documents(file);
    }
    let mut tables = match table::read_grids(file, grids, meanings) {
        Ok(tables) => tables,
        Err(problem) => {
            page.problems.push(problem);
            return page.into_documents(file);
        }
    };
    let FileContent::Table(rows) = &mut tables.content else { return page.into_documents(file) };
    let (mut notes, mut left_out) = (Vec::new(), Vec::new());
    let outputs = &mut page.documents;
    for is_storage in [false, true] {
        let in_tables = if is_storage { rows.storage.len() } else { rows.trials.len() };
        let in_outputs: usize = outputs.iter().map(|output| measurement_count(output, is_storage)).sum();
        if in_tables == 0 || in_outputs == 0 {
            continue;
        }
        if in_outputs >= in_tables {
            let what = format!("{in_tables} rows of its tables were not read beside its {in_outputs} outputs");
            outputs.iter_mut().filter(|output| measurement_count(output, is_storage) > 0).for_each(|output| {
                output.notes.push(what.clone());
            });
            left_out.extend(leave_out_rows(rows, is_storage));
        } else {
            left_out.extend(leave_out_outputs(outputs, is_storage));
            notes.push(format!(
                "beside the rows of the page's tables ({in_tables}), its outputs were not read ({in_outputs})"
            ));
        }
    }
    let has_rows = !rows.trials.is_empty() || !rows.storage.is_empty();
    tables.notes.extend(notes);
    outputs.extend(Some(tables).filter(|_| has_rows));
    if !left_out.is_empty() {
        let content = FileContent::LeftOut(left_out);
        outputs.push(ImportedDocument { file: file.clone(), tool: "table", version: None, notes: Vec::new(), content });
    }
    page.into_documents(file)
}

/// The trials that are left out: what they tell is compared with the others.
fn leave_out_rows(rows: &mut ImportedRows, is_storage: bool) -> Vec<FoundTrial> {
    if is_storage {
        rows.storage.clear();
        return Vec::new();
    }
    std::mem::take(&mut rows.trials)
}

/// As [`leave_out_rows`].
fn leave_out_outputs(outputs: &mut Vec<ImportedDocument>, is_storage: bool) -> Vec<FoundTrial> {
    let mut left_out = Vec::new();
    for output in outputs.extract_if(.., |output| measurement_count(output, is_storage) > 0) {
        if let FileContent::Runs(runs) = output.content {
            left_out.extend(runs);
        }
    }
    left_out
}

/// How many trials a document has that tell their totals, or how many jobs of storage.
fn measurement_count(document: &ImportedDocument, is_storage: bool) -> usize {
    match (&document.content, is_storage) {
        (FileContent::Runs(runs), false) => runs.iter().filter(|run| run.part == TrialPart::Whole).count(),
        (FileContent::Table(rows), false) => rows.trials.len(),
        (FileContent::Table(rows), true) => rows.storage.len(),
        (FileContent::Fio(all), true) => all.iter().map(|one| one.output.groups.len()).sum(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use judge::observed::Observed;

    use crate::{ImportRequest, import_study};

    /// The rates of the trials with their targets and clients, and a line for each file with its notes.
    fn imported(files: &[(&str, &str)]) -> Result<(Vec<String>, Vec<String>), String> {
        let directory = tempfile::tempdir().expect("a directory");
        let mut request = ImportRequest::default();
        for (name, content) in files {
            let path = directory.path().join(name);
            fs::write(&path, content).expect("written");
            request.files.push(path);
        }
        let shown = |text: &str| text.replace(&format!("{}/", directory.path().display()), "");
        let dir = import_study(&request, &directory.path().join("runs"), jiff::Timestamp::UNIX_EPOCH)
            .map_err(|problem| shown(&problem.to_string()))?;
        let observed = Observed::read(&dir).expect("what was written is read");
        let mut rates = Vec::new();
        for trial in &observed.trials {
            let rate = trial.told.as_ref().and_then(|told| told.throughput_per_s).unwrap_or_default();
            let clients = trial.cell.clients.known_count().unwrap_or_default();
            rates.push(format!("{} {clients} {rate}", trial.cell.target));
        }
        let mut lines = Vec::new();
        for source in &observed.run.imported.as_ref().expect("imported").sources {
            lines.push(shown(&format!("{}: {}, {}", source.file, source.tool, source.content)));
            lines.extend(source.notes.iter().map(|note| shown(note)));
        }
        Ok((rates, lines))
    }

    fn output(clients: u32, tps: u32) -> String {
        format!(
            "pgbench (18.0)\ntransaction type: <builtin: select only>\nscaling factor: 10\nquery mode: simple\n\
             number of clients: {clients}\nnumber of threads: 1\nmaximum number of tries: 1\nduration: 10 s\n\
             number of transactions actually processed: {tps}0\nnumber of failed transactions: 0 (0.000%)\n\
             latency average = 1.000 ms\ninitial connection time = 1.000 ms\n\
             tps = {tps}.000000 (without initial connection time)\n"
        )
    }

    fn escaped(text: &str) -> String {
        text.replace('<', "&lt;").replace('>', "&gt;")
    }

    #[test]
    fn outputs_on_a_page_of_html_are_of_the_sides_that_its_headings_name() {
        let (vm, pod) = (escaped(&output(8, 500)), escaped(&output(8, 400)));
        let html =
            format!("<html><h1>A</h1><h2>vm</h2><pre><code>{vm}</code></pre><h2>pod</h2><pre>\n{pod}</pre></html>");
        let (rates, lines) = imported(&[("a.html", &html)]).expect("a page");
        assert_eq!(rates, ["vm 8 500", "pod 8 400"]);
        assert_eq!(lines[0], "a.html: pgbench, 2 reports");
        let broken = html.replacen("query mode: simple", "query mode: simple\nnumber of users: 5", 1);
        let refused = imported(&[("a.html", &broken)]).expect_err("no report of pgbench");
        assert!(refused.contains("a.html, line 5: expected"), "{refused}");
    }

    #[test]
    fn a_table_of_html_is_read_with_its_spans_and_an_example_of_its_outputs_is_not_added() {
        let html = format!(
            "<!DOCTYPE html><table><tr><th rowspan=2>Clients<th colspan=2>VM<th colspan=2>Kubernetes<tr><th>TPS<th>Latency (ms)\
             <th>TPS<th>Latency (ms)<tr><td>8<td>1825 &plusmn; 9<td>4.38<td>1640<td>4.87</table><pre>{}</pre>",
            escaped(&output(8, 1830))
        );
        let (rates, lines) = imported(&[("a.html", &html)]).expect("a page");
        assert_eq!(rates, ["VM 8 1825", "Kubernetes 8 1640"]);
        assert!(
            lines.contains(&"beside the rows of the page's tables (2), its outputs were not read (1)".to_owned()),
            "{lines:?}"
        );
    }

    #[test]
    fn rows_beside_as_many_outputs_are_left_out_and_a_line_says_so() {
        let page = format!("# vm\n```\n{}```\n\n| Clients | TPS |\n|---|---|\n| 8 | 510 |\n", output(8, 500));
        let (rates, lines) = imported(&[("a.md", &page)]).expect("a page");
        assert_eq!(rates, ["imported 8 500"]);
        assert_eq!(lines, ["a.md: pgbench, 1 reports", "1 rows of its tables were not read beside its 1 outputs"]);
    }

    #[test]
    fn title_of_a_page_is_its_first_heading_of_the_highest_level() {
        for (text, expected) in [
            ("# Peak TPS of two disks #\n\n## vm\n", Some("Peak TPS of two disks")),
            ("intro\n\n```\n# pgbench -S\n```\n\n# Results\n# Others\n", Some("Results")),
            ("## vm\n#pgbench\n", None),
        ] {
            assert_eq!(super::title_of_page(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn files_whose_names_count_repetitions_of_several_sides_are_of_these_sides() {
        let outputs = [500, 510, 400, 410].map(|tps| output(8, tps));
        let names = ["vm-run1.out", "vm-run2.out", "pod-run1.out", "pod-run2.out"];
        let files: Vec<(&str, &str)> = names.into_iter().zip(outputs.iter().map(String::as_str)).collect();
        assert_eq!(imported(&files).expect("four outputs").0, ["vm 8 500", "vm 8 510", "pod 8 400", "pod 8 410"]);
        let one_side: Vec<(&str, &str)> = files[..2].to_vec();
        assert_eq!(imported(&one_side).expect("two outputs").0, ["imported 8 500", "imported 8 510"]);
    }

    #[test]
    fn outputs_of_two_generators_are_asked_about() {
        let page = format!("## Run 1\nClient 1\n```\n{}```\nClient 2\n```\n{}```\n", output(8, 500), output(8, 400));
        let (_, lines) = imported(&[("a.md", &page)]).expect("two outputs");
        assert!(lines[1].starts_with("outputs of \"client 1\", \"client 2\" were not added"), "{lines:?}");
    }

    #[test]
    fn a_page_that_a_program_draws_says_so() {
        let html = "<!doctype html><html><body><div id=root></div><script src=a.js></script></body></html>";
        let refused = imported(&[("a.html", html)]).expect_err("no figure");
        assert!(refused.contains("a program in it (JavaScript) draws what a browser shows"), "{refused}");
    }

    #[test]
    fn files_without_figures_beside_others_are_named_and_alone_they_are_refused() {
        let prose = ("README.md", "# Notes\n\nprose\n");
        let (rates, lines) =
            imported(&[prose, ("x.json", "{\"a\": 1}"), ("vm.out", &output(8, 500))]).expect("one output");
        assert_eq!(rates, ["imported 8 500"]);
        let expected = [
            "README.md: text, no output, log or table: unknown kind of file: it begins with \"# Notes\", and contains no \
             known output, log or table",
            "x.json: text, no output, log or table: is JSON of an unknown tool: write its figures into a table (CSV)",
            "vm.out: pgbench, 1 reports",
        ];
        assert_eq!(lines, expected);
        for files in [&[prose][..], &[prose, ("b.md", "more\n")]] {
            assert!(imported(files).expect_err("prose").contains("README.md: unknown kind of file"));
        }
    }
}
