//! The experiment that would confirm a finding: a whole plan, derived from the run's own, and what to expect of it.

use std::path::Path;

use plan::{InKubernetes, Interleave, Kubernetes, Local, OfTarget, Plan, Reach, Target, Workload};

use super::case::DiagnosisCase;

/// A plan to run, with the words that go with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirm {
    /// What to change by hand, if anything, and what the plan will show if the finding is right.
    pub expect: String,
    /// What a person has to change before, where no plan can on this kind of target; the plan then measures the cell
    /// once more as it is.
    pub by_hand: Option<String>,
    /// The plan, which can be run as it is; passwords are never in it. Absent for figures of another tool,
    /// which say nothing of what to connect to.
    pub plan: Option<Plan>,
}

/// The suffix of a target that was changed.
const CHANGED: &str = "-changed";

impl Confirm {
    /// The cell once more as it is: for a cause that no plan can remove, to be run when somebody has removed it.
    pub fn repeat_unchanged(case: &DiagnosisCase<'_>, expect: &str) -> Self {
        Self::as_it_is(of_cell(case), expect)
    }

    fn as_it_is(plan: Option<Plan>, expect: &str) -> Self {
        Self { expect: expect.to_owned(), by_hand: None, plan: plan.map(made_possible) }
    }

    /// The cell beside itself with these settings changed. On a server that pgdyno did not start they are settings of
    /// the session; one that no session can have is for a person to change.
    pub fn with_settings(case: &DiagnosisCase<'_>, settings: &[(&str, &str)], expect: &str) -> Self {
        Self::with_changed_settings(of_cell(case), settings, expect)
    }

    /// The cell beside itself with the values that settings have on another side; once more as it is, where none of
    /// them was read there.
    pub fn with_settings_of_other(
        case: &DiagnosisCase<'_>,
        other: &DiagnosisCase<'_>,
        names: &[&str],
        expect: &str,
    ) -> Self {
        let mut settings = Vec::new();
        for name in names {
            if let Ok(setting) = other.server_setting(name) {
                settings.push((*name, setting.value.as_str()));
            }
        }
        if settings.is_empty() {
            return Self::repeat_unchanged(case, &format!("give both sides the same {}; {expect}", names.join(", ")));
        }
        Self::with_settings(case, &settings, expect)
    }

    /// The same with all workloads of the run: the cell may suffer from what another one leaves behind.
    pub fn with_settings_and_all_workloads(case: &DiagnosisCase<'_>, settings: &[(&str, &str)], expect: &str) -> Self {
        Self::with_changed_settings(of_target(case), settings, expect)
    }

    fn with_changed_settings(original: Option<Plan>, settings: &[(&str, &str)], expect: &str) -> Self {
        let mut plan = original.clone();
        let only_one_has_the_data = plan.as_ref().is_some_and(has_data_of_its_own);
        if let Some(plan) = &mut plan
            && let Some(mut target) = plan.targets.first().cloned()
        {
            target.name.push_str(CHANGED);
            for (name, value) in settings {
                apply_target_setting(&mut target, name, value);
            }
            of_its_own(&mut target);
            plan.targets.push(target);
        }
        let settings: Vec<String> = settings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let by_hand =
            format!("set {} on the server; then compare the new run with the original one", settings.join(", "));
        if only_one_has_the_data {
            return Self { by_hand: Some(by_hand), ..Self::as_it_is(original, expect) };
        }
        Self::if_possible(original, plan, expect, &by_hand)
    }

    /// The cell at other numbers of clients, each once and none of them 0.
    pub fn with_clients(case: &DiagnosisCase<'_>, clients: &[u32], expect: &str) -> Self {
        let mut clients = clients.to_vec();
        clients.sort_unstable();
        clients.dedup();
        let shown: Vec<String> = clients.iter().map(u32::to_string).collect();
        let by_hand = format!("set `clients: [{}]`", shown.join(", "));
        let original = of_cell(case);
        let changed = original.clone().map(|plan| Plan { clients, ..plan });
        Self::if_possible(original, changed, expect, &by_hand)
    }

    /// The cell with a second workload beside its own.
    pub fn with_workload(case: &DiagnosisCase<'_>, change: impl FnOnce(&mut Workload), expect: &str) -> Self {
        let mut plan = of_cell(case);
        if let Some(plan) = &mut plan
            && let Some(mut workload) = plan.workloads.first().cloned()
        {
            workload.name.push_str(CHANGED);
            change(&mut workload);
            plan.workloads.push(workload);
        }
        Self::if_possible(of_cell(case), plan, expect, "change the workload")
    }

    /// The cell with another workload in place of its own, to be compared with this run.
    pub fn with_replaced_workload(case: &DiagnosisCase<'_>, change: impl FnOnce(&mut Workload), expect: &str) -> Self {
        let mut plan = of_cell(case);
        if let Some(workload) = plan.as_mut().and_then(|plan| plan.workloads.first_mut()) {
            change(workload);
        }
        Self::if_possible(of_cell(case), plan, expect, "change the workload")
    }

    /// The changed plan if it is one that can be run, else the original, for a person to change the server first.
    fn if_possible(original: Option<Plan>, changed: Option<Plan>, expect: &str, by_hand: &str) -> Self {
        let changed = changed.map(made_possible);
        match changed {
            Some(plan) if plan::parse_plan("confirm.yaml", plan.to_yaml().as_bytes()).is_err() => {
                Self { by_hand: Some(by_hand.to_owned()), ..Self::as_it_is(original, expect) }
            }
            plan => Self { expect: expect.to_owned(), by_hand: None, plan },
        }
    }

    /// The plan as a file in the directory of the run that it is derived from, whose scripts it names.
    pub fn plan_yaml(&self) -> Option<String> {
        let plan = self.plan.as_ref()?;
        let names_scripts = plan.single_workloads().iter().any(|workload| workload.own_scripts().is_some());
        let place =
            if names_scripts { "# Save this file in the run directory, which contains the scripts.\n" } else { "" };
        Some(format!("{}{place}{}", self.by_hand_comment(), plan.to_yaml()))
    }

    /// The plan as a file anywhere; `run` is the whole path of the directory of the run that it is derived from.
    pub fn yaml_elsewhere(&self, run: &Path) -> Option<String> {
        let mut plan = self.plan.clone()?;
        for (_, scripts) in plan.own_scripts_mut() {
            let of_targets = scripts.target_scripts.iter_mut().flat_map(|of| &mut of.files);
            let files = scripts.files.iter_mut().chain(of_targets).map(|file| &mut file.path);
            for path in files.chain(&mut scripts.captured).chain(&mut scripts.reset) {
                *path = run.join(&*path);
            }
        }
        Some(format!("{}{}", self.by_hand_comment(), plan.to_yaml()))
    }

    fn by_hand_comment(&self) -> String {
        self.by_hand.as_ref().map_or_else(String::new, |by_hand| format!("# First, by hand: {by_hand}.\n"))
    }
}

/// Gives a target a setting in place of what it has: the server's, where pgdyno makes it, else its sessions'.
fn apply_target_setting(target: &mut Target, name: &str, value: &str) {
    let is_target_setting = target.settings.keys().any(|setting| setting.eq_ignore_ascii_case(name));
    let given = match &mut target.reach {
        Reach::Local(local) if !is_target_setting => &mut local.settings,
        Reach::Local(_) | Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_) => &mut target.settings,
    };
    given.retain(|other, _| !other.eq_ignore_ascii_case(name));
    given.insert(name.to_owned(), value.to_owned());
}

/// Whether scripts work on tables of their own that lie in a directory which was there, so that a server beside it has
/// none.
fn has_data_of_its_own(plan: &Plan) -> bool {
    plan.single_workloads().iter().any(|workload| workload.own_scripts().is_some_and(|own| own.tables.is_none()))
        && plan
            .targets
            .iter()
            .any(|target| matches!(&target.reach, Reach::Local(local) if local.data_directory.is_some()))
}

/// What a target cannot have in common with the one that it is a copy of.
fn of_its_own(target: &mut Target) {
    let Reach::Local(local) = &mut target.reach else { return };
    if let Some(directory) = &mut local.data_directory {
        directory.as_mut_os_string().push(CHANGED);
        local.keep = false;
    }
}

/// The plan without what only the run that it is derived from could have: turns where they cannot be, and room for
/// fewer clients than it has now.
fn made_possible(mut plan: Plan) -> Plan {
    let workloads = plan.workloads.iter().map(|workload| match workload.interleave.or(plan.interleave) {
        Some(Interleave::FrozenSlices) => plan.no_frozen_turns(workload).is_some(),
        Some(Interleave::Slices | Interleave::Trials) | None => plan.no_turns(workload).is_some(),
    });
    let none: Vec<bool> = workloads.collect();
    if none.contains(&true) && plan.interleave.is_some_and(Interleave::is_by_slices) {
        plan.interleave = None;
    }
    for (workload, none) in plan.workloads.iter_mut().zip(none) {
        if none && workload.interleave.is_some_and(Interleave::is_by_slices) {
            workload.interleave = None;
        }
    }
    plan.with_room_for_clients()
}

/// A target of the plan that needs no other: on a shared server, one with a server of its own of the same kind.
fn by_itself(plan: &Plan, target: &Target) -> Target {
    let reach = match &target.reach {
        Reach::Shared(shared) => match plan.target_by_name(&shared.server_of).map(|owner| &owner.reach) {
            Some(Reach::Local(owner)) => Reach::Local(Local { way: shared.way, ..owner.clone() }),
            Some(Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_)) | None => target.reach.clone(),
        },
        Reach::Kubernetes(Kubernetes { server: InKubernetes::ServerOf(OfTarget(owner)), via, tls, .. }) => {
            match plan.target_by_name(owner).map(|owner| &owner.reach) {
                Some(Reach::Kubernetes(owner)) => {
                    Reach::Kubernetes(Kubernetes { via: via.clone(), tls: *tls, ..owner.clone() })
                }
                Some(Reach::Url(_) | Reach::Local(_) | Reach::Shared(_)) | None => target.reach.clone(),
            }
        }
        Reach::Url(_) | Reach::Kubernetes(_) | Reach::Local(_) => target.reach.clone(),
    };
    Target { reach, ..target.clone() }
}

/// The run's plan with nothing in it but the cell.
fn of_cell(case: &DiagnosisCase<'_>) -> Option<Plan> {
    let mut plan = of_target(case)?;
    plan.workloads.retain(|workload| workload.name == case.cell().workload);
    Some(plan)
}

/// The run's plan with nothing in it but the target and the number of clients of the cell.
fn of_target(case: &DiagnosisCase<'_>) -> Option<Plan> {
    let (plan, cell) = (case.run_plan()?, case.cell());
    Some(Plan {
        name: format!("Confirm: {}", plan.name),
        targets: plan.target_by_name(&cell.target).map(|target| by_itself(plan, target)).into_iter().collect(),
        workloads: plan.workloads.iter().map(|workload| workload.clone().on_target_alone(&cell.target)).collect(),
        compare: Vec::new(),
        ladder: Vec::new(),
        baseline: cell.target.clone(),
        clients: vec![case.client_count()],
        noise_floor: false,
        probes: true,
        disk: None,
        seed: None,
        ..plan.clone()
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use plan::{Plan, Reach, parse_plan};

    use super::*;
    use crate::diagnose::built::Built;

    fn on(target: &str) -> Built {
        Built::healthy().target(target)
    }

    fn confirmed(built: &Built, confirm: impl FnOnce(&DiagnosisCase<'_>) -> Confirm) -> (Confirm, Plan) {
        let confirm = built.of_last(confirm);
        let yaml = confirm.yaml_elsewhere(Path::new("/runs/x")).expect("there is a plan");
        let read = parse_plan("confirm.yaml", yaml.as_bytes()).unwrap_or_else(|errors| panic!("{errors}\n{yaml}"));
        (confirm, read)
    }

    #[test]
    fn a_setting_that_a_target_can_have_is_in_the_plan() {
        let cases = [
            ("{ local: { version: 17 } }", "wal_buffers"),
            ("{ local: { version: 17 } }", "jit"),
            ("{ local: { version: 17, settings: { WAL_buffers: 1MB } } }", "wal_buffers"),
            ("{ local: { version: 17, data_directory: /srv/a, keep: true } }", "wal_buffers"),
            ("{ local: { version: 17 }, settings: { jit: on } }", "jit"),
            ("{ url: \"postgresql://b@h/d\" }", "jit"),
            ("{ url: \"postgresql://b@h/d\", may_change: [settings, restart], agent: { ssh: h } }", "wal_buffers"),
        ];
        for (target, name) in cases {
            let value = if name == "jit" { "off" } else { "64MB" };
            let (confirm, plan) =
                confirmed(&on(target), |case| Confirm::with_settings(case, &[(name, value)], "it helps"));
            assert_eq!((confirm.by_hand, plan.targets.len()), (None, 2), "{target}");
            let changed = &plan.targets[1];
            let of_server = match &changed.reach {
                Reach::Local(local) => local.settings.get(name),
                Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_) => None,
            };
            assert_eq!(of_server.or(changed.settings.get(name)).map(String::as_str), Some(value), "{target}");
        }
    }

    #[test]
    fn a_setting_that_only_a_person_can_change_is_told_with_the_cell_once_more() {
        let own_data =
            on("{ local: { version: 17, data_directory: /srv/a } }").workload("{ script: [scripts/read/t.sql] }");
        for built in [on("{ url: \"postgresql://b@h/d\" }"), own_data] {
            let (confirm, plan) =
                confirmed(&built, |case| Confirm::with_settings(case, &[("wal_buffers", "64MB")], "it helps"));
            assert_eq!(plan.targets.len(), 1);
            assert!(confirm.by_hand.expect("a person has to").contains("wal_buffers = 64MB"));
            assert_eq!(confirm.plan.map(|plan| plan.baseline).as_deref(), Some("db"));
        }
    }

    #[test]
    fn other_workloads_of_the_run_stay_where_the_cell_may_suffer_from_them() {
        let workloads = "{ builtin: select-only, scale: 100 }, write: { builtin: simple-update, scale: 1 }";
        let built = on("{ local: { version: 17 } }").workload(workloads);
        let names = |of: fn(&DiagnosisCase<'_>, &[(&str, &str)], &str) -> Confirm| -> Vec<String> {
            let plan = confirmed(&built, |case| of(case, &[("autovacuum", "off")], "no dips")).1;
            plan.workloads.into_iter().map(|workload| workload.name).collect()
        };
        assert_eq!(names(Confirm::with_settings), ["read"]);
        assert_eq!(names(Confirm::with_settings_and_all_workloads), ["read", "write"]);
    }

    #[test]
    fn scripts_are_named_from_the_run_and_more_clients_have_room() {
        let built = on("{ local: { version: 17 } }").workload("{ script: [scripts/read/t.sql@3] }");
        let (_, plan) = confirmed(&built, |case| Confirm::with_clients(case, &[4, 400], "it grows"));
        let own = plan.workloads[0].own_scripts().expect("it has scripts");
        assert_eq!(own.files[0].to_string(), "/runs/x/scripts/read/t.sql@3");
        let Reach::Local(local) = &plan.targets[0].reach else { panic!("it is local") };
        assert_eq!(local.settings.get("max_connections").map(String::as_str), Some("450"));
    }
}
