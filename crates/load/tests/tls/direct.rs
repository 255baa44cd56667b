//! TLS from the first byte, as PostgreSQL has it from version 17 on.

use crate::certificates::Authority;
use crate::server::{HOST, Postgres, good};
use crate::{control_is_encrypted, directly, is_encrypted, with};
use std::path::PathBuf;
use wire::tls::CertificateTrust;

/// The programs of a downloaded server of this major version, if it was ever downloaded.
fn downloaded(major: u32) -> Option<PathBuf> {
    let versions = std::fs::read_dir("/var/cache/pgdyno/postgresql").ok()?.flatten();
    let mut found = versions.filter(|version| version.file_name().to_string_lossy().starts_with(&format!("{major}.")));
    found.next().map(|version| version.path().join("bin"))
}

#[test]
fn servers_from_17_on_are_spoken_to_in_tls_from_the_first_byte() {
    for major in [17, 18] {
        let Some(binaries) = downloaded(major) else {
            eprintln!("skipped: PostgreSQL {major} was never downloaded");
            continue;
        };
        let ours = Authority::new();
        let postgres = Postgres::of(&binaries);
        postgres.start_with(&ours.for_hosts(&[HOST]), None);
        let server =
            with(directly(CertificateTrust::AuthorityAndName(ours.pem.as_bytes())), postgres.server("encrypted"));
        assert_eq!(is_encrypted(&server), Ok(true), "{major}");
        assert_eq!(control_is_encrypted(&server), Ok(true), "{major}");
        postgres.start_in_clear();
        let told = is_encrypted(&server).expect_err("the server does not encrypt");
        assert!(told.contains("with ssl=on"), "{major}: {told}");
    }
}

#[test]
fn an_older_server_is_said_to_be_too_old_for_it() {
    let told = is_encrypted(&with(directly(CertificateTrust::Anyone), good().postgres.server("encrypted")))
        .expect_err("it is 15");
    assert!(told.contains("sslnegotiation=direct needs PostgreSQL 17 or newer"), "{told}");
}
