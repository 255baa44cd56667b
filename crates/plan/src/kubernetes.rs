//! A PostgreSQL in Kubernetes as a plan names it: which one, and by which way the load reaches it.

use serde_json::json;

use super::consent::OperatorsConsent;
use super::document::YamlValue;
use super::language::{
    At, Form, MappingFields, MappingRecord, PlanReadingFindings, TargetName, TextForm, ValueDescription, Yaml, choice,
    quote_text, read_text, record, words,
};
use super::made::Made;
use super::object_name::ObjectName;
use work::WordChoice as _;

record! {
    /// A PostgreSQL server in Kubernetes, selected by `cluster`, `pods`, `create` or `server_of`.
    pub struct Kubernetes = "a server in Kubernetes", check = Self::of_owner {
        /// Which one.
        keys server: InKubernetes,
        /// Secret with user, password and database. Its keys are those of CloudNativePG (`username`, `password`,
        /// `dbname`) or of other operators.
        key secret: Option<ObjectName> =
            Open("for `cluster` the Secret of the application user that CloudNativePG created; required for `pods`"),
        /// Object with the CA certificate of the server in `ca.crt`. An object that also contains a private key is
        /// rejected. The Secret `CLUSTER-ca` contains one, and pgdyno never reads it.
        key ca: Option<CaFrom> =
            Open("for `cluster` the file in its pod, read by `pods/exec`; for `pods` none, and the certificate is not verified"),
        /// Namespace.
        key namespace: Option<ObjectName> = Open("the namespace of the context"),
        /// Context of your kubeconfig. pgdyno finds the kubeconfig as kubectl does.
        key context: Option<String> as Option<TextForm> = Open("the current context; inside a cluster, that cluster"),
        /// Database to connect to.
        key database: Option<DatabaseName> = Open("the database in the Secret"),
        /// Route of the clients to the server.
        key via: ClusterVia = Default("service"),
        /// Encrypt connections. `true`: connections are encrypted, and the certificate of the server is verified if its
        /// CA is known. `false`: connections are not encrypted, even if the server offers TLS.
        key tls: Option<bool> = Open("`true` for CloudNativePG clusters; for others, if the server offers TLS"),
        /// Permit `settings` to change settings of the whole `cluster`, for all its users. pgdyno writes them to the
        /// `Cluster` object before a trial, and the operator applies them, with a restart if necessary. pgdyno, or
        /// `pgdyno restore`, restores the previous values.
        key may_change: bool as OperatorsConsent = Default("false"),
    }
}

choice! {
    /// Which PostgreSQL of a Kubernetes cluster.
    pub enum InKubernetes = "one of `cluster`, `pods`, `create`, `server_of` is required" {
        /// Name of an existing CloudNativePG cluster; its primary is measured. pgdyno changes nothing there without
        /// `may_change`.
        "cluster" => Cluster(ObjectName),
        /// Labels that identify the one pod to measure, for any other PostgreSQL: `app=db,role=primary`. pgdyno changes
        /// nothing there.
        "pods" => Pods(Selector),
        /// A server that pgdyno creates, measures, and removes at the end.
        "create" => Create(Box<Made>),
        /// Target in Kubernetes whose server is used, with another route.
        "server_of" => ServerOf(OfTarget),
    }
}

/// Labels that pods must have: `key=value`, several with commas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector(pub String);

/// The name of another target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfTarget(pub String);

/// The name of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseName(pub String);

/// A way to a PostgreSQL in Kubernetes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClusterVia {
    /// To the pod's own address.
    Pod,
    /// To the address of a Service, of this name or the one that leads to the pod.
    Service(Option<ObjectName>),
    /// To a port of the pod's node, by the Service of this name or the one that has one.
    NodePort(Option<ObjectName>),
    /// To the node's own address, in whose network the pod is.
    HostNetwork,
    /// Through the server's Unix-domain socket.
    Socket,
    /// To the PgBouncers of a CloudNativePG Pooler: of this name, or the one that was made with the server.
    Pooler(Option<ObjectName>),
}

words! {
    /// What a way leads through.
    Through {
        Pod = "pod", "to the address of the pod";
        Service = "service", "to the Service of the primary";
        NodePort = "node-port", "to a port of the node of the pod, through a NodePort Service";
        HostNetwork = "host-network", "to the address of the node, for a pod with `hostNetwork`";
        Socket = "socket", "through the Unix-domain socket of the server; pgdyno must run as root on the node of the pod";
        Pooler = "pooler", "to the PgBouncer of the Pooler that was created with the server; for another Pooler write `{ pooler: NAME }`";
    }
}

choice! {
    /// A route through a named object.
    enum ByName = "one of `service`, `node-port`, `pooler` is required" {
        /// Name of a Service.
        "service" => Service(ObjectName),
        /// Name of a NodePort Service; clients connect to its port on the node of the pod.
        "node-port" => NodePort(ObjectName),
        /// Name of a CloudNativePG Pooler.
        "pooler" => Pooler(ObjectName),
    }
}

impl MappingRecord for ByName {
    const TITLE: &'static str = "a way";
    const DOC: &'static str = "A route through a named object.";
}

choice! {
    /// A Kubernetes object with a CA certificate.
    pub enum CaFrom = "one of `config-map`, `secret` is required" {
        /// Name of a ConfigMap.
        "config-map" => ConfigMap(ObjectName),
        /// Name of a Secret.
        "secret" => Secret(ObjectName),
    }
}

impl MappingRecord for CaFrom {
    const TITLE: &'static str = "a CA certificate";
    const DOC: &'static str = "A Kubernetes object with a CA certificate.";
}

/// What CloudNativePG appends to the name of a cluster for Secrets that have a private key.
const WITH_PRIVATE_KEY: [&str; 3] = ["-ca", "-server", "-replication"];

impl Kubernetes {
    /// The keys that are the owner's to give.
    fn of_owner(&self, findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) {
        if self.via == ClusterVia::Socket && self.tls == Some(true) {
            fields.report_misplaced(findings, "tls", "requires a route through TCP", "use another route, or remove it");
        }
        if self.may_change && self.found_cluster().is_none() {
            let why = "requires an existing CloudNativePG `cluster`";
            let hint = "remove it: created servers need no permission, and others without an operator have no such \
                        changes";
            fields.report_misplaced(findings, "may_change", why, hint);
        }
        if self.tls == Some(false) && self.ca.is_some() {
            let hint = "remove it, or remove `tls: false`";
            fields.report_misplaced(findings, "ca", "requires encrypted connections", hint);
        }
        self.no_private_key(findings, fields);
        match &self.server {
            InKubernetes::ServerOf(_) => {
                for key in ["secret", "ca", "namespace", "context", "database"] {
                    let why = "is determined by the target that owns the server";
                    fields.report_misplaced(findings, key, why, "remove it, or move it to that target");
                }
            }
            InKubernetes::Pods(_) if self.secret.is_none() => {
                let why = "requires a `secret` for the login";
                fields.report_misplaced(
                    findings,
                    "pods",
                    why,
                    "add `secret: NAME`, since a pod does not show its logins",
                );
            }
            InKubernetes::Create(_) => {
                for key in ["secret", "ca", "database"] {
                    fields.report_misplaced(
                        findings,
                        key,
                        "is created with the server",
                        "remove it: pgdyno uses its own",
                    );
                }
            }
            InKubernetes::Cluster(_) | InKubernetes::Pods(_) => {}
        }
    }

    /// Refuses Secrets of a cluster that sign certificates, or log in as a replica: nothing that is measured needs
    /// them.
    fn no_private_key(&self, findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) {
        let InKubernetes::Cluster(ObjectName(cluster)) = &self.server else { return };
        let has_key =
            |name: &str| name.strip_prefix(cluster.as_str()).is_some_and(|suffix| WITH_PRIVATE_KEY.contains(&suffix));
        let why = "refers to a Secret with a private key, which pgdyno never reads";
        if self.secret.as_ref().is_some_and(|ObjectName(name)| has_key(name)) {
            let hint = "remove it, or specify a Secret with user and password";
            fields.report_misplaced(findings, "secret", why, hint);
        }
        if let Some(CaFrom::Secret(ObjectName(name))) = &self.ca
            && has_key(name)
        {
            let hint = "remove it, or specify an object that contains only `ca.crt`";
            fields.report_misplaced(findings, "ca", why, hint);
        }
    }

    /// The cluster of CloudNativePG that was found, with its namespace and context.
    pub(super) fn found_cluster(&self) -> Option<(&ObjectName, Option<&ObjectName>, Option<&str>)> {
        match &self.server {
            InKubernetes::Cluster(name) => Some((name, self.namespace.as_ref(), self.context.as_deref())),
            InKubernetes::Pods(_) | InKubernetes::Create(_) | InKubernetes::ServerOf(_) => None,
        }
    }

    /// What is made, if the server is made.
    #[must_use]
    pub fn server_to_make(&self) -> Option<&Made> {
        match &self.server {
            InKubernetes::Create(made) => Some(made),
            InKubernetes::Cluster(_) | InKubernetes::Pods(_) | InKubernetes::ServerOf(_) => None,
        }
    }

    /// The target whose server it is, if that is another one.
    #[must_use]
    pub fn server_of(&self) -> Option<&str> {
        match &self.server {
            InKubernetes::ServerOf(OfTarget(target)) => Some(target),
            InKubernetes::Cluster(_) | InKubernetes::Pods(_) | InKubernetes::Create(_) => None,
        }
    }
}

impl ClusterVia {
    /// What it leads through.
    #[must_use]
    pub fn route_kind(&self) -> Through {
        match self {
            Self::Pod => Through::Pod,
            Self::Service(_) => Through::Service,
            Self::NodePort(_) => Through::NodePort,
            Self::HostNetwork => Through::HostNetwork,
            Self::Socket => Through::Socket,
            Self::Pooler(_) => Through::Pooler,
        }
    }

    /// The name of what it leads through, where one is given.
    #[must_use]
    pub fn route_object_name(&self) -> Option<&str> {
        match self {
            Self::Pod | Self::HostNetwork | Self::Socket => None,
            Self::Service(name) | Self::NodePort(name) | Self::Pooler(name) => {
                name.as_ref().map(|name| name.0.as_str())
            }
        }
    }
}

impl Form for ClusterVia {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        if at.scalar_text() == "port-forward" {
            let why = "which passes every byte through the API server and would measure that";
            let hint =
                "write pod, service or node-port (measured: 3395 transactions/s by port-forward, 50000 by service)";
            return at.report_wrong_value(findings, why, hint);
        }
        Some(match &at.node.value {
            YamlValue::Map(_) => match ByName::read_value(findings, at)? {
                ByName::Service(name) => Self::Service(Some(name)),
                ByName::NodePort(name) => Self::NodePort(Some(name)),
                ByName::Pooler(name) => Self::Pooler(Some(name)),
            },
            YamlValue::List(_) | YamlValue::Plain(_) | YamlValue::Quoted(_) => match Through::read_value(findings, at)?
            {
                Through::Pod => Self::Pod,
                Through::Service => Self::Service(None),
                Through::NodePort => Self::NodePort(None),
                Through::HostNetwork => Self::HostNetwork,
                Through::Socket => Self::Socket,
                Through::Pooler => Self::Pooler(None),
            },
        })
    }

    fn write_value(value: &Self) -> Yaml {
        let word = value.route_kind().as_word();
        Yaml::Scalar(
            value
                .route_object_name()
                .map_or_else(|| word.to_owned(), |name| format!("{{ {word}: {} }}", quote_text(name))),
        )
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::any_of([Through::describe_form(), ByName::describe_form()])
    }
}

fn is_selector(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '/'))
    };
    text.split(',').all(|label| label.split_once('=').is_some_and(|(key, value)| is_part(key) && is_part(value)))
}

impl Form for Selector {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        let hint = "write `key=value`, several of them with commas";
        read_text(findings, at, is_selector, "not labels of a pod", hint).map(Self)
    }

    fn write_value(value: &Self) -> Yaml {
        Yaml::Scalar(quote_text(&value.0))
    }

    fn describe_form() -> ValueDescription {
        let label = "[A-Za-z0-9._/-]+=[A-Za-z0-9._/-]+";
        ValueDescription::new(
            "labels: `key=value`, several with commas",
            "app=db",
            json!({ "type": "string", "pattern": format!("^{label}(,{label})*$") }),
        )
    }
}

impl Form for OfTarget {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        TargetName::read_value(findings, at).map(Self)
    }

    fn write_value(value: &Self) -> Yaml {
        TargetName::write_value(&value.0)
    }

    fn describe_form() -> ValueDescription {
        TargetName::describe_form()
    }
}

impl Form for DatabaseName {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        /// A longer one is cut by the server.
        const BYTES_MAX: usize = 63;
        let fits = |text: &str| (1..=BYTES_MAX).contains(&text.len()) && !text.chars().any(char::is_control);
        read_text(findings, at, fits, "not the name of a database", "write one of at most 63 bytes").map(Self)
    }

    fn write_value(value: &Self) -> Yaml {
        Yaml::Scalar(quote_text(&value.0))
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new("name of a database", "app", json!({ "type": ["string", "number"], "minLength": 1 }))
    }
}
