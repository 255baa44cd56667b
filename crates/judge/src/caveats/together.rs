//! Caveats of one kind on several trials as one: counts are summed, shares and rates are averaged.

use results::trial::Trial;

use super::{CacheFound, Caveat, CaveatsOfTrials, OfTurns};
use crate::failures::TransactionAccount;

/// What is said of several trials that have a caveat of one kind. What names something, such as a reason, is the
/// first's; [`is_summed`] tells which do.
pub fn of_all(alike: &[&Caveat]) -> Caveat {
    let mut all = alike[0].clone();
    for caveat in &alike[1..] {
        add_trial(&mut all, caveat);
    }
    average_over_trials(&mut all, alike.len() as f64);
    all
}

/// The caveats of some trials, those of one code together, in the order in which their codes come first. What fails on
/// one side, and why, is no other side's.
pub(crate) fn by_kind<'a>(
    trials: impl IntoIterator<Item = &'a Trial>,
    caveats: &'a CaveatsOfTrials,
) -> Vec<Vec<(&'a Trial, &'a Caveat)>> {
    let mut kinds: Vec<Vec<(&Trial, &Caveat)>> = Vec::new();
    for trial in trials {
        for caveat in caveats.get(&trial.number).into_iter().flatten() {
            let is_of_target = matches!(caveat, Caveat::Failures(_) | Caveat::Outages { .. });
            let alike = kinds.iter_mut().find(|kind| {
                let (other, first) = kind[0];
                first.code() == caveat.code() && (!is_of_target || other.cell.target == trial.cell.target)
            });
            match alike {
                Some(kind) => kind.push((trial, caveat)),
                None => kinds.push(vec![(trial, caveat)]),
            }
        }
    }
    kinds
}

/// Whether several trials' caveats of this kind are one with the figures of all, so that none of them says more.
pub(crate) fn is_summed(caveat: &Caveat) -> bool {
    match caveat {
        Caveat::Noted(_)
        | Caveat::Beside(_)
        | Caveat::Provider(_)
        | Caveat::ExternalGenerator { .. }
        | Caveat::GeneratorDiffers { .. }
        | Caveat::BranchContention { .. } => false,
        Caveat::Cache { found, .. } => matches!(found, CacheFound::Reads { .. }),
        _ => true,
    }
}

/// Adds what another trial says, shares and rates included.
fn add_trial(all: &mut Caveat, other: &Caveat) {
    match (all, other) {
        (
            Caveat::ClientBound { busiest_thread, demand, .. },
            Caveat::ClientBound { busiest_thread: b, demand: d, .. },
        ) => {
            *busiest_thread += b;
            *demand = demand.zip(*d).map(|(one, other)| one + other);
        }
        (
            Caveat::BelowOffered { offered_per_s, achieved_per_s, skipped },
            Caveat::BelowOffered { offered_per_s: offered, achieved_per_s: achieved, skipped: s },
        ) => {
            *offered_per_s += offered;
            *achieved_per_s += achieved;
            *skipped += s;
        }
        (Caveat::LateSends { late, of }, Caveat::LateSends { late: l, of: o }) => {
            *late += l;
            *of += o;
        }
        (Caveat::Ledger { lost, unexpected, of }, Caveat::Ledger { lost: l, unexpected: u, of: o }) => {
            *lost += l;
            *unexpected += u;
            *of += o;
        }
        (Caveat::Outages { count, .. }, Caveat::Outages { count: c, .. }) => *count += c,
        (Caveat::Failures(account), Caveat::Failures(other)) => {
            **account = TransactionAccount::from_accounts([(**account).clone(), (**other).clone()]);
        }
        (Caveat::Cache { found, .. }, Caveat::Cache { found: other, .. }) => add_reads(found, other),
        (Caveat::OfTurns(all), Caveat::OfTurns(other)) => add_turns(all, other),
        (Caveat::Viewed { pages, share, here }, Caveat::Viewed { pages: p, share: s, here: h }) => {
            *pages = (*pages).max(*p);
            *share += s;
            *here |= h;
        }
        _ => {}
    }
}

fn add_reads(all: &mut CacheFound, other: &CacheFound) {
    if let (
        CacheFound::Reads { missed_bytes, asked_bytes, disk_bytes, .. },
        CacheFound::Reads { missed_bytes: missed, asked_bytes: asked, disk_bytes: disk, .. },
    ) = (all, other)
    {
        *missed_bytes += missed;
        *asked_bytes += asked;
        *disk_bytes += disk;
    }
}

fn add_turns(all: &mut OfTurns, other: &OfTurns) {
    match (all, other) {
        (OfTurns::Lost { lost, of }, OfTurns::Lost { lost: l, of: o }) => {
            *lost += l;
            *of += o;
        }
        (OfTurns::Overrun { share, .. }, OfTurns::Overrun { share: s, .. })
        | (OfTurns::Edge { longer: share, .. }, OfTurns::Edge { longer: s, .. })
        | (OfTurns::Gaps { share }, OfTurns::Gaps { share: s }) => *share += s,
        _ => {}
    }
}

/// Makes means of the shares, rates and bytes per trial that were added.
fn average_over_trials(all: &mut Caveat, trials: f64) {
    match all {
        Caveat::ClientBound { busiest_thread, demand, .. } => {
            *busiest_thread /= trials;
            *demand = demand.map(|demand| demand / trials);
        }
        Caveat::BelowOffered { offered_per_s, achieved_per_s, .. } => {
            *offered_per_s /= trials;
            *achieved_per_s /= trials;
        }
        Caveat::Cache { found: CacheFound::Reads { missed_bytes, asked_bytes, disk_bytes, .. }, .. } => {
            for bytes in [missed_bytes, asked_bytes, disk_bytes] {
                *bytes /= trials;
            }
        }
        Caveat::OfTurns(
            OfTurns::Overrun { share, .. } | OfTurns::Edge { longer: share, .. } | OfTurns::Gaps { share },
        )
        | Caveat::Viewed { share, .. } => *share /= trials,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use plan::Cache;

    use super::*;

    fn late_sends(late: u64, of: u64) -> Caveat {
        Caveat::LateSends { late, of }
    }

    fn client_bound(busiest_thread: f64, demand: Option<f64>) -> Caveat {
        Caveat::ClientBound { generators: None, busiest_thread, demand }
    }

    fn below_offered(achieved_per_s: f64, skipped: u64) -> Caveat {
        Caveat::BelowOffered { offered_per_s: 100.0, achieved_per_s, skipped }
    }

    fn cold_reads(missed_bytes: f64) -> Caveat {
        let found = CacheFound::Reads { seconds: 3, missed_bytes, asked_bytes: 8.0, disk_bytes: 1.0 };
        Caveat::Cache { wanted: Cache::Cold, found }
    }

    fn of_edge(longer: f64) -> Caveat {
        Caveat::OfTurns(OfTurns::Edge { longer, length_us: 20_000 })
    }

    fn lost_turns(lost: usize, of: usize) -> Caveat {
        Caveat::OfTurns(OfTurns::Lost { lost, of })
    }

    fn lost_commits(lost: u64, unexpected: u64, of: u64) -> Caveat {
        Caveat::Ledger { lost, unexpected, of }
    }

    fn lost_connections(count: usize) -> Caveat {
        Caveat::Outages { count, cause: "reset".to_owned() }
    }

    fn failed_transactions(completed: u64, failed: u64, sqlstate: &str) -> Caveat {
        let errors = [(sqlstate.to_owned(), failed)].into();
        Caveat::Failures(Box::new(TransactionAccount { completed, failed, errors, ..TransactionAccount::default() }))
    }

    #[test]
    fn counts_of_several_trials_are_summed_and_shares_averaged() {
        for (of_trials, expected) in [
            ([late_sends(3, 10), late_sends(5, 20)], late_sends(8, 30)),
            ([client_bound(0.9, Some(1.0)), client_bound(1.0, None)], client_bound(0.95, None)),
            ([below_offered(80.0, 2), below_offered(60.0, 0)], below_offered(70.0, 2)),
            ([cold_reads(1.0), cold_reads(3.0)], cold_reads(2.0)),
            ([of_edge(0.5), of_edge(-0.25)], of_edge(0.125)),
            ([lost_commits(1, 1, 5), lost_commits(0, 1, 6)], lost_commits(1, 2, 11)),
            ([lost_connections(1), lost_connections(2)], lost_connections(3)),
            ([lost_turns(1, 10), lost_turns(2, 10)], lost_turns(3, 20)),
            ([Caveat::SharedHost, Caveat::SharedHost], Caveat::SharedHost),
        ] {
            assert_eq!(of_all(&[&of_trials[0], &of_trials[1]]), expected);
        }
        let both = of_all(&[&failed_transactions(10, 1, "40001"), &failed_transactions(5, 7, "23514")]);
        let Caveat::Failures(both) = both else { panic!("{both:?}") };
        assert_eq!((both.completed, both.failed, both.most_frequent()), (15, 8, Some(("23514", 7))));
    }
}
