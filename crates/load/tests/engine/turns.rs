//! Sides that take turns on the real PostgreSQL: what each does is what it would do alone, and each is counted by
//! itself.

use crate::server::{Postgres, shared};
use crate::{job, run, script, transactions};
use conninfo::ConnInfo;
use load::ledger::LedgerKept;
use load::{EndedTurn, EngineJob, ParsedScript, StopRequest, Tally, TurnTakingJobs, TurnsEvent, TurnsSummary};
use std::sync::Arc;
use std::time::Duration;

const LENGTH: Duration = Duration::from_millis(50);

/// For as long as a test needs.
fn side(to: ConnInfo, script: ParsedScript, measure: Duration) -> EngineJob {
    EngineJob { measure: measure.into(), ..job(to, script) }
}

fn take_turns(sides: Vec<EngineJob>, mut each: impl FnMut(&EndedTurn, &StopRequest)) -> TurnsSummary {
    let stop = StopRequest::new();
    let done = load::run_turns(
        &TurnTakingJobs { sides, length: LENGTH, transactions_at_least: 0, seed: 1, between: None },
        &stop,
        &mut |event| {
            if let TurnsEvent::Turn(turn) = event {
                each(turn, &stop);
            }
        },
    );
    done.expect("the run is made")
}

#[test]
pub(crate) fn each_client_of_each_side_asks_for_the_same_in_the_same_order_as_alone() {
    let postgres = shared();
    let database = postgres.empty_database();
    postgres.query_database(&database, "CREATE TABLE drawn (who text, client int, a bigint, n serial)");
    let drawing = |who| {
        let text = format!(
            "\\set a random(1, 100000)\nINSERT INTO drawn (who, client, a) VALUES ('{who}', :client_id, :a);\n"
        );
        script(&text)
    };
    let of = |who, seed| EngineJob { seed, ..side(postgres.unix(&database), drawing(who), Duration::from_secs(60)) };
    let sides = vec![of("one", 7), of("other", 8), of("same", 7)];
    let mut made = [0; 3];
    let done = take_turns(sides, |turn, stop| {
        made[turn.side] += turn.transactions;
        if made.iter().all(|made| *made >= 40) {
            stop.request_stop();
        }
    });
    for (who, seed) in [("alone7", 7), ("alone8", 8)] {
        run(&EngineJob { measure: transactions(20), ..of(who, seed) }).expect("it runs");
    }
    let first = |who: &str| {
        let sql = format!(
            "SELECT client, a FROM (SELECT *, row_number() OVER (PARTITION BY client ORDER BY n) AS k FROM drawn \
             WHERE who = '{who}') AS d WHERE k <= 5 ORDER BY client, n"
        );
        postgres.query_database(&database, &sql)
    };
    assert_eq!(first("one").lines().count(), 10, "each of two clients has made five at least");
    assert_eq!([first("one"), first("same")], [first("alone7"), first("alone7")]);
    assert_eq!(first("other"), first("alone8"));
    for (number, who) in ["one", "other", "same"].iter().enumerate() {
        let rows = postgres.query_number(&database, &format!("SELECT count(*) FROM drawn WHERE who = '{who}'"));
        let summary = &done.sides[number];
        assert_eq!(
            rows as u64,
            summary.successful_transactions(),
            "nothing is unfinished and nothing is counted elsewhere"
        );
        assert_eq!((summary.unfinished, summary.failed), (0, 0));
    }
}

#[test]
pub(crate) fn tally_and_ledger_are_each_sides_own_also_on_one_server() {
    let postgres = shared();
    let database = postgres.pgbench_database();
    let writing = |tally: &Tally| EngineJob {
        ledger: LedgerKept::Yes,
        tally: tally.clone(),
        ..side(
            postgres.tcp(&database),
            load::ledger::ledger_script("simple-update").expect("it writes"),
            Duration::from_millis(400),
        )
    };
    let tallies = [Tally::new(), Tally::new()];
    let done = take_turns(tallies.iter().map(writing).collect(), |_, _| ());
    let ledgers = [0, 1].map(|side| done.sides[side].ledger.as_ref().expect("a ledger was kept"));
    assert_ne!(ledgers[0].tag(), ledgers[1].tag());
    for ((summary, tally), ledger) in done.sides.iter().zip(&tallies).zip(ledgers) {
        let sql = format!("SELECT count(*) FROM pgbench_history WHERE filler LIKE '{}%'", ledger.tag());
        assert!(summary.successful_transactions() > 0);
        assert_eq!(
            [tally.transaction_count(), ledger.acknowledged_entries(), postgres.query_number(&database, &sql) as u64],
            [summary.successful_transactions(); 3]
        );
    }
}

#[test]
pub(crate) fn a_server_that_crashes_and_comes_back_loses_its_turns_and_the_other_side_goes_on() {
    let (stays, crashes) = (shared(), Arc::new(Postgres::start()));
    let long = Duration::from_secs(3600);
    let sides = [stays.unix("postgres"), crashes.tcp("postgres")].map(|to| side(to, script("SELECT 1;"), long));
    let (mut recovery, mut lost, mut after) = (None, 0, 0);
    let done = take_turns(sides.into(), |turn, stop| {
        if recovery.is_none() && turn.side == 1 {
            let crashes = Arc::clone(&crashes);
            recovery = Some(std::thread::spawn(move || {
                crashes.crash_server();
                crashes.start_again();
            }));
        }
        if turn.side == 1 {
            lost += u32::from(turn.is_lost);
            after += u32::from(lost > 0 && turn.clients_out == 0);
        }
        if after == 3 {
            stop.request_stop();
        }
    });
    recovery.expect("there was a turn").join().expect("the server comes back");
    assert_eq!((done.sides[0].outages.len(), done.sides[0].unknown), (0, 0));
    let outages = &done.sides[1].outages;
    assert!(outages.len() >= 2 && outages.iter().all(|outage| outage.end_ns.is_some()), "{outages:?}");
    let in_flight = outages.iter().filter(|outage| outage.in_flight).count() as u64;
    assert_eq!((done.sides[1].unknown, done.sides[1].failed), (in_flight, 0));
    assert!(done.turns.iter().filter(|turn| turn.side == 0).all(|turn| !turn.is_lost && turn.transactions > 0));
    assert!(done.whole_rounds().count() >= 3);
}
