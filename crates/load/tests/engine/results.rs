//! The figures of a run agree with each other, and their events come in order.

use crate::server::shared;
use crate::{builtin, job, pausing, script};
use load::{EngineEvent, EngineJob, LoadError, LoadPhase, StopRequest, Tally};
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

#[test]
pub(crate) fn the_measured_seconds_add_up_to_the_summary_and_the_warm_up_is_not_in_it() {
    let postgres = shared();
    let database = postgres.pgbench_database();
    let tally = Tally::new();
    let job = EngineJob {
        tally: tally.clone(),
        warm_up: Duration::from_millis(1300),
        measure: Duration::from_millis(2200).into(),
        ..job(postgres.unix(&database), builtin("select-only"))
    };
    let mut seconds = Vec::new();
    let mut order = Vec::new();
    let summary = load::run_job(&job, &StopRequest::new(), &mut |event| match event {
        EngineEvent::Connecting { .. } => order.push("connecting"),
        EngineEvent::Connected { .. } => order.push("connected"),
        EngineEvent::Began { phase: LoadPhase::WarmUp, .. } => order.push("warm-up"),
        EngineEvent::Began { phase: LoadPhase::Measure, .. } => order.push("measure"),
        EngineEvent::Ended { .. } => order.push("ended"),
        EngineEvent::Second(second) => {
            let script = &second.scripts[0];
            seconds.push((second.phase, second.index, second.start_ns, second.duration_ns, script.latency.count()));
            assert_eq!(second.threads.len(), 2);
            assert!(second.threads.iter().all(|thread| thread.busy_ns <= second.duration_ns + 1_000_000_000));
        }
    })
    .expect("it runs");
    assert_eq!(order, ["connecting", "connected", "warm-up", "measure", "ended"]);
    let shape: Vec<_> =
        seconds.iter().map(|(phase, index, _, duration, _)| (*phase, *index, duration / 1_000_000)).collect();
    let (warm, measure) = (LoadPhase::WarmUp, LoadPhase::Measure);
    assert_eq!(shape, [(warm, 0, 1000), (warm, 1, 300), (measure, 0, 1000), (measure, 1, 1000), (measure, 2, 200)]);
    assert!(seconds.windows(2).all(|pair| pair[0].2 + pair[0].3 == pair[1].2), "{seconds:?}");
    let measured: u64 = seconds.iter().filter(|second| second.0 == measure).map(|second| second.4).sum();
    assert_eq!(summary.successful_transactions(), measured);
    assert_eq!((summary.measure_ns, summary.measure_start_ns), (2_200_000_000, seconds[2].2));
    assert!(measured > 0, "{seconds:?}");
    // What was under way at the end ends later, at most one transaction a client.
    let ended: u64 = seconds.iter().map(|second| second.4).sum();
    assert!((ended..=ended + 2).contains(&tally.transaction_count()), "{} {}", ended, tally.transaction_count());
    assert_eq!((summary.clients, summary.threads, summary.interrupted), (2, 2, false));
    assert!(summary.engine.iter().all(|thread| thread.cpu_ns > 0 && thread.cpu_system_ns.is_some()));
}

#[test]
pub(crate) fn clients_are_never_idle_so_that_littles_law_holds() {
    let postgres = shared();
    let one = NonZeroU32::MIN;
    let job =
        EngineJob { clients: one, threads: one, ..job(postgres.tcp("postgres"), script("SELECT pg_sleep(0.02);")) };
    let summary = crate::run(&job).expect("it runs");
    // It ends with a transaction, so that none is missing.
    let in_flight_ns = summary.successful_transactions() as f64 * summary.latency.mean_ns().expect("transactions");
    let in_flight = in_flight_ns / summary.measure_ns as f64;
    assert!((0.98..1.02).contains(&in_flight), "{in_flight}");
}

#[test]
fn more_threads_than_clients_are_not_started() {
    let postgres = shared();
    let eight = NonZeroU32::new(8).expect("not zero");
    let summary = crate::run(&EngineJob { threads: eight, ..job(postgres.unix("postgres"), script("SELECT 1;")) });
    assert_eq!(summary.expect("it runs").threads, 2);
}

#[test]
pub(crate) fn a_stop_lets_the_second_under_way_finish_and_is_told() {
    let postgres = shared();
    let stop = StopRequest::new();
    let long = EngineJob {
        measure: Duration::from_secs(3600).into(),
        ..pausing(job(postgres.unix("postgres"), script("SELECT 1;")))
    };
    let mut seconds = 0;
    let summary = load::run_job(&long, &stop, &mut |event| match event {
        EngineEvent::Second(_) => seconds += 1,
        EngineEvent::Began { .. } => stop.request_stop(),
        EngineEvent::Connecting { .. } | EngineEvent::Connected { .. } | EngineEvent::Ended { .. } => {}
    })
    .expect("it runs");
    assert!(summary.interrupted);
    assert_eq!(summary.measure_ns, seconds * 1_000_000_000);
}

#[test]
fn a_stop_before_the_load_begins_is_an_error_of_its_own() {
    let postgres = shared();
    let stop = StopRequest::new();
    stop.request_stop();
    let outcome = load::run_job(&job(postgres.unix("postgres"), script("SELECT 1;")), &stop, &mut |_| ());
    assert!(matches!(outcome, Err(LoadError::Stopped)), "{outcome:?}");
}

#[test]
fn an_impossible_job_is_refused_before_anything_is_connected() {
    let postgres = shared();
    let begun = Instant::now();
    let possible = job(postgres.unix("postgres"), script("SELECT 1;"));
    let outcome = crate::run(&EngineJob { scripts: Vec::new(), ..possible.clone() });
    assert!(matches!(outcome, Err(LoadError::Job(_))), "{outcome:?}");
    let outcome = crate::run(&EngineJob { measure: Duration::ZERO.into(), ..possible });
    assert!(matches!(outcome, Err(LoadError::Job(_))), "{outcome:?}, {:?}", begun.elapsed());
}

#[test]
fn round_trips_are_counted_exactly_and_only_tcp_has_a_round_trip_time() {
    let postgres = shared();
    let three = "BEGIN;\nSELECT 1;\n\\startpipeline\nSELECT 2;\nSELECT 3;\n\\endpipeline\nCOMMIT;";
    let fails = "BEGIN;\nSELECT 1 / 0;\nCOMMIT;";
    for (text, each) in [(three, 4), (fails, 3)] {
        for server in [postgres.tcp("postgres"), postgres.unix("postgres")] {
            let is_tcp = matches!(server.host, conninfo::ServerHost::Tcp { .. });
            let endless = EngineJob {
                mode: load::QueryMode::Extended,
                measure: Duration::from_secs(3600).into(),
                ..pausing(job(server, script(text)))
            };
            // Until the connections have been read.
            let stop = StopRequest::new();
            let summary = load::run_job(&endless, &stop, &mut |event| {
                if let EngineEvent::Second(second) = event
                    && second.threads.iter().any(|thread| thread.path.tcp_readings + thread.path.unix_readings > 0)
                {
                    stop.request_stop();
                }
            });
            let summary = summary.expect("it runs");
            let mut path = load::PathActivity::default();
            summary.engine.iter().for_each(|thread| path.add(&thread.path));
            // Those under way at the end have made some of theirs.
            let ended = (summary.successful_transactions() + summary.failed) * each;
            let most = ended + summary.unfinished * each;
            assert!((ended..=most).contains(&path.round_trips), "{text}: {} of {ended}", path.round_trips);
            assert_eq!((path.tcp_readings > 0, path.unix_readings > 0), (is_tcp, !is_tcp), "{path:?}");
            assert_eq!(path.rtt_min_us_sum > 0, is_tcp, "{path:?}");
            assert!(path.rtt_min_us_sum <= path.rtt_us_sum, "{path:?}");
            assert!(path.held_ns > 0 && path.held_ns < u64::from(summary.clients) * summary.measure_ns, "{path:?}");
        }
    }
}

#[test]
fn the_statement_that_sleeps_takes_the_time_and_the_one_that_fails_has_the_failures() {
    let postgres = shared();
    let text = "\\set zero 0\nSELECT 1;\nSELECT pg_sleep(0.02);\n\\if :zero > 1\nSELECT 2;\n\\endif\n/* nothing */;\nSELECT 1 / :zero;";
    for mode in [load::QueryMode::Simple, load::QueryMode::Extended, load::QueryMode::Prepared] {
        let summary = crate::run(&EngineJob { mode, ..job(postgres.unix("postgres"), script(text)) }).expect("it runs");
        let statements = summary.statements.expect("they are timed");
        let [one, sleeps, skipped, empty, fails] = &statements[..] else { panic!("five: {statements:?}") };
        assert!(sleeps.latency.quantile_ns(0.0).expect("it was executed") >= 19_800_000, "{mode:?}: {sleeps:?}");
        assert!(one.latency.quantile_ns(0.5) < sleeps.latency.quantile_ns(0.5));
        assert!(empty.latency.count() > 0, "an empty statement is answered, too");
        assert_eq!((skipped.latency.count(), skipped.failed), (0, 0));
        assert_eq!((fails.latency.count(), fails.failed), (0, summary.failed));
        assert_eq!(one.failed + sleeps.failed + empty.failed, 0);
    }
}

#[test]
fn an_empty_statement_of_a_pipeline_does_not_put_the_others_out_of_step() {
    let postgres = shared();
    let text = "\\startpipeline\n/* nothing */;\nSELECT 1;\nSELECT 1 / 0;\nSELECT 2;\n\\endpipeline";
    let extended = EngineJob { mode: load::QueryMode::Extended, ..job(postgres.unix("postgres"), script(text)) };
    let summary = crate::run(&extended).expect("it runs");
    let counts: Vec<_> = summary.statements.iter().flatten().map(|it| (it.latency.count() > 0, it.failed)).collect();
    assert_eq!(counts, [(true, 0), (true, 0), (false, summary.failed), (false, 0)]);
}
