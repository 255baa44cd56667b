//! Faults at known requests: every one is counted once, and outages have the server's own instants.

use super::{Run, job, run, transactions, try_run};
use load::{EngineJob, QueryMode, SqlState, Tries};
use std::num::NonZeroU32;
use std::time::Duration;
use testbed::calibration::{
    Behaviour, CalibrationAnswer, CalibrationRequest, CalibrationServer, Greeting, SocketWay, answer_after,
};

const MS: Duration = Duration::from_millis(1);

/// Every `every`-th request, counted from 1, is answered like that, all others as a whole after 1 ms.
fn every(every: u64, fault: CalibrationAnswer) -> Behaviour {
    Behaviour::from_reply(move |request: CalibrationRequest| {
        let answer = if request.number % every == every - 1 { fault } else { CalibrationAnswer::Whole };
        answer_after(request, MS, answer)
    })
}

/// Whatever the server has received is counted, and nothing twice.
fn all_accounted(done: &Run, server: &CalibrationServer) {
    let Run { summary, .. } = done;
    let counted = summary.successful_transactions() + summary.failed + summary.unknown + summary.unfinished;
    assert_eq!(counted, server.copy_of_record().exchanges.len() as u64, "{summary:?}");
}

#[test]
fn errors_are_counted_by_their_code_as_often_as_the_server_has_sent_them() {
    let server = CalibrationServer::start_server(SocketWay::Tcp, every(7, CalibrationAnswer::Error("40001")));
    let done = run(&server, &job(&server, 3));
    all_accounted(&done, &server);
    let sent =
        server.copy_of_record().exchanges.iter().filter(|e| matches!(e.answer, CalibrationAnswer::Error(_))).count()
            as u64;
    let code = SqlState::from_bytes(b"40001").expect("a code");
    let counted = done.summary.errors[&code];
    assert_eq!(counted, done.summary.failed);
    assert!(counted <= sent && sent - counted <= done.summary.unfinished, "{counted} of {sent}");
}

#[test]
fn a_transaction_that_is_tried_again_is_counted_once_and_its_latency_is_that_of_all_tries() {
    let server = CalibrationServer::start_server(SocketWay::Unix, every(5, CalibrationAnswer::Error("40P01")));
    let three = Tries::AtMost(NonZeroU32::new(3).expect("not zero"));
    let done = run(&server, &EngineJob { tries: three, ..job(&server, 1) });
    let summary = &done.summary;
    let counted = summary.successful_transactions() + summary.failed + summary.unfinished;
    let tries = server.copy_of_record().exchanges.len() as u64;
    assert_eq!(summary.failed, 0, "with one client the try after a failed one succeeds");
    assert!((summary.retries..=summary.retries + summary.unfinished).contains(&(tries - counted)), "{summary:?}");
    assert_eq!(summary.retried, summary.retries);
    // A fifth of the requests fails, and each failure is one more millisecond for its transaction.
    let over = summary.successful_transactions() - summary.latency.histogram().count_between(0, 1_999_000);
    assert!(over >= summary.retried, "{over} took two milliseconds and more, {} were retried", summary.retried);
}

#[test]
fn every_way_of_losing_a_connection_is_an_outage_between_the_instants_at_which_it_happened() {
    for (way, fault) in [
        (SocketWay::Tcp, CalibrationAnswer::Reset),
        (SocketWay::Unix, CalibrationAnswer::Reset),
        (SocketWay::Tcp, CalibrationAnswer::HalfThenClose),
        (SocketWay::Unix, CalibrationAnswer::HalfThenClose),
        (SocketWay::Tcp, CalibrationAnswer::Garbage),
    ] {
        let server = CalibrationServer::start_server(way, every(50, fault));
        let done = run(&server, &job(&server, 1));
        all_accounted(&done, &server);
        let record = server.copy_of_record();
        assert!(done.summary.outages.len() >= 2, "{fault:?}: {:?}", done.summary.outages);
        for (number, outage) in done.summary.outages.iter().enumerate() {
            assert!(outage.in_flight, "{outage:?}");
            let [_, noticed_ns] = done.on_server_clock(outage.start_ns);
            assert!(record.cuts[number].at_ns <= noticed_ns, "not noticed before it happened: {outage:?}");
            let Some(end_ns) = outage.end_ns else { continue };
            // One client: its connections follow each other.
            let [over_early_ns, over_ns] = done.on_server_clock(end_ns);
            let accepted_ns = record.accepted_ns[number + 1];
            assert!(record.cuts[number].at_ns < over_ns, "{outage:?}");
            let first = record.exchanges.iter().find(|e| e.connection == number + 1);
            assert!(first.is_none_or(|first| over_early_ns <= first.arrived_ns), "{outage:?} {accepted_ns}");
        }
    }
}

#[test]
fn a_server_that_falls_silent_is_given_up_in_time_and_the_outage_began_with_the_silence() {
    let server = CalibrationServer::start_server(SocketWay::Tcp, every(20, CalibrationAnswer::HalfThenSilence));
    let mut impatient = job(&server, 1);
    impatient.answer_timeout = Duration::from_millis(300);
    let done = run(&server, &impatient);
    all_accounted(&done, &server);
    let record = server.copy_of_record();
    let silences: Vec<_> = record.exchanges.iter().filter(|e| e.answer == CalibrationAnswer::HalfThenSilence).collect();
    assert!(done.summary.outages.len() >= 7, "{:?}", done.summary.outages);
    for (number, outage) in done.summary.outages.iter().enumerate() {
        let [earliest_ns, _] = done.on_server_clock(outage.start_ns);
        assert!(earliest_ns <= silences[number].arrived_ns, "the transaction had begun: {outage:?}");
        let Some(end_ns) = outage.end_ns else { continue };
        let [_, over_ns] = done.on_server_clock(end_ns);
        assert!(over_ns >= silences[number].arrived_ns + 290_000_000, "not before its time: {outage:?}");
        assert_eq!(outage.cause, "the server did not answer in time");
    }
}

#[test]
fn a_client_goes_on_with_each_connection_that_it_gets_as_with_its_first() {
    for mode in [QueryMode::Simple, QueryMode::Prepared] {
        let server = CalibrationServer::start_server(SocketWay::Unix, every(3, CalibrationAnswer::Reset));
        let done = run(&server, &EngineJob { mode, measure: transactions(9), ..job(&server, 1) });
        all_accounted(&done, &server);
        let record = server.copy_of_record();
        let served = |connection| record.exchanges.iter().filter(|e| e.connection == connection).count();
        assert!(record.cuts.len() > 1, "{mode:?}: the second connection was used as far as the fault");
        for connection in 0..record.cuts.len() {
            assert_eq!(served(connection), 3, "{mode:?}: connection {connection} of {}", record.accepted_ns.len());
        }
    }
}

#[test]
fn a_server_that_closes_in_the_middle_of_a_first_login_ends_the_run_by_name() {
    let complaints = [
        (Greeting::CloseInAuthentication, "closed the connection during the login"),
        (Greeting::ProtocolTwo, "could not log in"),
    ];
    for (greeting, expected) in complaints {
        let server = CalibrationServer::start_server(
            SocketWay::Tcp,
            Behaviour { greeting: Box::new(move |_| greeting), ..Behaviour::constant_service(MS) },
        );
        let error = try_run(&server, &job(&server, 2)).err().expect("nobody gets in").to_string();
        assert!(error.contains(expected), "{greeting:?}: {error}");
    }
}

#[test]
fn a_login_that_is_refused_in_an_outage_is_tried_again_until_it_succeeds() {
    let behaviour = Behaviour {
        greeting: Box::new(|connection| match connection {
            1 => Greeting::CloseInAuthentication,
            2 => Greeting::ProtocolTwo,
            _ => Greeting::ByteByByte,
        }),
        ..Behaviour::from_reply(|request| {
            let answer = if request.number == 20 { CalibrationAnswer::Reset } else { CalibrationAnswer::Whole };
            answer_after(request, MS, answer)
        })
    };
    let server = CalibrationServer::start_server(SocketWay::Tcp, behaviour);
    let done = run(&server, &job(&server, 1));
    all_accounted(&done, &server);
    let [outage] = &done.summary.outages[..] else { panic!("{:?}", done.summary.outages) };
    let end_ns = outage.end_ns.expect("the fourth connection succeeds");
    let record = server.copy_of_record();
    assert_eq!((record.accepted_ns.len(), done.summary.unknown), (4, 1));
    let [_, over_ns] = done.on_server_clock(end_ns);
    assert!(over_ns > record.accepted_ns[3], "the outage lasts until somebody is let in");
}
