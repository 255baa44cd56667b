//! TLS for a session: records in, records out, by rustls without sockets.
//!
//! [`TlsSettings`] is what a connection string demands, made ready once for all sessions; it also serves other clients
//! of PostgreSQL by its rustls configuration. Left out: session resumption (PostgreSQL offers none), revocation lists,
//! and the encryption of GSSAPI. The only clock that is read is that of rustls, for the dates of certificates.

mod certificate;
mod error;
mod layer;
mod settings;
mod verifier;

pub use certificate::{Described, describe_certificate, end_point};
pub use error::{TlsError, TlsSettingsError};
pub(crate) use layer::TlsLayer;
pub use settings::{CertificateTrust, ClientIdentity, Negotiation, TlsOptions, TlsSettings, Versions};

/// What PostgreSQL is called in the negotiation of the application protocol.
pub(crate) const ALPN: &[u8] = b"postgresql";
