//! How the sides of a workload alternate: by turns within their trials, or by whole trials; and why.
//!
//! Turns are far faster than most noise of a shared machine, so the sides of a pair meet the same of it. But what a
//! transaction leaves behind for longer than a turn (WAL, dirty pages, checkpoints, vacuum) the other side pays, too,
//! and what is different then looks alike. So the default decides by what the transactions do.

use std::fmt;

use work::WordChoice as _;

use super::cache::Cache;
use super::interleave::Interleave;
use super::model::Plan;
use super::target::Target;
use super::workload::{Generator, PlannedRate, Workload, WorkloadPace};

/// How the sides of a workload alternate, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interleaving {
    /// How.
    pub how: Interleave,
    /// Why.
    pub because: Because,
}

/// Why the sides of a workload alternate as they do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Because {
    /// The plan asks for it, and it is not what would be done otherwise.
    Asked,
    /// Its transactions only read, so that no turn leaves anything for the next one to pay.
    Reads,
    /// Its transactions write, and what they leave behind outlives a turn.
    Writes,
    /// A transaction of a timed replay that is late when a window ends would be executed in the next one, or nowhere.
    TimedReplay,
    /// The servers are asked whether its transactions only read, in which case the sides take turns.
    ToBeAsked,
    /// Turns cannot be.
    Impossible(NoTurns),
}

/// Why sides cannot take turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoTurns {
    /// There is one side.
    OneSide,
    /// The load comes from another program, which cannot be told when to send.
    Generator(Generator),
    /// Its cells are measured by another program, too, which cannot, and the two are compared.
    CrossCheck(Generator),
    /// The caches of this target are to be empty when its trial begins, and are not any more when its turn comes.
    Cold(String),
    /// The rate is searched for, trial by trial.
    Capacity,
    /// The rate changes with the time of the trial, of which a side has a part only.
    ChangingRate,
    /// The probes pause by a clock of their own, and compare what is sent meanwhile.
    ObserverCost,
    /// Values of the kernel are set for the trials of this target alone.
    Sysctl(String),
    /// Something is made to happen in each trial, and what follows outlives any turn.
    Events,
    /// A load runs beside those of targets, and would go on in the slices of the others.
    Beside,
    /// This target has settings of its own of a server that another target uses, too.
    Settings(String),
    /// This target limits the CPUs of a server that it shares, while it is measured.
    Cpus(String),
    /// The server of this target cannot stand still while another side is measured.
    Freezing {
        /// The target.
        target: String,
        /// Why not.
        why: NoFreezing,
    },
    /// So many generators send the load, and each would end a slice when its own transactions have ended.
    SeveralGenerators(u32),
    /// The load comes from another machine, which stops no server of this one.
    FreezingFromElsewhere,
}

/// Why a server cannot stand still while another side is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoFreezing {
    /// pgdyno does not start it on this machine for this target alone.
    NotLocal,
    /// Its standby is a server of its own, which would go on.
    Standby,
    /// It is both sides: the baseline is compared with itself.
    NoiseFloor,
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked => f.write_str("the plan requests it"),
            Self::Reads => f.write_str("its transactions only read"),
            Self::Writes => f.write_str("its transactions may write, and their effects outlast a slice"),
            Self::TimedReplay => {
                f.write_str("transactions of a timed replay that are late when a window ends would be missing from it")
            }
            Self::ToBeAsked => f.write_str(
                "at the start of the run, the servers report whether its statements only read; if so, its sides alternate",
            ),
            Self::Impossible(why) => why.fmt(f),
        }
    }
}

impl fmt::Display for NoTurns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneSide => f.write_str("there is only one target"),
            Self::Generator(generator) => {
                write!(f, "the load comes from {}, which cannot pause for another side", generator.as_word())
            }
            Self::CrossCheck(generator) => {
                let generator = generator.as_word();
                write!(
                    f,
                    "it is cross-checked with {generator}, which cannot pause, so that both are measured in whole trials"
                )
            }
            Self::Cold(target) => {
                write!(f, "a cold cache, as of target \"{target}\", lasts for the first slice only")
            }
            Self::Capacity => {
                f.write_str("a search for the capacity chooses the rate of each trial by the previous ones")
            }
            Self::ChangingRate => {
                f.write_str("the rate changes within a trial, of which each side would have only a part")
            }
            Self::ObserverCost => {
                f.write_str("observer_cost compares fifths of a second, of which each side would have only some")
            }
            Self::Events => f.write_str("the effects of an event outlast a slice and would affect the other sides"),
            Self::Beside => f.write_str("a load beside goes on during the slices of the other sides"),
            Self::Sysctl(target) => {
                write!(
                    f,
                    "target \"{target}\" sets kernel parameters during its trials, which would affect the other sides"
                )
            }
            Self::Settings(target) => {
                write!(f, "target \"{target}\" changes settings of the whole server, which another target uses, too")
            }
            Self::Cpus(target) => {
                write!(f, "target \"{target}\" limits the CPUs of a server that another target uses without that limit")
            }
            Self::Freezing { target, why: NoFreezing::NotLocal } => write!(
                f,
                "only a server that pgdyno starts on this machine for one target can be stopped, and that of target \
                 \"{target}\" is not"
            ),
            Self::Freezing { target, why: NoFreezing::Standby } => {
                write!(f, "the standby of target \"{target}\" would continue while its primary is stopped")
            }
            Self::Freezing { target, why: NoFreezing::NoiseFloor } => {
                write!(f, "for `noise_floor`, the server of target \"{target}\" is both sides")
            }
            Self::SeveralGenerators(count) => write!(
                f,
                "{count} generators send the load, and each would end a slice at another time: when its own \
                 transactions have ended"
            ),
            Self::FreezingFromElsewhere => {
                f.write_str("the load is sent from another machine, which cannot stop servers on this one")
            }
        }
    }
}

impl Plan {
    /// How the sides of a workload alternate, and why.
    #[must_use]
    pub fn interleaving_of_workload(&self, workload: &Workload) -> Interleaving {
        let by_itself = match (self.no_turns(workload), workload.can_write()) {
            (Some(why), _) => Interleaving { how: Interleave::Trials, because: Because::Impossible(why) },
            (None, _) if workload.timed_replay_speed().is_some() => {
                Interleaving { how: Interleave::Trials, because: Because::TimedReplay }
            }
            (None, _) if workload.access_is_unknown() => {
                Interleaving { how: Interleave::Trials, because: Because::ToBeAsked }
            }
            (None, true) => Interleaving { how: Interleave::Trials, because: Because::Writes },
            (None, false) => Interleaving { how: Interleave::Slices, because: Because::Reads },
        };
        match workload.interleave.or(self.interleave) {
            Some(asked) if asked != by_itself.how || by_itself.because == Because::ToBeAsked => {
                Interleaving { how: asked, because: Because::Asked }
            }
            Some(_) | None => by_itself,
        }
    }

    /// Whether the sides of a workload take turns, or will if the servers say that it only reads.
    pub(crate) fn may_take_turns(&self, workload: &Workload) -> bool {
        let Interleaving { how, because } = self.interleaving_of_workload(workload);
        how.is_by_slices() || because == Because::ToBeAsked
    }

    /// Why the sides of a workload cannot take turns; none if they can.
    #[must_use]
    pub fn no_turns(&self, workload: &Workload) -> Option<NoTurns> {
        if self.sides_per_comparison() < 2 {
            return Some(NoTurns::OneSide);
        }
        if self.generator_count() > 1 {
            return Some(NoTurns::SeveralGenerators(self.generator_count()));
        }
        match workload.generator {
            Generator::Pgdyno => {}
            Generator::Pgbench | Generator::Sysbench => return Some(NoTurns::Generator(workload.generator)),
        }
        if let Some(generator) = workload.cross_check {
            return Some(NoTurns::CrossCheck(generator));
        }
        match &workload.pace {
            WorkloadPace::Capacity { .. } => return Some(NoTurns::Capacity),
            WorkloadPace::Open { rate: PlannedRate::Ramp { .. } | PlannedRate::Steps(_), .. } => {
                return Some(NoTurns::ChangingRate);
            }
            WorkloadPace::Open { rate: PlannedRate::Constant(_), .. }
            | WorkloadPace::Closed { .. }
            | WorkloadPace::Timed { .. } => {}
        }
        if self.observer_cost {
            return Some(NoTurns::ObserverCost);
        }
        if !self.events.is_empty() {
            return Some(NoTurns::Events);
        }
        if self.has_loads_beside() {
            return Some(NoTurns::Beside);
        }
        let first = |is_it: &dyn Fn(&Target) -> bool| {
            self.targets.iter().find(|target| is_it(target)).map(|target| target.name.clone())
        };
        first(&|target| self.cache_of_trial(target, workload) == Cache::Cold)
            .map(NoTurns::Cold)
            .or_else(|| first(&|target| !target.machine.sysctl.is_empty()).map(NoTurns::Sysctl))
            .or_else(|| first(&|target| self.limits_others(target)).map(NoTurns::Cpus))
            .or_else(|| {
                let changing = |target| self.changes_server_of(target).or_else(|| self.changes_url_of(target));
                self.targets.iter().find_map(changing).map(|target| NoTurns::Settings(target.name.clone()))
            })
    }

    /// Why the servers of the sides of a workload cannot stand still in turn; none if they can.
    #[must_use]
    pub fn no_frozen_turns(&self, workload: &Workload) -> Option<NoTurns> {
        if let Some(why) = self.no_turns(workload) {
            return Some(why);
        }
        if !self.generators.is_empty() {
            return Some(NoTurns::FreezingFromElsewhere);
        }
        let of_target = |target: &Target, why| NoTurns::Freezing { target: target.name.clone(), why };
        for target in &self.targets {
            if !target.reach.can_restart() {
                return Some(of_target(target, NoFreezing::NotLocal));
            }
            if target.reach.local_standby().is_some() {
                return Some(of_target(target, NoFreezing::Standby));
            }
        }
        let baseline = self.target_by_name(&self.baseline).filter(|_| self.noise_floor);
        baseline.map(|target| of_target(target, NoFreezing::NoiseFloor))
    }

    /// Sides of each comparison: targets, and the baseline a second time for the noise floor.
    #[must_use]
    pub fn sides_per_comparison(&self) -> usize {
        self.targets.len() + usize::from(self.noise_floor)
    }

    /// Whether another target has other CPUs of the same server.
    fn limits_others(&self, target: &Target) -> bool {
        let server = |target: &Target| target.reach.server_of().unwrap_or(&target.name).to_owned();
        let cpus = |target: &Target| target.reach.way_to_server().and_then(|way| way.cpus);
        let differs = |other: &Target| server(other) == server(target) && cpus(other) != cpus(target);
        cpus(target).is_some() && self.targets.iter().any(differs)
    }
}
