//! Targets in Kubernetes: what a plan may say of them, what it may not, and what it is told then.

use super::super::explain;
use super::{plan, refusal};

/// A plan with these targets, the first called `a`.
fn of(targets: &str) -> String {
    format!(
        "name: x\ntargets:\n{targets}baseline: a\nworkloads: {{ w: {{ builtin: select-only, scale: 1 }} }}\nclients: [1]\n"
    )
}

#[test]
fn what_cannot_be_a_server_in_kubernetes_is_told_with_the_right_way() {
    let by_port_forward = of("  a: { kubernetes: { cluster: db, via: port-forward } }\n");
    insta::assert_snapshot!(refusal(&by_port_forward), @r#"
    error: targets.a.kubernetes.via: found "port-forward", which passes every byte through the API server: its figure is the API server's
     --> plan.yaml:3:40
      |
    3 |   a: { kubernetes: { cluster: db, via: port-forward } }
      |                                        ^^^^^^^^^^^^
    hint: write pod, service or node-port (measured: 3395 transactions/s by port-forward, 50000 by service)
    "#);
    let nobody_to_log_in = of("  a: { kubernetes: { pods: \"app=db\" } }\n");
    insta::assert_snapshot!(refusal(&nobody_to_log_in), @r#"
    error: targets.a.kubernetes.pods: pods needs a `secret` to log in with
     --> plan.yaml:3:22
      |
    3 |   a: { kubernetes: { pods: "app=db" } }
      |                      ^^^^
    hint: add `secret: NAME`: who may log in cannot be seen from a pod
    "#);
    let no_name = of("  a: { kubernetes: { cluster: Db_Stage } }\n");
    insta::assert_snapshot!(refusal(&no_name), @r#"
    error: targets.a.kubernetes.cluster: found "Db_Stage", not the name of an object of Kubernetes
     --> plan.yaml:3:31
      |
    3 |   a: { kubernetes: { cluster: Db_Stage } }
      |                               ^^^^^^^^
    hint: write lower-case letters, digits, `-` and `.`, at most 63 characters
    "#);
    let of_a_local_one = of("  a: { local: { version: 17 } }\n  b: { kubernetes: { server_of: a, namespace: pg } }\n");
    insta::assert_snapshot!(refusal(&of_a_local_one), @r#"
    error: targets.b.kubernetes.server_of: target "a" names no server in Kubernetes
     --> plan.yaml:4:33
      |
    4 |   b: { kubernetes: { server_of: a, namespace: pg } }
      |                                 ^
    hint: name a target with `kubernetes: { cluster: … }` or `kubernetes: { pods: … }`

    error: targets.b.kubernetes.namespace: namespace is told by the target whose server it is
     --> plan.yaml:4:36
      |
    4 |   b: { kubernetes: { server_of: a, namespace: pg } }
      |                                    ^^^^^^^^^
    hint: remove it, or give it to that target

    plan.yaml: 2 errors
    "#);
    let made = of("  a: { kubernetes: { cluster: db }, huge_pages: true, cache: cold }\n");
    insta::assert_snapshot!(refusal(&made), @r#"
    error: target "a": huge_pages needs a server that pgdyno makes
     --> plan.yaml:3:37
      |
    3 |   a: { kubernetes: { cluster: db }, huge_pages: true, cache: cold }
      |                                     ^^^^^^^^^^
    detail: a server that was found keeps its shared memory as it is
    hint: use `local`, or remove the key

    error: target "a": a cold cache needs a server that pgdyno makes
     --> plan.yaml:3:62
      |
    3 |   a: { kubernetes: { cluster: db }, huge_pages: true, cache: cold }
      |                                                              ^^^^
    detail: a server that was found is not restarted, and its files are not pgdyno's
    hint: use `local`, or `cache: warm`

    plan.yaml: 2 errors
    "#);
}

#[test]
fn ways_to_one_server_may_be_unlike_and_only_its_owner_makes_data() {
    let rungs = of("  a: { kubernetes: { cluster: db, namespace: pg, via: pod } }\n\
                    \x20 b: { kubernetes: { server_of: a, via: { pooler: db-pooler } } }\n");
    let plan = plan(&rungs);
    let allowed: Vec<String> = plan.allowed_differences().iter().map(ToString::to_string).collect();
    assert_eq!(allowed, ["path"]);
    let touches: Vec<String> = explain(&plan)
        .touches
        .into_iter()
        .filter_map(|touch| Some(format!("{}: {}", touch.target?, touch.what)))
        .collect();
    insta::assert_snapshot!(touches.join("\n"), @r#"
    a: reads the CloudNativePG cluster db in pg of the current context, its Secret included, and files of the pod by exec; changes no object there
    a: makes the tables pgbench_accounts, pgbench_branches, pgbench_history and pgbench_tellers in its database (scale 1, about 15 MiB)
    b: uses the server of target "a"
    "#);
}
