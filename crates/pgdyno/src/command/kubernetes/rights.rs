//! `kubernetes rights`: what the targets of a plan take of a Kubernetes cluster, by namespace.

use std::collections::BTreeMap;
use std::path::Path;

use cluster::Api;
use cluster::rights::{Right, bindings, manifests, together};
use plan::{Kubernetes, Plan, Reach, ServerPlace};

use crate::command::{documents, run};
use crate::experiment::in_kubernetes;
use crate::generator;
use crate::problem::{Problem, Status};

/// The context and the namespace that rights are in, as the plan names them.
type Place = (Option<String>, Option<String>);

/// Says which of them whoever asks does not have.
pub(super) async fn check(path: &Path) -> Result<Status, Problem> {
    let (mut text, mut is_complete) = (String::new(), true);
    for ((context, namespace), rights) in places_of(path)? {
        let api = Api::open(context.as_deref(), namespace.as_deref()).await?;
        let missing = api.missing(&rights).await?;
        is_complete &= !missing.iter().any(|(right, _)| right.without.is_none());
        text.push_str(&told(&api, &missing));
    }
    let printed = documents::print(text.as_bytes())?;
    Ok(if is_complete { printed } else { Status::CouldNotMeasure })
}

/// Prints them, and what gives them to a service account (`NAME`, or `NAMESPACE/NAME`) if there is to be one.
pub(super) async fn print(path: &Path, account: Option<&str>) -> Result<Status, Problem> {
    let mut documents = Vec::new();
    for ((context, namespace), rights) in places_of(path)? {
        let namespace = match namespace {
            Some(namespace) => namespace,
            None => Api::open(context.as_deref(), None).await?.namespace().to_owned(),
        };
        documents.push(manifests(&namespace, &rights));
        if let Some(account) = account {
            let (home, name) = account.split_once('/').unwrap_or((&namespace, account));
            documents.push(bindings(&namespace, &rights, (home, name)));
        }
    }
    documents::print(documents.join("---\n").as_bytes())
}

fn places_of(path: &Path) -> Result<BTreeMap<Place, Vec<Right>>, Problem> {
    let places = places(&run::parse_plan(path)?);
    if places.is_empty() {
        return Err(Problem::usage(format!("nothing of {} is in Kubernetes", path.display())));
    }
    Ok(places)
}

/// What the targets of a plan need in each place.
fn places(plan: &Plan) -> BTreeMap<Place, Vec<Right>> {
    let mut places: BTreeMap<Place, Vec<Vec<Right>>> = BTreeMap::new();
    for target in &plan.targets {
        let Reach::Kubernetes(kubernetes) = &target.reach else { continue };
        let spec = in_kubernetes::spec(plan, target, kubernetes);
        let mut rights = spec.rights();
        if plan.seed.is_none() && has_names_of_a_run(plan, kubernetes) {
            // Names end with what is drawn for each run.
            rights.iter_mut().for_each(|right| right.names.clear());
        }
        let volume = in_kubernetes::volume(plan, target, &ServerPlace::to_be_found()).filter(|_| plan.disk.is_some());
        let of_volume = volume.map(|volume| volume.rights());
        places.entry((spec.context, spec.namespace)).or_default().extend(of_volume.into_iter().chain([rights]));
    }
    if let Some((context, namespace, rights)) = generator::rights(plan) {
        places.entry((context, namespace)).or_default().push(rights);
    }
    places.into_iter().map(|(place, lists)| (place, together(lists))).collect()
}

/// Whether what is made for its server has other names in every run.
fn has_names_of_a_run(plan: &Plan, kubernetes: &Kubernetes) -> bool {
    let owner = kubernetes.server_of().and_then(|owner| plan.target(owner)).map(|owner| &owner.reach);
    let owner = if let Some(Reach::Kubernetes(owner)) = owner { owner } else { kubernetes };
    owner.made().is_some_and(|made| !made.server().keep)
}

/// Which rights are missing in a namespace, and what each costs.
fn told(api: &Api, missing: &[(Right, &str)]) -> String {
    let place = format!("{} in namespace {}", api.context(), api.namespace());
    if missing.is_empty() {
        return format!("{place}: every right is there\n");
    }
    let line = |(right, verb): &(Right, &str)| {
        let cost = right.without.unwrap_or("the run does not begin");
        format!("{place}: may not {verb} {}: {cost}\n", right.resource)
    };
    missing.iter().map(line).collect()
}
