//! The testbed's PostgreSQL as the engine reaches it, with one role for each way to log in.

use conninfo::{ConnInfo, Secret, ServerHost};
use std::ops::Deref;
use std::sync::Arc;
use testbed::{Setup, SharedInstance};

/// How roles of the tests log in: the role is called like the method, its password is `sesame`.
const METHODS: [&str; 3] = ["password", "md5", "scram-sha-256"];

/// A PostgreSQL that is stopped when dropped.
pub(crate) struct Postgres(testbed::Postgres);

/// The server that the tests of this binary share, unless they break theirs.
pub(crate) fn shared() -> Arc<Postgres> {
    static SHARED: SharedInstance<Postgres> = SharedInstance::new();
    SHARED.or_make(Postgres::start)
}

impl Postgres {
    /// A new server with one role for each way to log in.
    pub(crate) fn start() -> Postgres {
        let hba =
            METHODS.map(|method| format!("local all {method} {method}\nhost all {method} all {method}\n")).concat();
        let trust = Setup::default();
        let server = Setup {
            hba: hba + &trust.hba,
            // Counts statements for the tests that compare them; part of Debian's package of the server.
            settings: "shared_preload_libraries = 'pg_stat_statements'".to_owned(),
            ..trust
        };
        let server = server.start_server();
        let roles = METHODS.map(|method| {
            let kind = if method == "md5" { "md5" } else { "scram-sha-256" };
            format!("SET password_encryption = '{kind}'; CREATE ROLE \"{method}\" LOGIN PASSWORD 'sesame';")
        });
        server.query_postgres(&roles.concat());
        Postgres(server)
    }

    /// A server that follows this one; it answers queries, and can be promoted.
    pub(crate) fn standby(&self) -> Postgres {
        Postgres(self.0.start_standby(""))
    }

    /// How the engine reaches a database as superuser, over the socket.
    pub(crate) fn unix(&self, database: &str) -> ConnInfo {
        server((ServerHost::Unix(self.server_directory().to_owned()), self.tcp_port()), database)
    }

    /// The same over TCP.
    pub(crate) fn tcp(&self, database: &str) -> ConnInfo {
        server((ServerHost::tcp_from_name("127.0.0.1"), self.tcp_port()), database)
    }
}

impl Deref for Postgres {
    type Target = testbed::Postgres;

    fn deref(&self) -> &testbed::Postgres {
        &self.0
    }
}

/// A superuser without a password.
pub(crate) fn server(at: (ServerHost, u16), database: &str) -> ConnInfo {
    ConnInfo { application_name: "engine test".to_owned(), ..ConnInfo::new(at, "postgres", database) }
}

/// The same server for the role that logs in by `method`.
pub(crate) fn by(method: &str, password: &str, to: ConnInfo) -> ConnInfo {
    ConnInfo { user: method.to_owned(), password: Some(Secret::new(password)), ..to }
}
