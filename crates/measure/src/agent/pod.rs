//! The host of a server in a pod, without any program of ours there: a shell in the server's own container prints
//! files of `/proc` and `/sys`, they are copied into a directory here, and the probes of a host read that.
//!
//! What is seen so: the whole node's CPUs, disks and memory, which no container hides, and of the processes and the
//! control group those of the container. What is not: other pods' processes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cluster::{Api, ClusterError};
use probe::{HostScope, LoadProcesses, Probes};
use results::facts::HostFacts;
use results::interval::Reading;
use results::probe_fields::host_agent;
use server::copied;
use server::{PodShell, SessionOnHost, Whereabouts};
use tokio::time::{Instant, timeout};

use super::late::PendingQuestion;
use crate::pod_files::PodFiles;

/// The longest that a second's files are waited for; those that are later are the next second's.
const READING_AT_MOST: Duration = Duration::from_millis(800);
/// The longest that the facts are waited for.
const FACTS_AT_MOST: Duration = Duration::from_secs(10);

/// Why a second has no reading though the shell is there.
const LATE: &str = "the shell in the pod did not answer in time; its next answer includes this second";

/// The files that are read once a second; those of the postmaster come with its number.
const FILES: &str = "/proc/stat /proc/meminfo /proc/vmstat /proc/diskstats /proc/net/dev /proc/net/snmp \
     /proc/net/netstat /proc/pressure/* /proc/sys/kernel/task_delayacct /proc/[0-9]*/stat /proc/[0-9]*/schedstat \
     /proc/[0-9]*/cmdline /sys/fs/cgroup/cpu.stat /sys/fs/cgroup/memory.events /sys/fs/cgroup/cpu/cpu.stat \
     /sys/fs/cgroup/memory/memory.oom_control";

/// What came of copying a second's files.
struct PodCopyOutcome {
    pod: PodFiles,
    outcome: Result<BTreeSet<PathBuf>, String>,
    /// When they were here.
    at: std::time::Instant,
}

/// The shell in a pod, and what it has printed.
pub struct PodAgent {
    /// Absent while files are copied.
    pod: Option<PodFiles>,
    copying: PendingQuestion<PodCopyOutcome>,
    probes: Probes,
    /// Which of the server's processes serve the load.
    load: LoadProcesses,
    /// The files to be read once a second.
    files: String,
    /// Those that were copied last.
    copied: BTreeSet<PathBuf>,
    /// Names of probes that have answered, so that they can be missed.
    known: BTreeSet<String>,
    /// Why there is nothing to be had any more.
    gone: Option<String>,
}

/// Starts a shell in the container of a server.
///
/// # Errors
/// The right to it is missing, or the container has no shell.
pub(super) async fn start_pod_agent(at: &PodShell) -> Result<PodAgent, ClusterError> {
    let api = Api::open(at.context.as_deref(), Some(&at.namespace)).await?;
    Ok(PodAgent {
        pod: Some(PodFiles::open_shell(&api, &at.pod, &at.container).await?),
        copying: PendingQuestion::without_question(),
        probes: Probes::attach_probes(None, None).await,
        load: LoadProcesses::default(),
        files: FILES.to_owned(),
        copied: BTreeSet::new(),
        known: BTreeSet::new(),
        gone: None,
    })
}

impl PodAgent {
    /// Finds the server of an open session in the pod; the facts of the node, and what could not be read of them.
    ///
    /// # Errors
    /// The shell has ended, or the session's process is not in the pod.
    pub async fn attach_to_server(
        &mut self,
        session: &SessionOnHost,
    ) -> Result<(Option<HostFacts>, BTreeMap<String, String>), String> {
        let looked = timeout(FACTS_AT_MOST, self.find_server(session)).await;
        looked.map_err(|_| format!("the shell in the pod sent nothing for {} s", FACTS_AT_MOST.as_secs()))?
    }

    async fn find_server(
        &mut self,
        session: &SessionOnHost,
    ) -> Result<(Option<HostFacts>, BTreeMap<String, String>), String> {
        let pid = session.backend.backend_pid;
        let pod = self.pod.as_mut().ok_or("files of the pod are being copied")?;
        let files = format!("{} /proc/{pid}/status", copied::files_of_facts().join(" "));
        pod.copy_files(&files).await?;
        let status = pod.text_of_file(&format!("proc/{pid}/status"));
        let postmaster_pid = status.as_deref().and_then(copied::postmaster_in).ok_or_else(|| {
            "the pod runs no process of the session: it is in another pod, or the pod shares its process namespace"
                .to_owned()
        })?;
        pod.copy_files(&format!("/proc/{postmaster_pid}/cgroup /proc/{postmaster_pid}/status")).await?;
        let groups = format!("proc/{postmaster_pid}/cgroup");
        if let Some(text) = pod.text_of_file(&groups) {
            fs::write(pod.root_directory().join(groups), copied::groups_within(&text))
                .map_err(|error| error.to_string())?;
        }
        let data_directory = pod.resolve_link(&format!("/proc/{postmaster_pid}/cwd")).await?.map(PathBuf::from);
        let device = pod.copy_disk(data_directory.as_deref()).await?;
        let wal_device = match &data_directory {
            Some(data) => pod.copy_wal_disk(data).await?.filter(|wal| device.as_ref() != Some(wal)),
            None => None,
        };
        let found = copied::host_in(
            pod.root_directory(),
            Whereabouts { postmaster_pid, data_directory: data_directory.clone() },
        );
        let mut host = found.host;
        if let (Some(host), Some(data)) = (&mut host, &data_directory) {
            for (disk, directory) in [(&mut host.data_disk, data.clone()), (&mut host.wal_disk, data.join("pg_wal"))] {
                if let Some(disk) = disk
                    && let Some(space) = pod.file_system_space(&directory).await?
                {
                    (disk.size_bytes, disk.free_bytes) = (space.size_bytes, space.free_bytes);
                }
            }
        }
        self.files = format!("{FILES} /proc/{postmaster_pid}/task/*/children");
        let root = pod.root_directory().to_owned();
        let scope = HostScope {
            root,
            data_directory: None,
            device,
            wal_device,
            postmaster: Some(postmaster_pid),
            load: self.load.clone(),
            alternating: Vec::new(),
            of_this_process: is_here(pod).then(|| PathBuf::from("/")),
        };
        self.probes = Probes::attach_probes(None, Some(scope)).await;
        Ok((host, found.gaps))
    }

    /// Where its probes look up which of the server's processes serve the load: by their numbers in the container,
    /// which the server has them by, too.
    pub fn load_processes(&self) -> LoadProcesses {
        self.load.clone()
    }

    /// Takes the first snapshots of a series.
    pub async fn prime_probes(&mut self) {
        if self.refresh_files().await.is_ok() {
            self.probes.take_first_snapshot().await;
        }
    }

    /// What the probes read since the last time; gaps with a reason if the pod cannot be asked.
    pub async fn read_probes(&mut self) -> BTreeMap<String, Reading> {
        let begun = Instant::now();
        let gap = |reason: &str| {
            let took_us = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
            Reading::Gap { took_us, gap: reason.to_owned() }
        };
        match self.refresh_files().await {
            Ok(at) => {
                let readings = self.probes.read_copied(at);
                self.known.extend(readings.keys().cloned());
                readings
            }
            Err(reason) => {
                let all = self.known.iter().map(|probe| (probe.clone(), gap(&reason)));
                all.chain([(host_agent::PROBE.to_string(), gap(&reason))]).collect()
            }
        }
    }

    /// Copies the files of now in place of those of before, or takes those that are late; when they were here.
    async fn refresh_files(&mut self) -> Result<std::time::Instant, String> {
        if let Some(reason) = &self.gone {
            return Err(reason.clone());
        }
        let (pod, files) = (&mut self.pod, &self.files);
        let ask = || {
            let (mut pod, files) = (pod.take()?, files.clone());
            Some(async move {
                let outcome = pod.copy_files(&files).await;
                PodCopyOutcome { pod, outcome, at: std::time::Instant::now() }
            })
        };
        let Some(PodCopyOutcome { pod, outcome, at }) = self.copying.answer_or_late(ask, READING_AT_MOST).await else {
            return Err(LATE.to_owned());
        };
        self.pod = Some(pod);
        match outcome {
            Ok(copied) => {
                for old in self.copied.difference(&copied) {
                    // Of a process that has ended.
                    let _ = fs::remove_file(old);
                }
                self.copied = copied;
                Ok(at)
            }
            Err(reason) => {
                self.gone = Some(reason.clone());
                Err(reason)
            }
        }
    }
}

/// Whether this runs on the pod's machine.
fn is_here(pod: &PodFiles) -> bool {
    const BOOT_ID: &str = "proc/sys/kernel/random/boot_id";
    let here = fs::read_to_string(Path::new("/").join(BOOT_ID)).ok();
    here.is_some() && here == pod.text_of_file(BOOT_ID)
}
