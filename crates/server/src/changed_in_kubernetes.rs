//! The settings of a CloudNativePG cluster that was there, where its owner lets them be changed: written down before they
//! are, and put back; also by another process when this one is killed.

use std::collections::BTreeMap;
use std::process;
use std::sync::OnceLock;

use cluster::{Api, ChangedCluster, ClusterError};

use crate::environment::Environment;
use crate::error::Cause;
use crate::journal::{Journal, MachineChange};
use crate::made_in_kubernetes::{close_journal, write_down};

/// A cluster whose settings may be changed. Dropping it puts them back.
#[derive(Debug)]
pub(crate) struct Changing {
    cluster: String,
    journal: Journal,
}

impl Changing {
    /// Writes down that the settings of a cluster are going to be changed.
    pub(crate) fn begin_change(
        api: &Api,
        cluster: &str,
        context: Option<&str>,
        environment: &Environment,
    ) -> Result<Self, Cause> {
        let change = MachineChange::SettingsInKubernetes(ChangedCluster {
            kubeconfig: environment.nonempty_variable("KUBECONFIG").map(str::to_owned),
            context: context.map(str::to_owned),
            namespace: api.namespace_name().to_owned(),
            cluster: cluster.to_owned(),
            by: this_process().to_owned(),
        });
        Ok(Self { cluster: cluster.to_owned(), journal: write_down(&change, environment)? })
    }

    /// Gives the cluster these settings in place of those that the server shows; what it is to show then.
    pub(crate) async fn apply_settings(
        &self,
        api: &Api,
        settings: &BTreeMap<String, String>,
        shown: &BTreeMap<String, String>,
    ) -> Result<BTreeMap<String, String>, ClusterError> {
        api.give_settings(&self.cluster, settings, shown, this_process()).await
    }

    /// Whether the cluster has these settings.
    pub(crate) async fn has_settings(
        &self,
        api: &Api,
        settings: &BTreeMap<String, String>,
    ) -> Result<bool, ClusterError> {
        api.has_settings(&self.cluster, settings, this_process()).await
    }

    /// Puts them back; what the server is to show then. The operator has yet to roll that out.
    ///
    /// # Errors
    /// They could not be; that stays written down.
    pub(crate) async fn restore_settings(self, api: &Api) -> Result<BTreeMap<String, String>, Cause> {
        let before = api.settings_before(&self.cluster, this_process()).await;
        close_journal(self.journal)?;
        Ok(before?)
    }
}

/// In words that no other process has: targets of one run share a cluster, and take turns with its settings.
pub(crate) fn this_process() -> &'static str {
    static WORDS: OnceLock<String> = OnceLock::new();
    WORDS.get_or_init(|| {
        let host = rustix::system::uname();
        let mut random = [0; 4];
        // Without it the host and the number of the process have to do.
        let _ = getrandom::fill(&mut random);
        let lot: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{}, process {} ({lot})", host.nodename().to_string_lossy(), process::id())
    })
}
