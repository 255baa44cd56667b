//! A file system that takes no writes for a while (FIFREEZE), as over a disk that answers none: what waits for a flush
//! waits, what is in memory is read on.
//!
//! Promises: it goes on after so long, also when pgdyno is killed meanwhile, and at once when this is given up.

use std::time::Duration;

use super::{RequestInstant, TimedAction};
use crate::disturb::Keeper;
use crate::experiment::member::Member;

const FUNCTIONS: &str = r#"
stop() { fsfreeze --freeze "$1"; }
go_on() { fsfreeze --unfreeze "$1"; }
"#;

/// Freezes the file system of the server's data for so long. It is done when that goes on.
pub(super) async fn freeze_file_system(member: &Member, length: Duration) -> TimedAction {
    let asked = RequestInstant::asked_now();
    let Some(directory) = member.target.data_directory() else {
        return asked.into_done(Err("pgdyno did not create this server on this machine".to_owned()));
    };
    let frozen = Keeper::start_shell(FUNCTIONS, directory.as_os_str(), length);
    asked.into_done(match frozen {
        Ok(mut keeper) => keeper.wait_until_ended().await.map_err(|why| format!("fsfreeze: {why}")),
        Err(error) => Err(format!("could not run sh: {error}")),
    })
}
