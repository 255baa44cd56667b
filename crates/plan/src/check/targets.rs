//! What a target can be given: names, data directories, settings, and what is changed of the machine.

use std::path::{Component, Path, PathBuf};

use conninfo::holds_password;

use super::super::PlanPurpose;
use super::super::cache::Cache;
use super::super::consent::Consent;
use super::super::document::Span;
use super::super::error::{PlanFinding, value_for_message};
use super::super::kubernetes::{InKubernetes, Kubernetes};
use super::super::language::{PlanReadingFindings, SettingsByName};
use super::super::made::Made;
use super::super::target::{Local, Reach, Target, Via};
use super::Checked;
use super::consents;
use super::limits;
use super::settings::{self, Refused, Unsettable, needs_restart};

pub(super) fn check_targets(of: &Checked<'_>, found: &mut PlanReadingFindings) {
    found.extend(duplicate_target_names(of));
    found.extend(data_directories(of));
    found.extend(mixed_currencies(of));
    for target in &of.plan.targets {
        given_settings(of, target, found);
        match &target.reach {
            Reach::Url(_) | Reach::Kubernetes(_) => of_found_server(of, target, found),
            Reach::Local(local) => {
                found.extend(kept_on_an_image(of, target, local));
                found.extend(beside_a_standby(of, target, local));
            }
            Reach::Shared(_) => {}
        }
        consents::check_consents(of, target, found);
        found.extend(check_replicas(of, target));
        found.extend(check_agent(of, target));
        found.extend(check_restored_data(of, target));
        found.extend(check_volume(of, target));
        found.extend(too_small(of, target));
        found.extend(huge_pages_twice(of, target));
        limits::check_limits(of, target, found);
    }
}

/// Data are restored only into servers that are made here.
fn check_restored_data(of: &Checked<'_>, target: &Target) -> Option<PlanFinding> {
    target.data.as_ref()?;
    if matches!(target.reach, Reach::Local(_)) {
        return None;
    }
    let message = format!("target \"{}\" has `data`, which is for `local` servers", target.name);
    let hint = "restore the dump into the server yourself, and remove `data`";
    Some(PlanFinding::new(of.target_value_span(&target.name, &["data"]), message).hint(hint))
}

fn duplicate_target_names(of: &Checked<'_>) -> PlanReadingFindings {
    let names = of.target_names();
    let again = names.iter().enumerate().filter(|(at, (name, _))| names[..*at].iter().any(|(first, _)| first == name));
    let finding = |(_, (name, span)): (usize, &(String, Span))| {
        PlanFinding::new(*span, format!("two targets would have the name {}", value_for_message(name)))
            .hint("rename the variant or the target")
    };
    again.map(finding).collect()
}

/// Prices in two currencies, which nobody here can compare.
fn mixed_currencies(of: &Checked<'_>) -> Option<PlanFinding> {
    let mut priced = of.plan.targets.iter().filter_map(|target| Some((target, target.cost.as_ref()?.currency)));
    let (first, common) = priced.next()?;
    let (other, found) = priced.find(|(_, currency)| *currency != common)?;
    let message = format!("target \"{}\" has its price in {found}, \"{}\" in {common}", other.name, first.name);
    let span = of.target_value_span(&other.name, &["cost", "currency"]);
    Some(PlanFinding::new(span, message).hint("give both prices in one currency"))
}

fn data_directories(of: &Checked<'_>) -> PlanReadingFindings {
    let mut findings = Vec::new();
    let mut seen: Vec<(PathBuf, &str, Span)> = Vec::new();
    for Target { name, reach, .. } in &of.plan.targets {
        let Some(directory) = reach.data_directory() else { continue };
        let (directory, span) = (normalize_path(directory), of.target_value_span(name, &["local", "data_directory"]));
        let clash = seen.iter().find(|(other, ..)| directory.starts_with(other) || other.starts_with(&directory));
        if let Some((_, other, first)) = clash {
            let message = format!("targets \"{other}\" and \"{name}\" would share a data directory");
            findings.push(
                PlanFinding::new(span, message)
                    .detail(format!("that of \"{other}\" is in line {}", first.start.line))
                    .hint("give each target its own directory, neither inside the other"),
            );
        }
        seen.push((directory, name, span));
    }
    findings
}

/// A path without `.` and with `..` resolved by its text alone: what lies on the disk is not looked at.
fn normalize_path(text: &Path) -> PathBuf {
    let mut path = PathBuf::new();
    for component in text.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if path.file_name().is_some() => {
                path.pop();
            }
            Component::ParentDir | Component::Normal(_) | Component::RootDir | Component::Prefix(_) => {
                path.push(component);
            }
        }
    }
    path
}

/// A volume beside no server of a cluster, or beside one whose volume is another target's.
fn check_volume(of: &Checked<'_>, Target { name, reach, disk, .. }: &Target) -> Option<PlanFinding> {
    disk.volume.as_ref()?;
    let (why, hint) = match (reach, reach.server_of()) {
        (_, Some(_)) => ("has a volume, but uses the server of another target", "move the volume to that target"),
        (Reach::Kubernetes(_), None) => return None,
        (Reach::Url(_) | Reach::Local(_) | Reach::Shared(_), None) => {
            ("has a Kubernetes volume, but no server in Kubernetes", "specify a `directory`, or use `kubernetes`")
        }
    };
    Some(PlanFinding::new(of.target_key_span(name, &["disk", "volume"]), format!("target \"{name}\" {why}")).hint(hint))
}

/// A file system that is made for the data of the workloads, and does not hold them.
fn too_small(of: &Checked<'_>, target: &Target) -> Option<PlanFinding> {
    let bytes = target.machine.filesystem?.size.size_bytes();
    let [data, room] = [of.plan.data_bytes(), bytes].map(|bytes| bytes as f64 / (1_u64 << 30) as f64);
    let message = format!(
        "target \"{}\": its file system of {room:.1} GiB is too small for the data of the workloads, about \
                 {data:.1} GiB",
        target.name
    );
    (data > room).then(|| {
        PlanFinding::new(of.target_value_span(&target.name, &["filesystem", "size"]), message)
            .hint("use smaller scales, or a larger file system")
    })
}

fn given_settings(of: &Checked<'_>, planned: &Target, found: &mut PlanReadingFindings) {
    let Target { name: target, reach, settings: target_settings, .. } = planned;
    let none = SettingsByName::new();
    let (settings, path_of_settings) = match reach {
        Reach::Local(local) => (&local.settings, vec!["local", "settings"]),
        Reach::Kubernetes(Kubernetes { server: InKubernetes::Create(made), .. }) => {
            (&made.server_options().parameters, vec!["kubernetes", "create", made.plan_key(), "parameters"])
        }
        Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_) => (&none, Vec::new()),
    };
    let given =
        settings.iter().map(|setting| (false, setting)).chain(target_settings.iter().map(|setting| (true, setting)));
    for (is_of_target, (name, value)) in given {
        let above = if is_of_target { &["settings"][..] } else { &path_of_settings };
        let path: &[&str] = &[above, &[name]].concat();
        // Settings are read back into the run directory, where no secret may stand.
        if holds_password(value) {
            let message = format!("target \"{target}\": the setting {name} contains a password");
            let finding = PlanFinding::new(of.target_value_span(target, path), message);
            found.push(finding.hint("use a password file instead: passfile=…"));
        }
        match planned.unsettable_reason(name) {
            Some(why) => found.push(unsettable_finding(of.target_key_span(target, path), target, name, why)),
            None if of.what_for == PlanPurpose::ToBeRun => {
                found.extend(refused_setting(of, planned, path, name, value));
            }
            None => {}
        }
        if let Some(setting) = settings.keys().find(|setting| is_of_target && setting.eq_ignore_ascii_case(name)) {
            let line = of.target_key_span(target, &[&path_of_settings[..], &[setting]].concat()).start.line;
            let message = format!(
                "target \"{target}\": {} is in `settings` of the target and of the server",
                value_for_message(name)
            );
            let hint = "keep one of the two: those of the server for what all targets share, those of the target for what you compare";
            let finding = PlanFinding::new(of.target_key_span(target, path), message);
            found.push(finding.detail(format!("the setting is in line {line}")).hint(hint));
        }
    }
}

/// A setting that no server has, or not with this value.
fn refused_setting(of: &Checked<'_>, planned: &Target, path: &[&str], name: &str, value: &str) -> Option<PlanFinding> {
    let target = &planned.name;
    let (what, why, hint) = settings::refuse_setting(planned, name, value)?;
    let finding = match what {
        Refused::Name => PlanFinding::new(of.target_key_span(target, path), format!("target \"{target}\": {why}")),
        Refused::Value => {
            let message = format!("target \"{target}\": the value {} of {name} {why}", value_for_message(value));
            PlanFinding::new(of.target_value_span(target, path), message)
        }
    };
    Some(PlanFinding { hint, ..finding })
}

fn unsettable_finding(at: Span, target: &str, name: &str, why: Unsettable) -> PlanFinding {
    let name = name.to_lowercase();
    match why {
        Unsettable::Reserved => {
            let message = format!("target \"{target}\": the setting {name} of a local server is reserved for pgdyno");
            PlanFinding::new(at, message).hint(match name.as_str() {
                "data_directory" => "use the key `data_directory` of the local server",
                "listen_addresses" => "use `via: tcp` or `via: unix`",
                _ => "remove it: pgdyno needs it to find the server, its files and its log",
            })
        }
        Unsettable::OfTheServer => {
            let message =
                format!("target \"{target}\": {name} is a setting of the whole server, which pgdyno did not start");
            let finding = PlanFinding::new(at, message);
            finding
                .detail("without `may_change`, settings of an existing server are settings of the load's sessions")
                .hint(if needs_restart(&name) {
                    "with the owner's consent add `may_change: [settings, restart]` and an `agent`; or change it \
                     there, or use `local`"
                } else {
                    "with the owner's consent add `may_change: [settings]` and an `agent`; or change it there, or use \
                     `local`"
                })
        }
        Unsettable::OfAStart => {
            let message = format!("target \"{target}\": {name} requires a restart of the server");
            PlanFinding::new(at, message)
                .hint("with the owner's consent add `restart` to `may_change`: all sessions end")
        }
        Unsettable::ByWhichItIsFound => {
            let message = format!("target \"{target}\": pgdyno needs {name} to find, log in to or read the server");
            PlanFinding::new(at, message).hint("remove it: with another value the server might be unreachable")
        }
        Unsettable::OfTheCluster => {
            let message =
                format!("target \"{target}\": {name} is a setting of the whole cluster, which pgdyno did not create");
            let hint = "with the owner's consent write `may_change: true` under `kubernetes`; it is restored at the \
                        end";
            PlanFinding::new(at, message).hint(hint)
        }
        Unsettable::OfTheOperator => {
            let message = format!("target \"{target}\": the setting {name} is reserved for CloudNativePG");
            PlanFinding::new(at, message).hint("remove it, or create the server as a `pod`, which permits it")
        }
        Unsettable::OfASharedServer => {
            let message =
                format!("target \"{target}\": {name} is a setting of the whole server, which other targets share");
            PlanFinding::new(at, message).hint("use a separate server for this target (`local`)")
        }
    }
}

/// As many replicas as have to confirm a commit.
fn check_replicas(of: &Checked<'_>, Target { name, reach, .. }: &Target) -> Option<PlanFinding> {
    let Reach::Kubernetes(kubernetes) = reach else { return None };
    let Made::Cnpg(cluster) = kubernetes.server_to_make()? else { return None };
    let replicas = cluster.instances - 1;
    let message =
        format!("target \"{name}\": synchronous is {}, but there are {replicas} replicas", cluster.synchronous);
    let span = of.target_value_span(name, &["kubernetes", "create", "cnpg", "synchronous"]);
    (cluster.synchronous > replicas).then(|| PlanFinding::new(span, message).hint("increase `instances`"))
}

/// The host of a server that pgdyno makes is this one.
fn check_agent(of: &Checked<'_>, Target { name, reach, agent, .. }: &Target) -> Option<PlanFinding> {
    agent.as_ref().filter(|_| reach.is_here())?;
    let message = format!("targets.{name}.agent: the server runs on this machine, which needs no agent");
    Some(PlanFinding::new(of.target_key_span(name, &["agent"]), message).hint("remove it"))
}

/// What a server that pgdyno did not start cannot be given.
fn of_found_server(of: &Checked<'_>, target: &Target, found: &mut PlanReadingFindings) {
    let Target { name, cache, .. } = target;
    const SYSCTL: &str = "an existing server may run on another machine, whose kernel pgdyno does not change";
    for (key, why) in [
        ("filesystem", "pgdyno does not move the data of an existing server"),
        ("huge_pages", "pgdyno does not change the shared memory of an existing server"),
        ("limits", "pgdyno does not limit an existing server, nor one in Kubernetes, which has `resources`"),
        ("sysctl", SYSCTL),
    ] {
        let by_consent = key == "sysctl" && target.has_consent_for(Consent::Sysctl);
        if let Some(entry) = of.first_target_entry(name, &[&[key]]).filter(|_| !by_consent) {
            let message = format!("target \"{name}\": {key} requires a server that pgdyno creates");
            let hint = if key == "sysctl" && target.reach.is_url() {
                "with the owner's consent add `may_change: [sysctl]` and an `agent`; or use `local`, or remove the key"
            } else {
                "use `local`, or remove the key"
            };
            found.push(PlanFinding::new(entry.key_span, message).detail(why).hint(hint));
        }
    }
    if target.has_consent_for(Consent::Restart) && target.has_consent_for(Consent::Cache) {
        return;
    }
    let span = match cache {
        Some(Cache::Cold) => of.target_value_span(name, &["cache"]),
        Some(Cache::AsIs | Cache::Warm) => return,
        None => match of.plan.workloads.iter().find(|workload| workload.cache == Cache::Cold) {
            Some(workload) => of.workload_value(&workload.name, &["cache"]),
            None => return,
        },
    };
    let finding =
        PlanFinding::new(span, format!("target \"{name}\": a cold cache requires a server that pgdyno creates"));
    found.push(finding.detail("pgdyno does not restart an existing server and does not evict its files").hint(
        if target.reach.is_url() {
            "with the owner's consent add `may_change: [restart, cache]` and an `agent`; or use `local`, or `cache: \
             warm`"
        } else {
            "use `local`, or `cache: warm`"
        },
    ));
}

fn kept_on_an_image(of: &Checked<'_>, target: &Target, local: &Local) -> Option<PlanFinding> {
    target.machine.filesystem.filter(|_| local.keep)?;
    let message = format!("target \"{}\": data on a separate file system cannot be kept", target.name);
    let finding = PlanFinding::new(of.target_key_span(&target.name, &["filesystem"]), message);
    Some(finding.detail("its image is removed at the end").hint("remove `keep` or `filesystem`"))
}

/// What only one of two servers could have.
fn beside_a_standby(of: &Checked<'_>, target: &Target, local: &Local) -> Option<PlanFinding> {
    local.standby?;
    let Target { name, machine, .. } = target;
    let of_way = [
        ("via", !matches!(local.way.via, Via::Unix | Via::Tcp)),
        ("pgbouncer", local.way.pgbouncer),
        ("cpus", local.way.cpus.is_some()),
        ("data_directory", local.data_directory.is_some()),
        ("wal_directory", local.wal_directory.is_some()),
        ("keep", local.keep),
    ];
    let of_machine = [
        ("filesystem", machine.filesystem.is_some()),
        ("huge_pages", machine.huge_pages == Some(true)),
        ("limits", machine.limits.is_some()),
    ];
    let in_local =
        of_way.into_iter().find(|(_, given)| *given).map(|(key, _)| (key, of.target_key_span(name, &["local", key])));
    let refused = in_local.or_else(|| {
        of_machine.into_iter().find(|(_, given)| *given).map(|(key, _)| (key, of.target_key_span(name, &[key])))
    });
    let (key, span) = refused?;
    let message = format!("target \"{name}\": `{key}` is not possible with a standby");
    let finding = PlanFinding::new(span, message).detail("after a promotion the load uses the other server");
    Some(finding.hint(format!("remove `{key}` or `standby`; `via: unix` and `via: tcp` are possible")))
}

/// The key and the setting of that name together.
fn huge_pages_twice(of: &Checked<'_>, target: &Target) -> Option<PlanFinding> {
    let Target { name, reach, settings: target_settings, machine, .. } = target;
    machine.huge_pages?;
    let is_huge_pages = |name: &&String| name.eq_ignore_ascii_case("huge_pages");
    let in_settings = match reach {
        Reach::Local(local) => local.settings.keys().any(|name| is_huge_pages(&name)),
        Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_) => false,
    };
    let setting = target_settings.keys().find(is_huge_pages);
    (setting.is_some() || in_settings).then(|| {
        let entry = of
            .first_target_entry(name, &[&["huge_pages"], &["settings", setting.map_or("huge_pages", String::as_str)]]);
        PlanFinding::new(
            entry.map_or(of.root.span, |entry| entry.key_span),
            format!("target \"{name}\": huge_pages is a key and also a setting"),
        )
        .hint("keep the key: it also reserves the huge pages of the machine")
    })
}
