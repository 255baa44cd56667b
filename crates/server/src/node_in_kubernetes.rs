//! The node of a cluster's primary, where an event takes it away or has it drained: what is done to it is written down before,
//! and undone also when this process is killed.

use cluster::{Act, Api, Cordoned, Disruption, Hands, NodeCommands};

use crate::changed_in_kubernetes::this_process;
use crate::environment::Environment;
use crate::error::Cause;
use crate::journal::{Journal, MachineChange};
use crate::made_in_kubernetes::write_down;
use crate::undo_in_kubernetes::{StoppedNode, run_node_command};

/// What is done by hand when a cluster goes through this, at this node; dropped before it is given back, the node is.
pub(crate) fn manual_actions_at_node<'h>(
    api: &'h Api,
    what: &'h Disruption,
    node: Option<String>,
    context: Option<&str>,
    environment: &Environment,
) -> Result<Hands<'h>, Cause> {
    let nothing = || -> Act<'h> { Box::pin(std::future::ready(Ok(()))) };
    let by = this_process();
    let Some((change, stop)) =
        node.as_ref().and_then(|node| node_change_of_disruption(api, what, node, context, environment))
    else {
        return Ok(Hands { by, node: None, take_away: nothing(), give_back: nothing() });
    };
    let journal = write_down(&change, environment)?;
    let take_away: Act<'h> = match (stop, &node) {
        (Some(stop), Some(node)) => {
            let (stop, node) = (stop.to_owned(), node.clone());
            Box::pin(async move { in_a_thread(move || run_node_command(&stop, &node)).await })
        }
        (None | Some(_), _) => nothing(),
    };
    let give_back = Box::pin(async move { in_a_thread(move || give_back(journal)).await });
    Ok(Hands { by, node, take_away, give_back })
}

/// What is changed of the node, and the command that does it, where it is one.
fn node_change_of_disruption<'w>(
    api: &Api,
    what: &'w Disruption,
    node: &str,
    context: Option<&str>,
    environment: &Environment,
) -> Option<(MachineChange, Option<&'w str>)> {
    let node = node.to_owned();
    match what {
        Disruption::DrainNode => Some((
            MachineChange::NodeCordoned(Cordoned {
                kubeconfig: environment.nonempty_variable("KUBECONFIG").map(str::to_owned),
                context: context.map(str::to_owned),
                namespace: api.namespace_name().to_owned(),
                node,
                by: this_process().to_owned(),
            }),
            None,
        )),
        Disruption::StopNode(NodeCommands { stop, start }) => {
            Some((MachineChange::NodeStopped(StoppedNode { node, start: start.clone() }), Some(stop)))
        }
        Disruption::Switchover
        | Disruption::DeletePrimary
        | Disruption::DeletePrimaryForcibly
        | Disruption::RestartInPlace
        | Disruption::RollingRestart
        | Disruption::KillPostmaster
        | Disruption::RollingUpdate(_) => None,
    }
}

/// Does something that blocks, without holding up who looks at the cluster meanwhile.
async fn in_a_thread(work: impl FnOnce() -> Result<(), String> + Send + 'static) -> Result<(), String> {
    tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())?
}

/// Undoes what is written down.
fn give_back(journal: Journal) -> Result<(), String> {
    let failed = journal.close_and_undo().into_iter().find_map(|settled| settled.outcome.err());
    failed.map_or(Ok(()), |error| Err(error.detail().unwrap_or_else(|| error.to_string())))
}
