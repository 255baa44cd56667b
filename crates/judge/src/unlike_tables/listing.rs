//! Facts that differ as lines of a list: what is alike of several objects is one line.

use results::catalog::CatalogPart;

use super::{EXISTENCE, UnlikeTableFact};

/// One line: what differs, the values of both sides, and what to do about it here.
#[derive(Debug, Clone, PartialEq)]
pub struct UnlikeLine {
    /// `index t_a_idx on public.t`, or `24 indexes on public.t`.
    pub what: String,
    /// `btree (a) (other side: missing)`.
    pub values: String,
    /// What makes this side as the other one is; absent where nothing short does.
    pub advice: Option<String>,
}

/// From so many objects on that only one side has, of one kind and table, they are one line.
const TOGETHER: usize = 3;

/// Objects that are named in such a line.
const NAMED: usize = 3;

/// The lines of facts, in their order.
pub fn lines_of(facts: &[UnlikeTableFact]) -> Vec<UnlikeLine> {
    let mut lines = Vec::new();
    for (place, fact) in facts.iter().enumerate() {
        let together: Vec<&UnlikeTableFact> = facts.iter().filter(|other| is_of_one_line(fact, other)).collect();
        let is_first = !facts[..place].iter().any(|before| is_of_one_line(fact, before));
        if together.len() < TOGETHER {
            lines.push(UnlikeLine {
                what: fact.difference_in_words(),
                values: fact.values_in_words(),
                advice: fact.advice.clone(),
            });
        } else if is_first {
            lines.push(line_of_several(fact, &together));
        }
    }
    lines
}

fn is_of_one_line(one: &UnlikeTableFact, other: &UnlikeTableFact) -> bool {
    if one.part != other.part || one.fact != other.fact || one.table != other.table || one.table.is_none() {
        return false;
    }
    if one.fact == EXISTENCE {
        return one.here.is_some() == other.here.is_some();
    }
    one.part == CatalogPart::Columns && (&one.here, &one.there) == (&other.here, &other.there)
}

fn line_of_several(first: &UnlikeTableFact, together: &[&UnlikeTableFact]) -> UnlikeLine {
    let kind = match first.part {
        CatalogPart::Columns => "columns",
        CatalogPart::Indexes => "indexes",
        CatalogPart::ExtendedStatistics => "extended statistics",
        CatalogPart::Policies => "policies",
        CatalogPart::Triggers => "triggers",
        CatalogPart::Constraints => "constraints",
        _ => "objects",
    };
    let mut names: Vec<&str> = together.iter().take(NAMED).map(|fact| fact.name.as_str()).collect();
    if together.len() > NAMED {
        names.push("...");
    }
    let names = names.join(", ");
    if first.fact != EXISTENCE {
        return UnlikeLine {
            what: format!("{} of {} {kind} of {}", first.fact, together.len(), first.table.as_deref().unwrap_or("")),
            values: format!("{} ({names})", first.values_in_words()),
            advice: first.advice.clone(),
        };
    }
    let is_here = first.here.is_some();
    let side = if is_here { "this side" } else { "the other side" };
    UnlikeLine {
        what: format!("{} {kind} on {}", together.len(), first.table.as_deref().unwrap_or("")),
        values: format!("only on {side} ({names})"),
        advice: match (first.part, is_here) {
            (CatalogPart::Indexes, true) => Some(format!("drop the indexes that no statement needs ({names})")),
            _ => first.advice.clone(),
        },
    }
}
