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
use measure::progress::print_to_stderr;
use measure::scripts::OwnScripts;
use problem::{CommandStatus, Problem};

/// Between two looks at what a run says.
const TICK: Duration = Duration::from_secs(1);

/// How long its pod may take to be there: an image has to be pulled, a volume to be provided.
const READY_WITHIN: Duration = Duration::from_secs(300);

/// Undoes what a run that was killed has left, by its journal on the volume.
const RESTORE: &str = "XDG_STATE_HOME=/volume/state pgdyno restore";

/// Begins a run.
pub(super) async fn start_run_in_cluster(arguments: &InsideArgs) -> Result<CommandStatus, Problem> {
    let (plan, scripts) = of_run::read_plan(Some(&arguments.plan))?;
    check_plan_inside(&plan)?;
    let objects = objects_of_run(arguments, plan, &scripts);
    if arguments.dry_run {
        let manifests = objects.manifests.iter().map(|manifest| format!("---\n{:#}\n", manifest.object));
        return documents::print_bytes(manifests.collect::<String>().as_bytes());
    }
    let stop = interrupt::install_signal_handlers()?;
    let beginning = async {
        let api = open_cluster_api(&arguments.place).await?;
        api.require_service_account(&arguments.service_account).await?;
        create_objects(&api, &arguments.place, &objects).await?.leave_objects();
        Ok(api)
    };
    let api = unless_stopped(&stop, Box::pin(beginning)).await?;
    let name = &objects.name;
    print_to_stderr(&format!("run {name} continues in namespace {} of {}", api.namespace_name(), api.context_name()));
    let mut place = format!(" --namespace {}", api.namespace_name());
    if let Some(context) = &arguments.place.context {
        place.push_str(&format!(" --context {context}"));
    }
    let next =
        ["attach", "fetch", "delete"].map(|what| format!("{} kubernetes {what} {name}{place}\n", cli::called_as()));
    documents::print_bytes(next.concat().as_bytes())
}

/// Refuses what cannot be the same inside.
fn check_plan_inside(plan: &Plan) -> Result<(), Problem> {
    for target in &plan.targets {
        let of_target = |what: &str| Problem::usage_error(format!("target {:?}: {what}", target.name));
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

fn objects_of_run(arguments: &InsideArgs, plan: Plan, scripts: &OwnScripts) -> MadeObjects {
    let InsideArgs { image, service_account, node, cpus, storage_class, size, env, seed, .. } = arguments;
    let secrets: &[FromSecret] = env;
    let title = plan.name.clone();
    let text = scripts.plan_in_run(plan).to_yaml();
    let files = scripts.run_directory_files().into_iter().map(|(path, text)| (path, text.to_owned()));
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
    inside.objects_of_run()
}

async fn open_cluster_api(place: &PlaceArgs) -> Result<Api, Problem> {
    Api::open(place.context.as_deref(), place.namespace.as_deref()).await.map_err(Problem::from)
}

/// Makes these objects, and waits until their pod runs.
async fn create_objects(api: &Api, place: &PlaceArgs, objects: &MadeObjects) -> Result<KubernetesCreation, Problem> {
    let manifests = objects.manifests.iter().map(|manifest| manifest.object.clone()).collect();
    let spec = MakeSpec::of_manifests((RUN, &objects.name), manifests, DRAWN, READY_WITHIN);
    let (rights, environment) = (spec.required_rights(), Environment::of_this_process(own_executable()));
    let made =
        KubernetesCreation::create_and_wait(api, &spec, &rights, place.context.as_deref(), &environment, &mut |_| ())
            .await;
    made.map_err(|cause| {
        Problem::could_not_measure(format!("could not create {}: {cause}", objects.name))
            .detail(cause.detail().unwrap_or_default())
            .hint(cause.hint().unwrap_or_default())
    })
}

/// Shows what a run says until it ends.
pub(super) async fn attach_to_run(run: &NamedArgs) -> Result<CommandStatus, Problem> {
    let api = open_cluster_api(&run.place).await?;
    let program = api.find_job_program(RUN, &run.name).await?;
    let Some((pod, made_at)) = &program.pod else {
        return Err(Problem::could_not_measure(format!("the pod of {} has been removed", run.name))
            .hint("its measurements are on its volume: `pgdyno kubernetes fetch`"));
    };
    let mut last = None;
    let mut is_away = false;
    loop {
        match print_new_output(&api, pod, &mut last).await {
            Ok(Course::Ended(status)) => return status_of_ended_run(&api, pod, *made_at, status).await,
            Ok(Course::Waits | Course::Runs) => is_away = false,
            // The run does not need the API server.
            Err(error @ ClusterError::Away { .. }) if !is_away => {
                print_to_stderr(&format!("{error}; the run continues, and pgdyno asks again"));
                is_away = true;
            }
            Err(ClusterError::Away { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        tokio::time::sleep(TICK).await;
    }
}

/// Prints what it has said since the last time. How far it had come before that: nothing that it says is missed.
async fn print_new_output(api: &Api, pod: &str, last: &mut Option<Timestamp>) -> Result<Course, ClusterError> {
    let course = api.course_of_pod(pod).await?;
    if course != Course::Waits {
        for (at, line) in api.printed_lines_of_pod(pod, *last).await? {
            // A reader that has gone misses nothing that is not there any more.
            let _ = documents::print_bytes(format!("{line}\n").as_bytes());
            *last = Some(at);
        }
    }
    Ok(course)
}

/// The status of a run is that of whoever watches it; one that did not end by itself is told with what became of it.
async fn status_of_ended_run(
    api: &Api,
    pod: &str,
    since: Timestamp,
    status: Option<i32>,
) -> Result<CommandStatus, Problem> {
    if let Some(status) = status.and_then(CommandStatus::of_code) {
        return Ok(status);
    }
    let why = api.fate_of_pod(pod, since).await?.unwrap_or_else(|| "the pod reports no reason".to_owned());
    Err(Problem::could_not_measure("the run ended before all trials were measured")
        .detail(why)
        .hint("finished trials are on its volume: `pgdyno kubernetes fetch`, then `pgdyno resume`"))
}

/// Copies the run directory here.
pub(super) async fn fetch_run_directory(run: &NamedArgs, runs: &Path) -> Result<CommandStatus, Problem> {
    let api = open_cluster_api(&run.place).await?;
    let program = api.find_job_program(RUN, &run.name).await?;
    let (name, copied) = match running_pod_name(&api, &program).await? {
        Some(pod) => {
            print_to_stderr("the run is in progress: unfinished trials are not copied");
            copy_newest_run(&scripts_in_pod(&api, pod), runs).await?
        }
        None => {
            let reader = read_by_pod(&api, run, &program).await?;
            let brought = copy_newest_run(&reader.there, runs).await;
            reader.remove_reader_pod().and(brought)?
        }
    };
    let CopiedRunFiles { files, known, bytes } = copied;
    let place = runs.join(&name);
    print_to_stderr(&format!("{files} files, {known} of them already present, {bytes} bytes fetched and verified"));
    documents::print_bytes(format!("{}\n", place.display()).as_bytes())
}

/// A pod that has the volume of a run which has ended.
struct VolumeReader {
    there: PodScripts,
    making: KubernetesCreation,
}

impl VolumeReader {
    fn remove_reader_pod(self) -> Result<(), Problem> {
        self.making.release_objects().map_err(|cause| {
            Problem::could_not_measure("could not remove the pod that reads the volume")
                .detail(cause.detail().unwrap_or_default())
        })
    }
}

async fn read_by_pod(api: &Api, run: &NamedArgs, program: &ProgramJob) -> Result<VolumeReader, Problem> {
    let objects = reader_objects(&run.name, &program.image, &program.service_account);
    let making = create_objects(api, &run.place, &objects).await?;
    Ok(VolumeReader { there: scripts_in_pod(api, &objects.name), making })
}

fn scripts_in_pod(api: &Api, pod: &str) -> PodScripts {
    PodScripts { api: api.clone(), pod: pod.to_owned(), container: PGDYNO, since: Timestamp::now() }
}

/// Its pod, while it runs.
async fn running_pod_name<'p>(api: &Api, program: &'p ProgramJob) -> Result<Option<&'p str>, Problem> {
    let Some((pod, _)) = &program.pod else { return Ok(None) };
    Ok((api.course_of_pod(pod).await? == Course::Runs).then_some(pod.as_str()))
}

async fn copy_newest_run(there: &PodScripts, runs: &Path) -> Result<(String, CopiedRunFiles), Problem> {
    let name = fetch::list_run_directories(there).await?.pop();
    let name = name.ok_or_else(|| {
        Problem::could_not_measure("the run has no directory yet").hint("`pgdyno kubernetes attach` shows its output")
    })?;
    let copied = fetch::copy_run_directory(there, &name, &runs.join(&name)).await?;
    Ok((name, copied))
}

/// Removes a run with all that it has.
pub(super) async fn delete_run(run: &NamedArgs) -> Result<CommandStatus, Problem> {
    let api = open_cluster_api(&run.place).await?;
    let program = api.find_job_program(RUN, &run.name).await?;
    if may_have_left(&api, &program).await? {
        let reader = read_by_pod(&api, run, &program).await?;
        let restored = reader.there.run_script_insistently(RESTORE, &[]).await.map_err(|unanswered| match unanswered {
            UnansweredScript::Lost(why) => {
                Problem::could_not_measure("could not undo the changes of the run").detail(why)
            }
            UnansweredScript::Failed(error) => Problem::from(error),
        });
        print_to_stderr(String::from_utf8_lossy(&reader.remove_reader_pod().and(restored)?).trim());
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
        namespace: api.namespace_name().to_owned(),
        label: (RUN.to_owned(), run.name.clone()),
        objects: kinds.map(object).into(),
    };
    api.remove_objects(&made).await?;
    documents::print_bytes(format!("{} is removed\n", run.name).as_bytes())
}

/// Whether a run had no time, or no way, to remove what it made: one that is there still will have it.
async fn may_have_left(api: &Api, program: &ProgramJob) -> Result<bool, Problem> {
    let Some((pod, _)) = &program.pod else { return Ok(true) };
    Ok(match api.course_of_pod(pod).await? {
        Course::Ended(status) => match status.and_then(CommandStatus::of_code) {
            Some(
                CommandStatus::Done | CommandStatus::Regression | CommandStatus::Usage | CommandStatus::NotEnoughData,
            ) => false,
            Some(CommandStatus::CouldNotMeasure) | None => true,
        },
        Course::Waits | Course::Runs => false,
    })
}
