//! `kubernetes`: what a plan takes of a cluster, and runs that are made inside one.

mod fetch;
mod inside;
mod rights;

use crate::cli::KubernetesCommand;
use problem::{CommandStatus, Problem};

/// Carries out one of them.
pub(super) async fn run_kubernetes_command(command: &KubernetesCommand) -> Result<CommandStatus, Problem> {
    match command {
        KubernetesCommand::Rights { plan, check: true, .. } => rights::check_rights(plan).await,
        KubernetesCommand::Rights { plan, check: false, service_account } => {
            rights::print_rights(plan, service_account.as_deref()).await
        }
        KubernetesCommand::Run(arguments) => inside::start_run_in_cluster(arguments).await,
        KubernetesCommand::Attach(run) => inside::attach_to_run(run).await,
        KubernetesCommand::Fetch { run, runs } => inside::fetch_run_directory(run, runs).await,
        KubernetesCommand::Delete(run) => inside::delete_run(run).await,
    }
}
