//! What can be wrong with TLS, in words for whoever runs the client or the server.

use rustls::{AlertDescription, CertificateError, Error};

/// Encryption could not be agreed upon, or the peer is not who it should be. The connection is of no further use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TlsError {
    /// The server answered that it does not encrypt, and encryption is demanded.
    #[error("the server does not support TLS")]
    NotOffered,
    /// Somebody between here and the server has put bytes before the first encrypted ones.
    #[error("the server sent unencrypted data after it agreed to encrypt")]
    Stuffed,
    /// Direct negotiation without the agreement on PostgreSQL's protocol.
    #[error("the server did not negotiate the PostgreSQL protocol over TLS (ALPN)")]
    NoAlpn,
    /// The certificate's last day has passed.
    #[error("the server's certificate has expired")]
    Expired,
    /// The certificate's first day has not come.
    #[error("the server's certificate is not valid yet")]
    NotYetValid,
    /// No trusted authority has signed the certificate; it may have signed itself.
    #[error("the server's certificate is not signed by a trusted authority")]
    UnknownIssuer,
    /// The certificate is for other hosts.
    #[error("the server's certificate is not for host \"{host}\" but for {}", list_of_names(.names))]
    WrongHost {
        /// The host that was connected to.
        host: String,
        /// The hosts that the certificate is for.
        names: Vec<String>,
    },
    /// Something else is wrong with the certificate.
    #[error("the server's certificate cannot be used: {0}")]
    BadCertificate(String),
    /// The server wants to see a certificate.
    #[error("the server requires a client certificate")]
    ClientCertificateNeeded,
    /// The server does not accept the client's certificate.
    #[error("the server does not accept the client certificate: {0}")]
    ClientCertificateRefused(String),
    /// The peer ended the handshake.
    #[error("the server ended the TLS handshake: {0}")]
    Alert(String),
    /// Both sides have no version, cipher or key exchange in common, or the peer does not speak TLS.
    #[error("TLS failed: {0}")]
    Failed(String),
}

fn list_of_names(names: &[String]) -> String {
    if names.is_empty() { "no host at all".to_owned() } else { names.join(", ") }
}

impl TlsError {
    /// What to try.
    pub fn hint(&self) -> &'static str {
        match self {
            TlsError::NotOffered => "set ssl = on in the server, or use sslmode=prefer or disable",
            TlsError::Stuffed => "this may be an attack; check the network between this machine and the server",
            TlsError::NoAlpn => "sslnegotiation=direct needs PostgreSQL 17 or newer with ssl=on",
            TlsError::Expired => "renew the server's certificate, and check this machine's clock",
            TlsError::NotYetValid => "check this machine's clock, and the certificate",
            TlsError::UnknownIssuer => "specify the CA certificate with sslrootcert, or use sslmode=require",
            TlsError::WrongHost { .. } => "connect with a host name of the certificate, or use sslmode=verify-ca",
            TlsError::BadCertificate(_) => "create a server certificate of X.509 version 3 for its host name",
            TlsError::ClientCertificateNeeded => "specify one with sslcert and sslkey",
            TlsError::ClientCertificateRefused(_) => "check sslcert and sslkey, and the server's ssl_ca_file",
            TlsError::Alert(_) => "see the log of the server",
            TlsError::Failed(_) => {
                "check that a PostgreSQL with ssl=on listens there, and its ssl_min_protocol_version"
            }
        }
    }

    /// Whether another attempt without TLS, or with it, is what libpq would make:
    /// not if the peer was identified as wrong.
    pub fn is_negotiation(&self) -> bool {
        !matches!(self, TlsError::Stuffed)
    }
}

impl From<&Error> for TlsError {
    fn from(error: &Error) -> TlsError {
        match error {
            Error::InvalidCertificate(problem) => of_certificate(problem),
            Error::AlertReceived(AlertDescription::CertificateRequired) => TlsError::ClientCertificateNeeded,
            Error::AlertReceived(
                alert @ (AlertDescription::UnknownCA
                | AlertDescription::BadCertificate
                | AlertDescription::UnsupportedCertificate
                | AlertDescription::CertificateRevoked
                | AlertDescription::CertificateExpired
                | AlertDescription::CertificateUnknown
                | AlertDescription::DecryptError),
            ) => TlsError::ClientCertificateRefused(format!("{alert:?}")),
            Error::AlertReceived(AlertDescription::NoApplicationProtocol) => TlsError::NoAlpn,
            Error::AlertReceived(alert) => TlsError::Alert(format!("{alert:?}")),
            error => TlsError::Failed(error.to_string()),
        }
    }
}

impl From<Error> for TlsError {
    fn from(error: Error) -> TlsError {
        TlsError::from(&error)
    }
}

fn of_certificate(problem: &CertificateError) -> TlsError {
    match problem {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => TlsError::Expired,
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => TlsError::NotYetValid,
        CertificateError::UnknownIssuer => TlsError::UnknownIssuer,
        CertificateError::NotValidForNameContext { expected, presented } => TlsError::WrongHost {
            host: expected.to_str().into_owned(),
            names: presented.iter().map(|name| bare_name(name)).collect(),
        },
        CertificateError::Other(other) if other.to_string().contains("CaUsedAsEndEntity") => TlsError::UnknownIssuer,
        other => TlsError::BadCertificate(other.to_string()),
    }
}

/// `DnsName("db.example")` without what is around the name.
fn bare_name(presented: &str) -> String {
    presented.split('"').nth(1).unwrap_or(presented).to_owned()
}

/// TLS cannot be set up with what was given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TlsSettingsError {
    /// A file of authorities without any.
    #[error("it contains no certificate")]
    NoCertificate,
    /// A file that is not what it should be.
    #[error("it is not in PEM format: {0}")]
    NotPem(String),
    /// A key that needs a pass phrase.
    #[error("the private key is encrypted")]
    EncryptedKey,
    /// A file of keys without any.
    #[error("it contains no private key")]
    NoKey,
    /// A certificate and a key that do not belong together, or are of a kind that is not supported.
    #[error("the certificate and the private key cannot be used: {0}")]
    Identity(String),
    /// No version of TLS lies between the bounds.
    #[error("no supported version of TLS is between the given bounds")]
    NoVersion,
}
