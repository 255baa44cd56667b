//! `rights`: what the roles of a plan may do on the servers that are there. Nothing is made or changed.

use std::collections::{BTreeMap, BTreeSet};

use conninfo::Secret;
use load::StopRequest;
use plan::{Plan, Reach};
use server::rights::RoleRights;
use server::{Environment, FoundSpec, PostgresSpec};

use super::fleet::spec_of_found_server;
use crate::interrupt::unless_stopped;
use problem::Problem;

/// What is known of the rights on one server.
#[derive(Debug)]
pub struct RightsOfServer {
    /// The targets that are this server, reached by the same string; empty where no plan names any.
    pub targets: Vec<String>,
    /// The settings that the plan gives to sessions on it.
    pub session_settings: BTreeSet<String>,
    /// The rights, or why they are not known.
    pub answer: RightsAnswer,
}

/// The rights on one server, or why they are not known.
#[derive(Debug)]
pub enum RightsAnswer {
    /// The server has said.
    Known(Box<RoleRights>),
    /// The run makes the server.
    MadeByRun,
    /// It could not be asked.
    Failed(Problem),
}

/// Asks the server of a connection string.
///
/// # Errors
/// It cannot be reached or asked.
pub async fn ask_server(
    conninfo: &str,
    environment: &Environment,
    stop: &StopRequest,
) -> Result<RightsOfServer, Problem> {
    let spec = PostgresSpec::Url(FoundSpec { conninfo: Secret::new(conninfo), agent: None });
    let rights = ask_spec("server", &spec, environment, stop).await?;
    Ok(RightsOfServer {
        targets: Vec::new(),
        session_settings: BTreeSet::new(),
        answer: RightsAnswer::Known(Box::new(rights)),
    })
}

/// Asks every server of a plan that is there, each once, whatever the others say.
///
/// # Errors
/// A person gave up.
pub async fn ask_plan(
    plan: &Plan,
    environment: &Environment,
    stop: &StopRequest,
) -> Result<Vec<RightsOfServer>, Problem> {
    let mut servers: Vec<(&Reach, RightsOfServer)> = Vec::new();
    for target in &plan.targets {
        let owner = target.reach.server_of().and_then(|owner| plan.target_by_name(owner)).unwrap_or(target);
        if let Some((_, server)) = servers.iter_mut().find(|(reach, _)| **reach == owner.reach) {
            server.targets.push(target.name.clone());
            server.session_settings.extend(session_settings_of(target));
            continue;
        }
        let answer = match spec_of_found_server(plan, owner) {
            None => RightsAnswer::MadeByRun,
            Some(spec) => match Box::pin(ask_spec(&target.name, &spec, environment, stop)).await {
                Ok(rights) => RightsAnswer::Known(Box::new(rights)),
                Err(problem) if problem.is_interruption() => return Err(problem),
                Err(problem) => RightsAnswer::Failed(problem),
            },
        };
        let session_settings = session_settings_of(target);
        servers.push((&owner.reach, RightsOfServer { targets: vec![target.name.clone()], session_settings, answer }));
    }
    Ok(servers.into_iter().map(|(_, server)| server).collect())
}

/// The settings that sessions of the load are given; those of a server that may be changed are its own.
fn session_settings_of(target: &plan::Target) -> BTreeSet<String> {
    if target.settings_are_the_servers() {
        return BTreeSet::new();
    }
    target.settings.keys().map(|name| name.to_lowercase()).collect()
}

async fn ask_spec(
    name: &str,
    spec: &PostgresSpec,
    environment: &Environment,
    stop: &StopRequest,
) -> Result<RoleRights, Problem> {
    let asking = async {
        let target = server::acquire_target(name, spec, &BTreeMap::new(), environment, &mut |_| ()).await?;
        let rights = target.role_rights().await;
        target.release_target().await?;
        Ok::<_, Problem>(rights?)
    };
    unless_stopped(stop, Box::pin(asking)).await
}
