//! What has no meaning in turns is refused before anything is connected.

use super::{MS, job, turns};
use load::{Arrivals, EngineJob, IoBackend, JobExtent, OfferedRate, StopRequest, TransactionPace, TurnTakingJobs};
use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;
use testbed::calibration::{Behaviour, CalibrationServer, SocketWay};

#[test]
fn what_has_no_meaning_in_turns_is_refused_by_name() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS));
    let plain = || job(&server, 2);
    let with = |job: EngineJob| turns(vec![plain(), job], 50 * MS);
    let number = JobExtent::Transactions(NonZeroU64::MIN);
    let changing = |rate| TransactionPace::Open { arrivals: Arrivals::Even, rate };
    for (asked, expected) in [
        (turns(Vec::new(), MS), "there is no side to send"),
        (turns(vec![plain(), plain()], Duration::ZERO), "a slice has no duration"),
        (with(EngineJob { warm_up: MS, ..plain() }), "sides that alternate in slices must have equal phase durations"),
        (
            with(EngineJob { measure: MS.into(), ..plain() }),
            "sides that alternate in slices must have equal phase durations",
        ),
        (
            with(EngineJob { threads: NonZeroU32::MIN, ..plain() }),
            "sides that alternate in slices must share their threads and their I/O interface",
        ),
        (
            with(EngineJob { backend: IoBackend::Epoll, ..plain() }),
            "sides that alternate in slices must share their threads and their I/O interface",
        ),
        (
            turns(vec![EngineJob { measure: number, ..plain() }], MS),
            "slices require a duration of measurement, not a number of transactions",
        ),
        (
            with(EngineJob { pace: changing(OfferedRate::Steps(vec![1.0, 2.0])), ..plain() }),
            "sides that alternate in slices require a constant rate",
        ),
        (
            with(EngineJob { pace: changing(OfferedRate::Ramp { from: 1.0, to: 2.0 }), ..plain() }),
            "sides that alternate in slices require a constant rate",
        ),
        (with(EngineJob { scripts: Vec::new(), ..plain() }), "the job has no script"),
    ] {
        let refused = |outcome: Result<(), load::LoadError>| outcome.expect_err("it is refused").to_string();
        assert_eq!(refused(load::check_turns(&asked)), expected);
        assert_eq!(refused(load::run_turns(&asked, &StopRequest::new(), &mut |_| ()).map(drop)), expected);
    }
    load::check_turns(&TurnTakingJobs { seed: 7, ..with(plain()) }).expect("it is possible");
    assert!(server.copy_of_record().accepted_ns.is_empty());
}
