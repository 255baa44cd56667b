//! Targets in Kubernetes: what a plan may say of them, what it may not, and what it is told then.

use std::collections::BTreeMap;

use serde_json::json;
use work::WordChoice as _;

use super::super::{MadeObjects, Manifest, Plan, SERVER, ServerPlace, Volume, explain_plan};
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
    error: targets.a.kubernetes.via: found "port-forward", which passes every byte through the API server and would measure that
     --> plan.yaml:3:40
      |
    3 |   a: { kubernetes: { cluster: db, via: port-forward } }
      |                                        ^^^^^^^^^^^^
    hint: write pod, service or node-port (measured: 3395 transactions/s by port-forward, 50000 by service)
    "#);
    let nobody_to_log_in = of("  a: { kubernetes: { pods: \"app=db\" } }\n");
    insta::assert_snapshot!(refusal(&nobody_to_log_in), @r#"
    error: targets.a.kubernetes.pods: pods requires a `secret` for the login
     --> plan.yaml:3:22
      |
    3 |   a: { kubernetes: { pods: "app=db" } }
      |                      ^^^^
    hint: add `secret: NAME`, since a pod does not show its logins
    "#);
    let no_name = of("  a: { kubernetes: { cluster: Db_Stage } }\n");
    insta::assert_snapshot!(refusal(&no_name), @r#"
    error: targets.a.kubernetes.cluster: found "Db_Stage", not the name of a Kubernetes object
     --> plan.yaml:3:31
      |
    3 |   a: { kubernetes: { cluster: Db_Stage } }
      |                               ^^^^^^^^
    hint: write lower-case letters, digits, `-` and `.`, at most 63 characters
    "#);
    let of_a_local_one = of("  a: { local: { version: 17 } }\n  b: { kubernetes: { server_of: a, namespace: pg } }\n");
    insta::assert_snapshot!(refusal(&of_a_local_one), @r#"
    error: targets.b.kubernetes.server_of: target "a" has no server in Kubernetes
     --> plan.yaml:4:33
      |
    4 |   b: { kubernetes: { server_of: a, namespace: pg } }
      |                                 ^
    hint: use a target with `kubernetes: { cluster: … }` or `kubernetes: { pods: … }`

    error: targets.b.kubernetes.namespace: namespace is determined by the target that owns the server
     --> plan.yaml:4:36
      |
    4 |   b: { kubernetes: { server_of: a, namespace: pg } }
      |                                    ^^^^^^^^^
    hint: remove it, or move it to that target

    plan.yaml: 2 errors
    "#);
    let made = of("  a: { kubernetes: { cluster: db }, huge_pages: true, cache: cold }\n");
    insta::assert_snapshot!(refusal(&made), @r#"
    error: target "a": huge_pages requires a server that pgdyno creates
     --> plan.yaml:3:37
      |
    3 |   a: { kubernetes: { cluster: db }, huge_pages: true, cache: cold }
      |                                     ^^^^^^^^^^
    detail: pgdyno does not change the shared memory of an existing server
    hint: use `local`, or remove the key

    error: target "a": a cold cache requires a server that pgdyno creates
     --> plan.yaml:3:62
      |
    3 |   a: { kubernetes: { cluster: db }, huge_pages: true, cache: cold }
      |                                                              ^^^^
    detail: pgdyno does not restart an existing server and does not evict its files
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
    assert_eq!(allowed, ["route"]);
    let touches: Vec<String> = explain_plan(&plan)
        .touches
        .into_iter()
        .filter_map(|touch| Some(format!("{}: {}", touch.target?, touch.what)))
        .collect();
    insta::assert_snapshot!(touches.join("\n"), @r#"
    a: reads the CloudNativePG cluster db in pg of the current context, including its Secret, and files of the pod by exec; changes no object there
    a: creates the tables pgbench_accounts, pgbench_branches, pgbench_history and pgbench_tellers in its database (scale 1, about 15 MiB)
    a: reads statistics views, settings and catalogs before, during and after each trial
    a: after each trial, asks for the query plans of the statements of the load (EXPLAIN), and executes those that only read for some seconds more (EXPLAIN ANALYZE)
    b: uses the server of target "a"
    b: reads statistics views, settings and catalogs before, during and after each trial
    b: after each trial, asks for the query plans of the statements of the load (EXPLAIN), and executes those that only read for some seconds more (EXPLAIN ANALYZE)
    "#);
}

/// What is made for the target `a` of a plan.
fn objects(plan: &Plan) -> MadeObjects {
    plan.objects_of_target(plan.target_by_name("a").expect("a target")).expect("it is made")
}

#[test]
fn what_is_made_without_an_operator_is_a_secret_a_volume_a_restricted_pod_and_a_service() {
    let text = of("  a: { kubernetes: { via: pod, create: { pod: { image: \"pg:17\", size: 5Gi, storage_class: fast, \
                   resources: { cpu: 2, memory: 4Gi, limit: memory }, node_selector: { role: db }, \
                   tolerations: [\"only=db:NoSchedule\"], parameters: { work_mem: 8MB } } } }, settings: { Max_Connections: 50 } }\n");
    let made = objects(&plan(&(text + "seed: 7\n")));
    let titles: Vec<String> = made.manifests.iter().map(Manifest::kind_and_name).collect();
    let name = &made.name;
    let expected = ["PersistentVolumeClaim", "Pod", "Secret", "Service"].into_iter().zip(["", "", "-app", "-rw"]);
    assert_eq!(titles, expected.map(|(kind, suffix)| format!("{kind} {name}{suffix}")).collect::<Vec<_>>());
    for Manifest { object } in &made.manifests {
        assert_eq!(object["metadata"]["labels"][SERVER], name.as_str(), "{object:#}");
    }
    let pod = &made.manifests[1].object["spec"];
    let container = &pod["containers"][0];
    assert_eq!(
        container["command"].as_array().expect("a list")[3..],
        ["start", "-c", "max_connections=50", "-c", "work_mem=8MB"]
    );
    let resources = json!({ "requests": { "cpu": "2", "memory": "4Gi" }, "limits": { "memory": "4Gi" } });
    assert_eq!(container["resources"], resources);
    assert_eq!(pod["nodeSelector"], json!({ "role": "db" }));
    let toleration = json!([{ "key": "only", "operator": "Equal", "value": "db", "effect": "NoSchedule" }]);
    assert_eq!(pod["tolerations"], toleration);
    assert_eq!(pod["securityContext"]["runAsNonRoot"], json!(true));
    assert_eq!(pod.get("hostNetwork"), None);
    assert_eq!(made.manifests[3].object["spec"]["type"], "ClusterIP");
}

/// A rule of a pod, as Kubernetes has it.
const APART: &str = "{ podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 10, \
                     podAffinityTerm: { topologyKey: zone, labelSelector: { matchLabels: { app: \"7\" } } } }] } }";

#[test]
fn a_stateful_set_has_the_pod_that_would_be_made_by_itself_and_its_volume() {
    let made = |kind: &str| {
        let text = of(&format!(
            "  a: {{ kubernetes: {{ create: {{ {kind}: {{ image: \"pg:17\", affinity: {APART} }} }} }} }}\n"
        ));
        objects(&plan(&text))
    };
    let (set, pod) = (made("statefulset"), made("pod"));
    let kinds: Vec<&str> = set.manifests.iter().filter_map(|of| of.object["kind"].as_str()).collect();
    assert_eq!(kinds, ["PersistentVolumeClaim", "StatefulSet", "Secret", "Service"]);
    let template = &set.manifests[1].object["spec"]["template"];
    assert_eq!(template["metadata"]["labels"][SERVER], set.name.as_str());
    let mut alone = pod.manifests[1].object["spec"].clone();
    let never = alone.as_object_mut().and_then(|spec| spec.remove("restartPolicy"));
    assert_eq!(never, Some(json!("Never")), "nobody makes it again");
    assert_eq!(template["spec"], alone);
    let preferred = &alone["affinity"]["podAntiAffinity"]["preferredDuringSchedulingIgnoredDuringExecution"][0];
    let labels = json!({ "matchLabels": { "app": "7" } });
    assert_eq!(
        preferred,
        &json!({ "weight": 10, "podAffinityTerm": { "topologyKey": "zone", "labelSelector": labels } })
    );
}

#[test]
fn an_affinity_between_pods_is_beside_the_rules_that_a_cluster_has_by_itself() {
    let text =
        of(&format!("  a: {{ kubernetes: {{ create: {{ cnpg: {{ image: \"pg:17\", affinity: {APART} }} }} }} }}\n"));
    let affinity = &objects(&plan(&text)).manifests[0].object["spec"]["affinity"];
    assert!(affinity["additionalPodAntiAffinity"].is_object(), "{affinity:#}");
    let wrong = of("  a: { kubernetes: { create: { pod: { image: \"pg:17\", affinity: { nodeAfinity: {} } } } } }\n");
    let errors = refusal(&wrong);
    assert!(errors.contains("nodeAffinity"), "{errors}");
}

#[test]
fn a_cluster_of_cloudnativepg_gets_a_port_on_nodes_where_a_rung_takes_it() {
    let text =
        of("  a: { kubernetes: { create: { cnpg: { image: \"pg:17\", instances: 2, synchronous: 1, pooler: {}, \
                   smart_shutdown: 1.5s, parameters: { shared_buffers: 1GB } } } } }\n\
                   \x20 b: { kubernetes: { server_of: a, via: node-port } }\n\
                   \x20 c: { kubernetes: { server_of: a, via: pooler } }\n\
                   \x20 d: { kubernetes: { server_of: a, via: socket } }\n");
    let made = objects(&plan(&text));
    let kinds: Vec<&str> = made.manifests.iter().filter_map(|of| of.object["kind"].as_str()).collect();
    assert_eq!(kinds, ["Cluster", "Secret", "Pooler", "Service"]);
    let spec = &made.manifests[0].object["spec"];
    assert_eq!(spec["postgresql"]["parameters"], json!({ "shared_buffers": "1GB" }));
    assert_eq!(spec["postgresql"]["pg_ident"], json!(["local root app"]), "for the socket");
    assert_eq!(spec["postgresql"]["synchronous"], json!({ "method": "any", "number": 1 }));
    assert_eq!(spec["smartShutdownTimeout"], 2, "a second and a half at least");
    assert_eq!(made.manifests[3].object["spec"]["type"], "NodePort");
}

#[test]
fn names_are_those_of_one_run_or_of_what_is_kept() {
    let named = |keys: &str, seed: u64| {
        let target = format!("  a: {{ kubernetes: {{ create: {{ cnpg: {{ image: x{keys} }} }} }} }}\n");
        objects(&plan(&of(&target)).complete_with_defaults(seed, 2)).name
    };
    assert_ne!(named("", 1), named("", 2), "two runs at once");
    assert_eq!(named("", 1), named("", 1), "the same run, resumed");
    assert_eq!(named(", keep: true", 1), named(", keep: true", 2));
    assert_ne!(named(", keep: true", 1), named(", keep: true, size: 1Gi", 1), "it would be another server");
    let long = format!("  {0}: {{ kubernetes: {{ create: {{ cnpg: {{ image: x }} }} }} }}\n", "A_".repeat(32));
    let plan = plan(&of(&long).replace("baseline: a", &format!("baseline: {}", "A_".repeat(32))));
    let name = plan.objects_of_target(&plan.targets[0]).expect("it is made").name;
    assert!(name.len() <= 38 && name.starts_with("pgdyno-a-a-"), "{name}");
}

#[test]
fn what_cannot_be_made_is_told_before_anything_is() {
    let fixed = of("  a: { kubernetes: { create: { cnpg: { image: x, parameters: { archive_mode: \"off\" } } } }, \
                    settings: { Port: 5433 } }\n");
    insta::assert_snapshot!(refusal(&fixed), @r#"
    error: target "a": the setting archive_mode is reserved for CloudNativePG
     --> plan.yaml:3:64
      |
    3 |   a: { kubernetes: { create: { cnpg: { image: x, parameters: { archive_mode: "off" } } } }, settings…
      |                                                                ^^^^^^^^^^^^
    hint: remove it, or create the server as a `pod`, which permits it

    error: target "a": the setting port is reserved for CloudNativePG
     --> plan.yaml:3:105
      |
    3 | …eters: { archive_mode: "off" } } } }, settings: { Port: 5433 } }
      |                                                    ^^^^
    hint: remove it, or create the server as a `pod`, which permits it

    plan.yaml: 2 errors
    "#);
    let replicas = of("  a: { kubernetes: { create: { cnpg: { image: x, synchronous: 1 } } } }\n");
    insta::assert_snapshot!(refusal(&replicas), @r#"
    error: target "a": synchronous is 1, but there are 0 replicas
     --> plan.yaml:3:63
      |
    3 |   a: { kubernetes: { create: { cnpg: { image: x, synchronous: 1 } } } }
      |                                                               ^
    hint: increase `instances`
    "#);
    let ways = of("  a: { kubernetes: { create: { pod: { image: x } }, via: host-network, secret: s } }\n\
                   \x20 b: { kubernetes: { server_of: a, via: pooler } }\n\
                   \x20 c: { kubernetes: { cluster: db, via: pooler } }\n");
    insta::assert_snapshot!(refusal(&ways), @r#"
    error: targets.a.kubernetes.via: the pod has its own network
     --> plan.yaml:3:58
      |
    3 |   a: { kubernetes: { create: { pod: { image: x } }, via: host-network, secret: s } }
      |                                                          ^^^^^^^^^^^^
    hint: add `host_network: true` to the pod, or use `via: pod`

    error: targets.a.kubernetes.secret: secret is created with the server
     --> plan.yaml:3:72
      |
    3 |   a: { kubernetes: { create: { pod: { image: x } }, via: host-network, secret: s } }
      |                                                                        ^^^^^^
    hint: remove it: pgdyno uses its own

    error: targets.b.kubernetes.via: a pod has no Pooler
     --> plan.yaml:4:41
      |
    4 |   b: { kubernetes: { server_of: a, via: pooler } }
      |                                         ^^^^^^
    hint: use `cnpg`, or another route

    error: targets.c.kubernetes.via: the Pooler needs a name
     --> plan.yaml:5:40
      |
    5 |   c: { kubernetes: { cluster: db, via: pooler } }
      |                                        ^^^^^^
    hint: write { pooler: NAME }

    plan.yaml: 4 errors
    "#);
}

/// A plan with this target, that measures disks.
fn measuring(keys: &str) -> Plan {
    plan(&(of(&format!("  a: {{ {keys} }}\n")) + "disk: { size: 1GB }\nseed: 7\n"))
}

#[test]
fn the_volume_that_is_measured_is_like_the_server_s_and_on_its_node() {
    let place = ServerPlace { node: Some("node-3".to_owned()), storage_class: Some("fast".to_owned()) };
    let of_plan = |keys: &str, place: &ServerPlace| {
        let plan = measuring(keys);
        plan.volume_objects(&plan.targets[0], place)
    };
    let made = of_plan("kubernetes: { cluster: db, namespace: pg }", &place).expect("it is measured");
    let [claim, job] = &made.manifests[..] else { panic!("a claim and a job") };
    assert_eq!(claim.object["spec"]["storageClassName"], "fast");
    assert_eq!(claim.object["metadata"]["namespace"], "pg");
    assert_eq!(job.object["spec"]["backoffLimit"], 0);
    let pod = &job.object["spec"]["template"]["spec"];
    let terms = "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms";
    assert_eq!(pod.pointer(&format!("{terms}/0/matchFields/0/values/0")), Some(&json!("node-3")));
    assert_eq!(pod["containers"][0]["image"], Volume::IMAGE);
    assert!(pod["containers"][0]["resources"].get("limits").is_none(), "a limit would be what is measured");
    for Manifest { object } in &made.manifests {
        assert_eq!(object["metadata"]["labels"][SERVER], made.name.as_str(), "{object:#}");
    }
    assert_eq!(job.object["spec"]["template"]["metadata"]["labels"][SERVER], made.name.as_str());

    let volume = "disk: { volume: { storage_class: slow, size: 20Gi, image: own, node_selector: { a: b } } }";
    let made = of_plan(&format!("kubernetes: {{ cluster: db }}, {volume}"), &place).expect("it is measured");
    assert_eq!(made.manifests[0].object["spec"]["storageClassName"], "slow");
    let pod = &made.manifests[1].object["spec"]["template"]["spec"];
    assert_eq!((&pod["nodeSelector"], pod.get("affinity")), (&json!({ "a": "b" }), None), "the plan says where");

    let create = "kubernetes: { create: { pod: { image: x, storage_class: own, node_selector: { role: db } } } }";
    let made = of_plan(create, &ServerPlace::default()).expect("it is measured");
    assert_eq!(made.manifests[0].object["spec"]["storageClassName"], "own");
    let pod = &made.manifests[1].object["spec"]["template"]["spec"];
    assert_eq!(pod["nodeSelector"], json!({ "role": "db" }), "where the server would be");
    assert_eq!(of_plan("kubernetes: { cluster: db }, disk: { directory: /mnt/x }", &place), None, "measured here");
}

#[test]
fn a_volume_belongs_to_a_server_in_kubernetes_that_is_its_target_s_own() {
    let text = of("  a: { url: \"host=a\", disk: { volume: {} } }\n\
                   \x20 b: { kubernetes: { cluster: db }, disk: { volume: {}, directory: /mnt } }\n\
                   \x20 c: { kubernetes: { server_of: b }, disk: { volume: {} } }\n");
    insta::assert_snapshot!(refusal(&text), @r#"
    error: target "a" has a Kubernetes volume, but no server in Kubernetes
     --> plan.yaml:3:31
      |
    3 |   a: { url: "host=a", disk: { volume: {} } }
      |                               ^^^^^^
    hint: specify a `directory`, or use `kubernetes`

    error: targets.b.disk.volume: volume excludes a `directory`
     --> plan.yaml:4:45
      |
    4 |   b: { kubernetes: { cluster: db }, disk: { volume: {}, directory: /mnt } }
      |                                             ^^^^^^
    hint: keep one of the two

    error: target "c" has a volume, but uses the server of another target
     --> plan.yaml:5:46
      |
    5 |   c: { kubernetes: { server_of: b }, disk: { volume: {} } }
      |                                              ^^^^^^
    hint: move the volume to that target

    plan.yaml: 3 errors
    "#);
    let whats = explain_plan(&measuring("kubernetes: { cluster: db }")).to_string();
    assert!(whats.contains("runs fio on a file of 1GB there"), "{whats}");
}

#[test]
fn settings_of_a_whole_cluster_need_its_owners_word_and_are_no_turns() {
    let kubernetes =
        |more: &str| format!("{{ kubernetes: {{ cluster: db{more} }}, settings: {{ max_wal_size: 8GB }} }}");
    let without = of(&format!("  a: {}\n", kubernetes("")));
    insta::assert_snapshot!(refusal(&without), @r#"
    error: target "a": max_wal_size is a setting of the whole cluster, which pgdyno did not create
     --> plan.yaml:3:49
      |
    3 |   a: { kubernetes: { cluster: db }, settings: { max_wal_size: 8GB } }
      |                                                 ^^^^^^^^^^^^
    hint: with the owner's consent write `may_change: true` under `kubernetes`; it is restored at the end
    "#);
    let beside = format!("  a: {{ kubernetes: {{ cluster: db }} }}\n  b: {}\n", kubernetes(", may_change: true"));
    insta::assert_snapshot!(refusal(&of(&beside)), @r#"
    error: target "a": the settings of its server are changed for target "b"
     --> plan.yaml:3:8
      |
    3 |   a: { kubernetes: { cluster: db } }
      |        ^^^^^^^^^^
    hint: use `cluster` with `may_change: true` for both, without `server_of`
    "#);
    let by_turns = beside.replace("cluster: db }", "cluster: db, may_change: true }");
    let by_turns = format!("{}interleave: slices\n", of(&by_turns));
    insta::assert_snapshot!(refusal(&by_turns), @r#"
    error: workload "w": its sides cannot alternate within trials: target "b" changes settings of the whole server, which another target uses, too
     --> plan.yaml:8:13
      |
    8 | interleave: slices
      |             ^^^^^^
    hint: write `interleave: trials`, or remove the key, or use separate clusters
    "#);
    let good = plan(&by_turns.replace("interleave: slices", ""));
    let touches: Vec<String> = explain_plan(&good).touches.into_iter().map(|touch| touch.what).collect();
    let of_changing = touches.iter().filter(|what| what.starts_with("changes settings")).collect::<Vec<_>>();
    insta::assert_snapshot!(format!("{of_changing:?}"), @r#"["changes settings of the whole cluster, for all its users, and restores them at the end: max_wal_size"]"#);
    let of_a_pod = of("  a: { kubernetes: { pods: \"app=db\", secret: s, may_change: true } }\n");
    insta::assert_snapshot!(refusal(&of_a_pod), @r#"
    error: targets.a.kubernetes.may_change: may_change requires an existing CloudNativePG `cluster`
     --> plan.yaml:3:49
      |
    3 |   a: { kubernetes: { pods: "app=db", secret: s, may_change: true } }
      |                                                 ^^^^^^^^^^
    hint: remove it: created servers need no permission, and others without an operator have no such changes
    "#);
    let fixed = of(
        "  a: { kubernetes: { cluster: db, may_change: true }, settings: { wal_level: minimal, archive_mode: \"off\" } }\n",
    );
    insta::assert_snapshot!(refusal(&fixed), @r#"
    error: target "a": the setting archive_mode is reserved for CloudNativePG
     --> plan.yaml:3:87
      |
    3 |   a: { kubernetes: { cluster: db, may_change: true }, settings: { wal_level: minimal, archive_mode: …
      |                                                                                       ^^^^^^^^^^^^
    hint: remove it, or create the server as a `pod`, which permits it
    "#);
}

/// A plan whose load comes from a pod, or from wherever these keys say.
fn from_elsewhere(targets: &str, generators: &str) -> String {
    of(targets) + &format!("generators: {{ {generators} }}\n")
}

#[test]
fn the_load_comes_from_a_restricted_pod_that_has_passwords_by_reference_only() {
    let keys = "inside: { kubernetes: { namespace: pg, cpus: 2, node_selector: { role: load }, \
                tolerations: [dedicated=load:NoSchedule], seccomp_profile: no-io-uring.json } }";
    let targets = "  a: { kubernetes: { cluster: db, namespace: pg } }\n\
                   \x20 b: { kubernetes: { server_of: a, via: pod } }\n\
                   \x20 c: { kubernetes: { cluster: db, namespace: other } }\n\
                   \x20 d: { url: \"postgresql://u:hunter2@db/x\" }\n";
    let plan = plan(&(from_elsewhere(targets, keys) + "seed: 1\n"));
    assert_eq!(plan.clone().complete_with_defaults(0, 64).threads, Some(2), "as many as it has CPUs of its own");
    let objects = plan.load_objects(&plan.passwords_to_be_found()).expect("a pod");
    let titles: Vec<String> = objects.manifests.iter().map(Manifest::kind_and_name).collect();
    assert_eq!(titles, [format!("Job {}", objects.name), format!("Secret {}", objects.name)]);
    let all: String = objects.manifests.iter().map(|manifest| manifest.object.to_string()).collect();
    assert!(!all.contains("hunter2"), "{all}");
    let [job, secret] = &objects.manifests[..] else { unreachable!("there are two") };
    let expected = json!({ "PGDYNO_PASSWORD_3": "<password of c>", "PGDYNO_PASSWORD_4": "<password of d>" });
    assert_eq!(secret.object["stringData"], expected);
    let (spec, pod) = (&job.object["spec"], &job.object["spec"]["template"]["spec"]);
    assert_eq!((&spec["backoffLimit"], &pod["restartPolicy"]), (&json!(0), &json!("Never")));
    assert!(spec["activeDeadlineSeconds"].as_u64().is_some_and(|at_most| at_most > 86_400), "{spec}");
    let container = &pod["containers"][0];
    assert_eq!(container["resources"]["limits"], container["resources"]["requests"]);
    assert_eq!(container["resources"]["limits"]["cpu"], json!("2"));
    let referred: Vec<(&str, &str)> = container["env"]
        .as_array()
        .expect("variables")
        .iter()
        .map(|variable| {
            let of = |at: &str| variable.pointer(at).and_then(serde_json::Value::as_str).expect("a text");
            (of("/valueFrom/secretKeyRef/name"), of("/valueFrom/secretKeyRef/key"))
        })
        .collect();
    let own = objects.name.as_str();
    let expected =
        [("db-app", "password"), ("db-app", "password"), (own, "PGDYNO_PASSWORD_3"), (own, "PGDYNO_PASSWORD_4")];
    assert_eq!(referred, expected, "what is in its namespace is referred to, the rest travels in a Secret of its own");
    let profile = json!({ "type": "Localhost", "localhostProfile": "no-io-uring.json" });
    assert_eq!(pod["securityContext"]["seccompProfile"], profile);
    assert_eq!(pod["nodeSelector"], json!({ "role": "load" }));
    assert_eq!(pod["tolerations"][0]["value"], json!("load"));
    assert!(spec["template"]["metadata"]["labels"][SERVER].is_string());
}

#[test]
fn what_a_load_from_elsewhere_cannot_do_is_refused_with_the_right_way() {
    let check = |text: &str, says: &[&str]| {
        let said = refusal(text);
        says.iter().for_each(|expected| assert!(said.contains(expected), "{expected}: {said}"));
    };
    let (ssh, url) = ("near: { ssh: load@far }", "  a: { url: \"postgresql://u@db/x\" }\n");
    check(
        &from_elsewhere("  a: { local: { version: 17 } }\n", ssh),
        &[
            "target \"a\" is reachable only from this machine, not from generator \"near\"",
            "hint: use `url` or `kubernetes`, or remove `generators`",
        ],
    );
    check(
        &from_elsewhere("  a: { kubernetes: { cluster: db, via: socket } }\n", ssh),
        &["is reachable only by its socket", "hint: use `via: pod`, or remove `generators`"],
    );
    check(
        &from_elsewhere(url, "one: { kubernetes: { count: 2 } }, two: { ssh: far }"),
        &[
            "generators: found a second one, \"two\"",
            "workload \"w\": its 1 clients cannot be divided among the 2 generators of \"one\"",
            "hint: use at least 2 clients, or fewer generators",
        ],
    );
    check(
        &(from_elsewhere(url, ssh).replace("scale: 1", "scale: 1, generator: pgbench") + "observer_cost: true\n"),
        &[
            "workload \"w\": generator \"near\" supports only the load engine of pgdyno",
            "observer_cost: a remote generator does not report its throughput within a second",
        ],
    );
    check(&from_elsewhere(url, "near: {}"), &["has none of the keys \"kubernetes\" or \"ssh\""]);
}

#[test]
fn several_pods_are_one_indexed_job_that_fails_with_each_of_them() {
    let keys = "farm: { kubernetes: { count: 4, spread: node, cpus: 2 } }";
    let text = from_elsewhere("  a: { url: \"postgresql://u@db/x\" }\n", keys).replace("clients: [1]", "clients: [8]");
    let plan = plan(&(text + "seed: 1\n"));
    assert_eq!(plan.generator_count(), 4);
    let objects = plan.load_objects(&BTreeMap::new()).expect("pods");
    let [job] = &objects.manifests[..] else { panic!("one object") };
    let spec = &job.object["spec"];
    assert_eq!((&spec["completionMode"], &spec["parallelism"]), (&json!("Indexed"), &json!(4)));
    assert_eq!((&spec["completions"], &spec["backoffLimit"]), (&json!(4), &json!(0)));
    let actions: Vec<&str> = spec["podFailurePolicy"]["rules"]
        .as_array()
        .expect("rules")
        .iter()
        .map(|rule| rule["action"].as_str().expect("a word"))
        .collect();
    assert_eq!(actions, ["FailJob", "FailJob"]);
    let apart = "/template/spec/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/0";
    let apart = spec.pointer(apart).expect("they are kept apart");
    assert_eq!(apart["topologyKey"], json!("kubernetes.io/hostname"));
    assert_eq!(
        apart["labelSelector"]["matchLabels"],
        spec["template"]["metadata"]["labels"]
            .as_object()
            .map_or(json!(null), |labels| json!({ SERVER: labels[SERVER] }),)
    );
}

#[test]
fn one_pod_is_a_job_as_before_and_hosts_are_a_list() {
    let targets = "  a: { url: \"postgresql://u@db/x\" }\n";
    let one = plan(&from_elsewhere(targets, "one: { kubernetes: { spread: node } }"));
    let objects = one.load_objects(&BTreeMap::new()).expect("a pod");
    let spec = &objects.manifests[0].object["spec"];
    assert!(spec.get("completionMode").is_none() && spec.pointer("/template/spec/affinity").is_none(), "{spec}");
    let hosts = from_elsewhere(targets, "farm: { ssh: [a, bench@b] }").replace("clients: [1]", "clients: [2]");
    let hosts = plan(&hosts);
    assert_eq!(hosts.generator_count(), 2);
    let again = plan(&hosts.to_yaml());
    assert_eq!(again.generators, hosts.generators);
}

#[test]
fn sides_of_several_generators_have_whole_trials_and_a_capture_is_not_divided() {
    let text = from_elsewhere(
        "  a: { url: \"postgresql://u@db/x\" }\n  b: { url: \"postgresql://u@db/y\" }\n",
        "farm: { ssh: [a, b] }",
    )
    .replace("clients: [1]", "clients: [4]");
    let said = refusal(&(text.clone() + "interleave: slices\n"));
    assert!(said.contains("2 generators send the load, and each would end a slice at another time"), "{said}");
    assert!(said.contains("or use one generator"), "{said}");
    let plan = plan(&text);
    let interleaving = plan.interleaving_of_workload(&plan.workloads[0]);
    assert_eq!(interleaving.how.as_word(), "trials");
}

#[test]
fn a_secret_that_signs_certificates_is_refused_wherever_a_plan_names_it() {
    let signs = of("  a: { kubernetes: { cluster: db, secret: db-replication, ca: { secret: db-ca } } }\n");
    insta::assert_snapshot!(refusal(&signs), @r#"
    error: targets.a.kubernetes.secret: secret refers to a Secret with a private key, which pgdyno never reads
     --> plan.yaml:3:35
      |
    3 |   a: { kubernetes: { cluster: db, secret: db-replication, ca: { secret: db-ca } } }
      |                                   ^^^^^^
    hint: remove it, or specify a Secret with user and password

    error: targets.a.kubernetes.ca: ca refers to a Secret with a private key, which pgdyno never reads
     --> plan.yaml:3:59
      |
    3 |   a: { kubernetes: { cluster: db, secret: db-replication, ca: { secret: db-ca } } }
      |                                                           ^^
    hint: remove it, or specify an object that contains only `ca.crt`

    plan.yaml: 2 errors
    "#);
    let in_clear = of("  a: { kubernetes: { cluster: db, tls: false, ca: { config-map: trust } } }\n");
    insta::assert_snapshot!(refusal(&in_clear), @r#"
    error: targets.a.kubernetes.ca: ca requires encrypted connections
     --> plan.yaml:3:47
      |
    3 |   a: { kubernetes: { cluster: db, tls: false, ca: { config-map: trust } } }
      |                                               ^^
    hint: remove it, or remove `tls: false`
    "#);
    plan(&of("  a: { kubernetes: { cluster: db, secret: db-superuser, ca: { secret: trust } } }\n"));
}
