//! What PostgreSQL counts: the statistics views, over one connection of the probes' own.
//! One short query a probe, one after the other and each in a transaction of its own, so that every reading has its own
//! duration and no snapshot of the statistics outlives it.

mod link;
mod queries;
mod session;
mod silence;
mod snapshot;

use std::time::Duration;

use results::interval::Reading;
use tokio::time::{Instant, timeout_at};

use crate::series::Series;
pub(crate) use link::Link;
use queries::PROBES;
pub(crate) use session::Session;
use silence::Silence;
pub(crate) use silence::chain;
use snapshot::Snapshot;

/// The longest that [`Postgres::attach`] waits for the connection.
const ATTACH_AT_MOST: Duration = Duration::from_secs(5);

/// The probes of one server.
pub(crate) struct Postgres {
    link: Link,
    series: [(&'static str, Series<Snapshot>); PROBES.len()],
}

impl Postgres {
    /// Connects, or goes on trying at every reading.
    pub(crate) async fn attach(config: &control::Config) -> Self {
        let mut link = Link::new(config);
        // Not lost: when this fails, the first reading tries again and says why it could not.
        let _ = link.session(Instant::now() + ATTACH_AT_MOST).await;
        Self { link, series: PROBES.map(|probe| (probe, Series::new())) }
    }

    pub(crate) fn forget(&mut self) {
        for (_, series) in &mut self.series {
            series.forget();
        }
    }

    /// Reads what has no snapshot yet to take the next difference from, as after a first reading that the machine held up.
    pub(crate) async fn catch_up(&mut self, deadline: Instant) {
        if self.series.iter().any(|(_, series)| !series.has_begun()) {
            self.read_those(deadline, |series| !series.has_begun()).await;
        }
    }

    /// One reading a probe, by `deadline`. The probes that come after the loss of the connection share its reason; the next
    /// call connects again.
    pub(crate) async fn read(&mut self, deadline: Instant) -> Vec<(String, Reading)> {
        self.read_those(deadline, |_| true).await
    }

    async fn read_those(
        &mut self,
        deadline: Instant,
        wanted: impl Fn(&Series<Snapshot>) -> bool,
    ) -> Vec<(String, Reading)> {
        let mut readings = Vec::with_capacity(PROBES.len());
        let mut session = self.link.session(deadline).await;
        for (probe, series) in self.series.iter_mut().filter(|(_, series)| wanted(series)) {
            let begun = std::time::Instant::now();
            let outcome = match &mut session {
                Ok(session) => match timeout_at(deadline, session.ask(probe)).await {
                    Ok(outcome) => outcome,
                    Err(_) => Err(Silence::TimedOut),
                },
                Err(silence) => Err(silence.clone()),
            };
            if let Err(silence) = &outcome
                && silence.ends_session()
            {
                session = Err(silence.clone());
            }
            readings.push(((*probe).to_owned(), series.reading(begun, outcome, snapshot::difference)));
        }
        if session.is_err() {
            self.link.hang_up();
        }
        readings
    }
}
