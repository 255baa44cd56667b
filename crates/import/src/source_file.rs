//! A file of an import: where it is, whose figures it has, and its bytes.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::bufread::MultiGzDecoder;
use problem::Problem;

/// How much of a file is looked at to recognise it.
const HEAD: usize = 64 << 10;

/// A file of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceFile {
    /// Where it is.
    pub path: PathBuf,
    /// The target that the command line gives it.
    pub target: Option<String>,
    /// The lines of the file, from 1, that the lines of the text of a page of HTML are from.
    pub page_lines: Option<Arc<[usize]>>,
    /// The number of the output, from 1, that alone is read of a page.
    pub output: Option<usize>,
}

impl SourceFile {
    /// A file as a person gives it: `FILE` or `TARGET=FILE`.
    pub(crate) fn from_argument(argument: &Path) -> Self {
        let split = || {
            let (target, path) = argument.to_str()?.split_once('=')?;
            let is_name = !target.is_empty() && !target.contains('/') && !argument.exists();
            is_name.then(|| Self { target: Some(target.to_owned()), ..Self::from_path(PathBuf::from(path)) })
        };
        split().unwrap_or_else(|| Self::from_path(argument.to_owned()))
    }

    /// A file that another one brings.
    pub(crate) fn from_path(path: PathBuf) -> Self {
        Self { path, target: None, page_lines: None, output: None }
    }

    /// Its name in messages.
    pub(crate) fn display_name(&self) -> String {
        let path = self.path.display();
        self.output.map_or_else(|| path.to_string(), |number| format!("{path}#{number}"))
    }

    /// Its name without directory and endings.
    pub(crate) fn file_stem(&self) -> String {
        let name = self.path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("imported").to_owned()
    }

    /// Whether it holds the conditions of a study, by its name.
    pub(crate) fn is_study(&self) -> bool {
        let name = self.path.file_name().map_or(String::new(), |name| name.to_string_lossy().to_lowercase());
        let name = name.trim_end_matches(".gz");
        name.ends_with(".yaml") || name.ends_with(".yml")
    }

    /// What to try where a table of it cannot be understood alone.
    pub(crate) fn propose_hint(&self) -> String {
        format!("pgdyno import --propose {} writes a study.yaml that asks for what is missing", self.display_name())
    }

    /// A problem with one of its lines.
    pub(crate) fn problem_at_line(&self, line: usize, what: impl std::fmt::Display) -> Problem {
        Problem::usage_error(format!("{}, line {}: {what}", self.display_name(), self.line_in_file(line)))
    }

    /// The line of the file where a line of its text is from.
    pub(crate) fn line_in_file(&self, line: usize) -> usize {
        let of_page = self.page_lines.as_ref().and_then(|lines| lines.get(line.checked_sub(1)?).or(lines.last()));
        of_page.copied().unwrap_or(line)
    }

    /// Its bytes, unpacked if they are packed.
    pub(crate) fn open(&self) -> Result<Box<dyn BufRead + Send>, Problem> {
        let failed = |error: std::io::Error| self.unreadable_file_problem(&error);
        // Before it is opened: that would wait for somebody to write into a pipe.
        let what = std::fs::metadata(&self.path).map_err(failed)?.file_type();
        if what.is_dir() {
            return Err(Problem::usage_error(format!("{} is a directory", self.display_name()))
                .hint("name the files of one study; a run directory needs no import"));
        }
        if !what.is_file() {
            return Err(Problem::usage_error(format!("{} is not a regular file", self.display_name()))
                .detail("a file is read twice: to detect its kind, and to read its figures")
                .hint("write it to a file first; files compressed with gzip are read directly"));
        }
        let mut reader = BufReader::with_capacity(HEAD, File::open(&self.path).map_err(failed)?);
        let is_gzip = reader.fill_buf().map_err(failed)?.starts_with(&[0x1f, 0x8b]);
        Ok(if is_gzip {
            Box::new(BufReader::with_capacity(HEAD, MultiGzDecoder::new(reader)))
        } else {
            Box::new(reader)
        })
    }

    /// What the system said about it.
    pub(crate) fn unreadable_file_problem(&self, error: &std::io::Error) -> Problem {
        Problem::usage_error(format!("could not read {}", self.display_name())).detail(error.to_string())
    }
}
