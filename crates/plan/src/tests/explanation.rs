//! What `plan explain` says.

use std::collections::BTreeSet;
use std::time::Duration;

use super::super::schedule::schedule_trials;
use super::super::{QUICKSTART, explain_plan};
use super::{GOOD, edited, plan};

#[test]
fn an_explanation_counts_the_trials_estimates_the_time_and_names_all_that_is_touched() {
    insta::assert_snapshot!(explain_plan(&plan(GOOD)), @r##"
    A question

    Trials: 8 in a block (4 comparisons)
    Blocks: 3 to 5
    Duration: about 3 min to 5 min (set-up 8 s to 24 s, a block 56 s)

    Measured:
      read: select-only of pgbench; scale 10, about 150 MiB; closed loop
      write: tpcb-like of pgbench; scale 10, about 150 MiB; closed loop
      each trial: 1 s of warm-up, 5 s measured; practical threshold 3%

    Interleaved:
      read: its sides alternate in slices of 250ms: its transactions only read
      write: runs as whole trials: its transactions may write, and their effects outlast a slice

    Assumed:
      a trial takes 500ms in addition to its phases
      a trial that writes takes 1s more, to restore the initial state
      a local server is created in 4s, once its binaries are available, and restarted in 2s
      creating the data of a, b takes 2 s to 10 s each: 150 MiB of pgbench at 75 MiB/s, as on an idle machine, 5 times longer on a busy one; all is written 2 times, at 50 MiB/s on a slow disk. Existing intact data take no time

    Touched:
      a: downloads PostgreSQL 17 from Maven Central into the user's cache directory, unless it is cached
      a: creates and starts a server in /srv/a, stopped and removed at the end
      a: creates the tables pgbench_accounts, pgbench_branches, pgbench_history and pgbench_tellers in its database (scale 10, about 150 MiB)
      a: changes rows of these tables (workloads: write)
      a: before each trial of write: truncates pgbench_history, vacuums pgbench_tellers and pgbench_branches, executes CHECKPOINT
      a: sets work_mem = 4MB
      a: reads statistics views, settings and catalogs before, during and after each trial
      a: after each trial, asks for the query plans of the statements of the load (EXPLAIN), and executes those that only read for some seconds more (EXPLAIN ANALYZE)
      b: connects to postgresql://bench@10.0.0.5/bench
      b: creates the tables pgbench_accounts, pgbench_branches, pgbench_history and pgbench_tellers in the database of that URL (scale 10, about 150 MiB)
      b: changes rows of these tables (workloads: write)
      b: before each trial of write: truncates pgbench_history, vacuums pgbench_tellers and pgbench_branches, executes CHECKPOINT, if the role may
      b: reads statistics views, settings and catalogs before, during and after each trial
      b: after each trial, asks for the query plans of the statements of the load (EXPLAIN), and executes those that only read for some seconds more (EXPLAIN ANALYZE)
      this machine: creates a run directory under runs/
      this machine: nothing else
    "##);
}

#[test]
fn workloads_may_have_clients_and_phases_of_their_own() {
    let own = "tpcb-like, scale: 10, clients: [1, 2, 4], trial: { measure: 1s }";
    let plan = plan(&edited("tpcb-like, scale: 10", own));
    let write = plan.workload_by_name("write").expect("it is in the plan");
    let phases = plan.phases_of_workload(write);
    assert_eq!((phases.warm_up, phases.measure), (plan.trial.warm_up, Duration::from_secs(1)));
    assert_eq!((plan.clients_of_workload(write), plan.most_clients()), (&[1, 2, 4][..], 8));
    let explained = explain_plan(&plan);
    // The other one is measured with two numbers of clients, 7.5 s each with its sides.
    assert_eq!((explained.comparisons_per_block, explained.trials_per_block), (5, 10));
    assert!(explained.measured.iter().any(|line| line.ends_with("clients 1, 2, 4; 1 s of warm-up, 1 s measured")));
    let scheduled = schedule_trials(&plan, 1);
    let of_write: BTreeSet<_> = scheduled
        .trials
        .iter()
        .filter(|trial| trial.cell.workload == "write")
        .filter_map(|trial| trial.cell.clients.known_count())
        .collect();
    assert_eq!(of_write, BTreeSet::from([1, 2, 4]));
}

#[test]
fn the_noise_floor_adds_one_trial_to_every_comparison() {
    let without = explain_plan(&plan(GOOD));
    let with = explain_plan(&plan(&edited("practical_threshold: 3%", "noise_floor: true")));
    assert_eq!((without.trials_per_block, with.trials_per_block), (8, 12));
    assert_eq!(without.comparisons_per_block, with.comparisons_per_block);
    assert_eq!(with.block.least, without.block.least * 3 / 2);
}

#[test]
fn a_version_without_embedded_binaries_is_that_of_the_installed_package() {
    let touched = explain_plan(&plan(&edited("version: 17", "version: 19"))).touches;
    let expected = "runs the installed binaries of PostgreSQL 19, which Maven Central does not have yet";
    assert_eq!(touched[0].what, expected);
}

#[test]
fn existing_data_are_not_made_and_reads_reset_nothing() {
    let text = GOOD
        .replace("  write: { builtin: tpcb-like, scale: 10 }\n", "")
        .replace("select-only, scale: 10", "select-only, scale: 10, data: existing");
    let touched: Vec<String> = explain_plan(&plan(&text)).touches.into_iter().map(|touch| touch.what).collect();
    assert!(!touched.iter().any(|what| what.contains("pgbench_")), "{touched:?}");
}

#[test]
fn the_history_of_existing_data_is_not_emptied() {
    let text = GOOD.replace("scale: 10", "scale: 10, data: existing");
    let touched: Vec<String> = explain_plan(&plan(&text)).touches.into_iter().map(|touch| touch.what).collect();
    let expected = "before each trial of write: vacuums pgbench_tellers and pgbench_branches, executes CHECKPOINT";
    assert!(touched.contains(&expected.to_owned()), "{touched:?}");
    assert!(
        touched.iter().any(|what| what.starts_with("changes rows of the existing pgbench_accounts, ")),
        "{touched:?}"
    );
}

#[test]
fn tables_of_own_scripts_are_neither_restored_nor_vacuumed() {
    let own = "executes CHECKPOINT; the tables of its scripts are neither restored nor vacuumed";
    let beside = "truncates pgbench_history, vacuums pgbench_tellers and pgbench_branches, executes CHECKPOINT; other tables \
                  of its scripts are neither restored nor vacuumed";
    for (script, expected) in [("script: t.sql", own), ("script: t.sql, scale: 10", beside)] {
        let text = edited("builtin: tpcb-like, scale: 10", script);
        let touched: Vec<String> = explain_plan(&plan(&text)).touches.into_iter().map(|touch| touch.what).collect();
        assert!(touched.contains(&format!("before each trial of write: {expected}")), "{touched:?}");
    }
}

#[test]
fn a_block_of_the_quick_start_takes_less_than_a_minute_and_the_whole_less_than_seven() {
    let explanation = explain_plan(&plan(QUICKSTART));
    assert_eq!(explanation.trials_per_block, 8);
    assert!(explanation.block.least < Duration::from_secs(60), "{explanation}");
    assert!(explanation.estimated_duration().0 < Duration::from_secs(420), "{explanation}");
}

#[test]
fn the_time_of_data_and_caches_is_foreseen_by_their_size_kind_and_disk() {
    let seconds = |workload: &str, disk: &str| {
        let text = format!(
            "name: n\ntargets: {{ a: {{ local: {{ version: 17 }}{disk} }} }}\nbaseline: a\nclients: [1]\n\
             workloads: {{ w: {workload} }}\ntrial: {{ warm_up: 0s, measure: 1s }}\n"
        );
        let explained = explain_plan(&plan(&text));
        [explained.set_up, explained.block].map(|range| (range.least.as_secs(), range.most.as_secs()))
    };
    let [small, _] = seconds("{ builtin: select-only, scale: 10 }", "");
    let [large, as_it_is] = seconds("{ builtin: select-only, scale: 1000 }", "");
    assert!(large.0 > 20 * small.0 && large.1 > large.0, "{small:?} {large:?}");
    let [objects, _] = seconds("{ erp: { object: accumulation-register, scale: 10 } }", "");
    let [items, _] = seconds("{ erp: { object: catalog, scale: 10 } }", "");
    assert!(objects.0 > 5 * items.0, "ten times the rows: {objects:?} {items:?}");
    let [on_slow_disk, _] =
        seconds("{ builtin: select-only, scale: 1000 }", ", disk: { declared: { bandwidth: 10MB/s } }");
    assert!(on_slow_disk.0 > 10 * large.0, "{on_slow_disk:?}");
    let [_, warm] = seconds("{ builtin: select-only, scale: 1000, cache: warm }", "");
    let [_, cold] = seconds("{ builtin: select-only, scale: 1000, cache: cold }", "");
    assert!(warm.0 > as_it_is.0 && warm.1 > warm.0 && cold.0 > as_it_is.0, "{as_it_is:?} {warm:?} {cold:?}");
}

#[test]
fn no_more_blocks_are_foreseen_than_fit_into_the_time() {
    let blocks = |time: &str| {
        let explanation = explain_plan(&plan(&edited(
            "blocks: { at_least: 3, at_most: 5, until: 2% }",
            &format!("blocks: {{ at_least: 3, until: verdict, at_most_time: {time} }}"),
        )));
        [explanation.blocks_min, explanation.blocks_max]
    };
    assert_eq!(blocks("8m"), [3, 10], "of 48 s");
    assert_eq!(blocks("1m"), [3, 3]);
}

#[test]
fn how_the_sides_of_a_workload_alternate_is_decided_by_what_it_does_and_explained() {
    let of = |text: &str| explain_plan(&plan(text)).interleaving.join("\n");
    insta::assert_snapshot!(of(GOOD), @"
    read: its sides alternate in slices of 250ms: its transactions only read
    write: runs as whole trials: its transactions may write, and their effects outlast a slice
    ");
    let asked = GOOD.replace("select-only, scale: 10", "select-only, scale: 10, interleave: trials");
    insta::assert_snapshot!(of(&asked.replace("tpcb-like, scale: 10", "tpcb-like, scale: 10, interleave: slices")), @"
    read: runs as whole trials: the plan requests it
    write: its sides alternate in slices of 250ms: the plan requests it
    ");
    let frozen = GOOD.replace("tpcb-like, scale: 10", "tpcb-like, scale: 10, interleave: frozen-slices");
    let local = frozen.replace("url: postgresql://bench@10.0.0.5/bench", "local: { version: 17 }");
    insta::assert_snapshot!(of(&local), @"
    read: its sides alternate in slices of 250ms: its transactions only read
    write: its sides alternate in slices of 250ms, and the servers of the other sides are stopped meanwhile: the plan requests it
    ");
    assert_eq!(
        explain_plan(&plan(GOOD).complete_with_defaults(1, 2)).interleaving,
        explain_plan(&plan(GOOD)).interleaving,
        "as a run has it"
    );
}

#[test]
fn turns_that_may_hide_what_they_should_show_are_noted() {
    let writes = GOOD.replace("tpcb-like, scale: 10", "tpcb-like, scale: 10, interleave: slices");
    insta::assert_snapshot!(plan(&writes.replace("baseline: a", "baseline: a\nslice: 2s")).plan_notes().join("\n"), @r#"
    workload "write" may write, and its sides alternate in slices of 2s. The effects of a slice (WAL, dirty pages, checkpoints, autovacuum) continue in those of the other side, so that differences appear smaller than they are. `interleave: trials` shows them completely
    a slice of 2s is longer than 500ms: a disturbance of this duration affects only one side
    a trial of 5s has few slices of 2s: use a longer `measure` or a shorter `slice`
    "#);
    assert!(plan(GOOD).plan_notes().is_empty());
    let one_server = writes.replace("baseline: a", "  c: { shared: { server_of: a } }\nbaseline: a");
    let of_one = &plan(&one_server).plan_notes()[0];
    assert!(
        of_one.contains("; \"c\" and \"a\" share one server, so that none of these effects is visible."),
        "{of_one}"
    );
    let short = GOOD.replace("measure: 5s", "measure: 1s");
    insta::assert_snapshot!(plan(&short).plan_notes().join("\n"), @"a trial of 1s has few slices of 250ms: use a longer `measure` or a shorter `slice`");
    let trials = GOOD.replace("baseline: a", "baseline: a\nslice: 2s\ninterleave: trials");
    assert!(plan(&trials).plan_notes().is_empty(), "nobody takes such turns");
}

#[test]
fn targets_that_are_declared_alike_are_noted_and_any_difference_is_enough() {
    let url = "    url: postgresql://bench@10.0.0.5/bench\n";
    let twins = |of_c: &str| GOOD.replace("baseline: a", &format!("  c:\n{url}{of_c}baseline: b"));
    let noted =
        |text: &str| plan(text).plan_notes().iter().any(|note| note.contains("\"b\" and \"c\" are declared alike"));
    assert!(noted(&twins("")), "{:?}", plan(&twins("")).plan_notes());
    assert!(!noted(&twins("    settings: { work_mem: 4MB }\n")));
}

#[test]
fn a_disk_that_is_asked_for_and_cannot_be_reached_is_noted() {
    let notes = explain_plan(&plan(&format!("{GOOD}disk: {{}}\n"))).notes;
    let of_disks: Vec<&String> = notes.iter().filter(|note| note.contains("disk")).collect();
    assert!(
        matches!(&of_disks[..], [note] if note.starts_with("the disk of target \"b\" is not measured")),
        "{notes:?}"
    );
    let url = "    url: postgresql://bench@10.0.0.5/bench\n";
    let named = edited(url, &format!("{url}    disk: {{ directory: /mnt/b }}\n"));
    assert!(!explain_plan(&plan(&format!("{named}disk: {{}}\n"))).notes.iter().any(|note| note.contains("disk")));
}

#[test]
fn paces_and_limits_are_said_as_the_plan_has_them() {
    let said = [
        "select-only, scale: 10, think: 300ms",
        "select-only, scale: 10, rate: 1000/s, require: { p99: \"< 20ms\", failures: \"< 0.1%\" }",
        "select-only, scale: 10, capacity: { p99: 20ms, from: 100/s, to: 10000/s }",
        "select-only, scale: 10, rate: { from: 100/s, to: 1000/s }, latency_limit: 50ms, mode: simple",
        "select-only, scale: 10, think: { exponential: 1500ms }, connections: per-transaction, tries: 3",
    ]
    .map(|workload| explain_plan(&plan(&GOOD.replace("select-only, scale: 10", workload))).measured.swap_remove(0));
    insta::assert_snapshot!(said.join("\n"), @r##"
    read: select-only of pgbench; scale 10, about 150 MiB; closed loop (think 300ms)
    read: select-only of pgbench; scale 10, about 150 MiB; open loop (arrivals poisson, rate 1000/s); required: failures < 0.1%, p99 < 20ms
    read: select-only of pgbench; scale 10, about 150 MiB; open loop, search for the capacity at p99 below 20ms (arrivals poisson, capacity.from 100/s, capacity.p99 20ms, capacity.precision 2%, capacity.to 10000/s)
    read: select-only of pgbench; scale 10, about 150 MiB; open loop (arrivals poisson, latency_limit 50ms, mode simple, rate.from 100/s, rate.to 1000/s)
    read: select-only of pgbench; scale 10, about 150 MiB; closed loop (connections per-transaction, think.exponential 1500ms, tries 3)
    "##);
}

#[test]
fn data_of_two_targets_in_one_database_are_made_once() {
    let text = GOOD.replace("  b:\n", "  c: { url: postgresql://bench@10.0.0.5/bench }\n  b:\n");
    let explanation = explain_plan(&plan(&text));
    let of_database = |name: &str| {
        let touches = explanation.touches.iter().filter(|touch| touch.target.as_deref() == Some(name));
        touches.map(|touch| touch.what.clone()).find(|what| what.contains("tables")).expect("a line of the tables")
    };
    assert!(of_database("c").starts_with("creates the tables"), "{}", of_database("c"));
    assert_eq!(of_database("b"), "uses the tables of c");
}
