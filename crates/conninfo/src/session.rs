//! Which of several servers fit, by what a server tells about itself when a session begins.

use std::fmt;

use wire::ServerState;

use super::{ConninfoError, one_of};

/// Which of several servers fit; libpq's `target_session_attrs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SessionAttrs {
    /// Every one.
    #[default]
    Any,
    /// One whose sessions can write.
    ReadWrite,
    /// One whose sessions cannot.
    ReadOnly,
    /// One that is no standby.
    Primary,
    /// A standby.
    Standby,
    /// A standby if there is one, else every one.
    PreferStandby,
}

/// As libpq spells them.
const SPELLED: [(&str, SessionAttrs); 6] = [
    ("any", SessionAttrs::Any),
    ("read-write", SessionAttrs::ReadWrite),
    ("read-only", SessionAttrs::ReadOnly),
    ("primary", SessionAttrs::Primary),
    ("standby", SessionAttrs::Standby),
    ("prefer-standby", SessionAttrs::PreferStandby),
];

impl SessionAttrs {
    pub(super) fn parse(text: Option<&str>) -> Result<SessionAttrs, ConninfoError> {
        let expected = "any, read-write, read-only, primary, standby or prefer-standby";
        one_of(text, "target_session_attrs", expected, &SPELLED)
    }

    /// Whether a server that tells this about itself fits. `last_resort`: it is known that no better one is there.
    #[must_use]
    pub fn is_met_by_server(self, state: ServerState, last_resort: bool) -> bool {
        let standby = state.in_hot_standby;
        let read_only = match (standby, state.default_read_only) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        };
        match self {
            SessionAttrs::Any => true,
            SessionAttrs::ReadWrite => read_only == Some(false),
            SessionAttrs::ReadOnly => read_only == Some(true),
            SessionAttrs::Primary => standby == Some(false),
            SessionAttrs::Standby => standby == Some(true),
            SessionAttrs::PreferStandby => last_resort || standby == Some(true),
        }
    }
}

impl fmt::Display for SessionAttrs {
    /// As libpq spells it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SPELLED.iter().filter(|(_, attrs)| attrs == self).try_for_each(|(spelled, _)| f.write_str(spelled))
    }
}

#[cfg(test)]
mod tests {
    use super::SessionAttrs::{Any, PreferStandby, Primary, ReadOnly, ReadWrite, Standby};
    use super::*;

    #[test]
    fn a_server_fits_by_what_it_tells_about_itself() {
        let state = |in_hot_standby, default_read_only| ServerState {
            in_hot_standby,
            default_read_only,
            scram_iterations: None,
        };
        let primary = state(Some(false), Some(false));
        let read_only_primary = state(Some(false), Some(true));
        let standby = state(Some(true), Some(false));
        let silent = state(None, None);
        for (server, fitting) in [
            (primary, &[Any, ReadWrite, Primary][..]),
            (read_only_primary, &[Any, ReadOnly, Primary]),
            (standby, &[Any, ReadOnly, Standby, PreferStandby]),
            (silent, &[Any]),
        ] {
            for kind in [Any, ReadWrite, ReadOnly, Primary, Standby, PreferStandby] {
                assert_eq!(kind.is_met_by_server(server, false), fitting.contains(&kind), "{kind} {server:?}");
            }
            assert!(PreferStandby.is_met_by_server(server, true));
        }
    }
}
