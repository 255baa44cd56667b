//! What may be changed of a server that was found: only what its owner consents to, and only where somebody puts it
//! back.

use std::collections::BTreeSet;

use super::super::consent::Consent;
use super::super::{NoTurns, explain_plan};
use super::{plan, refusal};

fn of(target: &str) -> String {
    format!(
        "name: x\ntargets:\n  a: {{ url: \"postgresql://h/b\", {target} }}\nbaseline: a\n\
         workloads: {{ w: {{ builtin: select-only, scale: 1 }} }}\nclients: [1]\n"
    )
}

const AGENT: &str = "agent: { ssh: h }";

#[test]
fn what_takes_consent_is_refused_without_it_and_the_key_to_add_is_named() {
    for (target, says) in [
        ("settings: { max_wal_size: 8GB }", "may_change: [settings]`"),
        ("settings: { Shared_Buffers: 8GB }", "may_change: [settings, restart]`"),
        (
            "settings: { shared_buffers: 8GB }, may_change: [settings], agent: { ssh: h }",
            "add `restart` to `may_change`",
        ),
        ("sysctl: { vm.swappiness: 1 }", "may_change: [sysctl]`"),
        ("cache: cold", "may_change: [restart, cache]`"),
        ("cache: cold, may_change: [cache], agent: { ssh: h }", "may_change: [restart, cache]`"),
        ("may_change: [settings]", "target \"a\": may_change requires an `agent` on its host"),
        (
            "filesystem: { type: xfs }, may_change: true, agent: { ssh: h }",
            "filesystem requires a server that pgdyno creates",
        ),
        (
            "settings: { port: 5433 }, may_change: true, agent: { ssh: h }",
            "pgdyno needs port to find, log in to or read the server",
        ),
        ("may_change: [everything], agent: { ssh: h }", "everything"),
        ("may_change: yes, agent: { ssh: h }", "write [settings, restart, sysctl, cache], or true"),
    ] {
        let said = refusal(&of(target));
        assert!(said.contains(says), "{target}\n{said}");
    }
}

#[test]
fn consent_is_for_servers_that_were_found_by_a_url() {
    let local =
        of(AGENT).replace("url: \"postgresql://h/b\", agent: { ssh: h }", "local: { version: 17 }, may_change: true");
    assert!(refusal(&local).contains("pgdyno creates its server"), "{}", refusal(&local));
    let kubernetes = local.replace("local: { version: 17 }", "kubernetes: { cluster: db }");
    assert!(refusal(&kubernetes).contains("write it under `kubernetes`"), "{}", refusal(&kubernetes));
    for may_change in ["true", "[settings, restart]"] {
        let given =
            format!("kubernetes: {{ cluster: db, may_change: {may_change} }}, settings: {{ max_wal_size: 8GB }}");
        let read = plan(&local.replace("local: { version: 17 }, may_change: true", &given));
        assert!(read.to_yaml().contains("may_change: true"), "{}", read.to_yaml());
    }
    let half = local
        .replace("local: { version: 17 }, may_change: true", "kubernetes: { cluster: db, may_change: [settings] }");
    assert!(refusal(&half).contains("write `true`, or [settings, restart]"), "{}", refusal(&half));
}

#[test]
fn with_consent_all_of_it_is_told_and_true_is_all() {
    let all = plan(&of(&format!(
        "{AGENT}, may_change: true, settings: {{ shared_buffers: 8GB }}, sysctl: {{ vm.swappiness: 1 }}, cache: cold"
    )));
    let consents: BTreeSet<Consent> = [Consent::Settings, Consent::Restart, Consent::Sysctl, Consent::Cache].into();
    assert_eq!(all.targets[0].may_change, consents);
    let told = explain_plan(&all).to_string();
    for says in [
        "changes settings of the whole server by ALTER SYSTEM, for all its users, and restores them at the end: shared_buffers",
        "sets vm.swappiness = 1 in the kernel of its host for each trial",
        "restarts the server before each trial",
    ] {
        assert!(told.contains(says), "{told}");
    }
}

#[test]
fn targets_of_one_server_have_its_settings_by_turns_and_all_of_them_by_consent() {
    let beside = of(&format!("{AGENT}, may_change: [settings], settings: {{ max_wal_size: 8GB }}"))
        .replace("baseline: a", "  b: { url: \"postgresql://h/b\" }\nbaseline: a");
    let said = refusal(&beside);
    assert!(said.contains("target \"b\": the settings of its server are changed for target \"a\""), "{said}");
    let both = plan(&beside.replace("h/b\" }", &format!("h/b\", {AGENT}, may_change: [settings] }}")));
    assert!(matches!(both.no_turns(&both.workloads[0]), Some(NoTurns::Settings(_))));
}
