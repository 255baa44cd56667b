//! How much of what is counted for a whole database is of the load's own statements. A counter of `pg_stat_database`
//! has everybody's work in it: an exporter's, a backup's, another application's. What is the load's is told by
//! pg_stat_statements, for the queries that the load's own sessions were seen executing.

use std::collections::BTreeSet;

use results::statements::StatementIncreases;

use super::case::DiagnosisCase;
use super::finding::{EvidenceFigure, FigureAmount, figure};

/// From this share on a figure of the whole database says something of the load.
pub(super) const MOSTLY: f64 = 0.5;

impl DiagnosisCase<'_> {
    /// The queries that the load's sessions were seen executing; empty where the server identifies none.
    pub(super) fn queries_of_load(&self) -> BTreeSet<i64> {
        self.activity_windows().flat_map(|window| &window.queries).map(|seen| seen.query_id).collect()
    }

    /// The load's share of what statements of the database are counted to do of this, as a figure of a finding whose
    /// other figures are the whole database's; none where it is not known.
    pub(super) fn figure_of_own_share(
        &self,
        what: &str,
        of: impl Fn(&StatementIncreases) -> u64,
    ) -> Option<EvidenceFigure> {
        let share = self.counted_by_statements(of).and_then(OwnAndAll::share_of_load)?;
        Some(figure(format!("share of the load in {what} (pg_stat_statements)"), FigureAmount::Share(share)))
    }

    /// What pg_stat_statements counts of this over all trials: of the load's queries, and of all that it lists. None
    /// where it was not asked, forgot some, or nobody knows which queries are the load's.
    pub(super) fn counted_by_statements(&self, of: impl Fn(&StatementIncreases) -> u64) -> Option<OwnAndAll> {
        let queries = self.queries_of_load();
        if queries.is_empty() {
            return None;
        }
        let mut counted = OwnAndAll { own: 0, all: 0 };
        for measured in self.trials() {
            let statements = measured.watched.statements.as_ref().filter(|statements| statements.gap.is_none())?;
            for statement in &statements.statements {
                let count = of(statement);
                counted.all += count;
                if queries.contains(&statement.query_id) {
                    counted.own += count;
                }
            }
        }
        Some(counted)
    }
}

/// A count of the load's queries, and of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OwnAndAll {
    /// Of the load's.
    pub(super) own: u64,
    /// Of all.
    pub(super) all: u64,
}

impl OwnAndAll {
    /// The load's share, 0 to 1; none where nothing was counted.
    pub(super) fn share_of_load(self) -> Option<f64> {
        if self.all == 0 { None } else { Some(self.own as f64 / self.all as f64) }
    }
}
