//! A side's own time stands still between its turns: pauses and schedules are what they would be without the other
//! side.

use super::{Done, MS, agrees, job, run, turns};
use load::{Arrivals, EngineJob, OfferedRate, ParsedScript, Think, TransactionPace, Weighted};
use std::time::Duration;
use testbed::calibration::{Behaviour, CalibrationServer, SocketWay};

const LENGTH: Duration = Duration::from_millis(50);

fn paced(pace: &TransactionPace, limit: Option<Duration>, service: Duration) -> Done {
    let sides: Vec<_> = (0..2)
        .map(|_| CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(service)))
        .collect();
    let jobs = sides.iter().map(|server| EngineJob { pace: pace.clone(), latency_limit: limit, ..job(server, 4) });
    let done = run(&turns(jobs.collect(), LENGTH));
    agrees(&done);
    done
}

#[test]
fn a_pause_goes_on_in_the_next_turn_where_it_was() {
    let pause = Duration::from_millis(35);
    let done = paced(&TransactionPace::Closed { think: Some(Think::Fixed(pause)) }, None, MS);
    for side in 0..2 {
        // Between two transactions of a client its side could begin some for as long as the pause; nothing passed
        // meanwhile.
        let own_ns: u64 = done.turns_of(side).map(|turn| turn.duration_ns() - turn.overrun_ns).sum();
        let at_most = 4 * (own_ns / pause.as_nanos() as u64 + 1);
        assert!(
            done.of(side).successful_transactions() <= at_most,
            "{} of {at_most}",
            done.of(side).successful_transactions()
        );
        assert!(done.of(side).successful_transactions() >= 4, "each client has begun");
    }
}

#[test]
fn a_turn_whose_last_transaction_ends_with_a_pause_of_its_script_ends_with_it() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS));
    let script = ParsedScript::parse("pausing.sql", "SELECT 1;\n\\sleep 5 ms\n").expect("a script");
    let pausing = EngineJob { scripts: vec![Weighted::with_weight_one(script)], ..job(&server, 4) };
    let done = run(&turns(vec![pausing.clone(), pausing], LENGTH));
    // Ten of each side fit in. A thread that sleeps until something else wakes it begins about one in a second.
    assert!(done.summary.measured_turns().count() >= 8, "{:?}", done.summary.turns);
}

#[test]
fn arrivals_come_in_the_turns_of_their_side_only_and_each_becomes_one_thing() {
    for (arrivals, limit, service) in [
        (Arrivals::Even, None, MS),
        // 4 clients do 200 per second, of 400.
        (Arrivals::Even, None, 20 * MS),
        (Arrivals::Even, Some(30 * MS), 20 * MS),
        (Arrivals::Poisson, None, MS),
    ] {
        let done = paced(&TransactionPace::Open { arrivals, rate: OfferedRate::Constant(400.0) }, limit, service);
        for side in 0..2 {
            let summary = done.of(side);
            let open = summary.open.as_ref().expect("an open loop");
            let begun = summary.successful_transactions() + summary.failed + summary.unknown + summary.unfinished;
            assert_eq!(begun + open.skipped + open.waiting, open.offered, "{summary:?}");
            if arrivals == Arrivals::Even {
                let each = (400.0 * LENGTH.as_secs_f64()) as u64;
                assert_eq!(open.offered, each * done.turns_of(side).count() as u64);
            }
            assert!(summary.successful_transactions() > 0);
            assert!(limit.is_some() || open.skipped == 0);
        }
    }
}
