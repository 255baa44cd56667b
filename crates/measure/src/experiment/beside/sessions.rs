//! A load beside that sessions of the load engine execute: own scripts, COPY, VACUUM and index builds.
//!
//! Its phases are those of the trial, since it begins when they begin. What is still under way at the end is cancelled.

use std::num::NonZeroU32;
use std::time::Duration;

use conninfo::ConnInfo;
use load::{EngineEvent, EngineJob, LoadError, OfferedRate, StopRequest, Summary, TransactionPace, Weighted};
use plan::{Arrivals, BesideLoad, BesideWork, QueryMode, Think};
use results::trial::BesideTotals;
use tokio::sync::{oneshot, watch};
use tokio::task::spawn_blocking;

use super::{BesideTarget, LoadStage, application_name, login_beside, problem_of_load, wait_until_over};
use crate::beside_scripts;
use crate::experiment::load_result::in_full;
use crate::experiment::observe;
use crate::experiment::run_request::Experiment;
use crate::server_message::message_of_error;
use problem::Problem;

/// How much longer than a trial the server may be silent in an execution.
const ANSWER_MARGIN: Duration = Duration::from_secs(60);

/// How long removing an index waits for others: whoever comes after it waits behind it.
const LOCK_TIMEOUT: &str = "SET lock_timeout = '5s'";

/// How long after the end of the trial's load this one may still measure: it began a little later.
const LATER_AT_MOST: Duration = Duration::from_secs(2);

/// One load, ready to begin.
pub(super) struct SessionLoad {
    job: EngineJob,
    control: control::Config,
    application_name: String,
    /// What removes what it may leave behind.
    clean_up: Option<String>,
}

impl SessionLoad {
    /// Makes it ready, and removes what an earlier one may have left. `place`: its own among the loads of the plan.
    pub(super) async fn make_ready(
        experiment: &Experiment<'_>,
        load: &BesideLoad,
        place: usize,
        on: &BesideTarget<'_>,
    ) -> Result<Self, Problem> {
        let (scripts, login, clean_up) = match &load.work {
            BesideWork::Vacuum(tables) => {
                let text = format!("VACUUM (ANALYZE) {};", tables.text());
                (made_script(load, on, &text)?, on.member.target.control_conninfo(), None)
            }
            BesideWork::IndexBuild(build_on) => {
                let index = IndexToBuild::on_table(build_on.text(), place + 1);
                (
                    made_script(load, on, &index.script_text())?,
                    on.member.target.control_conninfo(),
                    Some(index.clean_up()),
                )
            }
            BesideWork::Script(_)
            | BesideWork::Copy(_)
            | BesideWork::BaseBackup(_)
            | BesideWork::Dump(_)
            | BesideWork::Command(_) => {
                (experiment.scripts.scripts_beside(&load.name).to_vec(), on.member.target.load_conninfo(), None)
            }
        };
        let ready = Self {
            job: job_of_load(load, place, scripts, login, on),
            control: on.member.target.control_config(),
            application_name: application_name(load),
            clean_up,
        };
        ready.remove_remains().await.map_err(|why| problem_of_load(load, on, &why))?;
        Ok(ready)
    }

    /// Executes it until the load of the trial has ended.
    ///
    /// # Errors
    /// Why it gave no figures.
    pub(super) async fn run_until_end(self, stage: &mut watch::Receiver<LoadStage>) -> Result<BesideTotals, String> {
        let stop = StopRequest::new();
        let (tell_end, mut ended) = oneshot::channel();
        let mut tell_end = Some(tell_end);
        let (job, stop_engine) = (self.job.clone(), stop.clone());
        let mut engine = spawn_blocking(move || {
            load::run_job(&job, &stop_engine, &mut |event| {
                if let EngineEvent::Ended { .. } = event {
                    // Nobody waits for it once the engine is done.
                    let _gone = tell_end.take().map(|tell_end| tell_end.send(()));
                }
            })
        });
        let over = async {
            wait_until_over(stage).await;
            tokio::time::sleep(LATER_AT_MOST).await;
        };
        tokio::select! {
            _ = &mut ended => self.cancel_sessions().await,
            () = over => {
                stop.request_stop();
                // The engine ends its second first.
                let _ended = ended.await;
                self.cancel_sessions().await;
            }
        }
        let summary = (&mut engine).await.expect("the load engine does not panic");
        let totals = totals_of_summary(summary);
        match self.remove_remains().await {
            Ok(()) => totals,
            Err(why) => totals.map(|totals| BesideTotals { error: Some(why), ..totals }),
        }
    }

    /// Has the server cancel what its sessions still execute. What that does not reach, the engine cancels later.
    async fn cancel_sessions(&self) {
        const SQL: &str = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity \
                            WHERE application_name = $1 AND state <> 'idle' AND pid <> pg_backend_pid()";
        if let Ok(client) = open_session(&self.control).await {
            let _cancelled = client.execute(SQL, &[&self.application_name]).await;
        }
    }

    async fn remove_remains(&self) -> Result<(), String> {
        let Some(clean_up) = &self.clean_up else { return Ok(()) };
        let client = open_session(&self.control).await?;
        // Alone in its text, since it is not possible in a transaction.
        for statement in [LOCK_TIMEOUT, clean_up] {
            let executed = client.batch_execute(statement).await;
            executed.map_err(|error| format!("could not execute {clean_up}: {}", message_of_error(&error)))?;
        }
        Ok(())
    }
}

async fn open_session(config: &control::Config) -> Result<tokio_postgres::Client, String> {
    let (client, driver) = config.open_connection().await.map_err(|error| message_of_error(&error.into_decisive()))?;
    tokio::spawn(driver);
    Ok(client)
}

fn made_script(load: &BesideLoad, on: &BesideTarget<'_>, text: &str) -> Result<Vec<Weighted>, Problem> {
    let script = beside_scripts::made_script(&load.name, text);
    script.map(|script| vec![script]).map_err(|why| problem_of_load(load, on, &why))
}

fn job_of_load(
    load: &BesideLoad,
    place: usize,
    scripts: Vec<Weighted>,
    login: ConnInfo,
    on: &BesideTarget<'_>,
) -> EngineJob {
    let job = EngineJob::new(login_beside(load, login), scripts[0].script.clone());
    let pace = match (load.rate, load.pause) {
        (Some(rate), _) => {
            TransactionPace::Open { arrivals: Arrivals::Poisson, rate: OfferedRate::Constant(rate.per_s()) }
        }
        (None, pause) => TransactionPace::Closed { think: pause.map(Think::Fixed) },
    };
    EngineJob {
        answer_timeout: on.phases.total_duration() + ANSWER_MARGIN,
        scripts,
        mode: QueryMode::Simple,
        clients: NonZeroU32::new(load.client_count()).unwrap_or(NonZeroU32::MIN),
        pace,
        warm_up: on.phases.warm_up,
        measure: on.phases.measure.into(),
        // Not the random numbers of the workload.
        seed: on.seed.wrapping_add(1 + place as u64),
        ..job
    }
}

fn totals_of_summary(summary: Result<Summary, LoadError>) -> Result<BesideTotals, String> {
    let summary = summary.map_err(|error| in_full(&error, error.detail()))?;
    let lost = summary.outages.first().map(|outage| {
        format!("{} connections were lost, the first one because: {}", summary.outages.len(), outage.cause)
    });
    // What was cancelled after the end is no error of the load.
    let counted = summary.first_errors.iter().find(|error| summary.errors.contains_key(&error.sqlstate));
    let first = counted.map(|error| format!("{}: {}", error.sqlstate.as_str(), error.message));
    Ok(BesideTotals {
        measure_us: summary.measure_ns / 1_000,
        completed: summary.successful_transactions(),
        failed: summary.failed,
        unfinished: summary.unfinished,
        latency: observe::latency_summary(&summary.latency),
        first_error: first,
        error: lost,
        ..BesideTotals::not_run("", "", 0, String::new())
    })
}

/// An index that is built and dropped again and again.
struct IndexToBuild {
    /// Its name, with the schema of its table.
    name: String,
    on: String,
}

impl IndexToBuild {
    /// On a table and its columns, such as `s.t (a, b)`. `number`: that of its load.
    fn on_table(on: &str, number: usize) -> Self {
        let table = on.split('(').next().unwrap_or_default().trim();
        let name = format!("pgdyno_beside_{number}");
        let name = match table.rsplit_once('.') {
            Some((schema, _)) => format!("{schema}.{name}"),
            None => name,
        };
        Self { name, on: on.to_owned() }
    }

    fn script_text(&self) -> String {
        let Self { name, on } = self;
        let own = name.rsplit('.').next().unwrap_or_default();
        format!("CREATE INDEX CONCURRENTLY {own} ON {on};\nDROP INDEX CONCURRENTLY {name};\n")
    }

    fn clean_up(&self) -> String {
        format!("DROP INDEX CONCURRENTLY IF EXISTS {}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_is_dropped_in_the_schema_of_its_table() {
        let index = IndexToBuild::on_table("app.orders (customer_id)", 2);
        assert_eq!(index.clean_up(), "DROP INDEX CONCURRENTLY IF EXISTS app.pgdyno_beside_2");
        let script = index.script_text();
        assert!(
            script.starts_with("CREATE INDEX CONCURRENTLY pgdyno_beside_2 ON app.orders (customer_id);"),
            "{script}"
        );
        assert_eq!(
            IndexToBuild::on_table("orders(a)", 1).clean_up(),
            "DROP INDEX CONCURRENTLY IF EXISTS pgdyno_beside_1"
        );
    }
}
