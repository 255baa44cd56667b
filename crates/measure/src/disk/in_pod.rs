//! A volume of Kubernetes, made to be measured, and the fio in the pod that has it.
//!
//! The pod runs each job file that it finds once, and keeps what came of it until it is asked: a connection that
//! breaks, and an API server that is away meanwhile, cost time only.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use cluster::Api;
use cluster::rights::{Right, merge_right_lists, rights_of_running};
use jiff::Timestamp;
use load::StopRequest;
use plan::{DRAWN, FIO, MadeObjects, SERVER, VOLUME_DIRECTORY, WORK_DIRECTORY};
use server::{Cause, Environment, FioEnd, KubernetesCreation, MakeSpec, copied};

use super::fio::{FioExecution, FioOrder, PATIENCE};
use super::ground::Ground;
use crate::pod_files::PodFiles;
use crate::pod_scripts::{PodScripts, UnansweredScript};
use problem::Problem;

/// Between two looks at what fio has come to.
const TICK: Duration = Duration::from_millis(500);

/// The longest that the pod may take to be there.
const READY_WITHIN: Duration = Duration::from_secs(300);

/// A volume that is to be made.
#[derive(Debug, Clone)]
pub struct Volume {
    /// The context of the kubeconfig; none: the current one.
    pub context: Option<String>,
    /// The namespace; none: that of the context.
    pub namespace: Option<String>,
    /// What is made.
    pub objects: MadeObjects,
}

/// A volume that was made, in a pod that waits for job files.
#[derive(Debug)]
pub struct FioPod {
    scripts: PodScripts,
    making: KubernetesCreation,
}

impl Volume {
    fn make_spec(&self) -> MakeSpec {
        let manifests: Vec<_> = self.objects.manifests.iter().map(|manifest| manifest.object.clone()).collect();
        MakeSpec::of_manifests((SERVER, &self.objects.name), manifests, DRAWN, READY_WITHIN)
    }

    /// Whether it is known of which class it will be.
    #[must_use]
    pub fn names_a_class(&self) -> bool {
        self.make_spec().storage_class.is_some()
    }

    /// What making, measuring and removing it takes.
    #[must_use]
    pub fn required_rights(&self) -> Vec<Right> {
        merge_right_lists([self.make_spec().required_rights(), rights_of_running()])
    }

    /// Refuses to begin without a right that it takes.
    ///
    /// # Errors
    /// The first that is missing.
    pub async fn require_rights(&self) -> Result<(), Problem> {
        self.open_api()
            .await?
            .require_rights(&self.required_rights())
            .await
            .map_err(|error| self.problem_from_cause(&error.into()))
    }

    /// Refuses what cannot be made, before anything is.
    ///
    /// # Errors
    /// What the API server has against it.
    pub async fn check_creation(&self) -> Result<(), Problem> {
        let api = self.open_api().await?;
        let rehearsed = KubernetesCreation::rehearse_creation(&api, &self.make_spec(), &self.required_rights()).await;
        rehearsed.map_err(|error| self.problem_from_cause(&error.into()))
    }

    async fn open_api(&self) -> Result<Api, Problem> {
        let opened = Api::open(self.context.as_deref(), self.namespace.as_deref()).await;
        opened.map_err(|error| self.problem_from_cause(&error.into()))
    }

    /// Makes it, and waits until fio can be started on it.
    ///
    /// # Errors
    /// Why that cannot be; nothing of it is left then.
    pub async fn make_pod(&self, environment: &Environment) -> Result<FioPod, Problem> {
        let since = Timestamp::now();
        let making = async {
            let api = Api::open(self.context.as_deref(), self.namespace.as_deref()).await?;
            let context = self.context.as_deref();
            let making = KubernetesCreation::create_and_wait(
                &api,
                &self.make_spec(),
                &self.required_rights(),
                context,
                environment,
                &mut |_| (),
            )
            .await?;
            let pod = api.pod_of(making.made_objects()).await?;
            Ok(FioPod { scripts: PodScripts { api, pod, container: FIO, since }, making })
        };
        making.await.map_err(|cause| self.problem_from_cause(&cause))
    }

    fn problem_from_cause(&self, cause: &Cause) -> Problem {
        in_words(&format!("could not create the volume {}", self.objects.name), cause)
    }
}

fn in_words(what: &str, cause: &Cause) -> Problem {
    Problem::could_not_measure(format!("{what}: {cause}"))
        .detail(cause.detail().unwrap_or_default())
        .hint(cause.hint().unwrap_or_default())
}

impl FioPod {
    /// Removes it.
    ///
    /// # Errors
    /// Something could not be removed; `pgdyno restore` tries it again.
    pub fn release_volume(self) -> Result<(), Problem> {
        self.making.release_objects().map_err(|cause| in_words("the volume was measured, but not removed", &cause))
    }

    /// What the fio of its image says to these questions.
    pub(super) async fn ask_fio(&self, argument: &str) -> Result<String, Problem> {
        let printed = self.scripts.api.run_script(&self.scripts.pod, FIO, "fio \"$1\"", &[argument]).await;
        let printed = printed.map_err(|error| {
            in_words("could not run fio in its pod", &error.into()).hint("set `image` to an image that has fio")
        })?;
        Ok(String::from_utf8_lossy(&printed).into_owned())
    }

    /// Looks at the volume, and at the memory of its node.
    pub(super) async fn observe_ground(&self) -> Result<Ground, Problem> {
        let failed = |said: String| {
            Problem::could_not_measure(format!("could not read the volume in {}", self.scripts.pod)).detail(said)
        };
        let open = PodFiles::open_shell(&self.scripts.api, &self.scripts.pod, FIO).await;
        let mut files = open.map_err(|error| in_words("could not read the volume", &error.into()))?;
        let directory = Path::new(VOLUME_DIRECTORY);
        files.copy_files("/proc/meminfo /proc/self/mountinfo").await.map_err(failed)?;
        files.copy_disk(Some(directory)).await.map_err(failed)?;
        let space = files.file_system_space(directory).await.map_err(failed)?;
        let space = space.ok_or_else(|| failed("`df` printed no sizes".to_owned()))?;
        let disk = copied::disk_in(files.root_directory(), directory).ok().map(|mut disk| {
            (disk.size_bytes, disk.free_bytes) = (space.size_bytes, space.free_bytes);
            disk
        });
        let memory = files.text_of_file("proc/meminfo").and_then(|text| memory_in(&text));
        Ok(Ground::in_pod(directory, disk, memory, space))
    }

    /// Where the logs of a job are written to there.
    pub(super) fn logs_directory(name: &str) -> String {
        format!("{WORK_DIRECTORY}/{name}/logs")
    }

    /// Has a job file run, waits for its end, and brings what it left here, the logs into `logs`.
    pub(super) async fn run_job_file(
        &self,
        order: FioOrder<'_>,
        stop: &StopRequest,
        mut tick: impl FnMut(Duration),
    ) -> Result<FioExecution, Problem> {
        let of = format!("{WORK_DIRECTORY}/{}", order.name);
        // Where the connection broke after it had been told, it has begun.
        let start =
            "[ -d \"$1\" ] || { mkdir -p \"$1/logs\" && printf %s \"$2\" > \"$1/job.fio\" && touch \"$1/go\"; }";
        self.run_script_insistently(start, &[&of, order.definition]).await?;
        let began = Instant::now();
        let mut told: Option<(Instant, FioEnd)> = None;
        let status = loop {
            tokio::time::sleep(TICK).await;
            tick(began.elapsed());
            let printed = self.run_script_insistently("cat \"$1/end\" 2>/dev/null || true", &[&of]).await?;
            if let Ok(status) = String::from_utf8_lossy(&printed).trim().parse::<i32>() {
                break Some(status);
            }
            match &told {
                None if stop.is_requested() => told = Some((self.signal_fio(&of, "INT").await?, FioEnd::Stopped)),
                None if order.expected.is_some_and(|time| began.elapsed() > time + 3 * PATIENCE) => {
                    told = Some((self.signal_fio(&of, "INT").await?, FioEnd::Hung));
                }
                Some((since, _)) if since.elapsed() > 2 * PATIENCE => break None,
                Some((since, _)) if since.elapsed() > PATIENCE => {
                    self.signal_fio(&of, "KILL").await?;
                }
                None | Some(_) => {}
            }
        };
        let text = async |file: &str| {
            let printed = self.run_script_insistently("cat \"$1/$2\" 2>/dev/null || true", &[&of, file]).await?;
            Ok::<_, Problem>(String::from_utf8_lossy(&printed).into_owned())
        };
        let (output, errors) = (text("output").await?, text("errors").await?);
        self.fetch_logs(&of, &order).await?;
        let end = match (told, status) {
            (Some((_, end)), _) => end,
            (None, Some(0)) => FioEnd::Done,
            (None, status) => FioEnd::Failed(format!("exit status: {}", status.unwrap_or(-1))),
        };
        Ok(FioExecution { output, errors, end, logs: order.logs.to_owned() })
    }

    async fn signal_fio(&self, of: &str, signal: &str) -> Result<Instant, Problem> {
        // A fio that has just ended needs no signal.
        self.run_script_insistently("kill -s \"$2\" \"$(cat \"$1/pid\")\" 2>/dev/null || true", &[of, signal]).await?;
        Ok(Instant::now())
    }

    async fn fetch_logs(&self, of: &str, order: &FioOrder<'_>) -> Result<(), Problem> {
        let there = if order.is_own { VOLUME_DIRECTORY.to_owned() } else { format!("{of}/logs") };
        let names = self.run_script_insistently("cd \"$1\" && ls | grep '\\.log$' || true", &[&there]).await?;
        for name in String::from_utf8_lossy(&names).lines().filter(|name| !name.contains('/')) {
            let text = self.run_script_insistently("cat \"$1/$2\"", &[&there, name]).await?;
            let place = order.logs.join(name);
            fs::write(&place, text).map_err(|error| {
                Problem::could_not_measure(format!("could not write {}", place.display())).detail(error.to_string())
            })?;
        }
        Ok(())
    }

    /// Runs a script, again as long as the API server is away; a pod that is gone says why.
    async fn run_script_insistently(&self, script: &str, arguments: &[&str]) -> Result<Vec<u8>, Problem> {
        self.scripts.run_script_insistently(script, arguments).await.map_err(|unanswered| match unanswered {
            UnansweredScript::Lost(why) => Problem::could_not_measure("fio did not run to its end").detail(why),
            UnansweredScript::Failed(error) => in_words("could not reach the pod of fio", &error.into()),
        })
    }
}

/// The memory of a machine, in bytes, by `/proc/meminfo`.
fn memory_in(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_a_node_is_that_of_meminfo() {
        assert_eq!(memory_in("MemTotal:       24069076 kB\nMemFree: 1 kB\n"), Some(24_069_076 * 1024));
        assert_eq!(memory_in(""), None);
    }
}
