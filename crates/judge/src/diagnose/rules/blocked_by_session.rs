//! `blocked-by-session`: the load waits for a lock that a session holds which is none of the load's.

use std::collections::BTreeMap;

use results::activity::{Holder, SeenLock};

use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingKind, SHARE_OF_CHANGE, figure,
};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::{ChartedSeries, Moment};
use crate::diagnose::spent::{is_wait, waits_for_class};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "blocked-by-session",
        group: CodeGroup::Locks,
        detects: "Sessions of the load wait for a lock that another session holds, or requested before them. The finding names that session.",
        reported_if: "Sessions of the load wait for heavyweight locks, and sessions outside the load hold these locks or \
                requested them before.",
        thresholds: &[RuleThreshold::at_least(
            "waits behind sessions outside the load as a share of the sessions' time",
            WAITING,
            ThresholdUnit::Share,
        )],
        effects: IssueEffect::OF_FINDINGS,
        why: "A migration, a report or a VACUUM FULL that locks a table blocks all its users. A session that only waits for such a lock \
              blocks all later requests. lock_timeout and shorter transactions limit the wait.",
        evidence: "Sessions of the load that are blocked, and the blocking session with its statement (`pg_blocking_pids`).",
        fix: "End the blocking session, shorten its transactions, or set lock_timeout.",
        confirm: "Run the plan again without the blocking session.",
        formerly: &["locked-by-another"],
    },
    measure: Measure::Time,
    look: look_for_blocked_by_session,
};

/// From this share of the sessions' time on. A lock that is held for a moment now and then is the price of maintenance.
const WAITING: f64 = 0.005;

/// What the load's own sessions are called, also where sides take turns.
const OF_THE_LOAD: &str = "pgdyno-load";

fn look_for_blocked_by_session(case: &DiagnosisCase<'_>) -> Looked {
    let waiting = case.share_of_sessions(|seen| waits_for_class(seen, "Lock"))?;
    if waiting < WAITING {
        return Ok(None);
    }
    let holders = Holders::from_activity(case)?;
    let Some((name, held)) = holders.chief_holder() else { return Ok(None) };
    // Seen in samples, as the sessions were: of all that they saw, so much was behind strangers.
    let share = waiting * holders.share_of_strangers();
    if share < WAITING {
        return Ok(None);
    }
    let windows = case.windows_where(is_behind_a_stranger);
    Ok(Some(CaseFinding {
        title: format!("another session ({name}) blocks the load: {}", describe_lock(&held.lock)),
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost: case.cost_in(|part| is_wait(part, "Lock") && holders.is_waited_for(part)),
        figures: figures_of_holder(case, name, held, share, &holders),
        chart: case.chart_of_windows(
            &windows,
            &[ChartedSeries::series_of_sessions("sessions waiting for a lock", &|seen| waits_for_class(seen, "Lock"))],
        ),
        windows,
        would_disprove: "the same waits without that session".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            "stop that session (or set its lock_timeout), run this plan, and compare: no session waits for its locks",
        ),
        mend: None,
    }))
}

/// Of the sessions of the load that were seen waiting for a lock, the share behind sessions that are none of the
/// load's, 0 to 1; 0 where it was not looked at.
pub(super) fn share_behind_strangers(case: &DiagnosisCase<'_>) -> f64 {
    Holders::from_activity(case).map_or(0.0, |holders| holders.share_of_strangers())
}

fn is_stranger(holder: &Holder) -> bool {
    // Autovacuum and other processes of the server have no name.
    !holder.application.as_deref().is_some_and(|name| name.starts_with(OF_THE_LOAD))
}

fn is_behind_a_stranger(second: &Moment<'_>) -> bool {
    second.seen_locks().any(|lock| is_stranger(&lock.holder))
}

/// `AccessShareLock on public.t`.
fn describe_lock(lock: &SeenLock) -> String {
    match &lock.relation {
        Some(relation) => format!("{} on {relation}", lock.mode),
        None => format!("{} on a {}", lock.mode, lock.kind),
    }
}

/// Who was waited for, by name.
struct Holders {
    strangers: BTreeMap<String, BlockingSessions>,
    /// Sessions seen waiting behind strangers, and behind anybody.
    behind_strangers: u64,
    behind_anybody: u64,
}

/// What was seen of the sessions of one name.
struct BlockingSessions {
    /// The lock that was waited for first.
    lock: SeenLock,
    sessions: u64,
    pids: Vec<i32>,
    longest_us: u64,
    /// Samples' events, as the budget calls them.
    kinds: Vec<String>,
}

impl Holders {
    fn from_activity(case: &DiagnosisCase<'_>) -> Result<Self, MissingObservation> {
        let mut holders = Self { strangers: BTreeMap::new(), behind_strangers: 0, behind_anybody: 0 };
        for lock in case.activity_windows().flat_map(|window| &window.locks) {
            holders.add(lock);
        }
        if holders.behind_anybody == 0 {
            let gap = case.activity_windows().find_map(|window| window.locks_gap.as_deref());
            return Err(MissingObservation::new("the blocking sessions", gap.unwrap_or("they were not sampled")));
        }
        Ok(holders)
    }

    fn add(&mut self, lock: &SeenLock) {
        self.behind_anybody += lock.sessions;
        if !is_stranger(&lock.holder) {
            return;
        }
        self.behind_strangers += lock.sessions;
        let name = match (&lock.holder.application, lock.holder.pid) {
            (_, 0) => "a prepared transaction".to_owned(),
            (Some(name), _) if !name.is_empty() => name.clone(),
            (Some(_) | None, _) => "without an application_name".to_owned(),
        };
        let held = self.strangers.entry(name).or_insert_with(|| BlockingSessions {
            lock: lock.clone(),
            sessions: 0,
            pids: Vec::new(),
            longest_us: 0,
            kinds: Vec::new(),
        });
        held.sessions += lock.sessions;
        held.longest_us = held.longest_us.max(lock.longest_us);
        if !held.pids.contains(&lock.holder.pid) {
            held.pids.push(lock.holder.pid);
        }
        if !held.kinds.contains(&lock.kind) {
            held.kinds.push(lock.kind.clone());
        }
    }

    fn chief_holder(&self) -> Option<(&str, &BlockingSessions)> {
        let (name, held) = self.strangers.iter().max_by_key(|(_, held)| held.sessions)?;
        Some((name, held))
    }

    fn share_of_strangers(&self) -> f64 {
        self.behind_strangers as f64 / self.behind_anybody as f64
    }

    /// Whether a part of the budget is a wait for a kind of lock that strangers hold.
    fn is_waited_for(&self, part: &BudgetPart) -> bool {
        let BudgetPart::Waiting(wait) = part else { return false };
        self.strangers.values().any(|held| held.kinds.contains(&wait.event))
    }
}

fn figures_of_holder(
    case: &DiagnosisCase<'_>,
    name: &str,
    held: &BlockingSessions,
    share: f64,
    holders: &Holders,
) -> Vec<EvidenceFigure> {
    let holder = &held.lock.holder;
    let process = match held.pids.as_slice() {
        [pid] => format!("{name}, process {pid}"),
        pids => format!("{name}, {} processes, the first {}", pids.len(), pids[0]),
    };
    let mut figures = vec![
        figure("blocking session", FigureAmount::Text(process)),
        figure("time lost by all sessions", FigureAmount::S(share * case.measured_s())),
        figure("share of the sessions' time", FigureAmount::Share(share)),
    ];
    if let Some(other) = case.other_sides().first() {
        figures.extend(
            case.share_of_change(other, |part: &BudgetPart| is_wait(part, "Lock") && holders.is_waited_for(part))
                .map(|share| figure(SHARE_OF_CHANGE, FigureAmount::Share(share))),
        );
    }
    figures.extend(holder.mode.clone().map(|mode| figure("lock held", FigureAmount::Text(mode))));
    figures.push(figure("lock waited for", FigureAmount::Text(describe_lock(&held.lock))));
    let state = holder.state.clone().into_iter().chain(holder.statement.clone()).collect::<Vec<_>>();
    if !state.is_empty() {
        figures.push(figure("state and statement of the blocking session", FigureAmount::Text(state.join(": "))));
    }
    figures.push(figure("longest wait", FigureAmount::S(held.longest_us as f64 / 1e6)));
    figures
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    /// A third of the sessions' time.
    fn behind(cell: Measurement, application: &str) -> Measurement {
        cell.sees("active", Some("Lock:relation"), 20).locks(json!([{
            "kind": "relation", "mode": "AccessShareLock", "relation": "public.accounts", "sessions": 20, "longest_us": 900_000,
            "holder": { "pid": 77, "application": application, "state": "active", "mode": "AccessExclusiveLock",
                        "statement": "SELECT pg_sleep(1)", "transaction_us": 900_000 },
        }]))
    }

    #[test]
    fn who_holds_what_is_waited_for_is_named_with_what_it_does() {
        let found = Built::pair().with(|cell| behind(cell, "nightly_report")).finds(&RULE);
        let title = "another session (nightly_report) blocks the load: AccessShareLock on public.accounts";
        assert_eq!(found.title, title);
        let text = |name: &str| found.figures.iter().find(|f| f.name == name).map(|f| f.amount.clone());
        assert_eq!(text("blocking session"), Some(FigureAmount::Text("nightly_report, process 77".to_owned())));
        assert_eq!(
            text("state and statement of the blocking session"),
            Some(FigureAmount::Text("active: SELECT pg_sleep(1)".to_owned()))
        );
        assert_eq!(text("time lost by all sessions"), Some(FigureAmount::S(12.0)), "{found:?}");
    }

    #[test]
    fn sessions_of_the_load_behind_each_other_are_another_matter() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| behind(cell, "pgdyno-load")).is_fine_for(&RULE);
        Built::healthy().with(|cell| behind(cell, "pgdyno-load-2")).is_fine_for(&RULE);
    }

    #[test]
    fn without_the_holders_it_stays_open() {
        let built = Built::healthy().with(|cell| cell.sees("active", Some("Lock:relation"), 20));
        assert_eq!(built.lacks(&RULE), "the blocking sessions: they were not sampled");
    }
}
