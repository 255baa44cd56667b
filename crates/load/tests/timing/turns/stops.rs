//! A request to stop, in whatever turn it comes.

use super::{MS, agrees, job, run_until, turns};
use load::{EngineJob, LoadError, StopRequest, TurnsEvent};
use std::time::Duration;
use testbed::calibration::{Behaviour, CalibrationServer, SocketWay};

const ENDLESS: Duration = Duration::from_secs(3600);

#[test]
fn a_stop_lets_the_round_under_way_finish_in_whatever_turn_and_phase_it_comes() {
    for (at_turn, warm_up) in [(0, Duration::ZERO), (3, Duration::ZERO), (4, ENDLESS)] {
        let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS));
        let endless = EngineJob { measure: ENDLESS.into(), warm_up, ..job(&server, 2) };
        let mut seen = 0;
        let done = run_until(&turns(vec![endless.clone(), endless], 20 * MS), |_, stop| {
            seen += 1;
            if seen > at_turn {
                stop.request_stop();
            }
        });
        agrees(&done);
        assert!(done.summary.sides.iter().all(|side| side.interrupted));
        assert!(done.summary.turns.len() > at_turn && done.summary.turns.len().is_multiple_of(2));
        let measured = done.summary.measured_turns().count();
        assert_eq!(measured, if warm_up.is_zero() { done.summary.turns.len() } else { 0 });
    }
}

#[test]
fn a_turn_that_does_not_end_is_cut_after_a_stop_and_what_was_under_way_is_unfinished() {
    let quick = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS));
    let stuck = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(Duration::from_secs(600)));
    let endless = |server| EngineJob { measure: ENDLESS.into(), ..job(server, 2) };
    let stop = StopRequest::new();
    let mut stop_at_once = |event: TurnsEvent<'_>| {
        if let TurnsEvent::Began { .. } = event {
            stop.request_stop();
        }
    };
    let asked = turns(vec![endless(&quick), endless(&stuck)], 20 * MS);
    let summary = load::run_turns(&asked, &stop, &mut stop_at_once).expect("the run is made");
    assert!(summary.sides.iter().all(|side| side.interrupted));
    assert_eq!((summary.sides[0].unfinished, summary.sides[1].unfinished), (0, 2));
    let cut = summary.turns.iter().find(|turn| turn.side == 1).expect("it had a turn");
    assert_eq!((cut.transactions, cut.is_lost), (0, false));
    assert_eq!(summary.sides[1].measure_ns, cut.duration_ns());
}

#[test]
fn a_stop_before_the_load_has_nothing_to_report() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS));
    let stop = StopRequest::new();
    stop.request_stop();
    let stopped = load::run_turns(&turns(vec![job(&server, 2), job(&server, 2)], 20 * MS), &stop, &mut |_| ());
    assert!(matches!(stopped, Err(LoadError::Stopped)), "{stopped:?}");
}
