//! A stream cut into records: lines, or lines of CSV whose quotes may span several. Memory is bounded by the longest
//! record, which is bounded too.

use std::io::Read;

/// How records end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordForm {
    /// By a newline.
    Line,
    /// By a newline outside quotes.
    Csv,
}

/// Bytes that are read at once.
const CHUNK: usize = 1 << 20;
/// A record that is longer is taken for one whose quotes are torn.
const RECORD_AT_MOST: usize = 64 << 20;

/// One record, without the newline at its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RawRecord<'a> {
    /// Its bytes.
    pub(crate) bytes: &'a [u8],
    /// The line where it begins, from 1.
    pub(crate) line: u64,
    /// Whether it has no end: the file stops within it.
    pub(crate) is_torn: bool,
}

/// Cuts a stream into records.
pub(crate) struct RecordReader<R> {
    input: R,
    form: RecordForm,
    buffer: Vec<u8>,
    /// Where the record that is looked for begins.
    start: usize,
    /// Where what was given last ends.
    given_end: usize,
    filled: usize,
    line: u64,
    given_lines: u64,
    has_ended: bool,
    is_cut: bool,
}

impl<R: Read> RecordReader<R> {
    pub(crate) fn with_form(input: R, form: RecordForm) -> Self {
        Self {
            input,
            form,
            buffer: Vec::new(),
            start: 0,
            given_end: 0,
            filled: 0,
            line: 1,
            given_lines: 0,
            has_ended: false,
            is_cut: false,
        }
    }

    /// Whether the file ended before its compressed stream did.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The next record, or none at the end.
    pub(crate) fn read_record(&mut self) -> std::io::Result<Option<RawRecord<'_>>> {
        self.start = self.given_end;
        self.line += self.given_lines;
        self.given_lines = 0;
        let mut scanned = self.start;
        let mut is_quoted = false;
        let mut newlines = 0;
        let end = loop {
            let (found, position) = self.scan_on(scanned, &mut is_quoted, &mut newlines);
            if found {
                break position;
            }
            scanned = position;
            if self.has_ended || scanned - self.start > RECORD_AT_MOST {
                return Ok(self.give_rest(newlines));
            }
            let moved = self.fill_buffer()?;
            scanned -= moved;
        };
        self.given_end = end + 1;
        self.given_lines = newlines + 1;
        let bytes = &self.buffer[self.start..end];
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        Ok(Some(RawRecord { bytes, line: self.line, is_torn: false }))
    }

    /// Gives up the record that was given last: the next one begins this many bytes after its begin, which is the begin
    /// of a line.
    pub(crate) fn resume_within(&mut self, bytes: usize) {
        let lines = memchr::memchr_iter(b'\n', &self.buffer[self.start..self.start + bytes]).count() as u64;
        self.given_end = self.start + bytes;
        self.given_lines = lines;
    }

    /// Looks for the record's end from a place on; else says how far it looked.
    fn scan_on(&self, from: usize, is_quoted: &mut bool, newlines: &mut u64) -> (bool, usize) {
        let mut at = from;
        match self.form {
            RecordForm::Line => match memchr::memchr(b'\n', &self.buffer[at..self.filled]) {
                Some(found) => (true, at + found),
                None => (false, self.filled),
            },
            RecordForm::Csv => {
                while let Some(found) = memchr::memchr2(b'"', b'\n', &self.buffer[at..self.filled]) {
                    at += found;
                    if self.buffer[at] == b'"' {
                        *is_quoted = !*is_quoted;
                    } else if *is_quoted {
                        *newlines += 1;
                    } else {
                        return (true, at);
                    }
                    at += 1;
                }
                (false, self.filled)
            }
        }
    }

    fn give_rest(&mut self, newlines: u64) -> Option<RawRecord<'_>> {
        self.given_end = self.filled;
        self.given_lines = newlines;
        let bytes = &self.buffer[self.start..self.filled];
        if bytes.is_empty() {
            return None;
        }
        Some(RawRecord { bytes, line: self.line, is_torn: true })
    }

    /// Reads more, after what is done with has been dropped. Says by how much everything moved.
    fn fill_buffer(&mut self) -> std::io::Result<usize> {
        let moved = self.start;
        self.buffer.copy_within(self.start..self.filled, 0);
        self.filled -= moved;
        self.start = 0;
        self.given_end = 0;
        if self.buffer.len() - self.filled < CHUNK {
            self.buffer.resize(self.filled + CHUNK, 0);
        }
        loop {
            match self.input.read(&mut self.buffer[self.filled..]) {
                Ok(0) => self.has_ended = true,
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                // A compressed file that is not whole: what it has is read.
                Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                    self.has_ended = true;
                    self.is_cut = true;
                }
                Err(error) => return Err(error),
            }
            return Ok(moved);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else { return Ok(0) };
            buffer[0] = *first;
            self.0 = rest;
            Ok(1)
        }
    }

    fn records(text: &str, form: RecordForm) -> Vec<(String, u64, bool)> {
        let mut reader = RecordReader::with_form(Drip(text.as_bytes()), form);
        let mut records = Vec::new();
        while let Some(record) = reader.read_record().unwrap() {
            let bytes = String::from_utf8(record.bytes.to_vec()).unwrap();
            records.push((bytes, record.line, record.is_torn));
        }
        records
    }

    #[test]
    fn records_end_at_newlines_outside_quotes() {
        let text = "a,\"b\n\"\"c\"\"\"\nd\r\n\ne,\"f\n";
        let expected = [("a,\"b\n\"\"c\"\"\"", 1, false), ("d", 3, false), ("", 4, false), ("e,\"f\n", 5, true)];
        let expected = expected.map(|(bytes, line, is_torn)| (bytes.to_owned(), line, is_torn));
        assert_eq!(records(text, RecordForm::Csv), expected);
        let lines: Vec<u64> = records(text, RecordForm::Line).iter().map(|record| record.1).collect();
        assert_eq!(lines, [1, 2, 3, 4, 5]);
        assert_eq!(records("", RecordForm::Csv), []);
    }

    #[test]
    fn a_reader_resumes_within_a_record() {
        let mut reader = RecordReader::with_form(Drip(b"x\"torn\ny\nz\n\"\nlast\n"), RecordForm::Csv);
        assert_eq!(reader.read_record().unwrap().unwrap().bytes, b"x\"torn\ny\nz\n\"");
        reader.resume_within(7);
        let record = reader.read_record().unwrap().unwrap();
        assert_eq!((record.bytes, record.line), (&b"y"[..], 2));
        let record = reader.read_record().unwrap().unwrap();
        assert_eq!((record.bytes, record.line), (&b"z"[..], 3));
    }
}
