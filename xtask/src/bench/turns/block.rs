//! One block of two sides, by turns or by whole trials.

use std::sync::Arc;
use std::time::Duration;

use conninfo::ServerHost;
use load::{BetweenTurns, EngineJob, StopRequest, Summary, TurnTakingJobs};
use server::{AlternatingServers, StoppableServer};

/// Between the connections and what is measured.
const WARM_UP: Duration = Duration::from_millis(500);

/// How the two sides of a block share its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// In turns of this length.
    Turns(Duration),
    /// The same, and the server of the other side stands still meanwhile.
    FrozenTurns(Duration),
    /// Half of the time each, one after the other.
    Trials,
}

impl How {
    pub(super) fn in_words(self) -> String {
        match self {
            Self::Turns(length) => format!("turns of {} s", length.as_secs_f64()),
            Self::FrozenTurns(length) => format!("turns of {} s, the waiting server stopped", length.as_secs_f64()),
            Self::Trials => "whole trials".to_owned(),
        }
    }
}

/// A block to be measured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) how: How,
    /// Of both sides together.
    pub(super) measure: Duration,
    /// Decides the order of the sides, and of their turns.
    pub(super) seed: u64,
}

/// What a block came to, of each side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    /// Transactions per second.
    pub(super) rates: [f64; 2],
    /// CPU time of the load engine for a transaction, in microseconds.
    pub(super) engine_us: [f64; 2],
}

impl Measured {
    /// ln(second / first) of the throughputs.
    pub(super) fn log_ratio(self) -> f64 {
        (self.rates[1] / self.rates[0]).ln()
    }

    fn of(sides: [&Summary; 2]) -> Self {
        let rate = |side: &Summary| side.successful_transactions() as f64 * 1e9 / side.measure_ns as f64;
        let engine_us = |side: &Summary| {
            let cpu_ns: u64 = side.engine.iter().map(|thread| thread.cpu_ns).sum();
            cpu_ns as f64 / 1e3 / side.successful_transactions() as f64
        };
        Self { rates: sides.map(rate), engine_us: sides.map(engine_us) }
    }
}

impl Block {
    /// Its figures, and by turns the logarithm of the ratio of each pair of them.
    pub(super) fn measure(self, sides: &[EngineJob; 2]) -> (Measured, Vec<f64>) {
        let order = if lot(self.seed).is_multiple_of(2) { [0, 1] } else { [1, 0] };
        match self.how {
            How::Turns(length) => self.by_turns(length, sides, order, None),
            How::FrozenTurns(length) => {
                let servers = order.map(|side| server_of_side(&sides[side]));
                let servers = AlternatingServers::from_servers(servers.into()).expect("this user started them");
                self.by_turns(length, sides, order, Some(Arc::new(ServersOfSides(servers))))
            }
            How::Trials => (self.by_trials(sides, order), Vec::new()),
        }
    }

    fn by_turns(
        self,
        length: Duration,
        sides: &[EngineJob; 2],
        order: [usize; 2],
        between: Option<Arc<dyn BetweenTurns>>,
    ) -> (Measured, Vec<f64>) {
        let timed = |side: usize| EngineJob {
            warm_up: WARM_UP,
            measure: self.measure.into(),
            seed: self.seed,
            ..sides[side].clone()
        };
        let sides = order.map(timed).into();
        let turns = TurnTakingJobs { sides, length, transactions_at_least: 0, seed: self.seed, between };
        let done = load::run_turns(&turns, &StopRequest::new(), &mut |_| ()).unwrap_or_else(|error| panic!("{error}"));
        // A side stands as a place in the order.
        let places = [0, 1].map(|side| order.iter().position(|one| *one == side).expect("both take part"));
        (Measured::of(places.map(|place| &done.sides[place])), done.log_ratios(places).collect())
    }

    fn by_trials(self, sides: &[EngineJob; 2], order: [usize; 2]) -> Measured {
        let trial = |side: usize| {
            let measure = (self.measure / 2).into();
            let trial = EngineJob { warm_up: WARM_UP, measure, seed: self.seed, ..sides[side].clone() };
            load::run_job(&trial, &StopRequest::new(), &mut |_| ()).unwrap_or_else(|error| panic!("{error}"))
        };
        let done = order.map(|side| (side, trial(side)));
        let of = |side: usize| &done.iter().find(|(one, _)| *one == side).expect("both take part").1;
        Measured::of([of(0), of(1)])
    }
}

/// Those of the two sides.
#[derive(Debug)]
struct ServersOfSides(AlternatingServers);

impl BetweenTurns for ServersOfSides {
    fn give_turn(&self, side: usize) {
        self.0.give_turn(side);
    }

    fn end_turns(&self) {
        self.0.end_turns();
    }
}

/// A side's server, whose first process stands in the lock file of its socket.
fn server_of_side(side: &EngineJob) -> StoppableServer {
    let (host, port) = (&side.server.host, side.server.port);
    let ServerHost::Unix(directory) = host else { panic!("the load goes through a socket") };
    let lock = std::fs::read_to_string(directory.join(format!(".s.PGSQL.{port}.lock"))).expect("the server runs");
    let postmaster = lock.lines().next().and_then(|pid| pid.parse().ok());
    postmaster.and_then(|pid| StoppableServer::from_process_ids(pid, [])).expect("the lock file has its process")
}

/// What a seed draws: SplitMix64's first output.
pub(super) fn lot(seed: u64) -> u64 {
    let mixed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
