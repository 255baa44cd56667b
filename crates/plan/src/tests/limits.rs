//! What a plan requires of its workloads.

use std::time::Duration;

use super::super::units::{PerSecond, Percent};
use super::{edited, errors_and_hints, plan};

fn requiring(limits: &str) -> String {
    edited("{ builtin: select-only, scale: 10 }", &format!("{{ builtin: select-only, scale: 10, require: {limits} }}"))
}

#[test]
fn limits_of_a_workload_are_rates_to_exceed_and_times_to_stay_below() {
    let plan_with = plan(&requiring("{ throughput: \"> 5000/s\", p99: < 20ms, mean: \"<1.5s\" }"));
    let limits = plan_with.workloads[0].require;
    assert_eq!(limits.throughput.map(PerSecond::per_s), Some(5000.0));
    assert_eq!((limits.p99, limits.p95), (Some(Duration::from_millis(20)), None));
    assert_eq!(limits.mean, Some(Duration::from_millis(1500)));
    let plan_with_share = plan(&requiring("{ failures: \"< 0.1%\" }"));
    let share = plan_with_share.workloads[0].require.failures.map(Percent::as_fraction);
    assert_eq!(share, Some(0.001));
    assert_eq!(plan(&plan_with_share.to_yaml()).workloads, plan_with_share.workloads);
    assert_eq!(plan(&plan_with.to_yaml()).workloads, plan_with.workloads, "{}", plan_with.to_yaml());
}

#[test]
fn a_limit_that_is_none_is_refused_with_what_to_write() {
    let hint = |limits: &str| errors_and_hints(&requiring(limits));
    let cases = [
        "{ throughput: 5000/s }",
        "{ throughput: \"< 5000/s\" }",
        "{ p99: \"> 20ms\" }",
        "{ p99: < 20 }",
        "{ p98: < 1s }",
        "{ failures: 0.1% }",
        "{ failures: < 0 }",
    ];
    insta::assert_snapshot!(cases.map(hint).join("\n"), @r##"
    error: workloads.read.require.throughput: found "5000/s", not a limit
    hint: write `> 5000/s`
    error: workloads.read.require.throughput: found "< 5000/s", not a limit
    hint: write `> 5000/s`
    error: workloads.read.require.p99: found "> 20ms", not a limit
    hint: write `< 20ms`
    error: workloads.read.require.p99: found "< 20", a number without its unit
    hint: after `<`, write 20s for seconds or 20ms for milliseconds; m and h are minutes and hours
    error: unknown key "p98" in workloads.read.require
    hint: the keys of limits of a workload are throughput, mean, p50, p95, p99, p999, failures, database_time, statements
    error: workloads.read.require.failures: found "0.1%", not a limit
    hint: write `< 0.1%`
    error: workloads.read.require.failures: found "< 0", a limit that no measurement can show to be kept
    hint: after `<`, write a small share, such as 0.01%
    "##);
}

fn captured_requiring(limits: &str) -> String {
    edited("{ builtin: select-only, scale: 10 }", &format!("{{ captured: peak, reads: true, require: {limits} }}"))
}

#[test]
fn a_captured_load_may_be_no_slower_than_by_a_share() {
    let read = plan(&captured_requiring("{ database_time: no slower than 5%, statements: no slower than 20% }"));
    let limits = read.workloads[0].require;
    let shares = [limits.database_time, limits.statements].map(|limit| limit.map(Percent::as_fraction));
    assert_eq!(shares, [Some(0.05), Some(0.2)]);
    assert_eq!(plan(&read.to_yaml()).workloads, read.workloads, "{}", read.to_yaml());
}

#[test]
fn a_limit_on_a_change_is_refused_in_another_form_and_for_another_workload() {
    let cases = [
        (captured_requiring("{ statements: < 20% }"), "not a limit on a change\nhint: write `no slower than 20%`"),
        (captured_requiring("{ database_time: no slower than 5 }"), "hint: after `no slower than`, "),
        (requiring("{ statements: no slower than 20% }"), "has `statements`, which is for `captured`"),
    ];
    for (plan, expected) in cases {
        let said = errors_and_hints(&plan);
        assert!(said.contains(expected), "{said}");
    }
}
