//! The two ways in which libpq may try a host over TCP: in clear and encrypted. A unix socket is never encrypted.

use conninfo::Encryption;
use wire::TlsRequest;

/// The way to be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Attempt {
    #[default]
    First,
    Second,
}

impl Attempt {
    /// What to ask `host` for.
    pub(crate) fn tls<'a>(self, encryption: &'a Encryption, host: &'a str) -> Option<TlsRequest<'a>> {
        match (encryption, self) {
            (Encryption::Never, _)
            | (Encryption::IfInsisted(_), Attempt::First)
            | (Encryption::IfPossible(_), Attempt::Second) => None,
            (Encryption::IfInsisted(settings), Attempt::Second) | (Encryption::Always(settings), _) => {
                Some(TlsRequest { settings, host, optional: false })
            }
            (Encryption::IfPossible(settings), Attempt::First) => Some(TlsRequest { settings, host, optional: true }),
        }
    }
}
