//! Mixes: what their members are, and what cannot be mixed.

use super::super::{TransactionWork, explain_plan, parse_plan};
use super::{errors_and_hints, plan};

fn with_workloads(workloads: &str) -> String {
    format!(
        "name: n\ntargets:\n  a: {{ local: {{ version: 17 }} }}\n  b: {{ local: {{ version: 18 }} }}\nbaseline: a\n\
         clients: [4]\nworkloads:\n{workloads}"
    )
}

const NAMED: &str = "  catalog: { erp: { object: catalog } }
  accounting: { erp: { object: accounting-register, scale: 1 } }
  day: { mix: { catalog: 3, accounting: 1 }, clients: [16] }
";

/// The single workloads of each workload of these, with their weights.
fn members(workloads: &str) -> Vec<(String, u32)> {
    let plan = plan(&with_workloads(workloads));
    let mixes = plan.workloads.iter().flat_map(|workload| workload.mix_members().iter().map(move |of| (workload, of)));
    mixes.map(|(workload, of)| (format!("{}/{}", workload.name, of.name), of.weight.get())).collect()
}

#[test]
fn a_member_that_is_named_has_what_the_workload_of_that_name_does() {
    assert_eq!(members(NAMED), [("day/catalog".to_owned(), 3), ("day/accounting".to_owned(), 1)]);
    let plan = plan(&with_workloads(NAMED));
    let singles = plan.workloads[2].single_workloads();
    assert_eq!(singles[0].work, plan.workloads[0].work);
    assert_eq!(singles[1].work, plan.workloads[1].work);
    assert_eq!(singles[0].clients.as_deref(), Some(&[16][..]), "all else is the mix's");
    assert_eq!(
        plan.workloads[2].transaction_in_words(),
        "mix by weight of 3 catalog (catalog of 1C:Enterprise), 1 accounting (accounting-register of 1C:Enterprise)"
    );
}

const OF_ALL_KINDS: &str = "  day:
    mix:
      pay: { weight: 5, builtin: tpcb-like, scale: 20 }
      browse: { weight: 20, sysbench: { script: oltp_point_select, tables: 4, table_size: 1000 } }
      report: { read-intensive: { read_percent: 100, tables: 4, table_size: 1000 } }
      stock: { weight: 2, erp: { object: accumulation-register } }
      own: { weight: 2, script: [orders.sql@9, refund.sql], define: { customers: 100 } }
      other: { weight: 1, script: returns.sql, define: { customers: 7 } }
";

#[test]
fn every_kind_of_transaction_can_be_mixed_and_the_resolved_plan_means_the_same() {
    let whole = plan(&with_workloads(OF_ALL_KINDS));
    assert_eq!(members(OF_ALL_KINDS).len(), 6);
    for text in [OF_ALL_KINDS, NAMED] {
        let whole = plan(&with_workloads(text));
        assert_eq!(parse_plan("plan.yaml", whole.to_yaml().as_bytes()), Ok(whole.clone()), "{}", whole.to_yaml());
    }
    assert!(whole.workloads[0].can_write() && !whole.workloads[0].access_is_unknown());
    let explained = explain_plan(&whole).to_string();
    for said in [
        "creates the tables pgbench_accounts",
        "creates the tables sbtest1 to sbtest4",
        "creates the tables of the business objects",
        "before each trial of day/pay: truncates pgbench_history",
        "changes rows of these tables (workloads: day/pay, day/stock)",
    ] {
        assert!(explained.contains(said), "{said}: {explained}");
    }
}

#[test]
fn a_mix_of_readers_reads_unless_the_servers_have_to_be_asked() {
    let reads = |members: &str| {
        let plan = plan(&with_workloads(&format!("  m: {{ mix: {members} }}\n")));
        let workload = &plan.workloads[0];
        (workload.can_write(), workload.access_is_unknown(), workload.is_held_to_reading())
    };
    let one = "a: { builtin: select-only, scale: 1 }";
    assert_eq!(reads(&format!("{{ {one}, b: {{ sysbench: {{ script: oltp_read_only }} }} }}")), (false, false, false));
    assert_eq!(reads(&format!("{{ {one}, b: {{ script: b.sql, reads: true }} }}")), (false, false, true));
    assert_eq!(reads(&format!("{{ {one}, b: {{ script: b.sql }} }}")), (true, true, false));
    assert_eq!(reads("{ a: { builtin: tpcb-like, scale: 1 }, b: { script: b.sql } }"), (true, false, false));
    // What the servers say of a member is said of it by the name that it has as a single workload.
    let asked = plan(&with_workloads(&format!("  m: {{ mix: {{ {one}, b: {{ script: b.sql }} }} }}\n")));
    let settled = asked.with_access(&[("m/b".to_owned(), true)].into());
    let TransactionWork::Mix(of) = &settled.workloads[0].work else { panic!("it is a mix") };
    assert!(matches!(&of[1].work, TransactionWork::Scripts(scripts) if scripts.reads == Some(true)));
    assert!(!settled.workloads[0].can_write());
}

#[test]
fn a_size_is_named_as_the_workload_that_it_is() {
    let sizes = "  read: { builtin: select-only, scale: [1, 10] }\n  m: { mix: { read/scale-10: 3, \
                 write: { builtin: tpcb-like, scale: 10 } } }\n";
    assert_eq!(members(sizes), [("m/read/scale-10".to_owned(), 3), ("m/write".to_owned(), 1)]);
    let plan = plan(&with_workloads(sizes));
    assert_eq!(plan.database_for_workload(&plan.workloads[2]), Some("pgdyno_pgbench_10".to_owned()));
}

#[test]
fn what_cannot_be_mixed_is_refused_by_its_name() {
    let read = "  read: { builtin: select-only, scale: 10 }\n";
    let refused = [
        format!("{read}  m: {{ mix: {{ raed: 3, read: 1 }} }}\n"),
        format!("{read}  m: {{ mix: {{ read: 3 }} }}\n"),
        format!("{read}  m: {{ mix: {{ read: 0, b: {{ builtin: tpcb-like, scale: 10 }} }} }}\n"),
        "  read: { builtin: select-only, scale: [1, 10] }\n  m: { mix: { read: 1, b: { builtin: tpcb-like, scale: 1 } } }\n"
            .to_owned(),
        format!("{read}  m: {{ mix: {{ read: 1, b: {{ builtin: tpcb-like, scale: 1 }} }} }}\n"),
        format!("{read}  m: {{ mix: {{ read: 1, own: {{ script: own.sql }} }} }}\n  big: {{ builtin: select-only, scale: 20 }}\n"),
        format!("{read}  n: {{ mix: {{ read: 1, m: 1 }} }}\n  m: {{ mix: {{ read: 1, b: {{ erp: {{ object: catalog }} }} }} }}\n"),
        format!("{read}  own: {{ captured: shop }}\n  m: {{ mix: {{ read: 1, own: 1 }} }}\n"),
        format!("{read}  m: {{ mix: {{ read: 1, own: {{ captured: shop }} }} }}\n"),
        "  m: { mix: { a: { erp: { object: temp-table } }, b: { erp: { object: temp-table, reuse: true } } } }\n".to_owned(),
        "  m: { mix: { a: { sysbench: { script: oltp_read_only, tables: 2 } }, b: { read-intensive: { tables: 3 } } } }\n"
            .to_owned(),
        format!("{read}  m: {{ mix: {{ read: 1, b: {{ builtin: tpcb-like, scale: 10 }} }}, generator: pgbench }}\n"),
        format!("{read}  m: {{ mix: {{ read: 1, b: {{ builtin: tpcb-like, scale: 10 }} }}, ledger: true }}\n"),
        format!("{read}  m: {{ mix: [read, b] }}\n"),
    ];
    let said: Vec<String> = refused.iter().map(|workloads| errors_and_hints(&with_workloads(workloads))).collect();
    insta::assert_snapshot!(said.join("\n"), @r##"
    error: workloads.m.mix.raed: there is no workload "raed"
    hint: did you mean "read"? name a workload of the plan, or write what its transactions do: `{ weight: 3, builtin: select-only, scale: 10 }`
    error: workloads.m.mix: found one member, "read", which is no mix
    hint: add another member, or write what it does without `mix`
    error: workloads.m.mix.read.weight: found 0, out of range
    hint: write a whole number from 1 to 1000000
    error: workloads.m.mix.read: there is no workload "read"
    hint: it has several sizes; name one: "read/scale-1" or "read/scale-10"
    error: workload "m" mixes data of different databases: "m/read" runs in pgdyno_pgbench_10, "m/b" in pgdyno_pgbench_1
    hint: a client of a mix has one connection: give all workloads of the plan on such tables one size, or write separate plans
    error: workload "m" mixes data of different databases: "m/read" runs in pgdyno_pgbench_10, "m/own" in that of the target
    hint: a client of a mix has one connection: give all workloads of the plan on such tables one size, or write separate plans
    error: workloads.n.mix.m: the workload "m" is a mix itself
    hint: a member is a workload with `builtin`, `script`, `sysbench`, `read-intensive` or `erp`; measure this one by itself
    error: workloads.m.mix.own: the workload "own" is a capture, whose transactions have an order of their own
    hint: a member is a workload with `builtin`, `script`, `sysbench`, `read-intensive` or `erp`; measure this one by itself
    error: workloads.m.mix.own: the member is a capture, whose transactions have an order of their own
    hint: a member is a workload with `builtin`, `script`, `sysbench`, `read-intensive` or `erp`; measure this one by itself
    error: workload "m/b" keeps the temporary table that "m/a" creates and drops on the same connection
    hint: give both the same `reuse`, or measure them by themselves
    error: workload "m/b" has tables 3, "m/a" has tables 2, on the same tables
    hint: give both the same tables, or write separate plans
    error: workloads.m.mix: mix does not apply to `generator: pgbench`, which does not support this
    hint: use `generator: pgdyno`
    error: workloads.m.ledger: ledger applies only to `tpcb-like` and `simple-update`
    hint: remove it
    error: workloads.m.mix: found a list of 2, not a mapping of names
    hint: write { a-name: 3 }
    "##);
}
