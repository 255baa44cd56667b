//! A study that is proposed for tables: what the importer believes of each column, and questions about the rest.
//!
//! Promises: once the questions are answered, the import of the study reads the tables. A question is a comment with
//! the line below it that is the answer, without its `?`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use problem::Problem;

use super::ImportRequest;
use super::arrangement::{self, ColumnBelief, ColumnFieldKind};
use super::file_kind::{self, FileKind, RecognisedFile};
use super::grid::{self, Grid};
use super::html_page;
use super::layout::Meanings;
use super::source_file::SourceFile;
use super::table;

/// What a column of figures may be, by what its fields look like.
const FIGURES: &str = "tps, tps_per_minute, transactions, latency_ms_mean, latency_ms_p95, read_iops, write_iops, \
                       read_mib_per_s, write_mib_per_s, nothing";
const TIMES: &str = "latency_ms_mean, latency_ms_p95, latency_ms_p99, latency_ms_stddev, read_latency_ms, write_latency_ms, \
                     duration_s, nothing";
const COUNTS: &str =
    "clients, threads, scale, repetition, or one of a figure (tps, latency_ms_mean, read_iops), nothing";
const NAMES: &str = "target, workload, job, nothing; without an answer it distinguishes rows under its own name";

/// How many fields of a column are shown with a question.
const SHOWN: usize = 3;

/// A study being written.
#[derive(Default)]
struct Proposal {
    /// Lines of comments about tables that are read without it.
    read: String,
    /// Lines below `columns`.
    columns: String,
    /// Names of columns that stand there.
    named: Vec<String>,
    /// The sides that columns are of.
    sides: Vec<String>,
    asks_decimal_mark: bool,
    asks_clients: bool,
}

/// The text of a study for the files of a request, which is to be written into `directory`; without one, paths are as
/// they were given.
///
/// # Errors
/// When a file cannot be read, or has neither outputs nor a table with figures.
pub fn propose_study(request: &ImportRequest, directory: Option<&Path>) -> Result<String, Problem> {
    let mut proposal = Proposal::default();
    let mut files = Vec::new();
    for argument in &request.files {
        let file = SourceFile::from_argument(argument);
        if file.is_study() {
            let what = format!("{} is a study already", file.display_name());
            return Err(Problem::usage_error(what).hint("name the tables and pages that it is about"));
        }
        proposal.read_file(&file)?;
        files.push((file.target.clone(), path_in_study(&file, directory)?));
    }
    let name = request.name.clone().unwrap_or_else(|| {
        request.files.first().map_or_else(String::new, |file| SourceFile::from_argument(file).file_stem())
    });
    Ok(proposal.into_text(&name, &files))
}

/// The path of a file as the study names it, which looks for it beside itself.
fn path_in_study(file: &SourceFile, directory: Option<&Path>) -> Result<String, Problem> {
    let Some(directory) = directory else { return Ok(file.path.display().to_string()) };
    let here = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let (path, here) = (whole_path(&file.path)?, whole_path(here)?);
    Ok(path.strip_prefix(&here).unwrap_or(&path).display().to_string())
}

fn whole_path(path: &Path) -> Result<PathBuf, Problem> {
    path.canonicalize()
        .map_err(|error| Problem::usage_error(format!("could not find {}", path.display())).detail(error.to_string()))
}

impl Proposal {
    /// Reads a file, and adds what is believed and asked of its tables.
    fn read_file(&mut self, file: &SourceFile) -> Result<(), Problem> {
        let recognised = file_kind::recognise_file_kind(file, &Meanings::default())?;
        let (is_html, without_figures) = match recognised {
            RecognisedFile::OfKind(FileKind::Html) => (true, None),
            RecognisedFile::OfKind(FileKind::Table | FileKind::Outputs) => (false, None),
            RecognisedFile::OfKind(_) => return Ok(()),
            RecognisedFile::WithoutFigures(problem) => (false, Some(problem)),
        };
        let text = file_kind::read_text_of_file(file)?;
        let has_outputs = !file_kind::kinds_of_outputs(&text).is_empty();
        let grids = if is_html { html_page::read_page(&text).grids } else { grids_of_text(file, &text)? };
        let mut has_figures = false;
        for grid in grids {
            has_figures |= self.read_table(file, grid);
        }
        match without_figures {
            _ if has_figures || has_outputs => Ok(()),
            Some(problem) => Err(problem),
            None => Err(Problem::usage_error(format!("{} has no table with figures", file.display_name()))),
        }
    }

    /// Adds what is believed and asked of a table; not of one without figures.
    fn read_table(&mut self, file: &SourceFile, grid: Grid) -> bool {
        let meanings = Meanings::default();
        let place = format!("{}, line {}", file.display_name(), file.line_in_file(grid.line));
        let beliefs = arrangement::beliefs_of_columns(&grid);
        let arranged = arrangement::arrange_grid(grid, &meanings);
        let is_known = super::layout::is_table_of_figures(&arranged, &meanings);
        let has_figures = beliefs.iter().any(|belief| belief.kind != ColumnFieldKind::Text);
        if !is_known && (!has_figures || beliefs.len() < 2) {
            return false;
        }
        let (header, notes) = (arranged.header.join(", "), arranged.notes.clone());
        if arranged.is_arranged {
            self.ask_about_numbers(&place, &arranged);
        }
        if !is_known {
            self.ask_about_table(&place, "its figures are not named", &beliefs);
            return true;
        }
        match table::read_grids(file, vec![arranged], &meanings) {
            Ok(_) => {
                let _ = writeln!(self.read, "# {place}: read without a study, as columns {header}");
                for note in notes {
                    let _ = writeln!(self.read, "#   {note}");
                }
            }
            Err(problem) => {
                let said = problem.primary_message().replace(&format!("{place}: "), "");
                let said = said.replace(&format!("{}, ", file.display_name()), "");
                self.asks_decimal_mark |= said.contains("before three digits");
                self.ask_about_table(&place, &said, &beliefs);
            }
        }
        true
    }

    /// Asks what numbers above columns count, where no word says it.
    fn ask_about_numbers(&mut self, place: &str, arranged: &Grid) {
        let name = arrangement::UNNAMED;
        let Some(index) = arranged.header.iter().position(|other| other == name) else { return };
        if self.named.iter().any(|other| other == name) {
            return;
        }
        self.named.push(name.to_owned());
        let mut shown: Vec<&str> = Vec::new();
        for (_, row) in arranged.rows.rows_with_lines() {
            if !shown.contains(&row.field_at(index)) && shown.len() < SHOWN {
                shown.push(row.field_at(index));
            }
        }
        let _ = writeln!(
            self.columns,
            "  # {place}: what do the numbers above its columns count ({})? one of: clients, threads, scale\n  # {name}: ?",
            shown.join(", ")
        );
    }

    fn ask_about_table(&mut self, place: &str, reason: &str, beliefs: &[ColumnBelief]) {
        let _ = writeln!(self.columns, "  # {place}: {}", reason.replace('\n', " "));
        let has_clients = beliefs.iter().any(|belief| {
            belief.tells.as_deref().is_some_and(|tells| matches!(tells, "clients" | "threads"))
                || belief.of.iter().any(|(key, _)| matches!(*key, "clients" | "threads"))
        });
        self.asks_clients |= !has_clients;
        for belief in beliefs {
            if belief.name.is_empty() || self.named.contains(&belief.name) {
                continue;
            }
            self.named.push(belief.name.clone());
            for (_, side) in belief.of.iter().filter(|(key, _)| *key == "target") {
                if !self.sides.contains(side) {
                    self.sides.push(side.clone());
                }
            }
            self.write_column(belief);
        }
    }

    /// The line of a column, or the question that it is the answer of.
    fn write_column(&mut self, belief: &ColumnBelief) {
        let name = quoted_text(&belief.name);
        let mut of = String::new();
        for (key, value) in &belief.of {
            let is_number = value.chars().all(|c| c.is_ascii_digit());
            let _ = write!(of, ", {key}: {}", if is_number { value.clone() } else { quoted_text(value) });
        }
        let shown = belief.fields.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
        if let Some(tells) = &belief.tells {
            let meaning = if of.is_empty() { tells.clone() } else { format!("{{ tells: {tells}{of} }}") };
            match belief.missing_unit {
                None => {
                    let _ = writeln!(self.columns, "  {name}: {meaning}");
                }
                Some(unit) => {
                    let asked = meaning.replacen(tells.as_str(), &format!("{tells}_?"), 1);
                    let _ = writeln!(self.columns, "  # what is the unit of column {name} ({shown})? such as {unit}");
                    let _ = writeln!(self.columns, "  # {name}: {asked}");
                }
            }
            return;
        }
        let choices = match belief.kind {
            ColumnFieldKind::Figures => FIGURES,
            ColumnFieldKind::Times => TIMES,
            ColumnFieldKind::Counts => COUNTS,
            ColumnFieldKind::Text => NAMES,
        };
        let is_number = belief.name.chars().all(|c| c.is_ascii_digit());
        let of_number = if is_number { "; is its number one of clients, threads, scale?" } else { "" };
        let _ = writeln!(self.columns, "  # what is column {name} ({shown})? one of: {choices}{of_number}");
        let _ = writeln!(self.columns, "  # {name}: {{ tells: ?{of} }}");
    }

    fn into_text(self, name: &str, files: &[(Option<String>, String)]) -> String {
        let mut text = String::from(
            "# Proposed by pgdyno import --propose. Answer the questions: write the answer in place of \"?\", and remove\n\
             # the \"#\" before that line. Then import this file.\n",
        );
        let _ = writeln!(text, "study: {}", quoted_text(name));
        let _ = writeln!(text, "files:");
        if files.iter().all(|(target, _)| target.is_none()) {
            for (_, path) in files {
                let _ = writeln!(text, "  - {}", quoted_text(path));
            }
        } else {
            for (target, path) in files {
                let target = target.as_deref().unwrap_or("imported");
                let _ = writeln!(text, "  {}: [{}]", quoted_text(target), quoted_text(path));
            }
        }
        if self.sides.len() > 1 {
            let sides: Vec<String> = self.sides.iter().map(|side| quoted_text(side)).collect();
            let _ = writeln!(text, "# which target is the baseline? one of: {}\n# baseline: ?", sides.join(", "));
        }
        if self.asks_decimal_mark {
            text.push_str("# what marks decimals in its tables? one of: point, comma\n# decimal_mark: ?\n");
        }
        if self.asks_clients {
            text.push_str(
                "# how many clients sent the load of all rows? leave it out if they differ or are unknown\n\
                 # declared: { generator: { clients: ? } }\n",
            );
        }
        text.push_str(&self.read);
        if !self.columns.is_empty() {
            text.push_str("columns:\n");
            text.push_str(&self.columns);
        }
        text
    }
}

/// The tables of a text that is no page of HTML: those that stand in it, else it is one itself.
fn grids_of_text(file: &SourceFile, text: &str) -> Result<Vec<Grid>, Problem> {
    let grids = grid::page_grids(file, text)?;
    if grids.is_empty() { grid::parse_grids(file, text) } else { Ok(grids) }
}

/// A text as a key or value of YAML.
fn quoted_text(text: &str) -> String {
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'))
        && !matches!(text.to_lowercase().as_str(), "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "y" | "n");
    if is_plain { text.to_owned() } else { format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use judge::observed::Observed;

    use super::*;
    use crate::import_study;

    const PAGE: &str = "# Results\n\n| Clients | VM | K8s |\n|---|---|---|\n| 8 | 100 | 90 |\n| 16 | 190 | 170 |\n";

    /// The proposal for a file of this name and content, with answers in place of questions.
    fn answered_proposal(name: &str, content: &str, answers: &[(&str, &str)]) -> (String, Vec<String>) {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join(name);
        fs::write(&path, content).expect("written");
        let request = ImportRequest { files: vec![path.clone()], ..ImportRequest::default() };
        let text = propose_study(&request, Some(directory.path())).expect("a proposal");
        let mut study = text.clone();
        for (question, answer) in answers {
            assert!(study.contains(question), "{study}\n{question}");
            study = study.replacen(question, answer, 1);
        }
        let study_path = directory.path().join("proposed.yaml");
        fs::write(&study_path, &study).expect("written");
        let request = ImportRequest { files: vec![study_path], ..ImportRequest::default() };
        let dir = import_study(&request, &directory.path().join("runs"), jiff::Timestamp::UNIX_EPOCH)
            .unwrap_or_else(|problem| panic!("{problem}\n{study}"));
        let mut lines = Vec::new();
        for trial in &Observed::read(&dir).expect("what was written is read").trials {
            let told = trial.told.as_ref().expect("figures");
            let clients = trial.cell.clients.known_count().unwrap_or_default();
            let figure = told.throughput_per_s.or(told.latency.mean_ns.map(|ns| ns / 1e6)).unwrap_or_default();
            lines.push(format!("{} {clients} {figure}", trial.cell.target));
        }
        (text.replace(&format!("{}/", directory.path().display()), ""), lines)
    }

    #[test]
    fn what_is_known_is_written_and_the_rest_asked() {
        let answers = [
            ("  # VM: { tells: ?", "  VM: { tells: tps"),
            ("  # K8s: { tells: ?", "  K8s: { tells: tps"),
            ("# baseline: ?", "baseline: K8s"),
        ];
        let (text, lines) = answered_proposal("page.md", PAGE, &answers);
        assert_eq!(lines, ["VM 8 100", "K8s 8 90", "VM 16 190", "K8s 16 170"]);
        let expected = format!(
            "# Proposed by pgdyno import --propose. Answer the questions: write the answer in place of \"?\", and remove\n\
             # the \"#\" before that line. Then import this file.\n\
             study: page\nfiles:\n  - page.md\n\
             # which target is the baseline? one of: VM, K8s\n# baseline: ?\n\
             columns:\n  # page.md, line 3: its figures are not named\n  Clients: clients\n\
             \x20 # what is column VM (100, 190)? one of: {FIGURES}\n  # VM: {{ tells: ?, target: VM }}\n\
             \x20 # what is column K8s (90, 170)? one of: {FIGURES}\n  # K8s: {{ tells: ?, target: K8s }}\n"
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn units_and_decimal_marks_are_asked_where_they_are_missing() {
        let table = "target,clients,tps,avg latency\nvm,8,\"12,345\",5.5\npod,8,\"11,000\",6.5\n";
        let answers = [("  # \"avg latency\": latency_mean_?", "  \"avg latency\": latency_mean_ms")];
        let (text, lines) = answered_proposal("t.csv", table, &answers);
        assert!(text.contains("such as ms"), "{text}");
        assert_eq!(lines, ["vm 8 12345", "pod 8 11000"]);
        let table = "target,clients,tps\nvm,8,\"12,345\"\npod,8,\"11,000\"\n";
        for (mark, expected) in [("point", ["vm 8 12345", "pod 8 11000"]), ("comma", ["vm 8 12.345", "pod 8 11"])] {
            let answer = format!("decimal_mark: {mark}");
            let (_, lines) = answered_proposal("t.csv", table, &[("# decimal_mark: ?", &answer)]);
            assert_eq!(lines, expected);
        }
    }

    #[test]
    fn numbers_as_columns_and_names_in_another_language_are_asked() {
        let table = "target,workload,1,2,4\nvm,select-only,100,190,350\n";
        let answers = [
            ("  # \"1\": { tells: ?", "  \"1\": { tells: tps"),
            ("  # \"2\": { tells: ?", "  \"2\": { tells: tps"),
            ("  # \"4\": { tells: ?", "  \"4\": { tells: tps"),
        ];
        let (text, lines) = answered_proposal("wide.csv", table, &answers);
        assert!(text.contains("# \"1\": { tells: ?, clients: 1 }"), "{text}");
        assert_eq!(lines, ["vm 1 100", "vm 2 190", "vm 4 350"]);
        let table = "目标,客户端数,TPS,平均延迟(ms)\n虚拟机,16,2859,5.6\n容器,16,2159,7.4\n";
        let answers = [
            ("  # \"目标\": { tells: ?", "  \"目标\": { tells: target"),
            ("  # \"客户端数\": { tells: ?", "  \"客户端数\": { tells: clients"),
            ("  # \"平均延迟(ms)\": { tells: ?", "  \"平均延迟(ms)\": { tells: latency_ms_mean"),
        ];
        let (_, lines) = answered_proposal("zh.csv", table, &answers);
        assert_eq!(lines, ["虚拟机 16 2859", "容器 16 2159"]);
    }

    #[test]
    fn numbers_above_columns_of_a_named_figure_are_asked_once() {
        let page = "| RO TPS | 1 | 2 |\n|---|---|---|\n| vm | 100 | 190 |\n\n| RW TPS | 1 | 2 |\n|---|---|---|\n| vm | 10 | 19 |\n";
        let (text, lines) = answered_proposal("page.md", page, &[("  # column: ?", "  column: clients")]);
        assert!(text.contains("line 1: what do the numbers above its columns count (1, 2)?"), "{text}");
        assert_eq!(lines, ["vm 1 100", "vm 2 190", "vm 1 10", "vm 2 19"]);
    }

    #[test]
    fn a_table_that_is_read_without_a_study_is_said_so_and_prose_is_refused() {
        let (text, lines) = answered_proposal("t.csv", "target,clients,tps\nvm,8,100\n", &[]);
        assert_eq!(lines, ["vm 8 100"]);
        assert!(text.contains("# t.csv, line 1: read without a study, as columns target, clients, tps"), "{text}");
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a.md");
        fs::write(&path, "# Notes\n\nprose\n").expect("written");
        let request = ImportRequest { files: vec![path], ..ImportRequest::default() };
        assert!(propose_study(&request, None).expect_err("prose").to_string().contains("unknown kind of file"));
    }

    #[test]
    fn texts_are_quoted_where_yaml_would_read_something_else() {
        for (text, expected) in
            [("VM", "VM"), ("a b", "\"a b\""), ("1", "\"1\""), ("on", "\"on\""), ("x: \"y\"", "\"x: \\\"y\\\"\"")]
        {
            assert_eq!(quoted_text(text), expected);
        }
    }
}
