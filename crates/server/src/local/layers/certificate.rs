//! The certificate of a local server: made for it, signed by itself, gone with it. It encrypts; it proves nothing.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::local::account::SystemAccount;
use crate::local::directories::write_owned;
use crate::local::failure::Failure;

/// File name of the certificate.
pub(super) const CERTIFICATE: &str = "server.crt";

/// File name of its key.
pub(super) const KEY: &str = "server.key";

/// Writes certificate and key, readable by the server's user alone. Returns the directory they are in.
pub(super) fn write_certificate(directory: &Path, account: Option<SystemAccount>) -> Result<PathBuf, Failure> {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]);
    let made = made.map_err(Failure::system_call_failed("create a certificate"))?;
    write_owned(&directory.join(CERTIFICATE), made.cert.pem().as_bytes(), account)?;
    let key = directory.join(KEY);
    write_owned(&key, made.signing_key.serialize_pem().as_bytes(), account)?;
    // PostgreSQL refuses a key that others may read.
    let private = fs::Permissions::from_mode(0o600);
    fs::set_permissions(&key, private)
        .map_err(Failure::system_call_failed(format!("set permissions of {}", key.display())))?;
    Ok(directory.to_owned())
}
