//! A side whose server is gone loses its turns, and takes part again when it is back.

use super::{MS, agrees, job, on_io_uring, run_until, turns};
use load::{Connections, EndedTurn, EngineJob};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use testbed::calibration::{Behaviour, CalibrationAnswer, CalibrationServer, Greeting, SocketWay, answer_after};

/// A server that resets whatever it is asked and lets nobody in while it is gone.
fn vanishing(gone: &Arc<AtomicBool>) -> CalibrationServer {
    let (in_reply, at_greeting) = (Arc::clone(gone), Arc::clone(gone));
    let reply = Behaviour::from_reply(move |request| {
        let answer = if in_reply.load(Ordering::Relaxed) { CalibrationAnswer::Reset } else { CalibrationAnswer::Whole };
        answer_after(request, MS, answer)
    });
    let greeting = Box::new(move |_| match at_greeting.load(Ordering::Relaxed) {
        true => Greeting::CloseInAuthentication,
        false => Greeting::Welcome,
    });
    CalibrationServer::start_server(SocketWay::Unix, Behaviour { greeting, ..reply })
}

/// Side 1 vanishes in its third turn and is back after its fifth lost one; the run is stopped when it has had three
/// more.
fn there_and_back(connections: Connections, io_uring: bool) {
    let gone = Arc::new(AtomicBool::new(false));
    let (stays, vanishes) =
        (CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS)), vanishing(&gone));
    let long = |server| EngineJob { measure: Duration::from_secs(3600).into(), connections, ..job(server, 3) };
    let asked = turns(vec![long(&stays), long(&vanishes)], 30 * MS);
    let Some(asked) = (if io_uring { on_io_uring(&asked) } else { Some(asked) }) else { return };
    let (mut turns, mut lost, mut after) = (0, 0, 0);
    let done = run_until(&asked, |turn: &EndedTurn, stop| {
        if turn.side == 0 {
            return;
        }
        turns += 1;
        lost += u32::from(turn.is_lost);
        after += u32::from(lost >= 5 && !turn.is_lost && turn.clients_out == 0 && turn.transactions > 0);
        gone.store(turns >= 2 && lost < 5, Ordering::Relaxed);
        if after == 3 {
            stop.request_stop();
        }
    });
    agrees(&done);
    assert!((lost, after) >= (5, 3), "{:?}", done.summary.turns);
    let outages = &done.of(1).outages;
    assert!(outages.len() >= 3 && outages.iter().all(|outage| outage.end_ns.is_some()), "{outages:?}");
    assert!(done.of(0).outages.is_empty() && done.turns_of(0).all(|turn| !turn.is_lost && turn.transactions > 0));
    let is_whole = |turn: &EndedTurn| !turn.is_lost;
    assert!(done.summary.whole_rounds().all(|round| round.iter().all(is_whole)));
    let rounds = done.summary.turns.len() / 2;
    assert_eq!(done.summary.whole_rounds().count(), rounds - done.turns_of(1).filter(|turn| turn.is_lost).count());
}

#[test]
fn a_side_that_vanishes_loses_its_turns_and_comes_back_while_the_other_goes_on() {
    there_and_back(Connections::Kept, false);
    there_and_back(Connections::Kept, true);
}

#[test]
fn so_does_one_with_a_connection_per_transaction() {
    there_and_back(Connections::PerTransaction, false);
}
