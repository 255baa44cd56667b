//! Statements that a server is asked again and again, beside the load: what an administrator,
//! a cron job or a migration does.

use std::process::Stdio;

use testbed::{Kept, Signal};

use crate::server::Server;

/// A session that repeats itself until it is dropped.
pub struct Ticker {
    _session: Kept,
}

impl Ticker {
    /// Executes `sql` again and again, whatever comes of it, with a pause before each time.
    /// It holds no snapshot in the pause.
    pub fn start(server: &Server, pause_s: f64, sql: &str) -> Self {
        let mut psql = server.psql_command(&server.socket_conninfo());
        psql.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut session = Kept::start_command(&mut psql, Signal::KILL);
        // More often than any case takes; what is left of it goes with the session.
        let once = format!("\\! sleep {pause_s}\n{sql};\n");
        session.write_to_input(&format!("\\set ON_ERROR_STOP off\n{}", once.repeat(TIMES)));
        Self { _session: session }
    }
}

/// How often it is repeated at most: what is written must fit into a pipe, since nobody waits for it to be read.
const TIMES: usize = 100;
