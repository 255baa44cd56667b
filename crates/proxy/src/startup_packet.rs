//! The first message of a client: it has a length and no type, and says what the connection is for.

/// The longest one that a server takes.
const LONGEST_PACKET: usize = 10_000;
const CANCEL_REQUEST: u32 = 80_877_102;
const SSL_REQUEST: u32 = 80_877_103;
const GSS_REQUEST: u32 = 80_877_104;
/// SSLRequest, as it is sent to a server.
pub(crate) const SSL_REQUEST_BYTES: [u8; 8] = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];
/// The first byte of a handshake of TLS.
const TLS_HANDSHAKE: u8 = 0x16;

/// What a connection begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StartupPacket {
    /// It has not arrived completely.
    NeedMore,
    /// The client asks whether the connection can be encrypted by TLS.
    AskForTls,
    /// The client asks whether it can be encrypted by GSSAPI.
    AskForGss,
    /// TLS begins without a question.
    DirectTls,
    /// A statement of another session is to be cancelled: the key of that session.
    Cancel { key: Vec<u8> },
    /// A session begins, with these parameters.
    Session { parameters: Vec<(String, String)> },
    /// It is nothing of that.
    Malformed,
}

/// Reads what a connection has begun with, and how many bytes of it are read.
pub(crate) fn read_startup_packet(bytes: &[u8]) -> (StartupPacket, usize) {
    if bytes.first() == Some(&TLS_HANDSHAKE) {
        return (StartupPacket::DirectTls, 0);
    }
    let Some([a, b, c, d, e, f, g, h]) = bytes.first_chunk::<8>() else { return (StartupPacket::NeedMore, 0) };
    let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
    let code = u32::from_be_bytes([*e, *f, *g, *h]);
    if !(8..=LONGEST_PACKET).contains(&length) {
        return (StartupPacket::Malformed, 0);
    }
    if bytes.len() < length {
        return (StartupPacket::NeedMore, 0);
    }
    let body = &bytes[8..length];
    let packet = match code {
        SSL_REQUEST if body.is_empty() => StartupPacket::AskForTls,
        GSS_REQUEST if body.is_empty() => StartupPacket::AskForGss,
        CANCEL_REQUEST => StartupPacket::Cancel { key: body.to_vec() },
        // Protocol 3 with any minor number.
        _ if code >> 16 == 3 => match read_parameters(body) {
            Some(parameters) => StartupPacket::Session { parameters },
            None => StartupPacket::Malformed,
        },
        _ => StartupPacket::Malformed,
    };
    (packet, length)
}

fn read_parameters(body: &[u8]) -> Option<Vec<(String, String)>> {
    let mut texts = body.strip_suffix(&[0])?.split(|byte| *byte == 0);
    let mut parameters = Vec::new();
    while let Some(name) = texts.next() {
        if name.is_empty() {
            break;
        }
        let value = texts.next()?;
        parameters.push((String::from_utf8_lossy(name).into_owned(), String::from_utf8_lossy(value).into_owned()));
    }
    Some(parameters)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(code: u32, body: &[u8]) -> Vec<u8> {
        let mut bytes = u32::try_from(body.len() + 8).unwrap().to_be_bytes().to_vec();
        bytes.extend(code.to_be_bytes());
        bytes.extend(body);
        bytes
    }

    #[test]
    fn connections_begin_in_five_ways() {
        let session = packet(3 << 16, b"user\0bob\0database\0shop\0\0");
        let parameters = vec![("user".to_owned(), "bob".to_owned()), ("database".to_owned(), "shop".to_owned())];
        assert_eq!(read_startup_packet(&session), (StartupPacket::Session { parameters }, session.len()));
        for length in 0..session.len() {
            assert_eq!(read_startup_packet(&session[..length]).0, StartupPacket::NeedMore, "{length}");
        }
        assert_eq!(read_startup_packet(&SSL_REQUEST_BYTES), (StartupPacket::AskForTls, 8));
        assert_eq!(read_startup_packet(&packet(GSS_REQUEST, b"")), (StartupPacket::AskForGss, 8));
        let cancel = packet(CANCEL_REQUEST, b"12345678");
        assert_eq!(read_startup_packet(&cancel), (StartupPacket::Cancel { key: b"12345678".to_vec() }, 16));
        assert_eq!(read_startup_packet(&[0x16, 3, 1]).0, StartupPacket::DirectTls);
    }

    #[test]
    fn what_is_no_protocol_3_is_refused() {
        for bytes in [&b"GET / HTTP/1.1\r\n"[..], &packet(2 << 16, b"x"), &packet(3 << 16, b"user\0bob"), &[0; 8]] {
            assert_eq!(read_startup_packet(bytes).0, StartupPacket::Malformed, "{bytes:?}");
        }
    }
}
