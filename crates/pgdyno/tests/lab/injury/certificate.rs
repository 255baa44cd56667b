//! A server's certificate, signed by itself.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use testbed::give_to_postgres;

use crate::site::Site;

/// Makes one; the settings with which a server uses it.
pub fn settings(site: &Site) -> String {
    let certified = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    let certificate = site.write("server.crt", &certified.cert.pem());
    let key = site.write("server.key", &certified.signing_key.serialize_pem());
    // One that others may read is refused.
    fs::set_permissions(&key, Permissions::from_mode(0o600)).expect("permissions");
    give_to_postgres(&key);
    format!("ssl = on\nssl_cert_file = '{}'\nssl_key_file = '{}'\n", certificate.display(), key.display())
}
