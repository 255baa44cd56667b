//! The generator itself: sends the loads that its standard input orders, and tells on its standard output what happens
//! in them. A load ends when the input does. It writes nothing on its machine.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use load::{
    EngineEvent, EngineJob, GeneratorPart, LoadError, SharedInstants, StopRequest, Tally, TurnsEvent, TurnsSummary,
};

use super::messages::{
    GeneratorAnswer, GeneratorOrder, Hello, LoadEvent, LoadOrder, PROTOCOL, PartOrder, ServerOrder, SideOrder,
};
use crate::experiment::{TrialRequest, job_of_workload, round_trip_us, turns_of_jobs};
use crate::scripts::OwnScripts;

/// How often it says that it goes on.
const ALIVE_EVERY: Duration = Duration::from_millis(100);

/// Serves one conversation.
///
/// # Errors
/// When the input is no order, or the output cannot be written.
pub fn serve_conversation(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    let (clock, stop) = (Instant::now(), StopRequest::new());
    let mouth = Arc::new(Mouth(Mutex::new(output)));
    mouth.write_answer(&GeneratorAnswer::Hello(Box::new(generator_hello())))?;
    let instants = SharedInstants::default();
    let (send, orders) = mpsc::channel();
    let mut ear = Ear { clock, stop: stop.clone(), instants: instants.clone(), mouth: mouth.clone() };
    thread::spawn(move || {
        for line in input.lines() {
            let order = line.and_then(|line| serde_json::from_str(&line).map_err(io::Error::from));
            let work = match order.and_then(|order| ear.obey_at_once(order)) {
                Ok(None) => continue,
                Ok(Some(work)) => Ok(work),
                Err(error) => Err(error),
            };
            let is_last = work.is_err();
            if send.send(work).is_err() || is_last {
                break;
            }
        }
        // Whoever ordered the load is gone.
        ear.stop.request_stop();
    });
    for order in orders {
        match order? {
            OrderedWork::RoundTrip(server) => {
                let median_us = server.resolve_conninfo().and_then(|server| round_trip_us(server, &stop));
                mouth.write_answer(&GeneratorAnswer::RoundTrip { median_us })?;
            }
            OrderedWork::Load(order) => {
                let end = send_load(*order, (&stop, &instants), clock, &mouth);
                mouth.write_answer(&end)?;
            }
        }
    }
    Ok(())
}

/// What takes its time.
enum OrderedWork {
    RoundTrip(Box<ServerOrder>),
    Load(Box<LoadOrder>),
}

/// What hears orders, also while a load is under way.
struct Ear<W> {
    clock: Instant,
    stop: StopRequest,
    instants: SharedInstants,
    mouth: Arc<Mouth<W>>,
}

impl<W: Write> Ear<W> {
    /// Does what an order asks for, or says what work it is.
    fn obey_at_once(&mut self, order: GeneratorOrder) -> io::Result<Option<OrderedWork>> {
        match order {
            GeneratorOrder::Ping => {
                self.mouth.write_answer(&GeneratorAnswer::Pong { at_ns: elapsed_ns(self.clock) })?;
            }
            GeneratorOrder::Begin { at_ns } => {
                self.instants.set_begin(self.clock + Duration::from_nanos(at_ns));
                let late_ns = elapsed_ns(self.clock).saturating_sub(at_ns);
                self.mouth.write_answer(&GeneratorAnswer::ToldBegin { late_ns })?;
            }
            GeneratorOrder::End { at_ns } => self.instants.set_end(self.clock + Duration::from_nanos(at_ns)),
            GeneratorOrder::Stop => self.stop.request_stop(),
            GeneratorOrder::RoundTrip(server) => return Ok(Some(OrderedWork::RoundTrip(server))),
            GeneratorOrder::Load(order) => return Ok(Some(OrderedWork::Load(order))),
        }
        Ok(None)
    }
}

/// What is said, a line at a time.
struct Mouth<W>(Mutex<W>);

impl<W: Write> Mouth<W> {
    fn write_answer(&self, answer: &GeneratorAnswer) -> io::Result<()> {
        let mut line = serde_json::to_vec(answer)?;
        line.push(b'\n');
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(&line)?;
        output.flush()
    }
}

fn elapsed_ns(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

fn generator_hello() -> Hello {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name"));
    Hello {
        protocol: PROTOCOL,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        cpus: thread::available_parallelism().map_or(1, |cpus| u32::try_from(cpus.get()).unwrap_or(u32::MAX)),
        kernel: rustix::system::uname().release().to_string_lossy().into_owned(),
        cpu_model: model.map(|model| model.trim_start_matches([' ', '\t', ':']).to_owned()),
        io_uring_refused: load::io_uring_refused(),
    }
}

/// Sends a load, and tells of it as it happens; what there is to say at last.
fn send_load<W: Write + Send>(
    order: LoadOrder,
    (stop, instants): (&StopRequest, &SharedInstants),
    clock: Instant,
    mouth: &Mouth<W>,
) -> GeneratorAnswer {
    let start_at = clock + Duration::from_nanos(order.start_at_ns);
    let part = order.part.map(|PartOrder { number, count, started_at }| GeneratorPart {
        number,
        count,
        zero: start_at,
        started_at,
        instants: instants.clone(),
    });
    let (jobs, tally) = match jobs_of_order(order, part.as_ref()) {
        Ok(jobs) => jobs,
        Err(why) => return GeneratorAnswer::Failed { why: Some(why) },
    };
    let (over, is_over) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || say_alive(&is_over, &tally, mouth));
        thread::sleep(start_at.saturating_duration_since(Instant::now()));
        let sent = run_ordered_jobs(jobs, stop, clock, mouth);
        drop(over);
        match sent {
            Ok(summary) => GeneratorAnswer::Done(Box::new(summary)),
            Err(LoadError::Stopped) => GeneratorAnswer::Failed { why: None },
            Err(error) => GeneratorAnswer::Failed { why: Some(in_full(&error)) },
        }
    })
}

fn in_full(error: &LoadError) -> String {
    error.detail().map_or_else(|| error.to_string(), |detail| format!("{error}: {detail}"))
}

fn say_alive<W: Write>(is_over: &Receiver<()>, tally: &Tally, mouth: &Mouth<W>) {
    while let Err(RecvTimeoutError::Timeout) = is_over.recv_timeout(ALIVE_EVERY) {
        // Nobody to tell: the load ends with the input.
        let _gone = mouth.write_answer(&GeneratorAnswer::Alive { transactions: tally.transaction_count() });
    }
}

/// What is sent: one load, or sides that take turns.
enum RemoteJobs {
    One(Box<EngineJob>),
    Turns(load::TurnTakingJobs),
}

/// The jobs of an order, and where the first of them is counted.
fn jobs_of_order(order: LoadOrder, part: Option<&GeneratorPart>) -> Result<(RemoteJobs, Tally), String> {
    let plan = plan::parse_plan("plan.yaml", order.plan.as_bytes()).map_err(|errors| errors.to_string())?;
    let text = |path: &Path| order.scripts.get(path).cloned().map(String::into_bytes);
    let read = |path: &Path| text(path).ok_or_else(|| io::ErrorKind::NotFound.into());
    let scripts = OwnScripts::of_workloads(&plan, Path::new(""), &read).map_err(|problem| problem.in_one_line())?;
    let backend = if order.io_uring { load::IoBackend::Auto } else { load::IoBackend::Epoll };
    let tally = Tally::new();
    let seed = order.sides.first().map_or(0, |side| side.seed);
    let mut made = Vec::new();
    for side in order.sides {
        let SideOrder { target, workload, clients, seed, rate_per_s, place, server } = side;
        let workload =
            plan.workload_by_name(&workload).ok_or_else(|| format!("the plan has no workload {workload:?}"))?;
        let asked = TrialRequest { clients, seed, rate_per_s, target: &target, place };
        let one = job_of_workload(&plan, &scripts, workload, asked, server.resolve_conninfo()?);
        let one = one.map_err(|problem| problem.in_one_line())?;
        let tally = if place == 0 { tally.clone() } else { Tally::new() };
        made.push(EngineJob { backend, tally, part: part.cloned(), ..one });
    }
    match made.len() {
        0 => Err("the order has no side".to_owned()),
        1 => Ok((RemoteJobs::One(Box::new(made.remove(0))), tally)),
        _ => Ok((RemoteJobs::Turns(turns_of_jobs(&plan, made, seed)), tally)),
    }
}

fn run_ordered_jobs<W: Write>(
    jobs: RemoteJobs,
    stop: &StopRequest,
    clock: Instant,
    mouth: &Mouth<W>,
) -> Result<TurnsSummary, LoadError> {
    let if_unheard = stop.clone();
    let tell = |event: LoadEvent| {
        if mouth.write_answer(&GeneratorAnswer::Event(Box::new(event))).is_err() {
            if_unheard.request_stop();
        }
    };
    let connecting = |at_ns| LoadEvent::Connecting { at_ns, clock_ns: elapsed_ns(clock) };
    match jobs {
        RemoteJobs::One(job) => {
            let mut on_event = |event: EngineEvent<'_>| match event {
                EngineEvent::Connecting { at_ns } => tell(connecting(at_ns)),
                EngineEvent::Connected { at_ns } => tell(LoadEvent::Connected { at_ns }),
                EngineEvent::Began { phase, at_ns } => tell(LoadEvent::Began { phase, at_ns }),
                EngineEvent::Second(second) => tell(LoadEvent::Second { side: 0, second: Box::new(second.clone()) }),
                EngineEvent::Ended { at_ns } => tell(LoadEvent::Ended { at_ns }),
            };
            let summary = load::run_job(&job, stop, &mut on_event)?;
            Ok(TurnsSummary { sides: vec![summary], turns: Vec::new(), length_ns: 0 })
        }
        RemoteJobs::Turns(turns) => {
            let mut on_event = |event: TurnsEvent<'_>| match event {
                TurnsEvent::Connecting { at_ns } => tell(connecting(at_ns)),
                TurnsEvent::Connected { at_ns } => tell(LoadEvent::Connected { at_ns }),
                TurnsEvent::Began { phase, at_ns } => tell(LoadEvent::Began { phase, at_ns }),
                TurnsEvent::Second { side, second } => {
                    tell(LoadEvent::Second { side, second: Box::new(second.clone()) });
                }
                TurnsEvent::TurnBegan { side, at_ns } => tell(LoadEvent::TurnBegan { side, at_ns }),
                TurnsEvent::Turn(turn) => tell(LoadEvent::Turn(*turn)),
                TurnsEvent::Ended { at_ns } => tell(LoadEvent::Ended { at_ns }),
            };
            load::run_turns(&turns, stop, &mut on_event)
        }
    }
}
