//! Limits of local servers: read back as themselves, refused where they cannot be, and whether they fit a machine.

use super::super::difference::AllowedDifference;
use super::super::{Plan, explain_plan};
use super::{plan, refusal};

/// A plan of these targets.
fn with_targets(targets: &str) -> String {
    format!(
        "name: x\ntargets:\n{targets}baseline: a\nclients: [1]\nworkloads: {{ w: {{ builtin: select-only, scale: 1 }} }}\n"
    )
}

/// A plan of one local server with these limits, and these further keys.
fn limited(limits: &str, more: &str) -> String {
    with_targets(&format!("  a: {{ local: {{ version: 17 }}, limits: {limits}{more} }}\n"))
}

#[test]
fn limits_are_read_and_written_back_as_themselves() {
    for (limits, more) in [
        ("{ cpus: 0.5 }", ""),
        ("{ pin: \"2-3\", memory: 1GB }", ""),
        ("{ pin: 0 }", ""),
        ("{ read_iops: 300, write_iops: 200, read_bandwidth: 55MB/s, write_bandwidth: 55MB/s }", ""),
        ("{ read_ahead: 0, io_scheduler: none }", ", filesystem: { type: ext4 }"),
    ] {
        let read = plan(&limited(limits, more));
        assert!(read.targets[0].machine.limits.is_some(), "{limits}");
        assert_eq!(plan(&read.to_yaml()), read, "{}", read.to_yaml());
    }
    let network =
        "  a: { local: { version: 17, via: veth }, limits: { network_latency: 1ms, network_bandwidth: 10MB/s } }\n";
    let read = plan(&with_targets(network));
    assert_eq!(plan(&read.to_yaml()), read, "{}", read.to_yaml());
}

#[test]
fn limits_of_a_variant_replace_those_of_its_target_and_may_differ() {
    let of = |variant: &str| {
        let variants = format!("variants: {{ v: {{ {variant} }} }}");
        plan(&with_targets(&format!(
            "  a: {{ local: {{ version: 17 }}, limits: {{ cpus: 1, memory: 1GB }}, {variants} }}\n"
        )))
    };
    let limits = |plan: &Plan| plan.targets[1].machine.limits.as_ref().expect("limits").to_string();
    assert_eq!(limits(&of("limits: { cpus: 2 }")), "cpus 2");
    assert_eq!(limits(&of("settings: { work_mem: 8MB }")), "cpus 1, memory 1GB");
    let may = |plan: &Plan| plan.allowed_differences().contains(&AllowedDifference::Fact("CPU limit (cgroup)"));
    assert!(may(&of("limits: { cpus: 2 }")) && !may(&of("settings: { work_mem: 8MB }")));
    let touched = explain_plan(&of("limits: { cpus: 2 }")).to_string();
    assert!(touched.contains("a/v: as root: limits the server by control groups or its route (cpus 2)"), "{touched}");
}

#[test]
fn limits_that_cannot_be_are_refused_by_name_with_what_to_write() {
    for (limits, more, said, hint) in [
        ("{ cpu: 2 }", "", "unknown key \"cpu\" in targets.a.limits", "did you mean \"cpus\"?"),
        ("{ cpus: 0 }", "", "limits.cpus", "from 0.01"),
        ("{ pin: 3-2 }", "", "limits.pin: found \"3-2\", not a list of CPUs", "like \"2-3\""),
        ("{ memory: 1 }", "", "limits.memory", "1"),
        ("{ memory: 64MB }", "", "limits.memory (64MB) does not hold its shared_buffers (128 MB)", "raise the limit"),
        ("{ read_iops: 300/s }", "", "limits.read_iops", ""),
        ("{ read_bandwidth: 55 }", "", "limits.read_bandwidth", ""),
        (
            "{ network_latency: 1ms }",
            "",
            "limits.network_latency requires a route through a network namespace",
            "via: veth",
        ),
        ("{ read_ahead: 0 }", "", "limits.read_ahead requires a device of its own", "filesystem: { type: ext4 }"),
        ("1 CPU", "", "limits", ""),
    ] {
        let refused = refusal(&limited(limits, more));
        assert!(refused.contains(said) && refused.contains(hint), "{limits}: {refused}");
    }
    let of_url = refusal(&with_targets("  a: { url: \"host=b\", limits: { cpus: 1 } }\n"));
    assert!(of_url.contains("target \"a\": limits requires a server that pgdyno creates"), "{of_url}");
    let shared = refusal(&with_targets(
        "  a: { local: { version: 17 }, limits: { cpus: 1 } }\n  b: { shared: { server_of: a, via: tcp, cpus: 0.5 } }\n",
    ));
    assert!(shared.contains("limits exclude `cpus` of a route, as of target \"b\""), "{shared}");
    let own = refusal(&with_targets(
        "  a: { local: { version: 17 } }\n  b: { shared: { server_of: a, via: tcp }, limits: { cpus: 1 } }\n",
    ));
    assert!(own.contains("target \"b\": limits requires a separate server"), "{own}");
    let standby = refusal(&with_targets("  a: { local: { version: 17, standby: streaming }, limits: { cpus: 1 } }\n"));
    assert!(standby.contains("`limits` is not possible with a standby"), "{standby}");
}

#[test]
fn explanation_says_whether_all_limited_servers_fit_the_machine() {
    let three = plan(&with_targets(
        "  a: { local: { version: 17 }, limits: { cpus: 1.5, memory: 2GB } }\n  \
         b: { local: { version: 17 }, limits: { cpus: 1, memory: 1GB } }\n  c: { local: { version: 17 }, limits: { cpus: 0.5 } }\n",
    ));
    let small = three.limits_in_machine(2, 2 << 30).join("\n");
    assert!(small.contains("1.5 + 1 + 0.5, together 3; they do not fit into this machine (2 CPUs)"), "{small}");
    assert!(
        small.contains("together 3.0 GiB; they do not fit into this machine (2.0 GiB); 1 server has no such limit"),
        "{small}"
    );
    let large = three.limits_in_machine(8, 8 << 30).join("\n");
    assert!(
        large.contains("they fit into this machine (8 CPUs)") && large.contains("they fit into this machine (8.0 GiB)"),
        "{large}"
    );
    assert!(plan(&with_targets("  a: { local: { version: 17 } }\n")).limits_in_machine(2, 1 << 30).is_empty());
}
