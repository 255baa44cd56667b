//! Wait events where the servers of a run are of different versions: what versions call otherwise has one name, that of
//! the oldest server, so that like is compared with like. Where one name became several, as that of the lock of a page
//! in PostgreSQL 19, they are summed again. In a run of one version every event has its own name.

use std::collections::BTreeMap;

use catalog::common_wait_name;
use results::activity::{SampledSessions, WaitEvent};
use results::facts::TargetFacts;
use results::trial::Trial;

use super::WatchedPhase;

/// Gives the waits of all trials the names that the versions have in common.
pub(super) fn rename_waits(
    seen: &mut BTreeMap<u32, Vec<SampledSessions>>,
    watched: &mut BTreeMap<u32, WatchedPhase>,
    trials: &[Trial],
    facts: &BTreeMap<String, TargetFacts>,
) {
    let majors: BTreeMap<&String, u32> =
        facts.iter().map(|(name, facts)| (name, facts.server.version_num / 10_000)).collect();
    let Some(oldest) = majors.values().copied().min() else { return };
    for trial in trials {
        if majors.get(&trial.cell.target).is_none_or(|major| *major == oldest) {
            continue;
        }
        if let Some(seen) = seen.get_mut(&trial.number) {
            rename_in_groups(seen, oldest);
        }
        let Some(watched) = watched.get_mut(&trial.number) else { continue };
        for window in watched.activity.iter_mut().flatten() {
            rename_in_groups(&mut window.seen, oldest);
            for query in &mut window.queries {
                if let Some(wait) = &mut query.wait {
                    rename_wait(wait, oldest);
                }
            }
        }
    }
}

fn rename_wait(wait: &mut WaitEvent, oldest: u32) {
    if let Some((class, event)) = common_wait_name(&wait.class, &wait.event, oldest) {
        *wait = WaitEvent { class: class.to_owned(), event: event.to_owned() };
    }
}

/// The same of groups of sessions; those that are alike then are one.
fn rename_in_groups(groups: &mut Vec<SampledSessions>, oldest: u32) {
    let mut renamed: Vec<SampledSessions> = Vec::with_capacity(groups.len());
    for mut group in groups.drain(..) {
        if let Some(wait) = &mut group.wait {
            rename_wait(wait, oldest);
        }
        match renamed.iter_mut().find(|known| known.state == group.state && known.wait == group.wait) {
            Some(known) => known.sessions += group.sessions,
            None => renamed.push(group),
        }
    }
    *groups = renamed;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(state: &str, wait: Option<(&str, &str)>, sessions: u64) -> SampledSessions {
        let wait = wait.map(|(class, event)| WaitEvent { class: class.to_owned(), event: event.to_owned() });
        SampledSessions { state: state.to_owned(), wait, sessions }
    }

    #[test]
    fn what_one_version_splits_is_one_wait_beside_another_version() {
        let of_19 = vec![
            group("active", Some(("Buffer", "BufferExclusive")), 5),
            group("active", None, 7),
            group("active", Some(("Buffer", "BufferShared")), 2),
            group("idle in transaction", Some(("Buffer", "BufferShared")), 1),
            group("active", Some(("Buffer", "BufferCleanup")), 1),
        ];
        let mut beside_18 = of_19.clone();
        rename_in_groups(&mut beside_18, 18);
        let content = Some(("LWLock", "BufferContent"));
        let expected = [
            group("active", content, 7),
            group("active", None, 7),
            group("idle in transaction", content, 1),
            group("active", Some(("BufferPin", "BufferPin")), 1),
        ];
        assert_eq!(beside_18, expected);
        let mut alone = of_19.clone();
        rename_in_groups(&mut alone, 19);
        assert_eq!(alone, of_19);
    }
}
