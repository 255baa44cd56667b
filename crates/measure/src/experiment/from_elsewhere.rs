//! A load that another machine sends: ordered here, and heard as if it were sent here. Its instants are those of its
//! own clock, by an offset that was estimated before.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use load::{EngineJob, StopRequest, Tally};
use probe::Pause;
use results::trial::SentFrom;
use tokio::sync::{mpsc, watch};

use super::events::LoadClock;
use super::load_messages::{Message, Seconds, SingleSideLoad, Together};
use super::load_result::{FinishedLoad, NoFigures};
use super::observe::Alternating;
use crate::generator::{ClockOffset, GeneratorAnswer, GeneratorSession, LoadEvent, LoadOrder};
use crate::interrupt::wait_for_stop_request;

/// A load that another machine sends.
pub(super) struct FromElsewhere {
    pub(super) session: GeneratorSession,
    pub(super) order: LoadOrder,
    /// When it is to begin.
    pub(super) start: Instant,
    pub(super) generator: String,
    /// What it is asked to do, as both ends make it of the order.
    pub(super) jobs: Vec<EngineJob>,
    /// By side, what pauses the samples of its sessions while another side has its turn; empty where it is alone.
    pub(super) samples: Vec<Option<Pause>>,
    /// Where the transactions of the only side are counted here.
    pub(super) tally: Tally,
}

/// What is known of a load so far.
struct RemoteLoadState<'a> {
    of_clock: ClockOffset,
    start: Instant,
    late: Duration,
    load: RemoteLoadKind<'a>,
}

enum RemoteLoadKind<'a> {
    Alone(SingleSideLoad<'a>),
    Together(Together<'a>),
}

/// Has a load sent, and tells what is heard of it; what it measured, by side.
pub(super) async fn run_elsewhere(
    elsewhere: FromElsewhere,
    stop: &StopRequest,
    sender: &mpsc::UnboundedSender<Message>,
    clock: &watch::Sender<Option<LoadClock>>,
) -> Result<Vec<FinishedLoad>, NoFigures> {
    let FromElsewhere { mut session, order, start, generator, jobs: _, samples, tally } = elsewhere;
    let of_clock = session.clock_offset();
    session.order_load(order).await.map_err(NoFigures::Failed)?;
    let load = if samples.len() > 1 {
        RemoteLoadKind::Together(Together::new(sender, &samples))
    } else {
        let seconds = Seconds { sender, alternating: Alternating::Alone, out: vec![BTreeSet::new()] };
        RemoteLoadKind::Alone(SingleSideLoad { zero: start, seconds, clock })
    };
    let mut heard = RemoteLoadState { of_clock, start, late: Duration::ZERO, load };
    let mut is_told_to_stop = false;
    let summary = loop {
        let answer = tokio::select! {
            biased;
            answer = session.next() => answer.map_err(NoFigures::Failed)?,
            () = wait_for_stop_request(stop), if !is_told_to_stop => {
                is_told_to_stop = true;
                session.request_stop().await;
                continue;
            }
        };
        match answer {
            GeneratorAnswer::Alive { transactions } => tally.set_remote_count(transactions),
            GeneratorAnswer::Event(event) => heard.handle_load_event(*event),
            GeneratorAnswer::Done(summary) => break *summary,
            GeneratorAnswer::Failed { why: None } => return Err(NoFigures::Stopped),
            GeneratorAnswer::Failed { why: Some(why) } => {
                return Err(NoFigures::Failed(format!("generator {generator:?}: {why}")));
            }
            GeneratorAnswer::Hello(_)
            | GeneratorAnswer::Pong { .. }
            | GeneratorAnswer::RoundTrip { .. }
            | GeneratorAnswer::ToldBegin { .. } => {}
        }
    };
    let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    let sent_from = SentFrom { generator, clock_error_us: micros(of_clock.error), late_us: micros(heard.late) };
    let done = match heard.load {
        RemoteLoadKind::Alone(_) => {
            summary.sides.into_iter().map(|summary| FinishedLoad::single_side(summary, None)).collect::<Vec<_>>()
        }
        RemoteLoadKind::Together(together) => together.into_done(summary),
    };
    Ok(done.into_iter().map(|done| done.from(sent_from.clone())).collect())
}

impl RemoteLoadState<'_> {
    fn handle_load_event(&mut self, event: LoadEvent) {
        match (&mut self.load, event) {
            (load, LoadEvent::Connecting { at_ns, clock_ns }) => {
                let at = self.of_clock.local_instant(clock_ns);
                self.late = at.saturating_duration_since(self.start);
                if let RemoteLoadKind::Alone(alone) = load {
                    alone.zero = at.checked_sub(Duration::from_nanos(at_ns)).unwrap_or(at);
                }
            }
            (RemoteLoadKind::Alone(alone), LoadEvent::Began { phase, at_ns }) => alone.begin_phase(phase, at_ns),
            (RemoteLoadKind::Together(together), LoadEvent::Began { phase, .. }) => {
                together.seconds.send_message(Message::Began(phase));
            }
            (RemoteLoadKind::Alone(alone), LoadEvent::Second { side, second }) => {
                alone.seconds.send_second(side, &second);
            }
            (RemoteLoadKind::Together(together), LoadEvent::Second { side, second }) => {
                together.seconds.send_second(side, &second);
            }
            (RemoteLoadKind::Together(together), LoadEvent::TurnBegan { side, .. }) => {
                together.pause_samples(side, false);
            }
            (RemoteLoadKind::Together(together), LoadEvent::Turn(turn)) => together.end_turn(&turn),
            // A load with one side has no turns.
            (RemoteLoadKind::Alone(_), LoadEvent::TurnBegan { .. } | LoadEvent::Turn(_)) => {}
            (_, LoadEvent::Connected { .. } | LoadEvent::Ended { .. }) => {}
        }
    }
}
