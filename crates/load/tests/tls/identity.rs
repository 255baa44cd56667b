//! How the certificates of servers are judged, and what is said about bad ones.

use crate::certificates::{Authority, Signed, between, common_name, self_signed};
use crate::server::{HOST, PASSWORD, Postgres};
use crate::{always, backends, control_is_encrypted, is_encrypted, job, run, with, words};
use conninfo::{ConnInfo, EncryptionMode, Secret, ServerHost};
use load::EngineJob;
use wire::tls::CertificateTrust;

/// What becomes of a connection by the engine and by the control plane.
fn judge(server: &ConnInfo) -> [Result<bool, String>; 2] {
    [is_encrypted(server), control_is_encrypted(server)]
}

#[track_caller]
fn accepted(server: &ConnInfo, what: &str) {
    for judged in judge(server) {
        assert_eq!(judged, Ok(true), "{what}");
    }
}

/// Both refuse with these words, and nobody's password is among them.
#[track_caller]
fn refused(server: &ConnInfo, what: &str, said: &[&str]) {
    for judged in judge(server) {
        let told = judged.expect_err(what);
        for said in said {
            assert!(told.contains(said), "{what}: {told}");
        }
        assert!(!told.contains("sesame"), "{told}");
    }
}

/// The server by another name.
fn at(host: &str, server: ConnInfo) -> ConnInfo {
    let ServerHost::Tcp { address, .. } = server.host else { panic!("not over TCP") };
    ConnInfo { host: ServerHost::Tcp { name: host.to_owned(), address }, ..server }
}

fn login(postgres: &Postgres, encryption: EncryptionMode) -> ConnInfo {
    with(encryption, ConnInfo { password: Some(Secret::new(PASSWORD)), ..postgres.server("scram") })
}

fn full(pem: &str) -> EncryptionMode {
    always(CertificateTrust::AuthorityAndName(pem.as_bytes()))
}

fn authority(pem: &str) -> EncryptionMode {
    always(CertificateTrust::Authority(pem.as_bytes()))
}

#[test]
fn a_certificate_is_good_for_its_names_its_dates_and_its_authority() {
    let (ours, strange) = (Authority::new(), Authority::new());
    let postgres = Postgres::new();
    postgres.start_with(&ours.for_hosts(&[HOST, "*.cluster.test", "127.0.0.1"]), None);
    let by = |encryption| login(&postgres, encryption);
    for host in [HOST, "one.cluster.test", "127.0.0.1", "DB.TEST"] {
        accepted(&at(host, by(full(&ours.pem))), host);
    }
    let other = ["certificate is not for host \"other.test\" but for db.test, *.cluster.test", "verify-ca"];
    refused(&at("other.test", by(full(&ours.pem))), "another host", &other);
    refused(&at("a.b.cluster.test", by(full(&ours.pem))), "two names for one star", &["a.b.cluster.test"]);
    refused(&at("127.0.0.2", by(full(&ours.pem))), "another address", &["not for host \"127.0.0.2\""]);
    accepted(&at("other.test", by(authority(&ours.pem))), "another host with verify-ca");
    accepted(&at("other.test", by(always(CertificateTrust::Anyone))), "another host with require");
    let unknown = ["is not signed by a trusted authority", "specify the CA certificate with sslrootcert"];
    for strange in [&strange.pem, &Authority::called("a stranger").pem] {
        refused(&by(full(strange)), "a strange authority", &unknown);
        refused(&by(authority(strange)), "a strange authority", &unknown);
    }
    accepted(&by(full(&format!("{}{}", strange.pem, ours.pem))), "one of several authorities");
    accepted(&by(always(CertificateTrust::Anyone)), "a strange authority with require");
}

#[test]
fn a_server_whose_certificate_is_refused_is_told_why() {
    let (ours, postgres) = (Authority::new().for_hosts(&[HOST]), Postgres::new());
    postgres.start_with(&ours, None);
    let server = login(&postgres, full(&Authority::new().pem));
    for backend in backends(&server) {
        // With an empty log.
        postgres.start_with(&ours, None);
        let refused = run(&EngineJob { backend, ..job(server.clone(), "SELECT 1;") }).expect_err("a strange authority");
        assert!(words(&refused).contains("is not signed by a trusted authority"), "{refused}");
        postgres.wait_until_logged("alert unknown ca");
    }
}

#[test]
fn a_certificate_out_of_its_dates_is_refused_and_it_is_said_to_look_at_the_clock() {
    let ours = Authority::new();
    let postgres = Postgres::new();
    postgres.start_with(&ours.sign(&between(HOST, 2019, 2020)), None);
    let said = ["the server's certificate has expired", "renew the server's certificate"];
    refused(&login(&postgres, full(&ours.pem)), "an expired one", &said);
    refused(&login(&postgres, authority(&ours.pem)), "an expired one", &said);
    accepted(&login(&postgres, always(CertificateTrust::Anyone)), "an expired one with require");
    postgres.start_with(&ours.sign(&between(HOST, 2200, 2201)), None);
    let said = ["the server's certificate is not valid yet", "check this machine's clock"];
    refused(&login(&postgres, full(&ours.pem)), "one for the future", &said);
}

#[test]
fn certificates_of_other_kinds_are_judged_as_libpq_judges_them() {
    let ours = Authority::new();
    let postgres = Postgres::new();
    let own = self_signed(HOST);
    postgres.start_with(&own, None);
    accepted(&login(&postgres, full(&own.certificate)), "a self-signed one that is trusted itself");
    refused(&login(&postgres, full(&ours.pem)), "a self-signed one", &["is not signed by a trusted authority"]);
    accepted(&login(&postgres, always(CertificateTrust::Anyone)), "a self-signed one with require");

    postgres.start_with(&ours.sign(&common_name(HOST)), None);
    accepted(&login(&postgres, full(&ours.pem)), "a common name");
    let other = at("other.test", login(&postgres, full(&ours.pem)));
    refused(&other, "another common name", &["not for host \"other.test\" but for db.test"]);

    let between = ours.intermediate();
    let Signed { certificate, key } = between.for_hosts(&[HOST]);
    postgres.start_with(&Signed { certificate: certificate.clone() + &between.pem, key: key.clone() }, None);
    accepted(&login(&postgres, full(&ours.pem)), "one of an authority that the root vouches for");
    postgres.start_with(&Signed { certificate, key }, None);
    refused(&login(&postgres, full(&ours.pem)), "a broken chain", &["is not signed by a trusted authority"]);
}
