//! Who gets a connection, and of which kind: the engine and the control plane decide as libpq does.

use crate::certificates::Authority;
use crate::server::{HOST, Postgres};
use crate::{control_is_encrypted, is_encrypted, settings, with};
use conninfo::EncryptionMode;
use wire::tls::{CertificateTrust, TlsOptions};

/// What `sslmode` is in the engine's terms.
fn encryption(mode: &str, authority: &str) -> EncryptionMode {
    // libpq asks a given authority from `require` upwards, but `allow` and `prefer` then go on in clear.
    let trust = match mode {
        "verify-full" => CertificateTrust::AuthorityAndName(authority.as_bytes()),
        _ => CertificateTrust::Authority(authority.as_bytes()),
    };
    let settings = settings(TlsOptions { trust, ..TlsOptions::default() });
    match mode {
        "disable" => EncryptionMode::Never,
        "allow" => EncryptionMode::IfInsisted(settings),
        "prefer" => EncryptionMode::IfPossible(settings),
        _ => EncryptionMode::Always(settings),
    }
}

/// Compares the engine and the control plane with psql for every role and mode; returns how many got in.
fn compare(postgres: &Postgres, authority: &str, what: &str) -> usize {
    let root = postgres.write_file("root.crt", authority);
    let mut admitted = 0;
    for role in ["encrypted", "in_clear", "either"] {
        for mode in ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] {
            let conninfo = format!(
                "host={HOST} hostaddr=127.0.0.1 port={} user={role} dbname=postgres sslmode={mode} gssencmode=disable \
                 sslrootcert={}",
                postgres.tcp_port(),
                root.display()
            );
            let libpq = postgres.try_sql(&conninfo, "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
            let expected = libpq.as_ref().ok().map(|ssl| ssl == "t");
            let server = with(encryption(mode, authority), postgres.server(role));
            let (engine, control) = (is_encrypted(&server), control_is_encrypted(&server));
            assert_eq!(engine.as_ref().ok().copied(), expected, "{what}, {role}, {mode}: {engine:?}, libpq {libpq:?}");
            assert_eq!(
                control.as_ref().ok().copied(),
                expected,
                "{what}, {role}, {mode}: {control:?}, libpq {libpq:?}"
            );
            admitted += usize::from(expected.is_some());
        }
    }
    admitted
}

#[test]
fn engine_and_control_plane_connect_where_libpq_does_and_encrypt_where_it_does() {
    let (ours, strange) = (Authority::new(), Authority::new());
    let postgres = Postgres::new();
    postgres.start_with(&ours.for_hosts(&[HOST]), None);
    // `in_clear` is refused by the four modes from `require` on, `encrypted` by `disable`.
    assert_eq!(compare(&postgres, &ours.pem, "a good certificate"), 5 + 3 + 6);
    compare(&postgres, &strange.pem, "a certificate of a strange authority");
    postgres.start_with(&ours.for_hosts(&["elsewhere.test"]), None);
    compare(&postgres, &ours.pem, "a certificate for another host");
    postgres.start_in_clear();
    // As `encrypted` has no line for connections in clear.
    assert_eq!(compare(&postgres, &ours.pem, "a server in clear"), 3 + 3);
}

#[test]
fn a_server_in_clear_is_refused_where_encryption_is_demanded_and_it_is_said_how_to_go_on() {
    let postgres = Postgres::new();
    postgres.start_in_clear();
    let server = with(crate::always(CertificateTrust::Anyone), postgres.server("either"));
    for told in [is_encrypted(&server), control_is_encrypted(&server)] {
        let told = told.expect_err("a connection in clear");
        assert!(told.contains("the server does not support TLS"), "{told}");
        assert!(told.contains("set ssl = on in the server, or use sslmode=prefer or disable"), "{told}");
    }
}
