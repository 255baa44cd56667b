//! A cluster of CloudNativePG that loses its primary under load, on a real one (see `kubernetes`): the load follows,
//! and what it waited for is told from the cluster's own objects. Run by `make test-kubernetes`.

use std::time::Duration;

use results::trial::{EventRecord, FailoverStep, TrialOutcome};

use crate::kubernetes::{IMAGE, Site, image};
use crate::lab::Lab;

/// Two servers of which the primary waits a second for its sessions to end.
fn pair() -> String {
    format!(
        "apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nmetadata: {{ name: db }}\nspec:\n  instances: 2\n  \
         imageName: {}\n  smartShutdownTimeout: 1\n  storage: {{ size: 1Gi }}\n  \
         resources: {{ requests: {{ cpu: 50m, memory: 256Mi }} }}\n",
        image("PGDYNO_TEST_IMAGE", IMAGE)
    )
}

/// When a step was seen, in microseconds since the load's start.
fn at_us(event: &EventRecord, step: FailoverStep) -> u64 {
    let stepped = event.steps.iter().find(|stepped| stepped.step == step);
    stepped.unwrap_or_else(|| panic!("{step:?} is not among {:?}", event.steps)).at_us
}

/// It was done, nobody could write for a while, and then they could again.
#[track_caller]
fn was_done_and_ended(event: &EventRecord) {
    assert!(event.error.is_none() && event.took_us.is_some(), "{event:?}");
    let gap = event.write_gap.and_then(results::trial::Gap::length_us);
    assert!(gap.is_some_and(|gap_us| gap_us > 10_000), "it writes again: {event:?}");
}

/// A plan of this cluster with these events.
fn plan(site: &Site, measure: &str, events: &str) -> String {
    format!(
        "name: Failover\ntargets:\n  db: {{ kubernetes: {{ cluster: db, namespace: {} }}, may_disturb: true }}\n\
         baseline: db\nworkloads: {{ write: {{ builtin: tpcb-like, scale: 1 }} }}\nclients: [2]\n\
         trial: {{ warm_up: 1s, measure: {measure} }}\nblocks: {{ at_least: 1, at_most: 1 }}\nevents: {events}\n",
        site.namespace
    )
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_a_killed_postmaster_a_rolling_restart_and_a_drained_node_end_with_a_healthy_cluster() {
    let (lab, site) = (Lab::new(), Site::alone());
    site.apply(&pair());
    let healthy = "--for=jsonpath={.status.phase}=Cluster in healthy state";
    for (what, measure) in [("kill-postmaster", "30s"), ("rolling-restart", "40s"), ("drain-node", "40s")] {
        site.kubectl(&["wait", healthy, "cluster/db", "--timeout=300s"], "");
        lab.write("plan.yaml", plan(&site, measure, &format!("{{ it: {{ at: 3s, do: {what} }} }}")));
        let ended = lab.program("run plan.yaml").start().end_within(Duration::from_secs(200));
        ended.exits(0);
        let trials = lab.run().trials();
        let event = &trials[0].events[0];
        was_done_and_ended(event);
        assert!(at_us(event, FailoverStep::Accepted) < at_us(event, FailoverStep::Healthy), "{event:?}");
        std::fs::remove_dir_all(lab.path().join("runs")).expect("one run at a time");
    }
    let cordoned = "jsonpath={.items[*].metadata.annotations.pgdyno/cordoned-by}";
    assert_eq!(site.kubectl(&["get", "nodes", "-o", cordoned], "").trim(), "", "every node takes pods again");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_a_cluster_is_updated_and_put_back_by_turns_and_is_as_it_was_at_the_end() {
    let (lab, site) = (Lab::new(), Site::alone());
    site.apply(&pair());
    let healthy = "--for=jsonpath={.status.phase}=Cluster in healthy state";
    site.kubectl(&["wait", healthy, "cluster/db", "--timeout=300s"], "");
    let update = "{ it: { at: 3s, rolling_update: { settings: { max_connections: 60 } } } }";
    lab.write("plan.yaml", plan(&site, "40s", update).replace("at_least: 1, at_most: 1", "at_least: 2, at_most: 2"));
    lab.program("run plan.yaml").start().end_within(Duration::from_secs(300)).exits(0);
    for trial in lab.run().trials() {
        let event = &trial.events[0];
        was_done_and_ended(event);
    }
    let noted = "jsonpath={.spec.postgresql.parameters.max_connections}{.metadata.annotations.pgdyno/settings-before}";
    assert_eq!(site.kubectl(&["get", "cluster", "db", "-o", noted], "").trim(), "", "it is as it was");
    let as_before = "select count(*) from pg_settings where name = 'max_connections' and setting = '100'";
    let primary = site.kubectl(&["get", "cluster", "db", "-o", "jsonpath={.status.currentPrimary}"], "");
    let shows = site.kubectl(&["exec", primary.trim(), "-c", "postgres", "--", "psql", "-Atc", as_before], "");
    assert_eq!(shows.trim(), "1", "it works with what it had");
}

#[test]
#[ignore = "needs a Kubernetes cluster: make test-kubernetes"]
fn in_kubernetes_clients_follow_the_primary_and_what_they_waited_for_is_told_by_the_cluster() {
    let (lab, site) = (Lab::new(), Site::alone());
    site.apply(&pair());
    let healthy = "--for=jsonpath={.status.phase}=Cluster in healthy state";
    site.kubectl(&["wait", healthy, "cluster/db", "--timeout=300s"], "");
    let events = "clients: [2]\ntrial: { warm_up: 1s, measure: 50s }\nblocks: { at_least: 1, at_most: 1 }\n\
                  events: { over: { at: 3s, do: switchover }, gone: { at: 22s, do: delete-primary } }\n";
    lab.write(
        "plan.yaml",
        format!(
            "name: Failover\ntargets:\n  db: {{ kubernetes: {{ cluster: db, namespace: {} }}, may_disturb: true }}\n\
             baseline: db\nworkloads: {{ write: {{ builtin: tpcb-like, scale: 1 }} }}\n{events}",
            site.namespace
        ),
    );
    let printed = lab.pgdyno("kubernetes rights plan.yaml").exits(0).stdout.clone();
    let (role, _) = printed.split_once("---\n").expect("a Role, then a ClusterRole");
    let kubeconfig = site.somebody_with(&lab, role);
    let run = lab.program("run plan.yaml --details").env("KUBECONFIG", kubeconfig).start();
    let ended = run.end_within(Duration::from_secs(200));
    ended.exits(0).prints(&["until the -rw Service pointed to a primary again"]);

    let [trial] = &lab.run().trials()[..] else { panic!("one trial") };
    assert_eq!(trial.outcome, TrialOutcome::Completed);
    for event in &trial.events {
        assert!(event.error.is_none() && event.took_us.is_some(), "{event:?}");
        let order = [FailoverStep::Accepted, FailoverStep::Promoted, FailoverStep::ServiceMoved, FailoverStep::Healthy]
            .map(|step| at_us(event, step));
        assert!(event.requested_us <= order[0] && order.is_sorted(), "{event:?}");
        let Some(results::trial::Gap::Between { start_us, end_us: Some(end_us) }) = event.write_gap else {
            panic!("it writes again: {event:?}")
        };
        assert!(
            start_us < at_us(event, FailoverStep::Promoted) && at_us(event, FailoverStep::Promoted) < end_us,
            "{event:?}"
        );
    }
    let ledger = trial.load.as_ref().and_then(|load| load.ledger.as_ref()).expect("a ledger is kept");
    assert!(ledger.acknowledged > 0 && ledger.unexpected == 0, "{ledger:?}");
}
