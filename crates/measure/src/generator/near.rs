//! pgdyno's end: starts a generator for a load, tells it what to send, and hears what happens.
//!
//! A generator that breaks off, or says nothing for a while, is lost, and its load gives no figures: what its clients
//! did after that nobody knows.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use cluster::{Api, Conversation, Speaking};
use jiff::Timestamp;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::Child;
use tokio::time::timeout;

use super::clock::{ClockOffset, RoundTrip};
use super::messages::{GeneratorAnswer, GeneratorOrder, Hello, LoadOrder, PROTOCOL, ServerOrder};
use crate::over_ssh::{self, CapturedStderr, spoken_to};
use problem::Problem;

/// The longest that a generator may take to be there.
const START_AT_MOST: Duration = Duration::from_secs(20);
/// The longest that it may be silent. It says ten times a second that it goes on.
const SILENT_AT_MOST: Duration = Duration::from_secs(15);
/// How often the clock is asked for: the shortest round trip counts.
const PINGS: u32 = 12;
/// From the order to the begin of the load: time for the order to get there.
const MARGIN: Duration = Duration::from_millis(300);
/// Lines that a login shell may print before the generator's first.
const GREETING_LINES: usize = 100;
/// How long the API server is asked what became of the pod.
const FATE_AT_MOST: Duration = Duration::from_secs(10);
/// What is started.
const COMMAND: [&str; 4] = ["pgdyno", "agent", "--stdio", "--load"];

/// Where generators are started, and how.
#[derive(Debug, Clone)]
pub enum GeneratorSite {
    /// In a container of a pod.
    Pod {
        /// Of this cluster and namespace.
        api: Api,
        /// The pod.
        pod: String,
        /// Its container.
        container: &'static str,
        /// Its node.
        node: Option<String>,
    },
    /// On a host, by ssh.
    Ssh {
        /// As ssh takes it.
        destination: String,
        /// The program there.
        pgdyno: PathBuf,
    },
}

/// What keeps a generator where it is: dropping it ends it.
enum GeneratorHandle {
    /// By `pods/exec`.
    Pod { _process: Speaking },
    /// By ssh.
    Ssh { process: Child, last_words: CapturedStderr },
}

/// A generator that waits for its load, or sends it.
pub struct GeneratorSession {
    line: GeneratorChannel,
    hello: Hello,
    clock: ClockOffset,
}

/// The line to a generator.
struct GeneratorChannel {
    /// Its name in the plan.
    name: String,
    site: GeneratorSite,
    orders: Box<dyn AsyncWrite + Send + Unpin>,
    answers: Lines<Box<dyn AsyncBufRead + Send + Unpin>>,
    held: GeneratorHandle,
    /// From when on what happens to it is of interest.
    since: Timestamp,
}

impl GeneratorSession {
    /// Starts a generator, and finds out how its clock is to this one.
    ///
    /// # Errors
    /// Everything that can be wrong with the way to it, by what ssh or the API server said.
    pub async fn start_session(name: &str, site: &GeneratorSite) -> Result<Self, Problem> {
        let about = format!("could not start generator {name:?}");
        let since = Timestamp::now();
        let (orders, answers, held) = open_conversation(site, &about).await?;
        let mut line = GeneratorChannel {
            name: name.to_owned(),
            site: site.clone(),
            orders,
            answers: answers.lines(),
            held,
            since,
        };
        let hello = match timeout(START_AT_MOST, line.read_greeting()).await {
            Ok(Some(hello)) => accept_hello(hello, &about)?,
            Ok(None) => return Err(line.why_it_ended(about).await),
            Err(_) => {
                return Err(Problem::could_not_measure(about)
                    .detail(format!("the generator sent nothing for {} s", START_AT_MOST.as_secs()))
                    .hint("check that `pgdyno agent --stdio --load` runs there"));
            }
        };
        match line.ask_the_time().await {
            Some(clock) => Ok(Self { line, hello, clock }),
            None => Err(line.why_it_ended(about).await),
        }
    }

    /// Who it is.
    #[must_use]
    pub fn generator_hello(&self) -> &Hello {
        &self.hello
    }

    /// How its clock is to the one here.
    #[must_use]
    pub fn clock_offset(&self) -> ClockOffset {
        self.clock
    }

    /// The shortest round trip to it and back.
    #[must_use]
    pub fn shortest_round_trip(&self) -> Duration {
        self.clock.error * 2
    }

    /// Tells it when the load begins that all generators have connected for.
    ///
    /// # Errors
    /// The generator is lost, as these words say.
    pub async fn tell_begin(&mut self, at: Instant) -> Result<(), String> {
        self.tell_order(&GeneratorOrder::Begin { at_ns: self.clock.there_ns(at) }).await
    }

    /// Tells it with which second the load ends on all generators.
    ///
    /// # Errors
    /// The generator is lost, as these words say.
    pub async fn tell_end(&mut self, at: Instant) -> Result<(), String> {
        self.tell_order(&GeneratorOrder::End { at_ns: self.clock.there_ns(at) }).await
    }

    async fn tell_order(&mut self, order: &GeneratorOrder) -> Result<(), String> {
        match self.line.send_order(order).await {
            Some(()) => Ok(()),
            None => Err(self.line.why_it_is_lost("it does not accept the order").await),
        }
    }

    /// An instant at which a load can begin that is ordered now.
    #[must_use]
    pub fn earliest_load_start() -> Instant {
        Instant::now() + MARGIN
    }

    /// Has it make some round trips to a server; their median, in microseconds, or what keeps it from that.
    ///
    /// # Errors
    /// The generator is lost, as these words say: it may answer later, when something else is asked.
    pub async fn round_trip_us(&mut self, server: ServerOrder) -> Result<Result<u64, String>, String> {
        if self.line.send_order(&GeneratorOrder::RoundTrip(Box::new(server))).await.is_none() {
            return Err(self.line.why_it_is_lost("it does not accept the order").await);
        }
        match self.next().await? {
            GeneratorAnswer::RoundTrip { median_us } => Ok(median_us),
            other => Err(format!("the generator sent an unexpected answer: {other:?}")),
        }
    }

    /// Orders a load.
    ///
    /// # Errors
    /// The generator is lost, as these words say.
    pub async fn order_load(&mut self, order: LoadOrder) -> Result<(), String> {
        self.tell_order(&GeneratorOrder::Load(Box::new(order))).await
    }

    /// Asks it to end the load in order.
    pub async fn request_stop(&mut self) {
        // One that does not hear it is told of as lost by its silence.
        let _lost = self.line.send_order(&GeneratorOrder::Stop).await;
    }

    /// What it says next.
    ///
    /// # Errors
    /// The generator is lost, as these words say.
    pub async fn next(&mut self) -> Result<GeneratorAnswer, String> {
        match timeout(SILENT_AT_MOST, self.line.answers.next_line()).await {
            Ok(Ok(Some(line))) => match serde_json::from_str(&line) {
                Ok(answer) => Ok(answer),
                Err(error) => Err(self.line.why_it_is_lost(&format!("it sent an incomplete message: {error}")).await),
            },
            Ok(Ok(None)) => Err(self.line.why_it_is_lost("its connection broke").await),
            Ok(Err(error)) => Err(self.line.why_it_is_lost(&format!("its connection broke: {error}")).await),
            Err(_) => {
                let silence = format!("it sent nothing for {} s", SILENT_AT_MOST.as_secs());
                Err(self.line.why_it_is_lost(&silence).await)
            }
        }
    }
}

impl GeneratorChannel {
    async fn send_order(&mut self, order: &GeneratorOrder) -> Option<()> {
        let mut line = serde_json::to_vec(order).ok()?;
        line.push(b'\n');
        let said = async {
            self.orders.write_all(&line).await.ok()?;
            self.orders.flush().await.ok()
        };
        timeout(SILENT_AT_MOST, said).await.ok()?
    }

    async fn read_greeting(&mut self) -> Option<Hello> {
        for _ in 0..GREETING_LINES {
            let line = self.answers.next_line().await.ok()??;
            if let Ok(GeneratorAnswer::Hello(hello)) = serde_json::from_str(&line) {
                return Some(*hello);
            }
        }
        None
    }

    async fn ask_the_time(&mut self) -> Option<ClockOffset> {
        let mut trips = Vec::new();
        for _ in 0..PINGS {
            let asked = Instant::now();
            self.send_order(&GeneratorOrder::Ping).await?;
            let line = timeout(SILENT_AT_MOST, self.answers.next_line()).await.ok()?.ok()??;
            let answered = Instant::now();
            let Ok(GeneratorAnswer::Pong { at_ns }) = serde_json::from_str(&line) else { return None };
            trips.push(RoundTrip { asked, there_ns: at_ns, answered });
        }
        ClockOffset::from_round_trips(&trips)
    }

    async fn why_it_ended(&mut self, about: String) -> Problem {
        match &mut self.held {
            GeneratorHandle::Pod { .. } => {
                let why = self.why_it_is_lost("it ended at once").await;
                Problem::could_not_measure(about).detail(why).hint(format!(
                    "the image needs pgdyno {} on its PATH; set `image` to another one",
                    env!("CARGO_PKG_VERSION")
                ))
            }
            GeneratorHandle::Ssh { process, last_words } => {
                let status = timeout(Duration::from_secs(1), process.wait()).await.ok().and_then(Result::ok);
                let said = last_words.collect_last_words().await;
                let code = status.and_then(|status| status.code());
                let GeneratorSite::Ssh { destination, pgdyno } = &self.site else { unreachable!("it is held by ssh") };
                let hint = over_ssh::ssh_failure_hint(destination, pgdyno, code, &said, "generators");
                let detail = match status {
                    Some(status) if said.is_empty() => format!("the generator ended with {status}"),
                    Some(_) | None => said,
                };
                Problem::could_not_measure(about).detail(detail).hint(hint)
            }
        }
    }

    /// What became of it, in words that name it.
    async fn why_it_is_lost(&mut self, seen: &str) -> String {
        let name = format!("generator {:?}", self.name);
        match &mut self.held {
            GeneratorHandle::Ssh { last_words, .. } => {
                let said = last_words.collect_last_words().await;
                let said = if said.is_empty() { String::new() } else { format!("; {said}") };
                let GeneratorSite::Ssh { destination, .. } = &self.site else { unreachable!("it is held by ssh") };
                format!("{name} was lost (host {destination}): {seen}{said}")
            }
            GeneratorHandle::Pod { .. } => {
                let GeneratorSite::Pod { api, pod, node, .. } = &self.site else { unreachable!("it is held by a pod") };
                let on = node.as_ref().map_or_else(String::new, |node| format!(" on node {node}"));
                let fate = fate_of_pod(api, pod, self.since).await.map_or_else(String::new, |fate| format!("; {fate}"));
                format!("{name} was lost (pod {pod}{on}): {seen}{fate}")
            }
        }
    }
}

/// What Kubernetes says became of a pod: it may need a moment to know.
async fn fate_of_pod(api: &Api, pod: &str, since: Timestamp) -> Option<String> {
    let deadline = Instant::now() + FATE_AT_MOST;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match timeout(left, api.fate_of_pod(pod, since)).await {
            Ok(Ok(Some(fate))) => return Some(fate),
            Ok(Ok(None) | Err(_)) if !left.is_zero() => tokio::time::sleep(Duration::from_millis(500)).await,
            Ok(Ok(None) | Err(_)) | Err(_) => return None,
        }
    }
}

type Ends = (Box<dyn AsyncWrite + Send + Unpin>, Box<dyn AsyncBufRead + Send + Unpin>, GeneratorHandle);

async fn open_conversation(site: &GeneratorSite, about: &str) -> Result<Ends, Problem> {
    match site {
        GeneratorSite::Pod { api, pod, container, .. } => {
            let Conversation { orders, answers, process } =
                api.start_conversation(pod, container, &COMMAND).await.map_err(|error| {
                    Problem::could_not_measure(format!("{about}: {error}"))
                        .detail(error.detail().unwrap_or_default())
                        .hint(error.hint().unwrap_or_default())
                })?;
            Ok((orders, answers, GeneratorHandle::Pod { _process: process }))
        }
        GeneratorSite::Ssh { destination, pgdyno } => {
            let mut command = over_ssh::ssh_command(destination, pgdyno, "agent --stdio --load");
            let mut process = spoken_to(&mut command).spawn().map_err(|error| {
                Problem::could_not_measure(about)
                    .detail(format!("ssh: {error}"))
                    .hint("check that it is installed on this host")
            })?;
            let (Some(orders), Some(output), Some(errors)) =
                (process.stdin.take(), process.stdout.take(), process.stderr.take())
            else {
                unreachable!("all three were asked for")
            };
            let last_words = CapturedStderr::listen_to_stderr(errors);
            Ok((Box::new(orders), Box::new(BufReader::new(output)), GeneratorHandle::Ssh { process, last_words }))
        }
    }
}

/// A generator that understands a plan as this pgdyno does.
fn accept_hello(hello: Hello, about: &str) -> Result<Hello, Problem> {
    let own = env!("CARGO_PKG_VERSION");
    if hello.protocol == PROTOCOL && hello.version == own {
        return Ok(hello);
    }
    let said = format!(
        "the generator is pgdyno {}, protocol {}; this host has {own}, protocol {PROTOCOL}",
        hello.version, hello.protocol
    );
    Err(Problem::could_not_measure(about)
        .detail(said)
        .hint(format!("install pgdyno {own} there, or set an image that has it")))
}
