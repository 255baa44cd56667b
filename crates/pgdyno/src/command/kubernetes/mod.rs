//! `kubernetes`: what a plan takes of a cluster, and runs that are made inside one.

mod fetch;
mod inside;
mod rights;

use crate::cli::KubernetesCommand;
use problem::{CommandStatus, Problem};

/// Carries out one of them.
pub(super) async fn kubernetes(command: &KubernetesCommand) -> Result<CommandStatus, Problem> {
    match command {
        KubernetesCommand::Rights { plan, check: true, .. } => rights::check(plan).await,
        KubernetesCommand::Rights { plan, check: false, service_account } => {
            rights::print(plan, service_account.as_deref()).await
        }
        KubernetesCommand::Run(arguments) => inside::run(arguments).await,
        KubernetesCommand::Attach(run) => inside::attach(run).await,
        KubernetesCommand::Fetch { run, runs } => inside::fetch(run, runs).await,
        KubernetesCommand::Delete(run) => inside::delete(run).await,
    }
}
