//! A side sends in its turns and at no other time; the order of turns; transactions that are longer than a turn.

use super::{Done, MS, agrees, job, on_io_uring, run, turns};
use load::{Connections, EngineJob, JobExtent, LoadPhase, TurnTakingJobs};
use std::num::NonZeroU32;
use std::time::Duration;
use testbed::calibration::{Behaviour, CalibrationServer, SocketWay};

/// Each exchange of the side's server began and ended in one of the side's turns, and the turns count them all.
fn keeps_to_its_turns(done: &Done, side: usize, server: &CalibrationServer) {
    let [before_ns, after_ns] = done.started.map(|at| server.clock_ns(at));
    let exchanges = server.copy_of_record().exchanges;
    for exchange in &exchanges {
        let is_inside = done.turns_of(side).any(|turn| {
            exchange.arrived_ns >= before_ns + turn.start_ns && exchange.answered_ns <= after_ns + turn.end_ns
        });
        assert!(is_inside, "{exchange:?} is in none of {:?}", done.turns_of(side).collect::<Vec<_>>());
    }
    assert_eq!(done.turns_of(side).map(|turn| turn.transactions).sum::<u64>(), exchanges.len() as u64);
    assert!(!exchanges.is_empty());
}

fn servers<const N: usize>(service: Duration) -> [CalibrationServer; N] {
    std::array::from_fn(|_| CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(service)))
}

#[test]
fn no_transaction_of_a_side_starts_or_ends_outside_of_its_turns() {
    for io_uring in [false, true] {
        let sides = servers::<2>(MS);
        let asked = turns(sides.iter().map(|server| job(server, 5)).collect(), 40 * MS);
        let Some(asked) = (if io_uring { on_io_uring(&asked) } else { Some(asked) }) else { continue };
        let before = sides.each_ref().map(|server| server.copy_of_record().exchanges.len());
        let warm_up = 100 * MS;
        let asked = TurnTakingJobs {
            sides: asked.sides.into_iter().map(|side| EngineJob { warm_up, ..side }).collect(),
            ..asked
        };
        // Those of the attempt to use io_uring.
        assert!(io_uring || before == [0, 0]);
        let sides = if io_uring { servers::<2>(MS) } else { sides };
        let jobs = asked
            .sides
            .iter()
            .zip(&sides)
            .map(|(side, server)| EngineJob { server: job(server, 1).server, ..side.clone() });
        let asked = TurnTakingJobs { sides: jobs.collect(), ..asked };
        let done = run(&asked);
        agrees(&done);
        for (side, server) in sides.iter().enumerate() {
            keeps_to_its_turns(&done, side, server);
            assert_eq!((done.of(side).clients, done.of(side).threads, done.of(side).unfinished), (5, 2, 0));
        }
        assert!(done.summary.turns.iter().any(|turn| turn.phase == LoadPhase::WarmUp));
        assert!(done.summary.whole_rounds().count() > 0);
        // As long as it was to be, or a little longer; the turns of both sides and the gaps between them.
        let whole_ns: u64 = done.summary.measured_turns().map(|turn| turn.duration_ns() + turn.gap_ns).sum();
        assert!(whole_ns >= 499_000_000, "{whole_ns}");
    }
}

#[test]
fn the_order_is_drawn_from_the_seed_and_both_orders_occur() {
    let [server] = servers::<1>(MS / 5);
    let order = |seed| {
        let asked = TurnTakingJobs { seed, ..turns(vec![job(&server, 2), job(&server, 2)], 10 * MS) };
        let done = run(&asked);
        agrees(&done);
        let rounds: Vec<Vec<usize>> =
            done.summary.turns.chunks(2).map(|round| round.iter().map(|turn| turn.side).collect()).collect();
        assert!(
            done.summary
                .turns
                .iter()
                .enumerate()
                .all(|(number, turn)| { (turn.round as usize, turn.place as usize) == (number / 2, number % 2) })
        );
        rounds
    };
    let (one, again, other) = (order(1), order(1), order(2));
    for expected in [vec![0, 1], vec![1, 0]] {
        assert!(one.contains(&expected), "{one:?}");
    }
    let common = one.len().min(again.len()).min(other.len());
    assert_eq!(one[..common], again[..common]);
    assert!(common < 6 || one[..common] != other[..common], "{one:?} {other:?}");
}

#[test]
fn three_sides_have_a_turn_each_in_every_round() {
    let sides = servers::<3>(MS);
    let done = run(&turns(sides.iter().map(|server| job(server, 3)).collect(), 15 * MS));
    agrees(&done);
    for (side, server) in sides.iter().enumerate() {
        keeps_to_its_turns(&done, side, server);
    }
    for round in done.summary.turns.chunks(3) {
        let mut who: Vec<usize> = round.iter().map(|turn| turn.side).collect();
        who.sort_unstable();
        assert_eq!(who, [0, 1, 2]);
    }
}

#[test]
fn a_turn_lasts_until_a_transaction_ends_that_is_longer_and_sides_of_unlike_speed_go_together() {
    let fast = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS / 5));
    let slow = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(100 * MS));
    let done = run(&turns(vec![job(&fast, 4), job(&slow, 4)], 20 * MS));
    agrees(&done);
    keeps_to_its_turns(&done, 0, &fast);
    keeps_to_its_turns(&done, 1, &slow);
    for turn in done.turns_of(1) {
        assert!(turn.duration_ns() >= 100_000_000 && turn.overrun_ns >= 79_000_000, "{turn:?}");
        assert_eq!(turn.transactions, 4, "each client began one");
    }
    assert_eq!(done.summary.overrun_count(1), done.measured(1).count());
    assert!(done.of(1).latency.quantile_ns(0.0) >= Some(99_900_000));
}

#[test]
fn a_measured_turn_is_as_long_as_the_transactions_of_the_warm_up_ask_for_and_no_longer_than_its_side_is_measured() {
    let fast = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS / 5));
    let slow = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(40 * MS));
    // Of 0.5 s for each side at most.
    for (transactions_at_least, asked_for) in [(0, 20 * MS), (5, 200 * MS), (40, 500 * MS)] {
        let sides = [&fast, &slow].map(|server| EngineJob {
            warm_up: 200 * MS,
            measure: JobExtent::from(1000 * MS),
            ..job(server, 4)
        });
        let asked = TurnTakingJobs { transactions_at_least, ..turns(sides.to_vec(), 20 * MS) };
        let done = run(&asked);
        agrees(&done);
        let length = Duration::from_nanos(done.summary.length_ns);
        assert!(length >= asked_for && length <= 500 * MS, "{length:?} of {asked_for:?}");
        for turn in done.turns_of(1) {
            let length = if turn.phase == LoadPhase::Measure { length } else { 20 * MS };
            assert_eq!(u128::from(turn.duration_ns() - turn.overrun_ns), length.as_nanos(), "{turn:?}");
        }
    }
}

#[test]
fn the_first_quarter_of_a_turn_has_what_ended_in_it_and_nothing_of_what_ended_later() {
    let fast = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS / 5));
    let slow = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(30 * MS));
    let done = run(&turns(vec![job(&fast, 4), job(&slow, 4)], 80 * MS));
    agrees(&done);
    // Those of 30 ms end after 20 ms, even in the first turn.
    assert!(done.turns_of(1).all(|turn| turn.first_quarter.transactions == 0 && turn.transactions >= 4));
    let [before_ns, after_ns] = done.started.map(|at| fast.clock_ns(at));
    let exchanges = fast.copy_of_record().exchanges;
    for turn in done.turns_of(0) {
        let is_early = |answered_ns: u64| answered_ns <= after_ns + turn.start_ns + 20_000_000;
        let before = exchanges.iter().filter(|exchange| exchange.answered_ns < before_ns + turn.start_ns).count();
        let early = exchanges.iter().filter(|exchange| is_early(exchange.answered_ns)).count();
        assert!(turn.first_quarter.transactions <= (early - before) as u64 + 4, "{turn:?} {early} {before}");
    }
    let early: u64 = done.turns_of(0).map(|turn| turn.first_quarter.transactions).sum();
    assert!(early > 0 && early < done.turns_of(0).map(|turn| turn.transactions).sum(), "{early}");
    assert!(
        done.turns_of(0).map(|turn| turn.first_quarter.latency_sum_ns).sum::<u128>() >= u128::from(early) * 190_000
    );
}

#[test]
fn sides_of_unlike_numbers_of_clients_share_as_many_threads_as_the_smallest_can_use() {
    let sides = servers::<2>(MS);
    let four = NonZeroU32::new(4).expect("not zero");
    let jobs = sides.iter().zip([3, 8]).map(|(server, clients)| EngineJob { threads: four, ..job(server, clients) });
    let done = run(&turns(jobs.collect(), 25 * MS));
    agrees(&done);
    assert_eq!([0, 1].map(|side| (done.of(side).clients, done.of(side).threads)), [(3, 3), (8, 3)]);
    for (side, server) in sides.iter().enumerate() {
        keeps_to_its_turns(&done, side, server);
        let at_once = server.copy_of_record().exchanges.iter().map(|exchange| exchange.connection).max();
        assert_eq!(at_once, Some(done.of(side).clients as usize - 1), "every client has sent something");
    }
}

#[test]
fn a_connection_per_transaction_is_made_in_the_turn() {
    let sides = servers::<2>(MS);
    let connections = Connections::PerTransaction;
    let jobs = sides.iter().map(|server| EngineJob { connections, ..job(server, 3) });
    let done = run(&turns(jobs.collect(), 30 * MS));
    agrees(&done);
    for (side, server) in sides.iter().enumerate() {
        keeps_to_its_turns(&done, side, server);
        let record = server.copy_of_record();
        // But for those that were made before the load, and those that were the last of their clients.
        assert!(record.accepted_ns.len() >= record.exchanges.len(), "{record:?}");
        assert_eq!((done.of(side).failed, done.of(side).outages.len()), (0, 0));
    }
}
