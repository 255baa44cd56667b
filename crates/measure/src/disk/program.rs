//! fio where it is: on this machine, on that of an agent, or in the pod that has a volume.

use std::path::{Path, PathBuf};
use std::time::Duration;

use load::Stop;

use super::by_agent::FioThere;
use super::fio::{self, Execution, Fio, Order};
use super::ground::Ground;
use super::in_pod::FioPod;
use problem::Problem;

/// A fio that can be given job files, and what it is to work on.
pub(super) struct Program<'a> {
    place: Place<'a>,
    /// As it says it, `fio-3.33`.
    pub(super) version: String,
    /// The engine for requests in flight.
    pub(super) engine: &'static str,
    /// What is known of the directory that it works in.
    pub(super) ground: Ground,
}

/// Where fio is to work.
#[derive(Clone, Copy)]
pub(super) enum Site<'a> {
    /// In a directory of this machine.
    Directory(&'a Path),
    /// In a directory of an agent's host.
    There(&'a FioThere),
    /// On the volume of this pod.
    Pod(&'a FioPod),
}

enum Place<'a> {
    Here(Fio),
    There(&'a FioThere),
    InPod(&'a FioPod),
}

impl<'a> Program<'a> {
    /// Looks for fio, asks for its version and engines, and looks at the directory.
    pub(super) async fn find(site: Site<'a>) -> Result<Self, Problem> {
        match site {
            Site::Directory(directory) => {
                let found = Fio::find().await?;
                let ground = Ground::read(directory)?;
                let (version, engine) = (found.version.clone(), found.engine);
                Ok(Self { place: Place::Here(found), version, engine, ground })
            }
            Site::There(there) => {
                let (version, engine) = there.version_and_engine()?;
                Ok(Self { place: Place::There(there), version, engine, ground: there.ground() })
            }
            Site::Pod(pod) => {
                let version = fio::known_version(&pod.ask("--version").await?, "the fio of the image")?;
                let engine = fio::engine_in(&pod.ask("--enghelp").await?, "the fio of the image")?;
                Ok(Self { place: Place::InPod(pod), version, engine, ground: pod.ground().await? })
            }
        }
    }

    /// The directory that logs have to be written to, of which `here` is the one on this machine.
    pub(super) fn logs(&self, name: &str, here: &Path) -> PathBuf {
        match &self.place {
            Place::Here(_) => here.to_owned(),
            Place::There(there) => there.logs().to_owned(),
            Place::InPod(_) => FioPod::logs(name).into(),
        }
    }

    /// Runs a job file.
    pub(super) async fn run(
        &self,
        order: Order<'_>,
        stop: &Stop,
        tick: impl FnMut(Duration),
    ) -> Result<Execution, Problem> {
        match &self.place {
            Place::Here(fio) => fio.run(order, stop, tick).await,
            Place::There(there) => there.run(order, stop, tick).await,
            Place::InPod(pod) => pod.run(order, stop, tick).await,
        }
    }
}
