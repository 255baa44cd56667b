//! What a connection string demands of TLS, made ready for rustls once. Files are read by the caller: here is only what
//! was in them.

use super::verifier::{Authorities, CertificateDemand, Verifier};
use super::{ALPN, TlsSettingsError};
use rustls::client::Resumption;
use rustls::crypto::ring;
use rustls::pki_types::pem::{Error as PemError, PemObject};
use rustls::pki_types::{CertificateDer, IpAddr, Ipv4Addr, PrivateKeyDer, ServerName};
use rustls::version::{TLS12, TLS13};
use rustls::{ClientConfig, RootCertStore, SupportedProtocolVersion};
use std::fmt;
use std::sync::Arc;

/// How a server's certificate is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CertificateTrust<'a> {
    /// Any will do; `sslmode` up to `require` without authorities.
    Anyone,
    /// One of these authorities (PEM) must have signed it; `verify-ca`.
    Authority(&'a [u8]),
    /// The same, and it must be for the host; `verify-full`.
    AuthorityAndName(&'a [u8]),
}

/// The client's certificate and key, in PEM.
#[derive(Clone, Copy)]
pub struct ClientIdentity<'a> {
    /// The certificate and those that lead to the authority.
    pub certificates: &'a [u8],
    /// The key, without a pass phrase.
    pub key: &'a [u8],
}

/// How the two sides agree to use TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Negotiation {
    /// By a question in PostgreSQL's protocol.
    #[default]
    Asked,
    /// TLS from the first byte, PostgreSQL 17 and newer; saves a round trip.
    Direct,
}

/// Which versions of TLS are accepted. The newest that both sides have is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Versions {
    /// 1.2 and 1.3.
    #[default]
    Both,
    /// 1.2 only.
    OnlyTls12,
    /// 1.3 only.
    OnlyTls13,
}

/// Everything that can be chosen.
#[derive(Clone, Copy)]
pub struct TlsOptions<'a> {
    /// How the server's certificate is judged.
    pub trust: CertificateTrust<'a>,
    /// What the server is shown, should it ask.
    pub identity: Option<ClientIdentity<'a>>,
    /// How the two sides agree.
    pub negotiation: Negotiation,
    /// Which versions.
    pub versions: Versions,
    /// Whether the host's name is sent in the clear, for proxies.
    pub sni: bool,
}

impl Default for TlsOptions<'_> {
    /// What `sslmode=require` means without any file.
    fn default() -> Self {
        TlsOptions {
            trust: CertificateTrust::Anyone,
            identity: None,
            negotiation: Negotiation::Asked,
            versions: Versions::Both,
            sni: true,
        }
    }
}

/// TLS as it is to be used for every connection to a server. Cheap to clone.
#[derive(Clone)]
pub struct TlsSettings {
    config: Arc<ClientConfig>,
    negotiation: Negotiation,
}

impl TlsSettings {
    /// Makes the options ready.
    ///
    /// # Errors
    /// When a PEM text has not in it what it should have. A text of authorities that is broken is not ignored.
    pub fn new(options: &TlsOptions<'_>) -> Result<TlsSettings, TlsSettingsError> {
        let provider = Arc::new(ring::default_provider());
        let demand = match options.trust {
            CertificateTrust::Anyone => CertificateDemand::Nothing,
            CertificateTrust::Authority(pem) => CertificateDemand::Authority(authorities(pem)?),
            CertificateTrust::AuthorityAndName(pem) => CertificateDemand::AuthorityAndName(authorities(pem)?),
        };
        let versions: &[&SupportedProtocolVersion] = match options.versions {
            Versions::Both => &[&TLS13, &TLS12],
            Versions::OnlyTls12 => &[&TLS12],
            Versions::OnlyTls13 => &[&TLS13],
        };
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(versions)
            .map_err(|_| TlsSettingsError::NoVersion)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Verifier { demand, provider }));
        let mut config = match options.identity {
            None => builder.with_no_client_auth(),
            Some(identity) => builder
                .with_client_auth_cert(parse_certificates(identity.certificates)?, parse_private_key(identity.key)?)
                .map_err(|error| TlsSettingsError::Identity(error.to_string()))?,
        };
        config.alpn_protocols = vec![ALPN.to_vec()];
        config.enable_sni = options.sni;
        config.resumption = Resumption::disabled();
        Ok(TlsSettings { config: Arc::new(config), negotiation: options.negotiation })
    }

    /// For another client that does the handshake itself.
    pub fn client_config(&self) -> Arc<ClientConfig> {
        Arc::clone(&self.config)
    }

    /// How the two sides agree.
    pub fn tls_negotiation(&self) -> Negotiation {
        self.negotiation
    }

    /// What a host is called in the handshake. One that cannot be a name is called 0.0.0.0,
    /// which no certificate is for.
    pub fn server_name(host: &str) -> ServerName<'static> {
        let unnamed = ServerName::IpAddress(IpAddr::V4(Ipv4Addr::from([0; 4])));
        ServerName::try_from(host.to_owned()).unwrap_or(unnamed)
    }
}

impl fmt::Debug for TlsSettings {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TlsSettings").field("negotiation", &self.negotiation).finish_non_exhaustive()
    }
}

impl PartialEq for TlsSettings {
    /// Whether it is the same object: two that were made of the same files are not compared.
    fn eq(&self, other: &TlsSettings) -> bool {
        Arc::ptr_eq(&self.config, &other.config) && self.negotiation == other.negotiation
    }
}

impl Eq for TlsSettings {}

fn authorities(pem: &[u8]) -> Result<Authorities, TlsSettingsError> {
    let certificates = parse_certificates(pem)?;
    let mut roots = RootCertStore::empty();
    // One that cannot be an authority may still be the server's own certificate.
    roots.add_parsable_certificates(certificates.iter().cloned());
    Ok(Authorities { roots, certificates })
}

fn parse_certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, TlsSettingsError> {
    let found: Result<Vec<_>, PemError> = CertificateDer::pem_slice_iter(pem).collect();
    let found = found.map_err(|error| TlsSettingsError::NotPem(error.to_string()))?;
    if found.is_empty() { Err(TlsSettingsError::NoCertificate) } else { Ok(found) }
}

fn parse_private_key(pem: &[u8]) -> Result<PrivateKeyDer<'static>, TlsSettingsError> {
    let text = String::from_utf8_lossy(pem);
    if text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED") {
        return Err(TlsSettingsError::EncryptedKey);
    }
    PrivateKeyDer::from_pem_slice(pem).map_err(|error| match error {
        PemError::NoItemsFound => TlsSettingsError::NoKey,
        error => TlsSettingsError::NotPem(error.to_string()),
    })
}
