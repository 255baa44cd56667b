//! Which crate may depend on what, by the `Cargo.toml` files: directly, or through a crate of ours that has no fence of
//! its own. What only tests use is left out, but for the binary, on which nothing may depend.

use std::path::{Path, PathBuf};

use super::Finding;
use super::tree::Package;

struct Fence {
    /// The crates that it holds for.
    of: &'static [&'static str],
    /// What they must not depend on.
    forbids: fn(dependency: &str, is_ours: bool) -> bool,
    /// Why, or what to do instead.
    why: &'static str,
}

impl Fence {
    fn holds_for(&self, package: &Package) -> bool {
        self.of.contains(&package.name.as_str())
    }
}

const FENCES: &[Fence] = &[
    Fence {
        of: &["catalog", "conninfo", "wire", "work", "outputs", "results", "stats", "plan", "judge", "report"],
        forbids: |dependency, _| is_async(dependency),
        why: "it waits for nothing",
    },
    Fence {
        of: &["load"],
        forbids: |dependency, _| dependency.starts_with("tokio"),
        why: "the engine has its own event loop",
    },
    Fence {
        of: &["judge"],
        forbids: |dependency, is_ours| is_ours && !["catalog", "plan", "results", "stats"].contains(&dependency),
        why: "it judges from the run directory, by the plan, stats and what is known of PostgreSQL alone",
    },
    Fence {
        of: &["outputs"],
        forbids: |dependency, is_ours| is_ours && !["plan", "results"].contains(&dependency),
        why: "it makes figures of bytes, and knows neither runs nor servers",
    },
    Fence {
        of: &["capture"],
        forbids: |dependency, is_ours| is_async(dependency) || (is_ours && dependency != "sql"),
        why: "it reads logs, and knows neither servers nor plans",
    },
    Fence {
        of: &["proxy"],
        forbids: |dependency, is_ours| {
            is_async(dependency) || (is_ours && !["capture", "conninfo", "wire"].contains(&dependency))
        },
        why: "it passes bytes by an event loop of its own, and knows neither plans nor loads",
    },
    Fence { of: &["sql"], forbids: |dependency, is_ours| is_async(dependency) || is_ours, why: "it knows texts alone" },
    Fence {
        of: &["serve"],
        forbids: |dependency, is_ours| is_ours && !["judge", "plan", "report", "results"].contains(&dependency),
        why: "it looks at run directories, and measures nothing",
    },
    Fence {
        of: &["cluster"],
        forbids: |dependency, is_ours| is_ours && dependency != "results",
        why: "it knows Kubernetes, and nothing of plans, servers or loads",
    },
    Fence {
        of: &["dataset"],
        forbids: |dependency, _| dependency == "load",
        why: "what load and data share is in `work`",
    },
    Fence {
        of: &["control", "dataset", "import", "measure", "pgdyno", "probe", "server"],
        forbids: |dependency, _| dependency.starts_with("kube") || dependency.starts_with("k8s"),
        why: "`cluster` alone speaks with Kubernetes",
    },
    Fence { of: &["testbed"], forbids: |_, is_ours| is_ours, why: "whoever is tested would be compiled again for it" },
];

/// The binary, on which nothing may depend, tests included.
const BINARY: &str = "pgdyno";

/// A crate and what it still depends on behind its fence.
const NOT_YET: &[(&str, &str)] = &[];

fn is_async(name: &str) -> bool {
    ["tokio", "futures", "async-", "smol", "mio", "hyper", "reqwest"].iter().any(|begin| name.starts_with(begin))
}

/// Every dependency that a fence forbids.
pub(super) fn check(packages: &[Package]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut tolerated = Vec::new();
    for package in packages {
        for dependency in package.dependencies.iter().chain(&package.test_dependencies).filter(|name| *name == BINARY) {
            findings.push(finding(
                &package.manifest,
                format!("depends on {dependency}, the binary, which is nobody's library"),
            ));
        }
        for fence in FENCES.iter().filter(|fence| fence.holds_for(package)) {
            for path in forbidden(package, fence, packages) {
                let dependency = *path.last().expect("a dependency");
                if let Some(known) = NOT_YET.iter().find(|known| **known == (package.name.as_str(), dependency)) {
                    tolerated.push(known);
                } else {
                    findings
                        .push(finding(&package.manifest, format!("depends on {}: {}", path.join(" → "), fence.why)));
                }
            }
        }
    }
    let in_vain = NOT_YET.iter().filter(|known| !tolerated.contains(known));
    findings.extend(in_vain.map(|(package, dependency)| {
        finding(Path::new(file!()), format!("{package} does not depend on {dependency} any more: remove the exemption"))
    }));
    findings
}

fn finding(path: &Path, text: String) -> Finding {
    Finding { path: PathBuf::from(path), line: 1, text }
}

/// The way to each dependency that the fence forbids, one for each. A crate behind a fence answers for itself.
fn forbidden<'a>(package: &'a Package, fence: &Fence, packages: &'a [Package]) -> Vec<Vec<&'a str>> {
    let mut found: Vec<Vec<&str>> = Vec::new();
    let mut seen = vec![package.name.as_str()];
    let mut open = vec![(package, Vec::new())];
    while let Some((from, way)) = open.pop() {
        for dependency in &from.dependencies {
            if seen.contains(&dependency.as_str()) {
                continue;
            }
            seen.push(dependency);
            let ours = packages.iter().find(|package| package.name == *dependency);
            let mut way = way.clone();
            way.push(dependency.as_str());
            if (fence.forbids)(dependency, ours.is_some()) {
                found.push(way);
            } else if let Some(ours) = ours.filter(|ours| !FENCES.iter().any(|fence| fence.holds_for(ours))) {
                open.push((ours, way));
            }
        }
    }
    found
}
