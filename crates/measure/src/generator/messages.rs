//! What is said between pgdyno and a generator on another machine: one JSON object a line, so that half of one is none.
//!
//! A load is told as the plan of the run and its scripts, from which both ends make the same jobs; what comes back are
//! the events and the summary of the engine, as they are told on one machine.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::SystemTime;

use conninfo::{ConnInfo, ForwardedConninfo, Secret};
use load::{EndedTurn, LoadPhase, PhaseSecond, TurnsSummary};
use serde::{Deserialize, Serialize};

/// Both sides must have the same, beside the version of pgdyno: a plan says the same to one version only.
pub(super) const PROTOCOL: u32 = 4;

/// What the generator is to do.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum GeneratorOrder {
    /// Say what time it is.
    Ping,
    /// Make some round trips to a server.
    RoundTrip(Box<ServerOrder>),
    /// Send a load.
    Load(Box<LoadOrder>),
    /// Of several generators, when all have connected: begin the load at this instant of the generator's clock.
    Begin {
        /// In nanoseconds.
        at_ns: u64,
    },
    /// Of several generators: end the load with the second under way at this instant of the generator's clock.
    End {
        /// In nanoseconds.
        at_ns: u64,
    },
    /// Finish the second, or the round, under way, and end the load.
    Stop,
}

/// A load.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LoadOrder {
    /// The resolved plan.
    pub plan: String,
    /// The scripts that it names, by their paths in it.
    pub scripts: BTreeMap<PathBuf, String>,
    /// Whose turns it has; one alone has none.
    pub sides: Vec<SideOrder>,
    /// When it begins to connect, by the generator's clock.
    pub start_at_ns: u64,
    /// Whether io_uring may be used; else epoll is, on all sides.
    pub io_uring: bool,
    /// Which part of it is this generator's; none where it is alone.
    pub part: Option<PartOrder>,
}

/// A generator's part of a load.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct PartOrder {
    /// Its number, from 0.
    pub number: u32,
    /// How many generators there are.
    pub count: NonZeroU32,
    /// When the load begins to connect, on the wall clock of whoever orders it: the same for all.
    pub started_at: SystemTime,
}

/// One side of a load.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SideOrder {
    /// The target of the plan.
    pub target: String,
    /// The workload of the plan.
    pub workload: String,
    /// How many clients.
    pub clients: u32,
    /// Seed of the random numbers.
    pub seed: u64,
    /// The rate of a step of a search.
    pub rate_per_s: Option<f64>,
    /// Its place among the sides.
    pub place: usize,
    /// Where to.
    pub server: ServerOrder,
}

/// Where a load goes to, by the words of `conninfo`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerOrder {
    text: String,
    application_name: String,
    files: BTreeMap<PathBuf, String>,
    password: Option<Password>,
}

/// How the generator has a password.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Password {
    /// From this variable of its environment.
    Variable(String),
    /// By being told: over a channel that is encrypted, and by its input only.
    Told(String),
}

/// Without what is told.
impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => f.debug_tuple("Variable").field(name).finish(),
            Self::Told(_) => f.write_str("Told(…)"),
        }
    }
}

impl ServerOrder {
    /// For a connection that can be made there.
    #[must_use]
    pub fn new(told: ForwardedConninfo, password: Option<Password>) -> Self {
        let ForwardedConninfo { text, application_name, files } = told;
        Self { text, application_name, files, password }
    }

    /// The connection, on the machine that was told of it.
    ///
    /// # Errors
    /// The password is not there, or what the connection string says cannot be done there.
    pub fn resolve_conninfo(self) -> Result<ConnInfo, String> {
        let password = match self.password {
            None => None,
            Some(Password::Told(password)) => Some(Secret::new(password)),
            Some(Password::Variable(name)) => {
                let password =
                    std::env::var(&name).map_err(|_| format!("the environment variable {name} is not set"))?;
                Some(Secret::new(password.trim_end_matches('\n')))
            }
        };
        let told = ForwardedConninfo { text: self.text, application_name: self.application_name, files: self.files };
        told.resolve_connection(password, &server::read_file).map_err(|error| error.to_string())
    }
}

/// What the generator says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GeneratorAnswer {
    /// It is there.
    Hello(Box<Hello>),
    /// Its time.
    Pong {
        /// By its monotonic clock, in nanoseconds.
        at_ns: u64,
    },
    /// The round trips are made.
    RoundTrip {
        /// Their median, in microseconds; else what kept from it.
        median_us: Result<u64, String>,
    },
    /// It has been told when the load begins.
    ToldBegin {
        /// How much later than that instant it was told, in nanoseconds; 0 ahead of it.
        late_ns: u64,
    },
    /// It goes on.
    Alive {
        /// Transactions of the load so far.
        transactions: u64,
    },
    /// Something happened in the load.
    Event(Box<LoadEvent>),
    /// The load is over.
    Done(Box<TurnsSummary>),
    /// It gave no figures.
    Failed {
        /// None: it was stopped before there was anything.
        why: Option<String>,
    },
}

/// Who it is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Hello {
    /// What it speaks.
    pub protocol: u32,
    /// Its pgdyno's version.
    pub version: String,
    /// CPUs that it may use.
    pub cpus: u32,
    /// Release of its kernel.
    pub kernel: String,
    /// Model of its first CPU, where that is told.
    pub cpu_model: Option<String>,
    /// Why it may not use io_uring; none where it may.
    pub io_uring_refused: Option<String>,
}

/// What happens in a load, as [`load::TurnsEvent`] has it, owned.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LoadEvent {
    /// The clients are being connected.
    Connecting {
        /// When, since the start of the load.
        at_ns: u64,
        /// The same instant by the generator's clock.
        clock_ns: u64,
    },
    /// All clients are connected.
    Connected {
        /// When, since the start of the load.
        at_ns: u64,
    },
    /// A phase begins.
    Began {
        /// Which.
        phase: LoadPhase,
        /// When, since the start of the load.
        at_ns: u64,
    },
    /// A second is complete.
    Second {
        /// Whose.
        side: usize,
        /// What the side did in it.
        second: Box<PhaseSecond>,
    },
    /// A turn begins.
    TurnBegan {
        /// Whose.
        side: usize,
        /// When, since the start of the load.
        at_ns: u64,
    },
    /// A turn is over.
    Turn(EndedTurn),
    /// The last measured second, or turn, is over.
    Ended {
        /// When, since the start of the load.
        at_ns: u64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_come_back_as_they_were_said_and_show_no_password() {
        let told = ForwardedConninfo {
            text: "host='db' port='5432'".to_owned(),
            application_name: "pgdyno".to_owned(),
            files: BTreeMap::from([(PathBuf::from("/ca"), "PEM".to_owned())]),
        };
        for password in [None, Some(Password::Variable("X".to_owned())), Some(Password::Told("hunter2".to_owned()))] {
            let server = ServerOrder::new(told.clone(), password);
            assert!(!format!("{server:?}").contains("hunter2"));
            let back: ServerOrder = serde_json::from_str(&serde_json::to_string(&server).unwrap()).unwrap();
            assert_eq!(back, server);
        }
    }
}
