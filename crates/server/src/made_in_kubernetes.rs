//! A server, or a volume, that is made in Kubernetes: written down, made, waited for, and removed; also by another process when this one
//! is killed.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use cluster::rights::{Right, rights_of_making};
use cluster::{Api, ClusterError, ClusterLogin, CreatedServer, ObjectOf};
use serde_json::Value;

use crate::environment::Environment;
use crate::error::Cause;
use crate::journal::{self, Journal, MachineChange, Settled};
use crate::local::Failure;
use crate::progress::AcquireProgress;

/// Who logs in to the servers that this process has made, by namespace and Secret: what is known here is not read
/// there, which would take the right to read all Secrets of the namespace, since their names are drawn.
static DRAWN_LOGINS: Mutex<BTreeMap<(String, String), ClusterLogin>> = Mutex::new(BTreeMap::new());

/// Who logs in by this Secret, if this process made it.
pub(crate) fn drawn_login(namespace: &str, secret: &str) -> Option<ClusterLogin> {
    let logins = DRAWN_LOGINS.lock().unwrap_or_else(PoisonError::into_inner);
    logins.get(&(namespace.to_owned(), secret.to_owned())).cloned()
}

fn keep_logins(namespace: &str, manifests: &[Value]) {
    let mut logins = DRAWN_LOGINS.lock().unwrap_or_else(PoisonError::into_inner);
    for login in manifests.iter().filter_map(login_in) {
        logins.insert((namespace.to_owned(), login.secret.clone()), login);
    }
}

/// Who logs in by the Secret of a manifest; none if it is of something else.
fn login_in(manifest: &Value) -> Option<ClusterLogin> {
    let text = |at: &str| manifest.pointer(at).and_then(Value::as_str).map(str::to_owned);
    Some(ClusterLogin {
        user: text("/stringData/username")?,
        password: text("/stringData/password")?,
        database: text("/stringData/dbname"),
        secret: text("/metadata/name")?,
        key: "password".to_owned(),
    })
}

/// What a plan has made in Kubernetes for a server, or to measure a volume.
#[derive(Debug, Clone, PartialEq)]
pub struct MakeSpec {
    /// The label of everything that belongs to it.
    pub label: (String, String),
    /// The objects, in the order in which they are made.
    pub manifests: Vec<Value>,
    /// What stands in them for a password, a certificate and its key, which are drawn when they are made.
    pub drawn: [&'static str; 3],
    /// Whether it stays, and may be there already.
    pub keep: bool,
    /// How long it may take until it serves.
    pub ready_within: Duration,
    /// The storage class that is asked for.
    pub storage_class: Option<String>,
    /// The labels of the nodes that it may run on.
    pub node_selector: BTreeMap<String, String>,
}

impl MakeSpec {
    /// Of objects that are made for a while: their storage class and the labels of their nodes are what they ask for.
    #[must_use]
    pub fn of_manifests(
        (label, name): (&str, &str),
        manifests: Vec<Value>,
        drawn: [&'static str; 3],
        ready_within: Duration,
    ) -> Self {
        let of_claim = |at: &str| manifests.iter().find_map(|object| object.pointer(at)?.as_str().map(str::to_owned));
        let selector =
            manifests.iter().find_map(|object| object.pointer("/spec/template/spec/nodeSelector")?.as_object());
        let selector =
            selector.into_iter().flatten().filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())));
        Self {
            label: (label.to_owned(), name.to_owned()),
            storage_class: of_claim("/spec/storageClassName"),
            node_selector: selector.collect(),
            manifests,
            drawn,
            keep: false,
            ready_within,
        }
    }

    /// What making it takes, and removing it.
    #[must_use]
    pub fn required_rights(&self) -> Vec<Right> {
        let objects: Vec<ObjectOf> = self.manifests.iter().map(ObjectOf::from_manifest).collect();
        rights_of_making(&objects)
    }
}

/// What was made. Dropping it removes it.
#[derive(Debug)]
pub struct KubernetesCreation {
    made: CreatedServer,
    /// None if it stays.
    journal: Option<Journal>,
}

impl KubernetesCreation {
    /// Asks all that can be asked before anything is made.
    ///
    /// # Errors
    /// A right, a storage class or a node that there is not, or what the API server has against an object.
    pub async fn rehearse_creation(api: &Api, spec: &MakeSpec, rights: &[Right]) -> Result<(), ClusterError> {
        api.require_place(spec.storage_class.as_deref(), &spec.node_selector).await?;
        api.require_rights(rights).await?;
        api.rehearse_creation(&spec.manifests, spec.keep).await
    }

    /// Makes it, and waits until it serves. Nothing is made before everything has been asked that can be.
    ///
    /// # Errors
    /// It cannot be made, or does not get ready; then nothing of it is left.
    pub async fn create_and_wait(
        api: &Api,
        spec: &MakeSpec,
        rights: &[Right],
        context: Option<&str>,
        environment: &Environment,
        on_progress: &mut (dyn FnMut(AcquireProgress) + Send),
    ) -> Result<Self, Cause> {
        Self::rehearse_creation(api, spec, rights).await?;
        let manifests = fill_in_secrets(&spec.manifests, spec.drawn)?;
        let made = CreatedServer {
            kubeconfig: environment.nonempty_variable("KUBECONFIG").map(str::to_owned),
            context: context.map(str::to_owned),
            namespace: api.namespace_name().to_owned(),
            label: spec.label.clone(),
            objects: manifests.iter().map(ObjectOf::from_manifest).collect(),
        };
        let change = MachineChange::InKubernetes(made.clone());
        let journal = if spec.keep { None } else { Some(write_down(&change, environment)?) };
        let making = Self { made, journal };
        on_progress(AcquireProgress::CreatingCluster);
        let serves = async {
            api.create_objects(&manifests, spec.keep).await?;
            if !spec.keep {
                keep_logins(api.namespace_name(), &manifests);
            }
            on_progress(AcquireProgress::Starting);
            api.await_ready(&making.made, spec.ready_within).await
        };
        match serves.await {
            Ok(()) => Ok(making),
            // What is somebody else's stays; nothing has been made yet.
            Err(error @ ClusterError::Exists { .. }) => {
                making.leave_objects();
                Err(error.into())
            }
            Err(error) => {
                // The cause is the news; what could not be removed stays written down.
                let _ = making.release_objects();
                Err(error.into())
            }
        }
    }

    /// What was made, and where.
    #[must_use]
    pub fn made_objects(&self) -> &CreatedServer {
        &self.made
    }

    /// Removes it.
    ///
    /// # Errors
    /// Something could not be removed; it stays written down.
    pub fn release_objects(mut self) -> Result<(), Cause> {
        self.journal.take().map_or(Ok(()), close_journal)
    }

    /// Leaves everything where it is; nobody removes it any more but who is asked to.
    pub fn leave_objects(mut self) {
        if let Some(journal) = self.journal.take() {
            journal.abandon_changes();
        }
    }
}

/// Undoes what is written down.
pub(crate) fn close_journal(journal: Journal) -> Result<(), Cause> {
    let settled = tokio::task::block_in_place(|| journal.close_and_undo());
    match settled.into_iter().find_map(|Settled { change, outcome }| Some((change.to_string(), outcome.err()?))) {
        None => Ok(()),
        Some((change, error)) => {
            let said = error.detail().unwrap_or_else(|| error.to_string());
            let said = format!("{said}; `pgdyno restore` tries again");
            Err(Failure::system_call_failed(format!("undo the {change}"))(said).into())
        }
    }
}

/// Writes down what is going to be made, or changed.
pub(crate) fn write_down(change: &MachineChange, environment: &Environment) -> Result<Journal, Cause> {
    let failed = |error: journal::JournalError| {
        let said = error.detail().map_or_else(|| error.to_string(), |detail| format!("{error}: {detail}"));
        Cause::from(Failure::system_call_failed("record the changes in Kubernetes")(said))
    };
    let directory = journal::journal_directory(environment).map_err(failed)?;
    let mut journal = Journal::begin_journal(&directory).map_err(failed)?;
    journal.make_change(change).map_err(failed)?;
    Ok(journal)
}

/// The manifests with what is drawn for them in its place.
fn fill_in_secrets(manifests: &[Value], [password, certificate, key]: [&str; 3]) -> Result<Vec<Value>, Cause> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(Failure::system_call_failed("generate a password"))?;
    let hex: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]);
    let made = made.map_err(Failure::system_call_failed("create a certificate"))?;
    let values = [(password, hex), (certificate, made.cert.pem()), (key, made.signing_key.serialize_pem())];
    let mut manifests = manifests.to_vec();
    for text in
        manifests.iter_mut().filter_map(|of| of.get_mut("stringData")?.as_object_mut()).flat_map(|of| of.values_mut())
    {
        if let Some((_, value)) = values.iter().find(|(stands_for, _)| text.as_str() == Some(stands_for)) {
            *text = Value::String(value.clone());
        }
    }
    Ok(manifests)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_drawn_is_drawn_anew_each_time_and_stands_in_secrets_only() {
        let manifests = [
            json!({ "stringData": { "username": "app", "password": "<p>", "tls.key": "<k>" } }),
            json!({ "spec": "<p>" }),
        ];
        let [first, second] = [(); 2].map(|()| fill_in_secrets(&manifests, ["<p>", "<c>", "<k>"]).expect("drawn"));
        assert_eq!(first[0]["stringData"]["username"], "app");
        assert!(first[0]["stringData"]["tls.key"].as_str().is_some_and(|key| key.contains("PRIVATE KEY")));
        assert_ne!(first[0]["stringData"]["password"], second[0]["stringData"]["password"]);
        assert_eq!(first[1], manifests[1]);
    }

    #[test]
    fn who_logs_in_to_a_server_that_was_made_is_known_without_reading_its_secret() {
        let of_pod = json!({
            "kind": "Secret", "metadata": { "name": "a-app" },
            "stringData": { "username": "app", "password": "<p>", "dbname": "app" },
        });
        let of_load =
            json!({ "kind": "Secret", "metadata": { "name": "load" }, "stringData": { "PASSWORD_OF_A": "x" } });
        let manifests = fill_in_secrets(&[of_pod, of_load], ["<p>", "<c>", "<k>"]).expect("drawn");
        keep_logins("made-in-a-test", &manifests);
        let login = drawn_login("made-in-a-test", "a-app").expect("it is known");
        assert_eq!((login.user.as_str(), login.database.as_deref()), ("app", Some("app")));
        assert_eq!(manifests[0]["stringData"]["password"], login.password);
        assert_eq!(drawn_login("made-in-a-test", "load"), None);
        assert_eq!(drawn_login("elsewhere", "a-app"), None);
    }
}
