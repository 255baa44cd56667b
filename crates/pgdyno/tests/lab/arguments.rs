//! What the lab was asked to do.

use std::path::PathBuf;

/// The command line.
#[derive(Debug, Default)]
pub struct Arguments {
    words: Vec<String>,
    /// Only name the cases.
    pub list: bool,
    /// Put the matrix into the documentation.
    pub write: bool,
    /// Where the run directories are copied to.
    pub keep: Option<PathBuf>,
    /// Where run directories were kept, which are diagnosed again in place of measuring.
    pub kept: Option<PathBuf>,
}

impl Arguments {
    /// Reads the words after the program's name.
    pub fn of(words: impl Iterator<Item = String>) -> Result<Self, String> {
        let (mut arguments, mut words) = (Self::default(), words);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--list" => arguments.list = true,
                "--write" => arguments.write = true,
                "--keep" => arguments.keep = Some(words.next().ok_or("--keep needs a directory")?.into()),
                "--kept" => arguments.kept = Some(words.next().ok_or("--kept needs a directory")?.into()),
                option if option.starts_with('-') => {
                    return Err(format!(
                        "unknown option {option:?}; there are --list, --write, --keep DIR and --kept DIR"
                    ));
                }
                _ => arguments.words.push(word.to_lowercase()),
            }
        }
        Ok(arguments)
    }

    /// Whether a case is among those that were asked for.
    pub fn names(&self, case: &str) -> bool {
        let case = case.to_lowercase();
        self.words.iter().all(|word| case.contains(word))
    }
}
