//! The rights that finding and reading a server takes: computed from what is looked for, printed as a Role and a
//! ClusterRole, and asked of the API server one by one. No more than is used, and Secrets by name only.

use std::fmt::Write as _;

use k8s_openapi::api::authorization::v1::{ResourceAttributes, SelfSubjectAccessReview, SelfSubjectAccessReviewSpec};
use kube::api::PostParams;

use crate::api::{Api, ObjectKind};
use crate::disruption::Disruption;
use crate::error::ClusterError;
use crate::find::{CaObject, LoginSecret, Sought, Which};
use crate::login::SECRET;
use crate::make::{CONFIG_MAP, ObjectOf};
use crate::service::ServiceWay;

/// Since Kubernetes 1.35 an exec over a websocket, which is a GET, has to be allowed to create, too.
const EXEC: &[&str] = &["create", "get"];

/// A right on one kind of object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Right {
    /// The group of the API; empty for Kubernetes' own objects.
    pub group: &'static str,
    /// The kind, as Roles call it, such as `pods/exec`.
    pub resource: &'static str,
    /// The names of the objects; none: all.
    pub names: Vec<String>,
    /// What is done.
    pub verbs: &'static [&'static str],
    /// Whether it is one in the whole cluster.
    pub is_global: bool,
    /// What there is not without it; none: the run does not begin.
    pub without: Option<&'static str>,
}

impl Right {
    fn required_right(group: &'static str, resource: &'static str, verbs: &'static [&'static str]) -> Self {
        Self { group, resource, names: Vec::new(), verbs, is_global: false, without: None }
    }

    fn optional_global_right(group: &'static str, resource: &'static str) -> Self {
        Self {
            is_global: true,
            without: Some("kernel, zone and instance type of the node and the provisioner of its volumes are unknown"),
            ..Self::required_right(group, resource, &["get"])
        }
    }
}

/// What finding this server, by this way, and reading its node takes.
#[must_use]
pub fn rights_to_find_server(sought: &Sought, way: &ServiceWay) -> Vec<Right> {
    const CNPG: &str = "postgresql.cnpg.io";
    let get: &[&str] = &["get"];
    let mut rights = match &sought.which {
        Which::Cluster(_) => vec![Right::required_right(CNPG, "clusters", get), Right::required_right("", "pods", get)],
        Which::Pods(_) => vec![Right::required_right("", "pods", &["list"])],
    };
    rights.extend(rights_of_reading(sought));
    let of_cluster = matches!(sought.which, Which::Cluster(_));
    rights.extend(match way {
        ServiceWay::Pod | ServiceWay::HostNetwork | ServiceWay::Socket => None,
        ServiceWay::Service(None) if of_cluster => Some(Right::required_right("", "services", get)),
        ServiceWay::Service(Some(_)) | ServiceWay::NodePort(Some(_)) | ServiceWay::Pooler(_) => {
            Some(Right::required_right("", "services", get))
        }
        ServiceWay::Service(None) | ServiceWay::NodePort(None) => {
            Some(Right::required_right("", "services", &["list"]))
        }
    });
    if let ServiceWay::Pooler(_) = way {
        rights.push(Right::required_right(CNPG, "poolers", get));
    }
    if !of_cluster {
        let without = Some("the fate of the pod in a trial is unknown");
        rights.push(Right { without, ..Right::required_right("", "pods", get) });
    }
    let without = Some("fewer details of a pod that is lost in a trial");
    rights.push(Right { without, ..Right::required_right("", "events", &["list"]) });
    let exec = Right::required_right("", "pods/exec", EXEC);
    let without = if of_cluster && sought.ca.is_none() {
        "nothing is known of the node: no time budget outside PostgreSQL; the server's certificate is not verified"
    } else {
        "nothing is known of the node: no time budget outside PostgreSQL"
    };
    rights.push(Right { without: Some(without), ..exec });
    let claims = Right::required_right("", "persistentvolumeclaims", get);
    rights.push(Right { without: Some("storage class and size of the volume are unknown"), ..claims });
    rights.extend([
        Right::optional_global_right("", "nodes"),
        Right::optional_global_right("", "persistentvolumes"),
        Right::optional_global_right("storage.k8s.io", "storageclasses"),
    ]);
    rights
}

/// The Secrets and the ConfigMap that logging in takes, each by its name. The Secrets of an authority and of a server's
/// certificate are never among them: they have private keys.
fn rights_of_reading(sought: &Sought) -> Vec<Right> {
    let get = |kind: ObjectKind, name: &str| Right {
        names: vec![name.to_owned()],
        ..Right::required_right("", kind.plural, &["get"])
    };
    let login = match (&sought.secret, &sought.which) {
        (LoginSecret::Named(name), _) => Some(get(SECRET, name)),
        (LoginSecret::OfApplication, Which::Cluster(cluster)) => Some(get(SECRET, &format!("{cluster}-app"))),
        (LoginSecret::OfApplication, Which::Pods(_)) | (LoginSecret::Made(_), _) => None,
    };
    let ca = match &sought.ca {
        Some(CaObject::ConfigMap(name)) => Some(get(CONFIG_MAP, name)),
        Some(CaObject::Secret(name)) => Some(get(SECRET, name)),
        None => None,
    };
    login.into_iter().chain(ca).collect()
}

/// What changing the settings of a cluster that was found takes.
#[must_use]
pub fn rights_of_changing(cluster: &str) -> Right {
    Right { names: vec![cluster.to_owned()], ..Right::required_right("postgresql.cnpg.io", "clusters", &["patch"]) }
}

/// What having a cluster go through this takes, and following it.
#[must_use]
pub fn rights_of_disrupting(cluster: &str, what: &[Disruption]) -> Vec<Right> {
    const CNPG: &str = "postgresql.cnpg.io";
    const SEE: &[&str] = &["list", "watch"];
    if what.is_empty() {
        return Vec::new();
    }
    let of_cluster = |right: Right| Right { names: vec![cluster.to_owned()], ..right };
    let without = Some("the time at which its Service leads to the new primary is not reported");
    let mut rights = vec![
        of_cluster(Right::required_right(CNPG, "clusters", SEE)),
        Right::required_right("", "pods", SEE),
        Right { without, ..Right::required_right("discovery.k8s.io", "endpointslices", SEE) },
    ];
    for one in what {
        let of_one = match one {
            Disruption::Switchover | Disruption::RestartInPlace => {
                vec![of_cluster(Right::required_right(CNPG, "clusters/status", &["patch"]))]
            }
            Disruption::DeletePrimary | Disruption::DeletePrimaryForcibly => {
                vec![Right::required_right("", "pods", &["delete"])]
            }
            Disruption::RollingRestart | Disruption::RollingUpdate(_) => vec![rights_of_changing(cluster)],
            Disruption::KillPostmaster => rights_of_running(),
            Disruption::DrainNode => vec![
                Right::required_right("", "pods/eviction", &["create"]),
                Right { is_global: true, ..Right::required_right("", "nodes", &["get", "patch"]) },
            ],
            // A command takes it away.
            Disruption::StopNode(_) => Vec::new(),
        };
        for right in of_one {
            if !rights.contains(&right) {
                rights.push(right);
            }
        }
    }
    rights
}

/// What making these objects takes, seeing why they do not get ready, and removing them.
#[must_use]
pub fn rights_of_making(objects: &[ObjectOf]) -> Vec<Right> {
    let mut rights: Vec<Right> = Vec::new();
    for object in objects {
        let (group, resource) = object.group_and_resource();
        if !rights.iter().any(|right| right.resource == resource) {
            // A Secret goes with what it was made for. Its name is drawn, so that the right to get it would be that to
            // get all Secrets of the namespace.
            let verbs: &[&str] = if resource == SECRET.plural { &["create"] } else { &["create", "delete", "get"] };
            rights.push(Right::required_right(group, resource, verbs));
        }
    }
    // The last look is whether any pod or volume is left that followed from them.
    rights.extend(["pods", "persistentvolumeclaims"].map(|resource| Right::required_right("", resource, &["list"])));
    let why = Some("fewer details of a server that does not become ready");
    let seen = [("events", &["list"]), ("pods/log", &["get"])];
    rights.extend(seen.map(|(resource, verbs)| Right { without: why, ..Right::required_right("", resource, verbs) }));
    let named = Some("a missing storage class or node is reported only by events");
    let places = [("", "nodes", &["list"][..]), ("storage.k8s.io", "storageclasses", &["get", "list"])];
    rights.extend(places.map(|(group, resource, verbs)| Right {
        is_global: true,
        without: named,
        ..Right::required_right(group, resource, verbs)
    }));
    rights
}

/// What having a program run in a pod that was made takes.
#[must_use]
pub fn rights_of_running() -> Vec<Right> {
    vec![Right::required_right("", "pods/exec", EXEC)]
}

/// These rights as manifests: a Role of the namespace, and a ClusterRole for what belongs to none.
#[must_use]
pub fn manifests_of_rights(namespace: &str, rights: &[Right]) -> String {
    let mut text = String::new();
    for (kind, is_global) in [("Role", false), ("ClusterRole", true)] {
        let of_kind: Vec<&Right> = rights.iter().filter(|right| right.is_global == is_global).collect();
        if of_kind.is_empty() {
            continue;
        }
        let place = if is_global { String::new() } else { format!(", namespace: {namespace}") };
        let head = format!(
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: {kind}\nmetadata: {{ name: pgdyno{place} }}\nrules:\n"
        );
        text.push_str(if text.is_empty() { "" } else { "---\n" });
        text.push_str(&head);
        for Right { group, resource, names, verbs, without, .. } in of_kind {
            let names = if names.is_empty() { String::new() } else { format!(", resourceNames: {names:?}") };
            let why = without.map_or_else(String::new, |without| format!(" # else {without}"));
            writeln!(text, "  - {{ apiGroups: [{group:?}], resources: [{resource:?}]{names}, verbs: {verbs:?} }}{why}")
                .expect("a string takes it");
        }
    }
    text
}

/// A service account, by its namespace and name, and what gives it the Role and the ClusterRole of
/// [`manifests_of_rights`].
#[must_use]
pub fn bindings_of_rights(namespace: &str, rights: &[Right], (home, account): (&str, &str)) -> String {
    let mut text =
        format!("apiVersion: v1\nkind: ServiceAccount\nmetadata: {{ name: {account}, namespace: {home} }}\n");
    for (kind, is_global) in [("Role", false), ("ClusterRole", true)] {
        if !rights.iter().any(|right| right.is_global == is_global) {
            continue;
        }
        let place = if is_global { String::new() } else { format!(", namespace: {namespace}") };
        write!(
            text,
            "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: {kind}Binding\n\
             metadata: {{ name: pgdyno-{home}-{account}{place} }}\n\
             roleRef: {{ apiGroup: rbac.authorization.k8s.io, kind: {kind}, name: pgdyno }}\n\
             subjects: [{{ kind: ServiceAccount, name: {account}, namespace: {home} }}]\n"
        )
        .expect("a string takes it");
    }
    text
}

/// Several lists as one, each right once, with all the names and verbs that any of them has.
#[must_use]
pub fn merge_right_lists(lists: impl IntoIterator<Item = Vec<Right>>) -> Vec<Right> {
    let mut all: Vec<Right> = Vec::new();
    for right in lists.into_iter().flatten() {
        let same = all
            .iter_mut()
            .find(|other| (other.group, other.resource, other.verbs) == (right.group, right.resource, right.verbs));
        match same {
            // No names are all of them.
            Some(known) if known.names.is_empty() || right.names.is_empty() => known.names.clear(),
            Some(known) => known
                .names
                .extend(right.names.into_iter().filter(|name| !known.names.contains(name)).collect::<Vec<_>>()),
            None => all.push(right),
        }
    }
    let wider = all.clone();
    all.retain(|right| !wider.iter().any(|other| other != right && other.covers_right(right)));
    all
}

impl Api {
    /// Those of the rights that whoever asks does not have, each with the verb.
    ///
    /// # Errors
    /// The API server does not tell.
    pub async fn missing_rights(&self, rights: &[Right]) -> Result<Vec<(Right, &'static str)>, ClusterError> {
        const REVIEW: ObjectKind =
            ObjectKind { word: "review", plural: "selfsubjectaccessreviews.authorization.k8s.io" };
        let reviews: kube::Api<SelfSubjectAccessReview> = kube::Api::all(self.client.clone());
        let mut missing = Vec::new();
        for right in rights {
            for (verb, name) in right.verb_name_pairs() {
                let review = self.access_review(right, verb, name);
                let answer =
                    self.await_api_answer("create", REVIEW, reviews.create(&PostParams::default(), &review)).await?;
                let lacks = !answer.status.is_some_and(|status| status.allowed);
                if lacks && missing.last().is_none_or(|last| *last != (right.clone(), verb)) {
                    missing.push((right.clone(), verb));
                }
            }
        }
        Ok(missing)
    }

    /// Refuses to begin without a right that nothing can be done without.
    ///
    /// # Errors
    /// The first that is missing, or the API server does not tell.
    pub async fn require_rights(&self, rights: &[Right]) -> Result<(), ClusterError> {
        let needed: Vec<Right> = rights.iter().filter(|right| right.without.is_none()).cloned().collect();
        match self.missing_rights(&needed).await?.into_iter().next() {
            None => Ok(()),
            Some((Right { group, resource, .. }, verb)) => Err(ClusterError::Forbidden {
                verb,
                what: if group.is_empty() { resource.to_owned() } else { format!("{resource}.{group}") },
                namespace: self.namespace_name().to_owned(),
                said: "checked before anything is created".to_owned(),
            }),
        }
    }

    fn access_review(&self, right: &Right, verb: &str, name: Option<&str>) -> SelfSubjectAccessReview {
        let (resource, subresource) = match right.resource.split_once('/') {
            Some((resource, subresource)) => (resource, Some(subresource.to_owned())),
            None => (right.resource, None),
        };
        let attributes = ResourceAttributes {
            group: Some(right.group.to_owned()),
            resource: Some(resource.to_owned()),
            subresource,
            name: name.map(str::to_owned),
            namespace: (!right.is_global).then(|| self.namespace_name().to_owned()),
            verb: Some(verb.to_owned()),
            ..ResourceAttributes::default()
        };
        let spec = SelfSubjectAccessReviewSpec { resource_attributes: Some(attributes), ..Default::default() };
        SelfSubjectAccessReview { spec, ..SelfSubjectAccessReview::default() }
    }
}

impl Right {
    /// Whether another one says nothing more.
    fn covers_right(&self, other: &Self) -> bool {
        (self.group, self.resource) == (other.group, other.resource)
            && self.names.is_empty()
            && self.without.is_none()
            && other.verbs.iter().all(|verb| self.verbs.contains(verb))
    }

    /// Each verb with each name.
    fn verb_name_pairs(&self) -> impl Iterator<Item = (&'static str, Option<&str>)> {
        let names: Vec<Option<&str>> = if self.names.is_empty() {
            vec![None]
        } else {
            self.names.iter().map(|name| Some(name.as_str())).collect()
        };
        self.verbs.iter().flat_map(move |verb| names.clone().into_iter().map(move |name| (*verb, name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_has_what_is_used_and_secrets_by_name_only() {
        let sought = cluster(LoginSecret::OfApplication, None);
        let of_ways = [ServiceWay::Service(None), ServiceWay::Pooler("p".to_owned())]
            .map(|way| rights_to_find_server(&sought, &way));
        let manifests = manifests_of_rights("pg", &merge_right_lists(of_ways));
        let expected = "\
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: pgdyno, namespace: pg }
rules:
  - { apiGroups: [\"postgresql.cnpg.io\"], resources: [\"clusters\"], verbs: [\"get\"] }
  - { apiGroups: [\"\"], resources: [\"pods\"], verbs: [\"get\"] }
  - { apiGroups: [\"\"], resources: [\"secrets\"], resourceNames: [\"db-app\"], verbs: [\"get\"] }
  - { apiGroups: [\"\"], resources: [\"services\"], verbs: [\"get\"] }
";
        assert!(manifests.starts_with(expected), "{manifests}");
        assert_eq!(manifests.matches("kind: ClusterRole").count(), 1, "{manifests}");
        assert_eq!(manifests.matches("\"pods/exec\"").count(), 1, "{manifests}");
    }

    #[test]
    fn what_is_made_takes_making_seeing_and_removing_each_kind_once() {
        let object =
            |kind: &str| ObjectOf { api_version: "v1".to_owned(), kind: kind.to_owned(), name: "a".to_owned() };
        let cluster = ObjectOf { api_version: "postgresql.cnpg.io/v1".to_owned(), ..object("Cluster") };
        let rights = rights_of_making(&[cluster, object("Pod"), object("Service"), object("Service")]);
        let needed: Vec<(&str, &str, &[&str])> = rights
            .iter()
            .filter(|right| right.without.is_none())
            .map(|right| (right.group, right.resource, right.verbs))
            .collect();
        let all: &[&str] = &["create", "delete", "get"];
        let expected = [
            ("postgresql.cnpg.io", "clusters", all),
            ("", "pods", all),
            ("", "services", all),
            ("", "pods", &["list"]),
            ("", "persistentvolumeclaims", &["list"]),
        ];
        assert_eq!(needed, expected);
        let secret = object("Secret");
        assert_eq!(rights_of_making(&[secret])[0].verbs, ["create"], "it goes with its owner, and nobody reads it");
        let by_name = Right { names: vec!["a".to_owned()], ..Right::required_right("", "secrets", &["get"]) };
        let all = merge_right_lists([
            vec![by_name.clone()],
            vec![Right::required_right("", "secrets", &["get"])],
            vec![by_name],
        ]);
        assert_eq!(all[0].names, Vec::<String>::new(), "all of them stay all");
        let making = Right::required_right("", "secrets", &["create", "delete", "get"]);
        let named = Right { names: vec!["a".to_owned()], ..Right::required_right("", "secrets", &["get"]) };
        assert_eq!(merge_right_lists([vec![making.clone()], vec![named]]), [making]);
    }

    #[test]
    fn a_disruption_takes_its_own_right_once_and_seeing_what_follows() {
        let text = |what: &[Disruption]| manifests_of_rights("pg", &rights_of_disrupting("db", what));
        let see = "\
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: pgdyno, namespace: pg }
rules:
  - { apiGroups: [\"postgresql.cnpg.io\"], resources: [\"clusters\"], resourceNames: [\"db\"], verbs: [\"list\", \"watch\"] }
  - { apiGroups: [\"\"], resources: [\"pods\"], verbs: [\"list\", \"watch\"] }
  - { apiGroups: [\"discovery.k8s.io\"], resources: [\"endpointslices\"], verbs: [\"list\", \"watch\"] } # else the time at which its Service leads to the new primary is not reported
";
        let status = "  - { apiGroups: [\"postgresql.cnpg.io\"], resources: [\"clusters/status\"], resourceNames: [\"db\"], verbs: [\"patch\"] }\n";
        let delete = "  - { apiGroups: [\"\"], resources: [\"pods\"], verbs: [\"delete\"] }\n";
        assert_eq!(text(&[Disruption::Switchover, Disruption::RestartInPlace]), format!("{see}{status}"));
        assert_eq!(text(&[Disruption::DeletePrimary, Disruption::Switchover]), format!("{see}{delete}{status}"));
        assert_eq!(rights_of_disrupting("db", &[]), []);
    }

    #[test]
    fn a_pod_by_its_labels_takes_listing_pods_and_one_secret() {
        let which = Which::Pods("a=b".to_owned());
        let sought = Sought { which, secret: LoginSecret::Named("login".to_owned()), ca: None };
        let of_pod = rights_to_find_server(&sought, &ServiceWay::Pod);
        let required: Vec<&str> =
            of_pod.iter().filter(|right| right.without.is_none()).map(|right| right.resource).collect();
        assert_eq!(required, ["pods", "secrets"]);
    }

    fn cluster(secret: LoginSecret, ca: Option<CaObject>) -> Sought {
        Sought { which: Which::Cluster("db".to_owned()), secret, ca }
    }

    #[test]
    fn no_right_reads_a_secret_that_is_not_the_login_s_or_named_by_the_plan() {
        let named = |name: &str| LoginSecret::Named(name.to_owned());
        let cases: [(Sought, &[&str]); 6] = [
            (cluster(LoginSecret::OfApplication, None), &["db-app"]),
            (cluster(named("mine"), None), &["mine"]),
            (cluster(named("db-superuser"), None), &["db-superuser"]),
            (cluster(LoginSecret::Made("db-app".to_owned()), None), &[]),
            (cluster(LoginSecret::OfApplication, Some(CaObject::ConfigMap("trust".to_owned()))), &["db-app"]),
            (cluster(LoginSecret::OfApplication, Some(CaObject::Secret("trust".to_owned()))), &["db-app", "trust"]),
        ];
        let object = ObjectOf { api_version: "v1".to_owned(), kind: "Secret".to_owned(), name: "a".to_owned() };
        for (sought, readable) in cases {
            let disrupting = rights_of_disrupting("db", &[Disruption::Switchover, Disruption::KillPostmaster]);
            let making = rights_of_making(std::slice::from_ref(&object));
            for way in [
                ServiceWay::Service(None),
                ServiceWay::Pod,
                ServiceWay::Pooler("p".to_owned()),
                ServiceWay::NodePort(None),
            ] {
                let all = merge_right_lists([rights_to_find_server(&sought, &way), disrupting.clone(), making.clone()]);
                let of_secrets: Vec<&Right> = all.iter().filter(|right| right.resource == "secrets").collect();
                let mut names: Vec<&str> = Vec::new();
                for right in of_secrets {
                    if right.verbs == ["create"] {
                        continue;
                    }
                    assert!(!right.names.is_empty(), "without names it is all of them: {right:?}");
                    assert_eq!(right.verbs, ["get"], "{right:?}");
                    names.extend(right.names.iter().map(String::as_str));
                }
                assert_eq!(names, readable, "{sought:?} {way:?}");
            }
        }
    }
}
