//! Cuts one direction of a session into the protocol's messages, whatever pieces it arrives in.

/// Type byte and length word.
const HEADER: usize = 5;
/// The longest message that is kept as a whole; a longer one is passed over.
const LONGEST_MESSAGE: usize = 64 << 20;

/// The messages of one direction.
#[derive(Debug, Default)]
pub(super) struct MessageSplitter {
    /// The begin of a message whose end has not arrived.
    partial: Vec<u8>,
    /// Bytes of a message that is too long to be kept, which have not arrived.
    passed_over: usize,
}

/// One message, or what stands for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SplitMessage<'a> {
    /// Its type and its body.
    Whole(u8, &'a [u8]),
    /// It is longer than what is kept.
    TooLong(u8),
    /// Its length is impossible: what comes after it cannot be understood.
    Malformed,
}

impl MessageSplitter {
    /// Takes what has arrived, and hands each message that is complete to `take_message`.
    pub(super) fn split_bytes(&mut self, mut bytes: &[u8], mut take_message: impl FnMut(SplitMessage<'_>)) {
        loop {
            if self.passed_over > 0 {
                let count = self.passed_over.min(bytes.len());
                self.passed_over -= count;
                bytes = &bytes[count..];
            }
            if bytes.is_empty() {
                return;
            }
            if self.partial.is_empty() {
                let Some(length) = message_length(bytes) else { return self.keep_partial(bytes) };
                match length {
                    Err(()) => return take_message(SplitMessage::Malformed),
                    Ok(length) if length > LONGEST_MESSAGE => {
                        take_message(SplitMessage::TooLong(bytes[0]));
                        self.passed_over = length;
                    }
                    Ok(length) if length <= bytes.len() => {
                        take_message(SplitMessage::Whole(bytes[0], &bytes[HEADER..length]));
                        bytes = &bytes[length..];
                    }
                    Ok(_) => return self.keep_partial(bytes),
                }
            } else {
                match self.complete_partial(bytes) {
                    None => return,
                    Some(rest) => {
                        bytes = rest;
                        let partial = std::mem::take(&mut self.partial);
                        match message_length(&partial) {
                            Some(Ok(length)) if length > LONGEST_MESSAGE => {
                                take_message(SplitMessage::TooLong(partial[0]));
                                self.passed_over = length - partial.len();
                            }
                            Some(Ok(_)) => take_message(SplitMessage::Whole(partial[0], &partial[HEADER..])),
                            Some(Err(())) | None => return take_message(SplitMessage::Malformed),
                        }
                    }
                }
            }
        }
    }

    /// Forgets a message that has not arrived completely.
    pub(super) fn forget_partial(&mut self) {
        self.partial = Vec::new();
        self.passed_over = 0;
    }

    fn keep_partial(&mut self, bytes: &[u8]) {
        self.partial.extend_from_slice(bytes);
    }

    /// Adds to the partial message what belongs to it: the rest if it is complete, or known to be impossible or too
    /// long.
    fn complete_partial<'a>(&mut self, mut bytes: &'a [u8]) -> Option<&'a [u8]> {
        if self.partial.len() < HEADER {
            let count = (HEADER - self.partial.len()).min(bytes.len());
            self.partial.extend_from_slice(&bytes[..count]);
            bytes = &bytes[count..];
        }
        match message_length(&self.partial)? {
            Err(()) => Some(bytes),
            Ok(length) if length > LONGEST_MESSAGE => Some(bytes),
            Ok(length) => {
                let count = (length - self.partial.len()).min(bytes.len());
                self.partial.extend_from_slice(&bytes[..count]);
                if self.partial.len() == length { Some(&bytes[count..]) } else { None }
            }
        }
    }
}

/// The length of the message at the begin with its header. `None` while the header is not complete.
fn message_length(bytes: &[u8]) -> Option<Result<usize, ()>> {
    let [_, a, b, c, d] = bytes.first_chunk::<HEADER>()?;
    let length = u32::from_be_bytes([*a, *b, *c, *d]);
    Some(if (4..=i32::MAX as u32).contains(&length) { Ok(length as usize + 1) } else { Err(()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split_in_pieces(bytes: &[u8], size: usize) -> Vec<(u8, Vec<u8>)> {
        let mut splitter = MessageSplitter::default();
        let mut messages = Vec::new();
        for piece in bytes.chunks(size) {
            splitter.split_bytes(piece, |message| match message {
                SplitMessage::Whole(tag, body) => messages.push((tag, body.to_vec())),
                SplitMessage::TooLong(tag) => messages.push((tag, b"too long".to_vec())),
                SplitMessage::Malformed => messages.push((0, Vec::new())),
            });
        }
        messages
    }

    #[test]
    fn messages_are_the_same_in_pieces_of_any_size() {
        let bytes = b"Q\0\0\0\x06a\0S\0\0\0\x04Z\0\0\0\x05I";
        let expected = vec![(b'Q', b"a\0".to_vec()), (b'S', Vec::new()), (b'Z', b"I".to_vec())];
        for size in 1..=bytes.len() {
            assert_eq!(split_in_pieces(bytes, size), expected, "{size}");
        }
    }

    #[test]
    fn long_messages_are_passed_over_and_impossible_ones_end_the_stream() {
        let length = LONGEST_MESSAGE + 10;
        let mut bytes = vec![b'd'];
        bytes.extend(u32::try_from(length - 1).unwrap().to_be_bytes());
        bytes.resize(length, 7);
        bytes.extend(b"Z\0\0\0\x05I");
        for size in [3, 1 << 20, usize::MAX] {
            let size = size.min(bytes.len());
            assert_eq!(split_in_pieces(&bytes, size), [(b'd', b"too long".to_vec()), (b'Z', b"I".to_vec())], "{size}");
        }
        assert_eq!(split_in_pieces(b"Q\0\0\0\x01", 5), [(0, Vec::new())]);
    }
}
