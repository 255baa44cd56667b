//! Events of a plan: what they may be, where they are refused, and what follows from them.

use std::time::Duration;

use super::super::{AllowedDifference, Happening, Interleave, Plan, explain_plan};
use super::{plan, refusal};

/// A plan of one local server with these events and this target beside it.
fn text(events: &str, target: &str) -> String {
    format!(
        "name: x\ntargets:\n  a: {{ local: {{ version: 17 }} }}\n{target}baseline: a\nworkloads:\n  read: {{ builtin: \
         select-only, scale: 1 }}\n  write: {{ builtin: tpcb-like, scale: 1 }}\nclients: [2]\ntrial: {{ measure: 30s \
         }}\nevents: {events}\n"
    )
}

/// The lines of a refusal that say what and what to do.
fn refused(events: &str, target: &str) -> String {
    let refusal = refusal(&text(events, target));
    let lines = refusal.lines().filter(|line| line.starts_with("error") || line.starts_with("hint"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn an_event_is_a_deed_of_pgdyno_or_a_command_and_the_resolved_plan_has_it() {
    let plan = plan(&text("{ crash: { at: 5s, do: kill-postmaster }, own: { at: 20s, command: \"true\" } }", ""));
    let words: Vec<&str> = plan.events.iter().map(|event| event.what.word_in_plan()).collect();
    assert_eq!(words, ["kill-postmaster", "true"]);
    assert!(matches!(plan.events[1].what, Happening::Command(_)));
    let again = super::plan(&plan.to_yaml());
    assert_eq!(again.events, plan.events, "{}", plan.to_yaml());
    assert!(!super::plan(super::GOOD).to_yaml().contains("events"), "none are not written");
}

#[test]
fn with_events_sides_have_whole_trials_and_ledgers_are_kept_where_they_can_be() {
    let events = "{ crash: { at: 5s, do: restart } }";
    let complete: Plan = plan(&text(events, "  b: { local: { version: 17 } }\n")).complete_with_defaults(1, 2);
    assert!(complete.workloads.iter().all(|workload| workload.interleave == Some(Interleave::Trials)));
    assert_eq!(complete.workloads.iter().map(|workload| workload.ledger).collect::<Vec<_>>(), [false, true]);
    let explained = explain_plan(&plan(&text(events, ""))).to_string();
    assert!(explained.contains("a: in every trial, crash at 5s: restarts the server"), "{explained}");
    let turns = text(events, "  b: { local: { version: 17 } }\n") + "interleave: slices\n";
    assert!(
        refusal(&turns).contains("its sides cannot alternate within trials: the effects of an event outlast a slice")
    );
    let own = text(events, "").replace("builtin: tpcb-like, scale: 1", "sysbench: { script: oltp_read_write }");
    let notes = explain_plan(&plan(&own)).notes;
    assert!(notes.iter().any(|note| note.starts_with("workload \"write\": it cannot have a ledger")), "{notes:?}");
}

#[test]
fn events_that_cannot_be_made_to_happen_are_refused_with_the_reason() {
    let found = "  b: { url: \"postgresql://x@10.0.0.5/x\" }\n";
    let shared = "  b: { shared: { server_of: a, via: tcp } }\n";
    let cases = [
        ("{ e: { at: 5s, do: restart } }", found),
        ("{ e: { at: 5s, do: checkpoint } }", found),
        ("{ e: { at: 5s, do: kill-backend } }", shared),
        ("{ e: { at: 29s, do: restart } }", ""),
        ("{ e: { at: 5s, do: restart }, f: { at: 6s, do: checkpoint } }", ""),
        ("{ e: { at: 5s } }", ""),
        ("{ e: { at: 5s, do: reboot } }", ""),
    ];
    insta::assert_snapshot!(cases.map(|(events, target)| refused(events, target)).join("\n"), @r#"
    error: event "e" is not possible on target "b": this requires an `agent` on its host
    hint: add `agent: { ssh: HOST }`, or use a `command: "…"` of yours
    error: event "e" is not possible on target "b": pgdyno did not create this server, and needs permission for events on it
    hint: write `may_disturb: true` under the target, if no other user depends on it
    error: event "e" is not possible on target "b": it would affect the target that owns the server
    hint: use a separate `local` target
    error: event "e" is at 29s, and the measurement ends after 30s
    hint: `at` + 2s must be within `trial: { measure: … }`; a server that recovers needs much more time
    error: events "e" and "f" are at 5s and 6s: their effects could not be distinguished
    hint: leave at least 2s between them, or better the time of a full recovery
    error: events.e has none of the keys "do" or "command" or "agent_command" or "freeze" or "freeze_disk" or "stop_node" or "rolling_update"
    hint: add `do: restart` or `command: sh ./do-it.sh` or `agent_command: sh ./do-it.sh` or `freeze: 10s` or `freeze_disk: 10s` or `stop_node: { stop: sh ./do-it.sh, start: sh ./do-it.sh }` or `rolling_update: { image: ghcr.io/cloudnative-pg/postgresql:17.6 }`
    error: events.e.do: found "reboot", not a valid value here
    hint: write one of: restart, kill-postmaster, kill-backend, promote, detach-standby, checkpoint, switchover, delete-primary, delete-primary-forcibly, restart-in-place, rolling-restart, drain-node
    "#);
    let generator =
        text("{ e: { at: 5s, do: restart } }", "").replace("like, scale: 1", "like, scale: 1, generator: pgbench");
    assert!(
        refusal(&generator)
            .contains("not possible with workload \"write\": its generator exits when a connection is lost")
    );
}

#[test]
fn a_standby_can_be_promoted_where_one_is_made_which_has_what_two_servers_can_have() {
    let pair = |local: &str| format!("  b: {{ local: {{ version: 17, standby: {local} }} }}\n");
    let promote = "{ cut: { at: 5s, do: detach-standby }, over: { at: 9s, do: promote } }";
    let text = text(promote, &pair("synchronous"))
        .replace("a: { local: { version: 17 }", "a: { local: { version: 17, standby: streaming }");
    let plan = plan(&text);
    assert_eq!(super::plan(&plan.to_yaml()).targets, plan.targets, "{}", plan.to_yaml());
    let differs = AllowedDifference::Setting("synchronous_standby_names".to_owned());
    assert!(plan.allowed_differences().contains(&differs), "it is what is compared");
    let explained = explain_plan(&plan).to_string();
    assert!(explained.contains("starts a synchronous standby from a copy of its data"), "{explained}");
    let checkpoint = "{ e: { at: 5s, do: checkpoint } }";
    let shared = "  b: { local: { version: 17, standby: streaming } }\n  c: { shared: { server_of: b } }\n";
    let cases = [
        refused("{ e: { at: 5s, do: promote } }", ""),
        refused(checkpoint, &pair("asynchronous")),
        refused(checkpoint, &pair("streaming, via: tcp, pgbouncer: true")),
        refused(checkpoint, &pair("streaming, data_directory: /var/tmp/x")),
        refused(checkpoint, shared),
    ];
    insta::assert_snapshot!(cases.join("\n"), @r#"
    error: event "e" is not possible on target "a": it has no standby that pgdyno created
    hint: write `standby: streaming` or `standby: synchronous` under `local`
    error: targets.b.local.standby: found "asynchronous", not a valid value here
    hint: did you mean "synchronous"? write one of: streaming, synchronous
    error: target "b": `pgbouncer` is not possible with a standby
    hint: remove `pgbouncer` or `standby`; `via: unix` and `via: tcp` are possible
    error: target "b": `data_directory` is not possible with a standby
    hint: remove `data_directory` or `standby`; `via: unix` and `via: tcp` are possible
    error: targets.c.shared.server_of: target "b" is not a `local` target without a standby
    hint: use a target with `local` and without a standby: only such a server can be shared
    "#);
}

#[test]
fn limits_of_what_follows_are_durations_that_must_not_be_reached_and_commits_that_may_be_lost() {
    let require = |limits: &str| format!("{{ e: {{ at: 5s, do: restart, require: {limits} }} }}");
    let plan = plan(&text(&require("{ write_gap: < 10s, p99_back: \"<1.5s\", lost: 0 }"), ""));
    let limits = plan.events[0].require;
    assert_eq!((limits.write_gap, limits.lost, limits.read_gap), (Some(Duration::from_secs(10)), Some(0), None));
    assert_eq!(super::plan(&plan.to_yaml()).events, plan.events, "{}", plan.to_yaml());
    let cases = ["{ write_gap: 10s }", "{ read_gap: < 9ms }", "{ lost: -1 }", "{ gap: < 1s }"];
    insta::assert_snapshot!(cases.map(|limits| refused(&require(limits), "")).join("\n"), @r#"
    error: events.e.require.write_gap: found "10s", not a limit
    hint: write `< 10s`
    error: events.e.require.read_gap: found "< 9ms", too short to be distinguished from the time between transactions
    hint: write `< 10ms` or more
    error: events.e.require.lost: found -1, not a whole number
    hint: write a whole number from 0, in digits only
    error: unknown key "gap" in events.e.require
    hint: the keys of limits of an event are write_gap, read_gap, error_window, throughput_back, p99_back, lost
    "#);
    let nobody = text(&require("{ lost: 0 }"), "").replace("tpcb-like", "select-only");
    assert!(refusal(&nobody).contains("no workload has a ledger that counts lost commits"), "{}", refusal(&nobody));
}

#[test]
fn a_server_that_was_found_is_disturbed_with_leave_only() {
    let found = |leave: &str| format!("  b: {{ url: \"postgresql://x@10.0.0.5/x\"{leave} }}\n");
    let events = "{ e: { at: 5s, command: \"systemctl restart postgresql\" } }";
    assert!(refused(events, &found("")).contains("write `may_disturb: true` under the target"));
    plan(&text(events, &found(", may_disturb: true")));
}

#[test]
fn a_server_that_was_found_is_stopped_and_killed_by_the_agent_on_its_host() {
    let found = |keys: &str| format!("{{ url: \"postgresql://x@10.0.0.5/x\", may_disturb: true{keys} }}");
    let beside = |keys: &str| format!("  b: {}\n", found(keys));
    let agent = ", agent: { ssh: db }, restart_by: \"systemctl restart db\"";
    for what in ["do: restart", "do: kill-postmaster", "do: kill-backend", "freeze: 3s"] {
        let events = format!("{{ e: {{ at: 5s, {what} }} }}");
        assert!(refused(&events, &beside("")).contains("this requires an `agent` on its host"), "{what}");
        plan(&text(&events, &beside(agent)));
    }
    let command = "{ e: { at: 5s, agent_command: \"ip link set eth1 down\" } }";
    let told = plan(&text(command, "").replace("{ local: { version: 17 } }", &found(agent)));
    assert_eq!(super::plan(&told.to_yaml()).events, told.events, "{}", told.to_yaml());
    assert!(explain_plan(&told).to_string().contains("runs `ip link set eth1 down` on its host, by its agent"));
    assert!(refused(command, "").contains("on target \"a\": it has no agent on its host"));
}

/// A plan of one target in Kubernetes and perhaps others, with one event.
fn in_kubernetes(what: &str, target: &str, more: &str) -> String {
    format!(
        "name: x\ntargets:\n  a: {{ {target} }}\n{more}baseline: a\nworkloads: {{ write: {{ builtin: tpcb-like, scale: 1 }} }}\n\
         clients: [2]\ntrial: {{ measure: 60s }}\nevents: {{ e: {{ at: 5s, do: {what} }} }}\n"
    )
}

#[test]
fn a_cluster_of_cloudnativepg_loses_its_primary_with_leave_where_pgdyno_did_not_make_it() {
    let found = "kubernetes: { cluster: db }, may_disturb: true";
    let made = |instances: u32| format!("kubernetes: {{ create: {{ cnpg: {{ image: x, instances: {instances} }} }} }}");
    let pooled = "  b: { kubernetes: { server_of: a, via: { pooler: p } } }\n";
    let words =
        "switchover delete-primary delete-primary-forcibly restart-in-place rolling-restart drain-node kill-postmaster";
    for what in words.split(' ') {
        let plan = plan(&in_kubernetes(what, found, pooled));
        assert_eq!(super::plan(&plan.to_yaml()).events, plan.events, "{}", plan.to_yaml());
        super::plan(&in_kubernetes(what, &made(2), pooled));
    }
    let explained = explain_plan(&plan(&in_kubernetes("switchover", found, ""))).to_string();
    assert!(explained.contains("a: in every trial, e at 5s: promotes a replica of the cluster"));
    let refused = |what: &str, target: &str, more: &str| {
        let refusal = refusal(&in_kubernetes(what, target, more));
        let lines = refusal.lines().filter(|line| line.starts_with("error") || line.starts_with("hint"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let cases = [
        refused("switchover", "kubernetes: { cluster: db }", ""),
        refused("switchover", &made(1), ""),
        refused("delete-primary", "kubernetes: { create: { pod: { image: x } } }", ""),
        refused("restart-in-place", "local: { version: 17 }", ""),
        refused("delete-primary", "kubernetes: { cluster: db, via: socket }, may_disturb: true", ""),
    ];
    insta::assert_snapshot!(cases.join("\n"), @r#"
    error: event "e" is not possible on target "a": pgdyno did not create this server, and needs permission for events on it
    hint: write `may_disturb: true` under the target, if no other user depends on it
    error: event "e" is not possible on target "a": its cluster has one instance, and no replica to promote
    hint: write `instances: 2` or more
    error: event "e" is not possible on target "a": it is not a CloudNativePG cluster
    hint: use a target with `kubernetes: { cluster: … }` or `create: { cnpg: … }`
    error: event "e" is not possible on target "a": it is not a CloudNativePG cluster
    hint: use a target with `kubernetes: { cluster: … }` or `create: { cnpg: … }`
    error: event "e" is not possible on target "a": this route leads to one node, and the next primary may be on another
    hint: use `via: service`, `pod` or `pooler`
    "#);
    plan(&in_kubernetes("delete-primary", &made(1), ""));
    plan(&in_kubernetes("restart-in-place", "kubernetes: { cluster: db, via: socket }, may_disturb: true", ""));
}

#[test]
fn a_node_is_taken_away_and_brought_back_by_commands_and_only_under_a_cluster_with_a_replica() {
    let text = |target: &str, commands: &str| {
        in_kubernetes("switchover", target, "").replace("do: switchover", &format!("stop_node: {{ {commands} }}"))
    };
    let both = "stop: \"power off $PGDYNO_NODE\", start: \"power on $PGDYNO_NODE\"";
    let found = "kubernetes: { cluster: db }, may_disturb: true";
    let plan = plan(&text(found, both));
    assert_eq!(super::plan(&plan.to_yaml()).events, plan.events, "{}", plan.to_yaml());
    let explained = explain_plan(&plan).to_string();
    assert!(explained.contains("e at 5s: runs `power off $PGDYNO_NODE` here to stop the node"), "{explained}");
    assert!(explained.contains("and `power on $PGDYNO_NODE` to start it"), "{explained}");
    assert!(refusal(&text(found, "stop: \"true\"")).contains("start"), "what is taken away is brought back");
    assert!(refusal(&text("kubernetes: { cluster: db }", both)).contains("needs permission for events on it"));
    let alone = "kubernetes: { create: { cnpg: { image: x, instances: 1 } } }";
    assert!(refusal(&text(alone, both)).contains("one instance, and no replica to promote"));
}

#[test]
fn a_cluster_is_updated_to_an_image_or_to_settings_with_leave_and_by_nobody_else() {
    let text = |target: &str, to: &str| {
        in_kubernetes("switchover", target, "").replace("do: switchover", &format!("rolling_update: {{ {to} }}"))
    };
    let found = "kubernetes: { cluster: db }, may_disturb: true";
    for (to, sentence) in [
        ("image: \"pg:17.2\"", "updates the cluster to the image pg:17.2, or back, one server after the other"),
        ("settings: { max_connections: 50 }", "updates the cluster to max_connections = 50, or back, one server"),
    ] {
        let plan = plan(&text(found, to));
        assert_eq!(super::plan(&plan.to_yaml()).events, plan.events, "{}", plan.to_yaml());
        let explained = explain_plan(&plan).to_string();
        assert!(explained.contains(sentence), "{explained}");
    }
    let image = "image: \"pg:17.2\"";
    assert!(refusal(&text("kubernetes: { cluster: db }", image)).contains("needs permission for events on it"));
    assert!(refusal(&text("local: { version: 17 }", image)).contains("it is not a CloudNativePG cluster"));
    let changed = "kubernetes: { cluster: db, may_change: true }, may_disturb: true";
    assert!(refusal(&text(changed, image)).contains("which conflicts with an update"));
    assert!(refusal(&text(found, "image: a, settings: { jit: off }")).contains("rolling_update"));
}

#[test]
fn a_server_stands_still_where_its_processes_can_be_reached() {
    let events = "{ e: { at: 5s, freeze: 1500ms } }";
    let plan = plan(&text(events, ""));
    assert_eq!(super::plan(&plan.to_yaml()).events, plan.events, "{}", plan.to_yaml());
    let explained = explain_plan(&plan).to_string();
    assert!(
        explained.contains("a: in every trial, e at 5s: stops all processes of the server for 1500ms"),
        "{explained}"
    );
    let found = "  b: { url: \"postgresql://x@10.0.0.5/x\", may_disturb: true }\n";
    assert!(refused(events, found).contains("this requires an `agent` on its host"));
    assert!(refused("{ e: { at: 5s, freeze: 20ms } }", "").contains("too short to measure anything"));
}

#[test]
fn a_disk_stands_still_only_where_its_file_system_is_nobody_elses() {
    let events = "{ e: { at: 5s, freeze_disk: 1500ms } }";
    assert!(refused(events, "").contains("other processes may use the file system"));
    let own = text(events, "").replace("local: { version: 17 }", "local: { version: 17 }, filesystem: { type: ext4 }");
    let plan = plan(&own);
    assert_eq!(super::plan(&plan.to_yaml()).events, plan.events, "{}", plan.to_yaml());
    let explained = explain_plan(&plan).to_string();
    assert!(explained.contains("e at 5s: freezes the file system of the server's data for 1500ms"), "{explained}");
}
