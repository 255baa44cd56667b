//! The resolved plan: every default written out, read back as the same plan, no password in it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;

use super::super::model::{
    Aspect, Binaries, Blocks, Builtin, Data, Difference, Initdb, Local, Mode, Reach, Settings, Target, TrialPhases,
    Version, Via, Word, Workload, default_threads,
};
use super::super::secret::ServerUrl;
use super::super::units::{Percent, WalSegmentSize};
use super::super::{Plan, explain, parse};
use super::{GOOD, edited, plan};

#[test]
fn a_plan_that_says_only_what_it_must_gets_these_defaults() {
    let plan = plan(
        "name: x\ntargets:\n  a: { local: { version: 17 } }\n  b: { url: postgresql://h/b }\nbaseline: a\n\
         workloads: { w: { builtin: simple-update, scale: 7 } }\nclients: [4]\n",
    );
    insta::assert_snapshot!(plan.to_yaml(), @r#"
    name: "x"
    targets:
      "a":
        local:
          version: 17
          initdb:
            wal_segment_size: 16MB
            # data_checksums: as the version does by itself
            locale: "C"
            encoding: "UTF8"
          settings: {}
          # data_directory: a temporary one
          keep: false
          via: unix
        knobs: {}
      "b":
        url: "postgresql://h/b"
        knobs: {}
    baseline: "a"
    may_differ: []
    workloads:
      "w":
        builtin: simple-update
        scale: 7
        mode: prepared
        data: managed
    clients: [4]
    # threads: chosen from the CPUs of the machine that pgdyno runs on
    trial:
      warm_up: 10s
      measure: 1m
    blocks:
      at_least: 3
      at_most: 10
      until: 2%
    practical_threshold: 3%
    noise_floor: false
    # seed: drawn anew for every run
    "#);
}

#[test]
fn completing_a_plan_fills_in_the_seed_and_the_threads_and_changes_neither_when_given() {
    let open = plan(GOOD);
    assert_eq!((open.seed, open.threads), (None, None));
    let complete = open.complete(99, 6);
    assert_eq!((complete.seed, complete.threads), (Some(99), Some(3)));
    assert_eq!(complete.clone().complete(1, 64), complete);
}

#[test]
fn half_of_the_cpus_become_load_threads_at_least_1_and_at_most_8() {
    for (cpus, threads) in [(1, 1), (2, 1), (3, 1), (8, 4), (16, 8), (128, 8)] {
        assert_eq!(default_threads(cpus), threads, "{cpus} CPUs");
    }
}

#[test]
fn a_password_reaches_the_server_and_nothing_that_is_written() {
    let plan = plan(&edited("bench@10.0.0.5/bench", "bench:s3cret@10.0.0.5/bench"));
    let Reach::Url(url) = &plan.targets[1].reach else { panic!("b has a URL") };
    assert!(url.expose().contains("s3cret"));
    for written in [plan.to_yaml(), format!("{plan:?}"), explain(&plan).to_string()] {
        assert!(!written.contains("s3cret"), "{written}");
    }
    assert!(super::plan(&plan.to_yaml()).to_yaml().contains("postgresql://bench@10.0.0.5/bench"));
    assert!(plan.notes().iter().any(|note| note.contains("\"b\" holds a password")));
}

#[test]
fn what_the_plan_gives_the_targets_unlike_may_differ_and_what_it_gives_them_alike_may_not() {
    let text = "name: x\ntargets:\n  a:\n    local: { version: 17, initdb: { wal_segment_size: 64MB }, settings: { fsync: on, jit: off } }\n    \
                knobs: { work_mem: 4MB, Random_Page_Cost: 1.1 }\n  b:\n    local: { version: 17, settings: { FSYNC: on, jit: on } }\n    \
                knobs: { work_mem: 4MB }\nbaseline: a\nmay_differ: [version, TimeZone]\n\
                workloads: { w: { builtin: select-only, scale: 1 } }\nclients: [1]\n";
    let allowed: Vec<String> = plan(text).allowed_differences().iter().map(ToString::to_string).collect();
    assert_eq!(allowed, ["version", "jit", "random_page_cost", "timezone", "wal_segment_size"]);
}

#[test]
fn settings_can_be_shared_by_an_anchor() {
    let text = edited("settings: { shared_buffers: 256MB }", "settings: &shared { shared_buffers: 256MB }")
        .replace("    url: postgresql://bench@10.0.0.5/bench", "    local: { version: 18, settings: *shared }");
    let plan = plan(&text);
    let Reach::Local(local) = &plan.targets[1].reach else { panic!("b is local") };
    assert_eq!(local.settings["shared_buffers"], "256MB");
}

#[test]
fn a_target_named_with_a_number_can_be_the_baseline() {
    let plan = plan(&edited("  a:\n", "  17:\n").replace("baseline: a", "baseline: 17"));
    assert_eq!(plan.baseline().name, "17");
    assert_eq!(plan.candidates().map(|target| target.name.as_str()).collect::<Vec<_>>(), ["b"]);
    assert_eq!(super::plan(&plan.to_yaml()), plan);
}

#[test]
fn a_plan_of_one_target_and_one_block_is_allowed_and_noted() {
    let notes = plan(
        "name: x\ntargets: { a: { local: { version: 17 } } }\nbaseline: a\n\
         workloads: { w: { builtin: select-only, scale: 1 } }\nclients: [1]\nblocks: { at_least: 1 }\n",
    )
    .notes();
    insta::assert_snapshot!(notes.join("\n"), @r#"
    blocks.at_least is 1: a verdict needs 3 blocks, fewer end as "not enough data"
    there is one target and no noise floor: the run measures, but compares nothing
    "#);
}

/// A text for a name or a setting's value: anything on one line that is neither empty nor a connection string.
fn text() -> impl Strategy<Value = String> {
    "[^\\p{Cc}]{1,12}".prop_filter("passwords are left out of what is written", |text| {
        !text.trim().is_empty() && !text.contains("://") && !text.to_lowercase().contains("password")
    })
}

fn settings(prefix: &'static str) -> impl Strategy<Value = Settings> {
    btree_map("[a-z_]{1,8}", text(), 0..3)
        .prop_map(move |map| map.into_iter().map(|(name, value)| (format!("{prefix}{name}"), value)).collect())
}

fn word<W: Word + std::fmt::Debug>() -> impl Strategy<Value = W> {
    proptest::sample::select(W::ALL)
}

fn percent() -> impl Strategy<Value = Percent> {
    (1..=1_000_000_u32).prop_map(|ppm| Percent::from_parts_per_million(ppm).expect("in range"))
}

fn version() -> impl Strategy<Value = Version> {
    (Version::MAJOR_MIN..=Version::MAJOR_MAX, option::of(0..40_u32)).prop_map(|(major, minor)| Version { major, minor })
}

fn initdb() -> impl Strategy<Value = Initdb> {
    (0..=10_u32, any::<Option<bool>>(), "[A-Za-z][A-Za-z0-9_.@-]{0,6}", "[A-Za-z][A-Za-z0-9_]{0,6}").prop_map(
        |(exponent, data_checksums, locale, encoding)| Initdb {
            wal_segment_size: WalSegmentSize::from_megabytes(1 << exponent).expect("a power of two"),
            data_checksums,
            locale,
            encoding,
        },
    )
}

fn reach(index: usize) -> impl Strategy<Value = Reach> {
    let binaries = prop_oneof![
        version().prop_map(Binaries::Version),
        "/[^\\p{Cc}]{0,9}".prop_map(|p| Binaries::Bin(PathBuf::from(p)))
    ];
    let directory = option::of("[^\\p{Cc}/.]{1,6}".prop_map(move |name| PathBuf::from(format!("/{index}/{name}"))));
    let local = (binaries, initdb(), settings("s_"), directory, any::<bool>(), word::<Via>()).prop_map(
        |(binaries, initdb, settings, data_directory, keep, via)| {
            Reach::Local(Local { binaries, initdb, settings, data_directory, keep, via })
        },
    );
    let url = "[a-z]{1,5}@[a-z0-9.]{1,9}(:[0-9]{4})?/[a-z]{0,5}";
    prop_oneof![local, url.prop_map(|rest| Reach::Url(ServerUrl::new(&format!("postgresql://{rest}"))))]
}

fn name() -> impl Strategy<Value = String> {
    "[A-Za-z0-9][A-Za-z0-9_.-]{0,8}"
}

fn targets() -> impl Strategy<Value = Vec<Target>> {
    vec((name(), settings("k_")), 1..4).prop_flat_map(|named| {
        named
            .into_iter()
            .enumerate()
            .map(|(i, (name, knobs))| {
                reach(i).prop_map(move |reach| Target { name: format!("{name}{i}"), reach, knobs: knobs.clone() })
            })
            .collect::<Vec<_>>()
    })
}

fn workloads() -> impl Strategy<Value = Vec<Workload>> {
    (1..=1_000_000_u32, word::<Data>(), vec((name(), word::<Builtin>(), word::<Mode>()), 1..4)).prop_map(
        |(scale, data, named)| {
            let workload =
                |(i, (name, builtin, mode))| Workload { name: format!("{name}{i}"), builtin, scale, mode, data };
            named.into_iter().enumerate().map(workload).collect()
        },
    )
}

fn differences() -> impl Strategy<Value = BTreeSet<Difference>> {
    let setting = "[a-z]{1,4}_[a-z]{1,4}".prop_map(Difference::Setting);
    btree_set(prop_oneof![word::<Aspect>().prop_map(Difference::Aspect), setting], 0..4)
}

prop_compose! {
    fn any_plan()(
        name in text(),
        targets in targets(),
        baseline in any::<proptest::sample::Index>(),
        may_differ in differences(),
        workloads in workloads(),
        clients in btree_set(1..=262_143_u32, 1..4),
        threads in option::of(1..=1024_u32),
        (warm_up, measure) in (0..=10_000_000_u64, 100..=10_000_000_u64),
        (at_least, more, until, practical_threshold) in (1..=500_u32, 0..=500_u32, percent(), percent()),
        noise_floor: bool,
        seed in option::of(any::<u64>()),
    ) -> Plan {
        Plan {
            name,
            baseline: targets[baseline.index(targets.len())].name.clone(),
            targets,
            may_differ,
            workloads,
            clients: clients.into_iter().rev().collect(),
            threads,
            trial: TrialPhases { warm_up: Duration::from_millis(warm_up), measure: Duration::from_millis(measure) },
            blocks: Blocks { at_least, at_most: at_least + more, until },
            practical_threshold,
            noise_floor,
            seed,
        }
    }
}

proptest! {
    #[test]
    fn the_resolved_plan_reads_back_as_the_same_plan(plan in any_plan()) {
        let text = plan.to_yaml();
        prop_assert_eq!(parse("plan.yaml", text.as_bytes()).map_err(|errors| errors.to_string()), Ok(plan), "{}", text);
    }
}
