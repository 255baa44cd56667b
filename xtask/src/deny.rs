//! What may come with a dependency, as `deny.toml` says: which licences, which versions beside each other, from where.
//!
//! It reads from that file what it needs to hold these rules without cargo-deny, which takes minutes to install.
//! Advisories it leaves to `make deny`: no registry has them.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode};

use spdx::{Expression, ParseMode};

/// The part of `deny.toml` that is held here.
struct Rules {
    targets: Vec<String>,
    allowed_licences: Vec<String>,
    /// Name and the begin of a version that may be there beside another one.
    skipped: Vec<(String, String)>,
}

/// A package as `cargo tree` prints it.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Package {
    name: String,
    version: String,
    /// Where it is from, if not from crates.io.
    origin: Option<String>,
    licence: String,
}

/// Checks all that any target is built from, and prints every finding.
pub(crate) fn check(root: &Path) -> ExitCode {
    let rules = std::fs::read_to_string(root.join("deny.toml")).expect("deny.toml");
    let rules = Rules::read(&rules).expect("the lists that are read here");
    let mut packages: Vec<Package> = rules.targets.iter().flat_map(|target| packages(root, target)).collect();
    packages.sort();
    packages.dedup();
    let findings = findings(&rules, &packages);
    for finding in &findings {
        println!("deny.toml: {finding}");
    }
    println!("deny: {} packages, {} findings", packages.len(), findings.len());
    if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Rules {
    fn read(text: &str) -> Option<Self> {
        let document: toml::Table = text.parse().ok()?;
        let list = |table: &str, key: &str| document.get(table)?.get(key)?.as_array();
        let texts = |list: &Vec<toml::Value>| -> Option<Vec<String>> {
            list.iter().map(|text| text.as_str().map(str::to_owned)).collect()
        };
        let skipped = list("bans", "skip")?.iter().map(|skipped| {
            let (name, version) = skipped.get("crate")?.as_str()?.split_once('@')?;
            Some((name.to_owned(), version.to_owned()))
        });
        Some(Self {
            targets: texts(list("graph", "targets")?)?,
            allowed_licences: texts(list("licenses", "allow")?)?,
            skipped: skipped.collect::<Option<_>>()?,
        })
    }
}

fn packages(root: &Path, target: &str) -> Vec<Package> {
    let arguments = ["tree", "--locked", "--workspace", "--edges", "normal,build,dev", "--prefix", "none"];
    let format = ["--format", "{p}|{l}|", "--target", target];
    let output = Command::new("cargo").args(arguments).args(format).current_dir(root).output().expect("cargo");
    assert!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    let package = |line: &str| package(line).unwrap_or_else(|| panic!("cargo tree prints otherwise: {line}"));
    text.lines().filter(|line| !line.is_empty()).map(package).collect()
}

/// One line, such as `serde_derive v1.0.229 (proc-macro)|MIT OR Apache-2.0|`.
fn package(line: &str) -> Option<Package> {
    let (package, rest) = line.split_once('|')?;
    let (licence, _repeated) = rest.split_once('|')?;
    let mut words = package.splitn(3, ' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    let origin = words.next().map(|origin| origin.replace("(proc-macro)", "").trim().to_owned());
    let origin = origin.filter(|origin| !origin.is_empty());
    Some(Package { name: name.to_owned(), version: version.to_owned(), origin, licence: licence.to_owned() })
}

fn findings(rules: &Rules, packages: &[Package]) -> Vec<String> {
    let mut findings: Vec<String> = packages.iter().filter_map(origin).collect();
    findings.extend(packages.iter().filter_map(|package| licence(rules, package)));
    let is_skipped = |package: &Package, (name, version): &(String, String)| {
        let rest = package.version.strip_prefix(version.as_str());
        package.name == *name && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages.iter().filter(|package| !rules.skipped.iter().any(|skipped| is_skipped(package, skipped))) {
        versions.entry(&package.name).or_default().push(&package.version);
    }
    let several = versions.into_iter().filter(|(_, versions)| versions.len() > 1);
    findings.extend(several.map(|(name, versions)| {
        format!("{name} is there as {}: have one version, or give a reason in `skip`", versions.join(" and "))
    }));
    let in_vain = |skipped: &&(String, String)| !packages.iter().any(|package| is_skipped(package, skipped));
    let in_vain = rules.skipped.iter().filter(in_vain);
    findings.extend(in_vain.map(|(name, version)| format!("{name}@{version} is skipped in vain: remove it")));
    findings
}

/// What is against where it is from.
fn origin(package: &Package) -> Option<String> {
    let origin = package.origin.as_ref().filter(|origin| !origin.starts_with("(/"))?;
    Some(format!("{} {} is not from crates.io: {origin}", package.name, package.version))
}

/// What is against its licence.
fn licence(rules: &Rules, package: &Package) -> Option<String> {
    let is_allowed =
        |expression: Expression| expression.evaluate(|required| rules.allowed_licences.contains(&required.to_string()));
    let fits = Expression::parse_mode(&package.licence, ParseMode::LAX).is_ok_and(is_allowed);
    let Package { name, version, licence, .. } = package;
    (!fits).then(|| format!("{name} {version} has licence \"{licence}\", of which `allow` does not name enough"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = r#"
graph.targets = ["x86_64-unknown-linux-gnu"]
licenses.allow = ["MIT", "ISC"]
bans.skip = [{ crate = "b@0.2", reason = "c" }]
"#;

    fn found(lines: &[&str]) -> Vec<String> {
        let packages: Vec<Package> = lines.iter().map(|line| package(line).expect("a line of cargo tree")).collect();
        findings(&Rules::read(RULES).expect("rules"), &packages)
    }

    #[test]
    fn what_the_rules_allow_is_no_finding() {
        let lines = [
            "ours v0.1.0 (/home/ann/pgdyno/crates/ours)|MIT|",
            "a v1.0.0 (proc-macro)|Apache-2.0/MIT|",
            "b v0.2.9|MIT AND ISC| (*)",
            "b v0.3.0|Apache-2.0 WITH LLVM-exception OR (MIT AND ISC)|",
        ];
        assert_eq!(found(&lines), [""; 0]);
    }

    #[test]
    fn each_rule_finds_what_breaks_it() {
        for (line, expected) in [
            ("a v1.0.0|GPL-3.0-only|", "a 1.0.0 has licence \"GPL-3.0-only\""),
            ("a v1.0.0|MIT AND Apache-2.0|", "a 1.0.0 has licence"),
            ("a v1.0.0||", "a 1.0.0 has licence \"\""),
            ("b v0.20.0|MIT|", "b is there as 0.20.0 and 0.3.0"),
            ("a v1.0.0 (https://example.org/a?rev=1#1234)|MIT|", "a 1.0.0 is not from crates.io"),
            ("a v1.0.0 (registry `other`)|MIT|", "a 1.0.0 is not from crates.io"),
        ] {
            let findings = found(&["b v0.2.9|MIT|", line, "b v0.3.0|MIT|"]);
            assert!(findings.len() == 1 && findings[0].starts_with(expected), "{line}: {findings:?}");
        }
        assert_eq!(found(&["b v0.3.0|MIT|"]), ["b@0.2 is skipped in vain: remove it"]);
    }
}
