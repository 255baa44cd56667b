//! The CPU time of processes that have ended, which nobody has read in time: each counted once, whether it was seen
//! alive or not.
//!
//! When a process ends, the kernel adds its CPU time to an account of its parent (`cutime`, `cstime`). The account is
//! kept in nanoseconds and shown in ticks of 10 ms, rounded down twice: it is up to 20 ms too low at any instant,
//! however many processes it is of, and so is the time between two instants too low or too high.

use std::collections::BTreeMap;

use super::proc_file::Malformed;

/// The account of one parent's children.
#[derive(Debug, Default)]
pub(super) struct EndedChildren {
    /// What was counted of those that were alive at the last reading, by process, in nanoseconds.
    counted_ns: BTreeMap<u32, u64>,
    /// What was counted of those that have ended since.
    counted_of_ended_ns: u64,
    uncounted_ns: u64,
}

impl EndedChildren {
    /// What ended children had used beyond what was counted of them while they lived, since the first reading or before
    /// it. Never falls: what the kernel shows may lag behind what was counted.
    ///
    /// `of_ended_ns` is the kernel's account of them, read before `living_ns`, which counts those that live.
    pub(super) fn uncounted_ns(&mut self, of_ended_ns: u64, living_ns: BTreeMap<u32, u64>) -> u64 {
        for (pid, counted_ns) in &self.counted_ns {
            // A number that has become another process's counts from zero.
            let lives = living_ns.get(pid).is_some_and(|now_ns| now_ns >= counted_ns);
            if !lives {
                self.counted_of_ended_ns += counted_ns;
            }
        }
        self.counted_ns = living_ns;
        self.uncounted_ns = self.uncounted_ns.max(of_ended_ns.saturating_sub(self.counted_of_ended_ns));
        self.uncounted_ns
    }
}

/// User and system time of the children that a process has waited for, and theirs: fields 16 and 17 of
/// proc_pid_stat(5). The second field, a name in parentheses, may contain anything.
pub(super) fn ticks_of_ended_children(text: &str) -> Result<u64, Malformed> {
    let malformed = Malformed("it has no time of ended children".to_owned());
    let Some((_, after_name)) = text.rsplit_once(") ") else { return Err(malformed) };
    let mut times = after_name.split_whitespace().skip(13).map(str::parse);
    match (times.next(), times.next()) {
        (Some(Ok(user)), Some(Ok(system))) => Ok(u64::saturating_add(user, system)),
        _ => Err(malformed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_counted_of_a_living_process_is_not_counted_again_when_it_has_ended() {
        let mut ended = EndedChildren::default();
        assert_eq!(ended.uncounted_ns(500, BTreeMap::from([(1, 70), (2, 10)])), 500);
        // The first used 5 more and ended.
        assert_eq!(ended.uncounted_ns(575, BTreeMap::from([(2, 12)])), 505);
        // Its number is another process's now.
        assert_eq!(ended.uncounted_ns(575, BTreeMap::from([(1, 3), (2, 12)])), 505);
        assert_eq!(ended.uncounted_ns(575 + 20, BTreeMap::from([(1, 1), (2, 12)])), 505 + 17, "and of a third one");
    }

    #[test]
    fn an_account_that_lags_behind_does_not_fall_and_catches_up() {
        let mut ended = EndedChildren::default();
        ended.uncounted_ns(100, BTreeMap::from([(1, 70)]));
        assert_eq!(ended.uncounted_ns(150, BTreeMap::new()), 100, "20 of it are not shown yet");
        assert_eq!(ended.uncounted_ns(180, BTreeMap::new()), 110);
    }

    #[test]
    fn the_times_of_children_are_read_behind_a_hostile_name() {
        let line = "7 (a) b ( c) S 1 7 7 0 -1 4194304 90 0 0 0 31 69 3 4 20 0 1 0 5 0 0 184\n";
        assert_eq!(ticks_of_ended_children(line), Ok(7));
        assert!(ticks_of_ended_children("7 (x) S 1").is_err());
    }

    /// A process: the reading before which it began, at how many readings it was alive, and what it uses between two.
    type Life = (usize, usize, u64);

    /// Lives that look random and are the same each time.
    fn lives(seed: u64, count: usize) -> Vec<Life> {
        let mut state = seed;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        (0..count).map(|_| (next(12) as usize, next(6) as usize, next(40))).collect()
    }

    /// What is counted of these processes over 20 readings, where the account is shown in ticks.
    fn counted(lives: &[Life], tick: u64) -> u64 {
        let (mut ended, mut live_before, mut living_ns) = (EndedChildren::default(), BTreeMap::new(), 0);
        for reading in 0..20 {
            let used = |&(begin, readings, each): &Life| {
                each * ((reading + 1).clamp(begin, begin + readings + 1) - begin) as u64
            };
            let has_ended = |&(begin, readings, _): &Life| reading >= begin + readings;
            let of_ended: u64 = lives.iter().filter(|life| has_ended(life)).map(used).sum();
            let mut live = BTreeMap::new();
            for (pid, life) in (0..).zip(lives) {
                if life.0 <= reading && !has_ended(life) {
                    live.insert(pid, used(life));
                }
            }
            living_ns += live.iter().map(|(pid, ns)| ns - live_before.get(pid).unwrap_or(&0)).sum::<u64>();
            ended.uncounted_ns(of_ended / tick * tick, live.clone());
            live_before = live;
        }
        living_ns + ended.uncounted_ns
    }

    #[test]
    fn all_that_processes_use_is_counted_once() {
        for seed in 1..200 {
            let (lives, tick) = (lives(seed, 1 + seed as usize % 40), 1 + seed % 30);
            let in_all: u64 = lives.iter().map(|life| life.2 * (life.1 as u64 + 1)).sum();
            let found = counted(&lives, tick);
            assert!(found <= in_all && found + tick > in_all, "{found} of {in_all}, ticks of {tick}, seed {seed}");
        }
    }
}
