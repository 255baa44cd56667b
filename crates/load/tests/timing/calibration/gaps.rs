//! Gaps of a known length: between which instants nothing was acknowledged is what the server's own record says.

use super::{Run, job, run};
use load::SilentPeriod;
use std::time::Duration;
use testbed::calibration::{
    Behaviour, CalibrationAnswer, CalibrationRequest, CalibrationServer, Exchange, Reply, SocketWay, answer_after,
};

const MS: Duration = Duration::from_millis(1);
const MS_NS: u64 = 1_000_000;

/// How wrong a gap may be at most.
const ERROR_NS: u64 = 10 * MS_NS;

/// The longest gap of the run, which is of reads: `SELECT 1` changes nothing. What was before the first one is none.
fn longest(done: &Run) -> SilentPeriod {
    let reads = done.summary.silences.reads.as_ref().expect("something was acknowledged");
    assert!(done.summary.silences.writes.is_none(), "no row was changed");
    let ended = reads.iter().filter(|silence| silence.start_ns > 0 && silence.end_ns.is_some());
    *ended.max_by_key(|silence| silence.end_ns.unwrap_or(0) - silence.start_ns).expect("a gap")
}

/// The client had the answer after the server sent it, and before it sent the next request.
fn acknowledged_between(exchanges: &[Exchange], number: usize) -> [u64; 2] {
    let next = exchanges.get(number + 1).map_or(u64::MAX, |next| next.arrived_ns);
    [exchanges[number].answered_ns, next]
}

/// The gap between the answers `before` and `before + 1` is between these instants by the server's record.
fn holds(done: &Run, server: &CalibrationServer, before: usize) {
    let exchanges: Vec<Exchange> = server
        .copy_of_record()
        .exchanges
        .into_iter()
        .filter(|exchange| exchange.answer == CalibrationAnswer::Whole)
        .collect();
    let gap = longest(done);
    for (at_ns, number) in [(gap.start_ns, before), (gap.end_ns.expect("ended"), before + 1)] {
        let [early_ns, late_ns] = done.on_server_clock(at_ns);
        let [at_least_ns, at_most_ns] = acknowledged_between(&exchanges, number);
        assert!(late_ns >= at_least_ns && early_ns <= at_most_ns, "{gap:?}: {at_least_ns} to {at_most_ns}");
    }
    // What the bounds leave open is the way there and back, and how long the job took to start.
    let [first, second] = [before, before + 1].map(|number| exchanges[number].answered_ns);
    let measured_ns = gap.end_ns.expect("ended") - gap.start_ns;
    let late_ns: u64 = [before, before + 1]
        .map(|number| acknowledged_between(&exchanges, number))
        .map(|[sent, next]| next.saturating_sub(sent))
        .iter()
        .sum();
    assert!(measured_ns.abs_diff(second - first) <= late_ns.max(ERROR_NS), "{gap:?}, sent {} ns apart", second - first);
}

#[test]
fn a_server_that_stands_still_for_a_known_time_gives_a_gap_of_that_length() {
    const STALL: Duration = Duration::from_millis(437);
    let server = CalibrationServer::start_server(
        SocketWay::Tcp,
        Behaviour::from_reply(|request: CalibrationRequest| {
            let service = if request.number == 100 { STALL } else { MS };
            answer_after(request, service, CalibrationAnswer::Whole)
        }),
    );
    let done = run(&server, &job(&server, 1));
    holds(&done, &server, 99);
    let gap = longest(&done);
    assert!(gap.end_ns.expect("ended") - gap.start_ns >= u64::try_from(STALL.as_nanos()).expect("small") - ERROR_NS);
}

#[test]
fn a_server_that_drops_the_connection_gives_a_gap_until_its_first_answer_on_the_next_one() {
    let server = CalibrationServer::start_server(
        SocketWay::Unix,
        Behaviour::from_reply(|request: CalibrationRequest| match request.number {
            100 => answer_after(request, MS, CalibrationAnswer::Reset),
            // The first answer after it takes long, so that the gap stands out.
            101 => Reply { due_ns: request.arrived_ns + 300 * MS_NS, answer: CalibrationAnswer::Whole },
            _ => answer_after(request, MS, CalibrationAnswer::Whole),
        }),
    );
    let done = run(&server, &job(&server, 1));
    holds(&done, &server, 99);
    assert_eq!(done.summary.outages.len(), 1);
}
