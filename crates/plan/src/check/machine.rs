//! What can be changed of a machine, and of a server, for which targets; and the names that variants become.

use super::super::document::{Entry, Node};
use super::super::error::{Finding, shown};
use super::super::model::{Cache, Word as _};
use super::super::variants::name_of;
use super::{own_setting, setting_with_password};

/// The name of every target, variants included, in the order of the file.
pub(super) fn target_names(root: &Node) -> Vec<(String, &Entry)> {
    let targets = root.get("targets").and_then(|entry| entry.node.entries()).unwrap_or_default();
    let names = targets.iter().flat_map(|target| {
        let varied = variants(target).iter().map(|variant| (name_of(&target.key, &variant.key), variant));
        std::iter::once((target.key.clone(), target)).chain(varied)
    });
    names.collect()
}

pub(super) fn variants(target: &Entry) -> &[Entry] {
    target.node.get("variants").and_then(|entry| entry.node.entries()).unwrap_or_default()
}

/// Checks all that concerns variants, the machine and the caches.
pub(super) fn check(root: &Node) -> Vec<Finding> {
    let mut findings = twice(root);
    for target in root.get("targets").and_then(|entry| entry.node.entries()).unwrap_or_default() {
        let local = target.node.get("local").map(|entry| &entry.node);
        for part in std::iter::once(target).chain(variants(target)) {
            if target.node.get("url").is_some() {
                findings.extend(of_found_server(target, part));
            }
            findings.extend(local.and_then(|local| kept_on_an_image(target, local, part)));
            findings.extend(huge_pages_twice(target, local, part));
        }
        if target.node.get("url").is_some() {
            findings.extend(cold_workload(root, target));
        }
        if let (true, Some(entry)) = (target.key.contains('/'), target.node.get("variants")) {
            let message = format!("target \"{}\": a variant has no variants", target.key);
            findings.push(Finding::new(entry.key_span, message).hint("give the target a name without \"/\""));
        }
        for knob in variants(target).iter().filter_map(|variant| variant.node.get("knobs")?.node.entries()).flatten() {
            findings.extend(setting_with_password(target, knob));
            findings.extend(local.and_then(|_| own_setting(target, knob)));
        }
    }
    findings
}

fn twice(root: &Node) -> Vec<Finding> {
    let names = target_names(root);
    let again = names.iter().enumerate().filter(|(at, (name, _))| names[..*at].iter().any(|(first, _)| first == name));
    let finding = |(_, (name, entry)): (usize, &(String, &Entry))| {
        Finding::new(entry.key_span, format!("two targets would be called {}", shown(name)))
            .hint("call the variant or the target otherwise")
    };
    again.map(finding).collect()
}

/// What a server that pgdyno did not start cannot be given.
fn of_found_server(target: &Entry, part: &Entry) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (key, why) in [
        ("filesystem", "a server that was found has its data where they are"),
        ("huge_pages", "a server that was found keeps its shared memory as it is"),
        ("sysctl", "a server that was found may run on another machine, whose kernel is not pgdyno's to change"),
        ("initdb", "a server that was found has its cluster already"),
    ] {
        if let Some(entry) = part.node.get(key) {
            let message = format!("target \"{}\": {key} needs a server that pgdyno makes", target.key);
            findings.push(Finding::new(entry.key_span, message).detail(why).hint("use `local`, or remove the key"));
        }
    }
    findings.extend(part.node.get("cache").filter(is_cold).map(|entry| cold(target, entry)));
    findings
}

fn is_cold(entry: &&Entry) -> bool {
    entry.node.scalar() == Some(Cache::Cold.word())
}

fn cold(target: &Entry, entry: &Entry) -> Finding {
    let message = format!("target \"{}\": a cold cache needs a server that pgdyno makes", target.key);
    Finding::new(entry.node.span, message)
        .detail("a server that was found is not restarted, and its files are not pgdyno's")
        .hint("use `local`, or `cache: warm`")
}

/// A workload with a cold cache, unless the target itself says what its caches hold.
fn cold_workload(root: &Node, target: &Entry) -> Option<Finding> {
    let workloads = root.get("workloads").and_then(|entry| entry.node.entries()).unwrap_or_default();
    let mut caches = workloads.iter().filter_map(|workload| workload.node.get("cache"));
    let own = target.node.get("cache");
    caches.find(is_cold).filter(|_| own.is_none()).map(|entry| cold(target, entry))
}

fn kept_on_an_image(target: &Entry, local: &Node, part: &Entry) -> Option<Finding> {
    let entry = part.node.get("filesystem")?;
    (local.get("keep")?.node.scalar() == Some("true")).then(|| {
        let message = format!("target \"{}\": data on a file system of its own cannot be kept", target.key);
        Finding::new(entry.key_span, message)
            .detail("its image is removed at the end")
            .hint("remove `keep` or `filesystem`")
    })
}

/// The key and the setting of that name together, of a target or of what a variant makes of it.
fn huge_pages_twice(target: &Entry, local: Option<&Node>, part: &Entry) -> Option<Finding> {
    let knob = |of: &'_ Entry| {
        let settings = of.node.get("knobs").and_then(|entry| entry.node.entries()).unwrap_or_default();
        settings.iter().find(is_huge_pages).map(|setting| setting.key_span)
    };
    let setting = local.and_then(|local| local.get("settings")?.node.entries()?.iter().find(is_huge_pages));
    let of_target = knob(target).or_else(|| setting.map(|setting| setting.key_span));
    let key = |of: &Entry| of.node.get("huge_pages").map(|entry| entry.key_span);
    let span = match (key(part), knob(part)) {
        (Some(key), own) => own.or(of_target).map(|_| key),
        (None, own) => key(target).and(own),
    };
    let message = format!("target \"{}\": huge_pages is both a key and a setting", target.key);
    span.map(|span| Finding::new(span, message).hint("keep the key: it also sees to the machine's pages"))
}

fn is_huge_pages(setting: &&Entry) -> bool {
    setting.key.eq_ignore_ascii_case("huge_pages")
}
