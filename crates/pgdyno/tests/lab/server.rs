//! A real PostgreSQL that was there before pgdyno, under the conditions that a case asks for. It ends with its case.

use std::ops::Deref;
use std::path::Path;

use testbed::{Postgres, Setup, run_command};

use crate::site::Site;

/// What a careful administrator writes into the log; and what is measured is flushed to the disk.
const SETTINGS: &str = "fsync = on\nlog_checkpoints = on\nlog_lock_waits = on\nlog_autovacuum_min_duration = 0\n\
                        log_temp_files = 0\nlogging_collector = on\nlog_destination = 'csvlog'\n";

/// A server.
pub struct Server(Postgres);

impl Server {
    /// Creates and starts one with lines for its `postgresql.conf`.
    pub fn start(site: &Site, settings: &str) -> Self {
        Self::start_in(site.path(), settings)
    }

    /// The same with its data below a directory, such as one on another disk.
    pub fn start_in(below: &Path, settings: &str) -> Self {
        Self(
            Setup { settings: format!("{SETTINGS}{settings}"), below: below.to_owned(), ..Setup::default() }
                .start_server(),
        )
    }

    /// A standby of another, which it follows through `port`, as `application_name` 'standby'.
    pub fn standby(primary: &Self, port: u16) -> Self {
        let follow =
            format!("primary_conninfo = 'host=127.0.0.1 port={port} user=postgres application_name=standby'\n");
        let standby = primary.stopped_standby(&format!("{SETTINGS}{follow}"));
        // What the backup has written there counts for more.
        std::fs::write(standby.data_directory().join("postgresql.auto.conf"), "").expect("written");
        standby.start_again();
        Self(standby)
    }

    /// How a plan reaches it through its socket.
    pub fn local(&self) -> String {
        format!("{{ url: \"{}\" }}", self.socket_conninfo())
    }

    /// How a plan reaches it through TCP.
    pub fn tcp(&self) -> String {
        Self::at(self.tcp_port(), "")
    }

    /// How a plan reaches it through TCP on another port, with parameters such as `?sslmode=require`.
    pub fn at(port: u16, parameters: &str) -> String {
        format!("{{ url: \"postgresql://postgres@127.0.0.1:{port}/postgres{parameters}\" }}")
    }

    /// Makes pgbench's tables, as `data: existing` wants them.
    pub fn fill(&self, scale: u32) {
        self.fill_with(scale, &[]);
    }

    /// The same with tables that write no WAL.
    pub fn fill_unlogged(&self, scale: u32) {
        self.fill_with(scale, &["--unlogged-tables"]);
    }

    fn fill_with(&self, scale: u32, options: &[&str]) {
        run_command(
            self.client_program("pgbench").args(["-i", "-q", "-s", &scale.to_string()]).args(options).arg("postgres"),
        );
        self.query_postgres("CHECKPOINT");
    }
}

impl Deref for Server {
    type Target = Postgres;

    fn deref(&self) -> &Postgres {
        &self.0
    }
}
