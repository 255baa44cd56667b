//! Scripts in a container, which an API server that is away for a while delays and does not end.

use std::time::{Duration, Instant};

use cluster::{Api, ClusterError};
use jiff::Timestamp;

/// The longest that the API server may be away.
const AWAY_AT_MOST: Duration = Duration::from_secs(300);

/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(500);

/// A container that scripts of `sh` are run in.
#[derive(Debug)]
pub struct PodScripts {
    pub api: Api,
    pub pod: String,
    pub container: &'static str,
    /// From when on what happens to the pod is of interest.
    pub since: Timestamp,
}

/// Why a script said nothing.
#[derive(Debug)]
pub enum UnansweredScript {
    /// The pod is no longer what it was, as this says.
    Lost(String),
    /// It failed, or could not be run.
    Failed(ClusterError),
}

impl PodScripts {
    /// What a script prints; it is run again as long as the API server is away.
    ///
    /// # Errors
    /// The script failed, or its pod is gone.
    pub async fn run_script_insistently(&self, script: &str, arguments: &[&str]) -> Result<Vec<u8>, UnansweredScript> {
        let began = Instant::now();
        loop {
            let error = match self.api.run_script(&self.pod, self.container, script, arguments).await {
                Ok(printed) => return Ok(printed),
                Err(error) => error,
            };
            let fate = self.api.fate_of_pod(&self.pod, self.since).await;
            match (fate, &error) {
                (Ok(Some(why)), _) => return Err(UnansweredScript::Lost(why)),
                (Err(ClusterError::Away { .. }), _) | (_, ClusterError::Away { .. })
                    if began.elapsed() < AWAY_AT_MOST =>
                {
                    tokio::time::sleep(PAUSE).await;
                }
                (Ok(None) | Err(_), _) => return Err(UnansweredScript::Failed(error)),
            }
        }
    }
}
