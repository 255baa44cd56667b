//! `plan check` says ok only to what a server can be: settings and their values, connections; and what own scripts do
//! to how the sides alternate.

use std::collections::BTreeMap;

use super::super::{Interleave, Plan, TransactionWork};
use super::{edited, plan, refusal};

#[test]
fn settings_that_no_server_has_or_takes_are_refused_at_their_place() {
    // What the target has, what is said of it, and the hint.
    let cases = [
        (
            "local: { version: 17 }, settings: { work_memm: 4MB }",
            "work_memm is not a setting",
            "did you mean work_mem?",
        ),
        ("url: postgresql://h/d, settings: { work_memm: 4MB }", "work_memm is not a setting", "did you mean work_mem?"),
        ("local: { version: 17, settings: { frobnicate: 1 } }", "frobnicate is not a setting", ""),
        ("local: { version: 17 }, settings: { work_mem: 8 Megabyte }", "\"8 Megabyte\" of work_mem has the unit", "MB"),
        ("url: postgresql://h/d, settings: { work_mem: -5 }", "\"-5\" of work_mem is below the minimum, 64", "64MB"),
        (
            "url: postgresql://h/d, settings: { jit: maybe }",
            "\"maybe\" of jit is neither on nor off",
            "write on or off",
        ),
        (
            "url: postgresql://h/d, settings: { plan_cache_mode: generic }",
            "is not one of its values",
            "force_generic_plan",
        ),
        ("local: { version: 14, settings: { reserved_connections: 5 } }", "from PostgreSQL 16 on", ""),
        ("local: { version: 17, settings: { block_size: 4096 } }", "block_size is fixed when the server is built", ""),
    ];
    for (target, said, hint) in cases {
        let text = format!(
            "name: x\ntargets:\n  db: {{ {target} }}\nbaseline: db\n\
             workloads: {{ r: {{ builtin: select-only, scale: 1 }} }}\nclients: 1\n"
        );
        let refused = refusal(&text);
        assert!(refused.contains(said) && refused.contains(hint), "{target}:\n{refused}");
        assert!(refused.contains("plan.yaml:3:"), "{target}:\n{refused}");
    }
}

#[test]
fn settings_of_extensions_forks_and_every_spelling_of_a_value_are_taken() {
    for target in [
        "url: postgresql://h/d, settings: { shop.tenant: x, zzz_of_a_fork: 1, Work_Mem: 64MB, statement_timeout: 5min }",
        "local: { version: 18, settings: { io_method: io_uring, wal_compression: lz4, max_connections: 200 } }",
        "local: { bin: /opt/fork/bin, settings: { zzz_of_a_fork: 1, synchronous_commit: true } }",
    ] {
        plan(&format!(
            "name: x\ntargets:\n  db: {{ {target} }}\nbaseline: db\n\
             workloads: {{ r: {{ builtin: select-only, scale: 1 }} }}\nclients: 1\n"
        ));
    }
}

#[test]
fn clients_that_a_made_server_does_not_admit_are_refused_with_the_numbers() {
    let of = |targets: &str, workload: &str, clients: u32, rest: &str| {
        format!(
            "name: x\ntargets: {{ {targets} }}\nbaseline: a\nworkloads: {{ w: {{ {workload} }} }}\n\
             clients: {clients}\n{rest}"
        )
    };
    let (reads, writes) = ("builtin: select-only, scale: 1", "builtin: tpcb-like, scale: 1");
    let local = "a: { local: { version: 17 } }";
    let two = "a: { local: { version: 17 } }, b: { shared: { server_of: a, via: tcp } }";
    let made = "a: { kubernetes: { create: { cnpg: { image: i } }, via: pod } }";
    let pooled = "a: { local: { version: 17, via: tcp, pgbouncer: true, pooling: { size: 20 } } }";
    // Targets, workload, clients, what else is said; the connections that are needed, if they are too many.
    let cases = [
        (local, writes, 97, "", None),
        (local, writes, 98, "", Some("need 101 connections, but its server permits 100")),
        ("a: { local: { version: 17, settings: { max_connections: 20 } } }", reads, 18, "", Some("permits 20")),
        ("a: { local: { version: 17 }, settings: { max_connections: 300 } }", reads, 128, "", None),
        (two, writes, 60, "", None),
        (two, reads, 60, "", Some("need 126 connections")),
        (local, reads, 60, "noise_floor: true", Some("need 126 connections")),
        (made, writes, 95, "", Some("need 98 connections, but its server permits 97")),
        (made, writes, 94, "", None),
        (pooled, writes, 500, "", None),
        ("a: { url: postgresql://h/d }", writes, 5000, "", None),
    ];
    for (targets, workload, clients, rest, said) in cases {
        let text = of(targets, workload, clients, rest);
        match said {
            None => drop(plan(&text)),
            Some(said) => {
                let refused = refusal(&text);
                assert!(refused.contains(said), "{text}\n{refused}");
                assert!(refused.contains("max_connections is"), "{refused}");
            }
        }
    }
}

#[test]
fn the_plan_of_a_run_is_read_whatever_a_server_could_be() {
    let text = edited("clients: [2, 8]", "clients: [500]").replace("work_mem: 4MB", "work_memm: 4MB");
    assert!(refusal(&text).contains("500 clients"));
    assert!(super::super::parse_of_run("plan.yaml", text.as_bytes()).is_ok());
}

#[test]
fn one_value_is_a_list_of_one() {
    let one = plan(&edited("clients: [2, 8]", "clients: 2"));
    assert_eq!(one.clients, [2]);
    let of = |script: &str| plan(&edited("write: { builtin: tpcb-like, scale: 10 }", script)).workloads[1].clone();
    let bare = of("write: { script: orders.sql@3 }");
    let listed = of("write: { script: [orders.sql@3] }");
    assert_eq!(bare, listed);
    assert!(refusal(&edited("clients: [2, 8]", "clients:")).contains("clients"));
    assert!(refusal(&edited("clients: [2, 8]", "clients: many")).contains("many"));
}

fn scripts(reads: &str) -> Plan {
    plan(&edited("write: { builtin: tpcb-like, scale: 10 }", &format!("write: {{ script: [a.sql]{reads} }}")))
}

#[test]
fn how_sides_of_own_scripts_alternate_follows_from_what_is_said_of_them_or_found() {
    let sides = |plan: &Plan| plan.clone().complete_with_defaults(1, 2).workloads[1].interleave;
    assert_eq!(sides(&scripts(", reads: true")), Some(Interleave::Slices));
    assert_eq!(sides(&scripts(", reads: false")), Some(Interleave::Trials));
    assert_eq!(sides(&scripts("")), None, "the servers are asked");
    assert_eq!(sides(&scripts(", interleave: trials")), Some(Interleave::Trials));

    for (answer, how) in [(true, Interleave::Slices), (false, Interleave::Trials)] {
        let asked =
            scripts("").complete_with_defaults(1, 2).with_access(&BTreeMap::from([("write".to_owned(), answer)]));
        assert_eq!(asked.workloads[1].interleave, Some(how));
        let TransactionWork::Scripts(own) = &asked.workloads[1].work else { panic!("it has scripts") };
        assert_eq!(own.reads, Some(answer));
        assert_eq!(asked.workloads[1].can_write(), !answer);
        assert_eq!(
            super::super::parse_plan("x", asked.to_yaml().as_bytes()).as_ref(),
            Ok(&asked),
            "it is written down"
        );
    }
    let said = scripts(", reads: false")
        .complete_with_defaults(1, 2)
        .with_access(&BTreeMap::from([("write".to_owned(), true)]));
    assert!(said.workloads[1].can_write(), "what a person says holds");
}

#[test]
fn what_the_servers_will_be_asked_is_explained() {
    let explained = super::super::explain_plan(&scripts("")).to_string();
    for said in ["write: runs as whole trials, or its sides alternate: at the start of the run", "PREPARE and EXPLAIN"]
    {
        assert!(explained.contains(said), "{explained}");
    }
    assert!(!super::super::explain_plan(&scripts(", reads: true")).to_string().contains("asked"));
}

#[test]
fn an_explanation_names_the_tables_that_scripts_change_and_none_for_scripts_that_change_none() {
    let of = |tables: &[&str]| {
        let tables = tables.iter().map(|table| (*table).to_owned()).collect();
        let changed = [("write".to_owned(), tables)].into();
        super::super::explain_with(&scripts(""), &changed).to_string()
    };
    let names = of(&["item", "job"]);
    assert!(names.contains("changes rows of item, job, and of what functions and triggers change (workload write)"));
    let reads = of(&[]);
    assert!(reads.contains("changes only what functions change that the statements call (workload write)"), "{reads}");
    assert!(!reads.contains("changes rows of item"), "{reads}");
}
