//! A text file of a machine whose file system has some root.

use std::fs;
use std::path::Path;

/// Reads a file below the root; the error names it.
pub(super) fn read_text_file(root: &Path, path: &str) -> Result<String, String> {
    fs::read_to_string(root.join(path)).map_err(|error| format!("/{path}: {error}"))
}
