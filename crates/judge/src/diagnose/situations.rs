//! Two sides whose difference has a known cause beside something that both have alike, or that only the faster has:
//! what is said of it, both ways round.

use proptest::prelude::*;
use serde_json::json;

use super::built::{Built, Measurement};
use super::symmetry::assert_judged_the_same_both_ways;
use super::{Bearing, Diagnosis, ExplainedChange, LatencyPiece, RankedFinding};

/// What a mean transaction spends, in milliseconds.
#[derive(Debug, Clone, Copy)]
struct Spends {
    cpu: f64,
    waits_for_cpu: f64,
    flushes: f64,
    waits_for_rows: f64,
    outside: f64,
}

/// Half a millisecond outside and as much on a CPU, for which nobody waits.
const LITTLE: Spends = Spends { cpu: 0.5, waits_for_cpu: 0.0, flushes: 0.0, waits_for_rows: 0.0, outside: 0.5 };

/// Four clients in a closed loop whose transactions spend so much.
fn with_time_spent(
    cell: Measurement,
    Spends { cpu, waits_for_cpu, flushes, waits_for_rows, outside }: Spends,
) -> Measurement {
    let latency_ms = cpu + waits_for_cpu + flushes + waits_for_rows + outside;
    let per_s = 4000.0 / latency_ms;
    let samples = |ms: f64| (ms / latency_ms * 4000.0).round() as u64;
    let cell = cell.throughput(per_s).sees_nothing();
    let cell = cell.sees("idle", Some("Client:ClientRead"), samples(outside));
    let cell = cell.sees("active", None, samples(cpu + waits_for_cpu));
    let cell = cell.sees("active", Some("IO:WALSync"), samples(flushes));
    let cell = cell.sees("active", Some("Lock:transactionid"), samples(waits_for_rows));
    let us_per_s = |ms: f64| ms * 1e3 * per_s;
    let server = [("backends_cpu_us", us_per_s(cpu)), ("backends_run_delay_us", us_per_s(waits_for_cpu))];
    cell.probe("host.server", &server)
}

/// Others take this share of the CPUs, and hardly any is idle.
fn beside_others(cell: Measurement, foreign: f64) -> Measurement {
    let busy = [("user_us", 3.9e6), ("idle_us", 0.1e6), ("iowait_us", 0.0)];
    cell.probe("host.cpu", &busy).probe("host.foreign", &[("cpu_us", foreign * 4e6)])
}

/// Reads so many rows of a table in a transaction of a few thousand.
fn with_rows_read(cell: Measurement, rows: u64) -> Measurement {
    let index = json!({ "name": "t_pkey", "valid": true, "scans": 10_000, "entries": 10_000,
                        "definition": "CREATE INDEX t_pkey ON public.t USING btree (a)" });
    cell.tables(vec![json!({ "name": "public.t", "live_rows": 100_000, "sequential_scans": 10_000,
                             "sequential_rows": rows * 10_000, "index_rows": 10_000, "rows_changed": 0, "indexes": [index] })])
}

/// What is said of two sides, the first of which is the baseline, and the other way round; it is the same.
#[track_caller]
fn both_ways(one: impl Fn(Measurement) -> Measurement, other: impl Fn(Measurement) -> Measurement) -> [Diagnosis; 2] {
    let built = [Built::pair().with_first(&one).with(&other), Built::pair().with_first(&other).with(&one)];
    assert_judged_the_same_both_ways(&built[0].observed());
    built.map(|built| built.diagnosis())
}

fn rule_names(diagnosis: &Diagnosis) -> Vec<&str> {
    diagnosis.findings.iter().map(|finding| finding.rule.code.name).collect()
}

#[track_caller]
fn finding_of_rule<'a>(diagnosis: &'a Diagnosis, rule: &str) -> &'a RankedFinding {
    diagnosis
        .findings
        .iter()
        .find(|finding| finding.rule.code.name == rule)
        .unwrap_or_else(|| panic!("{:?}", rule_names(diagnosis)))
}

#[track_caller]
fn only_explanation(diagnosis: &Diagnosis) -> &ExplainedChange {
    assert_eq!(diagnosis.explained.len(), 1, "{:?}", rule_names(diagnosis));
    &diagnosis.explained[0]
}

fn is_difference(finding: &RankedFinding) -> bool {
    matches!(finding.bearing, Bearing::Difference { .. })
}

#[test]
fn twice_the_cpu_time_beside_a_neighbour_of_both_sides_is_of_what_took_the_cpu() {
    let spends = |times: f64| Spends { cpu: 1.5 * times, waits_for_cpu: 1.8 * times, outside: 0.7, ..LITTLE };
    let less = |cell| with_rows_read(beside_others(with_time_spent(cell, spends(1.0)), 0.533), 10);
    let more = |cell| with_rows_read(beside_others(with_time_spent(cell, spends(2.0)), 0.535), 5_000);
    for said in both_ways(less, more) {
        assert_eq!(rule_names(&said)[0], "excess-rows-read");
        assert_eq!(finding_of_rule(&said, "noisy-neighbour").bearing, Bearing::EverySide);
        let explained = only_explanation(&said);
        assert!(explained.share.point > 0.95 && explained.by.len() == 1, "{explained:?}");
    }
}

#[test]
fn a_neighbour_of_one_side_makes_it_wait_longer_and_is_the_difference() {
    let alone = |cell| with_time_spent(cell, Spends { cpu: 1.0, waits_for_cpu: 0.1, ..LITTLE });
    let beside = |cell| beside_others(with_time_spent(cell, Spends { cpu: 1.0, waits_for_cpu: 2.4, ..LITTLE }), 0.6);
    for said in both_ways(alone, beside) {
        let first = &said.findings[0];
        assert!(first.rule.code.name == "noisy-neighbour" && is_difference(first), "{:?}", rule_names(&said));
        assert!(only_explanation(&said).share.point > 0.95, "{:?}", only_explanation(&said));
    }
}

#[test]
fn a_neighbour_of_one_side_makes_no_other_plan_the_cause() {
    let node = |node: &str| json!({ "node": node, "relation": "t", "index": "t_pkey", "condition": "(a = 1)", "rows": 1, "cost": 8 });
    let alone =
        |cell| with_time_spent(cell, Spends { cpu: 1.0, waits_for_cpu: 0.1, ..LITTLE }).plans(vec![node("Index Scan")]);
    let beside = |cell| {
        let cell = beside_others(with_time_spent(cell, Spends { cpu: 1.0, waits_for_cpu: 2.4, ..LITTLE }), 0.6);
        cell.plans(vec![node("Index Only Scan")])
    };
    for said in both_ways(alone, beside) {
        assert_eq!(rule_names(&said), ["noisy-neighbour"]);
    }
}

#[test]
fn an_equal_neighbour_that_weighs_more_on_one_side_is_the_difference() {
    let shares = |waits: f64| {
        move |cell| beside_others(with_time_spent(cell, Spends { cpu: 1.0, waits_for_cpu: waits, ..LITTLE }), 0.5)
    };
    for said in both_ways(shares(0.3), shares(7.2)) {
        let first = &said.findings[0];
        assert!(first.rule.code.name == "noisy-neighbour" && is_difference(first), "{:?}", rule_names(&said));
        assert!(only_explanation(&said).share.point > 0.95, "{:?}", only_explanation(&said));
    }
}

/// Has processes of the server, such as parallel workers, use so many times the CPU time of its sessions.
fn with_workers(cell: Measurement, times: f64, spends: Spends) -> Measurement {
    let cell = with_time_spent(cell, spends);
    let load_us = cell.reading("host.server")["values"]["backends_cpu_us"].as_f64().expect("a reading");
    cell.probe("host.server", &[("load_cpu_us", load_us), ("others_cpu_us", (times - 1.0) * load_us)])
}

#[test]
fn a_side_that_demands_more_cpu_by_itself_waits_longer_beside_the_same_neighbour() {
    let alone = |cell| {
        let spends = Spends { cpu: 2.0, waits_for_cpu: 1.0, ..LITTLE };
        with_rows_read(beside_others(with_workers(cell, 1.0, spends), 0.3), 10)
    };
    let parallel = |cell| {
        let spends = Spends { cpu: 4.0, waits_for_cpu: 8.8, ..LITTLE };
        with_rows_read(beside_others(with_workers(cell, 3.0, spends), 0.3), 5_000)
    };
    for said in both_ways(alone, parallel) {
        assert_eq!(rule_names(&said)[0], "excess-rows-read");
        assert_eq!(finding_of_rule(&said, "noisy-neighbour").bearing, Bearing::EverySide);
        assert!(only_explanation(&said).share.point > 0.95, "{:?}", only_explanation(&said));
    }
}

#[test]
fn sessions_that_are_idle_less_often_wait_longer_beside_the_same_neighbour() {
    let idle = |cell| {
        let spends = Spends { cpu: 1.0, waits_for_cpu: 0.3, outside: 1.5, ..LITTLE };
        with_rows_read(beside_others(with_time_spent(cell, spends), 0.4), 10)
    };
    let busy = |cell| {
        let spends = Spends { cpu: 4.0, waits_for_cpu: 2.8, outside: 0.5, ..LITTLE };
        with_rows_read(beside_others(with_time_spent(cell, spends), 0.4), 5_000)
    };
    for said in both_ways(idle, busy) {
        assert_eq!(rule_names(&said)[0], "excess-rows-read");
        assert_eq!(finding_of_rule(&said, "noisy-neighbour").bearing, Bearing::EverySide);
    }
}

/// Has its sessions be given a CPU so often in a mean transaction.
fn with_timeslices(cell: Measurement, per_transaction: f64, spends: Spends) -> Measurement {
    let cell = with_time_spent(cell, spends);
    let cpu_us = cell.reading("host.server")["values"]["backends_cpu_us"].as_f64().expect("a reading");
    let transactions = cpu_us / 1e3 / spends.cpu;
    cell.probe("host.server", &[("backends_timeslices", per_transaction * transactions)])
}

/// A side on whose host others take a share of the CPUs, whose sessions use a millisecond of CPU time for each
/// transaction, so much of a wait for a CPU and for flushes, and are given a CPU so often.
fn beside_neighbours(
    foreign: f64,
    waits_for_cpu: f64,
    flushes: f64,
    timeslices: f64,
) -> impl Fn(Measurement) -> Measurement {
    move |cell| {
        let spends = Spends { cpu: 1.0, waits_for_cpu, flushes, ..LITTLE };
        beside_others(with_timeslices(cell, timeslices, spends), foreign)
    }
}

#[test]
fn sessions_that_block_more_often_wait_more_often_beside_the_same_neighbour() {
    for said in both_ways(beside_neighbours(0.3, 0.4, 0.0, 2.0), beside_neighbours(0.3, 0.8, 0.3, 4.0)) {
        assert_eq!(finding_of_rule(&said, "noisy-neighbour").bearing, Bearing::EverySide);
    }
}

#[test]
fn sessions_that_a_disk_wakes_wait_longer_beside_the_same_neighbour() {
    for said in both_ways(beside_neighbours(0.3, 0.7, 0.0, 2.0), beside_neighbours(0.3, 1.2, 1.4, 2.0)) {
        assert_eq!(finding_of_rule(&said, "noisy-neighbour").bearing, Bearing::EverySide);
    }
}

#[test]
fn a_neighbour_that_takes_what_a_side_that_waits_for_its_disk_leaves_is_the_same_neighbour() {
    for said in both_ways(beside_neighbours(0.6, 0.7, 0.0, 2.0), beside_neighbours(0.85, 1.4, 4.0, 2.0)) {
        let neighbour = finding_of_rule(&said, "noisy-neighbour");
        assert_eq!(neighbour.bearing, Bearing::EverySide, "{neighbour:?}");
    }
}

#[test]
fn a_neighbour_that_also_interrupts_more_often_is_the_difference_of_its_side() {
    for said in both_ways(beside_neighbours(0.5, 0.3, 0.0, 2.0), beside_neighbours(0.5, 2.4, 0.0, 4.0)) {
        let first = &said.findings[0];
        assert!(first.rule.code.name == "noisy-neighbour" && is_difference(first), "{:?}", rule_names(&said));
    }
}

#[test]
fn a_neighbour_of_both_sides_is_not_to_blame_for_a_limit_of_one() {
    let free = |cell| beside_others(with_time_spent(cell, Spends { cpu: 1.0, waits_for_cpu: 0.5, ..LITTLE }), 0.4);
    let limited = |cell| {
        let cell = beside_others(with_time_spent(cell, Spends { cpu: 1.0, waits_for_cpu: 6.0, ..LITTLE }), 0.4);
        cell.probe("host.cgroup", &[("cpu_throttled_periods", 8.0), ("cpu_throttled_us", 7e5)])
    };
    for said in both_ways(free, limited) {
        assert_eq!(rule_names(&said)[0], "cpu-throttled");
        assert_eq!(finding_of_rule(&said, "noisy-neighbour").bearing, Bearing::EverySide);
    }
}

#[test]
fn two_equal_sides_beside_a_neighbour_differ_in_nothing() {
    let one = |cell| beside_others(with_time_spent(cell, Spends { cpu: 1.0, waits_for_cpu: 1.00, ..LITTLE }), 0.51);
    let other = |cell| beside_others(with_time_spent(cell, Spends { cpu: 1.0, waits_for_cpu: 1.02, ..LITTLE }), 0.53);
    for said in both_ways(one, other) {
        assert!(!said.findings.iter().any(is_difference) && said.explained.is_empty(), "{said:?}");
    }
}

#[test]
fn the_locks_of_the_faster_side_are_behind_what_makes_the_slower_slow() {
    let slow = |cell: Measurement| {
        let cell = with_time_spent(cell, Spends { cpu: 1.0, waits_for_cpu: 8.0, ..LITTLE });
        cell.probe("host.cgroup", &[("cpu_throttled_periods", 6.0), ("cpu_throttled_us", 5e5)])
    };
    let fast = |cell: Measurement| {
        let cell = with_time_spent(cell, Spends { cpu: 1.0, waits_for_rows: 1.0, ..LITTLE });
        cell.probe("pg.locks", &[("waiting", 2.0), ("waiting_for_rows", 2.0)])
    };
    for said in both_ways(slow, fast) {
        assert_eq!(rule_names(&said)[0], "cpu-throttled");
        assert!(
            only_explanation(&said).by.iter().all(|by| by.rule.code.name != "row-locks"),
            "{:?}",
            only_explanation(&said)
        );
        if let Some(locks) = said.findings.iter().find(|finding| finding.rule.code.name == "row-locks") {
            assert!(matches!(locks.bearing, Bearing::MoreOnFaster { .. }), "{locks:?}");
        }
    }
}

#[test]
fn a_threshold_that_one_side_misses_by_a_hair_is_no_difference() {
    let stolen = |us: f64| {
        move |cell: Measurement| {
            cell.probe("host.cpu", &[("user_us", 2e6), ("idle_us", 2e6 - us), ("iowait_us", 0.0), ("steal_us", us)])
        }
    };
    for said in both_ways(stolen(0.104e6), stolen(0.107e6)) {
        assert_eq!(finding_of_rule(&said, "cpu-stolen").bearing, Bearing::EverySide);
    }
}

#[test]
fn waits_that_the_other_side_does_not_have_at_all_are_the_difference() {
    let asynchronous = |cell| with_time_spent(cell, LITTLE);
    let synchronous = |cell| with_time_spent(cell, Spends { flushes: 4.0, ..LITTLE });
    for said in both_ways(asynchronous, synchronous) {
        let first = &said.findings[0];
        assert!(first.rule.code.name == "commit-flush" && is_difference(first), "{:?}", rule_names(&said));
        assert!(first.beside.as_ref().is_some_and(|beside| beside.ratio_estimate().is_none()), "{first:?}");
        assert!(only_explanation(&said).share.point > 0.95, "{:?}", only_explanation(&said));
    }
}

#[test]
fn findings_about_the_same_time_say_so() {
    let one = |cell| beside_others(with_time_spent(cell, Spends { cpu: 1.5, waits_for_cpu: 1.8, ..LITTLE }), 0.53);
    let less = |cell| with_rows_read(one(cell), 10);
    let more = |cell| {
        let cell = with_time_spent(cell, Spends { cpu: 3.0, waits_for_cpu: 3.6, ..LITTLE });
        with_rows_read(beside_others(cell, 0.53), 5_000)
    };
    for said in both_ways(less, more) {
        let (first, neighbour) =
            (finding_of_rule(&said, "excess-rows-read"), finding_of_rule(&said, "noisy-neighbour"));
        assert!(first.overlaps.is_empty());
        // Where both were found on the same side.
        let is_same = neighbour.cells.first() == first.cells.first();
        let said_so = neighbour.overlaps.iter().any(|one| one.rule == "excess-rows-read" && one.share > 0.99);
        assert_eq!(said_so, is_same, "{neighbour:?}");
    }
}

#[test]
fn what_nobody_accounts_for_is_left_in_the_piece_where_it_is() {
    let one = |cell| with_time_spent(cell, Spends { cpu: 1.0, waits_for_cpu: 0.5, ..LITTLE });
    let other = |cell| with_time_spent(cell, Spends { cpu: 1.0, waits_for_cpu: 3.5, ..LITTLE });
    for said in both_ways(one, other) {
        let explained = only_explanation(&said);
        assert_eq!(explained.share.point, 0.0, "{explained:?}");
        assert_eq!(explained.left[0].part, LatencyPiece::WaitingLonger, "{explained:?}");
    }
}

/// Its round trips on the network take so many microseconds each, of which there is one in a transaction.
fn at_a_distance(cell: Measurement, rtt_us: f64, transactions: u64) -> Measurement {
    let tcp = json!({ "kind": "tcp", "readings": 40, "rtt_us_min": rtt_us, "rtt_us_smoothed": rtt_us, "retransmits": 0, "lost": 0 });
    cell.load("path", json!({ "round_trips": transactions, "engine_us": 0, "network": tcp }))
}

#[test]
fn a_distance_that_was_counted_explains_what_it_takes() {
    let near = |cell| at_a_distance(with_time_spent(cell, LITTLE), 30.0, 48_000);
    let far = |cell| at_a_distance(with_time_spent(cell, Spends { outside: 5.5, ..LITTLE }), 5_030.0, 8_000);
    for said in both_ways(near, far) {
        let first = &said.findings[0];
        assert!(first.rule.code.name == "network-bound" && is_difference(first), "{:?}", rule_names(&said));
        assert!(only_explanation(&said).share.point > 0.95, "{:?}", only_explanation(&said));
    }
}

#[test]
fn time_on_the_way_beyond_the_round_trips_is_the_route_s_and_not_the_network_s() {
    let near = |cell| at_a_distance(with_time_spent(cell, LITTLE), 17.0, 48_000);
    let pooled = |cell| at_a_distance(with_time_spent(cell, Spends { outside: 25.0, ..LITTLE }), 17.0, 1_900);
    for said in both_ways(near, pooled) {
        let first = &said.findings[0];
        assert!(first.rule.code.name == "route-differs" && is_difference(first), "{:?}", rule_names(&said));
        assert!(only_explanation(&said).share.point > 0.95, "{:?}", only_explanation(&said));
        assert!(!rule_names(&said).contains(&"network-bound"));
    }
}

#[test]
fn a_slow_block_weighs_no_more_than_a_fast_one() {
    // Both sides are many times slower in one block than in another, and the ratio is the same in each.
    let built = |one: Spends, other: Spends| {
        Built::pair()
            .with_first(|cell| with_time_spent(cell, one).slow_blocks())
            .with(|cell| with_time_spent(cell, other).slow_blocks())
    };
    let more = Spends { flushes: 1.0, ..LITTLE };
    for said in [built(LITTLE, more).diagnosis(), built(more, LITTLE).diagnosis()] {
        let explained = only_explanation(&said);
        assert!(explained.change.interval.low > 0.0 && explained.change_ms.interval.low > 0.0, "{explained:?}");
        assert!((explained.change.point - 1.0).abs() < 0.05, "{explained:?}");
        assert_eq!(explained.by[0].rule.code.name, "commit-flush");
    }
}

fn time_spent_strategy() -> impl Strategy<Value = Spends> {
    let ms = || prop_oneof![Just(0.0), 0.05_f64..8.0];
    (0.05_f64..8.0, ms(), ms(), ms(), 0.05_f64..8.0).prop_map(
        |(cpu, waits_for_cpu, flushes, waits_for_rows, outside)| Spends {
            cpu,
            waits_for_cpu,
            flushes,
            waits_for_rows,
            outside,
        },
    )
}

fn side_strategy() -> impl Strategy<Value = (Spends, f64, u64, f64)> {
    (time_spent_strategy(), 0.0_f64..0.9, 1_u64..50_000, 0.0_f64..10.0)
}

fn of_side((spends, foreign, rows, throttled): (Spends, f64, u64, f64)) -> impl Fn(Measurement) -> Measurement {
    move |cell| {
        let cell = with_rows_read(beside_others(with_time_spent(cell, spends), foreign), rows);
        cell.probe(
            "host.cgroup",
            &[("cpu_throttled_periods", throttled.floor()), ("cpu_throttled_us", throttled * 1e5)],
        )
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn whatever_two_sides_are_like_the_same_is_said_both_ways_round(one in side_strategy(), other in side_strategy()) {
        let [one_way, other_way] = both_ways(of_side(one), of_side(other));
        for said in [&one_way, &other_way] {
            for explained in &said.explained {
                let all: f64 = explained.by.iter().map(|by| by.share).sum();
                prop_assert!(explained.by.iter().all(|by| by.share > 0.0) && all <= 1.0 + 1e-9, "{:?}", explained);
            }
        }
        let (one_way, other_way) = (rule_names(&one_way), rule_names(&other_way));
        prop_assert_eq!(one_way, other_way);
    }
}
