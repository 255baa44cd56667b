//! A program in a container that is spoken to: it is started by `pods/exec`, with its input and output here, and ends
//! with its input.

use std::time::Duration;

use k8s_openapi::api::core::v1::Pod;
use kube::api::AttachParams;
use tokio::io::{AsyncBufRead, AsyncWrite, BufReader};
use tokio::time::timeout;

use crate::api::Api;
use crate::error::ClusterError;
use crate::pods::POD;
use crate::shell::BUFFER_BYTES;

/// The longest that a program may take to be there.
const START_AT_MOST: Duration = Duration::from_secs(15);

/// What keeps a program where it is.
pub struct Speaking(#[expect(dead_code, reason = "it is held, not used")] kube::api::AttachedProcess);

/// A program that is spoken to. Dropping its input, and what keeps it, ends it.
pub struct Conversation {
    /// What keeps it.
    pub process: Speaking,
    /// What it is told.
    pub orders: Box<dyn AsyncWrite + Send + Unpin>,
    /// What it says.
    pub answers: Box<dyn AsyncBufRead + Send + Unpin>,
}

impl Api {
    /// Starts a program in a container.
    ///
    /// # Errors
    /// The right to exec is missing, or the container is gone. A program that is not there is told by its silence.
    pub async fn start_conversation(
        &self,
        pod: &str,
        container: &str,
        command: &[&str],
    ) -> Result<Conversation, ClusterError> {
        let parameters = AttachParams {
            container: Some(container.to_owned()),
            stdin: true,
            stderr: false,
            max_stdout_buf_size: Some(BUFFER_BYTES),
            max_stdin_buf_size: Some(BUFFER_BYTES),
            ..AttachParams::default()
        };
        let pods: kube::Api<Pod> = kube::Api::namespaced(self.client.clone(), self.namespace_name());
        let started = timeout(START_AT_MOST, pods.exec(pod, command.iter().copied(), &parameters)).await;
        let failed = |said: String| ClusterError::Failed { verb: "exec", what: format!("in the pod {pod}"), said };
        let mut process = match started {
            Ok(Ok(process)) => process,
            Ok(Err(error)) => return Err(self.upgrade_refusal_error(&error)),
            Err(_) => return Err(failed(format!("no answer within {} s", START_AT_MOST.as_secs()))),
        };
        let (Some(orders), Some(answers)) = (process.stdin(), process.stdout()) else {
            return Err(failed("it has no standard input or output".to_owned()));
        };
        let answers = Box::new(BufReader::with_capacity(BUFFER_BYTES, answers));
        Ok(Conversation { process: Speaking(process), orders: Box::new(orders), answers })
    }

    /// The node that a pod runs on, once one is chosen.
    ///
    /// # Errors
    /// The API server is away, or there is no such pod.
    pub async fn node_of(&self, pod: &str) -> Result<Option<String>, ClusterError> {
        let pod: Pod = self.get_object(POD, pod).await?;
        Ok(pod.spec.and_then(|spec| spec.node_name))
    }
}
