//! What a connection makes of a server's bytes, however these are cut; for property tests and fuzz targets alike.

use wire::{BufferMemory, ResultRows, ServerEvent, SessionLogin, WireConnection};

/// A message of the server's.
pub(crate) fn message(tag: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![tag];
    bytes.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes());
    bytes.extend_from_slice(body);
    bytes
}

/// AuthenticationOk, a setting, a backend key, ReadyForQuery.
pub(crate) fn greeting() -> Vec<u8> {
    let mut bytes = message(b'R', &[0, 0, 0, 0]);
    bytes.extend(message(b'S', b"server_version\x0015.18\0"));
    bytes.extend(message(b'K', &[0, 0, 0, 7, 0, 0, 0, 9]));
    bytes.extend(message(b'Z', b"I"));
    bytes
}

/// A session of user `bench`, whose password is `sesame`.
pub(crate) fn start() -> WireConnection {
    WireConnection::start(&SessionLogin { user: "bench", password: Some("sesame"), ..SessionLogin::default() })
}

/// What a connection says of `bytes` when they arrive cut after each of `cuts`, while another one uses the memory that
/// it has no need for in between.
pub(crate) fn events(bytes: &[u8], cuts: &[usize], rows: ResultRows) -> Vec<String> {
    let (mut connection, mut other, mut memory) = (start(), start(), BufferMemory::default());
    connection.set_rows(rows);
    let mut said = Vec::new();
    for piece in pieces(bytes, cuts) {
        connection.borrow(&mut memory);
        if !hear(&mut connection, piece, &mut said) {
            break;
        }
        connection.give_back(&mut memory);
        scribble(&mut other, &mut memory);
    }
    said
}

/// Overwrites memory that has been given back.
fn scribble(other: &mut WireConnection, memory: &mut BufferMemory) {
    other.mark_sent(usize::MAX);
    other.borrow(memory);
    other.receive_buffer().fill(0xee);
    other.outgoing_mut().extend_from_slice(&[0xee; 64]);
    other.outgoing_mut().clear();
    other.give_back(memory);
}

/// `bytes` cut after each of `cuts`, which may be any numbers.
pub(crate) fn pieces<'a>(bytes: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).chain([0, bytes.len()]).collect();
    cuts.sort_unstable();
    cuts.windows(2).map(|window| &bytes[window[0]..window[1]]).collect()
}

/// Hands a piece to the connection and notes what it says. False: it has said that this is no server for it.
pub(crate) fn hear(connection: &mut WireConnection, piece: &[u8], said: &mut Vec<String>) -> bool {
    connection.receive_bytes(piece);
    loop {
        match connection.poll() {
            Ok(Some(event)) => said.push(told(&event)),
            Ok(None) => return true,
            Err(error) => {
                said.push(error.to_string());
                return false;
            }
        }
    }
}

/// An event with everything that can be read from it.
fn told(event: &ServerEvent<'_>) -> String {
    match event {
        ServerEvent::DataRow(row) => format!("row {:?}", row.values().collect::<Vec<_>>()),
        ServerEvent::RowDescription(rows) => format!("columns {:?}", rows.columns().collect::<Vec<_>>()),
        ServerEvent::Error(error) | ServerEvent::Notice(error) => {
            let texts = (error.primary_message(), error.detail(), error.hint());
            format!("{} fatal {} {texts:?}", error.sqlstate(), error.is_fatal())
        }
        ServerEvent::ReadyForQuery(_)
        | ServerEvent::CommandComplete(_)
        | ServerEvent::CopyIn
        | ServerEvent::ParameterStatus { .. }
        | ServerEvent::BackendKey { .. }
        | ServerEvent::NegotiateProtocolVersion { .. } => format!("{event:?}"),
    }
}
