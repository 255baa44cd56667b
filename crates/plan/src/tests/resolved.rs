//! The resolved plan: every default written out, read back as the same plan, no password in it.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;

use serde_json::json;

use super::super::affinity::Affinity;
use super::super::blocks::{BlockRepetition, ComparisonEnd};
use super::super::cache::Cache;
use super::super::completion::default_threads;
use super::super::consent::Consent;
use super::super::difference::{AllowedDifference, Aspect};
use super::super::disk::{DiskJob, DiskPlan, TargetDisk};
use super::super::interleave::Interleave;
use super::super::kubernetes::{CaFrom, ClusterVia, DatabaseName, InKubernetes, Kubernetes, Selector};
use super::super::language::SettingsByName;
use super::super::made::{
    KubernetesQuantity, Made, MadeCluster, MadePod, MadePooler, MadeServer, MadeVolume, PoolMode, Resources, Toleration,
};
use super::super::model::{Risk, TrialPhases};
use super::super::object_name::ObjectName;
use super::super::profile::ProfileFrequency;
use super::super::secret::ServerUrl;
use super::super::target::{
    AgentLaunch, Binaries, DataSource, Filesystem, FilesystemKind, Initdb, Local, Machine, Pooler, Pooling, Reach,
    Target, TargetData, Via, Way,
};
use super::super::units::{Cpus, FileSize, Percent, WalSegmentSize};
use super::super::version::PostgresVersion;
use super::super::workload::{Generator, Workload};
use super::super::{Margin, Plan, Threshold, explain_plan, parse_of_run};
use super::{GOOD, edited, plan};
use work::WordChoice;

/// A plan that says only what it must.
const SHORTEST: &str = "name: x\ntargets:\n  a: { local: { version: 17 } }\n  b: { url: postgresql://h/b }\nbaseline: a\n\
     workloads: { w: { builtin: simple-update, scale: 7 } }\nclients: [4]\n";

#[test]
fn a_plan_that_says_only_what_it_must_gets_these_defaults() {
    insta::assert_snapshot!(plan(SHORTEST).to_yaml(), @r#"
    name: "x"
    notes: []
    targets:
      "a":
        local:
          version: 17
          initdb:
            wal_segment_size: 16MB
            # data_checksums: the default of the version: off up to 17, on from 18
            locale: "C"
            encoding: "UTF8"
          settings: {}
          # data_directory: a new directory under `$TMPDIR` or else `/var/tmp`
          keep: false
          via: unix
          tls: false
          pgbouncer: false
          # cpus: all
        settings: {}
        may_disturb: false
        may_change: []
      "b":
        url: "postgresql://h/b"
        settings: {}
        may_disturb: false
        may_change: []
    baseline: "a"
    may_differ: []
    workloads:
      "w":
        builtin: simple-update
        scale: 7
        data: managed
        # reads: determined at the start of the run: the servers prepare and explain each statement
        cache: as-is
        mode: prepared
        tries: 1
        # interleave: `interleave` of the plan; else `slices` if its transactions only read and that is possible, else `trials`
        connections: kept
        generator: pgdyno
        ledger: false
    clients: [4]
    # threads: half of the CPUs of the machine on which pgdyno runs, from 1 to 8; for a generator with `cpus`, that number
    trial:
      warm_up: 10s
      measure: 1m
    # interleave: `slices` for workloads that only read, if possible, else `trials`
    slice: 250ms
    blocks:
      at_least: 3
      at_most: 10
      until: 2%
      restart: false
    practical_threshold: 3%
    costs:
      threshold: 20%
    statements:
      threshold: 20%
    may_risk: []
    ignore: []
    noise_floor: false
    probes: true
    observer_cost: false
    profile: 99
    rehearse_upgrade: false
    # seed: random for every run, and recorded in its plan.yaml
    "#);
}

#[test]
fn completing_a_plan_fills_in_the_seed_and_the_threads_and_changes_neither_when_given() {
    let open = plan(GOOD);
    assert_eq!((open.seed, open.threads), (None, None));
    let complete = open.complete_with_defaults(99, 6);
    assert_eq!((complete.seed, complete.threads), (Some(99), Some(3)));
    assert_eq!(complete.clone().complete_with_defaults(1, 64), complete);
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
    assert!(url.expose_url().contains("s3cret"));
    for written in [plan.to_yaml(), format!("{plan:?}"), explain_plan(&plan).to_string()] {
        assert!(!written.contains("s3cret"), "{written}");
    }
    assert!(super::plan(&plan.to_yaml()).to_yaml().contains("postgresql://bench@10.0.0.5/bench"));
    assert!(plan.plan_notes().iter().any(|note| note.contains("\"b\" contains a password")));
}

#[test]
fn what_the_plan_gives_the_targets_unlike_may_differ_and_what_it_gives_them_alike_may_not() {
    let text = "name: x\ntargets:\n  a:\n    local: { version: 17, initdb: { wal_segment_size: 64MB }, settings: { fsync: on, jit: off } }\n    \
                settings: { work_mem: 4MB, Random_Page_Cost: 1.1 }\n  b:\n    local: { version: 17, settings: { FSYNC: on, jit: on } }\n    \
                settings: { work_mem: 4MB }\nbaseline: a\nmay_differ: [version, TimeZone]\n\
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
    assert_eq!(plan.baseline_target().name, "17");
    assert_eq!(plan.candidate_targets().map(|target| target.name.as_str()).collect::<Vec<_>>(), ["b"]);
    assert_eq!(super::plan(&plan.to_yaml()), plan);
}

#[test]
fn a_plan_of_one_target_and_one_block_is_allowed_and_noted() {
    let notes = plan(
        "name: x\ntargets: { a: { local: { version: 17 } } }\nbaseline: a\n\
         workloads: { w: { builtin: select-only, scale: 1 } }\nclients: [1]\nblocks: { at_least: 1 }\n",
    )
    .plan_notes();
    insta::assert_snapshot!(notes.join("\n"), @r#"
    blocks.at_least is 1: a verdict requires 3 blocks; with fewer it is "not enough data"
    there is one target and no noise floor: the run has no comparison
    "#);
}

/// A text for a name or a setting's value: anything on one line that is neither empty nor a connection string.
fn text() -> impl Strategy<Value = String> {
    "[^\\p{Cc}]{1,12}".prop_filter("passwords are left out of what is written", |text| {
        !text.trim().is_empty() && !text.contains("://") && !text.to_lowercase().contains("password")
    })
}

fn settings(prefix: &'static str) -> impl Strategy<Value = SettingsByName> {
    btree_map("[a-z_]{1,8}", text(), 0..3)
        .prop_map(move |map| map.into_iter().map(|(name, value)| (format!("{prefix}{name}"), value)).collect())
}

fn word<W: WordChoice + std::fmt::Debug>() -> impl Strategy<Value = W> {
    proptest::sample::select(W::ALL)
}

fn percent() -> impl Strategy<Value = Percent> {
    (1..=1_000_000_u32).prop_map(|ppm| Percent::from_parts_per_million(ppm).expect("in range"))
}

fn margin() -> impl Strategy<Value = Margin> {
    let threshold = prop_oneof![Just(Threshold::Off), percent().prop_map(Threshold::Share)];
    threshold.prop_map(|threshold| Margin { threshold })
}

fn version() -> impl Strategy<Value = PostgresVersion> {
    (PostgresVersion::MAJOR_MIN..=PostgresVersion::MAJOR_MAX, option::of(0..40_u32))
        .prop_map(|(major, minor)| PostgresVersion { major, minor })
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

/// A way that is possible with every workload.
fn way() -> impl Strategy<Value = Way> {
    let cpus = option::of((10..=1_024_000_u64).prop_map(|n| Cpus::from_thousandths(n).expect("in range")));
    (any::<bool>(), any::<bool>(), any::<bool>(), cpus).prop_map(|(over_tcp, tls, pgbouncer, cpus)| {
        let via = if over_tcp { Via::Tcp } else { Via::Unix };
        Way { via, tls: tls && over_tcp, pgbouncer: pgbouncer && over_tcp, cpus }
    })
}

fn reach(index: usize) -> impl Strategy<Value = Reach> {
    let binaries = prop_oneof![
        version().prop_map(Binaries::Version),
        "/[^\\p{Cc}]{0,9}".prop_map(|p| Binaries::Bin(PathBuf::from(p)))
    ];
    let directory = option::of("[^\\p{Cc}/.]{1,6}".prop_map(move |name| PathBuf::from(format!("/{index}/{name}"))));
    let wal = option::of("/[a-z]{1,6}".prop_map(PathBuf::from));
    let local = (binaries, initdb(), settings("s_"), directory, wal, any::<bool>(), way()).prop_map(
        |(binaries, initdb, settings, data_directory, wal_directory, keep, way)| {
            let pooling = way.pgbouncer.then_some(Pooling {
                mode: keep.then_some(PoolMode::Transaction),
                size: Some(20),
                max_prepared_statements: None,
            });
            let standby = None;
            Reach::Local(Local {
                binaries,
                initdb,
                settings,
                data_directory,
                wal_directory,
                keep,
                standby,
                pooling,
                way,
            })
        },
    );
    let url = "[a-z]{1,5}@[a-z0-9.]{1,9}(:[0-9]{4})?/[a-z]{0,5}";
    prop_oneof![
        local,
        url.prop_map(|rest| Reach::Url(ServerUrl::new(&format!("postgresql://{rest}")))),
        kubernetes().prop_map(Reach::Kubernetes),
        made().prop_map(Reach::Kubernetes)
    ]
}

/// A server that is made in Kubernetes, and reached by a way that every one has.
fn made() -> impl Strategy<Value = Kubernetes> {
    let quantity = || "[1-9][0-9]{0,2}(m|Gi)?".prop_map(KubernetesQuantity);
    let resources = (option::of(quantity()), option::of(quantity()), word())
        .prop_map(|(cpu, memory, limit)| Resources { cpu, memory, limit });
    let taint = (option::of("[a-z]{1,5}"), option::of(Just("NoSchedule".to_owned())));
    let tolerations = btree_map("[a-z]{1,5}", taint, 0..3).prop_map(|taints| {
        taints.into_iter().map(|(key, (value, effect))| Toleration { key, value, effect }).collect::<Vec<_>>()
    });
    let class = || option::of("[a-z]{1,6}".prop_map(ObjectName));
    let wal = option::of((class(), quantity()).prop_map(|(storage_class, size)| MadeVolume { storage_class, size }));
    let rules =
        any::<(bool, u8)>().prop_map(|(yes, weight)| json!({ "weight": weight, "yes": yes, "of": ["a:b", null] }));
    let affinity = btree_map("nodeAffinity|podAffinity", rules, 0..2).prop_map(Affinity);
    let placed = (btree_map("[a-z./]{1,6}", "[A-Z0-9]{0,3}", 0..2), tolerations, affinity, any::<bool>());
    let server = (text(), class(), quantity(), resources, placed, settings("s_"), 1..600_u64).prop_map(
        |(image, storage_class, size, resources, (node_selector, tolerations, affinity, keep), parameters, seconds)| {
            MadeServer {
                image,
                storage_class,
                size,
                resources,
                node_selector,
                tolerations,
                affinity,
                parameters,
                keep,
                ready_within: Duration::from_secs(seconds),
            }
        },
    );
    let pooler = (option::of(text()), 1..9_u32, word()).prop_map(|(image, instances, mode)| MadePooler {
        image,
        instances,
        mode,
        pool_size: instances * 10,
        max_prepared_statements: Some(instances - 1),
    });
    let made = (server, 1..4_u32, option::of(pooler), any::<bool>(), any::<bool>(), wal).prop_map(
        |(server, number, pooler, host_network, is_pod, wal)| match (is_pod, number) {
            (true, 1) => Made::StatefulSet(MadePod { server, user: number, host_network }),
            (true, _) => Made::Pod(MadePod { server, user: number, host_network }),
            (false, _) => Made::Cnpg(MadeCluster {
                server,
                wal,
                instances: number,
                synchronous: number - 1,
                smart_shutdown: Duration::from_millis(u64::from(number) * 1500),
                pooler,
            }),
        },
    );
    let via = prop_oneof![Just(ClusterVia::Pod), Just(ClusterVia::NodePort(None))];
    (made, via, any::<Option<bool>>()).prop_map(|(made, via, tls)| Kubernetes {
        server: InKubernetes::Create(Box::new(made)),
        secret: None,
        ca: None,
        namespace: None,
        context: None,
        database: None,
        via,
        tls,
        may_change: false,
    })
}

/// A server in Kubernetes that is no other target's.
fn kubernetes() -> impl Strategy<Value = Kubernetes> {
    let object = || "[a-z0-9]([a-z0-9.-]{0,6}[a-z0-9])?".prop_map(ObjectName);
    let via = prop_oneof![
        Just(ClusterVia::Pod),
        option::of(object()).prop_map(ClusterVia::Service),
        option::of(object()).prop_map(ClusterVia::NodePort),
        object().prop_map(|name| ClusterVia::Pooler(Some(name))),
        Just(ClusterVia::HostNetwork),
        Just(ClusterVia::Socket),
    ];
    let server = prop_oneof![
        object().prop_map(InKubernetes::Cluster),
        "[a-z]{1,4}=[a-z0-9]{1,4}(,[a-z/.]{1,4}=[A-Z]{1,4})?".prop_map(|labels| InKubernetes::Pods(Selector(labels))),
    ];
    let ca = prop_oneof![object().prop_map(CaFrom::ConfigMap), object().prop_map(CaFrom::Secret)];
    let names = (object(), option::of(object()), option::of(text()), option::of("[^\\p{Cc}]{1,9}"));
    (server, names, option::of(ca), via, any::<Option<bool>>()).prop_map(
        |(server, (secret, namespace, context, database), ca, via, tls)| {
            let database = database.map(DatabaseName);
            let tls = if via == ClusterVia::Socket { tls.filter(|tls| !tls) } else { tls };
            let may_change = tls.is_none() && matches!(server, InKubernetes::Cluster(_));
            let ca = ca.filter(|_| tls != Some(false));
            Kubernetes { server, secret: Some(secret), ca, namespace, context, database, via, tls, may_change }
        },
    )
}

fn machine() -> impl Strategy<Value = Machine> {
    let filesystem = (word::<FilesystemKind>(), 1_024..=16_384_u32).prop_map(|(kind, megabytes)| Filesystem {
        kind,
        size: FileSize::from_megabytes(megabytes.into()).expect("in range"),
    });
    // Limits have tests of their own: whether there may be any depends on the routes to the server.
    (option::of(filesystem), any::<Option<bool>>(), settings("vm."))
        .prop_map(|(filesystem, huge_pages, sysctl)| Machine { filesystem, huge_pages, sysctl, limits: None })
}

/// What is looked at beside the server itself.
type Watched = (Option<Pooler>, TargetDisk, Option<AgentLaunch>);

/// What only a server that pgdyno makes and throws away can have is left to those.
fn target(
    name: &str,
    target_settings: &SettingsByName,
    (reach, (pooler, disk, agent), machine, cache): (Reach, Watched, Machine, Option<Cache>),
) -> Target {
    let filesystem = machine.filesystem.filter(|_| matches!(&reach, Reach::Local(local) if !local.keep));
    let (machine, cache) = match &reach {
        Reach::Local(_) => (Machine { filesystem, ..machine }, cache),
        Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_) => {
            (Machine::default(), cache.filter(|cache| *cache != Cache::Cold))
        }
    };
    let through_pooler =
        matches!(&reach, Reach::Kubernetes(kubernetes) if matches!(kubernetes.via, ClusterVia::Pooler(_)));
    let target_settings = if through_pooler { SettingsByName::new() } else { target_settings.clone() };
    let agent = agent.filter(|_| matches!(reach, Reach::Url(_) | Reach::Kubernetes(_)));
    let by_consent = matches!(reach, Reach::Url(_)) && agent.is_some() && name.len().is_multiple_of(3);
    let may_change = if by_consent { [Consent::Settings, Consent::Sysctl].into() } else { [].into() };
    let has_dump = matches!(reach, Reach::Local(_)) && name.len().is_multiple_of(2);
    Target {
        name: name.to_owned(),
        data: has_dump.then(|| TargetData {
            source: match name.len().is_multiple_of(4) {
                true => DataSource::Restore(format!("{name}.dump").into()),
                false => DataSource::From(ServerUrl::new("postgresql://me@h/shop")),
            },
        }),
        reach,
        settings: target_settings,
        pooler,
        disk,
        machine,
        cache,
        agent,
        may_disturb: name.len().is_multiple_of(2),
        beside: if name.len().is_multiple_of(2) { Some(Vec::new()) } else { None },
        // It has a test of its own.
        facts: None,
        may_change,
        restart_by: None,
        // Its round trip is a test of its own.
        cost: None,
    }
}

fn name() -> impl Strategy<Value = String> {
    "[A-Za-z0-9][A-Za-z0-9_.-]{0,8}"
}

fn targets() -> impl Strategy<Value = Vec<Target>> {
    vec((name(), settings("k_")), 1..4).prop_flat_map(|named| {
        named
            .into_iter()
            .enumerate()
            .map(|(i, (name, target_settings))| {
                let named = if i == 1 { format!("{name}/v{i}") } else { format!("{name}{i}") };
                (reach(i), (pooler(), target_disk(), agent()), machine(), option::of(word::<Cache>()))
                    .prop_map(move |of| target(&named, &target_settings, of))
            })
            .collect::<Vec<_>>()
    })
}

fn pooler() -> impl Strategy<Value = Option<Pooler>> {
    let url = |user| ServerUrl::new(&format!("postgresql://{user}@h:6432/pgbouncer"));
    option::of("[a-z]{1,9}".prop_map(move |user| Pooler { url: url(user) }))
}

fn agent() -> impl Strategy<Value = Option<AgentLaunch>> {
    let ssh = ("[a-z]{1,8}@[a-z]{1,8}", "/[a-z' ]{1,9}")
        .prop_map(|(destination, pgdyno)| AgentLaunch::Ssh { destination, pgdyno: pgdyno.into() });
    let command = "[a-z]{2,9} [ -~]{0,20}x".prop_map(AgentLaunch::Command);
    proptest::option::of(prop_oneof![ssh, command])
}

/// What plans say of disks, every key of it at least once.
const DISKS: &[(&str, &str)] = &[
    ("{}", "{}"),
    ("{ jobs: [wal, depth], runtime: 1500ms, size: 3GB }", "{ directory: \"/mnt/a b\" }"),
    ("{ jobs: [], job_files: [own.fio, /abs/x.fio] }", "{ declared: { iops: 3000 } }"),
    (
        "{ size: 100MB, size_reason: \"a \\\"test\\\"\", declared: { iops: 16000, bandwidth: 400MB/s } }",
        "{ directory: d, declared: { iops: 1, bandwidth: 125MiB/s } }",
    ),
];

#[test]
fn a_plan_that_measures_disks_and_names_no_jobs_gets_those_of_the_command() {
    let disk = with_disks("{}", "{}").disk.expect("disks are measured");
    assert_eq!((disk.jobs.as_slice(), disk.runtime), (&DiskJob::DEFAULT[..], DiskPlan::RUNTIME));
}

fn with_disks(disk: &str, target_disk: &str) -> Plan {
    plan(&format!(
        "name: x\ntargets: {{ a: {{ local: {{ version: 17 }}, disk: {target_disk} }} }}\nbaseline: a\nclients: [1]\n\
         workloads: {{ w: {{ builtin: select-only, scale: 1 }} }}\ndisk: {disk}\n"
    ))
}

fn target_disk() -> impl Strategy<Value = TargetDisk> {
    proptest::sample::select(DISKS).prop_map(|(disk, of_target)| with_disks(disk, of_target).targets[0].disk.clone())
}

fn disk() -> impl Strategy<Value = Option<DiskPlan>> {
    option::of(proptest::sample::select(DISKS))
        .prop_map(|texts| texts.and_then(|(disk, of_target)| with_disks(disk, of_target).disk))
}

/// Every kind of work and of pace, and every key that is not the default somewhere, as a plan says them.
const WORKLOADS: &[&str] = &[
    "builtin: tpcb-like, scale: 7, mode: simple, cache: warm",
    "builtin: select-only, scale: 7, data: managed, think: 10ms, tries: 3",
    "builtin: simple-update, scale: 7, think: { exponential: 1.5s }, connections: per-transaction",
    "builtin: tpcb-like, scale: 7, rate: 500.25/s, latency_limit: 50ms, tries: unlimited, statement_timeout: 5s",
    "builtin: tpcb-like, scale: 7, rate: { from: 100/s, to: 0.5/s }, arrivals: even, ledger: true",
    "builtin: tpcb-like, scale: 7, rate: [100/s, 200/s, 100/s], arrivals: poisson",
    "builtin: tpcb-like, scale: 7, capacity: { p99: 20ms, from: 100/s, to: 10000/s, precision: 0.5% }",
    "builtin: tpcb-like, scale: 7, generator: pgbench, rate: 10/s",
    "script: [a.sql, 'dir/b @ c.sql@9'], define: { a: 1, Ünï: 'x y' }, allow_shell: true",
    "script: [/abs/a.sql@2], scale: 7",
    "script: [a.sql], reads: true",
    "sysbench: { script: oltp_read_write, tables: 4, table_size: 100, distribution: zipfian, range_size: 7 }",
    "sysbench: { script: oltp_insert, tables: 4, table_size: 100, point_selects: 0, delete_inserts: 3, skip_trx: true }",
    "sysbench: { script: oltp_read_only, tables: 4, table_size: 100 }, generator: sysbench",
    "sysbench: { script: oltp_read_only, tables: 4, table_size: 100, distribution: { pareto: { h: 0.125 } }, range_selects: false }",
    "sysbench: { script: oltp_delete, tables: 4, table_size: 100, distribution: { special: { res: 90 } } }, generator: sysbench",
    "read-intensive: { read_percent: 95, tables: 4, table_size: 100, distribution: uniform }",
    "read-intensive: { tables: 4, table_size: 100, distribution: { gaussian: { iter: 3 } } }",
    "erp: { object: temp-table, scale: 2, reuse: true }",
    "erp: { object: accumulation-register, scale: 2, splitter: 4 }",
    "erp: { object: catalog, scale: 2, inserts_percent: 90, zipfian: 1.5 }",
];

fn workloads() -> impl Strategy<Value = Vec<Workload>> {
    let text = |(i, (name, chosen)): (usize, (String, &str))| format!("  {name}{i}: {{ {chosen} }}\n");
    vec((name(), proptest::sample::select(WORKLOADS)), 1..4).prop_map(move |chosen| {
        let workloads: String = chosen.into_iter().enumerate().map(text).collect();
        let targets = "targets: { a: { local: { version: 17 } } }";
        plan(&format!("name: x\n{targets}\nbaseline: a\nclients: [1]\nworkloads:\n{workloads}")).workloads
    })
}

/// Those on one table only, which others of the same plan may not have four of.
const OF_ONE_TABLE: &[&str] = &[
    "sysbench: { script: select_random_points, table_size: 100, random_points: 3 }",
    "sysbench: { script: select_random_ranges, table_size: 100, number_of_ranges: 3, delta: 0 }",
    "sysbench: { script: select_random_points, table_size: 100 }, generator: sysbench",
];

/// Those on tables without numbers and index of their own, which all workloads of a plan have or none.
const BARE: &[&str] = &[
    "sysbench: { script: oltp_delete, auto_inc: false, create_secondary: false }",
    "read-intensive: { auto_inc: false, create_secondary: false, distribution: { zipfian: { exponent: 1.5 } } }",
];

/// Those on empty tables.
const EMPTY: [&[&str]; 2] =
    [&["sysbench: { script: bulk_insert }"], &["sysbench: { script: oltp_insert, auto_inc: false }"]];

#[test]
fn every_kind_of_workload_is_read_and_written_back_as_itself() {
    for workloads in [WORKLOADS, OF_ONE_TABLE, BARE, EMPTY[0], EMPTY[1]] {
        read_and_written_back(workloads);
    }
}

fn read_and_written_back(workloads: &[&str]) {
    let workloads: String = workloads.iter().enumerate().map(|(i, text)| format!("  w{i}: {{ {text} }}\n")).collect();
    let read = plan(&format!(
        "name: x\ntargets: {{ a: {{ local: {{ version: 17 }} }} }}\nbaseline: a\nclients: [1]\nworkloads:\n{workloads}"
    ));
    assert_eq!(plan(&read.to_yaml()), read, "{}", read.to_yaml());
}

#[test]
fn a_ladder_of_ways_to_one_server_is_read_and_written_back_as_itself() {
    let text = "name: x\ntargets:\n  unix: { local: { version: 17 } }\n  tls: { shared: { server_of: unix, via: tcp, tls: true } }\n  \
                pod: { shared: { server_of: unix, via: veth, tls: true, pgbouncer: true, cpus: 0.25 } }\n  \
                svc: { shared: { server_of: unix, via: service }, settings: { work_mem: 8MB } }\nbaseline: unix\n\
                ladder: [unix, tls, pod, svc]\nworkloads: { w: { builtin: select-only, scale: 1 } }\nclients: [1]\n";
    let read = plan(text);
    assert_eq!(plan(&read.to_yaml()), read, "{}", read.to_yaml());
    assert_eq!(read.ladder, [["unix", "tls", "pod", "svc"]]);
    let allowed = read.allowed_differences();
    for aspect in [Aspect::Route, Aspect::Platform] {
        assert!(allowed.contains(&AllowedDifference::Aspect(aspect)), "{aspect:?}: it is what the plan compares");
    }
}

#[test]
fn pairs_and_several_ladders_are_read_and_written_back_as_themselves() {
    let of = |keys: &str| {
        plan(&format!(
            "name: x\ntargets:\n  a: {{ local: {{ version: 17 }} }}\n  pg: {{ local: {{ version: 18 }}, variants: {{ sync: {{}} }} }}\n  \
             c: {{ local: {{ version: 18 }} }}\nbaseline: a\n{keys}\nworkloads: {{ w: {{ builtin: select-only, scale: 1 }} }}\n\
             clients: [1]\n"
        ))
    };
    let one = of("compare: [pg/sync, pg]\nladder: [pg, c]");
    assert_eq!(one, of("compare: [[pg/sync, pg]]\nladder: [[pg, c]]"), "one is a list of one");
    let several = of("compare: [[pg/sync, pg], [c, pg]]\nladder: [[a, pg], [pg, c, a]]");
    assert_eq!((several.compare.len(), several.ladder.len()), (2, 2));
    assert_eq!(several.compare[0].candidate, "pg/sync");
    assert_eq!(several.compare[0].baseline, "pg");
    for read in [one, several, of("")] {
        assert_eq!(plan(&read.to_yaml()), read, "{}", read.to_yaml());
    }
}

fn differences() -> impl Strategy<Value = BTreeSet<AllowedDifference>> {
    let setting = "[a-z]{1,4}_[a-z]{1,4}".prop_map(AllowedDifference::Setting);
    btree_set(prop_oneof![word::<Aspect>().prop_map(AllowedDifference::Aspect), setting], 0..4)
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
        (costs, statements) in (margin(), margin()),
        restart: bool,
        noise_floor: bool,
        probes: bool,
        observer_cost: bool,
        disk in disk(),
        is_ladder: bool,
        interleave in option::of(Just(Interleave::Trials)),
        turn in 50..2_000_u64,
        seed in option::of(any::<u64>()),
        may_risk in prop_oneof![Just(BTreeSet::new()), Just(BTreeSet::from([Risk::SynchronousCommit]))],
    ) -> Plan {
        let baseline = targets[baseline.index(targets.len())].name.clone();
        let others = targets.iter().map(|target| target.name.clone()).filter(|name| *name != baseline);
        let ladder: Vec<String> = std::iter::once(baseline.clone()).chain(others).collect();
        let shares = targets.iter().any(|target| target.reach.server_of().is_some());
        let restart = restart && !shares && targets.iter().any(|target| target.reach.can_restart());
        let is_ours = workloads.iter().all(|workload| workload.generator == Generator::Pgdyno);
        Plan {
            author: if probes { Some(name.clone()) } else { None },
            customer: if restart { Some(name.clone()) } else { None },
            notes: if noise_floor { vec![name.clone()] } else { Vec::new() },
            name,
            baseline,
            ladder: if is_ladder && ladder.len() > 1 { vec![ladder] } else { Vec::new() },
            // They have tests of their own: which pairs there may be depends on the targets.
            compare: Vec::new(),
            targets,
            may_differ,
            workloads,
            // They have tests of their own: few plans may have one.
            generators: Vec::new(),
            // They have a test of their own: what they may be depends on all the rest.
            events: Vec::new(),
            beside: Vec::new(),
            clients: clients.into_iter().rev().collect(),
            threads,
            interleave,
            slice: Duration::from_millis(turn.min(measure).max(50)),
            trial: TrialPhases { warm_up: Duration::from_millis(warm_up), measure: Duration::from_millis(measure) },
            blocks: BlockRepetition { at_least, at_most: at_least + more, until: ComparisonEnd::HalfWidth(until), at_most_time: None, restart },
            practical_threshold,
            costs,
            statements,
            may_risk,
            ignore: Vec::new(),
            noise_floor,
            probes,
            observer_cost: probes && is_ours && observer_cost,
            profile: if noise_floor { ProfileFrequency::Off } else { ProfileFrequency::Hz(NonZero::<u32>::MIN) },
            disk,
            // It needs captured workloads and newer candidates.
            rehearse_upgrade: false,
            seed,
        }
    }
}

proptest! {
    #[test]
    fn the_resolved_plan_reads_back_as_the_same_plan(plan in any_plan().prop_map(Plan::with_room_for_clients)) {
        let text = plan.to_yaml();
        prop_assert_eq!(parse_of_run("plan.yaml", text.as_bytes()).map_err(|errors| errors.to_string()), Ok(plan), "{}", text);
    }
}

#[test]
fn a_word_for_a_distribution_stands_for_the_parameters_of_sysbench() {
    let with = |distribution: &str| {
        plan(&format!(
            "name: x\ntargets: {{ a: {{ local: {{ version: 17 }} }} }}\nbaseline: a\nclients: [1]\n\
             workloads: {{ w: {{ sysbench: {{ script: oltp_insert, distribution: {distribution} }} }} }}\n"
        ))
    };
    for (word, mapping) in [
        ("special", "{ special: { iter: 12, pct: 1, res: 75 } }"),
        ("gaussian", "{ gaussian: { iter: 12 } }"),
        ("pareto", "{ pareto: { h: 0.2 } }"),
        ("zipfian", "{ zipfian: { exponent: 0.8 } }"),
    ] {
        assert_eq!(with(word), with(mapping), "{word}");
        assert!(with(word).to_yaml().contains(&format!("      distribution: {mapping}\n")), "{word}");
    }
}

#[test]
fn blocks_end_with_a_verdict_or_after_a_time_where_the_plan_says_so() {
    let blocks = |text: &str| plan(&edited("{ at_least: 3, at_most: 5, until: 2% }", text)).blocks;
    let narrow = ComparisonEnd::HalfWidth(Percent::from_parts_per_million(20_000).expect("2%"));
    assert_eq!(
        blocks("{}"),
        BlockRepetition { at_least: 3, at_most: 10, until: narrow, at_most_time: None, restart: false }
    );
    let at_most_time = Some(Duration::from_secs(1_200));
    let expected =
        BlockRepetition { at_least: 3, at_most: 100, until: ComparisonEnd::Verdict, at_most_time, restart: false };
    assert_eq!(blocks("{ until: verdict, at_most_time: 20m }"), expected);
    assert_eq!(blocks("{ until: verdict, at_most_time: 20m, at_most: 7 }").at_most, 7);
}

#[test]
fn scripts_of_targets_stay_theirs_and_a_target_alone_has_its_own() {
    let workload = "{ script: [a.sql, b.sql@2], target_scripts: { b: [branch/a.sql, branch/b.sql@2] } }";
    let read = plan(&super::edited("{ builtin: tpcb-like, scale: 10 }", workload));
    assert_eq!(plan(&read.to_yaml()), read, "{}", read.to_yaml());
    let files = |target: &str| {
        let alone = read.workloads[1].clone().on_target_alone(target);
        let own = alone.own_scripts().expect("it has scripts").clone();
        assert!(own.target_scripts.is_empty());
        own.files.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    assert_eq!((files("a").as_str(), files("b").as_str()), ("a.sql@1 b.sql@2", "branch/a.sql@1 branch/b.sql@2"));
}
