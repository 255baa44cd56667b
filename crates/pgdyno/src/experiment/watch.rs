//! What watches host and server while a trial's load runs, and what that costs them.

use std::collections::BTreeMap;

use probe::Probes;
use results::activity::{Activity, ActivityWindow};
use results::interval::{Interval, Reading};
use results::statements::Statements;
use results::trial::{ObserverTotals, Phase};

use super::cache::FirstReads;
use super::fleet::Member;
use super::observe;
use crate::agent::Agent;
use crate::problem::Problem;

/// The watchers of one trial; none if the plan wants none.
pub(super) struct Watchers {
    watching: Option<Watching>,
    first_reads: FirstReads,
    cost: ObserverTotals,
}

struct Watching {
    probes: Probes,
    activity: probe::Activity,
    statements: probe::StatementsReader,
    /// On the server's host, where that is another machine; or why it could not be had.
    agent: Option<Result<Agent, String>>,
}

impl Watchers {
    /// Attaches to a server and its host; `wanted`: the plan wants them observed.
    pub(super) async fn attach(member: &Member, wanted: bool) -> Result<Self, Problem> {
        let nothing = Self { watching: None, first_reads: FirstReads::default(), cost: ObserverTotals::default() };
        if !wanted {
            return Ok(nothing);
        }
        let control = member.target.control();
        let probes = Probes::attach(Some(&control), member.host_scope().await?).await;
        let probes = probes.with_pooler(member.pooler.as_ref().map(target::ConnInfo::control).as_ref()).await;
        let agent = member.agent().await;
        let activity = probe::Activity::attach(&control, observe::APPLICATION_NAME);
        let statements = probe::StatementsReader::new(&control);
        Ok(Self { watching: Some(Watching { probes, activity, statements, agent }), ..nothing })
    }

    /// What was seen before the load began is nobody's.
    pub(super) async fn begin(&mut self) {
        let Some(watching) = &mut self.watching else { return };
        watching.probes.prime().await;
        if let Some(Ok(agent)) = &mut watching.agent {
            agent.prime().await;
        }
        watching.activity.take();
    }

    /// The measurement phase has begun.
    pub(super) async fn measuring(&mut self) {
        if let Some(watching) = &mut self.watching {
            watching.statements.begin().await;
        }
    }

    /// Reads what happened in the second that has just ended.
    pub(super) async fn read(&mut self, interval: &mut Interval) -> Activity {
        let window = match &mut self.watching {
            None => ActivityWindow { gap: Some("the plan wants no probes".to_owned()), ..ActivityWindow::default() },
            Some(Watching { probes, activity, statements: _, agent }) => {
                let window = activity.take();
                let (own, of_agent) = tokio::join!(probes.read(), read_agent(agent));
                interval.probes = own;
                interval.probes.extend(of_agent);
                window
            }
        };
        self.first_reads.see(&interval.probes);
        if interval.phase == Phase::Measure && self.watching.is_some() {
            self.cost.add(interval, &window);
        }
        Activity { phase: interval.phase, index: interval.index, window }
    }

    /// Ends the watch. What the statements did while measuring; none if nobody watched.
    pub(super) async fn end_statements(&mut self) -> Option<Statements> {
        Some(self.watching.take()?.statements.end().await)
    }

    /// What the first seconds read, which tells what was in the caches.
    pub(super) fn first_reads(&self) -> &FirstReads {
        &self.first_reads
    }

    /// What they cost while measuring; none if there were none.
    pub(super) fn cost(&self) -> Option<ObserverTotals> {
        Some(self.cost).filter(|cost| cost.over_us > 0)
    }
}

async fn read_agent(agent: &mut Option<Result<Agent, String>>) -> BTreeMap<String, Reading> {
    match agent {
        None => BTreeMap::new(),
        Some(Ok(agent)) => agent.read().await,
        Some(Err(reason)) => {
            let gap = Reading::Gap { took_us: 0, gap: reason.clone() };
            BTreeMap::from([("host.agent".to_owned(), gap)])
        }
    }
}
