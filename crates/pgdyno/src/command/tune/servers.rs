//! The servers of a tuning as plans: the one that is tuned by itself, and two of its kind beside each other. Pure.

use std::collections::BTreeSet;
use std::time::Duration;

use plan::{BlockRepetition, ComparisonEnd, Plan, Reach, Target};
use results::tuning::SettingsChange;

use problem::Problem;

/// The target that is tuned, the plan's baseline or the one of this name.
pub(super) fn target_to_tune(plan: &Plan, name: Option<&str>) -> Result<Target, Problem> {
    let name = name.unwrap_or(&plan.baseline);
    let target = plan.target_by_name(name).ok_or_else(|| {
        let names: Vec<&str> = plan.targets.iter().map(|target| target.name.as_str()).collect();
        Problem::usage_error(format!("the plan has no target {name:?}"))
            .hint(format!("its targets are {}", names.join(", ")))
    })?;
    match target.reach {
        Reach::Local(_) => Ok(target.clone()),
        Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_) => Err(Problem::usage_error(format!(
            "target {name:?} cannot be tuned"
        ))
        .detail("tuning restarts servers with other settings, and it restarts only servers that pgdyno created")
        .hint("tune a `local` target with the settings of your server, then apply the kept changes to your server")),
    }
}

/// The server with a change over what it has.
pub(super) fn target_with_change(target: &Target, change: &SettingsChange, name: String) -> Target {
    let mut target = Target { name, ..target.clone() };
    if let Reach::Local(local) = &mut target.reach {
        local.settings.extend(change.settings.clone());
    }
    target.settings.retain(|name, _| !change.settings.contains_key(name));
    target.machine.sysctl.extend(change.sysctl.clone());
    target
}

/// One server by itself: what a diagnosis needs, and no comparison.
pub(super) fn plan_for_diagnosis(plan: &Plan, target: &Target, name: String) -> Plan {
    let blocks = BlockRepetition { at_most: plan.blocks.at_least, ..plan.blocks };
    Plan { blocks, ..plan_of_targets(plan, vec![target.clone()], name) }
}

/// Two servers in blocks, until there is a verdict or the time is over.
pub(super) fn plan_for_comparison(plan: &Plan, best: &Target, other: &Target, name: String, at_most: Duration) -> Plan {
    let at_most_time = plan.blocks.at_most_time.map_or(at_most, |time| time.min(at_most));
    let blocks = BlockRepetition { until: ComparisonEnd::Verdict, at_most_time: Some(at_most_time), ..plan.blocks };
    Plan { blocks, ..plan_of_targets(plan, vec![best.clone(), other.clone()], name) }
}

fn plan_of_targets(plan: &Plan, targets: Vec<Target>, name: String) -> Plan {
    Plan {
        name,
        baseline: targets[0].name.clone(),
        targets,
        compare: Vec::new(),
        ladder: Vec::new(),
        // What the servers are given unlike is what is compared; nothing else may differ.
        may_differ: BTreeSet::new(),
        noise_floor: false,
        // Without them nothing can be found.
        probes: true,
        disk: None,
        events: Vec::new(),
        ..plan.clone()
    }
}

/// The settings as a file that PostgreSQL includes.
pub(super) fn postgresql_conf(change: &SettingsChange) -> String {
    change.settings.iter().map(|(name, value)| format!("{name} = '{}'\n", value.replace('\'', "''"))).collect()
}

/// The values of the kernel as a file for sysctl(8).
pub(super) fn sysctl_conf(change: &SettingsChange) -> String {
    change.sysctl.iter().map(|(name, value)| format!("{name} = {value}\n")).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const PLAN: &str = "name: t\ntargets:\n  pg: { local: { version: 17, settings: { max_wal_size: 32MB } }, settings: { work_mem: 1MB } }\n  \
                        far: { url: postgresql://h/d }\nbaseline: pg\nworkloads: { w: { builtin: tpcb-like, scale: 1 } }\nclients: [2]\n";

    fn plan() -> Plan {
        plan::parse_plan("t.yaml", PLAN.as_bytes()).unwrap_or_else(|errors| panic!("{errors}"))
    }

    fn change() -> SettingsChange {
        let settings = [("max_wal_size", "8GB"), ("work_mem", "64MB")];
        SettingsChange {
            settings: settings.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
            sysctl: BTreeMap::from([("vm.dirty_bytes".to_owned(), "9".to_owned())]),
        }
    }

    #[test]
    fn a_round_is_a_plan_that_can_be_run_and_has_the_change_on_one_side_only() {
        let (plan, best) = (plan(), target_to_tune(&plan(), None).unwrap());
        let round = plan_for_comparison(
            &plan,
            &best,
            &target_with_change(&best, &change(), "pg-round-1".to_owned()),
            "x".to_owned(),
            Duration::from_secs(600),
        );
        let read =
            plan::parse_plan("round.yaml", round.to_yaml().as_bytes()).unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!((read.baseline.as_str(), read.targets.len()), ("pg", 2));
        let [one, other] = &read.targets[..] else { panic!("two") };
        let settings = |target: &Target| match &target.reach {
            Reach::Local(local) => local.settings.clone(),
            _ => panic!("a local one"),
        };
        assert_eq!((settings(one)["max_wal_size"].as_str(), settings(other)["max_wal_size"].as_str()), ("32MB", "8GB"));
        assert!(other.settings.is_empty() && one.machine.sysctl.is_empty() && other.machine.sysctl.len() == 1);
        let look = plan_for_diagnosis(&plan, &best, "y".to_owned());
        assert_eq!((look.targets.len(), look.blocks.at_most), (1, look.blocks.at_least));
    }

    #[test]
    fn what_pgdyno_did_not_make_and_what_is_not_there_is_not_tuned() {
        assert!(target_to_tune(&plan(), Some("far")).unwrap_err().to_string().contains("cannot be tuned"));
        assert!(target_to_tune(&plan(), Some("pf")).unwrap_err().to_string().contains("its targets are pg, far"));
    }

    #[test]
    fn a_file_to_apply_quotes_as_postgresql_reads() {
        let mut change = change();
        change.settings.insert("archive_command".to_owned(), "it's".to_owned());
        assert_eq!(postgresql_conf(&change), "archive_command = 'it''s'\nmax_wal_size = '8GB'\nwork_mem = '64MB'\n");
        assert_eq!(sysctl_conf(&change), "vm.dirty_bytes = 9\n");
    }
}
