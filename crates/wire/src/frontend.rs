//! The client's messages, appended to a buffer.
//!
//! Lengths are patched in afterwards, so that text can be written straight to its place.

/// The version number of protocol 3.0.
const PROTOCOL_3_0: u32 = 3 << 16;

/// Stands in the place of a version number.
const SSL_REQUEST: u32 = 80_877_103;

/// The same of a connection that cancels.
const CANCEL_REQUEST: u32 = 80_877_102;

/// SSLRequest: whether the server encrypts; it answers with one byte, S or N.
pub(crate) fn ssl_request(out: &mut Vec<u8>) {
    out.extend_from_slice(&8u32.to_be_bytes());
    out.extend_from_slice(&SSL_REQUEST.to_be_bytes());
}

/// CancelRequest: the only message of a connection of its own; the server cancels the statement under way in the
/// session with this key and closes the connection.
pub fn cancel_request(out: &mut Vec<u8>, process_id: u32, secret: u32) {
    for word in [16, CANCEL_REQUEST, process_id, secret] {
        out.extend_from_slice(&word.to_be_bytes());
    }
}

/// StartupMessage: the first one of a session. Names and values must not contain a zero byte.
pub fn write_startup_message<'a>(out: &mut Vec<u8>, parameters: impl Iterator<Item = (&'a str, &'a str)>) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&PROTOCOL_3_0.to_be_bytes());
    for (name, value) in parameters {
        write_zero_terminated(out, name);
        write_zero_terminated(out, value);
    }
    out.push(0);
    patch_length(out, start);
}

/// Query: one or more statements in the simple protocol. `write_sql` appends the text, which must not contain a zero.
#[inline]
pub fn write_query_message(out: &mut Vec<u8>, write_sql: impl FnOnce(&mut Vec<u8>)) {
    write_message(out, b'Q', |out| {
        write_sql(out);
        out.push(0);
    });
}

/// Parse: prepares `sql` under `name` (empty: the unnamed statement), leaving the parameters' types to the server.
pub fn write_parse_message(out: &mut Vec<u8>, name: &str, sql: &str) {
    write_message(out, b'P', |out| {
        write_zero_terminated(out, name);
        write_zero_terminated(out, sql);
        out.extend_from_slice(&0u16.to_be_bytes());
    });
}

/// Describe of the unnamed portal.
pub fn describe_portal(out: &mut Vec<u8>) {
    write_message(out, b'D', |out| out.extend_from_slice(b"P\0"));
}

/// Execute of the unnamed portal, to its last row.
pub fn write_execute_message(out: &mut Vec<u8>) {
    write_message(out, b'E', |out| {
        write_zero_terminated(out, "");
        out.extend_from_slice(&0u32.to_be_bytes());
    });
}

/// Close of the statement prepared under `name`; it is no error if there is none.
pub fn close_statement(out: &mut Vec<u8>, name: &str) {
    write_message(out, b'C', |out| {
        out.push(b'S');
        write_zero_terminated(out, name);
    });
}

/// The length of a Sync message.
pub(crate) const SYNC_LENGTH: usize = 5;

/// Sync: ends an extended-protocol exchange; the server answers with ReadyForQuery.
pub fn write_sync_message(out: &mut Vec<u8>) {
    write_message(out, b'S', |_| ());
}

/// The most data of one CopyData message.
const COPY_DATA_MAX: usize = 1 << 16;

/// CopyData: rows as COPY reads them, in as many messages as it takes.
pub fn write_copy_data(out: &mut Vec<u8>, data: &[u8]) {
    for part in data.chunks(COPY_DATA_MAX) {
        write_message(out, b'd', |out| out.extend_from_slice(part));
    }
}

/// CopyDone: all data have been sent.
pub fn copy_done(out: &mut Vec<u8>) {
    write_message(out, b'c', |_| ());
}

/// CopyFail: there is nothing to copy, for `reason`.
pub fn copy_fail(out: &mut Vec<u8>, reason: &str) {
    write_message(out, b'f', |out| write_zero_terminated(out, reason));
}

/// Terminate: a polite end of the session.
pub fn write_terminate_message(out: &mut Vec<u8>) {
    write_message(out, b'X', |_| ());
}

/// PasswordMessage: a password, in clear or hashed.
pub(crate) fn write_password_message(out: &mut Vec<u8>, password: &[u8]) {
    write_message(out, b'p', |out| {
        out.extend_from_slice(password);
        out.push(0);
    });
}

/// SASLInitialResponse: the mechanism chosen and its first message.
pub(crate) fn sasl_initial(out: &mut Vec<u8>, mechanism: &str, data: &[u8]) {
    write_message(out, b'p', |out| {
        write_zero_terminated(out, mechanism);
        out.extend_from_slice(&(data.len() as u32).to_be_bytes());
        out.extend_from_slice(data);
    });
}

/// SASLResponse: the next message of the mechanism.
pub(crate) fn sasl_response(out: &mut Vec<u8>, data: &[u8]) {
    write_message(out, b'p', |out| out.extend_from_slice(data));
}

/// A message of type `tag`, whose body `write` appends.
#[inline]
fn write_message(out: &mut Vec<u8>, tag: u8, write: impl FnOnce(&mut Vec<u8>)) {
    out.push(tag);
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    write(out);
    patch_length(out, start);
}

/// Writes into the four bytes at `start` how long `out` is from there on.
#[inline]
pub(crate) fn patch_length(out: &mut [u8], start: usize) {
    let length = (out.len() - start) as u32;
    out[start..start + 4].copy_from_slice(&length.to_be_bytes());
}

pub(crate) fn write_zero_terminated(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
    out.push(0);
}
