//! Encrypted sessions with a server that plays its part: the same as in clear, however the records are cut.

use crate::login::{Asks, Server, login, outgoing, talk};
use crate::server_message;
use proptest::collection::vec;
use proptest::prelude::*;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection};
use std::io::{ErrorKind, Read, Write};
use std::sync::{Arc, LazyLock};
use wire::tls::{CertificateTrust, Described, Negotiation, TlsError, TlsOptions, TlsSettings, Versions};
use wire::{SessionLogin, TlsRequest, WireConnection, WireError};

/// A certificate that has signed itself, for a hundred years, and its key.
const PEM: &[u8] = include_bytes!("server.pem");

const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];

static CONFIG: LazyLock<Arc<ServerConfig>> = LazyLock::new(|| {
    let certificate = CertificateDer::from_pem_slice(PEM).expect("a certificate");
    let key = PrivateKeyDer::from_pem_slice(PEM).expect("a key");
    let mut config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("they belong together");
    config.alpn_protocols = vec![b"postgresql".to_vec()];
    Arc::new(config)
});

/// A server behind its encryption.
struct Encrypted {
    server: Server,
    /// `None` until it has been asked whether it encrypts.
    tls: Option<ServerConnection>,
}

impl Encrypted {
    fn new(server: Server, negotiation: Negotiation) -> Encrypted {
        let tls = match negotiation {
            Negotiation::Asked => None,
            Negotiation::Direct => Some(begin()),
        };
        Encrypted { server, tls }
    }

    fn hear(&mut self, mut bytes: &[u8]) -> Vec<u8> {
        let Some(tls) = &mut self.tls else {
            assert_eq!(bytes, SSL_REQUEST);
            self.tls = Some(begin());
            return b"S".to_vec();
        };
        let mut sent = Vec::new();
        while !bytes.is_empty() {
            tls.read_tls(&mut bytes).expect("from memory");
            tls.process_new_packets().expect("a client that keeps to TLS");
            let mut heard = Vec::new();
            match tls.reader().read_to_end(&mut heard) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                other => panic!("the client has ended the session: {other:?}"),
            }
            tls.writer().write_all(&self.server.hear(&heard)).expect("to memory");
            while tls.wants_write() {
                tls.write_tls(&mut sent).expect("to memory");
            }
        }
        sent
    }
}

fn begin() -> ServerConnection {
    let mut tls = ServerConnection::new(Arc::clone(&CONFIG)).expect("a session");
    tls.set_buffer_limit(None);
    tls
}

#[test]
fn a_server_that_is_not_trusted_is_told_so_by_an_alert() {
    for (negotiation, versions) in [
        (Negotiation::Asked, Versions::OnlyTls12),
        (Negotiation::Asked, Versions::OnlyTls13),
        (Negotiation::Direct, Versions::OnlyTls13),
    ] {
        let trust = CertificateTrust::AuthorityAndName(PEM);
        let settings = TlsSettings::new(&TlsOptions { trust, negotiation, versions, ..TlsOptions::default() });
        let settings = settings.expect("a certificate");
        let request = TlsRequest { settings: &settings, host: "another.example", optional: false };
        let mut connection = WireConnection::start(&SessionLogin { tls: Some(request), ..login() });
        let mut server = Encrypted::new(Server::new(Asks::Nothing), negotiation);
        let failure = loop {
            let answer = server.hear(&outgoing(&mut connection, &[]));
            assert!(!answer.is_empty(), "the handshake does not go on");
            connection.receive_bytes(&answer);
            match connection.poll() {
                Ok(event) => assert_eq!(event, None),
                Err(failure) => break failure,
            }
        };
        assert!(matches!(failure, WireError::Tls(TlsError::WrongHost { .. })), "{failure}");
        let mut tls = server.tls.expect("TLS has begun");
        tls.read_tls(&mut outgoing(&mut connection, &[]).as_slice()).expect("from memory");
        let heard = tls.process_new_packets().map(|_| ());
        assert_eq!(heard, Err(rustls::Error::AlertReceived(rustls::AlertDescription::BadCertificate)));
    }
}

fn negotiation() -> impl Strategy<Value = Negotiation> {
    prop_oneof![Just(Negotiation::Asked), Just(Negotiation::Direct)]
}

fn versions() -> impl Strategy<Value = Versions> {
    prop_oneof![Just(Versions::OnlyTls12), Just(Versions::OnlyTls13)]
}

#[test]
fn a_certificate_says_whose_it_is_until_when_and_what_kind_of_key_it_has() {
    let check = |pem: &[u8], [subject, issuer, key, signature]: [&str; 4], not_after_s| {
        let certificate = CertificateDer::from_pem_slice(pem).expect("a certificate");
        let [subject, issuer, key, signature] = [subject, issuer, key, signature].map(str::to_owned);
        let expected = Described { subject, issuer, not_after_s, key, signature };
        assert_eq!(wire::tls::describe_certificate(&certificate), Some(expected));
    };
    let own = "CN=db.example";
    check(PEM, [own, own, "ECDSA, P-256", "SHA-256 with ECDSA"], 4_948_787_259);
    let with_comma = "CN=db.example,O=Example\\, Inc.";
    let rsa = include_bytes!("rsa.pem");
    check(rsa, [with_comma, with_comma, "RSA, 2048 bits", "SHA-256 with RSA"], 4_949_170_880);
    let own = "CN=ed.example";
    check(include_bytes!("ed25519.pem"), [own, own, "Ed25519", "Ed25519"], 4_949_170_880);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn an_encrypted_session_says_what_one_in_clear_says_however_its_records_are_cut(
        asks in prop_oneof![Just(Asks::Nothing), Just(Asks::InClear), Just(Asks::Scram)],
        negotiation in negotiation(),
        versions in versions(),
        messages in vec(server_message(), 0..8),
        cuts in vec(any::<usize>(), 0..60),
    ) {
        let settings = TlsSettings::new(&TlsOptions { negotiation, versions, ..TlsOptions::default() });
        let settings = settings.expect("no files are needed");
        let request = TlsRequest { settings: &settings, host: "db.example", optional: false };
        let mut encrypted = Encrypted::new(Server::new(asks).then(messages.concat()), negotiation);
        let said = talk(&SessionLogin { tls: Some(request), ..login() }, &mut |bytes| encrypted.hear(bytes), &cuts);
        let mut clear = Server::new(asks).then(messages.concat());
        prop_assert_eq!(said, talk(&login(), &mut |bytes| clear.hear(bytes), &[]));
    }
    #[test]
    fn a_damaged_certificate_is_bound_to_or_not_and_never_panics(
        damages in vec((any::<usize>(), any::<u8>()), 1..6),
        length in any::<usize>(),
    ) {
        let mut certificate = CertificateDer::from_pem_slice(PEM).expect("a certificate").to_vec();
        prop_assert_eq!(wire::tls::end_point(&certificate).map(|hash| hash.len()), Some(32));
        for (at, byte) in damages {
            let at = at % certificate.len();
            certificate[at] = byte;
        }
        certificate.truncate(certificate.len() - length % 8);
        let _whatever = wire::tls::end_point(&certificate);
        let _whatever = wire::tls::describe_certificate(&certificate);
    }
}
