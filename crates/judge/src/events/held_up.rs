//! A primary that was long in stopping because it waited for sessions to end: why, and by whom.

use results::trial::{EventRecord, FailoverStep, SessionsOf, SmartShutdown};

/// Who waits for less is not told of: an orderly stop, or an operator that comes to restart one, takes as long.
const WORTH_TELLING_S: u32 = 10;

/// A primary that let its sessions go on for as long as it may, while it took no new ones.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldUp {
    /// For how long it waits, in seconds.
    pub timeout_s: u32,
    /// When it had stopped, or had been restarted in its place, in seconds since the event was asked for.
    pub stopped_s: f64,
    /// The sessions just before, where they could be asked for.
    pub sessions: Option<Vec<SessionsOf>>,
}

/// Whether the primary was held up so.
pub(super) fn of_event(event: &EventRecord) -> Option<HeldUp> {
    let SmartShutdown { timeout_s, sessions } = event.smart_shutdown.as_ref()?;
    let [stopped, healthy] = [FailoverStep::OldPrimaryStopped, FailoverStep::Healthy]
        .map(|wanted| event.steps.iter().find(|seen| seen.step == wanted));
    // Of a restart in its place the pod tells nothing.
    let stopped_s = stopped.or(healthy)?.at_us.saturating_sub(event.requested_us) as f64 / 1e6;
    let is_held_up = *timeout_s >= WORTH_TELLING_S && stopped_s >= f64::from(*timeout_s);
    is_held_up.then(|| HeldUp { timeout_s: *timeout_s, stopped_s, sessions: sessions.clone() })
}

#[cfg(test)]
mod tests {
    use results::trial::Stepped;

    use super::*;

    fn event(timeout_s: u32, steps: &[(FailoverStep, u64)]) -> EventRecord {
        EventRecord {
            name: "gone".to_owned(),
            what: "delete-primary".to_owned(),
            planned_us: 0,
            requested_us: 2_000_000,
            requested_at: "2026-11-20T09:13:05Z".parse().expect("a time"),
            took_us: Some(1),
            write_gap: None,
            read_gap: None,
            steps: steps.iter().map(|(step, s)| Stepped { step: *step, at_us: s * 1_000_000, pod: None }).collect(),
            smart_shutdown: Some(SmartShutdown { timeout_s, sessions: None }),
            error: None,
        }
    }

    #[test]
    fn a_primary_is_held_up_that_stopped_no_sooner_than_it_may_wait_for_its_sessions() {
        let stopped = |s| [(FailoverStep::OldPrimaryStopped, s), (FailoverStep::Healthy, 400)];
        let seen =
            |timeout_s, steps: &[(FailoverStep, u64)]| of_event(&event(timeout_s, steps)).map(|held| held.stopped_s);
        assert_eq!(seen(180, &stopped(183)), Some(181.0));
        assert_eq!(seen(180, &stopped(12)), None, "its sessions ended before");
        assert_eq!(seen(1, &stopped(4)), None, "an orderly stop takes as long");
        assert_eq!(seen(5, &[(FailoverStep::Healthy, 8)]), None, "the operator takes as long to come to it");
        assert_eq!(seen(20, &[(FailoverStep::Healthy, 25)]), Some(23.0), "restarted in its place");
        assert_eq!(of_event(&EventRecord { smart_shutdown: None, ..event(180, &stopped(183)) }), None);
    }
}
