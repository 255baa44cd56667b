//! The parts into which a transaction's time is split.

use std::fmt;

use results::activity::WaitEvent;

/// Where time was spent. The order is that of a transaction's way: from its schedule through the path into the server.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum BudgetPart {
    /// Between the scheduled and the actual start, in an open loop.
    ScheduleLag,
    /// The transaction's own connection was being made.
    Connecting(ConnectingStep),
    /// The script waited because it asks for that, or for a program that it runs.
    Script,
    /// The session waited for its client: the network, the load engine, and whatever is between;
    /// where they cannot be told apart.
    OutsideServer,
    /// The load engine had the answer and not yet sent what follows.
    Engine,
    /// What the session's waits for its client take at least on the network: the shortest round-trip time,
    /// once per round trip.
    Network,
    /// What the load engine and the network leave of the time outside the server.
    PathUnexplained,
    /// The session was executing on a CPU.
    Running,
    /// The session was ready and waited for a CPU.
    WaitingForCpu,
    /// The session was executing, on a CPU or waiting for one: what is known without the host's figures.
    OnCpu,
    /// The session waited on the server, for this.
    Waiting(WaitEvent),
    /// The session was executing and neither on a CPU nor ready for one, and waited for nothing that has a name.
    Unexplained,
}

/// A step on the way to a connection, in the order of the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConnectingStep {
    /// Attempts in vain, and waits between them.
    EarlierAttempts,
    /// Until the socket was connected.
    Tcp,
    /// Until the server said something: its process had to be started.
    FirstAnswer,
    /// The handshake of TLS, where the server agreed to encrypt.
    Tls,
    /// Until the server let the session in.
    Login,
}

impl BudgetPart {
    /// The time outside the server: as one, or split.
    pub const OUTSIDE_SERVER: [Self; 4] = [Self::OutsideServer, Self::Engine, Self::Network, Self::PathUnexplained];
}

impl fmt::Display for BudgetPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BudgetPart::ScheduleLag => f.write_str("before its start (schedule lag)"),
            BudgetPart::Connecting(ConnectingStep::EarlierAttempts) => f.write_str("connecting: earlier attempts"),
            BudgetPart::Connecting(ConnectingStep::Tcp) => f.write_str("connecting: TCP"),
            BudgetPart::Connecting(ConnectingStep::FirstAnswer) => f.write_str("connecting: the server's first answer"),
            BudgetPart::Connecting(ConnectingStep::Tls) => f.write_str("connecting: TLS handshake"),
            BudgetPart::Connecting(ConnectingStep::Login) => f.write_str("connecting: login"),
            BudgetPart::Script => f.write_str("the script's own pauses"),
            BudgetPart::OutsideServer => f.write_str("outside the server"),
            BudgetPart::Engine => f.write_str("outside the server: load engine"),
            BudgetPart::Network => f.write_str("outside the server: network"),
            BudgetPart::PathUnexplained => f.write_str("outside the server: route, not observed"),
            BudgetPart::Running => f.write_str("on CPU"),
            BudgetPart::WaitingForCpu => f.write_str("waiting for a CPU"),
            BudgetPart::OnCpu => f.write_str("on CPU or waiting for one"),
            BudgetPart::Waiting(wait) => write!(f, "{}: {}", wait.class, wait.event),
            BudgetPart::Unexplained => f.write_str("unexplained"),
        }
    }
}
