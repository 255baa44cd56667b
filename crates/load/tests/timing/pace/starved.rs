//! The engine judges itself: one that does not get its CPU says so, one that does has nothing to say.

use super::{MS, arrivals, job, open, run};
use load::{Arrivals, EngineJob, OfferedRate, Summary, Think, TransactionPace};
use rustix::process::nice;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use testbed::calibration::{Behaviour, CalibrationServer, SocketWay};

/// From this demand on pgdyno takes the client for the limit.
const LIMIT: f64 = 0.9;

/// Keeps the calling thread, and the threads that it starts, on one CPU.
fn stay_on_one_cpu() {
    let allowed = sched_getaffinity(None).expect("the affinity can be read");
    let first = (0..CpuSet::MAX_CPU).find(|&cpu| allowed.is_set(cpu)).expect("there is a CPU");
    let mut only = CpuSet::new();
    only.set(first);
    sched_setaffinity(None, &only).expect("the affinity can be set");
}

/// Runs a job with engine threads of the least priority, on one CPU with a neighbour that always wants it.
fn run_starved(job: &EngineJob) -> Summary {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let neighbour = scope.spawn(|| {
            stay_on_one_cpu();
            while !over.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        });
        let engine = scope.spawn(|| {
            stay_on_one_cpu();
            // Of this thread and those that it starts; the neighbour gets all but a seventieth of the CPU.
            nice(19).expect("a priority can be lowered");
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(job)));
            over.store(true, Ordering::Relaxed);
            done
        });
        let done = engine.join().expect("caught");
        neighbour.join().expect("it only spins");
        done.expect("the run is made")
    })
}

fn demand(summary: &Summary) -> f64 {
    let demands = summary.engine.iter().map(|thread| thread.cpu_demand(summary.measure_ns));
    demands.fold(0.0, f64::max)
}

fn late_sends(summary: &Summary) -> u64 {
    summary.engine.iter().map(|thread| thread.late_sends).sum()
}

#[test]
fn the_rounds_of_clients_that_think_last_as_long_as_the_engine_says_however_late_it_is() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(Duration::ZERO));
    let pace = TransactionPace::Closed { think: Some(Think::Fixed(MS)) };
    let summary = run_starved(&one_thread(EngineJob { pace, ..job(&server, 8) }));
    let (done, thread) = (summary.successful_transactions() as f64, &summary.engine[0]);
    let latency_ns = summary.latency.mean_ns().expect("transactions") * done;
    let round_ns = latency_ns + done * MS.as_nanos() as f64 + thread.send_lag_ns as f64;
    let clients = round_ns / summary.measure_ns as f64;
    assert!((clients / 8.0 - 1.0).abs() < 0.05, "{clients} of 8 clients by Little's law: {thread:?}");
    assert!(thread.send_lag_ns >= thread.send_lag_max_ns, "{thread:?}");
}

fn one_thread(job: EngineJob) -> EngineJob {
    EngineJob { threads: NonZeroU32::MIN, measure: Duration::from_secs(2).into(), ..job }
}

#[test]
fn an_engine_that_does_not_get_its_cpu_says_that_it_wanted_it_all_the_time() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(Duration::ZERO));
    // So many that some answer is always there: the engine never has to wait for the server to get its CPU.
    let summary = run_starved(&one_thread(job(&server, 64)));
    let on_cpu = summary.engine[0].cpu_ns as f64 / summary.measure_ns as f64;
    assert!(on_cpu < 0.5, "its CPU time alone would not tell: {on_cpu}");
    assert!(summary.engine[0].run_delay_ns.is_some(), "the kernel tells how long it waited");
    assert!(demand(&summary) >= LIMIT, "{:?}", summary.engine);
}

#[test]
fn a_starved_engine_tells_its_own_lag_from_that_of_the_server() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(Duration::ZERO));
    // More clients than there are arrivals, so that none waits for a client.
    let pace = open(Arrivals::Even, OfferedRate::Constant(20.0));
    let summary = run_starved(&one_thread(EngineJob { pace, ..job(&server, 48) }));
    let (open, begun) = (arrivals(&summary), summary.successful_transactions());
    // The scheduler makes about half of them late; pgdyno says so from a hundredth on.
    assert!(late_sends(&summary) * 10 > begun, "{} of {begun}: {:?}", late_sends(&summary), summary.engine);
    assert_eq!((open.lag_engine.count(), open.lag_queued.count()), (begun, 0));
    assert!(open.lag_engine.quantile_ns(0.99) > Some(1_000_000));
}

#[test]
fn an_engine_with_little_to_do_does_not_take_itself_for_the_limit() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(5 * MS));
    let pace = TransactionPace::Closed { think: Some(Think::Fixed(45 * MS)) };
    let summary = run(&one_thread(EngineJob { pace, ..job(&server, 2) }));
    assert!(demand(&summary) < LIMIT, "{:?}", summary.engine);
    let thread = &summary.engine[0];
    assert!(thread.rounds > 0 && thread.ready >= summary.successful_transactions(), "{thread:?}");
    assert!(thread.ready_max <= 2, "{thread:?}");
    assert!(thread.loop_lag_p50_ns <= thread.loop_lag_p99_ns, "{thread:?}");
    assert!(thread.loop_lag_p99_ns <= thread.loop_lag_max_ns, "{thread:?}");
}
