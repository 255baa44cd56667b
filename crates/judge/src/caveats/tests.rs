//! What is held against a trial, and from which figure on.

use plan::Cache;
use results::facts::TargetFacts;
use results::trial::{Incident, Trial};
use results::viewers::Viewed;
use serde_json::{Value, json};

use super::of_figures::of_figures;
use super::of_viewers::of_viewers;
use super::{CacheFound, Caveat, OfTurns, in_words, of_all};
use crate::failures::TransactionAccount;

/// A trial of 8 clients over 10 s whose load is this one, otherwise without fault.
fn trial(of_load: &Value) -> Trial {
    let mut load = json!({
        "measure_us": 10_000_000, "transactions": 1000, "failed": 0, "unknown": 0, "latency": null, "scripts": {},
        "engine": { "backend": "epoll", "threads": 1, "cpu_us": 1, "cpu_system_us": null, "busiest_thread": 0.5,
                    "loop_lag_ns_max": 0 },
    });
    for (key, value) in of_load.as_object().unwrap() {
        match (load[key].as_object_mut(), value.as_object()) {
            (Some(known), Some(more)) => known.extend(more.clone()),
            _ => load[key] = value.clone(),
        }
    }
    serde_json::from_value(json!({
        "format": 3, "number": 1, "block": 1, "role": "main", "cell": { "target": "a", "workload": "w", "clients": 8 },
        "outcome": { "state": "completed" }, "phases": [], "preparation": [], "finishing": [], "settings": {},
        "load": load, "incidents": [],
    }))
    .unwrap()
}

#[test]
fn a_caveat_begins_where_its_threshold_says() {
    let open = |offered: u64| json!({ "offered": offered, "skipped": 3, "waiting": 0, "service": null, "lag": null });
    let sqlstates = json!({ "40001": 2, "40P01": 1 });
    let outage = json!({ "client": 1, "start_us": 1, "end_us": null, "cause": "reset" });
    let ledger =
        |lost: u64| json!({ "acknowledged": 9, "unknown": 0, "lost": lost, "unexpected": 0, "unknown_committed": 0 });
    let pgbench = json!({ "program": "pgbench", "version": "18.0", "arguments": [], "untold": [] });
    let bound = |busiest_thread, demand| Caveat::ClientBound { generators: None, busiest_thread, demand };
    let below = Caveat::BelowOffered { offered_per_s: 103.0, achieved_per_s: 100.0, skipped: 3 };
    let errors = [("40001".to_owned(), 2), ("40P01".to_owned(), 1)].into();
    let failed = TransactionAccount {
        completed: 1000,
        failed: 3,
        errors,
        measured_us: 10_000_000,
        ..TransactionAccount::default()
    };
    let cases = [
        (json!({}), None),
        (json!({ "engine": { "busiest_thread": 0.89 } }), None),
        (json!({ "engine": { "busiest_thread": 0.9 } }), Some(bound(0.9, None))),
        (json!({ "engine": { "busiest_demand": 0.95 } }), Some(bound(0.5, Some(0.95)))),
        (json!({ "open": open(1020) }), None),
        (json!({ "open": open(1030) }), Some(below)),
        (json!({ "open": open(20), "transactions": 0 }), None),
        (json!({ "engine": { "late_sends": 10 } }), None),
        (json!({ "engine": { "late_sends": 11 } }), Some(Caveat::LateSends { late: 11, of: 1000 })),
        (json!({ "ledger": ledger(0) }), None),
        (json!({ "ledger": ledger(1) }), Some(Caveat::Ledger { lost: 1, unexpected: 0, of: 9 })),
        (json!({ "outages": [outage] }), Some(Caveat::Outages { count: 1, cause: "reset".to_owned() })),
        (json!({ "failed": 3, "errors": sqlstates }), Some(Caveat::Failures(Box::new(failed)))),
        (
            json!({ "generator": pgbench, "engine": { "busiest_thread": 1.0 } }),
            Some(Caveat::ExternalGenerator { program: "pgbench".to_owned(), version: "18.0".to_owned() }),
        ),
    ];
    for (load, expected) in cases {
        assert_eq!(of_figures(&trial(&load), None, None), expected.into_iter().collect::<Vec<_>>(), "{load}");
    }
}

#[test]
fn what_is_lost_with_a_primary_is_not_held_against_a_server_that_keeps_what_it_acknowledges() {
    let ledger = json!({ "acknowledged": 9, "unknown": 0, "lost": 2, "unexpected": 0, "unknown_committed": 0 });
    let mut trial = trial(&json!({ "ledger": ledger }));
    let event = |what: &str| -> results::trial::EventRecord {
        serde_json::from_value(json!({ "name": "e", "what": what, "planned_us": 0, "requested_us": 0,
            "requested_at": "2026-11-20T09:12:00Z", "took_us": 1 }))
        .expect("an event")
    };
    trial.events = vec![event("kill-postmaster")];
    assert!(matches!(of_figures(&trial, None, None)[..], [Caveat::Ledger { lost: 2, .. }]));
    trial.events.push(event("promote"));
    assert_eq!(of_figures(&trial, None, None), []);
}

#[test]
fn a_search_offers_more_than_the_server_holds_and_a_trial_without_figures_has_none_against_it() {
    let open = json!({ "offered": 2000, "skipped": 0, "waiting": 0, "service": null, "lag": null });
    let mut trial = trial(&json!({ "open": open, "engine": { "busiest_thread": 0.95 } }));
    assert_eq!(of_figures(&trial, None, None).len(), 2);
    trial.step = Some(results::trial::SearchStep { index: 1, rate_per_s: 200.0 });
    assert!(matches!(of_figures(&trial, None, None)[..], [Caveat::ClientBound { .. }]));
    trial.load = None;
    assert_eq!(of_figures(&trial, None, None), []);
}

#[test]
fn a_shared_host_and_fewer_branches_than_clients_follow_from_facts_and_plan() {
    let facts = |same_host: bool| -> TargetFacts {
        serde_json::from_value(json!({
            "format": 1, "name": "a", "platform": "url", "read_at": "2026-11-20T09:12:00Z",
            "path": { "transport": "tcp", "address": "a", "port": 5432, "same_host": same_host },
            "server": { "version": "PostgreSQL 17.6", "version_num": 170_006, "in_recovery": false, "started_at": null,
                        "database_bytes": null, "locale": null },
            "settings": {}, "host": null, "gaps": {},
        }))
        .unwrap()
    };
    let plan = |workload: &str| {
        let text = format!(
            "name: x\ntargets: {{ a: {{ url: 'host=a' }} }}\nbaseline: a\nworkloads: {{ w: {{ {workload} }} }}\nclients: [8]\n"
        );
        plan::parse_plan("plan.yaml", text.as_bytes()).unwrap_or_else(|errors| panic!("{errors}"))
    };
    let trial = trial(&json!({}));
    assert_eq!(of_figures(&trial, Some(&facts(true)), None), [Caveat::SharedHost]);
    let contention = Caveat::BranchContention { scale: 7, clients: 8 };
    for (workload, expected) in [
        ("builtin: tpcb-like, scale: 7", vec![contention]),
        ("builtin: tpcb-like, scale: 8", vec![]),
        ("builtin: simple-update, scale: 7", vec![]),
    ] {
        let plan = plan(workload);
        assert_eq!(of_figures(&trial, Some(&facts(false)), plan.workload_by_name("w")), expected, "{workload}");
    }
}

#[test]
fn what_became_of_a_pod_is_told_in_its_own_words() {
    let said = "the pod db-1 lost its container postgres: OOMKilled, exit status 137".to_owned();
    let (text, hint) = in_words(&Caveat::Noted(Incident::PodLost { said: said.clone() }));
    assert_eq!(text, said);
    assert!(hint.contains("not compared"), "{hint}");
    let (text, _) = in_words(&Caveat::Noted(Incident::PodUnseen { why: "it does not answer".to_owned() }));
    assert!(text.ends_with("is not known: it does not answer"), "{text}");
}

#[test]
fn a_value_of_the_kernel_that_was_not_put_back_says_what_to_do_about_it() {
    let changed = results::trial::KernelValue { name: "vm.swappiness".into(), set: "1".into(), before: "60".into() };
    let said = |why| in_words(&Caveat::Noted(Incident::NotRestored { changed: changed.clone(), why }));
    let (text, hint) = said(results::trial::Unrestored::Failed("permission denied".to_owned()));
    assert_eq!(text, "sysctl vm.swappiness was set to 1 and could not be restored to 60: permission denied");
    assert!(hint.contains("`pgdyno restore`"), "{hint}");
    let (text, _) = said(results::trial::Unrestored::ChangedMeanwhile("it is 8 now".to_owned()));
    assert_eq!(text, "sysctl vm.swappiness was set to 1, and another process changed it during the trial: it is 8 now");
}

#[test]
fn who_looked_at_a_trial_is_told_with_how_long_and_from_where() {
    let mut of = trial(&json!({}));
    of.phases = serde_json::from_value(json!([
        { "phase": "warm-up", "started_at": "2026-11-20T09:12:00Z", "duration_us": 20_000_000 },
        { "phase": "measure", "started_at": "2026-11-20T09:12:20Z", "duration_us": 10_000_000 },
    ]))
    .unwrap();
    let viewed = |from: &str, to: &str, whence: &str| -> Viewed {
        let at = |second: &str| format!("2026-11-20T09:12:{second}Z");
        serde_json::from_value(json!({ "from": at(from), "to": at(to), "whence": whence })).unwrap()
    };
    let check = |viewed: &[Viewed], expected: Option<(u32, f64, bool)>| {
        let expected = expected.map(|(pages, share, here)| Caveat::Viewed { pages, share, here });
        assert_eq!(of_viewers(&of, viewed), expected, "{viewed:?}");
    };
    check(&[], None);
    check(&[viewed("00", "20", "here"), viewed("30", "40", "here")], None);
    check(&[viewed("10", "22.5", "elsewhere")], Some((1, 0.25, false)));
    let one_page = [viewed("15", "20.5", "elsewhere"), viewed("20.5", "25", "elsewhere"), viewed("29", "33", "here")];
    check(&one_page, Some((1, 0.6, true)));
    check(&[viewed("24", "26", "here"), viewed("21", "25", "elsewhere")], Some((2, 0.5, true)));
    let trials = [(1, 0.2, false), (2, 1.0, true)].map(|(pages, share, here)| Caveat::Viewed { pages, share, here });
    assert_eq!(of_all(&[&trials[0], &trials[1]]), Caveat::Viewed { pages: 2, share: 0.6, here: true });
    let (said, hint) = in_words(&Caveat::Viewed { pages: 2, share: 0.5, here: true });
    assert!(
        said.contains("50 %") && said.contains("up to 2 windows") && hint.contains("close the page"),
        "{said}: {hint}"
    );
}

#[test]
fn effect_of_a_caveat_is_one_that_its_code_lists() {
    let text = String::new;
    let caveats = [
        Caveat::Noted(Incident::Cancelled { transactions: 1 }),
        Caveat::Noted(Incident::StepOmitted { statement: text(), why: text() }),
        Caveat::Noted(Incident::LedgerUnchecked { why: text() }),
        Caveat::Noted(Incident::PodLost { said: text() }),
        Caveat::Noted(Incident::PodUnseen { why: text() }),
        Caveat::Noted(Incident::ConcurrentRun { runs: 1, databases: text() }),
        Caveat::Noted(Incident::GeneratorLost { generator: text(), clients: 1, said: text() }),
        Caveat::GeneratorDiffers { generator: text(), of: super::GeneratorDifference::Machine(text()) },
        Caveat::ClientBound { generators: None, busiest_thread: 1.0, demand: None },
        Caveat::BelowOffered { offered_per_s: 2.0, achieved_per_s: 1.0, skipped: 0 },
        Caveat::LateSends { late: 1, of: 2 },
        Caveat::ExternalGenerator { program: text(), version: text() },
        Caveat::Ledger { lost: 1, unexpected: 0, of: 2 },
        Caveat::Outages { count: 1, cause: text() },
        Caveat::Failures(Box::default()),
        Caveat::Cache { wanted: Cache::Cold, found: CacheFound::NoSecond },
        Caveat::SharedHost,
        Caveat::BranchContention { scale: 1, clients: 2 },
        Caveat::OfTurns(OfTurns::Lost { lost: 1, of: 2 }),
        Caveat::OfTurns(OfTurns::Overrun { share: 0.5, length_us: 1 }),
        Caveat::OfTurns(OfTurns::Edge { longer: 0.5, length_us: 1 }),
        Caveat::OfTurns(OfTurns::Gaps { share: 0.5 }),
        Caveat::OfTurns(OfTurns::Diluted),
        Caveat::Viewed { pages: 1, share: 0.5, here: true },
    ];
    for caveat in caveats {
        assert!(caveat.code().effects.contains(&caveat.effect()), "{caveat:?}");
    }
}
