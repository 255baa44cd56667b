//! When the phases of a run are announced: of one job at instants that are known ahead, of sides that take turns with
//! the first turn of each.

use crate::engine::clock::NEVER;
use crate::engine::collector::Collector;
use crate::engine::timetable::Timetable;
use crate::report::LoadPhase;
use crate::turns::TurnsEvent;

/// The instants of a run that are announced when they come.
pub(crate) struct PhaseInstants {
    pub(crate) ahead: std::vec::IntoIter<(u64, Option<LoadPhase>)>,
    pub(crate) next: Option<(u64, Option<LoadPhase>)>,
    /// The last one that has begun without having been ahead.
    pub(crate) last: Option<LoadPhase>,
}

impl PhaseInstants {
    /// None is known ahead.
    pub(crate) fn without_timetable() -> PhaseInstants {
        PhaseInstants { ahead: Vec::new().into_iter(), next: None, last: None }
    }

    /// A turn of that phase has begun: says so if it is the first.
    pub(crate) fn note_begun_turn(
        &mut self,
        phase: LoadPhase,
        at_ns: u64,
        collectors: &mut [Collector],
        on_event: &mut dyn FnMut(TurnsEvent<'_>),
    ) {
        if self.last.replace(phase) == Some(phase) {
            return;
        }
        if phase == LoadPhase::Measure {
            collectors.iter_mut().for_each(|collector| collector.measure_from(at_ns));
        }
        on_event(TurnsEvent::Began { phase, at_ns });
    }

    pub(crate) fn new(timetable: Timetable) -> PhaseInstants {
        let warm_up = (timetable.warm_up_ns > 0).then_some((timetable.start_ns, Some(LoadPhase::WarmUp)));
        let measure = (timetable.measure_start_ns(), Some(LoadPhase::Measure));
        let all: Vec<_> = warm_up.into_iter().chain([measure, (timetable.end_ns(), None)]).collect();
        let mut ahead = all.into_iter();
        let next = ahead.next();
        PhaseInstants { ahead, next, last: None }
    }

    /// When something is to be announced next, in a load that ends at `end_ns`.
    pub(crate) fn next_ns(&self, end_ns: u64) -> u64 {
        self.next.map_or(NEVER, |(at_ns, _)| at_ns.min(end_ns))
    }

    pub(crate) fn announce_due_phases(&mut self, now_ns: u64, end_ns: u64, on_event: &mut dyn FnMut(TurnsEvent<'_>)) {
        while let Some((at_ns, phase)) = self.next.filter(|(at_ns, _)| now_ns >= (*at_ns).min(end_ns)) {
            match phase {
                Some(phase) if at_ns < end_ns => on_event(TurnsEvent::Began { phase, at_ns }),
                // A phase that an interruption has left no time for.
                Some(_) => {}
                None => on_event(TurnsEvent::Ended { at_ns: end_ns }),
            }
            self.next = self.ahead.next();
        }
    }
}
