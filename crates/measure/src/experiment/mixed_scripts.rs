//! The scripts of a mix: those of its members, each with the weight, the name and the scale that it has in the mix.

use std::num::NonZeroU32;

use load::Weighted;
use plan::{MixMember, Workload};

use crate::script_options::variable_definitions;

/// What sets the scale of an own script itself.
const SCALE_VARIABLE: &str = "scale";

/// The scripts of a member, as they are by itself.
pub(super) struct MemberScripts<'p> {
    /// The member.
    pub(super) member: &'p MixMember,
    /// The member as a workload.
    pub(super) single: Workload,
    /// Its scripts, with weights relative to each other.
    pub(super) scripts: Vec<Weighted>,
}

/// The scripts of all members. Each member has the weight of the mix, which its scripts share by theirs.
pub(super) fn mix_scripts(members: Vec<MemberScripts<'_>>) -> Vec<Weighted> {
    let sums: Vec<u64> = members.iter().map(|member| sum_of_weights(&member.scripts)).collect();
    let mut mixed = Vec::new();
    let mut weights = Vec::new();
    for (of, sum) in members.into_iter().zip(&sums) {
        let is_single = of.scripts.len() == 1;
        let scale = scale_of_member(&of.single);
        for Weighted { script, weight } in of.scripts {
            let name = match is_single {
                true => of.member.name.clone(),
                false => format!("{}: {}", of.member.name, script.name()),
            };
            // A client has the variables of all scripts: what another member sets is not to be seen here.
            let defined = of.single.own_scripts().map_or_else(Vec::new, variable_definitions);
            let script = script.with_name(name).with_definitions(&defined);
            let script = match scale {
                Some(scale) => script.with_own_scale(scale),
                None => script,
            };
            mixed.push(Weighted { script, weight });
            weights.push((u128::from(of.member.weight.get()) * u128::from(weight.get()), u128::from(*sum)));
        }
    }
    for (weighted, weight) in mixed.iter_mut().zip(whole_weights(&weights)) {
        weighted.weight = weight;
    }
    mixed
}

fn sum_of_weights(scripts: &[Weighted]) -> u64 {
    scripts.iter().map(|weighted| u64::from(weighted.weight.get())).sum()
}

/// The value of the variable `scale` of a member's scripts; none where the plan defines that variable itself.
fn scale_of_member(single: &Workload) -> Option<u32> {
    if single.own_scripts().is_some_and(|own| own.define.contains_key(SCALE_VARIABLE)) {
        return None;
    }
    Some(super::work::scale_of_workload(single))
}

/// Whole numbers in the proportion of fractions. They are exact unless they would be too large for a weight.
fn whole_weights(fractions: &[(u128, u128)]) -> Vec<NonZeroU32> {
    let common = fractions.iter().fold(1, |common, (_, divisor)| least_common_multiple(common, *divisor));
    let whole: Vec<u128> = fractions.iter().map(|(weight, divisor)| weight * (common / divisor)).collect();
    let shared = whole.iter().fold(0, |shared, weight| greatest_common_divisor(shared, *weight)).max(1);
    let largest = whole.iter().max().map_or(1, |largest| largest / shared);
    let shrink = largest.div_ceil(u128::from(u32::MAX)).max(1);
    let mut weights = Vec::new();
    for weight in whole {
        let weight = u32::try_from(weight / shared / shrink).unwrap_or(u32::MAX);
        weights.push(NonZeroU32::new(weight).unwrap_or(NonZeroU32::MIN));
    }
    weights
}

fn greatest_common_divisor(one: u128, other: u128) -> u128 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

fn least_common_multiple(one: u128, other: u128) -> u128 {
    one / greatest_common_divisor(one, other).max(1) * other
}

#[cfg(test)]
mod tests {
    use load::ParsedScript;

    use super::*;

    /// The name and weight of each script of this mix, of which `own` are the scripts of the members that have some.
    fn mixed(mix: &str, own: &[(&str, u32)]) -> Vec<(String, u32)> {
        let text = format!(
            "name: n\ntargets: {{ a: {{ local: {{ version: 17 }} }} }}\nbaseline: a\nclients: [4]\n\
             workloads: {{ m: {{ mix: {mix} }} }}\n"
        );
        let plan = plan::parse_plan("plan.yaml", text.as_bytes()).expect("a plan");
        let workload = &plan.workloads[0];
        let mut members = Vec::new();
        for (member, single) in workload.mix_members().iter().zip(workload.single_workloads()) {
            let names: &[(&str, u32)] = if single.own_scripts().is_some() { own } else { &[("any", 7)] };
            let mut scripts = Vec::new();
            for (name, weight) in names {
                let script = ParsedScript::parse(name, "SELECT :scale;").expect("a script");
                scripts.push(Weighted { script, weight: NonZeroU32::new(*weight).expect("a weight") });
            }
            members.push(MemberScripts { member, single, scripts });
        }
        let scripts = mix_scripts(members);
        scripts.iter().map(|weighted| (weighted.script.name().to_owned(), weighted.weight.get())).collect()
    }

    #[test]
    fn members_have_their_weights_however_many_scripts_they_have() {
        let mix = "{ read: { weight: 3, builtin: select-only, scale: 1 }, own: { weight: 1, script: [a.sql, b.sql] } }";
        let weights = |own: &[(&str, u32)]| mixed(mix, own);
        assert_eq!(weights(&[("a.sql", 1)]), [("read".to_owned(), 3), ("own".to_owned(), 1)]);
        // 3 to 1, and of the 1 nine tenths are a.sql: 30, 9 and 1 of 40.
        let three = [("read".to_owned(), 30), ("own: a.sql".to_owned(), 9), ("own: b.sql".to_owned(), 1)];
        assert_eq!(weights(&[("a.sql", 9), ("b.sql", 1)]), three);
    }

    #[test]
    fn weights_too_large_for_a_script_keep_their_proportion() {
        let weights: Vec<u32> =
            whole_weights(&[(1_000_000 * u128::from(u32::MAX), 1), (1, 1)]).into_iter().map(NonZeroU32::get).collect();
        assert_eq!(weights, [u32::MAX, 1]);
        assert_eq!(whole_weights(&[(6, 4), (1, 2)]).into_iter().map(NonZeroU32::get).collect::<Vec<_>>(), [3, 1]);
    }
}
