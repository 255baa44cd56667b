//! What all looks saw, added up by process: whom a process serves is known at the end only.

use std::collections::{BTreeMap, HashMap};

use results::off_cpu::{ProcessesLookedAt, SleepingPlace};
use results::profile::ProcessKind;

use super::process_look::{ProcessLook, SeenPlace};

/// Looks at processes.
#[derive(Debug, Default)]
pub(super) struct SeenLooks {
    /// Samples that they are of.
    pub(super) samples: u64,
    /// Time that they took, in nanoseconds.
    pub(super) took_ns: u64,
    by_process: BTreeMap<u32, SeenOfProcess>,
}

#[derive(Debug, Default)]
struct SeenOfProcess {
    present: u64,
    looks: u64,
    runnable: u64,
    places: HashMap<SeenPlace, u64>,
}

impl SeenOfProcess {
    fn add_looks(&mut self, other: Self) {
        self.present += other.present;
        self.looks += other.looks;
        self.runnable += other.runnable;
        for (place, looks) in other.places {
            *self.places.entry(place).or_default() += looks;
        }
    }
}

impl SeenLooks {
    /// Nothing yet, of one sample.
    pub(super) fn of_one_sample() -> Self {
        Self { samples: 1, ..Self::default() }
    }

    /// A process was there in a sample.
    pub(super) fn note_present(&mut self, pid: u32) {
        self.by_process.entry(pid).or_default().present += 1;
    }

    /// A process was looked at.
    pub(super) fn note_look(&mut self, pid: u32, look: ProcessLook) {
        let process = self.by_process.entry(pid).or_default();
        process.looks += 1;
        match look {
            ProcessLook::Runnable => process.runnable += 1,
            ProcessLook::Asleep(place) => *process.places.entry(place).or_default() += 1,
            ProcessLook::Neither => {}
        }
    }

    /// Adds what was seen later.
    pub(super) fn add_looks(&mut self, later: Self) {
        self.samples += later.samples;
        self.took_ns += later.took_ns;
        for (pid, process) in later.by_process {
            self.by_process.entry(pid).or_default().add_looks(process);
        }
    }

    /// The sums by kind of process, the places that were seen most first.
    pub(super) fn by_kind(self, kind_of: impl Fn(u32) -> ProcessKind) -> Vec<ProcessesLookedAt> {
        let mut kinds: BTreeMap<ProcessKind, (u32, SeenOfProcess)> = BTreeMap::new();
        for (pid, process) in self.by_process {
            let (processes, sum) = kinds.entry(kind_of(pid)).or_default();
            *processes += u32::from(process.looks > 0);
            sum.add_looks(process);
        }
        kinds.into_iter().map(|(kind, (processes, sum))| seen_of_kind(kind, processes, sum)).collect()
    }
}

fn seen_of_kind(kind: ProcessKind, processes: u32, sum: SeenOfProcess) -> ProcessesLookedAt {
    let mut places: Vec<(SeenPlace, u64)> = sum.places.into_iter().collect();
    places.sort_by(|(one, looks), (other, of_other)| of_other.cmp(looks).then_with(|| one.cmp(other)));
    let places = places.into_iter().map(|(place, looks)| sleeping_place(place, looks)).collect();
    let SeenOfProcess { present, looks, runnable, .. } = sum;
    ProcessesLookedAt { kind, processes, present, looks, runnable, places }
}

fn sleeping_place(place: SeenPlace, looks: u64) -> SleepingPlace {
    let SeenPlace { state, function, call, file, stack } = place;
    SleepingPlace { state, function, call, file, stack, looks }
}

#[cfg(test)]
mod tests {
    use results::off_cpu::SleepState;

    use super::*;

    fn asleep_in(function: &str) -> ProcessLook {
        let (function, call) = (Some(function.to_owned()), Some("fdatasync".to_owned()));
        ProcessLook::Asleep(SeenPlace {
            state: SleepState::Uninterruptible,
            function,
            call,
            file: None,
            stack: Vec::new(),
        })
    }

    #[test]
    fn looks_are_added_up_by_kind_and_place() {
        let (mut all, mut later) = (SeenLooks::default(), SeenLooks::default());
        for (pid, look) in [(10, asleep_in("a")), (11, asleep_in("b")), (12, ProcessLook::Runnable)] {
            all.note_present(pid);
            all.note_look(pid, look);
        }
        for (pid, look) in [(10, asleep_in("b")), (12, ProcessLook::Neither)] {
            later.note_present(pid);
            later.note_look(pid, look);
        }
        later.note_present(11);
        (all.samples, later.samples) = (1, 1);
        all.add_looks(later);
        assert_eq!(all.samples, 2);
        let kinds = all.by_kind(|pid| if pid < 12 { ProcessKind::Load } else { ProcessKind::Backend });
        let [load, backend] = kinds.as_slice() else { panic!("{kinds:?}") };
        assert_eq!((load.processes, load.present, load.looks, load.runnable), (2, 4, 3, 0));
        let places: Vec<_> =
            load.places.iter().map(|place| (place.function.as_deref().unwrap(), place.looks)).collect();
        assert_eq!(places, [("b", 2), ("a", 1)]);
        assert_eq!((backend.processes, backend.looks, backend.runnable, backend.places.len()), (1, 2, 1, 0));
    }
}
