//! The API server: found as kubectl finds it, asked with patience, and its refusals put into words.

use std::fmt::Debug;
use std::time::Duration;

use k8s_openapi::NamespaceResourceScope;
use k8s_openapi::api::core::v1::Namespace;
use kube::api::ListParams;
use kube::config::{KubeConfigOptions, Kubeconfig, KubeconfigError};
use kube::core::dynamic::ApiResource;
use kube::core::{DynamicObject, ObjectList, PartialObjectMeta};
use kube::{Client, Config, Resource};
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::error::ClusterError;

/// The longest that an answer is waited for: an API server that is away for a moment is asked again by the client.
const ANSWER_AT_MOST: Duration = Duration::from_secs(30);
/// The longest that connecting may take.
const CONNECT_AT_MOST: Duration = Duration::from_secs(5);

/// The API server, as one that is asked about one namespace.
#[derive(Clone)]
pub struct Api {
    pub(crate) client: Client,
    context: String,
    namespace: String,
}

impl Debug for Api {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { client: _, context, namespace } = self;
        f.debug_struct("Api").field("context", context).field("namespace", namespace).finish_non_exhaustive()
    }
}

/// A kind of object, as people and as Roles call it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ObjectKind {
    pub(crate) word: &'static str,
    pub(crate) plural: &'static str,
}

impl Api {
    /// Finds the API server as kubectl does: `KUBECONFIG`, `~/.kube/config`, or the service account of the pod that
    /// this runs in. Asks nothing yet.
    ///
    /// # Errors
    /// There is none, or no such context.
    pub async fn open(context: Option<&str>, namespace: Option<&str>) -> Result<Self, ClusterError> {
        Self::from_kubeconfig(Kubeconfig::read(), context, namespace).await
    }

    /// The API server at which something was made or changed, found as it was then.
    ///
    /// # Errors
    /// There is none, or no such context.
    pub async fn open_recorded_context(
        kubeconfig: Option<&str>,
        context: Option<&str>,
        namespace: &str,
    ) -> Result<Self, ClusterError> {
        let kubeconfig = match kubeconfig {
            Some(paths) => paths
                .split(':')
                .filter(|path| !path.is_empty())
                .try_fold(Kubeconfig::default(), |all, path| all.merge(Kubeconfig::read_from(path)?)),
            None => Kubeconfig::read(),
        };
        Self::from_kubeconfig(kubeconfig, context, Some(namespace)).await
    }

    async fn from_kubeconfig(
        kubeconfig: Result<Kubeconfig, KubeconfigError>,
        context: Option<&str>,
        namespace: Option<&str>,
    ) -> Result<Self, ClusterError> {
        let (mut config, context) = load_client_config(kubeconfig, context).await?;
        config.connect_timeout = Some(CONNECT_AT_MOST);
        config.read_timeout = Some(ANSWER_AT_MOST);
        let namespace = namespace.unwrap_or(&config.default_namespace).to_owned();
        let client = Client::try_from(config)
            .map_err(|error| ClusterError::NotConfigured { why: error_with_sources(&error) })?;
        Ok(Self { client, context, namespace })
    }

    /// The context, or what stands for it.
    #[must_use]
    pub fn context_name(&self) -> &str {
        &self.context
    }

    /// The namespace that is asked about.
    #[must_use]
    pub fn namespace_name(&self) -> &str {
        &self.namespace
    }

    /// An object of the namespace.
    pub(crate) async fn get_object<K>(&self, kind: ObjectKind, name: &str) -> Result<K, ClusterError>
    where
        K: Resource<Scope = NamespaceResourceScope, DynamicType = ()> + Clone + DeserializeOwned + Debug,
    {
        self.get_of(&kube::Api::namespaced(self.client.clone(), &self.namespace), kind, name).await
    }

    /// An object of no namespace; none where there is none.
    pub(crate) async fn get_global<K>(&self, kind: ObjectKind, name: &str) -> Result<Option<K>, ClusterError>
    where
        K: Resource<DynamicType = ()> + Clone + DeserializeOwned + Debug,
    {
        let api: kube::Api<K> = kube::Api::all(self.client.clone());
        self.await_api_answer("get", kind, api.get_opt(name)).await
    }

    /// An object of a kind that an operator has brought along.
    pub(crate) async fn get_custom(
        &self,
        resource: &ApiResource,
        kind: ObjectKind,
        name: &str,
    ) -> Result<DynamicObject, ClusterError> {
        self.get_of(&kube::Api::namespaced_with(self.client.clone(), &self.namespace, resource), kind, name).await
    }

    async fn get_of<K>(&self, api: &kube::Api<K>, kind: ObjectKind, name: &str) -> Result<K, ClusterError>
    where
        K: Clone + DeserializeOwned + Debug,
    {
        let found = self.await_api_answer("get", kind, api.get_opt(name)).await?;
        match found {
            Some(object) => Ok(object),
            None => Err(self.not_found(api, kind, name).await),
        }
    }

    /// Why an object is not there: no such namespace, no such kind, or others of the kind.
    async fn not_found<K>(&self, api: &kube::Api<K>, kind: ObjectKind, name: &str) -> ClusterError
    where
        K: Clone + DeserializeOwned + Debug,
    {
        if let Some(no_namespace) = self.no_namespace().await {
            return no_namespace;
        }
        let all = timeout(ANSWER_AT_MOST, api.list_metadata(&ListParams::default())).await;
        let known = match all {
            Ok(Err(kube::Error::Api(status))) if status.code == 404 => {
                return ClusterError::NoKind { context: self.context.clone(), kind: kind.word };
            }
            Ok(Ok(list)) => object_names(list),
            // That it may not be seen, or not now, hides only what else there is.
            Ok(Err(_)) | Err(_) => Vec::new(),
        };
        ClusterError::NotFound { kind: kind.word, name: name.to_owned(), namespace: self.namespace.clone(), known }
    }

    /// Whether it is the namespace that is not there, as far as that may be seen.
    pub(crate) async fn no_namespace(&self) -> Option<ClusterError> {
        let api: kube::Api<Namespace> = kube::Api::all(self.client.clone());
        let is_there = timeout(ANSWER_AT_MOST, api.get_opt(&self.namespace)).await;
        let Ok(Ok(None)) = is_there else { return None };
        let all = timeout(ANSWER_AT_MOST, api.list_metadata(&ListParams::default())).await;
        let known = all.ok().and_then(Result::ok).map_or_else(Vec::new, object_names);
        Some(ClusterError::NoNamespace { namespace: self.namespace.clone(), known })
    }

    /// The objects of the namespace that have these labels.
    pub(crate) async fn list_objects<K>(&self, kind: ObjectKind, labels: &str) -> Result<Vec<K>, ClusterError>
    where
        K: Resource<Scope = NamespaceResourceScope, DynamicType = ()> + Clone + DeserializeOwned + Debug,
    {
        let api: kube::Api<K> = kube::Api::namespaced(self.client.clone(), &self.namespace);
        let selected = ListParams::default().labels(labels);
        Ok(self.await_api_answer("list", kind, api.list(&selected)).await?.items)
    }

    /// The version of Kubernetes.
    pub(crate) async fn kubernetes_version(&self) -> Result<String, ClusterError> {
        let kind = ObjectKind { word: "version", plural: "version" };
        Ok(self.await_api_answer("get", kind, self.client.apiserver_version()).await?.git_version)
    }

    pub(crate) async fn await_api_answer<T>(
        &self,
        verb: &'static str,
        kind: ObjectKind,
        answer: impl Future<Output = Result<T, kube::Error>>,
    ) -> Result<T, ClusterError> {
        let away = |why| ClusterError::Away { context: self.context.clone(), why };
        match timeout(ANSWER_AT_MOST, answer).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => Err(self.in_words(verb, kind, &error)),
            Err(_) => Err(away(format!("no answer within {} s", ANSWER_AT_MOST.as_secs()))),
        }
    }

    pub(crate) fn in_words(&self, verb: &'static str, kind: ObjectKind, error: &kube::Error) -> ClusterError {
        let context = self.context.clone();
        match error {
            kube::Error::Api(status) if status.code == 401 => {
                ClusterError::Unauthorized { context, said: status.message.clone() }
            }
            kube::Error::Api(status) if status.code == 409 && status.is_already_exists() => ClusterError::Exists {
                what: kind.word,
                name: status.details.as_ref().map(|details| details.name.clone()).unwrap_or_default(),
                namespace: self.namespace.clone(),
            },
            kube::Error::Api(status) if status.code == 404 && verb == "delete" => ClusterError::Gone,
            kube::Error::Api(status)
                if ["create", "patch"].contains(&verb) && is_of_admission(verb, status.code, &status.message) =>
            {
                ClusterError::Refused { said: status.message.clone() }
            }
            kube::Error::Api(status) if status.code == 403 => ClusterError::Forbidden {
                verb,
                what: kind.plural.to_owned(),
                namespace: self.namespace.clone(),
                said: status.message.clone(),
            },
            kube::Error::Api(status) => {
                ClusterError::Failed { verb, what: kind.plural.to_owned(), said: status.message.clone() }
            }
            kube::Error::HyperError(_) | kube::Error::Service(_) => {
                ClusterError::Away { context, why: error_with_sources(error) }
            }
            other => ClusterError::Failed { verb, what: kind.plural.to_owned(), said: error_with_sources(other) },
        }
    }
}

/// Whether it is the object that is refused, and not who makes it: RBAC says "cannot create resource".
fn is_of_admission(verb: &str, code: u16, message: &str) -> bool {
    (code == 403 && !message.contains(&format!("cannot {verb} resource"))) || code == 422 || code == 400
}

/// The names of objects.
fn object_names<K>(list: ObjectList<PartialObjectMeta<K>>) -> Vec<String>
where
    K: Clone,
{
    list.items.into_iter().filter_map(|object| object.metadata.name).collect()
}

/// The configuration, and the name of its context.
async fn load_client_config(
    kubeconfig: Result<Kubeconfig, KubeconfigError>,
    context: Option<&str>,
) -> Result<(Config, String), ClusterError> {
    let kubeconfig = match kubeconfig {
        Ok(kubeconfig) => kubeconfig,
        Err(error) if context.is_none() => {
            let config = Config::incluster().map_err(|inside| ClusterError::NotConfigured {
                why: format!(
                    "{}; and pgdyno does not run in a pod: {}",
                    error_with_sources(&error),
                    error_with_sources(&inside)
                ),
            })?;
            return Ok((config, "this pod's cluster".to_owned()));
        }
        Err(error) => return Err(ClusterError::NotConfigured { why: error_with_sources(&error) }),
    };
    let known: Vec<String> = kubeconfig.contexts.iter().map(|context| context.name.clone()).collect();
    let current = kubeconfig.current_context.clone();
    let Some(name) = context.map(str::to_owned).or(current).filter(|name| !name.is_empty()) else {
        return Err(ClusterError::NotConfigured { why: "the kubeconfig has no current context".to_owned() });
    };
    if !known.contains(&name) {
        return Err(ClusterError::NoContext { context: name, known });
    }
    let options = KubeConfigOptions { context: Some(name.clone()), ..KubeConfigOptions::default() };
    let config = Config::from_custom_kubeconfig(kubeconfig, &options).await;
    let config =
        config.map_err(|error: KubeconfigError| ClusterError::NotConfigured { why: error_with_sources(&error) })?;
    Ok((config, name))
}

/// An error with all that it comes from: the outer ones say little.
pub(crate) fn error_with_sources(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let said = error.to_string();
        if !words.contains(&said) {
            words = format!("{words}: {said}");
        }
        source = error.source();
    }
    words
}
