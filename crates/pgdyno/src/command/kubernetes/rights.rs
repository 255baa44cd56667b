//! `kubernetes rights`: what the targets of a plan take of a Kubernetes cluster, by namespace.

use std::collections::BTreeMap;
use std::path::Path;

use cluster::Api;
use cluster::rights::{Right, bindings_of_rights, manifests_of_rights, merge_right_lists};
use plan::{Kubernetes, Plan, Reach, ServerPlace};

use crate::command::{documents, run};
use measure::experiment::in_kubernetes;
use measure::generator;
use problem::{CommandStatus, Problem};

/// The context and the namespace that rights are in, as the plan names them.
type RightsPlace = (Option<String>, Option<String>);

/// Says which of them whoever asks does not have.
pub(super) async fn check_rights(path: &Path) -> Result<CommandStatus, Problem> {
    let (mut text, mut is_complete) = (String::new(), true);
    for ((context, namespace), rights) in places_of(path)? {
        let api = Api::open(context.as_deref(), namespace.as_deref()).await?;
        let missing = api.missing_rights(&rights).await?;
        is_complete &= !missing.iter().any(|(right, _)| right.without.is_none());
        text.push_str(&describe_missing_rights(&api, &missing));
    }
    let printed = documents::print_bytes(text.as_bytes())?;
    Ok(if is_complete { printed } else { CommandStatus::CouldNotMeasure })
}

/// Prints them, and what gives them to a service account (`NAME`, or `NAMESPACE/NAME`) if there is to be one.
pub(super) async fn print_rights(path: &Path, account: Option<&str>) -> Result<CommandStatus, Problem> {
    let mut documents = Vec::new();
    for ((context, namespace), rights) in places_of(path)? {
        let namespace = match namespace {
            Some(namespace) => namespace,
            None => Api::open(context.as_deref(), None).await?.namespace_name().to_owned(),
        };
        documents.push(manifests_of_rights(&namespace, &rights));
        if let Some(account) = account {
            let (home, name) = account.split_once('/').unwrap_or((&namespace, account));
            documents.push(bindings_of_rights(&namespace, &rights, (home, name)));
        }
    }
    documents::print_bytes(documents.join("---\n").as_bytes())
}

fn places_of(path: &Path) -> Result<BTreeMap<RightsPlace, Vec<Right>>, Problem> {
    let places = rights_by_place(&run::parse_plan(path)?);
    if places.is_empty() {
        return Err(Problem::usage_error(format!("{} uses no Kubernetes cluster", path.display())));
    }
    Ok(places)
}

/// What the targets of a plan need in each place.
fn rights_by_place(plan: &Plan) -> BTreeMap<RightsPlace, Vec<Right>> {
    let mut places: BTreeMap<RightsPlace, Vec<Vec<Right>>> = BTreeMap::new();
    for target in &plan.targets {
        let Reach::Kubernetes(kubernetes) = &target.reach else { continue };
        let spec = in_kubernetes::spec_of_target(plan, target, kubernetes);
        let mut rights = spec.required_rights();
        if plan.seed.is_none() && has_names_of_a_run(plan, kubernetes) {
            // Names end with what is drawn for each run. Those of Secrets never do: without one it would be all.
            for right in rights.iter_mut().filter(|right| right.resource != "secrets") {
                right.names.clear();
            }
        }
        let volume =
            in_kubernetes::volume_of_target(plan, target, &ServerPlace::to_be_found()).filter(|_| plan.disk.is_some());
        let of_volume = volume.map(|volume| volume.required_rights());
        places.entry((spec.context, spec.namespace)).or_default().extend(of_volume.into_iter().chain([rights]));
    }
    if let Some((context, namespace, rights)) = generator::rights_for_load_pod(plan) {
        places.entry((context, namespace)).or_default().push(rights);
    }
    places.into_iter().map(|(place, lists)| (place, merge_right_lists(lists))).collect()
}

/// Whether what is made for its server has other names in every run.
fn has_names_of_a_run(plan: &Plan, kubernetes: &Kubernetes) -> bool {
    let owner = kubernetes.server_of().and_then(|owner| plan.target_by_name(owner)).map(|owner| &owner.reach);
    let owner = if let Some(Reach::Kubernetes(owner)) = owner { owner } else { kubernetes };
    owner.server_to_make().is_some_and(|made| !made.server_options().keep)
}

/// Which rights are missing in a namespace, and what each costs.
fn describe_missing_rights(api: &Api, missing: &[(Right, &str)]) -> String {
    let place = format!("{} in namespace {}", api.context_name(), api.namespace_name());
    if missing.is_empty() {
        return format!("{place}: every right is granted\n");
    }
    let line = |(right, verb): &(Right, &str)| {
        let cost = right.without.unwrap_or("the run does not start");
        format!("{place}: no permission to {verb} {}: {cost}\n", right.resource)
    };
    missing.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The Secrets of a cluster called `db` that sign certificates, prove a server, or log in as more than the plan
    /// asks for: by their default names, and as a `Cluster` may name them.
    const NEVER_READ: [&str; 8] = [
        "db-ca",
        "db-server",
        "db-replication",
        "db-superuser",
        "own-server-ca",
        "own-server-tls",
        "own-client-ca",
        "own-replication-tls",
    ];

    /// A plan with these targets, the first called `a`, and more keys.
    fn plan(targets: &str, more: &str) -> Plan {
        let text = format!(
            "name: x\ntargets:\n{targets}baseline: a\nworkloads: {{ w: {{ builtin: select-only, scale: 1 }} }}\nclients: [1]\n{more}"
        );
        plan::parse_plan("plan.yaml", text.as_bytes()).unwrap_or_else(|errors| panic!("{errors}"))
    }

    /// The Secrets that the printed rights let be read, by name.
    fn readable_secrets(printed: &str) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for rule in printed.lines().filter(|line| line.contains("\"secrets\"") || line.contains("\"*\"")) {
            let verbs = rule.split_once("verbs: [").expect("verbs").1;
            if verbs.starts_with("\"create\"]") {
                continue;
            }
            assert!(!verbs.contains("list") && !verbs.contains("watch") && !verbs.contains("delete"), "{rule}");
            let (_, rest) = rule.split_once("resourceNames: [").unwrap_or_else(|| panic!("all Secrets: {rule}"));
            let listed = rest.split_once(']').expect("a list").0;
            names.extend(listed.split(", ").map(|name| name.trim_matches('"').to_owned()));
        }
        names
    }

    fn printed(plan: &Plan) -> String {
        rights_by_place(plan).values().map(|rights| manifests_of_rights("pg", rights)).collect()
    }

    #[test]
    fn printed_rights_read_the_secret_of_the_login_and_none_that_has_a_private_key() {
        let image = "image: \"pg:17\"";
        let inside = "generators: { inside: { kubernetes: { namespace: pg } } }\n";
        let cases: [(&str, &str, &[&str]); 9] = [
            ("  a: { kubernetes: { cluster: db } }\n", "", &["db-app"]),
            ("  a: { kubernetes: { cluster: db, secret: db-superuser } }\n", "", &["db-superuser"]),
            ("  a: { kubernetes: { cluster: db, ca: { config-map: trust } } }\n", "", &["db-app"]),
            ("  a: { kubernetes: { cluster: db, ca: { secret: trust } } }\n", "", &["db-app", "trust"]),
            ("  a: { kubernetes: { pods: \"app=db\", secret: login } }\n", "", &["login"]),
            (
                "  a: { kubernetes: { cluster: db, namespace: pg, may_change: true }, settings: { work_mem: 8MB } }\n  b: { kubernetes: { cluster: db, namespace: other } }\n",
                inside,
                &["db-app"],
            ),
            (&format!("  a: {{ kubernetes: {{ create: {{ cnpg: {{ {image} }} }} }} }}\n"), "", &[]),
            (&format!("  a: {{ kubernetes: {{ create: {{ pod: {{ {image} }} }} }} }}\n"), "seed: 7\n", &[]),
            (
                &format!(
                    "  a: {{ kubernetes: {{ create: {{ statefulset: {{ {image} }} }} }} }}\n  b: {{ kubernetes: {{ server_of: a, via: pod }} }}\n"
                ),
                "disk: { size: 1GB }\n",
                &[],
            ),
        ];
        for (targets, more, readable) in cases {
            let printed = printed(&plan(targets, more));
            let names = readable_secrets(&printed);
            assert_eq!(names, readable.iter().map(|&name| name.to_owned()).collect(), "{targets}{printed}");
            for never in NEVER_READ {
                let asked_for = targets.contains(&format!("secret: {never}"));
                assert!(asked_for || !printed.contains(never), "{never}: {printed}");
            }
        }
    }

    #[test]
    fn what_is_kept_is_read_by_its_name() {
        let kept = plan("  a: { kubernetes: { create: { cnpg: { image: \"pg:17\", keep: true } } } }\n", "");
        let name = kept.objects_of_target(&kept.targets[0]).expect("it is made").name;
        assert_eq!(readable_secrets(&printed(&kept)), [format!("{name}-app")].into());
    }

    #[test]
    fn the_chart_s_role_reads_no_secret_but_those_of_logins() {
        let chart = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/chart/pgdyno/templates");
        let role = std::fs::read_to_string(chart.join("role.yaml")).expect("the chart's Role");
        let lines = role.lines().filter(|line| line.contains("$secrets = ")).collect::<Vec<_>>();
        let expected = ["  {{- $secrets = append $secrets (printf \"%s-app\" $cluster) }}"];
        assert_eq!(lines, expected, "of a cluster only the Secret of its application's user");
        assert!(role.contains("resources: [secrets]\n    resourceNames: {{ uniq . | toJson }}\n    verbs: [get]\n"));
        for suffix in ["ca", "server", "replication"] {
            assert!(role.contains(&format!("\"{suffix}\"")), "{suffix} is refused among rbac.secrets");
        }
        let global = std::fs::read_to_string(chart.join("cluster-role.yaml")).expect("the chart's ClusterRole");
        assert!(!global.contains("secrets"), "{global}");
    }
}
