//! What an agent changes of its host and of the server on it, by consent of its owner. All of it stands in the journal
//! of its host before it is done, and is undone newest first: when asked, when the agent ends, or by the next
//! `restore`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use results::trial::KernelValue;
use rustix::process::Pid;
use server::changed_by_agent::{Restarting, ServerSettings, reload_server};
use server::journal::{self, Journal, JournalError, JournaledChange, MachineChange, Settled};
use server::{AgentAnswer, Environment, Undone, Whereabouts};

use crate::disturb;

/// What is changed.
pub(super) struct Changes {
    environment: Environment,
    server: Option<Whereabouts>,
    /// Begun with the first change.
    journal: Option<Journal>,
    settings: Option<(JournaledChange, ServerSettings)>,
    kernel: Vec<(JournaledChange, KernelValue)>,
}

impl Changes {
    /// None yet.
    pub(super) fn without_changes(environment: Environment) -> Self {
        Self { environment, server: None, journal: None, settings: None, kernel: Vec::new() }
    }

    /// The server is this one from now on; after a restart it has another process.
    pub(super) fn attach_server(&mut self, server: Option<Whereabouts>) {
        self.server = server;
    }

    /// The server's first process, if it was found.
    pub(super) fn postmaster_pid(&self) -> Option<Pid> {
        Pid::from_raw(i32::try_from(self.server.as_ref()?.postmaster_pid).ok()?)
    }

    fn open_journal(&mut self) -> Result<&mut Journal, JournalError> {
        let journal = match self.journal.take() {
            Some(journal) => journal,
            None => Journal::begin_journal(&journal::journal_directory(&self.environment)?)?,
        };
        Ok(self.journal.insert(journal))
    }

    fn data_directory(&self) -> Result<PathBuf, AgentAnswer> {
        let found = self.server.as_ref().and_then(|server| server.data_directory.clone());
        found.ok_or_else(|| {
            let detail = "the agent's host runs no process of the server, or the data directory is in a container";
            refused_answer("could not find the server's files", detail, "start the agent on the server's host")
        })
    }

    fn restarting_method(&self, command: Option<&str>) -> Result<Restarting, AgentAnswer> {
        let unknown = |why: &str| {
            refused_answer("could not determine how the server is restarted", why, "set `restart_by` in the plan")
        };
        let Some(server) = &self.server else { return Err(unknown("the server was not found on the agent's host")) };
        Restarting::find_for_postmaster(server.postmaster_pid, command).map_err(|why| unknown(&why))
    }

    /// Writes down what the server has of these settings, and puts its file back to where it was before those of
    /// before.
    pub(super) fn take_settings(
        &mut self,
        set: BTreeMap<String, String>,
        restart: bool,
        command: Option<&str>,
    ) -> AgentAnswer {
        self.try_to_take(set, restart, command).map_or_else(|answer| answer, |()| AgentAnswer::Done)
    }

    fn try_to_take(
        &mut self,
        set: BTreeMap<String, String>,
        restart: bool,
        command: Option<&str>,
    ) -> Result<(), AgentAnswer> {
        let told = |error: JournalError| AgentAnswer::change_refused(&error);
        let data_directory = self.data_directory()?;
        let restarting = if restart { Some(self.restarting_method(command)?) } else { None };
        let before = self.settings.take();
        let taken_over = before.as_ref().map(|(_, settings)| settings);
        let unseen = |error: JournalError| {
            let detail = error.detail().unwrap_or_default();
            refused_answer(&error.to_string(), &detail, "start the agent as the server's user, or as root")
        };
        let new = ServerSettings::read_before_change(&data_directory, set, restarting, taken_over).map_err(unseen);
        let new = match new {
            Ok(new) => new,
            Err(answer) => {
                self.settings = before;
                return Err(answer);
            }
        };
        let made = self
            .open_journal()
            .and_then(|journal| journal.make_change(&MachineChange::ServerSettings(new.clone())))
            .map_err(told)?;
        self.settings = Some((made, new));
        if let Some((made, old)) = before {
            // The restart that may be owed follows with the new ones.
            old.put_file_back().map_err(told)?;
            self.open_journal().and_then(|journal| journal.forget_change(made)).map_err(told)?;
        }
        Ok(())
    }

    /// Has the server read its settings.
    pub(super) fn reload_server(&self) -> AgentAnswer {
        let directory = match self.data_directory() {
            Ok(directory) => directory,
            Err(answer) => return answer,
        };
        let reloaded = reload_server(&directory);
        reloaded.map_or_else(
            |why| {
                refused_answer(
                    "could not reload the server's configuration",
                    &why,
                    "start the agent as the server's user, or as root",
                )
            },
            |()| AgentAnswer::Done,
        )
    }

    /// Restarts the server.
    pub(super) fn restart_server(&self, command: Option<&str>) -> AgentAnswer {
        let restarted = self.data_directory().and_then(|directory| {
            let how = self.restarting_method(command)?;
            how.restart_server(&directory)
                .map_err(|said| refused_answer("the server did not become available after its restart", &said, ""))
        });
        restarted.map_or_else(|answer| answer, |()| AgentAnswer::Done)
    }

    /// Kills the server's first process, and starts the server again. It is started at the latest when this is undone.
    pub(super) fn kill_postmaster(&mut self, command: Option<&str>) -> AgentAnswer {
        self.try_to_kill(command).map_or_else(|answer| answer, |()| AgentAnswer::Done)
    }

    fn try_to_kill(&mut self, command: Option<&str>) -> Result<(), AgentAnswer> {
        let told = |error: JournalError| AgentAnswer::change_refused(&error);
        let directory = self.data_directory()?;
        let how = self.restarting_method(command)?;
        let Some(postmaster) = self.postmaster_pid() else { unreachable!("its data directory is known by it") };
        let ended = MachineChange::ServerSettings(ServerSettings::without_settings(&directory, how.clone()));
        let made = self.open_journal().and_then(|journal| journal.make_change(&ended)).map_err(told)?;
        let killed = disturb::kill_server_processes(postmaster).map_err(|why| {
            refused_answer("could not kill the server", &why, "start the agent as the server's user, or as root")
        });
        let back = |said: String| refused_answer("the server did not become available after the kill", &said, "");
        let back = killed.and_then(|()| how.restart_server(&directory).map_err(back));
        if back.is_ok() {
            self.open_journal().and_then(|journal| journal.forget_change(made)).map_err(told)?;
        }
        back
    }

    /// Sets values of the kernel; each is read back.
    pub(super) fn set_kernel(&mut self, values: &BTreeMap<String, String>) -> AgentAnswer {
        for (name, value) in values {
            let set = |journal: &mut Journal| {
                let change = MachineChange::sysctl_by_name(name, value)?;
                let MachineChange::KernelValue { before, .. } = &change else { unreachable!("a sysctl is one") };
                let before = before.split_whitespace().collect::<Vec<_>>().join(" ");
                Ok((journal.make_change(&change)?, KernelValue { name: name.clone(), set: value.clone(), before }))
            };
            match self.open_journal().and_then(set) {
                Ok(made) => self.kernel.push(made),
                Err(error) => return AgentAnswer::change_refused(&error),
            }
        }
        AgentAnswer::KernelSet { values: self.kernel.iter().map(|(_, value)| value.clone()).collect() }
    }

    /// Puts the values of the kernel back.
    pub(super) fn reset_kernel(&mut self) -> AgentAnswer {
        let mut undone = Vec::new();
        for (made, value) in std::mem::take(&mut self.kernel).into_iter().rev() {
            let Some(journal) = &mut self.journal else { continue };
            let change = match MachineChange::sysctl_by_name(&value.name, &value.set) {
                Ok(change) => change,
                Err(error) => return AgentAnswer::change_refused(&error),
            };
            undone.push(Undone::from_settled(&Settled { change, outcome: journal.undo_change(made) }));
        }
        AgentAnswer::Undone { undone }
    }

    /// Puts the server's files out of the kernel's cache.
    pub(super) fn empty_cache(&self) -> AgentAnswer {
        let directory = match self.data_directory() {
            Ok(directory) => directory,
            Err(answer) => return answer,
        };
        let evicted = server::page_cache::evict_directory(&directory);
        let failed = |error: std::io::Error| {
            let hint = "start the agent as the server's user, or as root";
            refused_answer("could not evict the server's files from the page cache", &error.to_string(), hint)
        };
        evicted.map_or_else(failed, |bytes| AgentAnswer::Emptied { bytes })
    }

    /// Undoes all that is left.
    pub(super) fn put_back(&mut self) -> AgentAnswer {
        (self.settings, self.kernel) = (None, Vec::new());
        let settled = self.journal.take().map(Journal::close_and_undo).unwrap_or_default();
        AgentAnswer::Undone { undone: settled.iter().map(Undone::from_settled).collect() }
    }

    /// Undoes what agents that have ended have left here.
    pub(super) fn restore_leftovers(&self) -> AgentAnswer {
        let left = journal::journal_directory(&self.environment).and_then(|directory: PathBuf| {
            let directory: &Path = &directory;
            journal::find_leftovers(directory)
        });
        match left {
            Ok(found) => {
                let settled = found.left.into_iter().rev().flat_map(journal::Leftovers::undo_changes);
                AgentAnswer::Undone { undone: settled.map(|settled| Undone::from_settled(&settled)).collect() }
            }
            Err(error) => AgentAnswer::change_refused(&error),
        }
    }
}

pub(super) fn refused_answer(what: &str, detail: &str, hint: &str) -> AgentAnswer {
    AgentAnswer::Refused { what: what.to_owned(), detail: detail.to_owned(), hint: hint.to_owned() }
}
