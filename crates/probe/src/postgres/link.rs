//! Keeps a session with the server, and opens a new one when it was lost.
//!
//! ```text
//! Down ──► Connecting ──► Up ──(lost, or hang_up)──► Down
//!   ▲           │ failed
//!   └───────────┘
//! ```
//! Connecting goes on in the background between readings, so that a server which takes longer to answer than a reading
//! may wait is reached nevertheless.

use std::time::Duration;

use control::Config;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};

use super::session::ProbeSession;
use super::silence::SnapshotFailure;

/// The longest that one host takes to let us in.
const CONNECT_AT_MOST: Duration = Duration::from_secs(5);

/// The connection, or the lack of one.
pub(crate) struct ServerLink {
    config: Config,
    state: LinkState,
}

enum LinkState {
    Down,
    Connecting(ConnectAttempt),
    Up(Box<ProbeSession>),
}

/// An attempt to connect, given up when it is dropped.
struct ConnectAttempt(JoinHandle<Result<ProbeSession, String>>);

impl Drop for ConnectAttempt {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl ServerLink {
    pub(crate) fn new(config: &Config) -> Self {
        let mut config = config.clone();
        config.application_name("pgdyno-probe").connect_timeout(CONNECT_AT_MOST);
        Self { config, state: LinkState::Down }
    }

    /// The session, new if need be. When there is none by `deadline` the attempt goes on, for the next call to find.
    pub(crate) async fn session_until_deadline(
        &mut self,
        deadline: Instant,
    ) -> Result<&mut ProbeSession, SnapshotFailure> {
        if matches!(&self.state, LinkState::Down)
            || matches!(&self.state, LinkState::Up(session) if session.is_closed())
        {
            self.state = LinkState::Connecting(self.start_connection_attempt());
        }
        if let LinkState::Connecting(attempt) = &mut self.state {
            let ended = timeout_at(deadline, &mut attempt.0).await.map_err(|_| SnapshotFailure::Connecting)?;
            self.state = LinkState::Down;
            match ended {
                Ok(Ok(session)) => self.state = LinkState::Up(Box::new(session)),
                Ok(Err(reason)) => return Err(SnapshotFailure::Unreachable(reason)),
                Err(panicked) => return Err(SnapshotFailure::Unreachable(panicked.to_string())),
            }
        }
        match &mut self.state {
            LinkState::Up(session) => Ok(session),
            LinkState::Down | LinkState::Connecting(_) => Err(SnapshotFailure::Connecting),
        }
    }

    /// Drops the session, if there is one; an attempt to connect goes on.
    pub(crate) fn hang_up(&mut self) {
        if matches!(self.state, LinkState::Up(_)) {
            self.state = LinkState::Down;
        }
    }

    fn start_connection_attempt(&self) -> ConnectAttempt {
        let config = self.config.clone();
        let limit = config.at_most(CONNECT_AT_MOST);
        ConnectAttempt(tokio::spawn(async move {
            match timeout(limit, ProbeSession::open_session(&config)).await {
                Ok(opened) => opened,
                Err(_) => Err(format!("no answer within {} s", limit.as_secs())),
            }
        }))
    }
}
