//! The lines of a stream through one buffer, however long the stream: what is read is looked at where it lies.

use std::io::{self, Read};

/// How much is read at once. A line that does not fit is longer than any tool prints.
const BUFFER: usize = 1 << 20;

/// One line.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileLine<'a> {
    /// Its number, from 1.
    pub(super) number: usize,
    /// Its bytes without the end, be that LF or CRLF.
    pub(super) text: &'a [u8],
    /// Whether it has an end: the last one of a file may be torn.
    pub(super) ended: bool,
}

/// Shows each line until `each` says false.
///
/// # Errors
/// Those of the stream; [`io::ErrorKind::InvalidData`] for a line of more than a mebibyte.
pub(super) fn for_each_line(mut stream: impl Read, mut each: impl FnMut(FileLine<'_>) -> bool) -> io::Result<()> {
    let mut buffer = vec![0; BUFFER];
    let (mut filled, mut number) = (0, 0);
    loop {
        if filled == buffer.len() {
            let error = format!("line {} has more than {BUFFER} bytes", number + 1);
            return Err(io::Error::new(io::ErrorKind::InvalidData, error));
        }
        let read = match stream.read(&mut buffer[filled..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        filled += read;
        let mut start = 0;
        while let Some(length) = memchr::memchr(b'\n', &buffer[start..filled]) {
            number += 1;
            let text = &buffer[start..start + length];
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            if !each(FileLine { number, text, ended: true }) {
                return Ok(());
            }
            start += length + 1;
        }
        if read == 0 {
            if start < filled {
                each(FileLine { number: number + 1, text: &buffer[start..filled], ended: false });
            }
            return Ok(());
        }
        buffer.copy_within(start..filled, 0);
        filled -= start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that gives a few bytes at a time.
    struct Drops<'a>(&'a [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(into.len()).min(self.0.len());
            into[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }

    #[test]
    fn lines_are_whole_however_the_stream_drops_them_and_the_last_may_be_torn() {
        for drop in [1, 2, 3, 100] {
            let mut found = Vec::new();
            for_each_line(Drops(b"one\r\n\ntwo\nthr", drop), |line| {
                found.push((line.number, line.text.to_vec(), line.ended));
                true
            })
            .expect("a stream");
            let expected = [(1, &b"one"[..], true), (2, b"", true), (3, b"two", true), (4, b"thr", false)];
            assert_eq!(found, expected.map(|(number, text, ended)| (number, text.to_vec(), ended)), "{drop}");
        }
    }

    #[test]
    fn a_line_without_end_is_refused_instead_of_filling_the_memory() {
        let error = for_each_line(io::repeat(b'x'), |_| true).expect_err("endless");
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }
}
