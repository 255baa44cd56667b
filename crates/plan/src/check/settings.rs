//! Which settings a target's server can be given, by the kind of server: asked before anything is started.

use conninfo::RESERVED_SETTINGS;

use super::super::consent::Consent;
use super::super::made::Made;
use super::super::target::{Binaries, Reach, Target};
use super::known_settings::KnownSetting;

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
    pub(super) fn unsettable_reason(&self, name: &str) -> Option<Unsettable> {
        let name = name.to_lowercase();
        if !self.reach.is_url() || !self.settings_are_the_servers() {
            return self.reach.unsettable_reason(&name);
        }
        if RESERVED_SETTINGS.contains(&name.as_str()) {
            return Some(Unsettable::ByWhichItIsFound);
        }
        (needs_restart(&name) && !self.has_consent_for(Consent::Restart)).then_some(Unsettable::OfAStart)
    }
}

impl Reach {
    /// The same of a server whose settings are not the whole server's by its owner's word.
    fn unsettable_reason(&self, name: &str) -> Option<Unsettable> {
        let name = name.to_lowercase();
        let of_the_server = KnownSetting::find_by_name(&name).is_some_and(|setting| setting.is_of_the_server());
        match self {
            Self::Local(_) => RESERVED_SETTINGS.contains(&name.as_str()).then_some(Unsettable::Reserved),
            Self::Kubernetes(kubernetes) if kubernetes.server_to_make().is_some() => {
                kubernetes.server_to_make()?.unsettable_reason(&name)
            }
            Self::Kubernetes(kubernetes) if kubernetes.may_change => of_the_operator(&name),
            Self::Kubernetes(kubernetes) if kubernetes.found_cluster().is_some() => {
                of_the_server.then_some(Unsettable::OfTheCluster)
            }
            Self::Url(_) | Self::Kubernetes(_) => of_the_server.then_some(Unsettable::OfTheServer),
            Self::Shared(_) => of_the_server.then_some(Unsettable::OfASharedServer),
        }
    }
}

/// Whether a server reads a setting at its start only.
pub(super) fn needs_restart(name: &str) -> bool {
    KnownSetting::find_by_name(name).is_some_and(|setting| setting.is_of_a_start())
}

fn of_the_operator(name: &str) -> Option<Unsettable> {
    OF_THE_OPERATOR.lines().any(|setting| setting == name).then_some(Unsettable::OfTheOperator)
}

impl Made {
    fn unsettable_reason(&self, name: &str) -> Option<Unsettable> {
        match self {
            Self::Cnpg(_) => of_the_operator(name),
            Self::Pod(_) | Self::StatefulSet(_) => RESERVED_SETTINGS.contains(&name).then_some(Unsettable::Reserved),
        }
    }
}

/// Why a setting cannot be, or cannot have its value, whoever sets it: what, and what would be right.
pub(super) fn refuse_setting(planned: &Target, name: &str, value: &str) -> Option<(Refused, String, Option<String>)> {
    if !is_name_of_postgres(name) {
        return None;
    }
    let Some(setting) = KnownSetting::find_by_name(name) else { return refuse_unknown_setting(planned, name) };
    let version = match &planned.reach {
        Reach::Local(local) => match &local.binaries {
            Binaries::Version(version) => Some(version.major),
            Binaries::Bin(_) => None,
        },
        Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_) => None,
    };
    if let Some(why) = version.and_then(|major| setting.lacking_in(major)) {
        return Some((Refused::Name, why, None));
    }
    if setting.is_fixed() {
        return Some((
            Refused::Name,
            format!("{} is fixed when the server is built or initialized", setting.name),
            None,
        ));
    }
    let (why, hint) = setting.refuse_value(value, version)?;
    Some((Refused::Value, why, Some(hint)))
}

/// Not one of an extension, which only a server knows that has it; and what is no name has been reported.
fn is_name_of_postgres(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

/// The setting that was meant by a name that misspells its own. A fork's or a former setting's name is another.
pub(super) fn meant_by(name: &str) -> Option<&'static str> {
    if !is_name_of_postgres(name) || KnownSetting::find_by_name(name).is_some() {
        return None;
    }
    KnownSetting::misspelled_by(name)
}

/// What of a setting cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    Name,
    Value,
}

/// A name that is not PostgreSQL's. On a server whose binaries are not PostgreSQL's own for certain it may be a fork's,
/// unless it is nearly the name of another.
fn refuse_unknown_setting(planned: &Target, name: &str) -> Option<(Refused, String, Option<String>)> {
    let is_postgres = match &planned.reach {
        Reach::Local(local) => matches!(local.binaries, Binaries::Version(_)),
        Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_) => false,
    };
    let near = KnownSetting::nearest_name(name);
    if near.is_none() && !is_postgres {
        return None;
    }
    let hint = near.map(|near| format!("did you mean {near}?"));
    Some((Refused::Name, format!("{name} is not a setting of PostgreSQL"), hint))
}
