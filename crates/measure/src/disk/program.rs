//! fio where it is: on this machine, on that of an agent, or in the pod that has a volume.

use std::path::{Path, PathBuf};
use std::time::Duration;

use load::StopRequest;

use super::by_agent::FioThere;
use super::fio::{self, Execution, Fio, FioOrder};
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
    pub(super) async fn find(site: FioWorkSite<'a>) -> Result<Self, Problem> {
        match site {
            FioWorkSite::Directory(directory) => {
                let found = Fio::find().await?;
                let ground = Ground::read(directory)?;
                let (version, engine) = (found.version.clone(), found.engine);
                Ok(Self { place: FioPlace::Here(found), version, engine, ground })
            }
            FioWorkSite::There(there) => {
                let (version, engine) = there.version_and_engine()?;
                Ok(Self { place: FioPlace::There(there), version, engine, ground: there.ground() })
            }
            FioWorkSite::Pod(pod) => {
                let version = fio::known_version(&pod.ask("--version").await?, "the fio of the image")?;
                let engine = fio::engine_in(&pod.ask("--enghelp").await?, "the fio of the image")?;
                Ok(Self { place: FioPlace::InPod(pod), version, engine, ground: pod.ground().await? })
            }
        }
    }

    /// The directory that logs have to be written to, of which `here` is the one on this machine.
    pub(super) fn logs(&self, name: &str, here: &Path) -> PathBuf {
        match &self.place {
            FioPlace::Here(_) => here.to_owned(),
            FioPlace::There(there) => there.logs().to_owned(),
            FioPlace::InPod(_) => FioPod::logs(name).into(),
        }
    }

    /// Runs a job file.
    pub(super) async fn run(
        &self,
        order: FioOrder<'_>,
        stop: &StopRequest,
        tick: impl FnMut(Duration),
    ) -> Result<Execution, Problem> {
        match &self.place {
            FioPlace::Here(fio) => fio.run(order, stop, tick).await,
            FioPlace::There(there) => there.run(order, stop, tick).await,
            FioPlace::InPod(pod) => pod.run(order, stop, tick).await,
        }
    }
}
