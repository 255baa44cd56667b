//! Why a PostgreSQL in Kubernetes cannot be worked with: what was looked for, what is there instead, what to try.

/// Something is wrong with the way to a PostgreSQL in Kubernetes. The display is the primary message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClusterError {
    /// Neither a kubeconfig nor a service account.
    #[error("no Kubernetes cluster is configured here")]
    NotConfigured {
        /// What was looked for.
        why: String,
    },
    /// The kubeconfig has no such context.
    #[error("the kubeconfig has no context {context:?}")]
    NoContext {
        /// The context.
        context: String,
        /// Those that it has.
        known: Vec<String>,
    },
    /// The API server does not answer.
    #[error("the Kubernetes API server of {context} does not answer")]
    Away {
        /// The context.
        context: String,
        /// What happened.
        why: String,
    },
    /// The API server does not know who asks.
    #[error("the Kubernetes API server of {context} does not accept the credentials")]
    Unauthorized {
        /// The context.
        context: String,
        /// Its words.
        said: String,
    },
    /// A right is missing.
    #[error("no permission to {verb} {what} in namespace {namespace}")]
    Forbidden {
        /// What was tried, as a Role calls it.
        verb: &'static str,
        /// The kind of object, as a Role calls it.
        what: String,
        /// Where.
        namespace: String,
        /// The API server's words.
        said: String,
    },
    /// The namespace does not exist.
    #[error("there is no namespace {namespace:?}")]
    NoNamespace {
        /// The namespace.
        namespace: String,
        /// Those that there are, where that may be seen.
        known: Vec<String>,
    },
    /// There is no such object.
    #[error("there is no {kind} {name:?} in namespace {namespace}")]
    NotFound {
        /// What it would be.
        kind: &'static str,
        /// Its name.
        name: String,
        /// Where it was looked for.
        namespace: String,
        /// Those of that kind.
        known: Vec<String>,
    },
    /// The cluster does not know the kind.
    #[error("{context} has no resource kind {kind}")]
    NoKind {
        /// The context.
        context: String,
        /// The kind.
        kind: &'static str,
    },
    /// A CloudNativePG cluster is not in order.
    #[error("the cluster {cluster} is not healthy")]
    Unhealthy {
        /// The cluster.
        cluster: String,
        /// What its status says.
        said: String,
    },
    /// A CloudNativePG cluster is changing its primary.
    #[error("the cluster {cluster} is switching its primary from {from} to {to}")]
    Switching {
        /// The cluster.
        cluster: String,
        /// The primary until now.
        from: String,
        /// The next one.
        to: String,
    },
    /// A CloudNativePG cluster has no replica that could become its primary.
    #[error("the cluster {cluster} has no replica to switch to")]
    NoReplica {
        /// The cluster.
        cluster: String,
    },
    /// A CloudNativePG cluster waits for a person before its primary is restarted.
    #[error("the cluster {cluster} restarts its primary only on request (primaryUpdateStrategy: supervised)")]
    Supervised {
        /// The cluster.
        cluster: String,
    },
    /// Another run changes the settings of a CloudNativePG cluster.
    #[error("the settings of the cluster {cluster} are changed by another run")]
    Busy {
        /// The cluster.
        cluster: String,
        /// By whom.
        by: String,
    },
    /// No pod has the labels, or several do.
    #[error("{} pods in namespace {namespace} have the labels {labels}; exactly one is required", pods.len())]
    NotOnePod {
        /// The labels.
        labels: String,
        /// Where.
        namespace: String,
        /// The pods that have them.
        pods: Vec<String>,
    },
    /// A pod does not serve.
    #[error("the pod {pod} is not ready")]
    NotReady {
        /// The pod.
        pod: String,
        /// What its status says.
        said: String,
    },
    /// A Secret lacks what is needed to log in.
    #[error("the Secret {secret} has no {what}")]
    NoKey {
        /// The Secret.
        secret: String,
        /// What is missing.
        what: &'static str,
        /// The names of what it has.
        known: Vec<String>,
    },
    /// An object that is to have a certificate only has a private key, too.
    #[error("the {kind} {name} has a private key ({})", keys.join(", "))]
    HasPrivateKey {
        /// Its kind.
        kind: &'static str,
        /// Its name.
        name: String,
        /// The keys of it that have one.
        keys: Vec<String>,
    },
    /// An object that is to have a certificate has none.
    #[error("the {kind} {name} has no certificate in ca.crt")]
    NoCertificate {
        /// Its kind.
        kind: &'static str,
        /// Its name.
        name: String,
        /// The keys that it has.
        known: Vec<String>,
    },
    /// No way of that kind leads to the pod.
    #[error("no {way} leads to the pod {pod}")]
    NoWay {
        /// The way.
        way: &'static str,
        /// The pod.
        pod: String,
        /// What there is instead.
        said: String,
        /// What to try.
        hint: &'static str,
    },
    /// An object that was to be made is there already.
    #[error("{what} {name} already exists in namespace {namespace}")]
    Exists {
        /// What it is.
        what: &'static str,
        /// Its name.
        name: String,
        /// Where.
        namespace: String,
    },
    /// An object that was to be removed is gone.
    #[error("the object no longer exists")]
    Gone,
    /// The API server does not take an object as it is: a quota, the level of Pod Security, a webhook.
    #[error("the API server rejects an object of the plan")]
    Refused {
        /// Its words.
        said: String,
    },
    /// The API server would take an object without some of it.
    #[error("the API server of {context} does not know {} of {what}", fields.join(", "))]
    Unknown {
        /// The context.
        context: String,
        /// The object.
        what: String,
        /// What it would leave out, by its path.
        fields: Vec<String>,
    },
    /// There is no such storage class.
    #[error("there is no storage class {class:?}")]
    NoClass {
        /// The class.
        class: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// No node has the labels.
    #[error("no node has the labels {labels}")]
    NoNode {
        /// The labels.
        labels: String,
        /// The nodes, with what they have of these.
        known: Vec<String>,
    },
    /// What was made, a server or a volume, is not there in time.
    #[error("{server} was not ready within {seconds} s")]
    NotMade {
        /// The server.
        server: String,
        /// How long it was waited for.
        seconds: u64,
        /// What its objects and the events about them say.
        said: String,
    },
    /// Anything else that the API server, or the client of it, says.
    #[error("could not {verb} {what}")]
    Failed {
        /// What was tried.
        verb: &'static str,
        /// On what.
        what: String,
        /// The reason.
        said: String,
    },
}

impl ClusterError {
    /// What the system said, beyond the primary message.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::NotConfigured { why } | Self::Away { why, .. } => Some(why.clone()),
            Self::Unauthorized { said, .. }
            | Self::Forbidden { said, .. }
            | Self::Unhealthy { said, .. }
            | Self::NotReady { said, .. }
            | Self::Refused { said }
            | Self::NotMade { said, .. }
            | Self::NoWay { said, .. }
            | Self::Failed { said, .. } => Some(said.clone()),
            Self::Busy { by, .. } => Some(format!("by pgdyno on {by}")),
            Self::NotOnePod { pods, .. } => (!pods.is_empty()).then(|| pods.join(", ")),
            Self::NoKey { known, .. } | Self::NoCertificate { known, .. } => {
                Some(format!("it has {}", list_known_names(known)))
            }
            Self::HasPrivateKey { .. } => {
                Some("the private key of a CA can sign certificates, including that of a replica".to_owned())
            }
            Self::NoContext { .. }
            | Self::NoNamespace { .. }
            | Self::NotFound { .. }
            | Self::NoKind { .. }
            | Self::Unknown { .. }
            | Self::NoClass { .. }
            | Self::NoNode { .. }
            | Self::Exists { .. }
            | Self::Gone
            | Self::NoReplica { .. }
            | Self::Supervised { .. }
            | Self::Switching { .. } => None,
        }
    }

    /// What to try.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NotConfigured { .. } => "set KUBECONFIG, as for kubectl".to_owned(),
            Self::NoContext { context, known } => suggest_known_name(context, known, "the contexts are"),
            Self::Away { .. } => "check whether `kubectl version` reaches the API server from here".to_owned(),
            Self::Unauthorized { .. } => "the credentials may have expired: log in again, as for kubectl".to_owned(),
            // Without a name it would be all of them, those that have private keys among them.
            Self::Forbidden { what, .. } if what == "secrets" => {
                "`pgdyno kubernetes rights PLAN` prints the Role that names the Secret".to_owned()
            }
            Self::Forbidden { verb, what, namespace, .. } => {
                format!("run `kubectl create role pgdyno -n {namespace} --verb={verb} --resource={what}`, and bind it")
            }
            Self::NoNamespace { namespace, known } => suggest_known_name(namespace, known, "the namespaces are"),
            Self::NotFound { name, known, .. } if known.is_empty() => {
                format!("no such object exists there: check whether {name} is in another namespace (`namespace`)")
            }
            Self::NotFound { name, known, .. } => suggest_known_name(name, known, "there are"),
            Self::NoKind { .. } => {
                "install CloudNativePG, or specify the pods of another PostgreSQL with `pods` and `secret`".to_owned()
            }
            Self::Unhealthy { .. } => "wait until `kubectl get clusters` shows \"healthy\"".to_owned(),
            Self::Switching { .. } => "wait until the switchover has ended".to_owned(),
            Self::NoReplica { .. } => {
                "configure at least two `instances`, or use the event `restart-in-place`".to_owned()
            }
            Self::Supervised { .. } => {
                "set `primaryUpdateStrategy: unsupervised` in the Cluster, if its owner agrees".to_owned()
            }
            Self::Busy { .. } => "wait until that run has ended; after a killed run, use `pgdyno restore`".to_owned(),
            Self::NotOnePod { .. } => "specify labels that only the pod of the primary has".to_owned(),
            Self::NotReady { .. } => "see `kubectl describe pod`".to_owned(),
            Self::NoKey { .. } => "specify a Secret with user and password".to_owned(),
            Self::HasPrivateKey { .. } | Self::NoCertificate { .. } => {
                "specify a ConfigMap or a Secret that contains only the CA certificate, as ca.crt".to_owned()
            }
            Self::NoWay { hint, .. } => (*hint).to_owned(),
            Self::Exists { .. } => {
                "another run of this plan may be in progress; otherwise remove the object, or change the `seed` of \
                 the plan"
                    .to_owned()
            }
            Self::Refused { said } => of_refusal(said).to_owned(),
            Self::Unknown { .. } => {
                "correct the plan; the field may require a newer version of Kubernetes or of the operator".to_owned()
            }
            Self::NoClass { class, known } => suggest_known_name(class, known, "there are"),
            Self::NoNode { known, .. } => format!("the nodes are {}", list_known_names(known)),
            Self::NotMade { .. } => {
                "change the object in the plan, or increase its time limit (`ready_within`)".to_owned()
            }
            Self::Failed { .. } | Self::Gone => return None,
        })
    }
}

/// What to do when the API server does not take an object.
fn of_refusal(said: &str) -> &'static str {
    if said.contains("exceeded quota") {
        "request less (`resources`, `size`, `instances`), or ask the administrator to raise the quota of the namespace"
    } else if said.contains("PodSecurity") {
        "remove `host_network`, or use a namespace whose Pod Security permits it"
    } else {
        "change the object in the plan, or ask the administrator of the cluster"
    }
}

/// The names of what there is; not all of many.
fn list_known_names(known: &[String]) -> String {
    const SHOWN_AT_MOST: usize = 12;
    let shown: Vec<&str> = known.iter().take(SHOWN_AT_MOST).map(String::as_str).collect();
    let more = if known.len() > SHOWN_AT_MOST { ", …" } else { "" };
    if shown.is_empty() { "nothing".to_owned() } else { format!("{}{more}", shown.join(", ")) }
}

/// The nearest name first, then all.
fn suggest_known_name(name: &str, known: &[String], are: &str) -> String {
    let distances = known.iter().map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate));
    let nearest = distances.min_by_key(|(distance, _)| *distance);
    let near = nearest.filter(|(distance, near)| *distance <= (near.len() / 3).max(1)).map(|(_, near)| near);
    let meant = near.map_or_else(String::new, |near| format!("did you mean {near:?}? "));
    format!("{meant}{are} {}", list_known_names(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_name_is_answered_with_the_nearest_and_with_all() {
        let of = |name: &str, known: &[&str]| {
            let known = known.iter().map(|&name| name.to_owned()).collect();
            ClusterError::NotFound { kind: "Cluster", name: name.to_owned(), namespace: "pg".to_owned(), known }
        };
        let near = of("db-stge", &["db-prod", "db-stage"]);
        assert_eq!(near.to_string(), "there is no Cluster \"db-stge\" in namespace pg");
        assert_eq!(near.hint().as_deref(), Some("did you mean \"db-stage\"? there are db-prod, db-stage"));
        assert_eq!(of("x", &["db-prod"]).hint().as_deref(), Some("there are db-prod"));
        assert!(of("x", &[]).hint().is_some_and(|hint| hint.contains("another namespace")));
    }

    #[test]
    fn a_missing_right_names_the_role_that_would_give_it_and_never_all_secrets() {
        let of = |what: &str| ClusterError::Forbidden {
            verb: "get",
            what: what.to_owned(),
            namespace: "pg".to_owned(),
            said: "it is forbidden".to_owned(),
        };
        assert_eq!(of("secrets").to_string(), "no permission to get secrets in namespace pg");
        assert!(of("pods").hint().is_some_and(|hint| hint.contains("--verb=get --resource=pods")));
        let hint = of("secrets").hint().expect("a hint");
        assert!(hint.contains("kubernetes rights") && !hint.contains("--resource"), "{hint}");
    }
}
