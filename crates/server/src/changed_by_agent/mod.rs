//! Settings of a whole server that somebody else started, as an agent on its host sees to them: what ALTER SYSTEM found
//! is written down before, and put back in its file, which takes no login, and no server that runs.
//!
//! Promises: a setting that somebody else has changed meanwhile is left as it is; a server that a restart has left dead
//! is started again with what it had before.

mod auto_conf;
mod restart;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::process::{Pid, Signal};
use serde::{Deserialize, Serialize};

use crate::journal::{JournalError, Reversal};

pub use restart::Restarting;

/// The file of ALTER SYSTEM in a data directory.
const FILE: &str = "postgresql.auto.conf";

/// Settings that are going to be a server's, with what it had before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerSettings {
    /// Of the server.
    data_directory: PathBuf,
    /// What is set, by name.
    set: BTreeMap<String, String>,
    /// What the file said of each before, as it stands there; absent: nothing.
    before: BTreeMap<String, Option<String>>,
    /// How the server is restarted, where one of them takes that.
    restart: Option<Restarting>,
    /// Whether it has yet to be restarted for what was put back before these.
    owes_restart: bool,
}

impl ServerSettings {
    /// Reads what the server has of the names of `set`; `taken_over`: other settings in their place until now, whose
    /// values of before are theirs, too.
    ///
    /// # Errors
    /// The file cannot be read, or not be written by this user.
    pub fn read_before_change(
        data_directory: &Path,
        set: BTreeMap<String, String>,
        restart: Option<Restarting>,
        taken_over: Option<&Self>,
    ) -> Result<Self, JournalError> {
        let file = data_directory.join(FILE);
        let text = fs::read_to_string(&file).map_err(JournalError::system_call_failed("read", &file))?;
        // Whoever cannot replace it could not put anything back.
        rustix::fs::access(data_directory, rustix::fs::Access::WRITE_OK)
            .map_err(|error| JournalError::system_call_failed("write to", data_directory)(io::Error::from(error)))?;
        let before = |name: &String| {
            let known = taken_over.and_then(|other| other.before.get(name).cloned());
            (name.clone(), known.unwrap_or_else(|| auto_conf::value_of_setting(&text, name)))
        };
        let before = set.keys().map(before).collect();
        let owes_restart = restart.is_some() && taken_over.is_some_and(|other| other.restart.is_some());
        Ok(Self { data_directory: data_directory.to_owned(), set, before, restart, owes_restart })
    }

    /// None of a server that is going to be ended: it is started again if whoever ended it does not.
    #[must_use]
    pub fn without_settings(data_directory: &Path, restart: Restarting) -> Self {
        let (set, before) = (BTreeMap::new(), BTreeMap::new());
        Self { data_directory: data_directory.to_owned(), set, before, restart: Some(restart), owes_restart: false }
    }

    /// Puts back what the file said, as far as it still says what was set; what somebody else has changed is returned.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn put_file_back(&self) -> Result<(bool, Vec<String>), JournalError> {
        let file = self.data_directory.join(FILE);
        let found = fs::read_to_string(&file).map_err(JournalError::system_call_failed("read", &file))?;
        let (text, foreign) = self.put_back(&found);
        if text == found {
            return Ok((false, foreign));
        }
        replace_file(&file, &text).map_err(JournalError::system_call_failed("write", &file))?;
        Ok((true, foreign))
    }

    /// The file's text with what it said before, and what of it is somebody else's by now.
    fn put_back(&self, found: &str) -> (String, Vec<String>) {
        let (mut text, mut foreign) = (found.to_owned(), Vec::new());
        for (name, set) in &self.set {
            let before = self.before.get(name).cloned().flatten();
            match auto_conf::value_of_setting(found, name) {
                now if now == before => {}
                Some(now) if auto_conf::says_same_value(&now, set) => {
                    text = auto_conf::text_with_setting(&text, name, before.as_deref());
                }
                Some(now) => foreign.push(format!("{name} = {now}")),
                None => foreign.push(format!("{name} is no longer set")),
            }
        }
        (text, foreign)
    }

    /// Puts the settings back, and has the server work with them.
    pub(crate) fn undo_settings(&self) -> Result<Reversal, JournalError> {
        if !self.data_directory.join(FILE).exists() {
            return Ok(Reversal::NothingLeft);
        }
        let (changed, foreign) = self.put_file_back()?;
        let postmaster = find_postmaster(&self.data_directory);
        let must_restart = changed || self.owes_restart;
        let was_ended = self.restart.is_some() && postmaster.is_none();
        match (&self.restart, postmaster) {
            (Some(restart), None) => self.restart_server(restart)?,
            (Some(restart), Some(_)) if must_restart => self.restart_server(restart)?,
            (Some(_) | None, Some(postmaster)) if changed => reload_configuration(postmaster),
            (Some(_) | None, Some(_)) | (None, None) => {}
        }
        Ok(match (foreign.is_empty(), changed || was_ended) {
            (false, _) => Reversal::LeftAlone { found: foreign.join(", ") },
            (true, true) => Reversal::Restored,
            (true, false) => Reversal::NothingLeft,
        })
    }

    fn restart_server(&self, restart: &Restarting) -> Result<(), JournalError> {
        restart
            .restart_server(&self.data_directory)
            .map_err(|said| JournalError::NotBack { data_directory: self.data_directory.clone(), said })
    }

    /// In words: the names, and whose they are.
    pub(crate) fn in_words(&self) -> String {
        if self.set.is_empty() {
            return format!("the server in {} was stopped", self.data_directory.display());
        }
        let names: Vec<String> = self.set.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        format!("settings of the server in {}: {}", self.data_directory.display(), names.join(", "))
    }
}

/// Has a server read its files again.
///
/// # Errors
/// It does not run, or this user may not tell it.
pub fn reload_server(data_directory: &Path) -> Result<(), String> {
    let postmaster = find_postmaster(data_directory).ok_or("it is not running")?;
    rustix::process::kill_process(postmaster, Signal::HUP).map_err(|error| error.to_string())
}

fn reload_configuration(postmaster: Pid) {
    // One that has ended meanwhile reads them at its next start.
    let _ended = rustix::process::kill_process(postmaster, Signal::HUP);
}

/// The first process of the server in a data directory, if it runs.
fn find_postmaster(data_directory: &Path) -> Option<Pid> {
    let status = fs::read_to_string(data_directory.join("postmaster.pid")).ok()?;
    let pid = Pid::from_raw(status.lines().next()?.trim().parse().ok()?)?;
    // A file of a crash may name a process of somebody else by now.
    let works_in = fs::metadata(Path::new("/proc").join(pid.as_raw_nonzero().to_string()).join("cwd")).ok()?;
    let own = fs::metadata(data_directory).ok()?;
    ((works_in.dev(), works_in.ino()) == (own.dev(), own.ino())).then_some(pid)
}

/// Replaces a file at once, with the owner and the mode that it has.
fn replace_file(file: &Path, text: &str) -> io::Result<()> {
    let found = fs::metadata(file)?;
    let beside = file.with_extension("conf.pgdyno");
    let mut new = File::options().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    new.write_all(text.as_bytes())?;
    std::os::unix::fs::fchown(&new, Some(found.uid()), Some(found.gid()))?;
    new.set_permissions(found.permissions())?;
    new.sync_all()?;
    fs::rename(&beside, file)?;
    File::open(file.parent().unwrap_or(Path::new("/")))?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(set: &[(&str, &str)], before: &[(&str, Option<&str>)]) -> ServerSettings {
        let text = |text: &&str| (*text).to_owned();
        ServerSettings {
            data_directory: "/nowhere".into(),
            set: set.iter().map(|(name, value)| (text(name), text(value))).collect(),
            before: before.iter().map(|(name, value)| (text(name), value.as_ref().map(text))).collect(),
            restart: None,
            owes_restart: false,
        }
    }

    #[test]
    fn what_was_set_is_put_back_what_was_not_goes_and_what_is_somebody_elses_stays() {
        let of = settings(
            &[("a", "1"), ("b", "2"), ("c", "3"), ("d", "4")],
            &[("a", Some("'0'")), ("b", None), ("c", None), ("d", Some("'9'"))],
        );
        let (text, foreign) = of.put_back("x = 'y'\na = '1'\nb = '2'\nc = '5'\n");
        assert_eq!(text, "x = 'y'\nc = '5'\na = '0'\n");
        assert_eq!(foreign, ["c = '5'", "d is no longer set"]);
        let (again, _) = of.put_back(&text);
        assert_eq!(again, text, "undoing twice is undoing once");
    }

    #[test]
    fn settings_that_take_the_place_of_others_go_back_to_what_was_before_both() {
        let directory = tempfile::tempdir().unwrap();
        let write = |text: &str| fs::write(directory.path().join(FILE), text).unwrap();
        let set = |value: &str| BTreeMap::from([("a".to_owned(), value.to_owned())]);
        write("a = '0'\n");
        let first = ServerSettings::read_before_change(directory.path(), set("1"), None, None).unwrap();
        write("a = '1'\n");
        let second = ServerSettings::read_before_change(directory.path(), set("2"), None, Some(&first)).unwrap();
        write("a = '2'\n");
        assert_eq!(second.undo_settings(), Ok(Reversal::Restored));
        assert_eq!(fs::read_to_string(directory.path().join(FILE)).unwrap(), "a = '0'\n");
        assert_eq!(second.undo_settings(), Ok(Reversal::NothingLeft));
    }
}
