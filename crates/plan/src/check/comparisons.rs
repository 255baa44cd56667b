//! What must hold for the pairs of `compare` and for the ladders: they name targets, and each of them once.

use super::super::comparisons::{ComparedTargets, lists_in_list};
use super::super::document::{Node, YamlValue};
use super::super::error::{PlanFinding, value_for_message};
use super::Checked;

pub(super) fn check_comparisons(of: &Checked<'_>, found: &mut Vec<PlanFinding>) {
    let targets = of.target_names();
    let names: Vec<&str> = targets.iter().map(|(name, _)| name.as_str()).collect();
    check_pairs(of, &names, found);
    check_ladders(of, &names, found);
}

fn check_pairs(of: &Checked<'_>, names: &[&str], found: &mut Vec<PlanFinding>) {
    let nodes = lists_of_key(of, "compare");
    let pairs = &of.plan.compare;
    // One that could not be read has an error already, and the others do not stand where it says.
    if nodes.len() != pairs.len() {
        return;
    }
    for (index, (pair, node)) in pairs.iter().zip(nodes).enumerate() {
        let sides = [&pair.candidate, &pair.baseline];
        let unknown = sides.iter().position(|side| !names.contains(&side.as_str()));
        if let Some(side) = unknown {
            let span = list_items(node).get(side).map_or(node.span, |item| item.span);
            found.push(of.unknown_target("compare", span, sides[side], names));
            continue;
        }
        let (message, hint) = if pair.candidate == pair.baseline {
            let message = format!("compare: {} is compared with itself", value_for_message(&pair.candidate));
            (message, "name two targets; `noise_floor: true` compares the baseline with itself")
        } else if sides.contains(&&of.plan.baseline) {
            let other = if pair.candidate == of.plan.baseline { &pair.baseline } else { &pair.candidate };
            let message = format!(
                "compare: {} is already compared with {}, the baseline",
                value_for_message(other),
                value_for_message(&of.plan.baseline)
            );
            (message, "remove the pair: every target is compared with the baseline")
        } else if pairs[..index].iter().any(|earlier| is_same_pair(earlier, pair)) {
            let message = format!(
                "compare: {} and {} are given twice",
                value_for_message(&pair.candidate),
                value_for_message(&pair.baseline)
            );
            (message, "keep one of the two")
        } else {
            continue;
        };
        found.push(PlanFinding::new(node.span, message).hint(hint));
    }
}

/// Whether two pairs have the same sides, in either order.
fn is_same_pair(one: &ComparedTargets, other: &ComparedTargets) -> bool {
    one == other || (one.candidate == other.baseline && one.baseline == other.candidate)
}

/// Ladders name targets, none twice; no ladder is given twice.
fn check_ladders(of: &Checked<'_>, names: &[&str], found: &mut Vec<PlanFinding>) {
    let nodes = lists_of_key(of, "ladder");
    for (index, (ladder, list)) in of.plan.ladder.iter().zip(nodes).enumerate() {
        for (place, (name, node)) in ladder.iter().zip(list_items(list)).enumerate() {
            if !names.contains(&name.as_str()) {
                found.push(of.unknown_target("ladder", node.span, name, names));
            } else if ladder[..place].contains(name) {
                let message = format!("ladder: {} is given twice", value_for_message(name));
                let finding = PlanFinding::new(node.span, message);
                found.push(finding.hint("list each target once, in the order of its layer"));
            }
        }
        if of.plan.ladder[..index].contains(ladder) {
            let message = format!("ladder: [{}] is given twice", ladder.join(", "));
            found.push(PlanFinding::new(list.span, message).hint("keep one of the two"));
        }
    }
}

/// Where the lists of a key stand, which may be a single one.
fn lists_of_key<'p>(of: &Checked<'p>, key: &str) -> &'p [Node] {
    let Some(entry) = of.root.get(key) else { return &[] };
    lists_in_list(&entry.node).unwrap_or(std::slice::from_ref(&entry.node))
}

/// The items of a list; of anything else none.
fn list_items(node: &Node) -> &[Node] {
    match &node.value {
        YamlValue::List(items) => items,
        YamlValue::Plain(_) | YamlValue::Quoted(_) | YamlValue::Map(_) => &[],
    }
}
