//! Variants: what they become, what they may differ in, and for which targets they are refused.

use super::super::cache::Cache;
use super::super::explain::explain_plan;
use super::super::target::{FilesystemKind, Reach};
use super::{GOOD, edited, plan, refusal};

const VARIED: &str = "\
name: x
targets:
  pg:
    local: { version: 17, data_directory: /srv/pg, settings: { fsync: on, Wal_Recycle: on } }
    settings: { work_mem: 4MB }
    variants:
      no-recycle: { settings: { wal_recycle: off, WORK_MEM: 8MB } }
      big: { initdb: { wal_segment_size: 1GB }, sysctl: { vm.swappiness: 1 } }
      xfs: { filesystem: { type: xfs }, huge_pages: true, cache: cold }
baseline: pg
workloads: { w: { builtin: select-only, scale: 1, cache: warm } }
clients: [1]
";

#[test]
fn each_variant_becomes_a_target_that_shares_all_that_it_does_not_vary() {
    let plan = plan(VARIED);
    let names: Vec<&str> = plan.targets.iter().map(|target| target.name.as_str()).collect();
    assert_eq!(names, ["pg", "pg/no-recycle", "pg/big", "pg/xfs"]);
    let local = |index: usize| match &plan.targets[index].reach {
        Reach::Local(local) => local,
        Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_) => panic!("all are local"),
    };
    let directories: Vec<_> = (0..4).map(|i| local(i).data_directory.clone().unwrap()).collect();
    assert_eq!(
        directories,
        ["/srv/pg", "/srv/pg-no-recycle", "/srv/pg-big", "/srv/pg-xfs"].map(std::path::PathBuf::from)
    );
    assert_eq!(plan.targets[1].settings.iter().collect::<Vec<_>>().len(), 2, "{:?}", plan.targets[1].settings);
    assert_eq!(plan.targets[1].settings["WORK_MEM"], "8MB");
    assert_eq!(local(1).settings.keys().collect::<Vec<_>>(), ["fsync"], "the varied setting has one value");
    assert_eq!(local(2).initdb.wal_segment_size.size_megabytes(), 1024);
    assert_eq!(local(2).initdb.locale, "C");
    assert_eq!(plan.targets[2].machine.sysctl["vm.swappiness"], "1");
    let filesystem = plan.targets[3].machine.filesystem.unwrap();
    assert_eq!((filesystem.kind, filesystem.size.size_bytes()), (FilesystemKind::Xfs, 4 << 30));
    let caches = plan.targets.iter().map(|target| plan.cache_of_trial(target, &plan.workloads[0]));
    assert_eq!(caches.collect::<Vec<_>>(), [Cache::Warm, Cache::Warm, Cache::Warm, Cache::Cold]);
}

#[test]
fn the_resolved_plan_has_the_variants_as_targets_and_is_the_same_plan() {
    let plan = plan(VARIED);
    let written = plan.to_yaml();
    assert!(written.contains("\n  \"pg/no-recycle\":\n") && !written.contains("variants"), "{written}");
    assert_eq!(super::plan(&written), plan, "{written}");
}

#[test]
fn what_a_variant_varies_may_differ_and_nothing_else() {
    let allowed: Vec<String> = plan(VARIED).allowed_differences().iter().map(ToString::to_string).collect();
    let settings = ["huge_pages", "huge_pages_status", "wal_recycle", "wal_segment_size", "work_mem"];
    let disk = [
        "data disk",
        "data disk: I/O scheduler",
        "data disk: made of",
        "data disk: read-ahead (KiB)",
        "data disk: vendor",
        "data disk: write cache",
        "file system",
    ];
    let expected: Vec<&str> = settings.into_iter().chain(disk).chain(["vm.nr_hugepages"]).collect();
    assert_eq!(allowed, expected);
}

#[test]
fn a_variant_can_be_the_baseline() {
    let plan = plan(&VARIED.replace("baseline: pg", "baseline: pg/big"));
    assert_eq!(plan.baseline_target().name, "pg/big");
    assert_eq!(plan.candidate_targets().count(), 3);
    insta::assert_snapshot!(refusal(&VARIED.replace("baseline: pg", "baseline: pg/bog")), @r#"
    error: baseline: found "pg/bog", not one of the targets
      --> plan.yaml:10:11
       |
    10 | baseline: pg/bog
       |           ^^^^^^
    hint: did you mean "pg/big"? the targets are: pg, pg/no-recycle, pg/big, pg/xfs
    "#);
}

#[test]
fn two_targets_of_one_name_are_refused() {
    let text = VARIED.replace("baseline: pg", "  pg/big: { local: { version: 17 } }\nbaseline: pg");
    insta::assert_snapshot!(refusal(&text), @r#"
    error: two targets would have the name "pg/big"
      --> plan.yaml:10:3
       |
    10 |   pg/big: { local: { version: 17 } }
       |   ^^^^^^
    hint: rename the variant or the target
    "#);
}

#[test]
fn a_server_that_was_found_keeps_its_machine_and_its_caches() {
    let url = "    url: postgresql://bench@10.0.0.5/bench";
    let more = "\n    variants: { v: { sysctl: { vm.swappiness: 1 }, initdb: { data_checksums: true }, huge_pages: true, \
                filesystem: { type: ext4 }, cache: cold } }";
    insta::assert_snapshot!(refusal(&edited(url, &format!("{url}{more}"))), @r#"
    error: target "b/v": sysctl requires a server that pgdyno creates
      --> plan.yaml:11:22
       |
    11 |     variants: { v: { sysctl: { vm.swappiness: 1 }, initdb: { data_checksums: true }, huge_pages: tru…
       |                      ^^^^^^
    detail: an existing server may run on another machine, whose kernel pgdyno does not change
    hint: with the owner's consent add `may_change: [sysctl]` and an `agent`; or use `local`, or remove the key

    error: target "b/v": initdb requires a server that pgdyno creates
      --> plan.yaml:11:52
       |
    11 |     variants: { v: { sysctl: { vm.swappiness: 1 }, initdb: { data_checksums: true }, huge_pages: tru…
       |                                                    ^^^^^^
    detail: an existing server has its database cluster already
    hint: use `local`, or remove the key

    error: target "b/v": huge_pages requires a server that pgdyno creates
      --> plan.yaml:11:86
       |
    11 |     variants: { v: { sysctl: { vm.swappiness: 1 }, initdb: { data_checksums: true }, huge_pages: tru…
       |                                                                                      ^^^^^^^^^^
    detail: pgdyno does not change the shared memory of an existing server
    hint: use `local`, or remove the key

    error: target "b/v": filesystem requires a server that pgdyno creates
      --> plan.yaml:11:104
       |
    11 | …itdb: { data_checksums: true }, huge_pages: true, filesystem: { type: ext4 }, cache: cold } }
       |                                                    ^^^^^^^^^^
    detail: pgdyno does not move the data of an existing server
    hint: use `local`, or remove the key

    error: target "b/v": a cold cache requires a server that pgdyno creates
      --> plan.yaml:11:139
       |
    11 | …e_pages: true, filesystem: { type: ext4 }, cache: cold } }
       |                                                    ^^^^
    detail: pgdyno does not restart an existing server and does not evict its files
    hint: with the owner's consent add `may_change: [restart, cache]` and an `agent`; or use `local`, or `cache: warm`

    plan.yaml: 5 errors
    "#);
}

#[test]
fn a_workload_with_a_cold_cache_is_refused_for_a_server_that_was_found_unless_the_target_says_otherwise() {
    let cold =
        edited("read: { builtin: select-only, scale: 10 }", "read: { builtin: select-only, scale: 10, cache: cold }");
    insta::assert_snapshot!(refusal(&cold), @r#"
    error: target "b": a cold cache requires a server that pgdyno creates
      --> plan.yaml:14:51
       |
    14 |   read: { builtin: select-only, scale: 10, cache: cold }
       |                                                   ^^^^
    detail: pgdyno does not restart an existing server and does not evict its files
    hint: with the owner's consent add `may_change: [restart, cache]` and an `agent`; or use `local`, or `cache: warm`
    "#);
    let own = cold.replace("10.0.0.5/bench", "10.0.0.5/bench\n    cache: warm");
    assert_eq!(plan(&own).targets[1].cache, Some(Cache::Warm));
}

#[test]
fn what_contradicts_itself_is_refused() {
    let kept = GOOD.replace("version: 17\n", "version: 17\n      keep: true\n");
    let kept = kept.replace(
        "    settings: { work_mem: 4MB }",
        "    settings: { huge_pages: on }\n    huge_pages: true\n    filesystem: { type: ext4 }",
    );
    insta::assert_snapshot!(refusal(&kept), @r#"
    error: target "a": huge_pages is a key and also a setting
      --> plan.yaml:10:5
       |
    10 |     huge_pages: true
       |     ^^^^^^^^^^
    hint: keep the key: it also reserves the huge pages of the machine

    error: target "a": data on a separate file system cannot be kept
      --> plan.yaml:11:5
       |
    11 |     filesystem: { type: ext4 }
       |     ^^^^^^^^^^
    detail: its image is removed at the end
    hint: remove `keep` or `filesystem`

    plan.yaml: 2 errors
    "#);
    insta::assert_snapshot!(refusal(&VARIED.replace("wal_recycle: off", "port: 1")), @r#"
    error: target "pg/no-recycle": the setting port of a local server is reserved for pgdyno
     --> plan.yaml:7:33
      |
    7 |       no-recycle: { settings: { port: 1, WORK_MEM: 8MB } }
      |                                 ^^^^
    hint: remove it: pgdyno needs it to find the server, its files and its log
    "#);
}

/// What a variant meets only as a target is found before it is measured, not when its run is judged.
#[test]
fn what_would_contradict_itself_in_the_resolved_plan_is_refused() {
    let refused = |targets: &str| {
        let text = format!(
            "name: x\ntargets:\n{targets}baseline: a\nworkloads: {{ w: {{ builtin: select-only, scale: 1 }} }}\nclients: [1]\n"
        );
        refusal(&text)
    };
    for (targets, said) in [
        (
            "  a: { local: { version: 17 }, huge_pages: true, variants: { c: { settings: { huge_pages: \"off\" } } } }\n",
            "target \"a/c\": huge_pages is a key and also a setting",
        ),
        (
            "  a: { local: { version: 17, data_directory: /d/pg }, variants: { x: { settings: { jit: on } } } }\n  \
             b: { local: { version: 17, data_directory: /d/pg-x } }\n",
            "targets \"a/x\" and \"b\" would share a data directory",
        ),
        (
            "  a: { local: { version: 17 } }\n  a/b: { local: { version: 17 }, variants: { c: { settings: { jit: on } } } }\n",
            "target \"a/b\": a variant has no variants",
        ),
    ] {
        let text = refused(targets);
        assert!(text.contains(said), "{said}\n{text}");
    }
}

#[test]
fn a_variant_restarts_its_own_server_beside_a_shared_one() {
    let text = "\
name: x
targets:
  a: { local: { version: 17 }, variants: { c: { cache: cold } } }
  b: { shared: { server_of: a, via: tcp } }
baseline: a
workloads: { w: { builtin: select-only, scale: 1 } }
clients: [1]
";
    let read = plan(text);
    assert_eq!(super::plan(&read.to_yaml()), read);
    let owner = text.replace("variants: { c: { cache: cold } }", "cache: cold");
    assert!(refusal(&owner).contains("cache: cold restarts the server"));
}

#[test]
fn servers_are_restarted_before_each_block_only_where_that_can_be() {
    let text = "name: x
targets:
  a: { local: { version: 17 } }
  b: { url: \"postgresql://db/x\" }
baseline: a
workloads: { w: { builtin: select-only, scale: 1 } }
clients: [1]
blocks: { restart: true }
";
    let read = plan(text);
    assert_eq!(
        read.targets.iter().map(|target| read.is_restarted_before_blocks(target)).collect::<Vec<_>>(),
        [true, false]
    );
    let touched = explain_plan(&read).to_string();
    assert_eq!(touched.matches("restarts the server before every block").count(), 1, "{touched}");
    let none = refusal(&text.replace("{ local: { version: 17 } }", "{ url: \"postgresql://db/y\" }"));
    assert!(none.contains("blocks.restart: no target is `local`"), "{none}");
    let shared = refusal(&text.replace("{ url: \"postgresql://db/x\" }", "{ shared: { server_of: a, via: tcp } }"));
    assert!(shared.contains("blocks.restart restarts the server, and target \"b\" shares one"), "{shared}");
}

#[test]
fn what_a_target_has_against_it_is_said_once_whatever_its_variants() {
    let text = VARIED.replace("fsync: on", "port: 1");
    assert_eq!(refusal(&text).matches("error: ").count(), 1, "{}", refusal(&text));
}

#[test]
fn a_target_that_could_not_be_read_is_not_held_against_the_others() {
    let text = VARIED.replace("version: 17", "version: 9").replace("baseline: pg", "baseline: pg/xfs");
    let with_shared = text.replace("baseline:", "  b: { shared: { server_of: pg, via: tcp } }\nbaseline:");
    assert_eq!(refusal(&with_shared).matches("error: ").count(), 1, "{}", refusal(&with_shared));
}
