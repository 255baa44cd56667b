//! A load that several generators send as one: each a part of the clients, all of them from one instant on, and what
//! they see put together second by second as if one had sent it.
//!
//! Each is told the load, connects its clients, and says so. When all have, one instant is chosen and told to each by
//! its own clock. What one saw is written beside the sums. A generator that is lost takes the load with it, unless the
//! plan makes things happen: then the others go on, and what its clients were told is unknown.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;
use std::time::{Duration, Instant, SystemTime};

use load::{EngineJob, LostPart, PhaseSecond, StopRequest, Summary, Tally, merge_summaries};
use results::generator_second::GeneratorSecond;
use results::trial::{Incident, SentFrom};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::events::LoadClock;
use super::load_messages::{Message, Seconds, SingleSideLoad, follow_outages};
use super::load_result::{FinishedLoad, NoFigures};
use super::observe::{self, Alternating};
use crate::generator::{ClockOffset, GeneratorAnswer, GeneratorSession, LoadEvent, LoadOrder, PartOrder};
use crate::interrupt::wait_for_stop_request;

/// From the choice of the begin to it, at least: time for the word to get to every generator.
const BEGIN_MARGIN: Duration = Duration::from_millis(300);
/// The same as a multiple of the slowest round trip.
const BEGIN_ROUND_TRIPS: u32 = 4;

/// Generators that send a load as one.
pub(super) struct Farm {
    /// Its name in the plan.
    pub(super) name: String,
    /// Its generators, which wait for their parts, by name.
    pub(super) members: Vec<(String, GeneratorSession)>,
    /// What they are to send together.
    pub(super) order: LoadOrder,
    /// When they begin to connect: instant zero of the load.
    pub(super) start: Instant,
    /// Whether the load goes on without one that is lost.
    pub(super) goes_on_without: bool,
}

/// A load that several generators send as one.
pub(super) struct FromSeveral {
    pub(super) farm: Farm,
    /// What they are asked to do together, as all ends make it of the order.
    pub(super) job: EngineJob,
}

/// What is said to one of them while the load is under way.
#[derive(Debug, Clone, Copy)]
enum MemberOrder {
    Begin(Instant),
    End(Instant),
    Stop,
}

/// What one of them said, or why it says nothing any more.
type Heard = (usize, Result<GeneratorAnswer, String>);

/// A generator, as far as it is known.
struct FarmMember {
    name: String,
    clients: Range<u32>,
    clock: ClockOffset,
    orders: mpsc::UnboundedSender<MemberOrder>,
    is_connected: bool,
    late: Duration,
    /// How many transactions it has completed by now.
    tally: u64,
    /// Seconds that not all others have told yet.
    pending: VecDeque<PhaseSecond>,
    /// Its clients without a connection.
    out: BTreeSet<u32>,
    /// What it has told so far; none where the load does not go on without it.
    told: Option<LostPart>,
    end: Option<MemberEnd>,
}

/// How a generator's part ended.
enum MemberEnd {
    Done(Box<Summary>),
    Lost(String),
}

/// The load, as far as it is known.
struct SharedLoad<'a> {
    members: Vec<FarmMember>,
    load: SingleSideLoad<'a>,
    tally: Tally,
    slowest_round_trip: Duration,
    begin: Option<Instant>,
    /// The last phase that was announced.
    phase: Option<load::LoadPhase>,
    goes_on_without: bool,
}

/// Has a load sent, and tells what is heard of it; what it measured.
pub(super) async fn run_several(
    several: FromSeveral,
    stop: &StopRequest,
    sender: &mpsc::UnboundedSender<Message>,
    clock: &watch::Sender<Option<LoadClock>>,
) -> Result<Vec<FinishedLoad>, NoFigures> {
    let FromSeveral { farm, job } = several;
    let (name, start) = (farm.name.clone(), farm.start);
    let (tell, mut heard) = mpsc::unbounded_channel();
    // Whatever ends this function ends the conversations, and with them the generators.
    let mut conversations = JoinSet::new();
    let slowest = farm.members.iter().map(|(_, session)| session.shortest_round_trip()).max().unwrap_or_default();
    let goes_on_without = farm.goes_on_without;
    let members = start_members(farm, &job, &tell, &mut conversations);
    let seconds = Seconds { sender, alternating: Alternating::Alone, out: vec![BTreeSet::new()] };
    let mut shared = SharedLoad {
        members,
        load: SingleSideLoad { zero: start, seconds, clock },
        tally: job.tally.clone(),
        slowest_round_trip: slowest,
        begin: None,
        phase: None,
        goes_on_without,
    };
    let mut is_told_to_stop = false;
    while !shared.has_ended() {
        tokio::select! {
            biased;
            said = heard.recv() => match said {
                Some((place, Ok(answer))) => shared.handle_answer(place, answer)?,
                Some((place, Err(why))) => shared.handle_loss(place, why)?,
                None => return Err(NoFigures::Failed(format!("generators of {name:?} ended without a word"))),
            },
            () = wait_for_stop_request(stop), if !is_told_to_stop => {
                is_told_to_stop = true;
                shared.request_stop();
            }
        }
    }
    shared.into_finished_load(name)
}

/// Orders each generator its part, and listens to it in a task of its own.
fn start_members(
    farm: Farm,
    job: &EngineJob,
    tell: &mpsc::UnboundedSender<Heard>,
    conversations: &mut JoinSet<()>,
) -> Vec<FarmMember> {
    let count = u32::try_from(farm.members.len()).unwrap_or(u32::MAX).try_into().expect("there are generators");
    let started_at = SystemTime::now() + farm.start.saturating_duration_since(Instant::now());
    let mut members = Vec::new();
    for (place, (name, session)) in farm.members.into_iter().enumerate() {
        let number = u32::try_from(place).unwrap_or(u32::MAX);
        let clock = session.clock_offset();
        let part = PartOrder { number, count, started_at };
        let order = LoadOrder { start_at_ns: clock.there_ns(farm.start), part: Some(part), ..farm.order.clone() };
        let (orders, ordered) = mpsc::unbounded_channel();
        let clients = load::clients_of_part(job.clients, number, count);
        let told = farm.goes_on_without.then(|| LostPart::of_clients(job, clients.clone(), started_at));
        conversations.spawn(converse_with_generator(place, session, order, ordered, tell.clone()));
        members.push(FarmMember {
            name,
            clients,
            clock,
            orders,
            is_connected: false,
            late: Duration::ZERO,
            tally: 0,
            pending: VecDeque::new(),
            out: BTreeSet::new(),
            told,
            end: None,
        });
    }
    members
}

/// Speaks to one generator until its load has ended, or it is lost.
async fn converse_with_generator(
    place: usize,
    mut session: GeneratorSession,
    order: LoadOrder,
    mut ordered: mpsc::UnboundedReceiver<MemberOrder>,
    tell: mpsc::UnboundedSender<Heard>,
) {
    if let Err(why) = session.order_load(order).await {
        let _given_up = tell.send((place, Err(why)));
        return;
    }
    loop {
        let said = tokio::select! {
            biased;
            Some(order) = ordered.recv() => match order {
                MemberOrder::Begin(at) => session.tell_begin(at).await,
                MemberOrder::End(at) => session.tell_end(at).await,
                MemberOrder::Stop => {
                    session.request_stop().await;
                    Ok(())
                }
            },
            answer = session.next() => match answer {
                Ok(answer) => {
                    let is_last = matches!(answer, GeneratorAnswer::Done(_) | GeneratorAnswer::Failed { .. });
                    if tell.send((place, Ok(answer))).is_err() || is_last {
                        return;
                    }
                    Ok(())
                }
                Err(why) => Err(why),
            },
        };
        if let Err(why) = said {
            let _given_up = tell.send((place, Err(why)));
            return;
        }
    }
}

impl SharedLoad<'_> {
    fn has_ended(&self) -> bool {
        self.members.iter().all(|member| member.end.is_some())
    }

    fn handle_answer(&mut self, place: usize, answer: GeneratorAnswer) -> Result<(), NoFigures> {
        let member = &mut self.members[place];
        match answer {
            GeneratorAnswer::Alive { transactions } => {
                member.tally = transactions;
                self.tally.set_remote_count(self.members.iter().map(|member| member.tally).sum());
            }
            GeneratorAnswer::ToldBegin { late_ns } => member.late = Duration::from_nanos(late_ns),
            GeneratorAnswer::Event(event) => self.handle_event(place, *event),
            GeneratorAnswer::Done(mut summary) => {
                let Some(side) = summary.sides.pop() else {
                    return Err(NoFigures::Failed(format!("generator {:?} sent no summary", member.name)));
                };
                member.end = Some(MemberEnd::Done(Box::new(side)));
            }
            GeneratorAnswer::Failed { why: None } => return Err(NoFigures::Stopped),
            GeneratorAnswer::Failed { why: Some(why) } => {
                return Err(NoFigures::Failed(format!("generator {:?}: {why}", member.name)));
            }
            GeneratorAnswer::Hello(_) | GeneratorAnswer::Pong { .. } | GeneratorAnswer::RoundTrip { .. } => {}
        }
        Ok(())
    }

    fn handle_event(&mut self, place: usize, event: LoadEvent) {
        match event {
            LoadEvent::Connected { .. } => {
                self.members[place].is_connected = true;
                if self.begin.is_none() && self.members.iter().all(|member| member.is_connected) {
                    self.begin_load();
                }
            }
            // All of them begin a phase at the same instant.
            LoadEvent::Began { phase, at_ns } if self.phase != Some(phase) => {
                self.phase = Some(phase);
                self.load.begin_phase(phase, at_ns);
            }
            LoadEvent::Second { second, .. } => {
                let member = &mut self.members[place];
                if let Some(told) = &mut member.told {
                    told.add_second(&second);
                }
                member.pending.push_back(*second);
                self.send_whole_seconds();
            }
            LoadEvent::Began { .. }
            | LoadEvent::Connecting { .. }
            | LoadEvent::TurnBegan { .. }
            | LoadEvent::Turn(_)
            | LoadEvent::Ended { .. } => {}
        }
    }

    /// All have connected: one instant for all of them.
    fn begin_load(&mut self) {
        let margin = BEGIN_MARGIN.max(self.slowest_round_trip * BEGIN_ROUND_TRIPS);
        let at = Instant::now() + margin;
        self.begin = Some(at);
        self.tell_all(MemberOrder::Begin(at));
    }

    /// A load that has begun ends with the same second everywhere; one that has not, at once.
    fn request_stop(&mut self) {
        let margin = BEGIN_MARGIN.max(self.slowest_round_trip * BEGIN_ROUND_TRIPS);
        let now = Instant::now() + margin;
        let order = self.begin.map_or(MemberOrder::Stop, |begin| MemberOrder::End(now.max(begin + margin)));
        self.tell_all(order);
    }

    fn tell_all(&self, order: MemberOrder) {
        for member in &self.members {
            // Who is lost is told of as that.
            let _lost = member.orders.send(order);
        }
    }

    /// A generator says nothing any more.
    fn handle_loss(&mut self, place: usize, why: String) -> Result<(), NoFigures> {
        let others_at_work = self
            .members
            .iter()
            .enumerate()
            .any(|(other, member)| other != place && !matches!(member.end, Some(MemberEnd::Lost(_))));
        if !self.goes_on_without || self.begin.is_none() || !others_at_work {
            return Err(NoFigures::Failed(why));
        }
        self.members[place].end = Some(MemberEnd::Lost(why));
        self.send_whole_seconds();
        Ok(())
    }

    /// Tells the seconds that every generator has told, or will never tell.
    fn send_whole_seconds(&mut self) {
        while self.members.iter().any(|member| !member.pending.is_empty())
            && self.members.iter().all(|member| !member.pending.is_empty() || member.is_lost())
        {
            let mut whole: Option<PhaseSecond> = None;
            for member in &mut self.members {
                let Some(second) = member.pending.pop_front() else { continue };
                self.load.seconds.send_message(Message::Generator(Box::new(member.observe_second(&second))));
                match &mut whole {
                    Some(whole) => whole.add_part(&second),
                    None => whole = Some(second),
                }
            }
            if let Some(whole) = whole {
                self.load.seconds.send_second(0, &whole);
            }
        }
    }

    fn into_finished_load(self, farm: String) -> Result<Vec<FinishedLoad>, NoFigures> {
        let (mut summaries, mut generators, mut lost) = (Vec::new(), Vec::new(), Vec::new());
        let (mut clock_error_us, mut late_us) = (0, 0);
        for member in self.members {
            let own = (member.clock.error.as_micros() as u64, member.late.as_micros() as u64);
            (clock_error_us, late_us) = (own.0.max(clock_error_us), own.1.max(late_us));
            let summary = match (member.end, member.told) {
                (Some(MemberEnd::Done(summary)), _) => *summary,
                (Some(MemberEnd::Lost(said)), Some(told)) => {
                    let clients = member.clients.end - member.clients.start;
                    lost.push(Incident::GeneratorLost { generator: member.name.clone(), clients, said });
                    told.into_summary()
                }
                (Some(MemberEnd::Lost(said)), None) => return Err(NoFigures::Failed(said)),
                (None, _) => unreachable!("the load has ended on all of them"),
            };
            generators.push(observe::generator_totals(&member.name, member.clients, own, &summary));
            summaries.push(summary);
        }
        let backend =
            summaries.iter().find(|summary| !summary.engine.is_empty()).map(|summary| summary.backend.clone());
        let begun = summaries.iter().map(|summary| summary.measure_start_ns).max().unwrap_or_default();
        let Some(mut summary) = merge_summaries(summaries) else { return Err(NoFigures::Stopped) };
        summary.measure_start_ns = begun;
        summary.backend = backend.unwrap_or(summary.backend);
        let sent_from = SentFrom { generator: farm, clock_error_us, late_us };
        let done = FinishedLoad::single_side(summary, None).from(sent_from);
        Ok(vec![FinishedLoad { generators, lost, ..done }])
    }
}

impl FarmMember {
    fn is_lost(&self) -> bool {
        matches!(self.end, Some(MemberEnd::Lost(_)))
    }

    fn observe_second(&mut self, second: &PhaseSecond) -> GeneratorSecond {
        follow_outages(&mut self.out, &second.outages);
        let clients_out = u32::try_from(self.out.len()).unwrap_or(u32::MAX);
        let observed = observe::observed_second(second, clients_out, Alternating::Alone);
        GeneratorSecond::from_interval(&self.name, observed.interval)
    }
}
