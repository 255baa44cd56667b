//! What a load tells while it is at work, on its way to where it is written: from the engine here or elsewhere, of one
//! side or of several that take turns.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use load::{OutageChange, PhaseSecond, TurnsSummary};
use probe::Pause;
use results::generator_second::GeneratorSecond;
use results::turn::Turn;
use tokio::sync::{mpsc, watch};

use super::events::LoadClock;
use super::load_result::FinishedLoad;
use super::observe::{self, Alternating, ObservedSecond};

/// An event of the load, owned.
pub(super) enum Message {
    Began(load::LoadPhase),
    Second {
        side: usize,
        second: Box<ObservedSecond>,
    },
    Turn {
        side: usize,
        turn: Box<Turn>,
    },
    /// What one of several generators saw in a second.
    Generator(Box<GeneratorSecond>),
}

/// The seconds of a side on their way to where they are written.
pub(super) struct Seconds<'a> {
    pub(super) sender: &'a mpsc::UnboundedSender<Message>,
    pub(super) alternating: Alternating,
    /// Clients without a connection, by side.
    pub(super) out: Vec<BTreeSet<u32>>,
}

impl Seconds<'_> {
    pub(super) fn send_second(&mut self, side: usize, second: &PhaseSecond) {
        let out = &mut self.out[side];
        follow_outages(out, &second.outages);
        let clients_out = u32::try_from(out.len()).unwrap_or(u32::MAX);
        let second = Box::new(observe::observed_second(second, clients_out, self.alternating));
        self.send_message(Message::Second { side, second });
    }

    pub(super) fn send_message(&self, message: Message) {
        // The receiver is gone only when the trial is being given up.
        let _gone = self.sender.send(message);
    }
}

/// A load with one side.
pub(super) struct SingleSideLoad<'a> {
    /// When the engine has its zero.
    pub(super) zero: Instant,
    pub(super) seconds: Seconds<'a>,
    pub(super) clock: &'a watch::Sender<Option<LoadClock>>,
}

impl SingleSideLoad<'_> {
    pub(super) fn begin_phase(&mut self, phase: load::LoadPhase, at_ns: u64) {
        if phase == load::LoadPhase::Measure {
            let (zero, measure) = (self.zero, self.zero + Duration::from_nanos(at_ns));
            self.clock.send_replace(Some(LoadClock { zero, measure }));
        }
        self.seconds.send_message(Message::Began(phase));
    }
}

/// A load whose sides take turns.
pub(super) struct Together<'a> {
    pub(super) seconds: Seconds<'a>,
    samples: &'a [Option<Pause>],
    /// The measured turns, by side.
    measured: Vec<Vec<(u64, u64)>>,
}

impl<'a> Together<'a> {
    pub(super) fn new(sender: &'a mpsc::UnboundedSender<Message>, samples: &'a [Option<Pause>]) -> Self {
        let sides = samples.len();
        let seconds = Seconds { sender, alternating: Alternating::Turns, out: vec![BTreeSet::new(); sides] };
        let together = Self { seconds, samples, measured: vec![Vec::new(); sides] };
        (0..sides).for_each(|side| together.pause_samples(side, true));
        together
    }

    /// At once, by whoever learns of it first: a sample belongs to the side whose turn it is.
    pub(super) fn pause_samples(&self, side: usize, paused: bool) {
        self.samples[side].iter().for_each(|samples| samples.set_paused(paused));
    }

    pub(super) fn end_turn(&mut self, turn: &load::EndedTurn) {
        self.pause_samples(turn.side, true);
        if turn.phase == load::LoadPhase::Measure {
            self.measured[turn.side].push((turn.start_ns, turn.end_ns));
        }
        self.seconds.send_message(Message::Turn { side: turn.side, turn: Box::new(observe::turn_record(turn)) });
    }

    pub(super) fn into_done(self, TurnsSummary { sides, length_ns, .. }: TurnsSummary) -> Vec<FinishedLoad> {
        let (is_alone, slice_ns) = (sides.len() == 1, Some(length_ns));
        let of_side = |(summary, measured)| FinishedLoad {
            summary,
            measured,
            slice_ns,
            is_alone,
            generator: None,
            sent_from: None,
            generators: Vec::new(),
            lost: Vec::new(),
        };
        sides.into_iter().zip(self.measured).map(of_side).collect()
    }
}

pub(super) fn follow_outages(out: &mut BTreeSet<u32>, changes: &[OutageChange]) {
    for change in changes {
        match change {
            OutageChange::Began { client, .. } => out.insert(*client),
            OutageChange::Ended { client, .. } => out.remove(client),
        };
    }
}
