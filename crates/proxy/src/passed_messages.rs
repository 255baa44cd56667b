//! How far a session has come, as far as the messages show that were passed on: what has to be known to record it again
//! after something of it was lost.

/// Type byte and length word.
const HEADER: usize = 5;

/// One direction.
#[derive(Debug, Default)]
struct PassedDirection {
    header: [u8; HEADER],
    header_length: usize,
    remaining: usize,
}

impl PassedDirection {
    /// Counts what is passed: the type of each message that begins.
    fn count_bytes(&mut self, mut bytes: &[u8], mut begin_message: impl FnMut(u8)) {
        while !bytes.is_empty() {
            if self.remaining > 0 {
                let count = self.remaining.min(bytes.len());
                self.remaining -= count;
                bytes = &bytes[count..];
                continue;
            }
            let count = (HEADER - self.header_length).min(bytes.len());
            self.header[self.header_length..self.header_length + count].copy_from_slice(&bytes[..count]);
            self.header_length += count;
            bytes = &bytes[count..];
            if self.header_length == HEADER {
                let [tag, a, b, c, d] = self.header;
                self.header_length = 0;
                self.remaining = (u32::from_be_bytes([a, b, c, d]) as usize).saturating_sub(4);
                begin_message(tag);
            }
        }
    }

    /// Whether no message is under way.
    fn is_between_messages(&self) -> bool {
        self.header_length == 0 && self.remaining == 0
    }
}

/// Both directions of a session.
#[derive(Debug, Default)]
pub(crate) struct PassedMessages {
    client: PassedDirection,
    server: PassedDirection,
    queries: u64,
    syncs: u64,
    /// Messages of the client.
    pub(crate) client_messages: u64,
}

impl PassedMessages {
    /// The client has sent this.
    pub(crate) fn count_client_bytes(&mut self, bytes: &[u8]) {
        let Self { client, queries, syncs, client_messages, .. } = self;
        client.count_bytes(bytes, |tag| {
            *client_messages += 1;
            match tag {
                b'Q' | b'F' => *queries += 1,
                b'S' => *syncs += 1,
                // The server has passed over each Sync that came before the end of the data of a COPY.
                b'c' | b'f' => *syncs = 0,
                _ => {}
            }
        });
    }

    /// The server has sent this.
    pub(crate) fn count_server_bytes(&mut self, bytes: &[u8]) {
        let Self { server, queries, syncs, .. } = self;
        server.count_bytes(bytes, |tag| {
            if tag == b'Z' {
                if *syncs > 0 {
                    *syncs -= 1;
                } else {
                    *queries = queries.saturating_sub(1);
                }
            }
        });
    }

    /// Whether the client waits for nothing.
    pub(crate) fn is_idle(&self) -> bool {
        self.queries == 0 && self.syncs == 0 && self.client.is_between_messages() && self.server.is_between_messages()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_idle_when_all_its_requests_are_answered() {
        let query = b"Q\0\0\0\x06a\0";
        let ready = b"Z\0\0\0\x05I";
        let mut passed = PassedMessages::default();
        assert!(passed.is_idle());
        for byte in query.iter().chain(query) {
            passed.count_client_bytes(&[*byte]);
            assert!(!passed.is_idle());
        }
        passed.count_server_bytes(ready);
        assert!(!passed.is_idle(), "one is not answered");
        passed.count_server_bytes(ready);
        assert!(passed.is_idle());
        assert_eq!(passed.client_messages, 2);
        // COPY as libpq does it.
        passed.count_client_bytes(b"E\0\0\0\x09\0\0\0\0\0S\0\0\0\x04");
        passed.count_client_bytes(b"d\0\0\0\x05xc\0\0\0\x04S\0\0\0\x04");
        passed.count_server_bytes(ready);
        assert!(passed.is_idle());
    }
}
