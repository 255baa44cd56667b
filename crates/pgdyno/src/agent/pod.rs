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
use results::facts::Host;
use results::interval::Reading;
use server::copied;
use server::{PodShell, SessionOnHost, Whereabouts};
use tokio::time::{Instant, timeout};

use crate::pod_files::PodFiles;

/// The longest that a second's files are waited for.
const READING_AT_MOST: Duration = Duration::from_millis(800);
/// The longest that the facts are waited for.
const FACTS_AT_MOST: Duration = Duration::from_secs(10);

/// The files that are read once a second; those of the postmaster come with its number.
const FILES: &str = "/proc/stat /proc/meminfo /proc/vmstat /proc/diskstats /proc/net/dev /proc/net/snmp \
     /proc/net/netstat /proc/pressure/* /proc/sys/kernel/task_delayacct /proc/[0-9]*/stat /proc/[0-9]*/schedstat \
     /proc/[0-9]*/cmdline /sys/fs/cgroup/cpu.stat /sys/fs/cgroup/memory.events /sys/fs/cgroup/cpu/cpu.stat";

/// The shell in a pod, and what it has printed.
pub struct PodAgent {
    pod: PodFiles,
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
pub async fn start(at: &PodShell) -> Result<PodAgent, ClusterError> {
    let api = Api::open(at.context.as_deref(), Some(&at.namespace)).await?;
    Ok(PodAgent {
        pod: PodFiles::open(&api, &at.pod, &at.container).await?,
        probes: Probes::attach(None, None).await,
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
    pub async fn attach(
        &mut self,
        session: &SessionOnHost,
    ) -> Result<(Option<Host>, BTreeMap<String, String>), String> {
        let looked = timeout(FACTS_AT_MOST, self.look(session)).await;
        looked.map_err(|_| format!("the shell in the pod said nothing for {} s", FACTS_AT_MOST.as_secs()))?
    }

    async fn look(&mut self, session: &SessionOnHost) -> Result<(Option<Host>, BTreeMap<String, String>), String> {
        let pid = session.backend.backend_pid;
        let files = format!("{} /proc/{pid}/status", copied::files_of_facts().join(" "));
        self.pod.copy(&files).await?;
        let status = self.pod.text(&format!("proc/{pid}/status"));
        let postmaster_pid = status.as_deref().and_then(copied::postmaster_in).ok_or_else(|| {
            "no process of the pod is the session's: it goes to another pod, or the pod shares its processes".to_owned()
        })?;
        self.pod.copy(&format!("/proc/{postmaster_pid}/cgroup /proc/{postmaster_pid}/status")).await?;
        let groups = format!("proc/{postmaster_pid}/cgroup");
        if let Some(text) = self.pod.text(&groups) {
            fs::write(self.pod.root().join(groups), copied::groups_within(&text)).map_err(|error| error.to_string())?;
        }
        let data_directory = self.pod.link(&format!("/proc/{postmaster_pid}/cwd")).await?.map(PathBuf::from);
        let device = self.pod.copy_disk(data_directory.as_deref()).await?;
        let wal_device = match &data_directory {
            Some(data) => self.pod.copy_wal_disk(data).await?.filter(|wal| device.as_ref() != Some(wal)),
            None => None,
        };
        let found =
            copied::host_in(self.pod.root(), Whereabouts { postmaster_pid, data_directory: data_directory.clone() });
        let mut host = found.host;
        if let (Some(host), Some(data)) = (&mut host, &data_directory) {
            for (disk, directory) in [(&mut host.data_disk, data.clone()), (&mut host.wal_disk, data.join("pg_wal"))] {
                if let Some(disk) = disk
                    && let Some(space) = self.pod.space(&directory).await?
                {
                    (disk.size_bytes, disk.free_bytes) = (space.size_bytes, space.free_bytes);
                }
            }
        }
        self.files = format!("{FILES} /proc/{postmaster_pid}/task/*/children");
        let root = self.pod.root().to_owned();
        let scope = HostScope {
            root,
            data_directory: None,
            device,
            wal_device,
            postmaster: Some(postmaster_pid),
            load: self.load.clone(),
            alternating: Vec::new(),
            of_this_process: self.is_here().then(|| PathBuf::from("/")),
        };
        self.probes = Probes::attach(None, Some(scope)).await;
        Ok((host, found.gaps))
    }

    /// Where its probes look up which of the server's processes serve the load: by their numbers in the container,
    /// which the server has them by, too.
    pub fn load_processes(&self) -> LoadProcesses {
        self.load.clone()
    }

    /// Whether this runs on the pod's machine.
    fn is_here(&self) -> bool {
        const BOOT_ID: &str = "proc/sys/kernel/random/boot_id";
        let here = fs::read_to_string(Path::new("/").join(BOOT_ID)).ok();
        here.is_some() && here == self.pod.text(BOOT_ID)
    }

    /// Takes the first snapshots of a series.
    pub async fn prime(&mut self) {
        if self.refresh().await.is_ok() {
            self.probes.prime().await;
        }
    }

    /// What the probes read since the last time; gaps with a reason if the pod cannot be asked.
    pub async fn read(&mut self) -> BTreeMap<String, Reading> {
        let begun = Instant::now();
        let gap = |reason: &str| {
            let took_us = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
            Reading::Gap { took_us, gap: reason.to_owned() }
        };
        match self.refresh().await {
            Ok(()) => {
                let readings = self.probes.read().await;
                self.known.extend(readings.keys().cloned());
                readings
            }
            Err(reason) => {
                let all = self.known.iter().map(|probe| (probe.clone(), gap(&reason)));
                all.chain([("host.agent".to_owned(), gap(&reason))]).collect()
            }
        }
    }

    /// Copies the files of now in place of those of before.
    async fn refresh(&mut self) -> Result<(), String> {
        if let Some(reason) = &self.gone {
            return Err(reason.clone());
        }
        let files = self.files.clone();
        let outcome = match timeout(READING_AT_MOST, self.pod.copy(&files)).await {
            Ok(outcome) => outcome,
            // What comes too late would be taken for the answer to the next question.
            Err(_) => Err("the shell in the pod did not answer in time".to_owned()),
        };
        match outcome {
            Ok(copied) => {
                for old in self.copied.difference(&copied) {
                    // Of a process that has ended.
                    let _ = fs::remove_file(old);
                }
                self.copied = copied;
                Ok(())
            }
            Err(reason) => {
                self.gone = Some(reason.clone());
                Err(reason)
            }
        }
    }
}
