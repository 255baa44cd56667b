//! What rustls does not tell about a certificate: which hash binds a session to it, its common name, its dates.

use ring::digest::{self, SHA256, SHA384, SHA512};
use rustls::pki_types::{CertificateDer, UnixTime};
use x509_cert::Certificate;
use x509_cert::der::asn1::{Ia5StringRef, ObjectIdentifier, PrintableStringRef, Utf8StringRef};
use x509_cert::der::{Decode, Encode, Tag, Tagged};

const COMMON_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.3");
const SUBJECT_ALTERNATIVE_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.17");
const RSASSA_PSS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.10");

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
pub(super) fn validity(certificate: &CertificateDer<'_>, now: UnixTime) -> Option<Validity> {
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
