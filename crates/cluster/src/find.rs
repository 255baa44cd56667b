//! A PostgreSQL found by its name: its pod, who may log in, whom to trust, and where the load connects to.

use std::net::IpAddr;

use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret, Service};
use kube::ResourceExt as _;
use results::facts::OfPlatform;

use crate::api::Api;
use crate::cnpg::{self, CLUSTER, CnpgCluster, CnpgPooler, ObjectReference, POOLER, PoolerSpec};
use crate::describe::{self, ObjectFactGaps};
use crate::error::ClusterError;
use crate::login::{self, ClusterLogin, SECRET};
use crate::make::CONFIG_MAP;
use crate::pods::{self, POD};
use crate::service::{self, Endpoint, SERVICE, ServiceWay};
use crate::settings;

/// The certificate of the authority that signed the server's, as CloudNativePG's instance manager keeps it in every
/// instance (`ServerCACertificateLocation` of `pkg/postgres/configuration.go`). The Secret of the same certificate has
/// the authority's private key, too, with which anybody can sign a certificate of a replica: that one is never read.
const CA_IN_POD: &str = "/controller/certificates/server-ca.crt";

/// Under which name the facts of a server say that its certificate is not verified, and why.
pub const UNVERIFIED: &str = "platform.ca";

/// A PostgreSQL that is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sought {
    /// Which one.
    pub which: Which,
    /// Who logs in.
    pub secret: LoginSecret,
    /// The object that has the certificate of its authority; none: what its own pod has.
    pub ca: Option<CaObject>,
}

/// Which PostgreSQL is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// The primary of the CloudNativePG cluster of this name.
    Cluster(String),
    /// The pod with these labels, as `kubectl -l` takes them.
    Pods(String),
}

/// The Secret to log in with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoginSecret {
    /// The one that a `Cluster` has for the user of its application.
    OfApplication,
    /// The one of this name.
    Named(String),
    /// The one of this name, which this process made: what is in it is known, and it is not read.
    Made(String),
}

/// An object that has the certificate of an authority in `ca.crt`, and no private key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CaObject {
    /// The ConfigMap of this name.
    ConfigMap(String),
    /// The Secret of this name.
    Secret(String),
}

/// A PostgreSQL that was found.
#[derive(Debug, Clone)]
pub struct FoundPostgres {
    /// Who logs in.
    pub login: ClusterLogin,
    /// The certificate of the cluster's authority, where there is one.
    pub authority: Option<String>,
    /// The name that the server's certificate has; none where it is not known.
    pub server_name: Option<String>,
    /// Where the load connects to.
    pub load: Endpoint,
    /// Where the control plane does: never through a pooler.
    pub control: Endpoint,
    /// The pod that serves.
    pub pod: String,
    /// Its addresses: every connection to its server ends at one of them, or within the pod.
    pub addresses: Vec<IpAddr>,
    /// The container of it that PostgreSQL is in.
    pub container: String,
    /// What Kubernetes says of it.
    pub of_platform: OfPlatform,
    /// What may not be read of that, and why.
    pub gaps: ObjectFactGaps,
}

/// Whom a server has to prove itself to be.
struct ServerTrust {
    /// The certificate of its authority.
    authority: Option<String>,
    /// The name in its own certificate.
    server_name: Option<String>,
    /// Why there is no certificate where one was expected.
    missing: Option<ClusterError>,
}

/// Finds a PostgreSQL and the way to it. Reads objects, and changes none. `made` is who logs in to a server that this
/// process made.
///
/// # Errors
/// Everything in [`ClusterError`].
pub async fn find_server(
    api: &Api,
    sought: &Sought,
    made: Option<ClusterLogin>,
    way: &ServiceWay,
) -> Result<FoundPostgres, ClusterError> {
    match &sought.which {
        Which::Cluster(name) => of_cluster(api, name, sought, made, way).await,
        Which::Pods(labels) => of_pods(api, labels, sought, made, way).await,
    }
}

async fn login_of(api: &Api, secret: &str, made: Option<ClusterLogin>) -> Result<ClusterLogin, ClusterError> {
    match made {
        Some(login) => Ok(login),
        None => login::login_from_secret(&api.get_object::<Secret>(SECRET, secret).await?),
    }
}

/// The certificate that an object of the plan's choice has.
async fn ca_of(api: &Api, object: &CaObject) -> Result<String, ClusterError> {
    match object {
        CaObject::ConfigMap(name) => {
            let map: ConfigMap = api.get_object(CONFIG_MAP, name).await?;
            login::ca_alone(CONFIG_MAP.word, name, &login::texts_of_config_map(&map))
        }
        CaObject::Secret(name) => {
            let secret: Secret = api.get_object(SECRET, name).await?;
            login::ca_alone(SECRET.word, name, &login::texts_of_secret(&secret))
        }
    }
}

async fn of_cluster(
    api: &Api,
    name: &str,
    sought: &Sought,
    made: Option<ClusterLogin>,
    way: &ServiceWay,
) -> Result<FoundPostgres, ClusterError> {
    let object = api.get_custom(&cnpg::api_resource_of_kind(CLUSTER), CLUSTER, name).await?;
    let cluster: CnpgCluster = cnpg::deserialize_object(&object, CLUSTER)?;
    let primary = cluster.primary_pod_name(name).map_err(|unfit| settings::with_who_changes(&object, unfit))?;
    let pod: Pod = api.get_object(POD, primary).await?;
    pods::require_ready(&pod)?;
    let secret = match &sought.secret {
        LoginSecret::OfApplication => cluster.application_secret_name(name),
        LoginSecret::Named(secret) | LoginSecret::Made(secret) => secret.clone(),
    };
    let login = login_of(api, &secret, made).await?;
    let (authority, missing) = match &sought.ca {
        Some(object) => (Some(ca_of(api, object).await?), None),
        None => match ca_in_pod(api, &pod).await {
            Ok(certificate) => (Some(certificate), None),
            Err(error) => (None, Some(error)),
        },
    };
    // The certificate has the names of the Services and no addresses.
    let read_write = format!("{name}-rw");
    let server_name = authority.is_some().then(|| format!("{read_write}.{}.svc", api.namespace_name()));
    let trust = ServerTrust { authority, server_name, missing };
    let way = match way {
        ServiceWay::Service(None) => &ServiceWay::Service(Some(read_write)),
        given => given,
    };
    if let ServiceWay::Pooler(pooler) = way {
        require_pooler_of(api, pooler, name).await?;
    }
    let described = describe::describe_platform(api, &pod, Some(&cluster)).await;
    assemble_found_server(api, &pod, login, trust, described, way).await
}

/// The certificate of the authority as the primary's own pod has it.
async fn ca_in_pod(api: &Api, pod: &Pod) -> Result<String, ClusterError> {
    let container = pods::postgres_container(pod).map_or("", |container| container.name.as_str());
    let printed = api.run_script(&pod.name_any(), container, &format!("cat {CA_IN_POD}"), &[]).await?;
    let certificate = String::from_utf8_lossy(&printed).into_owned();
    if certificate.contains("BEGIN CERTIFICATE") {
        return Ok(certificate);
    }
    let what = format!("{CA_IN_POD} of the pod {}", pod.name_any());
    Err(ClusterError::Failed { verb: "read", what, said: "it contains no certificate".to_owned() })
}

async fn require_pooler_of(api: &Api, name: &str, cluster: &str) -> Result<(), ClusterError> {
    let object = api.get_custom(&cnpg::api_resource_of_kind(POOLER), POOLER, name).await?;
    let CnpgPooler { spec: PoolerSpec { cluster: ObjectReference { name: of }, kind } } =
        cnpg::deserialize_object(&object, POOLER)?;
    let wrong = |said: String| ClusterError::NoWay {
        way: "Pooler of that name",
        pod: format!("of the primary of {cluster}"),
        said,
        hint: "specify a Pooler of this cluster with type rw",
    };
    match (of == cluster, kind.as_str()) {
        (false, _) => Err(wrong(format!("{name} belongs to the cluster {of}"))),
        // The operator's own default.
        (true, "rw" | "") => Ok(()),
        (true, "ro") => Err(wrong(format!("{name} leads to replicas (type ro)"))),
        (true, other) => Err(wrong(format!("{name} leads to several instances (type {other})"))),
    }
}

async fn of_pods(
    api: &Api,
    labels: &str,
    sought: &Sought,
    made: Option<ClusterLogin>,
    way: &ServiceWay,
) -> Result<FoundPostgres, ClusterError> {
    let pods: Vec<Pod> = api.list_objects(POD, labels).await?;
    if pods.is_empty()
        && let Some(no_namespace) = api.no_namespace().await
    {
        return Err(no_namespace);
    }
    let pod = pods::only_measurable_pod(pods, labels, api.namespace_name())?;
    pods::require_ready(&pod)?;
    let secret = match &sought.secret {
        LoginSecret::Named(secret) | LoginSecret::Made(secret) => secret,
        LoginSecret::OfApplication => unreachable!("parse refuses pods without a secret"),
    };
    let login = login_of(api, secret, made).await?;
    let authority = match &sought.ca {
        Some(object) => Some(ca_of(api, object).await?),
        None => None,
    };
    let described = describe::describe_platform(api, &pod, None).await;
    assemble_found_server(api, &pod, login, ServerTrust { authority, server_name: None, missing: None }, described, way)
        .await
}

async fn assemble_found_server(
    api: &Api,
    pod: &Pod,
    login: ClusterLogin,
    ServerTrust { authority, server_name, missing }: ServerTrust,
    (of_platform, mut gaps): (OfPlatform, ObjectFactGaps),
    way: &ServiceWay,
) -> Result<FoundPostgres, ClusterError> {
    if let Some(error) = missing {
        gaps.insert(UNVERIFIED.to_owned(), unverified_certificate_gap(&error));
    }
    let load = resolve_endpoint(api, pod, way).await?;
    let control = match way {
        ServiceWay::Pooler(_) => service::at_pod(pod)?,
        ServiceWay::Pod
        | ServiceWay::Service(_)
        | ServiceWay::NodePort(_)
        | ServiceWay::HostNetwork
        | ServiceWay::Socket => load.clone(),
    };
    let container = pods::postgres_container(pod).map(|container| container.name.clone()).unwrap_or_default();
    let addresses = pods::own_addresses(pod);
    let pod = pod.name_any();
    Ok(FoundPostgres { login, authority, server_name, load, control, pod, addresses, container, of_platform, gaps })
}

/// That connections are encrypted, and to whom is not known.
fn unverified_certificate_gap(error: &ClusterError) -> String {
    let detail = error.detail().map_or_else(String::new, |detail| format!(": {detail}"));
    format!(
        "the server's certificate is not verified (sslmode=require): {error}{detail}; grant `pods/exec`, or specify an \
         object that contains only its CA certificate (`ca`)"
    )
}

async fn resolve_endpoint(api: &Api, pod: &Pod, way: &ServiceWay) -> Result<Endpoint, ClusterError> {
    let named = async |name: &str| api.get_object::<Service>(SERVICE, name).await;
    match way {
        ServiceWay::Pod | ServiceWay::Socket => service::at_pod(pod),
        ServiceWay::HostNetwork => service::at_host(pod),
        ServiceWay::Service(Some(name)) => service::at_service(pod, &named(name).await?),
        ServiceWay::NodePort(Some(name)) => service::at_node(pod, &named(name).await?),
        ServiceWay::Service(None) => {
            let services: Vec<Service> = api.list_objects(SERVICE, "").await?;
            service::at_service(pod, service::leading_to(pod, &services, false)?)
        }
        ServiceWay::NodePort(None) => {
            let services: Vec<Service> = api.list_objects(SERVICE, "").await?;
            service::at_node(pod, service::leading_to(pod, &services, true)?)
        }
        ServiceWay::Pooler(name) => service::at_pooler(&named(name).await?, name),
    }
}
