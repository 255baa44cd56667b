//! fio where it is: on this machine, on that of an agent, or in the pod that has a volume.

use std::path::{Path, PathBuf};
use std::time::Duration;

use load::StopRequest;

use super::by_agent::FioThere;
use super::fio::{self, Fio, FioExecution, FioOrder};
use super::ground::Ground;
use super::in_pod::FioPod;
use problem::Problem;

/// A fio that can be given job files, and what it is to work on.
pub(super) struct FioProgram<'a> {
    place: FioPlace<'a>,
    /// As it says it, `fio-3.33`.
    pub(super) version: String,
    /// The engine for requests in flight.
    pub(super) engine: &'static str,
    /// What is known of the directory that it works in.
    pub(super) ground: Ground,
}

/// Where fio is to work.
#[derive(Clone, Copy)]
pub(super) enum FioWorkSite<'a> {
    /// In a directory of this machine.
    Directory(&'a Path),
    /// In a directory of an agent's host.
    There(&'a FioThere),
    /// On the volume of this pod.
    Pod(&'a FioPod),
}

enum FioPlace<'a> {
    Here(Fio),
    There(&'a FioThere),
    InPod(&'a FioPod),
}

impl<'a> FioProgram<'a> {
    /// Looks for fio, asks for its version and engines, and looks at the directory.
    pub(super) async fn find_at_site(site: FioWorkSite<'a>) -> Result<Self, Problem> {
        match site {
            FioWorkSite::Directory(directory) => {
                let found = Fio::find_executable().await?;
                let ground = Ground::read_directory(directory)?;
                let (version, engine) = (found.version.clone(), found.engine);
                Ok(Self { place: FioPlace::Here(found), version, engine, ground })
            }
            FioWorkSite::There(there) => {
                let (version, engine) = there.version_and_engine()?;
                Ok(Self { place: FioPlace::There(there), version, engine, ground: there.observed_ground() })
            }
            FioWorkSite::Pod(pod) => {
                let version = fio::known_version(&pod.ask_fio("--version").await?, "the fio of the image")?;
                let engine = fio::engine_in(&pod.ask_fio("--enghelp").await?, "the fio of the image")?;
                Ok(Self { place: FioPlace::InPod(pod), version, engine, ground: pod.observe_ground().await? })
            }
        }
    }

    /// The directory that logs have to be written to, of which `here` is the one on this machine.
    pub(super) fn logs_directory(&self, name: &str, here: &Path) -> PathBuf {
        match &self.place {
            FioPlace::Here(_) => here.to_owned(),
            FioPlace::There(there) => there.logs_directory().to_owned(),
            FioPlace::InPod(_) => FioPod::logs_directory(name).into(),
        }
    }

    /// Runs a job file.
    pub(super) async fn run_job_file(
        &self,
        order: FioOrder<'_>,
        stop: &StopRequest,
        tick: impl FnMut(Duration),
    ) -> Result<FioExecution, Problem> {
        match &self.place {
            FioPlace::Here(fio) => fio.run_job_file(order, stop, tick).await,
            FioPlace::There(there) => there.run_job_file(order, stop, tick).await,
            FioPlace::InPod(pod) => pod.run_job_file(order, stop, tick).await,
        }
    }
}
