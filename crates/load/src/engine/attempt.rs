//! The two ways in which libpq may try a host over TCP: in clear and encrypted. A unix socket is never encrypted.

use conninfo::EncryptionMode;
use wire::TlsRequest;

/// The way to be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum TlsAttempt {
    #[default]
    First,
    Second,
}

impl TlsAttempt {
    /// What to ask `host` for.
    pub(crate) fn tls_request<'a>(self, encryption: &'a EncryptionMode, host: &'a str) -> Option<TlsRequest<'a>> {
        match (encryption, self) {
            (EncryptionMode::Never, _)
            | (EncryptionMode::IfInsisted(_), TlsAttempt::First)
            | (EncryptionMode::IfPossible(_), TlsAttempt::Second) => None,
            (EncryptionMode::IfInsisted(settings), TlsAttempt::Second) | (EncryptionMode::Always(settings), _) => {
                Some(TlsRequest { settings, host, optional: false })
            }
            (EncryptionMode::IfPossible(settings), TlsAttempt::First) => {
                Some(TlsRequest { settings, host, optional: true })
            }
        }
    }
}
