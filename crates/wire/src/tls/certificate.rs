//! What rustls does not tell about a certificate: which hash binds a session to it, its common name, its dates, and
//! what it says of itself.

use ring::digest::{self, SHA256, SHA384, SHA512};
use rustls::pki_types::{CertificateDer, UnixTime};
use x509_cert::Certificate;
use x509_cert::der::asn1::{Ia5StringRef, ObjectIdentifier, PrintableStringRef, UintRef, Utf8StringRef};
use x509_cert::der::{Decode, Encode, Reader as _, SliceReader, Tag, Tagged};
use x509_cert::spki::SubjectPublicKeyInfoOwned;

const COMMON_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.3");
const SUBJECT_ALTERNATIVE_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.17");
const RSASSA_PSS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.10");

/// What a certificate says of itself. Nothing of it is checked here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Described {
    /// Whom it is for, as RFC 4514 writes names: `CN=db.example,O=Example`.
    pub subject: String,
    /// Who has signed it, likewise.
    pub issuer: String,
    /// Its last second, since 1970.
    pub not_after_s: u64,
    /// The kind of its key, with its size or curve: `RSA, 2048 bits`, `ECDSA, P-256`, `Ed25519`; of an unknown kind its
    /// object identifier.
    pub key: String,
    /// What it is signed with, such as `SHA-256 with RSA`; of an unknown kind its object identifier.
    pub signature: String,
}

/// Describes a certificate; `None` if it cannot be read.
pub fn describe_certificate(certificate: &[u8]) -> Option<Described> {
    let Certificate { tbs_certificate: parsed, signature_algorithm, .. } = Certificate::from_der(certificate).ok()?;
    Some(Described {
        subject: parsed.subject.to_string(),
        issuer: parsed.issuer.to_string(),
        not_after_s: parsed.validity.not_after.to_unix_duration().as_secs(),
        key: describe_key(&parsed.subject_public_key_info),
        signature: name_of_identifier(signature_algorithm.oid, &SIGNATURES),
    })
}

const SIGNATURES: [(&str, &str); 9] = [
    ("1.2.840.113549.1.1.5", "SHA-1 with RSA"),
    ("1.2.840.113549.1.1.10", "RSASSA-PSS"),
    ("1.2.840.113549.1.1.11", "SHA-256 with RSA"),
    ("1.2.840.113549.1.1.12", "SHA-384 with RSA"),
    ("1.2.840.113549.1.1.13", "SHA-512 with RSA"),
    ("1.2.840.10045.4.3.2", "SHA-256 with ECDSA"),
    ("1.2.840.10045.4.3.3", "SHA-384 with ECDSA"),
    ("1.2.840.10045.4.3.4", "SHA-512 with ECDSA"),
    ("1.3.101.112", "Ed25519"),
];

const CURVES: [(&str, &str); 3] =
    [("1.2.840.10045.3.1.7", "P-256"), ("1.3.132.0.34", "P-384"), ("1.3.132.0.35", "P-521")];

fn name_of_identifier(identifier: ObjectIdentifier, names: &[(&str, &str)]) -> String {
    let identifier = identifier.to_string();
    let name = names.iter().find(|(known, _)| *known == identifier).map(|(_, name)| (*name).to_owned());
    name.unwrap_or(identifier)
}

fn describe_key(info: &SubjectPublicKeyInfoOwned) -> String {
    const EC: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");
    const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
    let curve = || info.algorithm.parameters.as_ref()?.decode_as::<ObjectIdentifier>().ok();
    match info.algorithm.oid {
        RSA => match rsa_bits(info.subject_public_key.raw_bytes()) {
            Some(bits) => format!("RSA, {bits} bits"),
            None => "RSA".to_owned(),
        },
        EC => match curve() {
            Some(curve) => format!("ECDSA, {}", name_of_identifier(curve, &CURVES)),
            None => "ECDSA".to_owned(),
        },
        other => name_of_identifier(other, &[("1.3.101.112", "Ed25519"), ("1.3.101.113", "Ed448")]),
    }
}

/// The length of the modulus in `SEQUENCE { INTEGER modulus, INTEGER exponent }`.
fn rsa_bits(key: &[u8]) -> Option<usize> {
    let mut reader = SliceReader::new(key).ok()?;
    let modulus = reader.sequence(|parts| {
        let modulus = UintRef::decode(parts)?;
        let _exponent = UintRef::decode(parts)?;
        Ok(modulus)
    });
    let modulus = modulus.ok()?;
    let bytes = modulus.as_bytes();
    Some(bytes.len() * 8 - bytes.first()?.leading_zeros() as usize)
}

/// The channel binding data `tls-server-end-point` of RFC 5929 for a server's certificate: its hash by the hash
/// function of its signature, by SHA-256 instead of MD5 and SHA-1.
/// `None` where the signature has no such function (Ed25519).
pub fn end_point(certificate: &[u8]) -> Option<Vec<u8>> {
    let parsed = Certificate::from_der(certificate).ok()?;
    let algorithm = &parsed.signature_algorithm;
    let mut identifier = algorithm.oid.to_string();
    if algorithm.oid == RSASSA_PSS {
        // The hash is the first of the parameters: `[0] SEQUENCE { OID }`; without it, SHA-1.
        let parameters = algorithm.parameters.as_ref()?.to_der().ok()?;
        identifier = pss_hash(&parameters).unwrap_or_default();
    }
    let hash = match identifier.as_str() {
        // MD5 and SHA-1 with RSA, SHA-1 with ECDSA, PSS by default; SHA-256 with RSA and ECDSA and alone.
        "1.2.840.113549.1.1.4" | "1.2.840.113549.1.1.5" | "1.2.840.10045.4.1" | "" => &SHA256,
        "1.2.840.113549.1.1.11" | "1.2.840.10045.4.3.2" | "2.16.840.1.101.3.4.2.1" => &SHA256,
        "1.2.840.113549.1.1.12" | "1.2.840.10045.4.3.3" | "2.16.840.1.101.3.4.2.2" => &SHA384,
        "1.2.840.113549.1.1.13" | "1.2.840.10045.4.3.4" | "2.16.840.1.101.3.4.2.3" => &SHA512,
        _ => return None,
    };
    Some(digest::digest(hash, certificate).as_ref().to_vec())
}

/// The hash in the parameters of an RSASSA-PSS signature.
fn pss_hash(parameters: &[u8]) -> Option<String> {
    let at = parameters.iter().position(|&byte| byte == 0xa0)?;
    let algorithm = parameters.get(at + 4..)?;
    let length = usize::from(*algorithm.get(1)?);
    ObjectIdentifier::from_der(algorithm.get(..length + 2)?).ok().map(|oid| oid.to_string())
}

/// The name by which a certificate that has no alternative names is known. libpq accepts it; others no longer do.
pub(super) fn common_name(certificate: &CertificateDer<'_>) -> Option<String> {
    let parsed = Certificate::from_der(certificate).ok()?.tbs_certificate;
    let extensions = parsed.extensions.as_deref().unwrap_or_default();
    if extensions.iter().any(|extension| extension.extn_id == SUBJECT_ALTERNATIVE_NAME) {
        return None;
    }
    let mut attributes = parsed.subject.0.iter().flat_map(|part| part.0.iter());
    let value = &attributes.rfind(|attribute| attribute.oid == COMMON_NAME)?.value;
    match value.tag() {
        Tag::Utf8String => value.decode_as::<Utf8StringRef<'_>>().ok().map(|text| text.to_string()),
        Tag::PrintableString => value.decode_as::<PrintableStringRef<'_>>().ok().map(|text| text.to_string()),
        Tag::Ia5String => value.decode_as::<Ia5StringRef<'_>>().ok().map(|text| text.to_string()),
        _ => None,
    }
}

/// Where `now` lies relative to a certificate's dates.
pub(super) enum Validity {
    NotYet,
    Now,
    Over,
}

/// Whether a certificate is valid at `now`; `None` if it cannot be read.
pub(super) fn certificate_validity(certificate: &CertificateDer<'_>, now: UnixTime) -> Option<Validity> {
    let validity = Certificate::from_der(certificate).ok()?.tbs_certificate.validity;
    let (from, to) = (validity.not_before.to_unix_duration(), validity.not_after.to_unix_duration());
    Some(match now.as_secs() {
        now if now < from.as_secs() => Validity::NotYet,
        now if now > to.as_secs() => Validity::Over,
        _ => Validity::Now,
    })
}

/// Whether the name in a certificate stands for the host: equal, or `*.` for the first part of it.
pub(super) fn matches_host(name: &str, host: &str) -> bool {
    let name = name.trim_end_matches('.');
    let host = host.trim_end_matches('.');
    if name.eq_ignore_ascii_case(host) {
        return true;
    }
    let (Some(name), Some((first, host))) = (name.strip_prefix("*."), host.split_once('.')) else { return false };
    !first.is_empty() && name.eq_ignore_ascii_case(host)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_name_matches_itself_and_a_star_one_part_of_a_name() {
        for (name, host, expected) in [
            ("db.example", "db.example", true),
            ("DB.example", "db.Example", true),
            ("*.example.org", "db.example.org", true),
            ("*.example.org", "a.db.example.org", false),
            ("*.example.org", "example.org", false),
            ("*.example.org", ".example.org", false),
            ("db.example", "evil.example", false),
            ("*", "db", false),
        ] {
            assert_eq!(super::matches_host(name, host), expected, "{name} for {host}");
        }
    }
}
