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

use super::session::Session;
use super::silence::Silence;

/// The longest that one host takes to let us in.
const CONNECT_AT_MOST: Duration = Duration::from_secs(5);

/// The connection, or the lack of one.
pub(crate) struct Link {
    config: Config,
    state: State,
}

enum State {
    Down,
    Connecting(Attempt),
    Up(Box<Session>),
}

/// An attempt to connect, given up when it is dropped.
struct Attempt(JoinHandle<Result<Session, String>>);

impl Drop for Attempt {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Link {
    pub(crate) fn new(config: &Config) -> Self {
        let mut config = config.clone();
        config.application_name("pgdyno-probe").connect_timeout(CONNECT_AT_MOST);
        Self { config, state: State::Down }
    }

    /// The session, new if need be. When there is none by `deadline` the attempt goes on, for the next call to find.
    pub(crate) async fn session(&mut self, deadline: Instant) -> Result<&mut Session, Silence> {
        if matches!(&self.state, State::Down) || matches!(&self.state, State::Up(session) if session.is_closed()) {
            self.state = State::Connecting(self.attempt());
        }
        if let State::Connecting(attempt) = &mut self.state {
            let ended = timeout_at(deadline, &mut attempt.0).await.map_err(|_| Silence::Connecting)?;
            self.state = State::Down;
            match ended {
                Ok(Ok(session)) => self.state = State::Up(Box::new(session)),
                Ok(Err(reason)) => return Err(Silence::Unreachable(reason)),
                Err(panicked) => return Err(Silence::Unreachable(panicked.to_string())),
            }
        }
        match &mut self.state {
            State::Up(session) => Ok(session),
            State::Down | State::Connecting(_) => Err(Silence::Connecting),
        }
    }

    /// Drops the session, if there is one; an attempt to connect goes on.
    pub(crate) fn hang_up(&mut self) {
        if matches!(self.state, State::Up(_)) {
            self.state = State::Down;
        }
    }

    fn attempt(&self) -> Attempt {
        let config = self.config.clone();
        let limit = config.at_most(CONNECT_AT_MOST);
        Attempt(tokio::spawn(async move {
            match timeout(limit, Session::open(&config)).await {
                Ok(opened) => opened,
                Err(_) => Err(format!("no answer within {} s", limit.as_secs())),
            }
        }))
    }
}
