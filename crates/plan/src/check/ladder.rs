//! What must hold for targets that differ in the way to one server, and for a ladder of them.

use super::super::document::{Entry, Node, Value};
use super::super::error::{Finding, shown};
use super::super::model::{Cache, Via, Word};
use super::{machine, unknown_target};

fn targets(root: &Node) -> &[Entry] {
    root.get("targets").and_then(|entry| entry.node.entries()).unwrap_or_default()
}

/// A ladder names targets, none twice, the baseline first.
pub(super) fn order(root: &Node) -> Vec<Finding> {
    let Some(ladder) = root.get("ladder") else { return Vec::new() };
    let Value::List(rungs) = &ladder.node.value else { return Vec::new() };
    let targets = machine::target_names(root);
    let names: Vec<&str> = targets.iter().map(|(name, _)| name.as_str()).collect();
    let mut findings = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for rung in rungs {
        let Some(name) = rung.scalar() else { continue };
        if !names.contains(&name) {
            findings.push(unknown_target("ladder", rung, name, &names));
        } else if seen.contains(&name) {
            let message = format!("ladder: {} is given twice", shown(name));
            findings.push(Finding::new(rung.span, message).hint("name each target once, in the order of its layer"));
        }
        seen.push(name);
    }
    let baseline = root.get("baseline").and_then(|entry| entry.node.scalar());
    if let (Some(first), Some(baseline)) = (rungs.first(), baseline)
        && first.scalar().is_some_and(|name| name != baseline && names.contains(&name) && names.contains(&baseline))
    {
        let message = format!("ladder: begins with {}, the baseline is {}", first.found(), shown(baseline));
        findings.push(Finding::new(first.span, message).hint("begin with the baseline: each layer is added to it"));
    }
    findings
}

/// Whose server a target shares, as it is written.
fn server_of(target: &Entry) -> Option<&Node> {
    Some(&target.node.get("shared")?.node.get("server_of")?.node)
}

/// A shared server is the one of a local target.
pub(super) fn shared(root: &Node) -> Vec<Finding> {
    let targets = targets(root);
    let names: Vec<&str> = targets.iter().map(|target| target.key.as_str()).collect();
    let check = |(node, of): (&Node, &str)| {
        let name = node.scalar()?;
        let key = format!("targets.{of}.shared.server_of");
        let Some(owner) = targets.iter().find(|target| target.key == name) else {
            return Some(unknown_target(&key, node, name, &names));
        };
        owner.node.get("local").is_none().then(|| {
            Finding::new(node.span, format!("{key}: target {} is not a local one", shown(name)))
                .hint("name a target with `local`: only a server that pgdyno starts can be shared")
        })
    };
    let owners = targets.iter().filter_map(|target| Some((server_of(target)?, target.key.as_str())));
    let mut findings: Vec<Finding> = owners.filter_map(check).collect();
    for target in targets.iter().filter(|target| target.node.get("shared").is_some()) {
        for key in ["filesystem", "huge_pages", "variants"] {
            let given = target.node.get(key);
            findings.extend(given.map(|entry| {
                Finding::new(entry.key_span, format!("target \"{}\": {key} needs a server of its own", target.key))
                    .hint("give it to the target whose server it is, or use `local`")
            }));
        }
    }
    findings.extend(cold(root));
    findings
}

/// A restart would pull the server from under the targets that share it.
fn cold(root: &Node) -> Option<Finding> {
    let targets = targets(root);
    let sharing = targets.iter().find(|target| target.node.get("shared").is_some())?;
    let owners: Vec<&str> = targets.iter().filter_map(|target| server_of(target)?.scalar()).collect();
    let shares = |target: &&Entry| target.node.get("shared").is_some() || owners.contains(&target.key.as_str());
    let workloads = root.get("workloads").and_then(|entry| entry.node.entries()).unwrap_or_default();
    let cache = |entry: &'_ Entry| entry.node.get("cache").map(|cache| cache.node.clone());
    let mut caches = targets.iter().filter(shares).chain(workloads).filter_map(cache);
    let cold = caches.find(|cache| cache.scalar() == Some(Cache::Cold.word()))?;
    let message = format!("cache: cold restarts the server, and target \"{}\" shares one", sharing.key);
    Some(Finding::new(cold.span, message).hint("give each target a `local` server of its own, or use `cache: warm`"))
}

/// What a way cannot be: encrypted or pooled through a Unix-domain socket, pooled with knobs, in a namespace for
/// others' programs.
pub(super) fn ways(root: &Node) -> Vec<Finding> {
    let is_on = |node: &Node, key: &str| node.get(key).and_then(|entry| entry.node.scalar()) == Some("true");
    let foreign = foreign_generator(root);
    let mut findings = Vec::new();
    for target in targets(root) {
        let Some(server) = target.node.get("local").or_else(|| target.node.get("shared")) else { continue };
        let via = server.node.get("via").map_or(Via::Unix.word(), |entry| entry.node.scalar().unwrap_or_default());
        for key in ["tls", "pgbouncer"] {
            if via == Via::Unix.word() && is_on(&server.node, key) {
                let message = format!("target \"{}\": {key} needs a way through TCP", target.key);
                let span = server.node.get(key).map_or(server.key_span, |entry| entry.key_span);
                findings.push(Finding::new(span, message).hint("add `via: tcp`, `via: veth` or `via: service`"));
            }
        }
        let knobs =
            target.node.get("knobs").filter(|knobs| knobs.node.entries().is_some_and(|knobs| !knobs.is_empty()));
        if let (Some(knobs), true, true) = (knobs, is_on(&server.node, "pgbouncer"), server.key == "shared") {
            let message = format!("target \"{}\": knobs of a shared server do not pass through PgBouncer", target.key);
            findings.push(
                Finding::new(knobs.key_span, message).hint("give them to the target whose server it is, as settings"),
            );
        }
        if let Some(workload) = foreign
            && [Via::Veth, Via::Service].map(Word::word).contains(&via)
        {
            let message = format!(
                "target \"{}\": via {via} puts the load into a network namespace, where only pgdyno's own engine can run",
                target.key
            );
            let span = server.node.get("via").map_or(server.key_span, |entry| entry.node.span);
            let hint = format!("remove `generator` from workload \"{workload}\", or use `via: tcp`");
            findings.push(Finding::new(span, message).hint(hint));
        }
    }
    findings
}

/// The first workload that another program executes.
fn foreign_generator(root: &Node) -> Option<&str> {
    let workloads = root.get("workloads")?.node.entries()?;
    let foreign = |workload: &&Entry| {
        workload.node.get("generator").and_then(|entry| entry.node.scalar()).is_some_and(|name| name != "pgdyno")
    };
    workloads.iter().find(foreign).map(|workload| workload.key.as_str())
}
