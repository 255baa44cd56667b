//! The proxy's certificate and key, made ready for rustls.

use std::sync::Arc;

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::{ProxyError, ProxyIdentity};

/// PostgreSQL's name in the handshake, which clients that begin with TLS ask for.
const ALPN_NAME: &[u8] = b"postgresql";

/// How the proxy encrypts connections of clients.
pub(crate) fn server_config(identity: &ProxyIdentity) -> Result<Arc<ServerConfig>, ProxyError> {
    let certificates: Result<Vec<CertificateDer<'static>>, _> =
        CertificateDer::pem_slice_iter(&identity.certificates).collect();
    let certificates = certificates.map_err(|error| ProxyError::Identity(error.to_string()))?;
    let key = PrivateKeyDer::from_pem_slice(&identity.key).map_err(|error| ProxyError::Identity(error.to_string()))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| ProxyError::Identity(error.to_string()))?
        .with_no_client_auth()
        .with_single_cert(certificates, key)
        .map_err(|error| ProxyError::Identity(error.to_string()))?;
    config.alpn_protocols = vec![ALPN_NAME.to_vec()];
    Ok(Arc::new(config))
}
