//! The testbed's PostgreSQL as the control plane reaches it: a server for all tests of this binary, a database for
//! each.

use std::ops::Deref;
use std::process::Command;
use std::sync::Arc;

use conninfo::{ConnInfo, ServerHost};
use control::Config;
use testbed::{Postgres, Setup, SharedInstance, run_command};
use tokio_postgres::Client;

/// A running server, stopped when dropped.
pub(crate) struct Server(Postgres);

/// The server that the tests of this binary share.
pub(crate) fn shared() -> Arc<Server> {
    static SHARED: SharedInstance<Server> = SharedInstance::new();
    SHARED.or_make(|| {
        // Millions of rows are made, of which nothing has to be kept for long.
        let settings = "shared_preload_libraries = 'pg_stat_statements'\nautovacuum = off\nfull_page_writes = off\n\
                        jit = off\nmax_wal_size = 8GB\nshared_buffers = 512MB\nmaintenance_work_mem = 128MB\n";
        Server(Setup { settings: settings.to_owned(), ..Setup::default() }.start_server())
    })
}

impl Server {
    /// A standby of this server, caught up with what it holds now.
    pub(crate) fn standby(&self) -> Self {
        Self(self.0.start_standby(""))
    }

    /// How to reach a database as superuser.
    pub(crate) fn config(&self, database: &str) -> Config {
        let mut config = Config::new();
        config.host_path(self.server_directory()).port(self.tcp_port()).user("postgres").dbname(database);
        config
    }

    /// How the load engine reaches the same database.
    pub(crate) fn engine(&self, config: &Config) -> ConnInfo {
        let at = (ServerHost::Unix(self.server_directory().to_owned()), self.tcp_port());
        ConnInfo::new(at, "postgres", config.get_dbname().expect("a database"))
    }

    /// A new empty database.
    pub(crate) fn database(&self) -> Config {
        self.config(&self.empty_database())
    }

    /// Runs the real sysbench on a database of this server and returns what it prints.
    pub(crate) fn sysbench(&self, config: &Config, workload: &str, arguments: &[&str]) -> String {
        let mut sysbench = Command::new("sysbench");
        sysbench.args([workload, "--db-driver=pgsql", "--pgsql-user=postgres"]).args(arguments);
        sysbench.arg(format!("--pgsql-host={}", self.server_directory().display()));
        sysbench.arg(format!("--pgsql-port={}", self.tcp_port()));
        run_command(sysbench.arg(format!("--pgsql-db={}", config.get_dbname().expect("a database"))))
    }

    /// Runs the real pgbench on a database of this server and returns what it prints.
    pub(crate) fn pgbench(&self, config: &Config, arguments: &[&str]) -> String {
        run_command(self.client_program("pgbench").args(arguments).arg(config.get_dbname().expect("a database")))
    }
}

impl Deref for Server {
    type Target = Postgres;

    fn deref(&self) -> &Postgres {
        &self.0
    }
}

/// A connection that lives as long as its client.
pub(crate) async fn connect(config: &Config) -> Client {
    let (client, connection) = config.open_connection().await.expect("a connection");
    tokio::spawn(async { drop(connection.await) });
    client
}

/// The first column of the first row, as text.
pub(crate) async fn text(config: &Config, sql: &str) -> String {
    let client = connect(config).await;
    let row = client.query_one(&format!("SELECT ({sql})::text"), &[]).await.expect(sql);
    row.get::<_, Option<String>>(0).unwrap_or_else(|| "(null)".to_owned())
}

/// Executes statements.
pub(crate) async fn execute(config: &Config, sql: &str) {
    connect(config).await.batch_execute(sql).await.expect(sql);
}
