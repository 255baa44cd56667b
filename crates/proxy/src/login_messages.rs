//! What a server says during a login: passed on as it is, but for SCRAM with channel binding, which a proxy cannot pass
//! through, since it binds a login to the encryption of one connection. The client then does not see that mechanism.

/// Type byte and length word.
const HEADER: usize = 5;
const WITH_BINDING: &[u8] = b"SCRAM-SHA-256-PLUS";
/// AuthenticationSASL.
const OFFER_OF_MECHANISMS: [u8; 4] = [0, 0, 0, 10];
/// The longest message of a login; a longer one is passed on as it is.
const LONGEST_MESSAGE: usize = 1 << 16;

/// Reads the messages of a server up to the end of the login.
#[derive(Debug, Default)]
pub(crate) struct LoginMessages {
    partial: Vec<u8>,
    /// Settings that the server has reported.
    pub(crate) settings: Vec<(String, String)>,
    /// What a cancel request has to quote.
    pub(crate) cancel_key: Option<Vec<u8>>,
    /// Whether the server waits for the first statement.
    pub(crate) is_over: bool,
    /// Whether it cannot be understood: all is passed on as it is, and nothing recorded.
    pub(crate) is_opaque: bool,
}

impl LoginMessages {
    /// Takes what the server has sent, and appends what the client is to get to `passed`.
    pub(crate) fn take_server_bytes(&mut self, bytes: &[u8], passed: &mut Vec<u8>) {
        self.partial.extend_from_slice(bytes);
        let buffered = std::mem::take(&mut self.partial);
        let mut rest = buffered.as_slice();
        while !self.is_over && !self.is_opaque {
            let Some([tag, a, b, c, d]) = rest.first_chunk::<HEADER>() else { break };
            let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize + 1;
            if !(HEADER..=LONGEST_MESSAGE).contains(&length) {
                self.is_opaque = true;
                break;
            }
            if rest.len() < length {
                break;
            }
            self.take_message(*tag, &rest[HEADER..length], &rest[..length], passed);
            rest = &rest[length..];
        }
        if self.is_over || self.is_opaque {
            passed.extend_from_slice(rest);
        } else {
            self.partial = rest.to_vec();
        }
    }

    fn take_message(&mut self, tag: u8, body: &[u8], whole: &[u8], passed: &mut Vec<u8>) {
        match tag {
            b'R' if body.starts_with(&OFFER_OF_MECHANISMS) => return pass_mechanisms(body, passed),
            b'S' => {
                let mut texts = body.split(|byte| *byte == 0);
                if let (Some(name), Some(value)) = (texts.next(), texts.next()) {
                    let (name, value) = (String::from_utf8_lossy(name), String::from_utf8_lossy(value));
                    self.settings.push((name.into_owned(), value.into_owned()));
                }
            }
            b'K' => self.cancel_key = Some(body.to_vec()),
            b'Z' => self.is_over = true,
            _ => {}
        }
        passed.extend_from_slice(whole);
    }
}

/// The offer without the mechanism that binds.
fn pass_mechanisms(body: &[u8], passed: &mut Vec<u8>) {
    let mut kept = OFFER_OF_MECHANISMS.to_vec();
    for mechanism in body[OFFER_OF_MECHANISMS.len()..].split(|byte| *byte == 0) {
        if !mechanism.is_empty() && mechanism != WITH_BINDING {
            kept.extend_from_slice(mechanism);
            kept.push(0);
        }
    }
    kept.push(0);
    passed.push(b'R');
    passed.extend_from_slice(&u32::try_from(kept.len() + 4).unwrap_or(u32::MAX).to_be_bytes());
    passed.extend_from_slice(&kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(tag: u8, body: &[u8]) -> Vec<u8> {
        let mut bytes = vec![tag];
        bytes.extend(u32::try_from(body.len() + 4).unwrap().to_be_bytes());
        bytes.extend(body);
        bytes
    }

    #[test]
    fn a_login_is_passed_without_channel_binding_in_pieces_of_any_size() {
        let offered = message(b'R', b"\0\0\0\x0aSCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0");
        let rest = [
            message(b'R', b"\0\0\0\0"),
            message(b'S', b"server_version\x0018.1\0"),
            message(b'K', b"12345678"),
            message(b'Z', b"I"),
            b"and so on".to_vec(),
        ];
        let sent = [offered, rest.concat()].concat();
        let expected = [message(b'R', b"\0\0\0\x0aSCRAM-SHA-256\0\0"), rest.concat()].concat();
        for size in 1..=sent.len() {
            let (mut login, mut passed) = (LoginMessages::default(), Vec::new());
            for piece in sent.chunks(size) {
                if login.is_over {
                    passed.extend_from_slice(piece);
                } else {
                    login.take_server_bytes(piece, &mut passed);
                }
            }
            assert_eq!(passed, expected, "{size}");
            assert_eq!(login.cancel_key.as_deref(), Some(&b"12345678"[..]));
            assert_eq!(login.settings, [("server_version".to_owned(), "18.1".to_owned())]);
            assert!(login.is_over && !login.is_opaque);
        }
    }

    #[test]
    fn what_is_no_login_is_passed_as_it_is() {
        let (mut login, mut passed) = (LoginMessages::default(), Vec::new());
        login.take_server_bytes(b"Hello, world", &mut passed);
        assert!(login.is_opaque);
        assert_eq!(passed, b"Hello, world");
    }
}
