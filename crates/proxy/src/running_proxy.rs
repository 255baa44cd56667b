//! A proxy from its start to its end: its threads, and what they come to.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use capture::TrafficCapture;
use capture::directory::CaptureSummary;
use rustix::process::{Resource, getrlimit, setrlimit};

use crate::recording::RecordingThread;
use crate::server_addresses::ServerAddresses;
use crate::shared_route::SharedRoute;
use crate::tap::{TapOutlet, TrafficTap};
use crate::tls_identity::server_config;
use crate::worker::PassingWorker;
use crate::{ProxyError, ProxyOptions};

/// Clients that wait to be accepted.
const BACKLOG: i32 = 1024;
/// How often names of the server are looked up.
const LOOK_UP_EACH: Duration = Duration::from_secs(10);
/// How late the thread that does it sees that the proxy is stopped.
const STOP_CHECK: Duration = Duration::from_millis(100);

/// A proxy that passes sessions.
pub struct RunningProxy {
    addresses: Vec<SocketAddr>,
    route: Arc<SharedRoute>,
    workers: Vec<JoinHandle<std::io::Result<()>>>,
    recording: JoinHandle<Result<CaptureSummary, String>>,
    resolving: Option<JoinHandle<()>>,
    is_last_round: Arc<AtomicBool>,
    failures: Receiver<String>,
}

/// Listens, and passes sessions to the server from then on.
///
/// # Errors
/// The addresses cannot be listened on, the server's name is not known, or the certificate cannot be used.
pub fn start_proxy(
    options: &ProxyOptions,
    make_capture: impl FnOnce() -> Result<TrafficCapture, String>,
) -> Result<RunningProxy, ProxyError> {
    raise_file_limit();
    let identity = options.identity.as_ref().map(server_config).transpose()?;
    let server = ServerAddresses::look_up_server(&options.server)?;
    let mut listeners = Vec::new();
    let mut addresses = Vec::new();
    for address in &options.listen {
        let listener = open_listener(*address).map_err(|source| ProxyError::Listen { address: *address, source })?;
        addresses.push(listener.local_addr()?);
        listeners.push(listener);
    }
    let listeners = Arc::new(listeners);
    let capture = make_capture().map_err(ProxyError::Capture)?;
    let route = Arc::new(SharedRoute::new_route(options, server, identity, Instant::now()));
    let threads = options.threads.max(1);
    let outlet = Arc::new(TapOutlet::with_threads(threads, options.memory_bytes));
    let is_last_round = Arc::new(AtomicBool::new(false));
    let (sender, failures) = channel();
    let recording = RecordingThread {
        outlet: Arc::clone(&outlet),
        route: Arc::clone(&route),
        is_last_round: Arc::clone(&is_last_round),
        threads,
        failures: sender,
    };
    let recording =
        thread::Builder::new().name("recording".to_owned()).spawn(move || recording.record_until_ended(capture))?;
    let mut workers = Vec::new();
    for thread in 0..threads {
        let tap = TrafficTap::with_outlet(Arc::clone(&outlet), thread);
        let worker = PassingWorker::new_worker(Arc::clone(&route), tap, Arc::clone(&listeners))?;
        let name = format!("passing-{thread}");
        workers.push(thread::Builder::new().name(name).spawn(move || worker.pass_until_stopped())?);
    }
    let resolving = if route.addresses.has_names() { Some(start_resolving(Arc::clone(&route))?) } else { None };
    Ok(RunningProxy { addresses, route, workers, recording, resolving, is_last_round, failures })
}

impl RunningProxy {
    /// Where it listens, with the ports that the system has chosen.
    #[must_use]
    pub fn listening_addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Why nothing is recorded any more, the first time that this is asked after it happened. Sessions are passed on.
    #[must_use]
    pub fn take_recording_failure(&self) -> Option<String> {
        self.failures.try_recv().ok()
    }

    /// Ends all sessions and completes the capture.
    ///
    /// # Errors
    /// The capture is not complete.
    pub fn stop_proxy(self) -> Result<CaptureSummary, ProxyError> {
        self.route.is_stopped.store(true, Ordering::Relaxed);
        let mut problem = None;
        for worker in self.workers {
            match worker.join() {
                Ok(Ok(())) => {}
                Ok(Err(error)) => problem = Some(ProxyError::System(error)),
                Err(_) => problem = Some(ProxyError::Capture("a thread that passes sessions has failed".to_owned())),
            }
        }
        if let Some(resolving) = self.resolving {
            let _has_panicked = resolving.join();
        }
        self.is_last_round.store(true, Ordering::Release);
        let recorded = match self.recording.join() {
            Ok(recorded) => recorded.map_err(ProxyError::Capture),
            Err(_) => Err(ProxyError::Capture("the thread that records has failed".to_owned())),
        };
        match problem {
            Some(problem) => Err(problem),
            None => recorded,
        }
    }
}

fn open_listener(address: SocketAddr) -> std::io::Result<TcpListener> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    rustix::net::listen(&listener, BACKLOG)?;
    Ok(listener)
}

/// A session has two sockets: the limit is raised as far as it may be.
fn raise_file_limit() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _stays_as_it_is = setrlimit(Resource::Nofile, limit);
}

fn start_resolving(route: Arc<SharedRoute>) -> std::io::Result<JoinHandle<()>> {
    thread::Builder::new().name("addresses".to_owned()).spawn(move || {
        let mut asked = Instant::now();
        while !route.is_stopped.load(Ordering::Relaxed) {
            if asked.elapsed() > LOOK_UP_EACH {
                route.addresses.look_up_again();
                asked = Instant::now();
            }
            thread::sleep(STOP_CHECK);
        }
    })
}
