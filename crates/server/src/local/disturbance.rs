//! What is done to a server that runs.

/// How a server that runs is brought to grief and back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disturbance {
    /// Stopped as by `pg_ctl stop -m fast`, and started when it has ended.
    Restart,
    /// Its first process gets SIGKILL, and a new one is started as soon as the rest have ended, as a service manager
    /// does it: the server then recovers from its WAL.
    KillPostmaster,
    /// Stopped as by `pg_ctl stop -m immediate`, upon which its standby is promoted and stands in its place.
    Promote,
    /// Its standby receives nothing any more.
    DetachStandby,
}
