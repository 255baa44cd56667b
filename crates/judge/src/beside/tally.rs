//! How many statements of a captured load are slower, faster or as fast as before, for the headline.

use stats::verdict::Verdict;

use super::statements::{JudgedStatement, StatementId};
use crate::captured::captured_statements;
use crate::compare::{ComparisonPlace, PairJudgement};
use crate::observed::Observed;
use crate::units;

/// The statements of a captured load by their verdicts, of one pair.
#[derive(Debug, Clone, PartialEq)]
pub struct StatementTally {
    /// The candidate's target.
    pub candidate: String,
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// The change from which on a statement counts as slower or faster, as a share.
    pub margin: f64,
    /// All statements that are replayed.
    pub statements: usize,
    /// Slower by more than the margin for sure.
    pub slower: usize,
    /// The share of the baseline's database time that these take, 0 to 1.
    pub slower_share: f64,
    /// Faster by more than the margin for sure.
    pub faster: usize,
    /// Changed by less than the margin for sure.
    pub equivalent: usize,
    /// Executed often enough, and none of these.
    pub undecided: usize,
    /// Executed too rarely to be judged one by one.
    pub rare: usize,
}

impl StatementTally {
    /// Of a pair; none of a workload that is not captured.
    pub(super) fn of_pair(
        observed: &Observed,
        pair: &PairJudgement,
        judged: &[JudgedStatement],
        margin: f64,
    ) -> Option<Self> {
        let workload = observed.workloads.get(&pair.place.workload)?;
        workload.captured.as_ref()?;
        let mut tally = Self {
            candidate: pair.candidate.clone(),
            place: pair.place.clone(),
            margin,
            statements: captured_statements(workload).len(),
            slower: 0,
            slower_share: 0.0,
            faster: 0,
            equivalent: 0,
            undecided: 0,
            rare: 0,
        };
        for one in judged.iter().filter(|one| one.candidate == pair.candidate && one.place == pair.place) {
            if !matches!(one.statement, StatementId::Captured { .. }) {
                continue;
            }
            if one.ruling.is_loss() {
                tally.slower += 1;
                tally.slower_share += one.captured.as_ref().map_or(0.0, |captured| captured.share);
            } else if one.ruling.is_gain() {
                tally.faster += 1;
            } else if one.ruling.verdict == Verdict::Equivalent {
                tally.equivalent += 1;
            } else {
                tally.undecided += 1;
            }
        }
        tally.rare = tally.statements - (tally.slower + tally.faster + tally.equivalent + tally.undecided);
        Some(tally)
    }

    /// It as a sentence without its period.
    pub fn in_words(&self) -> String {
        let margin = units::format_percent(self.margin);
        let of_time = match self.slower {
            0 => String::new(),
            _ => format!(" ({} of the time)", units::format_percent(self.slower_share)),
        };
        let (noun, verb) = (
            if self.statements == 1 { "statement" } else { "statements" },
            if self.slower == 1 { "is" } else { "are" },
        );
        let mut words = format!(
            "of {} {noun} {} {verb} slower beyond {margin}{of_time}, {} faster, {} equivalent",
            self.statements, self.slower, self.faster, self.equivalent
        );
        if self.undecided > 0 {
            words.push_str(&format!(", {} without a verdict", self.undecided));
        }
        if self.rare > 0 {
            words.push_str(&format!(", {} rare: not enough data", self.rare));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_says_what_there_is_and_leaves_out_what_there_is_not() {
        let tally = StatementTally {
            candidate: "pg18".to_owned(),
            place: ComparisonPlace { workload: "peak".to_owned(), clients: 16.into() },
            margin: 0.1,
            statements: 212,
            slower: 3,
            slower_share: 0.18,
            faster: 41,
            equivalent: 151,
            undecided: 0,
            rare: 17,
        };
        assert_eq!(
            tally.in_words(),
            "of 212 statements 3 are slower beyond 10 % (18 % of the time), 41 faster, 151 equivalent, 17 rare: not \
             enough data"
        );
        let few = StatementTally { statements: 2, slower: 0, faster: 0, equivalent: 1, undecided: 1, rare: 0, ..tally };
        assert_eq!(
            few.in_words(),
            "of 2 statements 0 are slower beyond 10 %, 0 faster, 1 equivalent, 1 without a verdict"
        );
    }
}
