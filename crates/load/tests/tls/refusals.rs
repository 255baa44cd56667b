//! A refused login is told with the errors of both attempts, the first one first; and nobody leaves a handshake that
//! was broken off in the server's log.

use crate::server::{HOST, PASSWORD, Postgres, good};
use crate::{is_encrypted, settings, with};
use conninfo::{ConnInfo, EncryptionMode, Secret};
use control::InUse;
use wire::tls::TlsOptions;

fn preferring(postgres: &Postgres, user: &str, password: &str) -> ConnInfo {
    let prefer = EncryptionMode::IfPossible(settings(TlsOptions::default()));
    with(prefer, ConnInfo { password: Some(Secret::new(password)), ..postgres.server(user) })
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

#[test]
fn a_wrong_password_is_told_before_what_pg_hba_says_of_the_second_attempt() {
    let good = good();
    let server = preferring(&good.postgres, "scram_tls", "open barley");
    let both = "with TLS: password authentication failed for user \"scram_tls\"; without TLS: no pg_hba.conf entry";
    let told = is_encrypted(&server).expect_err("a wrong password");
    assert!(told.contains("28P01") && told.contains(both) && told.contains("check the password"), "{told}");
    let refused =
        runtime().block_on(control::Config::from(&server).open_connection()).map(drop).expect_err("a wrong password");
    assert!(refused.in_words().starts_with(both), "{}", refused.in_words());
    let code = refused.as_db_error().expect("the server's").code().code();
    assert_eq!(code, "28P01");
}

#[test]
fn the_attempt_that_pg_hba_lets_pass_says_why() {
    let good = good();
    let allow = EncryptionMode::IfInsisted(settings(TlsOptions::default()));
    let server = ConnInfo { password: Some(Secret::new("open barley")), ..good.postgres.server("scram_tls") };
    let told = is_encrypted(&with(allow, server)).expect_err("a wrong password");
    assert!(told.contains("28P01") && told.contains("; with TLS: password authentication failed"), "{told}");
}

#[test]
fn a_server_that_does_not_encrypt_is_asked_once() {
    let postgres = Postgres::new();
    postgres.start_in_clear();
    let server = preferring(&postgres, "scram", "open barley");
    let told = is_encrypted(&server).expect_err("a wrong password");
    assert!(told.contains("28P01") && !told.contains("without TLS"), "{told}");
    let refused =
        runtime().block_on(control::Config::from(&server).open_connection()).map(drop).expect_err("a wrong password");
    assert_eq!(refused.both_attempts(), None);
}

#[test]
fn what_encrypts_a_connection_is_seen_without_a_handshake_that_is_broken_off() {
    let postgres = Postgres::new();
    postgres.start_with(&crate::certificates::Authority::new().for_hosts(&[HOST]), None);
    let server = preferring(&postgres, "scram", PASSWORD);
    let in_use = runtime().block_on(control::encryption_in_use(&server)).expect("a session");
    let InUse::Tls { version, certificate, .. } = in_use else { panic!("{in_use:?}") };
    assert!(version.starts_with("TLSv1.") && certificate.is_some(), "{version} {certificate:?}");
    let in_clear = ConnInfo { encryption: EncryptionMode::Never, ..preferring(&postgres, "scram", PASSWORD) };
    assert_eq!(runtime().block_on(control::encryption_in_use(&in_clear)).expect("a session"), InUse::Nothing);
    postgres.stop_in_order();
    let logged = postgres.read_log();
    assert!(!logged.contains("SSL") && !logged.contains("unexpected EOF"), "{logged}");
}
