//! What a connection string says about TLS: `sslmode`, `sslrootcert`, `sslcert`, `sslkey` and their like, with libpq's
//! defaults and in its order of precedence. Reads the files through the surroundings, once.

use super::{ConninfoError, ConninfoSurroundings, ParameterValues};
use std::io;
use std::path::{Path, PathBuf};
use wire::tls::{CertificateTrust, ClientIdentity, Negotiation, TlsOptions, TlsSettings, TlsSettingsError, Versions};

/// Where systems keep the certificates that everybody trusts, for `sslrootcert=system`.
const SYSTEM_ROOTS: &[&str] = &[
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// Whether a connection is encrypted; libpq's `sslmode`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EncryptionMode {
    /// Never: `disable`.
    Never,
    /// Only if the server does not let us in otherwise: `allow`.
    IfInsisted(TlsSettings),
    /// If the server can, and in clear if it cannot: `prefer`.
    IfPossible(TlsSettings),
    /// Always: `require`, `verify-ca`, `verify-full`.
    Always(TlsSettings),
}

impl EncryptionMode {
    /// How encrypted connections are made, if any may be.
    #[must_use]
    pub fn tls_settings(&self) -> Option<&TlsSettings> {
        match self {
            EncryptionMode::Never => None,
            EncryptionMode::IfInsisted(settings)
            | EncryptionMode::IfPossible(settings)
            | EncryptionMode::Always(settings) => Some(settings),
        }
    }

    /// Whether TLS begins with the first byte.
    #[must_use]
    pub fn is_direct(&self) -> bool {
        matches!(self, EncryptionMode::Always(settings) if settings.tls_negotiation() == Negotiation::Direct)
    }
}

/// libpq's `sslmode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mode {
    Disable,
    Allow,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

/// How connections over TCP are encrypted.
pub(super) fn resolve_encryption(
    values: &ParameterValues,
    around: &ConninfoSurroundings<'_>,
) -> Result<EncryptionMode, ConninfoError> {
    let system = values.get("sslrootcert").is_some_and(|file| file == "system");
    let mode = parse_ssl_mode(values, system)?;
    if mode == Mode::Disable {
        return Ok(EncryptionMode::Never);
    }
    let negotiation = parse_ssl_negotiation(values, mode)?;
    let roots = read_root_certificates(values, mode, system, around)?;
    let trust = match (&roots, mode) {
        (None, _) => CertificateTrust::Anyone,
        (Some((_, pem)), Mode::VerifyFull) => CertificateTrust::AuthorityAndName(pem.as_bytes()),
        // As libpq: whoever has given authorities wants them asked, whatever the mode.
        (Some((_, pem)), _) => CertificateTrust::Authority(pem.as_bytes()),
    };
    let identity = read_client_certificate(values, around)?;
    let options = TlsOptions {
        trust,
        identity: identity.as_ref().map(|(_, certificates, key)| ClientIdentity {
            certificates: certificates.as_bytes(),
            key: key.as_bytes(),
        }),
        negotiation,
        versions: parse_tls_versions(values)?,
        sni: values.get("sslsni").is_none_or(|sni| sni != "0"),
    };
    let settings = TlsSettings::new(&options).map_err(|error| {
        let of_identity =
            matches!(error, TlsSettingsError::EncryptedKey | TlsSettingsError::NoKey | TlsSettingsError::Identity(_));
        let (name, file) = match (&roots, &identity) {
            (Some((file, _)), _) if !of_identity => ("sslrootcert", file.clone()),
            (_, Some((file, _, _))) => ("sslkey", file.clone()),
            (Some((file, _)), None) => ("sslrootcert", file.clone()),
            (None, None) => ("sslmode", PathBuf::new()),
        };
        ConninfoError::TlsFile { name, file, why: error.to_string() }
    })?;
    Ok(match mode {
        Mode::Disable => EncryptionMode::Never,
        Mode::Allow => EncryptionMode::IfInsisted(settings),
        Mode::Prefer => EncryptionMode::IfPossible(settings),
        Mode::Require | Mode::VerifyCa | Mode::VerifyFull => EncryptionMode::Always(settings),
    })
}

fn parse_ssl_mode(values: &ParameterValues, system: bool) -> Result<Mode, ConninfoError> {
    let mode = match values.get("sslmode").map(String::as_str) {
        None if system => Mode::VerifyFull,
        None => Mode::Prefer,
        Some("disable") => Mode::Disable,
        Some("allow") => Mode::Allow,
        Some("prefer") => Mode::Prefer,
        Some("require") => Mode::Require,
        Some("verify-ca") => Mode::VerifyCa,
        Some("verify-full") => Mode::VerifyFull,
        Some(_) => {
            let expected = "disable, allow, prefer, require, verify-ca or verify-full";
            return Err(ConninfoError::InvalidValue { name: "sslmode", expected });
        }
    };
    if system && mode != Mode::VerifyFull {
        let what = "sslrootcert=system with an sslmode weaker than verify-full";
        return Err(ConninfoError::Contradiction { what, hint: "remove sslmode, or specify the CA of the server" });
    }
    Ok(mode)
}

fn parse_ssl_negotiation(values: &ParameterValues, mode: Mode) -> Result<Negotiation, ConninfoError> {
    match values.get("sslnegotiation").map(String::as_str) {
        None | Some("postgres") => Ok(Negotiation::Asked),
        Some("direct") if mode >= Mode::Require => Ok(Negotiation::Direct),
        Some("direct") => {
            let what = "sslnegotiation=direct with an sslmode weaker than require";
            Err(ConninfoError::Contradiction { what, hint: "use sslmode=require, verify-ca or verify-full" })
        }
        Some(_) => Err(ConninfoError::InvalidValue { name: "sslnegotiation", expected: "postgres or direct" }),
    }
}

fn parse_tls_versions(values: &ParameterValues) -> Result<Versions, ConninfoError> {
    let number = |name: &'static str, default: u8| match values.get(name).map(String::as_str) {
        None => Ok(default),
        Some("TLSv1") => Ok(0),
        Some("TLSv1.1") => Ok(1),
        Some("TLSv1.2") => Ok(2),
        Some("TLSv1.3") => Ok(3),
        Some(_) => Err(ConninfoError::InvalidValue { name, expected: "TLSv1.2 or TLSv1.3" }),
    };
    match (number("ssl_min_protocol_version", 2)?, number("ssl_max_protocol_version", 3)?) {
        (..=2, 3) => Ok(Versions::Both),
        (3, 3) => Ok(Versions::OnlyTls13),
        (..=2, 2) => Ok(Versions::OnlyTls12),
        _ => {
            let what = "no version of TLS is between ssl_min_protocol_version and ssl_max_protocol_version";
            Err(ConninfoError::Contradiction { what, hint: "TLSv1.2 and TLSv1.3 are supported" })
        }
    }
}

/// The authorities and the file that they come from.
fn read_root_certificates(
    values: &ParameterValues,
    mode: Mode,
    system: bool,
    around: &ConninfoSurroundings<'_>,
) -> Result<Option<(PathBuf, String)>, ConninfoError> {
    if system {
        let named = around.environment_variable("SSL_CERT_FILE").into_iter();
        let mut files = named.chain(SYSTEM_ROOTS.iter().map(|file| (*file).to_owned())).map(PathBuf::from);
        let found = files.find_map(|file| (around.read)(&file).ok().map(|found| (file, found.text)));
        return found.map(Some).ok_or_else(|| ConninfoError::TlsFile {
            name: "sslrootcert",
            file: PathBuf::from("system"),
            why: "this system has no CA certificates in a known location".to_owned(),
        });
    }
    match (values.get("sslrootcert"), in_home("root.crt", around)) {
        (Some(file), _) => read_root_file(PathBuf::from(file), mode, around),
        (None, Some(file)) => read_root_file(file, mode, around),
        (None, None) if mode >= Mode::VerifyCa => {
            let what = "sslmode=verify-ca or verify-full without sslrootcert";
            Err(ConninfoError::Contradiction { what, hint: "specify the CA certificate, or sslrootcert=system" })
        }
        (None, None) => Ok(None),
    }
}

fn read_root_file(
    file: PathBuf,
    mode: Mode,
    around: &ConninfoSurroundings<'_>,
) -> Result<Option<(PathBuf, String)>, ConninfoError> {
    match (around.read)(&file) {
        Ok(found) => Ok(Some((file, found.text))),
        Err(error) if error.kind() == io::ErrorKind::NotFound && mode < Mode::VerifyCa => Ok(None),
        Err(error) => Err(ConninfoError::TlsFile { name: "sslrootcert", file, why: error.to_string() }),
    }
}

/// The client's certificate and key, and the file that holds the key.
fn read_client_certificate(
    values: &ParameterValues,
    around: &ConninfoSurroundings<'_>,
) -> Result<Option<(PathBuf, String, String)>, ConninfoError> {
    if values.get("sslcertmode").is_some_and(|mode| mode == "disable") {
        return Ok(None);
    }
    let (named, default) = (values.get("sslcert").map(PathBuf::from), in_home("postgresql.crt", around));
    let is_named = named.is_some();
    let Some(file) = named.or(default) else { return Ok(None) };
    let certificates = match (around.read)(&file) {
        Ok(found) => found.text,
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_named => return Ok(None),
        Err(error) => return Err(ConninfoError::TlsFile { name: "sslcert", file, why: error.to_string() }),
    };
    let key = values.get("sslkey").map(PathBuf::from).or_else(|| in_home("postgresql.key", around));
    let Some(key) = key else {
        let what = "sslcert without sslkey";
        return Err(ConninfoError::Contradiction { what, hint: "specify the key of the certificate" });
    };
    let found = match (around.read)(&key) {
        Ok(found) => found,
        Err(error) => return Err(ConninfoError::TlsFile { name: "sslkey", file: key, why: error.to_string() }),
    };
    if found.mode & 0o037 != 0 {
        let why = "it has group or world access; chmod 0600 it".to_owned();
        return Err(ConninfoError::TlsFile { name: "sslkey", file: key, why });
    }
    Ok(Some((key, certificates, found.text)))
}

fn in_home(name: &str, around: &ConninfoSurroundings<'_>) -> Option<PathBuf> {
    Some(Path::new(&around.environment_variable("HOME")?).join(".postgresql").join(name))
}
