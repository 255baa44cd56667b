//! Whether the server's certificate is good enough, by libpq's rules.
//!
//! Three differences to what rustls does by itself: a server's certificate may be among the trusted ones itself
//! (self-signed), a certificate without alternative names is known by its common name, and the name may not matter.

use super::certificate::{self, Validity};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::sync::Arc;

/// What a server's certificate has to fulfil.
#[derive(Debug)]
pub(super) enum CertificateDemand {
    /// Nothing; that the server has its key is still verified.
    Nothing,
    /// One of these has signed it, or it is one of these.
    Authority(Authorities),
    /// The same, and it is for the host.
    AuthorityAndName(Authorities),
}

/// Whom to trust.
#[derive(Debug)]
pub(super) struct Authorities {
    pub(super) roots: RootCertStore,
    pub(super) certificates: Vec<CertificateDer<'static>>,
}

#[derive(Debug)]
pub(super) struct Verifier {
    pub(super) demand: CertificateDemand,
    pub(super) provider: Arc<CryptoProvider>,
}

impl Verifier {
    fn check_chain(
        &self,
        authorities: &Authorities,
        end: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<(), Error> {
        if authorities.certificates.iter().any(|trusted| trusted == end) {
            return match certificate::certificate_validity(end, now) {
                Some(Validity::Now) => Ok(()),
                Some(Validity::NotYet) => Err(CertificateError::NotValidYet.into()),
                Some(Validity::Over) => Err(CertificateError::Expired.into()),
                None => Err(CertificateError::BadEncoding.into()),
            };
        }
        let (parsed, algorithms) = (ParsedCertificate::try_from(end)?, self.provider.signature_verification_algorithms);
        verify_server_cert_signed_by_trust_anchor(&parsed, &authorities.roots, intermediates, now, algorithms.all)
            .map_err(|error| match error {
                // An authority has the issuer's name but another key, as one does that was made anew.
                Error::InvalidCertificate(CertificateError::BadSignature) => CertificateError::UnknownIssuer.into(),
                error => error,
            })
    }
}

fn check_name(end: &CertificateDer<'_>, name: &ServerName<'_>) -> Result<(), Error> {
    let verified = verify_server_name(&ParsedCertificate::try_from(end)?, name);
    let (Err(error), Some(common_name)) = (&verified, certificate::common_name(end)) else { return verified };
    match error {
        Error::InvalidCertificate(CertificateError::NotValidForNameContext { expected, .. }) => {
            if certificate::matches_host(&common_name, &name.to_str()) {
                return Ok(());
            }
            let (expected, presented) = (expected.clone(), vec![common_name]);
            Err(CertificateError::NotValidForNameContext { expected, presented }.into())
        }
        _ => verified,
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match &self.demand {
            CertificateDemand::Nothing => {}
            CertificateDemand::Authority(authorities) => {
                self.check_chain(authorities, end_entity, intermediates, now)?;
            }
            CertificateDemand::AuthorityAndName(authorities) => {
                self.check_chain(authorities, end_entity, intermediates, now)?;
                check_name(end_entity, server_name)?;
            }
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
