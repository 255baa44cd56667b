//! Settings: settings that a plan varies, checked by name before, read back after; one that cannot be confirmed is an
//! error by name.

use std::collections::BTreeMap;

use crate::facts::server::Reported;
use crate::guc;
use crate::local::{is_reserved, valid_name};
use crate::reach::ReachError;

/// Why a setting is not what the plan says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// No setting could have this name.
    #[error("\"{name}\" is not the name of a setting")]
    Name {
        /// The name.
        name: String,
    },
    /// pgdyno needs this setting for itself.
    #[error("setting {name} of a local server is reserved for pgdyno")]
    Reserved {
        /// The setting.
        name: String,
    },
    /// The server refuses it.
    #[error("could not apply setting {name} = \"{asked}\"")]
    Refused {
        /// The setting.
        name: String,
        /// Its value.
        asked: String,
        /// The server's words.
        said: String,
        /// What to try.
        hint: Option<String>,
    },
    /// The server has no such setting, or holds it for an extension that is not loaded.
    #[error("could not confirm setting {name} = \"{asked}\"")]
    Unknown {
        /// The setting.
        name: String,
        /// Its value.
        asked: String,
    },
    /// The server reports another value.
    #[error("could not apply setting {name} = \"{asked}\"")]
    Differs {
        /// The setting.
        name: String,
        /// The value asked for.
        asked: String,
        /// The value that the server reports, with its unit.
        reported: String,
        /// Where the server has it from.
        origin: String,
        /// Whether the value asked for waits for a restart.
        pending_restart: bool,
    },
}

impl SettingError {
    /// What the system said, beyond the primary message.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::Refused { said, .. } => Some(said.clone()),
            Self::Unknown { .. } => Some("the server reports no setting of this name".to_owned()),
            Self::Differs { reported, origin, pending_restart, .. } => {
                let waits = if *pending_restart { ", and another value is pending a restart" } else { "" };
                Some(format!("the server reports {reported} (source: {origin}){waits}"))
            }
            Self::Name { .. } | Self::Reserved { .. } => None,
        }
    }

    /// What to try.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Refused { hint, .. } => return hint.clone(),
            Self::Name { .. } => {
                "a name consists of letters, digits and underscores, with a dot after the prefix of an extension"
            }
            Self::Reserved { .. } => "remove it from the plan",
            Self::Unknown { .. } => {
                "check the spelling; a setting of an extension exists once its library is loaded \
                 (shared_preload_libraries)"
            }
            Self::Differs { pending_restart: true, .. } => "restart the server",
            Self::Differs { .. } => {
                "a source with higher precedence sets it: ALTER ROLE, ALTER DATABASE, ALTER SYSTEM or the command line \
                 of the server"
            }
        };
        Some(hint.to_owned())
    }
}

/// Refuses a name that cannot be a setting's, before anything is started.
pub(crate) fn check_name(name: &str) -> Result<(), SettingError> {
    if valid_name(name) { Ok(()) } else { Err(SettingError::Name { name: name.to_owned() }) }
}

/// Refuses what only pgdyno may set on a server that it starts.
pub(crate) fn check_not_reserved(name: &str) -> Result<(), SettingError> {
    if is_reserved(name) { Err(SettingError::Reserved { name: name.to_owned() }) } else { Ok(()) }
}

/// Compares every setting with what the server reports; returns the values as the server shows them.
pub(crate) fn confirm_settings(
    target_settings: &BTreeMap<String, String>,
    reported: &BTreeMap<String, Reported>,
) -> Result<BTreeMap<String, String>, SettingError> {
    let confirmed = target_settings.iter().map(|(name, asked)| {
        let Some(Reported { guc, setting }) = reported.get(&name.to_lowercase()) else {
            return Err(SettingError::Unknown { name: name.clone(), asked: asked.clone() });
        };
        // What a session was given when it connected is in effect, however the server spells it: `of` is off.
        let is_given = setting.source == "client";
        if (is_given || guc::is_same_value(asked, guc)) && !setting.pending_restart {
            return Ok((name.clone(), setting.value.clone()));
        }
        Err(SettingError::Differs {
            name: name.clone(),
            asked: asked.clone(),
            reported: setting.value.clone(),
            origin: setting.source.clone(),
            pending_restart: setting.pending_restart,
        })
    });
    confirmed.collect()
}

/// If a connection with settings in its options was refused because of one of them, says which.
pub(crate) fn refused_setting(target_settings: &BTreeMap<String, String>, error: &ReachError) -> Option<SettingError> {
    let (code, said) = error.server_refusal()?;
    let (name, asked) = target_settings.iter().find(|(name, _)| names_setting(said, name)).or_else(|| {
        // Poolers refuse the options as such, and name none of them.
        (code == "08P01" && said.contains("options")).then(|| target_settings.first_key_value()).flatten()
    })?;
    let hint = match code {
        "08P01" => "a connection pooler on the route does not pass on settings; connect to the server directly",
        // can't change runtime parameter: at start-up, or by SIGHUP only
        "55P02" => {
            "pgdyno does not change a server that it did not start; change the setting there, or use a `local` target"
        }
        "42501" => "connect as a role with the privilege to change this setting",
        "42704" => "check the spelling and the version of the server",
        _ => "check the value and its unit",
    };
    let hint = Some(hint.to_owned());
    Some(SettingError::Refused { name: name.clone(), asked: asked.clone(), said: said.to_owned(), hint })
}

/// If a server did not start because of a setting or setting that its log names, says which.
pub(crate) fn blamed_in_log(settings: &BTreeMap<String, String>, log: &str) -> Option<SettingError> {
    let (name, asked) = settings.iter().find(|(name, _)| names_setting(log, name))?;
    let (name, asked) = (name.clone(), asked.clone());
    let hint = Some("check the name, the value with its unit, and the version of the server".to_owned());
    Some(SettingError::Refused { name, asked, said: log.to_owned(), hint })
}

/// Whether the server's words name a setting, in the quotes that it always uses.
fn names_setting(said: &str, setting: &str) -> bool {
    said.to_lowercase().contains(&format!("\"{}\"", setting.to_lowercase()))
}
