//! A transaction of n statements, each waited for, takes at least n round trips of the path; one statement takes one.

use super::Check;
use crate::audit::ladder::{Ladder, ladders};
use crate::audit::material::Material;
use crate::audit::outcome::{Figure, Outcome, Weight};

pub(super) const CHECK: Check = Check {
    id: "round-trips",
    rule: "the mean latency of a transaction of n statements is at least n times that of one statement on the same path, less \
           30 % since BEGIN and END are cheaper",
    judge,
};

/// BEGIN and END cost the server less than a select, but each takes a round trip all the same.
const AT_LEAST: f64 = 0.7;

/// Ratios this many times apart are unlike.
const APART: f64 = 1.5;

/// A workload of several statements beside one of a single statement, on the same data of the same side.
struct Beside<'a> {
    many: Ladder<'a>,
    statements: u32,
    /// By clients: how many times longer the several statements take.
    ratios: Vec<(u32, f64)>,
}

fn judge(material: &Material) -> Outcome {
    let all = beside(material);
    if all.is_empty() {
        let needs = "a workload of one statement and one of several, at the same number of clients on the same data";
        return Outcome::cannot_tell(needs, vec![]);
    }
    let figures = all.iter().map(Beside::figure).collect();
    if all.iter().all(|one| one.broken().next().is_none()) {
        return Outcome::holds(figures);
    }
    let consequence = if sides_differ(&all) {
        "where the ratio is too small, a statement of the transaction is answered faster than a statement alone: the two workloads \
         did not go the same path, or the script is not what it is said to be. The ratios differ between the sides, so the sides \
         did not do the same over the same path, and their throughputs are not comparable"
    } else {
        "a statement of the transaction is answered faster than a statement alone: the two workloads did not go the same path, or \
         the script is not what it is said to be"
    };
    Outcome::broken(Weight::Comparison, figures, consequence)
}

impl Beside<'_> {
    /// The places at which the ratio is too small.
    fn broken(&self) -> impl Iterator<Item = &(u32, f64)> {
        self.ratios.iter().filter(|(_, ratio)| *ratio < AT_LEAST * f64::from(self.statements))
    }

    fn figure(&self) -> Figure {
        let list = |text: fn(&(u32, f64)) -> String| self.ratios.iter().map(text).collect::<Vec<_>>().join(", ");
        Figure {
            of: format!("{}, {}", self.many.any.workload, self.many.any.side),
            text: format!(
                "{} statements take {} times what one takes, at {} clients",
                self.statements,
                list(|(_, ratio)| format!("{ratio:.1}")),
                list(|(clients, _)| clients.to_string()),
            ),
            breaks: self.broken().next().is_some(),
        }
    }
}

fn beside(material: &Material) -> Vec<Beside<'_>> {
    let statements = |ladder: &Ladder<'_>| ladder.any.script.and_then(|script| script.statements);
    let ones: Vec<Ladder<'_>> = ladders(material).into_iter().filter(|one| statements(one) == Some(1)).collect();
    let mut all = Vec::new();
    for many in ladders(material) {
        let Some(n) = statements(&many).filter(|n| *n > 1) else { continue };
        let data = |ladder: &Ladder<'_>| (ladder.any.side.clone(), ladder.any.scale, ladder.any.residency);
        let Some(one) = ones.iter().find(|one| data(one) == data(&many)) else { continue };
        let ratio = |rung: &crate::audit::ladder::Rung| {
            let alone = one.rungs.iter().find(|alone| alone.clients == rung.clients)?;
            Some((rung.clients, rung.latency_ms / alone.latency_ms))
        };
        let ratios: Vec<(u32, f64)> = many.rungs.iter().filter_map(ratio).collect();
        if !ratios.is_empty() {
            all.push(Beside { many, statements: n, ratios });
        }
    }
    all
}

/// Whether a ratio that is too small stands beside a much larger one of another side at the same place.
fn sides_differ(all: &[Beside<'_>]) -> bool {
    let place = |one: &Beside<'_>| (one.many.any.workload.clone(), one.many.any.scale, one.many.any.residency);
    let larger = |one: &Beside<'_>, (clients, ratio): &(u32, f64)| {
        let others = all.iter().filter(|other| place(other) == place(one) && other.many.any.side != one.many.any.side);
        others.flat_map(|other| &other.ratios).any(|(at, of_other)| at == clients && *of_other > APART * ratio)
    };
    all.iter().any(|one| one.broken().any(|broken| larger(one, broken)))
}
