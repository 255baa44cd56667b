//! What a plan changes of servers that were found, and of the machines below them, by consent of their owners: settings
//! of the whole server, restarts, values of the kernel, cold caches. Events are made to happen to them here, too.
//!
//! An agent on the host does it, and has written it down there before. Here stands only that there may be something,
//! so that `restore` asks there again should both be killed. Targets of one server have it by turns.

use std::collections::BTreeMap;
use std::time::Duration;

use plan::{Consent, Reach};
use results::trial::{Incident, KernelValue, Preparation, Unrestored};
use server::journal::{self, Journal, MachineChange};
use server::{Carrier, Environment, Target, Undone};
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

use crate::agent::{Owner, carrier_of_agent};
use crate::progress::print_to_stderr;
use crate::server_message::message_of_error;
use problem::Problem;

/// How long a server may take until new sessions have what it was told to read.
const READ_WITHIN: Duration = Duration::from_secs(10);

/// How long a restarted server may take until it accepts connections, where the way of restarting does not wait.
const BACK_WITHIN: Duration = Duration::from_secs(120);

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(100);

/// Settings that are lists, whose items the server quotes by itself: a text with commas would be one item.
const LISTS: [&str; 6] = [
    "local_preload_libraries",
    "search_path",
    "session_preload_libraries",
    "shared_preload_libraries",
    "temp_tablespaces",
    "unix_socket_directories",
];

/// The hosts of servers that may be changed.
pub(super) struct ByConsent {
    environment: Environment,
    hosts: Vec<ConsentedHost>,
}

/// A server that may be changed or disturbed, on its host.
pub(super) struct ConsentedHost {
    url: String,
    carrier: Carrier,
    pub(super) agent: Owner,
    /// The settings that it has been given; none: they may be half given.
    given: Option<BTreeMap<String, String>>,
    /// That something is changed there.
    journal: Journal,
}

impl ByConsent {
    /// Nothing yet.
    pub(super) fn without_hosts(environment: Environment) -> Self {
        Self { environment, hosts: Vec::new() }
    }

    /// The host of a target, with an agent on it that knows the server as it runs now.
    ///
    /// # Errors
    /// Everything that can be wrong with the way to it.
    pub(super) async fn host_with_agent(
        &mut self,
        planned: &plan::Target,
        target: &Target,
    ) -> Result<&mut ConsentedHost, Problem> {
        let (url, carrier) = url_and_carrier(planned).expect("consent is for what has a URL, and takes an agent");
        let known = self.hosts.iter().position(|host| (&host.url, &host.carrier) == (&url, &carrier));
        let place = match known {
            Some(place) => place,
            None => {
                let agent = Owner::start_for_target(&carrier, &planned.name).await?;
                let mut journal = Journal::begin_journal(&journal::journal_directory(&self.environment)?)?;
                journal.make_change(&MachineChange::Elsewhere(carrier.clone()))?;
                self.hosts.push(ConsentedHost { url, carrier, agent, given: Some(BTreeMap::new()), journal });
                self.hosts.len() - 1
            }
        };
        let host = &mut self.hosts[place];
        host.agent.work_for(&planned.name);
        host.agent.attach_to_server(&target.session_on_host().await?).await?;
        Ok(host)
    }

    /// The host of a target, if an agent is there by now.
    pub(super) fn known_host(&mut self, planned: &plan::Target) -> Option<&mut ConsentedHost> {
        let (url, carrier) = url_and_carrier(planned)?;
        self.hosts.iter_mut().find(|host| (&host.url, &host.carrier) == (&url, &carrier))
    }

    /// Gives the server the settings of this target, where they are the whole server's and others than it has; what was
    /// done.
    ///
    /// # Errors
    /// The role or the agent may not, the server refuses a value, or does not come back.
    pub(super) async fn apply_server_settings(
        &mut self,
        planned: &plan::Target,
        target: &Target,
    ) -> Result<Vec<Preparation>, Problem> {
        if !planned.settings_are_the_servers() {
            return Ok(Vec::new());
        }
        let host = self.host_with_agent(planned, target).await?;
        if host.given.as_ref() == Some(&planned.settings) {
            return Ok(Vec::new());
        }
        let before = host.given.take().unwrap_or_default();
        let names: Vec<String> = before.keys().chain(planned.settings.keys()).map(|name| name.to_lowercase()).collect();
        let client = target.connect_control().await?;
        let restart = read_at_start(planned, &client, &names).await?;
        let restart_by = planned.restart_by.as_deref();
        host.agent.take_settings(&planned.settings, restart, restart_by).await?;
        for (name, value) in &planned.settings {
            alter_system_setting(planned, &client, name, value).await?;
        }
        let loaded = loaded_at(&client).await;
        host.agent.reload_server().await?;
        let done = if wait_for_reload(planned, target, loaded, &names).await? {
            drop(client);
            host.restart_server(planned, target).await?;
            vec![Preparation::Settings, Preparation::Restart]
        } else {
            vec![Preparation::Settings]
        };
        host.given = Some(planned.settings.clone());
        Ok(done)
    }

    /// Sets the values of the kernel that a trial of this target has.
    pub(super) async fn before_trial(
        &mut self,
        planned: &plan::Target,
        target: &Target,
    ) -> Result<Vec<KernelValue>, Problem> {
        let Some(values) = planned.sysctl_elsewhere() else { return Ok(Vec::new()) };
        self.host_with_agent(planned, target).await?.agent.set_kernel(values).await
    }

    /// Puts the values of the kernel back that a trial had; what could not be makes it less certain.
    pub(super) async fn after_trial(&mut self, planned: &plan::Target, set: Vec<KernelValue>) -> Vec<Incident> {
        if set.is_empty() {
            return Vec::new();
        }
        let Some(host) = self.known_host(planned) else { return Vec::new() };
        let not_restored = |changed: KernelValue, why| Incident::NotRestored { changed, why };
        match host.agent.reset_kernel().await {
            Ok(undone) => {
                let told = set.into_iter().rev().zip(undone);
                told.filter_map(|(value, undone)| Some(not_restored(value, unrestored_reason(&undone)?))).collect()
            }
            Err(problem) => {
                let why = problem.in_one_line();
                set.into_iter().map(|value| not_restored(value, Unrestored::Failed(why.clone()))).collect()
            }
        }
    }

    /// Restarts the server and puts its files out of the kernel's cache, where the plan has the owner's consent to
    /// that; none: it has not.
    pub(super) async fn cool_server_caches(
        &mut self,
        planned: &plan::Target,
        target: &Target,
    ) -> Result<Option<Preparation>, Problem> {
        if !(planned.has_consent_for(Consent::Restart) && planned.has_consent_for(Consent::Cache)) {
            return Ok(None);
        }
        let host = self.host_with_agent(planned, target).await?;
        host.restart_server(planned, target).await?;
        Ok(Some(Preparation::ColdCache { evicted_bytes: host.agent.empty_cache().await? }))
    }

    /// Has all of it put back.
    pub(super) async fn release_hosts(self) -> Result<(), Problem> {
        let mut result = Ok(());
        for host in self.hosts {
            result = result.and(host.release_host().await);
        }
        result
    }
}

impl ConsentedHost {
    /// Restarts the server, and finds it again.
    pub(super) async fn restart_server(&mut self, planned: &plan::Target, target: &Target) -> Result<(), Problem> {
        self.agent.restart_server(planned.restart_by.as_deref()).await?;
        self.find_again(planned, target).await
    }

    /// Kills the server's first process, has it started again, and finds it again.
    pub(super) async fn kill_postmaster(&mut self, planned: &plan::Target, target: &Target) -> Result<(), Problem> {
        self.agent.kill_postmaster(planned.restart_by.as_deref()).await?;
        self.find_again(planned, target).await
    }

    /// Waits until the server takes sessions again, whose processes are others by now.
    async fn find_again(&mut self, planned: &plan::Target, target: &Target) -> Result<(), Problem> {
        let begun = std::time::Instant::now();
        let session = loop {
            match target.session_on_host().await {
                Ok(session) => break session,
                Err(error) if begun.elapsed() > BACK_WITHIN => {
                    let problem = Problem::from(error);
                    let what =
                        format!("target {:?}: its server did not become available after a restart", planned.name);
                    return Err(Problem::could_not_measure(what).detail(problem.in_one_line()));
                }
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        };
        self.agent.attach_to_server(&session).await
    }

    /// Has everything put back; by another agent, if this one is gone.
    async fn release_host(mut self) -> Result<(), Problem> {
        match self.agent.put_back().await {
            Ok(undone) => {
                let failed: Vec<&Undone> = undone.iter().filter(|undone| undone.is_failed()).collect();
                for left in undone.iter().filter(|undone| undone.is_left_alone()) {
                    print_to_stderr(&format!(
                        "left alone: {} (another user or program has changed it: {})",
                        left.change, left.why
                    ));
                }
                if failed.is_empty() {
                    self.journal.abandon_changes();
                    return Ok(());
                }
                self.journal.leave_to_restore();
                let what = failed.iter().map(|undone| undone.change.as_str()).collect::<Vec<_>>().join("; ");
                let why = failed.iter().map(|undone| undone.why.as_str()).collect::<Vec<_>>().join("; ");
                Err(Problem::could_not_measure(format!("could not undo: {what}"))
                    .detail(why)
                    .hint("`pgdyno restore` tries again, here or on that host"))
            }
            Err(_gone) => {
                let settled = tokio::task::block_in_place(|| self.journal.close_and_undo());
                let failed = settled.into_iter().find_map(|settled| settled.outcome.err());
                failed.map_or(Ok(()), |error| Err(Problem::from(error)))
            }
        }
    }
}

/// What tells one host from another: the server that is reached, and the agent that reaches its host.
fn url_and_carrier(planned: &plan::Target) -> Option<(String, Carrier)> {
    let Reach::Url(url) = &planned.reach else { return None };
    Some((url.without_password(), carrier_of_agent(planned.agent.as_ref()?)))
}

/// Why a value of the kernel is not what it was.
fn unrestored_reason(undone: &Undone) -> Option<Unrestored> {
    if undone.is_failed() {
        return Some(Unrestored::Failed(undone.why.clone()));
    }
    undone.is_left_alone().then(|| Unrestored::ChangedMeanwhile(undone.why.clone()))
}

/// Whether the server reads one of these settings at its start only; refused, where it may not be restarted.
async fn read_at_start(planned: &plan::Target, client: &Client, names: &[String]) -> Result<bool, Problem> {
    const SQL: &str = "SELECT name FROM pg_settings WHERE lower(name) = ANY ($1) AND context = 'postmaster'";
    let rows = client.query(SQL, &[&names]).await.map_err(|error| settings_read_problem(planned, &error))?;
    let Some(first) = rows.first() else { return Ok(false) };
    if planned.has_consent_for(Consent::Restart) {
        return Ok(true);
    }
    let name: String = first.get(0);
    Err(Problem::could_not_measure(format!("target {:?}: {name} requires a restart of the server", planned.name))
        .hint("add `restart` to `may_change`, if all sessions may be ended"))
}

/// Sets one setting of the whole server.
async fn alter_system_setting(planned: &plan::Target, client: &Client, name: &str, value: &str) -> Result<(), Problem> {
    let altered = client
        .batch_execute(&format!("ALTER SYSTEM SET {} = {}", quoted_name(name), quote_setting_value(name, value)))
        .await;
    altered.map_err(|error| {
        let what = format!("target {:?}: could not apply setting {name} = {value:?}", planned.name);
        let said = message_of_error(&error);
        let hint = if error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) {
            format!(
                "besides may_change, the role needs the privilege: GRANT ALTER SYSTEM ON PARAMETER {name} TO the role \
                 (PostgreSQL 15 and newer), or connect as a superuser"
            )
        } else {
            "check the name and the value, its unit, and the version of the server".to_owned()
        };
        Problem::could_not_measure(what).detail(said).hint(hint)
    })
}

fn quoted_name(name: &str) -> String {
    name.split('.').map(|part| format!("\"{}\"", part.to_lowercase())).collect::<Vec<_>>().join(".")
}

fn quote_setting_value(name: &str, value: &str) -> String {
    let literal = |text: &str| format!("'{}'", text.replace('\'', "''"));
    if !LISTS.contains(&name.to_lowercase().as_str()) {
        return literal(value);
    }
    value.split(',').map(|item| literal(item.trim().trim_matches('"'))).collect::<Vec<_>>().join(", ")
}

/// When the server has read its settings last, as a session that began then has it.
async fn loaded_at(client: &Client) -> Option<std::time::SystemTime> {
    client.query_one("SELECT pg_conf_load_time()", &[]).await.ok()?.try_get(0).ok()
}

/// Waits until new sessions have what the server has read since; whether one of these settings waits for a restart.
async fn wait_for_reload(
    planned: &plan::Target,
    target: &Target,
    before: Option<std::time::SystemTime>,
    names: &[String],
) -> Result<bool, Problem> {
    const SQL: &str = "SELECT count(*) FROM pg_settings WHERE pending_restart AND lower(name) = ANY ($1)";
    let begun = std::time::Instant::now();
    loop {
        let client = target.connect_control().await?;
        if loaded_at(&client).await != before {
            let row = client.query_one(SQL, &[&names]).await.map_err(|error| settings_read_problem(planned, &error))?;
            return Ok(row.get::<_, i64>(0) > 0);
        }
        if begun.elapsed() > READ_WITHIN {
            let what = format!("target {:?}: its server did not reload its settings", planned.name);
            let hint = "check the server's log: a configuration file with an error is not read";
            return Err(Problem::could_not_measure(what)
                .detail(format!("the reload was requested {} s ago", READ_WITHIN.as_secs()))
                .hint(hint));
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn settings_read_problem(planned: &plan::Target, error: &tokio_postgres::Error) -> Problem {
    Problem::could_not_measure(format!("target {:?}: could not read its settings", planned.name))
        .detail(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_set_item_by_item_and_all_else_as_one_text() {
        assert_eq!(quote_setting_value("work_mem", "8MB"), "'8MB'");
        assert_eq!(quote_setting_value("log_line_prefix", "it's, %m"), "'it''s, %m'");
        assert_eq!(quote_setting_value("search_path", "\"$user\", public"), "'$user', 'public'");
        assert_eq!(quoted_name("My.Name"), "\"my\".\"name\"");
    }
}
