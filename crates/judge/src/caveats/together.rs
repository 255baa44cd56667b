//! Caveats of one kind on several trials as one: counts are summed, shares and rates are averaged.

use super::{CacheFound, Caveat, OfTurns};
use crate::failures::Account;

/// What is said of several trials that have a caveat of one kind. What names something, such as a reason, is the
/// first's; [`is_summed`] tells which do.
pub fn of_all(alike: &[&Caveat]) -> Caveat {
    let mut all = alike[0].clone();
    for caveat in &alike[1..] {
        add(&mut all, caveat);
    }
    average(&mut all, alike.len() as f64);
    all
}

/// Caveats by their code, in the order in which their codes come first.
pub(crate) fn by_code<'a>(caveats: impl IntoIterator<Item = &'a Caveat>) -> Vec<Vec<&'a Caveat>> {
    let mut kinds: Vec<Vec<&Caveat>> = Vec::new();
    for caveat in caveats {
        match kinds.iter_mut().find(|kind| kind[0].code() == caveat.code()) {
            Some(kind) => kind.push(caveat),
            None => kinds.push(vec![caveat]),
        }
    }
    kinds
}

/// Whether several trials' caveats of this kind are one with the figures of all, so that none of them says more.
pub(crate) fn is_summed(caveat: &Caveat) -> bool {
    match caveat {
        Caveat::Noted(_) | Caveat::ExternalGenerator { .. } | Caveat::BranchContention { .. } => false,
        Caveat::Cache { found, .. } => matches!(found, CacheFound::Reads { .. }),
        _ => true,
    }
}

/// Adds what another trial says, shares and rates included.
fn add(all: &mut Caveat, other: &Caveat) {
    match (all, other) {
        (Caveat::ClientBound { busiest_thread, demand }, Caveat::ClientBound { busiest_thread: b, demand: d }) => {
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
            **account = Account::together([(**account).clone(), (**other).clone()]);
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
fn average(all: &mut Caveat, trials: f64) {
    match all {
        Caveat::ClientBound { busiest_thread, demand } => {
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

    #[test]
    fn counts_of_several_trials_are_summed_and_shares_averaged() {
        let late = |late, of| Caveat::LateSends { late, of };
        let bound = |busiest_thread, demand| Caveat::ClientBound { busiest_thread, demand };
        let below = |offered_per_s, achieved_per_s, skipped| Caveat::BelowOffered { offered_per_s, achieved_per_s, skipped };
        let failed = |completed, failed, sqlstate: &str| {
            let errors = [(sqlstate.to_owned(), failed)].into();
            Caveat::Failures(Box::new(Account { completed, failed, errors, ..Account::default() }))
        };
        let reads = |missed_bytes| Caveat::Cache {
            wanted: Cache::Cold,
            found: CacheFound::Reads { seconds: 3, missed_bytes, asked_bytes: 8.0, disk_bytes: 1.0 },
        };
        let edge = |longer| Caveat::OfTurns(OfTurns::Edge { longer, length_us: 20_000 });
        let lost = |lost| Caveat::OfTurns(OfTurns::Lost { lost, of: 10 });
        let ledger = |lost, of| Caveat::Ledger { lost, unexpected: 1, of };
        let outage = |count| Caveat::Outages { count, cause: "reset".to_owned() };
        for (of_trials, expected) in [
            ([late(3, 10), late(5, 20)], late(8, 30)),
            ([bound(0.9, Some(1.0)), bound(1.0, None)], bound(0.95, None)),
            ([below(100.0, 80.0, 2), below(100.0, 60.0, 0)], below(100.0, 70.0, 2)),
            ([reads(1.0), reads(3.0)], reads(2.0)),
            ([edge(0.5), edge(-0.25)], edge(0.125)),
            ([ledger(1, 5), ledger(0, 6)], Caveat::Ledger { lost: 1, unexpected: 2, of: 11 }),
            ([outage(1), outage(2)], outage(3)),
            ([lost(1), lost(2)], Caveat::OfTurns(OfTurns::Lost { lost: 3, of: 20 })),
            ([Caveat::SharedHost, Caveat::SharedHost], Caveat::SharedHost),
        ] {
            assert_eq!(of_all(&[&of_trials[0], &of_trials[1]]), expected);
        }
        let Caveat::Failures(both) = of_all(&[&failed(10, 1, "40001"), &failed(5, 7, "23514")]) else { unreachable!() };
        assert_eq!((both.completed, both.failed, both.most_frequent()), (15, 8, Some(("23514", 7))));
    }
}
