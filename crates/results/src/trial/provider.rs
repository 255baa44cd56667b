//! What the provider of a managed server said before and after a trial.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The provider's balances around a trial, and what it did in between.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ProviderTotals {
    /// Balances before the load.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<ProviderBalance>,
    /// Balances after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<ProviderBalance>,
    /// Events of the provider from before the load to after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<ProviderEvent>,
    /// Why some of it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<String>,
}

/// How much of a credit is left.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProviderBalance {
    /// What the provider calls it, such as `CPUCreditBalance`.
    pub name: String,
    /// Its unit, such as `credits` or `%`; empty if the provider does not say.
    pub unit: String,
    /// How much is left.
    pub value: f64,
    /// When the provider measured it, if it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
}

/// Something that the provider did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderEvent {
    /// When.
    pub at: Timestamp,
    /// What.
    pub kind: ProviderEventKind,
    /// In the words of the provider.
    pub message: String,
}

/// What a provider does to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProviderEventKind {
    /// Another instance became the primary.
    Failover,
    /// Work on the instance: a patch, an upgrade, a new host.
    Maintenance,
    /// The server was started again.
    Restart,
    /// The instance or its storage was changed.
    Scaling,
    /// A backup was taken.
    Backup,
    /// Something else.
    Other,
}
