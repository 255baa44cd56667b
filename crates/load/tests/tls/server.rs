//! The testbed's PostgreSQL, encrypting: restarted with whatever certificate a test wants.

use crate::certificates::{Authority, Signed};
use conninfo::{ConnInfo, ServerHost};
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use testbed::{Setup, SharedInstance};

/// The name of the server; only the tests know that it is at 127.0.0.1.
pub(crate) const HOST: &str = "db.test";

/// Roles are called like what they may: be encrypted, not be encrypted, either; show a certificate, or know a password.
const HBA: &str = "\
local     all,replication all    trust
hostssl   all encrypted 127.0.0.1/32 trust
hostnossl all in_clear  127.0.0.1/32 trust
host      all either    127.0.0.1/32 trust
hostssl   all certified 127.0.0.1/32 cert
host      all scram     127.0.0.1/32 scram-sha-256
hostssl   all scram_tls 127.0.0.1/32 scram-sha-256
host      all md5       127.0.0.1/32 md5
";

/// The password of those who need one.
pub(crate) const PASSWORD: &str = "open sesame";

/// A PostgreSQL that is stopped when dropped.
pub(crate) struct Postgres(testbed::Postgres);

/// A server with a good certificate.
pub(crate) struct Good {
    pub(crate) postgres: Postgres,
    /// The authority that has signed it, in PEM.
    pub(crate) authority: String,
}

/// The one that is shared by the tests that want no other.
pub(crate) fn good() -> Arc<Good> {
    static SHARED: SharedInstance<Good> = SharedInstance::new();
    SHARED.or_make(|| {
        let (authority, postgres) = (Authority::new(), Postgres::new());
        postgres.start_with(&authority.for_hosts(&[HOST]), None);
        Good { postgres, authority: authority.pem }
    })
}

/// A server on this machine by that name.
pub(crate) fn here(name: &str) -> ServerHost {
    ServerHost::Tcp { name: name.to_owned(), address: Some([127, 0, 0, 1].into()) }
}

impl Postgres {
    /// A new server that does not run yet.
    pub(crate) fn new() -> Postgres {
        Postgres::made(Setup::default())
    }

    /// The same with these programs of the server.
    pub(crate) fn of(binaries: &Path) -> Postgres {
        Postgres::made(Setup { bin: binaries.to_owned(), ..Setup::default() })
    }

    fn made(setup: Setup) -> Postgres {
        Postgres(Setup { hba: HBA.to_owned(), ..setup }.make_server())
    }

    /// A server that follows this one, which runs; it does not run yet.
    pub(crate) fn standby(&self) -> Postgres {
        Postgres(self.0.stopped_standby(""))
    }

    /// Starts it, again if it runs, without encryption.
    pub(crate) fn start_in_clear(&self) {
        self.start("ssl = off");
    }

    /// Starts it, again if it runs, with a certificate, and an authority for those of clients.
    pub(crate) fn start_with(&self, signed: &Signed, clients: Option<&str>) {
        let files = [
            ("ssl_cert_file", "server.crt", signed.certificate.as_str()),
            ("ssl_key_file", "server.key", signed.key.as_str()),
            ("ssl_ca_file", "clients.crt", clients.unwrap_or_default()),
        ];
        let settings = files.map(|(setting, name, content)| match content {
            "" => format!("{setting} = ''\n"),
            content => format!("{setting} = '{}'\n", self.write_file(name, content).display()),
        });
        self.start(&format!("ssl = on\n{}", settings.concat()));
    }

    fn start(&self, settings: &str) {
        self.crash_server();
        self.append_configuration(settings);
        self.start_again();
        if self.query_postgres("SELECT count(*) FROM pg_roles WHERE rolname = 'either'") == "0" {
            let roles =
                ["encrypted", "in_clear", "either", "certified"].map(|role| format!("CREATE ROLE {role} LOGIN;"));
            let scram = ["scram", "scram_tls"].map(|role| format!("CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}';"));
            let md5 = format!("SET password_encryption = md5; CREATE ROLE md5 LOGIN PASSWORD '{PASSWORD}'");
            self.query_postgres(&(roles.concat() + &scram.concat() + &md5));
        }
    }

    /// How the engine reaches it by its name, in clear, as one of the roles.
    pub(crate) fn server(&self, user: &str) -> ConnInfo {
        let at = (here(HOST), self.tcp_port());
        ConnInfo { application_name: "tls test".to_owned(), ..ConnInfo::new(at, user, "postgres") }
    }
}

impl Deref for Postgres {
    type Target = testbed::Postgres;

    fn deref(&self) -> &testbed::Postgres {
        &self.0
    }
}
