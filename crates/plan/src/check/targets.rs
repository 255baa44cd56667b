//! What a target can be given: names, data directories, settings, and what is changed of the machine.

use std::path::{Component, Path, PathBuf};

use conninfo::holds_password;

use super::super::Use;
use super::super::consent::Consent;
use super::super::document::Span;
use super::super::error::{Finding, shown};
use super::super::kubernetes::{InKubernetes, Kubernetes};
use super::super::language::{Findings, Settings};
use super::super::made::Made;
use super::super::model::{Cache, Local, Reach, Target, Via};
use super::Checked;
use super::consents;
use super::settings::{self, Refused, Unsettable, needs_restart};

pub(super) fn check(of: &Checked<'_>, found: &mut Findings) {
    found.extend(twice(of));
    found.extend(data_directories(of));
    found.extend(currencies(of));
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
        consents::check(of, target, found);
        found.extend(replicas(of, target));
        found.extend(agent(of, target));
        found.extend(volume(of, target));
        found.extend(too_small(of, target));
        found.extend(huge_pages_twice(of, target));
    }
}

fn twice(of: &Checked<'_>) -> Findings {
    let names = of.names();
    let again = names.iter().enumerate().filter(|(at, (name, _))| names[..*at].iter().any(|(first, _)| first == name));
    let finding = |(_, (name, span)): (usize, &(String, Span))| {
        Finding::new(*span, format!("two targets would be called {}", shown(name)))
            .hint("call the variant or the target otherwise")
    };
    again.map(finding).collect()
}

/// Prices in two currencies, which nobody here can compare.
fn currencies(of: &Checked<'_>) -> Option<Finding> {
    let mut priced = of.plan.targets.iter().filter_map(|target| Some((target, target.cost.as_ref()?.currency)));
    let (first, common) = priced.next()?;
    let (other, found) = priced.find(|(_, currency)| *currency != common)?;
    let message = format!("target \"{}\" has its price in {found}, \"{}\" in {common}", other.name, first.name);
    let span = of.value(&other.name, &["cost", "currency"]);
    Some(Finding::new(span, message).hint("give both prices in one currency"))
}

fn data_directories(of: &Checked<'_>) -> Findings {
    let mut findings = Vec::new();
    let mut seen: Vec<(PathBuf, &str, Span)> = Vec::new();
    for Target { name, reach, .. } in &of.plan.targets {
        let Some(directory) = reach.data_directory() else { continue };
        let (directory, span) = (lexical(directory), of.value(name, &["local", "data_directory"]));
        let clash = seen.iter().find(|(other, ..)| directory.starts_with(other) || other.starts_with(&directory));
        if let Some((_, other, first)) = clash {
            let message = format!("targets \"{other}\" and \"{name}\" would share a data directory");
            findings.push(
                Finding::new(span, message)
                    .detail(format!("that of \"{other}\" is in line {}", first.start.line))
                    .hint("give each target its own directory, neither inside the other"),
            );
        }
        seen.push((directory, name, span));
    }
    findings
}

/// A path without `.` and with `..` resolved by its text alone: what lies on the disk is not looked at.
fn lexical(text: &Path) -> PathBuf {
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
fn volume(of: &Checked<'_>, Target { name, reach, disk, .. }: &Target) -> Option<Finding> {
    disk.volume.as_ref()?;
    let (why, hint) = match (reach, reach.server_of()) {
        (_, Some(_)) => ("has a volume, and shares the server of another target", "give the volume to that target"),
        (Reach::Kubernetes(_), None) => return None,
        (Reach::Url(_) | Reach::Local(_) | Reach::Shared(_), None) => {
            ("has a volume of Kubernetes, and no server there", "name a `directory`, or use `kubernetes`")
        }
    };
    Some(Finding::new(of.key(name, &["disk", "volume"]), format!("target \"{name}\" {why}")).hint(hint))
}

/// A file system that is made for the data of the workloads, and does not hold them.
fn too_small(of: &Checked<'_>, target: &Target) -> Option<Finding> {
    let bytes = target.machine.filesystem?.size.bytes();
    let [data, room] = [of.plan.data_bytes(), bytes].map(|bytes| bytes as f64 / (1_u64 << 30) as f64);
    let message =
        format!("target \"{}\": {room:.1} GiB do not hold the data of the workloads, about {data:.1} GiB", target.name);
    (data > room).then(|| {
        Finding::new(of.value(&target.name, &["filesystem", "size"]), message).hint("take smaller sizes, or more room")
    })
}

fn given_settings(of: &Checked<'_>, planned: &Target, found: &mut Findings) {
    let Target { name: target, reach, knobs, .. } = planned;
    let none = Settings::new();
    let (settings, path_of_settings) = match reach {
        Reach::Local(local) => (&local.settings, vec!["local", "settings"]),
        Reach::Kubernetes(Kubernetes { server: InKubernetes::Create(made), .. }) => {
            (&made.server().parameters, vec!["kubernetes", "create", made.key(), "parameters"])
        }
        Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_) => (&none, Vec::new()),
    };
    let given = settings.iter().map(|setting| (false, setting)).chain(knobs.iter().map(|knob| (true, knob)));
    for (is_knob, (name, value)) in given {
        let above = if is_knob { &["knobs"][..] } else { &path_of_settings };
        let path: &[&str] = &[above, &[name]].concat();
        // Settings are read back into the run directory, where no secret may stand.
        if holds_password(value) {
            let message = format!("target \"{target}\": the setting {name} holds a password");
            let finding = Finding::new(of.value(target, path), message);
            found.push(finding.hint("name a file with it instead: passfile=…"));
        }
        match planned.unsettable(name) {
            Some(why) => found.push(unsettable(of.key(target, path), target, name, why)),
            None if of.what_for == Use::ToBeRun => found.extend(refused(of, planned, path, name, value)),
            None => {}
        }
        if let Some(setting) = settings.keys().find(|setting| is_knob && setting.eq_ignore_ascii_case(name)) {
            let line = of.key(target, &[&path_of_settings[..], &[setting]].concat()).start.line;
            let message = format!("target \"{target}\": {} is both a knob and a setting", shown(name));
            let hint = "keep one of the two: what all targets have alike under settings, what you compare under knobs";
            let finding = Finding::new(of.key(target, path), message);
            found.push(finding.detail(format!("the setting is in line {line}")).hint(hint));
        }
    }
}

/// A setting that no server has, or not with this value.
fn refused(of: &Checked<'_>, planned: &Target, path: &[&str], name: &str, value: &str) -> Option<Finding> {
    let target = &planned.name;
    let (what, why, hint) = settings::refuse(planned, name, value)?;
    let finding = match what {
        Refused::Name => Finding::new(of.key(target, path), format!("target \"{target}\": {why}")),
        Refused::Value => {
            let message = format!("target \"{target}\": the value {} of {name} {why}", shown(value));
            Finding::new(of.value(target, path), message)
        }
    };
    Some(Finding { hint, ..finding })
}

fn unsettable(at: Span, target: &str, name: &str, why: Unsettable) -> Finding {
    let name = name.to_lowercase();
    match why {
        Unsettable::Reserved => {
            let message = format!("target \"{target}\": the setting {name} of a local server is pgdyno's to choose");
            Finding::new(at, message).hint(match name.as_str() {
                "data_directory" => "use the key `data_directory` of the local server",
                "listen_addresses" => "use `via: tcp` or `via: unix`",
                _ => "remove it: pgdyno has to find the server, its files and its log",
            })
        }
        Unsettable::OfTheServer => {
            let message =
                format!("target \"{target}\": {name} is a setting of the whole server, which pgdyno did not start");
            let finding = Finding::new(at, message);
            finding
                .detail(
                    "knobs of a server that was found are settings of the load's sessions: nothing on it is changed",
                )
                .hint(if needs_restart(&name) {
                    "add `may_change: [settings, restart]` and its `agent`, if nobody minds; or set it there, or use `local`"
                } else {
                    "add `may_change: [settings]` and its `agent`, if nobody minds; or set it there, or use `local`"
                })
        }
        Unsettable::OfAStart => {
            let message = format!("target \"{target}\": {name} takes a restart of the server");
            Finding::new(at, message).hint("add `restart` to `may_change`, if nobody minds that all sessions end")
        }
        Unsettable::ByWhichItIsFound => {
            let message = format!("target \"{target}\": by {name} the server is found, logged in to or read");
            Finding::new(at, message).hint("remove it: with another value it might not be reached to be put back")
        }
        Unsettable::OfTheCluster => {
            let message =
                format!("target \"{target}\": {name} is a setting of the whole cluster, which pgdyno did not make");
            let hint = "write `may_change: true` under `kubernetes`, if nobody minds: it is put back at the end";
            Finding::new(at, message).hint(hint)
        }
        Unsettable::OfTheOperator => {
            let message = format!("target \"{target}\": the setting {name} is CloudNativePG's to choose");
            Finding::new(at, message).hint("remove it, or make the server as a `pod`, where it can be given")
        }
        Unsettable::OfASharedServer => {
            let message =
                format!("target \"{target}\": {name} is a setting of the whole server, which other targets share");
            Finding::new(at, message).hint("give this target a server of its own (`local`)")
        }
    }
}

/// As many replicas as have to confirm a commit.
fn replicas(of: &Checked<'_>, Target { name, reach, .. }: &Target) -> Option<Finding> {
    let Reach::Kubernetes(kubernetes) = reach else { return None };
    let Made::Cnpg(cluster) = kubernetes.made()? else { return None };
    let replicas = cluster.instances - 1;
    let message =
        format!("target \"{name}\": synchronous is {}, and instances leaves {replicas} replicas", cluster.synchronous);
    let span = of.value(name, &["kubernetes", "create", "cnpg", "synchronous"]);
    (cluster.synchronous > replicas).then(|| Finding::new(span, message).hint("give more instances"))
}

/// The host of a server that pgdyno makes is this one.
fn agent(of: &Checked<'_>, Target { name, reach, agent, .. }: &Target) -> Option<Finding> {
    agent.as_ref().filter(|_| reach.is_here())?;
    let message = format!("targets.{name}.agent: this machine is read anyway, and the server runs on it");
    Some(Finding::new(of.key(name, &["agent"]), message).hint("leave it out"))
}

/// What a server that pgdyno did not start cannot be given.
fn of_found_server(of: &Checked<'_>, target: &Target, found: &mut Findings) {
    let Target { name, cache, .. } = target;
    const SYSCTL: &str = "a server that was found may run on another machine, whose kernel is not pgdyno's to change";
    for (key, why) in [
        ("filesystem", "a server that was found has its data where they are"),
        ("huge_pages", "a server that was found keeps its shared memory as it is"),
        ("sysctl", SYSCTL),
    ] {
        let by_consent = key == "sysctl" && target.consents(Consent::Sysctl);
        if let Some(entry) = of.entry(name, &[&[key]]).filter(|_| !by_consent) {
            let message = format!("target \"{name}\": {key} needs a server that pgdyno makes");
            let hint = if key == "sysctl" && target.reach.is_url() {
                "add `may_change: [sysctl]` and its `agent`, if nobody minds; or use `local`, or remove the key"
            } else {
                "use `local`, or remove the key"
            };
            found.push(Finding::new(entry.key_span, message).detail(why).hint(hint));
        }
    }
    if target.consents(Consent::Restart) && target.consents(Consent::Cache) {
        return;
    }
    let span = match cache {
        Some(Cache::Cold) => of.value(name, &["cache"]),
        Some(Cache::AsIs | Cache::Warm) => return,
        None => match of.plan.workloads.iter().find(|workload| workload.cache == Cache::Cold) {
            Some(workload) => of.workload_value(&workload.name, &["cache"]),
            None => return,
        },
    };
    let finding = Finding::new(span, format!("target \"{name}\": a cold cache needs a server that pgdyno makes"));
    found.push(finding.detail("a server that was found is not restarted, and its files are not pgdyno's").hint(
        if target.reach.is_url() {
            "add `may_change: [restart, cache]` and its `agent`, if nobody minds; or use `local`, or `cache: warm`"
        } else {
            "use `local`, or `cache: warm`"
        },
    ));
}

fn kept_on_an_image(of: &Checked<'_>, target: &Target, local: &Local) -> Option<Finding> {
    target.machine.filesystem.filter(|_| local.keep)?;
    let message = format!("target \"{}\": data on a file system of its own cannot be kept", target.name);
    let finding = Finding::new(of.key(&target.name, &["filesystem"]), message);
    Some(finding.detail("its image is removed at the end").hint("remove `keep` or `filesystem`"))
}

/// What only one of two servers could have.
fn beside_a_standby(of: &Checked<'_>, target: &Target, local: &Local) -> Option<Finding> {
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
    let of_machine = [("filesystem", machine.filesystem.is_some()), ("huge_pages", machine.huge_pages == Some(true))];
    let in_local = of_way.into_iter().find(|(_, given)| *given).map(|(key, _)| (key, of.key(name, &["local", key])));
    let refused = in_local
        .or_else(|| of_machine.into_iter().find(|(_, given)| *given).map(|(key, _)| (key, of.key(name, &[key]))));
    let (key, span) = refused?;
    let message = format!("target \"{name}\": `{key}` cannot be had with a standby");
    let finding = Finding::new(span, message).detail("after a promotion the load is on the other server");
    Some(finding.hint(format!("remove `{key}` or `standby`; the way may be `via: unix` or `via: tcp`")))
}

/// The key and the setting of that name together.
fn huge_pages_twice(of: &Checked<'_>, target: &Target) -> Option<Finding> {
    let Target { name, reach, knobs, machine, .. } = target;
    machine.huge_pages?;
    let is_huge_pages = |name: &&String| name.eq_ignore_ascii_case("huge_pages");
    let in_settings = match reach {
        Reach::Local(local) => local.settings.keys().any(|name| is_huge_pages(&name)),
        Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_) => false,
    };
    let knob = knobs.keys().find(is_huge_pages);
    (knob.is_some() || in_settings).then(|| {
        let entry = of.entry(name, &[&["huge_pages"], &["knobs", knob.map_or("huge_pages", String::as_str)]]);
        Finding::new(
            entry.map_or(of.root.span, |entry| entry.key_span),
            format!("target \"{name}\": huge_pages is both a key and a setting"),
        )
        .hint("keep the key: it also sees to the machine's pages")
    })
}
