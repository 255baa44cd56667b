//! One session's encryption: rustls between the bytes of the socket and the bytes of the protocol.
//!
//! Handshake ─▶ Traffic. What is to be sent waits in clear until the handshake is over. Nothing is kept of either
//! direction beyond a record that has not arrived completely.

use super::{ALPN, Negotiation, TlsError, TlsSettings};
use crate::input::Input;
use rustls::client::UnbufferedClientConnection;
use rustls::unbuffered::{ConnectionState, EncodeError, EncodeTlsData, EncryptError, UnbufferedStatus};

/// The longest part of a message in one record, and the most that a record adds to it.
const RECORD: usize = 16 << 10;
const RECORD_OVERHEAD: usize = 64;

/// One session's encryption.
pub(crate) struct TlsLayer {
    session: UnbufferedClientConnection,
    negotiation: Negotiation,
    incoming: Input,
    outgoing: Vec<u8>,
    sent: usize,
    /// The handshake is over.
    secured: bool,
    failure: Option<TlsError>,
}

impl TlsLayer {
    /// Begins a session with `host`; the first message is queued by [`process_records`](Self::process_records).
    ///
    /// # Errors
    /// When the configuration cannot be used.
    pub(crate) fn new(settings: &TlsSettings, host: &str) -> Result<TlsLayer, TlsError> {
        let session = UnbufferedClientConnection::new(settings.client_config(), TlsSettings::server_name(host))?;
        Ok(TlsLayer {
            session,
            negotiation: settings.tls_negotiation(),
            incoming: Input::new(),
            outgoing: Vec::new(),
            sent: 0,
            secured: false,
            failure: None,
        })
    }

    pub(crate) fn is_secured(&self) -> bool {
        self.secured
    }

    /// The server's certificate, once the handshake is over.
    pub(crate) fn server_certificate(&self) -> Option<&[u8]> {
        self.session.peer_certificates()?.first().map(AsRef::as_ref)
    }

    /// Room for what the socket receives, never empty.
    pub(crate) fn receive_buffer(&mut self) -> &mut [u8] {
        self.incoming.receive_buffer()
    }

    pub(crate) fn mark_received(&mut self, count: usize) {
        self.incoming.mark_filled(count);
    }

    /// What the socket is to send.
    pub(crate) fn outgoing_bytes(&self) -> &[u8] {
        &self.outgoing[self.sent..]
    }

    pub(crate) fn mark_sent(&mut self, count: usize) {
        self.sent = (self.sent + count).min(self.outgoing.len());
        if self.sent == self.outgoing.len() {
            self.outgoing.clear();
            self.sent = 0;
        }
    }

    /// Decrypts what has arrived to the end of `input`, and encrypts `output`, which is empty afterwards unless the
    /// handshake is still going on.
    ///
    /// # Errors
    /// When the peer breaks TLS or is not trusted; then the alert that tells it so is in [`outgoing`](Self::outgoing).
    pub(crate) fn process_records(&mut self, input: &mut Input, output: &mut Vec<u8>) -> Result<(), TlsError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let turned = self.process_state(input, output);
        if let Err(failure) = &turned {
            self.failure = Some(failure.clone());
            self.take_alerts();
        }
        turned
    }

    /// Queues the alerts that rustls keeps after a failure until it is asked for them.
    fn take_alerts(&mut self) {
        while self.session.wants_write() {
            let UnbufferedStatus { state, .. } = self.session.process_tls_records(self.incoming.bytes_mut());
            let Ok(ConnectionState::EncodeTlsData(mut data)) = state else { return };
            if encode_record(&mut self.outgoing, &mut data).is_err() {
                return;
            }
        }
    }

    fn process_state(&mut self, input: &mut Input, output: &mut Vec<u8>) -> Result<(), TlsError> {
        loop {
            let arrived = self.incoming.bytes_mut();
            let UnbufferedStatus { mut discard, state } = self.session.process_tls_records(arrived);
            let mut waits = false;
            match state.map_err(TlsError::from)? {
                ConnectionState::ReadTraffic(mut traffic) => {
                    while let Some(record) = traffic.next_record() {
                        let record = record.map_err(TlsError::from)?;
                        discard += record.discard;
                        input.append_bytes(record.payload);
                    }
                }
                ConnectionState::EncodeTlsData(mut data) => encode_record(&mut self.outgoing, &mut data)?,
                ConnectionState::TransmitTlsData(transmitted) => transmitted.done(),
                ConnectionState::WriteTraffic(mut traffic) => {
                    waits = true;
                    if !output.is_empty() {
                        let room = output.len() + output.len().div_ceil(RECORD) * RECORD_OVERHEAD;
                        extend_with_room(&mut self.outgoing, room, |room| {
                            traffic.encrypt(output, room).map_err(|error| match error {
                                EncryptError::InsufficientSize(size) => Some(size.required_size),
                                EncryptError::EncryptExhausted => None,
                            })
                        })?;
                        output.clear();
                    }
                }
                // The end of the stream is seen at the socket, too.
                ConnectionState::PeerClosed => {}
                // Blocked by what has not arrived, or closed for good; early data is a server's.
                _ => waits = true,
            }
            self.incoming.consume_bytes(discard);
            if waits {
                return self.note_secured();
            }
        }
    }

    fn note_secured(&mut self) -> Result<(), TlsError> {
        if self.secured || self.session.is_handshaking() {
            return Ok(());
        }
        if self.negotiation == Negotiation::Direct && self.session.alpn_protocol() != Some(ALPN) {
            return Err(TlsError::NoAlpn);
        }
        self.secured = true;
        // What the certificates needed is not needed again.
        self.incoming.shrink_if_empty();
        Ok(())
    }
}

/// Appends a record of the handshake, or an alert.
fn encode_record<Data>(out: &mut Vec<u8>, data: &mut EncodeTlsData<'_, Data>) -> Result<(), TlsError> {
    extend_with_room(out, RECORD_OVERHEAD, |room| {
        data.encode(room).map_err(|error| match error {
            EncodeError::InsufficientSize(size) => Some(size.required_size),
            EncodeError::AlreadyEncoded => None,
        })
    })
}

/// Appends what `write` writes: how much, or how much room it needs, or that it cannot.
fn extend_with_room(
    out: &mut Vec<u8>,
    room: usize,
    mut write: impl FnMut(&mut [u8]) -> Result<usize, Option<usize>>,
) -> Result<(), TlsError> {
    let length = out.len();
    let mut room = room;
    loop {
        out.resize(length + room, 0);
        match write(&mut out[length..]) {
            Ok(written) => {
                out.truncate(length + written);
                return Ok(());
            }
            Err(Some(needed)) if needed > room => room = needed,
            Err(_) => return Err(TlsError::Failed("no more can be encrypted on this connection".to_owned())),
        }
    }
}
