//! The node of a cluster's primary, where an event takes it away or has it drained: what is done to it is written down before,
//! and undone also when this process is killed.

use std::process::{Command, Stdio};

use cluster::{Act, Api, Cordoned, Disruption, Hands, NodeCommands, Removed};
use serde::{Deserialize, Serialize};

use crate::changed_in_kubernetes::this_process;
use crate::environment::Environment;
use crate::error::Cause;
use crate::journal::{Change, Journal};
use crate::made_in_kubernetes::{apart, write_down};

/// A node that a command has taken away, and the command that brings it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoppedNode {
    /// The node.
    pub node: String,
    /// The command, for a shell.
    pub start: String,
}

/// What is done by hand when a cluster goes through this, at this node; dropped before it is given back, the node is.
pub(crate) fn hands<'h>(
    api: &'h Api,
    what: &'h Disruption,
    node: Option<String>,
    context: Option<&str>,
    environment: &Environment,
) -> Result<Hands<'h>, Cause> {
    let nothing = || -> Act<'h> { Box::pin(std::future::ready(Ok(()))) };
    let by = this_process();
    let Some((change, stop)) = node.as_ref().and_then(|node| change(api, what, node, context, environment)) else {
        return Ok(Hands { by, node: None, take_away: nothing(), give_back: nothing() });
    };
    let journal = write_down(&change, environment)?;
    let take_away: Act<'h> = match (stop, &node) {
        (Some(stop), Some(node)) => {
            let (stop, node) = (stop.to_owned(), node.clone());
            Box::pin(async move { in_a_thread(move || shell(&stop, &node)).await })
        }
        (None | Some(_), _) => nothing(),
    };
    let give_back = Box::pin(async move { in_a_thread(move || give_back(journal)).await });
    Ok(Hands { by, node, take_away, give_back })
}

/// What is changed of the node, and the command that does it, where it is one.
fn change<'w>(
    api: &Api,
    what: &'w Disruption,
    node: &str,
    context: Option<&str>,
    environment: &Environment,
) -> Option<(Change, Option<&'w str>)> {
    let node = node.to_owned();
    match what {
        Disruption::DrainNode => Some((
            Change::NodeCordoned(Cordoned {
                kubeconfig: environment.var("KUBECONFIG").map(str::to_owned),
                context: context.map(str::to_owned),
                namespace: api.namespace().to_owned(),
                node,
                by: this_process().to_owned(),
            }),
            None,
        )),
        Disruption::StopNode(NodeCommands { stop, start }) => {
            Some((Change::NodeStopped(StoppedNode { node, start: start.clone() }), Some(stop)))
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
    let failed = journal.close().into_iter().find_map(|settled| settled.outcome.err());
    failed.map_or(Ok(()), |error| Err(error.detail().unwrap_or_else(|| error.to_string())))
}

/// Lets a node take pods again, from wherever this is called.
pub(crate) fn uncordon(cordoned: &Cordoned) -> Result<Removed, String> {
    let cordoned = cordoned.clone();
    apart(move || async move {
        let api = Api::again(cordoned.kubeconfig.as_deref(), cordoned.context.as_deref(), &cordoned.namespace).await?;
        api.uncordon(&cordoned).await
    })
}

/// Brings a node back, which does no harm to one that is there.
pub(crate) fn bring_back(stopped: &StoppedNode) -> Result<Removed, String> {
    shell(&stopped.start, &stopped.node).map(|()| Removed::Gone)
}

/// Runs a command about a node, out of reach of a Ctrl-C that is meant for pgdyno.
fn shell(command: &str, node: &str) -> Result<(), String> {
    use std::os::unix::process::CommandExt as _;
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).env("PGDYNO_NODE", node).stdin(Stdio::null()).process_group(0);
    let output = shell.output().map_err(|error| format!("could not run sh: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no error output");
    Err(format!("`{command}`: {}: {last}", output.status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_about_a_node_is_told_which_and_its_failure_says_why() {
        assert_eq!(shell("test \"$PGDYNO_NODE\" = kubelab-2", "kubelab-2"), Ok(()));
        let failed = shell("echo no such node >&2; exit 3", "kubelab-2");
        let expected = "`echo no such node >&2; exit 3`: exit status: 3: no such node";
        assert_eq!(failed, Err(expected.to_owned()));
    }
}
