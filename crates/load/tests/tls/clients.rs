//! How clients prove who they are over TLS: by certificates, and by passwords that are bound to the encryption.

use crate::certificates::{Authority, common_name};
use crate::server::{HOST, PASSWORD, Postgres, good};
use crate::{always, control_is_encrypted, is_encrypted, showing, with};
use conninfo::{ChannelBinding, ConnInfo, EncryptionMode, Secret};
use wire::tls::CertificateTrust;

#[test]
fn a_client_certificate_is_shown_where_one_is_asked_for() {
    let (ours, theirs, strange) = (Authority::new(), Authority::new(), Authority::new());
    let postgres = Postgres::new();
    postgres.start_with(&ours.for_hosts(&[HOST]), Some(&theirs.pem));
    let trust = CertificateTrust::AuthorityAndName(ours.pem.as_bytes());
    let by = |encryption| with(encryption, postgres.server("certified"));
    let good = by(showing(&theirs.sign(&common_name("certified")), trust));
    assert_eq!([is_encrypted(&good), control_is_encrypted(&good)], [Ok(true), Ok(true)]);

    let told = is_encrypted(&by(always(trust))).expect_err("nothing was shown");
    assert!(told.contains("connection requires a valid client certificate"), "{told}");
    assert!(told.contains("sslcert"), "{told}");
    let told = is_encrypted(&by(showing(&theirs.sign(&common_name("somebody")), trust))).expect_err("another role's");
    assert!(told.contains("certificate authentication failed for user \"certified\""), "{told}");
    let told = is_encrypted(&by(showing(&strange.sign(&common_name("certified")), trust))).expect_err("a strange one");
    assert!(told.contains("the server does not accept the client certificate"), "{told}");
    assert!(told.contains("check sslcert and sslkey, and the server's ssl_ca_file"), "{told}");
}

fn login(postgres: &Postgres, user: &str, encryption: EncryptionMode, channel_binding: ChannelBinding) -> ConnInfo {
    let password = Some(Secret::new(PASSWORD));
    with(encryption, ConnInfo { password, channel_binding, ..postgres.server(user) })
}

#[test]
fn a_password_is_bound_to_the_encryption_where_that_is_demanded() {
    let kinds = [("SHA-256", &rcgen::PKCS_ECDSA_P256_SHA256), ("SHA-384", &rcgen::PKCS_ECDSA_P384_SHA384)];
    let postgres = Postgres::new();
    for (hash, kind) in kinds {
        postgres.start_with(&Authority::with_key(kind).for_hosts(&[HOST]), None);
        for binding in [ChannelBinding::Require, ChannelBinding::Prefer, ChannelBinding::Disable] {
            let server = login(&postgres, "scram_tls", always(CertificateTrust::Anyone), binding);
            let both = [is_encrypted(&server), control_is_encrypted(&server)];
            assert_eq!(both, [Ok(true), Ok(true)], "{hash} {binding:?}");
        }
    }
    let clear = login(&postgres, "scram", EncryptionMode::Never, ChannelBinding::Require);
    let told = is_encrypted(&clear).expect_err("in clear");
    assert!(told.contains("the connection is not encrypted") && told.contains("use TLS"), "{told}");
    control_is_encrypted(&clear).expect_err("in clear");
    for user in ["md5", "either"] {
        let told = is_encrypted(&login(&postgres, user, always(CertificateTrust::Anyone), ChannelBinding::Require));
        let told = told.expect_err("not by SCRAM");
        assert!(told.contains("the server requested authentication without it"), "{user}: {told}");
        assert!(told.contains("channel_binding=prefer or disable") && !told.contains("sesame"), "{told}");
    }
}

#[test]
fn a_certificate_that_has_no_hash_to_bind_to_is_said_to_be_the_reason() {
    let postgres = Postgres::new();
    postgres.start_with(&Authority::with_key(&rcgen::PKCS_ED25519).for_hosts(&[HOST]), None);
    let by = |binding| login(&postgres, "scram", always(CertificateTrust::Anyone), binding);
    for binding in [ChannelBinding::Prefer, ChannelBinding::Disable] {
        let both = [is_encrypted(&by(binding)), control_is_encrypted(&by(binding))];
        assert_eq!(both, [Ok(true), Ok(true)], "{binding:?}");
    }
    let told = is_encrypted(&by(ChannelBinding::Require)).expect_err("Ed25519 has no hash");
    assert!(told.contains("its certificate has no hash"), "{told}");
}

#[test]
fn a_wrong_password_over_tls_is_told_and_never_shown() {
    let good = good();
    let password = Some(Secret::new("open barley"));
    let server = ConnInfo {
        password,
        ..login(&good.postgres, "scram", always(CertificateTrust::Anyone), ChannelBinding::Require)
    };
    let told = is_encrypted(&server).expect_err("a wrong password");
    assert!(told.contains("28P01") && told.contains("check the password"), "{told}");
    assert!(!format!("{told}{server:?}").contains("barley"), "{told} {server:?}");
}
