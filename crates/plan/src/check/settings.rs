//! Which settings a target's server can be given, by the kind of server: asked before anything is started.

use conninfo::RESERVED_SETTINGS;

use super::super::consent::Consent;
use super::super::made::Made;
use super::super::model::{Reach, Target};

/// Settings that are the whole server's (`context` in pg_settings: internal, postmaster or sighup), of PostgreSQL 14
/// to 18: no session can have its own. One a line.
const OF_THE_SERVER: &str = include_str!("server_settings.txt");

/// Those of them that a server reads at its start only (`context`: postmaster). One a line.
const OF_A_START: &str = include_str!("restart_settings.txt");

/// Settings that CloudNativePG keeps to itself (`FixedConfigurationParameters` of version 1.29). One a line.
const OF_THE_OPERATOR: &str = include_str!("operator_settings.txt");

/// Why a server cannot be given a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unsettable {
    /// pgdyno decides it, as it must find the server, its files and its log.
    Reserved,
    /// It is the whole server's, and this one is not pgdyno's to change: it gets settings of sessions.
    OfTheServer,
    /// It takes a restart, which the server's owner has not said that it may be given.
    OfAStart,
    /// It is the whole server's, of which its owner lets settings be changed, but by it the server is found.
    ByWhichItIsFound,
    /// It is the whole cluster's, whose owner has not said that it may be changed.
    OfTheCluster,
    /// It is the whole server's, which other targets share.
    OfASharedServer,
    /// The operator of its cluster decides it.
    OfTheOperator,
}

impl Target {
    /// Why its server cannot be given a setting of this name; none if it can, or if only the server knows.
    pub(super) fn unsettable(&self, name: &str) -> Option<Unsettable> {
        let name = name.to_lowercase();
        if !self.reach.is_url() || !self.knobs_are_the_servers() {
            return self.reach.unsettable(&name);
        }
        if RESERVED_SETTINGS.contains(&name.as_str()) {
            return Some(Unsettable::ByWhichItIsFound);
        }
        (needs_restart(&name) && !self.consents(Consent::Restart)).then_some(Unsettable::OfAStart)
    }
}

impl Reach {
    /// The same of a server whose knobs are not the whole server's by its owner's word.
    fn unsettable(&self, name: &str) -> Option<Unsettable> {
        let name = name.to_lowercase();
        let of_the_server = OF_THE_SERVER.lines().any(|setting| setting == name);
        match self {
            Self::Local(_) => RESERVED_SETTINGS.contains(&name.as_str()).then_some(Unsettable::Reserved),
            Self::Kubernetes(kubernetes) if kubernetes.made().is_some() => kubernetes.made()?.unsettable(&name),
            Self::Kubernetes(kubernetes) if kubernetes.may_change => of_the_operator(&name),
            Self::Kubernetes(kubernetes) if kubernetes.found().is_some() => {
                of_the_server.then_some(Unsettable::OfTheCluster)
            }
            Self::Url(_) | Self::Kubernetes(_) => of_the_server.then_some(Unsettable::OfTheServer),
            Self::Shared(_) => of_the_server.then_some(Unsettable::OfASharedServer),
        }
    }
}

/// Whether a server reads a setting at its start only.
pub(super) fn needs_restart(name: &str) -> bool {
    OF_A_START.lines().any(|setting| setting == name)
}

fn of_the_operator(name: &str) -> Option<Unsettable> {
    OF_THE_OPERATOR.lines().any(|setting| setting == name).then_some(Unsettable::OfTheOperator)
}

impl Made {
    fn unsettable(&self, name: &str) -> Option<Unsettable> {
        match self {
            Self::Cnpg(_) => of_the_operator(name),
            Self::Pod(_) | Self::StatefulSet(_) => RESERVED_SETTINGS.contains(&name).then_some(Unsettable::Reserved),
        }
    }
}
