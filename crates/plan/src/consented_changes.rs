//! What a plan changes, by consent, of servers that pgdyno did not make, and which other targets notice.

use super::consent::Consent;
use super::kubernetes::Kubernetes;
use super::language::SettingsByName;
use super::model::Plan;
use super::target::{Reach, Target};

impl Target {
    /// Whether this of its server, which pgdyno did not make, may be changed.
    #[must_use]
    pub fn has_consent_for(&self, to: Consent) -> bool {
        self.may_change.contains(&to)
    }

    /// Whether its settings are settings of a whole server that was found.
    #[must_use]
    pub fn settings_are_the_servers(&self) -> bool {
        self.has_consent_for(Consent::Settings)
    }

    /// The values of the kernel of another machine that are set for its trials.
    #[must_use]
    pub fn sysctl_elsewhere(&self) -> Option<&SettingsByName> {
        match &self.reach {
            Reach::Url(_) => Some(&self.machine.sysctl).filter(|values| !values.is_empty()),
            Reach::Local(_) | Reach::Kubernetes(_) | Reach::Shared(_) => None,
        }
    }
}

impl Plan {
    /// Another target at the same URL, for which settings of this one's server are changed.
    pub(super) fn changes_url_of(&self, target: &Target) -> Option<&Target> {
        let url = |target: &Target| match &target.reach {
            Reach::Url(url) => Some(url.without_password()),
            Reach::Local(_) | Reach::Kubernetes(_) | Reach::Shared(_) => None,
        };
        let own = url(target)?;
        self.targets.iter().find(|other| {
            other.name != target.name
                && other.settings_are_the_servers()
                && other.settings != target.settings
                && url(other).as_ref() == Some(&own)
        })
    }

    /// Another target for which the settings of this one's server are changed: both have the server by turns only.
    pub(super) fn changes_server_of(&self, target: &Target) -> Option<&Target> {
        let owner = self.owner_of_server(target);
        let cluster = owner.reach.as_kubernetes()?.found_cluster()?;
        let changes = |other: &Kubernetes| other.may_change && other.found_cluster() == Some(cluster);
        self.targets.iter().find(|other| {
            other.name != owner.name && !other.settings.is_empty() && other.reach.as_kubernetes().is_some_and(changes)
        })
    }
}

/// What a plan does to a server by consent, one sentence each.
pub(super) fn changes_by_consent(target: &Target, is_cold: bool) -> Vec<String> {
    let mut whats = Vec::new();
    let names: Vec<&str> = target.settings.keys().map(String::as_str).collect();
    if target.settings_are_the_servers() && !names.is_empty() {
        whats.push(format!(
            "changes settings of the whole server by ALTER SYSTEM, for all its users, and restores them at the end: {}",
            names.join(", ")
        ));
    }
    if let Some(values) = target.sysctl_elsewhere() {
        let values: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let values = values.join(", ");
        whats.push(format!(
            "sets {values} in the kernel of its host for each trial, by its agent as root, and restores them"
        ));
    }
    if is_cold && target.has_consent_for(Consent::Restart) {
        whats.push("restarts the server before each trial, and evicts its files from the page cache".to_owned());
    }
    whats
}
