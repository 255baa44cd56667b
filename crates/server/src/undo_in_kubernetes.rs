//! How changes in Kubernetes are undone, by what a journal says of them: also by another process than the one that made
//! them.

use std::process::{Command, Stdio};

use cluster::{Api, ChangedCluster, ClusterError, Cordoned, CreatedServer, Removed};
use serde::{Deserialize, Serialize};

/// A node that a command has taken away, and the command that brings it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoppedNode {
    /// The node.
    pub node: String,
    /// The command, for a shell.
    pub start: String,
}

/// Removes what was made, from wherever this is called.
pub(crate) fn remove_made(made: &CreatedServer) -> Result<Removed, String> {
    let made = made.clone();
    run_in_own_thread(move || async move {
        let api =
            Api::open_recorded_context(made.kubeconfig.as_deref(), made.context.as_deref(), &made.namespace).await?;
        api.remove_objects(&made).await
    })
}

/// Puts the settings back, from wherever this is called.
pub(crate) fn put_settings_back(changed: &ChangedCluster) -> Result<Removed, String> {
    let changed = changed.clone();
    run_in_own_thread(move || async move {
        let api =
            Api::open_recorded_context(changed.kubeconfig.as_deref(), changed.context.as_deref(), &changed.namespace)
                .await?;
        api.put_settings_back(&changed).await
    })
}

/// Lets a node take pods again, from wherever this is called.
pub(crate) fn uncordon_node(cordoned: &Cordoned) -> Result<Removed, String> {
    let cordoned = cordoned.clone();
    run_in_own_thread(move || async move {
        let api = Api::open_recorded_context(
            cordoned.kubeconfig.as_deref(),
            cordoned.context.as_deref(),
            &cordoned.namespace,
        )
        .await?;
        api.uncordon_node(&cordoned).await
    })
}

/// Brings a node back, which does no harm to one that is there.
pub(crate) fn bring_node_back(stopped: &StoppedNode) -> Result<Removed, String> {
    run_node_command(&stopped.start, &stopped.node).map(|()| Removed::Gone)
}

/// Runs a command about a node, out of reach of a Ctrl-C that is meant for pgdyno.
pub(crate) fn run_node_command(command: &str, node: &str) -> Result<(), String> {
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

/// Does something at the API server in a thread of its own, since the client needs a runtime, and there may be one here
/// already or none.
fn run_in_own_thread<F>(work: impl FnOnce() -> F + Send + 'static) -> Result<Removed, String>
where
    F: Future<Output = Result<Removed, ClusterError>>,
{
    let in_words = |error: ClusterError| match error.detail() {
        Some(detail) => format!("{error}: {detail}"),
        None => error.to_string(),
    };
    let working = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        runtime.block_on(work()).map_err(in_words)
    };
    std::thread::spawn(working).join().unwrap_or_else(|_| Err("its thread ended unexpectedly".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_about_a_node_is_told_which_and_its_failure_says_why() {
        assert_eq!(run_node_command("test \"$PGDYNO_NODE\" = kubelab-2", "kubelab-2"), Ok(()));
        let failed = run_node_command("echo no such node >&2; exit 3", "kubelab-2");
        let expected = "`echo no such node >&2; exit 3`: exit status: 3: no such node";
        assert_eq!(failed, Err(expected.to_owned()));
    }
}
