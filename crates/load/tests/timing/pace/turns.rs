//! Clients of one thread take turns, whatever their scripts do.

use super::{MS, job};
use load::{EngineEvent, EngineJob, JobExtent, ParsedScript, StopRequest, Weighted};
use std::num::{NonZeroU32, NonZeroU64};
use testbed::calibration::{Behaviour, CalibrationServer, SocketWay};

#[test]
fn a_client_whose_script_sends_nothing_leaves_the_others_their_turns() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS));
    let all_but_the_first = "\\if :client_id > 0\nSELECT 1;\n\\endif\n";
    let script = ParsedScript::parse("all-but-the-first.sql", all_but_the_first).expect("a script");
    let endless = EngineJob {
        scripts: vec![Weighted::with_weight_one(script)],
        threads: NonZeroU32::MIN,
        measure: JobExtent::Transactions(NonZeroU64::MAX),
        ..job(&server, 8)
    };
    let stop = StopRequest::new();
    let mut stop_at_once = |event: EngineEvent<'_>| match event {
        EngineEvent::Began { .. } => stop.request_stop(),
        EngineEvent::Connecting { .. }
        | EngineEvent::Connected { .. }
        | EngineEvent::Second(_)
        | EngineEvent::Ended { .. } => {}
    };
    load::run_job(&endless, &stop, &mut stop_at_once).expect("the run is made");
    let mut requests = [0; 8];
    for exchange in server.copy_of_record().exchanges {
        requests[exchange.connection] += 1;
    }
    assert_eq!(requests.iter().filter(|&&count| count == 0).count(), 1, "{requests:?}");
    assert_eq!(requests.iter().filter(|&&count| count > 1).count(), 7, "{requests:?}");
}
