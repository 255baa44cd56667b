//! How long a round trip to a server takes over the load's own path, as a fact: the load engine makes some itself, one
//! after the other, over the way, the encryption and the network namespace that the load takes.

use std::num::NonZeroU64;

use conninfo::ConnInfo;
use load::{EngineJob, JobExtent, LoadError, ParsedScript, QueryMode, StatementTimes, StopRequest};
use results::facts::TargetFacts;

use super::load_result::in_full;

/// So many tell the median well enough, and take a server at the other end of a continent some seconds.
const ROUND_TRIPS: NonZeroU64 = NonZeroU64::new(50).expect("not zero");

/// What stands among the gaps of facts where it is not known.
const NAME: &str = "path.round_trip_us";

/// Writes it among the facts of a target, in place of what stood there; what kept from it is a gap.
pub(super) fn record_round_trip(facts: &mut TargetFacts, measured: Result<u64, String>) {
    facts.gaps.remove(NAME);
    facts.path.round_trip_us = measured.map_err(|why| facts.gaps.insert(NAME.to_owned(), why)).ok();
}

/// The same from here, while others go on.
pub(super) async fn from_here(server: ConnInfo, stop: &StopRequest) -> Result<u64, String> {
    let stop = stop.clone();
    let measured = tokio::task::spawn_blocking(move || round_trip_us(server, &stop)).await;
    measured.expect("the load engine does not panic")
}

/// The median of some round trips from the machine that this runs on, in microseconds.
///
/// # Errors
/// What kept from it, in words.
pub fn round_trip_us(server: ConnInfo, stop: &StopRequest) -> Result<u64, String> {
    let ran = round_trip_job(server).and_then(|job| load::run_job(&job, stop, &mut |_| ()));
    let summary = ran.map_err(|error| in_full(&error, error.detail()))?;
    let median_ns = summary.latency.quantile_ns(0.5).filter(|_| !summary.interrupted);
    median_ns
        .map(|median_ns| (median_ns + 500) / 1000)
        .ok_or_else(|| "the server did not answer every query".to_owned())
}

/// One client whose transactions are one exchange of messages each, with next to no work for the server. By the simple
/// protocol, which every pooler passes on.
fn round_trip_job(server: ConnInfo) -> Result<EngineJob, LoadError> {
    let script = ParsedScript::parse("round trip", "SELECT 1;")?;
    Ok(EngineJob {
        mode: QueryMode::Simple,
        measure: JobExtent::Transactions(ROUND_TRIPS),
        statements: StatementTimes::NotTaken,
        ..EngineJob::new(server, script)
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;

    use conninfo::ServerHost;

    use super::*;

    /// A server that lets everybody in, and answers each message with this.
    fn answering(answer: &'static [u8]) -> ConnInfo {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        std::thread::spawn(move || {
            for mut connection in listener.incoming().flatten() {
                let mut request = [0; 1024];
                let _startup = connection.read(&mut request);
                let _sent = connection.write_all(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I");
                while connection.read(&mut request).is_ok_and(|received| received > 0) {
                    let _sent = connection.write_all(answer);
                }
            }
        });
        ConnInfo::new((ServerHost::tcp_from_name("127.0.0.1"), port), "u", "d")
    }

    #[test]
    fn the_median_is_of_exchanges_that_succeeded_and_anything_else_is_a_reason() {
        let one_row = b"C\0\0\0\x0dSELECT 1\0Z\0\0\0\x05I";
        let of = |server| round_trip_us(server, &StopRequest::new());
        let median_us = of(answering(one_row)).expect("answered");
        assert!((1..1_000_000).contains(&median_us), "{median_us} µs");
        let refused = b"E\0\0\0\x13SERROR\0C42501\0\0Z\0\0\0\x05I";
        assert_eq!(of(answering(refused)), Err("the server did not answer every query".to_owned()));
        let nobody = ConnInfo::new((ServerHost::Unix("/nowhere".into()), 5432), "u", "d");
        let why = of(nobody).expect_err("nobody is there");
        assert!(why.starts_with("could not connect to server") && why.contains("No such file"), "{why}");
    }
}
