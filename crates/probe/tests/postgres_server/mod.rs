//! The testbed's PostgreSQL as the control plane reaches it.

use std::ops::Deref;
use std::path::Path;

use control::Config;
use testbed::{Postgres, Setup};
use tokio_postgres::Client;

pub(crate) use testbed::installed_versions;

/// A server that is stopped when it is dropped.
pub(crate) struct Server(Postgres);

impl Server {
    /// Makes one with the programs in `bin` and starts it.
    pub(crate) fn start(bin: &Path) -> Self {
        let settings = "shared_buffers = 16MB".to_owned();
        Self(Setup { bin: bin.to_owned(), settings, ..Setup::default() }.start_server())
    }

    /// How to connect, as the superuser.
    pub(crate) fn config(&self) -> Config {
        let mut config = Config::new();
        config.host_path(self.server_directory()).port(self.tcp_port()).user("postgres").dbname("postgres");
        config
    }

    /// A connection as the superuser.
    pub(crate) async fn client(&self) -> Client {
        self.client_of(&self.config()).await
    }

    /// A connection with settings of its own.
    pub(crate) async fn client_of(&self, config: &Config) -> Client {
        let (client, connection) = config.open_connection().await.unwrap();
        tokio::spawn(connection);
        client
    }
}

impl Deref for Server {
    type Target = Postgres;

    fn deref(&self) -> &Postgres {
        &self.0
    }
}
