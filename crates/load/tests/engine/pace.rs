//! Open loops and numbers of transactions on the real server.

use crate::server::{Postgres, shared};
use crate::{job, script, transactions};
use load::{Arrivals, EngineEvent, EngineJob, OfferedRate, StopRequest, Summary, TransactionPace};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

fn open(rate: f64) -> TransactionPace {
    TransactionPace::Open { arrivals: Arrivals::Poisson, rate: OfferedRate::Constant(rate) }
}

/// Every arrival has become exactly one of these.
fn accounted(summary: &Summary) -> u64 {
    let open = summary.open.as_ref().expect("an open loop");
    summary.successful_transactions()
        + summary.failed
        + summary.unknown
        + summary.unfinished
        + open.skipped
        + open.waiting
}

fn offered(summary: &Summary) -> u64 {
    summary.open.as_ref().expect("an open loop").offered
}

#[test]
pub(crate) fn an_open_loop_leaves_as_many_rows_as_it_says() {
    let postgres = shared();
    let database = postgres.empty_database();
    postgres.query_database(&database, "CREATE TABLE t (i int)");
    let insert = script("INSERT INTO t VALUES (1);");
    let summary =
        crate::run(&EngineJob { pace: open(300.0), ..job(postgres.unix(&database), insert) }).expect("it runs");
    postgres.wait_until_left(&database);
    assert_eq!(accounted(&summary), offered(&summary));
    assert!(summary.successful_transactions() > 0);
    let rows = postgres.query_number(&database, "SELECT count(*) FROM t") as u64;
    assert_eq!(rows, summary.successful_transactions() + summary.unfinished, "what was under way has finished");
}

#[test]
pub(crate) fn a_number_of_transactions_is_kept_to_exactly() {
    let postgres = shared();
    let database = postgres.empty_database();
    postgres.query_database(&database, "CREATE TABLE t (i int)");
    let insert = script("\\set i random(1, 10)\nINSERT INTO t VALUES (:i);");
    let three = NonZeroU32::new(3).expect("not zero");
    let summary =
        crate::run(&EngineJob { clients: three, measure: transactions(111), ..job(postgres.unix(&database), insert) });
    postgres.wait_until_left(&database);
    assert_eq!(summary.expect("it runs").successful_transactions(), 333);
    assert_eq!(postgres.query_number(&database, "SELECT count(*) FROM t"), 333);
}

#[test]
fn arrivals_of_an_outage_are_not_forgotten() {
    let postgres = Arc::new(Postgres::start());
    let five = EngineJob {
        pace: open(100.0),
        measure: Duration::from_secs(5).into(),
        ..job(postgres.unix("postgres"), script("SELECT 1;"))
    };
    let mut recovery = None;
    let summary = load::run_job(&five, &StopRequest::new(), &mut |event| {
        if let (EngineEvent::Second(_), None) = (event, &recovery) {
            let postgres = Arc::clone(&postgres);
            recovery = Some(std::thread::spawn(move || {
                postgres.crash_server();
                postgres.start_again();
            }));
        }
    })
    .expect("the run is made");
    recovery.expect("a second has passed").join().expect("the server comes back");
    assert_eq!(accounted(&summary), offered(&summary), "{summary:?}");
    // Those that ended while the server was away would be missing from a closed loop.
    let down_ns = summary.outages.iter().map(|outage| outage.end_ns.unwrap_or(u64::MAX) - outage.start_ns).min();
    let down_ns = down_ns.expect("an outage");
    let open = summary.open.expect("an open loop");
    assert!(open.waiting > 0 || summary.latency.histogram().max() >= down_ns / 2, "{down_ns}: {:?}", summary.latency);
}
