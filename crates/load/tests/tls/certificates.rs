//! Certificates for the tests: an authority, and what it signs for servers and clients, good and bad.

use rcgen::{
    BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, PKCS_ECDSA_P256_SHA256, SignatureAlgorithm,
    date_time_ymd,
};

const NAME: &str = "an authority of the tests";

/// Who signs certificates.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    /// Its own certificate, in PEM.
    pub(crate) pem: String,
}

/// A certificate, with those that lead to its authority, and its key, in PEM.
pub(crate) struct Signed {
    pub(crate) certificate: String,
    pub(crate) key: String,
}

impl Authority {
    /// One that has signed itself, with a usual key. All have the same name: as if each had been made anew.
    pub(crate) fn new() -> Authority {
        Authority::with_key(&PKCS_ECDSA_P256_SHA256)
    }

    /// The same by another name.
    pub(crate) fn called(name: &str) -> Authority {
        Authority::with(KeyPair::generate().expect("a key"), authority_params(name))
    }

    /// The same with a key of this kind, which decides about the signatures that it makes.
    pub(crate) fn with_key(kind: &'static SignatureAlgorithm) -> Authority {
        Authority::with(KeyPair::generate_for(kind).expect("a key"), authority_params(NAME))
    }

    fn with(key: KeyPair, params: CertificateParams) -> Authority {
        let pem = params.self_signed(&key).expect("a certificate").pem();
        Authority { issuer: Issuer::new(params, key), pem }
    }

    /// Another that this one vouches for.
    pub(crate) fn intermediate(&self) -> Authority {
        let (key, params) = (KeyPair::generate().expect("a key"), authority_params("an authority between"));
        let pem = params.signed_by(&key, &self.issuer).expect("a certificate").pem();
        Authority { issuer: Issuer::new(params, key), pem }
    }

    /// Signs a certificate.
    pub(crate) fn sign(&self, params: &CertificateParams) -> Signed {
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate").pem();
        Signed { certificate, key: key.serialize_pem() }
    }

    /// Signs a certificate for these hosts.
    pub(crate) fn for_hosts(&self, names: &[&str]) -> Signed {
        self.sign(&hosts(names))
    }
}

/// A certificate for a host that nobody has signed but the host.
pub(crate) fn self_signed(name: &str) -> Signed {
    let key = KeyPair::generate().expect("a key");
    let certificate = hosts(&[name]).self_signed(&key).expect("a certificate").pem();
    Signed { certificate, key: key.serialize_pem() }
}

/// A certificate for hosts by their alternative names, valid now.
pub(crate) fn hosts(names: &[&str]) -> CertificateParams {
    let mut params = CertificateParams::new(names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
        .expect("names of hosts or addresses");
    params.distinguished_name.push(DnType::CommonName, "not the name of a host");
    params
}

/// The same for one host, from one year to another.
pub(crate) fn between(name: &str, from: i32, to: i32) -> CertificateParams {
    let mut params = hosts(&[name]);
    (params.not_before, params.not_after) = (date_time_ymd(from, 1, 1), date_time_ymd(to, 1, 1));
    params
}

/// A certificate without alternative names, for a host or a role.
pub(crate) fn common_name(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

fn authority_params(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, name);
    params
}
