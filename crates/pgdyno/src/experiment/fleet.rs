//! The targets of an experiment, acquired together and released whatever happens.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use load::Stop;
use probe::HostScope;
use results::facts::TargetFacts;
use results::store::RunDir;
use results::trial::Outcome;
use target::{Environment, Spec, Target};
use tokio_postgres::Client;

use super::Experiment;
use crate::interrupt::unless_stopped;
use crate::plan::{self, Binaries, Reach};
use crate::problem::Problem;
use crate::progress::Progress;

/// The targets of an experiment, in the plan's order.
pub(super) struct Fleet {
    members: Vec<Member>,
}

/// One acquired target.
pub(super) struct Member {
    /// Its name in the plan.
    pub(super) name: String,
    /// The server.
    pub(super) target: Target,
    /// What it turned out to be.
    pub(super) facts: TargetFacts,
}

impl Fleet {
    /// Acquires every target; on failure the ones acquired before are released.
    pub(super) async fn acquire(experiment: &Experiment<'_>, progress: &Progress) -> Result<Self, Problem> {
        let mut fleet = Self { members: Vec::new() };
        for planned in &experiment.plan.targets {
            match acquire_one(planned, experiment.executable, experiment.stop, progress).await {
                Ok(member) => fleet.members.push(member),
                Err(problem) => {
                    // The first problem is the one to tell.
                    let _released = fleet.release().await;
                    return Err(problem);
                }
            }
        }
        Ok(fleet)
    }

    /// Targets that were acquired one by one.
    pub(super) fn of(members: Vec<Member>) -> Self {
        Self { members }
    }

    pub(super) fn members(&self) -> &[Member] {
        &self.members
    }

    pub(super) fn member(&self, name: &str) -> &Member {
        self.members.iter().find(|member| member.name == name).expect("the schedule names targets of the plan")
    }

    /// Writes the facts of every target; on a run that goes on they must be those of before.
    pub(super) fn record(&self, dir: &RunDir) -> Result<(), Problem> {
        let before = dir.facts()?;
        for member in &self.members {
            if let Some(before) = before.get(&member.name) {
                refuse_changed(before, &member.facts)?;
            }
            dir.write_facts(&member.facts)?;
        }
        Ok(())
    }

    /// Stops what was started; tells the first problem, after trying all.
    pub(super) async fn release(self) -> Result<(), Problem> {
        let mut result = Ok(());
        for member in self.members {
            let released = member.target.release().await.map_err(Problem::from);
            result = result.and(released);
        }
        result
    }
}

/// Acquires one target and reads its facts back. Says so when the person gives up meanwhile.
pub(super) async fn acquire_one(
    planned: &plan::Target,
    executable: &Path,
    stop: &Stop,
    progress: &Progress,
) -> Result<Member, Problem> {
    let environment = Environment::current(executable.to_owned());
    let mut show = |step: target::Progress| match step {
        target::Progress::Warning(warning) => progress.line(&format!("{}: {warning}", planned.name)),
        step => progress.stage(&format!("{}: {}", planned.name, in_words(&step)), 0, 1),
    };
    let spec = spec(planned);
    let acquiring = target::acquire(&planned.name, &spec, &planned.knobs, &environment, &mut show);
    let target = unless_stopped(stop, async { acquiring.await.map_err(Problem::from) }).await?;
    match unless_stopped(stop, async { target.facts().await.map_err(Problem::from) }).await {
        Ok(facts) => {
            progress.line(&format!("{}: {}", planned.name, crate::compare::short_version(&facts.server.version)));
            Ok(Member { name: planned.name.clone(), target, facts })
        }
        Err(problem) => {
            let _released = target.release().await;
            Err(problem)
        }
    }
}

fn in_words(step: &target::Progress) -> String {
    match step {
        target::Progress::Downloading { version, url } => format!("downloading PostgreSQL {version} from {url}"),
        target::Progress::Unpacking { version } => format!("unpacking PostgreSQL {version}"),
        target::Progress::CreatingCluster => "creating the cluster".to_owned(),
        target::Progress::Starting => "starting".to_owned(),
        target::Progress::Warning(warning) => warning.clone(),
    }
}

fn spec(planned: &plan::Target) -> Spec {
    match &planned.reach {
        Reach::Url(url) => Spec::Url { conninfo: target::Secret::new(url.expose()) },
        Reach::Local(local) => Spec::Local(target::LocalSpec {
            source: match &local.binaries {
                Binaries::Version(version) => target::Source::Version(version.to_string()),
                Binaries::Bin(bin) => target::Source::Bin(bin.clone()),
            },
            initdb: target::Initdb {
                wal_segment_size_mb: Some(local.initdb.wal_segment_size.megabytes()),
                data_checksums: local.initdb.data_checksums,
                locale: Some(local.initdb.locale.clone()),
                encoding: Some(local.initdb.encoding.clone()),
            },
            settings: local.settings.clone(),
            data_directory: local.data_directory.clone(),
            keep: local.keep,
            transport: match local.via {
                plan::Via::Unix => target::Transport::Unix,
                plan::Via::Tcp => target::Transport::Tcp,
            },
        }),
    }
}

impl Member {
    /// A session of the control plane.
    pub(super) async fn connect(&self) -> Result<Client, Problem> {
        self.target.connect().await.map_err(Problem::from)
    }

    /// The knobs as the server reports them.
    pub(super) async fn confirm_knobs(&self) -> Result<BTreeMap<String, String>, Problem> {
        self.target.confirm_knobs().await.map_err(Problem::from)
    }

    /// Where the host's figures are read, if the server runs on this machine.
    pub(super) fn host_scope(&self) -> Option<HostScope> {
        let data_directory = self.target.local().map(|local| local.data_directory().to_owned());
        self.facts.path.same_host.then(|| HostScope { root: PathBuf::from("/"), data_directory })
    }

    /// A trial ran to its end if its server is still there.
    pub(super) async fn outcome_if_alive(&self) -> Outcome {
        match self.target.check_alive().await {
            Ok(()) => Outcome::Completed,
            Err(error) => Outcome::Failed { error: error.to_string() },
        }
    }
}

/// A run that goes on must go on with the same servers.
fn refuse_changed(before: &TargetFacts, now: &TargetFacts) -> Result<(), Problem> {
    let value = |facts: &TargetFacts, name: &str| facts.settings.get(name).map(|setting| setting.value.clone());
    let names = before.settings.keys().chain(now.settings.keys());
    let changed = names
        .filter(|name| !crate::compare::is_identity_setting(name))
        .find(|name| value(before, name) != value(now, name))
        .map(|name| (name.clone(), value(before, name), value(now, name)));
    let version = (before.server.version != now.server.version)
        .then(|| ("version".to_owned(), Some(before.server.version.clone()), Some(now.server.version.clone())));
    match version.or(changed) {
        None => Ok(()),
        Some((what, was, is)) => {
            let shown = |value: Option<String>| value.unwrap_or("its default".to_owned());
            Err(Problem::could_not_measure(format!("target {:?} changed since the run began: {what}", now.name))
                .detail(format!("it was {}, it is {}", shown(was), shown(is)))
                .hint("make it what it was, or start a new run"))
        }
    }
}
