//! A server that lets nobody in without encryption: everything that pgdyno does with it is encrypted, by pgbench too,
//! and what is wrong with certificates is said before anything is measured.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};

use crate::lab::{BRIEF, Lab};
use testbed::{Postgres, Setup, give_to_postgres};

const PASSWORD: &str = "correct-horse-battery";

/// Only with encryption and a password; the superuser of the socket asks the questions of the test.
const HBA: &str = "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n";

/// A server whose certificate is for `localhost`, and the file of the authority that has signed it.
fn encrypting_server(lab: &Lab) -> (Postgres, PathBuf) {
    let mut authority = CertificateParams::default();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    authority.distinguished_name.push(DnType::CommonName, "the authority");
    let root_key = KeyPair::generate().expect("a key");
    let root = lab.write("root.crt", authority.self_signed(&root_key).expect("a certificate").pem());
    let key = KeyPair::generate().expect("a key");
    let certificate = CertificateParams::new(vec!["localhost".to_owned()])
        .and_then(|params| params.signed_by(&key, &Issuer::new(authority, root_key)))
        .expect("a certificate");
    let certificate = lab.write("server.crt", certificate.pem());
    let key = lab.write("server.key", key.serialize_pem());
    // One that others may read is refused.
    fs::set_permissions(&key, Permissions::from_mode(0o600)).expect("permissions");
    give_to_postgres(&key);
    let settings =
        format!("ssl = on\nssl_cert_file = '{}'\nssl_key_file = '{}'\n", certificate.display(), key.display());
    let server = Setup { settings, hba: HBA.to_owned(), ..Setup::default() }.start_server();
    server.query_postgres(&format!("CREATE ROLE bench LOGIN SUPERUSER PASSWORD '{PASSWORD}'"));
    (server, root)
}

fn url(server: &Postgres, host: &str, parameters: &str) -> String {
    format!("postgresql://bench:{PASSWORD}@{host}:{}/postgres?{parameters}", server.tcp_port())
}

#[test]
fn a_plan_on_a_server_that_only_takes_encrypted_connections_comes_to_a_verdict() {
    let lab = Lab::new();
    let (server, root) = encrypting_server(&lab);
    let parameters = format!("sslmode=verify-full&sslrootcert={}&channel_binding=require", root.display());
    let url = url(&server, "localhost", &parameters);
    lab.write(
        "plan.yaml",
        format!(
            "name: Encrypted\ntargets:\n  one: {{ url: \"{url}\" }}\n  two: {{ url: \"{url}\" }}\nbaseline: one\n\
             workloads:\n  own: {{ think: 5ms, builtin: tpcb-like, scale: 1 }}\n  \
             pgbench: {{ builtin: tpcb-like, scale: 1, generator: pgbench }}\nclients: [2]
{BRIEF}"
        ),
    );
    let ended = lab.pgdyno("run plan.yaml");
    ended.measured().prints(&["verdict", "own", "pgbench"]);
    let run = lab.run();
    assert_eq!(run.completed(), [1, 2, 3, 4]);
    for trial in run.trials() {
        let load = trial.load.expect("figures");
        assert!(load.transactions > 0 && load.failed == 0, "{load:?}");
        assert!(load.outages.is_empty(), "{:?}", load.outages);
    }
}

#[test]
fn what_is_wrong_with_the_encryption_is_said_before_anything_is_measured() {
    let lab = Lab::new();
    let (server, root) = encrypting_server(&lab);
    let mut strange = CertificateParams::default();
    strange.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let strange = strange.self_signed(&KeyPair::generate().expect("a key")).expect("a certificate");
    let strange = lab.write("strange.crt", strange.pem());
    let (root, strange) = (root.display(), strange.display());
    let cases = [
        (
            "localhost",
            format!("sslmode=verify-full&sslrootcert={strange}"),
            ["cannot encrypt the connection", "is not signed by a trusted authority", "sslrootcert"],
        ),
        (
            "127.0.0.1",
            format!("sslmode=verify-full&sslrootcert={root}"),
            [
                "not for host \"127.0.0.1\" but for localhost",
                "connect with a host name of the \
                                                              certificate",
                "verify-ca",
            ],
        ),
        ("localhost", "sslmode=disable".to_owned(), ["no pg_hba.conf entry", "no encryption", "pg_hba.conf"]),
        (
            "localhost",
            "sslmode=verify-ca&sslrootcert=/nowhere/root.crt".to_owned(),
            ["cannot use sslrootcert /nowhere/root.crt", "No such file", "PEM"],
        ),
        (
            "localhost",
            "sslmode=require&sslnegotiation=direct".to_owned(),
            ["cannot encrypt the connection", "over TLS", "PostgreSQL 17"],
        ),
    ];
    for (host, parameters, said) in cases {
        let url = url(&server, host, &parameters);
        lab.write(
            "plan.yaml",
            format!(
                "name: Refused\ntargets:\n  it: {{ url: \"{url}\" }}\nbaseline: it\n\
                 workloads: {{ load: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [1]\n{BRIEF}"
            ),
        );
        let ended = lab.pgdyno("run plan.yaml");
        ended.exits(3).says(&said).says(&["hint:"]);
        assert!(!ended.stderr.contains(PASSWORD), "{ended}");
    }
    for run in lab.runs() {
        assert_eq!(crate::run_view::RunView::open(&run).names("trials"), Vec::<String>::new());
    }
    assert_eq!(server.query_postgres("SELECT to_regclass('pgbench_accounts')"), "", "nothing was made");
}
