//! The budget of one trial, from three accounts that overlap: what its sessions were seen doing, what the kernel
//! counted for their backends, and what the load engine and its kernel say of the way.
//!
//! With N sessions and X transactions per second, a session spends N / X seconds per transaction on everything
//! (Little's law), and of it the share of the samples in which it was seen in a state is the time that it spends there.
//! The server's part of a transaction is what is neither idle nor waiting for the client;
//! the rest of the service time was spent outside. A session that is made for one transaction is there for the service
//! time without connecting.
//!
//! Two parts were measured one by one and come first: the steps of connecting, and the pauses of the script.
//!
//! No time is counted twice, so no part is negative: the samples alone divide the time without an overlap, and each
//! other account gets at most the room that they leave it. The engine and the network have their time of what was seen
//! outside: what they have more, the server was at work in (rows are received while further ones are made).
//! The kernel's account has its time of what was seen executing and of what is left outside, since a backend that is
//! woken is still shown as idle until it has read the command, and so are the last steps before it waits again.
//! What it has more falls into waits (a backend that is woken waits for a CPU before it stops being shown as waiting),
//! or is of other sessions than the load's.

use std::collections::BTreeMap;

use results::activity::SampledSessions;

use super::part::{BudgetPart, ConnectingStep};

/// What a trial's measurement phase tells of its time.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MeasuredPhase<'a> {
    /// Successful transactions per second.
    pub throughput_per_s: f64,
    /// Sessions of the load.
    pub clients: u32,
    /// Mean time from the scheduled start to the end, in milliseconds.
    pub latency_ms: f64,
    /// Mean time from the actual start to the end, in milliseconds: the same in a closed loop.
    pub service_ms: f64,
    /// What the sessions were seen doing.
    pub seen: &'a [SampledSessions],
    /// What the kernel says of the server's backends; known on the server's own host only.
    pub backends: Option<BackendTime>,
    /// What the load engine says of the time outside the server; unknown of other programs.
    pub path: Option<PathTime>,
    /// Milliseconds per transaction that its own connection took, by step; none where connections are kept, or where
    /// making them is not part of the latency.
    pub connecting: Option<Vec<(ConnectingStep, f64)>>,
    /// Milliseconds per transaction for which the script paused.
    pub script_ms: Option<f64>,
}

/// What is known of the time outside the server, in milliseconds per transaction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PathTime {
    /// The load engine had the answer and not yet sent what follows.
    pub engine_ms: f64,
    /// The shortest round-trip time that the kernel saw, times the round trips; none where the path has no network, or
    /// the kernel does not tell.
    pub network_ms: Option<f64>,
}

/// CPU time of the load's backends over the measurement phase, in milliseconds per transaction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BackendTime {
    /// On a CPU.
    pub running_ms: f64,
    /// Ready, waiting for a CPU.
    pub waiting_ms: f64,
}

/// The time of one mean transaction by part, in milliseconds. The parts sum to the mean latency.
pub type Budget = BTreeMap<BudgetPart, f64>;

/// Samples show more than the kernel's account where they do by more than so many of their own standard errors: the
/// root of how many there are.
const NOISE: f64 = 2.0;

/// Splits the mean latency of a trial. None: nothing was seen, or nothing was completed.
pub(super) fn of_trial(observed: &MeasuredPhase<'_>) -> Option<Budget> {
    let mut budget = as_seen(observed)?;
    let lag_ms = observed.latency_ms - observed.service_ms;
    let service_ms = observed.latency_ms - lag_ms.max(0.0);
    let apart = measured_apart(observed, service_ms);
    scale_down_budget(&mut budget, service_ms - apart.values().sum::<f64>());
    budget.extend(apart);
    if lag_ms > 0.0 {
        budget.insert(BudgetPart::ScheduleLag, lag_ms);
    }
    let mut room_ms = (observed.latency_ms - budget.values().sum::<f64>()).max(0.0);
    if let Some(PathTime { engine_ms, network_ms }) = observed.path {
        let engine_ms =
            engine_ms * fitting_beside_backends(observed, engine_ms, room_ms + in_part(&budget, &BudgetPart::OnCpu));
        budget.insert(BudgetPart::Engine, take_available_ms(&mut room_ms, engine_ms));
        budget.extend(network_ms.map(|ms| (BudgetPart::Network, take_available_ms(&mut room_ms, ms))));
    }
    let unexplained_ms = match observed.backends {
        Some(backends) => by_kernel(&mut budget, &mut room_ms, backends, chance_ms(observed)),
        None => 0.0,
    };
    let rest = if observed.path.is_some() { BudgetPart::PathUnexplained } else { BudgetPart::OutsideServer };
    budget.extend([(rest, room_ms), (BudgetPart::Unexplained, unexplained_ms)]);
    Some(budget)
}

/// What was measured by itself: connecting and the script's pauses. Means over what ended in the same time, of which
/// the latency counts the successful transactions only: they may be more than the whole.
fn measured_apart(observed: &MeasuredPhase<'_>, service_ms: f64) -> Budget {
    let mut apart = Budget::new();
    for (step, ms) in observed.connecting.iter().flatten() {
        apart.insert(BudgetPart::Connecting(*step), *ms);
    }
    if let Some(ms) = observed.script_ms.filter(|ms| *ms > 0.0) {
        apart.insert(BudgetPart::Script, ms);
    }
    scale_down_budget(&mut apart, service_ms);
    apart
}

/// Which share fits into the room of what the engine and the backends took, each by an account of its own. Where both
/// do not, what one did while the other was at work is in both: they overstate alike.
fn fitting_beside_backends(observed: &MeasuredPhase<'_>, engine_ms: f64, room_ms: f64) -> f64 {
    let Some(BackendTime { running_ms, waiting_ms }) = observed.backends else { return 1.0 };
    let wanted_ms = engine_ms + running_ms + waiting_ms;
    if wanted_ms > room_ms { room_ms / wanted_ms } else { 1.0 }
}

/// The time on the server, by the samples alone.
fn as_seen(observed: &MeasuredPhase<'_>) -> Option<Budget> {
    let seen: u64 = observed.seen.iter().map(|seen| seen.sessions).sum();
    if seen == 0 || observed.throughput_per_s <= 0.0 {
        return None;
    }
    let sample_ms = per_session_ms(observed) / seen as f64;
    let mut budget = Budget::new();
    for seen_in in observed.seen {
        if let Some(part) = on_the_server(seen_in) {
            *budget.entry(part).or_default() += seen_in.sessions as f64 * sample_ms;
        }
    }
    Some(budget)
}

/// The time of a session per transaction, idle or not.
fn per_session_ms(observed: &MeasuredPhase<'_>) -> f64 {
    match &observed.connecting {
        Some(steps) => {
            let connecting_ms: f64 = steps.iter().map(|(_, ms)| ms).sum();
            (observed.service_ms - connecting_ms).max(0.0)
        }
        None => f64::from(observed.clients) / observed.throughput_per_s * 1e3,
    }
}

/// Accounts that show more time than there is overstate all of it alike.
fn scale_down_budget(budget: &mut Budget, at_most_ms: f64) {
    let shown_ms: f64 = budget.values().sum();
    let at_most_ms = at_most_ms.max(0.0);
    if shown_ms > at_most_ms {
        budget.values_mut().for_each(|ms| *ms *= at_most_ms / shown_ms);
    }
}

/// As much of the room as is wanted and there.
fn take_available_ms(room_ms: &mut f64, wanted_ms: f64) -> f64 {
    let taken_ms = wanted_ms.clamp(0.0, *room_ms);
    *room_ms -= taken_ms;
    taken_ms
}

/// How much more the samples may show as executing than there was, by chance: few of them, as of sessions that are
/// mostly idle, show much.
fn chance_ms(observed: &MeasuredPhase<'_>) -> impl Fn(f64) -> f64 {
    let seen: u64 = observed.seen.iter().map(|seen| seen.sessions).sum();
    let sample_ms = per_session_ms(observed) / seen as f64;
    move |shown_ms| NOISE * (shown_ms * sample_ms).sqrt()
}

/// Puts the kernel's account of the backends in the place of what was seen executing. What was seen beyond that account
/// and beyond chance is returned: page faults, and waits that PostgreSQL does not name.
fn by_kernel(budget: &mut Budget, room_ms: &mut f64, backends: BackendTime, chance_ms: impl Fn(f64) -> f64) -> f64 {
    let shown_ms = in_part(budget, &BudgetPart::OnCpu);
    budget.remove(&BudgetPart::OnCpu);
    *room_ms += shown_ms;
    let known_ms = backends.running_ms + backends.waiting_ms;
    let fitting_ms = take_available_ms(room_ms, known_ms);
    let fitting = if known_ms > 0.0 { fitting_ms / known_ms } else { 0.0 };
    budget.insert(BudgetPart::Running, backends.running_ms * fitting);
    budget.insert(BudgetPart::WaitingForCpu, backends.waiting_ms * fitting);
    match shown_ms - known_ms > chance_ms(shown_ms) {
        true => take_available_ms(room_ms, shown_ms - known_ms),
        false => 0.0,
    }
}

/// The time in a part. One that a budget does not have was not seen in it: no time was spent there.
pub(crate) fn in_part(budget: &Budget, part: &BudgetPart) -> f64 {
    match budget.get(part) {
        Some(ms) => *ms,
        None => 0.0,
    }
}

/// Whether it tells waiting for a CPU from executing.
pub(crate) fn is_by_kernel(budget: &Budget) -> bool {
    budget.contains_key(&BudgetPart::WaitingForCpu)
}

/// The part that a session's time on the server belongs to; none when it waits for its client.
fn on_the_server(seen: &SampledSessions) -> Option<BudgetPart> {
    let idle = seen.state.starts_with("idle");
    match &seen.wait {
        Some(wait) if wait.class == "Client" => None,
        None if idle => None,
        Some(wait) => Some(BudgetPart::Waiting(wait.clone())),
        None => Some(BudgetPart::OnCpu),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use results::activity::WaitEvent;

    use super::*;

    fn seen(state: &str, wait: Option<(&str, &str)>, sessions: u64) -> SampledSessions {
        let wait = wait.map(|(class, event)| WaitEvent { class: class.to_owned(), event: event.to_owned() });
        SampledSessions { state: state.to_owned(), wait, sessions }
    }

    /// Four clients in a closed loop at 1000 transactions per second: 4 ms each.
    fn closed(seen: &[SampledSessions]) -> MeasuredPhase<'_> {
        MeasuredPhase {
            throughput_per_s: 1000.0,
            clients: 4,
            latency_ms: 4.0,
            service_ms: 4.0,
            seen,
            backends: None,
            path: None,
            connecting: None,
            script_ms: None,
        }
    }

    fn check(observed: &MeasuredPhase<'_>, expected: &[(&str, f64)]) {
        let budget = of_trial(observed).unwrap();
        let found: Vec<(String, f64)> =
            budget.iter().map(|(part, ms)| (part.to_string(), (ms * 1e6).round() / 1e6)).collect();
        let expected: Vec<(String, f64)> = expected.iter().map(|(part, ms)| ((*part).to_owned(), *ms)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_share_of_samples_in_a_state_is_the_share_of_the_latency() {
        let samples = [
            seen("idle", Some(("Client", "ClientRead")), 20),
            seen("idle in transaction", Some(("Client", "ClientRead")), 20),
            seen("active", None, 30),
            seen("active", Some(("IO", "WALSync")), 10),
        ];
        check(
            &closed(&samples),
            &[
                ("outside the server", 2.0),
                ("on CPU or waiting for one", 1.5),
                ("IO: WALSync", 0.5),
                ("unexplained", 0.0),
            ],
        );
    }

    #[test]
    fn what_the_kernel_knows_of_the_backends_replaces_what_was_seen_of_them() {
        let samples = [seen("idle", Some(("Client", "ClientRead")), 200), seen("active", None, 200)];
        let more =
            MeasuredPhase { backends: Some(BackendTime { running_ms: 1.0, waiting_ms: 1.5 }), ..closed(&samples) };
        check(&more, &[("outside the server", 1.5), ("on CPU", 1.0), ("waiting for a CPU", 1.5), ("unexplained", 0.0)]);
        let less =
            MeasuredPhase { backends: Some(BackendTime { running_ms: 1.0, waiting_ms: 0.5 }), ..closed(&samples) };
        check(&less, &[("outside the server", 2.0), ("on CPU", 1.0), ("waiting for a CPU", 0.5), ("unexplained", 0.5)]);
    }

    #[test]
    fn what_a_few_samples_show_beyond_the_kernel_s_account_may_be_chance_and_is_not_counted() {
        let samples = [seen("idle", Some(("Client", "ClientRead")), 20), seen("active", None, 20)];
        let less =
            MeasuredPhase { backends: Some(BackendTime { running_ms: 1.0, waiting_ms: 0.5 }), ..closed(&samples) };
        check(&less, &[("outside the server", 2.5), ("on CPU", 1.0), ("waiting for a CPU", 0.5), ("unexplained", 0.0)]);
    }

    #[test]
    fn the_time_outside_is_split_by_what_the_engine_and_the_kernel_say_and_the_rest_stays_a_part() {
        let samples = [seen("idle", Some(("Client", "ClientRead")), 20), seen("active", None, 20)];
        let with = |engine_ms, network_ms| MeasuredPhase {
            path: Some(PathTime { engine_ms, network_ms }),
            ..closed(&samples)
        };
        let [engine, network, rest] =
            ["load engine", "network", "route, not observed"].map(|part| format!("outside the server: {part}"));
        let (engine, network, rest) = (engine.as_str(), network.as_str(), rest.as_str());
        let server = [("on CPU or waiting for one", 2.0), ("unexplained", 0.0)];
        check(&with(0.25, Some(1.5)), &[&[(engine, 0.25), (network, 1.5), (rest, 0.25)], &server[..]].concat());
        check(&with(0.25, None), &[&[(engine, 0.25), (rest, 1.75)], &server[..]].concat());
    }

    #[test]
    fn in_an_open_loop_idle_sessions_are_not_part_of_the_latency_and_the_lag_is() {
        // Ten sessions, 1000 transactions per second: 10 ms of a session each, of which it works 2.
        let samples = [seen("idle", Some(("Client", "ClientRead")), 80), seen("active", None, 20)];
        let open = MeasuredPhase { clients: 10, latency_ms: 3.5, service_ms: 3.0, ..closed(&samples) };
        check(
            &open,
            &[
                ("before its start (schedule lag)", 0.5),
                ("outside the server", 1.0),
                ("on CPU or waiting for one", 2.0),
                ("unexplained", 0.0),
            ],
        );
    }

    #[test]
    fn what_the_engine_did_while_the_server_was_at_work_is_counted_once() {
        let samples = [seen("idle", Some(("Client", "ClientRead")), 4), seen("active", None, 36)];
        let path = |engine_ms, network_ms| Some(PathTime { engine_ms, network_ms });
        let [engine, network, rest] =
            ["load engine", "network", "route, not observed"].map(|part| format!("outside the server: {part}"));
        let server = [("on CPU or waiting for one", 3.6), ("unexplained", 0.0)];
        let rows_while_they_are_made = MeasuredPhase { path: path(0.884, None), ..closed(&samples) };
        check(&rows_while_they_are_made, &[&[(&*engine, 0.4), (&*rest, 0.0)], &server[..]].concat());
        let network_overlaps = MeasuredPhase { path: path(0.3, Some(2.0)), ..closed(&samples) };
        check(&network_overlaps, &[&[(&*engine, 0.3), (&*network, 0.1), (&*rest, 0.0)], &server[..]].concat());
    }

    #[test]
    fn accounts_of_engine_and_backends_that_are_more_than_there_was_overstate_alike() {
        let samples = [seen("idle", Some(("Client", "ClientRead")), 200), seen("active", None, 200)];
        let backends = Some(BackendTime { running_ms: 2.0, waiting_ms: 2.0 });
        let path = Some(PathTime { engine_ms: 1.0, network_ms: None });
        check(
            &MeasuredPhase { backends, path, ..closed(&samples) },
            &[
                ("outside the server: load engine", 0.8),
                ("outside the server: route, not observed", 0.0),
                ("on CPU", 1.6),
                ("waiting for a CPU", 1.6),
                ("unexplained", 0.0),
            ],
        );
    }

    #[test]
    fn cpu_time_beside_a_session_s_wait_is_not_counted_beside_it() {
        // A leader that waits for its workers, whose time is in the kernel's account too: 3 ms of waits, 3.5 of CPU.
        let samples = [seen("active", Some(("IPC", "ExecuteGather")), 30), seen("active", None, 10)];
        let backends = Some(BackendTime { running_ms: 3.0, waiting_ms: 0.5 });
        check(
            &MeasuredPhase { backends, ..closed(&samples) },
            &[
                ("outside the server", 0.0),
                ("on CPU", 0.857143),
                ("waiting for a CPU", 0.142857),
                ("IPC: ExecuteGather", 3.0),
                ("unexplained", 0.0),
            ],
        );
    }

    #[test]
    fn a_connection_per_transaction_is_taken_apart_and_the_samples_divide_the_rest() {
        use ConnectingStep::{FirstAnswer, Login, Tcp};
        // Of 4 ms the session is there for 1.5.
        let samples = [seen("idle", Some(("Client", "ClientRead")), 20), seen("active", None, 10)];
        let connecting = Some(vec![(Tcp, 0.25), (FirstAnswer, 1.25), (Login, 1.0)]);
        check(
            &MeasuredPhase { connecting, ..closed(&samples) },
            &[
                ("connecting: TCP", 0.25),
                ("connecting: the server's first answer", 1.25),
                ("connecting: login", 1.0),
                ("outside the server", 1.0),
                ("on CPU or waiting for one", 0.5),
                ("unexplained", 0.0),
            ],
        );
    }

    #[test]
    fn a_pause_of_the_script_is_not_the_path() {
        let samples = [seen("idle in transaction", Some(("Client", "ClientRead")), 36), seen("active", None, 4)];
        let path = Some(PathTime { engine_ms: 0.25, network_ms: None });
        check(
            &MeasuredPhase { path, script_ms: Some(3.0), ..closed(&samples) },
            &[
                ("the script's own pauses", 3.0),
                ("outside the server: load engine", 0.25),
                ("outside the server: route, not observed", 0.35),
                ("on CPU or waiting for one", 0.4),
                ("unexplained", 0.0),
            ],
        );
    }

    #[test]
    fn samples_that_show_more_than_the_whole_overstate_all_alike() {
        let samples = [seen("active", None, 10), seen("active", Some(("IO", "WALSync")), 30)];
        let short = MeasuredPhase { latency_ms: 3.0, service_ms: 3.0, ..closed(&samples) };
        let expected = [
            ("outside the server", 0.0),
            ("on CPU or waiting for one", 0.75),
            ("IO: WALSync", 2.25),
            ("unexplained", 0.0),
        ];
        check(&short, &expected);
    }

    #[test]
    fn without_samples_or_transactions_there_is_no_budget() {
        assert_eq!(of_trial(&closed(&[])), None);
        assert_eq!(of_trial(&MeasuredPhase { throughput_per_s: 0.0, ..closed(&[seen("active", None, 1)]) }), None);
    }

    proptest! {
        #[test]
        fn the_parts_sum_to_the_mean_latency_and_none_is_negative(
            idle in 0u64..100, active in 1u64..100, sync in 0u64..100,
            lag in 0.0..5.0f64, service in 0.1..50.0f64,
            backends in proptest::option::of((0.0..10.0f64, 0.0..10.0f64)),
            path in proptest::option::of((0.0..10.0f64, proptest::option::of(0.0..10.0f64))),
            script_ms in proptest::option::of(0.0..60.0f64),
            connecting in proptest::option::of((0.0..20.0f64, 0.0..20.0f64)),
        ) {
            let samples = [
                seen("idle", Some(("Client", "ClientRead")), idle),
                seen("active", None, active),
                seen("active", Some(("IO", "WALSync")), sync),
            ];
            let backends = backends.map(|(running_ms, waiting_ms)| BackendTime { running_ms, waiting_ms });
            let path = path.map(|(engine_ms, network_ms)| PathTime { engine_ms, network_ms });
            let connecting =
                connecting.map(|(tcp, login)| vec![(ConnectingStep::Tcp, tcp), (ConnectingStep::Login, login)]);
            let observed = MeasuredPhase {
                latency_ms: service + lag, service_ms: service, backends, path, script_ms, connecting, ..closed(&samples)
            };
            let budget = of_trial(&observed).unwrap();
            prop_assert!(budget.values().all(|ms| *ms >= 0.0), "{budget:?} {observed:?}");
            let sum: f64 = budget.values().sum();
            prop_assert!((sum - observed.latency_ms).abs() < 1e-9, "{sum} {observed:?}");
        }
    }
}
