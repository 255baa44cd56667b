//! How the sessions of a load log in, with the settings that their workload gives them.

use std::collections::BTreeMap;

use conninfo::{ConnInfo, SessionAttrs};
use plan::Workload;

use super::member::Member;
use super::observe;
use crate::statements::READ_ONLY;

/// How the load logs in to a member's server.
pub(super) fn login_of_member(member: &Member) -> ConnInfo {
    member.target.load_conninfo()
}

/// The server with the limit of the workload, which ends statements itself, and with read-only transactions for one
/// that only reads.
pub(super) fn conninfo_for_workload(workload: &Workload, login: ConnInfo, place: usize) -> ConnInfo {
    let mut settings = BTreeMap::new();
    if let Some(timeout) = workload.statement_timeout {
        settings.insert("statement_timeout".to_owned(), timeout.as_millis().to_string());
    }
    let mut login = ConnInfo { application_name: observe::sessions_of(place), ..login };
    if workload.is_held_to_reading() {
        let (name, value) = READ_ONLY;
        settings.insert(name.to_owned(), value.to_owned());
        // A session that may not write does not tell a primary from a standby any more.
        login.session = match login.session {
            SessionAttrs::ReadWrite => SessionAttrs::Primary,
            SessionAttrs::ReadOnly => SessionAttrs::Standby,
            other => other,
        };
    }
    if workload.reads_standby() {
        login.session = SessionAttrs::Standby;
    }
    login.with_session_settings(&settings)
}
