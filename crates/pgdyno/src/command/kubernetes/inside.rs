//! Runs inside a cluster: begun, watched, fetched, removed. What a run says and what it measured stay in the cluster
//! until somebody asks, so that whoever began it may be away.

use std::path::Path;
use std::time::Duration;

use cluster::{Api, ClusterError, Course, CreatedServer, ObjectOf, ProgramJob};
use jiff::Timestamp;
use plan::{DRAWN, FromSecret, MadeObjects, PGDYNO, Plan, RUN, Reach, RunInside, reader_objects};
use server::{Environment, KubernetesCreation, MakeSpec};

use super::fetch::{self, CopiedRunFiles};
use crate::cli::{self, InsideArgs, NamedArgs, PlaceArgs};
use crate::command::run::own_executable;
use crate::command::{documents, run as of_run};
use measure::interrupt::{self, unless_stopped};
use measure::pod_scripts::{PodScripts, UnansweredScript};
use measure::progress::say;
use measure::scripts::OwnScripts;
use problem::{CommandStatus, Problem};

/// Between two looks at what a run says.
const TICK: Duration = Duration::from_secs(1);

/// How long its pod may take to be there: an image has to be pulled, a volume to be provided.
const READY_WITHIN: Duration = Duration::from_secs(300);

/// Undoes what a run that was killed has left, by its journal on the volume.
const RESTORE: &str = "XDG_STATE_HOME=/volume/state pgdyno restore";

/// Begins a run.
pub(super) async fn run(arguments: &InsideArgs) -> Result<CommandStatus, Problem> {
    let (plan, scripts) = of_run::read_plan(Some(&arguments.plan))?;
    check(&plan)?;
    let objects = objects(arguments, plan, &scripts);
    if arguments.dry_run {
        let manifests = objects.manifests.iter().map(|manifest| format!("---\n{:#}\n", manifest.object));
        return documents::print(manifests.collect::<String>().as_bytes());
    }
    let stop = interrupt::install()?;
    let beginning = async {
        let api = open(&arguments.place).await?;
        api.require_service_account(&arguments.service_account).await?;
        make(&api, &arguments.place, &objects).await?.leave();
        Ok(api)
    };
    let api = unless_stopped(&stop, Box::pin(beginning)).await?;
    let name = &objects.name;
    say(&format!("run {name} continues in namespace {} of {}", api.namespace(), api.context()));
    let mut place = format!(" --namespace {}", api.namespace());
    if let Some(context) = &arguments.place.context {
        place.push_str(&format!(" --context {context}"));
    }
    let next =
        ["attach", "fetch", "delete"].map(|what| format!("{} kubernetes {what} {name}{place}\n", cli::called_as()));
    documents::print(next.concat().as_bytes())
}

/// Refuses what cannot be the same inside.
fn check(plan: &Plan) -> Result<(), Problem> {
    for target in &plan.targets {
        let of_target = |what: &str| Problem::usage(format!("target {:?}: {what}", target.name));
        let urls = match &target.reach {
            Reach::Kubernetes(kubernetes) if kubernetes.context.is_some() => {
                return Err(of_target("`context` has no meaning inside a cluster")
                    .hint("remove it from the plan; `--context` selects the cluster of the run"));
            }
            Reach::Url(url) => Some(url),
            Reach::Kubernetes(_) | Reach::Local(_) | Reach::Shared(_) => None,
        };
        let of_pooler = target.pooler.as_ref().map(|pooler| &pooler.url);
        let urls: Vec<_> = urls.into_iter().chain(of_pooler).filter(|url| url.has_password()).collect();
        if !urls.is_empty() {
            return Err(of_target(
                "its URL contains a password, which every user with read access to the cluster's objects would see",
            )
            .hint("move it from the plan to a Secret, and name the Secret: `--env PGPASSWORD=SECRET/KEY`"));
        }
    }
    Ok(())
}

fn objects(arguments: &InsideArgs, plan: Plan, scripts: &OwnScripts) -> MadeObjects {
    let InsideArgs { image, service_account, node, cpus, storage_class, size, env, seed, .. } = arguments;
    let secrets: &[FromSecret] = env;
    let title = plan.name.clone();
    let text = scripts.plan_in_run(plan).to_yaml();
    let files = scripts.files().into_iter().map(|(path, text)| (path, text.to_owned()));
    let inside = RunInside {
        title: &title,
        of: &Timestamp::now().to_string(),
        files: std::iter::once(("plan.yaml".into(), text)).chain(files).collect(),
        arguments: seed.map_or_else(Vec::new, |seed| vec!["--seed".to_owned(), seed.to_string()]),
        image,
        service_account,
        node: node.as_deref(),
        node_selector: arguments.node_selector.iter().cloned().collect(),
        cpus: *cpus,
        storage_class: storage_class.as_deref(),
        size,
        secrets,
    };
    inside.objects()
}

async fn open(place: &PlaceArgs) -> Result<Api, Problem> {
    Api::open(place.context.as_deref(), place.namespace.as_deref()).await.map_err(Problem::from)
}

/// Makes these objects, and waits until their pod runs.
async fn make(api: &Api, place: &PlaceArgs, objects: &MadeObjects) -> Result<KubernetesCreation, Problem> {
    let manifests = objects.manifests.iter().map(|manifest| manifest.object.clone()).collect();
    let spec = MakeSpec::of_manifests((RUN, &objects.name), manifests, DRAWN, READY_WITHIN);
    let (rights, environment) = (spec.rights(), Environment::current(own_executable()));
    let made = KubernetesCreation::make(api, &spec, &rights, place.context.as_deref(), &environment, &mut |_| ()).await;
    made.map_err(|cause| {
        Problem::could_not_measure(format!("could not create {}: {cause}", objects.name))
            .detail(cause.detail().unwrap_or_default())
            .hint(cause.hint().unwrap_or_default())
    })
}

/// Shows what a run says until it ends.
pub(super) async fn attach(run: &NamedArgs) -> Result<CommandStatus, Problem> {
    let api = open(&run.place).await?;
    let program = api.program(RUN, &run.name).await?;
    let Some((pod, made_at)) = &program.pod else {
        return Err(Problem::could_not_measure(format!("the pod of {} has been removed", run.name))
            .hint("its measurements are on its volume: `pgdyno kubernetes fetch`"));
    };
    let mut last = None;
    let mut is_away = false;
    loop {
        match look(&api, pod, &mut last).await {
            Ok(Course::Ended(status)) => return ended(&api, pod, *made_at, status).await,
            Ok(Course::Waits | Course::Runs) => is_away = false,
            // The run does not need the API server.
            Err(error @ ClusterError::Away { .. }) if !is_away => {
                say(&format!("{error}; the run continues, and pgdyno asks again"));
                is_away = true;
            }
            Err(ClusterError::Away { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        tokio::time::sleep(TICK).await;
    }
}

/// Prints what it has said since the last time. How far it had come before that: nothing that it says is missed.
async fn look(api: &Api, pod: &str, last: &mut Option<Timestamp>) -> Result<Course, ClusterError> {
    let course = api.course(pod).await?;
    if course != Course::Waits {
        for (at, line) in api.printed(pod, *last).await? {
            // A reader that has gone misses nothing that is not there any more.
            let _ = documents::print(format!("{line}\n").as_bytes());
            *last = Some(at);
        }
    }
    Ok(course)
}

/// The status of a run is that of whoever watches it; one that did not end by itself is told with what became of it.
async fn ended(api: &Api, pod: &str, since: Timestamp, status: Option<i32>) -> Result<CommandStatus, Problem> {
    if let Some(status) = status.and_then(CommandStatus::of_code) {
        return Ok(status);
    }
    let why = api.fate(pod, since).await?.unwrap_or_else(|| "the pod reports no reason".to_owned());
    Err(Problem::could_not_measure("the run ended before all trials were measured")
        .detail(why)
        .hint("finished trials are on its volume: `pgdyno kubernetes fetch`, then `pgdyno resume`"))
}

/// Copies the run directory here.
pub(super) async fn fetch(run: &NamedArgs, runs: &Path) -> Result<CommandStatus, Problem> {
    let api = open(&run.place).await?;
    let program = api.program(RUN, &run.name).await?;
    let (name, copied) = match running(&api, &program).await? {
        Some(pod) => {
            say("the run is in progress: unfinished trials are not copied");
            bring(&scripts(&api, pod), runs).await?
        }
        None => {
            let reader = read_by_pod(&api, run, &program).await?;
            let brought = bring(&reader.there, runs).await;
            reader.release().and(brought)?
        }
    };
    let CopiedRunFiles { files, known, bytes } = copied;
    let place = runs.join(&name);
    say(&format!("{files} files, {known} of them already present, {bytes} bytes fetched and verified"));
    documents::print(format!("{}\n", place.display()).as_bytes())
}

/// A pod that has the volume of a run which has ended.
struct VolumeReader {
    there: PodScripts,
    making: KubernetesCreation,
}

impl VolumeReader {
    fn release(self) -> Result<(), Problem> {
        self.making.release().map_err(|cause| {
            Problem::could_not_measure("could not remove the pod that reads the volume")
                .detail(cause.detail().unwrap_or_default())
        })
    }
}

async fn read_by_pod(api: &Api, run: &NamedArgs, program: &ProgramJob) -> Result<VolumeReader, Problem> {
    let objects = reader_objects(&run.name, &program.image, &program.service_account);
    let making = make(api, &run.place, &objects).await?;
    Ok(VolumeReader { there: scripts(api, &objects.name), making })
}

fn scripts(api: &Api, pod: &str) -> PodScripts {
    PodScripts { api: api.clone(), pod: pod.to_owned(), container: PGDYNO, since: Timestamp::now() }
}

/// Its pod, while it runs.
async fn running<'p>(api: &Api, program: &'p ProgramJob) -> Result<Option<&'p str>, Problem> {
    let Some((pod, _)) = &program.pod else { return Ok(None) };
    Ok((api.course(pod).await? == Course::Runs).then_some(pod.as_str()))
}

async fn bring(there: &PodScripts, runs: &Path) -> Result<(String, CopiedRunFiles), Problem> {
    let name = fetch::directories(there).await?.pop();
    let name = name.ok_or_else(|| {
        Problem::could_not_measure("the run has no directory yet").hint("`pgdyno kubernetes attach` shows its output")
    })?;
    let copied = fetch::copy(there, &name, &runs.join(&name)).await?;
    Ok((name, copied))
}

/// Removes a run with all that it has.
pub(super) async fn delete(run: &NamedArgs) -> Result<CommandStatus, Problem> {
    let api = open(&run.place).await?;
    let program = api.program(RUN, &run.name).await?;
    if may_have_left(&api, &program).await? {
        let reader = read_by_pod(&api, run, &program).await?;
        let restored = reader.there.insist(RESTORE, &[]).await.map_err(|unanswered| match unanswered {
            UnansweredScript::Lost(why) => {
                Problem::could_not_measure("could not undo the changes of the run").detail(why)
            }
            UnansweredScript::Failed(error) => Problem::from(error),
        });
        say(String::from_utf8_lossy(&reader.release().and(restored)?).trim());
    }
    let object = |(api_version, kind): (&str, &str)| ObjectOf {
        api_version: api_version.to_owned(),
        kind: kind.to_owned(),
        name: run.name.clone(),
    };
    let kinds = [("v1", "ConfigMap"), ("v1", "PersistentVolumeClaim"), ("batch/v1", "Job")];
    let made = CreatedServer {
        kubeconfig: None,
        context: run.place.context.clone(),
        namespace: api.namespace().to_owned(),
        label: (RUN.to_owned(), run.name.clone()),
        objects: kinds.map(object).into(),
    };
    api.remove(&made).await?;
    documents::print(format!("{} is removed\n", run.name).as_bytes())
}

/// Whether a run had no time, or no way, to remove what it made: one that is there still will have it.
async fn may_have_left(api: &Api, program: &ProgramJob) -> Result<bool, Problem> {
    let Some((pod, _)) = &program.pod else { return Ok(true) };
    Ok(match api.course(pod).await? {
        Course::Ended(status) => match status.and_then(CommandStatus::of_code) {
            Some(
                CommandStatus::Done | CommandStatus::Regression | CommandStatus::Usage | CommandStatus::NotEnoughData,
            ) => false,
            Some(CommandStatus::CouldNotMeasure) | None => true,
        },
        Course::Waits | Course::Runs => false,
    })
}
