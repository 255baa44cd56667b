//! What PostgreSQL counts: the statistics views, over one connection of the probes' own.
//! One short query a probe, each in a transaction of its own, so that every reading has its own duration and no
//! snapshot of the statistics outlives it. All are sent at once and answered one after the other: a server far away
//! costs one round trip, and neither side is woken for each.

mod link;
mod queries;
mod session;
mod silence;
mod snapshot;

use std::time::Duration;

use results::interval::Reading;
use results::probe_fields::ProbeName;
use tokio::time::Instant;

use crate::series::SnapshotSeries;
pub(crate) use link::ServerLink;
use queries::PROBES;
pub(crate) use queries::is_marked_query;
pub(crate) use session::ProbeSession;
use session::QueryAnswer;
use silence::SnapshotFailure;
pub(crate) use silence::{error_with_causes, grant_hint};
use snapshot::QuerySnapshot;

/// The longest that [`PostgresProbe::attach_to_server`] waits for the connection.
const ATTACH_AT_MOST: Duration = Duration::from_secs(5);

/// The probes of one server.
pub(crate) struct PostgresProbe {
    link: ServerLink,
    series: [(ProbeName, SnapshotSeries<QuerySnapshot>); PROBES.len()],
}

impl PostgresProbe {
    /// Connects, or goes on trying at every reading.
    pub(crate) async fn attach_to_server(config: &control::Config) -> Self {
        let mut link = ServerLink::new(config);
        // Not lost: when this fails, the first reading tries again and says why it could not.
        let _ = link.session_until_deadline(Instant::now() + ATTACH_AT_MOST).await;
        Self { link, series: PROBES.map(|probe| (probe, SnapshotSeries::new())) }
    }

    pub(crate) fn forget_snapshots(&mut self) {
        for (_, series) in &mut self.series {
            series.forget_snapshot();
        }
    }

    /// Reads what has no snapshot yet to take the next difference from,
    /// as after a first reading that the machine held up.
    pub(crate) async fn catch_up(&mut self, deadline: Instant) {
        if self.series.iter().any(|(_, series)| !series.has_begun()) {
            self.read_those(deadline, |series| !series.has_begun()).await;
        }
    }

    /// One reading a probe, by `deadline`; each took from the answer before to its own. The probes that come after the
    /// loss of the connection share its reason; the next call connects again.
    pub(crate) async fn read_until_deadline(&mut self, deadline: Instant) -> Vec<(String, Reading)> {
        self.read_those(deadline, |_| true).await
    }

    async fn read_those(
        &mut self,
        deadline: Instant,
        wanted: impl Fn(&SnapshotSeries<QuerySnapshot>) -> bool,
    ) -> Vec<(String, Reading)> {
        let mut before = std::time::Instant::now();
        let wanted: Vec<_> = self.series.iter_mut().filter(|(_, series)| wanted(series)).collect();
        let probes: Vec<ProbeName> = wanted.iter().map(|(probe, _)| *probe).collect();
        let answers = match self.link.session_until_deadline(deadline).await {
            Ok(session) => session.ask_probes(&probes, deadline).await,
            Err(silence) => probes.iter().map(|_| QueryAnswer::received_now(Err(silence.clone()))).collect(),
        };
        let mut loss = None;
        let mut readings = Vec::with_capacity(probes.len());
        for ((probe, series), answer) in wanted.into_iter().zip(answers) {
            let outcome = match &loss {
                Some(loss) => Err(SnapshotFailure::clone(loss)),
                None => answer.outcome,
            };
            if let Err(silence) = &outcome
                && silence.ends_session()
            {
                loss = Some(silence.clone());
            }
            let reading = series.reading_from_outcome(before..answer.at, outcome, snapshot::snapshot_difference);
            readings.push((probe.to_string(), reading));
            before = before.max(answer.at);
        }
        if loss.is_some() {
            self.link.hang_up();
        }
        readings
    }
}
