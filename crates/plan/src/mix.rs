//! Mixes: transactions of several workloads, of which each client draws its next one by weight.
//!
//! `mix: { catalog: 3, payment: { weight: 1, builtin: simple-update, scale: 20 } }`: a member is another workload of
//! the plan by its name, or has a work of its own. The first is written out into the second when the plan is read, so
//! that a mix has all that its members do, and a resolved plan is read as it stands.

use std::num::NonZeroU32;

use serde_json::json;

use super::document::{MappingEntry, Node, YamlValue};
use super::error::PlanFinding;
use super::language::{
    At, Form, HasName, Key, MappingEntries, MappingFields, MappingKeys, PlanReadingFindings, ValueDescription, Whole,
    Yaml, did_you_mean, record,
};
use super::workload::{TransactionWork, Workload};

/// The key of a workload that is a mix.
pub(super) const KEY: &str = "mix";

/// The largest weight of a member.
const WEIGHT_MAX: u64 = 1_000_000;

/// A member with a work of its own.
const EXAMPLE: &str = "{ weight: 3, builtin: select-only, scale: 10 }";

/// Keys of a work that no member has, with the reason.
const NOT_OF_MEMBERS: [(&str, &str); 3] = [
    ("captured", "is a capture, whose transactions have an order of their own"),
    ("target_scripts", "has scripts of its own for single targets"),
    (KEY, "is a mix itself"),
];

/// One kind of transaction of a mix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MixMember {
    /// Its name, unique in the mix.
    pub name: String,
    /// How often it is drawn, relative to the others.
    pub weight: NonZeroU32,
    /// What its transactions do, on which data; neither a mix nor a capture.
    pub work: TransactionWork,
}

record! {
    /// A member of a mix that is no workload of the plan by itself.
    struct MemberKeys = "a member of a mix" {
        /// How often its transactions are drawn, relative to those of the other members.
        key weight: u32 as Whole<1, WEIGHT_MAX> = Default("1"),
        /// What its transactions do, on which data.
        keys work: MemberWork,
    }
}

/// A work that can be a member of a mix: its keys are those of a workload without [`NOT_OF_MEMBERS`].
#[derive(Debug, Clone, PartialEq, Eq)]
struct MemberWork(TransactionWork);

fn is_key_of_member(name: &str) -> bool {
    NOT_OF_MEMBERS.iter().all(|(other, _)| *other != name)
}

impl MappingKeys for MemberWork {
    fn list_keys() -> Vec<Key> {
        TransactionWork::list_keys().into_iter().filter(|key| is_key_of_member(key.name)).collect()
    }

    fn read_keys(findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) -> Option<Self> {
        TransactionWork::read_keys(findings, fields).map(Self)
    }

    fn write_keys(&self, to: &mut MappingEntries) {
        let mut entries = MappingEntries::new();
        self.0.write_keys(&mut entries);
        entries.retain(|(name, _)| is_key_of_member(name));
        to.append(&mut entries);
    }
}

impl HasName for MixMember {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Form for MixMember {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        if let YamlValue::Plain(_) | YamlValue::Quoted(_) = at.node.value {
            // A weight that was not written out was refused.
            return None;
        }
        let MemberKeys { weight, work } = MemberKeys::read_value(findings, at)?;
        Some(Self { name: at.name.to_owned(), weight: NonZeroU32::new(weight)?, work: work.0 })
    }

    fn write_value(value: &Self) -> Yaml {
        MemberKeys::write_value(&MemberKeys { weight: value.weight.get(), work: MemberWork(value.work.clone()) })
    }

    fn describe_form() -> ValueDescription {
        let ValueDescription { schema, below, .. } = MemberKeys::describe_form();
        let weight = json!({ "type": "integer", "minimum": 1, "maximum": WEIGHT_MAX });
        let words = "weight of the workload of this name, or mapping";
        let about = ValueDescription::new(words, "3", json!({ "anyOf": [weight, schema] }));
        ValueDescription { below, ..about }
    }
}

/// The workloads as they are written, in whose mixes each member that is named has what the workload of that name does.
pub(super) fn write_out_members(
    findings: &mut PlanReadingFindings,
    path: &str,
    workloads: &[MappingEntry],
) -> Vec<MappingEntry> {
    let mut written_out = Vec::new();
    for workload in workloads {
        let mut workload = workload.clone();
        let name = workload.key.clone();
        if let YamlValue::Map(keys) = &mut workload.node.value
            && let Some(mix) = keys.iter_mut().find(|entry| entry.key == KEY)
            && let YamlValue::Map(members) = &mut mix.node.value
        {
            if let [only] = members.as_slice() {
                let message = format!("{path}.{name}.{KEY}: found one member, \"{}\", which is no mix", only.key);
                let hint = "add another member, or write what it does without `mix`";
                findings.push(PlanFinding::new(mix.key_span, message).hint(hint));
            }
            for member in members {
                write_out_member(findings, &format!("{path}.{name}.{KEY}.{}", member.key), member, workloads);
            }
        }
        written_out.push(workload);
    }
    written_out
}

/// Writes out one member, or reports why it cannot be one.
fn write_out_member(
    findings: &mut PlanReadingFindings,
    path: &str,
    member: &mut MappingEntry,
    workloads: &[MappingEntry],
) {
    let weight = member.node.clone();
    let (work, words) = match &weight.value {
        YamlValue::Map(keys) => (keys.clone(), String::new()),
        YamlValue::List(_) => return,
        YamlValue::Plain(_) | YamlValue::Quoted(_) => match workloads.iter().find(|entry| entry.key == member.key) {
            Some(MappingEntry { node: Node { value: YamlValue::Map(keys), .. }, .. }) => {
                (keys.clone(), format!("the workload \"{}\" ", member.key))
            }
            // What is wrong with it is reported where it stands.
            Some(_) => return,
            None => return findings.push(unknown_member(path, member, workloads)),
        },
    };
    for (key, why) in NOT_OF_MEMBERS {
        if let Some(entry) = work.iter().find(|entry| entry.key == key) {
            let span = if words.is_empty() { entry.key_span } else { member.key_span };
            let subject = if words.is_empty() { "the member " } else { &words };
            let message = format!("{path}: {subject}{why}");
            findings.push(PlanFinding::new(span, message).hint(HINT_OF_MEMBERS));
            member.node.value = YamlValue::Plain("1".to_owned());
            return;
        }
    }
    if words.is_empty() {
        return;
    }
    let mut keys = vec![MappingEntry { key: "weight".to_owned(), key_span: member.key_span, node: weight }];
    keys.extend(work.into_iter().filter(|entry| Workload::is_key_of_transactions(&entry.key)));
    member.node.value = YamlValue::Map(keys);
}

const HINT_OF_MEMBERS: &str = "a member is a workload with `builtin`, `script`, `sysbench`, `read-intensive` or `erp`; measure this one by itself";

/// A weight of a workload that is not there. One of several sizes is there under the names of its sizes only.
fn unknown_member(path: &str, member: &MappingEntry, workloads: &[MappingEntry]) -> PlanFinding {
    let names: Vec<&str> = workloads.iter().map(|entry| entry.key.as_str()).collect();
    let sizes: Vec<&str> = names.iter().copied().filter(|name| name.starts_with(&format!("{}/", member.key))).collect();
    let message = format!("{path}: there is no workload \"{}\"", member.key);
    let hint = if sizes.is_empty() {
        let near = did_you_mean(&member.key, &names);
        format!("{near}name a workload of the plan, or write what its transactions do: `{EXAMPLE}`")
    } else {
        format!("it has several sizes; name one: \"{}\"", sizes.join("\" or \""))
    };
    PlanFinding::new(member.key_span, message).hint(hint)
}

impl Workload {
    /// The members, if it is a mix.
    #[must_use]
    pub fn mix_members(&self) -> &[MixMember] {
        if let TransactionWork::Mix(members) = &self.work { members } else { &[] }
    }

    /// The workload itself; of a mix each member, as a workload `MIX/MEMBER` that has all else of the mix. None of them
    /// is a mix.
    #[must_use]
    pub fn single_workloads(&self) -> Vec<Self> {
        let TransactionWork::Mix(members) = &self.work else { return vec![self.clone()] };
        let mut singles = Vec::new();
        for member in members {
            let name = name_of_member(&self.name, &member.name);
            singles.push(Self { name, work: member.work.clone(), ..self.clone() });
        }
        singles
    }
}

pub(super) fn name_of_member(mix: &str, member: &str) -> String {
    format!("{mix}/{member}")
}
