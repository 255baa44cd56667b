//! Files with a line for each of many objects of which there is nothing beside it, where a directory for each would
//! take most of the time and room: trials and stages of an import that have figures only.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};

/// A file of rows being written: it is there once it is committed, and not at all without a row.
#[derive(Debug)]
pub struct RowsWriter<T> {
    path: PathBuf,
    file: Option<BufWriter<File>>,
    rows: PhantomData<fn(&T)>,
}

impl<T: Serialize> RowsWriter<T> {
    pub(crate) fn for_path(path: PathBuf) -> Self {
        Self { path, file: None, rows: PhantomData }
    }

    /// Writes a row behind the others.
    ///
    /// # Errors
    /// [`Error::Io`], also when no space is left.
    pub fn append_row(&mut self, row: &T) -> Result<()> {
        self.try_append(row).map_err(Error::io_error_at("write", &self.path))
    }

    fn try_append(&mut self, row: &T) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(BufWriter::with_capacity(64 << 10, File::create(partial_path(&self.path))?)),
        };
        serde_json::to_writer(&mut *file, row)?;
        file.write_all(b"\n")
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// [`Error::Io`], also when no space is left.
    pub fn commit_rows(self) -> Result<()> {
        let Some(mut file) = self.file else { return Ok(()) };
        let written = file.flush().and_then(|()| fs::rename(partial_path(&self.path), &self.path));
        written.map_err(Error::io_error_at("write", &self.path))
    }
}

fn partial_path(path: &Path) -> PathBuf {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".tmp");
    PathBuf::from(partial)
}

/// The rows of a file, each of format `newest` at most; none where there is no file.
pub(crate) fn read_rows<T: DeserializeOwned>(path: &Path, expected: &'static str, newest: u32) -> Result<Vec<T>> {
    let mut rows = Vec::new();
    for (index, line) in lines_of_rows(path)?.enumerate() {
        let line = line.map_err(Error::io_error_at("read", path))?;
        let malformed = |error: serde_json::Error| Error::Malformed {
            path: path.to_owned(),
            expected,
            detail: format!("line {}: {error}", index + 1),
        };
        check_format(path, line.as_bytes(), newest, malformed)?;
        rows.push(serde_json::from_str(&line).map_err(malformed)?);
    }
    Ok(rows)
}

/// How many rows a file has; none where there is no file.
pub(crate) fn count_rows(path: &Path) -> Result<usize> {
    let mut count = 0;
    for line in lines_of_rows(path)? {
        line.map_err(Error::io_error_at("read", path))?;
        count += 1;
    }
    Ok(count)
}

fn lines_of_rows(path: &Path) -> Result<impl Iterator<Item = io::Result<String>>> {
    let file = match File::open(path) {
        Ok(file) => Some(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(Error::io_error_at("read", path)(error)),
    };
    Ok(file.into_iter().flat_map(|file| BufReader::with_capacity(64 << 10, file).lines()))
}

/// Refuses a newer format, so that a newer file says so instead of naming a field that this build lacks.
pub(crate) fn check_format(
    path: &Path,
    json: &[u8],
    newest: u32,
    malformed: impl Fn(serde_json::Error) -> Error,
) -> Result<()> {
    #[derive(serde::Deserialize)]
    struct Format {
        format: u32,
    }
    let Format { format } = serde_json::from_slice(json).map_err(malformed)?;
    if format > newest {
        return Err(Error::NewerFormat { path: path.to_owned(), found: format, newest });
    }
    Ok(())
}
