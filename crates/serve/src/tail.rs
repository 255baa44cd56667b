//! What was appended to a file since it was last looked at, in whole lines.
//!
//! The file stays open, so that it is read to its end also where its directory is renamed meanwhile, as that of a trial
//! is, or deleted. A line without its end is kept until the rest comes.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// A file that grows.
#[derive(Debug)]
pub(crate) struct Tail {
    file: File,
    torn: Vec<u8>,
}

impl Tail {
    /// Begins with the first line.
    pub(crate) fn open_file(path: &Path) -> io::Result<Self> {
        Ok(Self { file: File::open(path)?, torn: Vec::new() })
    }

    /// The lines that have come to their end since, without it.
    pub(crate) fn read_new_lines(&mut self) -> io::Result<Vec<Vec<u8>>> {
        let before = self.torn.len();
        self.file.read_to_end(&mut self.torn)?;
        let Some(last) = self.torn[before..].iter().rposition(|byte| *byte == b'\n') else { return Ok(Vec::new()) };
        let rest = self.torn.split_off(before + last + 1);
        let whole = std::mem::replace(&mut self.torn, rest);
        Ok(whole.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_torn_line_is_kept_until_its_rest_comes() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lines");
        let mut file = File::create(&path).unwrap();
        let mut tail = Tail::open_file(&path).unwrap();
        let mut read = |appended: &str| {
            file.write_all(appended.as_bytes()).unwrap();
            let lines = tail.read_new_lines().unwrap();
            lines.into_iter().map(|line| String::from_utf8(line).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(read(""), [""; 0]);
        assert_eq!(read("one\ntw"), ["one"]);
        assert_eq!(read("o"), [""; 0]);
        std::fs::rename(&path, directory.path().join("renamed")).unwrap();
        assert_eq!(read("\nthree\n\nfour\nfi"), ["two", "three", "four"]);
        std::fs::remove_file(directory.path().join("renamed")).unwrap();
        assert_eq!(read("ve\n"), ["five"]);
    }
}
