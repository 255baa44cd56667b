//! A PostgreSQL found by its name: its pod, who may log in, whom to trust, and where the load connects to.

use k8s_openapi::api::core::v1::{Pod, Secret, Service};
use kube::ResourceExt as _;
use results::facts::OfPlatform;

use crate::api::{Api, Kind};
use crate::cnpg::{self, CLUSTER, Cluster, POOLER, Pooler};
use crate::describe::{self, Gaps};
use crate::error::ClusterError;
use crate::login::{self, Login};
use crate::pods::{self, POD};
use crate::service::{self, Endpoint, SERVICE, Way};
use crate::settings;

/// The kind of a Secret.
pub(crate) const SECRET: Kind = Kind { word: "Secret", plural: "secrets" };

/// Which PostgreSQL is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// The primary of a CloudNativePG cluster.
    Cluster {
        /// Its name.
        name: String,
        /// A Secret in place of that of the application's user.
        secret: Option<String>,
    },
    /// The pod with these labels.
    Pods {
        /// As `kubectl -l` takes them.
        labels: String,
        /// The Secret to log in with.
        secret: String,
    },
}

/// A PostgreSQL that was found.
#[derive(Debug, Clone)]
pub struct Found {
    /// Who logs in.
    pub login: Login,
    /// The certificate of the cluster's authority, where there is one.
    pub authority: Option<String>,
    /// The name that the server's certificate has; none where no authority is known.
    pub server_name: Option<String>,
    /// Where the load connects to.
    pub load: Endpoint,
    /// Where the control plane does: never through a pooler.
    pub control: Endpoint,
    /// The pod that serves.
    pub pod: String,
    /// The container of it that PostgreSQL is in.
    pub container: String,
    /// What Kubernetes says of it.
    pub of_platform: OfPlatform,
    /// What may not be read of that, and why.
    pub gaps: Gaps,
}

/// Finds a PostgreSQL and the way to it. Reads objects, and changes none.
///
/// # Errors
/// Everything in [`ClusterError`].
pub async fn find(api: &Api, which: &Which, way: &Way) -> Result<Found, ClusterError> {
    match which {
        Which::Cluster { name, secret } => of_cluster(api, name, secret.as_deref(), way).await,
        Which::Pods { labels, secret } => of_pods(api, labels, secret, way).await,
    }
}

async fn of_cluster(api: &Api, name: &str, secret: Option<&str>, way: &Way) -> Result<Found, ClusterError> {
    let object = api.get_custom(&cnpg::resource(CLUSTER), CLUSTER, name).await?;
    let cluster: Cluster = cnpg::read(&object, CLUSTER)?;
    let primary = cluster.primary(name).map_err(|unfit| settings::with_who_changes(&object, unfit))?;
    let pod: Pod = api.get(POD, primary).await?;
    pods::require_ready(&pod)?;
    let secret = secret.map_or_else(|| cluster.secret(name), str::to_owned);
    let login = login::login(&api.get::<Secret>(SECRET, &secret).await?)?;
    let authority = match &cluster.status.certificates.server_ca_secret {
        Some(secret) => login::authority(&api.get(SECRET, secret).await?),
        None => None,
    };
    // The certificate has the names of the Services and no addresses.
    let read_write = format!("{name}-rw");
    let server_name = authority.is_some().then(|| format!("{read_write}.{}.svc", api.namespace()));
    let way = match way {
        Way::Service(None) => &Way::Service(Some(read_write)),
        given => given,
    };
    if let Way::Pooler(pooler) = way {
        require_pooler_of(api, pooler, name).await?;
    }
    let described = describe::describe(api, &pod, Some(&cluster)).await;
    found(api, &pod, login, (authority, server_name), described, way).await
}

async fn require_pooler_of(api: &Api, name: &str, cluster: &str) -> Result<(), ClusterError> {
    let object = api.get_custom(&cnpg::resource(POOLER), POOLER, name).await?;
    let PoolerOf { cluster: of, reads_only } = pooler_of(&cnpg::read(&object, POOLER)?);
    let wrong = |said: String| ClusterError::NoWay {
        way: "Pooler of that name",
        pod: format!("of the primary of {cluster}"),
        said,
        hint: "name a Pooler of this cluster whose type is rw",
    };
    match (of == cluster, reads_only) {
        (false, _) => Err(wrong(format!("{name} is the Pooler of the cluster {of}"))),
        (true, true) => Err(wrong(format!("{name} leads to replicas"))),
        (true, false) => Ok(()),
    }
}

struct PoolerOf {
    cluster: String,
    reads_only: bool,
}

fn pooler_of(pooler: &Pooler) -> PoolerOf {
    PoolerOf { cluster: pooler.spec.cluster.name.clone(), reads_only: pooler.spec.kind.starts_with("ro") }
}

async fn of_pods(api: &Api, labels: &str, secret: &str, way: &Way) -> Result<Found, ClusterError> {
    let pods: Vec<Pod> = api.list(POD, labels).await?;
    if pods.is_empty()
        && let Some(no_namespace) = api.no_namespace().await
    {
        return Err(no_namespace);
    }
    let pod = pods::only(pods, labels, api.namespace())?;
    pods::require_ready(&pod)?;
    let login = login::login(&api.get::<Secret>(SECRET, secret).await?)?;
    let described = describe::describe(api, &pod, None).await;
    found(api, &pod, login, (None, None), described, way).await
}

async fn found(
    api: &Api,
    pod: &Pod,
    login: Login,
    (authority, server_name): (Option<String>, Option<String>),
    (of_platform, gaps): (OfPlatform, Gaps),
    way: &Way,
) -> Result<Found, ClusterError> {
    let load = endpoint(api, pod, way).await?;
    let control = match way {
        Way::Pooler(_) => service::at_pod(pod)?,
        Way::Pod | Way::Service(_) | Way::NodePort(_) | Way::HostNetwork | Way::Socket => load.clone(),
    };
    let container = pods::container(pod).map(|container| container.name.clone()).unwrap_or_default();
    Ok(Found { login, authority, server_name, load, control, pod: pod.name_any(), container, of_platform, gaps })
}

async fn endpoint(api: &Api, pod: &Pod, way: &Way) -> Result<Endpoint, ClusterError> {
    let named = async |name: &str| api.get::<Service>(SERVICE, name).await;
    match way {
        Way::Pod | Way::Socket => service::at_pod(pod),
        Way::HostNetwork => service::at_host(pod),
        Way::Service(Some(name)) => service::at_service(pod, &named(name).await?),
        Way::NodePort(Some(name)) => service::at_node(pod, &named(name).await?),
        Way::Service(None) => {
            let services: Vec<Service> = api.list(SERVICE, "").await?;
            service::at_service(pod, service::leading_to(pod, &services, false)?)
        }
        Way::NodePort(None) => {
            let services: Vec<Service> = api.list(SERVICE, "").await?;
            service::at_node(pod, service::leading_to(pod, &services, true)?)
        }
        Way::Pooler(name) => service::at_pooler(&named(name).await?, name),
    }
}
