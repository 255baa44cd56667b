//! Keys and values as plans of earlier versions have them, which people and run directories keep, in words of today.

use super::document::{MappingEntry, Node, YamlValue};

/// Where the settings of a target are.
const TARGETS: [&[&str]; 2] = [&["targets", "*"], &["targets", "*", "variants", "*"]];
/// Where what a provider declares of a disk is.
const DISKS: [&[&str]; 2] = [&["disk"], &["targets", "*", "disk"]];
/// Where it is said how sides alternate.
const INTERLEAVED: [&[&str]; 2] = [&[], &["workloads", "*"]];

/// Gives former keys and values their names of today, where these keys have their meaning: a target may be called as a
/// former key is. A former key beside the one of today stays, and is unknown.
pub(super) fn rename_former_keys(root: &mut Node) {
    for path in TARGETS {
        root.change_entries_at(path, &mut |entries| rename_key(entries, "knobs", "settings"));
    }
    for path in DISKS {
        root.change_entries_at(path, &mut |entries| rename_key(entries, "stated", "declared"));
    }
    root.change_entries_at(&[], &mut |entries| rename_key(entries, "turn", "slice"));
    for path in INTERLEAVED {
        root.change_entries_at(path, &mut rename_turns);
    }
}

fn rename_key(entries: &mut [MappingEntry], former: &str, name: &str) {
    if entries.iter().any(|entry| entry.key == name) {
        return;
    }
    for entry in entries.iter_mut().filter(|entry| entry.key == former) {
        name.clone_into(&mut entry.key);
    }
}

fn rename_turns(entries: &mut [MappingEntry]) {
    for entry in entries.iter_mut().filter(|entry| entry.key == "interleave") {
        if entry.node.scalar_text() == Some("turns") {
            entry.node.value = YamlValue::Plain("slices".to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Plan, parse_of_run, parse_plan};

    const OF_TODAY: &str = "name: x\ntargets:\n  knobs:\n    local: { version: 17 }\n    settings: { work_mem: 8MB }\n\
                            \x20   disk: { declared: { iops: 3000 } }\n  b: { local: { version: 17 } }\n\
                            baseline: b\nworkloads: { turn: { builtin: select-only, scale: 1, interleave: slices } }\n\
                            clients: [1]\nslice: 100ms\n";

    fn read(text: &str) -> Plan {
        parse_of_run("plan.yaml", text.as_bytes()).unwrap_or_else(|errors| panic!("{errors}"))
    }

    #[test]
    fn plan_of_an_earlier_version_is_that_of_today_and_names_stay() {
        let former = OF_TODAY.replace("    settings:", "    knobs:").replace("declared:", "stated:");
        let former = former.replace("interleave: slices", "interleave: turns").replace("slice: 100ms", "turn: 100ms");
        assert_ne!(former, OF_TODAY);
        assert_eq!(read(&former), read(OF_TODAY));
        assert!(read(&former).target_by_name("knobs").is_some() && read(&former).workload_by_name("turn").is_some());
        assert_eq!(parse_plan("plan.yaml", former.as_bytes()), parse_plan("plan.yaml", OF_TODAY.as_bytes()));
    }

    #[test]
    fn a_former_key_beside_the_one_of_today_is_refused() {
        let both = OF_TODAY.replace("slice: 100ms", "slice: 100ms\nturn: 200ms");
        let errors = parse_plan("plan.yaml", both.as_bytes()).expect_err("which of them is meant?").to_string();
        assert!(errors.contains("unknown key"), "{errors}");
    }
}
